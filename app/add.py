"""What does `ranktrail add` say and ask, and what does it answer?

The way from a source to a board is app/adding.py. Start at run().
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from app import prompts, report
from app.adding import TOP, Draft, Wish, added, command, drafted, ways_to_answer
from app.bars import working
from app.faults import DONE, UsageProblem
from app.output import clean, complain, json_text, people_text, table, write
from crawler.store import Store
from history.pipeline import open_board
from history.propose.guesses import Question
from history.records import records


def run(store: Store, wish: Wish, form: str | None) -> int:
    """Propose, ask, write, crawl, show.

    Raises:
        UsageProblem: something has to be said that nobody was there to ask. Failure: the source
            holds no board, or could not be crawled.
    """
    try:
        draft = drafted(store, wish, working, lambda question: _asked(wish.source, question))
        if not _agreed(draft, wish, form):
            raise prompts.Quit
    except prompts.Quit:
        complain("Nothing was written.")
        return DONE
    with working() as work:
        file = added(store, draft, work)
    history = open_board(store, draft.name)
    document = records.standings(history, history.standings("latest"), TOP)
    if form == "json":
        said = {"board": draft.name, "definition": str(file), "standings": document}
        guesses = [{"key": key, "value": value, "why": why} for key, value, why in draft.evidence]
        write(json_text(said | {"guesses": guesses}))
        return DONE
    answer = report.standings(document)
    if wish.yes:
        write(people_text(_shown(draft, preview=False)))
    write(people_text(["", *answer.people(), *answer.foot, "", *_next(store, history)]))
    return DONE


def _next(store: Store, history: Any) -> Iterator[str]:
    readings = history.readings
    broken = int((readings["reading"] == "unreadable").sum())
    if broken:
        last = readings[readings["reading"] == "unreadable"].iloc[-1]
        fix = " [[since]] can say what differed then." if last["reason"] == "no_table" else ""
        yield (
            f"{broken} of {len(readings)} versions cannot be read, the newest of them "
            f"{last['commit'][:8]}: {last['found']}.{fix}"
        )
    yield f"Next: {command(store)} reigns {history.name}"


def _shown(draft: Draft, preview: bool) -> Iterator[Any]:
    """The proposal for people."""
    yield f"{draft.name}:"
    folds = ["because", "taken for"]
    yield table(["key", "taken for", "because"], draft.evidence, folds=folds)
    if preview and draft.standings:
        yield "The standings that follow:"
        columns = ["rank", "entry", "score"]
        yield table(columns, draft.standings, right=["rank", "score"], folds=["entry"])


def _agreed(draft: Draft, wish: Wish, form: str | None) -> bool:
    """Show the proposal and ask for a yes.

    Raises:
        UsageProblem: nobody is there to give it.
    """
    if not (wish.yes or prompts.somebody_is_there()):
        said = "; ".join(
            f"{key} = {value} ({why})" if value else why for key, value, why in draft.evidence
        )
        raise UsageProblem(f"{draft.name}: give --yes to write this definition: {clean(said)}.")
    if wish.yes:  # shown when all went well
        return True
    shown = people_text(_shown(draft, preview=True))
    if form is None:
        write(shown)
    else:
        click.echo(shown, err=True)
    return prompts.agree("Write this definition and crawl?")


def _asked(source: str, question: Question) -> dict[str, str]:
    """The answer of somebody at a terminal: option -> what it is given.

    Raises:
        UsageProblem: nobody is there; it says which option answers.
    """
    if not question.choices or not prompts.somebody_is_there():
        options = "; ".join(f"{answer!r} ({why})" for answer, why in question.choices)
        way = " and --direction" if question.both_ways else ""
        listed = f": {options}" if options else ""
        raise UsageProblem(f"{source}: {question.text}. Give {question.option}{way}{listed}.")
    ways = ways_to_answer(question)
    return ways[prompts.choose(f"{source}: {question.text}?", [way[1:] for way in ways])][0]
