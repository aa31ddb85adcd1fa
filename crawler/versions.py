"""At which commits did the board's file change?

In: the published line and the object store. Out: rows of versions.parquet. Start at
list_versions().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time
from typing import TYPE_CHECKING, Any

from crawler.board import Board, nearest
from crawler.line import segments
from crawler.objects import MAX_BYTES, Objects, is_lfs_pointer
from crawler.source import CrawlError
from crawler.tables import versions_schema

if TYPE_CHECKING:
    import pyarrow as pa

# Mode and object id of each path at a commit; None where there is nothing.
Tree = dict[str, tuple[str, str] | None]

_FOLDER = "040000"
_LINKS = {"120000": "a symbolic link", "160000": "a submodule"}


@dataclass(frozen=True, slots=True)
class Entry:
    """What the board reads at one commit: a path with the bytes there, or why there are none.

    Two versions in a row never hold the same Entry; that is why `why` names what a link is.
    """

    path: str
    blob: str | None
    state: str
    why: str | None = None


def list_versions(
    objects: Objects, line: pa.Table, board: Board, versions: pa.Table, listed: int
) -> pa.Table:
    """Every version of a board's file: VERSIONS of the store, complete.

    What a rewritten branch repeats, commit by commit, of the line that it replaced is not listed
    again; what it changes is.

    Args:
        objects: where the commits are.
        line: rows of commits.parquet for the board's branch.
        board: says which paths, and from which commit or date on.
        versions: the versions among the first `listed` rows of `line`.
        listed: rows of `line` that were seen to before.

    Raises:
        CrawlError: no commit of the line has any of the files, or `starts` is not on it.
    """
    import pyarrow as pa

    log, parents = line["commit"].to_pylist(), line["parents"].to_pylist()
    start = _start(board, line)
    last = _last_entry(versions)
    found: list[tuple[int, Entry]] = []
    paths = board.source.paths
    for part in segments(log, parents, listed):
        rows = {log[row]: row for row in range(part.first, part.end)}
        before = _entry_at(objects, part.base, paths)
        changed = _changes(objects, part.base, log[part.end - 1], paths, before)
        changes = [(rows[commit], entry) for commit, entry in changed]
        if part.replaced:
            old = _changes(objects, part.base, part.replaced, paths, before)
            changes = _beyond(changes, [entry for _, entry in old], (part.first, before))
        if part.first <= start < part.end:
            # The file may be older than the commit from which on it is this board.
            held = [before, *(entry for row, entry in changes if row <= start)][-1]
            changes = [(start, held), *(change for change in changes if change[0] > start)]
        for row, entry in changes:
            never_seen = last is None and entry.state == "absent"
            if row >= start and entry != last and not never_seen:
                found.append((row, entry))
                last = entry
    fresh = _rows(objects, line, found, versions.num_rows)
    table = pa.concat_tables([versions, pa.Table.from_pylist(fresh, schema=versions_schema())])
    if not table.num_rows and start == 0:
        raise _never_there(objects, board, log[-1])
    gone = {
        row["commit"] for row in line.select(["commit", "vanished"]).to_pylist() if row["vanished"]
    }
    marks = [commit in gone for commit in table["commit"].to_pylist()]
    column = table.schema.get_field_index("vanished")
    return table.set_column(column, "vanished", pa.array(marks, pa.bool_()))


def _beyond(
    changes: list[tuple[int, Entry]], old: list[Entry], before: tuple[int, Entry]
) -> list[tuple[int, Entry]]:
    """What a rewritten line has beyond the line that it replaced.

    Args:
        changes: of the new line, after the last common commit.
        old: entries of the old line, after the last common commit.
        before: first row of the new line, with the entry at the last common commit.
    """
    same = 0
    for (_, entry), was in zip(changes, old, strict=False):
        if entry != was:
            break
        same += 1
    if same == len(changes) and same < len(old):
        return [changes[-1] if changes else before]  # the branch went back to that
    return changes[same:]


def _changes(
    objects: Objects, base: str | None, tip: str, paths: list[str], before: Entry
) -> list[tuple[str, Entry]]:
    """The commits after `base` at which the entry differs from the one before, oldest first."""
    if base == tip:
        return []
    at, last = _tree_entries(objects, base, paths), before
    changes: list[tuple[str, Entry]] = []
    for commit, touched in _touched(objects, base, tip, paths):
        at |= touched
        entry = _entry(objects, commit, at, paths)
        if entry != last:
            changes.append((commit, entry))
            last = entry
    return changes


def _touched(
    objects: Objects, base: str | None, tip: str, paths: list[str]
) -> Iterator[tuple[str, Tree]]:
    """The commits after `base` that touch one of the paths, with what they leave there."""
    printed = objects.run(
        *("log", "--first-parent", "--reverse", "-m", "--raw", "-t", "-z", "--no-abbrev"),
        *("--no-renames", "--no-ext-diff", "--no-textconv", "--format=%H"),
        *(tip, *([f"^{base}"] if base else []), "--", *paths),
    )
    commit = ""
    touched: Tree = {}
    tokens = iter(printed.decode("utf-8", "surrogateescape").split("\0"))
    for token in tokens:
        head = token.lstrip("\n")
        if head.startswith(":"):
            _, mode, _, blob, _ = head.split(" ")
            path = next(tokens)
            if path not in paths:
                continue
            # What turns from a file into a folder is listed twice; the mode that is left counts.
            if mode != "000000":
                touched[path] = (mode, blob)
            else:
                touched.setdefault(path, None)
        elif head:
            if commit:
                yield commit, touched
            commit, touched = head, {}
    if commit:
        yield commit, touched


def _tree_entries(objects: Objects, commit: str | None, paths: Sequence[str]) -> Tree:
    """What stands at paths in a commit."""
    at: Tree = dict.fromkeys(paths)
    if commit:
        listed = objects.run("ls-tree", "-z", "--full-tree", commit, "--", *paths)
        for line in listed.decode("utf-8", "surrogateescape").split("\0"):
            if line:
                entry, path = line.split("\t", 1)
                mode, _, blob = entry.split(" ")
                at[path] = (mode, blob)
    return at


def _entry_at(objects: Objects, commit: str | None, paths: list[str]) -> Entry:
    if commit is None:
        return Entry(paths[0], None, "absent")
    return _entry(objects, commit, _tree_entries(objects, commit, paths), paths)


def _entry(objects: Objects, commit: str, at: Tree, paths: list[str]) -> Entry:
    """What the board reads: the first of its paths that exists."""
    for path in paths:
        if (held := at[path]) is not None:
            mode, blob = held
            if mode in _LINKS:
                return Entry(path, None, "unavailable", f"{_LINKS[mode]} ({blob[:8]}), not a file")
            if mode == _FOLDER:
                return Entry(path, None, "unavailable", "a folder, not a file")
            return Entry(path, blob, "published")
    folders = {
        "/".join(parts[:depth]): path
        for path in paths
        for parts in [path.split("/")]
        for depth in range(1, len(parts))
    }
    for folder, held in (_tree_entries(objects, commit, list(folders)) if folders else {}).items():
        if held and held[0] in _LINKS:
            why = f"{folder} is {_LINKS[held[0]]} ({held[1][:8]})"
            return Entry(folders[folder], None, "unavailable", why)
    return Entry(paths[0], None, "absent")


def _last_entry(versions: pa.Table) -> Entry | None:
    if not versions.num_rows:
        return None
    row = versions.slice(versions.num_rows - 1).to_pylist()[0]
    state, why = row["state"], row["why"]
    if row["blob"] is not None:  # pointer and too large are told apart only after this
        state, why = "published", None
    return Entry(row["path"], row["blob"], state, why)


def _rows(
    objects: Objects, line: pa.Table, found: list[tuple[int, Entry]], count: int
) -> list[dict[str, Any]]:
    """Rows of versions.parquet."""
    blobs = sorted({entry.blob for _, entry in found if entry.blob})
    infos = dict(zip(blobs, objects.infos(blobs), strict=True))
    small = [blob for blob in blobs if infos[blob].size < 1024]
    pointers = {blob: data for blob, data in objects.read(small) if is_lfs_pointer(data)}
    columns = ["commit", "committed_at", "authored_at", "observed_at", "position"]
    commits = line.select(columns).take([row for row, _ in found]).to_pylist() if found else []
    rows = []
    for version, ((_, entry), commit) in enumerate(zip(found, commits, strict=True), count):
        state, why = entry.state, entry.why
        if entry.blob in pointers:
            state, why = "pointer", _pointer(pointers[entry.blob])
        elif entry.blob and infos[entry.blob].size > MAX_BYTES:
            state, why = "unavailable", f"more than {MAX_BYTES:,} bytes"
        rows.append(
            commit
            | {"version": version, "path": entry.path, "blob": entry.blob, "state": state}
            | {"size": infos[entry.blob].size if entry.blob else None, "why": why}
            | {"vanished": False}
        )
    return rows


def _pointer(data: bytes) -> str:
    fields = dict(line.split(" ", 1) for line in data.decode().splitlines() if " " in line)
    oid, size = fields.get("oid", "?"), fields.get("size", "?")
    return f"a Git LFS pointer ({oid[:19]}, {size} bytes), not the file"


def _start(board: Board, line: pa.Table) -> int:
    """The row from which on the file is this board; behind the last row if that is to come."""
    starts = board.source.starts
    if not starts:
        return 0
    if isinstance(starts, str):
        log = line["commit"].to_pylist()
        found = sorted({commit for commit in log if commit.startswith(starts.lower())})
        if len(found) == 1:
            return log.index(found[0])
        problem = f"starts = {starts!r} is " + ("ambiguous" if found else "not on the branch")
        fix = f"Write one of {', '.join(found)}" if found else "Write a commit of the branch"
        raise CrawlError(board.name, problem, fix)
    moment = starts if isinstance(starts, datetime) else datetime.combine(starts, time())
    moment = moment.replace(tzinfo=moment.tzinfo or UTC)
    times = line["committed_at"].to_pylist()
    return next((row for row, at in enumerate(times) if at >= moment), len(times))


def _never_there(objects: Objects, board: Board, tip: str) -> CrawlError:
    listed = objects.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", tip)
    files = [name for name in listed.decode("utf-8", "replace").split("\0") if name]
    path = board.source.paths[0]
    name = path.rsplit("/", 1)[-1]
    near = [file for file in files if file.rsplit("/", 1)[-1] == name][:3] or nearest(path, files)
    fix = f"Nearest: {', '.join(near)}" if near else f"It holds {', '.join(files[:5]) or 'no file'}"
    named = ", ".join(repr(wanted) for wanted in board.source.paths)
    return CrawlError(f"{board.name} @ {tip[:8]}", f"{named} never existed on this branch", fix)
