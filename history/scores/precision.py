"""How many decimals does a printed number have of its own?

In: SCORES. Out: units, how many ticks the last printed decimal of each number is. Start at
units(). Programs that write JSON or CSV drop zeros at the end, so that 70 stands beside 71.2 and
means 70.0: the ticks of a column are its numbers' units, 1. In Markdown and HTML people print what
they know: 70 beside 71.2 may be any number from 69.5 to 70.5, and its unit is 10 ticks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from history import readers
from history.frames import SCORE, dp_of, text_of, ticks_of
from history.meaning.definition import Columns
from history.numbers import Printed, parse
from history.numbers.whole_column import percentage, with_points
from history.ticks import exact

if TYPE_CHECKING:
    import pandas as pd
    from numpy.typing import NDArray

    from history.meaning import Meaning


def own_decimals(readings: pd.DataFrame, meanings: Mapping[int, Meaning]) -> dict[int, Columns]:
    """[table] at the versions whose numbers have decimals of their own, not those of a column.

    Args:
        readings: READINGS; `version` and `path` count.
        meanings: the board's definition as it is at each version.
    """
    found = {}
    for version, path in zip(readings["version"].tolist(), readings["path"], strict=True):
        table = meanings[version].table
        in_json = table.rows.startswith("$")  # which a page may hold, too
        if (table.format or readers.format_of(str(path))) in readers.TEXTS and not in_json:
            found[version] = table
    return found


def units(
    scores: pd.DataFrame, field: str, own: Mapping[int, tuple[Columns, str]]
) -> NDArray[np.int64]:
    """How many ticks the last printed decimal of each number is; 1 where there is no number.

    Args:
        scores: SCORES, with what is looked at in the columns of `field`.
        field: of `scores`.
        own: the versions whose numbers have decimals of their own: the [table] there, and the
            field that it calls what stands in `field`.

    >>> import pandas as pd
    >>> scores = pd.DataFrame({"version": 0, "score.text": ["71.2", "70"], "score.dp": 1,
    ...     "score.ticks": pd.array([712, 700], "Int64")})
    >>> units(scores, "score", {}).tolist()
    [1, 1]
    """
    made = np.ones(len(scores), dtype=np.int64)
    if not own:
        return made
    rows = np.flatnonzero(scores["version"].isin(list(own)) & scores[ticks_of(field)].notna())
    names = ("version", text_of(field), ticks_of(field), dp_of(field))
    cells = zip(*(scores[name].iloc[rows].tolist() for name in names), strict=True)
    known: dict[tuple[object, ...], int] = {}
    for row, (version, text, tick, dp) in zip(rows.tolist(), cells, strict=True):
        table, name = own[version]
        # What _unit() asks of the table; a table itself is no key.
        asked = (table.decimals, table.shift, table.shares) if name == SCORE else None
        key = asked, text, tick, dp
        if key not in known:
            known[key] = _unit(text, exact(tick, dp), dp, table, name)
        made[row] = known[key]
    return made


def _unit(text: str, value: Fraction, dp: int, table: Columns, field: str) -> int:
    """The unit of one number: the reading of its text that gives its value tells the decimals."""
    if field == SCORE and table.decimals is not None:
        return 1
    shift = table.shift if field == SCORE else 0
    for printed in _readings(text):
        number = percentage(printed) if field == SCORE and table.shares else printed
        if number.value is not None and Fraction(number.value) * Fraction(10) ** shift == value:
            return int(10 ** max(dp - (number.dp - shift), 0))
    return 1  # it was rounded to the decimals of its column


def _readings(text: str) -> Iterator[Printed]:
    """What a number can mean alone, as its column decides what commas and points are."""
    yield parse(text)
    yield parse(with_points([text])[0])
    yield parse(text.replace(",", ""))
    yield parse(text.replace(".", ""))
