"""The command that judges: check."""

from __future__ import annotations

from pathlib import Path

import click

from app.asking import store_of
from app.bars import working
from app.options import form_options
from app.output import show


@click.command()
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
    from app import verdict_report
    from history.claims.verdict import exit_code

    if target is not None:
        checks.refuse_file(target)
    store = store_of(folder)
    claims, beside = checks.read(what)
    notes = []
    if fetch:
        from app import jobs

        with working() as work:
            outcomes = list(jobs.crawl(store, checks.boards_of(store, claims), work))
        notes += [
            f"{outcome.board}: not crawled, the last look stays: {outcome.error}"
            for outcome in outcomes
            if outcome.status != "ok"
        ]
    document = checks.check(store, claims, beside)
    checks.keep(store, document)
    if target is not None:
        checks.save(claims, target)
    show(verdict_report.check(document, notes), form)
    return exit_code(claim["verdict"] for claim in document["claims"])
