"""Is it true, when was it, and what does the answer rest on?"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd
import streamlit as st

from app.charts.style import utc
from app.given import gap_text
from app.links import is_web
from app.said import Said, is_passage
from app.verdict_exports import parts
from app.views import (
    address,
    answers,
    claim_copies,
    claim_evidence,
    claim_time,
    claim_words,
    claims_of,
    grid,
    header,
)
from app.views.boards import tracked
from app.views.claim_evidence import linked
from app.views.texts import escaped, say
from app.wording import unsaid
from crawler.board import nearest
from history.claims.language.claim import Claim
from history.claims.verdict import WORDS

OPENED = "open claim"
LETTERS = {"Text": 30, "Why": 92}  # about as many fit on a line of the list
MOST_LINES = 5
MOST_CELLS = 2  # of the evidence of a statement that would be true
# Colour and shape of each verdict; the word stands beside them.
LOOKS = {
    "true": ("green", "check_circle"),
    "false": ("red", "cancel"),
    "tied_not_first": ("red", "equal"),
    "within_rounding": ("blue", "adjust"),
    "true_then_false": ("orange", "trending_down"),
    "false_then_true": ("orange", "trending_up"),
    "true_under_other": ("violet", "alt_route"),
    "not_decidable": ("gray", "help"),
}
STRENGTH = {
    "certain": "Certain: no digit that was rounded away could make it another verdict.",
    "printed": "As printed: digits that were rounded away could make it another verdict.",
}


def page() -> None:
    """Type a sentence or pick a claim; verdict, when it held, evidence."""
    st.header("Claims", anchor=False)
    names = tracked()
    known = {claim.id: claim for claim in claims_of.claims()}
    wanted = claim_words.asked(names, known)
    if wanted is None:
        _all(list(known.values()), names)
    elif wanted in known:
        _one(known[wanted], names)
    elif is_passage(wanted):
        _passage(claim_words.understood(lambda: claims_of.read(wanted), names), names)
    else:
        _one(_typed(wanted, list(known), names), names)


def _typed(wanted: str, known: Sequence[str], names: Sequence[str]) -> Claim:
    """The claim that a sentence makes; one word is no sentence, but an id that is not there."""
    if " " not in wanted.strip():
        close = nearest(wanted, known) or list(known[:3])
        hint = f"Nearest: {', '.join(close)}." if close else "No claims file is there."
        st.error(escaped(f'no claim "{wanted}". {hint}'))
        claim_words.show_examples(names)
        st.stop()
    said: Said = claim_words.understood(lambda: claims_of.read(wanted), names)
    return said.claims[0]


def _passage(said: Said, names: Sequence[str]) -> None:
    """The claims of a text, for somebody to confirm; or the one of them that is opened."""
    ids = [claim.id for claim in said.claims]
    chosen = address.said("show")
    if chosen is not None:
        if f"claim-{chosen}" not in ids:
            there = f"It can be 1 to {len(ids)}" if len(ids) > 1 else "It can be 1"
            st.error(escaped(f'show: no claim "{chosen}" in this text. {there}.'))
            st.stop()
        claim_words.link("Back to all claims of the text", "all", show=None)
        _one(said.claims[ids.index(f"claim-{chosen}")], names)
        return
    document = claim_words.understood(lambda: claims_of.document(said.claims), names)
    st.subheader("Claims in this text", anchor=False)
    head, *notes = said.notes
    say(f"{head[0].upper()}{head[1:]}: open one to see what was understood.")
    for number, found in enumerate(document["claims"], start=1):
        with st.container(border=True):
            st.markdown(f"“{escaped(found['text'])}”")
            st.markdown(_sentence(found))
            claim_words.link("Open this claim", str(number), show=str(number))
    for note in notes:
        say(f"{note[0].upper()}{note[1:]}")
    header.about(answers.attempt(lambda: claims_of.boards(said.claims)))
    claim_copies.show(said.claims, document)


def _all(known: Sequence[Claim], names: Sequence[str]) -> None:
    """Every claim of the claims file with its verdict."""
    if not known:
        st.info("Type a sentence above. A `claims.toml` in the store is listed here.")
        claim_words.show_examples(names)
        return
    header.about(answers.attempt(lambda: claims_of.boards(known)))
    found = answers.attempt(lambda: claims_of.verdicts(known))
    table = pd.DataFrame(
        {
            "Verdict": [WORDS[one["verdict"]] for one in found],
            "Claim": [one["id"] for one in found],
            "Text": [one["text"] for one in found],
            "Why": [parts(one)[1] for one in found],
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
    grid.show(
        table,
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


def _one(claim: Claim, names: Sequence[str]) -> None:
    """The verdict on one claim, and all that is behind it."""
    boards = claim_words.understood(lambda: claims_of.boards([claim]), names)
    rows = claim_time.rows_of(claim)
    asked = [claim, *(row.claim for row in rows)]  # together: boards are made ready once
    both = answers.attempt_quietly(lambda: claims_of.document(asked))
    if both is None:
        rows, both = [], claim_words.understood(lambda: claims_of.document([claim]), names)
    found, *held = both["claims"]
    document = both | {"claims": [found]}
    _verdict(claim, found)
    header.about(boards)
    _remarks(found)
    if rows:
        claim_time.show(claim, rows, [one["intervals"] for one in held], " ".join(_words(found)))
    claim_evidence.show(claim, found)
    _nearest(found)
    claim_copies.show([claim], document)


def _verdict(claim: Claim, found: Mapping[str, Any]) -> None:
    """The answer in a sentence, how sure it is, and to what."""
    st.subheader(_sentence(found), anchor=False)
    why = found["code"].replace("_", " ").lower() if found["code"] else ""
    sure = [STRENGTH.get(found["strength"]), f"Reason: {escaped(why)}." if why else None]
    if said := " ".join(text for text in sure if text):
        st.caption(said)
    if found["text"]:
        st.markdown(f"Claimed: “{escaped(found['text'])}”")
    source = claim.source and linked(
        escaped(claim.source), claim.source if is_web(claim.source) else None
    )
    who = [escaped(claim.said_by), escaped(_time(claim.said_at)), source]
    if any(who):
        st.markdown(f"Said{' by' * bool(claim.said_by)}: {', '.join(word for word in who if word)}")


def _sentence(found: Mapping[str, Any]) -> str:
    """A verdict in Markdown: the word in colour with its shape, then why; without the last look,
    of which the page says how old it is now."""
    word, body = _words(found)
    colour, icon = LOOKS[found["verdict"]]
    return f":{colour}[:material/{icon}: **{word}**] {escaped(body)}"


def _words(found: Mapping[str, Any]) -> tuple[str, str]:
    word, body, _ = parts(dict(found))
    return f"{word}.", body


def _remarks(found: Mapping[str, Any]) -> None:
    """What would decide it, and what else is to be known."""
    told = {text for kind, text in unsaid(dict(found)) if kind == "note"}
    if found["would_decide"]:
        st.markdown(f"**What would decide it:** {escaped(found['would_decide'])}")
    for note in found["notes"]:
        if note in told:
            st.markdown(f"**Note:** {escaped(note)}")


def _nearest(found: Mapping[str, Any]) -> None:
    """Statements near a false one that are true, each with what it rests on."""
    if not found["nearest"]:
        return
    st.subheader("What would be true", anchor=False)
    gap = gap_text(dict(found))
    sentences = claim_words.openings([near["statement"] for near in found["nearest"]])
    for number, near in enumerate(found["nearest"]):
        sentence = sentences.get(near["statement"])
        with st.container(gap=None):
            if sentence is None:
                st.markdown(escaped(near["statement"]))
            else:
                claim_words.link(
                    escaped(near["statement"]), f"near {number}", claim=sentence, show=None
                )
            for one in near["evidence"][:MOST_CELLS]:
                st.caption(claim_evidence.line(one, gap))


def _time(moment: Any) -> str:
    if moment is None:
        return ""
    return utc(pd.Timestamp(moment)) if hasattr(moment, "hour") else str(moment.isoformat())
