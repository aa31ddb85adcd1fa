"""What is folded costs nobody anything, and what is open stays so while the page runs."""

from __future__ import annotations

from streamlit.testing.v1 import AppTest


def page(opened: bool) -> None:
    import streamlit as st

    from app.views.fold import controls, fold

    fold("Numbers", "numbers", lambda: st.text("one, two"))
    box = controls("More to ask", "ask", opened=opened)
    if box is not None:
        box.text_input("Which", key="which")


def run(opened: bool, *unfolded: str) -> AppTest:
    app = AppTest.from_function(page, args=(opened,))
    for name in unfolded:
        app.session_state[f"fold {name}"] = True
    app.run()
    assert not app.exception
    return app


def test_what_is_folded_is_not_made():
    app = run(False)
    assert [one.label for one in app.expander] == ["Numbers", "More to ask"]
    assert not app.text and not app.text_input


def test_what_somebody_opens_is_made():
    app = run(False, "numbers", "ask")
    assert [one.value for one in app.text] == ["one, two"]
    assert [one.label for one in app.text_input] == ["Which"]


def test_controls_that_are_set_are_open_at_once_and_stay_open():
    app = run(True)
    assert app.expander[1].proto.expanded
    app.text_input(key="which").set_value("fern").run()
    assert app.text_input(key="which").value == "fern"


def test_what_the_address_is_about_is_open_at_once():
    def about() -> None:
        import streamlit as st

        from app.views.fold import fold

        fold("Numbers", "numbers", lambda: st.text("one, two"), opened=True)

    app = AppTest.from_function(about).run()
    assert [one.value for one in app.text] == ["one, two"]
