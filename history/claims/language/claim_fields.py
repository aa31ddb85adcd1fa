"""Is a field of a claim what it should be?

Fields takes the values of one claim out of TOML or JSON and refuses what does not fit,
with the claim, what was found and what was expected.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import UTC, date, datetime
from decimal import Decimal
from typing import Any, cast

from history.claims.language.claim import (
    ClaimError,
    Operand,
    Pairs,
    Time,
    When,
    WhenKind,
    first_instant,
    last_instant,
)
from history.claims.language.printed import MOST, OPS, UNITS, is_fraction, number

CHOICES = {
    "op": OPS,
    "rank_kind": ("score", "tie", "published"),
    "span": ("total", "longest", "current"),
    "what": ("ranked", "listed"),
    "unit": tuple(word for unit in UNITS for word in (unit, f"{unit}s")),
}

_OPERAND = (
    "value", "formula", "entry", "columns", "label", "source", "exact", "per", "under"
)  # fmt: skip
LONGEST_FORMULA = 1_000
_COMMIT = re.compile(r"[0-9a-fA-F]{7,40}")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Fields:
    """The fields of one claim, each checked as it is taken."""

    def __init__(
        self,
        raw: Mapping[str, Any],
        where: str,
        own_id: str,
        inherited: Mapping[str, Any],
        depth: int = 0,
    ):
        raw = {key: value for key, value in raw.items() if value is not None}  # JSON's null
        kept, self.depth = dict(inherited), depth
        if "board" in raw or "boards" in raw:
            kept.pop("board", None)
            kept.pop("boards", None)
        self.own, self.raw, self.where, self.id = raw, {**kept, **raw}, where, own_id

    def fail(self, found: str, fix: str) -> ClaimError:
        """An error about this claim."""
        return ClaimError(self.where, found, fix)

    def when(self, said_at: Time | None, key: str = "when") -> When | None:
        """The `when` table, or that of another key; None if there is none."""
        found = self.raw.get(key)
        if found is None:
            return None
        kinds = ("as_of", "at", "on", "latest", "ever", "always", "over")
        fix = 'Give one of { as_of = TIME }, { at = "COMMIT" }, { on = DATE }, { latest = true }, '
        fix += "{ ever = [FROM, TO] }, { always = [FROM, TO] }, { over = [FROM, TO] }"
        if not isinstance(found, Mapping) or len(found) != 1 or not set(found) <= set(kinds):
            raise self.fail(f"`{key}` is {shown(found)}", fix)
        (kind, value), said = next(iter(found.items())), said_at
        kind = cast(WhenKind, kind)
        if kind == "latest":
            if value is not True:
                raise self.fail(f"`{key}.latest` is {shown(value)}", "It is always true")
            return When(kind)
        if kind == "at":
            if not isinstance(value, str) or not _COMMIT.fullmatch(value):
                raise self.fail(
                    f"`{key}.at` is {shown(value)}", "Give 7 to 40 hex digits of a commit"
                )
            return When(kind, commit=value.lower())
        if kind in ("as_of", "on"):
            time = self.end(f"{key}.{kind}", value, said)
            if time is None:
                raise self.fail(f"`{key}.{kind}` is empty", "Give a date or a time")
            if kind == "on" and isinstance(time, datetime):
                if value != "said_at":
                    raise self.fail(f"`{key}.on` is {shown(value)}", "Give a date, YYYY-MM-DD")
                time = time.date()
            return When(kind, time)
        if not isinstance(value, list) or len(value) != 2:
            raise self.fail(
                f"`{key}.{kind}` is {shown(value)}", 'Give two ends, as ["", "2026-03-22"]'
            )
        start, end = (self.end(f"{key}.{kind}", end, said) for end in value)
        if start is not None and end is not None and first_instant(start) > last_instant(end):
            raise self.fail(f"`{key}.{kind}` ends before it begins", "Give the earlier time first")
        return When(kind, start, end)

    def end(self, key: str, value: Any, said_at: Time | None) -> Time | None:
        """One end of a stretch; None where it is open."""
        if value is None or value == "":
            return None
        if value != "said_at":
            return self.time(key, value)
        if said_at is None:
            raise self.fail(f'`{key}` is "said_at", and the claim has none', "Add said_at = TIME")
        return said_at

    def time(self, key: str, value: Any) -> Time:
        """A date or a time."""
        try:
            return parse_time(value)
        except ValueError:
            fix = "Give a date like 2026-03-22 or a time like 2026-03-22T20:12:00Z"
            raise self.fail(f"`{key}` is {shown(value)}", fix) from None

    def operand(self, key: str) -> str | Operand | None:
        """An entry, or a number that stands on no board."""
        found = self.raw.get(key)
        if found is None or (isinstance(found, str) and found.strip()):
            return found
        fix = 'Give an entry, or { value = "81.5", label = "reported", source = "..." }'
        if not isinstance(found, Mapping) or not set(found) <= set(_OPERAND):
            raise self.fail(f"`{key}` is {shown(found)}", fix)
        if sum(name in found for name in ("value", "formula", "entry")) != 1:
            raise self.fail(f"`{key}` is {shown(found)}", "Give one of value, formula, entry")
        inner = Fields(found, self.where, self.id, {})
        label = found.get("label", "reasoned" if "formula" in found else "reported")
        if label not in ("reported", "measured", "reasoned"):
            raise self.fail(
                f"`{key}.label` is {shown(label)}", "Give reported, measured or reasoned"
            )
        return Operand(
            inner.value("value"),
            label,
            inner.text("source", ""),
            inner.text("formula", ""),
            inner.text("entry", ""),
            inner.texts("columns"),
            inner.flag("exact"),
            inner.text("per", ""),
            inner.pairs("under"),
        )

    def pairs(self, key: str) -> Pairs:
        """A table of texts, in file order."""
        found = self.raw.get(key, {})
        if not isinstance(found, Mapping) or (key in self.raw and not found):
            raise self.fail(f"`{key}` is {shown(found)}", 'Give a table, as { NAME = "TEXT" }')
        for name, text in found.items():
            if not isinstance(text, str) or not text.strip():
                raise self.fail(f"`{key}.{name}` is {shown(text)}", "Give a text in quotes")
        return tuple(found.items())

    def printed_pairs(self, key: str) -> Pairs:
        """A table of printed numbers, in file order."""
        pairs = self.pairs(key)
        return tuple((name, self.number(f"{key}.{name}", text)) for name, text in pairs)

    def counts(self, key: str) -> tuple[tuple[str, int], ...]:
        """Whole numbers by name; one number stands for all names, under ""."""
        found = self.raw.get(key)
        if found is None:
            return ()
        if not isinstance(found, Mapping):
            return (("", self.count(key, least=1) or 1),)
        inner = Fields(found, self.where, self.id, {})
        return tuple((name, inner.count(name, least=1) or 1) for name in found)

    def value(self, key: str, words: bool = False) -> str:
        """A printed number that may be missing; `words`: also a fraction in words."""
        if words and is_fraction(self.raw.get(key)):
            return str(self.raw[key])
        return self.number(key, self.raw[key]) if key in self.raw else ""

    def number(self, key: str, found: Any) -> str:
        """A printed number: a text, so that its decimals are known."""
        if isinstance(found, int) and not isinstance(found, bool):
            return str(found)
        if not isinstance(found, str):
            fix = f'Write it as it was printed, in quotes: "{found}"'
            raise self.fail(f"`{key}` is {shown(found)}, no text", fix)
        try:
            number(found)
        except ValueError as error:
            raise self.fail(f"`{key}`: {error}", 'Write it as printed, as "81.5"') from error
        return found.strip()

    def choice(self, key: str, default: str) -> str:
        """One of a few words."""
        found = self.raw.get(key, default)
        if key in self.raw and found not in CHOICES[key]:
            raise self.fail(f"`{key}` is {shown(found)}", f"Give one of {', '.join(CHOICES[key])}")
        return cast(str, found)

    def flag(self, key: str, default: bool = False) -> bool:
        """True or false."""
        found = self.raw.get(key, default)
        if not isinstance(found, bool):
            raise self.fail(f"`{key}` is {shown(found)}", "Give true or false")
        return found

    def count(self, key: str, least: int) -> int | None:
        """A whole number."""
        found = self.raw.get(key)
        if found is None:
            return None
        if isinstance(found, bool) or not isinstance(found, int) or found < least:
            raise self.fail(f"`{key}` is {shown(found)}", f"Give a whole number from {least} on")
        if found > MOST:
            raise self.fail(f"`{key}` has {len(str(found))} digits", f"Give at most {MOST:,}")
        return found

    def text(self, key: str, default: Any) -> Any:
        """A text."""
        found = self.raw.get(key, default)
        if key in self.raw and not isinstance(found, str):
            raise self.fail(f"`{key}` is {shown(found)}", "Give a text in quotes")
        if key == "formula" and len(found) > LONGEST_FORMULA:
            raise self.fail(f"`{key}` has {len(found):,} letters", f"At most {LONGEST_FORMULA}")
        return found or default

    def texts(self, key: str) -> tuple[str, ...]:
        """A list of texts that are not empty."""
        found = self.raw.get(key, [])
        if not isinstance(found, list) or (key in self.raw and not found):
            raise self.fail(f"`{key}` is {shown(found)}", "Give a list of texts")
        for text in found:
            if not isinstance(text, str) or not text.strip():
                raise self.fail(f"`{key}` holds {shown(text)}", "Give a list of texts")
        return tuple(found)


def parse_time(value: Any) -> Time:
    """A date or a time in UTC; a time without a zone is UTC.

    Raises:
        ValueError: it is neither.

    >>> parse_time("2026-03-22T22:12:00+02:00").isoformat()
    '2026-03-22T20:12:00+00:00'
    """
    if isinstance(value, str):
        if _DAY.fullmatch(value):
            return date.fromisoformat(value)
        if not re.match(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}", value):
            raise ValueError(value)
        value = datetime.fromisoformat(value)
    if isinstance(value, datetime):
        if value.tzinfo is None:
            return value.replace(tzinfo=UTC)
        try:
            return value.astimezone(UTC)
        except OverflowError:  # before the year 1 or after 9999 in UTC
            raise ValueError(value) from None
    if isinstance(value, date):
        return value
    raise ValueError(value)


def shown(value: Any) -> str:
    """A value as it stands in an error, short.

    >>> shown("fern"), shown({"at": 1})
    ('"fern"', '{ at = 1 }')
    """
    if isinstance(value, str):
        text = f'"{value}"'
    elif isinstance(value, Decimal):
        text = f"the number {value}"
    elif isinstance(value, Mapping):
        text = "{ " + ", ".join(f"{k} = {v}" for k, v in value.items()) + " }"
    else:
        text = str(value)
    return text if len(text) <= 60 else text[:57] + "..."
