"""What is said of a board at one moment, and where each number of it stands?

In: nothing. Out: the shapes Standings and Cell, which BoardHistory fills. Start at Standings.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from history.moments import Moment

if TYPE_CHECKING:
    import pandas as pd

    from history.attributes import Attribute
    from history.ties import TieRule


@dataclass(frozen=True, slots=True)
class Cell:
    """One number, and where it stands.

    Attributes:
        commit: full commit id.
        committed_at: the committer's clock, UTC.
        path: file in the repository.
        pointer: place in the file (RFC 6901 or RFC 7111); None for a formula's result.
        text: as printed; None where the entry or the number is not there.
        entry: stable key.
        field: `score` or a part.
        label: measured, or reported where the history is a reconstruction.
    """

    board: str
    commit: str
    committed_at: pd.Timestamp
    path: str
    pointer: str | None
    text: str | None
    entry: str | None
    field: str
    label: str


@dataclass(frozen=True, slots=True)
class Standings:
    """A board as it stood at one moment.

    Attributes:
        moment: which version answers, and how sure that is.
        frame: RANKS of that version with parts and measures beside, best first, unranked last;
            no rows where the board was empty or absent.
        edition: the label that the file gives itself, or None.
        split: None is the board's own score.
        ties: the rule that made the tie ranks.
        band: printed width of the tie band in that version, or None.
        parts, measures: names of the columns that the definition has at that version: what the
            score is made of, and low, high, se, items.
        attributes: what the file says of the entries besides numbers, by name; in the order of
            `frame`.
        printed: whether the scores stand in the file; else they are computed from parts.
    """

    moment: Moment
    frame: pd.DataFrame
    edition: str | None
    split: str | None
    ties: TieRule
    band: str | None
    parts: tuple[str, ...]
    measures: tuple[str, ...]
    attributes: Mapping[str, Attribute]
    printed: bool

    @property
    def n_ranked(self) -> int:
        """Entries with a rank."""
        return int(self.frame["rank"].notna().sum())

    @property
    def n_unreadable(self) -> int:
        """Entries whose own file could not be read: ranks are those of the others."""
        return int((self.frame["unranked"] == "unreadable").sum())
