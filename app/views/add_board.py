"""How does somebody add a board on a page?

The same way as `ranktrail add`: an address, a proposal to look at, a click, a crawl. Nothing is
fetched before a button is pressed, nothing of what is typed stands in the address of the page, and
a public dashboard has none of it. Start at show().
"""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, replace
from typing import Any, TypeVar

import pandas as pd
import streamlit as st

from app import adding
from app.adding import Draft, Wish
from app.faults import Failure, UsageProblem, exit_code_of, line_of_error
from app.log import without_secrets
from app.views import answers, grid, setting
from app.views.fold import controls
from app.views.texts import escaped, say
from crawler.board import ready_made
from crawler.work import Work
from history.counts import counted
from history.propose.guesses import Question

SOURCE = "source of a new board"
STATE = "a board that is being added"
OPTIONS = {
    "name": "Name (--name)",
    "path": "File (--path)",
    "rows": "Rows (--rows)",
    "entry": "Entry (--entry)",
    "score": "Score (--score)",
    "direction": "Better is (--direction)",
}
EVERY = 0.2  # seconds between two looks at how far a job is
Result = TypeVar("Result")


class Unanswered(Exception):
    """The files do not tell something, and the reader has to be asked.

    Attributes:
        question: what they do not tell.
    """

    def __init__(self, question: Question):
        self.question = question
        super().__init__(question.text)


@dataclass(frozen=True)
class Adding:
    """How far somebody is.

    Attributes:
        wish: what they said.
        draft: what is proposed. question: what is asked first. problem: what went wrong, in one
            line. done: the name of the board that was added.
    """

    wish: Wish
    draft: Draft | None = None
    question: Question | None = None
    problem: str = ""
    done: str = ""


def show(ways: Sequence[st.Page], unfolded: bool) -> None:
    """The form, and what came of it.

    Args:
        ways: the pages that a board can be opened on.
        unfolded: whether the form is seen at once.
    """
    if setting.public():
        return
    now: Adding | None = st.session_state.get(STATE)
    box = controls("Add a board", "add-a-board", opened=unfolded or now is not None)
    if box is None:
        return
    with box:
        _form()
        now = st.session_state.get(STATE)
        if now is None:
            return
        if now.problem:
            st.error(escaped(now.problem))
        elif now.done:
            _added(now.done, ways)
        elif now.question is not None:
            _ask(now.wish, now.question)
        elif now.draft is not None:
            _propose(now.wish, now.draft)


def _form() -> None:
    """The address, and what is known better than guessed."""
    more = st.toggle(
        "Say more than the source",
        key="say more of a new board",
        help="Everything but the source is guessed. Say it where the guess is wrong.",
    )
    with st.form("add a board", border=False):
        source = st.text_input(
            "Source",
            key=SOURCE,
            placeholder="hf://spaces/OWNER/NAME",
            help="An address of the Hub, of a git repository or of a file in one, a local "
            f"repository or bundle; or a ready-made board: {', '.join(ready_made())}.",
        )
        said: dict[str, Any] = {}
        if more:
            places = [*st.columns(3), *st.columns(3)]
            for place, (name, label) in zip(places, OPTIONS.items(), strict=True):
                said[name] = _option(place, name, label)
        asked = st.form_submit_button("Look at it")
    if asked:
        wish = replace(Wish(source.strip()), **said)
        if wish.source:
            _look(wish)
        else:
            _now(Adding(wish, problem="Nothing was typed. Give the address of a leaderboard."))


def _option(place: Any, name: str, label: str) -> str:
    if name == "direction":
        ways = ["", "higher", "lower"]
        return str(place.selectbox(label, ways, format_func=lambda way: way or "guessed"))
    return str(place.text_input(label, placeholder="guessed")).strip()


def _look(wish: Wish) -> None:
    """Look at a source and keep what is proposed, or asked."""

    def ask(question: Question) -> Mapping[str, str]:
        raise Unanswered(question)

    def job(work: Work) -> Draft:
        return adding.drafted(answers.store(), wish, lambda: nullcontext(work), ask)

    try:
        _now(Adding(wish, draft=followed("Looking at the source", job, leave=True)))
    except Unanswered as error:
        if error.question.choices:
            _now(Adding(wish, question=error.question))
        else:
            hint = f"Say it: {_label(error.question.option)}"
            _now(Adding(wish, problem=f"{error.question.text}. {hint}."))
    except Exception as error:
        _now(Adding(wish, problem=_line(error)))


def _label(option: str) -> str:
    return OPTIONS.get(option.removeprefix("--"), option)


def _ask(wish: Wish, question: Question) -> None:
    """What the files do not tell, with the answers that there are."""
    ways = adding.ways_to_answer(question)
    with st.form("answer", border=False):
        say(f"{question.text[0].upper()}{question.text[1:]}?")
        chosen = st.selectbox(
            "Answer",
            range(len(ways)),
            None,
            lambda place: (
                f"{ways[place][1]} ({ways[place][2]})" if ways[place][2] else ways[place][1]
            ),
            placeholder="Choose one",
        )
        if st.form_submit_button("Go on") and chosen is not None:
            said: dict[str, Any] = {
                name.removeprefix("--"): text for name, text in ways[chosen][0].items()
            }
            _look(replace(wish, **said))
            st.rerun()


def _propose(wish: Wish, draft: Draft) -> None:
    """What would be written, and what would follow."""
    st.subheader(escaped(draft.name), anchor=False)
    evidence = pd.DataFrame(draft.evidence, columns=["Key", "Taken for", "Because"])
    grid.show(evidence, height="content")
    if draft.standings:
        say("The standings that follow:")
        rows = pd.DataFrame(draft.standings, columns=["Rank", "Entry", "Score"])
        grid.show(rows, width="content", height="content")
    say("The definition, as it would be written:")
    st.code(draft.text, language="toml", wrap_lines=True)
    with st.container(horizontal=True, gap="small"):
        if st.button("Add it and crawl", type="primary"):
            _add(wish, draft)
        st.button("Discard", on_click=_forget)


def _add(wish: Wish, draft: Draft) -> None:
    """Write the definition and crawl; whoever leaves the page meanwhile stops nothing."""
    try:
        followed(
            f"Crawling {escaped(draft.name)}",
            lambda work: adding.added(answers.store(), draft, work),
            leave=False,
        )
        _now(Adding(wish, done=draft.name))
    except Exception as error:
        _now(Adding(wish, problem=_line(error)))
    st.rerun()


def _added(name: str, ways: Sequence[st.Page]) -> None:
    """The ways to a new board."""
    board = answers.attempt(lambda: answers.history(name))
    st.success(
        f"{escaped(board.title)} is tracked now, with {counted(len(board.readings), 'version')}."
    )
    with st.container(horizontal=True, gap="small"):
        for way in ways:
            label = f"{way.title} of {escaped(name)}"
            st.page_link(way, label=label, query_params=[("board", name)], width="content")
    st.button("Add another", on_click=_forget)


def _now(adding_: Adding) -> None:
    """Keep how far somebody is, for this reader and until the page is closed."""
    st.session_state[STATE] = adding_


def _forget() -> None:
    st.session_state.pop(STATE, None)
    st.session_state[SOURCE] = ""


def _line(error: Exception) -> str:
    """One line for an error of ours; a surprise is raised again."""
    if isinstance(error, (Failure, UsageProblem)):
        return without_secrets(error.format_message())
    if exit_code_of(error) is None:
        raise error
    return without_secrets(line_of_error(error))


def followed(what: str, job: Callable[[Work], Result], *, leave: bool) -> Result:
    """Do a long job beside the page, and show how far it is.

    Args:
        what: is being done, as Markdown.
        job: what to do; it tells its Work.
        leave: whether it ends when the reader leaves the page.

    Raises:
        Exception: whatever the job raises.
    """
    said: queue.SimpleQueue[str] = queue.SimpleQueue()
    results: list[Result] = []
    errors: list[Exception] = []

    def count(thing: str, done: int, total: int | None) -> None:
        said.put(f"{thing}: {done:,}" + ("" if total is None else f" of {total:,}"))

    work = Work(said.put, count)

    def run() -> None:
        try:
            results.append(job(work))
        except Exception as error:
            errors.append(error)

    thread = threading.Thread(target=run, name=what, daemon=False)
    thread.start()
    with st.status(f"{what} ...", expanded=True) as status:
        line = st.empty()
        try:
            while thread.is_alive():
                thread.join(EVERY)
                last = ""
                while not said.empty():
                    last = said.get()
                if last:
                    line.text(without_secrets(last))
                else:
                    status.update(label=f"{what} ...")
        finally:
            if leave and thread.is_alive():
                work.stop()
        status.update(
            label=f"{what}: {'failed' if errors else 'done'}",
            state="error" if errors else "complete",
            expanded=False,
        )
    if errors:
        raise errors[0]
    return results[0]
