from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.ties import TieError, TieRule, band_width, parse_rule, tie_groups, widest_gap
from tests.reference import ranking

RULES = ("anchored", "chain", "pairwise", "none")


def tie_ranks(ticks: list[int], rule: str, band: str, dp: int, edge: str = "inclusive") -> list:
    return table(ticks, rule, band, dp, edge)["tie_rank"].tolist()


def table(ticks: list[int], rule: str, band: str | None, dp: int, edge: str = "inclusive"):
    n = len(ticks)
    values = np.array(ticks, dtype=object if any(abs(t) > 2**62 for t in ticks) else np.int64)
    of_rule = TieRule(rule, edge, band)
    return tie_groups(np.zeros(n, dtype=np.int32), values, np.full(n, dp, np.int8), of_rule)


@pytest.mark.parametrize(
    ("ticks", "band", "dp", "edge", "anchored", "chain", "pairwise"),
    [
        pytest.param(
            [100, 95, 90], "0.6", 1, "inclusive", [1, 1, 3], [1, 1, 1], [1, 1, 2],
            id="the smallest board on which the three rules differ",
        ),
        pytest.param(
            [700, 692, 688, 680, 676, 668], "0.9", 1, "inclusive",
            [1, 1, 3, 3, 5, 5], [1, 1, 1, 1, 1, 1], [1, 1, 2, 3, 4, 5],
            id="before one joins on top",
        ),
        pytest.param(
            [704, 700, 692, 688, 680, 676, 668], "0.9", 1, "inclusive",
            [1, 1, 3, 3, 5, 5, 7], [1, 1, 1, 1, 1, 1, 1], [1, 1, 2, 3, 4, 5, 6],
            id="one that joins on top moves every anchor",
        ),
        pytest.param(
            [6906, 6816, 6815], "0.9", 2, "inclusive", [1, 1, 3], [1, 1, 1], [1, 1, 2],
            id="a gap of exactly the band is a tie",
        ),
        pytest.param(
            [6906, 6816, 6815], "0.9", 2, "exclusive", [1, 2, 2], [1, 2, 2], [1, 2, 2],
            id="with an exclusive edge it is none",
        ),
        pytest.param(
            [6906, 6816], "0.9", 2, "float", [1, 2], [1, 2], [1, 2],
            id="in floats 69.06 - 68.16 is more than 0.9",
        ),
        pytest.param(
            [20, 17, 15], "0.25", 1, "inclusive", [1, 2, 2], [1, 2, 2], [1, 2, 2],
            id="a band with more decimals than the scores",
        ),
        pytest.param(
            [9, 9, 8], "0", 0, "exclusive", [1, 1, 3], [1, 1, 3], [1, 1, 3],
            id="equal scores are tied under any edge",
        ),
        pytest.param(
            [90000, 80000, 70000], "15000", -3, "inclusive", [1, 1, 1], [1, 1, 1], [1, 1, 1],
            id="ticks coarser than one, all within the band",
        ),
        pytest.param(
            [-10, -14, -30], "0.5", 1, "inclusive", [1, 1, 3], [1, 1, 3], [1, 1, 3],
            id="negative scores",
        ),
        pytest.param([], "0.9", 2, "inclusive", [], [], [], id="an empty board"),
    ],
)  # fmt: skip
def test_tie_ranks(ticks, band, dp, edge, anchored, chain, pairwise):
    if dp < 0:
        ticks = [tick // 10**-dp for tick in ticks]
        band = "20000"
    found = [tie_ranks(ticks, rule, band, dp, edge) for rule in ("anchored", "chain", "pairwise")]
    assert found == [anchored, chain, pairwise]


def test_a_chain_drifts_and_anchors_do_not():
    ticks = [5000 - 8 * i for i in range(229)]
    groups = {rule: table(ticks, rule, "0.9", 1)["tie_group"] for rule in ("chain", "anchored")}
    assert (groups["chain"].max(), groups["anchored"].max()) == (1, 115)
    assert ticks[0] - ticks[-1] == 1824


@pytest.mark.parametrize(
    ("rule", "groups", "tied"),
    [
        pytest.param("anchored", [1, 1, 2, 3], [True, True, False, False], id="anchored"),
        pytest.param("chain", [1, 1, 1, 2], [True, True, True, False], id="chain"),
        pytest.param("pairwise", [None] * 4, [True, True, True, False], id="pairwise: no groups"),
        pytest.param("none", [None] * 4, [False] * 4, id="none: equal scores only"),
    ],
)
def test_who_is_tied(rule, groups, tied):
    found = table([100, 95, 90, 50], rule, "0.6", 1)
    assert (
        found["tie_group"].astype(object).where(found["tie_group"].notna(), None).tolist() == groups
    )
    assert found["tied"].tolist() == tied


def test_each_version_has_its_own_band():
    version = np.repeat(np.array([3, 5, 8, 9]), 2)
    ticks = np.array([20, 11] * 4)
    bands = {3: "0.9", 5: "0.8", 9: "about one"}
    found = tie_groups(version, ticks, np.full(8, 1), TieRule("anchored"), bands)
    assert found["tie_rank"].astype(object).where(found["tie_rank"].notna(), 0).tolist() == [
        1, 1, 1, 2, 0, 0, 0, 0,
    ]  # fmt: skip
    assert found["tied"].tolist() == [True, True, False, False, False, False, False, False]


def test_without_a_band_equal_scores_are_still_tied():
    found = table([5, 5, 4], "anchored", None, 0)
    for column in ("tie_group", "tie_rank", "rank_low", "rank_high"):
        assert found[column].isna().all()
    assert found["tied"].tolist() == [True, True, False]


@pytest.mark.parametrize(
    ("text", "width"),
    [
        pytest.param("0.9", Fraction(9, 10), id="decimal"),
        pytest.param(" 1e-1 ", Fraction(1, 10), id="exponent and spaces"),
        pytest.param("0", 0, id="zero"),
        *[
            pytest.param(text, None, id=text)
            for text in ("-0.1", "nan", "inf", "", "0,9", "1e999999999", "1e-999999999", "9" * 50)
        ],
    ],
)
def test_band_width(text, width):
    assert band_width(text) == width


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param("none", TieRule("none"), id="no ties"),
        pytest.param("chain", None, id="no band"),
        pytest.param("anchored:", None, id="an empty band"),
        pytest.param(" chain : 0.25 ", None, id="spaces inside the rule"),
        pytest.param("pairwise:0.9", TieRule("pairwise", band="0.9"), id="rule and band"),
        pytest.param("buckets:1", None, id="an unknown rule"),
        pytest.param("chain:-1", None, id="a negative band"),
        pytest.param("chain:wide", None, id="no number"),
        pytest.param(
            "anchored:0.9:exclusive", TieRule("anchored", "exclusive", "0.9"), id="with an edge"
        ),
        pytest.param("chain:0.9:float", TieRule("chain", "float", "0.9"), id="in floats"),
        pytest.param("chain:0.9:open", None, id="an unknown edge"),
        pytest.param("chain::float", None, id="an edge without a band"),
        pytest.param("chain:0.9:float:1", None, id="too much"),
        pytest.param("interval", TieRule("interval"), id="intervals"),
        pytest.param("interval:0.9", None, id="intervals have no band"),
        pytest.param("none:0.9", None, id="no ties have no band"),
        pytest.param("se:1.96", TieRule("se", band="1.96"), id="standard errors"),
        pytest.param("se", None, id="how many standard errors"),
        pytest.param("se:2:exclusive", None, id="a test has no edge"),
    ],
)
def test_parse_rule(text, expected):
    if expected is None:
        with pytest.raises(TieError):
            parse_rule(text)
    else:
        assert parse_rule(text) == expected


def test_errors_say_what_there_is():
    with pytest.raises(TieError) as error:
        parse_rule("buckets:1")
    assert str(error.value) == (
        'tie rule: "buckets". Use one of anchored, chain, pairwise, interval, none, se.'
    )


# --- against the reference -------------------------------------------------------------------

TICKS = st.lists(st.integers(-40, 40), max_size=12).map(lambda t: sorted(t, reverse=True))
BANDS = st.sampled_from(["0", "0.05", "0.25", "0.3", "0.9", "1", "1.25", "2", "100"])


def named(values: list) -> dict:
    return {f"e{i:02}": value for i, value in enumerate(values)}


@given(
    st.lists(st.tuples(TICKS, BANDS, st.integers(0, 2)), max_size=4),
    st.sampled_from(RULES),
    st.sampled_from(["inclusive", "exclusive", "float"]),
    st.sampled_from([1, 10**20]),
)
def test_whole_histories_as_the_reference(boards, rule, edge, scale):
    """Ticks against Fractions (floats for the float edge), one board at a time."""
    version = np.array([v for v, (ticks, _, _) in enumerate(boards) for _ in ticks], dtype=int)
    ticks = [scale * tick for ticks, _, _ in boards for tick in ticks]
    dp = np.array([dp for ticks, _, dp in boards for _ in ticks], dtype=int)
    bands = {v: band for v, (_, band, _) in enumerate(boards)}
    dtype = np.int64 if scale == 1 else object
    found = tie_groups(version, np.array(ticks, dtype=dtype), dp, TieRule(rule, edge), bands)
    expected = []
    for board_ticks, band, places in boards:
        number = float if edge == "float" else Fraction
        board = named([number(Fraction(scale * tick, 10**places)) for tick in board_ticks])
        ties = ranking.within(number(Fraction(band)), edge == "exclusive")
        expected += [row for _, row in sorted(ranking.places_table(board, rule, ties).items())]
    groups = [
        None if g is None else int(g)
        for g in found["tie_group"].astype(object).where(found["tie_group"].notna(), None)
    ]
    columns = (found[name] for name in ("tie_rank", "rank_high", "tied"))
    assert list(zip(groups, *columns, strict=True)) == expected
    assert found["rank_low"].tolist() == found["tie_rank"].tolist()


@given(TICKS, BANDS)
def test_order_of_the_rules(ticks, band):
    chain, pairwise, anchored, none = (
        tie_ranks(ticks, rule, band, 1) for rule in ("chain", "pairwise", "anchored", "none")
    )
    for c, p, a, n in zip(chain, pairwise, anchored, none, strict=True):
        assert c <= p <= a <= n


@given(TICKS)
def test_without_a_width_all_rules_agree(ticks):
    assert len({tuple(tie_ranks(ticks, rule, "0", 1)) for rule in RULES}) == 1


@given(st.integers(0, 10_000), st.integers(0, 3), st.integers(0, 400))
def test_the_widest_gap_is_the_last_that_ties(thousandths, dp, gap):
    band, width = Fraction(thousandths, 1000), Fraction(gap, 10**dp)
    assert (gap <= widest_gap(band, dp, "inclusive")) == (width <= band)
    assert (gap <= widest_gap(band, dp, "exclusive")) == (width < band or gap == 0)
