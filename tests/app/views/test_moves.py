"""What does the page of moves show: who moved, why, and what happened at all?"""

from __future__ import annotations

from fractions import Fraction

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from tests.app.pages import grow, texts
from tests.app.small_board import VERSIONS, Garden, board_json, plant

HOSTILE = (":red[x]", "$\\sum$", "<img src=x onerror=alert(1)>", "[a](javascript:1)", "**b**")
SHARES = {  # fern falls from 1 to 3: moss is re-scored and elm joins
    "2026-03-01T08:00:00Z": (("fern", 71.5), ("moss", 70.2), ("oak", 60.0)),
    "2026-03-02T08:00:00Z": (("fern", 69.0), ("moss", 70.5), ("oak", 60.0), ("elm", 70.0)),
}


def shared(at: str) -> tuple[str, str]:
    rows = [(name, name.title(), score, 1.0, 1.0) for name, score in SHARES[at]]
    return at, board_json("1", *rows)


@pytest.fixture(scope="module")
def falling(tmp_path_factory) -> Garden:
    """One edition, so that every cause is told apart."""
    return plant(tmp_path_factory.mktemp("falling"), [shared(at) for at in SHARES])


@pytest.fixture(scope="module")
def rescaled(tmp_path_factory) -> Garden:
    """Another edition with other scores, and no formula that bridges them."""
    rows = [("fern", "Fern", 21.5, 1.0, 1.0), ("moss", "Moss", 25.0, 2.0, 2.0)]
    newer = [*rows, ("elm", "Elm", 30.0, 1.0, 1.0)]
    versions = [VERSIONS[0], ("2026-03-02T08:00:00Z", board_json("2", *newer))]
    return plant(tmp_path_factory.mktemp("rescaled"), versions)


def frame_with(app: AppTest, column: str) -> pd.DataFrame:
    found = [one.value for one in app.dataframe if column in one.value]
    assert len(found) == 1
    return found[0]


def charts(app: AppTest) -> int:
    return len(app.get("arrow_vega_lite_chart")) + len(app.get("vega_lite_chart"))


def plain(elements) -> str:
    return texts(elements).replace("\\", "").replace("\u2060", "")


def metrics(app: AppTest) -> dict[str, str]:
    return {metric.label: metric.value.replace("\\", "") for metric in app.metric}


class TestOneEntry:
    @pytest.mark.parametrize("entry", ["fern", "moss", "oak"])
    def test_causes_are_those_of_the_command_and_add_up(self, entry, view, falling):
        told = falling.json("changes", "garden", "--entry", entry)
        move = told["moves"][0]
        app = view(falling.store, "moves", board="garden", entry=entry)
        table = frame_with(app, "Places, exactly")
        shown = [Fraction(share) for share in table["Places, exactly"]]
        assert shown[:-1] == [Fraction(share) for share in move["causes"].values()]
        assert sum(shown[:-1]) == shown[-1] == move["rank_after"] - move["rank_before"]
        drawn = [Fraction(share) for share in table["As drawn"]]
        assert sum(drawn[:-1]) == drawn[-1] == shown[-1]
        assert metrics(app) == {
            "Rank before": f"{move['rank_before']} of {told['from']['n_ranked']}",
            "Rank after": f"{move['rank_after']} of {told['to']['n_ranked']}",
            "Score before": move["score_before_text"],
            "Score after": move["score_after_text"],
        }
        assert charts(app) == 1

    def test_a_sentence_says_what_happened(self, view, falling):
        app = view(falling.store, "moves", board="garden", entry="fern")
        # Moss is above 69.0 and below 71.5 with either score: own +1. Elm is above 69.0 alone, and
        # only if it is there: own and joined half each.
        said = (
            "Fern fell from rank 1 to rank 3, by 2 places. "
            "Lost: 3/2 by its own score, 1/2 by who joined."
        )
        assert said in texts(app.text)

    def test_who_passed_it_and_why_is_what_the_command_says(self, view, falling):
        told = falling.json("changes", "garden", "--entry", "fern")["moves"][0]["rivals"]
        table = frame_with(view(falling.store, "moves", board="garden", entry="fern"), "Rival")
        assert [name.lower() for name in table["Rival"]] == [one["entry"] for one in told]
        net = [sum(Fraction(share) for share in one["causes"].values()) for one in told]
        assert [Fraction(share) for share in table["Places"]] == net
        assert table["What"].tolist() == ["passed it"] * 2

    @pytest.mark.parametrize(
        ("cause", "left"),
        [
            pytest.param("own", {"moss", "elm"}, id="its own score"),
            pytest.param("joined", {"elm"}, id="who joined"),
            pytest.param("left", set(), id="nobody left"),
        ],
    )
    def test_rivals_behind_one_cause_are_those_of_the_command(self, cause, left, view, falling):
        told = falling.json("changes", "garden", "--entry", "fern")["moves"][0]["rivals"]
        assert {one["entry"] for one in told if cause in one["causes"]} == left
        app = view(falling.store, "moves", board="garden", entry="fern", cause=cause)
        tables = [one.value for one in app.dataframe if "Rival" in one.value]
        assert {name.lower() for table in tables for name in table["Rival"]} == left
        assert ("Nobody, because of that." in texts(app.text)) == (not left)

    def test_a_cause_is_picked_by_key_too_and_one_that_is_none_is_named(self, view, falling):
        app = view(falling.store, "moves", board="garden", entry="fern")
        app.radio(key="pick cause").set_value("joined").run()
        assert app.query_params["cause"] == "joined"
        assert frame_with(app, "Rival")["Rival"].tolist() == ["Elm"]
        app = view(falling.store, "moves", board="garden", entry="fern", cause="rain")
        assert 'cause: no "rain". It can be all, own, joined.' in plain(app.error)

    def test_causes_that_cannot_be_told_apart_are_one_bar(self, view, rescaled):
        move = rescaled.json("changes", "garden", "--entry", "moss")["moves"][0]
        assert move["separable"] is False
        app = view(rescaled.store, "moves", board="garden", entry="moss")
        table = frame_with(app, "Places, exactly").set_index("Cause")["Places, exactly"]
        merged = ["its own score", "scores of others", "the formula"]
        assert table[merged].tolist() == ["not told apart"] * 3
        assert Fraction(table["another edition"]) == Fraction(move["edition"])
        assert Fraction(table["who joined"]) == Fraction(move["causes"]["joined"])
        assert "cannot be told apart from these files" in texts(app.caption).replace("\\", "")

    @pytest.mark.parametrize(
        ("entry", "said"),
        [
            pytest.param("=ivy", "Ivy joined, at rank 1.", id="who joined"),
            pytest.param("oak", "Oak was unranked before", id="who was not ranked"),
        ],
    )
    def test_where_no_places_can_be_compared_it_is_said_instead_of_drawn(
        self, entry, said, view, garden
    ):
        app = view(garden.store, "moves", board="garden", entry=entry, at="latest")
        told = garden.json("changes", "garden", "--entry", entry)["moves"][0]
        assert told["causes"] is None
        assert said in texts(app.text)
        assert charts(app) == 0

    def test_tie_ranks_are_those_of_the_command(self, view, falling):
        told = falling.json("changes", "garden", "--entry", "fern", "--tie", "anchored:1.5")
        move = told["moves"][0]
        app = view(
            falling.store, "moves", board="garden", entry="fern", by="tie", tie="anchored:1.5"
        )
        assert metrics(app)["Tie rank before"] == f"{move['rank_before']} of 3"
        assert metrics(app)["Tie rank after"] == f"{move['rank_after']} of 4"
        shown = frame_with(app, "Places, exactly")["Places, exactly"]
        assert [Fraction(share) for share in shown[:-1]] == [
            Fraction(share) for share in move["causes"].values()
        ]

    def test_a_split_has_moves_of_its_own(self, view, garden):
        told = garden.json("changes", "garden", "--entry", "moss", "--split", "public")
        app = view(garden.store, "moves", board="garden", entry="moss", split="public")
        rank = told["moves"][0]["rank_after"]
        assert metrics(app)["Rank after"] == f"{rank} of {told['to']['n_ranked']}"

    def test_nobody_chosen_shows_who_lost_first_place(self, view, falling):
        app = view(falling.store, "moves", board="garden")
        assert "Nobody is chosen" in texts(app.caption)
        assert [one.value for one in app.subheader][0] == "Fern"
        assert "entry" not in app.query_params

    def test_nobody_chosen_shows_nobody_who_was_ranked_at_neither_moment(self, view, tmp_path):
        rows = [("fern", "Fern", 71.5, 1.0, 1.0), ("ash", "Ash", None, 1.0, 1.0)]
        newer = [*rows, ("elm", "Elm", None, 1.0, 1.0)]
        versions = [
            (f"2026-03-0{day}T08:00:00Z", board_json("1", *listed))
            for day, listed in ((1, rows), (2, newer))
        ]
        app = view(plant(tmp_path, versions).store, "moves", board="garden")
        assert [one.value for one in app.subheader][0] == "Fern"

    def test_what_is_picked_is_written_into_the_address(self, view, garden):
        app = view(garden.store, "moves", board="garden")
        app.selectbox(key="choose entry").select("moss").run()
        assert app.query_params["entry"] == "moss"
        app.selectbox(key="choose from").select(garden.commits[0]).run()
        assert app.query_params["from"] == garden.commits[0]
        app.radio(key="pick by").set_value("tie").run()
        assert app.query_params["by"] == "tie"
        assert not app.exception


class TestTwoMoments:
    @pytest.mark.parametrize("ends", [(None, None), (0, 1), (0, 3)])
    def test_all_entries_are_those_of_the_command(self, ends, view, garden):
        first, last = (None if end is None else garden.commits[end] for end in ends)
        given = ["--from", first, "--to", last] if first else []
        told = garden.json("changes", "garden", *given)
        address = {"from": first, "at": last} if first else {}
        app = view(garden.store, "moves", board="garden", **address)
        table = frame_with(app, "Score before")
        assert table["Key"].tolist() == [one["entry"] for one in told["moves"]]
        for title, field in (
            ("Before", "rank_before"),
            ("After", "rank_after"),
            ("Score before", "score_before_text"),
            ("Score after", "score_after_text"),
        ):
            shown = [None if pd.isna(cell) else cell for cell in table[title]]
            assert shown == [one[field] for one in told["moves"]]

    def test_the_wrong_way_round_is_said_and_the_feed_stays(self, view, garden):
        app = view(
            garden.store,
            "moves",
            board="garden",
            **{"from": garden.commits[3], "at": garden.commits[0]},
        )
        assert "from= and at= are the other way round" in plain(app.error)
        assert "2026-03-03 10:00 UTC" in texts(app.markdown)

    def test_a_moment_that_cannot_be_read_is_said(self, view, garden):
        app = view(garden.store, "moves", board="garden", at=garden.commits[2])
        assert "cannot be read" in plain(app.error)
        assert charts(app) == 0

    def test_steps_lead_back_and_on(self, view, garden):
        app = view(garden.store, "moves", board="garden")
        assert app.button(key="One step on").disabled
        app.button(key="One step back").click().run()
        assert app.query_params["from"] == garden.commits[0]
        assert app.query_params["at"] == garden.commits[1]
        app.button(key="One step on").click().run()
        assert app.query_params["from"] == garden.commits[1]
        assert app.query_params["at"] == garden.commits[3]

    def test_one_version_alone_has_no_moves(self, view, growing):
        app = view(growing.store, "moves", board="garden")
        assert "no two versions that can be read differ" in plain(app.info)
        assert "The history begins here" in texts(app.markdown)

    def test_a_link_shows_the_same_before_and_after_the_next_commit(self, view, growing):
        grow(growing, VERSIONS[1])
        link = {"board": "garden", "entry": "moss", "at": growing.commits[1]}
        before = metrics(view(growing.store, "moves", **link))
        grow(growing, VERSIONS[3])
        after = metrics(view(growing.store, "moves", **link))
        assert before == after
        assert before["Rank after"] == "1 of 2"


class TestFeed:
    def test_every_version_says_what_happened(self, view, garden):
        app = view(garden.store, "moves", board="garden")
        lines = [
            line[2:]
            for one in app.markdown
            for line in plain([one]).splitlines()
            if line.startswith("- ")
        ]
        assert lines == [
            "New edition: 2",
            "x1b[31mIvy, which joined, took first place from Moss 2",
            "Joined: x1b[31mIvy",
            "Left: Oak",
            "2 changed rank",
            *[line for line in lines if line.startswith("This version cannot be read: ")],
            "Moss 2, which was re-scored, took first place from Fern",
            "Joined: Oak",
            "Re-scored: Moss 2",
            "2 changed rank",
            "The history begins here",
        ]

    def test_a_long_history_is_turned_page_by_page(self, view, tmp_path):
        versions = [
            (
                f"2026-03-{day:02}T08:00:00Z",
                board_json("1", ("fern", "Fern", 70.0 + day, 1.0, 1.0)),
            )
            for day in range(1, 16)
        ]
        planted = plant(tmp_path, versions)
        app = view(planted.store, "moves", board="garden")
        assert "Versions 1 to 10 of 15" in texts(app.caption)
        assert app.button(key="Newer versions").disabled
        app.button(key="Older versions").click().run()
        assert app.query_params["feed"] == planted.commits[4]
        assert "Versions 11 to 15 of 15" in texts(app.caption)
        assert "2026-03-05 08:00 UTC" in texts(app.markdown)
        assert "2026-03-06 08:00 UTC" not in texts(app.markdown)
        app.button(key="Newer versions").click().run()
        assert "feed" not in app.query_params
        app.text_input(key="type feed").set_value("2026-03-09").run()
        assert "Versions 7 to 15 of 15" in texts(app.caption)

    def test_a_moment_that_is_none_is_said(self, view, garden):
        app = view(garden.store, "moves", board="garden", feed="2020-01-01")
        assert "before the first version" in plain(app.error)


def test_names_from_a_board_are_text_everywhere(view, tmp_path):
    rows = [(name, name, 60.0 - n, 1.0, 1.0) for n, name in enumerate(HOSTILE)]
    later = [*rows[1:], (HOSTILE[0], HOSTILE[0], 20.0, 1.0, 1.0)]
    planted = plant(
        tmp_path,
        [
            ("2026-03-01T08:00:00Z", board_json("<b>1</b>", *rows)),
            ("2026-03-02T08:00:00Z", board_json("**2**", *later)),
        ],
    )
    app = view(planted.store, "moves", board="garden")
    marked = texts([*app.markdown, *app.caption, *app.subheader, *app.error])
    for name in (*HOSTILE, "<b>1</b>", "**2**"):
        assert name not in marked
    assert ":red[x]" in plain(app.subheader)
