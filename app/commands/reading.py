"""Commands that read a board: standings, history, reigns, splits, audit."""

from __future__ import annotations

from pathlib import Path

import click

from app.asking import (
    day_note,
    direction_note,
    edge,
    open_board,
    past_note,
    refuse_unknown,
    refuse_unknown_kinds,
    store_of,
)
from app.faults import DONE, OBJECTION
from app.options import at_option, form_options, split_option
from app.output import show


@click.command()
@click.argument("board")
@at_option
@split_option
@click.option(
    "--tie",
    metavar="RULE:BAND",
    help="Another tie rule: anchored, chain or pairwise with a band; none.",
)
@click.option("--top", type=click.IntRange(min=1), help="Only ranks up to this one.")
@form_options()
@click.pass_obj
def standings(
    folder: Path,
    board: str,
    when: str,
    split: str | None,
    tie: str | None,
    top: int | None,
    form: str | None,
) -> int:
    """Print BOARD as it stood.

    \b
    Example:
        ranktrail --store .demo standings replay-text --at 2026-10-20 --top 10
    """
    from app import report
    from history.records import records
    from history.ties import parse_rule

    history = open_board(store_of(folder), board)
    rule = None if tie is None else parse_rule(tie)
    stood = history.standings(when, split, rule)
    refuse_unknown(history, stood.moment)
    document = records.standings(history, stood, top)
    notes = day_note(history, stood.moment) + direction_note(history, stood)
    show(report.standings(document, notes), form)
    return DONE


@click.command()
@click.argument("board")
@click.option("--entry", "entries", multiple=True, help="Only this entry; may be repeated.")
@split_option
@click.option("--since", help="From this commit, date or timestamp on.")
@click.option("--until", help="Up to this commit, date (its end) or timestamp.")
@form_options()
@click.pass_obj
def history(
    folder: Path,
    board: str,
    entries: tuple[str, ...],
    split: str | None,
    since: str | None,
    until: str | None,
    form: str | None,
) -> int:
    """Print score and rank over time on BOARD.

    \b
    Example:
        ranktrail --store .demo history replay-text --entry "some entry" --csv
    """
    from app import report
    from history.records import records

    found = open_board(store_of(folder), board)
    keys = [found.resolve_entry(entry) for entry in entries]
    first = None if since is None else edge(found, since, first=True)
    last = None if until is None else edge(found, until, first=False)
    document = records.history(found, keys, split, first, last)
    show(report.history(document, past_note(found)), form)
    return DONE


@click.command()
@click.argument("board")
@split_option
@form_options()
@click.pass_obj
def reigns(folder: Path, board: str, split: str | None, form: str | None) -> int:
    """Print who was first on BOARD, when, and how it was lost.

    \b
    Example:
        ranktrail --store .demo reigns replay-vision
    """
    from app import report
    from history.records import records

    history = open_board(store_of(folder), board)
    document = records.reigns(history, history.reigns(split), split)
    show(report.reigns(document, past_note(history)), form)
    return DONE


@click.command()
@click.argument("board")
@at_option
@form_options()
@click.pass_obj
def splits(folder: Path, board: str, when: str, form: str | None) -> int:
    """Print public against private on BOARD.

    \b
    Example:
        ranktrail --store .demo splits replay-text --at 2026-10-20
    """
    from app import report
    from history.records import records

    history = open_board(store_of(folder), board)
    moment = history.find(when)
    refuse_unknown(history, moment)
    document = records.splits(history, moment, history.splits(when))
    show(report.splits(document, day_note(history, moment)), form)
    return DONE


@click.command()
@click.argument("board")
@click.option("--at", "when", help="Only the version of a commit, date, timestamp, or latest.")
@click.option(
    "--ignore",
    "ignored",
    metavar="KIND",
    multiple=True,
    help="A kind of finding to leave out, such as stale; may be repeated.",
)
@form_options()
@click.pass_obj
def audit(
    folder: Path, board: str, when: str | None, ignored: tuple[str, ...], form: str | None
) -> int:
    """Look for what is wrong in BOARD's files: ranks, formula, odd values, renames.

    Exit code 5: there is at least one finding.

    \b
    Example:
        ranktrail --store .demo audit replay-text --ignore stale --ignore rename
    """
    from app import audit_report
    from history.records import audit_record

    refuse_unknown_kinds(ignored)

    history = open_board(store_of(folder), board)
    moment = None if when is None else history.find(when)
    document = audit_record.audit(history, history.audit(), moment, set(ignored))
    notes = [] if moment is None else day_note(history, moment)
    show(audit_report.audit(document, notes), form)
    return OBJECTION if any(one["smells"] for one in document["versions"]) else DONE
