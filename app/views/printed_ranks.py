"""Do the ranks that a file prints agree with the computed ones?

In: a board at one moment. Out: a mark for each entry, and one line for all. Start at compared().
"""

from __future__ import annotations

from dataclasses import dataclass

from history.audit.smells import published
from history.standing import Standings

AGAINST = "≠ against the score"
OTHERWISE = "≠ ties numbered otherwise"
TIE = "≠ tie rank"


@dataclass(frozen=True)
class Compared:
    """What printed ranks say against computed ones.

    Attributes:
        marks: by row, what disagrees; "" where nothing does.
        line: how many disagree, for people; "" where the file prints no ranks.
    """

    marks: tuple[str, ...]
    line: str


def compared(stood: Standings, counts: str = "positions") -> Compared:
    """Hold the printed ranks of a board against its scores.

    Args:
        stood: the board, by its own score and with all of its entries.
        counts: what its printed tie ranks count: positions, or groups.
    """
    frame = stood.frame
    entries = frame["entry"].astype(str)
    marks: dict[str, list[str]] = {entry: [] for entry in entries}
    lines = []
    rows = published.compare(frame)
    if len(rows):
        differ = rows[rows["published"] != rows["computed"]]
        against = differ[differ["contradicts"]]
        for entry in differ["entry"].astype(str):
            wrong = (against["entry"] == entry).any()
            marks[entry].append(AGAINST if wrong else OTHERWISE)
        lines.append(_line(len(rows), len(against), len(differ) - len(against)))
        if rows["reversed"].any():
            lines.append(f"{published.REVERSED_TEXT[0].upper()}{published.REVERSED_TEXT[1:]}.")
    ours = frame["tie_group" if counts == "groups" else "tie_rank"]
    printed = frame["tie_rank_published"]
    both = printed.notna() & ours.notna()
    if stood.ties.rule != "none" and both.any():
        off = both & (printed != ours).fillna(False)
        for entry in entries[off]:
            marks[entry].append(TIE)
        wrong_ones = int(off.sum())
        told = f"of which {wrong_ones:,} disagree{'s' if wrong_ones == 1 else ''} with the tie rule"
        agree = told if wrong_ones else "all agree with the tie rule"
        lines.append(f"Published tie ranks: {both.sum():,}, {agree}.")
    return Compared(tuple("; ".join(marks[entry]) for entry in entries), " ".join(lines))


def _line(all_: int, against: int, otherwise: int) -> str:
    """How many published ranks disagree.

    >>> _line(40, 0, 0)
    'Published ranks: 40, all agree with the scores.'
    >>> _line(40, 2, 1)
    'Published ranks: 40, of which 2 go against the scores, 1 numbers ties otherwise.'
    """
    off = [f"{against:,} {'goes' if against == 1 else 'go'} against the scores"] if against else []
    if otherwise:
        off.append(f"{otherwise:,} number{'s' if otherwise == 1 else ''} ties otherwise")
    told = f"of which {', '.join(off)}" if off else "all agree with the scores"
    return f"Published ranks: {all_:,}, {told}."
