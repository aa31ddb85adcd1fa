"""Which files patterns mean, and which name has the newest date."""

from __future__ import annotations

import time

import pytest

from crawler.paths import Paths, dates_left_open, newest_by_name


@pytest.mark.parametrize(
    ("pattern", "path", "fits"),
    [
        pytest.param("b_*.csv", "b_1.csv", True, id="any letters"),
        pytest.param("b_*.csv", "b_.csv", True, id="no letters"),
        pytest.param("b_*.csv", "b_1.csv.bak", False, id="the whole name"),
        pytest.param("b_*.csv", "B_1.csv", False, id="upper and lower case differ"),
        pytest.param("*.csv", "data/b.csv", False, id="a star stays in its folder"),
        pytest.param("data/?.csv", "data/b.csv", True, id="one letter"),
        pytest.param("a?b", "a/b", False, id="a slash is no letter"),
        pytest.param("b[0-3x].csv", "bx.csv", True, id="one of some letters"),
        pytest.param("b[0-3x].csv", "b4.csv", False, id="none of them"),
        pytest.param("b[!0-3].csv", "b4.csv", True, id="any but some letters"),
        pytest.param("b[]].csv", "b].csv", True, id="a closing bracket comes first"),
        pytest.param("b[[]1].csv", "b[1].csv", True, id="the bracket itself"),
        pytest.param("b+(1).csv*", "b+(1).csv", True, id="other signs are letters"),
        pytest.param("r/**/b.csv", "r/b.csv", True, id="no folder"),
        pytest.param("r/**/b.csv", "r/x/y/b.csv", True, id="several folders"),
        pytest.param("r/**/b.csv", "s/r/b.csv", False, id="folders only where it stands"),
        pytest.param("**/b.csv", "b.csv", True, id="any folders at the beginning"),
        pytest.param("r/**", "r/x/y", True, id="all files below"),
        pytest.param("r/**", "r", False, id="not the folder itself"),
        pytest.param("r/**/**/b", "r/b", True, id="twice"),
        pytest.param("r/*/b", "r/x/b", True, id="a folder of any name"),
        pytest.param("*", ".hidden", False, id="a hidden file"),
        pytest.param("**/b", ".hidden/b", False, id="a hidden folder"),
        pytest.param(".h*/b", ".hidden/b", True, id="a hidden folder that is meant"),
        pytest.param("a*", "a\nb\udcff", True, id="a hostile name is a name"),
    ],
)
def test_patterns(pattern, path, fits):
    assert (Paths([pattern]).item(path) == 0) is fits


def test_the_first_item_counts():
    paths = Paths(["b.csv", "b_*.csv", "old/*.csv", "old/b.csv"])
    names = ["b.csv", "b_1.csv", "old/b.csv", "old/x.csv", "x.csv"]
    assert [paths.item(name) for name in names] == [0, 1, 2, 2, None]


@pytest.mark.parametrize(
    ("written", "limits"),
    [
        pytest.param(["a/b.csv"], ["a/b.csv"], id="a file"),
        pytest.param(["a/b/*.csv", "a/b/c-*/x", "d.csv"], ["d.csv", "a/b"], id="folders"),
        pytest.param(["a/b.csv", "*.csv"], [], id="the whole repository"),
    ],
)
def test_git_is_asked_for_folders(written, limits):
    assert Paths(written).limits() == limits


@pytest.mark.parametrize(
    ("names", "newest"),
    [
        pytest.param(["b_20240329.csv", "b_20240411.csv", "b_20240404.csv"], 1, id="digits"),
        pytest.param(["2024-04-11.csv", "2024-04-12.csv", "2023-12-31.csv"], 1, id="hyphens"),
        pytest.param(["b_2024_04_11", "b_2024-04-10", "b_20240409"], 0, id="all forms alike"),
        pytest.param(
            ["table_2025_9_30.csv", "table_2025_10_1.csv", "table_2025_9_4.csv"], 1, id="one digit"
        ),
        pytest.param(["t_2026-1-8", "t_2025-12-31", "t_20251109"], 0, id="one digit, hyphens"),
        pytest.param(["12-9-2025", "9-30-2025", "9-4-2026"], 2, id="one digit, the month first"),
        pytest.param(["t_2025118.csv", "t_2024_1_1.csv"], 1, id="two digits without a mark"),
        pytest.param(["t_2025_9_301.csv", "t_2024_1_1.csv"], 1, id="no day of three digits"),
        pytest.param(["t_2025_13_40.csv", "t_2024_1_1.csv"], 1, id="no day 40 of month 13"),
        pytest.param(["t_00-05-2025.csv", "t_2024_1_1.csv"], 1, id="no day 0"),
        pytest.param(
            ["q2-5-2024-01-31.csv", "q2-5-2024-01-30.csv"], 0, id="a number before a date"
        ),
        pytest.param(["1-5-2024-2-5-2024", "1-30-2024-2-4-2024"], 0, id="from one day to another"),
        pytest.param(["2024-04.csv", "2024-03-31.csv", "2024-03.csv"], 0, id="months"),
        pytest.param(["2024-04.csv", "2024-04-01.csv"], 1, id="a month is before its days"),
        pytest.param(["latest.csv", "b_19990101.csv"], 1, id="no date is older than any"),
        pytest.param(["b.csv", "c.csv", "a.csv"], 1, id="no date at all"),
        pytest.param(["b_20241301.csv", "b_20240101.csv"], 1, id="no month 13"),
        pytest.param(["b_120240101.csv", "b_20230101.csv"], 1, id="digits of a longer number"),
        pytest.param(["20240101_20240301.csv", "20240201.csv"], 0, id="the later of two dates"),
        pytest.param(["x/20240101.csv", "y/20240101.csv"], 1, id="the last path of equals"),
        pytest.param(["b_20240422.csv", "b_20240422-2.csv"], 1, id="a second one of the day"),
        pytest.param(["2025-01-01/b.csv", "2024-01-01/c_20240101.csv"], 1, id="names, not folders"),
        pytest.param(
            ["12-31-2023.csv", "01-05-2024.csv"], 1, id="the month first, by another name"
        ),
        pytest.param(["31-12-2023.csv", "02-01-2023.csv"], 0, id="the day first, by another name"),
        pytest.param(["05-06-2024.csv", "05-06-2023.csv"], 0, id="the same in both readings"),
    ],
)
def test_the_newest_by_name(names, newest):
    assert newest_by_name(names) == names[newest]


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(["03-04-2024.csv", "02-05-2024.csv"], id="nothing settles it"),
        pytest.param(
            ["03-04-2024.csv", "02-05-2024.csv", "13-01-2024.csv", "01-13-2024.csv"],
            id="other names contradict each other",
        ),
    ],
)
def test_a_date_with_two_readings_is_not_guessed(names):
    assert newest_by_name(names) == ("03-04-2024.csv", "02-05-2024.csv")


@pytest.mark.parametrize(
    ("path", "pattern"),
    [
        pytest.param("d/table_2025_9_30.csv", "d/table_*.csv", id="one digit"),
        pytest.param("2024-01-31_2024-2-4.csv", "*_*.csv", id="two dates"),
        pytest.param("t_2025_13_40.csv", None, id="a day that is none"),
        pytest.param("t_2025_13_40_20240131.csv", "t_2025_13_40_*.csv", id="one day that is none"),
        pytest.param("q2-5-2024-01-31.csv", "q2-5-*.csv", id="a number before a date"),
    ],
)
def test_what_differs_from_a_dated_name_in_the_date_only(path, pattern):
    assert dates_left_open(path) == pattern


def test_no_name_makes_a_pattern_slow():
    started = time.process_time()
    Paths(["a*" * 60 + "b", "**/" * 30 + "x"]).item("/".join(["a" * 250] * 15))
    assert time.process_time() - started < 2
