from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.numbers import parse
from history.numbers.column import ColumnReader, read_column
from history.numbers.whole_column import mixed_scale


@pytest.mark.parametrize(
    ("texts", "values", "either"),
    [
        pytest.param(["12.3 s", "9s", "0"], [12.3, 9, 0], {}, id="one unit, spelt in two ways"),
        pytest.param(
            ["12 s", "9 s", "450 ms"], [12, 9, None], {2: "450 ms or 450 s"}, id="ms among s"
        ),
        pytest.param(
            ["12 s", "9 s", "450"], [12, 9, None], {2: "450 without a unit or 450 s"}, id="none"
        ),
        pytest.param(
            ["12 s", "450 ms", "n/a"],
            [None, None, None],
            {0: "12 s or 12 ms", 1: "450 ms or 450 s"},
            id="one of each: none counts",
        ),
        pytest.param(["$5", "4 €"], [None, None], {0: "5 $ or 5 €", 1: "4 € or 4 $"}, id="money"),
        pytest.param(["71.2%", "69.8", "0"], [71.2, 69.8, 0], {}, id="a percent sign left out"),
        pytest.param(
            ["71.2%", "0.712"], [71.2, None], {1: "0.712% or 71.2%"}, id="a share among percentages"
        ),
        pytest.param(["1.2k", "950", "3M"], [1200, 950, 3e6], {}, id="counts written short"),
        pytest.param(["8B", "500M"], [8e9, 5e8], {}, id="sizes written short"),
        pytest.param(["8B", "7"], [8e9, None], {1: "7 or 7B"}, id="7 beside 8B"),
        pytest.param(["1.2k", "0.7"], [1200, None], {1: "0.7 or 0.7k"}, id="no count"),
        pytest.param(["1,234†", "950"], [None, 950], {0: "1234 or 1.234"}, id="a comma alone"),
        pytest.param(["1,234†", "950.5"], [1234, 950.5], {}, id="beside a point it groups"),
        pytest.param(["71,25 ± 0,5", "1.200"], [71.25, 1200], {}, id="decimal commas"),
        pytest.param(["(0.4)", "0.5"], [None, 0.5], {0: "-0.4 or 0.4 in brackets"}, id="brackets"),
        pytest.param(["71.2 ± 0.8", "70.1 (0.4)"], [71.2, 70.1], {}, id="spreads"),
    ],
)
def test_numbers_that_only_their_column_explains(texts, values, either):
    column = read_column(texts)
    unit = 10.0**-column.dp
    found = [None if tick is None else tick * unit for tick in column.ticks]
    assert found == [None if value is None else pytest.approx(value) for value in values]
    assert column.either == either


CELLS = [
    "",
    "12 s",
    "9 s",
    "450 ms",
    "71.2%",
    "0.5",
    "7",
    "1.2k",
    "8B",
    "1,234",
    "71,25",
    "(4)",
    "1",
]


@given(st.lists(st.lists(st.sampled_from(CELLS), min_size=5, max_size=5), max_size=6))
def test_version_by_version_gives_what_each_alone_gives(versions):
    reader = ColumnReader(frozenset(), None, 0)
    for texts in versions:
        for version in (texts, [*texts[:-1], "3"], texts):
            got, alone = reader.read(version), read_column(version)
            assert (got.dp, got.ticks, got.reasons) == (alone.dp, alone.ticks, alone.reasons)
            assert got.either == alone.either


@pytest.mark.parametrize(
    ("texts", "found"),
    [
        pytest.param(
            ["0.712", "69.8", "0.703", "0.691"],
            "score mixes values up to 1 (3 rows) with values up to 69.8 (1 row: b): "
            "0.712 is 0.712 or 71.2",
            id="a percentage among shares of 1",
        ),
        pytest.param(
            ["71.2", "0.698", "54.0", "64.4", "n/a", "0"],
            "score mixes values up to 1 (1 row: b) with values up to 71.2 (3 rows): "
            "0.698 is 0.698 or 69.8",
            id="a share among percentages",
        ),
        pytest.param(["70", "0.71", "55"], "0.71 is 0.71 or 71", id="whole percentages"),
        pytest.param(["71.2", "0.6", "54.0"], None, id="a tiny percentage as precise as the rest"),
        pytest.param(["1695.5613", "1", "0.25"], None, id="no percentages at all"),
        pytest.param(["0.712", "0.691", "1"], None, id="shares of 1"),
        pytest.param(["71.2", "1.5", "0.912"], None, id="something in between"),
        pytest.param(["71.2", "0.012", "54.0"], None, id="times 100 it would still stand alone"),
        pytest.param(["71.2", "-0.712", "54.0"], None, id="below 0"),
        pytest.param(["71.2%", "0.712%"], None, id="percent signs"),
        pytest.param(
            ["41.123456789012345", "0.41234567890123456"], None, id="floats in full tell nothing"
        ),
        pytest.param(["29.9", "0.41234567890123456"], None, id="one float in full"),
        pytest.param(["70", "0", "soon"], None, id="nothing small"),
        pytest.param([], None, id="no rows"),
    ],
)
def test_two_scales_in_one_column(texts, found):
    said = mixed_scale("abcdefgh"[: len(texts)], list(map(parse, texts)))
    assert said is None if found is None else said.endswith(found)


@pytest.mark.parametrize("decimals", [0, 1, 2])
@pytest.mark.parametrize("rows", [2, 30])
def test_one_scale_is_never_taken_for_two(decimals, rows):
    """Percentages of any board that prints all of them alike, the lowest ones included."""
    texts = [f"{100 * (n + 0.5) ** 3 / rows**3:.{decimals}f}" for n in range(rows)]
    assert mixed_scale([str(n) for n in range(rows)], list(map(parse, texts))) is None
