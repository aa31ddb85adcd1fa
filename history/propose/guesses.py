"""What can be guessed of a board, and what has to be asked?

The records that the guesses are made of. Start at Guess and Question.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Guess:
    """What a column, or another key of the definition, is taken for.

    Attributes:
        key: in the definition, as in "table.score".
        value: what is written there; None where the guess is mentioned and not applied.
        why: the evidence, for people.
        hint: what somebody could write there instead, as TOML; empty where nothing.
    """

    key: str
    value: object
    why: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Question:
    """What the file does not tell.

    Attributes:
        option: of `ranktrail add`, with which it is answered.
        text: for people.
        choices: possible answers, the likeliest first, each with what speaks for it.
        both_ways: the choices of which nothing tells whether higher or lower is better, so that
            has to be answered, too.
    """

    option: str
    text: str
    choices: tuple[tuple[str, str], ...] = ()
    both_ways: frozenset[str] = frozenset()


class Unclear(Exception):
    """The file alone does not tell; somebody has to say it."""

    def __init__(self, question: Question):
        self.question = question
        super().__init__(question.text)


@dataclass(frozen=True, slots=True)
class Given:
    """What the user said; empty where nothing was."""

    entry: str = ""
    score: str = ""
    direction: str = ""
