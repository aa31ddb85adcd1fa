"""How does a table fit the width that there is?

In: texts in rows. Out: a Grid, which becomes lines when the width is known: times and numbers
are never broken, long texts are folded at their spaces, and what does not fit is left out and
named. Start at table().
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

TIME = re.compile(r"(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2}):\d{2}Z")
LONG = re.compile(r"(?<![\w.])[-+]?\d+\.\d+(?![\w.])")
MOST_DIGITS = 9  # of a number that is shown as it stands
LEAST_DIGITS = 6  # that a rounded number keeps
LEAST_ENTRY = 24  # letters of an entry on a line
LONGEST_WORD = 40  # letters; longer words are broken
LEAST_PROSE = 16
# A line ends at a space; inside a name that is too long for it behind / _ -, but not in a date.
PIECE = re.compile(r".+?(?:\s+|[/_](?=\S)|-(?=[^\s\d])|$)")
PROSE = 100  # letters of other folded texts on a line, however wide the page is
GAP = 2  # spaces between columns


@dataclass(frozen=True)
class Grid:
    """A table before its width is known. Columns are named by their places: a name can come twice.

    Attributes:
        header: column names.
        rows: cells as text.
        right: columns of numbers, aligned to the right.
        folds: columns whose texts may be folded, that of the entries last.
        spare: columns that may be left out, the least important first.
        whole: where everything is, if columns are left out.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    right: frozenset[int]
    folds: Sequence[int]
    spare: Sequence[int]
    whole: str

    def blocks(self, width: int) -> Iterator[Any]:
        """What to print on a page of this width: a table of rich, perhaps a line of text."""
        from rich import box
        from rich.table import Table
        from rich.text import Text

        widths = fitted(self, width)
        made = Table(
            box=box.SIMPLE_HEAD,
            padding=(0, 1, 0, 0),
            pad_edge=False,
            show_edge=False,
            header_style="bold",
        )
        for column, wide in widths.items():
            made.add_column(
                Text(self.header[column]),
                justify="right" if column in self.right else "left",
                overflow="fold",
                min_width=wide,
                max_width=wide,
            )
        for row in self.rows:
            made.add_row(
                *[
                    Text(folded(row[n], wide) if n in self.folds else row[n])
                    for n, wide in widths.items()
                ]
            )
        yield made
        if gone := [name for n, name in enumerate(self.header) if n not in widths]:
            columns = f"{len(gone)} column{'s' if len(gone) > 1 else ''}"
            yield f"{columns} left out ({', '.join(gone)}): {self.whole}"


def table(
    header: Sequence[str],
    rows: Iterable[Sequence[Any]],
    *,
    right: Iterable[str] = (),
    folds: Sequence[str] = (),
    spare: Sequence[str] = (),
    whole: str = "--csv has all",
) -> Grid:
    """A table for people.

    A time is shown to the minute, without the T and Z, and its heading says (UTC). A number of
    more than nine digits is rounded, see told_apart().

    Args:
        header: column names.
        rows: cells; None is shown as an empty cell.
        right: names of the columns to align to the right (numbers).
        folds: names of the columns that may be folded, that of the entries last.
        spare: names of the columns that may be left out, the least important first.
        whole: where everything is, if columns are left out.

    >>> made = table(["at", "score"], [["2026-03-04T08:00:59Z", "81.20000000001"]], right=["score"])
    >>> made.header, made.rows
    (['at (UTC)', 'score'], [['2026-03-04 08:00', '81.2000']])
    """
    names = [clean(name) for name in header]
    cells = [["" if cell is None else clean(str(cell)) for cell in row] for row in rows]
    columns = [list(column) for column in zip(*cells, strict=True)]
    to_right = frozenset(n for n, name in enumerate(header) if name in set(right))
    for n, column in enumerate(columns):
        if n in to_right:
            columns[n] = told_apart(column)
        elif any(TIME.fullmatch(cell) for cell in column):
            columns[n] = [TIME.sub(r"\1 \2", cell) for cell in column]
            names[n] = f"{names[n]} (UTC)"
    places = {name: n for n, name in enumerate(header)}
    return Grid(
        names,
        [list(row) for row in zip(*columns, strict=True)],
        to_right,
        [places[name] for name in folds if name in places],
        [places[name] for name in spare if name in places],
        whole,
    )


def fitted(grid: Grid, width: int) -> dict[int, int]:
    """The columns that stay, with the width of each.

    First headings are folded at their spaces and long texts down to what their words need, then
    columns are left out; what room is left then goes to the texts. Where even that is too much,
    the entries give way, and at last the table is wider than the page.

    Args:
        grid: the table.
        width: cells of the page.
    """
    from rich.cells import cell_len

    full, least = {}, {}
    for n, name in enumerate(grid.header):
        cells = [row[n] for row in grid.rows]
        longest = max(map(cell_len, cells), default=0)
        heading = max(map(cell_len, name.split()), default=0)
        full[n], least[n] = max(longest, cell_len(name)), max(longest, heading)
        if n in grid.folds:
            word = max(
                (cell_len(one.rstrip()) for cell in cells for one in PIECE.findall(cell)), default=0
            )
            entry = n == grid.folds[-1]
            if not entry:
                full[n] = min(full[n], PROSE)
            floor = LEAST_ENTRY if entry else LEAST_PROSE
            least[n] = min(full[n], max(floor, min(word, LONGEST_WORD), heading))
    kept = list(range(len(grid.header)))
    for n in grid.spare:
        if _taken(least, kept) <= width:
            break
        kept.remove(n)
    widths = {n: least[n] for n in kept}
    for n in [*(n for n in kept if n not in grid.folds), *reversed(grid.folds)]:
        if n in widths:
            room = width - _taken(widths, kept)
            widths[n] += max(0, min(room, full[n] - widths[n]))
    over = _taken(widths, kept) - width
    for n in grid.folds:
        if over > 0 and n in widths:
            narrow = max(min(widths[n], LEAST_PROSE), widths[n] - over)
            over -= widths[n] - narrow
            widths[n] = narrow
    return widths


def _taken(widths: dict[int, int], kept: Sequence[int]) -> int:
    return sum(widths[n] for n in kept) + GAP * (len(kept) - 1)


def folded(text: str, width: int) -> str:
    r"""A text in lines of at most `width` cells; only a word that is longer is broken.

    >>> folded("openrouter/anthropic/claude-3-opus (joined)", 20)
    'openrouter/\nanthropic/claude-3-\nopus (joined)'
    """
    from rich.cells import cell_len, chop_cells

    lines = [""]
    pieces = (
        piece
        for word in re.findall(r"\S+\s*|\s+", text)
        for piece in ([word] if cell_len(word.rstrip()) <= width else PIECE.findall(word))
    )
    for piece in pieces:
        if lines[-1] and cell_len(lines[-1] + piece.rstrip()) > width:
            lines.append("")
        *heads, rest = chop_cells(piece, width) if cell_len(piece.rstrip()) > width else [piece]
        lines[-1:] = [*heads, lines[-1] + rest]
    return "\n".join(line.rstrip() for line in lines)


def told_apart(texts: Sequence[str]) -> list[str]:
    """Numbers as people can read them: what has over nine digits is rounded.

    All get the decimals with which each keeps six digits and different ones stay different.
    The JSON and the CSV have every digit.

    >>> told_apart(["1492.0464937622653", "1492.0464121", "71.2", "n/a"])
    ['1492.0465', '1492.0464', '71.2', 'n/a']
    """
    long = {text: number for text in texts if (number := _long(text)) is not None}
    if not long:
        return list(texts)
    others = {text for text in texts if text not in long}
    different = len(set(long.values()))
    for decimals in range(max(_decimals_needed(number) for number in long.values()), 40):
        shown = {text: f"{number:.{decimals}f}" for text, number in long.items()}
        if len(set(shown.values()) | others) >= different + len(others):
            # A text can have fewer decimals than that: then it is as short as it can be.
            return [min(shown[text], text, key=len) if text in shown else text for text in texts]
    return list(texts)


def readable(sentence: str) -> str:
    """A sentence with its long numbers rounded, those that differ still different.

    >>> readable("ranked 4 by 1492.0464937622653, not by 1492.0474937622653 of v1.2.34567890123")
    'ranked 4 by 1492.046, not by 1492.047 of v1.2.34567890123'
    """
    found = LONG.findall(sentence)
    shown = dict(zip(found, told_apart(found), strict=True))
    return LONG.sub(lambda match: shown[match[0]], sentence)


def _long(text: str) -> Decimal | None:
    if not LONG.fullmatch(text):
        return None
    try:
        number = Decimal(text)
    except InvalidOperation:
        return None
    return number if len(number.as_tuple().digits) > MOST_DIGITS else None


def _decimals_needed(number: Decimal) -> int:
    return max(0, LEAST_DIGITS - 1 - number.adjusted()) if number else 0


def clean(text: str) -> str:
    r"""Text that cannot steer a terminal: control and direction marks become escapes.

    >>> clean("a\x1b[31mb\u202ec")
    'a\\x1b[31mb\\u202ec'
    """
    if text.isprintable():
        return text
    return "".join(
        char
        if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Zl", "Zp") or char == "\u200d"
        else char.encode("unicode_escape").decode("ascii")
        for char in text
    )
