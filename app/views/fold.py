"""What is made, sent and drawn only for somebody who opens it?

Tables beneath charts, above all: most people look at the chart, and what is folded would cost
everybody the time to draw it. Start at fold(); controls() is for what changes the page.
"""

from __future__ import annotations

from collections.abc import Callable

import streamlit as st
from streamlit.delta_generator import DeltaGenerator


def fold(label: str, name: str, show: Callable[[], object], *, opened: bool = False) -> None:
    """A line that opens; only what belongs to it runs then, not the page.

    Args:
        label: our own words, or escaped.
        name: of this fold on the page; it stays open while the page changes.
        show: what to show when it is open.
        opened: whether it is open for somebody who comes here.
    """

    @st.fragment
    def folded() -> None:
        box = st.expander(label, opened, key=f"fold {name}", on_change="rerun")
        if box.open:
            with box:
                show()

    folded()


def controls(label: str, name: str, *, opened: bool) -> DeltaGenerator | None:
    """A line that opens, with controls; opening it runs the page, as what they are set to does.

    Args:
        label, name: as of fold().
        opened: whether it is open for somebody who comes here.

    Returns:
        Where they belong; None while it is folded.
    """
    box = st.expander(label, opened, key=f"fold {name}", on_change="rerun")
    return box if box.open else None
