"""The page about splits: the numbers of the command, what is not known said, nothing invented."""

from __future__ import annotations

import pytest

from tests.app.pages import texts
from tests.app.small_board import DEFINITION, VERSIONS, Garden, board_json, define, plant, run

NAMES = [f"fern{i:02}" for i in range(14)]
ROWS = [
    (name, name.title(), 80.0 - i, 70.0 - i + (9.0 if i == 0 else 0), 60.0 - i + (i % 3) / 10)
    for i, name in enumerate(NAMES)
]


@pytest.fixture(scope="module")
def wide(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    """Fourteen entries, one of which is nine points too good on public; a board without splits."""
    last = ("2026-03-04T08:00:00Z", board_json("3", *ROWS))
    planted = plant(tmp_path_factory.mktemp("wide"), [*VERSIONS, last], crawl=False)
    plain = DEFINITION.replace('name = "garden"', 'name = "plain"')
    plain = plain.replace("The garden board", "No splits")
    before, rest = plain.split("[splits]")
    define(planted.store, "plain", before + rest[rest.index("[ties]") :])
    bare = before.split("[table.parts]")[0] + rest[rest.index("[ties]") :]
    define(planted.store, "bare", bare.replace('"plain"', '"bare"'))
    assert run(planted.store, "crawl").exit_code == 0
    return planted


def metrics(app) -> dict[str, str]:
    return {one.label: one.value for one in app.metric}


def test_ranks_and_shake_up_are_those_of_the_command(view, wide):
    told = wide.json("splits", "garden")
    app = view(wide.store, "split", board="garden", entry=["fern00", "Fern03"])
    ranks = {one["entry"]: one["ranks"] for one in told["entries"]}
    assert metrics(app) == {
        "Fern00": f"{ranks['fern00']['public']} → {ranks['fern00']['private']}",
        "Fern03": f"{ranks['fern03']['public']} → {ranks['fern03']['private']}",
        "Shake-up": f"{told['shake_up']['value']:.3f}",
        "By chance alone": "not known",
        "Ranked by both": "14 of 14",
    }
    table = app.dataframe[0].value
    assert table["Entry"].tolist() == [f"Fern{i:02}" for i in range(14)]
    assert table["public rank"].tolist() == [ranks[name]["public"] for name in NAMES]
    assert table["private rank"].tolist() == [ranks[name]["private"] for name in NAMES]
    assert table["private"].tolist()[:2] == ["60.0", "59.1"]


def test_gaps_are_those_of_the_command_and_what_is_assumed_is_said(view, wide):
    told = {one["entry"]: one for one in wide.json("splits", "garden")["entries"]}
    app = view(wide.store, "split", board="garden")
    gaps = app.dataframe[1].value.set_index("Entry")
    assert gaps.index[0] == "Fern00"
    for column, field in (("Gap", "gap"), ("Excess", "excess"), ("Predicted to", "predicted_high")):
        assert gaps.loc["Fern00", column] == told["fern00"][field]
    said = texts(app.caption)
    assert "usual scatter of this board" in said
    assert "NO\\_ITEM\\_COUNT" in said
    assert "fern00 gains more on public than on private" in texts(app.markdown)


def test_with_items_the_noise_is_that_of_the_command(view, wide):
    shake = wide.json("splits", "garden", "--items", "50000")["shake_up"]
    app = view(wide.store, "split", board="garden", items="50000")
    chance = f"{shake['noise_low']:.3f} to {shake['noise_high']:.3f}"
    assert metrics(app)["By chance alone"] == chance
    assert "what noise alone gives in 95 of 100 cases" in texts(app.caption)
    assert "more than noise" in texts(app.markdown)
    # By hand: reliability * p (1 - p) / n of public 79 and private 60 per cent, 1.96 of it.
    band = app.dataframe[1].value.set_index("Entry").loc["Fern00", "Band, to each side"]
    share = wide.json("splits", "garden", "--items", "50000")["regression"]["reliability"]
    errors = 0.79 * 0.21 * share + 0.60 * 0.40
    assert band == pytest.approx(1.96 * 100 * (errors / 50000) ** 0.5)


def test_other_splits_are_chosen_by_the_address(view, wide):
    told = wide.json("splits", "garden", "--public", "mix")
    app = view(wide.store, "split", board="garden", public="mix")
    assert app.dataframe[0].value.columns.tolist()[1:3] == ["mix rank", "private rank"]
    assert metrics(app)["Shake-up"] == f"{told['shake_up']['value']:.3f}"
    private = next(box for box in app.selectbox if box.label == "Private")
    private.set_value("public").run()
    assert app.query_params["private"] == "public"
    assert app.dataframe[0].value.columns.tolist()[1:3] == ["mix rank", "public rank"]


def test_both_ranks_over_time_are_those_of_the_history(view, wide):
    app = view(wide.store, "split", board="garden", entry="fern")
    rows = app.dataframe[2].value
    found = [(row["By"], row["Rank"], str(row["From (UTC)"])) for row in rows.to_dict("records")]
    expected = [
        (split, row["rank"], row["committed_at"])
        for split in ("public", "private")
        for row in wide.json("history", "garden", "--entry", "fern", "--split", split)["rows"]
    ]
    first, last = "2026-03-01 08:00:00+00:00", "2026-03-03 10:00:00+00:00"
    assert [one[:2] for one in expected] == [
        ("public", 1), ("public", 1), ("public", 1), ("private", 2), ("private", 2), ("private", 3)
    ]  # fmt: skip
    assert found == [
        ("private", 2, first),
        ("public", 1, first),
        ("private", 3, last),
        ("public", 1, last),
    ]


@pytest.mark.parametrize(
    ("board", "address", "said"),
    [
        pytest.param("bare", {}, "This board has no splits", id="neither splits nor parts"),
        pytest.param(
            "garden", {"at": "2026-03-02T15:00:00Z"}, "Nothing is known", id="an unreadable version"
        ),
        pytest.param("garden", {"public": "x"}, 'no split "x"'.replace('"', '\\"'), id="no split"),
        pytest.param(
            "garden", {"public": "mix", "private": "mix"}, "are both mix", id="one split twice"
        ),
        pytest.param("garden", {"items": "-3"}, "is not a whole number", id="no number of items"),
    ],
)
def test_what_cannot_be_shown_is_said(board, address, said, view, wide):
    app = view(wide.store, "split", board=board, **address)
    assert said in texts([*app.info, *app.error])
    assert len(app.dataframe) == 0


def test_parts_called_public_and_private_need_no_definition_of_splits(view, wide):
    told = wide.json("splits", "plain")
    app = view(wide.store, "split", board="plain")
    assert metrics(app)["Shake-up"] == f"{told['shake_up']['value']:.3f}"


def test_before_there_were_enough_entries_nothing_is_expected(view, wide):
    app = view(wide.store, "split", board="garden", at=wide.commits[0])
    assert "fewer than three entries" in texts(app.info)
    assert len(app.dataframe) == 2
