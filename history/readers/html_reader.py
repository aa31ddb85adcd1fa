"""Which tables does a web page hold?

In: bytes. Out: an HtmlDocument: its tables, and whatever objects and lists its scripts hold.
Start at parse(). The page is never rendered, and nothing that it names is fetched.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from contextlib import suppress
from itertools import islice
from typing import Any, NamedTuple

from lxml import etree

from history.readers import Table, Unreadable, refuse_conflict
from history.readers.encoding import decoded
from history.readers.grid import GridDocument, GridTable
from history.readers.html_cells import BREAK, LINE, MOST_LINES, Row, cut, line_of, names, shown
from history.readers.limits import MAX_DEPTH, Deadline
from history.readers.tree import TreeDocument

_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
# What is not shown, or not text.
_UNSEEN = ("script", "style", "template", etree.Comment, etree.ProcessingInstruction)
# Between these there is white space, even if none is written.
_BLOCKS = ("p", "div", "li", "ul", "ol", "dl", "dt", "dd", "pre", "blockquote", "section")
_TAG = re.compile(r"\n|<(?:table|tr|td|th)(?=[\s/>])", re.IGNORECASE)
_CONTROLS = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")
_MOST_PIECES = 100  # of a heading's text
_MOST_TAGS = 500_000
_MOST_ATTRIBUTES = 1_000  # of a tag
_HARMLESS = 50_000  # bytes, whatever stands in them
_LIMIT = etree.ErrorTypes.ERR_RESOURCE_LIMIT


class Found(NamedTuple):
    """A table of a page that is not cut yet.

    Attributes:
        element: the `<table>`, of lxml.
        named: the heading above it, and its caption.
    """

    element: Any
    named: list[str]


class HtmlDocument(GridDocument):
    """A page; see `history.readers.Document`. What begins with `$` is sought in its scripts."""

    def __init__(self, tables: Sequence[GridTable], data: bytes):
        super().__init__(tables)
        self._data = data
        self._tree: TreeDocument | None = None

    def find(self, path: str) -> str | None:
        """The first value that a JSONPath finds in the scripts."""
        try:
            return self._scripts().find(path)
        except Unreadable:  # the tables are no worse for it
            return None

    def table(self, rows: str = "") -> Table:
        """A table by its number, heading or caption; with a JSONPath, rows in the scripts."""
        if rows == "$" or rows.startswith(("$.", "$[")):
            return self._scripts().table(rows)
        return super().table(rows)

    def tables(self) -> Sequence[tuple[str, Table]]:
        """All tables, then the rows in the scripts."""
        try:
            rows = self._scripts().tables()
        except Unreadable:
            rows = []
        return [*super().tables(), *rows]

    def _scripts(self) -> TreeDocument:
        if self._tree is None:
            from history.readers import js_reader

            self._tree = js_reader.parse_html(self._data)
        return self._tree


def parse(data: bytes) -> HtmlDocument:
    """Read a web page.

    Args:
        data: the file as published; for encodings see `encoding.decoded`.

    Raises:
        Unreadable: it is no text, or asks for too much.

    >>> page = b"<table><tr><th>model<th>score<tr><td>fern<td>81.20</table>"
    >>> parse(page).table().literal("score")
    Cells(texts=['81.20'], pointers=['line=1;cell=2'], lines=None)
    """
    text = decoded(data)
    refuse_conflict(text.encode())
    deadline = Deadline()
    found = outline(text, deadline)
    tables = [
        grid
        for element, named in reversed(found)  # those inside others first
        if (grid := table_of(element, named, deadline))
    ]
    return HtmlDocument(tables[::-1], data)


def outline(markup: str, deadline: Deadline) -> list[Found]:
    """The tables of a page in file order, with the heading above each and its caption.

    Comments, scripts and templates hold none.

    Raises:
        Unreadable: too_large, too_slow.
    """
    root = _tree(markup)
    if root is None:
        return []
    found, heading = [], ""
    for element in root.iter("table", *_HEADINGS):
        deadline.check("the headings of the page are read")
        if element.tag != "table":
            heading = _short(element) or heading
            continue
        if sum(1 for _ in element.iterancestors("table")) > MAX_DEPTH:
            raise Unreadable("too_large", f"more than {MAX_DEPTH} tables inside each other")
        caption = element.find("caption")
        named = [heading, "" if caption is None else _short(caption)]
        found.append(Found(element, [name for name in named if name]))
    return found


def table_of(element: Any, named: Sequence[str], deadline: Deadline) -> GridTable | None:
    """The rows of one table, which is empty afterwards; None if it has no cells.

    Titles of sections and headers that come again are no rows.
    """
    header, body = cut(element, deadline)
    line = line_of(element)
    element.clear(keep_tail=True)
    if not header:
        return None
    columns = names(header)
    again = [columns, *(row.texts() for row in header)]
    cells, places, left_out = [], [], []
    for place, row in enumerate(body):
        texts = row.texts()
        if row.titles >= len(columns) or texts in again:
            continue
        if not row.plain and len(texts) > 1:
            left_out.append(f"line {row.line} holds another header, {' | '.join(texts)[:60]!r}")
            continue
        cells.append(texts)
        places.append(place)
    return GridTable(
        columns,
        cells,
        places,
        lambda fit, column: _pointers(body, fit, column),
        f"line={line}",
        lambda place: f"line {body[place].line}",
        left_out=left_out,
        named=named,
        breaks=True,
    )


def _pointers(body: Sequence[Row], places: Sequence[int], column: int) -> list[str]:
    spots = [body[place].spots[column - 1] for place in places]
    return [f"line={spot.line};cell={spot.number}" for spot in spots]


def _tree(markup: str) -> Any:
    """The page as lxml elements, without what is not shown; None if there is none."""
    text = markup.replace("\r\n", "\n").replace("\r", "\n")
    if (tags := text.count("<")) > _MOST_TAGS:
        raise Unreadable("too_large", f"{tags:,} tags; at most {_MOST_TAGS:,} are read")
    if text.count("\n") >= MOST_LINES - 1:
        text = _with_lines(text)
    data = text.encode()
    _refuse_attributes(data)
    # Nothing is fetched: this parser knows neither entities of its own nor other files.
    parser = etree.HTMLParser(encoding="utf-8", huge_tree=True, no_network=True)
    try:
        root = etree.fromstring(data, parser)
    except etree.ParserError:  # nothing but comments
        return None
    for error in parser.error_log:
        if error.type == _LIMIT:
            raise Unreadable("too_large", f"line {error.line}: {error.message.strip()}")
    if root is None:
        return None
    etree.strip_elements(root, *_UNSEEN, with_tail=False)
    for element in root.iter("br"):
        element.tail = BREAK + _settable(element.tail)
    for element in root.iter(*_BLOCKS):
        element.text, element.tail = f" {_settable(element.text)}", f" {_settable(element.tail)}"
    return root


def _settable(text: str | None) -> str:
    """A text without the letters that the library reads, but refuses to be told."""
    return _CONTROLS.sub("\ufffd", text or "")


def _refuse_attributes(data: bytes) -> None:
    """Refuse a page with a tag of so many attributes that its tree takes too long to grow.

    Raises:
        Unreadable: too_large.
    """
    if len(data) < _HARMLESS:
        return
    counter = _Counter()
    with suppress(etree.LxmlError):  # said when the tree grows
        etree.fromstring(data, etree.HTMLParser(target=counter, encoding="utf-8", huge_tree=True))
    if counter.most > _MOST_ATTRIBUTES:
        found = f"a tag with {counter.most:,} attributes; at most {_MOST_ATTRIBUTES:,} are read"
        raise Unreadable("too_large", found)


class _Counter:
    """Counts attributes; the library's tree takes the square of the time for those of one tag."""

    most = 0

    def start(self, _: str, attributes: Mapping[str, str]) -> None:
        """Called for each tag."""
        self.most = max(self.most, len(attributes))

    def close(self) -> None:
        """Called at the end."""


def _with_lines(text: str) -> str:
    """A page whose tables say the line of each tag, where there are more than get counted.

    What stands in quotes or comments is changed, too; it is no text of a cell.
    """
    line = 1

    def counted(found: re.Match[str]) -> str:
        nonlocal line
        if found[0] == "\n":
            line += 1
            return "\n"
        return f"{found[0]} {LINE}={line}"

    return _TAG.sub(counted, text)


def _short(element: Any) -> str:
    pieces = islice(element.itertext(), _MOST_PIECES)
    return shown("".join(pieces)).replace("\n", " ")
