"""A chart becomes files that a picture viewer opens."""

from __future__ import annotations

import pandas as pd
import pytest
from lxml import etree

from app.charts import picture
from app.charts.held_strip import held_strip

HOUR = pd.Timedelta(hours=1)
START = pd.Timestamp("2026-03-01T08:00:00Z")


@pytest.fixture(scope="module")
def chart():
    held = {"start": [START], "end": [START + HOUR], "row": ["<b>"], "state": ["held"]}
    return held_strip(
        pd.DataFrame({**held, "text": ["08:00 to 09:00"]}),
        pd.DataFrame({"at": [], "label": []}),
        start=START,
        end=START + 2 * HOUR,
        title="When & where",
        width=600,
    )


def test_a_png_has_twice_the_pixels(chart):
    data = picture.png(chart)
    assert data.startswith(b"\x89PNG\r\n")
    assert int.from_bytes(data[16:20]) == 1200


def test_an_svg_is_xml_with_its_words(chart):
    drawn = etree.fromstring(picture.svg(chart))
    assert etree.QName(drawn).localname == "svg"
    words = {text.strip() for text in drawn.itertext()}
    assert {"08:00", "08:30", "10:00"} <= words
