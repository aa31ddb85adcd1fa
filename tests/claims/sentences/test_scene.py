"""Known names: where they stand in a sentence, and what is said of those that are not known."""

from __future__ import annotations

import pytest

from history.claims.language.claim import ClaimError
from history.claims.sentences.scene import Scene, names_in
from history.claims.sentences.sentence import read_sentence
from tests.claims.sentences.scenes import SCENE, plain

BOARDS = (("decision-index-text", "Decision Index, text"), ("decision-index-vision", "Vision"))


def scene(*entries: str, boards: tuple[tuple[str, str], ...] = BOARDS) -> Scene:
    return Scene(boards, entries)


def found(text: str, *entries: str) -> list[tuple[str, tuple[str, ...]]]:
    return [(name.kind, name.fits) for name in names_in(text, scene(*entries))]


@pytest.mark.parametrize(
    "said",
    [
        "text",
        "the text board",
        "Decision Index text",
        "decision-index-text",
        "the Decision Index, text leaderboard",
        "INDEX TEXT",
        '"Decision Index, text"',
    ],
)
def test_a_board_by_its_name_its_title_or_a_part_of_them(said):
    claim = read_sentence(f"fern is first on {said}", scene("fern"))
    assert claim.boards == ("decision-index-text",)


def test_a_part_of_two_titles_is_ambiguous():
    boards = (("one", "Decision Index, text"), ("two", "Decision Index, vision"))
    with pytest.raises(ClaimError, match='"Decision Index" may mean one or two'):
        read_sentence("fern is first on the Decision Index", scene("fern", boards=boards))


@pytest.mark.parametrize(
    ("text", "entry"),
    [
        ("Best-of-N first is first on text", "Best-of-N first"),
        ("best-of-n FIRST leads text", "Best-of-N first"),
        ("fern 2 large tops text", "Fern-2 Large"),
        ("fern leads text", "fern"),
        ("<b>fern</b> & co leads text", "<b>fern</b> & co"),
        ('"First" leads text', "First"),
        ("fern's on top of text", "fern"),
    ],
)
def test_names_are_found_before_words(text, entry):
    names = ("Best-of-N first", "fern", "Fern-2 Large", "<b>fern</b> & co", "First")
    assert read_sentence(text, scene(*names)).subject == entry


@pytest.mark.parametrize("said", ["fern-3", "fern2", "fern.1", "fern+", "a.fern", "fernery"])
def test_a_part_of_a_longer_word_is_no_name(said):
    assert found(f"{said} leads", "fern") == []


def test_two_spellings_that_read_alike_are_ambiguous():
    assert found("a fern-2", "fern 2", "fern-2") == [("ENTRY", ("fern-2",))]
    assert found("a FERN_2", "fern 2", "fern-2") == [("ENTRY", ("fern 2", "fern-2"))]
    with pytest.raises(ClaimError, match="may mean fern 2 or fern-2"):
        read_sentence("Fern_2 leads text", scene("fern 2", "fern-2"))


def test_an_entry_that_is_called_like_a_board():
    claim = read_sentence("Vision is first on vision", scene("Vision"))
    assert (claim.subject, claim.boards) == ("Vision", ("decision-index-vision",))


@pytest.mark.parametrize(
    ("text", "near"),
    [
        ("Opus 5.6 leads text", '"Opus 5.6 leads text" was not understood'),
        ("Carbn-X leads text", "Known names that are near: Carbon-X"),
        ("d3 leads visio", "near: vision"),
    ],
)
def test_an_unknown_name_is_said_with_the_nearest(text, near):
    with pytest.raises(ClaimError) as caught:
        read_sentence(text, SCENE)
    assert near in str(caught.value)


def test_the_only_board_need_not_be_named():
    one = scene("fern", boards=(("garden", "Garden"),))
    for text in ("fern is first", "fern leads the leaderboard"):
        assert read_sentence(text, one).boards == ("garden",)
    with pytest.raises(ClaimError, match=r"it names no board \(it has: text, vision\)"):
        read_sentence("d3 is first", SCENE)


@pytest.mark.parametrize("boards", [(), BOARDS[:1], (*BOARDS, ("third", "Third"))])
def test_both_boards_are_two(boards):
    with pytest.raises(ClaimError, match="both boards"):
        read_sentence("fern is first on both boards", scene("fern", boards=boards))


def test_a_date_without_a_year_needs_the_day_on_which_it_was_said():
    with pytest.raises(ClaimError, match="is not one day"):
        read_sentence("fern was first on text on 16 October", scene("fern"))


def test_an_attribute_that_no_board_has():
    with pytest.raises(ClaimError, match=r"what is `open` \(attributes: none\)"):
        read_sentence("fern is the best open model on text", scene("fern"))


def test_other_attributes_have_their_own_names():
    known = Scene(BOARDS, ("fern",), (), ("evergreen",))
    claim = read_sentence("fern is the best evergreen model on text", known)
    assert (claim.predicate, claim.filter) == ("first_in_class", "evergreen == true")


def test_boards_known_and_entries_not():
    claim = read_sentence("moss 2 is ahead of fern on Decision Index text", scene())
    assert plain(claim) == {
        "predicate": "ahead",
        "subject": "moss 2",
        "other": "fern",
        "boards": ["decision-index-text"],
        "when": {"latest": True},
    }


def test_many_and_long_names_take_no_time():
    many = scene(*(f"entry {n} of all ferns" for n in range(3000)), "x" * 5000, "\u200b", "")
    assert (
        read_sentence("entry 2999 of all ferns leads text", many).subject
        == "entry 2999 of all ferns"
    )


@pytest.mark.parametrize("name", ["open", "overall", "other", "level", "a", "best models"])
@pytest.mark.parametrize("known", [True, False], ids=["known", "unknown"])
def test_a_board_may_be_called_like_a_word_of_the_language(name, known):
    names = scene("fern", boards=(("garden", "Garden"), (name, name))) if known else Scene.empty()
    if name == "best models" and not known:
        name = f'"{name}"'
    for text in (f"fern is first on {name}", f"fern is first on {name} as of 2026-10-20"):
        assert read_sentence(text, names).boards == (name.strip('"'),)


@pytest.mark.parametrize("name", ["board-1", "top-10", "first"])
@pytest.mark.parametrize(
    "text",
    [
        "fern is +10 over moss on the public split of {}",
        "fern is #1 on the public test set of the {}",
        "fern was first on {} and on garden",
    ],
)
def test_a_board_of_words_of_the_language_is_one_where_boards_are_named(name, text):
    boards = (("garden", "Garden"), (name, name))
    known = Scene(boards, ("fern", "moss"), splits=("public",))
    assert name in read_sentence(text.format(name), known).boards


@pytest.mark.parametrize(
    "text", ["fern leads board-1", "fern was first on garden and board-1", "board-1 is led by fern"]
)
def test_a_board_is_known_by_its_dashes_anywhere(text):
    known = Scene((("garden", "Garden"), ("board-1", "board-1")), ("fern", "moss"))
    assert "board-1" in read_sentence(text, known).boards


def test_a_board_called_like_a_place_does_not_hide_the_place():
    known = Scene((("garden", "Garden"), ("top 10", "top 10")), ("fern", "moss"))
    claim = read_sentence("fern is in the top 10 on garden", known)
    assert (claim.predicate, claim.k, claim.boards) == ("top_k", 10, ("garden",))


@pytest.mark.parametrize(
    "name", ["model-19", "model_20", "entry-7", "Best-of-8", "system 3", "Model A", "Model 7"]
)
@pytest.mark.parametrize("text", ["{} is 4th on garden", "{} was first on garden on 2026-03-20"])
def test_an_entry_of_words_of_the_language_is_one_where_it_can_be_nothing_else(name, text):
    known = Scene((("garden", "Garden"),), ("fern", name))
    assert read_sentence(text.format(name), known).subject == name


def test_names_of_words_of_the_language_do_not_hide_these():
    known = Scene((("garden", "Garden"),), ("fern", "Top 5", "first"))
    claim = read_sentence("fern is in the top 5 on garden", known)
    assert (claim.predicate, claim.k, claim.subject) == ("top_k", 5, "fern")
    assert read_sentence("fern is first on garden", known).predicate == "first"
