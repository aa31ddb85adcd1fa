"""What does the page of a trail show: who stood where, when, and who was first?"""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest

from tests.app.pages import claims_file, grow, table, texts
from tests.app.small_board import VERSIONS, board_json, plant

SPECIAL = "a&b=c#d/é"

HOSTILE = (
    ":red[x]",
    "$\\sum$",
    "<img src=x onerror=alert(1)>",
    "[a](javascript:1)",
    "**b**",
    ":smile:",
)


def metrics(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value for metric in app.metric}


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
