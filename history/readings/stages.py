"""Which [[since]] tables of a definition hold at a version, and what does it mean there?

In: a Meaning and the versions of its board. Out: a stage per version, and the Meaning of each
stage. Start at Stages; a Course follows the stages along the line.

A stage is written as the numbers of the [[since]] tables that hold, from 1 in file order: "",
"1", "1 3". A table that names a commit or a date holds from there on; one with `when` holds from
the first version on of whose file the condition is true, for good.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from history.meaning import Meaning, changed, patterns
from history.meaning.columns import Named
from history.meaning.conditions import Condition
from history.readers import Document, File, Unreadable, choose
from history.readings import layouts
from history.readings.overrides import Bounds


class Stages:
    """The meanings of one board.

    Args:
        meaning: the definition before any of its [[since]] holds.
    """

    def __init__(self, meaning: Meaning):
        self._first = meaning
        self._made = {"": meaning}

    def at(self, stage: str) -> Meaning:
        """The definition at a stage.

        Raises:
            BoardError: what its [[since]] tables make together makes no sense.
        """
        if stage not in self._made:
            self._made[stage] = changed(self._first, _numbers(stage))
        return self._made[stage]

    @property
    def fields(self) -> list[str]:
        """Names of the columns of numbers that the definition names anywhere, the score first."""
        return list(dict.fromkeys(name for one in self.all() for name in one.fields))

    @property
    def attributes(self) -> list[str]:
        """Names of the attributes that the definition names anywhere."""
        return list(dict.fromkeys(name for one in self.all() for name in one.table.attributes))

    def all(self) -> list[Meaning]:
        """What the definition means as its [[since]] come to hold, one after the other."""
        return [self.at(_written(range(n))) for n in range(len(self._first.since) + 1)]


class Course:
    """Follows the stages of a board along its line.

    Args:
        stages: of the board.
        meaning: the definition before any of its [[since]] holds.
        commits: commit ids of the line and their places on it, for a [[since]] that names one.
        before: the stage of the version before the first to come.

    Raises:
        BoardError: a [[since]] names a commit that is not on the line, or that could be several.
    """

    def __init__(
        self, stages: Stages, meaning: Meaning, commits: Iterable[tuple[str, int]], before: str = ""
    ):
        self._stages, self._since = stages, meaning.since
        self._bounds = Bounds(meaning.board, [one.start for one in meaning.since], commits)
        begun = _numbers(before)
        self._waiting = {
            number: one.when
            for number, one in enumerate(meaning.since)
            if one.when is not None and number not in begun
        }

    @property
    def asks(self) -> bool:
        """Whether the next file can begin a stage."""
        return bool(self._waiting)

    def next(self, version: dict[str, Any], file: File | None = None) -> str:
        """The stage of the next version.

        Args:
            version: `position` and `committed_at` count.
            file: None where it has none, or none that is to be believed.
        """
        holding = [
            number
            for number, one in enumerate(self._since)
            if number not in self._waiting
            and (one.when is not None or self._bounds.reached(one.start, version, False))
        ]
        for number, when in list(self._waiting.items()):
            if file and _is_true(when, self._stages.at(_written(holding)), file):
                del self._waiting[number]
                holding = sorted([*holding, number])
        return _written(holding)


def _written(numbers: Iterable[int]) -> str:
    return " ".join(str(number + 1) for number in numbers)


def _numbers(stage: str) -> list[int]:
    return [int(one) - 1 for one in stage.split()]


def _is_true(when: Condition, meaning: Meaning, file: File) -> bool:
    """Whether a condition is plainly true of a file; of one that cannot be read, nothing is."""
    try:
        with patterns.one_version():
            document = file.document(meaning.table.format)
            said = {
                name: document.find(name)
                if name.startswith("$")
                else _asked(name, document, meaning)
                for name in when.names
            }
            return when(said) is True
    except Unreadable:
        return False


def _asked(name: str, document: Document, meaning: Meaning) -> str | None:
    """The name of a column that exists.

    Raises:
        Unreadable: the file holds no rows, so nothing is known of their columns.
    """
    columns, find = meaning.table, Named(name).cells
    table = choose(document, columns.rows, {name: find})
    if columns.layout == "columns":
        table = layouts.in_rows(table, columns)
    if not table.places and not table.names():
        raise Unreadable("no_table", "no rows")
    return name if find(table) else None
