"""The page about firmness: the numbers of the command, exact ranks under any weights."""

from __future__ import annotations

from fractions import Fraction

import pytest

from tests.app.pages import texts
from tests.app.small_board import DEFINITION, Garden, board_json, define, run
from tests.app.test_robust import CARBON_CSV, ERRORS_CSV, PARTS_OF, TABLE
from tests.histories import History
from tests.history.robustness.carbon import CARBON, GPT, PARTS, PRINTED


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    """A table of five parts, one of scores with errors, and a board that breaks."""
    folder = tmp_path_factory.mktemp("robust")
    upstream = History(folder / "upstream.git")
    board = board_json("1", ("fern", "Fern", 70.4, 80.3, 60.5), ("moss", "Moss", 70.2, 70.5, 69.9))
    files = {"carbon.csv": CARBON_CSV, "errors.csv": ERRORS_CSV, "board.json": board}
    commits = [
        upstream.commit(files, "2026-10-22T08:00:00Z"),
        upstream.commit({"board.json": '{"label": '}, "2026-10-24T08:00:00Z"),
        upstream.commit({"board.json": None}, "2026-10-25T08:00:00Z"),
    ]
    store = folder / "store"
    define(store, "carbon-x", TABLE.format(path="carbon.csv", score="average") + PARTS_OF)
    define(store, "errors", TABLE.format(path="errors.csv", score="score") + 'se = "se"\n')
    define(store, "garden", DEFINITION)
    assert run(store, "crawl").exit_code == 0
    return Garden(store, upstream, commits)


def metrics(app) -> dict[str, str]:
    return {one.label: one.value.replace("\\", "") for one in app.metric}


def test_what_is_said_first_is_what_the_command_says(view, boards):
    told = boards.json("robust", "carbon-x")
    app = view(boards.store, "robustness", board="carbon-x")
    assert metrics(app) == {
        "First by the board's score": GPT,
        "Weight that must move": f"{told['reweighting']['least_movement']:.1%}",
        "Stays first without one part": "3 of 5",
        "First under the board's own weights": GPT,
        "Ahead by": f"{told['drop_one'][0]['gap']:.4g}",
    }
    assert told["reweighting"]["sentence"] in texts(app.markdown).replace("\\", "")
    assert "they give all 7 printed scores" in texts(app.caption)


def test_averages_without_each_part_are_those_of_the_command(view, boards):
    told = boards.json("robust", "carbon-x")["drop_one"]
    rows = view(boards.store, "robustness", board="carbon-x").dataframe[1].value
    assert [tuple(row) for row in rows.itertuples(index=False)] == [
        (f"without {case['dropped']}" if case["dropped"] else "all parts", one["rank"], one["entry"], one["mean"])
        for case in told
        for one in case["entries"]
    ]  # fmt: skip


def test_ranks_under_other_weights_are_exact(view, boards):
    app = view(boards.store, "robustness", board="carbon-x", weight=["non_snv:0.05", "coding:0.3"])
    weights = dict.fromkeys(PARTS, Fraction(1, 5)) | {
        "non_snv": Fraction(5, 100),
        "coding": Fraction(3, 10),
    }
    total = sum(weights.values())
    means = {
        entry: sum(weights[part] * Fraction(text) for part, text in zip(PARTS, row, strict=True))
        / total
        for entry, row in PRINTED.items()
    }
    order = sorted(means, key=lambda entry: -means[entry])
    table = app.dataframe[0].value
    assert table["Entry"].tolist() == order
    assert table["Rank"].tolist() == [1, 2, 3, 4, 5, 6, 7]
    assert table["Average"].tolist() == [float(means[entry]) for entry in order]
    own = {one["entry"]: one["rank"] for one in boards.json("standings", "carbon-x")["entries"]}
    assert table["Rank by score"].tolist() == [own[entry] for entry in order]
    assert table["Places gained"].tolist() == [
        own[entry] - place for place, entry in enumerate(order, 1)
    ]
    assert metrics(app)["First under these weights"] == order[0]


def test_a_slider_writes_the_address_and_a_button_takes_it_back(view, boards):
    app = view(boards.store, "robustness", board="carbon-x")
    slider = next(one for one in app.slider if one.label.replace("\\", "") == "non_snv")
    slider.set_value(0.05).run()
    assert app.query_params["weight"] == "non_snv:0.05"
    assert metrics(app)["First under these weights"] == CARBON
    heat = app.dataframe[2].value
    assert heat.columns.tolist()[-1] == "your weights"
    app.button[0].click().run()
    assert "weight" not in app.query_params
    assert metrics(app)["First under the board's own weights"] == GPT


def test_ranks_in_every_case(view, boards):
    told = boards.json("robust", "carbon-x")["drop_one"]
    heat = view(boards.store, "robustness", board="carbon-x").dataframe[2].value.set_index("Entry")
    for case in told:
        title = f"without {case['dropped']}" if case["dropped"] else "all parts"
        assert heat[title].to_dict() == {one["entry"]: one["rank"] for one in case["entries"]}


@pytest.mark.parametrize(
    ("by", "method"),
    [
        pytest.param({}, "simultaneous", id="all at once"),
        pytest.param({"by": "marginal"}, "marginal", id="one alone"),
    ],
)
def test_rank_intervals_are_those_of_the_command(by, method, view, boards):
    told = boards.json("robust", "errors")
    app = view(boards.store, "robustness", board="errors", sort="name", **by)
    assert metrics(app)["May truly be first"] == "2 of 3"
    table = app.dataframe[-1].value
    words = {"simultaneous": "all at once", "marginal": "its rank alone"}[method]
    assert table[f"Ranks, {words}"].tolist() == [
        " to ".join(str(end) for end in dict.fromkeys(one["ranks"][method]))
        for one in told["rank_intervals"]["entries"]
    ]
    assert "Other weights" in texts(app.info) and "MISSING\\_COMPONENT" in texts(app.info)


def test_without_errors_what_is_missing_is_said(view, boards):
    app = view(boards.store, "robustness", board="carbon-x")
    assert "Rank intervals" in texts(app.info) and "NO\\_SE" in texts(app.info)


@pytest.mark.parametrize(
    ("address", "said"),
    [
        pytest.param({"weight": "coding"}, 'weight: "coding" is not', id="no number"),
        pytest.param({"weight": "coding:-1"}, 'weight: "coding:-1" is not', id="below 0"),
        pytest.param({"weight": "smell:1"}, 'weight: "smell:1" is not', id="no such part"),
        pytest.param(
            {"weight": [f"{part}:0" for part in PARTS]}, "All weights are 0", id="nothing left"
        ),
        pytest.param({"at": "yesterday"}, "yesterday", id="no moment"),
        pytest.param({"entry": "nobody"}, "nobody", id="nobody of that name"),
    ],
)
def test_an_address_that_means_nothing_is_named(address, said, view, boards):
    app = view(boards.store, "robustness", board="carbon-x", **address)
    assert said in texts(app.error).replace("\\", "")


@pytest.mark.parametrize(
    ("at", "said"),
    [
        pytest.param("2026-10-24", "Nothing is known of this moment", id="unreadable"),
        pytest.param("2026-10-25", "was not there at this moment", id="absent"),
    ],
)
def test_nothing_is_invented_for_a_moment_without_a_board(at, said, view, boards):
    app = view(boards.store, "robustness", board="garden", at=at)
    assert said in texts([*app.error, *app.info])
    assert len(app.metric) == len(app.dataframe) == 0
