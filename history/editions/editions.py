"""Which editions did a board have, from which commit on, and what changed?

In: READINGS, the definition at each version, and what the files say. Out: Editions. Start at
read(); frame() has the table. An edition lasts as long as the file's own label, the stage of the
definition, the digest of the formula block, the numbers at the formula's paths and the tie rule
stay the same: a board that changes its weights under one label has two editions here. Versions
without entries, or that cannot be read, neither begin nor end one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import pandas as pd

from history.editions.file_values import NOTHING, FileValues
from history.ties.rule import WITHOUT_BAND, rule_of

if TYPE_CHECKING:
    from history.meaning import Meaning
    from history.meaning.formula import Formula

COLUMNS = (
    "edition",
    "label",
    "stage",
    "block",
    "first_version",
    "last_version",
    "versions",
    "first_commit",
    "last_commit",
    "from",
    "until",
    "formula",
    "constants",
    "weights",
    "tie_rule",
    "changed",
)


@dataclass(frozen=True)
class Edition:
    """One run of versions whose scores are made in one way.

    Attributes:
        number: from 1, in order of time.
        label: what the file calls itself; None where it does not say.
        stage: which [[since]] of the definition hold, as in READINGS.
        block: digest of the formula block; None where none is named or there.
        constants: what the file prints at the paths of the formula.
        numbers: the same as exact numbers; None where one is no number.
        formula: how the score is made; None where the definition does not say.
        score: column, direction and scale of the score, for comparing.
        parts: column of each part, for comparing.
        tie_rule: in words.
        first, last: numbers of its first and last version.
        versions: how many it has.
        first_commit, last_commit: full ids.
        start, end: since when it holds; when the next begins, or None.
        changed: in words, what is not as in the edition before.
    """

    number: int
    label: str | None
    stage: str
    block: str | None
    constants: Mapping[str, str | None]
    numbers: Mapping[str, Fraction | None]
    formula: Formula | None
    score: tuple[str, ...]
    parts: Mapping[str, str]
    tie_rule: str
    first: int
    last: int
    versions: int
    first_commit: str
    last_commit: str
    start: pd.Timestamp
    end: pd.Timestamp | None = None
    changed: tuple[str, ...] = ()

    @property
    def key(self) -> tuple[object, ...]:
        """Equal for versions of one edition, also if another came between."""
        constants = tuple(sorted(self.constants.items()))
        return self.label, self.stage, self.block, constants, self.tie_rule

    @property
    def name(self) -> str:
        """For people: the label, else what tells it from the others."""
        if self.label is not None:
            return self.label
        stage = f", [[since]] {self.stage}" if self.stage else ""
        return f"edition without a label{stage}"

    @property
    def weights(self) -> dict[str, Fraction] | None:
        """Points of score per point of each part, floors left aside; None if not linear or known.

        They are those of the printed parts: where a part is equated first, the equating's slope
        is in them.
        """
        if self.formula is None or None in self.numbers.values():
            return None
        known = {path: number for path, number in self.numbers.items() if number is not None}
        linear = self.formula.without_floor().coefficients(known)
        return None if linear is None else linear[1]

    def made_of(self) -> tuple[object, ...] | None:
        """What a score is made of, for comparing; None where it is not fully known."""
        if self.formula is None or None in self.numbers.values():
            return None
        helpers = tuple(self.formula.helpers.items())
        numbers = tuple(sorted(self.numbers.items()))
        return self.formula.text, helpers, numbers, self.score[1:]

    def formula_text(self) -> str | None:
        """The formula as written, its helpers behind it."""
        if self.formula is None:
            return None
        return "; ".join([self.formula.text, *self.formula.helpers.values()])


@dataclass(frozen=True)
class Editions:
    """The editions of a board.

    Attributes:
        runs: in order of time; one that comes back has two runs.
    """

    runs: tuple[Edition, ...]
    _of: Mapping[int, int]

    def at(self, version: int | None) -> Edition | None:
        """The edition of a version; None where it lists no entry or cannot be read."""
        place = None if version is None else self._of.get(version)
        return None if place is None else self.runs[place]

    def between(self, first: int, last: int) -> list[tuple[Edition, Edition]]:
        """The neighbours in time from the edition of one version to that of a later one."""
        runs = self.runs[self._of[first] : self._of[last] + 1]
        return list(pairwise(runs))

    def frame(self) -> pd.DataFrame:
        """EDITIONS, a row per run of versions.

        | column | dtype | meaning |
        | --- | --- | --- |
        | edition | int64 | from 1, in order of time |
        | label | str | what the file calls itself |
        | stage | str | which [[since]] of the definition hold |
        | block | str | digest of the formula block of the file |
        | first_version, last_version, versions | int64 | as in VERSIONS, and how many have entries |
        | first_commit, last_commit | str | full ids |
        | from, until | datetime64, UTC | [from, until); <NA> where it still holds |
        | formula | str | as written, its helpers behind it |
        | constants | dict | what the file prints at the paths of the formula |
        | weights | dict | points of score per point of each printed part, as decimals |
        | tie_rule | str | in words |
        | changed | list of str | what is not as in the edition before |
        """
        made = pd.DataFrame([_row(one) for one in self.runs], columns=list(COLUMNS))
        made.attrs = {"weights": "reasoned; floors left aside", "constants": "as printed, exact"}
        return made


def read(
    readings: pd.DataFrame, meanings: Mapping[int, Meaning], said: Mapping[int, FileValues]
) -> Editions:
    """Find the editions of a board.

    Args:
        readings: READINGS with `at`.
        meanings: the definition as it is at each version.
        said: what the files say at the paths of the definition.
    """
    runs: list[Edition] = []
    of: dict[int, int] = {}
    for one in _versions(readings, meanings, said):
        last = runs[-1] if runs else None
        if last is not None and last.key == one.key:
            runs[-1] = replace(
                last, last=one.last, last_commit=one.last_commit, versions=last.versions + 1
            )
        else:
            changed = () if last is None else tuple(changes(last, one))
            if last is not None:
                runs[-1] = replace(last, end=one.start)
            runs.append(replace(one, number=len(runs) + 1, changed=changed))
        of[one.first] = len(runs) - 1
    return Editions(tuple(runs), of)


def changes(before: Edition, after: Edition) -> list[str]:
    """What is not the same in two editions, in words, what matters most first."""
    found = []
    if before.label != after.label:
        found.append(f"label {_said(before.label)} -> {_said(after.label)}")
    if before.formula_text() != after.formula_text():
        found.append("formula")
    for path in sorted(before.constants.keys() | after.constants.keys()):
        old, new = before.constants.get(path), after.constants.get(path)
        if old != new:
            found.append(f"{path} {_said(old)} -> {_said(new)}")
    if before.block != after.block:
        found.append("formula block of the file")
    if before.score != after.score:
        found.append(f"score {' '.join(before.score)} -> {' '.join(after.score)}")
    for part in sorted(before.parts.keys() | after.parts.keys()):
        if part not in before.parts:
            found.append(f"part {part} came")
        elif part not in after.parts:
            found.append(f"part {part} went")
        elif before.parts[part] != after.parts[part]:
            found.append(f"part {part} from column {after.parts[part]}")
    if before.tie_rule != after.tie_rule:
        found.append(f"tie rule {before.tie_rule} -> {after.tie_rule}")
    return found or ["something else in the definition"]


def decimal_text(number: Fraction) -> str:
    """A number as decimals: all of them if there are at most twelve, else rounded to twelve.

    >>> decimal_text(Fraction("0.60")), decimal_text(Fraction(1, 3))
    ('0.6', '0.333333333333')
    """
    if abs(number) >= 10**12:
        return f"{Decimal(number.numerator) / Decimal(number.denominator):.12g}"
    short = round(Decimal(number.numerator) / Decimal(number.denominator), 12)
    return f"{short.normalize() + 0:f}"


def _versions(
    readings: pd.DataFrame, meanings: Mapping[int, Meaning], said: Mapping[int, FileValues]
) -> Iterable[Edition]:
    """Each version with entries as an edition of its own."""
    names = ("version", "commit", "at", "reading", "edition", "band", "stage")
    columns = [
        readings[name].tolist() if name in readings.columns else [None] * len(readings)
        for name in names
    ]
    for version, commit, at, reading, label, band, stage in zip(*columns, strict=True):
        if reading not in ("read", "partial"):
            continue
        meaning, values = meanings[version], said.get(version, NOTHING)
        table = meaning.table
        scale = "percent" if table.shares else f"scale 1e{table.shift}" if table.shift else ""
        yield Edition(
            number=0,
            label=None if pd.isna(label) else str(label),
            stage=stage,
            block=values.digest,
            constants=values.texts,
            numbers=values.numbers,
            formula=meaning.formula,
            score=tuple(filter(None, (str(table.score), table.direction, scale))),
            parts={name: str(part.column) for name, part in table.parts.items()},
            tie_rule=_tie_rule(meaning, band),
            first=version,
            last=version,
            versions=1,
            first_commit=str(commit),
            last_commit=str(commit),
            start=at,
        )


def _tie_rule(meaning: Meaning, band: Any) -> str:
    rule = rule_of(meaning)
    if rule.rule in WITHOUT_BAND:
        return rule.rule
    wide = rule.band if rule.band is not None else None if pd.isna(band) else str(band)
    return f"{rule.rule} within {wide or 'an unknown band'}, {rule.edge}"


def _said(text: str | None) -> str:
    return "nothing" if text is None else text


def _row(one: Edition) -> list[Any]:
    weights = one.weights
    return [
        one.number,
        one.label,
        one.stage,
        one.block,
        one.first,
        one.last,
        one.versions,
        one.first_commit,
        one.last_commit,
        one.start,
        one.end,
        one.formula_text(),
        dict(one.constants),
        None if weights is None else {name: decimal_text(w) for name, w in weights.items()},
        one.tie_rule,
        list(one.changed),
    ]
