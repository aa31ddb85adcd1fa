"""How does a page lead to another one?

By a link in the same tab that keyboards reach, with an address of its own.
"""

from __future__ import annotations

import streamlit as st

from app.views import address


def way(page: str, label: str, **changes: str | list[str] | None) -> None:
    """A link to a page of this dashboard.

    Args:
        page: its title. label: of the link; Markdown, so what comes from a board is escaped.
        changes: what its address says beside what is carried, as of address.link().
    """
    st.page_link(
        st.Page(_shown_elsewhere, title=page, url_path=page.lower()),
        label=label,
        query_params=address.link(**changes),
        width="content",
    )


def _shown_elsewhere() -> None:
    """Pages are found by their path; what is on them app/dashboard.py says."""
