"""Which objects and lists does a script or a web page hold?

In: bytes of a JavaScript file, or of a page. Out: a ScriptDocument whose value is an object of
what stands under a name: `const models = [...]`, `window.DATA = {...}`, `export default`, and the
JSON scripts of a page under their ids. Start at parse(). Nothing is run.
"""

from __future__ import annotations

import json
import re
import threading
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np

from history.readers import FORMATS, Unreadable, refuse_conflict
from history.readers.encoding import decoded
from history.readers.js_values import Literals, NoLiteral, place
from history.readers.json_reader import said_of, value_of
from history.readers.limits import Deadline
from history.readers.tree import RepeatedKey, TreeDocument, TreeTable, first_key

_PARSING = "its scripts are parsed"
_CHUNK = 1 << 16
_CONTAINERS = ("object", "array")
_SCRIPT_TYPES = re.compile(r"|module|text/babel|(?:text|application)/(?:x-)?(?:java|ecma)script")
_OFTEN = 1024
# The library calls itself for each `{` that could begin an object or a block. What no cap sees,
# as brackets in comments hide it, needs 120 bytes for each of 700,000 of them.
_MOST_OPEN = 10_000  # brackets, counted in texts and comments, too
_STACK = 128 * 1024 * 1024


class Named(NamedTuple):
    """Something that a script gives a name.

    Attributes:
        value: what is written there; an Unreadable where that cannot be told.
        where: for people.
    """

    value: Any
    where: str

    @property
    def counts(self) -> bool:
        """Whether it could be the rows: an object or a list that is not empty."""
        return bool(self.value) and isinstance(self.value, dict | list | Unreadable)


class ScriptDocument(TreeDocument):
    """The values of scripts by their names; see `history.readers.Document`.

    Args:
        named: every value, by name.
        damaged: scripts that could not be read, for people.
    """

    def __init__(self, named: dict[str, list[Named]], damaged: list[str]):
        values: dict[str, Any] = {}
        self._refused: dict[str, Unreadable] = {}
        self._damaged = damaged
        for name, found in named.items():
            counting = [one for one in found if one.counts] or found
            value = counting[0].value
            if len(counting) > 1 and counting[0].counts:
                places = " and ".join(one.where for one in counting[:5])
                said = f"{name!r} is given several values, at {places}"
                self._refused[name] = Unreadable("repeated_key", said)
            elif isinstance(value, Unreadable):
                self._refused[name] = value
            elif len(counting) == 1:
                values[name] = value
        super().__init__(values)

    def table(self, rows: str = "") -> TreeTable:
        """The rows at a JSONPath that begins with a name; without one, the only rows there are.

        Raises:
            Unreadable: no rows stand there, or what stands there is not written out.
        """
        tables = [] if rows else self.tables()
        if len(tables) == 1:
            return tables[0][1]
        if not rows:
            raise self._no_rows(tables)
        if refused := self._refused.get(first_key(rows) or ""):
            raise refused
        return super().table(rows)

    def tables(self) -> list[tuple[str, TreeTable]]:
        """Every list of objects, and every object of objects, below a name."""
        return [(path, table) for path, table in super().tables() if path != "$"]

    def _no_rows(self, tables: Sequence[object]) -> Unreadable:
        """Why the rows cannot be told without a path."""
        for refused in () if tables else self._refused.values():
            if refused.reason != "no_table":  # this would be the data
                return refused
        return Unreadable("no_table", f"no rows are named; {self._known()}")

    def _known(self) -> str:
        why = [f"{name}: {refused.found}" for name, refused in self._refused.items()]
        return "; ".join([super()._known(), *self._damaged[:3], *why[:3]])


def parse(data: bytes) -> ScriptDocument:
    """Read a JavaScript file.

    Args:
        data: the file as published; for encodings see `encoding.decoded`.

    Raises:
        Unreadable: it is no JavaScript.

    >>> parse(b"const models = [{id: 'fern', v: 81.20,},];").value
    {'models': [{'id': 'fern', 'v': '81.20'}]}
    """
    source = decoded(data).encode()
    refuse_conflict(source)

    def document() -> ScriptDocument:
        named: dict[str, list[Named]] = {}
        _collect(source, Deadline(), named)
        return ScriptDocument(named, [])

    return _with_room(source, document)


def parse_html(data: bytes) -> ScriptDocument:
    """Read the scripts of a web page.

    A script of JSON goes by its id, or by its number among all scripts: `$['#2']`.

    Args:
        data: the page as published.

    Raises:
        Unreadable: too_large, too_slow.

    >>> page = b"<script type='application/json' id=board>[{\\"v\\": 81.20}]</script>"
    >>> parse_html(page).value
    {'board': [{'v': '81.20'}]}
    """
    return _with_room(data, lambda: _of_page(decoded(data)))


def _with_room(data: bytes, read: Callable[[], ScriptDocument]) -> ScriptDocument:
    """Read on a stack that the file cannot overflow, which would end the program."""
    if len(data) < 2 * _MOST_OPEN:  # in UTF-16 a bracket takes two
        return read()
    usual = threading.stack_size(_STACK)
    with ThreadPoolExecutor(1) as thread:
        try:
            work = thread.submit(read)
        finally:
            threading.stack_size(usual)
        return work.result()


def _of_page(page: str) -> ScriptDocument:
    deadline = Deadline()
    named: dict[str, list[Named]] = {}
    damaged = []
    scripts = _scripts(page)
    size = sum(len(script[-1]) for script in scripts)
    if size > FORMATS["js"].max_bytes:
        raise Unreadable("too_large", f"{size:,} letters of scripts in the page")
    for number, kind, id_, text in scripts:
        where = f"script #{number}"
        if "json" in kind:
            key = id_ or f"#{number}"
            named.setdefault(key, []).append(Named(_json(text, where), where))
        elif _SCRIPT_TYPES.fullmatch(kind):
            try:
                _collect(text.encode(), deadline, named, f"{where}, ")
            except Unreadable as error:
                if error.reason != "invalid_js":
                    raise
                damaged.append(error.found)
    return ScriptDocument(named, damaged)


def _scripts(markup: str) -> list[tuple[int, str, str, str]]:
    """Number among all scripts, type, id and text of those that a page holds itself."""
    from lxml import etree

    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    try:
        root = etree.fromstring(markup.encode(), parser)
    except etree.ParserError:  # nothing but comments
        return []
    found = () if root is None else root.iter("script")
    return [
        (number, one.get("type", "").strip().lower(), one.get("id", "").strip(), one.text or "")
        for number, one in enumerate(found, 1)
        if one.get("src") is None
    ]


def _json(text: str, where: str) -> Any:
    try:
        return value_of(text)
    except RepeatedKey as error:
        return Unreadable("repeated_key", f"{where}: {error}")
    except json.JSONDecodeError as error:
        return Unreadable("invalid_json", f"{where}: {said_of(error)}")


def _collect(
    source: bytes, deadline: Deadline, named: dict[str, list[Named]], where: str = ""
) -> None:
    """Add what one script gives names to.

    Raises:
        Unreadable: it is no JavaScript; too_large, too_slow.
    """
    import tree_sitter

    if (most := _most_open(source)) > _MOST_OPEN:
        size = f"{where}{most:,} brackets are open at once; at most {_MOST_OPEN:,} are read"
        raise Unreadable("too_large", size)
    try:
        tree = tree_sitter.Parser(_language()).parse(
            lambda start, _: source[start : start + _CHUNK],
            encoding="utf8",
            progress_callback=lambda *_: deadline.passed,
        )
    except ValueError:  # stopped
        deadline.check(_PARSING)
        raise
    if tree.root_node.has_error:
        raise Unreadable("invalid_js", where + _first_error(tree.root_node, source))
    literals = Literals(source, deadline)
    read: set[int] = set()
    for node in _nodes(tree.root_node, deadline, read):
        given = _given(node, literals)
        if given is None:
            continue
        name, value_node = given
        try:
            value = literals.value(value_node)
            read.add(node.id)
        except NoLiteral as error:
            # What is run could be anything; only what looks like data is worth a word.
            if value_node.type not in _CONTAINERS and "JSON.parse" not in error.found:
                continue
            value = Unreadable("no_table", f"{where}{error.found}")
        except Unreadable as error:
            if error.reason != "repeated_key":
                raise
            value = Unreadable(error.reason, where + error.found)
        named.setdefault(name, []).append(Named(value, where + place(node)))


def _most_open(source: bytes) -> int:
    """How many brackets are open at once, at most.

    >>> _most_open(b"f({a: [1]}); g()")
    3
    """
    letters = np.frombuffer(source, np.uint8)
    opens, closes = (np.isin(letters, list(marks)) for marks in (b"([{", b")]}"))
    open_now = np.cumsum(opens.astype(np.int32) - closes.astype(np.int32))
    return int(open_now.max(initial=0))


def _nodes(root: Any, deadline: Deadline, read: set[int]) -> Iterator[Any]:
    """Every node of a script, but for those inside nodes that are read by now."""
    cursor, looked_at = root.walk(), 0
    while True:
        looked_at += 1
        if not looked_at % _OFTEN:
            deadline.check("its names are sought")
        node = cursor.node
        yield node
        if node.id not in read and cursor.goto_first_child():
            continue
        while not cursor.goto_next_sibling():
            if not cursor.goto_parent():
                return


def _given(node: Any, literals: Literals) -> tuple[str, Any] | None:
    """The name that a node gives, and the node of its value."""
    kind = node.type
    if kind == "variable_declarator":
        target, value = (node.child_by_field_name(field) for field in ("name", "value"))
    elif kind == "assignment_expression":
        target, value = (node.child_by_field_name(field) for field in ("left", "right"))
    elif kind == "export_statement":
        value = node.child_by_field_name("value")
        return ("default", value) if value is not None else None
    else:
        return None
    if value is None:
        return None
    if target.type == "member_expression":
        target = target.child_by_field_name("property")
    elif target.type == "subscript_expression":
        target = target.child_by_field_name("index")
    if target.type == "string":
        return literals.letters(target), value
    if target.type in ("identifier", "property_identifier"):
        return literals.text(target), value
    return None


def _first_error(root: Any, source: bytes) -> str:
    """Where the first thing stands that is no JavaScript, and what."""
    for node in _errors(root):
        row, column = node.start_point
        line = source.split(b"\n")[row].decode(errors="replace").strip()[:60]
        return f"line {row + 1}, column {column + 1}: no JavaScript, at {line!r}"
    return "no JavaScript"


def _errors(root: Any) -> Iterator[Any]:
    waiting = [root]
    while waiting:
        node = waiting.pop()
        if node.is_error or node.is_missing:
            yield node
        elif node.has_error:
            waiting.extend(reversed(node.children))


@lru_cache(maxsize=1)
def _language() -> Any:
    import tree_sitter
    import tree_sitter_javascript

    return tree_sitter.Language(tree_sitter_javascript.language())
