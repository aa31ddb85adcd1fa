"""How are the words of a card made fit for a claim?

Everything in a card was written by strangers: names may be long, empty or invisible, and what
looks like a number may be none.
"""

from __future__ import annotations

import hashlib
import re
from typing import Any

from history.claims.language.printed import number

LETTERS = 120  # of a name
_SLUG = 60
_DIGITS = 40  # letters of a number
_NUMBER = re.compile(r"[+\-\u2212]?\d[\d,]*(?:\.\d+)?")


def plain(value: Any) -> str:
    """A name on one line, without what cannot be seen, cut; empty if it is no text.

    >>> plain("GLUE\\n MRPC\\u200b"), plain(None), plain(["a"])
    ('GLUE MRPC', '', '')
    """
    if not isinstance(value, str):
        return ""
    seen = "".join(
        letter if letter.isprintable() else " " if letter.isspace() else ""
        for letter in value[: 10 * LETTERS]
    )
    line = " ".join(seen.split())
    return line if len(line) <= LETTERS else f"{line[:LETTERS]}..."


def slug(text: str) -> str:
    """A name as a board could have it.

    >>> slug("GLUE MRPC"), slug("cais/hle"), slug("\u6570\u5b66")
    ('glue-mrpc', 'cais-hle', 'dataset-872c1fa1')
    """
    words = re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")[:_SLUG].strip("-")
    return words or f"dataset-{hashlib.sha256(text.encode()).hexdigest()[:8]}"


def folded(text: str) -> str:
    """Letters and digits alone, for comparing names.

    >>> folded("**Fern-27B** (ours)")
    'fern27bours'
    """
    return "".join(letter for letter in text.casefold() if letter.isalnum())


def printed(value: Any) -> str | None:
    """A plain number as it was printed, without its sign for percent; None if it is none.

    >>> printed("81.20"), printed("81.2 %"), printed("1e-5"), printed("81.2 ± 0.4"), printed(True)
    ('81.20', '81.2', None, None, None)
    """
    if not isinstance(value, str):
        return None
    bare = value.strip().removesuffix("%").strip()
    if len(bare) > _DIGITS or not _NUMBER.fullmatch(bare):
        return None
    try:
        number(bare)
    except ValueError:
        return None
    return bare
