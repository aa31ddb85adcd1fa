"""Which weights does the address give the parts of a score, and how are others set?

In the address `weight=PART:NUMBER`, once for each part that has another weight than the board
gives it. Numbers are read exactly as they are written.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from fractions import Fraction

import streamlit as st

from app.views import address
from app.views.texts import escaped

NUMBER = re.compile(r"[0-9]{1,6}(\.[0-9]{1,6})?")
# Means itself in Markdown: a screen reader would read the backslashes of an escaped name.
PLAIN = re.compile(r"[A-Za-z0-9]+([ _-][A-Za-z0-9]+)*")
STEP = 0.01
ACROSS = 3  # sliders side by side


def asked(parts: Sequence[str]) -> dict[str, Fraction]:
    """The weights in the address; one that means nothing is said, and ends the page."""
    found: dict[str, Fraction] = {}
    for text in address.said_all("weight"):
        part, _, number = text.rpartition(":")
        if part not in parts or NUMBER.fullmatch(number) is None:
            st.error(
                escaped(
                    f'weight: "{text}" is not a part, a colon and a number of 0 or more. '
                    f"Parts: {', '.join(parts)}."
                )
            )
            st.stop()
        found[part] = Fraction(number)
    return found


def sliders(own: Mapping[str, Fraction], said: Mapping[str, Fraction]) -> None:
    """A slider for each part.

    Args:
        own: the board's own weight of each part, as shares of 1.
        said: what the address says instead.
    """
    columns = st.columns(min(ACROSS, len(own)))
    for number, (part, weight) in enumerate(own.items()):
        key = f"weight of {part}"
        shown = float(said.get(part, weight))
        st.session_state[key] = shown

        def moved(part: str = part, key: str = key) -> None:
            changed = {**_texts(said), part: f"{round(st.session_state[key], 2):g}"}
            address.write(weight=[f"{name}:{text}" for name, text in changed.items()])

        with columns[number % len(columns)]:
            st.slider(
                part if PLAIN.fullmatch(part) else escaped(part),
                0.0,
                max(1.0, shown),
                step=STEP,
                format="%.2f",
                key=key,
                on_change=moved,
            )
    if said:
        st.button(
            "Back to the board's own weights",
            on_click=lambda: address.write(weight=None),
            icon=":material/restart_alt:",
        )


def _texts(said: Mapping[str, Fraction]) -> dict[str, str]:
    return {part: f"{float(weight):.6f}".rstrip("0").rstrip(".") for part, weight in said.items()}
