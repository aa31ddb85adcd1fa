"""Which options do several commands share?"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

Command = TypeVar("Command", bound=Callable[..., Any])


def form_options(csv: bool = True) -> Callable[[Command], Command]:
    """The options --json and, where the answer is a table, --csv."""

    def add(command: Command) -> Command:
        if csv:
            help_csv = "Print the table as CSV."
            command = click.option("--csv", "form", flag_value="csv", help=help_csv)(command)
        return click.option(
            "--json", "form", flag_value="json", default=None, help="Print one JSON document."
        )(command)

    return add


split_option = click.option("--split", help="A view of the board, such as public or private.")
at_option = click.option(
    "--at", "when", default="latest", help="Commit, date (its end, UTC), timestamp, or latest."
)
