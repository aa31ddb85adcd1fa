"""What does a person mean who types a sentence, pastes a text, or names a file?"""

from __future__ import annotations

from datetime import date
from functools import cache

import pytest

from app.asking import open_board
from app.check import check
from app.said import boards_in, is_file, read, scene_for
from crawler.store import Store
from history.claims.language.claim import ClaimError

POST = """# Meet fern

It is first on garden, at 81.2. Moss was ahead of fern on garden.
It beats everything by a mile on garden!
"""


@pytest.fixture
def store(garden) -> Store:
    return Store(garden.store)


def test_a_board_is_opened_once_for_words_and_for_verdict(store):
    asked = []

    def opened(name):
        asked.append(name)
        return open_board(store, name)

    once = cache(opened)
    said = read("fern is #1 on garden", store, once)
    (claim,) = check(store, said.claims, opened=once)["claims"]
    assert claim["text"] == "fern is #1 on garden"
    assert asked == ["garden"]


def test_a_file_is_told_by_its_name():
    assert is_file("a/claims.TOML") and is_file("claims.json")
    assert not is_file("fern is #1 on text") and not is_file("x.\nclaims.toml")


def test_entries_and_boards_are_known_by_any_name(store):
    (claim,) = read("FERN is the best on the garden board", store).claims
    assert (claim.predicate, claim.boards) == ("first", ("garden",))
    assert claim.subject.casefold() == "fern"


def test_a_name_that_nobody_has_is_refused_with_the_nearest(store):
    with pytest.raises(ClaimError) as caught:
        read("ferm is #1 on garden", store)
    assert "fern" in str(caught.value).casefold()


def test_of_a_passage_every_claim_is_found_and_the_rest_is_said(store):
    said = read(POST, store)
    assert [claim.text for claim in said.claims] == [
        "It is first on garden, at 81.2.",
        "Moss was ahead of fern on garden.",
    ]
    head, *more = said.notes
    assert head.startswith("2 claims found in the text")
    assert any("is taken to be about" in note and "ern" in note for note in more)
    assert any(note.startswith('not understood: "It beats everything') for note in more)


def test_a_passage_without_a_claim_is_refused(store):
    with pytest.raises(ClaimError) as caught:
        read("We are glad.\nThank you all!", store)
    assert "no claim was found" in str(caught.value)


def test_a_store_with_nothing_in_it_knows_no_names(tmp_path):
    scene = scene_for("fern is #1 on text", Store(tmp_path), date(2026, 3, 4))
    assert (scene.boards, scene.entries, scene.said_on) == ((), (), date(2026, 3, 4))
    (claim,) = read("fern is #1 on text", Store(tmp_path)).claims
    assert (claim.subject, claim.boards) == ("fern", ("text",))


def test_a_broken_definition_beside_is_no_obstacle(growing):
    store = Store(growing.store)
    (store.root / "broken").mkdir()
    (store.root / "broken" / "board.toml").write_text("[source\n")
    assert boards_in("fern is #1 on garden", store) == ["garden"]
    assert read("fern is #1 on garden", store).claims[0].boards == ("garden",)
