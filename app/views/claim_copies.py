"""How does a verdict leave the page?

As Markdown, an address, a card, JSON and JSON-LD: the same as the command `check` writes. Start at
show().
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from app import check
from app.given import Given
from app.output import json_text
from app.verdict_exports import export
from app.views import answers
from app.views.fold import fold
from history.claims.language.claim import Claim


def show(claims: Sequence[Claim], document: dict[str, Any]) -> None:
    """What can be copied and downloaded of some verdicts.

    Args:
        claims: what was said.
        document: of `check`, about these claims.
    """
    st.subheader("To copy and to cite", anchor=False)
    given = check.given(answers.store(), claims, document)
    fold("The address of this view, and Markdown for a reply", "copies", partial(_texts, given))
    with st.container(horizontal=True, gap="small"):
        for label, name, mime, make in files(given):
            st.download_button(
                f"Download {label}", make, name, mime, key=f"download {label}", on_click="ignore"
            )
    st.caption(
        "The card is a page of its own. JSON-LD is a ClaimReview for search engines. The picture "
        "of when it held is among the numbers behind its chart."
    )


def _texts(given: Given) -> None:
    """What is copied by the sign in the corner of its box; whole, as no key scrolls a box of it."""
    st.caption("This view: the sign in the corner of a box copies it.")
    st.code(here(), language=None, wrap_lines=True)
    st.caption("Markdown, for a reply under a post:")
    st.code(export(given, "md"), language=None, wrap_lines=True)


def files(given: Given) -> list[tuple[str, str, str, Callable[[], str]]]:
    """Label, file name, kind of each file, and what makes it when somebody asks for it."""
    return [
        ("HTML card", "verdict.html", "text/html", partial(export, given, "html")),
        ("Markdown", "verdict.md", "text/markdown", partial(export, given, "md")),
        ("JSON", "verdict.json", "application/json", partial(json_text, given.document)),
        ("JSON-LD", "verdict.jsonld", "application/ld+json", partial(export, given, "jsonld")),
    ]


def here() -> str:
    """The whole address of this view."""
    values = [(name, value) for name in st.query_params for value in st.query_params.get_all(name)]
    return f"{st.context.url or ''}{f'?{urlencode(values)}' if values else ''}"
