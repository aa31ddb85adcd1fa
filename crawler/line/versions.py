"""At which commits did what the board reads change?

In: the published line and the object store. Out: rows of versions.parquet. Start at
list_versions().
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from datetime import UTC, datetime, time
from itertools import groupby
from operator import itemgetter
from typing import TYPE_CHECKING, Any

from crawler.board import Board, nearest
from crawler.chain.lfs import read_pointer
from crawler.line.held import FOLDER, Choice, Entry, Held, Place, Tree
from crawler.line.line import Segment, segments
from crawler.line.stand_ins import stand_ins
from crawler.objects import GONE, MAX_BYTES, Objects, raw_changes
from crawler.source import CrawlError
from crawler.tables import files_schema

if TYPE_CHECKING:
    import pyarrow as pa


# A commit, and what it leaves at paths.
Step = tuple[str, dict[str, Place | None]]


def list_versions(
    objects: Objects, line: pa.Table, board: Board, files: pa.Table, listed: int
) -> pa.Table:
    """Every version of a board, with its files: rows of versions.parquet, complete.

    What a rewritten branch repeats, commit by commit, of the line that it replaced is not listed
    again; what it changes is.

    Args:
        objects: where the commits are.
        line: rows of commits.parquet for the board's branch.
        board: says which paths, and from which commit or date on.
        files: the versions among the first `listed` rows of `line`.
        listed: rows of `line` that were seen to before.

    Raises:
        CrawlError: no commit of the line has any of the files, or `starts` is not on it.
    """
    import pyarrow as pa
    import pyarrow.compute as pc

    log = line["commit"].to_pylist()
    start = _start(board, line)
    last = _last_held(files)
    found: list[tuple[int, Held]] = []
    choice = Choice(objects, board, stand_ins(objects, board, line))
    for part in _segments(line, log, listed):
        rows = {log[row]: row for row in range(part.first, part.end)}
        base = _tree_at(objects, part.base, choice)
        before = choice.held(part.base, base)
        changed = _changes(objects, part.base, log[part.end - 1], choice, base.copy(), before)
        changes = [(rows[commit], held) for commit, held in changed]
        if part.replaced:
            old = _changes(objects, part.base, part.replaced, choice, base, before)
            changes = _beyond(changes, [held for _, held in old], (part.first, before))
        if part.first <= start < part.end:
            # The file may be older than the commit from which on it is this board.
            reached = [before, *(held for row, held in changes if row <= start)][-1]
            changes = [(start, reached), *(change for change in changes if change[0] > start)]
        for row, held in changes:
            never_seen = last is None and held[0].state == "absent"
            if row >= start and held != last and not never_seen:
                found.append((row, held))
                last = held
    count = files["version"][-1].as_py() + 1 if files.num_rows else 0
    fresh = _rows(choice, line, found, count, with_set=board.file_per_entry)
    table = pa.concat_tables([files, fresh])
    if not table.num_rows and start == 0:
        raise _never_there(objects, board, log[-1])
    gone = line.filter(line["vanished"])["commit"].combine_chunks()
    marks = pc.is_in(table["commit"], value_set=gone)
    column = table.schema.get_field_index("vanished")
    return table.set_column(column, "vanished", marks)


def _segments(line: pa.Table, log: list[str], listed: int) -> list[Segment]:
    """The unbroken stretches from row `listed` on; mostly it is one, and that is soon seen."""
    new = line["parents"].slice(listed).to_pylist()
    before = log[listed - 1 : -1]
    if listed and all(parents[:1] == [commit] for parents, commit in zip(new, before, strict=True)):
        return [Segment(listed, len(log), log[listed - 1], None)] if new else []
    return segments(log, line["parents"].to_pylist(), listed)


def _beyond(
    changes: list[tuple[int, Held]], old: list[Held], before: tuple[int, Held]
) -> list[tuple[int, Held]]:
    """What a rewritten line has beyond the line that it replaced.

    Args:
        changes: of the new line, after the last common commit.
        old: what was read on the old line, after the last common commit.
        before: first row of the new line, with what was read at the last common commit.
    """
    same = 0
    for (_, held), was in zip(changes, old, strict=False):
        if held != was:
            break
        same += 1
    if same == len(changes) and same < len(old):
        return [changes[-1] if changes else before]  # the branch went back to that
    return changes[same:]


def _tree_at(objects: Objects, commit: str | None, choice: Choice) -> Tree:
    """The files at one commit.

    Which file was changed last is known only to the whole line before; it is walked again at
    every crawl that finds new commits, so that the answer cannot depend on when crawls were.
    """
    if commit is None:
        return Tree({}, {})
    if not choice.asks_for_changes:
        return Tree(choice.at(commit), {})
    tree = Tree({}, {})
    for _, touched in _touched(objects, None, commit, choice):
        tree.move(touched)
    return tree


def _changes(
    objects: Objects, base: str | None, tip: str, choice: Choice, tree: Tree, before: Held
) -> list[tuple[str, Held]]:
    """The commits after `base` at which the board reads something else than before, oldest first.

    Args:
        tree: the files at `base`; it is moved to `tip`.
        before: what is read there.
    """
    if base == tip:
        return []
    last = before
    changes: list[tuple[str, Held]] = []
    for commit, touched in _steps(objects, base, tip, choice, tree.copy()):
        tree.move(touched)
        held = choice.held(commit, tree)
        if held != last:
            changes.append((commit, held))
            last = held
    return changes


def _steps(objects: Objects, base: str | None, tip: str, choice: Choice, tree: Tree) -> list[Step]:
    """The commits after `base` that can make a difference to the board, oldest first.

    A link in place of a folder leaves the paths below it as untouched as an absence does. It is
    looked for where there is an absence, so that a board that is always there costs nothing more.

    Args:
        tree: the files at `base`; it is moved.
    """
    steps = list(_touched(objects, base, tip, choice))
    if not choice.folders:
        return steps
    lacking = [choice.is_lacking(tree)]
    for _, touched in steps:
        tree.move(touched)
        lacking.append(choice.is_lacking(tree))
    places = [place for place, is_lacking in enumerate(lacking) if is_lacking]
    if not places:
        return steps
    first, end = places[0], places[-1] + 1
    since = steps[first - 1][0] if first else base
    until = steps[end - 1][0] if end <= len(steps) else tip
    more = _touched(objects, since, until, choice, with_folders=True)
    return [*steps[:first], *more, *steps[end:]]


def _touched(
    objects: Objects, base: str | None, tip: str, choice: Choice, *, with_folders: bool = False
) -> Iterator[Step]:
    """The commits after `base` that touch what may be a file of the board, with what they leave.

    Args:
        with_folders: also those that make a folder above such files a link, or end that.
    """
    if base == tip:
        return
    base, tip = choice.stand_ins.span(base, tip)
    printed = objects.run(
        *("log", "--first-parent", "--reverse", "-m", "--raw", "-t", "-z", "--no-abbrev"),
        *("--no-renames", "--no-ext-diff", "--no-textconv", "--format=%H"),
        *(tip, *([f"^{base}"] if base else [])),
        *("--", *choice.limits(with_folders=with_folders)),
    )
    for here, changes in groupby(raw_changes(printed), key=itemgetter(0)):
        touched: dict[str, Place | None] = {}
        is_linked = False
        for _, path, mode, blob in changes:
            is_linked |= path in choice.folders and mode != FOLDER
            if choice.paths.item(path) is None:
                continue
            # What turns from a file into a folder is listed twice; the mode that is left counts.
            if mode != GONE and (place := choice.wanted(path, (mode, blob))):
                touched[path] = place
            else:
                touched.setdefault(path, None)
        if touched or is_linked:
            yield choice.stand_ins.published(here), touched


def _last_held(files: pa.Table) -> Held | None:
    import pyarrow.compute as pc

    if not files.num_rows:
        return None
    # Pointers and what is too large are told from other files only after this.
    return tuple(
        Entry(row["path"], row["pointer"] or row["blob"], "published")
        if row["blob"] is not None
        else Entry(row["path"], None, row["state"], row["why"])
        for row in files.filter(pc.equal(files["version"], files["version"][-1])).to_pylist()
    )


def _rows(
    choice: Choice,
    line: pa.Table,
    found: list[tuple[int, Held]],
    count: int,
    *,
    with_set: bool,
) -> pa.Table:
    """Rows of versions.parquet for versions from number `count` on.

    Of a board with hundreds of files these are many; so a file that many versions have is looked
    at once.
    """
    import pyarrow as pa

    numbers: dict[Entry, int] = {}
    entries = [[numbers.setdefault(e, len(numbers)) for e in held] for _, held in found]
    versions = [place for place, held in enumerate(entries) for _ in held]
    said = pa.Table.from_pylist(_states(choice, list(numbers)), schema=_said_schema())
    said = said.take(pa.array([number for held in entries for number in held], pa.int64()))
    columns = ["commit", "committed_at", "authored_at", "observed_at", "position", "not_before"]
    commits = line.select(columns).take(pa.array([row for row, _ in found], pa.int64()))
    ids = [_set_id(held) if with_set else None for _, held in found]
    commits = commits.append_column("set", pa.array(ids, pa.string())).take(
        pa.array(versions, pa.int64())
    )
    made = {
        "version": pa.array([count + place for place in versions], pa.int32()),
        "vanished": pa.array([False] * len(versions), pa.bool_()),
    }
    made |= {name: commits[name] for name in commits.column_names}
    made |= {name: said[name] for name in said.column_names}
    return pa.table([made[name] for name in files_schema().names], schema=files_schema())


def _said_schema() -> pa.Schema:
    import pyarrow as pa

    names = ("path", "blob", "size", "state", "why", "pointer")
    return pa.schema([files_schema().field(name) for name in names])


def _states(choice: Choice, entries: list[Entry]) -> list[dict[str, Any]]:
    """Path, blob, size, state, why and pointer of files."""
    objects = choice.objects
    blobs = sorted({entry.blob for entry in entries if entry.blob})
    infos = dict(zip(blobs, objects.infos(blobs), strict=True))
    lacking = {
        blob: choice.stand_ins.why_lacking(blob) for blob in blobs if infos[blob].kind == "missing"
    }
    if None in lacking.values() and not objects.is_partial:
        next(objects.read(blob for blob, why in lacking.items() if why is None))  # says which
    small = [blob for blob in blobs if infos[blob].kind == "blob" and infos[blob].size < 1024]
    read = ((blob, read_pointer(data)) for blob, data in objects.read(small))
    pointers = {blob: pointer for blob, pointer in read if pointer}
    rows = []
    for entry in entries:
        info = infos[entry.blob] if entry.blob else None
        state, why = entry.state, entry.why
        if entry.blob in pointers:
            state, why = "pointer", str(pointers[entry.blob])
        elif info and (info.size > MAX_BYTES or info.kind == "missing"):
            # What git left out when it fetched is too large; see Objects.infos().
            told = lacking.get(entry.blob or "")
            state, why = "unavailable", told or f"more than {MAX_BYTES:,} bytes"
        size = info.size if info and info.kind == "blob" else None
        row = {"path": entry.path, "blob": entry.blob, "size": size, "state": state, "why": why}
        rows.append(row | {"pointer": None})
    return rows


def _set_id(held: Held) -> str | None:
    """One id for all files of a version, equal for equal sets only; None where there are none.

    It is the SHA-256 of a line `path NUL blob LF` per file, in the order of paths.
    """
    if held[0].state == "absent":
        return None
    lines = (f"{entry.path}\0{entry.blob or entry.why}\n" for entry in held)
    return hashlib.sha256("".join(lines).encode()).hexdigest()


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
