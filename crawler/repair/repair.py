"""What of a source can be made whole again, and what has to be fetched for it?

In: the boards of a branch. Out: all that can be mended from what is here is mended, and whether
the rest of it has to be fetched anew. Start at mend(), which goes before a fetch; what came is
listed by listed_anew(). What is damaged is moved aside, into a folder of its own; no version that
was stored goes away without a word.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from crawler.board import Board
from crawler.chain.chain import Chain, Kept
from crawler.chain.lfs import CHAIN as LFS
from crawler.chain.lfs import read_pointer
from crawler.git.calls import GitFailed, call_git
from crawler.git.own_repository import writing
from crawler.line.line import known_of, segments, told_of
from crawler.line.versions import list_versions
from crawler.objects import Objects, StoreError
from crawler.repair.lost_chain import restore_chains, retire_chains
from crawler.repair.lost_line import line_again, same_branch
from crawler.repair.salvage import complaints, move_aside, set_aside
from crawler.source import CrawlError
from crawler.store import Store
from crawler.tables import files_schema
from crawler.work import Work

if TYPE_CHECKING:
    import pyarrow as pa

_HAS_BYTES = ("published", "pointer")


def mend(store: Store, boards: Sequence[Board], objects: Objects, work: Work) -> bool:
    """Mend what can be mended without asking anybody.

    Whoever calls holds the source.

    Returns:
        Whether something is damaged or missing that has to be fetched.

    Raises:
        StoreError: nothing can be moved or written.
    """
    board, now = boards[0], datetime.now(UTC)
    aside = store.source_folder(board) / f"damaged-{now:%Y%m%dT%H%M%SZ}"
    for one in boards:
        with store.lock_board(one.name):
            _set_versions_aside(store, one, store.folder(one.name) / aside.name, work)
    work("looking for damage")
    if objects.folder.is_dir():
        _mend_settings(objects, aside, work)
    with writing(objects, str(objects.folder), work) as handle:
        moved = set_aside(objects, aside, work)
        moved += _set_references_aside(objects, aside)
        for file in moved:
            work(f"{file}: damaged, moved into {aside}")
        retire_chains(objects, aside)
        restore_chains(objects, boards)
        _mend_line(store, boards, objects, aside, work)
        restore_tips(store, board, objects)
        for one in boards:
            _restore_large(objects, _versions(store, one), handle)
        return bool(moved) or _lacks_something(store, boards, objects, work)


def listed_anew(
    objects: Objects, line: pa.Table, board: Board, had: pa.Table, listed: int
) -> tuple[pa.Table, CrawlError | None]:
    """All versions of a board, listed from the beginning.

    Where that cannot be, the old ones stay and new ones are listed behind them.

    Args:
        had: the versions among the first `listed` rows of the line.

    Raises:
        StoreError: neither can be.
    """
    try:
        return list_versions(objects, line, board, files_schema().empty_table(), 0), None
    except StoreError as error:
        files = list_versions(objects, line, board, had, listed)
        found = f"the old versions cannot be listed again ({error.found})"
        fix = "Restore the folder from a copy; all that is left is mended and kept"
        return files, CrawlError(f"{objects.folder} ({board.name})", found, fix)


def without_loss(
    objects: Objects, board: Board, had: pa.Table, files: pa.Table
) -> tuple[pa.Table, CrawlError | None]:
    """The files of versions, none of them less than it was; and what has lost its bytes.

    Args:
        had: as they were.
        files: as they are listed now.
    """
    import pyarrow as pa

    rows = files.to_pylist()
    wanted = sorted({row["blob"] for row in [*rows, *had.to_pylist()] if row["blob"]})
    infos = zip(wanted, objects.infos(wanted), strict=True)
    here = {blob for blob, info in infos if info.kind == "blob"}
    before = {(row["commit"], row["path"]): row for row in had.to_pylist()}
    lost: dict[str, str] = {}
    for number, row in enumerate(rows):
        old = before.get((row["commit"], row["path"]))
        is_less = row["state"] in ("unavailable", "pointer")
        if is_less and old and old["state"] == "published" and _in_tree(old) == _in_tree(row):
            same = ("blob", "pointer", "state", "size", "why")
            row = rows[number] = row | {name: old[name] for name in same}
        if row["state"] in _HAS_BYTES and row["blob"] not in here:
            lost.setdefault(row["blob"], f"{row['commit'][:8]} {row['path']}")
    table = pa.Table.from_pylist(rows, schema=files.schema)
    if not lost:
        return table, None
    named = ", ".join([*lost.values()][:5]) + (", ..." if len(lost) > 5 else "")
    found = f"the bytes of {len(lost)} files are lost, and nobody has them any more: {named}"
    fix = "Restore the folder from a copy; all that is left is mended and kept"
    return table, CrawlError(f"{objects.folder} ({board.name})", found, fix)


def _in_tree(row: dict[str, Any]) -> str | None:
    """What git has at the path."""
    return row["pointer"] or row["blob"]


# --- tables ------------------------------------------------------------------------------------


def _versions(store: Store, board: Board) -> list[dict[str, Any]]:
    """The files of a board's versions; none where the table cannot be read."""
    try:
        return store.files(board.name).to_pylist()
    except StoreError:
        return []


def _set_versions_aside(store: Store, board: Board, aside: Path, work: Work) -> None:
    """Move a damaged table of versions aside; it is listed anew."""
    place = store.versions_file(board.name)
    try:
        store.files(board.name)
    except StoreError as error:
        move_aside(place, aside)
        work(f"{error.where}: {error.found}; moved into {aside}")


def _mend_line(
    store: Store, boards: Sequence[Board], objects: Objects, aside: Path, work: Work
) -> None:
    """Make the published line anew where its table is lost or damaged."""
    place, board = store.commits_file(boards[0]), boards[0]
    why = _wrong_line(store, board, objects)
    if why is None:
        return
    others = _other_lines(store, board)
    if place.exists():
        move_aside(place, aside)
        work(f"{place}: {why}; moved into {aside}")
    else:
        work(f"{place}: {why}")
    if others is not None:
        store.write_table(place, others)
    line = line_again(store, board, objects)
    work(f"{line.num_rows} commits of the published line are known without it")
    if line.num_rows:
        store.save_commits(board, line)


def _wrong_line(store: Store, board: Board, objects: Objects) -> str | None:
    """Why the table of the published line cannot be right; None if it can."""
    try:
        line = store.commits(board)
        for one in same_branch(store, board):
            if _versions(store, one):
                store.refuse_lost_line(one, line)
        if not line.num_rows:
            looks = any(store.attempts(one.name) for one in same_branch(store, board))
            return "it is missing, though there were looks" if looks else None
        here = told_of(objects, line["commit"].to_pylist())
    except StoreError as error:
        return error.found
    for row in line.to_pylist():
        told = here.get(row["commit"]) if row["seen_by"] != "api" else None
        if told and any(told[name] != row[name] for name in told):
            return f"{row['commit']} is written down as it never was"
    return None


def _other_lines(store: Store, board: Board) -> pa.Table | None:
    """The lines of other branches in the same table, if it can be read."""
    import pyarrow.compute as pc

    from crawler.tables import commits_schema

    try:
        table = store.read_table(store.commits_file(board), commits_schema())
    except StoreError:
        return None
    return table.filter(pc.not_equal(table["branch"], board.source.branch))


# --- the repository ----------------------------------------------------------------------------


def _mend_settings(objects: Objects, aside: Path, work: Work) -> None:
    """Make a repository of a folder that git takes for none."""
    try:
        call_git(objects.folder, ["rev-parse", "--git-dir"], work)
    except GitFailed:
        for name in ("config", "HEAD"):
            if (objects.folder / name).exists():
                move_aside(objects.folder / name, aside)
        call_git(objects.folder, ["init", "--quiet", "--bare", "--template="], work)


def _set_references_aside(objects: Objects, aside: Path) -> list[Path]:
    """Move aside what is no reference: a disk that was full leaves it empty."""
    files = [file for file in (objects.folder / "refs").rglob("*") if file.is_file()]
    bad = [one for one in files if not re.fullmatch(rb"[0-9a-f]{40,64}\n", one.read_bytes())]
    return [move_aside(one, aside / one.parent.relative_to(objects.folder)) for one in bad]


def tips_of(store: Store, board: Board, objects: Objects) -> set[str]:
    """The commits that were the newest at some look, by git; each is to have its reference."""
    line = store.commits(board)
    log, parents = line["commit"].to_pylist(), line["parents"].to_pylist()
    seen_by = dict(zip(log, line["seen_by"].to_pylist(), strict=True))
    tips = {part.replaced for part in segments(log, parents, 0)} | {*log[-1:]}
    for one in same_branch(store, board):
        for attempt in store.attempts(one.name):
            tips |= {attempt.get("tip_before"), attempt.get("tip_after")}
    return {tip for tip in tips if isinstance(tip, str) and seen_by.get(tip) == "git"}


def restore_tips(store: Store, board: Board, objects: Objects) -> None:
    """Name again the tips of which only a table knows."""
    for tip in sorted(tips_of(store, board, objects)):
        if not (objects.folder / "refs/seen" / tip).exists() and objects.holds(tip):
            objects.run("update-ref", f"refs/seen/{tip}", tip)


def _restore_large(objects: Objects, rows: Sequence[dict[str, Any]], handle: int) -> None:
    """Write down again which contents of Git LFS are here."""
    rows = [row for row in rows if row["pointer"] and row["state"] == "published"]
    if not rows:
        return
    chain = Chain(objects, LFS)
    kept = set(chain.links())
    with chain.adding([handle]) as writer:
        for row in rows:
            here = objects.infos([row["pointer"], row["blob"]])
            if any(info.kind != "blob" for info in here):
                continue
            pointer = read_pointer(next(objects.read([row["pointer"]]))[1])
            if pointer and pointer.sha256 not in kept:
                kept.add(pointer.sha256)
                writer.add(
                    pointer.sha256,
                    datetime.now(UTC),
                    {row["path"].rpartition("/")[2]: Kept(row["blob"])},
                    after=writer.last,
                    notes={"blob": row["blob"]},
                )


def _lacks_something(store: Store, boards: Sequence[Board], objects: Objects, work: Work) -> bool:
    """Whether bytes are missing that the tables speak of."""
    line = store.commits(boards[0])
    if not line.num_rows:
        return False
    if complaints(objects, work):
        return True
    try:
        known = [one.commit for one in known_of(line, None).line()]
        by_git = [one for one, by in _seen(line) if by != "api" and one in set(known)]
        if any(info.kind != "commit" for info in objects.infos(by_git)):
            return True
        for board in boards:
            rows = _versions(store, board)
            wanted = sorted({row["blob"] for row in rows if row["state"] in _HAS_BYTES})
            if any(info.kind != "blob" for info in objects.infos(wanted)):
                return True
            if store.versions_file(board.name).exists():
                list_versions(objects, line, board, files_schema().empty_table(), 0)
    except StoreError:
        return True
    except CrawlError:
        return False  # the definition names what is not there
    return False


def _seen(line: pa.Table) -> Iterator[tuple[str, str]]:
    return zip(line["commit"].to_pylist(), line["seen_by"].to_pylist(), strict=True)
