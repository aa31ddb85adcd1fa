"""What is to be said of a file that was read?

In: what was found while its rows were understood. Out: Remarks, and one text of them for people.
Start at Remark.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal, NamedTuple

from history.counts import counted

# duplicate_entry: one key in several rows. hidden_letter: a key or name with letters that nobody
# sees. rows_left_out: of the file. odd_score: neither a number nor a usual text for none.
# ambiguous: a score with two readings. scale_mixed: one that may be a share of 1 among
# percentages. ignored: the definition says so. none_takes_part: no row does.
RemarkKind = Literal[
    "duplicate_entry",
    "hidden_letter",
    "rows_left_out",
    "odd_score",
    "ambiguous",
    "scale_mixed",
    "ignored",
    "none_takes_part",
]

MOST = 1_000  # kept of one version
_LETTERS = 1_000  # of a text that is kept
_SHOWN, _SHOWN_LETTERS = 5, 200  # of the one text for people


class Remark(NamedTuple):
    """Something in a file that is wrong, or noteworthy.

    Attributes:
        kind: what it is.
        entry: of which entry; None: of rows that are nobody's, or of the file.
        pointer: a cell that shows it; None where no single one does.
        text: one sentence.
    """

    kind: RemarkKind
    entry: str | None
    pointer: str | None
    text: str


def left_out(texts: Sequence[str]) -> list[Remark]:
    """What a reader left out."""
    return [Remark("rows_left_out", None, None, text) for text in texts]


def none_takes_part(size: int) -> Remark:
    """Of so many rows in a file.

    >>> none_takes_part(1).text
    '1 row, none takes part'
    """
    return Remark("none_takes_part", None, None, f"{counted(size, 'row')}, none takes part")


def kept(remarks: Sequence[Remark]) -> list[Remark]:
    """As many as are kept of one version, none of them longer than anybody reads.

    >>> kept([Remark("rows_left_out", None, None, "row 3 has 1 cell" + "!" * 2000)])[0].text[-5:]
    '!!...'
    """
    return [one._replace(text=_cut(one.text, _LETTERS)) for one in remarks[:MOST]]


def joined(remarks: Sequence[Remark]) -> str | None:
    """The first few in one text, and how many more there are; None if there are none.

    >>> joined(left_out([f"row {n} is short" for n in range(7)]))[-26:]
    'row 4 is short; and 2 more'
    """
    if not remarks:
        return None
    more = f"; and {len(remarks) - _SHOWN} more" if len(remarks) > _SHOWN else ""
    return "; ".join(_cut(one.text, _SHOWN_LETTERS) for one in remarks[:_SHOWN]) + more


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else f"{text[:most]}..."
