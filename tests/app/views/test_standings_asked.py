"""Standings that somebody asks for: printed ranks, errors, conditions, tie rules, two moments."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.pages import table, texts
from tests.app.small_board import define, run
from tests.app.views.test_standings import displayed
from tests.histories import History

DEFINITION = """
[source]
kind = "git"
repo = "../../beds.git"
paths = ["beds.json"]
[table]
rows = "$.rows"
entry = "id"
score = "s"
direction = "higher"
published_rank = "r"
published_tie_rank = "t"
se = "e"
attributes = { size = "size" }
[ties]
rule = "anchored"
band = 0.5
[edition]
label = "$.label"
"""
# id, score, published rank, published tie rank, size
OLD = (("ash", 80.0, 1, 1, "7B"), ("elm", 79.6, 2, 1, None), ("oak", 70.25, 3, 3, "3B"))
NEW = (
    ("ash", 80.0, 1, 1, "7B"),
    ("bay", 79.6, 2, 1, "70B"),
    ("elm", 79.6, 3, 1, None),  # shares rank 2, and is numbered on
    ("fig", 78.0, 5, 4, "3B"),  # against the score
    ("yew", 77.0, 4, 4, "8B"),  # against the score, and no tie
    ("oak", None, None, None, "1B"),
)


def beds(label: str, rows: tuple[tuple[object, ...], ...]) -> str:
    keys = ("id", "s", "r", "t", "size")
    told = [dict(zip(keys, row, strict=True)) | {"e": 0.5 if row[1] else None} for row in rows]
    return json.dumps({"label": label, "rows": told})


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("beds")
    upstream = History(folder / "beds.git")
    upstream.commit({"beds.json": beds("1", OLD)}, "2026-03-01T08:00:00Z")
    upstream.commit({"beds.json": "{"}, "2026-03-02T08:00:00Z")
    upstream.commit({"beds.json": beds("1", NEW)}, "2026-03-03T08:00:00Z")
    upstream.commit({"beds.json": beds("2", NEW[:2])}, "2026-03-04T08:00:00Z")
    define(folder / "store", "beds", DEFINITION)
    assert run(folder / "store", "crawl").exit_code == 0
    return folder / "store"


@pytest.fixture
def show(view: Callable[..., AppTest], store: Path) -> Callable[..., AppTest]:
    """The page of standings as it was on 3 March, unless the address says something else."""

    def opened(**address: str) -> AppTest:
        named = {name.rstrip("_"): value for name, value in address.items()}
        return view(store, "standings", board="beds", **{"at": "2026-03-03"} | named)

    return opened


def column(app: AppTest, name: str) -> list[object]:
    return [None if pd.isna(cell) else cell for cell in table(app)[name]]


def test_every_kind_of_rank_is_that_of_the_command(show, store):
    told = json.loads(run(store, "standings", "beds", "--at", "2026-03-03", "--json").stdout)
    app = show()
    for title, key in {
        "Entry": "entry",
        "Rank": "rank",
        "Tie": "tie_rank",
        "Best place": "rank_low",
        "Worst place": "rank_high",
        "Published": "rank_published",
        "Published tie": "tie_rank_published",
    }.items():
        assert column(app, title) == [one[key] for one in told["entries"]], title


def test_where_printed_ranks_disagree_is_marked_in_words_and_counted(show):
    app = show()
    assert column(app, "Disagrees") == [
        "",
        "",
        "≠ ties numbered otherwise",
        "≠ against the score",
        "≠ against the score; ≠ tie rank",
        "",
    ]
    said = texts(app.text)
    assert "Published ranks: 5, of which 2 go against the scores, 1 numbers ties otherwise." in said
    assert "Published tie ranks: 5, of which 1 disagrees with the tie rule." in said
    assert column(app, "Not ranked") == [None] * 5 + ["no score"]


def test_where_all_printed_ranks_agree_nothing_is_marked(show):
    app = show(at="2026-03-01")
    assert "Disagrees" not in table(app)
    said = "Published ranks: 3, all agree with the scores. Published tie ranks: 3, all agree"
    assert said in texts(app.text)


def test_ranks_that_errors_leave_possible_are_those_of_robust(show, store):
    told = json.loads(run(store, "robust", "beds", "--at", "2026-03-03", "--json").stdout)
    app = show()
    ends = [one["ranks"]["simultaneous"] for one in told["rank_intervals"]["entries"]]
    shown = list(zip(column(app, "Best rank"), column(app, "Worst rank"), strict=True))
    assert shown == [*map(tuple, ends), (None, None)]
    assert "all at once, at 95%" in texts(app.caption)


def test_the_legend_tells_the_kinds_of_rank_apart(show):
    said = texts(show().caption)
    assert "Best " not in said.partition("A split's rank")[2]  # what errors leave is no split
    for kind in ("**Rank** goes by", "**Tie** is", "**Published** is", "**Best rank** and"):
        assert kind in said


@pytest.mark.parametrize("rule", ["chain:1.7", "none", "pairwise:0.5:exclusive"])
def test_another_tie_rule_is_that_of_the_command(rule, show, store):
    asked = ("standings", "beds", "--at", "2026-03-03", "--tie", rule, "--json")
    told = json.loads(run(store, *asked).stdout)
    app = show(tie=rule)
    if rule != "none":
        assert column(app, "Tie") == [one["tie_rank"] for one in told["entries"]]
        assert [mark == "=" for mark in column(app, "=")] == [
            one["tied"] for one in told["entries"]
        ]
    said = "as asked for (the board's own: anchored 0.5)"
    assert said in texts(app.text)


def test_only_who_surely_meets_a_condition_is_ranked(show):
    app = show(where="size < '8B'")
    assert column(app, "Entry") == ["ash", "fig", "oak"]
    assert column(app, "Rank") == [1, 2, None]
    assert column(app, "Of all") == [1, 4, None]
    said = texts(app.text)
    assert "3 of 6 entries meet the condition: size < '8B'" in said
    assert "Of 1 the file does not say it, so they are left out: elm." in said
    assert "Disagrees" not in table(app)  # printed ranks are among all


def test_nobody_may_meet_a_condition(show):
    app = show(where="size > '100B'")
    assert texts(app.info) == "Nobody meets the condition."
    assert not app.dataframe


@pytest.mark.parametrize(
    ("address", "error"),
    [
        pytest.param({"where": "size <"}, "where: ", id="a condition that stops"),
        pytest.param({"where": "colour == 'red'"}, "beds has no column colour", id="no column"),
        pytest.param({"tie": "chain"}, 'tie rule: "chain" has no band', id="a rule without band"),
        pytest.param({"from_": "2026-03-04"}, "is later than the moment", id="from after at"),
        pytest.param({"from_": "2026-03-02"}, "nothing is known of this", id="from unreadable"),
        pytest.param({"from_": "1999-01-01"}, "1999-01-01", id="from before the first"),
    ],
)
def test_what_cannot_be_answered_is_one_line(address, error, show):
    app = show(**address)
    [said] = [one.value.replace("\\", "").replace("\u2060", "") for one in app.error]
    assert error in said and "\n" not in said
    assert not app.dataframe


def test_what_a_condition_can_ask_of_is_listed(show):
    app = show()
    app.toggle[0].set_value(True).run()
    told = app.dataframe[0].value
    assert told.set_index("column")["what"].to_dict() == {
        "entry": "the stable key",
        "name": "as it is shown",
        "score": "what is ranked",
        "se": "measure",
        "size": "attribute",
        **dict.fromkeys(["id", "s", "r", "t", "e"], "column of the file"),
    }
    assert told.set_index("column")["example"]["size"] == "7B"


def test_two_moments_side_by_side(show):
    app = show(from_="2026-03-01")
    rows = table(app)
    assert column(app, "Entry") == ["ash", "bay", "elm", "fig", "yew", "oak"]
    assert column(app, "Now") == [1, 2, 2, 4, 5, None]
    assert column(app, "Then") == [1, None, 2, None, None, 3]
    assert column(app, "Status") == ["", "joined", "", "joined", "joined", "unranked now"]
    seen = displayed(app)
    assert seen["Change"].tolist()[:3:2] == ["same", "same"]
    assert seen["Score"].tolist() == ["80.0", "79.6", "79.6", "78.0", "77.0", ""]
    assert seen["Score then"].tolist() == ["80.0", "", "79.6", "", "", "70.25"]
    assert rows["Score change"].tolist()[0] == 0
    assert "3 ranked then, 5 now. 2 same, 3 joined, 1 unranked now." in texts(app.text)
    assert texts(app.caption).count("at commit") == 2


def test_between_two_editions_no_difference_of_scores_is_shown(show):
    app = show(from_="2026-03-03", at="2026-03-04")
    assert "Score change" not in table(app)
    assert "Scores of two editions, 1 then and 2 now, may be" in texts(app.text)
    assert column(app, "Status") == ["", "", "left", "left", "left", "left"]


def test_two_moments_of_some_entries(show):
    app = show(from_="2026-03-01", where="size < '8B'")
    assert column(app, "Entry") == ["ash", "fig", "oak"]
    assert column(app, "Then") == [1, None, 2]


def test_the_moment_to_compare_with_is_in_the_address(show):
    app = show()
    box = app.selectbox(key="choose from")
    box.select_index(len(box.options) - 1).run()
    assert len(app.query_params["from"]) == 40
    assert column(app, "Then") == [1, None, 2, None, None, 3]
    app.text_input(key="type where").input("size < '8B'").run()
    assert column(app, "Entry") == ["ash", "fig", "oak"]
