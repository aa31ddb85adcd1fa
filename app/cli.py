"""Which commands are there, and what do they take?

Each command finds its answer completely, then shows it: data to stdout, notes to
stderr. What is heavy is imported inside the commands, so that help stays quick.
"""

from __future__ import annotations

from pathlib import Path

import click

from app.asking import age_of, day_note, edge, nothing_tracked, open_board, refuse_unknown, store_of
from app.faults import (
    DONE,
    OBJECTION,
    SOME_FAILED,
    Failure,
    Ranktrail,
    UsageProblem,
)
from app.options import at_option, form_options, split_option
from app.output import progress, show


@click.group(
    cls=Ranktrail,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=(
        "Exit codes: 0 done; 1 failed; 2 wrong usage; 3 check: not everything is plainly true; "
        "4 crawl: some boards failed; 5 check: something is false, boards: something is stale; "
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
    if needed and ((folder.exists() and not folder.is_dir()) or (chosen and not folder.exists())):
        found = "not a folder" if folder.exists() else "no such folder"
        raise UsageProblem(
            f"store {folder}: {found}. Give the folder that holds the boards, each as NAME/board.toml."
        )
    ctx.obj = folder
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help())


@cli.command()
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@form_options(csv=False)
@click.pass_obj
def crawl(folder: Path, boards: tuple[str, ...], form: str | None) -> int:
    """Fetch, keep and read what is new of each BOARD (all).

    Exit code 4: some boards failed, the rest is saved.

    \b
    Example:
        ranktrail crawl
    """
    from app import jobs, report
    from history import records

    outcomes = list(jobs.crawl(store_of(folder), boards, progress))
    failed = [outcome for outcome in outcomes if outcome.status != "ok"]
    if failed and len(failed) == len(outcomes):
        raise jobs.all_failed(failed)
    notes = [f"{outcome.board}: {outcome.error}" for outcome in failed]
    notes += jobs.unreadable_notes(store_of(folder), outcomes)
    document = records.crawl(outcomes)
    show(report.crawl(document, nothing_tracked(folder), notes), form)
    return SOME_FAILED if failed else DONE


@cli.command()
@click.option(
    "--fail-stale",
    metavar="AGE",
    help="Exit with 5 if a board's last success is older, as in 36h or 2d, or its last crawl failed.",
)
@form_options()
@click.pass_obj
def boards(folder: Path, fail_stale: str | None, form: str | None) -> int:
    """List what is tracked, and how it stands.

    \b
    Example:
        ranktrail boards --fail-stale 36h
    """
    from app import jobs, report
    from history import records

    age = None if fail_stale is None else age_of(fail_stale)
    document = records.boards(jobs.statuses(store_of(folder), age))
    show(report.boards(document, nothing_tracked(folder)), form)
    bad = any(one["stale"] or one["error"] for one in document["boards"])
    return OBJECTION if age is not None and bad else DONE


@cli.command()
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
    from history import records
    from history.ties import parse_rule

    history = open_board(store_of(folder), board)
    rule = None if tie is None else parse_rule(tie)
    stood = history.standings(when, split, rule)
    refuse_unknown(history, stood.moment)
    document = records.standings(history, stood, top)
    show(report.standings(document, day_note(history, stood.moment)), form)
    return DONE


@cli.command()
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
    from history import records

    found = open_board(store_of(folder), board)
    keys = [found.resolve_entry(entry) for entry in entries]
    first = None if since is None else edge(found, since, first=True)
    last = None if until is None else edge(found, until, first=False)
    show(report.history(records.history(found, keys, split, first, last)), form)
    return DONE


@cli.command()
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
    from history import records

    history = open_board(store_of(folder), board)
    show(report.reigns(records.reigns(history, history.reigns(split), split)), form)
    return DONE


@cli.command()
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
    from history import records

    history = open_board(store_of(folder), board)
    moment = history.find(when)
    refuse_unknown(history, moment)
    document = records.splits(history, moment, history.splits(when))
    show(report.splits(document, day_note(history, moment)), form)
    return DONE


@cli.command()
@click.argument("what", metavar="TEXT|FILE")
@click.option("--crawl", "fetch", is_flag=True, help="Crawl the boards of the claims first.")
@click.option(
    "--save",
    "target",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write what was understood as a claims file.",
)
@form_options(csv=False)
@click.pass_obj
def check(folder: Path, what: str, fetch: bool, target: Path | None, form: str | None) -> int:
    """Say what is true of a sentence or of a claims file.

    An argument that ends in .toml or .json is a FILE.

    Exit code 5: at least one is false; 3: at least one is not plainly true.

    \b
    Example:
        ranktrail --store .demo check "some entry is first on replay-text on 2026-10-20"
    """
    from app import check as checks
    from app import report
    from history.claims.verdict import exit_code

    if target is not None:
        checks.refuse_file(target)
    store = store_of(folder)
    claims, beside = checks.read(what)
    notes = []
    if fetch:
        from app import jobs

        for outcome in jobs.crawl(store, checks.boards_of(store, claims), progress):
            if outcome.status != "ok":
                notes += [f"{outcome.board}: not crawled, the last look stays: {outcome.error}"]
    document = checks.check(store, claims, beside)
    checks.keep(store, document)
    if target is not None:
        checks.save(claims, target)
    show(report.check(document, notes), form)
    return exit_code(claim["verdict"] for claim in document["claims"])


@cli.command()
@click.argument("board", required=False)
@form_options(csv=False)
@click.pass_obj
def verify(folder: Path, board: str | None, form: str | None) -> int:
    """Compare the store of BOARD (all) with its own digests.

    \b
    Example:
        ranktrail verify
    """
    from app import report
    from app.verify import verify as check_store

    checked = check_store(store_of(folder), [board] if board else [])
    damage = [sentence for one in checked for sentence in one.damage]
    if damage:
        raise Failure(f"{len(damage)} damaged: {'; '.join(damage)}.")
    document = {
        "boards": [
            {
                "board": one.board,
                "versions": one.versions,
                "blobs": one.blobs,
                "stale": one.stale,
            }
            for one in checked
        ]
    }
    show(report.verify(document), form)
    return DONE


@cli.command()
@click.argument("board", required=False)
@form_options(csv=False)
@click.pass_obj
def rebuild(folder: Path, board: str | None, form: str | None) -> int:
    """Derive all files of BOARD (all) again from the raw bytes.

    \b
    Example:
        ranktrail --store .demo rebuild replay-text
    """
    from app import jobs, report

    document = {"boards": jobs.rebuild(store_of(folder), [board] if board else [])}
    show(report.rebuild(document), form)
    return DONE


@cli.command()
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8501,
    show_default=True,
    help="Port of the dashboard.",
)
@click.option("--address", default="localhost", show_default=True, help="Interface to listen on.")
@click.pass_obj
def dashboard(folder: Path, port: int, address: str) -> int:
    """Serve the dashboard until Ctrl-C.

    \b
    Example:
        ranktrail dashboard --port 8600
    """
    from app.serve import serve

    return serve(folder, port, address)


@cli.command()
@click.option("--serve/--no-serve", default=None, help="Serve the dashboard afterwards.")
@click.option(
    "--folder",
    "target",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path(".demo"),
    show_default=True,
    help="Where to build it.",
)
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8501,
    show_default=True,
    help="Port of the dashboard.",
)
def demo(serve: bool | None, target: Path, port: int) -> int:
    """Take the sample through the real path and ask about it.

    \b
    Example:
        ranktrail demo --no-serve
    """
    from app.demo import run

    return run(target, port, serve)


def main() -> None:
    """Start the program."""
    cli()


if __name__ == "__main__":
    main()
