"""Which tie rule does a board have, or does somebody ask for?

In: the words of a definition or of `--tie`. Out: a TieRule. Start at parse_rule().
"""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import lru_cache
from math import ceil, floor
from typing import TYPE_CHECKING, Literal, get_args

import pandas as pd

from crawler.errors import TypedError

if TYPE_CHECKING:
    from history.meaning import Meaning

Rule = Literal["anchored", "chain", "pairwise", "interval", "none", "se"]
Edge = Literal["inclusive", "exclusive", "float"]

# What decides is in the file, or nothing is asked but whether scores are equal.
WITHOUT_BAND = frozenset({"none", "interval"})
WITHOUT_EDGE = WITHOUT_BAND | {"se"}
WITHOUT_GROUPS = frozenset({"pairwise", "interval", "none", "se"})
# Tests of significance, which no board is said to have as its rule.
STATISTICAL = frozenset({"se"})

_MAX_DIGITS = 40  # of a band; a longer one is a mistake, and "1e999999999" an attack


class TieError(TypedError):
    """A tie rule or band that means nothing."""


@dataclass(frozen=True, slots=True)
class TieRule:
    """How it is decided who is tied.

    Attributes:
        rule: anchored, chain, pairwise, interval or none, as boards have them; or se, a
            statistical rule that is only ever asked for.
        edge: whether a gap of exactly the band ties: inclusive, exclusive, float. Says nothing
            for interval (strict), none and se.
        band: printed width of the band, in units of the score; None where each
            version says it itself. For se, a number of standard errors.

    Raises:
        TieError: an unknown rule or edge, or a band that is not a number from 0 up.

    >>> TieRule("anchored", band="0.9").edge
    'inclusive'
    """

    rule: Rule
    edge: Edge = "inclusive"
    band: str | None = None

    def __post_init__(self) -> None:
        for word, known in ((self.rule, get_args(Rule)), (self.edge, get_args(Edge))):
            if word not in known:
                raise TieError("tie rule", f'"{word}"', f"Use one of {', '.join(known)}")
        if self.band is not None and band_width(self.band) is None:
            raise TieError("tie band", f'"{self.band}"', "Use a number from 0 up, such as 0.9")

    @property
    def statistical(self) -> bool:
        """Whether it is a test of significance; a board's rule is a policy and never is."""
        return self.rule in STATISTICAL


NO_TIES = TieRule("none")


def rule_of(meaning: Meaning) -> TieRule:
    """The tie rule that a board's definition names."""
    said = meaning.ties
    return NO_TIES if said is None else TieRule(said.rule, said.edge, said.band)


def parse_rule(text: str) -> TieRule:
    """Read RULE:BAND, RULE:BAND:EDGE, se:K, interval or none, as `--tie` takes it.

    Raises:
        TieError: none of these.

    >>> parse_rule("chain:0.25:exclusive")
    TieRule(rule='chain', edge='exclusive', band='0.25')
    >>> parse_rule("se:1.96").statistical
    True
    """
    rule, *said = text.strip().split(":")
    band = (said[0].strip() or None) if said else None
    edge = said[1] if len(said) > 1 else "inclusive"
    found = TieRule(rule, edge, band)  # type: ignore[arg-type]  # checked there
    most = 1 + (rule not in WITHOUT_BAND) + (rule not in WITHOUT_EDGE)
    if 1 + len(said) > most:
        forms = (rule, f"{rule}:K, such as {rule}:1.96", f"{rule}:BAND:EDGE")
        raise TieError("tie rule", f'"{text}" says too much', f"Write {forms[most - 1]}")
    if band is None and rule not in WITHOUT_BAND:
        fix = f"{rule}:K, such as se:1.96" if rule == "se" else f"{rule}:BAND, such as {rule}:0.9"
        raise TieError("tie rule", f'"{text}" has no band', f"Write {fix}")
    return found


@lru_cache(maxsize=1024)
def band_width(text: str) -> Fraction | None:
    """A printed band as an exact number; None if it is no number from 0 up.

    >>> band_width("0.9"), band_width("-1"), band_width("wide")
    (Fraction(9, 10), None, None)
    """
    try:
        number = Decimal(text.strip())
    except InvalidOperation:
        return None
    if not number.is_finite() or number < 0:
        return None
    exponent = number.as_tuple().exponent
    if abs(int(exponent)) > _MAX_DIGITS or len(number.as_tuple().digits) > _MAX_DIGITS:
        return None
    return Fraction(number)


def printed_bands(rule: TieRule, readings: pd.DataFrame) -> dict[int, str]:
    """Printed band per version: the rule's own number, else the one in each file, if it is one.

    Args:
        rule: any; one that goes by no band has none.
        readings: READINGS of a board, one row per version.
    """
    if rule.rule in WITHOUT_BAND:
        return {}
    versions = readings["version"].tolist()
    if rule.band is not None:
        return dict.fromkeys(versions, rule.band)
    said = zip(versions, readings["band"], strict=True)
    written = {version: str(band) for version, band in said if not pd.isna(band)}
    return {v: band for v, band in written.items() if band_width(band) is not None}


@lru_cache(maxsize=1024)
def widest_gap(band: Fraction, dp: int, edge: Edge) -> int:
    """The largest gap, in whole ticks of 10**-dp, that is still a tie.

    Gaps between ticks are whole, so a band with more decimals than the scores loses
    nothing here: 0.25 at one decimal ties gaps of 0.2, and not of 0.3.

    >>> widest_gap(Fraction(9, 10), 2, "inclusive"), widest_gap(Fraction(9, 10), 2, "exclusive")
    (90, 89)
    >>> widest_gap(Fraction(1, 4), 1, "exclusive")
    2
    """
    ticks = band * Fraction(10) ** dp
    return max(0, ceil(ticks) - 1) if edge == "exclusive" else floor(ticks)
