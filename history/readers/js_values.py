"""What does a JavaScript literal say?

In: a node of a parsed script. Out: dicts, lists, texts, True, False and None. Start at
Literals.value(). Only what stands there counts: nothing is run, so a name, a call or a spread is
no value.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

from history.readers import Unreadable
from history.readers.json_reader import value_of
from history.readers.limits import MAX_DEPTH, MAX_VALUES, Deadline
from history.readers.tree import RepeatedKey, twice

_CONSTANTS = {"true": True, "false": False, "null": None, "undefined": None}
_NOT_FINITE = ("NaN", "Infinity")
_ESCAPES = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "v": "\v"}
_LINE_ENDS = ("\n", "\r\n", "\r", "\u2028", "\u2029")
_OCTAL = re.compile("[0-7]{1,3}")
_SURROGATE = re.compile("[\ud800-\udfff]")
# Calls that give back what they are told.
_FREEZE, _PARSE = "Object.freeze", "JSON.parse"
_SHOWN = 60  # bytes of what is no literal
_OFTEN = 1024  # values between two looks at the clock


class NoLiteral(Exception):
    """Something that would have to be run.

    Attributes:
        found: where it stands, and what.
    """

    def __init__(self, found: str):
        self.found = found
        super().__init__(found)


class Literals:
    """Reads the literals of one script.

    Args:
        source: the script, UTF-8.
        deadline: when to give up.
    """

    def __init__(self, source: bytes, deadline: Deadline):
        self.source, self._deadline = source, deadline
        self._left = MAX_VALUES

    def value(self, node: Any) -> Any:
        """The value of a node.

        Raises:
            NoLiteral: it is not written out.
            Unreadable: a key stands twice in one object, or there is too much of it.
        """
        if node.type in ("object", "array"):
            # Most are JSON, and its reader is many times faster.
            try:
                return value_of(self.text(node))
            except json.JSONDecodeError:
                pass
            except RepeatedKey as error:
                raise Unreadable("repeated_key", f"{place(node)}: {error}") from None
        return self._value(node, 0)

    def text(self, node: Any) -> str:
        """What stands at a node."""
        return self.source[node.start_byte : node.end_byte].decode()

    def _value(self, node: Any, depth: int) -> Any:
        self._left -= 1
        if self._left < 0:
            raise Unreadable("too_large", f"more than {MAX_VALUES:,} values")
        if not self._left % _OFTEN:
            self._deadline.check("its values are read")
        if depth > MAX_DEPTH:
            raise Unreadable("too_large", f"{place(node)}: nested too deep")
        kind = node.type
        if kind == "string" or kind == "template_string":
            return self.letters(node)
        if kind == "number":
            return self.text(node)
        if kind in _CONSTANTS:
            return _CONSTANTS[kind]
        if kind == "object":
            return self._object(node, depth)
        if kind == "array":
            return self._array(node, depth)
        if kind == "unary_expression":
            return self._signed(node)
        if kind == "identifier" and self.text(node) in _NOT_FINITE:
            return self.text(node)
        if kind == "parenthesized_expression":
            inner = _without_comments(node)
            if len(inner) == 1:
                return self._value(inner[0], depth + 1)
        if kind == "call_expression":
            return self._called(node, depth)
        raise self._no_literal(node)

    def _object(self, node: Any, depth: int) -> dict[str, Any]:
        made: dict[str, Any] = {}
        for pair in _children(node):
            if not pair.is_named or pair.type == "comment":
                continue
            if pair.type != "pair":
                raise self._no_literal(pair)
            key_node, value_node = (pair.child_by_field_name(f) for f in ("key", "value"))
            if key_node.type == "string":
                key = self.letters(key_node)
            elif key_node.type in ("property_identifier", "number"):
                key = self.text(key_node)
            else:
                raise self._no_literal(key_node)
            value = self._value(value_node, depth + 1)
            if key in made:
                said = f"{place(key_node)}: {twice(key, made[key], value)}"
                raise Unreadable("repeated_key", said)
            made[key] = value
        return made

    def _array(self, node: Any, depth: int) -> list[Any]:
        made: list[Any] = []
        commas = 0
        for child in _children(node):
            if child.type == ",":
                commas += 1
                if commas > len(made):  # a hole, as in [1, , 2]
                    raise self._no_literal(node)
            elif child.is_named and child.type != "comment":
                made.append(self._value(child, depth + 1))
        return made

    def _signed(self, node: Any) -> str:
        sign = self.text(node.child_by_field_name("operator"))
        argument = node.child_by_field_name("argument")
        if sign in ("-", "+") and argument.type in ("number", "identifier"):
            printed = self.text(argument)
            if argument.type == "number" or printed in _NOT_FINITE:
                return sign + printed
        raise self._no_literal(node)

    def _called(self, node: Any, depth: int) -> Any:
        called, arguments = (node.child_by_field_name(f) for f in ("function", "arguments"))
        known = called.type == "member_expression" and arguments.type == "arguments"
        name = self.text(called) if known else ""
        told = _without_comments(arguments) if name in (_FREEZE, _PARSE) else []
        if len(told) != 1:
            raise self._no_literal(node)
        if name == _FREEZE:
            return self._value(told[0], depth + 1)
        if told[0].type not in ("string", "template_string"):
            raise self._no_literal(node)
        try:
            return value_of(self.letters(told[0]))
        except json.JSONDecodeError as error:
            said = f"JSON.parse of no JSON, {error.msg.removesuffix(' starting at')}"
            raise NoLiteral(f"{place(node)}: {said}, at letter {error.pos + 1}") from None
        except RepeatedKey as error:
            raise Unreadable("repeated_key", f"{place(node)}: {error}") from None

    def letters(self, node: Any) -> str:
        """The text that a string, or a template without names in it, stands for.

        Raises:
            NoLiteral: names stand in it.
        """
        parts = []
        for child in node.children[1:-1]:
            if child.type == "string_fragment":
                parts.append(self.text(child))
            elif child.type == "escape_sequence":
                parts.append(_unescaped(self.text(child)))
            else:
                raise self._no_literal(child)
        text = "".join(parts)
        if _SURROGATE.search(text):  # an emoji is written as two escapes
            text = text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
        return text

    def _no_literal(self, node: Any) -> NoLiteral:
        end = min(node.end_byte, node.start_byte + _SHOWN)
        shown = " ".join(self.source[node.start_byte : end].decode(errors="ignore").split())
        return NoLiteral(f"{place(node)}: {shown!r} is not written out")


def place(node: Any) -> str:
    """Where a node begins, for people."""
    return f"line {node.start_point[0] + 1}"


def _children(node: Any) -> Iterator[Any]:
    """One after the other: a list of them all would take more memory than the script."""
    cursor = node.walk()
    more = cursor.goto_first_child()
    while more:
        yield cursor.node
        more = cursor.goto_next_sibling()


def _without_comments(node: Any) -> list[Any]:
    return [child for child in node.named_children if child.type != "comment"]


def _unescaped(escape: str) -> str:
    """The letters of one escape sequence.

    >>> _unescaped(r"\\x41"), _unescaped(r"\\u{1F33F}"), _unescaped(r"\\'"), _unescaped("\\\\\\n")
    ('A', '🌿', "'", '')
    """
    letters = escape[1:]
    if letters in _LINE_ENDS:
        return ""
    if letters[0] in "xu":
        number = int(letters[1:].strip("{}"), 16)
        return chr(number) if number <= 0x10FFFF else "\ufffd"
    if _OCTAL.fullmatch(letters):
        return chr(int(letters, 8))
    return _ESCAPES.get(letters, letters)
