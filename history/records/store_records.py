"""What do the documents of `crawl` and `boards` hold?

In: outcomes of a crawl, statuses of boards. Out: their documents, as plain dicts. They stand apart
from `history.records.records` because they need no frames, and a crawl should not wait for pandas.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from history.times import time_text

CRAWL_FIELDS = (
    "board",
    "status",
    "new_versions",
    "versions",
    "commits_seen",
    "unreadable",
    "vanished",
    "tip",
    "error",
)


def crawl(outcomes: Iterable[Any]) -> dict[str, Any]:
    """The document of `crawl`, from the outcomes of the loop."""
    return {
        "boards": [
            {name: getattr(outcome, name) for name in CRAWL_FIELDS}
            | {"rewritten": outcome.rewritten}
            | history_known(outcome.seen)
            for outcome in outcomes
        ]
    }


def history_known(seen: Any) -> dict[str, Any]:
    """What is known of a history at all; see crawler.line.line.Seen. Null before the first look."""
    return {
        "history": None if seen is None else seen.history,
        "history_complete": None if seen is None else seen.complete,
    }


def boards(statuses: Iterable[Mapping[str, Any]]) -> dict[str, Any]:
    """The document of `boards`, from what app.jobs found of each; its times become text."""
    return {
        "boards": [
            {
                name: time_text(value) if isinstance(value, datetime) else value
                for name, value in status.items()
            }
            for status in statuses
        ]
    }
