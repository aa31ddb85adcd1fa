"""What is in the columns of a table that nobody has described yet?

In: a Table. Out: a Fact per column. Start at facts_of(). Facts are counted, not guessed; what they
may mean is `history.propose.roles`.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import pairwise
from json import loads

from history.numbers.column import read_column
from history.readers import Cells, Table, Unreadable
from history.readers.folder import FolderTable

MAX_COLUMNS = 400
_DEEPEST = 4  # steps into a file with one entry
_SAMPLE = 20  # rows of which the deeper keys are taken
_LINK = re.compile(r"https?://", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z]{2})(?=[A-Z])")  # between the words of LogLoss
_DATE = re.compile(r"\d{4}-\d{1,2}(?:-\d{1,2})?(?:[T ].*)?|\d{1,2}[./]\d{1,2}[./]\d{2,4}")


@dataclass(frozen=True)
class Fact:
    """One column of one table, counted.

    Attributes:
        column: as a definition names it.
        texts: what is printed, by row; None where nothing is.
        numbers: by row; None where there is none.
        filled: share of rows that have a text.
        numeric: share of rows that have a number.
        distinct: different texts as a share of the rows that have one.
        words: share of the texts that are neither numbers, links nor dates.
        rises, falls: share of steps from a number to the next that do not fall, or do not rise.
        varied: how many different numbers there are.
        title: what the header prints, where the column goes by its number.
    """

    column: str
    texts: Sequence[str | None]
    numbers: Sequence[float | None]
    filled: float
    numeric: float
    distinct: float
    words: float
    rises: float
    falls: float
    varied: int
    title: str = ""

    @property
    def name(self) -> str:
        """Its own name in lower case and plain letters.

        >>> fact("/validation/Overall Acc.", ["1"]).name
        'overall acc'
        """
        if self.column.startswith("#") and self.column[1:].isdecimal():
            return _plain(self.title)
        return _plain(self.last_name)

    @property
    def last_name(self) -> str:
        """Its own name as the file prints it, without what it stands in."""
        if not self.column.startswith("/"):
            return self.column
        return self.column.rpartition("/")[2].replace("~1", "/").replace("~0", "~")

    @property
    def count(self) -> int:
        """How many rows have a number."""
        return sum(number is not None for number in self.numbers)

    @property
    def path(self) -> str:
        """The names of all that it stands in, and its own."""
        return _plain(self.column)

    @property
    def counts_rows(self) -> bool:
        """Whether it is nothing but 1, 2, 3, ... or 0, 1, 2, ..., now and then with a gap."""
        known = [number for number in self.numbers if number is not None]
        return (
            len(known) > 2
            and self.numeric > 0.9
            and known[0] in (0, 1)
            and known[-1] < 1.5 * len(known)
            and all(b > a and b == int(b) for a, b in pairwise(known))
        )


def facts_of(table: Table, also: Sequence[str] = ()) -> list[Fact]:
    """A Fact per column, in the table's order; wide tables are cut off.

    Args:
        table: the rows.
        also: columns that somebody named; paths lead deeper than is looked by itself.

    >>> from history.readers import parse
    >>> [f.column for f in facts_of(parse("csv", b"model,score\\nfern,81\\n").table())]
    ['model', 'score']
    """
    titles = _titles(table)
    facts = [fact(name, cells.texts, titles.get(name, "")) for name, cells in columns_of(table)]
    for path in also:
        if path.startswith(("/", "$")) and named(facts, path) is None:
            with suppress(Unreadable):
                if (cells := table.inside(path)) is not None:
                    facts.append(fact(path, cells.texts))
    return facts


def named(facts: Sequence[Fact], text: str) -> Fact | None:
    """The column that somebody means: by its name in a definition, as a path, or by its last name.

    >>> facts = [fact("/test/acc", ["1"]), fact("/dev/acc", ["2"]), fact("/dev/f1", ["3"])]
    >>> [getattr(named(facts, text), "column", None) for text in ("test.acc", "f1", "acc")]
    ['/test/acc', '/dev/f1', None]
    """
    for one in facts:
        dotted = one.column.lstrip("/").replace("/", ".")
        if text in (one.column, dotted, f"$.{dotted}"):
            return one
    last = [one for one in facts if one.column.startswith("/") and one.last_name == text]
    return last[0] if len(last) == 1 else None


def columns_of(table: Table) -> list[tuple[str, Cells]]:
    """Columns by the names that a definition would use; of two with one name, by number."""
    found: list[tuple[str, Cells]] = []
    header = getattr(table, "header", None)
    if header is not None:
        for number, name in enumerate(header[:MAX_COLUMNS], 1):
            try:
                cells = table.numbered(number)
            except Unreadable:  # one of several tables in a text; its rows do not fit
                return []
            if cells is not None:
                plain = name and list(header).count(name) == 1
                found.append((name if plain else f"#{number}", cells))
        return found
    names = table.names()[:MAX_COLUMNS]
    for name in names:  # it grows by what stands deeper
        try:
            cells = table.inside(name) if name.startswith("/") else table.literal(name)
        except Unreadable:
            continue
        if cells is None:
            continue
        if not _nested(cells.texts):
            found.append((name, cells))
        elif name.startswith("/") and isinstance(table, FolderTable) and name.count("/") < _DEEPEST:
            names += _deeper(name, cells.texts)[: MAX_COLUMNS - len(names)]
    return found


def _titles(table: Table) -> dict[str, str]:
    """What the header prints over each column, by the column's number."""
    header: Sequence[str] = getattr(table, "header", None) or ()
    return {f"#{number}": name for number, name in enumerate(header[:MAX_COLUMNS], 1)}


def _deeper(path: str, texts: Sequence[str | None]) -> list[str]:
    """What stands one level deeper in a file with one entry; such files often nest their results."""
    keys = {
        key: None for text in texts[:_SAMPLE] if text and text[:1] == "{" for key in loads(text)
    }
    return [f"{path}/{key.replace('~', '~0').replace('/', '~1')}" for key in keys]


def fact(column: str, texts: Sequence[str | None], title: str = "") -> Fact:
    """Count one column."""
    rows = max(len(texts), 1)
    said = [text.strip() for text in texts if text and text.strip()]
    values = read_column(texts).values
    numbers = [None if value != value else value for value in values]
    known = [number for number in numbers if number is not None]
    steps = list(pairwise(known))
    plain = sum(not (_LINK.match(text) or _DATE.fullmatch(text)) for text in said)
    return Fact(
        column=column,
        texts=texts,
        numbers=numbers,
        filled=len(said) / rows,
        numeric=len(known) / rows,
        distinct=len(set(said)) / max(len(said), 1),
        words=max(plain - len(known), 0) / max(len(said), 1),
        rises=sum(b >= a for a, b in steps) / max(len(steps), 1),
        falls=sum(b <= a for a, b in steps) / max(len(steps), 1),
        varied=len(set(known)),
        title=title,
    )


def _plain(text: str) -> str:
    return " ".join(re.findall(r"[^\W_]+|\+", _HUMP.sub(" ", text).casefold()))


def _nested(texts: Sequence[str | None]) -> bool:
    """Whether a column holds lists or objects, written out."""
    return all(text is None or text[:1] in "{[" for text in texts)
