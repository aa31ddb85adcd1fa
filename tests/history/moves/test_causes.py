"""Do the causes of a move add up, and are they those of all hybrid boards?"""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations
from statistics import median

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.moves import causes, shapley, sides
from tests.reference import moves as reference
from tests.reference.moves import Row

NAMES = tuple("abcdefgh")
F = Fraction


def listing(version, side: int, dp: int = 2, names=NAMES) -> sides.Listing:
    rows = sorted(version.items())
    numbers = {name: number for number, name in enumerate(sorted(names))}
    scores = [row.scores[side] for _, row in rows]
    board = {
        name: score
        for (name, row), score in zip(rows, scores, strict=True)
        if score is not None and row.eligible
    }
    return sides.Listing(
        entries=np.array([numbers[name] for name, _ in rows], dtype=np.int64),
        scores=np.array([score or 0 for score in scores], dtype=np.int64),
        dp=dp,
        scored=np.array([score is not None for score in scores], dtype=bool),
        eligible=np.array([row.eligible for _, row in rows], dtype=bool),
        ranks=np.array(
            [reference.rank(board, name) if name in board else 0 for name, _ in rows],
            dtype=np.int64,
        ),
        sign=1,
    )


def pair(before, after, *, edition=False, mixed=None, names=NAMES) -> sides.Sides:
    one, other = listing(before, 0, names=names), listing(after, 1, names=names)
    return sides.sides_of(one, other, other_edition=edition, mixed=mixed)


def mixed_of(before, after, names=NAMES) -> sides.Mixed:
    numbers = {name: number for number, name in enumerate(sorted(names))}
    corners = {}
    for side, version in enumerate((before, after)):
        corners[side, 1 - side] = {
            numbers[name]: F(row.scores[1 - side], 100)
            for name, row in version.items()
            if row.scores[1 - side] is not None
        }
    return corners


def shares(found: causes.Causes, names=NAMES) -> dict[str, dict[str, Fraction]]:
    """By entry, what each cause is worth."""
    ordered = sorted(names)
    of = [ordered[number] for number in found.sides.entries[found.targets]]
    return {
        name: {
            cause: causes.places(int(share))
            for cause, share in zip(causes.ALL, column, strict=True)
        }
        for name, column in zip(of, found.total().T, strict=True)
    }


# --- the shares alone ------------------------------------------------------------------------


def test_shares_add_up_whatever_the_table():
    table = np.random.default_rng(1).integers(0, 5, size=(2, 2, 2, 2, 7))
    shared, one = shapley.shapley(table, 4)
    assert (shared.sum(axis=0) == one * (table[1, 1, 1, 1] - table[0, 0, 0, 0])).all()


def test_shares_move_with_the_names_of_switches():
    table = np.random.default_rng(2).integers(0, 5, size=(2, 2, 2))
    shared, _ = shapley.shapley(table, 3)
    turned, _ = shapley.shapley(table.transpose(2, 0, 1), 3)
    assert turned.tolist() == shared[[2, 0, 1]].tolist()


def test_a_switch_that_changes_nothing_gets_nothing():
    table = np.stack([np.array([[0, 3], [1, 7]])] * 2, axis=1)  # the second of three does nothing
    assert shapley.shapley(table, 3)[0][1] == 0


# --- a worked move ---------------------------------------------------------------------------

# Scores under the old and the new formula, in hundredths; invented but for d3 and d3-turbo.
BEFORE = {
    "d3-turbo": Row((6904, 6712)),
    "d3": Row((6906, 6715)),
    "R1": Row((7190, 7040)),
    "R2": Row((7080, 6930)),
    "R3": Row((7010, 6860)),
    "W": Row((6905, 6720)),
    "O": Row((6850, 6660)),
    "Fm": Row((6890, 6740)),
    "El": Row((7000, 6820), eligible=False),
    "Low1": Row((6600, 6400)),
    "Low2": Row((6500, 6350)),
}
AFTER = {name: row for name, row in BEFORE.items() if name != "W"} | {
    "d3-turbo": Row((6924, 6731)),
    "O": Row((6960, 6790)),
    "El": Row((7000, 6820)),
    "J1": Row((7050, 6900)),
    "J2": Row((6910, 6750)),
}


@pytest.fixture(scope="module")
def worked() -> causes.Causes:
    names = {*BEFORE, *AFTER}
    mixed = mixed_of(BEFORE, AFTER, names)
    return causes.causes_of(pair(BEFORE, AFTER, edition=True, mixed=mixed, names=names))


def test_a_worked_move_of_three_places(worked):
    assert shares(worked, {*BEFORE, *AFTER})["d3-turbo"] == {
        "own": F(-5, 3),
        "others": F(1),
        "joined": F(11, 6),
        "left": F(-1, 2),
        "formula": F(4, 3),
        "eligibility": F(1),
        "band": F(0),
        "edition": F(0),
    }
    assert worked.separable and not worked.fitted


def test_each_rival_of_the_worked_move(worked):
    names = sorted({*BEFORE, *AFTER})
    row = [names[n] for n in worked.sides.entries[worked.targets]].index("d3-turbo")
    told = {}
    for cause, target, rival, share in zip(
        worked.cause, worked.target, worked.rival, worked.share, strict=True
    ):
        if target == row:
            of_rival = told.setdefault(names[worked.sides.entries[rival]], {})
            of_rival[causes.ALL[cause]] = causes.places(int(share))
    assert told == {
        "d3": {"own": F(-1)},
        "W": {"own": F(-1, 2), "left": F(-1, 2)},
        "O": {"others": F(1)},
        "Fm": {"formula": F(1)},
        "El": {"eligibility": F(1)},
        "J1": {"joined": F(1)},
        "J2": {"joined": F(5, 6), "formula": F(1, 3), "own": F(-1, 6)},
    }


def test_all_entries_of_the_worked_move_agree_with_all_hybrid_boards(worked):
    for name, found in shares(worked, {*BEFORE, *AFTER}).items():
        assert found == reference.causes(BEFORE, AFTER, name) | {"edition": 0}, name


def test_one_entry_more_above():
    before = {"a": Row((7000, 7000)), "b": Row((6900, 6900))}
    after = before | {"c": Row((6950, 6950))}
    found = shares(causes.causes_of(pair(before, after)))["b"]
    assert found["joined"] == 1 and sum(found.values()) == 1


# --- any move --------------------------------------------------------------------------------

SCORES = st.one_of(st.none(), st.integers(0, 8))
FLAGS = st.sampled_from([True, True, True, False])


def versions(changes_formula: bool):
    """Two versions of up to eight entries; with equal scores, gaps, joiners and leavers."""

    @st.composite
    def drawn(draw):
        before, after = {}, {}
        for name in NAMES[: draw(st.integers(2, 8))]:
            where = draw(st.sampled_from(["both", "both", "both", "before", "after"]))
            old, new = draw(SCORES), draw(SCORES)
            if draw(st.booleans()):
                new = old

            def row(score):
                other = draw(st.integers(0, 8)) if changes_formula else score
                return (score, None if score is None else other)

            if where != "after":
                before[name] = Row(row(old), draw(FLAGS))
            if where != "before":
                after[name] = Row(row(new), draw(FLAGS))
            if where == "both" and old == new:
                after[name] = Row(before[name].scores, draw(FLAGS))
        return before, after

    return drawn()


def ranked_in_both(before, after) -> set[str]:
    boards = (
        {n for n, row in version.items() if row.eligible and row.scores[side] is not None}
        for side, version in enumerate((before, after))
    )
    return set.intersection(*boards)


@given(versions(changes_formula=False))
def test_causes_are_those_of_all_hybrid_boards(both):
    before, after = both
    compared = pair(before, after)
    if compared.rescaled:
        return  # told apart below
    found = shares(causes.causes_of(compared))
    assert found.keys() == ranked_in_both(before, after)
    for name, said in found.items():
        assert said == reference.causes(before, after, name) | {"edition": 0}


@given(versions(changes_formula=True))
def test_causes_with_a_formula_are_those_of_all_hybrid_boards(both):
    before, after = both
    compared = pair(before, after, edition=True, mixed=mixed_of(before, after))
    for name, said in shares(causes.causes_of(compared)).items():
        assert said == reference.causes(before, after, name) | {"edition": 0}


@given(versions(changes_formula=True))
def test_causes_over_editions_are_those_of_all_hybrid_boards(both):
    before, after = both
    compared = pair(before, after, edition=True)
    rises = [
        after[name].scores[1] - before[name].scores[0]
        for name in before.keys() & after.keys()
        if None not in (after[name].scores[1], before[name].scores[0])
    ]
    if not rises or not any(rises):
        return
    assert compared.scale == "apart" and compared.shift == F(median(map(F, rises)))
    found = causes.causes_of(compared)
    assert not found.separable and found.fitted == (before.keys() != after.keys())
    for name, said in shares(found).items():
        expected = reference.causes_apart(before, after, name, compared.shift)
        assert {cause: share for cause, share in said.items() if cause in expected} == expected
        assert not any(said[cause] for cause in said.keys() - expected.keys())


@given(versions(changes_formula=False))
def test_backwards_is_the_negative(both):
    before, after = both
    forth, back = pair(before, after), pair(after, before)
    if forth.rescaled:
        return
    ahead, behind = shares(causes.causes_of(forth)), shares(causes.causes_of(back))
    turned = {"joined": "left", "left": "joined"}
    for name, said in ahead.items():
        assert said == {c: -behind[name][turned.get(c, c)] for c in said}


@given(versions(changes_formula=False))
def test_causes_add_up_to_the_change_of_rank(both):
    before, after = both
    compared = pair(before, after)
    found = causes.causes_of(compared)
    change = compared.ranks[1, found.targets] - compared.ranks[0, found.targets]
    assert (found.total().sum(axis=0) == shapley.UNIT * change).all()


# --- scales ----------------------------------------------------------------------------------


def test_numbers_times_a_hundred_are_no_change():
    before = {"a": Row((57, 57)), "b": Row((56, 56)), "c": Row((29, 29))}
    after = {n: Row((100 * r.scores[0],) * 2) for n, r in before.items()} | {"d": Row((5680, 5680))}
    compared = pair(before, after)
    assert compared.rescaled == 2
    found = shares(causes.causes_of(compared))
    assert found["b"]["joined"] == 1 and found["b"]["others"] == found["b"]["own"] == 0
    assert pair(after, before).rescaled == -2


@pytest.mark.parametrize(
    ("old", "new", "power"),
    [
        pytest.param([57, 56], [5700, 5600], 2, id="times 100"),
        pytest.param([5700, 5600], [57, 56], -2, id="divided by 100"),
        pytest.param([57, 56], [57, 56], 0, id="unchanged"),
        pytest.param([57, 56], [5700, 5601], 0, id="one differs"),
        pytest.param([57], [5700], 0, id="one entry alone proves nothing"),
        pytest.param([0, 0], [0, 0], 0, id="all zero"),
        pytest.param([0, 7], [0, 70], 1, id="a zero stays zero"),
        pytest.param([57, 56], [-5700, -5600], 0, id="the sign changed"),
        pytest.param([57, 56], [114, 112], 0, id="twice is no scale"),
    ],
)
def test_which_power_of_ten(old, new, power):
    assert sides._power_of_ten(np.array(old), np.array(new)) == power


def test_a_shift_of_all_scores_moves_nobody_and_is_equated_first():
    before = {n: Row((100 * (9 - i), 0)) for i, n in enumerate("abcdef")}
    after = {n: Row((0, row.scores[0] - 190)) for n, row in before.items()}
    after |= {"g": Row((0, 660))}  # 8.5 on the old scale: between a and b
    found = causes.causes_of(pair(before, after, edition=True))
    assert found.fitted and not found.separable
    told = shares(found)
    assert told["a"]["joined"] == 0
    assert all(told[name] == dict.fromkeys(causes.ALL, 0) | {"joined": 1} for name in "bcdef")


def test_integers_of_any_size():
    large = 10**30
    before = {"a": Row((large + 1, 0)), "b": Row((large, 0))}
    one = listing({"a": Row((1, 1)), "b": Row((0, 0))}, 0)
    big = sides.Listing(
        one.entries,
        np.array([large + 1, large], dtype=object),
        2,
        one.scored,
        one.eligible,
        one.ranks,
        1,
    )
    small = sides.Listing(
        one.entries,
        np.array([1, 2], dtype=np.int64),
        40,
        one.scored,
        one.eligible,
        np.array([2, 1]),
        1,
    )
    compared = sides.sides_of(big, small)
    found = causes.causes_of(compared)
    assert compared.dp == 40 and len(before) == 2
    assert found.total().sum(axis=0).tolist() == [shapley.UNIT, -shapley.UNIT]


# --- one order of switching ------------------------------------------------------------------


def in_order(order: tuple[str, ...]) -> dict[str, int]:
    """What each switch changes when they are switched one after the other."""
    on: set[str] = set()
    rank, told = 6, {}
    for switch in order:
        on.add(switch)
        now = reference.rank(reference.hybrid(BEFORE, AFTER, "d3-turbo", on), "d3-turbo")
        told[switch], rank = now - rank, now
    return told


def test_the_order_of_switching_would_matter():
    found = [in_order(order) for order in permutations(reference.SWITCHES[:-1])]
    spans = {
        switch: (min(one[switch] for one in found), max(one[switch] for one in found))
        for switch in reference.SWITCHES[:-1]
    }
    assert spans["own"] == (-3, -1)
    assert spans["joined"] == (1, 2)
    assert spans["left"] == (-1, 0)
    assert spans["formula"] == (1, 2)
    assert all(sum(one.values()) == 3 for one in found)


def test_two_orders_by_hand():
    assert in_order(("formula", "eligibility", "left", "joined", "others", "own")) == {
        "formula": 1,
        "eligibility": 1,
        "left": -1,
        "joined": 2,
        "others": 1,
        "own": -1,
    }
    own_first = in_order(("own", "left", "joined", "formula", "eligibility", "others"))
    assert [own_first[name] for name in ("own", "left", "joined", "formula")] == [-2, 0, 1, 2]


def test_a_board_that_fell_as_one():
    """Without equating, an entry would seem to have lost by its own score and won by others'."""
    chance = np.random.default_rng(229)
    old = np.sort(chance.normal(50, 9, 229))[::-1]
    new = old - 1.89 + chance.normal(0, 0.3, 229)
    names = tuple(f"e{number:03}" for number in range(229))
    before = {n: Row((round(100 * s), 0)) for n, s in zip(names, old, strict=True)}
    after = {n: Row((0, round(100 * s))) for n, s in zip(names, new, strict=True)}
    apart = pair(before, after, edition=True, names=names)
    assert abs(apart.shift + 189) < 10
    plain = {n: Row((after[n].scores[1],) * 2) for n in names}
    first = {n: Row((before[n].scores[0],) * 2) for n in names}
    naive = shares(causes.causes_of(pair(first, plain, names=names)), names)
    equated = first | {}
    moved = {n: Row((plain[n].scores[0] - int(apart.shift),) * 2) for n in names}
    fair = shares(causes.causes_of(pair(equated, moved, names=names)), names)
    size = {
        kind: sum(abs(told[n]["own"]) for n in names)
        for kind, told in (("naive", naive), ("fair", fair))
    }
    assert size["naive"] > 3 * size["fair"]
    assert all(sum(naive[n].values()) == sum(fair[n].values()) for n in names)
