"""How was this server started?

`ranktrail dashboard` says it in the environment of the process that shows the pages. Start at
public() and every().
"""

from __future__ import annotations

import os
import re
from datetime import timedelta

from app.asking import age_of
from app.faults import UsageProblem

PUBLIC = "RANKTRAIL_PUBLIC"
EVERY = "RANKTRAIL_EVERY"
# A path from the root; not the rest of an address or of a relative path.
_PATH = re.compile(r"(?<![\w.:/~*])/(?P<first>[\w.-]+)(?:/[^\s:;,'\"`()<>|]*)?")


def public() -> bool:
    """Whether anybody may look: then nothing can be changed, and no page tells of this machine."""
    return os.environ.get(PUBLIC, "") not in ("", "0")


def every() -> timedelta | None:
    """How often the boards are crawled; None where nobody said it."""
    try:
        return age_of(os.environ.get(EVERY, "")) or None
    except UsageProblem:
        return None


def told(text: str) -> str:
    """A message about this machine as this server may tell it: in public, of a path its last part.

    Args:
        text: a message; what stands in a board's own files is not to be passed through here.
    """
    return without_paths(text) if public() else text


def without_paths(text: str) -> str:
    """A message without the folders of this machine.

    >>> without_paths("/etc/ranktrail/boards/x.toml: no such file; see docs/board.md, /rows/0/s")
    'x.toml: no such file; see docs/board.md, /rows/0/s'
    """
    return _PATH.sub(_last_part, text)


def _last_part(match: re.Match[str]) -> str:
    # A pointer into a file, such as /rows/0, looks the same; no folder here is called so.
    there = os.path.lexists(f"/{match['first']}")
    return match[0].rstrip("/").rpartition("/")[2] if there else match[0]
