"""The command that judges: check."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app.asking import opener, store_of
from app.bars import working
from app.faults import UsageProblem
from app.options import form_options
from app.output import complain, show, write

if TYPE_CHECKING:
    from app.given import Given
    from crawler.store import Store


@click.command()
@click.argument("what", metavar="TEXT|FILE")
@click.option("--crawl", "fetch", is_flag=True, help="Crawl the boards of the claims first.")
@click.option(
    "--save",
    "target",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write what was understood of a sentence as a claims file.",
)
@click.option(
    "--since",
    metavar="WHEN",
    help="Say only what has changed since the last check (last), or since a date or time.",
)
@click.option(
    "--report",
    metavar="FILE",
    type=click.Path(path_type=Path),
    help="Write a short Markdown report there: each claim, its verdict, what changed.",
)
@click.option(
    "--format",
    "kind",
    type=click.Choice(["md", "html", "jsonld"]),
    help="Print Markdown for a reply, an HTML card, or ClaimReview JSON-LD.",
)
@click.option("--publisher", metavar="NAME", help="Who says it, in JSON-LD.  [default: Ranktrail]")
@form_options(csv=False)
@click.pass_obj
def check(folder: Path, /, what: str, form: str | None, since: str | None, **said: Any) -> int:
    """Say what is true of a sentence, of a pasted text, or of a claims file.

    An argument that ends in .toml or .json is a FILE. Of a text with several sentences or lines
    every claim is judged that is found in it.

    Exit code 5: at least one is false; 3: at least one is not plainly true. With --since 5: one
    that was true no longer is; 3: one became undecided; 0: nothing got worse.

    \b
    Example:
        ranktrail --store .demo check "some entry is first on replay-text on 2026-10-20"
    """
    from app import check as checks
    from app import verdict_changes, verdict_report
    from app.said import boards_in, is_file, read
    from history.claims.verdict import exit_code

    end = _refuse(what, form, since, **said)
    store, report, kind = store_of(folder), said["report"], said["kind"]
    notes = []
    if said["fetch"] and not is_file(what):  # what the sentence names may only come now
        notes += _crawled(store, boards_in(what, store))
    opened = opener(store)
    told = read(what, store, opened)
    claims, beside = told.claims, told.folder
    notes += told.notes
    if said["fetch"] and is_file(what):
        notes += _crawled(store, checks.boards_of(store, claims))
    known = verdict_changes.before(store, claims, end) if since or report else {}
    document = checks.check(store, claims, beside, opened)
    checks.keep(store, document)
    changed = verdict_changes.changes(store, document, known)
    given = checks.given(store, claims, document, said["publisher"])
    if said["target"] is not None:
        checks.save(claims, said["target"])
    if report is not None:
        text = verdict_report.report(given, changed, since or verdict_changes.LAST)
        report.write_text(text, encoding="utf-8")
    if since is not None:
        document["changed"] = changed
        given = given.only([one["id"] for one in changed])
        notes += verdict_changes.never_checked(claims, known, since)
    if kind is None:
        show(verdict_report.check(document, notes), form)
    else:
        _export(given, kind, notes)
    if since is not None:
        return verdict_changes.code_of_changes(changed)
    return exit_code(claim["verdict"] for claim in document["claims"])


def _refuse(
    what: str,
    form: str | None,
    since: str | None,
    *,
    target: Path | None,
    report: Path | None,
    kind: str | None,
    publisher: str | None,
    **_: Any,
) -> str | None:
    """Object to what cannot be meant, before anything is done; the end of what was before."""
    from app import check as checks
    from app.verdict_changes import until

    if form and kind:
        raise UsageProblem(f"--{form} and --format: an answer has one form. Give one of them.")
    if publisher is not None and kind != "jsonld":
        raise UsageProblem("--publisher: only JSON-LD names one. Add --format jsonld.")
    if publisher is not None and not publisher.strip():
        raise UsageProblem("--publisher: the name is empty. Give one, or leave it out.")
    if target is not None:
        checks.refuse_saving(what, target)
    if report is not None:
        checks.refuse_report(report)
    return None if since is None else until(since)


def _crawled(store: Store, names: Sequence[str]) -> list[str]:
    """Crawl some boards; what failed, for people."""
    from app import jobs

    if not names:
        return []
    with working() as work:
        outcomes = list(jobs.crawl(store, names, work))
    return [
        f"{outcome.board}: not crawled, the last look stays: {outcome.error}"
        for outcome in outcomes
        if outcome.status != "ok"
    ]


def _export(given: Given, kind: str, notes: Sequence[str]) -> None:
    """Write an answer for others to read; what only we are to know goes to stderr."""
    from app.verdict_exports import export

    text = export(given, kind)
    for note in notes:
        complain(note)
    write(text)
