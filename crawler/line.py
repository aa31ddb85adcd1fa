"""Which commits were published?

In: a branch's tip in the object store. Out: rows of commits.parquet. Start at extend_line().

The published line is the chain of first parents. It is kept as a log: new commits go behind what
is there. When a branch was rewritten, the new commits after the last common one follow the old
ones; when it was set back, that commit is written once more. So the log alone says what was seen
in which order, and versions can be listed from it again at any time.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

from crawler.objects import Objects
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
    """

    table: pa.Table
    new: int
    rewritten: bool


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
    objects: Objects, table: pa.Table, branch: str, tip: str, observed_at: datetime
) -> Line:
    """Write down how a branch went on.

    Args:
        objects: where the commits are.
        table: the line up to now.
        branch: as in the board's definition.
        tip: the branch's newest commit.
        observed_at: when we looked.
    """
    import pyarrow as pa

    log = table["commit"].to_pylist()
    if log and log[-1] == tip:
        return Line(table, 0, False)
    known = [log[row] for row in _line_rows(log, table["parents"].to_pylist())]
    new = _first_parents(objects, tip, known[-1] if known else None)
    rewritten = bool(known) and (not new or new[0]["parents"][:1] != known[-1:])
    line = [*known, *(row["commit"] for row in new)]
    if rewritten:
        whole = _first_parents(objects, tip, None)
        line = [row["commit"] for row in whole]
        place = {commit: row for row, commit in enumerate(line)}
        common = max((place[commit] for commit in known if commit in place), default=-1)
        new = whole[common + 1 :] or whole[-1:]
    for position, row in enumerate(new, table.num_rows):
        row |= {"branch": branch, "position": position, "observed_at": observed_at}
        row["vanished"] = False
    longer = pa.concat_tables([table, pa.Table.from_pylist(new, schema=commits_schema())])
    published = set(line)
    vanished = [commit not in published for commit in [*log, *(row["commit"] for row in new)]]
    column = longer.schema.get_field_index("vanished")
    longer = longer.set_column(column, "vanished", pa.array(vanished, pa.bool_()))
    return Line(longer, len(new), rewritten)


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
    return [_commit(objects, text) for text in printed.decode("ascii").split("\0") if text]


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
