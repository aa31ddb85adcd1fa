"""Which rules and bands give published tie ranks."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.ranks import rank
from history.ties import TieRule, infer
from tests.reference import ranking

RULES = ("anchored", "chain", "pairwise")


def table(boards, published, dp=2, **columns):
    """RANKS of boards of scores in ticks, best first, with what is published of each."""
    rows = [(v, tick) for v, board in enumerate(boards) for tick in board]
    frame = pd.DataFrame(
        {
            "version": np.array([v for v, _ in rows], dtype=np.int32),
            "entry": [f"e{i:04}" for i in range(len(rows))],
            "unranked": pd.NA,
            "score.ticks": pd.array([tick for _, tick in rows], dtype="Int64"),
            "score.dp": dp,
            **columns,
        }
    )
    places = [place for board in published for place in board]
    return rank(frame.assign(tie_rank_published=pd.array(places, dtype="Int64")))


def inferred(ticks, published, counts="positions", declared=None, dp=2, **columns):
    said = None if declared is None else {0: (declared, declared.band)}
    return infer(table([ticks], [published], dp, **columns), {0: counts}, said)[0]


def bands(found, edge="inclusive"):
    """By rule, the band interval as printed."""
    return {fit.rule: fit.texts for fit in found.fits if fit.edge in (None, edge)}


# --- worked examples ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ticks", "published", "counts", "expected"),
    [
        pytest.param(
            [1000, 950, 900], [1, 1, 3], "positions", {"anchored": ("0.50", "1.00")},
            id="10.0 9.5 9.0: anchored",
        ),
        pytest.param(
            [1000, 950, 900], [1, 1, 1], "positions",
            {"anchored": ("1.00", None), "chain": ("0.50", None), "pairwise": ("1.00", None)},
            id="nobody is apart: a chain, or a wide band of any rule",
        ),
        pytest.param(
            [1000, 950, 900], [1, 1, 2], "positions", {"pairwise": ("0.50", "1.00")},
            id="10.0 9.5 9.0: pairwise",
        ),
        pytest.param(
            [7000, 6920, 6880, 6800, 6760, 6680], [1, 1, 3, 3, 5, 5], "positions",
            {"anchored": ("0.80", "1.20")},
            id="before one joins on top",
        ),
        pytest.param(
            [7040, 7000, 6920, 6880, 6800, 6760, 6680], [1, 1, 3, 3, 5, 5, 7], "positions",
            {"anchored": ("0.40", "1.20"), "chain": ("0.40", "0.80"), "pairwise": ("0.40", "0.80")},
            id="and after",
        ),
        pytest.param(
            [1000, 950, 900, 800], [1, 1, 2, 3], "groups", {"anchored": ("0.50", "1.00")},
            id="numbers of groups",
        ),
        pytest.param(
            [500, 500, 400], [1, 1, 3], "positions",
            {"anchored": ("0.00", "1.00"), "chain": ("0.00", "1.00"), "pairwise": ("0.00", "1.00"),
             "none": (None, None)},
            id="equal scores alone: every rule with a narrow band, and none",
        ),
        pytest.param([1000, 950, 900], [3, 2, 1], "positions", {}, id="the other way round"),
        pytest.param([1000, 950, 900], [0, 0, -4], "positions", {}, id="no places at all"),
        pytest.param([1000], [1], "positions",
            {"anchored": ("0.00", None), "chain": ("0.00", None), "pairwise": ("0.00", None),
             "none": (None, None)},
            id="one entry says nothing",
        ),
    ],
)  # fmt: skip
def test_worked_boards(ticks, published, counts, expected):
    found = inferred(ticks, published, counts)
    assert bands(found) == expected
    assert all(fit.exact and not fit.hidden for fit in found.fits)
    assert bool(found.nearest) is not bool(found.fits)


def test_each_edge_fits_and_its_interval_is_open_at_the_other_end():
    found = inferred([1000, 950, 900], [1, 1, 3])
    by_edge = {fit.edge: fit for fit in found.fits}
    narrow, wide = Fraction(1, 2), Fraction(1)
    assert [by_edge["inclusive"].holds(band) for band in (narrow, wide)] == [True, False]
    assert [by_edge["exclusive"].holds(band) for band in (narrow, wide)] == [False, True]


@pytest.mark.parametrize(
    ("published", "declared", "holds", "edge"),
    [
        pytest.param([1, 1, 3], TieRule("anchored", band="0.9"), True, "inclusive", id="a tie"),
        pytest.param([1, 2, 2], TieRule("anchored", "exclusive", "0.9"), True, "exclusive", id="no tie"),
        pytest.param([1, 2, 2], TieRule("anchored", band="0.9"), False, "exclusive", id="said to be one"),
        pytest.param([1, 1, 3], TieRule("anchored", band="0.905"), True, None, id="nobody is as far apart"),
        pytest.param([1, 1, 3], TieRule("chain", band="0.9"), False, None, id="another rule"),
        pytest.param([1, 1, 3], TieRule("anchored"), None, None, id="a band that nobody says"),
        pytest.param([1, 1, 3], TieRule("none"), False, None, id="said to have no ties"),
        pytest.param([1, 2, 3], TieRule("none"), True, None, id="and has none"),
    ],
)  # fmt: skip
def test_the_edge_is_known_only_if_a_pair_is_as_far_apart_as_the_band(
    published, declared, holds, edge
):
    """69.06, 68.16 and 68.15, with a band of 0.9."""
    found = inferred([6906, 6816, 6815], published, declared=declared)
    assert (found.declared, found.edge) == (holds, edge)


def test_numbers_of_groups_are_found_where_positions_are_said():
    found = inferred([1000, 950, 900, 800], [1, 1, 2, 3])
    assert {(fit.rule, fit.counts) for fit in found.fits} == {("anchored", "groups")}


def test_what_nothing_explains_has_a_nearest_rule():
    """A single rank is wrong: e5 stands in the group before."""
    ticks = [1000, 960, 905, 860, 800, 760]
    right = inferred(ticks, [1, 1, 3, 3, 5, 5])
    narrow = ("0.45", "0.55")
    assert bands(right) == {"anchored": ("0.45", "0.95"), "chain": narrow, "pairwise": narrow}
    found = inferred(ticks, [1, 1, 3, 3, 3, 6])
    assert found.fits == ()
    assert {miss.rule for miss in found.nearest} >= {"anchored"}
    assert {miss.misses for miss in found.nearest} == {1}


def test_versions_without_published_tie_ranks_are_left_out():
    ranks = table([[5, 4], [5, 4], [5, 4]], [[1, 2], [None, None], [1, 1]])
    assert sorted(infer(ranks, {})) == [0, 2]
    assert infer(ranks.drop(columns="tie_rank_published"), {}) == {}
    assert infer(ranks.iloc[:0], {}) == {}


def test_scores_of_any_length():
    ticks = [10**25, 10**25 - 50, 10**25 - 100]
    ranks = table([[0, 0, 0]], [[1, 1, 3]]).assign(
        **{"score.ticks": pd.Series(ticks, dtype=object), "rank": pd.array([1, 2, 3], "Int64")}
    )
    assert bands(infer(ranks, {})[0]) == {"anchored": ("0.50", "1.00")}


# --- entries that are counted and not shown, and unprinted decimals -------------------------------


def made_up_board(seed=11):
    """115 entries of which a board shows 112: floats, an anchored rule with a band of 0.9."""
    rng = np.random.default_rng(seed)
    return -np.sort(-np.rint(rng.normal(4000, 900, 115)).astype(int))


def test_entries_that_are_counted_and_not_shown_make_positions_jump():
    ticks = made_up_board()
    whole = rank(
        table([ticks], [[1] * 115]), rule=TieRule("anchored", band="0.9")
    )  # all that the board has
    group = whole["tie_group"]
    inside = whole.index[group.eq(group.shift()) & group.eq(group.shift(-1))][[1, 6, 9]]
    shown = whole.drop(inside)
    found = inferred(shown["score.ticks"].tolist(), shown["tie_rank"].tolist())
    assert {(fit.rule, fit.hidden, fit.exact) for fit in found.fits} == {("anchored", 3, True)}
    assert all(fit.holds(Fraction(9, 10)) for fit in found.fits if fit.edge == "inclusive")


def test_a_hidden_leader_does_not_mislead():
    """The leader 10.0 is not shown: 9.2 and 9.0 hang on it, and 8.9 is 1.1 behind it."""
    found = inferred([920, 900, 890, 100], [1, 1, 4, 5])
    anchored = [fit for fit in found.fits if fit.rule == "anchored"]
    assert anchored
    assert all(fit.holds(Fraction(1)) for fit in anchored)


def test_too_many_hidden_entries_explain_nothing():
    found = inferred([1000, 950, 900, 800], [1, 1, 9, 30])
    assert found.fits == ()


def test_unprinted_decimals_can_explain_a_rank():
    """0.90 is a tie above and none below: unrounded, the second gap was a little wider."""
    found = inferred([1000, 910, 600, 510], [1, 1, 3, 4])
    assert {fit.exact for fit in found.fits} == {False}
    assert bands(found)["anchored"] == ("0.89", "0.91")


def test_some_rows_without_a_tie_rank():
    """A head that says nothing: 10.0 leads 9.5, and 9.1 is apart from it, not from 9.5."""
    found = inferred([1000, 950, 910, 700], [None, 1, 3, 4])
    anchored = [fit for fit in found.fits if fit.rule == "anchored"]
    assert all(fit.holds(Fraction(8, 10)) for fit in anchored if fit.edge == "inclusive")
    assert anchored


# --- intervals ------------------------------------------------------------------------------------

ARENA = {"score": [1310, 1304, 1299, 1296, 1288], "low": [1302, 1298, 1295, 1290, 1283],
         "high": [1318, 1310, 1303, 1301, 1293]}  # fmt: skip


def arena(published, one_cell=False):
    columns = {}
    for name in ("low", "high"):
        where = "both" if one_cell else name
        columns[f"{name}.ticks"] = pd.array(ARENA[name], dtype="Int64")
        pointers = pd.Categorical([f"/{i}/{where}" for i in range(5)])
        columns |= {f"{name}.dp": 0, f"{name}.pointer": pointers}
    return inferred(ARENA["score"], published, dp=0, **columns)


@pytest.mark.parametrize(
    ("published", "one_cell", "exact", "misses"),
    [
        pytest.param([1, 1, 1, 2, 4], False, True, None, id="as printed"),
        pytest.param([1, 1, 1, 1, 4], False, False, None, id="1302 and 1301 may have touched"),
        pytest.param([1, 1, 2, 2, 4], False, None, 1, id="1302 and 1303 touched at most"),
        pytest.param([1, 1, 2, 2, 4], True, False, None, id="unless both ends were added up"),
        pytest.param([1, 1, 1, 2, 3], False, None, 1, id="1295 was above 1293"),
        pytest.param([1, 1, 1, 2, 3], True, False, None, id="and with ends added up perhaps not"),
        pytest.param([2, 1, 1, 2, 4], False, None, 1, id="the first cannot be second"),
    ],
)
def test_published_ranks_by_intervals(published, one_cell, exact, misses):
    found = arena(published, one_cell)
    fits = {fit.rule: fit.exact for fit in found.fits}
    assert fits.get("interval") == exact
    if misses is not None:
        missed = {miss.rule: miss.misses for miss in found.nearest}
        assert missed.get("interval", misses) == misses


# --- against the reference ------------------------------------------------------------------------

SMALL = st.lists(st.integers(0, 12), min_size=1, max_size=6).map(lambda t: sorted(t, reverse=True))
# Every band that could make a difference, and what lies between.
TRIED = [Fraction(half, 2) for half in range(28)]


def named(ticks):
    return {f"e{i:04}": Fraction(tick) for i, tick in enumerate(ticks)}


@given(SMALL, st.data(), st.sampled_from(["positions", "groups"]))
def test_fits_are_exactly_the_bands_that_reproduce_the_ranks(ticks, data, counts):
    """All bands tried one by one, on ranks that some rule made and on any others."""
    board = named(ticks)
    made = data.draw(st.sampled_from([*RULES, "chance"]))
    if made == "chance":
        places = st.lists(st.integers(1, 6), min_size=len(ticks), max_size=len(ticks))
        published = data.draw(places.map(sorted))
    else:
        band = data.draw(st.sampled_from(TRIED))
        number = 0 if counts == "groups" and made != "pairwise" else 1
        rows = ranking.places_table(board, made, ranking.within(band, False))
        published = [row[number] for _, row in sorted(rows.items())]
    found = inferred(ticks, published, counts, dp=0)
    mine = {
        (fit.rule, fit.edge): {band for band in TRIED[1:] if fit.holds(band)}
        for fit in found.fits
        if fit.rule in RULES and fit.exact and not fit.hidden
    }
    said = dict(zip(board, published, strict=True))
    for way in (counts, "groups" if counts == "positions" else "positions"):
        right = {
            (rule, edge): {
                band
                for band in TRIED[1:]
                if ranking.fits(board, said, rule, band, edge == "exclusive", way)
            }
            for rule in RULES
            for edge in ("inclusive", "exclusive")
            if (rule, way) != ("pairwise", "groups")
        }
        if any(right.values()):
            break
    assert mine == {key: held for key, held in right.items() if held}


@given(
    st.lists(st.integers(-300, 300), min_size=1, max_size=25),
    st.sampled_from(RULES),
    st.sampled_from(["inclusive", "exclusive"]),
    st.integers(1, 200),
    st.booleans(),
)
def test_the_band_that_made_the_ranks_is_always_among_those_found(ticks, rule, edge, band, groups):
    ticks = sorted(ticks, reverse=True)
    made = rank(table([ticks], [[None] * len(ticks)]), rule=TieRule(rule, edge, f"{band / 100}"))
    groups = groups and rule != "pairwise"
    published = made["tie_group" if groups else "tie_rank"].tolist()
    found = inferred(ticks, published, "groups" if groups else "positions")
    fits = [fit for fit in found.fits if fit.rule == rule and fit.edge == edge]
    assert len(fits) == 1
    assert fits[0].holds(Fraction(band, 100))
    assert fits[0].exact
    assert fits[0].hidden == 0


def test_whole_histories_at_once_as_one_board_at_a_time():
    rng = np.random.default_rng(2)
    boards = [-np.sort(-rng.integers(0, 900, rng.integers(1, 30))) for _ in range(60)]
    published = []
    for n, board in enumerate(boards):
        rule = TieRule(RULES[n % 3], band="0.9")
        made = rank(table([board], [[None] * len(board)]), rule=rule)
        places = made["tie_rank"].to_numpy(np.int64)
        published.append(places + (rng.random(len(board)) < 0.02 * (n % 2)))
    together = infer(table(boards, published), {})
    for version, (board, places) in enumerate(zip(boards, published, strict=True)):
        assert together[version] == infer(table([board], [places]), {})[0]


@pytest.mark.long
@pytest.mark.parametrize(
    ("size", "unique", "allowed"),
    [
        pytest.param(10, 84, 40, id="10 entries"),
        pytest.param(30, 297, 8, id="30 entries"),
        pytest.param(100, 300, 1, id="100 entries"),
        pytest.param(229, 300, 0, id="229 entries"),
    ],
)
def test_how_often_a_rule_is_identified(size, unique, allowed):
    """300 boards of normal scores, sd 5, two decimals, anchored with 0.9; seed 2026.

    `allowed` is four standard errors of the difference of two such counts.
    """
    rng = np.random.default_rng(2026)
    ticks = -np.sort(-np.rint(rng.normal(5000, 500, (300, size))).astype(np.int64), axis=1)
    made = rank(table(ticks, [[None] * size] * 300), rule=TieRule("anchored", band="0.9"))
    published = made["tie_rank"].to_numpy(np.int64).reshape(300, size)
    found = infer(table(ticks, published), {})
    alone = sum({fit.rule for fit in one.fits} == {"anchored"} for one in found.values())
    assert abs(alone - unique) <= allowed
    if size == 229:
        pinned = [
            fit.texts == ("0.90", "0.91")
            for one in found.values()
            for fit in one.fits
            if fit.edge == "inclusive"
        ]
        assert np.mean(pinned) > 0.5
