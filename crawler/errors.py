"""What is wrong, where, and what to do about it?

Every error of ours is one line. Each stage has its own class beside the code that raises it; what
they share, and the exit code that each means, is here.
"""

from __future__ import annotations

from typing import ClassVar


class RanktrailError(Exception):
    """Something that a person can do something about.

    Attributes:
        where: file, board, commit, address or option.
        found: what stands there.
        fix: what to do.
        exit_code: 1 it could not be done, 2 it was typed wrong, 6 another run is at work.

    >>> print(RanktrailError("a/board.toml:3", "unknown key 'pahts'", "Did you mean paths?"))
    a/board.toml:3: unknown key 'pahts'. Did you mean paths?
    """

    exit_code: ClassVar[int] = 1

    def __init__(self, where: str, found: str, fix: str):
        self.where, self.found, self.fix = where, found, fix
        super().__init__(f"{where}: {found}. {fix}" + ("" if fix.endswith("?") else "."))


class TypedError(RanktrailError):
    """What the user typed cannot be used: a name, a moment, a definition, a claim."""

    exit_code = 2
