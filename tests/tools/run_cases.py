"""Do the handed cases come out as expected?

In: a folder with cases.json and build_case.py. Each case's repository is built by that
build_case.py, boards are defined on it as a user would, and the commands are run. Out: a table of
cases with verdicts, and for what is not plainly equal ours beside the expectation; exit code 1 if
anything differs or nothing answers it. What to define and ask stands in cases/, one module per
area.

    python -m tests.tools.run_cases CASES [--area parse --area rank] [--case ID] [--json]
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import textwrap
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from tests.tools.cases import registry
from tests.tools.cases.expectation import Row, Verdict, compare
from tests.tools.cases.trial import PROGRAM, Case, Trial, Trouble


@dataclass(frozen=True, slots=True)
class Result:
    """One case, judged.

    Attributes:
        case: the case.
        rows: its values.
        notes: what a person should see besides.
    """

    case: Case
    rows: Sequence[Row]
    notes: Sequence[str]

    @property
    def verdict(self) -> Verdict:
        """The worst of its rows."""
        return max(row.verdict for row in self.rows)

    def document(self) -> dict[str, Any]:
        """The result as --json prints it."""
        rows = [
            {
                "where": row.where,
                "verdict": str(row.verdict),
                "ours": row.ours,
                "expected": row.expected,
                "why": row.why,
            }
            for row in self.rows
        ]
        named = {"case": self.case.id, "area": self.case.area, "verdict": str(self.verdict)}
        return named | {"rows": rows, "notes": list(self.notes)}


def load_cases(folder: Path) -> list[Case]:
    """Every case of a folder; decimal numbers keep their decimals."""
    text = (folder / "cases.json").read_text(encoding="utf-8")
    handed = json.loads(text, parse_float=Decimal)
    return [Case(raw, (folder / "build_case.py").resolve()) for raw in handed]


def run(case: Case, adapter: registry.Adapter | None, folder: Path) -> Result:
    """Build, ask and judge one case in an empty folder."""
    trial = Trial(case, folder)
    if adapter is None:
        return _failed(trial, f"no adapter in cases/{case.area}.py")
    try:
        answer = adapter(trial)
    except Trouble as trouble:
        return _failed(trial, str(trouble))
    except Exception as error:  # an adapter that did not find what it needs in a document
        return _failed(trial, f"the adapter failed: {type(error).__name__}: {error}")
    return Result(case, compare(answer, case.expected, case.why), trial.notes)


def _failed(trial: Trial, why: str) -> Result:
    row = Row("", Verdict.DIFFERS, None, trial.case.expected, why)
    return Result(trial.case, [row], trial.notes)


def shown(value: Any) -> str:
    """A value on one line; a text as it is."""
    if isinstance(value, str):
        return value
    return json.dumps(value, ensure_ascii=False, default=_number)


def _number(value: Any) -> Any:
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    raise TypeError(f"{type(value).__name__} is no JSON")


def details(result: Result) -> list[str]:
    """What a person should read of a case: all but rows of plain values that are equal."""
    lines: list[str] = []
    for row in result.rows:
        plain = row.ours is row.expected or not isinstance(row.ours, str)
        if row.verdict is Verdict.AS_EXPECTED and (plain or row.ours == row.expected):
            continue
        lines.append(
            f"  {row.where or 'answer'}: {row.verdict}" + (f" ({row.why})" * bool(row.why))
        )
        lines += _block("expected", shown(row.expected))
        if row.verdict is not Verdict.NOT_SAID:
            lines += _block("ours", shown(row.ours))
    for note in result.notes:
        lines += _block("also", note)
    return lines


def _block(title: str, text: str) -> list[str]:
    first, rest = f"    {title:<9} ", " " * 14
    return textwrap.wrap(text, 110, initial_indent=first, subsequent_indent=rest) or [first]


def report(results: Sequence[Result], without: Mapping[str, int]) -> str:
    """The table, then the details, then the sums."""
    width = max((len(result.case.id) for result in results), default=0)
    lines = []
    for result in results:
        good = sum(row.verdict <= Verdict.REFUSED for row in result.rows)
        lines.append(
            f"{result.case.id:<{width}}  {result.verdict!s:<18}  {good}/{len(result.rows)} values"
        )
    for result in results:
        if told := details(result):
            lines += ["", result.case.id, *told]
    counted = Counter(result.verdict for result in results)
    sums = ", ".join(f"{counted[verdict]} {verdict}" for verdict in Verdict if counted[verdict])
    lines += ["", f"{len(results)} cases: {sums}"]
    if without:
        areas = ", ".join(f"{area} {count}" for area, count in without.items())
        lines.append(f"not run, their areas have no adapters yet: {areas}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the chosen cases, tell, and say by the exit code whether all came out."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="where cases.json and build_case.py are")
    parser.add_argument("--area", action="append", help="only this area; may be repeated")
    parser.add_argument("--case", action="append", help="only this case; may be repeated")
    parser.add_argument("--json", action="store_true", help="print one document")
    parser.add_argument("--keep", type=Path, help="build in this new folder and leave it there")
    asked = parser.parse_args(arguments)

    if not PROGRAM.exists():
        parser.error(f"there is no {PROGRAM}; run this by .venv/bin/python")
    cases = load_cases(asked.folder)
    for kind, wanted, known in (
        ("area", asked.area, {case.area for case in cases}),
        ("case", asked.case, {case.id for case in cases}),
    ):
        for name in wanted or ():
            if name not in known:
                parser.error(f"there is no {kind} {name!r} in {asked.folder}")
    cases = [
        case
        for case in cases
        if (not asked.area or case.area in asked.area) and (not asked.case or case.id in asked.case)
    ]
    chosen_by_name = asked.area or asked.case
    without = Counter(case.area for case in cases if not registry.has_module(case.area))
    if not chosen_by_name:
        cases = [case for case in cases if case.area not in without]
    adapters = registry.adapters(sorted({case.area for case in cases}))

    results = []
    with tempfile.TemporaryDirectory(prefix="cases-") as temporary:
        for case in cases:
            folder = (asked.keep or Path(temporary)) / case.id
            folder.mkdir(parents=True)
            print(f"{case.id} ...", file=sys.stderr)
            results.append(run(case, adapters.get(case.id), folder.resolve()))
    if asked.json:
        documents = [result.document() for result in results]
        print(json.dumps({"cases": documents}, indent=1, ensure_ascii=False, default=_number))
    else:
        print(report(results, {} if chosen_by_name else without))
    return int(any(result.verdict > Verdict.FOR_A_PERSON for result in results))


if __name__ == "__main__":
    sys.exit(main())
