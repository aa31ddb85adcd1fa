"""Which histories does a server keep open?"""

from __future__ import annotations

import pytest

from app.views.answers import Shelf, stamp
from tests.app.small_board import VERSIONS, define, plant, run


@pytest.fixture
def store(tmp_path, monkeypatch):
    planted = plant(tmp_path, VERSIONS[:1])
    for name in ("two", "three"):
        text = (planted.store / "garden" / "board.toml").read_text()
        define(planted.store, name, text.replace('name = "garden"', f'name = "{name}"'))
    assert run(planted.store, "crawl").exit_code == 0
    monkeypatch.setenv("RANKTRAIL_STORE", str(planted.store))
    return planted.store


def test_a_history_is_opened_once_and_the_newest_state_alone_is_kept(store):
    shelf, root = Shelf(2), str(store)
    first = shelf.get(root, "garden", stamp("garden"))
    assert shelf.get(root, "garden", stamp("garden")) is first
    assert run(store, "crawl", "garden").exit_code == 0
    later = shelf.get(root, "garden", stamp("garden"))
    assert later is not first
    assert shelf.get(root, "garden", stamp("garden")) is later
    assert len(shelf) == 1


def test_of_many_boards_those_last_asked_for_are_kept(store):
    shelf, root = Shelf(2), str(store)
    opened = {name: shelf.get(root, name, stamp(name)) for name in ("garden", "two")}
    shelf.get(root, "garden", stamp("garden"))
    shelf.get(root, "three", stamp("three"))
    assert len(shelf) == 2
    assert shelf.get(root, "garden", stamp("garden")) is opened["garden"]
    assert shelf.get(root, "two", stamp("two")) is not opened["two"]
