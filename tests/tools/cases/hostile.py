"""Which small files explode, run code or lie about what they are?

Out: bytes. Each function makes one.
"""

from __future__ import annotations

import io
import pickle
import zipfile


class _Touches:
    """What runs a command when it is unpickled."""

    def __init__(self, file: str):
        self._file = file

    def __reduce__(self) -> tuple[object, tuple[str]]:
        import os

        return os.system, (f"touch {self._file}",)


def pickled(file: str) -> bytes:
    """A pickle that makes a file when it is loaded."""
    return pickle.dumps(_Touches(file))


def tagged_yaml(file: str) -> bytes:
    """YAML that names a Python call which makes a file."""
    return f'!!python/object/apply:os.system ["touch {file}"]\n'.encode()


def zipped() -> bytes:
    """A zip archive with a table in it."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("board.json", '[{"model": "fern", "score": 80}]')
    return buffer.getvalue()


def deep_json() -> bytes:
    """200,000 opening brackets."""
    return b"[" * 200_000


def many_laughs() -> bytes:
    """YAML of nine levels of aliases: a list of 9 ** 9 items."""
    lines = ["a0: &a0 [lol, lol, lol, lol, lol, lol, lol, lol, lol]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 9)]
    return "\n".join(lines).encode()


def wide_cell() -> bytes:
    """An HTML table with a cell that claims a hundred million columns."""
    return (
        b"<table><tr><th>model</th><th>score</th></tr>"
        b"<tr><td colspan=100000000>fern</td><td>80</td></tr></table>"
    )


def many_rows() -> bytes:
    """Parquet of a few kB with 50 million equal rows."""
    import numpy as np
    import pyarrow as pa
    import pyarrow.parquet as pq

    indices = pa.array(np.zeros(50_000_000, dtype=np.int8))
    column = pa.DictionaryArray.from_arrays(indices, pa.array(["fern"]))
    buffer = io.BytesIO()
    pq.write_table(pa.table({"model": column, "score": column}), buffer, compression="zstd")
    return buffer.getvalue()


def many_columns() -> bytes:
    """CSV of one row with 300,000 columns."""
    header = ",".join(["model", "score", *(f"c{n}" for n in range(299_998))])
    return f"{header}\nfern,80{',1' * 299_998}\n".encode()
