"""Who scored what, from when to when, and who is as good as the best?

In: RANKS and READINGS of one board, and how each version tells who is tied. Out: Scores, the
frames that app/charts/score_lines.py draws. Start at scores().
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal, localcontext

import pandas as pd

from app.charts.stretches import points, runs, stretches
from history.frames import SCORE, dp_of, text_of, ticks_of
from history.moves import Banding
from history.ties import STATISTICAL, WITHOUT_BAND

BUDGET = 8_000
_DIGITS = 200  # of a difference of two printed numbers, which is exact


@dataclass(frozen=True)
class Scores:
    """What the chart of scores shows.

    Attributes:
        points: of the coloured entries, as Trail.focus, with `score` as a number.
        best: points of the best score: at, segment, lead, lead_text, commit, ends.
        ribbon: points of the band in which an entry ties with the best: those columns and edge,
            band, edge_text; no rows where the tie rule has no band.
        lower: whether the lowest score is the best.
        note: what was left out and why, "" if nothing was.
    """

    points: pd.DataFrame
    best: pd.DataFrame
    ribbon: pd.DataFrame
    lower: bool
    note: str = ""


def scores(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    focus: Sequence[str],
    best: tuple[pd.DataFrame, pd.DataFrame],
    *,
    lower: bool = False,
    budget: int = BUDGET,
) -> Scores:
    """The scores of some entries while they were ranked, beside the best.

    Args:
        ranks: RANKS of one split.
        readings: READINGS with `at`.
        as_of: time of the last successful look, UTC.
        focus: entries, in the order of their colours.
        best: of the same ranks, what the_best() says.
        lower: whether the lowest score is the best.
        budget: most points of entries; of more, the newest.
    """
    lines = {entry: number for number, entry in enumerate(focus)}
    mine = ranks[ranks["entry"].isin(list(focus))]
    held = stretches(mine, readings, as_of, ("score_text",))
    held["line"] = held["entry"].map(lines)
    found, note = points(held), ""
    if len(found) > budget:
        start = found["at"].sort_values().iloc[-budget]
        note = (
            f"Scores are shown from {start:%Y-%m-%d %H:%M} UTC on: all of them are "
            f"{len(found):,} points, the chart holds {budget:,}."
        )
        found = points(held[held["end"] > start].assign(start=held["start"].clip(lower=start)))
    return Scores(found, *best, lower, note)


def the_best(
    ranks: pd.DataFrame,
    readings: pd.DataFrame,
    as_of: pd.Timestamp | None,
    bandings: Mapping[int, Banding],
    *,
    lower: bool = False,
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """The best score through time, and the band in which another ties with it.

    Args:
        ranks, readings, as_of, lower: as in scores().
        bandings: by version, how it tells who is tied.

    Returns:
        Scores.best and Scores.ribbon.
    """
    best = _best(ranks, bandings, lower)
    banded = best[best["edge"].notna()]
    drawn = [
        points(runs(rows, readings, as_of, "entry", of)).drop(columns="entry")
        for rows, of in ((best, ["lead_text"]), (banded, ["lead_text", "band", "edge_text"]))
    ]
    return drawn[0], drawn[1]


def _best(ranks: pd.DataFrame, bandings: Mapping[int, Banding], lower: bool) -> pd.DataFrame:
    """The best score of each version, and the last one that ties with it."""
    best = ranks[ranks["rank"].eq(1).fillna(False)].drop_duplicates("version")
    rows = []
    columns = ["version", ticks_of(SCORE), dp_of(SCORE), text_of(SCORE)]
    for version, ticks, dp, text in best[columns].itertuples(index=False, name=None):
        if pd.isna(ticks):
            continue
        band = _band(bandings.get(version))
        with localcontext(prec=_DIGITS):
            lead = Decimal(int(ticks)).scaleb(-int(dp))
            edge = None if band is None else lead + band if lower else lead - band
        said = [None if number is None else f"{number:f}" for number in (band, edge)]
        rows.append((version, float(lead), None if edge is None else float(edge), str(text), *said))
    titles = ["version", "lead", "edge", "lead_text", "band", "edge_text"]
    table = pd.DataFrame(rows, columns=titles).assign(entry="the best")
    return table.astype({"version": "int64", "lead": "float64", "edge": "float64"})


def _band(banding: Banding | None) -> Decimal | None:
    """How far below the best a score still ties; None where the rule has no such width."""
    if banding is None or banding.band is None:
        return None
    if banding.rule.rule in WITHOUT_BAND | STATISTICAL:  # a multiple of an error is no score
        return None
    return Decimal(banding.band.strip())
