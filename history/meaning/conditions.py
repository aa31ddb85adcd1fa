"""For which rows does a condition hold?

In: a text such as `not Model ~ '^Human' and "Team Name" != 'Host'`. Out: a Condition. Start at
parse(). Three values: what is unknown stays unknown, and a row takes part where the condition is
true.

Columns stand in double quotes if they are no plain word or path, texts in single quotes. Two
numbers compare as decimals, "7B" being 7000000000; two texts letter by letter. Unknown is an empty
cell (`column exists` asks for it), and what cannot be compared: a number or true with a text that
is none, two units, and a bare 8 with "7B", as it could mean 8B.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

from history import numbers
from history.meaning import patterns
from history.meaning.columns import Column, Named
from history.numbers.marks import Unit
from history.readers import Table, no_column

Row = Mapping[str, str | None]
Truth = bool | None
Test = Callable[[Row], Truth]

_GRAMMAR = r"""
?start: either
?either: both ("or" both)*
?both: negated ("and" negated)*
?negated: "not" negated -> negate | plain
?plain: "(" either ")"
      | operand COMPARE operand -> compare
      | operand "in" "(" _listed ")" -> one_of
      | operand "in" "[" _listed "]" -> one_of
      | operand "~" TEXT -> matches
      | column "exists" -> exists
_listed: literal ("," literal)* ","?
?operand: column | literal
column: WORD -> word | PATH -> word | QUOTED -> quoted
literal: TEXT -> text | NUMBER -> number | "true" -> true | "false" -> false

COMPARE: "==" | "!=" | "<=" | ">=" | "<" | ">"
WORD: /[^\W\d]\w*/
PATH: /\$(?:\.[^\W\d]\w*|\[[^\]]*\])+/
QUOTED: /"[^"]*"/
TEXT: /'(?:[^']|'')*'/
NUMBER: /[+-]?\d+(?:\.\d+)?(?:[eE][+-]?\d{1,2})?/
%ignore /\s+/
"""


_TRUTHS = frozenset({"true", "false"})
_SIGNS: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


class ConditionError(ValueError):
    """A condition cannot be understood."""


@dataclass(frozen=True)
class Condition:
    """A question about a row.

    Attributes:
        text: as written.
        names: the columns or attributes that it looks at, sorted.
        needed: those of them that a version must have; one that the condition asks `exists` of
            may be missing.
        compared: those of which it looks at the value, and not only whether there is one.
    """

    text: str
    names: tuple[str, ...]
    needed: tuple[str, ...]
    compared: frozenset[str]
    _test: Test

    def __call__(self, row: Row) -> Truth:
        """True, False or None (unknown) for one row: the texts of its columns by name.

        >>> parse("size >= 7")({"size": "7.0"}), parse("not size == 7")({"size": None})
        (True, None)
        """
        return self._test(row)


@lru_cache(maxsize=64)
def parse(text: str) -> Condition:
    """Understand a condition.

    Raises:
        ConditionError: where it stopped making sense, and what was expected there.

    >>> parse("open == true or \\"Team Name\\" in ('a', 'b')").names
    ('Team Name', 'open')
    """
    from lark.exceptions import UnexpectedCharacters, UnexpectedEOF, UnexpectedToken

    try:
        tree = _parser().parse(text)
    except (UnexpectedToken, UnexpectedCharacters, UnexpectedEOF) as error:
        raise ConditionError(_what_is_wrong(text, error)) from None
    compiler = _Compiler()
    test = compiler.test(tree)
    names, needed = sorted(compiler.names), sorted(compiler.names - compiler.asked)
    return Condition(text, tuple(names), tuple(needed), frozenset(compiler.compared), test)


def truths(
    condition: Condition, table: Table, attributes: Mapping[str, Column] | None = None
) -> list[bool]:
    """Where a condition is plainly true, by row; equal rows are asked once.

    Args:
        condition: about the rows.
        table: that has the rows.
        attributes: columns that the condition may call by these names.

    Raises:
        Unreadable: no row has a column that the condition needs.
    """
    size = len(table.places)
    texts: list[Sequence[str | None]] = []
    for name in condition.names:
        column = (attributes or {}).get(name) or Named(name)
        cells = column.cells(table)
        if cells is None and name in condition.needed:
            raise no_column(name, table)
        texts.append([None] * size if cells is None else cells.texts)
    if not texts:
        return [condition({}) is True] * size
    known: dict[tuple[str | None, ...], bool] = {}
    found = []
    for values in zip(*texts, strict=True):
        if values not in known:
            known[values] = condition(dict(zip(condition.names, values, strict=True))) is True
        found.append(known[values])
    return found


@lru_cache(maxsize=1)
def _parser() -> Any:
    from lark import Lark

    return Lark(_GRAMMAR, parser="lalr", maybe_placeholders=False)


_PEOPLE = {
    "WORD": "a column",
    "PATH": "a column",
    "QUOTED": "a column",
    "TEXT": "a text in single quotes",
    "NUMBER": "a number",
    "COMPARE": "== != < <= > >=",
    "TILDE": "'~'",
    "LPAR": "'('",
    "RPAR": "')'",
    "LSQB": "'['",
    "RSQB": "']'",
    "COMMA": "a comma",
    "$END": "the end",
}


def _what_is_wrong(text: str, error: Any) -> str:
    """One line for people; lark names what would have fitted in several ways."""
    fitting = getattr(error, "accepts", None) or getattr(error, "expected", None)
    fitting = fitting or getattr(error, "allowed", None) or ()
    expected = ", ".join(sorted({_PEOPLE.get(name, name.lower()) for name in fitting}))
    at_end = getattr(getattr(error, "token", None), "type", "") == "$END"
    letter = 0 if at_end else int(getattr(error, "column", None) or 0)
    place = (
        f"at letter {letter}, {text[letter - 1 : letter + 19]!r}" if letter > 0 else "at its end"
    )
    return f"{text!r} stops making sense {place}; expected {expected}"


class _Operand(NamedTuple):
    """One side of a comparison.

    Attributes:
        text: what it is in a row.
        kind: column, or what the literal is: text, number, true, false.
    """

    text: Callable[[Row], str | None]
    kind: str = "column"


class _Compiler:
    """Turns a syntax tree into a function of a row, and collects the columns."""

    def __init__(self) -> None:
        self.names: set[str] = set()
        self.asked: set[str] = set()
        self.compared: set[str] = set()

    def test(self, tree: Any) -> Test:
        kind, parts = tree.data, tree.children
        if kind == "either":
            return _any([self.test(part) for part in parts])
        if kind == "both":
            return _all([self.test(part) for part in parts])
        if kind == "negate":
            return _not(self.test(parts[0]))
        if kind == "exists":
            name = self._name(parts[0])
            self.asked.add(name)
            return lambda row: bool(_cell(row, name))
        if kind == "matches":
            return _matches(self._operand(parts[0]), _pattern(parts[1]))
        if kind == "one_of":
            left = self._operand(parts[0])
            equal = [_compared(left, "==", self._operand(part)) for part in parts[1:]]
            return _any(equal)
        return _compared(self._operand(parts[0]), str(parts[1]), self._operand(parts[2]))

    def _operand(self, tree: Any) -> _Operand:
        if tree.data in ("word", "quoted"):
            name = self._name(tree)
            self.compared.add(name)
            return _Operand(lambda row: _cell(row, name))
        literal = tree.data if tree.data in ("true", "false") else str(tree.children[0])
        if tree.data == "text":
            literal = _unquoted(literal)
            if not literal.strip():
                raise ConditionError("'' equals nothing: an empty cell is unknown; use `exists`")
        return _Operand(lambda row: literal, tree.data)

    def _name(self, tree: Any) -> str:
        written = str(tree.children[0])
        name = written[1:-1] if tree.data == "quoted" else written
        self.names.add(name)
        return name


def _cell(row: Row, name: str) -> str | None:
    text = row[name]
    return (text.strip() or None) if text is not None else None


def _any(tests: list[Test]) -> Test:
    def holds(row: Row) -> Truth:
        found = [test(row) for test in tests]
        return True if True in found else None if None in found else False

    return holds


def _all(tests: list[Test]) -> Test:
    def holds(row: Row) -> Truth:
        found = [test(row) for test in tests]
        return False if False in found else None if None in found else True

    return holds


def _not(test: Test) -> Test:
    def holds(row: Row) -> Truth:
        found = test(row)
        return None if found is None else not found

    return holds


def _matches(left: _Operand, pattern: patterns.Pattern) -> Test:
    def holds(row: Row) -> Truth:
        text = left.text(row)
        return None if text is None else bool(pattern.search(text))

    return holds


def _compared(left: _Operand, sign: str, right: _Operand) -> Test:
    kinds = {left.kind, right.kind}

    def holds(row: Row) -> Truth:
        first, second = left.text(row), right.text(row)
        if first is None or second is None:
            return None
        return _compare(first, sign, second, kinds)

    return holds


def _compare(first: str, sign: str, second: str, kinds: Set[str] = frozenset()) -> Truth:
    """Two texts, as decimals if both are numbers; true and false in any spelling.

    >>> _compare("640.0", "==", "640"), _compare("9.5", "<", "10.2"), _compare("TRUE", "==", "true")
    (True, True, True)
    >>> _compare("7B", "<", "8B"), _compare("7B", "<", "8")
    (True, None)
    """
    one, two = numbers.parse(first), numbers.parse(second)
    if one.value is not None and two.value is not None:
        short = _could_be_short(one, two) or _could_be_short(two, one)
        same = _same_unit(one, two) and not short
        return bool(_SIGNS[sign](one.value, two.value)) if same else None
    if "number" in kinds:
        return None
    if sign in ("==", "!="):
        words = _word(first), _word(second)
        if kinds & _TRUTHS and not _TRUTHS.issuperset(words):
            return None
        return bool(_SIGNS[sign](*words))
    # A number is neither above nor below a text.
    neither = one.value is None and two.value is None
    return bool(_SIGNS[sign](first, second)) if neither else None


def _same_unit(one: numbers.Printed, two: numbers.Printed) -> bool:
    """Whether two numbers count the same, as far as their texts say what."""
    names = {printed.unit.name for printed in (one, two) if printed.unit and printed.unit.name}
    return len(names) < 2


def _could_be_short(plain: numbers.Printed, other: numbers.Printed) -> bool:
    """Whether a bare number could mean what the other writes, as 8 beside "7B", but not 950 beside
    "1.2k"; see `history.numbers.whole_column`.
    """
    if plain.value is None or not other.unit or not other.unit.times or plain.unit != Unit():
        return False
    whole_beside_k = other.unit.times == 3 and not plain.dp
    return 0 < abs(plain.value) < 1000 and not whole_beside_k


def _word(text: str) -> str:
    folded = text.casefold()
    return folded if folded in _TRUTHS else text


def _unquoted(token: str) -> str:
    return token[1:-1].replace("''", "'")


def _pattern(token: Any) -> patterns.Pattern:
    try:
        return patterns.parse(_unquoted(str(token)))
    except ValueError as error:
        raise ConditionError(str(error)) from None
