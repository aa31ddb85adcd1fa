"""How do texts of a board stand in a chart?

A chart in, the same with every text short enough to be read and without signs that steer what
stands beside it. All charts go through here on their way to a page or a file, so that none has to
see to it. Start at Readable.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pandas as pd

from app.charts.style import JOINER, WORD, short

SPOKEN = 2000  # letters of a description
# Columns that hold addresses: nobody reads them, and a part of one leads nowhere.
ADDRESSES = frozenset({"link", "full"})
# What Vega reads, not people; data that are not columns of a frame are our own.
OURS = frozenset(
    "$schema calculate config datasets expr filter href labelExpr params test url".split()
)


class Readable:
    """A chart whose texts can be read.

    It goes wherever only to_dict() is asked of a chart of Altair.

    Args:
        chart: of Altair, or Composed. Its frames are exchanged for others, not changed.
    """

    def __init__(self, chart: Any):
        self._chart = chart
        self._whole: dict[str, str] = {}
        self._made: dict[str, str] = {}
        frames: dict[int, tuple[pd.DataFrame, pd.DataFrame]] = {}
        for part in _parts(chart):
            data = getattr(part, "data", None)
            if isinstance(data, pd.DataFrame):
                if id(data) not in frames:
                    frames[id(data)] = data, self._frame(data)
                part.data = frames[id(data)][1]

    def to_dict(self) -> dict[str, Any]:
        """The document for Vega-Lite."""
        spec: dict[str, Any] = self._spec(self._chart.to_dict())
        return spec

    def sent(self) -> dict[str, Any]:
        """The same with its data as Composed sends them to a page."""
        spec: dict[str, Any] = self._spec(self._chart.sent())
        return spec

    def _frame(self, frame: pd.DataFrame) -> pd.DataFrame:
        changed: dict[Any, pd.Series] = {}
        for name in frame.columns.difference(list(ADDRESSES), sort=False):
            column = frame[name]
            if isinstance(column.dtype, pd.CategoricalDtype):
                found = {one: self._text(one) for one in column.cat.categories if _is_text(one)}
                if any(old != new for old, new in found.items()):
                    changed[name] = column.cat.rename_categories(lambda one: found.get(one, one))  # noqa: B023
            elif column.dtype == object or pd.api.types.is_string_dtype(column.dtype):
                found = {one: self._text(one) for one in column.dropna().unique() if _is_text(one)}
                if any(old != new for old, new in found.items()):
                    texts = [found.get(one, one) if _is_text(one) else one for one in column]
                    changed[name] = pd.Series(texts, column.index, column.dtype)
        return frame.assign(**changed) if changed else frame

    def _text(self, text: str) -> str:
        """A text as it is drawn: the same for the same, another for another."""
        if text not in self._made:
            name = text.rstrip(JOINER)  # a sign without width tells twins apart
            made = (
                text
                if len(name) <= WORD and name.isprintable()
                else short(name) + text[len(name) :]
            )
            while self._whole.setdefault(made, text) != text:
                made += JOINER
            self._made[text] = made
        return self._made[text]

    def _spec(self, node: Any, key: str = "") -> Any:
        if isinstance(node, dict):
            return {k: v if k in OURS else self._spec(v, k) for k, v in node.items()}
        if isinstance(node, list):
            return [self._spec(one, key) for one in node]
        if not isinstance(node, str):
            return node
        return short(node, SPOKEN) if key == "description" else self._text(node)


def _parts(chart: Any) -> Iterator[Any]:
    """A chart and all layers in it."""
    yield chart
    for name in ("layer", "layers"):
        layers = getattr(chart, name, None)
        if isinstance(layers, list | tuple):
            for one in layers:
                yield from _parts(one)


def _is_text(value: object) -> bool:
    return isinstance(value, str)
