"""Which boards does the first page show, how do they stand, and how is one added?"""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from app.views.add_board import SOURCE, STATE
from crawler.board import load_board
from tests.app.page_charts import charts
from tests.app.pages import grow, texts
from tests.app.small_board import PLAIN, VERSIONS, define, plant, run
from tests.histories import History

WAYS = "model,x,y\na,3,7\nb,5,9\nc,4,8\nd,9,1\n"  # does not tell which column is the score


def plain(text: str) -> str:
    return text.replace("\\", "").replace("\u2060", "")


def press(app: AppTest, label: str) -> AppTest:
    [button] = [one for one in app.button if one.label == label]
    button.click().run()
    assert not app.exception, app.exception
    return app


class TestCards:
    def test_who_is_first_and_since_when_as_reigns_says(self, view, garden):
        told = garden.json("reigns", "garden")["reigns"]
        app = view(garden.store, "boards")
        said = texts(app.text)
        assert said.startswith("First now: \\x1b[31mIvy since 2026-03-03 10:00 UTC (")
        assert said.endswith(" until the last look), score 73.1")
        shown = app.dataframe[0].value
        assert shown["From"].tolist() == [one["from"] for one in told]
        assert shown["Score"].tolist() == [one["score_text"] for one in told]
        assert "1 of 4 versions cannot be read." in plain(texts(app.caption))
        assert "Last changed 2026-03-03 10:00 UTC. 4 versions." in texts(app.caption)

    def test_the_strip_has_a_bar_for_each_reign(self, view, garden):
        app = view(garden.store, "boards")
        [chart] = app.get("vega_lite_chart")
        told = garden.json("reigns", "garden")["reigns"]
        said = json.loads(chart.proto.spec)["description"]
        assert f"Reigns: {len(told)}, of 3 entries." in said

    def test_the_strip_of_a_board_that_has_long_been_the_same_ends_soon_after_its_last_change(
        self, view, garden
    ):
        [chart] = charts(view(garden.store, "boards"))
        ends = max(table["u"].max() for table in chart.data.values() if "u" in table)
        first, last = pd.Timestamp(VERSIONS[0][0]), pd.Timestamp(VERSIONS[-1][0])
        assert pd.Timestamp(ends, unit="ms", tz="UTC") == last + (last - first) / 5

    def test_a_newest_version_that_cannot_be_read_is_said(self, view, growing):
        grow(growing, ("2026-03-02T08:00:00Z", "{"))
        said = plain(texts(view(growing.store, "boards").caption))
        assert ":material/warning: The newest version cannot be read: " in said

    def test_what_wants_a_look_is_a_line_each(self, view, growing):
        grow(growing, VERSIONS[1])
        first = growing.commits[0]
        growing.upstream.commit({"board.json": VERSIONS[3][1]}, VERSIONS[3][0], parents=[first])
        assert run(growing.store, "crawl").exit_code == 0
        growing.upstream.folder.rename(growing.upstream.folder.with_suffix(".gone"))
        assert run(growing.store, "crawl").exit_code == 1
        lines = [plain(one.value) for one in view(growing.store, "boards").caption]
        trouble = [line for line in lines if line.startswith(":material/warning:")]
        assert len(trouble) == 2
        assert trouble[0].startswith(":material/warning: The last attempt, 20")
        assert trouble[1].endswith("1 version vanished upstream; kept and marked here.")

    def test_a_board_that_was_never_crawled_says_how(self, view, tmp_path):
        planted = plant(tmp_path, VERSIONS[:1], crawl=False)
        said = plain(texts(view(planted.store, "boards").caption))
        assert "Never looked at: `ranktrail crawl garden` fetches it." in said

    @pytest.mark.parametrize("broken", ["definition", "table", "garbage"])
    def test_one_broken_board_leaves_the_others(self, broken, view, tmp_path):
        planted = plant(tmp_path)
        shutil.copytree(planted.store / "garden", planted.store / "weeds")
        file = planted.store / "weeds" / "board.toml"
        file.write_text(file.read_text().replace('"garden"', '"weeds"'))
        if broken == "definition":
            file.write_text('name = "weeds"\n')
        elif broken == "table":
            (planted.store / "weeds" / "versions.parquet").write_bytes(b"PAR1 no table PAR1")
        else:
            file.write_bytes(b"\xff\xfe\x00")
        app = view(planted.store, "boards")
        assert texts(app.text).startswith("First now: ")
        warnings = [one.value for one in app.caption if one.value.startswith(":material/warning:")]
        assert len(warnings) == 2  # one of each: garden has a version that cannot be read
        assert not app.error and all("\n" not in line for line in warnings)

    def test_an_empty_store_says_what_to_do_and_shows_the_form(self, view, tmp_path):
        app = view(tmp_path, "boards")
        assert "ranktrail add SOURCE" in texts(app.info)
        assert app.expander[0].proto.expanded


class TestManyBoards:
    @pytest.fixture(scope="class")
    @staticmethod
    def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
        folder = tmp_path_factory.mktemp("many")
        upstream = History(folder / "upstream.git")
        upstream.commit({"board.csv": "model,score\na,1\nb,2\n"}, "2026-01-01T00:00:00Z")
        upstream.commit({"other.csv": "model,score\na,9\n"}, "2026-02-01T00:00:00Z")
        for number in range(14):
            name = f"b{number:02}"
            title = f'name = "{name}"\ntitle = "Bed {13 - number:02}"\n'
            file = PLAIN if number else PLAIN.replace("board.csv", "other.csv")
            define(folder / "store", name, title + file)
        assert run(folder / "store", "crawl").exit_code == 0
        return folder / "store"

    def test_they_stand_by_title_and_not_all_at_once(self, many, view):
        app = view(many, "boards")
        assert [one.value for one in app.subheader] == [f"Bed {n:02}" for n in range(12)]
        press(app, "Show 2 more")
        assert app.query_params["show"] == "all"
        assert len(app.subheader) == 14

    def test_one_is_found_by_its_name(self, many, view):
        app = view(many, "boards")
        app.text_input(key="type where").input("B03").run()
        assert [one.value for one in app.subheader] == ["Bed 10"]
        assert app.query_params["where"] == "B03"

    def test_the_last_changed_comes_first(self, many, view):
        app = view(many, "boards", sort="changed")
        assert app.subheader[0].value == "Bed 13"  # b00, which reads the other file

    def test_a_name_that_none_has_is_said(self, many, view):
        app = view(many, "boards", where="**x**")
        assert plain(texts(app.info)) == 'No board has "**x**" in its title or name.'


class TestAdding:
    def looked(self, app: AppTest, source: str) -> AppTest:
        app.text_input(key=SOURCE).input(source)
        return press(app, "Look at it")

    def test_a_board_is_proposed_confirmed_and_crawled(self, view, repo, tmp_path):
        store = tmp_path / "s"
        other = tmp_path / "other"
        assert run(other, "add", str(repo.folder), "--yes").exit_code == 0
        expected = (other / "garden" / "board.toml").read_text()
        app = self.looked(view(store, "boards"), str(repo.folder))
        assert f"{app.code[0].value}\n" == expected  # what the command writes
        evidence, standings = (one.value for one in app.dataframe[:2])
        assert "the published ranks follow it" in " ".join(evidence["Because"])
        assert standings["Entry"].tolist() == ["fern", "moss", "oak", "elm"]
        assert not (store / "garden").exists()  # nothing before the click
        press(app, "Add it and crawl")
        assert texts(app.success) == "garden is tracked now, with 2 versions."
        assert (store / "garden" / "board.toml").read_text() == expected
        assert [one.value for one in app.subheader] == ["garden"]
        stood = json.loads(run(store, "standings", "garden", "--json").stdout)
        assert stood["entries"][0]["entry"] == "fern"
        assert "fern" in texts(app.text)
        press(app, "Add another")
        assert app.text_input(key=SOURCE).value == "" and STATE not in app.session_state

    def test_a_proposal_can_be_discarded(self, view, repo, tmp_path):
        app = self.looked(view(tmp_path / "s", "boards"), str(repo.folder))
        press(app, "Discard")
        assert not app.code and not (tmp_path / "s" / "garden").exists()

    def test_what_the_file_does_not_tell_is_asked(self, view, tmp_path):
        repo = History(tmp_path / "beds.git")
        repo.commit({"r.csv": WAYS}, "2026-01-01T00:00:00Z")
        store = tmp_path / "s"
        app = self.looked(view(store, "boards"), str(repo.folder))
        box = next(one for one in app.selectbox if one.label == "Answer")
        [place] = [k for k, text in enumerate(box.options) if text.startswith("x, lower is")]
        box.select_index(place)
        press(app, "Go on")
        press(app, "Add it and crawl")
        told = load_board(store / "beds" / "board.toml").rest["table"]
        assert (told["score"], told["direction"]) == ("x", "lower")

    def test_somebody_can_say_more(self, view, repo, tmp_path):
        app = view(tmp_path / "s", "boards")
        app.toggle[0].set_value(True).run()
        next(one for one in app.text_input if one.label == "Name (--name)").input("mine")
        self.looked(app, str(repo.folder))
        press(app, "Add it and crawl")
        assert (tmp_path / "s" / "mine" / "board.toml").exists()

    @pytest.mark.parametrize(
        ("source", "error"),
        [
            pytest.param("  ", "Nothing was typed.", id="nothing"),
            pytest.param("no such thing", "no folder, bundle or address", id="no address"),
            pytest.param("{empty}", "", id="a repository without a table"),
        ],
    )
    def test_what_cannot_be_added_is_one_line(self, source, error, view, tmp_path):
        empty = History(tmp_path / "empty.git")
        empty.commit({"notes.txt": "x"}, "2026-01-01T00:00:00Z")
        app = view(tmp_path / "s", "boards")
        self.looked(app, source.format(empty=empty.folder))
        [said] = app.error
        assert error in plain(said.value) and "\n" not in said.value
        assert not app.code

    def test_a_name_that_is_taken_is_refused(self, view, repo, tmp_path):
        store = tmp_path / "s"
        assert run(store, "add", str(repo.folder), "--yes").exit_code == 0
        app = self.looked(view(store, "boards"), str(repo.folder))
        assert "garden: already tracked in" in plain(texts(app.error))

    def test_a_board_that_is_locked_is_not_added(self, view, repo, tmp_path):
        from crawler.store import Store

        store = Store(tmp_path / "s")
        app = self.looked(view(store.root, "boards"), str(repo.folder))
        board = load_board(_draft(tmp_path, app.code[0].value))
        with store.lock_source(board):
            press(app, "Add it and crawl")
        assert "another run is at work" in plain(texts(app.error))
        assert not (store.root / "garden" / "board.toml").exists()

    def test_an_address_of_the_page_fetches_nothing(self, view, repo, tmp_path):
        app = view(tmp_path / "s", "boards", board=str(repo.folder), source=str(repo.folder))
        assert not app.code and not (tmp_path / "s").exists()

    def test_a_login_in_an_address_is_not_said_again(self, view, tmp_path):
        app = view(tmp_path / "s", "boards")
        self.looked(app, "https://me:topsecret@127.0.0.1:9/x/board.git")
        assert texts(app.error) and "topsecret" not in texts(app.error)

    @pytest.mark.parametrize(("said", "public"), [("1", True), ("0", False), ("", False)])
    def test_a_public_dashboard_adds_nothing(self, said, public, view, garden, monkeypatch):
        monkeypatch.setenv("RANKTRAIL_PUBLIC", said)
        app = view(garden.store, "boards")
        assert any(one.label == "Add a board" for one in app.expander) is not public
        assert (len(app.button) == 0) is public


def _draft(folder: Path, text: str) -> Path:
    file = folder / "drafts" / "garden" / "board.toml"
    file.parent.mkdir(parents=True)
    file.write_text(text)
    return file
