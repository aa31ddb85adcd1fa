"""What is the ratio of a measured curve to a number, at a place on the curve?

In: a ratio_at claim. Out: an Answer. Start at ratio_at(). Between neighbouring points the curve
is taken as straight; beyond its ends nothing is known. Methods 8.3.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import exp, log

from history.claims import wording
from history.claims.answer import Answer, value_answer
from history.claims.language.claim import Claim, ClaimError
from history.claims.language.claim_fields import shown
from history.claims.language.printed import Measured, check_value, number
from history.claims.own.operands import Figure, divided, figure
from history.claims.own.own_table import Column, OwnTable, short
from history.claims.own.undecidable import Undecidable
from history.claims.verdict import Evidence


@dataclass(frozen=True, slots=True)
class Point:
    """One measured point of a curve, and its cells."""

    x: Measured
    y: Measured
    own: tuple[Evidence, ...]


@dataclass(frozen=True, slots=True)
class Place:
    """A place on a curve.

    Attributes:
        y: on the straight line between its neighbours.
        y_log: on the line between the logarithms of their y; None where one is not above 0.
        neighbours: one point, or the two around it.
        monotone: whether all points of the curve rise, or all fall.
    """

    y: Measured
    y_log: float | None
    neighbours: tuple[Point, ...]
    monotone: bool

    @property
    def bound(self) -> tuple[Fraction, Fraction]:
        """Between which numbers y lies, whatever the form of a curve that only rises or falls."""
        found = [point.y.value for point in self.neighbours]
        return min(found), max(found)

    @property
    def own(self) -> tuple[Evidence, ...]:
        """The cells of the neighbours."""
        return tuple(cell for point in self.neighbours for cell in point.own)


def ratio_at(claim: Claim, table: OwnTable) -> Answer:
    """The curve at one x, divided by the other number."""
    x_column, y_column = (table.column(name) for name in claim.curve)
    x = number(claim.x)
    place = place_on(_points(table, _rows(table, claim), x_column, y_column), x, claim, table)
    other = _other(claim, table, (x_column, y_column), x)
    own = place.own + other.own
    found = divided(place.y, other, own)
    check = check_value(found, claim.value, claim.op, claim.approx)
    ends = sorted(end / other.measured.value for end in place.bound)
    bound = [float(end) for end in ends]
    y = wording.decimal(place.y.value)
    size = wording.decimal(found.value)
    fact = f"at {x_column.said} {claim.x} {y_column.said} is {y} in {table.path}, {size} times {other.text}"
    answer = value_answer(check, found, fact, (), (), own)
    y_log = place.y_log
    more = {
        "y": float(place.y.value),
        "ratio_log": None if y_log is None else y_log / float(other.measured.value),
        "bound": bound,
    }
    note = "assumes piecewise linear; whatever the curve between its points, "
    note += f"{bound[0]:.4g} to {bound[1]:.4g}" if place.monotone else "nothing: it rises and falls"
    notes = (*answer.notes, note)
    return Answer(
        check.outcome, fact, None, check.strength, answer.answer | more, own=own, notes=notes
    )


def place_on(points: Sequence[Point], x: Fraction, claim: Claim, table: OwnTable) -> Place:
    """The place at x.

    Raises:
        Undecidable: there are no points, or x lies beyond them.
        ClaimError: two points have one x.
    """
    ordered = sorted(points, key=lambda point: point.x.value)
    if not ordered:
        fact = f"no point of {table.path} has both {' and '.join(map(short, claim.curve))}"
        raise Undecidable("MISSING_COMPONENT", fact, (table.whole,))
    for one, other in pairwise(ordered):
        if one.x.value == other.x.value:
            found = f"two points at {short(claim.curve[0])} {wording.decimal(one.x.value)}"
            raise ClaimError(table.where, found, "Say whose curve is meant: give `subject`")
    ends = ordered[0], ordered[-1]
    if not ends[0].x.value <= x <= ends[1].x.value:
        low, high = (wording.decimal(end.x.value) for end in ends)
        fact = (
            f"the curve is measured from {short(claim.curve[0])} {low} to {high}, not at {claim.x}"
        )
        answer = {"x": float(x), "curve_range": [float(end.x.value) for end in ends]}
        own = ends[0].own + ends[1].own
        raise Undecidable("NO_EXTRAPOLATION", fact, own, answer=answer)
    steps = [other.y.value - one.y.value for one, other in pairwise(ordered)]
    monotone = all(step >= 0 for step in steps) or all(step <= 0 for step in steps)
    for point in ordered:
        if point.x.value == x:
            return Place(point.y, float(point.y.value), (point,), monotone)
    one, other = next((a, b) for a, b in pairwise(ordered) if a.x.value < x < b.x.value)
    return Place(between(one, other, x), _log_between(one, other, x), (one, other), monotone)


def between(one: Point, other: Point, x: Fraction) -> Measured:
    """The y at x on the straight line from one point to the other, rounding and all.

    x is taken as said. How far along the line it lies falls with the x of either point, and y is
    straight in each of the three, so that the ends of y lie at ends of theirs.

    >>> dots = [Point(Measured.printed(x), Measured.printed(y), ()) for x, y in [("1", "10"), ("3", "20")]]
    >>> found = between(*dots, Fraction(2))
    >>> float(found.value), float(found.low), float(found.high)
    (15.0, 12.0, 18.0)
    """
    value = _along(one.x.value, other.x.value, x)
    first = _along(one.x.high, other.x.high, x) if one.x.high < other.x.high else Fraction(0)
    last = _along(one.x.low, other.x.low, x) if one.x.low < other.x.low else Fraction(1)
    ends = [
        start + part * (end - start)
        for part in (min(max(part, Fraction(0)), Fraction(1)) for part in (first, last))
        for start in (one.y.low, one.y.high)
        for end in (other.y.low, other.y.high)
    ]
    middle = one.y.value + value * (other.y.value - one.y.value)
    return Measured(middle, min(ends), max(ends))


def _along(start: Fraction, end: Fraction, x: Fraction) -> Fraction:
    return (x - start) / (end - start)


def _log_between(one: Point, other: Point, x: Fraction) -> float | None:
    if one.y.value <= 0 or other.y.value <= 0:
        return None
    start, end = log(one.y.value), log(other.y.value)
    return exp(start + float(_along(one.x.value, other.x.value, x)) * (end - start))


def _rows(table: OwnTable, claim: Claim, name: str = "") -> list[int]:
    """The rows of one curve: of the subject, where the first column holds names."""
    if table.columns[0] in map(table.column, claim.curve):
        return list(table.rows)
    whose = name or (claim.subject if isinstance(claim.subject, str) else "")
    found = table.rows_named(whose) if whose else list(table.rows)
    alone = len(set(table.names)) == 1 or len(set(table.names)) == len(table.names)
    if not found and not name and alone:  # the names are those of the points
        return list(table.rows)
    if not found:
        known = ", ".join(short(one) for one in list(dict.fromkeys(table.names))[:5])
        raise ClaimError(table.where, f"no points of {shown(whose)}", f"It has {known}")
    return found


def _points(table: OwnTable, rows: Sequence[int], x: Column, y: Column) -> list[Point]:
    """The points that have both numbers."""
    points = []
    for row in rows:
        one, other = x.cells[row].measured, y.cells[row].measured
        if one is not None and other is not None:
            points.append(Point(one, other, (table.evidence(row, x), table.evidence(row, y))))
    return points


def _other(claim: Claim, table: OwnTable, curve: tuple[Column, Column], x: Fraction) -> Figure:
    """The number below the ratio: an operand, or another curve of the table at the same x."""
    if isinstance(claim.other, str):
        rows = _rows(table, claim, claim.other)
        place = place_on(_points(table, rows, *curve), x, claim, table)
        text = f"{short(claim.other)} ({wording.decimal(place.y.value)})"
        return Figure(place.y, text, text, place.own)
    found, operand = figure(claim.other, claim, table), claim.other
    per = "" if operand is None else operand.per
    if not claim.per or claim.per != per:
        said = [
            f"per {shown(text)}" if text else "per what is not said" for text in (claim.per, per)
        ]
        fact = f"the curve is {said[0]}, {found.text} {said[1]}"
        would = "what both are rates of: `per` of the claim and of the number below, the same"
        raise Undecidable("DIFFERENT_BASELINES", fact, found.own, would=would)
    return found
