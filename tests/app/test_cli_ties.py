"""Tie rules through the command line: those of boards, those that are asked for, and published ranks."""

from __future__ import annotations

import json

import pytest

from tests.app.small_board import PLAIN, Garden, define, run
from tests.histories import History

ARENA = """\
model,score,lo,hi,place
beech,1310,1302,1318,1
birch,1304,1298,1310,1
cedar,1299,1295,1303,1
maple,1296,1290,1301,2
spruce,1288,1283,1293,4
"""
MEASURED = 'low = "lo"\nhigh = "hi"\npublished_tie_rank = "place"\n'
BAND = "[ties]\nrule = 'anchored'\nband = 0.9\n"


def planted(folder, definition, *files) -> Garden:
    upstream = History(folder / "upstream.git")
    commits = [
        upstream.commit({"board.csv": text}, f"2026-03-{day:02}T08:00:00Z")
        for day, text in enumerate(files, 1)
    ]
    define(folder / "store", "trees", 'name = "trees"\n' + PLAIN + definition)
    result = run(folder / "store", "crawl")
    assert result.exit_code == 0, result.stderr
    return Garden(folder / "store", upstream, commits)


@pytest.fixture(scope="module")
def arena(tmp_path_factory) -> Garden:
    """A board of intervals; in its second version one is missing."""
    gap = ARENA.replace("cedar,1299,1295,1303", "cedar,1299,,")
    definition = MEASURED + "[ties]\nrule = 'interval'\n"
    return planted(tmp_path_factory.mktemp("arena"), definition, ARENA, gap)


def places(garden, *options):
    found = garden.json("standings", "trees", *options)
    names = ("tie_rank", "rank_low", "rank_high", "tied")
    return found["ties"], [tuple(one[name] for name in names) for one in found["entries"]]


def test_a_board_with_the_rule_interval(arena):
    ties, rows = places(arena, "--at", "2026-03-01")
    assert ties == {
        "rule": "interval",
        "band": None,
        "edge": None,
        "measured_by": "low and high",
        "statistical": False,
    }
    assert rows == [(1, 1, 3, True), (1, 1, 4, True), (1, 1, 4, True), (2, 2, 5, True), (4, 4, 5, True)]  # fmt: skip
    said = arena.run("standings", "trees", "--at", "2026-03-01").stdout
    assert "ties interval (low and high)" in said
    assert "places" in said
    assert "2-5" in said


def test_an_entry_without_an_interval_has_no_tie_rank(arena):
    _, rows = places(arena)
    assert rows[2] == (None, None, None, False)
    assert [row[0] for row in rows] == [1, 1, None, 2, None]
    result = arena.run("check", "cedar is tied with birch on trees", "--json")
    (claim,) = json.loads(result.stdout)["claims"]
    assert (claim["verdict"], claim["code"]) == ("not_decidable", "NO_SE")


@pytest.mark.parametrize(
    ("sentence", "verdict", "strength"),
    [
        pytest.param("beech is tied with birch on trees", "true", "certain", id="overlap"),
        pytest.param("beech is tied with maple on trees", "within_rounding", None, id="1302 and 1301"),
        pytest.param("beech is tied with spruce on trees", "false", "certain", id="apart"),
        pytest.param("beech is #1 on trees", "true", "certain", id="first by score"),
        pytest.param("cedar is #1 on trees", "tied_not_first", "certain", id="first by intervals"),
        pytest.param("maple is #1 on trees", "false", "certain", id="first by neither"),
    ],
)  # fmt: skip
def test_claims_go_by_the_boards_own_intervals(arena, sentence, verdict, strength):
    result = arena.run("check", f"{sentence} at {arena.commits[0]}", "--json")
    (claim,) = json.loads(result.stdout)["claims"]
    assert (claim["verdict"], claim["strength"]) == (verdict, strength)


@pytest.mark.parametrize(
    ("tie", "ties", "tie_ranks"),
    [
        pytest.param("none", ("none", None, None), [1, 2, 3, 4, 5], id="no ties"),
        pytest.param("anchored:8", ("anchored", 8, "inclusive"), [1, 1, 3, 3, 5], id="anchored"),
        pytest.param("chain:8", ("chain", 8, "inclusive"), [1, 1, 1, 1, 1], id="chain"),
        pytest.param("chain:8:exclusive", ("chain", 8, "exclusive"), [1, 1, 1, 1, 5], id="an edge"),
        pytest.param("pairwise:8", ("pairwise", 8, "inclusive"), [1, 1, 2, 2, 4], id="pairwise"),
        pytest.param("interval", ("interval", None, None), [1, 1, 1, 2, 4], id="intervals"),
    ],
)
def test_another_rule_for_standings_and_history(arena, tie, ties, tie_ranks):
    at = ("--at", "2026-03-01")
    found = arena.json("standings", "trees", *at, "--tie", tie)
    assert tuple(found["ties"][name] for name in ("rule", "band", "edge")) == ties
    assert [one["tie_rank"] for one in found["entries"]] == tie_ranks
    followed = arena.json("history", "trees", "--tie", tie, "--until", "2026-03-01")
    assert followed["ties"] == found["ties"]
    assert [row["tie_rank"] for row in followed["rows"]] == tie_ranks


def test_a_test_of_significance_is_said_to_be_none_of_the_board(tmp_path):
    table = "model,score,n\nfern,74.0,2000\nmoss,72.0,2000\noak,70.0,2000\n"
    garden = planted(tmp_path, 'items = "n"\n' + BAND, table)
    ties, rows = places(garden, "--tie", "se:1.96")
    assert ties == {
        "rule": "se",
        "band": 1.96,
        "edge": None,
        "measured_by": "items",
        "statistical": True,
    }
    assert [row[:3] for row in rows] == [(1, 1, 2), (1, 1, 3), (2, 2, 3)]
    said = garden.run("standings", "trees", "--tie", "se:1.96").stdout
    assert "statistical ties within 1.96 standard errors (from items), not the board's rule" in said
    own, _ = places(garden)
    assert own == {"rule": "anchored", "band": 0.9, "edge": "inclusive"}


@pytest.mark.parametrize(
    ("options", "said"),
    [
        pytest.param(["--tie", "interval"], "does not name low and high, or se", id="no intervals"),
        pytest.param(["--tie", "se:2"], "does not name se or items", id="no standard errors"),
        pytest.param(["--tie", "chain"], "has no band", id="no band"),
        pytest.param(["--tie", "none:1"], "says too much", id="too much"),
    ],
)
@pytest.mark.parametrize("command", ["standings", "history"])
def test_a_rule_that_cannot_be_is_refused_with_one_line(tmp_path, command, options, said):
    garden = planted(tmp_path, BAND, "model,score\nfern,74.0\nmoss,72.0\n")
    result = garden.run(command, "trees", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert said in result.stderr
    assert len(result.stderr.splitlines()) == 1


# --- published tie ranks --------------------------------------------------------------------------


def fit(rule, low, high, witnesses, edge="inclusive", **other):
    return {
        "rule": rule,
        "edge": edge,
        "band_low": None if low is None else float(low),
        "band_high": None if high is None else float(high),
        "band_low_text": low,
        "band_high_text": high,
        "counts": "positions",
        "witnesses": witnesses,
        "hidden": 0,
        "exact": True,
    } | other


def test_audit_infers_the_tie_rule(tmp_path):
    rows = ("fern,69.06", "moss,68.16", "oak,68.15")
    files = [
        "model,score,place\n" + "".join(f"{row},{n}\n" for row, n in zip(rows, ranks, strict=True))
        for ranks in ([1, 1, 3], [1, 2, 2], ["", "", ""], [3, 1, 1])
    ]
    garden = planted(tmp_path, 'published_tie_rank = "place"\n' + BAND, *files)
    result = garden.run("audit", "trees", "--json")
    first, second, third, last = (
        version["tie_rule"] for version in json.loads(result.stdout)["versions"]
    )
    assert first == {
        "fits": [
            fit("anchored", "0.90", "0.91", 2),
            fit("anchored", "0.90", "0.91", 2, "exclusive"),
        ],
        "nearest": None,
        "declared": True,
        "edge": "inclusive",
    }
    assert (second["declared"], second["edge"]) == (False, "exclusive")
    assert third == dict.fromkeys(("fits", "nearest", "declared", "edge"))
    assert (last["fits"], last["declared"]) == ([], False)
    assert {miss["rule"] for miss in last["nearest"]} <= {"anchored", "chain", "pairwise"}
    said = " ".join(garden.run("audit", "trees", "--at", garden.commits[0]).stdout.split())
    assert (
        f"Published tie ranks ({garden.commits[0][:8]}) are those of anchored, band from 0.90 to "
        "below 0.91 (2 comparisons); edge inclusive." in said
    )
    said = " ".join(garden.run("audit", "trees").stdout.split())
    assert "fit no rule; nearest are" in said
    assert "A rule fits in 2 of 3 versions that print some." in said


def test_audit_takes_ranks_by_interval(arena):
    result = arena.run("audit", "trees", "--json", "--at", "2026-03-01")
    (version,) = json.loads(result.stdout)["versions"]
    fits = {one["rule"]: one["exact"] for one in version["tie_rule"]["fits"]}
    assert fits["interval"] is True
    assert version["tie_rule"]["declared"] is True
