"""RANKS and READINGS written by hand, for what is drawn from them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pandas as pd

Times = Sequence[str]


def readings_of(
    times: Times,
    states: Mapping[int, str] | None = None,
    editions: Mapping[int, str] | None = None,
) -> pd.DataFrame:
    """READINGS of versions at these times; `states` and `editions` by version, else read, "1"."""
    states, editions = states or {}, editions or {}
    rows = range(len(times))
    at = pd.to_datetime(list(times), utc=True, format="ISO8601").astype("datetime64[us, UTC]")
    label: list[Any] = [
        None if states.get(n, "read") in ("absent", "unreadable") else editions.get(n, "1")
        for n in rows
    ]
    return pd.DataFrame(
        {
            "version": list(rows),
            "commit": [f"{n:x}" * 40 for n in rows],
            "committed_at": at,
            "at": at,
            "reading": [states.get(n, "read") for n in rows],
            "found": ["line 3: not JSON" if states.get(n) == "unreadable" else None for n in rows],
            "edition": label,
            "stage": "",
        }
    )


def ranks_of(ranks: Sequence[Mapping[str, int | None]]) -> pd.DataFrame:
    """RANKS: for each version the rank of each listed entry, None if it is not ranked."""
    rows = [
        {
            "version": version,
            "entry": entry,
            "name": entry.capitalize(),
            "rank": rank,
            "score.text": None if rank is None else f"{100 - rank}.0",
            "score.value": None if rank is None else 100.0 - rank,
            "n_ranked": sum(other is not None for other in listed.values()),
            "tied": False,
        }
        for version, listed in enumerate(ranks)
        for entry, rank in listed.items()
    ]
    table = pd.DataFrame(rows).astype({"rank": "Int64", "version": "int32"})
    return table.astype({"entry": "category", "name": "category", "score.text": "category"})
