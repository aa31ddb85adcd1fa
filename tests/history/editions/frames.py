"""SCORES of one version from printed texts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal

import pandas as pd


def scores(
    entries: Sequence[str], version: int = 0, **columns: Sequence[str | None]
) -> pd.DataFrame:
    """A version's SCORES; each column is a field, its numbers as printed.

    All numbers of a field get the decimals of the longest, as in JSON.
    """
    made = pd.DataFrame({"version": version, "entry": list(entries), "unranked": pd.NA})
    for field, texts in columns.items():
        numbers = [None if text is None else Decimal(text) for text in texts]
        dp = max((-int(n.as_tuple().exponent) for n in numbers if n is not None), default=0)
        made[f"{field}.text"] = list(texts)
        made[f"{field}.pointer"] = [f"/{row}/{field}" for row in range(len(made))]
        ticks = [None if n is None else int(n.scaleb(dp)) for n in numbers]
        made[f"{field}.ticks"] = pd.array(ticks, "Int64")
        made[f"{field}.dp"] = dp
    return made


def by_name(rows: Mapping[str, Sequence[str]], *fields: str, version: int = 0) -> pd.DataFrame:
    """The same from rows by entry, each with its numbers in the order of `fields`."""
    columns = zip(*rows.values(), strict=True)
    named = dict(zip(fields, map(list, columns), strict=True))
    return scores(list(rows), version, **named)
