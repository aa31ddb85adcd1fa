"""How do many layers become one picture in little time?

Altair copies and checks every layer anew at each step of putting them together, which takes longer
than all else on a page once there are twenty of them. Here each layer becomes a plain dictionary
once, and those are put together. Start at Composed.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import altair as alt
import pandas as pd

from app.charts.style import Ink, finished

APART = {"color": "independent", "shape": "independent", "strokeDash": "independent"}


@dataclass(frozen=True)
class Group:
    """Layers that share the scale upwards, and no other but that of time."""

    layers: Sequence[alt.Chart]


@dataclass(frozen=True)
class Composed:
    """A picture of layers and groups of layers; each of them has its own scale upwards.

    It goes wherever only to_dict() is asked of a chart of Altair: st.altair_chart(), app.charts.picture.

    Attributes:
        layers: from the lowest to the highest.
        description: in words, plain text.
        values: names and values that the expressions of layers use.
        dark: whether the page behind is dark.
        width: pixels, or "container" for the width of the page. height: in pixels.
    """

    layers: Sequence[alt.Chart | Group]
    description: str
    values: dict[str, str]
    dark: bool
    width: int | str
    height: int

    def to_dict(self) -> dict[str, Any]:
        """The picture for Vega-Lite, its data as the data transformer that is enabled gives them."""
        context: dict[str, Any] = {"datasets": {}, "top_level": False, "pre_transform": False}
        return {
            **_frame(self.dark, self.width),
            "description": self.description,
            "height": self.height,
            "params": [{"name": name, "value": value} for name, value in self.values.items()],
            "layer": [_plain(layer, context) for layer in self.layers],
            "resolve": {"scale": {**APART, "y": "independent"}},
            "datasets": context["datasets"],
        }


def _plain(layer: alt.Chart | Group, context: dict[str, Any]) -> dict[str, Any]:
    if isinstance(layer, Group):
        layers = [_plain(one, context) for one in layer.layers]
        return {"layer": layers, "resolve": {"scale": APART}}
    plain: dict[str, Any] = layer.to_dict(validate=False, context=context)
    return plain


@lru_cache(maxsize=8)
def _frame(dark: bool, width: int | str) -> dict[str, Any]:
    """What all charts have around their layers."""
    nothing = alt.Chart(pd.DataFrame({"t": [0]})).mark_point()
    plain = finished(alt.layer(nothing), "", Ink(dark), width, 0).to_dict(validate=False)
    return {name: value for name, value in plain.items() if name not in ("layer", "datasets")}
