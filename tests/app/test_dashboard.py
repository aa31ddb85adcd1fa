"""What does the start page say, and what holds on every page of the dashboard?"""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from app.views import answers, trail_of
from tests.app.pages import BOARD_PAGES, PAGES, grow, texts
from tests.app.small_board import VERSIONS, plant, run

DASHBOARD = Path(__file__).parents[2] / "app" / "dashboard.py"
# Pages without a choice of a moment, and of one split.
TIMELESS = ("reigns",)
OF_ALL_SPLITS = ("split", "robustness", "audit")


class TestStart:
    def test_the_boards_are_listed_with_their_facts(self, garden, monkeypatch):
        monkeypatch.setenv("RANKTRAIL_STORE", str(garden.store))
        app = AppTest.from_file(str(DASHBOARD), default_timeout=30).run()
        assert not app.exception
        assert [header.value for header in app.subheader] == ["The garden board"]
        assert "Last changed 2026-03-03 10:00 UTC. 4 versions." in texts(app.caption)
        assert "Ivy since 2026-03-03 10:00 UTC (" in texts(app.text)
        assert "1 of 4 versions cannot be read" in texts(app.caption)

    def test_a_leader_has_no_score_while_the_newest_version_cannot_be_read(
        self, growing, monkeypatch
    ):
        grow(growing, ("2026-03-02T08:00:00Z", "{"))
        monkeypatch.setenv("RANKTRAIL_STORE", str(growing.store))
        app = AppTest.from_file(str(DASHBOARD), default_timeout=30).run()
        assert not app.exception
        assert re.fullmatch(
            r"First now: Fern since 2026-03-01 08:00 UTC \(.* until the last look\)",
            texts(app.text),
        )

    def test_a_definition_that_is_wrong_is_said_beside_the_others(self, growing, monkeypatch):
        (growing.store / "weeds").mkdir()
        (growing.store / "weeds" / "board.toml").write_text('name = "weeds"\n')
        monkeypatch.setenv("RANKTRAIL_STORE", str(growing.store))
        app = AppTest.from_file(str(DASHBOARD), default_timeout=30).run()
        assert not app.exception
        assert [header.value for header in app.subheader] == ["The garden board", "weeds"]
        assert "source" in texts(app.caption)

    @pytest.mark.parametrize("folder", ["empty", "not there"])
    def test_an_empty_store_says_what_to_do(self, folder, tmp_path, monkeypatch):
        (tmp_path / "empty").mkdir()
        monkeypatch.setenv("RANKTRAIL_STORE", str(tmp_path / folder))
        app = AppTest.from_file(str(DASHBOARD), default_timeout=30).run()
        assert not app.exception
        assert "No board is tracked yet" in texts(app.info)
        assert "ranktrail crawl" in texts(app.info)


class TestEveryPage:
    @pytest.mark.parametrize("page", PAGES)
    def test_an_empty_store_says_what_to_do(self, page, view, tmp_path):
        assert "No board is tracked yet" in texts(view(tmp_path, page).info)

    @pytest.mark.parametrize("page", BOARD_PAGES)
    def test_without_a_board_it_shows_the_first(self, page, view, garden):
        app = view(garden.store, page)
        assert app.selectbox(key="choose board").value == "garden"
        assert "The garden board" in app.header[0].value

    @pytest.mark.parametrize("page", BOARD_PAGES)
    def test_a_board_that_was_never_crawled_says_how(self, page, view, tmp_path):
        planted = plant(tmp_path, VERSIONS[:1], crawl=False)
        assert "ranktrail crawl garden" in texts(view(planted.store, page, board="garden").info)

    @pytest.mark.parametrize("page", BOARD_PAGES)
    def test_a_version_that_cannot_be_read_is_named_with_the_place(self, page, view, garden):
        opened = view(garden.store, page, board="garden")
        folded = texts(opened.expander[0].markdown)
        assert (opened.expander[0].label, texts(opened.warning)) == (
            "1 of 4 versions cannot be read.",
            "",
        )
        assert f"2026-03-02 15:00 UTC, commit {garden.commits[2][:8]}" in folded

    @pytest.mark.parametrize("page", BOARD_PAGES)
    def test_at_a_version_that_cannot_be_read_nothing_is_folded(self, page, view, garden):
        opened = view(garden.store, page, board="garden", at=garden.commits[2])
        assert "1 of 4 versions cannot be read." in texts(opened.warning)

    @pytest.mark.parametrize("page", BOARD_PAGES)
    def test_the_last_look_and_the_last_change_are_two_facts(self, page, view, garden):
        said = texts(view(garden.store, page, board="garden").caption)
        assert re.search(r"As of .* UTC \((less than a minute|\d+ minutes?) ago\)\.", said)
        assert "Last changed 2026-03-03 10:00 UTC." in said

    def test_a_failed_attempt_is_said_and_the_last_look_stays(self, view, growing):
        before = view(growing.store, "trail", board="garden")
        growing.upstream.folder.rename(growing.upstream.folder.with_suffix(".gone"))
        assert run(growing.store, "crawl").exit_code == 1
        after = view(growing.store, "trail", board="garden")
        assert "The last attempt" in texts(after.warning)
        assert before.caption[0].value.split("(")[0] == after.caption[0].value.split("(")[0]

    @pytest.mark.parametrize("page", BOARD_PAGES)
    def test_a_reconstruction_says_so(self, page, view, tmp_path):
        planted = plant(tmp_path, VERSIONS[:1])
        file = planted.store / "garden" / "board.toml"
        file.write_text(
            file.read_text().replace('reconstruction = ""', 'reconstruction = "from *memory*"')
        )
        said = texts(view(planted.store, page, board="garden").warning)
        assert "**Reconstruction:** from \\*memory\\*." in said

    @pytest.mark.parametrize(
        ("page", "expected"),
        [
            pytest.param("standings", ["Note: fern: **v1.1**"], id="those that hold at the moment"),
            pytest.param(
                "trail",
                [
                    "Note: fern, from 2026-03-02T00:00:00Z: **v1.1**",
                    "Note: from 2026-03-01T00:00:00Z, until 2026-03-02T00:00:00Z: early",
                ],
                id="those that hold at some time, of who is in colour",
            ),
        ],
    )
    def test_notes_are_shown_as_they_are_written(self, page, expected, view, tmp_path):
        planted = plant(tmp_path)
        file = planted.store / "garden" / "board.toml"
        notes = (
            '\n[[note]]\nentry = "fern"\ntext = "**v1.1**"\nfrom = 2026-03-02\n'
            '[[note]]\nentry = "oak"\ntext = "of another"\n'
            '[[note]]\ntext = "early"\nfrom = 2026-03-01\nuntil = 2026-03-02\n'
        )
        file.write_text(file.read_text() + notes)
        app = view(planted.store, page, board="garden", entry="fern", at=planted.commits[3])
        said = texts(app.caption).replace("\\", "")
        assert [line for line in said.splitlines() if line.startswith("Note: ")] == expected

    @pytest.mark.parametrize(
        ("address", "named"),
        [
            pytest.param({"board": "../x"}, "../x", id="a board"),
            pytest.param({"board": "garden", "split": "nope"}, "nope", id="a split"),
            pytest.param({"board": "garden", "at": "zzz"}, "zzz", id="nonsense for a moment"),
            pytest.param({"board": "garden", "at": "1999-01-01"}, "1999-01-01", id="too early"),
            pytest.param({"board": "garden", "at": "abcdef123456"}, "abcdef123456", id="a commit"),
        ],
    )
    @pytest.mark.parametrize("page", BOARD_PAGES)
    def test_what_means_nothing_is_named_and_never_replaced(
        self, page, address, named, view, garden
    ):
        if ("at" in address and page in TIMELESS) or ("split" in address and page in OF_ALL_SPLITS):
            pytest.skip("no choice on this page")
        app = view(garden.store, page, **address)
        assert named in texts(app.error).replace("\\", "").replace("\u2060", "")
        assert not app.metric and not app.dataframe


def test_what_one_reader_does_to_a_table_no_other_sees(garden, monkeypatch):
    monkeypatch.setenv("RANKTRAIL_STORE", str(garden.store))
    first = answers.standings("garden", "latest", None).frame
    expected = first.copy()
    del first["rank"]
    first.loc[first.index[0], "name"] = first["name"].iloc[1]
    pd.testing.assert_frame_equal(answers.standings("garden", "latest", None).frame, expected)
    board = answers.history("garden")
    drawn = trail_of.trail(board, None, ("fern",))
    expected = drawn.focus.copy()
    drawn.focus["rank"] = 0
    pd.testing.assert_frame_equal(trail_of.trail(board, None, ("fern",)).focus, expected)
