from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from history.ranks import rank
from history.splits.ladder import announced, announced_without_step, replay
from tests.history.by_hand import readings, scores
from tests.reference import splits as plain


def told(boards, step, direction="higher", **more):
    table = rank(scores(*boards), direction=direction)
    lines = readings(list(range(0, 10 * len(boards), 10)), **more)
    found = replay(table, lines, None if step is None else Decimal(step), direction)
    return [(one.version, " ".join(one.entries), one.survives, one.why) for one in found]


@pytest.mark.parametrize(
    ("boards", "step", "expected"),
    [
        pytest.param(
            [{"a": "70.0"}, {"a": "70.0", "b": "70.6"}], "0.5", [(1, "b", True, "beats the step")],
            id="more than the step",
        ),
        pytest.param(
            [{"a": "70.0"}, {"a": "70.0", "b": "70.5"}], "0.5", [(1, "b", False, "within the step")],
            id="exactly the step is not more",
        ),
        pytest.param(
            [{"a": "70.0"}, {"b": "70.3"}, {"c": "70.6"}], "0.5",
            [(1, "b", False, "within the step"), (2, "c", True, "beats the step")],
            id="small steps are measured from the last best told",
        ),
        pytest.param(
            [{"a": "70.0", "b": "60.0"}, {"b": "60.0"}], "0.5", [(1, "b", False, "no gain")],
            id="the holder left: first, and no new best",
        ),
        pytest.param(
            [{"a": "70.0"}, {"a": "75.0"}, {"b": "75.2"}], "0.5", [(2, "b", False, "within the step")],
            id="who is first and gets better is told, and is no new first place",
        ),
        pytest.param(
            [{"a": "70.0"}, {"b": "70.1"}, {"c": "70.0"}], None,
            [(1, "b", None, "no step"), (2, "c", False, "no gain")],
            id="without a step only the gain is known",
        ),
        pytest.param([{"a": "70.0"}, {"a": "70.0", "b": "70.0"}], "0.5",
            [(1, "b", False, "no gain")], id="sharing first place is no gain"),
    ],
)  # fmt: skip
def test_replay(boards, step, expected):
    assert told(boards, step) == expected


def test_lower_is_better():
    boards = [{"a": "10.0"}, {"b": "9.0"}, {"c": "8.9"}]
    assert told(boards, "0.5", "lower") == [
        (1, "b", True, "beats the step"),
        (2, "c", False, "within the step"),
    ]


def test_a_new_edition_starts_anew():
    boards = [{"a": "70.0"}, {"b": "50.0"}, {"c": "50.2"}]
    assert told(boards, "0.5", editions=["0.3", "0.4", "0.4"]) == [
        (1, "b", None, "edition"),
        (2, "c", False, "within the step"),
    ]


def test_a_version_that_cannot_be_read_says_nothing():
    boards = [{"a": "70.0"}, {}, {"b": "71.0"}]
    found = told(boards, "0.5", kinds=["read", "unreadable", "read"])
    assert found == [(2, "b", True, "beats the step")]


@settings(max_examples=40)
@given(st.lists(st.integers(0, 60), min_size=2, max_size=7), st.integers(1, 9))
def test_as_the_reference(tenths, step):
    boards = [{str(i): f"{tick / 10:.1f}"} for i, tick in enumerate(tenths)]
    table = rank(scores(*boards))
    lines = readings(list(range(len(boards))))
    found = replay(table, lines, Decimal(step) / 10)
    expected = plain.ladder([Fraction(tick, 10) for tick in tenths], Fraction(step, 10))
    assert [one.survives for one in found] == expected[1:]


# --- the majority-vote attack -----------------------------------------------------------------


def feel(told: list[float] | np.ndarray, tries: np.ndarray, only_new: bool) -> np.ndarray:
    """Vote by those tries that were told to be better than guessing."""
    told = np.asarray(told)
    better = told < 0.5
    if only_new:  # the Ladder says nothing of tries that are no new best
        better &= np.diff(told, prepend=1.0) < 0
    return tries[better].mean(axis=0) > 0.5


@pytest.mark.parametrize(
    ("told", "only_new", "error"),
    [
        pytest.param(lambda losses: losses.mean(axis=1), False, 0.421, id="full feedback"),
        pytest.param(lambda losses: losses.mean(axis=1).round(2), False, 0.411, id="two decimals"),
        pytest.param(
            lambda losses: announced(losses.mean(axis=1), 0.01), True, 0.483, id="a step of 0.01"
        ),
        pytest.param(announced_without_step, True, 0.486, id="without a step to choose"),
    ],
)
@pytest.mark.parametrize(
    "runs", [pytest.param(4, id="4 runs"), pytest.param(40, id="40 runs", marks=pytest.mark.long)]
)
def test_the_majority_vote_attack(told, only_new, error, runs):
    random = np.random.default_rng(1502)
    public, fresh = [], []
    for _ in range(runs):
        right = random.integers(0, 2, 4000, dtype=np.int8)
        tries = random.integers(0, 2, (500, 4000), dtype=np.int8)
        vote = feel(told(tries != right), tries, only_new)
        public.append((vote != right).mean())
        fresh.append((vote != random.integers(0, 2, 4000)).mean())
    # 0.008 is the standard deviation of one run, and what 20 runs leave to the figure itself
    assert np.mean(public) == pytest.approx(error, abs=3 * 0.008 * (1 / runs + 1 / 20) ** 0.5)
    assert np.mean(fresh) == pytest.approx(0.5, abs=4 * 0.008 / runs**0.5)
