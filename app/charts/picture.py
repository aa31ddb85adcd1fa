"""How does a chart become a file?

An Altair chart in, bytes of a PNG or SVG out; nothing is fetched. Start at png() and svg().
"""

from __future__ import annotations

import json
from typing import Any

SCALE = 2.0  # pixels of the PNG for one of the chart
WIDTH = 960  # pixels of a chart that has no page around it


def png(chart: Any) -> bytes:
    """A chart that has a width in pixels, as PNG."""
    import vl_convert

    picture: bytes = vl_convert.vegalite_to_png(_spec(chart), scale=SCALE, allowed_base_urls=[])
    return picture


def svg(chart: Any) -> bytes:
    """The same as SVG."""
    import vl_convert

    picture: str = vl_convert.vegalite_to_svg(_spec(chart), allowed_base_urls=[])
    return picture.encode()


def _spec(chart: Any) -> str:
    return json.dumps(chart.to_dict())
