"""What do the files of a board say beside their rows: weights, constants, the formula block?

In: a Store, READINGS and the definition at each version. Out: FileValues per version. Start at
read_values(). A file is looked into only if the definition names a path, and equal files once.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from history.numbers import NO_UNIT, parse
from history.readers import Document, File, Memory, Unreadable, format_of
from history.readings.folders import documents

if TYPE_CHECKING:
    import pandas as pd

    from crawler.board import Board
    from crawler.store import Store
    from history.meaning import Meaning

_SHOWN = 60


@dataclass(frozen=True)
class FileValues:
    """What one version says at the paths of its definition.

    Attributes:
        texts: by path of [formula], what is printed there; None where nothing is.
        numbers: by path, the exact number; None where the text is no plain one. A printed weight
            counts as exact: a board computes with what it prints there, so rounding leaves
            nothing open.
        digest: first 12 digits of the SHA-256 of what stands at [edition] block, in one canonical
            form; None if nothing does.
    """

    texts: Mapping[str, str | None] = field(default_factory=dict)
    numbers: Mapping[str, Fraction | None] = field(default_factory=dict)
    digest: str | None = None

    def missing(self) -> str | None:
        """For people: the first path that gives no number, and what stands there."""
        for path, number in self.numbers.items():
            if number is None:
                text = self.texts[path]
                stands = "finds nothing" if text is None else f"finds {text[:_SHOWN]!r}, no number"
                return f"{path} {stands}"
        return None


NOTHING = FileValues()


def read_values(
    store: Store, board: Board, readings: pd.DataFrame, meanings: Mapping[int, Meaning]
) -> dict[int, FileValues]:
    """What every version that can be read says.

    Args:
        store, board: where the bytes are.
        readings: READINGS.
        meanings: the definition as it is at each version.

    Returns:
        By version; none for versions that cannot be read, or of whose files nothing is asked.

    Raises:
        StoreError: bytes are missing or damaged.
    """
    names = ("version", "path", "blob", "reading")
    rows = [
        row
        for row in zip(*(readings[name].tolist() for name in names), strict=True)
        if row[3] in ("read", "partial", "empty") and _asked(meanings[row[0]])
    ]
    if board.file_per_entry:
        said = documents(store, board, [(row[0], meanings[row[0]].table) for row in rows])
        return {
            row[0]: values_of(document, meanings[row[0]])
            for row, document in zip(rows, said, strict=True)
        }
    keys = [(blob, _format(path, meanings[v]), _asked(meanings[v])) for v, path, blob, _ in rows]
    first = dict(zip(reversed(keys), reversed(rows), strict=True))
    files = _files(store, board, [(row[2], row[1]) for row in first.values()])
    known = {
        key: _of_file(file, meanings[row[0]])
        for (key, row), file in zip(first.items(), files, strict=True)
    }
    return {row[0]: known[key] for row, key in zip(rows, keys, strict=True)}


def values_of(document: Document, meaning: Meaning) -> FileValues:
    """What one file says at the paths of a definition."""
    paths = meaning.formula.paths if meaning.formula else ()
    texts = {path: document.find(path) for path in paths}
    block = canonical(document.find(meaning.edition_block)) if meaning.edition_block else None
    digest = None if block is None else hashlib.sha256(block.encode()).hexdigest()[:12]
    return FileValues(texts, {path: number(text) for path, text in texts.items()}, digest)


def number(text: str | None) -> Fraction | None:
    """The exact number that a text prints, a percentage as a share; None for any other text.

    >>> number("0.6"), number("60 %"), number("six"), number("0.6 s"), number(None)
    (Fraction(3, 5), Fraction(3, 5), None, None, None)
    """
    printed = parse(text)
    if printed.value is None or printed.spread is not None or printed.unit is None:
        return None
    if printed.unit.name == "%":
        return Fraction(printed.value) / 100
    return Fraction(printed.value) if printed.unit == NO_UNIT else None


def canonical(text: str | None) -> str | None:
    """One form for equal blocks: keys sorted, no spaces, numbers as printed.

    >>> canonical('{"b": "0.60", "a": ["1"]}')
    '{"a":["1"],"b":"0.60"}'
    """
    if text is None:
        return None
    try:
        block: Any = json.loads(text)
    except (ValueError, RecursionError):
        block = text  # a single text
    return json.dumps(block, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def _asked(meaning: Meaning) -> tuple[str | None, ...]:
    """The paths that a definition names; none if it asks nothing of its files."""
    paths = meaning.formula.paths if meaning.formula else ()
    return (*paths, meaning.edition_block) if paths or meaning.edition_block else ()


def _format(path: Any, meaning: Meaning) -> str | None:
    return meaning.table.format or format_of(str(path))


def _files(store: Store, board: Board, wanted: list[tuple[str, str]]) -> Iterator[File]:
    memory: Memory = {}
    stream = store.blobs(board, [blob for blob, _ in wanted])
    for (_, path), (_, data) in zip(wanted, stream, strict=True):
        yield File(path, data, memory)


def _of_file(file: File, meaning: Meaning) -> FileValues:
    try:
        return values_of(file.document(meaning.table.format), meaning)
    except Unreadable:
        return NOTHING
