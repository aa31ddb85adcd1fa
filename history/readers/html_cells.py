"""Which cells does one HTML table hold?

In: a `<table>` of a parsed page. Out: its header and rows, every one a list of Spots, with spans
filled in. Start at cut(). A cell shows the text of all its elements but the tables inside it,
which are tables of their own.
"""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, NamedTuple

from history.readers import Unreadable, trimmed
from history.readers.limits import MAX_CELLS, Deadline

BREAK = "\u2028"  # what a `<br>` is until white space is one space
MOST_LINES = 65_535  # that the library counts; further down it says this number, and LINE is set
LINE = "data-line"
# A number, and a raised text that cannot belong to it otherwise.
_AFTER = re.compile(r"[\d%)]\s*$")
_MARK = re.compile(r"\s*(?:\d|[a-z]\s*$)")
_FEW = 8  # pieces of a raised text
# The widest spans that a browser obeys (HTML standard, 4.9.11).
_MOST_COLUMNS, _MOST_ROWS = 1_000, 65_534
_MOST_LETTERS = 4_000_000  # of a table; those of a cell inside another count twice
_OFTEN = 1024  # cells between two looks at the clock


class Spot(NamedTuple):
    """One cell, or a place that it covers.

    Attributes:
        text: what it shows.
        line: line of its start tag, from 1.
        number: which cell of its row it is, from 1, as written.
    """

    text: str
    line: int
    number: int


@dataclass(slots=True)
class Row:
    """One row.

    Attributes:
        line: line of the file where it begins.
        heads: whether it stands in `<thead>`.
        spots: its cells, and what spans of earlier ones put between them.
        titles: how many columns it covers, if it is a single cell over several; else 0.
        plain: whether one of its cells is a `<td>`.
    """

    line: int
    heads: bool
    spots: list[Spot] = field(default_factory=list)
    titles: int = 0
    plain: bool = False

    def texts(self) -> list[str]:
        """What the cells show."""
        return [spot.text for spot in self.spots]


def shown(text: str) -> str:
    """A text as it is shown: white space is one space, a break a line end.

    >>> shown(" fern \\n v2\\u2028 (open)\\u00a0")
    'fern v2\\n(open)'
    """
    if BREAK not in text:
        return trimmed(" ".join(text.split()))
    lines = [trimmed(" ".join(line.split())) for line in text.split(BREAK)]
    return "\n".join(line for line in lines if line)


def mark(before: str, raised: str) -> str:
    """What goes before a raised text, so that a footnote's 1 is no digit of the number before it.

    >>> [before + mark(before, raised) + raised for before, raised in (("71.2", "1"), ("1", "st"))]
    ['71.2^1', '1st']
    """
    return "^" if _AFTER.search(before) and _MARK.match(raised) else ""


def _mark_footnotes(table: Any) -> None:
    """Put a ^ into each `<sup>` that is a footnote mark."""
    for raised in table.iter("sup"):
        before, said = raised.getprevious(), "".join(islice(raised.itertext(), _FEW))
        text = raised.getparent().text if before is None else before.tail
        if before is not None and not text:  # <b>71.2</b><sup>1</sup>
            text = "".join(islice(before.itertext(), _FEW))
        raised.text = mark(text or "", said) + (raised.text or "")


def cut(table: Any, deadline: Deadline) -> tuple[list[Row], list[Row]]:
    """The header rows of a table, and the rows below them.

    The header is what stands in `<thead>`; without it the rows at the top that have `<th>` only;
    without them the first row. A row at the top that is a single cell over several columns is a
    title and goes; further down it is kept, marked as such.

    Args:
        table: an lxml element. Tables inside it are empty by now.
        deadline: when to give up.

    Raises:
        Unreadable: too_large, too_slow.
    """
    _mark_footnotes(table)
    rows = _filled(_written(table, deadline))
    while len(rows) > 1 and rows[0].titles:
        rows = rows[1:]
    first = rows[0] if rows else None
    if first is None:
        return [], []
    size = 1
    if first.heads:
        size = _leading([row.heads for row in rows])
    elif not first.plain:
        size = _leading([not row.plain and not row.titles for row in rows])
    return rows[:size], rows[size:]


def names(header: list[Row]) -> list[str]:
    """Names of the columns: the lowest text over each, joined with those above where it repeats.

    >>> top = Row(1, True, [Spot("model", 1, 1), Spot("dev", 1, 2), Spot("test", 1, 3)])
    >>> low = Row(2, True, [Spot("model", 1, 1), Spot("score", 2, 1), Spot("score", 2, 2)])
    >>> names([top, low])
    ['model', 'dev score', 'test score']
    """
    width = max((len(row.spots) for row in header), default=0)
    stacks: list[list[str]] = []
    for column in range(width):
        spots = [row.spots[column] for row in header if column < len(row.spots)]
        # A cell that spans rows says its text once.
        once = dict.fromkeys(spot for spot in spots if spot.text)
        stacks.append([spot.text.replace("\n", " ") for spot in once])
    lowest = [stack[-1] if stack else "" for stack in stacks]
    often = Counter(lowest)
    return [
        " ".join(stack) if often[name] > 1 else name
        for name, stack in zip(lowest, stacks, strict=True)
    ]


class _Written(NamedTuple):
    """One row as written: it, and its cells with the columns and rows that each covers."""

    row: Row
    cells: list[tuple[Spot, int, int]]


def _written(table: Any, deadline: Deadline) -> list[_Written]:
    rows: list[_Written] = []
    letters = 0
    holder = None  # the element whose cells go into the last row
    for number, element in enumerate(table.iter("tr", "td", "th")):
        if number % _OFTEN == 0:
            deadline.check("the tables of the page are cut")
        if element.tag == "tr":
            holder = element
            rows.append(_Written(_row(element), []))
            continue
        owner = element.getparent()
        if owner is not holder:
            owner = next(element.iterancestors("tr", "table", "thead", "tbody", "tfoot"))
            if owner is not holder:  # cells that no `<tr>` holds are a row, too
                holder = owner
                rows.append(_Written(_row(element), []))
        row, cells = rows[-1]
        text = _text(element)
        if (letters := letters + len(text)) > _MOST_LETTERS:
            raise Unreadable("too_large", f"more than {_MOST_LETTERS:,} letters in one table")
        spot = Spot(shown(text), line_of(element), len(cells) + 1)
        across = _span(element.get("colspan"), _MOST_COLUMNS)
        down = _span(element.get("rowspan"), _MOST_ROWS)
        row.plain = row.plain or element.tag == "td"
        cells.append((spot, max(across, 1), down))
    return [written for written in rows if written.cells]


def _row(element: Any) -> Row:
    parent = element.getparent()
    heads = "thead" in (parent.tag, element.tag)
    return Row(line_of(element), heads)


def _filled(rows: list[_Written]) -> list[Row]:
    """The rows with every cell at all the places that it covers."""
    covered: dict[int, tuple[Spot, int]] = {}  # column -> what comes down, rows still to cover
    total = 0
    for number, (row, cells) in enumerate(rows):
        if not covered and all(across == down == 1 for _, across, down in cells):
            row.spots = [spot for spot, _, _ in cells]
            total += len(cells)
            continue
        if len(cells) == 1 and cells[0][1] > 1 and not covered:
            row.titles, row.spots = cells[0][1], [cells[0][0]]
            continue
        left = len(rows) - number - 1
        spots = row.spots
        below: dict[int, tuple[Spot, int]] = {}
        for spot, across, down in cells:
            _come_down(spots, covered, below)
            more = min(down - 1, left) if down else left  # 0: as far as the table goes
            for _ in range(across):
                if more:
                    below[len(spots)] = spot, more
                covered.pop(len(spots), None)
                spots.append(spot)
        while covered:
            if len(spots) not in covered:
                spots.append(Spot("", row.line, len(cells)))
            _come_down(spots, covered, below)
        covered = below
        total += len(spots)
        if total > MAX_CELLS:
            raise Unreadable("too_large", f"{total:,} cells; at most {MAX_CELLS:,} are read")
    return [row for row, _ in rows]


def _come_down(
    spots: list[Spot],
    covered: dict[int, tuple[Spot, int]],
    below: dict[int, tuple[Spot, int]],
) -> None:
    """Take the cells from above that cover the next places of a row."""
    while (column := len(spots)) in covered:
        spot, rows = covered.pop(column)
        spots.append(spot)
        if rows > 1:
            below[column] = spot, rows - 1


def _text(element: Any) -> str:
    return "".join(element.itertext()) if len(element) else element.text or ""


def _span(text: str | None, most: int) -> int:
    """How far a cell reaches; what is no number reaches over one."""
    if text is None:
        return 1
    digits = text.strip()
    return min(int(digits[:9]), most) if digits.isdecimal() and digits.isascii() else 1


def line_of(element: Any) -> int:
    """The line of an element's start tag, from 1."""
    line: int = element.sourceline or 1
    return line if line < MOST_LINES else int(element.get(LINE, MOST_LINES))


def _leading(truths: list[bool]) -> int:
    return next((number for number, true in enumerate(truths) if not true), len(truths))
