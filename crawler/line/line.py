"""Which commits were published?

In: what a source brought of a branch. Out: rows of commits.parquet. Start at extend_line().

The published line is the chain of first parents. It is kept as a log: new commits go behind what
is there. When a branch was rewritten, the new commits after the last common one follow the old
ones; when it was set back, that commit is written once more. So the log alone says what was seen
in which order, and versions can be listed from it again at any time.

Where only a flat list of commits is known, the one before in the list stands for the parent, and
`seen_by` says so. Where a history is cut off, its first row names parents that are not here.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from crawler.objects import Objects
from crawler.source import Fetched, Known, Listed
from crawler.tables import commits_schema

if TYPE_CHECKING:
    import pyarrow as pa

_FIRST_SECOND, _LAST_SECOND = -62135596800, 253402300799  # years 1 and 9999, as datetime has them
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True)
class Line:
    """The published line as a log.

    Attributes:
        table: rows of commits.parquet for one branch, by position.
        new: rows that were added.
        rewritten: whether the branch lost commits since the last look.
        changed: whether the log is another than before.
    """

    table: pa.Table
    new: int
    rewritten: bool
    changed: bool


@dataclass(frozen=True, slots=True)
class Segment:
    """An unbroken stretch of the log.

    Attributes:
        first, end: its rows, `end` is behind the last.
        base: the commit before the first, on the line; None for a root.
        replaced: tip of the line that it took the place of; None where none was.
    """

    first: int
    end: int
    base: str | None
    replaced: str | None


def tip_of(table: pa.Table) -> str | None:
    """The newest commit of a line at the last look; None before the first."""
    return table["commit"][-1].as_py() if table.num_rows else None


def extend_line(
    objects: Objects, table: pa.Table, branch: str, fetched: Fetched, observed_at: datetime
) -> Line:
    """Write down how a branch went on.

    Args:
        objects: where the commits are.
        table: the line up to now.
        branch: as in the board's definition.
        fetched: what was brought of it.
        observed_at: when we looked.
    """
    if fetched.seen_by == "api":
        return _extend_flat(table, branch, fetched, observed_at)
    before = table
    table = _completed(objects, table, fetched.tip)
    if (longer := _appended(objects, table, branch, fetched, observed_at)) is not None:
        return longer
    log = table["commit"].to_pylist()
    if log and log[-1] == fetched.tip:
        return Line(table, 0, rewritten=False, changed=table is not before)
    known = [log[row] for row in _line_rows(log, table["parents"].to_pylist())]
    here = known[-1] if known and objects.holds(known[-1]) else None
    new = _first_parents(objects, fetched.tip, here)
    rewritten = bool(known) and (not new or new[0]["parents"][:1] != known[-1:])
    line = [*known, *(row["commit"] for row in new)]
    if rewritten:
        whole = _first_parents(objects, fetched.tip, None)
        line = [row["commit"] for row in whole]
        place = {commit: row for row, commit in enumerate(line)}
        common = max((place[commit] for commit in known if commit in place), default=-1)
        new = whole[common + 1 :] or whole[-1:]
        rewritten = known[-1] not in place
    rows = _rows(table, branch, fetched, new, observed_at)
    return _longer(table, rows, set(line), rewritten)


def _appended(
    objects: Objects, table: pa.Table, branch: str, fetched: Fetched, observed_at: datetime
) -> Line | None:
    """The log with what follows its end, if that is all; a crawl is mostly so, and costs little."""
    import pyarrow as pa
    import pyarrow.compute as pc

    tip = tip_of(table)
    if tip in (None, fetched.tip) or pc.any(table["vanished"]).as_py() or not objects.holds(tip):
        return None
    new = _first_parents(objects, fetched.tip, tip)
    if not new or new[0]["parents"][:1] != [tip]:
        return None
    rows = _rows(table, branch, fetched, new, observed_at)
    return Line(pa.concat_tables([table, rows]), len(new), rewritten=False, changed=True)


def _extend_flat(table: pa.Table, branch: str, fetched: Fetched, observed_at: datetime) -> Line:
    """Go on with a list of commits of which nothing but ids and times is known."""
    log = table["commit"].to_pylist()
    if not fetched.listed and (not log or log[-1] == fetched.base):
        return Line(table, 0, rewritten=False, changed=False)
    known = [log[row] for row in _line_rows(log, table["parents"].to_pylist())]
    rewritten = bool(known) and known[-1] != fetched.base
    kept = known[: known.index(fetched.base) + 1] if fetched.base in known else []
    listed = fetched.listed
    if not listed:  # set back: the commit that it was set back to is written once more
        at = table["committed_at"][log.index(kept[-1])].as_py()
        kept, listed = kept[:-1], [Listed(kept[-1], at)]
    new = [
        {"commit": one.commit, "parents": [before] if before else [], "committed_at": one.at}
        for one, before in zip(
            listed, [kept[-1] if kept else None, *(one.commit for one in listed)], strict=False
        )
    ]
    published = {*kept, *(one.commit for one in listed)}
    rows = _rows(table, branch, fetched, new, observed_at)
    return _longer(table, rows, published, rewritten)


def _rows(
    table: pa.Table,
    branch: str,
    fetched: Fetched,
    new: list[dict[str, Any]],
    observed_at: datetime,
) -> pa.Table:
    """The rows of new commits behind a log."""
    import pyarrow as pa

    for position, row in enumerate(new, table.num_rows):
        row |= {"branch": branch, "position": position, "observed_at": observed_at}
        row |= {"vanished": False, "seen_by": fetched.seen_by}
        row["not_before"] = fetched.not_before.get(row["commit"])
    return pa.Table.from_pylist(new, schema=commits_schema())


def _longer(table: pa.Table, rows: pa.Table, published: set[str], rewritten: bool) -> Line:
    """The log with new rows behind it, and marked anew what is not published any more."""
    import pyarrow as pa

    longer = pa.concat_tables([table, rows])
    vanished = [commit not in published for commit in longer["commit"].to_pylist()]
    column = longer.schema.get_field_index("vanished")
    longer = longer.set_column(column, "vanished", pa.array(vanished, pa.bool_()))
    return Line(longer, rows.num_rows, rewritten=rewritten, changed=True)


def _completed(objects: Objects, table: pa.Table, tip: str) -> pa.Table:
    """The log with what is known by now of commits that were known in part.

    That is what lies before a history that was cut off, and the parents of commits of which the
    API had told only that they are.
    """
    import pyarrow.compute as pc

    if not table.num_rows:
        return table
    first = table["parents"][0].as_py()[:1]
    older = _first_parents(objects, first[0], None) if first and objects.holds(first[0]) else []
    if not older and not pc.any(pc.equal(table["seen_by"], "api")).as_py():
        return table
    rows = table.to_pylist()
    flat = {place for place, row in enumerate(rows) if row["seen_by"] == "api"}
    told = _told_by_git(objects, rows, flat, tip) if flat else {}
    if not older and not told:
        return table
    import pyarrow as pa

    for row in older:
        row |= {"branch": rows[0]["branch"], "observed_at": rows[0]["observed_at"]}
        row |= {"vanished": rows[0]["vanished"], "seen_by": "git"}
    rows = [*older, *(row | told.get(place, {}) for place, row in enumerate(rows))]
    for position, row in enumerate(rows):
        row["position"] = position
    return pa.Table.from_pylist(rows, schema=commits_schema())


def _told_by_git(
    objects: Objects, rows: list[dict[str, Any]], flat: set[int], tip: str
) -> dict[int, dict[str, Any]]:
    """What git says of rows that only the API had listed; nothing unless it has all of them."""
    line = _first_parents(objects, tip, None)
    said = {row["commit"]: row for row in line}
    told = {place: said.get(rows[place]["commit"]) for place in flat}
    for place, row in told.items():
        if row is None or (place and row["parents"][:1] != [rows[place - 1]["commit"]]):
            return {}
    return {place: row | {"seen_by": "git"} for place, row in told.items() if row}


def known_of(table: pa.Table, looked_at: datetime | None) -> Known:
    """What a source is told of a line, and of the last successful look at it."""

    def line() -> list[Listed]:
        log = table["commit"].to_pylist()
        times = table["committed_at"].to_pylist()
        rows = _line_rows(log, table["parents"].to_pylist())
        return [Listed(log[row], times[row]) for row in rows]

    return Known(tip_of(table), line, looked_at)


def line_digest(table: pa.Table) -> str:
    """A digest of the commits of a line and of how they follow each other."""
    import pyarrow as pa
    import pyarrow.compute as pc

    parents = pc.binary_join(table["parents"], " ")
    rows = pc.binary_join_element_wise(table["commit"], parents, " ").combine_chunks()
    lines = pc.binary_join(pa.ListArray.from_arrays([0, len(rows)], rows), "\n")
    return hashlib.sha256(lines[0].as_py().encode()).hexdigest()


def segments(log: Sequence[str], parents: Sequence[Sequence[str]], listed: int) -> list[Segment]:
    """Unbroken stretches of a log from row `listed` on.

    >>> segments(["a", "b", "c"], [[], ["a"], ["a"]], listed=1)  # c takes the place of b
    [Segment(first=1, end=2, base='a', replaced=None), Segment(first=2, end=3, base='a', replaced='b')]
    """
    if listed == len(log):
        return []
    breaks = [row for row in range(listed, len(log)) if _breaks(log, parents, row)]
    firsts = sorted({listed, *breaks})
    found = []
    for first, end in zip(firsts, [*firsts[1:], len(log)], strict=True):
        if first not in breaks:
            found.append(Segment(first, end, log[first - 1] if first else None, None))
            continue
        line = _line_rows(log[:first], parents)
        kept = _kept(log, parents, line, first)
        set_back = len(kept) < len(line) and log[line[len(kept)]] == log[first]
        base = log[first] if set_back else log[kept[-1]] if kept else None
        found.append(Segment(first, end, base, log[first - 1]))
    return found


def _first_parents(objects: Objects, tip: str, known: str | None) -> list[dict[str, Any]]:
    """The commits of a line, oldest first, without what can be reached from `known`."""
    but = [f"^{known}"] if known else []
    printed = objects.run(
        "log", "--first-parent", "--reverse", "-z", "--format=%H %ct %at %P", tip, *but, "--"
    )
    rows = [_commit(objects, text) for text in printed.decode("ascii").split("\0") if text]
    if rows and not rows[0]["parents"] and objects.is_cut:
        rows[0]["parents"] = _written_parents(objects, rows[0]["commit"])
    return rows


def told_of(objects: Objects, commits: Iterable[str]) -> dict[str, dict[str, Any]]:
    """What git says of some commits, by id: the columns of a row that it knows.

    Returns:
        Nothing of those that are not here.

    Raises:
        StoreError: one is damaged.
    """
    wanted = list(dict.fromkeys(commits))
    infos = zip(wanted, objects.infos(wanted), strict=True)
    here = [commit for commit, info in infos if info.kind == "commit"]
    if not here:
        return {}
    printed = objects.run(
        *("log", "--no-walk=unsorted", "--stdin", "-z", "--format=%H %ct %at %P"),
        given="".join(f"{commit}\n" for commit in here).encode(),
    )
    rows = (_commit(objects, text) for text in printed.decode("ascii").split("\0") if text)
    told = {row["commit"]: row for row in rows}
    for commit, parents in objects.parents(objects.cut_at(here)).items():
        told[commit]["parents"] = list(parents)
    return told


def _written_parents(objects: Objects, commit: str) -> list[str]:
    """The parents that a commit names, whether they are here or not."""
    header = (
        objects.run("cat-file", "commit", commit).split(b"\n\n", 1)[0].decode("ascii", "replace")
    )
    return re.findall(r"^parent ([0-9a-f]+)$", header, re.MULTILINE)


def _commit(objects: Objects, text: str) -> dict[str, Any]:
    commit, committed, authored, parents = text.split(" ", 3)
    if not committed or not authored:  # git does not read times before 1970
        header = objects.run("cat-file", "commit", commit).split(b"\n\n", 1)[0]
        times = dict(re.findall(rb"^(committer|author) .*> (-?\d+) [-+]\d+$", header, re.MULTILINE))
        committed, authored = times.get(b"committer", b"0"), times.get(b"author", b"0")
    return {
        "commit": commit,
        "parents": parents.split(),
        "committed_at": _time(int(committed)),
        "authored_at": _time(int(authored)),
    }


def _time(seconds: int) -> datetime:
    """Seconds since 1970 as a time; what no datetime can hold is cut at years 1 and 9999."""
    return _EPOCH + timedelta(seconds=min(max(seconds, _FIRST_SECOND), _LAST_SECOND))


def _line_rows(log: Sequence[str], parents: Sequence[Sequence[str]]) -> list[int]:
    """The rows of a log that are on the line at its end."""
    line: list[int] = []
    for row in range(len(log)):
        line = [*_kept(log, parents, line, row), row] if _breaks(log, parents, row) else line
        if not line or line[-1] != row:
            line.append(row)
    return line


def _breaks(log: Sequence[str], parents: Sequence[Sequence[str]], row: int) -> bool:
    """Whether the branch was rewritten or set back at this row."""
    return row > 0 and parents[row][:1] != [log[row - 1]]


def _kept(
    log: Sequence[str], parents: Sequence[Sequence[str]], line: list[int], row: int
) -> list[int]:
    """What stays of a line when it is broken at `row`."""
    for place in range(len(line) - 1, -1, -1):
        if log[line[place]] == log[row]:
            return line[:place]
        if parents[row][:1] == [log[line[place]]]:
            return line[: place + 1]
    return []
