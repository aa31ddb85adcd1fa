"""What do ranks, ties, causes and rank intervals cost, beside the plain way?

In: nothing; a history of a board is drawn here. Out: seconds, named. Start at histories() and
ten_million(). The plain ways are those that one writes first: pandas' grouped rank, a loop over a
ranking, all hybrid boards of one move.
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import NDArray

from history.frames import SCORE, dp_of, text_of, ticks_of
from history.moves import MoveHistory
from history.moves.making import Applied, Making
from history.ranks import rank
from history.ties import TieRule, tie_groups
from history.uncertainty import rank_intervals
from tests.reference import moves as reference
from tests.reference.moves import Row

SEED = 20261130
RULES = ("anchored", "chain", "pairwise", "none")
BAND = "0.9"
DRAWS = 10_000
LARGE = 10_000_000


class Drawn(NamedTuple):
    """A history as arrays: scores in hundredths, shape (versions, entries)."""

    scores: NDArray[np.int64]

    @property
    def frame(self) -> pd.DataFrame:
        """SCORES."""
        versions, entries = self.scores.shape
        ticks = self.scores.ravel()
        names = pd.Index([f"engine-{number:03}" for number in range(entries)], dtype=object)
        return pd.DataFrame(
            {
                "version": np.repeat(np.arange(versions, dtype=np.int32), entries),
                "entry": pd.Categorical.from_codes(np.tile(np.arange(entries), versions), names),
                "unranked": pd.Categorical([None] * ticks.size),
                text_of(SCORE): pd.Categorical([None] * ticks.size),
                ticks_of(SCORE): pd.array(ticks, dtype="Int64"),
                dp_of(SCORE): np.int8(2),
            }
        )


def drawn(versions: int, entries: int) -> Drawn:
    """A board on which one to five scores change from version to version."""
    chance = np.random.default_rng(SEED)
    scores = np.empty((versions, entries), dtype=np.int64)
    now = chance.integers(500, 7_500, entries)
    for version in range(versions):
        moved = chance.choice(entries, chance.integers(1, 6), replace=False)
        now[moved] = np.clip(now[moved] + chance.normal(0, 150, len(moved)).round(), 100, 9_900)
        scores[version] = now
    return Drawn(scores)


def histories(versions: int, entries: int) -> dict[str, float]:
    """Seconds of each step on a whole history, by name."""
    made = drawn(versions, entries)
    scores = made.frame
    return {
        "ties": _least(3, lambda: _all_rules(made)),
        "ties, one sort by numpy": _least(3, lambda: np.sort(made.scores, axis=1)),
        "ranks": _least(3, lambda: rank(scores)),
        "ranks, pandas groupby.rank": _least(3, lambda: _pandas_ranks(scores)),
        "causes": _least(2, lambda: _causes(scores)),
        "causes, half the versions": _least(
            2, lambda: _causes(drawn(versions // 2, entries).frame)
        ),
        "causes of one move, all hybrid boards": _hybrid_boards(made),
    }


def intervals(entries: int) -> dict[str, float]:
    """Seconds of the simultaneous rank intervals of one version, and of a plain double loop."""
    chance = np.random.default_rng(SEED)
    scores, errors = chance.normal(60, 8, entries), chance.uniform(0.5, 1.5, entries)
    return {
        "intervals": _least(
            2, lambda: rank_intervals(scores, errors, ["simultaneous"], draws=DRAWS)
        ),
        "intervals, plain draws of all pairs": _plain_pairs(scores, errors),
    }


def ten_million() -> tuple[float, float]:
    """Seconds of ranking ten million rows in a program of its own, and its peak memory in GB."""
    command = [sys.executable, "-m", "tests.tools.bench_ranks"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    found: dict[str, float] = json.loads(done.stdout)
    return found["seconds"], found["gigabytes"]


def _least(times: int, work: Callable[[], Any]) -> float:
    found = []
    for _ in range(times):
        began = time.perf_counter()
        work()
        found.append(time.perf_counter() - began)
    return min(found)


def _all_rules(made: Drawn) -> None:
    """Tie ranks of a history under every rule, from scores that are sorted as RANKS are."""
    versions, entries = made.scores.shape
    ordered = -np.sort(-made.scores, axis=1)
    version = np.repeat(np.arange(versions), entries)
    dp = np.full(ordered.size, 2)
    for name in RULES:
        tie_groups(version, ordered.ravel(), dp, TieRule(name, band=BAND))


def _pandas_ranks(scores: pd.DataFrame) -> pd.Series:
    return scores.groupby("version")[ticks_of(SCORE)].rank(method="min", ascending=False)


def _causes(scores: pd.DataFrame) -> pd.DataFrame:
    ranked = rank(scores)
    versions = sorted(ranked["version"].unique().tolist())
    making = Making(None, (SCORE,), None, "", "higher", printed=True)
    makings = dict.fromkeys(versions, making)
    return MoveHistory(ranked, versions, makings, lambda *_: Applied(None, proven=False)).shares()


def _hybrid_boards(made: Drawn) -> float:
    """Seconds of one move by the reference."""
    before, after = (_rows(made.scores[version]) for version in (0, 1))
    return _least(1, lambda: reference.causes(before, after, "0"))


def _rows(scores: NDArray[np.int64]) -> Mapping[str, Row]:
    return {str(number): Row((score, score)) for number, score in enumerate(scores.tolist())}


def _plain_pairs(scores: NDArray[np.float64], errors: NDArray[np.float64]) -> float:
    """A tenth of the draws, each with all its pairs, times ten."""
    chance = np.random.default_rng(SEED)
    between = np.sqrt(errors[:, None] ** 2 + errors[None, :] ** 2)
    began = time.perf_counter()
    for _ in range(DRAWS // 10):
        noise = chance.normal(0, errors)
        ((noise[:, None] - noise[None, :]) / between).max()
    return 10 * (time.perf_counter() - began)


def main() -> None:
    """Rank ten million rows, and print seconds and peak memory."""
    from resource import RUSAGE_SELF, getrusage

    entries = 250
    chance = np.random.default_rng(SEED)
    scores = Drawn(chance.integers(0, 10_000, (LARGE // entries, entries))).frame
    began = time.perf_counter()
    ranked = rank(scores)
    seconds = time.perf_counter() - began
    unit = 1e9 if sys.platform == "darwin" else 1e6
    peak = getrusage(RUSAGE_SELF).ru_maxrss / unit
    if len(ranked) != LARGE:
        raise SystemExit(f"{len(ranked)} rows ranked, not {LARGE}")
    print(json.dumps({"seconds": seconds, "gigabytes": peak}))


if __name__ == "__main__":
    main()
