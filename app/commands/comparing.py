"""Commands that compare versions of a board: changes."""

from __future__ import annotations

from pathlib import Path

import click

from app.asking import open_board, past_note, store_of
from app.faults import DONE, UsageProblem
from app.options import form_options, split_option
from app.output import show

_TOLD = 12  # rivals of each entry, where not all are told
_MANY_RIVALS = 2_000_000  # more would be hundreds of megabytes of JSON


@click.command()
@click.argument("board")
@click.option("--from", "start", help="Commit, date (its end, UTC) or timestamp.")
@click.option("--to", "end", help="Commit, date (its end, UTC), timestamp, or latest.")
@click.option("--entry", "entries", multiple=True, help="Only this entry; may be repeated.")
@split_option
@click.option(
    "--rank",
    "kind",
    type=click.Choice(["score", "tie"]),
    help="Whether ranks by score (the default) or tie ranks are followed.",
)
@click.option(
    "--tie",
    metavar="RULE:BAND",
    help="Follow tie ranks under this rule: anchored, chain or pairwise with a band; none.",
)
@form_options()
@click.pass_obj
def changes(
    folder: Path,
    board: str,
    start: str | None,
    end: str | None,
    entries: tuple[str, ...],
    split: str | None,
    kind: str | None,
    tie: str | None,
    form: str | None,
) -> int:
    """Print who moved on BOARD between two versions, and exactly why.

    Without --from and --to: between the last two versions that differ.

    \b
    Example:
        ranktrail --store .demo changes replay-text --entry "some entry"
    """
    from app import changes_report
    from app.compared import followed_ties, versions_compared
    from history.records import change_record

    history = open_board(store_of(folder), board)
    keys = [history.resolve_entry(entry) for entry in entries]
    before, after, notes = versions_compared(history, start, end, split)
    if kind == "score" and tie:
        raise UsageProblem("--tie follows tie ranks, --rank score does not. Leave one of them out.")
    bandings = followed_ties(history, split, tie) if tie or kind == "tie" else None
    found = history.moves(split).between(before, after, keys, bandings)
    ties = None if bandings is None else (bandings[before], bandings[after])
    most = None if keys else _TOLD if form is None else 0 if form == "csv" else None
    if most is None and sum(len(one.rivals) for one in found.moves) > _MANY_RIVALS:
        most = _TOLD
        notes.append(
            f"{history.name}: of each entry the {_TOLD} rivals that were worth most are told; "
            "--entry tells all of one"
        )
    document = change_record.changes(history, found, split, ties, most)
    answer = changes_report.changes(document, notes + past_note(history), whole=bool(keys))
    show(answer, form)
    return DONE
