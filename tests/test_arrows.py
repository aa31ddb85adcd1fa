"""Do imports point one way, and does `ranktrail --help` wait for nothing heavy?"""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from itertools import groupby
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGES = ("crawler", "history", "app")

DOOR = (
    "crawler.board",
    "crawler.errors",
    "crawler.objects",
    "crawler.paths",
    "crawler.safe_files",
    "crawler.seen",
    "crawler.source",
    "crawler.store",
    "crawler.tables",
    "crawler.toml_lines",
    "crawler.work",
)
DOOR_LIBRARIES = {"pydantic"}
DOOR_LAZY_LIBRARIES = {"filelock", "pyarrow"}

# Data flows down this list: a module imports from the lines above it, or from its own package. A
# room stands in one piece, its door (the package, which may pass on what others use most) last.
HISTORY_FLOW = (
    "history.counts",
    "history.times",
    "history.frames",
    "history.ticks",
    "history.look_alikes",
    "history.sampling",
    "history.numbers.rounding",
    "history.numbers.marks",
    "history.numbers.printed",
    "history.numbers.whole_column",
    "history.numbers.column",
    "history.numbers.spread",
    "history.numbers",
    "history.least_squares",
    "history.dates",
    "history.readers",
    "history.meaning.patterns",
    "history.meaning.columns",
    "history.meaning.conditions",
    "history.meaning.linear",
    "history.meaning.work",
    "history.meaning.formula",
    "history.meaning.definition",
    "history.meaning.checking",
    "history.meaning.meaning",
    "history.meaning",
    "history.readings.remarks",
    "history.readings.unseen",
    "history.readings.repeats",
    "history.readings.long_layout",
    "history.readings.layouts",
    "history.readings.file_numbers",
    "history.readings.readings",
    "history.readings.overrides",
    "history.readings.stages",
    "history.readings.folders",
    "history.readings",
    "history.attributes",
    "history.notes",
    "history.scores.score_table",
    "history.scores.derived",
    "history.scores.parts",
    "history.scores.bulk",
    "history.scores.light_start",
    "history.scores.second",
    "history.scores.scores",
    "history.scores.precision",
    "history.scores",
    "history.clock",
    "history.moments",
    "history.ties",
    "history.ranks",
    "history.reigns.stretches",
    "history.reigns.first_place",
    "history.reigns.careers",
    "history.reigns",
    "history.splits.computed",
    "history.splits.borda",
    "history.splits.splits",
    "history.splits.gaps",
    "history.splits.shake_up",
    "history.splits.noise",
    "history.splits.errors",
    "history.splits.wording",
    "history.splits.side_by_side",
    "history.splits.pairs",
    "history.splits.ladder",
    "history.splits.listing",
    "history.splits",
    "history.editions.file_values",
    "history.editions.clamped_line",
    "history.editions.recompute",
    "history.editions.equating",
    "history.editions.score_change",
    "history.editions.editions",
    "history.editions.comparable",
    "history.editions",
    "history.audit.steps",
    "history.audit.shifts",
    "history.audit.renames",
    "history.audit.smells",
    "history.audit.audit",
    "history.audit",
    "history.uncertainty.undecided",
    "history.uncertainty.errors",
    "history.uncertainty.items",
    "history.uncertainty.draws",
    "history.uncertainty.pairs",
    "history.uncertainty.benchmarks",
    "history.uncertainty.rank_intervals",
    "history.uncertainty.first_place",
    "history.uncertainty.score_errors",
    "history.uncertainty.comparison",
    "history.uncertainty.board",
    "history.uncertainty",
    "history.robustness.composite",
    "history.robustness.drop_one",
    "history.robustness.reweighting",
    "history.robustness.social_choice",
    "history.robustness.scales",
    "history.robustness.recovery",
    "history.robustness.robustness",
    "history.robustness",
    "history.propose",
    "history.moves.shapley",
    "history.moves.sides",
    "history.moves.causes",
    "history.moves.move",
    "history.moves.tally",
    "history.moves.tie_causes",
    "history.moves.making",
    "history.moves.moves",
    "history.moves",
    "history.names",
    "history.standing",
    "history.classes",
    "history.cells",
    "history.pipeline",
    "history.unpublished",
    "history.claims",
    "history.records.records",
    "history.records.reign_record",
    "history.records.split_record",
    "history.records.edition_record",
    "history.records.audit_record",
    "history.records.uncertainty_record",
    "history.records.robust_record",
    "history.records.store_records",
    "history.records",
)

# What `ranktrail --help` must not wait for.
HEAVY = (
    "altair",
    "git",
    "httpx2",
    "huggingface_hub",
    "lark",
    "lxml",
    "tree_sitter",
    "yaml",
    "markdown_it",
    "numpy",
    "pandas",
    "pyarrow",
    "rich",
    "scipy",
    "streamlit",
    "vl_convert",
)


# --- imports ---------------------------------------------------------------------------------


def module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


FILES = {
    module_name(path): path
    for package in PACKAGES
    for path in sorted((ROOT / package).rglob("*.py"))
}


def imports(module: str, tree: ast.Module) -> Iterator[tuple[str, bool]]:
    """Every module that `module` imports, and whether it waits until it is needed."""
    at_start = {id(node) for node in _at_start(tree)}
    package = module if FILES[module].name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(tree):
        lazy = id(node) not in at_start
        if isinstance(node, ast.Import):
            yield from ((alias.name, lazy) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                parents = package.split(".")
                above = ".".join(parents[: len(parents) - node.level + 1])
                base = f"{above}.{base}".rstrip(".")
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield whole if whole in FILES else base, lazy


def _at_start(tree: ast.Module) -> Iterator[ast.stmt]:
    """Statements that run when the module is imported; not those for the type checker."""
    waiting: list[ast.stmt] = list(tree.body)
    while waiting:
        node = waiting.pop()
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        if isinstance(node, ast.If) and "TYPE_CHECKING" in ast.dump(node.test):
            waiting.extend(node.orelse)
            continue
        yield node
        waiting.extend(child for child in ast.iter_child_nodes(node) if isinstance(child, ast.stmt))


def place(module: str) -> int:
    """Where a history module stands in the flow; the door of all is its end."""
    if module == "history":
        return len(HISTORY_FLOW)
    for number, step in enumerate(HISTORY_FLOW):
        if module == step or module.startswith(f"{step}."):
            return number
    raise AssertionError(f"{module} has no place in HISTORY_FLOW: give it one")


def objection(module: str, wanted: str, lazy: bool) -> str | None:
    """Why `module` may not import `wanted`, or None."""
    here, there = module.split(".")[0], wanted.split(".")[0]
    if there == "tests":
        return "the project does not import its tests"
    if there not in PACKAGES:
        if module in DOOR and there not in sys.stdlib_module_names | DOOR_LIBRARIES:
            if there not in DOOR_LAZY_LIBRARIES:
                return "the door needs the standard library and pydantic only"
            return None if lazy else "the door imports this library only where it is needed"
        return None
    if wanted in PACKAGES:
        return None
    if here == "crawler":
        if there != "crawler":
            return "the crawler knows nothing of meaning or faces"
        if module in DOOR and wanted not in DOOR:
            return "the door does not know the rest of the crawler"
        return None
    if here == "history":
        if there == "app":
            return "history knows nothing of faces"
        if there == "crawler":
            return None if wanted in DOOR else "history sees only the door of the crawler"
        same_package = place(module) == place(wanted)
        earlier = place(wanted) < place(module)
        return None if earlier or same_package else "history flows the other way"
    if there == "crawler" and wanted not in DOOR and module != "app.jobs":
        return "only app.jobs puts the crawler and history together"
    return None


def test_imports_point_one_way():
    found = [
        f"{module} imports {wanted}: {why}"
        for module, path in FILES.items()
        for wanted, lazy in imports(module, ast.parse(path.read_bytes()))
        if (why := objection(module, wanted, lazy))
    ]
    assert sorted(set(found)) == []


@pytest.mark.parametrize(
    ("module", "wanted", "lazy", "allowed"),
    [
        pytest.param("crawler.board", "pydantic", False, True, id="the door validates"),
        pytest.param("crawler.store", "pyarrow", True, True, id="the door may open Parquet late"),
        pytest.param("crawler.store", "pyarrow.parquet", False, False, id="but not at its start"),
        pytest.param("crawler.store", "git", True, False, id="the door fetches nothing"),
        pytest.param("crawler.store", "crawler.crawl", False, False, id="the door stands alone"),
        pytest.param("crawler.crawl", "history.ranks", True, False, id="no ranks in the crawler"),
        pytest.param("history.ranks", "crawler.store", False, True, id="history uses the door"),
        pytest.param("history.ranks", "crawler.crawl", True, False, id="history does not crawl"),
        pytest.param("history.ranks", "history.ties", False, True, id="ranks come after ties"),
        pytest.param("history.ties", "history.ranks", False, False, id="ties come before ranks"),
        pytest.param("history.claims.a", "history.claims.b", False, True, id="one room of claims"),
        pytest.param(
            "history.scores.scores", "history.scores.parts", False, True, id="a room has an order"
        ),
        pytest.param(
            "history.scores.parts", "history.scores", False, False, id="not through its own door"
        ),
        pytest.param("history.meaning", "history.readings", True, False, id="rooms have an order"),
        pytest.param("app.jobs", "crawler.crawl", False, True, id="jobs put both together"),
        pytest.param("app.cli", "crawler.crawl", True, False, id="nobody else does"),
    ],
)
def test_the_rule_of_imports(module, wanted, lazy, allowed):
    assert (objection(module, wanted, lazy) is None) == allowed


def test_a_room_stands_in_one_piece():
    """So that no room imports, round another, from itself."""
    rooms = [room for room, _ in groupby(HISTORY_FLOW, lambda step: step.split(".")[1])]
    assert [room for room in rooms if rooms.count(room) > 1] == []


def test_help_waits_for_no_heavy_library():
    code = f"import app.cli, sys; print([name for name in {HEAVY} if name in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True)
    assert (done.stdout.strip(), done.stderr) == ("[]", "")
