"""How does the store get what is new?

In: boards. Out: one Outcome per board. Start at crawl(). Boards of one branch are fetched once,
so that they show the same moment; a board that fails does not stop the others. The order is what
makes a kill harmless: bytes, then the line, then versions, then what is derived; each step can be
done again from the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING

from crawler.board import Board, BoardError
from crawler.source import CrawlError, Progress, SourceProtocol
from crawler.store import Locked, Store, StoreError
from crawler.tables import files_schema, versions_schema

if TYPE_CHECKING:
    import pyarrow as pa

    from crawler.line import Line

__all__ = ["CrawlError", "Outcome", "crawl", "fetch"]

_FAILURES = (CrawlError, StoreError, BoardError, OSError)


@dataclass(frozen=True)
class Outcome:
    """How the crawl of one board ended.

    Attributes:
        board: its name.
        status: "ok" or "failed"; a failed board keeps all that it had.
        new_versions: versions that were not there before.
        versions: versions in all, absent, unreadable and vanished ones too.
        commits_seen: commits of the branch that were ever seen on the published line.
        unreadable: versions that could not be read; None where that is not known.
        vanished: versions whose commit is no longer on the branch.
        tip: the branch's newest commit; None if it was never fetched.
        error: one line; None if all went well.
        rewritten: whether the branch lost commits since the last crawl.
        locked: whether it failed because another run is at work on it.
    """

    board: str
    status: str
    new_versions: int
    versions: int
    commits_seen: int
    unreadable: int | None
    vanished: int
    tip: str | None
    error: str | None = None
    rewritten: bool = False
    locked: bool = False


def crawl(
    store: Store,
    boards: list[Board],
    *,
    progress: Progress,
    derive: Callable[[Board], int],
) -> Iterator[Outcome]:
    """Fetch what is new of some boards and keep it.

    Args:
        store: where to keep it.
        boards: what to crawl.
        progress: told what is being done, a line at a time.
        derive: called inside the board's lock after its versions are safe; gives the number of
            versions that could not be read.

    Yields:
        An outcome per board, as soon as it is certain.
    """
    groups: dict[tuple[str, str], list[Board]] = {}
    for board in boards:
        key = (str(store.source_folder(board)), board.source.branch)
        groups.setdefault(key, []).append(board)
    for group in groups.values():
        yield from _crawl_branch(store, group, progress, derive)


def fetch(store: Store, board: Board, progress: Progress) -> str:
    """Bring a board's branch into the store, and nothing more.

    Returns:
        The full id of its newest commit.

    Raises:
        CrawlError, StoreError: it could not be had.
    """
    from crawler.line import tip_of

    _, line = _fetch(store, [board], datetime.now(UTC), progress)
    tip = tip_of(line.table)
    assert tip is not None  # a branch that was fetched has a commit
    return tip


def _crawl_branch(
    store: Store, boards: list[Board], progress: Progress, derive: Callable[[Board], int]
) -> Iterator[Outcome]:
    """All boards that read one branch of one repository."""
    started = datetime.now(UTC)
    fetched: tuple[str | None, Line] | BaseException
    try:
        fetched = _fetch(store, boards, started, progress)
    except (*_FAILURES, KeyboardInterrupt) as error:
        fetched = error
    for board in boards:
        before = None if isinstance(fetched, BaseException) else fetched[0]
        try:
            if isinstance(fetched, BaseException):
                raise fetched
            outcome, lost = _save(store, board, fetched[1], progress, derive)
        except (*_FAILURES, KeyboardInterrupt) as error:
            outcome, lost = _failed(store, board, error), 0
            _note(store, board, started, before, outcome, lost, error)
            if isinstance(error, KeyboardInterrupt):
                raise
        else:
            _note(store, board, started, before, outcome, lost, None)
        yield outcome


def _fetch(
    store: Store, boards: list[Board], started: datetime, progress: Progress
) -> tuple[str | None, Line]:
    """Bring a branch up to date; the tip before, and the published line now."""
    from crawler.line import extend_line, tip_of

    board = boards[0]
    with store.lock_source(board):
        known = store.commits(board)
        tip_before = tip_of(known)
        objects = store.objects(board)
        fetched = _source(board).fetch(
            board, objects, tip_before, lambda text: progress(f"{board.name}: {text}")
        )
        line = extend_line(objects, known, board.source.branch, fetched.tip, started)
        if not known.num_rows:
            for one in boards:
                store.refuse_lost_line(one, line.table)
        if line.new:
            store.save_commits(board, line.table)
        return tip_before, line


def _source(board: Board) -> SourceProtocol:
    # Each kind brings a heavy library; only the one that is needed is loaded.
    if board.source.kind == "hub":
        from crawler.hub_source import HubSource

        return HubSource()
    from crawler.git_source import GitSource

    return GitSource()


def _save(
    store: Store, board: Board, line: Line, progress: Progress, derive: Callable[[Board], int]
) -> tuple[Outcome, int]:
    """List a board's versions and derive from them; also the number that vanished just now."""
    from crawler.line import tip_of
    from crawler.versions import list_versions

    with store.lock_board(board.name):
        had, listed = _listed(store, board, line.table)
        progress(f"{board.name}: looking through {line.table.num_rows - listed} new commits")
        known = had if listed else files_schema().empty_table()
        files = list_versions(store.objects(board), line.table, board, known, listed)
        if listed != line.table.num_rows or not files.equals(had):
            notes = {"listed": str(line.table.num_rows), "selection": store.selection(board)}
            if board.file_per_entry:
                notes["paths"] = ", ".join(board.source.paths)
            store.write_table(store.versions_file(board.name), files, notes)
        unreadable = derive(board)
    versions, vanished = _count(files)
    had_versions, had_vanished = _count(had)
    outcome = Outcome(
        board=board.name,
        status="ok",
        new_versions=max(versions - had_versions, 0),
        versions=versions,
        commits_seen=len(set(line.table["commit"].to_pylist())),
        unreadable=unreadable,
        vanished=vanished,
        tip=tip_of(line.table),
        rewritten=line.rewritten,
    )
    if line.rewritten:
        progress(f"{board.name}: the branch was rewritten; what was seen before is kept")
    progress(f"{board.name}: {outcome.new_versions} new versions, {outcome.versions} in all")
    return outcome, max(vanished - had_vanished, 0)


def _count(files: pa.Table) -> tuple[int, int]:
    """How many versions there are, and how many of them vanished."""
    if not files.num_rows:
        return 0, 0
    gone = files.filter(files["vanished"])["version"]
    return files["version"][-1].as_py() + 1, len(gone.unique())


def _listed(store: Store, board: Board, line: pa.Table) -> tuple[pa.Table, int]:
    """The files of the versions stored so far, and how many rows of the line they cover.

    Other paths, another start or another source make the old list one of another file: it is
    listed from the beginning again.
    """
    had = store.read_table(store.versions_file(board.name), files_schema())
    notes = had.schema.metadata or {}
    listed = int(notes.get(b"listed", b"0"))
    same = notes.get(b"selection", b"").decode() == store.selection(board)
    bare = had.replace_schema_metadata(None)
    return bare, listed if same and listed <= line.num_rows else 0


def _failed(store: Store, board: Board, error: BaseException) -> Outcome:
    """The outcome of a board that could not be crawled: what it has is what it had."""
    from crawler.line import tip_of

    try:
        versions, line = store.versions(board.name), store.commits(board)
    except StoreError:
        versions, line = versions_schema().empty_table(), None
    return Outcome(
        board=board.name,
        status="failed",
        new_versions=0,
        versions=versions.num_rows,
        commits_seen=len(set(line["commit"].to_pylist())) if line is not None else 0,
        unreadable=None,
        vanished=sum(versions["vanished"].to_pylist()),
        tip=tip_of(line) if line is not None else None,
        error=" ".join(str(error).split()) or "interrupted",
        locked=isinstance(error, Locked),
    )


def _note(
    store: Store,
    board: Board,
    started: datetime,
    tip_before: str | None,
    outcome: Outcome,
    lost: int,
    error: BaseException | None,
) -> None:
    """Append a line about this attempt."""
    if error is None:
        ended = "ok"
    elif isinstance(error, KeyboardInterrupt):
        ended = "interrupted"
    else:
        ended = "locked" if isinstance(error, Locked) else "failed"
    line = {
        "started": started.isoformat(timespec="seconds"),
        "finished": datetime.now(UTC).isoformat(timespec="seconds"),
        "tip_before": tip_before if tip_before or not error else outcome.tip,
        "tip_after": outcome.tip,
        "new": outcome.new_versions,
        "vanished": lost,
        "rewritten": outcome.rewritten,
        "outcome": ended,
        "error": outcome.error,
    }
    store.append_line(store.crawls_file(board.name), line)
