"""Commands that keep the store: add, crawl, watch, boards, verify, rebuild."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from app.asking import age_of, nothing_tracked, store_of
from app.bars import working
from app.faults import DONE, OBJECTION, SOME_FAILED, Failure, UsageProblem
from app.options import form_options, jobs_option, via_option
from app.output import show


@click.command()
@click.argument("source")
@click.option("--name", default="", help="Name of the board.")
@click.option(
    "--path", default="", help="The file in the repository, the end of its name, or a pattern."
)
@click.option("--rows", default="", help="Where the rows stand: JSONPath, heading or number.")
@click.option("--entry", default="", help="Column of the stable key.")
@click.option("--score", default="", help="Column that is ranked.")
@click.option("--direction", type=click.Choice(["higher", "lower"]), help="Which score is better.")
@click.option("--yes", is_flag=True, help="Write the definition without asking.")
@form_options(csv=False)
@click.pass_obj
def add(folder: Path, /, form: str | None, direction: str | None, **said: Any) -> int:
    """Propose a definition for SOURCE, write it, crawl it.

    SOURCE is an address of the Hub (hf://spaces/OWNER/NAME), of a git repository or of a file in
    one, a local repository or bundle, or a ready-made board. What the files do not tell is asked;
    without a terminal, options answer.

    \b
    Example:
        ranktrail add hf://spaces/OWNER/NAME
        ranktrail add board.bundle --path 'results/**/*.json'
    """
    from app.add import run
    from app.adding import Wish

    return run(store_of(folder), Wish(direction=direction or "", **said), form)


@click.command()
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@jobs_option
@via_option
@click.option("--repair", is_flag=True, help="Fetch again what is missing or damaged.")
@form_options(csv=False)
@click.pass_obj
def crawl(folder: Path, /, boards: tuple[str, ...], form: str | None, **options: Any) -> int:
    """Fetch, keep and read what is new of each BOARD (all).

    Exit code 4: some boards failed, the rest is saved.

    \b
    Example:
        ranktrail crawl
    """
    from app import jobs, store_report
    from history.records import store_records
    from history.scores import without_pandas

    without_pandas()
    store = store_of(folder)
    with working() as work:
        outcomes = sorted(jobs.crawl(store, boards, work, **options), key=lambda one: one.board)
    failed = [outcome for outcome in outcomes if outcome.status != "ok"]
    if failed and len(failed) == len(outcomes):
        raise jobs.all_failed(failed)
    notes = [f"{outcome.board}: {outcome.error}" for outcome in failed]
    notes += jobs.history_notes(outcomes) + jobs.unreadable_notes(store, outcomes)
    document = store_records.crawl(outcomes)
    show(store_report.crawl(document, nothing_tracked(folder), notes), form)
    return SOME_FAILED if failed else DONE


@click.command()
@click.argument("boards", nargs=-1, metavar="[BOARD]...")
@click.option(
    "--cron",
    default="7 * * * *",
    show_default=True,
    help="When to crawl, UTC: minute, hour, day of month, month, day of week, as in a crontab.",
)
@click.option("--wait", is_flag=True, help="Wait for the first time; do not crawl at the start.")
@click.option("--once", is_flag=True, help="Crawl once, tell what is new, and end.")
@jobs_option
@via_option
@form_options(csv=False)
@click.pass_obj
def watch(
    folder: Path,
    /,
    boards: tuple[str, ...],
    cron: str,
    wait: bool,
    once: bool,
    form: str | None,
    **options: Any,
) -> int:
    """Crawl each BOARD (all) on a schedule; tell what is new.

    Says which boards have new versions, when first place changed, and when a verdict on a claim of
    STORE/claims.toml did. Failed crawls are told and end nothing; Ctrl-C does. With --json, one
    document a line for each crawl.

    \b
    Example:
        ranktrail watch --cron "7,37 * * * *"
    """
    from app.schedule import Schedule
    from app.watch import Plan, run

    if wait and once:
        raise UsageProblem("--wait and --once: nothing would be crawled. Give one of them.")
    return run(store_of(folder), Plan(boards, Schedule(cron), options, wait, once, form))


@click.command()
@click.option(
    "--fail-stale",
    metavar="AGE",
    help="Exit with 5 if a board's last success is older, as in 36h or 2d, or its last crawl failed.",
)
@form_options()
@click.pass_obj
def boards(folder: Path, fail_stale: str | None, form: str | None) -> int:
    """List what is tracked, and how it stands.

    With --fail-stale, stderr has a line for each board that wants a look.

    \b
    Example:
        ranktrail boards --fail-stale 36h
    """
    from app import jobs, store_report
    from history.records import store_records

    age = None if fail_stale is None else age_of(fail_stale)
    document = store_records.boards(jobs.statuses(store_of(folder), age))
    show(store_report.boards(document, nothing_tracked(folder), fail_stale), form)
    bad = any(one["stale"] or one["error"] for one in document["boards"])
    return OBJECTION if age is not None and bad else DONE


@click.command()
@click.argument("board", required=False)
@form_options(csv=False)
@click.pass_obj
def verify(folder: Path, board: str | None, form: str | None) -> int:
    """Compare the store of BOARD (all) with its own digests.

    \b
    Example:
        ranktrail verify
    """
    from app import store_report
    from app.verify import verify as check_store

    with working() as work:
        checked = check_store(store_of(folder), [board] if board else [], work)
    damage = [sentence for one in checked for sentence in one.damage]
    if damage:
        raise Failure(f"{len(damage)} damaged: {' '.join(damage)}")
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
    show(store_report.verify(document, [said for one in checked for said in one.remarks]), form)
    return DONE


@click.command()
@click.argument("board", required=False)
@form_options(csv=False)
@click.pass_obj
def rebuild(folder: Path, board: str | None, form: str | None) -> int:
    """Derive all files of BOARD (all) again from the raw bytes.

    \b
    Example:
        ranktrail --store .demo rebuild replay-text
    """
    from app import jobs, store_report

    document = {"boards": jobs.rebuild(store_of(folder), [board] if board else [])}
    show(store_report.rebuild(document), form)
    return DONE
