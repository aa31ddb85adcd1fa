"""What does the page of standings show, of which version?"""

from __future__ import annotations

import pandas as pd
import pytest
from streamlit.dataframe_util import convert_arrow_bytes_to_pandas_df
from streamlit.testing.v1 import AppTest

from app.views import answers
from app.views.board_table import board_table, formats, shades
from tests.app.pages import grow, table, texts
from tests.app.small_board import VERSIONS, board_json


def displayed(app: AppTest) -> pd.DataFrame:
    """The first table as texts, as it is seen."""
    arrow = app.dataframe[0].proto.arrow_data.styler.display_values
    return convert_arrow_bytes_to_pandas_df(arrow)


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
        assert "ties anchored 0.5 inclusive" in texts(app.text)

    @pytest.mark.parametrize(("dark", "ink"), [(False, "#000000"), (True, "#FFFFFF")])
    def test_columns_that_stay_in_place_are_written_firmly(self, dark, ink, garden, monkeypatch):
        monkeypatch.setenv("RANKTRAIL_STORE", str(garden.store))
        stood = answers.standings("garden", "latest", None)
        styles = shades(board_table(stood, {}, []), stood.frame, dark)
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


@pytest.mark.parametrize(
    ("scores", "letters"),
    [
        pytest.param([88.5, None], 6, id="short"),
        pytest.param([1492.0464937622653, 1.0], 18, id="long"),
        pytest.param([None], 6, id="none"),
    ],
)
def test_a_score_has_room_for_all_its_digits(scores, letters):
    table = pd.DataFrame({"Entry": ["fern"] * len(scores), "Score": pd.array(scores, "Float64")})
    assert formats(table)["Score"]["width"] == 30 + 7 * letters
