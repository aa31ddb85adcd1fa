"""What does a formula over parts give?

In: a text such as "0.6*same_skills + 0.4*new_domains" and a value per name. Out: an exact value.
Start at parse(). The syntax tree is walked here, node by node; nothing is ever run as code.

Known are + - * / and parentheses, decimal numbers, max, min, and the helper functions of
[formula]. A name that is no plain word stands in double quotes; a quoted text that begins with
"$" is a JSONPath in the file.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from crawler.board import nearest
from history.numbers import Interval

Value = Fraction | Interval
MAX_TEXT = 2_000

_HELPER = re.compile(r"\s*([^\W\d]\w*)\s*\(([^()]*)\)\s*=(?!=)(.+)", re.DOTALL)
_BUILT_IN = ("max", "min")
_DEEPEST = 100
_OPERATIONS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}


class FormulaError(ValueError):
    """A formula cannot be understood."""


@dataclass(frozen=True)
class Function:
    """A helper of [formula], such as eq(x, m) = x - m."""

    name: str
    parameters: tuple[str, ...]
    formula: Formula


@dataclass(frozen=True)
class Formula:
    """Arithmetic over named values.

    Attributes:
        text: as written.
        names: what it needs a value for, sorted.
    """

    text: str
    names: tuple[str, ...]
    _tree: ast.expr
    _functions: Mapping[str, Function]

    def evaluate(
        self, values: Mapping[str, Fraction | Decimal | int | Interval | None]
    ) -> Value | None:
        """The value; None if one that is needed is missing, or a divisor is 0.

        Intervals give an interval; an operand that stands twice in the formula counts as two
        independent ones, so it may be wider than need be.

        Raises:
            KeyError: a name has no value at all.

        >>> parse("max(0, 0.6*a - b)").evaluate({"a": Decimal("1.5"), "b": 1})
        Fraction(0, 1)
        """
        known: dict[str, Value] = {}
        for name in self.names:
            value = values[name]
            if value is None:
                return None
            known[name] = value if isinstance(value, Interval) else Fraction(value)
        try:
            result: Value = self._value(self._tree, known)
        except ZeroDivisionError:
            return None
        return result

    def coefficients(self) -> tuple[Fraction, dict[str, Fraction]] | None:
        """Constant and factor per name if the formula is linear, else None.

        >>> parse("0.6*a + 0.4*(b - 1)").coefficients()
        (Fraction(-2, 5), {'a': Fraction(3, 5), 'b': Fraction(2, 5)})
        >>> parse("max(0, a)").coefficients() is None
        True
        """
        try:
            result = self._value(self._tree, {name: _Linear.of(name) for name in self.names})
        except (_NotLinear, ZeroDivisionError):
            return None
        linear = _Linear.constant(result)
        return linear.rest, {name: linear.factors.get(name, Fraction(0)) for name in self.names}

    def _value(self, node: ast.expr, known: Mapping[str, Any]) -> Any:
        if isinstance(node, ast.BinOp):
            left, right = self._value(node.left, known), self._value(node.right, known)
            return _OPERATIONS[type(node.op)](left, right)
        if isinstance(node, ast.UnaryOp):
            value = self._value(node.operand, known)
            return -value if isinstance(node.op, ast.USub) else value
        if isinstance(node, ast.Call):
            values = [self._value(argument, known) for argument in node.args]
            name = node.func.id  # type: ignore[attr-defined]
            if name in _BUILT_IN:
                return _extreme(max if name == "max" else min, values)
            function = self._functions[name]
            inner = dict(zip(function.parameters, values, strict=True))
            return function.formula._value(function.formula._tree, inner)
        if isinstance(node, ast.Name):
            return known[node.id]
        assert isinstance(node, ast.Constant)
        return known[node.value] if isinstance(node.value, str) else _number(node, self.text)


def parse(text: str, functions: Mapping[str, Function] | None = None) -> Formula:
    """Understand a formula.

    Args:
        text: the formula.
        functions: helpers by name, as helpers() gives them.

    Raises:
        FormulaError: where and what was not understood.

    >>> parse('0.6*same_skills + 0.4*"new domains"').names
    ('new domains', 'same_skills')
    """
    known = functions or {}
    stripped = re.sub(r"[\r\n]+", " ", text).strip()
    if not stripped or len(stripped) > MAX_TEXT:
        raise FormulaError(f"a formula has 1 to {MAX_TEXT} letters, this one {len(stripped)}")
    try:
        tree = ast.parse(stripped, mode="eval").body
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        place = getattr(error, "offset", None)
        where = f" at letter {place}" if place else ""
        raise FormulaError(f"{stripped!r} is no formula{where}") from None
    names: set[str] = set()
    _check(tree, stripped, known, names, 0)
    return Formula(stripped, tuple(sorted(names)), tree, known)


def helpers(written: Mapping[str, str]) -> dict[str, Function]:
    """Understand the helper functions of [formula]; a later one may use the earlier ones.

    Raises:
        FormulaError: with the key at its beginning.

    >>> parse("eq(a, 2)", helpers({"eq": "eq(x, m) = 10*(x - m)"})).evaluate({"a": 3})
    Fraction(10, 1)
    """
    functions: dict[str, Function] = {}
    for key, text in written.items():
        found = _HELPER.fullmatch(text)
        if not found or found[1] != key:
            raise FormulaError(f"{key}: {text!r} is no function; write {key}(x) = ...")
        parameters = tuple(part.strip() for part in found[2].split(","))
        if key in _BUILT_IN or not all(part.isidentifier() for part in parameters):
            raise FormulaError(f"{key}: {text!r} is no function; write {key}(x) = ...")
        if len(set(parameters)) < len(parameters):
            raise FormulaError(f"{key}: a parameter is named twice")
        try:
            formula = parse(found[3], dict(functions))
        except FormulaError as error:
            raise FormulaError(f"{key}: {error}") from None
        if unknown := sorted(set(formula.names) - set(parameters)):
            listed = ", ".join(parameters)
            raise FormulaError(f"{key}: {unknown[0]!r} is no parameter of it; it has {listed}")
        functions[key] = Function(key, parameters, formula)
    return functions


def _check(
    node: ast.expr, text: str, functions: Mapping[str, Function], names: set[str], depth: int
) -> None:
    """Refuse what is not arithmetic, and collect the names."""
    if depth > _DEEPEST:
        raise FormulaError(f"it is nested more than {_DEEPEST} deep")
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        inner = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = [node.operand]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        inner = node.args
        _check_call(node.func.id, len(inner), functions)
    elif isinstance(node, ast.Name):
        names.add(node.id)
        return
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        names.add(node.value)
        return
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        _number(node, text)
        return
    else:
        found = ast.get_source_segment(text, node) or text
        raise FormulaError(f"{found!r} is no arithmetic; known are + - * / ( ) max min and names")
    for one in inner:
        _check(one, text, functions, names, depth + 1)


def _check_call(name: str, given: int, functions: Mapping[str, Function]) -> None:
    if name in _BUILT_IN:
        if not given:
            raise FormulaError(f"{name}() needs at least one value")
        return
    if name not in functions:
        known = [*_BUILT_IN, *functions]
        near = nearest(name, known) or known
        raise FormulaError(f"no function {name!r}; there is {', '.join(near)}")
    wanted = len(functions[name].parameters)
    if given != wanted:
        raise FormulaError(f"{name} takes {wanted} values, here it has {given}")


def _number(node: ast.Constant, text: str) -> Fraction:
    """A number as written, not as the float that Python makes of it."""
    written = ast.get_source_segment(text, node) or ""
    if not re.fullmatch(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?", written):
        raise FormulaError(f"{written!r} is no decimal number")
    return Fraction(written)


def _extreme(pick: Callable[..., Any], values: list[Any]) -> Any:
    if any(isinstance(value, _Linear) for value in values):
        return _Linear.constant(pick(_Linear.constant(value).certain() for value in values))
    if any(isinstance(value, Interval) for value in values):
        ends = [v if isinstance(v, Interval) else Interval(v, v) for v in values]
        return Interval(pick(end.low for end in ends), pick(end.high for end in ends))
    return pick(values)


class _NotLinear(Exception):
    """A formula is not a sum of multiples of its names."""


@dataclass(frozen=True)
class _Linear:
    """A sum of multiples of names."""

    rest: Fraction
    factors: Mapping[str, Fraction]

    @classmethod
    def of(cls, name: str) -> _Linear:
        return cls(Fraction(0), {name: Fraction(1)})

    @classmethod
    def constant(cls, value: Fraction | _Linear) -> _Linear:
        return value if isinstance(value, _Linear) else cls(value, {})

    def certain(self) -> Fraction:
        if any(self.factors.values()):
            raise _NotLinear
        return self.rest

    def __neg__(self) -> _Linear:
        return self * Fraction(-1)

    def __add__(self, other: Fraction | _Linear) -> _Linear:
        second = self.constant(other)
        names = {*self.factors, *second.factors}
        both = {n: self.factors.get(n, Fraction(0)) + second.factors.get(n, 0) for n in names}
        return _Linear(self.rest + second.rest, both)

    __radd__ = __add__

    def __sub__(self, other: Fraction | _Linear) -> _Linear:
        return self + -self.constant(other)

    def __rsub__(self, other: Fraction) -> _Linear:
        return -self + other

    def __mul__(self, other: Fraction | _Linear) -> _Linear:
        second = self.constant(other)
        if any(self.factors.values()) and any(second.factors.values()):
            raise _NotLinear
        scaled, by = (second, self.rest) if any(second.factors.values()) else (self, second.rest)
        return _Linear(scaled.rest * by, {n: f * by for n, f in scaled.factors.items()})

    __rmul__ = __mul__

    def __truediv__(self, other: Fraction | _Linear) -> _Linear:
        return self * (1 / self.constant(other).certain())

    def __rtruediv__(self, other: Fraction) -> _Linear:
        return self.constant(other) / self
