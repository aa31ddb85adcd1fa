"""`splits` and `reigns`, with all that can be asked for besides."""

from __future__ import annotations

import pytest

from tests.app.small_board import Garden, board_json, plant


def rows(lead: float, *names: str):
    """Entries one point apart; the first one's public score is `lead` too good."""
    return [
        (name, name.title(), 80.0 - i, 70.0 - i + (lead if i == 0 else 0), 60.0 - i + (i % 3) / 10)
        for i, name in enumerate(names)
    ]


NAMES = [f"fern{i:02}" for i in range(14)]
VERSIONS = (
    ("2026-03-01T08:00:00Z", board_json("1", ("old", "Old", 75.0, 71.0, 61.0))),
    ("2026-03-02T08:00:00Z", board_json("1", ("new", "New", 75.3, 71.2, 61.1))),
    ("2026-03-03T08:00:00Z", board_json("1", *rows(9.0, *NAMES))),
)


@pytest.fixture(scope="module")
def wide(tmp_path_factory) -> Garden:
    return plant(tmp_path_factory.mktemp("wide"), VERSIONS)


def words(wide: Garden, *arguments: str) -> str:
    """What a command says to people, in one line."""
    result = wide.run(*arguments)
    assert result.exit_code == 0, result.stderr
    return " ".join(result.stdout.split())


def test_what_the_file_cannot_say_is_said(wide):
    said = words(wide, "splits", "garden")
    assert "Shake-up" in said
    assert "fern00 gains more on public than on private: public 79.0, private 60.0" in said
    assert "not decidable from this file (NO_ITEM_COUNT)" in said
    assert "Innocent causes: the two parts are about different things" in said
    assert "more than noise" not in said


def test_with_items_there_is_a_noise_floor_and_a_level_b(wide):
    said = words(wide, "splits", "garden", "--items", "50000")
    assert "Chance alone gives" in said
    assert "seed 20261007" in said
    assert "fern00 gains more on public than on private, more than noise and regression" in said
    found = wide.json("splits", "garden", "--items", "50000")
    shake = found["shake_up"]
    assert 0 <= shake["noise_low"] <= shake["noise_high"] < shake["value"] + 1
    assert (shake["draws"], shake["seed"], shake["items"]) == (1000, 20261007, 50000)
    assert found["overfitting"]["flagged"] == ["fern00"]
    first = found["entries"][0]
    assert (first["entry"], first["level"]) == ("fern00", "b")
    assert first["scores"]["private"] < first["predicted_low"] < first["predicted_high"]
    assert found == wide.json("splits", "garden", "--items", "50000")


def test_a_pair(wide):
    found = wide.json("splits", "garden", "--entry", "fern00", "--against", "Fern03")["pair"]
    assert (found["entry"], found["against"]) == ("fern00", "fern03")
    (private,) = [one for one in found["beyond"] if one["split"] == "private"]
    assert (private["text"], private["code"]) == ("9.0", "NO_ITEM_COUNT")
    assert private["value"] == 9.0
    said = words(wide, "splits", "garden", "--entry", "fern00", "--against", "fern03")
    assert "fern00 against fern03: public +12.0, private +3.0" in said


def test_the_history_through_the_ladder(wide):
    found = wide.json("splits", "garden", "--step", "0.5")
    ladder, listing = found["ladder"], found["listing"]
    assert [(one["entries"], one["gain"], one["survives"]) for one in ladder["events"]] == [
        (["new"], "0.3", False),
        (["fern00"], "5.0", True),
    ]
    assert (ladder["step"], ladder["step_source"]) == ("0.5", "caller")
    assert ladder["parameter_free"]["code"] == "NO_PAIRED_RESULTS"
    assert (listing["ever"], listing["now"]) == (16, 14)
    assert [one["entry"] for one in listing["vanished"]] == ["old", "new"]
    assert listing["vanished"][0]["gone_commit"] == wide.commits[1]
    said = words(wide, "splits", "garden", "--history")
    assert "step 0.5 (the board's tie band): 1 of the 2 new first places" in said
    assert "What it cannot show: versions that were tried and never listed" in said


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        pytest.param(
            ["--entry", "fern00"], "--entry and --against belong together", id="half a pair"
        ),
        pytest.param(
            ["--entry", "fern00", "--against", "Fern00"], "are the same entry", id="one entry twice"
        ),
        pytest.param(["--public", "private"], "are both private", id="one split twice"),
        pytest.param(["--step", "0"], "not a number above 0", id="a step of nothing"),
        pytest.param(["--step", "wide"], "not a number above 0", id="a step in words"),
        pytest.param(["--private", "hidden"], 'split "hidden": not defined', id="no such split"),
        pytest.param(
            ["--entry", "old", "--against", "fern00"], "old was not listed then", id="not listed"
        ),
        pytest.param(["--items", "0"], "--items", id="no items"),
    ],
)
def test_what_is_refused(wide, arguments, says):
    result = wide.run("splits", "garden", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert says in result.stderr


# --- reigns -----------------------------------------------------------------------------------

CLOSE = (
    ("2026-03-01T08:00:00Z", board_json("1", ("a", "A", 70.0, 1, 1), ("b", "B", 69.6, 1, 1))),
    ("2026-03-02T08:00:00Z", board_json("1", ("a", "A", 70.0, 1, 1), ("b", "B", 70.1, 1, 1))),
    ("2026-03-03T08:00:00Z", board_json("1", ("a", "A", 71.0, 1, 1), ("b", "B", 70.1, 1, 1))),
)


@pytest.fixture(scope="module")
def close(tmp_path_factory) -> Garden:
    return plant(tmp_path_factory.mktemp("close"), CLOSE)


@pytest.mark.parametrize(
    ("options", "held", "rule"),
    [
        pytest.param([], [["a"], ["b"], ["a"]], ("score", "0.5", "board"), id="by score"),
        pytest.param(["--by", "tie"], [["a", "b"], ["a"]], ("tie", "0.5", "board"), id="own rule"),
        pytest.param(
            ["--tie", "anchored:0.05"], [["a"], ["b"], ["a"]], ("tie", "0.05", "caller"),
            id="another rule",
        ),
        pytest.param(
            ["--tie", "anchored:1"], [["a", "b"]], ("tie", "1", "caller"), id="a wide band"
        ),
    ],
)  # fmt: skip
def test_who_is_first_by_what(close, options, held, rule):
    found = close.json("reigns", "garden", *options)
    assert [one["entries"] for one in found["reigns"]] == held
    assert [one["sole"] for one in found["reigns"]] == [len(one) == 1 for one in held]
    ties = found["ties"]
    assert (found["by"], ties["bands"][0], ties["source"]) == rule
    time = found["time"]
    assert time["seconds"] == time["seconds_sole"] + time["seconds_shared"]
    assert time["seconds"] == sum(one["seconds"] for one in found["reigns"])


def test_an_entry_that_is_followed(close):
    said = words(close, "reigns", "garden", "--entry", "b")
    assert "B was 1st at best: 2026-03-02T08:00:00Z to 2026-03-03T08:00:00Z (24 h)" in said
    assert "and counting" in said


def test_a_tie_rule_is_not_by_score(close):
    result = close.run("reigns", "garden", "--tie", "anchored:1", "--by", "score")
    assert (result.exit_code, result.stdout) == (2, "")
    assert "--tie and --by score" in result.stderr


def test_clocks_that_cannot_be_taken_as_they_stand_are_told(tmp_path):
    times = ["2026-03-01T08:00:00Z", "2031-03-02T08:00:00Z", "2026-03-03T08:00:00Z"]
    changed = [(at, board_json("1", ("a", "A", 70.0 + i, 1, 1))) for i, at in enumerate(times)]
    garden = plant(tmp_path, changed)
    found = garden.json("reigns", "garden")["clock"]
    told = [(one["commit"], one["kind"], one["committed_at"], one["at"]) for one in found]
    second = garden.commits[1]
    assert told == [
        (second, kind, "2031-03-02T08:00:00Z", "2026-03-03T08:00:00Z")
        for kind in ("backward", "equal", "future")
    ]
    said = words(garden, "reigns", "garden")
    assert f"Clock: the time of {second[:8]} (2031-03-02T08:00:00Z) ran backwards" in said
    assert "is later than the crawl that saw it" in said
