"""Commands that read a board: standings, history, reigns, splits, audit."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

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
from app.faults import DONE, OBJECTION, UsageProblem
from app.options import at_option, form_options, split_option, tie_option
from app.output import show

if TYPE_CHECKING:
    from history.reigns import By


@click.command()
@click.argument("board")
@at_option
@split_option
@tie_option
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
@tie_option
@click.option("--since", help="From this commit, date or timestamp on.")
@click.option("--until", help="Up to this commit, date (its end) or timestamp.")
@form_options()
@click.pass_obj
def history(
    folder: Path,
    board: str,
    entries: tuple[str, ...],
    split: str | None,
    tie: str | None,
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
    from history.ties import parse_rule

    found = open_board(store_of(folder), board)
    rule = None if tie is None else parse_rule(tie)
    keys = [found.resolve_entry(entry) for entry in entries]
    first = None if since is None else edge(found, since, first=True)
    last = None if until is None else edge(found, until, first=False)
    document = records.history(found, keys, split, first, last, rule)
    show(report.history(document, past_note(found)), form)
    return DONE


@click.command()
@click.argument("board")
@split_option
@click.option(
    "--tie",
    metavar="RULE:BAND",
    help="First is who is in the first tie group, by this rule instead of the board's.",
)
@click.option(
    "--by",
    type=click.Choice(["score", "tie"]),
    help="What is first: the best score, or the board's first tie group.",
)
@click.option("--entry", "entries", multiple=True, help="Also this one's best rank; repeatable.")
@form_options()
@click.pass_obj
def reigns(
    folder: Path,
    board: str,
    split: str | None,
    tie: str | None,
    by: str | None,
    entries: tuple[str, ...],
    form: str | None,
) -> int:
    """Print who was first on BOARD, when, and how it was lost.

    \b
    Example:
        ranktrail --store .demo reigns replay-vision
    """
    from app import report
    from history.records import reign_record
    from history.ties import parse_rule

    if tie is not None and by == "score":
        raise UsageProblem("--tie and --by score: a tie rule says who shares first place.")
    history = open_board(store_of(folder), board)
    rule = None if tie is None else parse_rule(tie)
    followed = [history.resolve_entry(entry) for entry in entries]
    counts: By = "score" if rule is None and by != "tie" else "tie"
    found = history.reigns(split, rule, counts)
    firsts = {holder for one in found for holder in one.entries}
    # All of them take a while on a large board, and nobody but --json shows them.
    told = None if form == "json" else firsts | set(followed)
    document = reign_record.reigns(history, found, split, rule, counts, told)
    show(report.reigns(document, past_note(history), followed), form)
    return DONE


@click.command()
@click.argument("board")
@at_option
@click.option("--public", default="public", help="The split to take as public.")
@click.option("--private", default="private", help="The split to take as private.")
@click.option(
    "--items",
    metavar="N",
    type=click.IntRange(min=1),
    help="Items in each part, where the file does not say: what is noise then?",
)
@click.option("--entry", help="One entry whose lead is to be looked at; with --against.")
@click.option("--against", help="The entry that it leads.")
@click.option(
    "--history", "whole", is_flag=True, help="Also the Ladder, and entries that vanished."
)
@click.option("--step", metavar="ETA", help="Step of the Ladder; means --history.")
@form_options()
@click.pass_obj
def splits(
    folder: Path,
    board: str,
    when: str,
    public: str,
    private: str,
    items: int | None,
    entry: str | None,
    against: str | None,
    whole: bool,
    step: str | None,
    form: str | None,
) -> int:
    """Print public against private on BOARD.

    \b
    Example:
        ranktrail --store .demo splits replay-text --private private_mix --items 2000
    """
    from app import split_report
    from history.records import split_record
    from history.splits import pair
    from history.ties import band_width

    if (entry is None) != (against is None):
        raise UsageProblem("--entry and --against belong together: give both.")
    if step is not None and not band_width(step):
        raise UsageProblem(f"--step {step!r}: not a number above 0, such as 0.5.")
    history = open_board(store_of(folder), board)
    two = None if entry is None else [history.resolve_entry(one) for one in (entry, against or "")]
    if two is not None and two[0] == two[1]:
        raise UsageProblem("--entry and --against are the same entry. Give two.")
    moment = history.find(when)
    refuse_unknown(history, moment)
    compared = history.splits(when, public=public, private=private, items=items)
    if compared.public == compared.private:
        raise UsageProblem(f"--public and --private are both {compared.public}. Give two splits.")
    document = split_record.splits(history, moment, compared)
    if two is not None:
        listed = {row.entry for row in compared.entries}
        if missing := [one for one in two if one not in listed]:
            raise UsageProblem(f"{missing[0]} was not listed then. Take another moment with --at.")
        document["pair"] = split_record.pair(pair(compared, two[0], two[1]), compared)
    if whole or step is not None:
        document["ladder"] = split_record.ladder(history, step)
        document["listing"] = split_record.listing(history)
    show(split_report.splits(document, day_note(history, moment)), form)
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
@click.option(
    "--file",
    "file",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="A file that is not published yet, instead; nothing of it is stored.",
)
@form_options()
@click.pass_obj
def audit(
    folder: Path,
    board: str,
    when: str | None,
    ignored: tuple[str, ...],
    file: Path | None,
    form: str | None,
) -> int:
    """Look for what is wrong in BOARD's files: ranks, formula, odd values, renames.

    Exit code 5: there is at least one finding.

    \b
    Example:
        ranktrail --store .demo audit replay-text --ignore stale --ignore rename
        ranktrail --store .demo audit replay-text --file v03.json
    """
    from app import audit_report
    from app.unpublished import audit_file
    from history.records import audit_record

    refuse_unknown_kinds(ignored)
    if file is not None:
        if when is not None:
            raise UsageProblem("--file and --at: a file stands in no version. Give one of them.")
        history = open_board(store_of(folder), board)
        document = audit_record.unpublished(history, audit_file(history, file), set(ignored))
        show(audit_report.audit(document), form)
        return OBJECTION if any(one["smells"] for one in document["versions"]) else DONE

    history = open_board(store_of(folder), board)
    moment = None if when is None else history.find(when)
    document = audit_record.audit(history, history.audit(), moment, set(ignored))
    notes = [] if moment is None else day_note(history, moment)
    show(audit_report.audit(document, notes), form)
    return OBJECTION if any(one["smells"] for one in document["versions"]) else DONE
