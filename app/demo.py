"""What can be asked of a board's history?

Takes the sample that ships with the project through the real path: a git repository is
built from its folders, crawled, and asked about. What is printed comes from that store
and from the sample's claims file; nothing here knows an entry, a score or a commit.
"""

from __future__ import annotations

import shutil
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from decimal import Decimal
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app import check, jobs, report, verdict_report
from app.bars import working
from app.faults import DONE, Failure
from app.output import clean, people_text, table, width, write
from app.sample import SAMPLE, build_sample
from app.wording import WIDTH, ordinal, reign_text, wrapped
from history.claims.language.claims_file import read_claims
from history.records import records, reign_record

if TYPE_CHECKING:
    from crawler.store import Store
    from history.claims.language.claim import Claim
    from history.pipeline import BoardHistory

UPSTREAM = Path("_upstream", "replay.git")  # where the definitions of the sample look for it
CLAIMS = "claims.toml"
AROUND = 2  # rows shown above and below an entry
MOMENTS = 3  # standings shown of one board


def run(target: Path, port: int, serve: bool | None) -> int:
    """Build, crawl, print, and serve.

    Args:
        target: folder to build in; what the demo made there before is replaced.
        port: of the dashboard.
        serve: whether to serve the dashboard afterwards; None: only to a terminal.

    Raises:
        Failure: the sample is not there, or could not be crawled.
    """
    store = build(target)
    crawled = []
    with working() as work:
        outcomes = list(jobs.crawl(store, (), work))
    for outcome in outcomes:
        if outcome.status != "ok":
            raise Failure(f"demo: {outcome.board}: {outcome.error}")
        crawled.append(
            f"Crawled {outcome.board}: {outcome.commits_seen} commits, {outcome.versions} versions, "
            f"{outcome.new_versions} of them new."
        )
    claims = read_claims(target / CLAIMS)
    write(people_text(pages(store, claims, target, crawled)))
    if serve is None:
        serve = sys.stdout.isatty()
    if not serve:
        return DONE
    from app.serve import Serving
    from app.serve import serve as serve_dashboard

    return serve_dashboard(store.root, Serving(port, "localhost"))


def build(target: Path) -> Store:
    """The sample's git repository, the definitions of its boards and its claims, in a store.

    Raises:
        Failure: the sample is not there.
    """
    from crawler.store import Store

    definitions = sorted(SAMPLE.glob("boards/*/board.toml"))
    if not definitions:
        raise Failure(
            f"{SAMPLE}: the sample history is not there. Run this from a checkout of the project."
        )
    build_sample(SAMPLE, target / UPSTREAM)
    for definition in definitions:
        folder = target / definition.parent.name
        folder.mkdir(exist_ok=True)
        shutil.copyfile(definition, folder / definition.name)
    # The dashboard looks for them in the store; the tables that they name lie beside them.
    claims = read_claims(SAMPLE / CLAIMS)
    for name in {CLAIMS, *(claim.table for claim in claims if claim.table)}:
        shutil.copyfile(SAMPLE / name, target / name)
    return Store(target)


def pages(
    store: Store, claims: Sequence[Claim], folder: Path | None, crawled: Sequence[str]
) -> Iterator[Any]:
    """Everything that the demo prints, block by block."""
    from history.pipeline import open_board

    boards = [open_board(store, name) for name in store.names()]
    subject, rival = protagonists(claims)
    for text in dict.fromkeys(board.reconstruction for board in boards):
        if text:
            yield wrapped(f"RECONSTRUCTION: {text}", "", "")
    yield from ("", *crawled)
    for board in boards:
        yield from heading(f"{board.title} ({board.name})")
        yield from standings_around(board, subject)
    yield from heading("First place over time")
    for board in boards:
        yield board.name
        for reign in reign_record.reigns(board, board.reigns(), entries=())["reigns"]:
            yield wrapped(reign_text(reign), "  ", "      ")
        yield ""
    if rival is not None:
        yield from heading(f"Where {clean(subject)} differs from {clean(rival)}")
        for board in boards:
            yield from differences(board, subject, rival)
    yield from heading("What was claimed")
    for record in check.check(store, claims, folder)["claims"]:
        yield from verdict_report.verdict(record)
        yield ""
    yield f"Ask more: ranktrail --store {store.root} reigns {boards[0].name}"


def protagonists(claims: Sequence[Claim]) -> tuple[str, str | None]:
    """The entry that most claims are about, and the one that it is most compared with."""
    flat = [part for claim in claims for part in (claim, *claim.members)]
    subjects = Counter(claim.subject for claim in flat if isinstance(claim.subject, str))
    others = Counter(claim.other for claim in flat if isinstance(claim.other, str))
    if not subjects:
        raise Failure(f"{SAMPLE / CLAIMS}: no claim is about an entry. Add one.")
    rival = others.most_common(1)[0][0] if others else None
    return subjects.most_common(1)[0][0], rival


def heading(text: str) -> Iterator[str]:
    """A title with a line under it."""
    yield from ("", clean(text), "-" * min(len(text), WIDTH, width()))


def standings_around(board: BoardHistory, subject: str) -> Iterator[Any]:
    """Where the subject stood in every version, then the rows around it at a few moments."""
    ranks = board.rank_history()
    own = ranks[ranks["entry"] == subject]
    if own.empty:
        yield f"{subject} was never listed."
        return
    readings = board.readings.set_index("version")
    steps = [
        f"{ordinal(int(rank))} of {n} ({readings.loc[version, 'at']:%d %b %H:%M})"
        for version, rank, n in zip(own["version"], own["rank"], own["n_ranked"], strict=True)
    ]
    yield wrapped(f"{subject}: {', '.join(steps)}.", "", "  ")
    versions = own["version"].tolist()
    chosen = versions if len(versions) <= MOMENTS else [versions[0], *versions[1 - MOMENTS :]]
    for version in chosen:
        commit = str(readings.loc[version, "commit"])
        document = records.standings(board, board.standings(commit))
        rows = document["entries"]
        place = next(i for i, row in enumerate(rows) if row["entry"] == subject)
        start = max(place - AROUND, 0)
        window = rows[start : place + AROUND + 1]
        yield ""
        yield report.standings_line(document)
        ties = document["ties"]["rule"]
        yield report.standings_table([*rows[: min(start, 1)], *window], ties)


def differences(board: BoardHistory, subject: str, rival: str) -> Iterator[Any]:
    """Total and parts of two entries in the newest version, and how far they are apart."""
    rows = {row["entry"]: row for row in records.standings(board, board.standings())["entries"]}
    if subject not in rows or rival not in rows:
        return
    one, other = rows[subject], rows[rival]
    cells = [("score", one["score_text"], other["score_text"])]
    cells += [
        (part, one["parts"][part]["text"], other["parts"][part]["text"]) for part in one["parts"]
    ]
    yield board.name
    yield table(
        ("", subject, rival, "difference"),
        [
            (name, a, b, None if a is None or b is None else f"{Decimal(a) - Decimal(b):+}")
            for name, a, b in cells
        ],
        right=(subject, rival, "difference"),
    )
    yield ""
