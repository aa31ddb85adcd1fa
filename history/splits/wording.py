"""What may honestly be said of an entry that does better on public than on private?

In: the line, the errors and the scores of both parts. Out: a Judgement per entry. Start at
judge(). There are three levels:

| level | words | when |
| --- | --- | --- |
| a | gains more on public than on private | always, with the numbers |
| b | ... more than noise and regression to the mean explain | errors known, enough entries |
| c | trained on the public part | never from scores |

Source: methods, section 5 ("how to flag honestly").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from math import erfc, sqrt
from typing import Literal

from history.least_squares import FittedLine
from history.sampling import LEVEL
from history.splits.gaps import Regression, holm

Level = Literal["a", "b"]

LEVEL_A = "gains more on public than on private"
LEVEL_B = f"{LEVEL_A}, more than noise and regression to the mean explain"
NEVER = "that an entry was trained on the public part cannot be told from scores"
CAUSES = (
    "the two parts are about different things (domain shift)",
    "the best of several versions of the entry was chosen by its public score",
    "the public part is one that everybody tunes on",
    "the two parts were run on different serving stacks",
)
MANY = 10  # entries below which level b is not said

NO_SPLIT, TOO_FEW, NO_ITEMS = "NO_SPLIT", "TOO_FEW_ENTRIES", "NO_ITEM_COUNT"
WOULD_DECIDE = {
    NO_SPLIT: "a public and a private score of the same entries",
    TOO_FEW: f"public and private scores of at least {MANY} entries",
    NO_ITEMS: "the number of items, or the standard error, of both parts",
}


@dataclass(frozen=True, slots=True)
class Judgement:
    """What the scores of one entry say.

    Attributes:
        predicted, low, high: private score that the line through all other entries predicts,
            and its 95 % interval; None for fewer than four entries.
        expected: private score to expect by regression to the mean; None where no errors are
            known.
        p: the larger of two p values: of the distance from the line, and from what regression
            to the mean and the known errors give; None where no errors are known.
        p_holm: the same, adjusted for all entries.
        level: the strongest that may be said; None where the entry does not do better on public
            than others of its public score.
    """

    predicted: float | None
    low: float | None
    high: float | None
    expected: float | None
    p: float | None
    p_holm: float | None
    level: Level | None


def judge(
    line: FittedLine,
    points: Mapping[str, tuple[Decimal, Decimal]],
    sign: int,
    back: Regression | None = None,
    errors: Mapping[str, tuple[float, float]] | None = None,
) -> dict[str, Judgement]:
    """Judge every entry that has both scores.

    Level b needs errors, at least MANY entries, and a private score on the worse side of two 95 %
    prediction intervals, also after Holm's adjustment for all entries: that of the line through
    the others, which knows the scatter of this board but nothing of errors, and that of
    regression to the mean, which knows the errors but no other scatter.

    Args:
        line: through `points`.
        points: public and private score by entry.
        sign: 1 where higher is better, -1 where lower is.
        back: of the same entries; None where errors are not known.
        errors: standard errors of the public and private scores.
    """
    foreseen = {entry: line.of_others(*pair) for entry, pair in points.items()}
    p_values: dict[str, float | None] = dict.fromkeys(points)
    adjusted: dict[str, float | None] = dict.fromkeys(points)
    if back is not None and errors is not None:
        known = {}
        for entry, pair in points.items():
            by_line, by_errors = foreseen[entry], _by_errors(back, pair, errors[entry])
            known[entry] = max(1.0 if by_line is None else by_line.p_value(pair[1]), by_errors)
        p_values |= known
        adjusted |= dict(zip(known, holm(list(known.values())), strict=True))
    found = {}
    for entry, (public, private) in points.items():
        one = foreseen[entry]
        low, high = (None, None) if one is None else one.interval
        worse = sign * (line.at(public) - Fraction(private)) > 0
        strong = len(points) >= MANY and _below(adjusted[entry])
        level: Level | None = ("b" if strong else "a") if worse else None
        found[entry] = Judgement(
            predicted=None if one is None else float(one.middle),
            low=low,
            high=high,
            expected=None if back is None else back.expected(float(public)),
            p=p_values[entry],
            p_holm=adjusted[entry],
            level=level,
        )
    return found


def why_not(n: int, both_there: bool, errors_known: bool) -> str | None:
    """The code that says why level b cannot be said of anybody; None where it can."""
    if not both_there:
        return NO_SPLIT
    if n < MANY:
        return TOO_FEW
    return None if errors_known else NO_ITEMS


def sentence(entry: str, level: Level, public: str, private: str, usual: str) -> str:
    """What may be said of an entry, with its numbers: both scores, and what is usual.

    >>> sentence("fern", "a", "pub 80.1", "priv 70.2", "72.0")
    'fern gains more on public than on private: pub 80.1, priv 70.2, where 72.0 is usual'
    """
    words = LEVEL_B if level == "b" else LEVEL_A
    return f"{entry} {words}: {public}, {private}, where {usual} is usual"


def _below(p: float | None) -> bool:
    return p is not None and p < 1 - LEVEL


def _by_errors(
    back: Regression, pair: tuple[Decimal, Decimal], error: tuple[float, float]
) -> float:
    """P value of a private score, if errors and regression to the mean were all there is."""
    public, private = map(float, pair)
    spread = back.chance(*error)
    off = abs(back.expected(public) - private)
    if spread == 0:
        return 0.0 if off else 1.0
    return erfc(off / (sqrt(2) * spread))
