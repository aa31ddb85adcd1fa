"""How far is each printed score from what the formula gives?

Rows of one version in, an Altair chart out.
"""

from __future__ import annotations

from typing import Any

import altair as alt
import pandas as pd

from app.charts.composed import Composed, finished
from app.charts.style import Ink

# What a row is called, its place among the colours of Ink, and its shape: colour and shape say
# the same.
KINDS = {
    "to the printed digit": (0, "circle"),
    "within rounding of the parts": (2, "triangle-up"),
    "not what the formula gives": (1, "cross"),
}
HEIGHT = 260


def residuals(
    rows: pd.DataFrame,
    half: float,
    *,
    title: str,
    dark: bool = False,
    width: int | str = "container",
) -> Composed:
    """Computed minus printed score, one mark per entry, best entry on the left.

    Args:
        rows: place, entry, text, computed, difference, fits, exact.
        half: half a unit of the last printed digit: the shaded band.
        title: for the description, plain text.
    """
    ink = Ink(dark)
    dots = pd.DataFrame(
        {
            "place": rows["place"].astype(int),
            "who": rows["entry"].astype(str),
            "printed": rows["text"].astype(str),
            "computed": [f"{value:.6g}" for value in rows["computed"]],
            "off": rows["difference"].astype(float),
            "how": [
                kind_of(fits, exact)
                for fits, exact in zip(rows["fits"], rows["exact"], strict=True)
            ],
        }
    )
    names = [name for name in KINDS if (dots["how"] == name).any()]
    reach = max([1.4 * half, *(1.1 * dots["off"].abs())], default=1.0) or 1.0
    y = alt.Y(
        "off:Q", title="Computed minus printed", scale=alt.Scale(domain=[-reach, reach], nice=False)
    )
    x = alt.X(
        "place:Q",
        title="Place on the board",
        scale=alt.Scale(domain=[0, max(2, int(dots["place"].max()) + 1)], nice=False),
        axis=alt.Axis(tickMinStep=1, format="d", grid=False),
    )
    band = alt.Chart(pd.DataFrame({"low": [-half], "high": [half]}))
    layers: list[Any] = [
        band.mark_rect(color=ink.colours[0], opacity=0.12).encode(
            y=alt.Y(
                "low:Q",
                title="Computed minus printed",
                scale=alt.Scale(domain=[-reach, reach], nice=False),
            ),
            y2=alt.Y2("high:Q"),
        ),
        alt.Chart(pd.DataFrame({"off": [0]})).mark_rule(color=ink.faint).encode(y=y),
        alt.Chart(dots)
        .mark_point(filled=True, size=80, opacity=1)
        .encode(
            x=x,
            y=y,
            color=alt.Color(
                "how:N",
                title=None,
                scale=alt.Scale(
                    domain=names, range=[ink.colours[KINDS[name][0]] for name in names]
                ),
                legend=alt.Legend(orient="top", labelLimit=300, columns=1 if len(names) > 2 else 2),
            ),
            shape=alt.Shape(
                "how:N",
                title=None,
                scale=alt.Scale(domain=names, range=[KINDS[name][1] for name in names]),
            ),
            tooltip=[
                alt.Tooltip("who:N", title="Entry"),
                alt.Tooltip("printed:N", title="Printed"),
                alt.Tooltip("computed:N", title="Computed"),
                alt.Tooltip("how:N", title="Is"),
            ],
            description=alt.Description("who:N"),
        ),
    ]
    counts = "; ".join(f"{(dots['how'] == name).sum()} {name}" for name in names)
    return finished(layers, f"{title}: {counts}.", ink, width, HEIGHT)


def kind_of(fits: bool, exact: bool) -> str:
    """What a score is against the formula.

    >>> kind_of(True, False)
    'within rounding of the parts'
    """
    exactly, nearly, not_at_all = KINDS
    return exactly if exact else nearly if fits else not_at_all


def half_unit(texts: pd.Series) -> float:
    """Half a unit of the last digit that a column of printed numbers has.

    >>> half_unit(pd.Series(["61.1", "60.25 %"]))
    0.005
    """
    dp = texts.astype(str).str.extract(r"\.(\d+)", expand=False).str.len().max()
    return float(0.5 * 10.0 ** -(0 if pd.isna(dp) else dp))
