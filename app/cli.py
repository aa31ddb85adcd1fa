"""Which commands are there, and what do they take?

The commands stand in `app.commands`. Each finds its answer completely, then shows it: data to
stdout, notes to stderr. What is heavy is imported inside them, so that help stays quick.
"""

from __future__ import annotations

from pathlib import Path

import click

from app import log
from app.commands import claim_files, claims, comparing, reading, showing, tracking, weighing
from app.faults import Ranktrail, UsageProblem


@click.group(
    cls=Ranktrail,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "Exit codes: 0 done; 1 failed; 2 wrong usage; 3 check: not everything is plainly true; "
        "4 crawl: some boards failed; 5 check: something is false, audit: a finding, boards: something is stale; "
        "6 another run is at work; 130 interrupted."
    ),
)
@click.option(
    "--store",
    "folder",
    envvar="RANKTRAIL_STORE",
    default="snapshots",
    show_default="$RANKTRAIL_STORE, else ./snapshots",
    type=click.Path(path_type=Path),
    help="Folder with the boards.",
)
@click.option(
    "--log",
    "form",
    envvar=log.VARIABLE,
    default=log.FORMS[0],
    show_default=f"${log.VARIABLE}, else auto",
    type=click.Choice(log.FORMS),
    expose_value=False,  # app.faults has looked at it already
    help="Lines on stderr: text for people, json for machines; auto tells progress to a terminal only.",
)
@click.version_option(package_name="ranktrail", prog_name="ranktrail")
@click.pass_context
def cli(ctx: click.Context, folder: Path) -> None:
    """Replay a leaderboard from its own commits and check what was claimed about it.

    \b
    Example:
        ranktrail demo
    """
    chosen = ctx.get_parameter_source("folder") is not click.core.ParameterSource.DEFAULT
    needed = ctx.invoked_subcommand not in (None, "demo")
    missing = chosen and not folder.exists() and ctx.invoked_subcommand != "add"
    if needed and (missing or (folder.exists() and not folder.is_dir())):
        found = "not a folder" if folder.exists() else "no such folder"
        raise UsageProblem(
            f"store {folder}: {found}. Give the folder that holds the boards, each as NAME/board.toml."
        )
    ctx.obj = folder
    log.boards_are_in(folder)
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


for _command in (
    tracking.add,
    tracking.crawl,
    tracking.watch,
    tracking.boards,
    reading.standings,
    reading.history,
    reading.reigns,
    comparing.changes,
    reading.splits,
    weighing.robust,
    reading.audit,
    claims.check,
    claim_files.claims,
    tracking.verify,
    tracking.rebuild,
    showing.dashboard,
    showing.demo,
):
    cli.add_command(_command)


def main() -> None:
    """Start the program."""
    cli()


if __name__ == "__main__":
    main()
