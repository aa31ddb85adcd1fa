"""Does `ranktrail add` find the board in repositories that it knows nothing of?

In: a folder with `*.bundle` files. Out: for each the standings that `add --yes` ends with, beside the
first places as the newest file has them, read here by other means. Where a question is asked, it is
answered at a terminal, with each of its first answers in turn. Exit code 1 if two lists differ,
somewhere more than one question is asked, or fewer than four are found without one.

    python -m tests.tools.try_add FOLDER
"""

from __future__ import annotations

import argparse
import csv
import io
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from decimal import Decimal
from pathlib import Path

from tests.terminal import PROGRAM, at_terminal

TOP = 10
ENOUGH = 4
ANSWERS = 2  # that are tried of a question


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    """One command of the program."""
    return subprocess.run([PROGRAM, *arguments], capture_output=True, text=True, check=False)


def newest(bundle: Path, path: str, folder: Path) -> str:
    """A file of the newest commit, straight from git."""
    clone = folder / bundle.stem
    if not clone.exists():
        subprocess.run(["git", "clone", "-q", "--bare", str(bundle), str(clone)], check=True)
    tip = (
        ["git", "-C", str(clone), "for-each-ref", "--format=%(objectname)", "refs/heads"],
        ["git", "-C", str(clone), "show"],
    )
    commit = subprocess.run(tip[0], capture_output=True, text=True, check=True).stdout.split()[0]
    shown = subprocess.run([*tip[1], f"{commit}:{path}"], capture_output=True, check=True)
    return shown.stdout.decode("utf-8-sig")


def number(text: object) -> Decimal | None:
    """A printed number, by the plainest means."""
    try:
        value = Decimal(str(text).replace("%", "").strip())
    except ArithmeticError:
        return None
    return value if value.is_finite() else None


def plain_rows(text: str, table: dict) -> list[tuple[str, str]]:
    """Entry and printed score of every row, without any of our readers."""
    entry, score = table["entry"], table["score"]
    if table["format"] == "json":
        document = json.loads(text, parse_float=str, parse_int=str)
        for step in re.findall(r"[^.$]+", table.get("rows", "$")):
            document = document[step]
        rows = document.items() if isinstance(document, dict) else enumerate(document)
        return [
            (str(key) if entry == "@key" else walk(row, entry), walk(row, score))
            for key, row in rows
        ]
    if table["format"] == "csv":
        return [(row[entry], row[score]) for row in csv.DictReader(io.StringIO(text))]
    if table["format"] == "yaml":
        rows = [
            dict(re.findall(r"(?m)^(?:- |  )(\w+): *(.*)$", part))
            for part in re.split(r"(?m)^(?=- )", text)
        ]
        return [(row[entry], row.get(score, "")) for row in rows if row]
    lines = [
        [cell.strip() for cell in line.strip().strip("|").split("|")]
        for line in text.splitlines()
        if line.startswith("|")
    ]
    start = next(n for n, cells in enumerate(lines) if entry in cells and score in cells)
    at = lines[start].index(entry), lines[start].index(score)
    rows = [cells for cells in lines[start + 2 :] if len(cells) == len(lines[start])]
    return [(re.sub(r"\[([^]]*)\]\([^)]*\)", r"\1", row[at[0]]), row[at[1]]) for row in rows]


def walk(row: object, path: str) -> str:
    """What stands at a key, or at a path of keys; empty where nothing does."""
    for step in path.strip("/").split("/") if path.startswith("/") else [path]:
        row = row.get(step, "") if isinstance(row, dict) else ""
    return str(row)


def first_places(rows: Sequence[tuple[str, str]], direction: str) -> list[str]:
    """The entries of the first places, ties in the order of their keys."""
    known = [(value, key) for key, text in rows if (value := number(text)) is not None]
    sign = -1 if direction == "higher" else 1
    return [key for _, key in sorted((sign * value, key) for value, key in known)][:TOP]


def try_one(bundle: Path, folder: Path) -> bool | None:
    """Whether one bundle was added rightly; None if a question was asked and the answers are right."""
    store = folder / f"{bundle.stem}-store"
    done = run("--store", str(store), "add", str(bundle), "--yes", "--json")
    print(f"\n{bundle.stem}: exit {done.returncode}")
    if not done.returncode:
        return is_right(json.loads(done.stdout), bundle, folder)
    print(f"  {done.stderr.strip()}")
    right = done.returncode == 2 and done.stderr.count("\n") == 1 and not done.stdout
    for answer in map(str, range(1, ANSWERS + 1)):
        store = folder / f"{bundle.stem}-store-{answer}"
        command = [PROGRAM, "--store", str(store), "add", str(bundle), "--json"]
        said = at_terminal(command, [answer, "y"])
        print(f"  answered {answer}: exit {said.exit_code}, {said.asked[0]} question")
        right &= said.exit_code == 0 and said.asked == (1, 1)
        right = right and is_right(json.loads(said.stdout), bundle, folder)
    return None if right else False


def is_right(document: dict, bundle: Path, folder: Path) -> bool:
    """Whether a board begins as the file does."""
    table = tomllib.loads(Path(document["definition"]).read_text(encoding="utf-8"))
    for guess in document["guesses"]:
        print(f"  {guess['key']:<22} {guess['value']}  ({guess['why']})")
    path = table["source"]["paths"][0]
    expected = first_places(
        plain_rows(newest(bundle, path, folder), table["table"]), table["table"]["direction"]
    )
    ours = [row["entry"] for row in document["standings"]["entries"]][:TOP]
    for place, (mine, theirs) in enumerate(zip(ours, expected, strict=False), 1):
        print(f"  {place:>2}  {mine:<45}{'' if mine == theirs else f'the file has {theirs}'}")
    return ours == expected


def main(arguments: Sequence[str] | None = None) -> int:
    """Try all, count."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the bundles are")
    folder = parser.parse_args(arguments).folder
    with tempfile.TemporaryDirectory() as temporary:
        results = {b.stem: try_one(b, Path(temporary)) for b in sorted(folder.glob("*.bundle"))}
    right = [name for name, result in results.items() if result]
    asked = [name for name, result in results.items() if result is None]
    wrong = [name for name, result in results.items() if result is False]
    print(
        f"\nright without a question: {', '.join(right)}; right after one: {', '.join(asked)}; wrong: {', '.join(wrong) or 'none'}"
    )
    return 1 if wrong or len(right) < ENOUGH else 0


if __name__ == "__main__":
    sys.exit(main())
