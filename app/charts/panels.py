"""How do several charts share one axis of time?

One beneath the other in one view, each with its own scale upwards in its own band of pixels:
Panel. A concatenation would do the same with a view for each chart, but then one is as wide as the
page only if its labels beside the plot are left out, and a rule through all charts is none.
"""

from __future__ import annotations

from dataclasses import dataclass

import altair as alt
import pandas as pd

from app.charts.style import Ink

TITLE = 17  # pixels above a panel for its name


@dataclass(frozen=True)
class Panel:
    """A band of a picture: pixels from the picture's upper edge, and its height."""

    top: int
    height: int

    @property
    def bottom(self) -> int:
        """Lower edge, in pixels."""
        return self.top + self.height

    @property
    def edges(self) -> tuple[int, int]:
        """Lower and upper edge, the range of a scale that goes up."""
        return self.bottom, self.top


def title(words: str, panel: Panel, ink: Ink) -> alt.Chart:
    """The name of a panel, above its left end.

    Args:
        words: our own.
    """
    mark = alt.Chart(pd.DataFrame({"words": [words]})).mark_text(
        align="left", baseline="bottom", dy=-4, fontSize=12, color=ink.quiet, clip=False
    )
    return mark.encode(x=alt.XValue(0), y=alt.YValue(panel.top), text=alt.Text("words:N"))
