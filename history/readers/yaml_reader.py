"""What does a YAML file hold?

In: bytes. Out: a TreeDocument in which every scalar is the text that was written: `no`, `007`,
`1e3` and `2024-05-01` mean nothing yet. Start at parse(). The library cuts the file into events;
no tag of the file makes anything, and one that is meant to makes the file unreadable.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any, NoReturn

import yaml

from history.readers import Unreadable, refuse_conflict
from history.readers.limits import MAX_DEPTH, MAX_VALUES, Deadline
from history.readers.tree import TreeDocument, twice

_GAPS = frozenset({"", "~", "null", "Null", "NULL"})  # where they are plain and have no tag
_MERGE = "<<"
_OWN = "tag:yaml.org,2002:"
# What YAML itself says of a value; the text that was written stands without it, too.
_TAGS = frozenset(
    _OWN + name
    for name in "binary bool float int map merge null omap pairs seq set str timestamp value".split()
) | {"!"}
_TAG_LINE = re.compile(rb"^%TAG", re.MULTILINE)
_MAX_TAG_LINES = 100  # the library compares each with all others
_LETTERS = 100  # of a text that is used again count as one value
_UNFINISHED = -1
_NOTHING = object()
_OFTEN = 1024  # values between two looks at the clock


def parse(data: bytes) -> TreeDocument:
    """Read a YAML file of one document.

    Plain `null`, `~` and nothing at all are gaps. Anchors and `<<` are followed. A tag of YAML's
    own, such as `!!str`, changes nothing.

    Args:
        data: the file as published, UTF-8, with or without a byte order mark.

    Raises:
        Unreadable: it is no YAML, a key stands twice, or there is a tag that is not YAML's own.

    >>> parse(b"- {model: fern, pass: 81.20, id: 007, note: ~}").value
    [{'model': 'fern', 'pass': '81.20', 'id': '007', 'note': None}]
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise Unreadable("not_text", f"not UTF-8 at byte {error.start}") from None
    refuse_conflict(data)
    if len(_TAG_LINE.findall(data)) > _MAX_TAG_LINES:
        raise Unreadable("too_large", f"more than {_MAX_TAG_LINES} %TAG lines")
    try:
        return TreeDocument(_Builder(text).value())
    except yaml.YAMLError as error:
        _refuse(text, error)


class _Open:
    """A list or an object whose end is still to come.

    Attributes:
        made: what it holds so far.
        cost: how many values that is, those of aliases counted anew.
        depth: how deep what it holds is nested.
        key: the key whose value comes next.
        merged: the value of `<<`.
    """

    __slots__ = ("anchor", "cost", "depth", "key", "made", "merged")

    def __init__(self, made: Any, anchor: str | None):
        self.made, self.anchor, self.cost, self.depth = made, anchor, 1, 1
        self.key: str | None = None
        self.merged: Any = _NOTHING


class _Builder:
    """Puts the values together, in one loop that no nesting can make deep."""

    def __init__(self, text: str):
        self._loader = yaml.CBaseLoader(text)
        self._open: list[_Open] = []
        # Anchor -> its value, and how many values and levels that is wherever it is used.
        self._anchors: dict[str, tuple[Any, int, int]] = {}
        self._left = MAX_VALUES
        self._deadline = Deadline()

    def value(self) -> Any:
        """The only document of the file."""
        opened, count, top = self._open, 0, _NOTHING
        get: Callable[[], Any] = self._loader.get_event
        while (event := get()) is not None:
            kind = type(event)
            if kind is yaml.ScalarEvent:
                if event.tag:
                    _check_tag(event)
                value: Any = event.value
                if value in _GAPS and event.implicit[0] and not event.style:
                    value = None
                cost = 1
                if event.anchor:
                    self._anchors[event.anchor] = value, 1 + len(event.value) // _LETTERS, 0
            elif kind is yaml.AliasEvent:
                value, cost = self._used_again(event)
            elif kind is yaml.SequenceStartEvent or kind is yaml.MappingStartEvent:
                self._begin(event, [] if kind is yaml.SequenceStartEvent else {})
                continue
            elif kind is yaml.SequenceEndEvent or kind is yaml.MappingEndEvent:
                value, cost = self._end(event)
            else:
                if kind is yaml.DocumentStartEvent and top is not _NOTHING:
                    said = f"line {event.start_mark.line + 1}: a second document begins"
                    raise Unreadable("invalid_yaml", f"{said}; a file with one is read")
                continue
            count += 1
            self._left -= 1
            if self._left < 0:
                self._too_many()
            if not count % _OFTEN:
                self._deadline.check("its values are read")
            if not opened:
                top = value
                continue
            inside = opened[-1]
            inside.cost += cost
            if type(inside.made) is list:
                inside.made.append(value)
            elif inside.key is None:
                inside.key = self._key(event, value)
            else:
                self._put(inside, event, value)
        if top is _NOTHING:
            raise Unreadable("empty", "the file holds nothing but comments")
        return top

    def _begin(self, event: Any, made: Any) -> None:
        if event.tag:
            _check_tag(event)
        if event.anchor:
            self._anchors[event.anchor] = made, _UNFINISHED, 0
        self._open.append(_Open(made, event.anchor))
        self._deepen(event, 0)

    def _deepen(self, event: Any, levels: int) -> None:
        """What stands here has so many levels of its own."""
        if len(self._open) + levels > MAX_DEPTH:
            raise Unreadable("too_large", f"{_line(event)}: nested too deep")
        if self._open:
            self._open[-1].depth = max(self._open[-1].depth, 1 + levels)

    def _end(self, event: Any) -> tuple[Any, int]:
        ended = self._open.pop()
        if ended.merged is not _NOTHING:
            _merge(ended, event)
        if ended.anchor:
            self._anchors[ended.anchor] = ended.made, ended.cost, ended.depth
        self._deepen(event, ended.depth)
        return ended.made, ended.cost

    def _used_again(self, event: Any) -> tuple[Any, int]:
        if event.anchor not in self._anchors:
            raise Unreadable("invalid_yaml", f"{_line(event)}: *{event.anchor} is nowhere defined")
        value, cost, levels = self._anchors[event.anchor]
        if cost == _UNFINISHED:
            raise Unreadable("too_large", f"{_line(event)}: &{event.anchor} holds itself")
        self._left -= cost
        merges = bool(self._open) and self._open[-1].key == _MERGE
        self._deepen(event, levels - 1 if merges else levels)
        return value, cost

    def _key(self, event: Any, value: Any) -> str:
        if type(event) is yaml.ScalarEvent:
            # Only a plain << merges; a quoted one is a name.
            if event.value == _MERGE and not (event.implicit[0] and not event.style):
                raise Unreadable("invalid_yaml", f"{_line(event)}: a quoted '<<' as a key")
            return str(event.value)
        if isinstance(value, str):
            return value
        raise Unreadable("invalid_yaml", f"{_line(event)}: a key that is no text")

    def _put(self, inside: _Open, event: Any, value: Any) -> None:
        key, inside.key = inside.key, None
        if key == _MERGE and inside.merged is _NOTHING:
            inside.merged = value
        elif key == _MERGE or key in inside.made:
            first = inside.merged if key == _MERGE else inside.made[key]
            raise Unreadable("repeated_key", f"{_line(event)}: {twice(str(key), first, value)}")
        else:
            inside.made[key] = value

    def _too_many(self) -> NoReturn:
        raise Unreadable(
            "too_large", f"more than {MAX_VALUES:,} values, each counted wherever it is used"
        )


def _merge(ended: _Open, event: Any) -> None:
    """Add what `<<` names: earlier ones win, and the object's own keys win over all."""
    for one in ended.merged if isinstance(ended.merged, list) else [ended.merged]:
        if not isinstance(one, dict):
            raise Unreadable("invalid_yaml", f"{_line(event)}: '<<' leads to no object")
        for key, value in one.items():
            ended.made.setdefault(key, value)


def _check_tag(event: Any) -> None:
    if event.tag not in _TAGS:
        shown = event.tag.replace(_OWN, "!!", 1) if event.tag.startswith(_OWN) else event.tag
        shown = shown if len(shown) <= 60 else f"{shown[:60]}..."
        said = f"the tag {shown!r} is none of YAML's own; only plain values are read"
        raise Unreadable("invalid_yaml", f"{_line(event)}: {said}")


def _line(event: Any) -> str:
    return f"line {event.start_mark.line + 1}"


def _refuse(text: str, error: yaml.YAMLError) -> NoReturn:
    mark = getattr(error, "problem_mark", None)
    said = getattr(error, "problem", None) or getattr(error, "reason", None) or "no YAML"
    if "nesting depth" in said:
        raise Unreadable("too_large", f"line {mark.line + 1 if mark else 1}: nested too deep")
    if mark is None:
        place = getattr(error, "position", 0)
        raise Unreadable("invalid_yaml", f"line {text.count(chr(10), 0, place) + 1}: {said}")
    lines = text.split("\n")
    shown = lines[mark.line].strip()[:60] if mark.line < len(lines) else ""
    where = f"line {mark.line + 1}, column {mark.column + 1}: {said}"
    raise Unreadable("invalid_yaml", where + (f", at {shown!r}" if shown else ""))
