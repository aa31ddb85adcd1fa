"""How many entries stand where a claim says: would_rank and count?

Each function answers for one claim about one board.
"""

from __future__ import annotations

from history.claims import wording
from history.claims.answer import Answer, Ref
from history.claims.language.claim import Operand
from history.claims.language.printed import Measured
from history.claims.leaf import Leaf


def would_rank(leaf: Leaf, version: int, full: bool) -> Answer:
    """The place that a score would have had: one more than the number that are better."""
    claim, rows = leaf.claim, leaf.rows
    score, place = Measured.printed(claim.score), claim.rank or 0
    ahead = _ahead(leaf, version, score)
    low, printed, high = (1 + sum(test) for test in zip(*ahead, strict=True)) if ahead else (1,) * 3
    n = rows.n_ranked(version) + 1
    fits = [(claim.op == "<=" and one <= place) or one == place for one in (printed, low, high)]
    holds = (fits[0] or fits[1]) and claim.of in (None, n)
    strength = "certain" if low == high or not any(fits) else "printed"
    word = "true" if holds else "false"
    if not full:
        return Answer(word, "", None, strength)
    operand = Operand(claim.score, "reported", claim.source)
    others = [row for row in rows.rows(version) if row.rank]
    near = [row for row in others if row.rank in (printed - 1, printed)][:2] or others[:1]
    refs = tuple(ref for row in near for ref in leaf.refs(version, row.entry))
    leader = rows.leader(version)
    answer = {"rank": printed, "of": n, "rank_low": low, "rank_high": high}
    answer |= {"leader": None, "gap": None, "gap_low": None, "gap_high": None}
    fact = f"{claim.score} would have been {wording.ordinal(printed)} of {n} on {leaf.where}"
    if leader is not None:
        gap = score - rows.measured(version, leader)
        answer |= {"leader": leader.entry, "gap": float(gap.value)}
        answer |= {"gap_low": float(gap.low), "gap_high": float(gap.high)}
        shown = wording.number(leader.text, leader.value)
        fact += (
            f" ({leaf.shown(leader.entry, version)} led with {shown}, {wording.signed(gap.value)})"
        )
    notes = () if claim.of in (None, n) else (f"it would have been one of {n}, not of {claim.of}",)
    refs = refs or (Ref(leaf.history.name, version, None),)
    return Answer(word, fact, None, strength, answer, refs, (operand,), notes=notes)


def _ahead(leaf: Leaf, version: int, score: Measured) -> list[tuple[bool, bool, bool]]:
    """Of every ranked entry: surely, as printed, and perhaps better than a score."""
    rows = leaf.rows
    lower = rows.view(version).direction == "lower"
    found = []
    for row in rows.rows(version):
        if row.rank:
            number = rows.measured(version, row)
            lead = score - number if lower else number - score
            found.append((lead.low > 0, lead.value > 0, lead.high > 0))
    return found


def count(leaf: Leaf, version: int, full: bool) -> Answer:
    """How many entries were ranked or listed, or had a better score than a printed one."""
    if leaf.claim.above:
        return _count_above(leaf, version)
    claim, rows = leaf.claim, leaf.rows
    n = rows.n_ranked(version) if claim.what == "ranked" else rows.n_listed(version)
    most = n + len(leaf.unreadable(version)) if claim.what == "ranked" else n
    wanted = claim.n or 0
    could = {_compares(number, claim.op, wanted) for number in range(n, most + 1)}
    answer = {"measured": n, "low": n, "high": most, "claimed_low": wanted, "claimed_high": wanted}
    refs = (Ref(leaf.history.name, version, None, claim.what),)
    if len(could) > 1:
        return leaf.unread(version)
    word = "true" if could == {True} else "false"
    return Answer(
        word, f"{n} entries were {claim.what} on {leaf.where}", None, "certain", answer, refs
    )


def _compares(n: int, op: str, wanted: int) -> bool:
    holds = {
        "=": n == wanted,
        ">=": n >= wanted,
        ">": n > wanted,
        "<=": n <= wanted,
        "<": n < wanted,
    }
    return holds[op]


def _count_above(leaf: Leaf, version: int) -> Answer:
    """How many entries had a better score than a printed one, which counts as exact."""
    claim, rows, board = leaf.claim, leaf.rows, leaf.history.name
    if leaf.unreadable(version):
        return leaf.unread(version)
    limit, wanted = Measured.exact(Measured.printed(claim.above).value), claim.n or 0
    surely, n, perhaps = (
        sum(test) for test in zip(*_ahead(leaf, version, limit) or [(False,) * 3], strict=True)
    )
    of = rows.n_ranked(version)
    could = {_compares(number, claim.op, wanted) for number in range(surely, perhaps + 1)}
    holds = _compares(n, claim.op, wanted) and claim.of in (None, of)
    answer = {"measured": n, "low": surely, "high": perhaps, "of": of}
    answer |= {"claimed_low": wanted, "claimed_high": wanted}
    near = [row for row in rows.rows(version) if row.rank in (n, n + 1)][:2]
    refs = tuple(ref for row in near for ref in leaf.refs(version, row.entry))
    fact = f"{n} of {of} entries on {leaf.where} were better than {claim.above}"
    strength = "certain" if len(could) == 1 or claim.of not in (None, of) else "printed"
    notes = () if claim.of in (None, of) else (f"{of} were ranked, not {claim.of}",)
    operand = Operand(claim.above, "reported", claim.source)
    refs = refs or (Ref(board, version, None, claim.what),)
    word = "true" if holds else "false"
    return Answer(word, fact, None, strength, answer, refs, (operand,), notes=notes)
