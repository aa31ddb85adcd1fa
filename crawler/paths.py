"""Which files do the `paths` of a definition mean?

In: `paths` as written, and names of files. Out: which item of the list a name belongs to, and
which of several dated names is the newest. Start at Paths.

The patterns are our own and git never sees one: it is asked for whole folders, and their files
are compared here. So no name and no pattern can be read as an option or as a command of git.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date
from fnmatch import translate
from functools import lru_cache
from typing import NamedTuple

_WILD = re.compile(r"[*?\[]")
_ANY_FOLDERS = "**"
_YEAR = r"(?:19|20)\d\d"
# A mark ends a month or day of one digit; without marks 2025111 would have two readings.
_PART = r"(?(mark)\d\d?|\d\d)"
_DATES = (
    rf"(?P<y>{_YEAR})(?P<mark>[-_])?(?P<m>{_PART})(?(mark)(?P=mark))(?P<d>{_PART})",
    rf"(?P<year>{_YEAR})-(?P<month>\d\d)",
    # In 2-5-2024-01-31 the year belongs to what follows, unless that has a year of its own.
    rf"(?P<first>\d\d?)-(?P<second>\d\d?)-(?P<last>{_YEAR})(?!-\d\d?-\d\d?(?!\d|-{_YEAR}))",
)
_DATE = re.compile(rf"(?<!\d)(?:{'|'.join(_DATES)})(?!\d)", re.ASCII)
Ymd = tuple[int, int, int]  # the day is 0 where a name tells the month only
_NO_DAY: Ymd = (0, 0, 0)


class Paths:
    """The files that a board is read from.

    Args:
        written: plain names and patterns, as in the definition.

    >>> paths = Paths(["board.csv", "data/board_*.csv"])
    >>> paths.item("data/board_1.csv"), paths.item("board.csv"), paths.item("data/x/board_1.csv")
    (1, 0, None)
    """

    def __init__(self, written: Sequence[str]):
        self.written = tuple(written)
        self._patterns = [
            (number, _parts(path)) for number, path in enumerate(written) if is_pattern(path)
        ]
        # Names are asked about again at every commit that touches them.
        self._items: dict[str, int | None] = {}
        self._plain = {path: number for number, path in enumerate(written) if not is_pattern(path)}

    @property
    def have_patterns(self) -> bool:
        """Whether an item can mean several files."""
        return bool(self._patterns)

    def item(self, path: str) -> int | None:
        """The first item that a file belongs to; None for a file of no concern."""
        if path not in self._items:
            found = [number for number, parts in self._patterns if _fits(parts, path)]
            if path in self._plain:
                found.append(self._plain[path])
            self._items[path] = min(found, default=None)
        return self._items[path]

    def is_plain(self, path: str) -> bool:
        """Whether the definition names exactly this file."""
        return path in self._plain

    def limits(self) -> list[str]:
        """Files and folders in which all of them are; empty if that is the whole repository."""
        found = [*self._plain, *(folder_of(self.written[number]) for number, _ in self._patterns)]
        return [] if "" in found else list(dict.fromkeys(found))


def is_pattern(path: str) -> bool:
    """Whether a path of a definition can mean several files.

    >>> is_pattern("data/board (1).csv"), is_pattern("data/board_?.csv")
    (False, True)
    """
    return bool(_WILD.search(path))


def escaped(path: str) -> str:
    """A file's name as a definition writes it, so that no letter of it is a wildcard.

    >>> escaped("board[1].csv")
    'board[[]1].csv'
    """
    return _WILD.sub(lambda letter: f"[{letter[0]}]", path)


def folder_of(path: str) -> str:
    """The folder that a plain name or a pattern begins with; empty for the whole repository.

    >>> folder_of("data/2024-*/board.csv"), folder_of("board_*.csv")
    ('data', '')
    """
    folders: list[str] = []
    for part in path.split("/")[:-1]:
        if is_pattern(part):
            break
        folders.append(part)
    return "/".join(folders)


def folders_to(path: str) -> list[str]:
    """The folders above a plain name or a pattern, the outermost first.

    >>> folders_to("a/b/board.csv"), folders_to("a/2024-*/board.csv"), folders_to("board.csv")
    (['a', 'a/b'], ['a'], [])
    """
    folder = folder_of(path)
    parts = folder.split("/") if folder else []
    return ["/".join(parts[: depth + 1]) for depth in range(len(parts))]


def what_is_wrong_with(path: str) -> str:
    """Why a text is no pattern; empty if it is one, or a plain name.

    >>> what_is_wrong_with("board_[0-9.csv"), what_is_wrong_with("board_[0-9].csv")
    ("has a '[' without a ']'; '[[]' means the bracket itself", '')
    """
    for part in path.split("/"):
        if _ANY_FOLDERS in part and part != _ANY_FOLDERS:
            return "has '**' beside other letters; it stands alone for any folders"
        if "[" in re.sub(r"\[!?\]?[^\]]*\]", "", part):
            return "has a '[' without a ']'; '[[]' means the bracket itself"
    return ""


def by_name(path: str) -> tuple[str, str]:
    """What paths are ordered by: letter by letter, the ending apart.

    >>> max(["b_20240422.csv", "b_20240422-2.csv"], key=by_name)
    'b_20240422-2.csv'
    """
    folders, slash, name = path.rpartition("/")
    stem, dot, _ = name.rpartition(".")
    return folders + slash + (stem if dot else name), path


def newest_by_name(paths: Iterable[str]) -> str | tuple[str, str]:
    """The file with the greatest date in its name; of equal ones the last by name.

    A name without a date is older than all that have one, one with several has the latest of
    them. 03-04-2024 is 4 March or 3 April, as the other names show.

    Returns:
        The newest; two where both readings are possible and the newest depends on it, the one
        with the month first before the other.

    >>> newest_by_name(["b_20240404.csv", "b_20240329.csv", "b_latest.csv"])
    'b_20240404.csv'
    >>> newest_by_name(["03-04-2024.csv", "02-05-2024.csv"])
    ('03-04-2024.csv', '02-05-2024.csv')
    >>> newest_by_name(["03-04-2024.csv", "02-05-2024.csv", "02-13-2024.csv"])
    '03-04-2024.csv'
    """
    named = {path: _days(path.rpartition("/")[2]) for path in paths}
    # A name that has one reading only shows what the others mean.
    orders = {day.month_first for days in named.values() for day in days} - {None}
    newest = [
        max(named, key=lambda path: (_latest(named[path], month_first), *by_name(path)))
        for month_first in (True, False)
        if len(orders) != 1 or month_first in orders
    ]
    return newest[0] if len(set(newest)) == 1 else (newest[0], newest[1])


def dates_left_open(path: str) -> str | None:
    """The pattern of all files that differ from one in the date in their name; None without one.

    >>> dates_left_open("data/board[1]_2024-04-22.csv"), dates_left_open("board.csv")
    ('data/board[[]1]_*.csv', None)
    """
    folders, slash, name = path.rpartition("/")
    if not _days(name):
        return None
    stars = _DATE.sub(lambda match: "*" if _day(match) else match[0], escaped(name))
    return escaped(folders) + slash + stars


class _Day(NamedTuple):
    """A date in a name, with the month first and with the day first.

    `month_first` is None where both are the same, or both are possible.
    """

    with_month_first: Ymd
    with_day_first: Ymd
    month_first: bool | None

    def read(self, month_first: bool) -> Ymd:
        return self.with_month_first if month_first else self.with_day_first


@lru_cache(maxsize=1 << 16)
def _days(name: str) -> tuple[_Day, ...]:
    """The dates in a name."""
    return tuple(day for match in _DATE.finditer(name) if (day := _day(match)))


def _day(match: re.Match[str]) -> _Day | None:
    """The date that was found; None where there is no such day."""
    said = {part: int(text) for part, text in match.groupdict("0").items() if part != "mark"}
    if said["year"]:
        month = (said["year"], said["month"], _NO_DAY[2])
        return _Day(month, month, None) if _is_day(*month[:2], 1) else None
    if said["last"]:
        year, first, second = said["last"], said["first"], said["second"]
        readings = [(year, first, second), (year, second, first)]
    else:
        readings = [(said["y"], said["m"], said["d"])] * 2
    good = [_is_day(*reading) for reading in readings]
    if not any(good):
        return None
    known = None if all(good) else good[0]
    return _Day(readings[0 if good[0] else 1], readings[1 if good[1] else 0], known)


def _latest(days: Iterable[_Day], month_first: bool) -> Ymd:
    return max((day.read(month_first) for day in days), default=_NO_DAY)


def _is_day(year: int, month: int, day: int) -> bool:
    try:
        return bool(date(year, month, day))
    except ValueError:
        return False


@lru_cache(maxsize=1 << 16)
def _letters(part: str) -> re.Pattern[str]:
    return re.compile(translate(part))


def _parts(pattern: str) -> list[str]:
    parts = pattern.split("/")
    return [*parts, "*"] if parts[-1] == _ANY_FOLDERS else parts


def _fits(pattern: Sequence[str], path: str) -> bool:
    """Whether a path fits a pattern; in steps that grow with the two lengths, never faster.

    As in a shell, a wildcard does not stand for the dot that hides a file or folder.
    """
    reached = {0}
    for part in path.split("/"):
        after: set[int] = set()
        for place in _through(pattern, reached):
            if place == len(pattern):
                continue
            wanted = pattern[place]
            if part.startswith(".") and not wanted.startswith("."):
                continue
            if wanted == _ANY_FOLDERS:
                after.add(place)
            elif _letters(wanted).match(part):
                after.add(place + 1)
        reached = after
    return len(pattern) in reached


def _through(pattern: Sequence[str], reached: set[int]) -> set[int]:
    """The places in a pattern that are reached, also by letting `**` stand for no folder."""
    all_ = set(reached)
    for place in sorted(reached):
        while place < len(pattern) and pattern[place] == _ANY_FOLDERS:
            place += 1
            all_.add(place)
    return all_
