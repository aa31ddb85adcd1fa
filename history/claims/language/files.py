"""What does a file hold that a person named?

In: a path. Out: bytes. Only a regular file of some size is read: nothing that never ends.
"""

from __future__ import annotations

import stat
from pathlib import Path

MOST_BYTES = 32_000_000


def read_file(path: Path) -> bytes:
    """The bytes of a file.

    Raises:
        OSError: it cannot be read, or is no regular file, or too large; strerror says which.
        ValueError: a name that no file can have.
    """
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        raise OSError(0, "no regular file", str(path))
    if found.st_size > MOST_BYTES:
        raise OSError(0, f"{found.st_size:,} bytes; at most {MOST_BYTES:,} are read", str(path))
    return path.read_bytes()
