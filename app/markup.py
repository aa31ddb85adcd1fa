"""How is a text put into Markdown so that none of its markup comes alive?

In: a text, or an address. Out: Markdown. Start at escaped().
"""

from __future__ import annotations

import re
from urllib.parse import quote

from app.tables import clean

_JOINER = "\u2060"
# What pages make of plain text: mentions, issues, addresses, and pictures of words.
_ALIVE = re.compile(
    r"(?<=@)(?=\w)|(?<=[#!])(?=\d)|(?i:(?<=:)(?=//)|(?<=www)(?=\.)|(?<=mailto)(?=:))"
    r"|(?<=:)(?=[\w+-]{0,40}[a-z][\w+-]{0,40}:)"
)


def escaped(text: str) -> str:
    r"""A text as Markdown that shows exactly that text, on one line.

    A word joiner, which has no width, stands where a page would make a link of plain text.

    >>> print(escaped("**b** <i> [x](y) a_b"))
    \*\*b\*\* \<i\> \[x\](y) a\_b
    """
    line = " ".join(clean(" ".join(text.split())).split())
    return re.sub(r"([\\`*_\[\]<>|~$&])", r"\\\1", _ALIVE.sub(_JOINER, line))


def safe_target(page: str) -> str:
    """An address that no sign in it ends."""
    return re.sub(r"[()<>\\\"'`]", lambda sign: quote(sign[0], safe=""), page)
