"""What does the page of a trail show: who stood where, when, and who was first?"""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from app.charts.style import utc
from tests.app.pages import claims_file, grow, texts
from tests.app.small_board import DEFINITION, VERSIONS, board_json, define, plant, run

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
        assert metrics(app) == {"Fern": "3 of 3", r"\\x1b\[31mIvy": "1 of 3"}
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
                    ["2026-03-03 10:00 UTC", "(still)", "\\x1b[31mIvy", ""],
                    [
                        "2026-03-02 09:00 UTC",
                        "2026-03-03 10:00 UTC",
                        "Moss 2",
                        "\\x1b[31mIvy (joined)",
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
        rows = app.dataframe[-1].value
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
        rows = view(garden.store, "trail", board="garden", entry="moss").dataframe[0].value
        assert rows[["From", "Until", "Rank", "Score"]].to_numpy().tolist() == [
            ["2026-03-01 08:00 UTC", "2026-03-02 09:00 UTC", 2, "70.2"],
            ["2026-03-02 09:00 UTC", "2026-03-02 15:00 UTC", 1, "72.0"],
            ["2026-03-03 10:00 UTC", rows["Until"].iloc[2], 2, "72.0"],
        ]

    def test_claims_of_the_file_are_on_the_chart_and_in_its_table(
        self, view, garden, monkeypatch, tmp_path
    ):
        monkeypatch.setenv("RANKTRAIL_CLAIMS", str(claims_file(tmp_path)))
        app = view(garden.store, "trail", board="garden")
        (marks,) = (one.value for one in app.dataframe if "Claim" in one.value)
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
        assert not any("Claim" in shown.value for shown in app.dataframe)
        assert "A shape in a ring" not in texts(app.caption)

    @pytest.mark.parametrize(
        ("at", "order"),
        [
            pytest.param(None, ["\x1b[31mIvy", "Moss 2", "Fern"], id="of the last look"),
            pytest.param(1, ["Moss 2", "Fern", "\x1b[31mIvy"], id="of a moment"),
        ],
    )
    def test_the_ranks_of_all_are_those_of_the_command_in_the_order_of_a_moment(
        self, at, order, view, garden
    ):
        address = {} if at is None else {"at": garden.commits[at]}
        app = view(garden.store, "trail", board="garden", entry="moss", **address)
        (cells,) = (
            one.value
            for one in app.dataframe
            if {"Entry", "From", "Rank"} < set(one.value) and "Score" not in one.value
        )
        assert [name.replace("\\x1b", "\x1b") for name in cells["Entry"].unique()] == order
        told = garden.json("history", "garden")["rows"]
        starts = {
            (row["name"], utc(pd.Timestamp(row["committed_at"]))): row["rank"] for row in told
        }
        names = {"Moss 2": ("Moss", "Moss 2")}
        for cell in cells.itertuples(index=False):
            name = cell.Entry.replace("\\x1b", "\x1b")
            ranks = [starts.get((one, cell.From)) for one in names.get(name, (name,))]
            assert cell.Rank in ranks

    def test_of_many_entries_some_rows_are_drawn_at_a_time(self, view, tmp_path):
        rows = [(f"e{n:03}", f"E {n:03}", 90.0 - n / 10, 1.0, 1.0) for n in range(95)]
        planted = plant(tmp_path, [("2026-03-01T08:00:00Z", board_json("1", *rows))])

        def drawn(app) -> list[str]:
            (cells,) = (one.value for one in app.dataframe if len(one.value) > 10)
            return list(cells["Entry"])

        app = view(planted.store, "trail", board="garden", entry="e000")
        assert drawn(app) == [f"E {n:03}" for n in range(40)]
        app.selectbox(key="choose rows").select("81").run()
        assert app.query_params["rows"] == "81"
        assert drawn(app) == [f"E {n:03}" for n in range(80, 95)]
        app = view(planted.store, "trail", board="garden", entry="e000", rows="7")
        assert 'no "7". It can be 1, 41, 81.' in texts(app.error).replace("\\", "")

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
        assert sorted(set(app.dataframe[0].value["Entry"])) == sorted(HOSTILE)
        assert metrics(view(planted.store, "trail", board="garden", entry=SPECIAL)) == {
            r"a\&b\=c\#d\/é": "7 of 7"
        }


class TestSearch:
    @pytest.fixture
    def renamed(self, tmp_path):
        """Fern was called Bracken once; the file of the first day says `frn` for it."""
        days = [
            ("2026-03-01T08:00:00Z", board_json("1", ("frn", "Bracken", 71.5, 1.0, 1.0))),
            ("2026-03-02T08:00:00Z", board_json("1", ("fern", "Fern", 72.5, 1.0, 1.0))),
        ]
        planted = plant(tmp_path, days, crawl=False)
        define(planted.store, "garden", f'{DEFINITION}\n[aliases]\n"frn" = "fern"\n')
        assert run(planted.store, "crawl").exit_code == 0
        return planted

    def test_the_chooser_says_every_name_that_an_entry_has_or_had(self, view, renamed):
        app = view(renamed.store, "trail", board="garden")
        assert app.multiselect(key="choose entry").options == ["Fern (fern; also Bracken, frn)"]

    @pytest.mark.parametrize("said", ["fern", "Fern", "frn", "Bracken", "bracken"])
    def test_an_address_may_say_any_of_them(self, said, view, renamed):
        app = view(renamed.store, "trail", board="garden", entry=said)
        assert app.multiselect(key="choose entry").value == ["fern"]
        assert metrics(app) == {"Fern": "1 of 1"}


class TestThroughTime:
    def test_the_slider_writes_the_version_into_the_address(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry="fern")
        slider = app.select_slider(key="slide at")
        assert slider.value == garden.commits[3]
        slider.set_value(garden.commits[1]).run()
        assert app.query_params["at"] == garden.commits[1]
        assert metrics(app) == {"Fern": "2 of 2"}

    def test_earlier_and_later_go_from_version_to_version(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry="fern")
        assert app.button(key="Later version").disabled
        app.button(key="Earlier version").click().run()
        assert app.query_params["at"] == garden.commits[2]
        assert metrics(app) == {"Fern": "unknown"}
        app.button(key="Later version").click().run()
        assert app.query_params["at"] == garden.commits[3]
        assert metrics(app) == {"Fern": "3 of 3"}
        assert app.select_slider(key="slide at").value == garden.commits[3]

    def test_at_the_first_version_there_is_none_before(self, view, garden):
        app = view(garden.store, "trail", board="garden", at=garden.commits[0])
        assert app.button(key="Earlier version").disabled
        assert not app.button(key="Later version").disabled

    def test_one_version_needs_no_slider(self, view, growing):
        app = view(growing.store, "trail", board="garden")
        assert not app.select_slider and app.metric[0].value == "1 of 2"

    def test_versions_of_one_minute_are_told_apart(self, view, growing):
        row = ("fern", "Fern", 70.0, 1.0, 1.0)
        grow(
            growing,
            ("2026-03-02T08:00:00Z", board_json("1", row)),
            ("2026-03-02T08:00:30Z", board_json("2", row)),
        )
        told = view(growing.store, "trail", board="garden").select_slider(key="slide at").options
        others = [f", {commit[:8]}" for commit in growing.commits[1:]]
        assert told == ["2026-03-01 08:00 UTC", *(f"2026-03-02 08:00 UTC{c}" for c in others)]


class TestEvidence:
    def test_a_moment_says_score_since_when_and_where_its_numbers_stand(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry="moss", at=garden.commits[3])
        assert app.metric[0].delta.replace("\\", "") == (
            "score 72.0, rank since 2026-03-03 10:00 UTC"
        )
        said = texts(app.caption).replace("\\", "")
        assert "Numbers *measured*, ranks *reasoned* from them: board.json at commit " in said
        assert f"`{garden.commits[3][:8]}`, 2026-03-03 10:00 UTC." in said

    def test_the_numbers_of_a_computed_split_are_reasoned(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry="moss", split="mix")
        assert "Numbers *reasoned*, ranks" in texts(app.caption)

    def test_of_an_unknown_version_no_numbers_are_told(self, view, garden):
        app = view(garden.store, "trail", board="garden", entry="moss", at=garden.commits[2])
        assert app.metric[0].delta == ""
        assert "Numbers *" not in texts(app.caption)

    def test_the_ribbon_is_spoken_of_only_where_a_rule_has_a_band(self, view, garden):
        said = "as far as the board's tie rule"
        assert said in texts(view(garden.store, "trail", board="garden").caption)
        split = view(garden.store, "trail", board="garden", split="public")
        assert said not in texts(split.caption)
