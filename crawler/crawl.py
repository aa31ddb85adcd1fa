"""How does the store get what is new?

In: boards. Out: one Outcome per board. Start at crawl(). Boards of one branch are fetched once,
so that they show the same moment. Sources are fetched side by side, each board is read as soon as
its source is here; one that fails or is slow does not keep the others. The order is what makes a
kill harmless: bytes, then the line, then versions, then what is derived; each step can be done
again from the one before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, as_completed
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from threading import Lock
from types import ModuleType
from typing import TYPE_CHECKING

from crawler.board import Board, BoardError
from crawler.seen import seen_of
from crawler.source import CrawlError, Judge, SourceProtocol
from crawler.store import Locked, Store, StoreError
from crawler.tables import files_schema, versions_schema
from crawler.work import Stopped, Work

if TYPE_CHECKING:
    import pyarrow as pa

    from crawler.line.line import Line
    from crawler.seen import Seen

__all__ = ["CrawlError", "How", "Outcome", "crawl", "fetch"]

_FAILURES = (CrawlError, StoreError, BoardError, OSError, MemoryError)


@dataclass(frozen=True, slots=True)
class How:
    """How to crawl.

    Attributes:
        jobs: sources that are fetched at a time.
        via: "git", or "api" for repositories of the Hub whose git cannot be reached.
        repair: whether to fetch again what is missing or damaged.
        judge: says why bytes cannot be a board's file; asked about what has no digest of its own.
    """

    jobs: int = 4
    via: str = "git"
    repair: bool = False
    judge: Judge = lambda board, path, data: None


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
        seen: what is known of its history at all; None if it was never fetched.
        tip_before: the newest commit at the last crawl; None where there was none.
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
    seen: Seen | None = None
    tip_before: str | None = None


def crawl(
    store: Store,
    boards: Sequence[Board],
    *,
    work: Work,
    derive: Callable[[Board], int],
    how: How = How(),
) -> Iterator[Outcome]:
    """Fetch what is new of some boards and keep it.

    Args:
        store: where to keep it.
        boards: what to crawl.
        work: told what is being done.
        derive: called inside the board's lock after its versions are safe; gives the number of
            versions that could not be read.
        how: in which way.

    Yields:
        An outcome per board, as soon as it is certain.

    Raises:
        KeyboardInterrupt: Ctrl-C; what was yielded is safe, and all that was begun has ended.
    """
    groups: dict[tuple[str, str], list[Board]] = {}
    for board in boards:
        key = (str(store.source_folder(board)), board.source.branch)
        groups.setdefault(key, []).append(board)
    busy = {source: Lock() for source, _ in groups}
    started: dict[tuple[str, str], datetime] = {}

    def begin(key: tuple[str, str]) -> _Fetch:
        with busy[key[0]]:  # the branches of one source come one after the other
            work.check()
            started[key] = datetime.now(UTC)
            return _fetch(store, groups[key], started[key], work, how)

    pool = ThreadPoolExecutor(max(how.jobs, 1), thread_name_prefix="fetch")
    pending: dict[Future[_Fetch], tuple[str, str]] = {}
    try:
        pending = {pool.submit(begin, key): key for key in groups}
        for future in as_completed(list(pending)):
            key = pending.pop(future)
            yield from _finish(store, groups[key], started[key], future, work, derive, how)
    except KeyboardInterrupt as stopped:
        work.stop()
        pool.shutdown(cancel_futures=True)
        for key in pending.values():
            for board in groups[key] if key in started else ():
                outcome = _failed(store, board, stopped)
                _note(store, board, started[key], None, outcome, 0, stopped)
        raise
    finally:
        if pending:
            work.stop()  # nobody wants the rest
        pool.shutdown(cancel_futures=True)


@dataclass(frozen=True, slots=True)
class _Fetch:
    """A branch that was fetched: its tip before, its line now, and what kept it from being all."""

    tip_before: str | None
    line: Line
    trouble: CrawlError | None
    refused: Mapping[str, CrawlError]


def fetch(store: Store, board: Board, work: Work) -> str:
    """Bring a board's branch into the store, and nothing more.

    Returns:
        The full id of its newest commit.

    Raises:
        CrawlError, StoreError: it could not be had.
    """
    from crawler.line.line import tip_of

    fetched = _fetch(store, [board], datetime.now(UTC), work, How())
    if fetched.trouble:
        raise fetched.trouble
    tip = tip_of(fetched.line.table)
    assert tip is not None  # a branch that was fetched has a commit
    return tip


def _finish(
    store: Store,
    boards: list[Board],
    started: datetime,
    future: Future[_Fetch],
    work: Work,
    derive: Callable[[Board], int],
    how: How,
) -> Iterator[Outcome]:
    """List and derive the boards of a branch that was fetched, or note why it was not."""
    trouble: BaseException | None
    for number, board in enumerate(boards):
        before = None
        try:
            fetched = future.result()
            before = fetched.tip_before
            if board.name in fetched.refused:
                raise fetched.refused[board.name]
            outcome, lost, trouble = _save(store, board, fetched, work, derive, how)
        except (*_FAILURES, Stopped, KeyboardInterrupt) as error:
            outcome, lost, trouble = _failed(store, board, error), 0, error
            if isinstance(error, (Stopped, KeyboardInterrupt)):
                for one in boards[number:]:
                    _note(store, one, started, before, _failed(store, one, error), 0, error)
                raise KeyboardInterrupt from None
        try:
            _note(store, board, started, before, outcome, lost, trouble)
        except (StoreError, OSError) as error:  # a folder that cannot be written, a full disk
            outcome = replace(outcome, status="failed", error=outcome.error or _said(error))
        yield outcome


def _fetch(store: Store, boards: list[Board], started: datetime, work: Work, how: How) -> _Fetch:
    """Bring a branch up to date."""
    from crawler.line.line import extend_line, known_of, tip_of

    board = boards[0]
    with store.lock_source(board):
        objects = store.objects(board)
        anew = how.repair and _repair().mend(store, boards, objects, work.of(board.name))
        table = store.commits(board)
        known = known_of(table, store.confirmed_until(board.name))
        source = _source(board, how, anew=anew)
        fetched = source.fetch(boards, objects, known, work.of(board.name))
        line = extend_line(objects, table, board.source.branch, fetched, started)
        if not table.num_rows or how.repair:
            for one in boards:
                store.refuse_lost_line(one, line.table)
        if line.changed:
            store.save_commits(board, line.table)
        if how.repair:
            _repair().restore_tips(store, board, objects)
        return _Fetch(tip_of(table), line, fetched.trouble, fetched.refused)


def _repair() -> ModuleType:
    from crawler.repair import repair  # loads much that no other crawl needs

    return repair


def _source(board: Board, how: How, *, anew: bool = False) -> SourceProtocol:
    # Each kind brings a heavy library; only the one that is needed is loaded.
    source = board.source
    if source.kind == "url" or source.repo_type == "bucket":
        from crawler.url_source import UrlSource

        return UrlSource(how.judge, anew=anew)
    if source.kind == "hub" and how.via == "api":
        from crawler.hub_api import HubApiSource

        return HubApiSource(anew=how.repair)
    if source.kind == "hub":
        from crawler.hub_source import HubSource

        return HubSource(anew=anew)
    from crawler.git_source import GitSource

    return GitSource(anew=anew)


def _save(
    store: Store,
    board: Board,
    fetched: _Fetch,
    work: Work,
    derive: Callable[[Board], int],
    how: How,
) -> tuple[Outcome, int, CrawlError | None]:
    """List a board's versions and derive from them.

    Returns:
        The outcome, the number of versions that vanished just now, and the trouble that kept it
        from being all.
    """
    from crawler.chain.lfs import resolve
    from crawler.line.line import line_digest, tip_of
    from crawler.line.versions import list_versions

    line, trouble = fetched.line, fetched.trouble
    say = work.of(board.name)
    objects = store.objects(board)
    with store.lock_board(board.name):
        had, listed = _listed(store, board, line.table)
        say(f"looking through {line.table.num_rows - listed} new commits")
        known = had if listed else files_schema().empty_table()
        if how.repair:
            files, lost = _repair().listed_anew(objects, line.table, board, known, listed)
            trouble = trouble or lost
        else:
            files = list_versions(objects, line.table, board, known, listed)
        find = _source(board, how).large_files(board, say)
        if find:
            files, lacking = resolve(objects, files, find, say, again=how.repair)
            trouble = trouble or lacking
        if how.repair:
            files, lost = _repair().without_loss(objects, board, had, files)
            trouble = trouble or lost
        if how.repair or listed != line.table.num_rows or not files.equals(had):
            notes = {"listed": str(line.table.num_rows), "selection": store.selection(board)}
            notes["line"] = line_digest(line.table)
            if board.file_per_entry:
                notes["paths"] = ", ".join(board.source.paths)
            store.write_table(store.versions_file(board.name), files, notes)
        unreadable = derive(board)
    versions, vanished = _count(files)
    had_versions, had_vanished = _count(had)
    outcome = Outcome(
        board=board.name,
        status="failed" if trouble else "ok",
        new_versions=max(versions - had_versions, 0),
        versions=versions,
        commits_seen=_commits_in(line.table),
        unreadable=unreadable,
        vanished=vanished,
        tip=tip_of(line.table),
        error=str(trouble) if trouble else None,
        rewritten=line.rewritten,
        seen=seen_of(line.table),
        tip_before=fetched.tip_before,
    )
    if line.rewritten:
        say("the branch was rewritten; what was seen before is kept")
    say(f"{outcome.new_versions} new versions, {outcome.versions} in all")
    return outcome, max(vanished - had_vanished, 0), trouble


def _count(files: pa.Table) -> tuple[int, int]:
    """How many versions there are, and how many of them vanished."""
    if not files.num_rows:
        return 0, 0
    gone = files.filter(files["vanished"])["version"]
    return files["version"][-1].as_py() + 1, len(gone.unique())


def _commits_in(line: pa.Table) -> int:
    """How many commits a line has; one that came back stands in it twice."""
    import pyarrow.compute as pc

    return int(pc.count_distinct(line["commit"]).as_py())


def _listed(store: Store, board: Board, line: pa.Table) -> tuple[pa.Table, int]:
    """The files of the versions stored so far, and how many rows of the line they cover.

    Other paths, another start, another source or another line make the old list one of another
    history: it is listed from the beginning again.
    """
    from crawler.line.line import line_digest

    had = store.read_table(store.versions_file(board.name), files_schema())
    notes = had.schema.metadata or {}
    listed = int(notes.get(b"listed", b"0"))
    same = notes.get(b"selection", b"").decode() == store.selection(board)
    bare = had.replace_schema_metadata(None)
    if not same or listed > line.num_rows:
        return bare, 0
    # More is known by now of what was listed: of a history that was cut off, or of a flat list.
    digest = line_digest(line.slice(0, listed))
    return bare, listed if notes.get(b"line", digest.encode()).decode() == digest else 0


def _failed(store: Store, board: Board, error: BaseException) -> Outcome:
    """The outcome of a board that could not be crawled: what it has is what it had."""
    from crawler.line.line import tip_of

    try:
        versions, line = store.versions(board.name), store.commits(board)
    except StoreError:
        versions, line = versions_schema().empty_table(), None
    return Outcome(
        board=board.name,
        status="failed",
        new_versions=0,
        versions=versions.num_rows,
        commits_seen=_commits_in(line) if line is not None else 0,
        unreadable=None,
        vanished=sum(versions["vanished"].to_pylist()),
        tip=tip_of(line) if line is not None else None,
        error=_said(error),
        locked=isinstance(error, Locked),
        seen=seen_of(line) if line is not None else None,
    )


def _said(error: BaseException) -> str:
    """One line for what ended the crawl of a board."""
    if isinstance(error, MemoryError):
        return "not enough memory. Give it more, or crawl with --jobs 1"
    return " ".join(str(error).split()) or "interrupted"


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
    elif isinstance(error, (Stopped, KeyboardInterrupt)):
        ended = "interrupted"
    else:
        ended = "locked" if isinstance(error, Locked) else "failed"
    line = {
        # Looks in one second keep their order: the line may have to be told again from them.
        "started": started.isoformat(timespec="microseconds"),
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
