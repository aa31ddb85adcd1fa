"""How is somebody at a terminal asked?

Everything stands on stderr, as stdout is for the answer of the command. Start at choose().
"""

from __future__ import annotations

import sys
from collections.abc import Sequence

import click

from app import log
from app.faults import Interrupted
from app.output import clean, complain

_YES, _NO = ("y", "yes", ""), ("n", "no")
_QUIT = ("q", "quit")


class Quit(Exception):
    """Somebody would rather not answer."""


def somebody_is_there() -> bool:
    """Whether a question can be answered; a machine that reads the log answers none."""
    return sys.stdin.isatty() and log.form() != "json"


def choose(text: str, choices: Sequence[tuple[str, str]]) -> int:
    """Ask for one of several answers, until there is one.

    Args:
        text: the question.
        choices: answers, each with what speaks for it; its number or its text is accepted.

    Returns:
        The place of the chosen one.

    Raises:
        Quit: by q. Interrupted: by Ctrl-C.
    """
    complain(text)
    for number, (answer, why) in enumerate(choices, 1):
        line = f"  {number}  {answer}" + (f"  ({why})" if why else "")
        click.echo(clean(line), err=True)
    while True:
        said = _line("Number or text, q quits:")
        found = meant(said, [answer for answer, _ in choices])
        if found is not None:
            return found
        complain(f"{said!r} is none of them.")


def agree(text: str) -> bool:
    """Ask for a yes, which is also what an empty line means.

    Raises:
        Quit: by q. Interrupted: by Ctrl-C.
    """
    while True:
        said = _line(f"{text} [Y/n]:").casefold()
        if said in _YES + _NO:
            return said in _YES
        complain("Write y or n.")


def meant(said: str, answers: Sequence[str]) -> int | None:
    """The place of the answer that a line means: by number, text, or the beginning of one text.

    >>> answers = ["/pass@1/humaneval", "/pass@1/humaneval+", "elo"]
    >>> meant("2", answers), meant("/pass@1/humaneval", answers), meant("EL", answers)
    (1, 0, 2)
    >>> meant("4", answers), meant("/pass", answers), meant("", answers)
    (None, None, None)
    """
    if said.isdecimal() and 1 <= int(said) <= len(answers):
        return int(said) - 1
    folded = [answer.casefold() for answer in answers]
    for known, text in ((list(answers), said), (folded, said.casefold())):
        if known.count(text) == 1:
            return known.index(text)
    begun = [n for n, answer in enumerate(folded) if said and answer.startswith(said.casefold())]
    return begun[0] if len(begun) == 1 else None


def _line(prompt: str) -> str:
    """One line that somebody typed.

    click would leave a space on stdout.
    """
    try:
        click.echo(f"{clean(prompt)} ", nl=False, err=True)
        line = sys.stdin.readline()
    except KeyboardInterrupt:
        line = ""
    if not line:  # Ctrl-C, Ctrl-D
        click.echo(err=True)
        raise Interrupted("interrupted; nothing was written")
    if line.strip().casefold() in _QUIT:
        raise Quit
    return line.strip()
