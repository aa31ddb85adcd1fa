from __future__ import annotations

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from history.dates import read_dates


def day(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["2026-02-05", None, ""], ["2026-02-05", None, None], id="ISO, and gaps"),
        pytest.param(["2026-02-05T12:30:00+02:00"], ["2026-02-05T10:30"], id="a zone"),
        pytest.param(
            ["2026-02-05 12:30", "20260206"], ["2026-02-05T12:30", "2026-02-06"], id="ISO"
        ),
        pytest.param(["2026/2/5", "2026.02.06"], ["2026-02-05", "2026-02-06"], id="year first"),
        pytest.param(
            ["05.02.2026", "03.04.2026", "21.06.2026"],
            ["2026-02-05", "2026-04-03", "2026-06-21"],
            id="21 is no month, so the day comes first",
        ),
        pytest.param(["2/5/2026", "6/21/2026"], ["2026-02-05", "2026-06-21"], id="the month first"),
        pytest.param(["5/5/2026 9:05"], ["2026-05-05T09:05"], id="the same in both orders"),
        pytest.param(
            ["5 Feb 2026", "March 3, 2026", "1-Sept-2026", "4 may 2026"],
            ["2026-02-05", "2026-03-03", "2026-09-01", "2026-05-04"],
            id="months with names",
        ),
        pytest.param(["05.02.2026", "2026-13-01"], None, id="one text is no date"),
        pytest.param(["21.06.2026", "06/21/2026"], None, id="both orders in one column"),
        pytest.param(["30.02.2026"], None, id="no such day"),
        pytest.param(["5 M 2026"], None, id="no such month"),
        pytest.param(["v1.2"], None, id="no date"),
        pytest.param([], [], id="no rows"),
    ],
)
def test_one_reading_for_the_whole_column(texts, expected):
    found = read_dates(texts)
    dates = None if expected is None else [one and day(one) for one in expected]
    assert (list(found.readings), found.either) == ([] if dates is None else [dates], None)


def test_an_open_order_gives_two_readings():
    found = read_dates(["05.05.2026", "05.02.2026", "03.04.2026"])
    assert [one[1] for one in found.readings] == [day("2026-02-05"), day("2026-05-02")]
    assert found.either == "'05.02.2026' is 5 Feb 2026 or 2 May 2026"


@given(st.lists(st.text() | st.dates().map(str) | st.text("0123456789./-T: ")))
def test_any_text(texts):
    for reading in read_dates(texts).readings:
        assert [moment is None for moment in reading] == [not text.strip() for text in texts]
