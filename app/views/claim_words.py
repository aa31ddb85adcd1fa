"""Which words can be typed, and what is said of those that are not understood?

In: what somebody typed, or a statement of ours. Out: lines to type into, examples a click away,
and the sentence that opens a statement as a claim. Start at asked() and openings().
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

import streamlit as st

from app.faults import exit_code_of
from app.said import is_passage
from app.views import address, answers, claims_of
from app.views.fold import controls
from app.views.texts import error_text, escaped, say
from history.claims.language.claim import Claim
from history.claims.sentences.grammar import TIMES, sentence_forms

LONGEST = 5_000  # letters of a text: all of it is in the address
TEXT = "type text"
MOST_CUTS = 8
MOST_BOARDS = 50  # of which one is looked for that has a leader
_ENDS_DAY = re.compile(r"At the end of (\d{1,2} \w{3} \d{4}) \(UTC\) ")
_AT = re.compile(r"On (\d{1,2} \w{3} \d{4}) at (\d\d:\d\d) UTC ")
_NOW = "At the last look "
_SINCE = re.compile(r" from \d{1,2} \w{3} .*", re.DOTALL)


def asked(names: Sequence[str], known: Mapping[str, Claim]) -> str | None:
    """What the address asks, with the means to ask something else.

    Args:
        names: of the boards.
        known: the claims of the claims file, by id.
    """
    wanted = address.said("claim")
    several = wanted is not None and wanted not in known and is_passage(wanted)
    left, right = st.columns(2)
    with left:
        empty = next(iter(examples(names)), sentence_forms()[0].example)
        current = "" if wanted in known or several else None
        address.type_in("What was claimed", "claim", empty, _forms(), current=current)
    if known:
        with right:
            address.choose(
                f"Or choose one of {len(known)} claims",
                "claim",
                list(known),
                lambda name: f"{name}: {known[name].text}" if known[name].text else name,
                empty="Choose a claim",
                forget=("show",),
            )
    box = controls("Or paste a text of several sentences", "several-sentences", opened=several)
    if box is not None:
        with box:
            _text_box(wanted if wanted and several else "")
    return wanted


def _text_box(current: str) -> None:
    st.session_state[TEXT] = current

    def typed() -> None:
        address.write(claim=st.session_state[TEXT].strip() or None, show=None)

    with st.form("text of several sentences", border=False):
        st.text_area(
            "A post, an article or a model card",
            key=TEXT,
            height=140,
            max_chars=LONGEST,
            help="Each claim in it is listed with its words. Nothing of it is kept.",
        )
        st.form_submit_button("Find the claims in it", on_click=typed)


def _forms() -> str:
    forms = "".join(f"- {escaped(one.form)}\n" for one in sentence_forms())
    return f"Understood are:\n\n{forms}\nTIME is {escaped(TIMES)}."


def understood(work: Callable[[], Any], names: Sequence[str]) -> Any:
    """Do something with words; what is not understood is said, with examples, and ends the page."""
    try:
        return work()
    except Exception as error:
        if exit_code_of(error) is None:
            raise
        st.error(error_text(error))
        show_examples(names)
        st.stop()


def show_examples(names: Sequence[str]) -> None:
    """Sentences about this store, each a click away."""
    found = examples(names)
    if not found:
        return
    say("Sentences that are understood:")
    for sentence in found:
        link(escaped(sentence), sentence, claim=sentence, show=None)


def link(label: str, key: str, **changes: str | None) -> None:
    """What opens another claim here.

    Args:
        label: Markdown.
        key: of the element; each of a page has its own.
        changes: of the address; None takes one out.
    """

    def opened() -> None:
        address.write(**changes)

    icon = ":material/arrow_forward:"
    st.button(label, key=f"open {key}", on_click=opened, type="tertiary", icon=icon)


def examples(names: Sequence[str]) -> list[str]:
    """Sentences that can be checked, about one board: where the reader comes from, or was heading."""
    come, heading = address.said("board"), address.said("claim") or ""
    near = sorted(names, key=lambda name: (name != come, name not in heading))
    return _examples(claims_of.state(), tuple(near[:MOST_BOARDS]))


@st.cache_data(max_entries=16, show_spinner=False)
def _examples(state: claims_of.State, names: tuple[str, ...]) -> list[str]:
    for name in names:
        stood = answers.attempt_quietly(partial(answers.standings, name, "latest", None))
        if stood is None or not stood.n_ranked:
            continue
        ranked = stood.frame[stood.frame["rank"].notna()]
        entries = [str(entry) for entry in ranked["entry"].iloc[:2]]
        found = [sentence for make in _made(name, entries) if (sentence := _first_read(make, name))]
        if found:
            return found
    return []


def _made(board: str, entries: Sequence[str]) -> Iterator[Callable[[Callable[[str], str]], str]]:
    """Sentences about the first two of a board, for one way to write a name."""
    first = entries[0]
    yield lambda said: f"{said(first)} is #1 on {said(board)} now"
    yield lambda said: f"{said(first)} was first on {said(board)} for at least 24 hours"
    if len(entries) > 1:
        second = entries[1]
        yield lambda said: f"{said(second)} was ever first on {said(board)}"
        yield lambda said: f"{said(second)} is ahead of {said(first)} on {said(board)} now"


def _first_read(make: Callable[[Callable[[str], str]], str], board: str) -> str | None:
    """The sentence with bare names, or else in quotes, if it is read and means this board."""
    for said in (str, '"{}"'.format):
        sentence = make(said)
        found = answers.attempt_quietly(partial(claims_of.read, sentence))
        if found is not None and len(found.claims) == 1 and "\n" not in sentence:
            claim = found.claims[0]
            if {name for leaf in claim.leaves for name in leaf.boards} == {board}:
                return sentence
    return None


def openings(statements: Sequence[str]) -> dict[str, str]:
    """For statements of ours the sentence that asks for each, if it is read and true.

    Args:
        statements: of `nearest` in the JSON of `check`.
    """
    return _openings(claims_of.state(), tuple(statements))


@st.cache_data(max_entries=256, show_spinner=False)
def _openings(state: claims_of.State, statements: tuple[str, ...]) -> dict[str, str]:
    read = {statement: found for statement in statements if (found := _asking(statement))}
    asked = [claim for _, claim in read.values()]
    told = answers.attempt_quietly(lambda: claims_of.verdicts(asked)) or []
    true = [one["verdict"] == "true" for one in told]
    return {
        statement: words
        for (statement, (words, _)), holds in zip(read.items(), true, strict=False)
        if holds
    }


def _asking(statement: str) -> tuple[str, Claim] | None:
    """The longest sentence for a statement that is read, and what it claims."""
    for words in candidates(statement):
        found = answers.attempt_quietly(partial(claims_of.read, words))
        if found is not None and len(found.claims) == 1:
            return words, found.claims[0]
    return None


def candidates(statement: str) -> Iterator[str]:
    """Sentences that may say a statement, the longest first.

    >>> next(candidates("At the end of 2 Mar 2026 (UTC) fern was first on text"))
    'fern was first on text as of 2 Mar 2026'
    >>> list(candidates("fern was first on text from 2 Mar 08:00 to 3 Mar 2026 09:00 UTC (25 h)"))
    ['fern was ever first on text', 'fern was first on text']
    """
    body, time = statement, ""
    if found := _ENDS_DAY.match(statement):
        body, time = statement[found.end() :], f" as of {found[1]}"
    elif found := _AT.match(statement):
        body, time = statement[found.end() :], f" as of {found[1]} {found[2]} UTC"
    elif statement.startswith(_NOW):
        body, time = statement.removeprefix(_NOW), " now"
    elif (cut := _SINCE.sub("", statement)) != statement:
        # A stretch ends where it no longer holds, so that it is asked whether it ever did.
        yield cut.replace(" was ", " was ever ", 1)
        yield cut
        return
    cuts = [cut.start() for cut in re.finditer(r" \(|, ", body)]
    for stop in [len(body), *reversed(cuts[:MOST_CUTS])]:
        yield f"{body[:stop]}{time}"
