"""The scene of the sentences in first.toml, and a claim as it stands there."""

from __future__ import annotations

from datetime import date, datetime
from typing import Any

from history.claims.language.claim import Claim
from history.claims.language.claims_text import as_dict
from history.claims.sentences.scene import Scene

SCENE = Scene(
    boards=(("text", "Decision Index, text"), ("vision", "Decision Index, vision")),
    entries=(
        "d3-turbo",
        "d3",
        "d3-flash",
        "StartLux-Decision v1.1",
        "Amos 1 Large",
        "RBDash-Decision v0.2",
        "pplx-decider v1.1",
        "GPT-6.1 Sol",
        "Carbon-X",
        "Opus 5.5",
        "Kev 27B",
    ),
    splits=("public", "private"),
    attributes=("open", "size"),
    said_on=date(2026, 10, 23),
)


def plain(claim: Claim) -> dict[str, Any]:
    """A claim as first.toml writes it: no ids, no texts, dates as texts."""
    return _plain(as_dict(claim))


def _plain(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _plain(one) for key, one in value.items() if key not in ("id", "text")}
    if isinstance(value, list | tuple):
        return [_plain(one) for one in value]
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    return value.isoformat() if isinstance(value, date) else value
