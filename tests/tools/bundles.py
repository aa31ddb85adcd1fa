"""What do we make of every version, and of every oddity, of the real histories?

In: a folder with the seven `*.bundle` files and their `catalog.json`. Out: for every board that
they hold, how many versions are read, partial, empty, absent or unreadable, and why; then what
boards/oddities.toml expects at a commit beside what is there. Exit code 1 if one expectation is not
met, or a commit that the catalog names has none. The definitions are the ready-made ones and
boards/*.toml; some differ from those by a few words only, see tracked().

    python -m tests.tools.bundles FOLDER
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd

from history.frames import SCORE, text_of
from history.pipeline import BoardHistory, open_board
from history.readings import read_table
from tests.tools.compare_leaders import BOARDS, READY_MADE, put_definition, ranktrail

# The bundle of a board, by the beginning of the board's name.
BUNDLES = {"arena": "arena-space", "decision": None}
SHORTEST = 8  # digits of the shortest commit id in the catalog
COUNTED = ("read", "partial", "empty", "absent")
PAIRS = {  # of AlgoTrade: column, direction
    "ml": ("ML Strategy", "higher"),
    "prediction": ("Prediction", "higher"),
    "esg": ("ESG", "lower"),
    "long-short": ("Long Short Sector", "higher"),
    "dashboard": ("Dashboard", "higher"),
}
OLD_COLUMN = {"ML Strategy": "Machine Learning Strategy"}
ARENAS = {
    "text-style-control": ("text-style-control", "data-style-control"),
    "vision": ("vision",),
    "vision-style-control": ("vision-style-control",),
    "image": ("image",),
}


def bundle_of(board: str) -> str | None:
    """The bundle that holds a board; None for a board that none holds."""
    family = board.partition("-")[0]
    return BUNDLES.get(family, family)


def tracked() -> Iterator[tuple[str, str]]:
    """Every board and the text of its definition."""
    for file in sorted({*READY_MADE.glob("*.toml"), *BOARDS.glob("*-*.toml")}):
        if bundle_of(file.stem):
            yield file.stem, file.read_text(encoding="utf-8")
    clean = (BOARDS / "algotrade-dataclean.toml").read_text(encoding="utf-8")
    for name, (column, direction) in PAIRS.items():
        text = clean.replace("dataclean", name).replace('"lower"', f'"{direction}"')
        for part in ("public", "private"):
            names = f'"{column} - {part}", "{OLD_COLUMN.get(column, column)} - {part}"'
            text = text.replace(f'"Data Cleaning - {part}"', f"[{names}]")
        yield f"algotrade-{name}", text
    yield "algotrade-copy", clean.replace("dataclean", "copy").replace("result", "result (copy)")
    full = (READY_MADE / "arena-text.toml").read_text(encoding="utf-8")
    for name, files in ARENAS.items():
        paths = ", ".join(f'"data/leaderboard-{file}.json"' for file in files)
        text = full.replace('"arena-text"', f'"arena-{name}"')
        yield f"arena-{name}", re.sub(r"^paths = .*$", f"paths = [{paths}]", text, flags=re.M)


@cache
def upstream(bundle: Path) -> dict[str, str]:
    """Commit ids as the original repository has them, by the bundle's own."""
    told = git(bundle, "log", "--all", "--format=%H %B%x00")
    return {
        record.split()[0]: re.search(r"source-commit: (\w+)", record).group(1)
        for record in told.split("\0")
        if record.strip()
    }


def git(clone: Path, *arguments: str) -> str:
    """What git says of a clone."""
    return git_bytes(clone, *arguments).decode(errors="replace")


def git_bytes(clone: Path, *arguments: str) -> bytes:
    """The same, as it comes."""
    command = ["git", "-C", str(clone), *arguments]
    return subprocess.run(command, capture_output=True, check=True).stdout


def of_bundle(clone: Path, commit: str) -> str:
    """The bundle's own id of an original commit."""
    found = [own for own, theirs in upstream(clone).items() if theirs.startswith(commit)]
    if len(found) != 1:
        raise SystemExit(f"{clone.name}: {len(found)} commits come from {commit}")
    return found[0]


def counts(board: BoardHistory, clone: Path) -> Iterator[str]:
    """One line of the table, and one for each reason with its commits."""
    readings = board.readings
    by_reading = readings["reading"].value_counts()
    cells = "".join(f"{by_reading.get(name, 0):>9}" for name in COUNTED)
    yield f"{board.name:<32}{len(readings):>9}{cells}{by_reading.get('unreadable', 0):>12}"
    odd = readings[readings["reading"] != "read"]
    for (reading, reason), rows in odd.groupby(["reading", odd["reason"].fillna("")]):
        ids = in_short([upstream(clone)[commit][:9] for commit in rows["commit"]])
        why = "; ".join(part for part in (reason, plain(rows["found"].iloc[0])) if part)
        yield f"    {reading} {ids}{why and f': {why}'}"


def in_short(ids: Sequence[str]) -> str:
    """The first and the last of many."""
    return " ".join(ids if len(ids) < 5 else [*ids[:2], f"({len(ids) - 3} more)", ids[-1]])


@dataclass(frozen=True, slots=True)
class Seen:
    """What we make of a board at one commit.

    Attributes:
        reading, reason, found, path: of that version; of the bytes alone where the commit is
            on no published line.
        scores: printed score by entry.
        unranked: why, by entry.
        first: the entries of rank 1.
        smells: "kind" and "kind: entry" of each finding.
        notes: what the definition says of that time.
    """

    reading: str
    reason: str
    found: str
    path: str
    scores: Mapping[str, str]
    unranked: Mapping[str, str]
    first: Sequence[str]
    smells: Sequence[str]
    notes: Sequence[str]


def seen(board: BoardHistory, commit: str) -> Seen:
    """What we make of a published commit."""
    standings = board.standings(commit)
    version = standings.moment.version
    row = board.reading(version)
    frame = standings.frame
    entries = frame["entry"].astype(str).tolist()
    texts = frame[text_of(SCORE)].astype(object)
    why = frame["unranked"].astype(object)
    smells = audited(board)
    here = smells[smells["version"] == version]
    notes = [f"{n.entry or ''}: {n.text}" for n in board.notes if n.meets(row["at"], row["at"])]
    return Seen(
        *(plain(row[name]) for name in ("reading", "reason", "found", "path")),
        dict(zip(entries, map(plain, texts), strict=True)),
        {entry: reason for entry, reason in zip(entries, map(plain, why), strict=True) if reason},
        frame.loc[frame["rank"].eq(1).fillna(False), "entry"].astype(str).tolist(),
        [*here["kind"], *(here["kind"] + ": " + here["entry"].fillna("")).tolist()],
        notes,
    )


@cache
def audited(board: BoardHistory) -> pd.DataFrame:
    """The findings of a whole history, made once."""
    return board.audit().smells


def unpublished(board: BoardHistory, clone: Path, commit: str) -> Seen:
    """What we make of the file at a commit on a side branch."""
    held = set(git(clone, "ls-tree", "-r", "-z", "--name-only", commit).split("\0"))
    path = next(name for name in board.board.source.paths if name in held)
    reading = read_table(board.meaning, path, git_bytes(clone, "show", f"{commit}:{path}"))
    texts = reading.fields[SCORE].texts if SCORE in reading.fields else ()
    return Seen(
        reading.reading,
        plain(reading.reason),
        plain(reading.found),
        path,
        dict(zip(reading.entries, map(plain, texts), strict=True)),
        {e: why for e, why in zip(reading.entries, reading.unranked, strict=True) if why},
        *((), (), ()),
    )


def plain(cell: object) -> str:
    """Text, empty where there is none."""
    return "" if cell is None or cell != cell else str(cell)


def unmet(expected: Mapping[str, Any], is_: Seen) -> Iterator[str]:
    """What is expected and not so."""
    for name in ("reading", "reason", "path"):
        if name in expected and getattr(is_, name) != expected[name]:
            yield f"{name} is {getattr(is_, name)!r}, not {expected[name]!r}"
    for text in expected.get("found", []):
        if text not in is_.found:
            yield f"found is {is_.found!r}, without {text!r}"
    for entry, text in expected.get("scores", {}).items():
        if is_.scores.get(entry) != text:
            yield f"{entry!r} has {is_.scores.get(entry)!r}, not {text!r}"
    for entry, why in expected.get("unranked", {}).items():
        if is_.unranked.get(entry) != why:
            yield f"{entry!r} is unranked because {is_.unranked.get(entry)!r}, not {why!r}"
    for entry in expected.get("not_listed", []):
        if entry in is_.scores:
            yield f"{entry!r} is listed"
    if "listed" in expected and len(is_.scores) != expected["listed"]:
        yield f"{len(is_.scores)} entries, not {expected['listed']}"
    if "first" in expected and sorted(is_.first) != sorted(expected["first"]):
        yield f"first is {is_.first}, not {expected['first']}"
    for smell in expected.get("smells", []):
        if smell not in is_.smells:
            yield f"no finding {smell!r} among {sorted(set(is_.smells))}"
    for smell in expected.get("no_smells", []):
        if smell in is_.smells:
            yield f"a finding {smell!r}"
    for note in expected.get("notes", []):
        if not any(note in one for one in is_.notes):
            yield f"no note {note!r} among {is_.notes}"


def judged(store: Path, clones: Path, expected: Mapping[str, Any]) -> list[str]:
    """Print one oddity beside what is there; give what is not met."""
    name = expected["board"]
    board, clone = history(store, name), clones / str(bundle_of(name))
    own = of_bundle(clone, expected["commit"])
    published = own in set(git(clone, "rev-list", "--first-parent", "--branches").split())
    wrong = []
    if published != expected.get("published", True):
        wrong.append(f"the commit is {'' if published else 'not '}on the published line")
    is_ = seen(board, own) if published else unpublished(board, clone, own)
    wrong += unmet(expected, is_)
    verdict = "NOT MET" if wrong else "met"
    print(f"\n{expected['commit']}  {name}  {verdict}\n    {expected['fact']}")
    said = f": {is_.reason}" if is_.reason else ""
    print(f"    we: {is_.reading}{said}{' on a side branch' if not published else ''}; {is_.path}")
    if is_.found:
        print(f"    found: {is_.found[:300]}")
    if is_.smells:
        print(f"    audit: {', '.join(sorted({one for one in is_.smells if ': ' in one}))[:300]}")
    for one in wrong:
        print(f"    NOT MET: {one}")
    return wrong


def named(folder: Path) -> set[str]:
    """Beginnings of the commit ids that the catalog names."""
    boards = json.loads((folder / "catalog.json").read_text(encoding="utf-8"))
    text = json.dumps([{k: v for k, v in one.items() if k != "bundle"} for one in boards])
    ids = re.findall(r"\b[0-9a-f]{8,9}\b", text)
    return {one[:SHORTEST] for one in ids if not one.isdigit()}


@cache
def history(store: Path, name: str) -> BoardHistory:
    """A board of the store, opened once."""
    return open_board(store, name)


def main(arguments: Sequence[str] | None = None) -> int:
    """Crawl, count, compare, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the bundles are")
    folder = parser.parse_args(arguments).folder
    expected = tomllib.loads((BOARDS / "oddities.toml").read_text(encoding="utf-8"))["oddity"]
    boards = dict(tracked())
    with tempfile.TemporaryDirectory() as temporary:
        store, clones = Path(temporary, "store"), Path(temporary, "clones")
        for bundle in {bundle_of(name) for name in boards}:
            source = folder / f"{bundle}.bundle"
            command = ["git", "clone", "--quiet", "--bare", str(source), str(clones / bundle)]
            subprocess.run(command, check=True)
        for name, text in boards.items():
            put_definition(store, name, folder / f"{bundle_of(name)}.bundle", text)
        ranktrail(store, "crawl")
        header = "".join(f"{name:>9}" for name in ("versions", *COUNTED))
        print(f"{'board':<32}{header}{'unreadable':>12}")
        for name in boards:
            for line in counts(history(store, name), clones / str(bundle_of(name))):
                print(line)
        unmet_ = [one for one in expected if judged(store, clones, one)]
        print(
            f"\n{len(expected)} oddities, {len(expected) - len(unmet_)} met, {len(unmet_)} not met"
        )
        for one in unmet_:
            print(f"  {one['commit']}  {one['board']}  {one['fact']}")
    forgotten = named(folder) - {one["commit"][:SHORTEST] for one in expected}
    print(f"named in the catalog without an expectation: {', '.join(sorted(forgotten)) or 'none'}")
    return 1 if unmet_ or forgotten else 0


if __name__ == "__main__":
    sys.exit(main())
