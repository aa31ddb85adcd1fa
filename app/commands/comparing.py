"""Commands that compare versions of a board: changes."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from app.asking import day_note, open_board, past_note, refuse_unknown, store_of
from app.faults import DONE, Failure, UsageProblem
from app.options import form_options, split_option
from app.output import show

if TYPE_CHECKING:
    from history.moments import Moment
    from history.moves import Banding
    from history.pipeline import BoardHistory

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
    from history.records import change_record

    history = open_board(store_of(folder), board)
    keys = [history.resolve_entry(entry) for entry in entries]
    before, after, notes = _ends(history, start, end, split)
    if kind == "score" and tie:
        raise UsageProblem("--tie follows tie ranks, --rank score does not. Leave one of them out.")
    bandings = _bandings(history, split, tie) if tie or kind == "tie" else None
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


def _bandings(history: BoardHistory, split: str | None, tie: str | None) -> dict[int, Banding]:
    """How each version tells who is tied.

    Raises:
        UsageProblem: by a rule under which causes cannot be told.
    """
    from history.moves.tie_causes import RULES
    from history.ties import parse_rule

    bandings = history.bandings(split, None if tie is None else parse_rule(tie))
    for rule in {one.rule.rule for one in bandings.values()} - set(RULES):
        known = ", ".join(RULES)
        raise UsageProblem(
            f'{history.name}: causes of tie ranks under "{rule}" cannot be told. Give --tie with one '
            f"of {known}, or leave --rank out."
        )
    return bandings


def _ends(
    history: BoardHistory, start: str | None, end: str | None, split: str | None
) -> tuple[int, int, list[str]]:
    """The versions to compare, and lines for stderr.

    Raises:
        UsageProblem: they are the wrong way round, or the same. Failure: there is nothing to compare.
    """
    compared = history.moves(split)
    asked: list[Moment | None] = [
        None if text is None else history.find(text) for text in (start, end)
    ]
    notes = []
    for option, moment in zip(("--from", "--to"), asked, strict=True):
        if moment:
            notes += day_note(history, moment, option)
            refuse_unknown(history, moment, option)
    first, last = (None if moment is None else moment.version for moment in asked)
    if last is None:
        later = [one for one in compared.readable if first is None or one >= first]
        last = next(
            (
                one
                for one in reversed(later)
                if first is not None or compared.last_other(one) is not None
            ),
            None,
        )
    if last is None:
        raise Failure(f"{history.name}: no two versions that can be read differ.")
    if first is None:
        first = compared.last_other(last)
        if first is None:
            raise Failure(
                f"{history.name}: no version before {end} that can be read differs from it."
            )
    if first >= last:
        found = "the same version" if first == last else "the other way round"
        fix = "Give an earlier --from, as a commit where a day saw several versions"
        raise UsageProblem(f"--from and --to are {found}. {fix}.")
    return first, last, notes
