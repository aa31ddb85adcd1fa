"""Frames written by hand: versions, and boards as dicts from entry to printed score."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any

import pandas as pd

Printed = str | None


def decimals(text: str) -> int:
    return len(text.partition(".")[2])


def cells(field: str, texts: Sequence[Printed]) -> dict[str, Any]:
    """The columns of one field of one version; "inf" is printed and has no ticks."""
    finite = [None if text is None or "inf" in text else text for text in texts]
    dp = max((decimals(text) for text in finite if text is not None), default=0)
    ticks = [None if text is None else int(Decimal(text).scaleb(dp)) for text in finite]
    return {
        f"{field}.text": texts,
        f"{field}.value": [float("nan") if text is None else float(text) for text in finite],
        f"{field}.ticks": pd.array(ticks, dtype="Int64"),
        f"{field}.dp": dp,
        f"{field}.pointer": [f"/rows/{i}/{field}" for i in range(len(texts))],
    }


def scores(
    *boards: Mapping[str, Printed], unranked: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """SCORES of one version per board."""
    rows = [{entry: {"score": text} for entry, text in board.items()} for board in boards]
    return scores_of_fields(*rows, unranked=unranked)


def scores_of_fields(
    *boards: Mapping[str, Mapping[str, Printed]], unranked: Mapping[str, str] | None = None
) -> pd.DataFrame:
    """SCORES of one version per board, with several fields per entry."""
    reasons = unranked or {}
    frames = []
    for version, board in enumerate(boards):
        fields = list(dict.fromkeys(field for row in board.values() for field in row))
        columns: dict[str, Any] = {
            "version": pd.Series([version] * len(board), dtype="int32"),
            "entry": list(board),
            "unranked": [reasons.get(entry) for entry in board],
        }
        for field in fields or ["score"]:
            columns |= cells(field, [row.get(field) for row in board.values()])
        frames.append(pd.DataFrame(columns))
    table = pd.concat(frames, ignore_index=True)
    kinds = {c: "category" for c in table if c.split(".")[-1] in ("entry", "unranked", "text")}
    return table.astype(kinds)


def readings(
    times: Sequence[str | int], kinds: Sequence[str] = (), editions: Sequence[str | None] = ()
) -> pd.DataFrame:
    """READINGS of one version per time; a number is seconds after midnight of 2026-03-01."""
    n = len(times)
    at = [pd.Timestamp(time) if isinstance(time, str) else instant(time) for time in times]
    reading = list(kinds) or ["read"] * n
    return pd.DataFrame(
        {
            "version": pd.Series(range(n), dtype="int32"),
            "commit": [f"{i:02x}" * 20 for i in range(n)],
            "at": pd.Series(at, dtype="datetime64[us, UTC]"),
            "state": ["absent" if kind == "absent" else "published" for kind in reading],
            "reading": reading,
            "edition": list(editions) or [None] * n,
            "stage": [""] * n,
        }
    )


def instant(seconds: int) -> pd.Timestamp:
    return pd.Timestamp("2026-03-01T00:00Z") + pd.Timedelta(seconds=seconds)
