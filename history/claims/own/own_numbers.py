"""Is a claim about numbers of its own right: printed ones, or a table that it brings along?

    claim -> read_table() -> OwnTable -> one of QUESTIONS -> Answer

In: a Claim that no board decides. Out: an Answer with its evidence. Start at judge(). One module
per question; a number that is missing ends any of them as Undecidable.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path

from history.claims.answer import Answer
from history.claims.language.claim import Claim, ClaimError
from history.claims.own import (
    averages,
    curves,
    drop_one,
    leads,
    mixes,
    noise,
    ratios,
)
from history.claims.own.own_table import OwnTable, read_table
from history.claims.own.undecidable import Undecidable

QUESTIONS: Mapping[str, Callable[[Claim, OwnTable | None], Answer]] = {
    "score": averages.score,
    "average_of": averages.score,
    "delta": averages.delta,
    "ahead": averages.ahead,
    "tie": averages.tie,
    "ratio": ratios.ratio,
    "noise": noise.noise,
}
OF_TABLES: Mapping[str, Callable[[Claim, OwnTable], Answer]] = {
    "drop_one": drop_one.drop_one,
    "lead_set": leads.lead_set,
    "ratio_at": curves.ratio_at,
    "formula": mixes.formula,
}
MOST_EVIDENCE = 40


def judge(claim: Claim, folder: Path | None) -> Answer:
    """The answer to a claim that no board decides.

    Args:
        folder: of the claims file; its tables lie beside it.

    Raises:
        ClaimError: its table does not fit.
    """
    table = read_table(claim, folder) if claim.table else None
    try:
        answer = _answer(claim, table)
    except Undecidable as found:
        answer = found.answer
    except OverflowError:
        fix = "Numbers of a claim have at most 300 digits"
        raise ClaimError(f'claim "{claim.id}"', "a number too large to compute", fix) from None
    own = tuple(dict.fromkeys(answer.own))[:MOST_EVIDENCE]
    if table is not None and not any(one.path == table.path for one in own):
        own = (*own[: MOST_EVIDENCE - 1], table.whole)
    return replace(answer, own=own)


def _answer(claim: Claim, table: OwnTable | None) -> Answer:
    if claim.predicate in QUESTIONS:
        return QUESTIONS[claim.predicate](claim, table)
    where = f'claim "{claim.id}"'
    if claim.predicate not in OF_TABLES:
        fix = "Name the board, and no table"
        raise ClaimError(where, f"no table of its own decides {claim.predicate}", fix)
    if table is None:
        fix = 'Add table = "FILE.csv"'
        raise ClaimError(where, f"{claim.predicate} without a board and without a table", fix)
    return OF_TABLES[claim.predicate](claim, table)
