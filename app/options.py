"""Which options do several commands share?"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, TypeVar, cast

import click

from app.faults import UsageProblem

Command = TypeVar("Command", bound=Callable[..., Any])


def form_options(csv: bool = True) -> Callable[[Command], Command]:
    """The options --json and, where the answer is a table, --csv; the command gets `form`."""

    def add(command: Command) -> Command:
        @wraps(command)
        def one_form(*given: Any, as_json: bool, as_csv: bool = False, **said: Any) -> Any:
            if as_json and as_csv:
                raise UsageProblem("--json and --csv: an answer has one form. Give one of them.")
            form = "json" if as_json else "csv" if as_csv else None
            return command(*given, form=form, **said)

        made: Any = one_form
        if csv:
            made = click.option("--csv", "as_csv", is_flag=True, help="Print the table as CSV.")(
                made
            )
        option = click.option("--json", "as_json", is_flag=True, help="Print one JSON document.")
        return cast(Command, option(made))

    return add


port_option = click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8501,
    show_default=True,
    help="Port of the dashboard.",
)
split_option = click.option("--split", help="A view of the board, such as public or private.")
tie_option = click.option(
    "--tie",
    metavar="RULE[:BAND[:EDGE]]",
    help="Another tie rule: anchored, chain or pairwise with a band, and exclusive or float if a "
    "gap of the band is not simply a tie; interval; none; or se:K, a test at K standard errors.",
)
at_option = click.option(
    "--at", "when", default="latest", help="Commit, date (its end, UTC), timestamp, or latest."
)
jobs_option = click.option(
    "--jobs",
    type=click.IntRange(1, 32),
    default=4,
    show_default=True,
    help="How many sources are fetched at the same time.",
)
via_option = click.option(
    "--via",
    type=click.Choice(["git", "api"]),
    default="git",
    show_default=True,
    help="How to fetch from the Hub: by git, or, where git is refused, file by file.",
)
