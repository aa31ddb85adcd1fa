"""Does an entry stand where a claim says: rank, first, top_k, ahead and tie?

Each function answers for one claim about one board.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from history.claims import wording
from history.claims.answer import Answer, Ref, undecided
from history.claims.language.printed import Measured
from history.claims.leaf import Leaf
from history.claims.nearness import band_width
from history.claims.row import Row
from history.counts import counted

FIRST = ("first", "first_in_class")
ONLY_ROUNDING = "only rounding of the printed scores could make it so"


def rank(leaf: Leaf, version: int, full: bool) -> Answer:
    """A place: of rank, first and top_k. Without `full` only the word."""
    claim, rows, board = leaf.claim, leaf.rows, leaf.history.name
    assert leaf.subject is not None
    row = rows.row(version, leaf.subject)
    if row is None or row.rank is None:
        return leaf.without_number(version, leaf.subject, row)
    place, of = row.place(claim.rank_kind), rows.n_ranked(version)
    if place is None:
        fact = f"{board} prints no {claim.rank_kind} rank of {leaf.shown(leaf.subject, version)}"
        return undecided("MISSING_COMPONENT", fact, leaf.refs(version, leaf.subject))
    holds = _holds(leaf, place) and (claim.of is None or claim.of == of)
    holds = holds and not (claim.sole and not _alone(leaf, version, row))
    word = "true" if holds else "false"
    aims_first = claim.predicate in FIRST or (claim.n or claim.k) == 1
    # Entries whose files could not be read may stand anywhere, also in first place; those of
    # which the file does not say whether they belong here may stand above, or not at all.
    unread = 0 if claim.rank_kind == "published" else len(leaf.doubtful(version, row))
    if not holds and not unread and aims_first and claim.rank_kind == "score" and place > 1:
        word = "tied_not_first" if rows.tied_for_first(version, row) else word
    strength, reach = "printed", None
    if claim.rank_kind == "score":
        reach = rows.reach.of(version, row)
        if reach is None and full:
            reach = rows.reach.measured(version, row)
    if reach is not None:
        reach = reach[0], reach[1] + unread
        strength = _strength(leaf, version, row, reach, unread)
    is_open = unread > 0 and _is_open(leaf, version, row, place, unread)
    if not full:
        return leaf.unread(version, None, row) if is_open else Answer(word, "", None, strength)
    answer = _explained_rank(leaf, version, row, word, strength, reach)
    return leaf.unread(version, answer, row) if is_open else answer


def _is_open(leaf: Leaf, version: int, row: Row, place: int, unread: int) -> bool:
    """Whether so many entries that could not be read could make another answer."""
    claim, of = leaf.claim, leaf.rows.n_ranked(version)
    if claim.rank_kind == "tie":  # groups hang on who else is there
        return True
    if claim.sole and not _alone(leaf, version, row):
        return False
    places = [_holds(leaf, place + more) for more in range(unread + 1)]
    numbers = [claim.of in (None, of + more) for more in range(unread + 1)]
    return any(places) and any(numbers) and not (all(places) and all(numbers))


def _strength(leaf: Leaf, version: int, row: Row, reach: tuple[int, int], unread: int) -> str:
    """Certain if every rank that is possible says the same."""
    claim, of = leaf.claim, leaf.rows.n_ranked(version)
    if claim.of is not None and not of <= claim.of <= of + unread:
        return "certain"
    could = [_holds(leaf, place) for place in range(reach[0], reach[1] + 1)]
    if claim.sole and any(could):
        second = leaf.rows.second(version, row.entry)
        if second is not None:
            could.append(_lead(leaf, version, row, second).low > 0)
    return "certain" if all(could) == any(could) else "printed"


def _explained_rank(
    leaf: Leaf,
    version: int,
    row: Row,
    word: str,
    strength: str,
    reach: tuple[int, int] | None,
) -> Answer:
    """Numbers, evidence, words and notes of a rank."""
    claim, rows = leaf.claim, leaf.rows
    leader, of = rows.leader(version), rows.n_ranked(version)
    assert leader is not None  # somebody is ranked
    refs = leaf.refs(version, row.entry)
    if leader.entry != row.entry:
        refs += leaf.refs(version, leader.entry)
    answer: dict[str, Any] = {
        "rank": row.rank,
        "of": of,
        "leader": leader.entry,
        "gap": float(abs(leader.value - row.value)),
        "tie_rank": row.tie_rank,
    }
    if reach is not None:
        answer |= {"rank_low": reach[0], "rank_high": reach[1]}
    notes: list[str] = []
    if word != "true" and strength == "printed" and claim.rank_kind == "score":
        notes.append(ONLY_ROUNDING)
    if claim.of is not None and claim.of != answer["of"]:
        notes.append(f"{answer['of']} were ranked, not {claim.of}")
    place = row.place(claim.rank_kind)
    assert place is not None
    sharing = rows.sharing(version, place, claim.rank_kind)
    shared = [leaf.shown(entry, version) for entry in sharing if entry != row.entry]
    if shared:
        notes.append(f"shares its place with {', '.join(shared[:3])}")
    by_score = word == "false" and claim.rank_kind == "score" and row.rank != claim.n
    if by_score and rows.dense(version, row.rank or 0) == claim.n:
        notes.append(f"{wording.ordinal(claim.n or 0)} only in dense counting, by distinct scores")
    if word == "tied_not_first":
        notes.append(f"in the tie group of first place ({_tie_rule(leaf, version)})")
    fact = f"{leaf.shown(leaf.subject, version)} was {wording.ordinal(place)} of {answer['of']} on {leaf.where}"
    fact += "" if claim.rank_kind == "score" else f" by its {claim.rank_kind} rank"
    fact += f" ({wording.number(row.text, row.value)}"
    second = rows.second(version, row.entry)
    if row.rank == 1 and second is not None and second.rank != 1:
        fact += f", {wording.decimal(abs(row.value - second.value))} ahead of {leaf.shown(second.entry, version)}"
    elif row.rank != 1:
        gap = wording.decimal(abs(leader.value - row.value))
        fact += f"; {leaf.shown(leader.entry, version)} led with {wording.number(leader.text, leader.value)}, {gap} ahead"
    return Answer(word, f"{fact})", None, strength, answer, refs, notes=tuple(notes))


def _holds(leaf: Leaf, place: int) -> bool:
    claim = leaf.claim
    if claim.predicate in FIRST:
        return place == 1
    if claim.predicate == "top_k":
        return place <= (claim.k or 0)
    return place <= (claim.n or 0) if claim.op == "<=" else place == claim.n


def _alone(leaf: Leaf, version: int, row: Row) -> bool:
    second = leaf.rows.second(version, row.entry)
    return second is None or second.place(leaf.claim.rank_kind) != row.place(leaf.claim.rank_kind)


def ahead(leaf: Leaf, version: int, full: bool) -> Answer:
    """Strictly better than the other, whatever the tie band."""
    pair = _pair(leaf, version)
    if isinstance(pair, Answer):
        return pair
    one, two, refs = pair
    claim, rows = leaf.claim, leaf.rows
    strength = "printed"
    if claim.rank_kind == "score":
        reach = _lead(leaf, version, one, two)
        lead = reach.value
        strength = "certain" if reach.low > 0 or reach.high <= 0 else "printed"
    else:
        if claim.rank_kind == "tie" and leaf.unreadable(version):
            return leaf.unread(version)
        places = one.place(claim.rank_kind), two.place(claim.rank_kind)
        if None in places:
            fact = f"{leaf.history.name} prints no {claim.rank_kind} rank of both"
            return undecided("MISSING_COMPONENT", fact, refs)
        lead = Fraction(places[1] - places[0])  # type: ignore[operator]
    word = "true" if lead > 0 else "false"
    if not full:
        return Answer(word, "", None, strength)
    notes: list[str] = []
    if rows.rule(version) != "none" and rows.tied(version, one, two).yes:
        notes.append(f"tied ({_tie_rule(leaf, version)})")
    if word == "false" and strength == "printed" and claim.rank_kind == "score":
        notes.append(ONLY_ROUNDING)
    gap = rows.measured(version, one) - rows.measured(version, two)
    size = wording.decimal(abs(gap.value))
    how = "level with" if gap.value == 0 else f"{size} ahead of" if lead > 0 else f"{size} behind"
    answer = _gap_answer(gap) | {"rank": one.rank, "rank_other": two.rank}
    fact = f"{leaf.shown(leaf.subject, version)} was {how} {leaf.shown(leaf.other, version)} on {leaf.where} ({_texts(one, two)})"
    return Answer(word, fact, None, strength, answer, refs, notes=tuple(notes))


def _lead(leaf: Leaf, version: int, one: Row, two: Row) -> Measured:
    """How much better one is than another."""
    numbers = [leaf.rows.measured(version, row) for row in (one, two)]
    lower = leaf.rows.view(version).direction == "lower"
    return numbers[1] - numbers[0] if lower else numbers[0] - numbers[1]


def tie(leaf: Leaf, version: int, full: bool) -> Answer:
    """Tied under the board's own rule; equal scores are tied under any."""
    pair = _pair(leaf, version)
    if isinstance(pair, Answer):
        return pair
    one, two, refs = pair
    tied = leaf.rows.tied(version, one, two)
    grouped = tied.rule in ("anchored", "chain") and tied.gap.value != 0
    if grouped and leaf.unreadable(version):  # groups hang on who else is there
        return leaf.unread(version)
    answer = _gap_answer(tied.gap) | {
        "band": None if tied.band is None else float(band_width(tied.band)),
        "rule": tied.rule,
    }
    how = f"were {wording.decimal(tied.gap.value)} apart"
    if tied.gap.value == 0:
        how = "had the same score"
    fact = f"{leaf.shown(leaf.subject, version)} and {leaf.shown(leaf.other, version)} {how} on {leaf.where}"
    fact += f" ({_texts(one, two)}{_digits(leaf, version)}"
    by_what = f", band {tied.band}, {tied.rule}" if tied.band else ""
    fact += f"{', by intervals' if tied.rule == 'interval' else by_what})"
    if tied.yes is None and tied.rule == "interval":
        return undecided("NO_SE", f"{fact}, and not both have an interval", refs, answer=answer)
    if tied.yes is None:
        return undecided("NO_TIE_RULE", f"{fact}, and it has no tie rule", refs, answer=answer)
    if tied.yes:
        return Answer("true", fact, None, "printed" if tied.rounding else "certain", answer, refs)
    notes = []
    if tied.band and tied.gap.value <= band_width(tied.band) and tied.rule == "anchored":
        notes.append("within the band of each other, but tie groups hang on their best entry")
    word = "within_rounding" if tied.rounding else "false"
    strength = None if tied.rounding else "certain"
    return Answer(word, fact, None, strength, answer, refs, notes=tuple(notes))


def _pair(leaf: Leaf, version: int) -> tuple[Row, Row, tuple[Ref, ...]] | Answer:
    """The rows of subject and other, or the answer if one is not there."""
    assert leaf.subject is not None and leaf.other is not None
    refs = leaf.refs(version, leaf.subject) + leaf.refs(version, leaf.other)
    rows = [leaf.rows.row(version, entry) for entry in (leaf.subject, leaf.other)]
    for entry, row in zip((leaf.subject, leaf.other), rows, strict=True):
        if row is None or row.rank is None:
            return leaf.without_number(version, entry, row, refs)
    assert rows[0] is not None and rows[1] is not None
    return rows[0], rows[1], refs


def _tie_rule(leaf: Leaf, version: int) -> str:
    rule, band = leaf.rows.rule(version), leaf.rows.band(version)
    return rule if band is None else f"{rule}, band {band}"


def _gap_answer(gap: Measured) -> dict[str, Any]:
    return {"gap": float(gap.value), "gap_low": float(gap.low), "gap_high": float(gap.high)}


def _digits(leaf: Leaf, version: int) -> str:
    """How many decimals count, where the board's definition says so and not its column."""
    decimals = leaf.history.meaning_at(version).table.decimals
    if decimals is None or leaf.claim.split is not None:
        return ""
    return f", at {counted(decimals, 'decimal')}"


def _texts(one: Row, two: Row) -> str:
    return f"{wording.number(one.text, one.value)} and {wording.number(two.text, two.value)}"
