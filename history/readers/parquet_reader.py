"""Which rows does a Parquet file hold?

In: bytes. Out: a GridDocument of one table. Start at parse(). Columns become text only when they
are asked for: what a reader of the file would print, with the fewest digits that tell the value
from its neighbours. A pointer counts rows from 0, as `pandas.read_parquet(...).iloc` does.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

from history.readers import Cells, Unreadable
from history.readers.grid import MAX_COLUMNS, GridDocument, number_of
from history.readers.limits import MAX_CELLS, check_rows
from history.readers.tree import escaped, pointer_steps, simple_path

MAX_UNPACKED = 256 * 1024 * 1024
_THRIFT = 8 * 1024 * 1024  # bytes of one text, and items of one list, in the footer
_WRONG = (pa.ArrowException, OSError, ValueError, NotImplementedError, KeyError)
_SHOWN = 200  # letters of what the library says


class ParquetTable:
    """The rows of one file; see `history.readers.Table`.

    A column that holds structures is asked for by the path of what is inside, `/a/b`. Lists and
    deeper structures hold no cells.
    """

    keys: list[str] | None = None
    named: Sequence[str] = ()
    unreadable: Unreadable | None = None
    pointer = "row=0-*"

    def __init__(self, schema: pa.Schema, table: pa.Table):
        self._names: list[str] = schema.names
        self._types: list[pa.DataType] = schema.types
        self._table = table
        self.places: Sequence[int] = range(table.num_rows)
        self.left_out: list[str] = []

    def names(self) -> list[str]:
        """Names of columns, and paths of what stands inside structures."""
        names: list[str] = []
        for name, type_ in zip(self._names, self._types, strict=True):
            if pa.types.is_struct(type_):
                inner = [field.name for field in type_ if _flat(field.type)]
                names += [f"/{escaped(name)}/{escaped(field)}" for field in inner]
            elif _flat(type_) and name:
                names.append(name)
        return names

    def literal(self, name: str) -> Cells | None:
        """The column of exactly this name.

        Raises:
            Unreadable: two columns have that name, or it holds no text.
        """
        number = number_of(name, self._names)
        return None if number is None else self.numbered(number)

    def inside(self, path: str) -> Cells | None:
        """What a JSON pointer or a JSONPath of plain keys finds inside each row."""
        steps = pointer_steps(path) if path.startswith("/") else simple_path(path)
        if steps is None or len(steps) not in (1, 2) or self._names.count(steps[0]) != 1:
            return None
        if len(steps) == 1:
            return self.literal(steps[0])
        type_ = self._types[self._names.index(steps[0])]
        if not pa.types.is_struct(type_) or type_.get_field_index(steps[1]) < 0:
            return None
        if not _flat(type_.field(steps[1]).type):
            return None
        place = type_.get_field_index(steps[1])
        chunks = [chunk.flatten()[place] for chunk in self._column(steps[0])]
        return self._cells(chunks, "".join("/" + escaped(step) for step in steps))

    def numbered(self, number: int) -> Cells | None:
        """One column."""
        if not 1 <= number <= len(self._names) or not _flat(self._types[number - 1]):
            return None
        name = self._names[number - 1]
        return self._cells(self._column(name, self._names[: number - 1].count(name)), name)

    def _column(self, name: str, which: int = 0) -> list[pa.Array]:
        """One of the columns of a name; lists are not in the table that was read."""
        return self._table.column(self._table.schema.get_all_field_indices(name)[which]).chunks

    def _cells(self, chunks: Sequence[pa.Array], name: str) -> Cells:
        try:
            texts = list(_texts(chunks))
        except _WRONG as error:
            raise Unreadable("invalid_parquet", f"column {name!r}: {_said(error)}") from None
        return Cells(texts, _pointers(len(texts), name))


def parse(data: bytes) -> GridDocument:
    """Read a Parquet file.

    Args:
        data: the file as published.

    Raises:
        Unreadable: it is no Parquet, is encrypted, or asks for too much.

    >>> file = pa.BufferOutputStream()
    >>> pq.write_table(pa.table({"model": ["fern"], "score": [81.2]}), file)
    >>> parse(file.getvalue().to_pybytes()).table().literal("score")
    Cells(texts=['81.2'], pointers=('row=0;col=score',), lines=None)
    """
    try:
        return GridDocument([_table(data)])
    except _WRONG as error:
        raise Unreadable("invalid_parquet", _said(error)) from None


def _table(data: bytes) -> ParquetTable:
    options = {"thrift_string_size_limit": _THRIFT, "thrift_container_size_limit": _THRIFT}
    source = pa.BufferReader(data)
    file = pq.ParquetFile(source, **options)
    schema, metadata = file.schema_arrow, file.metadata
    if len(schema) > MAX_COLUMNS:
        raise Unreadable("too_large", f"{len(schema):,} columns; at most {MAX_COLUMNS:,} are read")
    check_rows(metadata.num_rows)
    names = [field.name for field in schema if _holds_cells(field.type)]
    leaves = _leaves_of(schema, set(names))
    if (cells := metadata.num_rows * len(leaves)) > MAX_CELLS:
        raise Unreadable("too_large", f"{cells:,} cells; at most {MAX_CELLS:,} are read")
    # Not column by column: pyarrow ends the process if what is said of one is wrong.
    groups = range(metadata.num_row_groups)
    unpacked = sum(metadata.row_group(number).total_byte_size for number in groups)
    if unpacked > MAX_UNPACKED:
        found = f"{unpacked:,} bytes when unpacked; at most {MAX_UNPACKED:,} are read"
        raise Unreadable("too_large", found)
    # A text that stands in a dictionary once must not be written out for every row.
    texts = [file.schema.column(n) for n in leaves]
    shared = [one.path for one in texts if one.physical_type == "BYTE_ARRAY"]
    file = pq.ParquetFile(source, metadata=metadata, read_dictionary=shared, **options)
    table = file.read(columns=names, use_threads=False)
    table.validate(full=True)  # places in dictionaries and texts are the file's word
    return ParquetTable(schema, table)


def _leaves_of(schema: pa.Schema, names: set[str]) -> list[int]:
    """Numbers of what the file stores for the columns of some names."""
    chosen: list[int] = []
    first = 0
    for field in schema:
        size = _leaves(field.type)
        if field.name in names:
            chosen += range(first, first + size)
        first += size
    return chosen


def _leaves(type_: pa.DataType) -> int:
    if not pa.types.is_nested(type_):
        return 1
    return sum(_leaves(type_.field(number).type) for number in range(type_.num_fields))


def _holds_cells(type_: pa.DataType) -> bool:
    if pa.types.is_struct(type_):
        return any(_flat(field.type) for field in type_)
    return _flat(type_)


def _flat(type_: pa.DataType) -> bool:
    return not (pa.types.is_nested(type_) or pa.types.is_interval(type_))


def _texts(chunks: Sequence[pa.Array]) -> Iterator[str | None]:
    """The values of a column as text; None for null."""
    for chunk in chunks:
        array = chunk.storage if isinstance(chunk, pa.ExtensionArray) else chunk
        if pa.types.is_dictionary(array.type):
            known = _texts_of(array.dictionary)
            yield from (None if n is None else known[n] for n in array.indices.to_pylist())
        else:
            yield from _texts_of(array)


def _texts_of(array: pa.Array) -> Sequence[str | None]:
    type_, types = array.type, pa.types
    if types.is_null(type_):
        return [None] * len(array)
    if types.is_float64(type_):
        return [None if value is None else repr(value) for value in array.to_pylist()]
    if types.is_floating(type_):
        narrow = np.float32 if types.is_float32(type_) else np.float16
        return [None if value is None else str(narrow(value)) for value in array.to_pylist()]
    if types.is_decimal(type_):
        return [None if value is None else f"{value:f}" for value in array.to_pylist()]
    texts: list[str | None] = array.cast(pa.string()).to_pylist()
    if types.is_timestamp(type_):
        return [text and text.replace(" ", "T") for text in texts]
    return texts


@lru_cache(maxsize=256)
def _pointers(size: int, name: str) -> tuple[str, ...]:
    return tuple(f"row={row};col={name}" for row in range(size))


def _said(error: BaseException) -> str:
    lines = str(error).strip().splitlines()
    return (lines[0] if lines else type(error).__name__)[:_SHOWN]
