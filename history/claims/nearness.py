"""Is a gap between printed scores within a tie band, whatever their unprinted digits?

In: a band, and gaps in ticks. Out: yes, surely, perhaps. Start at Nearness.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from history import ties
from history.claims.language.printed import Measured


@dataclass(frozen=True, slots=True)
class Tied:
    """Whether two entries of one version are tied, and under which rule.

    Attributes:
        yes: None: the board has no rule, or lacks an interval that its rule needs, and their
            scores differ.
        rounding: unrounded scores could say otherwise.
        gap: between their scores, at least 0 as printed.
        band: width of the band, or None.
    """

    yes: bool | None
    rounding: bool
    gap: Measured
    band: str | None
    rule: str


class Nearness:
    """What gaps between printed scores, in ticks, mean for a band.

    A gap comes with the units of both scores together, how many ticks their last printed decimals
    are: half of that is how uncertain it is.
    """

    def __init__(self, band: Fraction, dp: int, edge: ties.Edge):
        self._band, self._dp, self._edge = band, dp, edge
        # A board that subtracts in floats can decide a gap of exactly the band either way.
        strict: ties.Edge = "inclusive" if edge == "inclusive" else "exclusive"
        loose: ties.Edge = "exclusive" if edge == "exclusive" else "inclusive"
        # In tenths of a tick, so that half a unit is a whole number.
        self.surely_within = ties.widest_gap(band, dp + 1, strict)
        self.perhaps_within = ties.widest_gap(band, dp + 1, loose)

    def tied(self, one: int, two: int) -> bool:
        """Whether the printed scores are tied, as in RANKS."""
        return ties.tied(one, two, self._dp, self._band, self._edge)

    def surely(self, gap: int, units: int) -> bool:
        """Whether a gap is within the band for every unprinted digit."""
        return 10 * gap + 5 * units <= self.surely_within

    def perhaps(self, gap: int, units: int) -> bool:
        """Whether a gap is within the band for some unprinted digits."""
        return 10 * gap - 5 * units <= self.perhaps_within


def band_width(band: str) -> Fraction:
    """A printed band as an exact number.

    >>> band_width("0.9")
    Fraction(9, 10)
    """
    width = ties.band_width(band)
    assert width is not None
    return width
