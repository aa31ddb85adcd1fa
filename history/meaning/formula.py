"""What does a formula over parts and paths give?

In: a text such as "0.6*same_skills + 0.4*new_domains" and a value per name. Out: an exact value.
Start at parse(). The syntax tree is walked here, node by node; nothing is ever run as code. How
much work one can be is known when it is parsed (see Size), so that none can take for ever.

Known are + - * / and parentheses, decimal numbers, max, min, and the helper functions of
[formula]. A name that is no plain word stands in double quotes; a quoted text that begins with
"$" is a JSONPath in the file.
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

from crawler.board import nearest
from history.meaning.linear import Linear, NotLinear
from history.meaning.work import DEEPEST, HIGHEST_POWER, MOST_STEPS, Size
from history.numbers import Interval

Value = Fraction | Interval
MAX_TEXT = 2_000
PATH = "$"  # a name that begins so is a JSONPath in the file

_HELPER = re.compile(r"\s*([^\W\d]\w*)\s*\(([^()]*)\)\s*=(?!=)(.+)", re.DOTALL)
_BUILT_IN = ("max", "min")
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
        names: what it needs a value for, sorted: `paths` of the file, the rest are `parts`.
    """

    text: str
    names: tuple[str, ...]
    _tree: ast.expr
    _functions: Mapping[str, Function]
    _size: Size
    _known: Mapping[str, Fraction] = field(default_factory=dict)

    @property
    def paths(self) -> tuple[str, ...]:
        """The JSONPaths of numbers that stand once in a file, such as weights.

        >>> parse('"$.weights.a"*a').paths, parse('"$.weights.a"*a').parts
        (('$.weights.a',), ('a',))
        """
        return tuple(name for name in self.names if name.startswith(PATH))

    @property
    def parts(self) -> tuple[str, ...]:
        """The names that every row has a number for."""
        return tuple(name for name in self.names if not name.startswith(PATH))

    @property
    def helpers(self) -> dict[str, str]:
        """The helper functions that it uses, by name, as text."""
        used: dict[str, str] = {}
        for node in ast.walk(self._tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
                if node.func.id in _BUILT_IN:
                    continue
                function = self._functions[node.func.id]
                listed = ", ".join(function.parameters)
                used[function.name] = f"{function.name}({listed}) = {function.formula.text}"
                used |= function.formula.helpers
        return dict(sorted(used.items()))

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
        known: dict[str, Value] = dict(self._known)
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

    def coefficients(
        self, known: Mapping[str, Fraction] | None = None
    ) -> tuple[Fraction, dict[str, Fraction]] | None:
        """Constant and factor per name if the formula is linear, else None.

        Args:
            known: names that are numbers here, such as weights that stand in the file.

        >>> parse("0.6*a + 0.4*(b - 1)").coefficients()
        (Fraction(-2, 5), {'a': Fraction(3, 5), 'b': Fraction(2, 5)})
        >>> parse('"$.w"*a').coefficients({"$.w": Fraction(1, 2)})
        (Fraction(0, 1), {'a': Fraction(1, 2)})
        >>> parse("max(0, a)").coefficients() is None
        True
        """
        given = known or {}
        free = [name for name in self.names if name not in given]
        start = {n: Linear.of(n) for n in free} | {**self._known, **given}
        try:
            result = self._value(self._tree, start)
        except (NotLinear, ZeroDivisionError):
            return None
        linear = Linear.constant(result)
        return linear.rest, {name: linear.factors.get(name, Fraction(0)) for name in free}

    def bound(self, known: Mapping[str, Fraction]) -> Formula:
        """The same with numbers in place of some names, such as the weights of one file.

        >>> parse('"$.w"*a').bound({"$.w": Fraction(1, 2)}).evaluate({"a": 3})
        Fraction(3, 2)
        """
        free = tuple(name for name in self.names if name not in known)
        return replace(self, names=free, _known={**self._known, **known})

    def without_floor(self) -> Formula:
        """The same where neither an outermost max(0, ...) nor min(100, ...) holds.

        >>> parse("max(0, 0.6*a + 0.4*b)").without_floor().coefficients()[1]["a"]
        Fraction(3, 5)
        """
        return replace(self, _tree=_unwrapped(self._tree)[1])

    def clamps(
        self, known: Mapping[str, Fraction] | None = None
    ) -> tuple[list[tuple[bool, Fraction]], Formula]:
        """The floors (True) and ceilings (False) round a formula, outermost first, and the rest.

        >>> parse("min(100, max(0, a))").clamps()[0]
        [(False, Fraction(100, 1)), (True, Fraction(0, 1))]
        """
        wrapped, tree = _unwrapped(self._tree)
        values = {**self._known, **(known or {})}
        try:
            bounds = [(floor, self._value(bound, values)) for floor, bound in wrapped]
        except ZeroDivisionError:
            return [], self
        return bounds, replace(self, _tree=tree)

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
    size = _check(tree, stripped, known, names, 0)
    if size.steps > MOST_STEPS:
        raise FormulaError(f"with its helpers it is more than {MOST_STEPS} steps")
    if size.depth > DEEPEST:
        raise FormulaError(f"with its helpers it is nested more than {DEEPEST} deep")
    if size.power > HIGHEST_POWER:
        raise FormulaError(f"it multiplies more than {HIGHEST_POWER} values with each other")
    return Formula(stripped, tuple(sorted(names)), tree, known, size)


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
) -> Size:
    """Refuse what is not arithmetic, collect the names, and say how much work it is."""
    if depth > DEEPEST:
        raise FormulaError(f"it is nested more than {DEEPEST} deep")
    helper: Function | None = None
    if isinstance(node, ast.BinOp) and type(node.op) in _OPERATIONS:
        inner = [node.left, node.right]
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub | ast.UAdd):
        inner = [node.operand]
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and not node.keywords:
        inner = node.args
        _check_call(node.func.id, len(inner), functions)
        helper = functions.get(node.func.id)
    elif isinstance(node, ast.Name):
        names.add(node.id)
        return Size(over=1)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value:
        names.add(node.value)
        return Size(over=1)
    elif isinstance(node, ast.Constant) and type(node.value) in (int, float):
        _number(node, text)
        return Size()
    else:
        found = ast.get_source_segment(text, node) or text
        raise FormulaError(f"{found!r} is no arithmetic; known are + - * / ( ) max min and names")
    sizes = [_check(one, text, functions, names, depth + 1) for one in inner]
    if helper is not None:
        return helper.formula._size.inside(sizes)
    if isinstance(node, ast.BinOp):
        return sizes[0].with_(sizes[1], type(node.op))
    return Size(
        1 + sum(one.steps for one in sizes),
        1 + max(one.depth for one in sizes),
        max(one.over for one in sizes),
        max(one.under for one in sizes),
    )


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


def _unwrapped(tree: ast.expr) -> tuple[list[tuple[bool, ast.expr]], ast.expr]:
    """The outermost max() and min() with constants, and what stands in them."""
    wrapped = []
    while isinstance(tree, ast.Call) and getattr(tree.func, "id", "") in _BUILT_IN:
        inner = [one for one in tree.args if _has_name(one)]
        if len(inner) != 1:
            break
        floor = getattr(tree.func, "id", "") == "max"
        wrapped += [(floor, one) for one in tree.args if one is not inner[0]]
        tree = inner[0]
    return wrapped, tree


def _has_name(node: ast.expr) -> bool:
    calls = {id(one.func) for one in ast.walk(node) if isinstance(one, ast.Call)}
    return any(
        (isinstance(one, ast.Name) and id(one) not in calls)
        or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        for one in ast.walk(node)
    )


def _number(node: ast.Constant, text: str) -> Fraction:
    """A number as written, not as the float that Python makes of it."""
    written = ast.get_source_segment(text, node) or ""
    if not re.fullmatch(r"(\d+\.?\d*|\.\d+)([eE][+-]?\d{1,2})?", written):
        raise FormulaError(f"{written!r} is no decimal number")
    return Fraction(written)


def _extreme(pick: Callable[..., Any], values: list[Any]) -> Any:
    if any(isinstance(value, Linear) for value in values):
        return Linear.constant(pick(Linear.constant(value).certain() for value in values))
    if any(isinstance(value, Interval) for value in values):
        ends = [v if isinstance(v, Interval) else Interval(v, v) for v in values]
        return Interval(pick(end.low for end in ends), pick(end.high for end in ends))
    return pick(values)
