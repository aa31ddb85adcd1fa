"""What is a model card, and what is found in one?

The records that the other modules of this package pass on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from history.claims.language.claim import Claim, Time

TABLE = "CARD.md"  # what the card is called beside a claims file


@dataclass(frozen=True, slots=True)
class CardFile:
    """One file of a model's repository: its bytes, and its address at the commit."""

    data: bytes = field(repr=False)
    address: str


@dataclass(frozen=True, slots=True)
class Card:
    """What a model's repository says of the model.

    Attributes:
        repo: OWNER/MODEL.
        commit: full id.
        said_at: time of the commit; None where it is not known.
        text: README.md; None where there is none.
        results: files of results, by path.
        left_out: files that were not read, and why.
    """

    repo: str
    commit: str
    said_at: Time | None
    text: CardFile | None
    results: Mapping[str, CardFile]
    left_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Result:
    """One number that a card prints.

    Attributes:
        dataset: what people call what was measured on.
        names: all names of it, the most exact first; one may be that of a board.
        metric: what was measured; may be empty.
        value: as printed, without a sign for percent.
        more: in which way: configuration, split, notes.
        address: of the file that prints it.
    """

    dataset: str
    names: tuple[str, ...]
    metric: str
    value: str
    more: tuple[str, ...]
    address: str


@dataclass(frozen=True, slots=True)
class Average:
    """A cell of a table that says it is the mean of others in its row.

    Attributes:
        subject: first cell of the row, as printed.
        header: of the column.
        columns: those that it is taken to be the mean of.
        value: as printed, without a sign for percent.
        line: where the table begins, for people.
        rows: which of several tables of the card it is, by its number; empty for the only one.
    """

    subject: str
    header: str
    columns: tuple[str, ...]
    value: str
    line: str
    rows: str


@dataclass(frozen=True, slots=True)
class Found:
    """What one file says, and what in it was left out and why."""

    results: tuple[Result, ...] = ()
    averages: tuple[Average, ...] = ()
    left_out: tuple[str, ...] = ()

    def __add__(self, other: Found) -> Found:
        return Found(
            self.results + other.results,
            self.averages + other.averages,
            self.left_out + other.left_out,
        )


@dataclass(frozen=True, slots=True)
class Draft:
    """Claims that a card makes.

    Attributes:
        claims: to be looked at by somebody before they count.
        left_out: what the card says that is not in them, and why; for people.
    """

    claims: tuple[Claim, ...]
    left_out: tuple[str, ...]

    @property
    def needs_card(self) -> bool:
        """Whether a claim is about a table of the card, so that it has to lie beside the file."""
        return any(claim.table for claim in self.claims)
