"""What does the page of reigns show: who led, when, and how it was lost?"""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from app.tables import clean
from app.wording import duration, reign_length
from tests.app.pages import texts
from tests.app.small_board import board_json, plant

HOSTILE = (":red[x]", "$\\sum$", "<img src=x onerror=alert(1)>", "[a](javascript:1)", "**b**")


def frame_with(app: AppTest, column: str) -> pd.DataFrame:
    found = [one.value for one in app.dataframe if column in one.value]
    assert len(found) == 1
    return found[0]


def plain(elements) -> str:
    return texts(elements).replace("\\", "").replace("\u2060", "")


@pytest.mark.parametrize(
    ("address", "given"),
    [
        pytest.param({}, [], id="the score"),
        pytest.param({"split": "public"}, ["--split", "public"], id="a split"),
        pytest.param({"by": "tie"}, ["--by", "tie"], id="the first tie group"),
        pytest.param(
            {"by": "tie", "tie": "anchored:1.5"}, ["--tie", "anchored:1.5"], id="another tie rule"
        ),
    ],
)
def test_every_number_is_that_of_the_command(address, given, view, garden):
    told = garden.json("reigns", "garden", *given)
    app = view(garden.store, "reigns", board="garden", **address)
    numbers = frame_with(app, "Seconds")
    for title, field in (
        ("Seconds", "seconds"),
        ("Seconds certain", "seconds_certain"),
        ("Sole", "sole"),
        ("Open", "open"),
        ("From commit", "from_commit"),
        ("Until commit", "until_commit"),
    ):
        shown = [None if pd.isna(cell) else cell for cell in numbers[title]]
        assert shown == [one[field] for one in told["reigns"]]
    for title, field in (("From", "from"), ("Until", "until")):
        # As "2026-03-02 10:00 UTC", to the minute; ISO 8601 with seconds in the JSON.
        times = [one[field] for one in told["reigns"]]
        expected = [time and f"{time[:10]} {time[11:16]} UTC" for time in times]
        assert [None if pd.isna(cell) else cell for cell in numbers[title]] == expected
    rows = frame_with(app, "How long")
    assert rows["How long"].tolist() == [reign_length(one) for one in told["reigns"][::-1]]
    first = [
        clean(", ".join(one["names"][entry] for entry in one["entries"]))
        for one in told["reigns"][::-1]
    ]
    assert rows["First"].tolist() == first
    careers = frame_with(app, "In all")
    expected = [one for one in told["entries"] if one["times_first"]]
    assert careers["Entry"].tolist() == [clean(one["name"]) for one in expected]
    assert careers["In all"].tolist() == [duration(one["seconds"]) for one in expected]
    assert careers["Alone"].tolist() == [duration(one["seconds_sole"]) for one in expected]
    assert careers["Times"].tolist() == [one["times_first"] for one in expected]


def test_who_is_first_now_and_all_times_are_said(view, garden):
    app = view(garden.store, "reigns", board="garden")
    said = texts(app.text)
    assert "First at the last look: \\x1b[31mIvy, since 2026-03-03 10:00 UTC (" in said
    assert "held alone" in said
    both = texts(view(garden.store, "reigns", board="garden", by="tie", tie="anchored:1.5").text)
    assert "by tie group (anchored 1.5, not the board's own rule)" in both


def test_how_it_was_lost_leads_to_the_causes_of_that_step(view, garden):
    app = view(garden.store, "reigns", board="garden")
    links = [(one.proto.label, one.proto.query_string) for one in app.get("page_link")]
    assert links == [
        (
            "2026-03-03 10:00 UTC: why Moss 2 lost it",
            f"board=garden&entry=moss&at={garden.commits[3]}",
        ),
        (
            "2026-03-02 09:00 UTC: why Fern lost it",
            f"board=garden&entry=fern&at={garden.commits[1]}",
        ),
    ]


def test_what_is_picked_is_written_into_the_address(view, garden):
    app = view(garden.store, "reigns", board="garden")
    app.radio(key="pick by").set_value("tie").run()
    assert app.query_params["by"] == "tie"
    app.text_input(key="type tie").set_value("anchored:1.5").run()
    assert app.query_params["tie"] == "anchored:1.5"
    app.selectbox(key="choose split").select("private").run()
    assert app.query_params["split"] == "private"
    assert not app.exception


@pytest.mark.parametrize(
    ("address", "said"),
    [
        pytest.param({"by": "tie", "tie": "nonsense"}, "nonsense", id="no tie rule"),
        pytest.param({"by": "wind"}, 'no "wind"', id="no kind of first place"),
        pytest.param({"split": "none such"}, 'no split "none such"', id="no split"),
    ],
)
def test_an_address_that_means_nothing_is_said(address, said, view, garden):
    app = view(garden.store, "reigns", board="garden", **address)
    assert said in plain(app.error)
    assert not app.dataframe


def test_a_board_that_never_ranked_anybody_says_so(view, tmp_path):
    empty = board_json("1", ("oak", "Oak", None, 1.0, 1.0))
    planted = plant(tmp_path, [("2026-03-01T08:00:00Z", empty)])
    app = view(planted.store, "reigns", board="garden")
    assert "Nobody was ever first" in texts(app.info)
    assert not app.dataframe


def test_names_from_a_board_are_text_everywhere(view, tmp_path):
    versions = [
        (
            f"2026-03-{day:02}T08:00:00Z",
            board_json("<b>1</b>", (name, name, 60.0 - day, 1.0, 1.0)),
        )
        for day, name in enumerate(HOSTILE, 1)
    ]
    planted = plant(tmp_path, versions)
    app = view(planted.store, "reigns", board="garden")
    marked = texts([*app.markdown, *app.caption, *app.subheader, *app.error])
    labels = "\n".join(one.proto.label for one in app.get("page_link"))
    for name in HOSTILE:
        assert name not in marked
        assert name not in labels
    assert len(app.get("page_link")) == len(HOSTILE) - 1
