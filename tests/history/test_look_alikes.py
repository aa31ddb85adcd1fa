"""Which names a reader cannot tell apart."""

from __future__ import annotations

import pytest

from history.look_alikes import difference, hidden, skeleton


@pytest.mark.parametrize(
    ("one", "other", "alike"),
    [
        pytest.param("Fern 7B", "fern-7b", True, id="case, space, dash"),
        pytest.param("fern", "f\u0435rn", True, id="a Cyrillic letter"),
        pytest.param("FERN", "F\u0395RN", True, id="a Greek capital letter"),
        pytest.param("fern", "\uff46ern", True, id="a wide letter"),
        pytest.param("fern", "fe\u200brn", True, id="a space of no width"),
        pytest.param("fern\u2014x", "fern - x", True, id="a long dash"),
        pytest.param("fern", "\x00fe\x9frn", True, id="control characters"),
        pytest.param("fern 7b", "fern\t7b", True, id="a tab"),
        pytest.param("FERN-27B", "Fern", False, id="a longer name"),
        pytest.param("fern 4o", "fern 40", False, id="a letter and a digit"),
        pytest.param("fern 1.5", "fern 15", False, id="a point"),
        pytest.param("Zephyr \u03b2", "Zephyr b", False, id="a Greek letter of its own"),
    ],
)
def test_skeletons(one, other, alike):
    assert (skeleton(one) == skeleton(other)) == alike


@pytest.mark.parametrize(
    ("name", "letters"),
    [
        pytest.param("fern", [], id="none"),
        pytest.param(
            "\ufefffern\u200b",
            ["U+FEFF ZERO WIDTH NO-BREAK SPACE", "U+200B ZERO WIDTH SPACE"],
            id="two",
        ),
        pytest.param("fern\u202etxt", ["U+202E RIGHT-TO-LEFT OVERRIDE"], id="a turn of direction"),
        pytest.param(
            "fern\u200d", ["U+200D ZERO WIDTH JOINER"], id="a joiner after a Latin letter"
        ),
        pytest.param(
            "\x00fe\x7fr\x85n",
            [f"U+{code} control character" for code in ("0000", "007F", "0085")],
            id="control characters",
        ),
        pytest.param("fern\n7b", ["U+000A control character"], id="a line end inside"),
        pytest.param("\tfern\r\n", [], id="white space round a name"),
        pytest.param("\U0001f469\u200d\U0001f4bb", [], id="a joiner in an emoji"),
        pytest.param(
            "\u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", [], id="a joiner in Persian"
        ),
    ],
)
def test_hidden_letters(name, letters):
    assert hidden(name) == letters


def test_a_control_character_is_the_difference():
    assert difference("fern", "\x00fern") == "in U+0000 control character"
    assert difference("fern 7b", "fern\t7b") == "in spaces or dashes"
