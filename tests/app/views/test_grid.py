"""Every way of a board's texts to a page goes through one place, and files keep the whole texts."""

from __future__ import annotations

import re
from pathlib import Path

import pandas as pd
import pytest
from streamlit.testing.v1 import AppTest

from app.views import grid

VIEWS = Path(grid.__file__).parent


@pytest.mark.parametrize(
    ("call", "module"),
    [("dataframe", "grid"), ("text", "texts"), ("vega_lite_chart", "figure")],
)
def test_there_is_one_way_to_the_page(call, module):
    found = [
        file.stem for file in VIEWS.glob("*.py") if re.search(rf"st\.{call}\(", file.read_text())
    ]
    assert found == [module]


def shown():
    import pandas as pd
    import streamlit as st

    from app.views import grid

    link = st.column_config.LinkColumn()
    table = pd.DataFrame(
        {"turned\u202ex": ["m" * 5000, None], "Commit": ["https://h.example/" + "m" * 200] * 2}
    )
    grid.show(table, column_config={"Commit": link})
    grid.show(table.style.set_properties(color="red"))


def test_cells_are_cut_and_cleaned_but_links_stay_whole():
    app = AppTest.from_function(shown, default_timeout=30).run()
    assert not app.exception
    plain, styled = (one.value for one in app.dataframe)
    link = "https://h.example/" + "m" * 200
    assert plain["turned\u202ex"].iloc[0] == styled["turned\u202ex"].iloc[0] == "m" * 80 + "…"
    assert pd.isna(plain["turned\u202ex"].iloc[1])
    assert plain["Commit"].tolist() == [link] * 2
    assert '"label": "turned\\\\u202ex"' in app.dataframe[0].proto.columns
