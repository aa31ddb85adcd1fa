"""Do the ranks that a file prints agree with its scores?

In: RANKS with the published ones. Out: smells, and per version what differs. Start at compare().
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pandas as pd

from history.audit.smells.smell import Smell, farthest
from history.frames import SCORE, pointer_of, text_of

# Two scores in the wrong order are a slip as likely as a wrong direction.
REVERSED = 3


def compare(ranks: pd.DataFrame) -> pd.DataFrame:
    """Published against computed ranks, a row per ranked row that has both.

    Args:
        ranks: RANKS of any versions; needs rank_published.

    Returns:
        version, entry, text, pointer, published, computed; contradicts: True where of two
        rows the one with the better score has the worse published rank, of both (a board may
        number ties 1, 2, 3 or share ranks: neither contradicts); reversed: True in versions whose ranks
        follow the scores exactly the other way.
    """
    rows = ranks[ranks["rank_published"].notna() & ranks["rank"].notna()]
    frame = pd.DataFrame(
        {
            "version": rows["version"].to_numpy(np.int64),
            "entry": rows["entry"].astype(object).to_numpy(),
            "text": rows[text_of(SCORE)].astype(object).to_numpy(),
            "pointer": rows[pointer_of(SCORE)].astype(object).to_numpy(),
            "published": rows["rank_published"].to_numpy(np.int64),
            "computed": rows["rank"].to_numpy(np.int64),
        }
    )
    keys = ["version", "published", "computed"]
    frame = frame.sort_values(keys, ascending=[True, True, False], ignore_index=True)
    version = frame["version"]
    grouped = frame.groupby("version")["computed"]
    backwards = (grouped.diff().fillna(0) <= 0).groupby(version).transform("all")
    return frame.assign(
        contradicts=_passed(frame, 1) | _passed(frame, -1),
        reversed=backwards & (grouped.transform("nunique") >= REVERSED),
    )


def _passed(frame: pd.DataFrame, way: int) -> pd.Series:
    """Where a row of a better published rank has a worse score (1), or the other way round (-1).

    Args:
        frame: by version and published rank, with `computed`.
        way: 1: look at the rows above; -1: at those below.
    """
    rows = frame[::way]
    worst = (way * rows["computed"]).groupby(rows["version"]).cummax()
    same = rows.duplicated(["version", "published"])
    # Of rows that share a published rank, each looks beyond all of them.
    beyond = worst.groupby(rows["version"]).shift().mask(same)
    beyond = beyond.groupby([rows["version"], rows["published"]]).transform("first")
    return (beyond > way * rows["computed"]).reindex(frame.index)


def find(compared: pd.DataFrame) -> Iterator[Smell]:
    """Smells of published ranks.

    Args:
        compared: as compare() gives it.
    """
    wrong = compared[compared["contradicts"]]
    for version in wrong.loc[wrong["reversed"], "version"].unique().tolist():
        yield Smell(version, "direction_looks_wrong", None, None, REVERSED_TEXT)
    rest = wrong[~wrong["reversed"]]
    rest = rest.assign(off=(rest["published"] - rest["computed"]).abs())
    columns = ["version", "entry", "text", "pointer", "published", "computed"]
    for size, row in farthest(rest, columns):
        version, entry, text, pointer, published, computed = row
        found = (
            f"{size} published ranks contradict the scores: {entry!r} with {text} is printed as "
            f"rank {published}, its score as rank {computed}"
        )
        yield Smell(version, "rank_contradicts_score", entry, pointer, found)


REVERSED_TEXT = (
    "the published ranks are exactly the reverse of the computed ones: the direction looks wrong"
)
