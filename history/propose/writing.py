"""How is a proposal written as a definition?

In: a Proposal. Out: the text of a board.toml, each guess with its evidence as a comment. Start at
definition().
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

from history.propose.candidates import Proposal
from history.propose.guesses import Guess

_WIDTH = 96


def definition(name: str, source: Mapping[str, str], proposal: Proposal) -> str:
    """The text of a definition.

    Args:
        name: of the board.
        source: kind, repo and what else [source] needs besides the paths.
        proposal: what was found.
    """
    lines = [f"name = {_toml(name)}", "", "[source]"]
    lines += [f"{key} = {_toml(value)}" for key, value in source.items() if value]
    lines += _written(proposal, "source")
    lines += ["", "[table]", f"format = {_toml(proposal.format)}", *_written(proposal, "table")]
    for table in ("table.parts", "splits", "edition"):
        if written := _written(proposal, table):
            lines += ["", f"[{table}]", *written]
    lines += [
        "",
        "[ties]",
        'rule = "none"   # only equal scores are tied, unless the board says otherwise',
    ]
    return "\n".join(lines) + "\n"


def _written(proposal: Proposal, table: str) -> list[str]:
    """The guesses of one table of the definition, each below its evidence."""
    lines = []
    for guess in proposal.guesses:
        head, _, key = guess.key.rpartition(".")
        if head == table and guess.value is None:
            lines += [f"# {_comment(guess)}; without them:", f"# {_printable(guess.hint)}"]
        elif head == table:
            lines += [f"# {_comment(guess)}", f"{key} = {_toml(guess.value)}"]
    return lines


def _comment(guess: Guess) -> str:
    """One line, whatever names of the file stand in it."""
    text = _printable(guess.why)
    return text if len(text) <= _WIDTH else text[: _WIDTH - 3] + "..."


def _printable(text: str) -> str:
    return "".join(letter if letter.isprintable() else "?" for letter in text)


def _toml(value: object) -> str:
    """A value as TOML writes it; its texts are those of JSON, but for one letter.

    >>> _toml(["a", 'say "b"'])
    '["a", "say \\\\"b\\\\""]'
    """
    if isinstance(value, Sequence) and not isinstance(value, str):
        return "[" + ", ".join(_toml(one) for one in value) + "]"
    return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
