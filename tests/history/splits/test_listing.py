from __future__ import annotations

import pandas as pd
import pytest

from history.splits.listing import Group, Vanished, listing
from tests.history.by_hand import readings


def rows(*boards: dict[str, str | None]) -> pd.DataFrame:
    """One board per version: entries, and who owns them."""
    listed = [
        {"version": v, "entry": e, "attribute.org": owner}
        for v, board in enumerate(boards)
        for e, owner in board.items()
    ]
    return pd.DataFrame(listed, columns=["version", "entry", "attribute.org"])


A, B, C = {"a": "x"}, {"b": "x"}, {"c": "y"}


@pytest.mark.parametrize(
    ("boards", "kinds", "vanished", "back"),
    [
        pytest.param([A | B, A], [], [Vanished("b", 0, 0, 1)], (), id="one vanished"),
        pytest.param([A | B, A, A | B], [], [], ("b",), id="away for a time"),
        pytest.param(
            [A | B, {}, A | B], ["read", "unreadable", "read"], [], (),
            id="a version that cannot be read removes nobody",
        ),
        pytest.param(
            [A | B, {}, A | B], ["read", "absent", "read"], [], (),
            id="nor does one without a file",
        ),
        pytest.param(
            [A | B, {}], ["read", "empty"], [Vanished("a", 0, 0, 1), Vanished("b", 0, 0, 1)], (),
            id="an empty board has lost all",
        ),
        pytest.param(
            [A, A | B, A | C, C], [], [Vanished("b", 1, 1, 2), Vanished("a", 0, 2, 3)], (),
            id="in the order in which they went",
        ),
    ],
)  # fmt: skip
def test_who_vanished(boards, kinds, vanished, back):
    found = listing(rows(*boards), readings(list(range(len(boards))), kinds))
    assert (list(found.vanished), found.came_back) == (vanished, back)


def test_owners_by_what_the_file_says_last():
    boards = [A | B | C, A | C, {"a": "z", "c": "y", "d": None}]
    found = listing(rows(*boards), readings([0, 1, 2]))
    assert (found.ever, found.now) == (4, 3)
    assert found.groups == (
        Group("org", "x", 1, 0),
        Group("org", "y", 1, 1),
        Group("org", "z", 1, 1),
    )
    assert found.groups[0].removed == 1


def test_attributes_that_are_no_owner_make_no_groups():
    table = rows(A | B, A).rename(columns={"attribute.org": "attribute.size"})
    assert listing(table, readings([0, 1])).groups == ()


def test_a_board_that_was_never_readable():
    found = listing(rows(), readings([0], ["unreadable"]))
    assert (found.ever, found.now, found.vanished, found.groups) == (0, 0, (), ())
