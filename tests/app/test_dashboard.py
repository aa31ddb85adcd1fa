"""Each page says what the store says: full, empty, with a version that cannot be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

from app.views import state
from app.views.standings import shades, standings_table
from tests.app.small_board import VERSIONS, Garden, board_json, plant, run

DASHBOARD = Path(__file__).parents[2] / "app" / "dashboard.py"
PAGES = ("trail", "standings", "claims")
SPECIAL = "a&b=c#d/é"
HOSTILE = (
    ":red[x]",
    "$\\sum$",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:1)",
    "**b**",
    ":smile:",
)


@pytest.fixture(scope="module")
def garden(tmp_path_factory: pytest.TempPathFactory) -> Garden:
    """A store that no test changes."""
    return plant(tmp_path_factory.mktemp("garden"))


@pytest.fixture
def growing(tmp_path: Path) -> Garden:
    """A store that a test may crawl again; only the first version so far."""
    return plant(tmp_path, VERSIONS[:1])


def grow(planted: Garden, *versions: tuple[str, str]) -> None:
    for at, content in versions:
        planted.commits.append(planted.upstream.commit({"board.json": content}, at))
    assert run(planted.store, "crawl").exit_code == 0


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("RANKTRAIL_CLAIMS", raising=False)


def show(page: str) -> None:
    import importlib

    importlib.import_module(f"app.views.{page}").page()


@pytest.fixture
def view(monkeypatch: pytest.MonkeyPatch):
    """Open a page of a store by its address; entry may be a list."""

    def opened(store: Path, page: str, **address: str | list[str]) -> AppTest:
        monkeypatch.setenv("RANKTRAIL_STORE", str(store))
        app = AppTest.from_function(show, default_timeout=30, args=(page,))
        for name, value in address.items():
            app.query_params[name] = value
        app.run()
        assert not app.exception, app.exception
        return app

    return opened


def metrics(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


def texts(elements: Any) -> str:
    return "\n".join(str(element.value) for element in elements)


def table(app: AppTest) -> pd.DataFrame:
    return app.dataframe[0].value


def displayed(app: AppTest) -> pd.DataFrame:
    """The first table as texts, as it is seen."""
    arrow = app.dataframe[0].proto.arrow_data.styler.display_values
    return convert_arrow_bytes_to_pandas_df(arrow)


class TestStart:
    def test_the_boards_are_listed_with_their_facts(self, garden, monkeypatch):
        monkeypatch.setenv("RANKTRAIL_STORE", str(garden.store))
        app = AppTest.from_file(str(DASHBOARD), default_timeout=30).run()
        assert not app.exception
        assert [header.value for header in app.subheader] == ["The garden board"]
        assert "Last changed 2026-03-03 10:00 UTC. 4 versions." in texts(app.caption)
        assert "Ivy since 2026-03-03 10:00 UTC, score 73.1" in texts(app.text)
        assert "1 of 4 versions cannot be read." in texts(app.caption)

    def test_a_leader_has_no_score_while_the_newest_version_cannot_be_read(
        self, growing, monkeypatch
    ):
        grow(growing, ("2026-03-02T08:00:00Z", "{"))
        monkeypatch.setenv("RANKTRAIL_STORE", str(growing.store))
        app = AppTest.from_file(str(DASHBOARD), default_timeout=30).run()
        assert not app.exception
        assert texts(app.text) == "First now: Fern since 2026-03-01 08:00 UTC"

    def test_a_definition_that_is_wrong_is_said_beside_the_others(self, growing, monkeypatch):
        (growing.store / "weeds").mkdir()
        (growing.store / "weeds" / "board.toml").write_text('name = "weeds"\n')
        monkeypatch.setenv("RANKTRAIL_STORE", str(growing.store))
        app = AppTest.from_file(str(DASHBOARD), default_timeout=30).run()
        assert not app.exception
        assert [header.value for header in app.subheader] == ["The garden board", "weeds"]
        assert "source" in texts(app.error)

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

    @pytest.mark.parametrize("page", PAGES[:2])
    def test_without_a_board_it_shows_the_first(self, page, view, garden):
        app = view(garden.store, page)
        assert (app.selectbox(key="choose board").value, texts(app.info)) == ("garden", "")

    @pytest.mark.parametrize("page", PAGES[:2])
    def test_a_board_that_was_never_crawled_says_how(self, page, view, tmp_path):
        planted = plant(tmp_path, VERSIONS[:1], crawl=False)
        assert "ranktrail crawl garden" in texts(view(planted.store, page, board="garden").info)

    @pytest.mark.parametrize("page", PAGES[:2])
    def test_a_version_that_cannot_be_read_is_named_with_the_place(self, page, view, garden):
        opened = view(garden.store, page, board="garden")
        folded = texts(opened.expander[0].markdown)
        assert (opened.expander[0].label, texts(opened.warning)) == (
            "1 of 4 versions cannot be read.",
            "",
        )
        assert f"2026-03-02 15:00 UTC, commit {garden.commits[2][:8]}" in folded

    @pytest.mark.parametrize("page", PAGES[:2])
    def test_at_a_version_that_cannot_be_read_nothing_is_folded(self, page, view, garden):
        opened = view(garden.store, page, board="garden", at=garden.commits[2])
        assert "1 of 4 versions cannot be read." in texts(opened.warning)

    @pytest.mark.parametrize("page", PAGES[:2])
    def test_the_last_look_and_the_last_change_are_two_facts(self, page, view, garden):
        said = texts(view(garden.store, page, board="garden").caption)
        assert "As of " in said and "(less than a minute ago)" in said
        assert "Last changed 2026-03-03 10:00 UTC." in said

    def test_a_failed_attempt_is_said_and_the_last_look_stays(self, view, growing):
        before = view(growing.store, "trail", board="garden")
        growing.upstream.folder.rename(growing.upstream.folder.with_suffix(".gone"))
        assert run(growing.store, "crawl").exit_code == 1
        after = view(growing.store, "trail", board="garden")
        assert "The last attempt" in texts(after.warning)
        assert before.caption[0].value.split("(")[0] == after.caption[0].value.split("(")[0]

    @pytest.mark.parametrize("page", PAGES[:2])
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
    @pytest.mark.parametrize("page", PAGES[:2])
    def test_what_means_nothing_is_named_and_never_replaced(
        self, page, address, named, view, garden
    ):
        app = view(garden.store, page, **address)
        assert named in texts(app.error).replace("\\", "").replace("\u2060", "")
        assert not app.metric and not app.dataframe


class TestTrail:
    def test_without_a_choice_who_was_first_is_in_colour(self, view, tmp_path):
        names = ("fern", "moss", "oak", "elm")
        first = [(name, name.title(), 80.0 - n, 1.0, 1.0) for n, name in enumerate(names)]
        later = [("fern", "Fern", 60.0, 1.0, 1.0), *first[1:]]
        planted = plant(
            tmp_path,
            [
                ("2026-03-01T08:00:00Z", board_json("1", *first)),
                ("2026-03-02T08:00:00Z", board_json("1", *later)),
            ],
        )
        shown = metrics(view(planted.store, "trail", board="garden"))
        assert shown == {"Moss": "1 of 4", "Fern": "4 of 4", "Oak": "2 of 4"}

    def test_an_entry_stands_where_the_board_says(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry=["fern", "=ivy"])
        assert metrics(app) == {"Fern": "3 of 3", "\x1b\\[31mIvy": "1 of 3"}
        assert app.multiselect(key="choose entry").value == ["fern", "=ivy"]

    def test_a_link_shows_the_same_before_and_after_the_next_commit(self, view, growing):
        link = {"board": "garden", "entry": "fern", "at": growing.commits[0]}
        before = metrics(view(growing.store, "trail", **link))
        grow(growing, VERSIONS[1])
        after = view(growing.store, "trail", **link)
        assert before == metrics(after) == {"Fern": "1 of 2"}
        assert "Version of 2026-03-01 08:00 UTC" in texts(after.text)
        assert metrics(view(growing.store, "trail", board="garden", entry="fern")) == {
            "Fern": "2 of 2"
        }

    def test_what_is_picked_is_written_into_the_address(self, view, garden):
        app = view(garden.store, "trail", board="garden")
        app.multiselect(key="choose entry").select("moss").run()
        assert app.query_params["entry"] == "moss"
        assert metrics(app) == {"Moss 2": "2 of 3"}
        app.selectbox(key="choose split").select("private").run()
        assert app.query_params["split"] == "private"
        assert metrics(app) == {"Moss 2": "1 of 3"}

    def test_nobody_chosen_is_said_and_the_best_three_are_shown(self, view, garden):
        app = view(garden.store, "trail", board="garden")
        assert "Nobody is chosen" in texts(app.caption)
        assert [metric.value for metric in app.metric] == ["1 of 3", "2 of 3", "3 of 3"]
        assert "entry" not in app.query_params

    def test_an_unknown_entry_is_named_and_the_others_stay(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry=["no such", "moss"])
        assert 'no entry "no such"' in texts(app.error).replace("\\", "")
        assert list(metrics(app)) == ["Moss 2"]

    def test_after_an_unknown_entry_alone_the_best_three_are_drawn(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry="no such")
        assert 'no entry "no such"' in texts(app.error).replace("\\", "")
        assert "Nobody is chosen" in texts(app.caption)
        assert [metric.value for metric in app.metric] == ["1 of 3", "2 of 3", "3 of 3"]
        assert app.query_params["entry"] == "no such"

    @pytest.mark.parametrize(
        ("split", "expected"),
        [
            pytest.param(
                None,
                [
                    ["2026-03-03 10:00 UTC", "(still)", "\x1b[31mIvy", ""],
                    [
                        "2026-03-02 09:00 UTC",
                        "2026-03-03 10:00 UTC",
                        "Moss 2",
                        "\x1b[31mIvy (joined)",
                    ],
                    ["2026-03-01 08:00 UTC", "2026-03-02 09:00 UTC", "Fern", "Moss 2 (re-scored)"],
                ],
                id="the score",
            ),
            pytest.param(
                "public",
                [["2026-03-01 08:00 UTC", "(still)", "Fern", ""]],
                id="a split",
            ),
        ],
    )
    def test_first_place_is_listed_newest_first_with_how_it_was_lost(
        self, split, expected, view, garden
    ):
        chosen = {} if split is None else {"split": split}
        app = view(garden.store, "trail", board="garden", **chosen)
        rows = table(app)
        found = rows[["From", "Until", "First", "Lost to"]].to_numpy().tolist()
        assert found == expected
        assert rows["How long"].iloc[-1].startswith("at least ")
        assert "Newest first." in texts(app.caption)

    def test_an_entry_that_left_stays_chosen(self, view, growing):
        app = view(growing.store, "trail", board="garden", entry="moss")
        gone = board_json("1", ("fern", "Fern", 71.5, 80.25, 60.5), ("ash", "Ash", 80.0, 1.0, 1.0))
        grow(growing, ("2026-03-02T08:00:00Z", gone))
        app.run()
        assert app.multiselect(key="choose entry").value == ["moss"]
        assert metrics(app) == {"Moss": "not listed"}

    def test_in_an_unreadable_version_a_rank_is_unknown(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry="fern", at=garden.commits[2])
        assert metrics(app) == {"Fern": "unknown"}

    def test_an_entry_without_a_score_is_unranked(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry="oak", at=garden.commits[1])
        assert metrics(app) == {"Oak": "unranked"}

    def test_the_numbers_behind_the_chart_are_there(self, view, garden):
        rows = view(garden.store, "trail", board="garden", entry="fern").dataframe[1].value
        assert rows[["From", "Until", "Rank"]].to_numpy().tolist() == [
            ["2026-03-01 08:00 UTC", "2026-03-02 09:00 UTC", 1],
            ["2026-03-02 09:00 UTC", "2026-03-02 15:00 UTC", 2],
            ["2026-03-03 10:00 UTC", rows["Until"].iloc[2], 3],
        ]

    def test_claims_of_the_file_are_on_the_chart_and_in_its_table(
        self, view, garden, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(claims_file(tmp_path)))
        app = view(garden.store, "trail", board="garden")
        marks = app.dataframe[-1].value
        assert marks[["Claim", "Time", "Rank", "Verdict"]].to_numpy().tolist() == [
            ["good", "2026-03-01 12:00 UTC", 1, "true"],
            ["bad", "2026-03-01 12:00 UTC", 2, "false"],
        ]
        assert "A shape in a ring" in texts(app.caption)

    def test_claims_about_others_than_the_shown_entries_are_not_on_the_chart(
        self, view, garden, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(claims_file(tmp_path)))
        app = view(garden.store, "trail", board="garden", entry="moss")
        assert "Claim" not in app.dataframe[-1].value
        assert "A shape in a ring" not in texts(app.caption)

    def test_names_are_text(self, view, tmp_path):
        rows = [(name, name, 90.0 - n, 1.0, 1.0) for n, name in enumerate((*HOSTILE, SPECIAL))]
        planted = plant(tmp_path, [("2026-03-01T08:00:00Z", board_json("1", *rows))])
        app = view(planted.store, "trail", board="garden", entry=list(HOSTILE[:6]))
        assert [metric.label for metric in app.metric] == [
            r"\:red\[x\]",
            r"\$\\sum\$",
            r"\<img src\=x onerror\=alert\(1\)\>",
            r"\[a\]\(javascript\:1\)",
            r"\*\*b\*\*",
            r"\:smile\:",
        ]
        assert sorted(set(app.dataframe[1].value["Entry"])) == sorted(HOSTILE)
        assert metrics(view(planted.store, "trail", board="garden", entry=SPECIAL)) == {
            r"a\&b\=c\#d\/é": "7 of 7"
        }


class TestStandings:
    @pytest.mark.parametrize("version", [0, 1, 3])
    @pytest.mark.parametrize("split", [None, "private"])
    def test_the_table_is_what_the_command_prints(self, version, split, view, garden):
        at = garden.commits[version]
        chosen = {} if split is None else {"split": split}
        app = view(garden.store, "standings", board="garden", at=at, **chosen)
        shown = table(app)
        told = garden.json(
            "standings", "garden", "--at", at, *(("--split", split) if split else ())
        )
        assert [
            (row["Entry"], None if pd.isna(row["Rank"]) else row["Rank"])
            for _, row in shown.iterrows()
        ] == [(one["entry"], one["rank"]) for one in told["entries"]]
        seen = displayed(app)
        assert seen["Score"].tolist() == [one["score_text"] or "" for one in told["entries"]]
        for part in shown.columns.intersection(told["entries"][0]["parts"]):
            texts_of_part = [one["parts"][part]["text"] or "" for one in told["entries"]]
            assert seen[part].tolist() == texts_of_part

    def test_splits_stand_beside_the_total_and_missing_cells_are_empty(self, view, garden):
        app = view(garden.store, "standings", board="garden", at=garden.commits[1])
        shown = table(app)
        assert r"its number: public 3\, private 2\, mix 2." in texts(app.caption)
        assert shown["Entry"].tolist() == ["moss", "fern", "oak"]
        assert shown["public rank"].tolist() == [2, 1, 3]
        assert shown["private rank"].tolist()[:2] == [1, 2]
        oak = shown.iloc[2]
        assert pd.isna(oak["Rank"]) and pd.isna(oak["Score"])
        assert pd.api.types.is_float_dtype(shown["Score"])
        assert oak["Not ranked"] == "no score"

    def test_ties_are_marked_in_words_too(self, view, growing):
        close = board_json(
            "1",
            ("fern", "Fern", 71.5, 1.0, 1.0),
            ("moss", "Moss", 71.1, 1.0, 1.0),
            ("oak", "Oak", 60.0, 1.0, 1.0),
        )
        grow(growing, ("2026-03-02T08:00:00Z", close))
        app = view(growing.store, "standings", board="garden")
        assert table(app)[["Rank", "Tie", "="]].to_numpy().tolist() == [
            [1, 1, "="],
            [2, 1, "="],
            [3, 3, ""],
        ]
        assert "ties anchored, band 0.5 inclusive" in texts(app.text)

    @pytest.mark.parametrize(("dark", "ink"), [(False, "#000000"), (True, "#FFFFFF")])
    def test_columns_that_stay_in_place_are_written_firmly(self, dark, ink, garden, monkeypatch):
        monkeypatch.setenv("RANKTRAIL_STORE", str(garden.store))
        stood = state.standings("garden", "latest", None)
        styles = shades(standings_table(stood, {}, []), stood.frame, dark)
        firm = styles.columns[styles.apply(lambda css: css.str.contains(f"color: {ink}").all())]
        assert firm.tolist() == ["Rank", "Entry"]

    def test_a_date_with_several_versions_names_the_others(self, view, garden):
        app = view(garden.store, "standings", board="garden", at="2026-03-02")
        assert "That day saw other versions" in texts(app.caption)
        assert "Nothing is known of this moment" in texts(app.error)

    def test_a_version_can_be_chosen_and_its_commit_is_the_address(self, view, garden):
        app = view(garden.store, "standings", board="garden")
        app.selectbox(key="choose at").select(garden.commits[0]).run()
        assert app.query_params["at"] == garden.commits[0]
        assert table(app)["Entry"].tolist() == ["fern", "moss"]
        app.text_input(key="type at").input("").run()
        assert "at" not in app.query_params

    def test_a_new_version_is_seen_at_the_next_run(self, view, growing):
        app = view(growing.store, "standings", board="garden")
        assert table(app)["Entry"].tolist() == ["fern", "moss"]
        grow(growing, VERSIONS[1])
        assert table(app.run())["Entry"].tolist() == ["moss", "fern", "oak"]


def claims_file(folder: Path) -> Path:
    file = folder / "claims.toml"
    file.write_text(
        """\
[[claim]]
id = "good"
text = "Fern leads"
predicate = "first"
subject = "fern"
boards = ["garden"]
when = { as_of = 2026-03-01T12:00:00Z }

[[claim]]
id = "bad"
text = "Fern is *second*"
predicate = "rank"
n = 2
subject = "fern"
boards = ["garden"]
when = { as_of = 2026-03-01T12:00:00Z }
"""
    )
    return file


class TestClaims:
    def test_a_sentence_gets_its_verdict_and_evidence(self, view, garden):
        app = view(garden.store, "claims", claim="fern is #1 on garden as of 2026-03-01")
        assert "True" in texts(app.success)
        evidence = app.dataframe[-1].value
        assert evidence[["Entry", "Printed", "Label"]].to_numpy().tolist()[0] == [
            "fern",
            "71.5",
            "measured",
        ]
        assert evidence["Commit"].iloc[0] == garden.commits[0][:10]
        told = run(garden.store, "check", "fern is #1 on garden as of 2026-03-01")
        assert told.exit_code == 0

    def test_typing_a_sentence_writes_the_address(self, view, garden):
        app = view(garden.store, "claims")
        app.text_input(key="type claim").input("moss is 2nd on garden now").run()
        assert app.query_params["claim"] == "moss is 2nd on garden now"
        assert app.success

    def test_when_it_held_is_cut_where_nobody_knows(self, view, garden):
        app = view(garden.store, "claims", claim="fern was ever first on garden")
        spans = app.dataframe[0].value
        assert spans["State"].tolist() == ["held", "not held", "unknown", "not held"]
        assert spans["Time"].iloc[0] == "2026-03-01 08:00 UTC to 2026-03-02 09:00 UTC"

    def test_claims_of_the_file_are_listed_and_can_be_opened(
        self, view, garden, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(claims_file(tmp_path)))
        listed = table(view(garden.store, "claims"))
        assert listed.columns.tolist() == ["Verdict", "Claim", "Text", "Why"]
        assert listed[["Verdict", "Claim"]].to_numpy().tolist() == [
            ["True", "good"],
            ["False", "bad"],
        ]
        assert not listed["Why"].str.match("True|False").any()
        app = view(garden.store, "claims", claim="bad")
        assert app.text_input(key="type claim").value == ""
        assert app.selectbox(key="choose claim").label == "Or choose one of 2 claims"
        assert app.error and "“Fern is \\*second\\*”" in app.subheader[0].value

    def test_a_claims_file_in_the_store_is_found(self, view, growing):
        claims_file(growing.store)
        assert table(view(growing.store, "claims"))["Claim"].tolist() == ["good", "bad"]

    @pytest.mark.parametrize(
        ("claim", "named"),
        [
            pytest.param("what a fine day", "fine", id="no claim"),
            pytest.param("nobody is #1 on garden now", "nobody", id="an unknown entry"),
            pytest.param("fern is #1 on meadow now", "meadow", id="an unknown board"),
        ],
    )
    def test_what_is_not_understood_is_named(self, claim, named, view, garden):
        app = view(garden.store, "claims", claim=claim)
        assert named in texts(app.error)
        assert not app.success

    @pytest.mark.parametrize(
        ("claim", "hint"),
        [
            pytest.param("god", "Nearest: good.", id="one is near"),
            pytest.param("C99", "Nearest: good, bad.", id="none is near"),
        ],
    )
    def test_an_id_that_is_not_there_is_named_with_the_nearest(
        self, claim, hint, view, garden, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(claims_file(tmp_path)))
        app = view(garden.store, "claims", claim=claim)
        assert texts(app.error).replace("\\", "") == f'no claim "{claim}". {hint}'

    def test_without_a_claims_file_one_word_is_no_claim(self, view, garden):
        said = texts(view(garden.store, "claims", claim="C99").error)
        assert said.replace("\\", "") == 'no claim "C99". No claims file is there.'

    @pytest.mark.parametrize("entry", ["fern", "first of all", "a&b=c#d/é"])
    def test_the_example_is_a_sentence_about_this_store_that_can_be_checked(
        self, entry, view, tmp_path
    ):
        rows = board_json("1", (entry, entry, 71.5, 1.0, 1.0))
        planted = plant(tmp_path, [("2026-03-01T08:00:00Z", rows)])
        example = view(planted.store, "claims").text_input(key="type claim").placeholder
        assert entry in example
        assert view(planted.store, "claims", claim=example).success

    def test_what_the_sentence_says_is_not_said_again(self, view, garden):
        app = view(garden.store, "claims", claim="moss is first on garden as of 2026-03-01T12:00Z")
        assert "first on garden later" in texts(app.error)
        assert "What would be true" not in texts(app.text)
        assert "Note: It was" not in texts(app.text)

    def test_a_broken_claims_file_is_said_and_the_page_still_works(
        self, view, garden, monkeypatch, tmp_path
    ):
        file = tmp_path / "claims.toml"
        file.write_text("[[claim]\n")
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(file))
        app = view(garden.store, "claims", claim="fern is 3rd on garden now")
        assert "Claims file" in texts(app.warning) and app.success


def test_what_one_reader_does_to_a_table_no_other_sees(garden, monkeypatch):
    monkeypatch.setenv("RANKTRAIL_STORE", str(garden.store))
    first = state.standings("garden", "latest", None).frame
    expected = first.copy()
    del first["rank"]
    first.loc[first.index[0], "name"] = first["name"].iloc[1]
    pd.testing.assert_frame_equal(state.standings("garden", "latest", None).frame, expected)
    drawn = state.trail("garden", None, ("fern",))
    expected = drawn.focus.copy()
    drawn.focus["rank"] = 0
    pd.testing.assert_frame_equal(state.trail("garden", None, ("fern",)).focus, expected)
