"""A chart stands on a page with its words, its table and its files; the address holds the state."""

from __future__ import annotations

import pytest
from streamlit.testing.v1 import AppTest


def drawn():
    import altair as alt
    import pandas as pd

    from app.charts.composed import finished
    from app.charts.style import Ink
    from app.views import figure

    def draw(*, width, dark):
        rows = pd.DataFrame({"x": [1, 2], "y": [3, 4]})
        return finished([alt.Chart(rows).mark_point()], "Dots", Ink(dark), width, 90)

    table = pd.DataFrame({"Entry": ["<b>", "fern"], "Rank": [1, None]})
    figure.show(draw, "**How to read it.** Up is better.", table, name="ranks", words="Cut.")


def picked():
    import streamlit as st

    from app.views import address

    held = address.pick("By", "by", ["score", "tie"], str.title)
    address.slide("Version", "at", ["a", "b", "c"], str.upper, address.said("at") or "c")
    st.text(f"{held} {address.said('at')}")


def page(function, **address: str) -> AppTest:
    app = AppTest.from_function(function, default_timeout=30)
    for name, value in address.items():
        app.query_params[name] = value
    app.run()
    assert not app.exception, app.exception
    return app


def test_below_a_chart_are_its_words_its_table_and_its_files():
    app = page(drawn)
    assert [one.value for one in app.caption] == ["Cut. **How to read it.** Up is better."]
    assert app.expander[0].label == "The numbers behind the chart"
    assert not app.dataframe  # nobody has asked for them
    app.session_state["fold ranks"] = True
    app.run()
    assert app.dataframe[0].value["Entry"].tolist() == ["<b>", "fern"]
    labels = [one.proto.label for one in app.get("download_button")]
    assert labels == ["Download PNG", "Download SVG", "Download CSV"]


@pytest.mark.parametrize(
    ("address", "said"),
    [
        pytest.param({}, "score None", id="the first option where the address says nothing"),
        pytest.param({"by": "tie", "at": "b"}, "tie b", id="what it says"),
    ],
)
def test_a_choice_is_what_the_address_says(address, said):
    assert page(picked, **address).text[0].value == said


def test_what_is_chosen_goes_into_the_address_and_the_first_option_out_of_it():
    app = page(picked, at="b", claim="kept")
    app.radio[0].set_value("tie").run()
    assert dict(app.query_params) == {"at": "b", "by": "tie", "claim": "kept"}
    app.select_slider[0].set_value("a").run()
    assert app.text[0].value == "tie a"
    app.radio[0].set_value("score").run()
    assert dict(app.query_params) == {"at": "a", "claim": "kept"}


def test_an_option_that_is_not_there_is_named_and_nothing_else_shown():
    app = page(picked, by="luck")
    assert 'no \\"luck\\"' in app.error[0].value
    assert not app.text
