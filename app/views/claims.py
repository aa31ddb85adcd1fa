"""Is it true, when was it, and what does the answer rest on?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any

import pandas as pd
import streamlit as st

from app.charts import stretches
from app.charts.held_strip import held_strip
from app.charts.style import utc
from app.said import scene_for
from app.views import address, answers, claims_of, header
from app.views.boards import tracked
from app.views.texts import escaped
from app.wording import unsaid
from crawler.board import nearest
from history import moments
from history.claims.language.claim import Claim, last_instant
from history.claims.sentences.grammar import TIMES, sentence_forms
from history.claims.sentences.sentence import read_sentence
from history.claims.verdict import WORDS
from history.pipeline import BoardHistory

OPENED = "open claim"
LETTERS = {"Text": 30, "Why": 92}  # about as many fit on a line of the list
MOST_LINES = 5
MORE = {"nearest": "What would be true", "note": "Note"}
STRENGTH = {"certain": "certain", "printed": "as printed"}
READ_IT = (
    "**How to read it.** A bar: the claim held. A thin line: it did not. A dashed frame: nobody "
    "knows, because a file could not be read. The dashed rule is the moment that the claim is "
    "about. Nothing has changed from the right end to the last look."
)


def page() -> None:
    """Type a sentence or pick a claim; verdict, when it held, evidence."""
    st.header("Claims", anchor=False)
    names = tracked()
    known = {claim.id: claim for claim in claims_of.claims()}
    wanted = address.said("claim")
    left, right = st.columns(2)
    with left:
        address.type_in(
            "What was claimed",
            "claim",
            example(names),
            _forms(),
            current="" if wanted in known else None,
        )
    if known:
        with right:
            address.choose(
                f"Or choose one of {len(known)} claims",
                "claim",
                list(known),
                lambda name: f"{name}: {known[name].text}" if known[name].text else name,
                empty="Choose a claim",
            )
    if wanted is None:
        _all(list(known.values()))
        return
    claim = known.get(wanted) or _typed(wanted, list(known))
    boards = answers.attempt(lambda: claims_of.boards([claim]))
    header.about(boards)
    found = answers.attempt(lambda: claims_of.verdicts([claim]))[0]
    _verdict(claim, found)
    if boards:
        _when(claim, found, boards)
    _evidence(found)


def example(names: Sequence[str]) -> str:
    """A sentence that can be checked: about who leads the first board that has a leader."""
    for name in names:
        stood = answers.attempt_quietly(partial(answers.standings, name, "latest", None))
        if stood is None or not stood.n_ranked:
            continue
        leader = str(stood.frame["entry"].iloc[0])
        for subject in (leader, f'"{leader}"'):
            sentence = f"{subject} is #1 on {name} now"
            claim = answers.attempt_quietly(partial(_read, sentence))
            if claim is not None and (claim.subject, claim.boards) == (leader, (name,)):
                return sentence
    return sentence_forms()[0].example


def _typed(wanted: str, known: Sequence[str]) -> Claim:
    """The claim that a sentence makes; one word is no sentence, but an id that is not there."""
    if " " not in wanted.strip():
        close = nearest(wanted, known) or list(known[:3])
        hint = f"Nearest: {', '.join(close)}." if close else "No claims file is there."
        st.error(escaped(f'no claim "{wanted}". {hint}'))
        st.stop()
    claim: Claim = answers.attempt(lambda: _read(wanted))
    return claim


def _read(sentence: str) -> Claim:
    """The claim of a sentence that names boards and entries of the store."""
    return read_sentence(sentence, scene_for(sentence, answers.store()))


def _forms() -> str:
    forms = "".join(f"- {escaped(one.form)}\n" for one in sentence_forms())
    return f"Understood are:\n\n{forms}\nTIME is {escaped(TIMES)}."


def _all(known: Sequence[Claim]) -> None:
    """Every claim of the claims file with its verdict."""
    if not known:
        st.info("Type a sentence above. A `claims.toml` in the store is listed here.")
        return
    header.about(answers.attempt(lambda: claims_of.boards(known)))
    found = answers.attempt(lambda: claims_of.verdicts(known))
    words = [WORDS[one["verdict"]] for one in found]
    table = pd.DataFrame(
        {
            "Verdict": words,
            "Claim": [one["id"] for one in found],
            "Text": [one["text"] for one in found],
            "Why": [
                one["sentence"].removeprefix(f"{word}. ")
                for word, one in zip(words, found, strict=True)
            ],
        }
    )

    def opened() -> None:
        rows = st.session_state[OPENED].selection.rows
        if rows:
            address.write(claim=table["Claim"].iloc[rows[0]])

    needed = max(
        math.ceil(table[title].str.len().max() / letters) for title, letters in LETTERS.items()
    )
    st.caption("Tick the box of a row to open its claim: when it held, and the evidence.")
    st.dataframe(
        table,
        hide_index=True,
        height="content",
        row_height=14 + 19 * min(needed, MOST_LINES),
        column_config={
            "Verdict": st.column_config.TextColumn(width=110),
            "Claim": st.column_config.TextColumn(width=60),
            "Text": st.column_config.TextColumn(width=220),
            "Why": st.column_config.TextColumn(width=600),
        },
        key=OPENED,
        on_select=opened,
        selection_mode="single-row",
    )


def _verdict(claim: Claim, found: dict[str, Any]) -> None:
    if found["text"]:
        st.subheader(escaped(f"“{found['text']}”"), anchor=False)
    said = [word for word in (claim.said_by, _time(claim.said_at), claim.source) if word]
    if said:
        st.text("Said by " + ", ".join(said) if claim.said_by else "Said: " + ", ".join(said))
    show = {"true": st.success, "false": st.error, "not_decidable": st.info}
    show.get(found["verdict"], st.warning)(escaped(found["sentence"]))
    words = [found["verdict"].replace("_", " "), STRENGTH.get(found["strength"]), found["code"]]
    st.caption("Verdict: " + escaped(", ".join(word for word in words if word)) + ".")
    if found["would_decide"]:
        st.text(f"What would decide it: {found['would_decide']}")
    for kind, text in unsaid(found):
        st.text(f"{MORE[kind]}: {text}")


def _when(claim: Claim, found: Mapping[str, Any], boards: Sequence[BoardHistory]) -> None:
    """The chart of when it held, and the same as a table."""
    start = max(board.readings["at"].min() for board in boards)
    end = min(moments.horizon(board.readings, board.as_of) for board in boards)
    changed = max(board.readings["at"].max() for board in boards)
    blank = pd.concat([stretches.blanks(board.readings, end) for board in boards])
    spans = held_stretches(found["intervals"], blank, start, end)
    moment = _moment(claim)
    marks = pd.DataFrame({"at": [moment] if moment is not None else [], "label": "claimed"})
    marks = marks[[start <= at <= end for at in marks["at"]]]
    st.subheader("When it held", anchor=False)
    dark = st.context.theme.type == "dark"
    shown = stretches.shown_until(start, min(changed, end), end)
    chart = held_strip(spans, marks, start=start, end=shown, title="When the claim held", dark=dark)
    st.altair_chart(chart, width="stretch", theme=None)
    st.caption(READ_IT)
    with st.expander("The numbers behind the chart"):
        st.dataframe(spans[["state", "text"]].set_axis(["State", "Time"], axis=1), hide_index=True)


def held_stretches(
    intervals: Sequence[Mapping[str, Any]],
    blanks: pd.DataFrame,
    start: pd.Timestamp,
    end: pd.Timestamp,
) -> pd.DataFrame:
    """The whole time of some boards, cut into held, not held and unknown.

    Args:
        intervals: as in the JSON of `check`: when the claim held.
        blanks: start, end, why: when files could not be read or were not there.
        start, end: of the time that all boards cover.

    Returns:
        start, end, row, state, text; in order, without gaps.
    """
    held = [(pd.Timestamp(one["from"]), pd.Timestamp(one["until"] or end)) for one in intervals]
    dark = blanks.loc[blanks["why"] == "unreadable", ["start", "end"]]
    unknown = list(dark.itertuples(index=False, name=None))
    edges = {start, end} | {edge for pair in [*held, *unknown] for edge in pair}
    cuts = sorted(edge for edge in edges if start <= edge <= end)
    rows: list[tuple[pd.Timestamp, pd.Timestamp, str]] = []
    for left, right in pairwise(cuts):
        state_now = (
            "unknown"
            if any(a <= left < b for a, b in unknown)
            else "held"
            if any(a <= left < b for a, b in held)
            else "not held"
        )
        if rows and rows[-1][2] == state_now:
            rows[-1] = (rows[-1][0], right, state_now)
        else:
            rows.append((left, right, state_now))
    spans = pd.DataFrame(rows, columns=["start", "end", "state"])
    times = [f"{utc(left)} to {utc(right)}" for left, right, _ in rows]
    return spans.assign(row="claim", text=times)


def _evidence(found: Mapping[str, Any]) -> None:
    """Where each number stands."""
    st.subheader("Evidence", anchor=False)
    if not found["evidence"]:
        st.text("No number could be read.")
        return
    rows = found["evidence"]
    st.dataframe(
        pd.DataFrame(
            {
                "Entry": [one["entry"] for one in rows],
                "Field": [one["field"] for one in rows],
                "Printed": [one["text"] for one in rows],
                "Board": [one["board"] for one in rows],
                "Time (UTC)": [one["committed_at"] for one in rows],
                "Commit": [(one["commit"] or "")[:10] for one in rows],
                "File": [one["path"] for one in rows],
                "Pointer": [one["pointer"] for one in rows],
                "Label": [one["label"] for one in rows],
            }
        ),
        hide_index=True,
        placeholder="",
    )
    st.caption(
        "*measured*: read from the file at that commit. *reported*: somebody's statement, or a "
        "reconstruction. *reasoned*: computed from the other two. An empty cell under Printed: "
        "the number is not there."
    )


def _moment(claim: Claim) -> pd.Timestamp | None:
    """The moment that a claim is about, if it is one."""
    when = claim.when
    if when is None:
        return None if claim.said_at is None else pd.Timestamp(last_instant(claim.said_at))
    if when.kind in ("as_of", "on") and when.start is not None:
        return pd.Timestamp(last_instant(when.start))
    return None


def _time(moment: Any) -> str:
    if moment is None:
        return ""
    return utc(pd.Timestamp(moment)) if hasattr(moment, "hour") else moment.isoformat()
