"""Is a gap between two scores more than the choice of items would give by chance?

In: a noise claim: two scores that are shares of right answers, and numbers of items. Out: an
Answer. Start at noise(). Both are taken as measured apart; where the two had the same items,
results item by item could find what this cannot. Methods 3.1 and 3.2.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import sqrt
from typing import Any

from history.claims import wording
from history.claims.answer import Answer
from history.claims.language.claim import Claim, ClaimError
from history.claims.language.printed import Measured, number
from history.claims.own.arithmetic import mean, negative
from history.claims.own.averages import direction
from history.claims.own.operands import Figure, comparable, figure
from history.claims.own.own_table import ITEMS, Column, OwnTable
from history.claims.own.undecidable import Undecidable
from history.claims.verdict import Evidence
from history.uncertainty.errors import of_mean, of_share
from history.uncertainty.items import possible_counts
from history.uncertainty.pairs import unpaired, without_items_printed

LEVEL = Fraction(196, 100)
_MOST_ITEMS = 10**12
COULD_STILL = "results item by item could still find a difference"
UNPAIRED = "scores are shares of the items, which are independent; the runs are taken as unpaired"


@dataclass(frozen=True, slots=True)
class Score:
    """One score of one entry.

    Attributes:
        share: of right answers, 0 to 1.
        items: how many there were.
        text: as printed.
    """

    share: Measured
    items: int
    text: str


@dataclass(frozen=True, slots=True)
class Side:
    """The scores of one entry, which count alike.

    Attributes:
        columns: where they stand; empty for a number that stands in no table.
        per: what all right prints as: 100 for percents, 1 for shares.
        said: where the numbers of items stand.
    """

    scores: tuple[Score, ...]
    columns: tuple[Column, ...]
    per: int
    said: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Test:
    """The gap between two means of scores, in standard errors.

    Attributes:
        gap: of the shares, subject less other, turned so that more is better.
        error: standard error of the gap, unpaired.
        z: gap / error.
        best_z: the same where both agree on as many items as the scores allow; None where they
            were not asked the same items, or are equal.
        k: standard errors that count as a difference.
    """

    gap: Measured
    error: float
    z: float
    best_z: float | None
    k: float

    @property
    def is_beyond(self) -> bool:
        """Whether chance alone would hardly give the gap."""
        return abs(self.z) > self.k

    @property
    def could_be_beyond(self) -> bool:
        """Whether results item by item could say so, where this does not."""
        return self.best_z is not None and self.best_z > self.k


def noise(claim: Claim, table: OwnTable | None) -> Answer:
    """Within noise (=), or significantly better (>) or worse (<) than the other."""
    one, other = (figure(said, claim, table) for said in (claim.subject, claim.other))
    comparable(one, other)
    lower, own = direction(one, other), one.own + other.own
    sides = [_scores(figure, claim, table, own) for figure in (one, other)]
    own += tuple(dict.fromkeys(cell for side in sides for cell in side.said))
    if sides[0].per != sides[1].per:
        fact = f"{one.text} and {other.text} are not on one scale, of shares or of percents"
        raise Undecidable("MIXED_SCALE", fact, own)
    test = _test(claim, sides[0], sides[1], lower, own)
    answer = _answer(test, sides[0])
    size = wording.decimal(abs(one.measured.value - other.measured.value))
    errors = f"{abs(test.z):.2f} standard errors of the difference"
    fact = f"{one.text} and {other.text} are {size} apart, {errors}"
    notes = [UNPAIRED, *_agreement_range(test, sides[0], sides[1])]
    strength = _strength(test)
    word = verdict(claim.op, float(test.gap.value), test.is_beyond, test.could_be_beyond)
    if word == "not_decidable":
        raise Undecidable("NO_PAIRED_RESULTS", fact, own, answer=answer, notes=tuple(notes))
    if claim.op == "=" and not test.is_beyond and test.could_be_beyond:
        notes.append(COULD_STILL)
    return Answer(word, fact, None, strength, answer, own=own, notes=tuple(notes))


def verdict(op: str, gap: float, beyond: bool, could_be: bool) -> str:
    """What a gap means for a claim: a word of a verdict.

    Args:
        op: = within noise, > better or < worse beyond it.
        gap: positive if the subject is better.
        beyond: whether chance alone would hardly give it, both measured apart.
        could_be: whether results item by item could say so.

    >>> verdict("=", 1.3, False, True), verdict(">", 1.3, False, True), verdict("<", 1.3, True, True)
    ('true', 'not_decidable', 'false')
    """
    if op == "=":
        return "false" if beyond else "true"
    if not (gap > 0 if op == ">" else gap < 0):
        return "false"
    return "true" if beyond else "not_decidable" if could_be else "false"


def _scores(
    figure: Figure, claim: Claim, table: OwnTable | None, own: tuple[Evidence, ...]
) -> Side:
    """The scores that a figure is the mean of, as shares, and the items behind each.

    Raises:
        Undecidable: they are no shares, or a number of items is missing.
    """
    evidence: list[Evidence] = []
    found = _printed(figure)
    percent = any(unit == "%" or share.value > 1 for share, unit, _, _ in found)
    per, scores = 100 if percent else 1, []
    for share, _, text, column in found:
        if not 0 <= share.value <= per:
            fact = f"{figure.text} is no share of items"
            raise Undecidable("NO_SE", fact, own)
        count = _items(figure, column, claim, table, evidence)
        if count is None:
            what = f" of {column.said}" if column else ""
            fact = f"how many items{what} stand behind {figure.text} is not said"
            raise Undecidable("NO_ITEM_COUNT", fact, own)
        scores.append(Score(share / per, count, text))
    return Side(tuple(scores), figure.columns, per, tuple(evidence))


def _printed(figure: Figure) -> list[tuple[Measured, str, str, Column | None]]:
    """Number, unit, text and column of each score that a figure is the mean of."""
    if figure.row is None:
        return [(figure.measured, "", figure.text, None)]
    cells = [(column.cells[figure.row], column) for column in figure.columns]
    return [
        (cell.measured, cell.unit, cell.text, column)
        for cell, column in cells
        if cell.measured is not None
    ]


def _items(
    figure: Figure,
    column: Column | None,
    claim: Claim,
    table: OwnTable | None,
    evidence: list[Evidence],
) -> int | None:
    """The number of items: of the claim, by column, entry or for all; else of its table."""
    entry = table.name(figure.row) if table is not None and figure.row is not None else ""
    name, said = column.name if column else "", dict(claim.items)
    count = next((said[key] for key in (name, entry, "") if key in said), None)
    if count is not None:
        path = claim.source or None
        named = name or None
        evidence.append(
            Evidence(None, None, None, path, None, named, ITEMS, str(count), "reported")
        )
    elif table is not None and column is not None and figure.row is not None:
        count = _in_table(table, figure.row, column, evidence)
    if count is not None and count > _MOST_ITEMS:
        found = f"{len(str(count))} digits of a number of items"
        raise ClaimError(f'claim "{claim.id}"', found, f"Give at most {_MOST_ITEMS:,}")
    return count


def _in_table(table: OwnTable, row: int, column: Column, evidence: list[Evidence]) -> int | None:
    """The number of items in the row of that name, else in the column of that name."""
    places = [(found, column) for found in table.rows_named(ITEMS)]
    if table.has_column(ITEMS):
        places.append((row, table.column(ITEMS)))
    for found, where in places:
        cell = where.cells[found].measured
        if cell is not None and cell.value.denominator == 1 and cell.value >= 1:
            evidence.append(table.evidence(found, where))
            return int(cell.value)
    return None


def _test(claim: Claim, one: Side, other: Side, lower: bool, own: tuple[Evidence, ...]) -> Test:
    gap = mean([s.share for s in one.scores]) - mean([s.share for s in other.scores])
    errors = [
        of_mean(
            [1 / len(side.scores)] * len(side.scores),
            [of_share(float(score.share.value), score.items) for score in side.scores],
        )
        for side in (one, other)
    ]
    if not any(errors):
        fact = "scores of nothing or of all right have no standard error"
        raise Undecidable("NO_SE", fact, own)
    gap = negative(gap) if lower else gap
    found = unpaired(float(gap.value), 0.0, errors[0], errors[1])
    k = number(claim.level) if claim.level else LEVEL
    return Test(gap, found.error.value, found.z, _best_z(one, other, gap), float(k))


def _best_z(one: Side, other: Side, gap: Measured) -> float | None:
    """The gap in standard errors of a paired test, where as few items differ as can.

    On n items whose scores are |x1 - x2| right answers apart, at least so many differ; the
    variance of the difference is then |x1 - x2| / n^2 (McNemar). Methods 3.2.
    """
    counts = [[score.items for score in side.scores] for side in (one, other)]
    if one.columns != other.columns or counts[0] != counts[1] or not gap.value:
        return None
    pairs = zip(one.scores, other.scores, strict=True)
    apart = [abs(a.share.value - b.share.value) / a.items for a, b in pairs]
    return abs(float(gap.value)) / sqrt(sum(apart) / len(apart) ** 2)


def _answer(test: Test, side: Side) -> dict[str, Any]:
    """The numbers of the answer, in the units of the scores."""
    answer: dict[str, Any] = {
        "gap": side.per * float(test.gap.value),
        "gap_low": side.per * float(test.gap.low),
        "gap_high": side.per * float(test.gap.high),
        "se": side.per * test.error,
        "z": abs(test.z),
        "k": test.k,
        "best_z": test.best_z,
        "agreement_needed": None,
        "max_discordant": None,
        "items": [score.items for score in side.scores],
    }
    if len(side.scores) == 1 and test.best_z is not None and test.k:
        # z = |x1 - x2| / sqrt(b + c) is more than k as long as b + c is less than this.
        items = side.scores[0].items
        most = (abs(float(test.gap.value)) * items / test.k) ** 2
        answer["max_discordant"] = most
        answer["agreement_needed"] = max(0.0, 1 - most / items)
    return answer


def _agreement_range(test: Test, one: Side, other: Side) -> list[str]:
    """How much the agreement that is needed depends on the unprinted digits, at the usual level."""
    if len(one.scores) > 1 or test.best_z is None or test.k != float(LEVEL):
        return []
    scores = one.scores[0], other.scores[0]
    try:
        counts = [possible_counts(score.text, score.items, one.per) for score in scores]
        ends = without_items_printed(counts[0], counts[1], scores[0].items)
    except ValueError:  # a computed number, or one that no count prints as
        return []
    low, high = (end.agreement_needed for end in (ends.farthest, ends.closest))
    if low is None or high is None:
        return []
    most = f"{100 * low:.1f} to {100 * high:.1f} %"
    return [f"a paired test finds it if both agree on at least {most} of the items"]


def _strength(test: Test) -> str:
    """Certain if every number that prints so gives the same."""
    ends = [float(end) / test.error for end in (test.gap.low, test.gap.high)]
    if test.is_beyond:
        sure = min(ends) > test.k or max(ends) < -test.k
    else:
        sure = max(map(abs, ends)) <= test.k
    return "certain" if sure else "printed"
