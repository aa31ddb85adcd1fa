"""A name from a board is text, whatever it looks like."""

from __future__ import annotations

import re

import pandas as pd
import pytest

from app.views.texts import escaped, version_text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(":red[x]", r"\:red\[x\]", id="no colour"),
        pytest.param("$\\sum$", r"\$\\sum\$", id="no formula"),
        pytest.param("<img onerror>", r"\<img onerror\>", id="no element"),
        pytest.param("[a](javascript:1)", r"\[a\]\(javascript\:1\)", id="no link"),
        pytest.param("**b**", r"\*\*b\*\*", id="no bold"),
        pytest.param(":smile:", r"\:smile\:", id="no emoji"),
        pytest.param("a\n\n# b", r"a \# b", id="no heading on a new line"),
        pytest.param("d3 Fluß 模型", "d3 Fluß 模型", id="letters stay as they are"),
    ],
)
def test_escaped(text, expected):
    assert escaped(text) == expected


@pytest.mark.parametrize(
    "text", ["https://x.example/a", "www.x.example", "a@x.example", "a -> b", "a <- b", "a -- b"]
)
def test_what_would_become_a_link_or_an_arrow_is_kept_apart(text):
    shown = re.sub(r"\\(.)", r"\1", escaped(text))
    assert "\u2060" in shown
    assert shown.replace("\u2060", "") == text


@pytest.mark.parametrize(
    ("reading", "expected"),
    [
        pytest.param("read", "2026-03-04 08:00 UTC, 0.4, abcdef12", id="an edition"),
        pytest.param("absent", "2026-03-04 08:00 UTC, absent, abcdef12", id="no file"),
        pytest.param("unreadable", "2026-03-04 08:00 UTC, unreadable, abcdef12", id="not readable"),
    ],
)
def test_version_text(reading, expected):
    at = pd.Timestamp("2026-03-04T08:00Z")
    assert version_text(at, "0.4", reading, "abcdef1234") == expected
