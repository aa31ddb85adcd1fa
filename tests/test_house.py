"""Rules of the house that no reader should have to check by eye.

Every command shows an example, documents are what the code says, locks
hold what pyproject.toml asks for, and nothing names the machine it was written on.
"""

from __future__ import annotations

import json
import re
import subprocess
import tomllib
from pathlib import Path

import click
import pytest
from packaging.requirements import Requirement

from app.sample import SAMPLE
from tests.tools import docs

ROOT = Path(__file__).parent.parent
PACKAGES = ("crawler", "history", "app")
LONGEST_MODULE = 450


# --- what people read ------------------------------------------------------------------------


def test_help_ends_in_an_example():
    without = [
        name
        for name, command in docs.commands().items()
        if "Example" not in (last := (command.help or "").rstrip().rpartition("\n\n")[2])
        or not re.search(rf"ranktrail (?:--store \.demo )?{name}\b", last)
    ]
    assert without == []


def test_options_say_what_they_do():
    silent = [
        f"{name} {option.opts[-1]}"
        for name, command in docs.commands().items()
        for option in command.params
        if isinstance(option, click.Option) and not option.help
    ]
    assert silent == []


def test_documents_are_what_the_code_says():
    assert docs.stale() == []


# --- what is tracked -------------------------------------------------------------------------


def tracked() -> list[Path]:
    """Every file that git has or would add."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, check=True, text=True)
    names = [name for name in done.stdout.split("\0") if name]
    return sorted(ROOT / name for name in set(names) if (ROOT / name).is_file())


def text_of(path: Path) -> str:
    data = path.read_bytes()
    return "" if b"\0" in data[:8000] else data.decode("utf-8", errors="replace")


def test_no_file_names_the_machine_it_was_written_on():
    own_folder = re.compile(r"(?<![\w.~:%/-])/(?:home|root|Users|work|tmp|opt)/\w")
    found = [
        f"{path.relative_to(ROOT)}:{number}: {line.strip()[:100]}"
        for path in tracked()
        for number, line in enumerate(text_of(path).splitlines(), 1)
        if own_folder.search(line) or str(ROOT) in line
    ]
    assert found == []


def test_what_installs_names_no_address():
    installers = [
        path
        for path in tracked()
        if path.suffix == ".lock" or path.name in ("Makefile", "pyproject.toml", "run")
    ]
    address = re.compile(r"://|--(?:extra-)?index-url|--find-links|^[\w.-]+ @ ", re.MULTILINE)
    assert [path.name for path in installers if address.search(text_of(path))] == []


def test_modules_stay_short():
    lengths = {
        str(path.relative_to(ROOT)): len(text_of(path).splitlines())
        for path in tracked()
        if path.suffix == ".py" and not path.name.startswith("test_")
    }
    assert {name: n for name, n in lengths.items() if n > LONGEST_MODULE} == {}


# --- the sample is data, never code ----------------------------------------------------------


def sample_words() -> set[str]:
    """Keys and names of entries that the sample history holds.

    What any test might say by chance is left out: plain words, and all below four characters;
    and the stand-ins for entries that no source names.
    """
    stand_in = re.compile(r"un(?:seen|named)-\d+")
    words: set[str] = set()

    def collect(value: object, key: str = "") -> None:
        if isinstance(value, dict):
            for name, inner in value.items():
                collect(inner, name)
        elif isinstance(value, list):
            for inner in value:
                collect(inner, key)
        elif key in ("engine", "name") and isinstance(value, str):
            plain = value.isalpha() or len(value) < 4 or stand_in.fullmatch(value)
            words.update([] if plain else [value])

    for path in sorted(SAMPLE.rglob("*.json")):
        collect(json.loads(path.read_text(encoding="utf-8")))
    return words


def test_no_test_is_named_after_an_entry_of_the_sample():
    words = sample_words()
    assert words, "the sample holds no entries: is it there?"
    named = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, sorted(words)))})(?![\w-])")
    found = [
        f"{path.relative_to(ROOT)}: {line.strip()}"
        for path in sorted((ROOT / "tests").rglob("test_*.py"))
        for line in text_of(path).splitlines()
        if re.search(r"def test_|\bid=", line) and named.search(line)
    ]
    assert found == []


# --- locks -------------------------------------------------------------------------------------


def locked(name: str) -> dict[str, str]:
    """Name -> version of one lock; fails where a line is not pinned and hashed."""
    text = (ROOT / name).read_text(encoding="utf-8")
    pins: dict[str, str] = {}
    for block in re.split(r"\n(?=\S)", text.strip()):
        if block.startswith("#"):
            continue
        head, *hashes = block.replace("\\\n", "\n").split("\n")
        requirement = Requirement(head.strip())
        assert len(requirement.specifier) == 1 and str(requirement.specifier).startswith("=="), head
        assert hashes and all(re.fullmatch(r" +--hash=sha256:[0-9a-f]{64} *", h) for h in hashes), (
            head
        )
        pins[canonical(requirement.name)] = next(iter(requirement.specifier)).version
    return pins


def canonical(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()


def test_locks_hold_what_is_asked_for():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    run = [*project["project"]["dependencies"], *project["build-system"]["requires"]]
    dev = [*run, *project["project"]["optional-dependencies"]["dev"]]
    for name, asked in {"requirements.lock": run, "requirements-dev.lock": dev}.items():
        pins = locked(name)
        unmet = [
            f"{name}: {text}, locked {pins.get(canonical(Requirement(text).name))}: run `make lock`"
            for text in asked
            if pins.get(canonical(Requirement(text).name)) not in Requirement(text).specifier
        ]
        assert unmet == []


def test_both_locks_agree():
    run, dev = locked("requirements.lock"), locked("requirements-dev.lock")
    assert {name: version for name, version in run.items() if dev.get(name) != version} == {}


def examples(name: str) -> list[str]:
    """The TOML blocks of a document."""
    return re.findall(r"```toml\n(.*?)```", (ROOT / name).read_text(encoding="utf-8"), re.DOTALL)


@pytest.mark.parametrize("name", ["README.md", "docs/board.md"])
def test_definitions_in_the_documents_are_understood(name, tmp_path):
    from crawler.board import load_board
    from history.meaning import read_meaning

    for text in examples(name):
        file = tmp_path / "garden" / "board.toml"
        file.parent.mkdir(exist_ok=True)
        file.write_text(text, encoding="utf-8")
        assert read_meaning(load_board(file)).table.score


def test_claims_in_the_documents_are_understood():
    from history.claims.language.claims_file import parse_claims

    predicates = [
        claim.predicate for text in examples("docs/claims.md") for claim in parse_claims(text, "x")
    ]
    expected = "first duration delta not average_of ratio first_in_class"
    assert predicates == expected.split()
