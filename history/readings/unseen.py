"""Which keys and names of a file hold letters that nobody sees?

In: keys and names as the file has them. Out: Remarks. Start at find().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from history.look_alikes import controls, hidden
from history.readers import Cells, trimmed
from history.readings.remarks import Remark


def find(
    keys: Sequence[str | None],
    entries: Sequence[str],
    kept: Sequence[int],
    score: Cells,
    names: Cells | None,
) -> list[Remark]:
    """All of them, row by row; the entries of their keys, then their names.

    A letter of no width makes two keys of what looks like one. In a name it only says where a
    line may break, so that of a name the control characters are told.

    Args:
        keys: of all rows; None where a row has none.
        entries: what the board calls them.
        kept: rows that take part.
        score: the column of the score; its cells stand for the rows.
        names: the column of the display names, if there is one.
    """
    return [*_in_keys(keys, entries, kept, score), *_in_names(keys, entries, kept, names)]


def _in_keys(
    keys: Sequence[str | None], entries: Sequence[str], kept: Sequence[int], score: Cells
) -> Iterator[Remark]:
    if _is_plain([keys[row] for row in kept]):
        return
    for row in kept:
        if (key := keys[row]) and (letters := hidden(key)):
            said = f"{trimmed(key)!r} is written with {', '.join(letters)}"
            yield Remark("hidden_letter", entries[row], score.pointers[row], said)


def _in_names(
    keys: Sequence[str | None], entries: Sequence[str], kept: Sequence[int], names: Cells | None
) -> Iterator[Remark]:
    if names is None or _is_plain([names.texts[row] for row in kept]):
        return
    for row in kept:
        name = names.texts[row]
        if name and name != keys[row] and (letters := controls(name)):
            said = f"the name of {entries[row]!r} is {trimmed(name)!r}, written with "
            said += ", ".join(letters)
            yield Remark("hidden_letter", entries[row], names.pointers[row], said)


def _is_plain(texts: Sequence[str | None]) -> bool:
    """Whether nothing has to be looked for, as mostly."""
    together = " ".join(filter(None, texts))
    return together.isascii() and together.isprintable()
