"""What holds for all pages of a board, whichever there are?"""

from __future__ import annotations

import json
import os
import re
import time

import altair as alt
import pandas as pd
import pytest
from jsonschema import Draft7Validator

from app.views import answers
from tests.app.audited_board import plant_hedge
from tests.app.nasty_board import NASTY, plant_nasty
from tests.app.page_charts import charts
from tests.app.pages import BOARD_PAGES, PAGES, grow, start, texts
from tests.app.small_board import VERSIONS, define, plant, run
from tests.histories import History

ODD = ("Gain.Net [3-fold]: acc", 'it\'s "y"')  # what a chart takes for paths and types
TABLE = f'model,"{ODD[0]}","it\'s ""y"""\nfern,71.5,1\nmoss,70.0,2\n'
DEFINITION = f"""
[source]
kind = "git"
repo = "../../odd.git"
paths = ["board.csv"]
[table]
entry = "model"
score = {json.dumps(ODD[0])}
direction = "higher"
[table.parts]
{json.dumps(ODD[0])} = {json.dumps(ODD[0])}
{json.dumps(ODD[1])} = {json.dumps(ODD[1])}
[splits]
{json.dumps(ODD[0])} = {json.dumps(ODD[0])}
{json.dumps(ODD[1])} = {json.dumps(ODD[1])}
"""

# Fields of what is sent to a browser that people read; ids and addresses nobody does.
SAID = frozenset("body label value help placeholder options default text".split())


def asked(page: str, name: str, **more: str | list[str]) -> dict[str, str | list[str]]:
    """An address of a page that has something to show."""
    claim = {"claim": f"fern is #1 on {name} now"} if page == "claims" else {}
    return {"board": name, "entry": "fern", **claim, **more}


@pytest.fixture(scope="module")
def odd(tmp_path_factory):
    """A store whose parts and splits have names that mean something to charts."""
    folder = tmp_path_factory.mktemp("odd")
    History(folder / "odd.git").commit({"board.csv": TABLE}, "2026-03-01T00:30:00Z")
    define(folder / "store", "odd", DEFINITION)
    assert run(folder / "store", "crawl").exit_code == 0
    return folder / "store"


@pytest.fixture(scope="module")
def hedge(tmp_path_factory):
    """A board with all that an audit draws."""
    return plant_hedge(tmp_path_factory.mktemp("hedge"))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("split", [None, *ODD])
def test_charts_draw_by_names_of_our_own(page, split, view, odd):
    chosen = {} if split is None or page == "claims" else {"split": split}
    for chart in charts(view(odd, page, **asked(page, "odd", **chosen))):
        assert all(re.fullmatch(r"[A-Za-z0-9_]+", field) for field in chart.fields)
        assert chart.fields <= chart.made
        assert chart.description


@pytest.mark.parametrize("page", PAGES)
def test_charts_are_documents_of_vega_lite(page, view, odd, garden, hedge):
    # Layers are put together unchecked, see app/charts/composed.py.
    rules = Draft7Validator(alt.load_schema())
    shown = [
        chart
        for store, name in ((odd, "odd"), (garden.store, "garden"), (hedge.store, "hedge"))
        for chart in charts(view(store, page, **asked(page, name)))
    ]
    assert shown
    for chart in shown:
        assert [error.message[:200] for error in rules.iter_errors(chart.spec)] == []


@pytest.mark.parametrize("page", PAGES)
def test_charts_are_the_same_for_every_clock(page, view, garden):
    vl_convert = pytest.importorskip("vl_convert")
    drawn = charts(view(garden.store, page, **asked(page, "garden")))
    pictures = set()
    before = os.environ.get("TZ")
    try:
        for zone in ("America/Los_Angeles", "Pacific/Auckland"):
            os.environ["TZ"] = zone
            time.tzset()
            made = [vl_convert.vegalite_to_svg(chart.whole | {"width": 600}) for chart in drawn]
            pictures.add(re.sub(r"clip\d+|gradient_\d+", "", "".join(made)))
    finally:
        os.environ.pop("TZ") if before is None else os.environ.update(TZ=before)
        time.tzset()
    assert len(pictures) == 1


@pytest.mark.parametrize("page", PAGES)
def test_charts_keep_to_their_budget(page, view, garden):
    for chart in charts(view(garden.store, page, **asked(page, "garden"))):
        assert chart.size <= 2 * 2**20
        assert sum(map(len, chart.data.values())) <= 20_000


class TestLastLook:
    """The log is the last look's; the clock of the page is set."""

    @pytest.fixture
    def looked(self, growing, monkeypatch):
        file = growing.store / "garden" / "crawls.jsonl"
        one = json.loads(file.read_text())
        first = one | {"started": "2026-03-04T08:00:00Z"}
        later = one | {"started": "2026-03-05T20:00:00Z", "outcome": "failed", "error": "no line"}
        file.write_text(f"{json.dumps(first)}\n{json.dumps(later)}\n")
        monkeypatch.setattr(answers, "now", lambda: pd.Timestamp("2026-03-06T09:00:00Z"))
        return growing

    @pytest.mark.parametrize(
        ("every", "expected"),
        [
            pytest.param("6h", "(2 days ago), overdue: 8 runs missed or failed.", id="8 runs"),
            pytest.param("36h", "(2 days ago), overdue: 1 run missed or failed.", id="one"),
            pytest.param("2d", "(2 days ago). Last", id="one that may be at work"),
            pytest.param("", "(2 days ago). Last", id="nobody said how often"),
            pytest.param("often", "(2 days ago). Last", id="no length of time"),
        ],
    )
    def test_is_overdue_by_the_runs_that_there_should_have_been(
        self, every, expected, view, looked, monkeypatch
    ):
        monkeypatch.setenv("RANKTRAIL_EVERY", every)
        monkeypatch.setenv("RANKTRAIL_STORE", str(looked.store))
        for page in PAGES:
            shown = view(looked.store, page, **asked(page, "garden"))
            said = texts(shown.warning if "overdue" in expected else shown.caption)
            assert f"As of 2026-03-04 08:00 UTC {expected}" in said
            assert "Last changed 2026-03-01 08:00 UTC." in said
        assert expected in texts([*start().caption, *start().warning])


class TestInPublic:
    """Anybody may look: nothing on a page says where things are on this machine."""

    @pytest.fixture
    def stores(self, tmp_path, monkeypatch):
        """Stores that give every kind of error, each with the folder that may not be told."""
        monkeypatch.setenv("RANKTRAIL_PUBLIC", "1")
        (tmp_path / "empty").mkdir()
        wrong = plant(tmp_path / "wrong").store
        (wrong / "garden" / "board.toml").write_text('name = "garden"\n')
        damaged = plant(tmp_path / "damaged").store
        (damaged / "garden" / "versions.parquet").write_bytes(b"no table")
        gone = plant(tmp_path / "gone")
        gone.upstream.folder.rename(tmp_path / "elsewhere.git")
        assert run(gone.store, "crawl").exit_code == 1
        (gone.store / "claims.toml").write_text("[[claim]]\nid = 1\n")
        unread = plant(tmp_path / "unread").store
        (unread / "garden" / "crawls.jsonl").unlink()
        (unread / "garden" / "crawls.jsonl").mkdir()
        moved = plant(tmp_path / "moved").store
        text = (moved / "garden" / "board.toml").read_text()
        (moved / "garden" / "board.toml").write_text(text.replace("upstream.git", "other.git"))
        return [tmp_path / "empty", wrong, damaged, gone.store, unread, moved]

    def test_no_page_tells_a_path_of_this_machine(self, stores, view, tmp_path, monkeypatch):
        seen = 0
        for store in stores:
            monkeypatch.setenv("RANKTRAIL_STORE", str(store))
            shown = [view(store, page, **asked(page, "garden")) for page in PAGES]
            for app in [*shown, start()]:
                said = everything(app)
                seen += len(app.error) + len(app.warning) + len(app.info)
                assert str(tmp_path) not in said and "/tmp" not in said
        assert seen >= len(stores)

    def test_at_home_they_say_where(self, view, tmp_path, monkeypatch):
        monkeypatch.setenv("RANKTRAIL_STORE", str(tmp_path))
        assert str(tmp_path) in texts(start().info).replace("\\", "")


def everything(app) -> str:
    """All that is sent to a browser, without the signs that keep text text."""
    said = " ".join(str(element.proto) for element in app.main if hasattr(element, "proto"))
    said += " ".join(str(getattr(element, "value", "")) for element in app.main)
    return re.sub(r"\\+|\u2060", "", said)


def test_a_choice_stays_where_another_entry_joins(view, growing):
    """On every page that has a choice of entries."""
    for page in BOARD_PAGES:
        app = view(growing.store, page, board="garden", entry="moss")
        boxes = [one.key for one in [*app.multiselect, *app.selectbox] if "entry" in str(one.key)]
        before = {key: chosen(app, key) for key in boxes}
        if page == BOARD_PAGES[0]:
            grow(growing, VERSIONS[1], VERSIONS[3])
        app.run()
        assert {key: chosen(app, key) for key in boxes} == before
        assert all("moss" in str(value) for value in before.values())


def chosen(app, key: str):
    """What a box of a page has chosen."""
    return next(one.value for one in [*app.multiselect, *app.selectbox] if one.key == key)


@pytest.fixture(scope="module")
def nasty(tmp_path_factory):
    return plant_nasty(tmp_path_factory.mktemp("nasty"))


@pytest.mark.parametrize("page", PAGES)
@pytest.mark.parametrize("entries", [[], NASTY[-5:]], ids=["nobody", "the worst"])
def test_nothing_is_sent_that_steers_or_is_longer_than_can_be_read(page, entries, view, nasty):
    claim = {"claim": f"11 {NASTY[11]}"} if page == "claims" else {}
    app = view(nasty.store, page, board="nasty", entry=list(entries), **claim)
    told = [one.proto for one in app.main if getattr(one, "proto", None) is not None]
    said = [str(value) for one in told for field, value in one.ListFields() if field.name in SAID]
    said += [str(one.options) for one in app.selectbox] + [str(one.options) for one in app.radio]
    for chart in charts(app):
        assert chart.size <= 200_000
        said += [str(one) for name, one in chart.spec.items() if name != "params"]
        said += [str(one.to_dict()) for one in chart.data.values()]
    said += [str(one.value.to_dict("list")) for one in app.dataframe]
    assert len(said) > 5
    assert [one[:200] for one in said if "\u202e" in one or "m" * 81 in one] == []
