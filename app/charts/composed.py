"""How do many layers become one picture in little time?

Altair copies and checks every layer anew at each step of putting them together, which takes longer
than all else on a page. Here each layer becomes a plain dictionary once, unchecked, and those are
put together; the tests check what comes out. Start at finished().
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import altair as alt
import pandas as pd
import pyarrow as pa

from app.charts.style import Ink
from app.tables import clean

APART = {"color": "independent", "shape": "independent", "strokeDash": "independent"}
Keep = Callable[[pd.DataFrame], str]  # puts a table aside and names it


@dataclass(frozen=True)
class Group:
    """Layers that share the scale upwards, and no other but that of time."""

    layers: Sequence[alt.Chart]


@dataclass(frozen=True)
class Composed:
    """A picture of layers and groups of layers.

    Attributes:
        layers: from the lowest to the highest.
        description: in words, plain text.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page. height: in pixels.
        values: names and values that the expressions of layers use.
        heading: what stands above it, as Vega-Lite has titles.
        own_y: whether each layer and each group has its own scale upwards.
    """

    layers: Sequence[alt.Chart | Group]
    description: str
    dark: bool
    width: int | str
    height: int
    values: dict[str, str] = field(default_factory=dict)
    heading: dict[str, Any] | None = None
    own_y: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The picture for Vega-Lite with its data as rows: what a file is drawn from."""
        held: dict[str, Any] = {}

        def keep(table: pd.DataFrame) -> str:
            name = f"data-{len(held)}"
            held[name] = alt.to_values(table)["values"]
            return name

        return self._document(keep) | {"datasets": held}

    def sent(self) -> dict[str, Any]:
        """The same with its data as Arrow streams: what st.vega_lite_chart() takes as it is."""
        held: dict[str, bytes] = {}

        def keep(table: pd.DataFrame) -> str:
            data = _arrow(table)
            name = hashlib.sha256(data).hexdigest()[:32]
            held[name] = data
            return name

        return self._document(keep) | {"datasets": held}

    def _document(self, keep: Keep) -> dict[str, Any]:
        names: dict[int, str] = {}  # layers share tables

        def once(table: pd.DataFrame) -> str:
            if id(table) not in names:
                names[id(table)] = keep(table)
            return names[id(table)]

        return {
            **_frame(Ink(self.dark), self.width),
            "description": self.description,
            "height": self.height,
            **({"title": self.heading} if self.heading else {}),
            "params": [{"name": name, "value": value} for name, value in self.values.items()],
            "layer": [_plain(layer, once) for layer in self.layers],
            "resolve": {"scale": {**APART, "y": "independent"} if self.own_y else APART},
        }


def finished(
    layers: Sequence[alt.Chart | Group],
    description: str,
    ink: Ink,
    width: int | str,
    height: int,
    *,
    values: dict[str, str] | None = None,
    heading: dict[str, Any] | None = None,
    own_y: bool = False,
) -> Composed:
    """Layers as a chart with its size, description and the look that all share."""
    told = clean(" ".join(description.split()))
    return Composed(layers, told, ink.dark, width, height, values or {}, heading, own_y)


def _plain(layer: alt.Chart | Group, keep: Keep) -> dict[str, Any]:
    if isinstance(layer, Group):
        return {
            "layer": [_plain(one, keep) for one in layer.layers],
            "resolve": {"scale": APART},
        }
    named = layer.copy(deep=False)
    named.data = alt.NamedData(name=keep(layer.data))
    context = {"datasets": {}, "top_level": False, "pre_transform": False}
    plain: dict[str, Any] = named.to_dict(validate=False, context=context)
    return plain


def _arrow(table: pd.DataFrame) -> bytes:
    found = pa.Table.from_pandas(table, preserve_index=False, nthreads=1)
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, found.schema) as stream:
        stream.write_table(found)
    data: bytes = sink.getvalue().to_pybytes()
    return data


def _frame(ink: Ink, width: int | str) -> dict[str, Any]:
    """What all charts have around their layers."""
    axis = {
        "labelColor": ink.quiet,
        "titleColor": ink.quiet,
        "gridColor": ink.grid,
        "domainColor": ink.grid,
        "tickColor": ink.grid,
        "labelFontSize": 12,
        "titleFontSize": 12,
        "titleFontWeight": "normal",
    }
    legend = {
        "labelColor": ink.text,
        "titleColor": ink.quiet,
        "labelFontSize": 12,
        "titleFontSize": 12,
    }
    return {
        "$schema": alt.SCHEMA_URL,
        "width": width,
        "autosize": {"type": "fit-x", "contains": "padding"},
        "padding": {"left": 8, "top": 8, "right": 8, "bottom": 8},
        "background": ink.ground if width != "container" else "transparent",
        "config": {
            "view": {"stroke": None},
            # Vega would write a sentence for every point of a line, and read out the first alone.
            "line": {"aria": False},
            "area": {"aria": False},
            "axis": axis,
            "legend": legend,
        },
    }
