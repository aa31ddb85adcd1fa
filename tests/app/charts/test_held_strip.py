"""What does the strip of a claim draw?"""

from __future__ import annotations

import pandas as pd

from app.charts.held_strip import held_strip

DAY = pd.Timedelta(days=1)
START = pd.Timestamp("2026-03-01T00:00:00Z")


def strip(rows: list[tuple[int, int, str, str]], **more):
    """A strip of rows of first day, last day, name and state, over ten days."""
    frame = pd.DataFrame(
        [
            (START + a * DAY, START + b * DAY, row, state, f"{a} to {b}")
            for a, b, row, state in rows
        ],
        columns=["start", "end", "row", "state", "text"],
    )
    marks = pd.DataFrame({"at": [START + 3 * DAY], "label": ["claimed"]})
    return held_strip(
        frame, marks, start=START, end=START + 10 * DAY, title="When", **more
    ).to_dict()


def marks_of(drawn: dict) -> list[str]:
    return [layer["mark"]["type"] for layer in drawn["layer"]]


def test_one_statement_has_no_name_and_says_its_states():
    drawn = strip([(0, 2, "", "held"), (2, 10, "", "not held")])
    assert marks_of(drawn) == ["point", "bar", "bar", "rule", "text"]
    assert drawn["description"] == "When. held: 0 to 2; not held: 2 to 10."


def test_rows_have_their_names_above_them_and_room_for_them():
    one = strip([(0, 10, "", "held")])
    two = strip([(0, 10, "fern: <b>first</b>", "held"), (0, 10, "moss", "unknown")])
    assert marks_of(two)[-1] == "text"
    assert two["description"] == "When. fern: <b>first</b>: held: 0 to 10; moss: unknown: 0 to 10."
    assert (one["height"], two["height"]) == (60, 132)


def test_without_a_file_nothing_is_drawn():
    drawn = strip([(0, 5, "", "no file"), (5, 10, "", "held")])
    assert marks_of(drawn) == ["point", "bar", "rule", "text"]


def test_a_picture_without_a_page_says_what_it_is():
    drawn = strip([(0, 10, "", "held")], heading=["True.", "<b>Fern</b> led."], width=600)
    assert drawn["title"]["text"] == ["True.", "<b>Fern</b> led."]
