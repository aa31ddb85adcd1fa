from __future__ import annotations

import pytest

from history.claims.answer import BETWEEN_LOOKS, WOULD_DECIDE
from history.uncertainty.undecided import TABLE, undecided

# What verdicts know of and the table of methods 3.5 does not: states of the history itself.
OF_THE_HISTORY = {"UNREADABLE_VERSION", "BOARD_ABSENT", "OTHER_EDITION", "NO_BOARD"}


def test_every_code_of_a_verdict_is_in_the_table():
    assert set(WOULD_DECIDE) - {row.code for row in TABLE} == OF_THE_HISTORY


def test_the_table_and_the_verdicts_use_the_same_words():
    words = {row.code: undecided(row.code).would_decide for row in TABLE}
    # A claim is about one number, two entries or one formula, the table about all of them.
    closer = {"MISSING_COMPONENT", "NO_SE", "UNKNOWN_FORMULA"}
    differ = {code for code in words.keys() & WOULD_DECIDE if words[code] != WOULD_DECIDE[code]}
    assert differ == closer
    assert BETWEEN_LOOKS in {row.would_decide for row in TABLE if row.code == "CENSORED"}


def test_every_question_says_what_is_needed_and_what_would_decide():
    assert all(row.asked and row.needed and row.would_decide for row in TABLE)
    assert len({(row.code, row.asked) for row in TABLE}) == len(TABLE) == 21


def test_a_closer_word_stands_before_that_of_the_table():
    found = undecided("NO_SE", would_decide="the votes")
    assert str(found) == "not decidable from this file: it would take the votes"
    with pytest.raises(KeyError):
        undecided("NO_IDEA")
