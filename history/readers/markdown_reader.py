"""Which tables does a Markdown file hold?

In: bytes. Out: a GridDocument: the tables of GitHub's Markdown and those written in HTML, in file
order. Start at parse().

A table stands where GitHub would show one. To know that, the text becomes the page that GitHub
would make of it, line by line: what stands in a comment there, or in code, is no table.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.token import Token

from history.readers import Unreadable, conflict_line, refuse_conflict
from history.readers.encoding import decoded
from history.readers.grid import GridDocument, GridTable
from history.readers.html_cells import BREAK, line_of, mark, shown
from history.readers.html_reader import outline, table_of
from history.readers.limits import Deadline

_FRONT_MATTER = re.compile(r"---[ \t]*\n(?:.*\n)*?(?:---|\.\.\.)[ \t]*(?:\n|$)")
_BREAK = re.compile(r"<br\s*/?>", re.IGNORECASE)
_RAISED = re.compile(r"<sup(?:\s[^>]*)?>", re.IGNORECASE)
_FEW = 4  # tokens in which a raised text begins
_PIPE = re.compile(r"(?<!\\)\|")
_PREFIX = re.compile(r"[ \t>]*")
_DELIMITER = re.compile(r":?-{2,}:?")
_HTML_CELL = re.compile(r"<(?:table|td|th)(?=[\s/>])", re.IGNORECASE)
_CODE = ("fence", "code_block")
_HEADINGS = ("h1", "h2", "h3", "h4", "h5", "h6")
_NAMED = frozenset({*_HEADINGS, "td", "th"})
_DEADLINE = "deadline"
_MOST_LINES = 20_000
_MOST_PIPES = 10_000  # in a line; the library takes the square of those that are escaped
_MOST_LETTERS = 20_000  # of a cell, heading or paragraph; the library may take their square


def parse(data: bytes) -> GridDocument:
    """Read a Markdown file.

    Args:
        data: the file as published; for encodings see `encoding.decoded`.

    Raises:
        Unreadable: it is no text, or asks for too much.

    >>> page = b"# Board\\n\\n| Model | Score |\\n| --- | --- |\\n| [**fern**](x) | 81.20 |\\n"
    >>> parse(page).table("Board").literal("Model")
    Cells(texts=['fern'], pointers=['line=5;cell=1'], lines=None)
    """
    deadline = Deadline()
    text = decoded(data).replace("\r\n", "\n").replace("\r", "\n")
    front = _FRONT_MATTER.match(text)
    if front:
        text = "\n" * front[0].count("\n") + text[front.end() :]
    lines = text.split("\n")
    if len(lines) > _MOST_LINES:
        raise Unreadable("too_large", f"{len(lines):,} lines; at most {_MOST_LINES:,} are read")
    for number, line in enumerate(lines, 1):
        if (pipes := line.count("|")) > _MOST_PIPES:
            size = f"line {number}: {pipes:,} cells; at most {_MOST_PIPES:,} are read"
            raise Unreadable("too_large", size)
    env = {_DEADLINE: deadline}
    tokens = _library().parse(text, env)
    _refuse_unshown_conflict(text, tokens)
    for token in tokens if _HTML_CELL.search(text) else _of_tables_and_headings(tokens):
        if token.type == "inline":
            if len(token.content) > _MOST_LETTERS:
                size = f"line {_line(token)}: {len(token.content):,} letters in one place"
                raise Unreadable("too_large", f"{size}; at most {_MOST_LETTERS:,} are read")
            token.children = []
            _library().inline.parse(token.content, _library(), env, token.children)

    page = _Page(lines, tokens)
    tables: list[GridTable] = []
    for element, named in reversed(outline(page.markup(), deadline)):  # those inside others first
        if written := page.tables.get(line_of(element)):
            tables.append(_table(lines, written, named))
        elif table := table_of(element, named, deadline):
            tables.append(table)
    return GridDocument(tables[::-1])


class _Page:
    """The page that GitHub would show, each thing on the line where it stands in the text.

    Attributes:
        tables: line of a Markdown table, from 1 -> its tokens. On the page an empty table holds
            its place.
    """

    def __init__(self, lines: Sequence[str], tokens: Sequence[Token]):
        self.tables: dict[int, Sequence[Token]] = {}
        self._lines = [""] * len(lines)
        number = 0
        while number < len(tokens):
            token = tokens[number]
            if token.type == "table_open":
                end = _closing(tokens, number)
                self._put(token, "<table></table>")
                self.tables[_line(token)] = tokens[number:end]
                number = end
            elif token.type == "html_block":
                self._put(token, token.content)
            elif token.type == "inline":
                tag = tokens[number - 1].tag
                content = _markup(token)
                self._put(token, f"<{tag}>{content}</{tag}>" if tag in _HEADINGS else content)
            number += 1

    def markup(self) -> str:
        """The whole page."""
        return "\n".join(self._lines)

    def _put(self, token: Token, markup: str) -> None:
        for number, line in enumerate(markup.split("\n"), _line(token) - 1):
            if number < len(self._lines):
                self._lines[number] += line


@lru_cache(maxsize=1)
def _library() -> MarkdownIt:
    """GitHub's Markdown, without what stands inside blocks, and with an eye on the clock."""
    library = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
    library.disable("inline")
    block, inline = library.block.ruler, library.inline.ruler
    block.before(
        "table",
        _DEADLINE,
        lambda state, *_: _look_at(state.env),
        {"alt": ["paragraph", "reference", "blockquote", "list"]},
    )
    inline.before("text", _DEADLINE, lambda state, _: _look_at(state.env))
    return library


def _look_at(env: Mapping[str, Any]) -> bool:
    """A rule that matches nothing, and is asked before all others at every place."""
    env[_DEADLINE].check("the text is cut into blocks and cells")
    return False


def _of_tables_and_headings(tokens: Sequence[Token]) -> Iterator[Token]:
    for before, token in pairwise(tokens):
        if before.tag in _NAMED:
            yield token


def _table(lines: Sequence[str], tokens: Sequence[Token], named: Sequence[str]) -> GridTable:
    """The rows of one Markdown table, with all cells that were written.

    The library pads short rows and cuts long ones, as GitHub does; here they are left out.
    """
    header: list[str] = []
    cells, places, left_out = [], [], []
    for row in _rows(tokens):
        line = _line(row[0])
        texts = [shown(_text(token)) for token in row if token.type == "inline"]
        if not header:
            header = [text.replace("\n", " ") for text in texts]
            first = line
            continue
        written = _written(lines[line - 1])
        if all(map(_DELIMITER.fullmatch, written)):
            left_out.append(f"line {line} divides a header from rows, inside the table")
            continue
        cells.append([*texts, *written[len(texts) :]][: len(written)])
        places.append(line - first - 2)
    below = first + 2
    return GridTable(
        header,
        cells,
        places,
        lambda fit, column: [f"line={below + place};cell={column}" for place in fit],
        f"line={first}",
        lambda place: f"line {below + place}",
        left_out=left_out,
        named=named,
        breaks=True,
    )


def _rows(tokens: Sequence[Token]) -> list[list[Token]]:
    rows: list[list[Token]] = []
    for token in tokens:
        if token.type == "tr_open":
            rows.append([])
        if rows:
            rows[-1].append(token)
    return rows


def _written(line: str) -> list[str]:
    """The cells of a row as written; an escaped pipe divides nothing, one in code does."""
    cells = _PIPE.split(line[_PREFIX.match(line).end() :].strip())  # type: ignore[union-attr]
    if cells and not cells[0]:
        del cells[0]
    if cells and not cells[-1]:
        del cells[-1]
    return [cell.strip() for cell in cells]


def _text(token: Token) -> str:
    """What an inline token shows, as text."""
    pieces: list[str] = []
    children = token.children or []
    for number, child in enumerate(children):
        if child.type == "html_inline":
            if _RAISED.fullmatch(child.content):
                before = next((piece for piece in reversed(pieces) if piece), "")
                inside = (one.content for one in children[number + 1 : number + _FEW])
                pieces.append(mark(before, next(filter(None, inside), "")))
            else:
                pieces.append(BREAK if _BREAK.fullmatch(child.content) else "")
        elif child.type in ("softbreak", "hardbreak"):
            pieces.append(" ")
        elif child.type == "image":
            pieces.append(_text(child))
        else:
            pieces.append(child.content)
    return "".join(pieces)


def _markup(token: Token) -> str:
    """What an inline token shows, as HTML on one line.

    A `-->` stays one: it ends a comment that began in HTML above a blank line.
    """
    pieces = []
    for child in token.children or ():
        if child.type == "html_inline":
            pieces.append(child.content)
        else:
            text = _text(Token("inline", "", 0, children=[child]))
            pieces.append(text.replace("&", "&amp;").replace("<", "&lt;"))
    return "".join(pieces).replace("\n", " ")


def _closing(tokens: Sequence[Token], opening: int) -> int:
    return next(n for n in range(opening, len(tokens)) if tokens[n].type == "table_close")


def _line(token: Token) -> int:
    """The line of a block, from 1."""
    return token.map[0] + 1 if token.map else 1


def _refuse_unshown_conflict(text: str, tokens: Sequence[Token]) -> None:
    """Refuse marks of a merge conflict, unless they are shown as code."""
    if not conflict_line(text.encode()):
        return
    lines = text.split("\n")
    for token in tokens:
        if token.type in _CODE and token.map:
            lines[token.map[0] : token.map[1]] = [""] * (token.map[1] - token.map[0])
    refuse_conflict("\n".join(lines).encode())
