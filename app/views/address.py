"""What does the address say?

The address is the only state of a page: a widget shows what it says and writes into it what is
picked, so the back button works and a view can be cited. A value that means nothing is named,
never replaced by another. Start at said() and choose().
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import streamlit as st

from app.views.texts import escaped, plain

OPTION = 120  # letters of one of a few options side by side
# Carried from page to page: which board, which entries (repeated), which moment, which split,
# which claim.
CARRIED = ("board", "entry", "at", "split", "claim")
# A page's own, gone where another page is opened: the earlier moment of a comparison, a condition
# on entries, what counts as first, a tie rule, what is drawn or in which order, weights of parts
# (repeated, "part:weight"), which splits are public and private and how many items each of them
# has, from which moment on a feed goes down, which of many rows are drawn, because of what.
OWN = (
    *("from", "where", "by", "tie", "show", "sort", "weight", "public", "private", "items"),
    *("feed", "rows", "cause"),
)
NAMES = (*CARRIED, *OWN)


def said(name: str) -> str | None:
    """What the address says; the last value if it says several, None for nothing."""
    return st.query_params.get(name) or None


def said_all(name: str) -> list[str]:
    """All values that the address has for a name, each once."""
    return list(dict.fromkeys(value for value in st.query_params.get_all(name) if value))


def write(**changes: str | list[str] | None) -> None:
    """Put values into the address in one step; None takes one out. `from_` is `from`."""
    values = {name: st.query_params.get_all(name) for name in NAMES} | _listed(changes)
    if not values["board"] and (shown := st.session_state.get("choose board")):
        values["board"] = [shown]  # a page without one shows the first
    st.query_params.from_dict({name: values[name] for name in NAMES if values[name]})


def link(**changes: str | list[str] | None) -> list[tuple[str, str]]:
    """What a link to another page carries of the address, but for some changes."""
    values = {name: said_all(name) for name in CARRIED} | _listed(changes)
    return [(name, value) for name in NAMES for value in values.get(name, ())]


def _listed(changes: dict[str, str | list[str] | None]) -> dict[str, list[str]]:
    return {
        name.rstrip("_"): [] if value is None else [value] if isinstance(value, str) else value
        for name, value in changes.items()
    }


def choose(
    label: str,
    name: str,
    options: Sequence[str],
    show: Callable[[str], str] = str,
    *,
    empty: str,
    current: str | None = None,
    forget: Sequence[str] = (),
    help: str | None = None,
) -> None:
    """A select box for one value of the address.

    Args:
        label: our own words.
        name: of the value in the address.
        options: what can be picked, in order.
        show: the text of an option.
        empty: shown while the address says nothing that is among the options.
        current: the option that the address means, where it says it in other words.
        forget: names that mean nothing any more when this one changes.
        help: our own words behind the question mark.
    """
    key = f"choose {name}"
    value = current or said(name)
    st.session_state[key] = value if value in options else None

    def picked() -> None:
        write(**dict.fromkeys(forget), **{name: st.session_state[key]})

    st.selectbox(
        label,
        options,
        None,
        lambda one: plain(show(one)),
        key,
        help,
        picked,
        placeholder=plain(empty),
        filter_mode="contains",
    )


def choose_several(
    label: str,
    name: str,
    options: Sequence[str],
    show: Callable[[str], str],
    most: int,
    empty: str,
    current: Sequence[str],
) -> None:
    """The same for a value that can stand in the address several times."""
    key = f"choose {name}"
    st.session_state[key] = [value for value in current if value in options][:most]

    def picked() -> None:
        write(**{name: list(st.session_state[key])})

    st.multiselect(
        label,
        options,
        format_func=lambda one: plain(show(one)),
        key=key,
        on_change=picked,
        max_selections=most,
        placeholder=plain(empty),
        filter_mode="contains",
    )


def pick(
    label: str,
    name: str,
    options: Sequence[str],
    show: Callable[[str], str] = str,
    *,
    help: str | None = None,
) -> str:
    """A few options side by side; the first is meant where the address says nothing.

    Args:
        label, help: our own words.
        name: of the value in the address.
        options: what can be picked.
        show: the text of an option.

    Returns:
        The option that holds. An address that names none of them is said and ends the page.
    """
    key = f"pick {name}"
    value = said(name) or options[0]
    st.session_state[key] = value if value in options else options[0]

    def picked() -> None:
        chosen = st.session_state[key]
        write(**{name: None if chosen == options[0] else chosen})

    st.radio(
        label,
        options,
        format_func=lambda one: escaped(show(one), OPTION),  # these are Markdown
        key=key,
        on_change=picked,
        horizontal=True,
        help=help,
    )
    if value not in options:
        st.error(escaped(f'{name}: no "{value}". It can be {", ".join(options)}.'))
        st.stop()
    return value


def type_in(
    label: str, name: str, empty: str, help: str | None = None, *, current: str | None = None
) -> None:
    """A line to type one value of the address into.

    Args:
        label, help: our own words.
        name: of the value in the address.
        empty: shown while there is no text.
        current: the text, where it is not what the address says.
    """
    key = f"type {name}"
    st.session_state[key] = (said(name) or "") if current is None else current

    def typed() -> None:
        write(**{name: st.session_state[key].strip() or None})

    st.text_input(label, key=key, on_change=typed, placeholder=plain(empty), help=help)


def slide(
    label: str,
    name: str,
    options: Sequence[str],
    show: Callable[[str], str],
    current: str,
    *,
    help: str | None = None,
) -> None:
    """A slider over values in their order.

    Args:
        label, help: our own words.
        name: of the value in the address.
        options: at least two, the smallest first. show: the text of one.
        current: the one that holds.
    """
    key = f"slide {name}"
    st.session_state[key] = current

    def moved() -> None:
        write(**{name: st.session_state[key]})

    st.select_slider(
        label,
        options,
        format_func=lambda one: plain(show(one)),
        key=key,
        on_change=moved,
        help=help,
    )
