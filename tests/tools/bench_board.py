"""Which long history is measured?

In: how many versions and entries. Out: a repository with a board in the Decision Index's schema.
Start at make_history(). The same numbers give the same repository.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

FILE = "data/board.json"
SEED = 20261021
START, STEP = 1_767_225_600, 10_800  # 2026-01-01, a version every three hours


class BenchError(Exception):
    """A measured command did not do what it should."""


class SyntheticBoard:
    """A board in the Decision Index's schema whose rows change a little at each version."""

    def __init__(self, rows: int, seed: int = SEED):
        self.random = random.Random(seed)
        self.rows = [self._new_row(number) for number in range(rows)]
        self.texts = [self._text(row) for row in self.rows]

    def step(self) -> None:
        """Score one to five rows anew."""
        for number in self.random.sample(range(len(self.rows)), self.random.randint(1, 5)):
            row = self.rows[number]
            for part in ("pub", "same_skills", "new_domains"):
                row[part] = round(min(99.0, max(1.0, row[part] + self.random.gauss(0, 1.5))), 2)
            self._score(row)
            self.texts[number] = self._text(row)

    def file(self, version: int) -> bytes:
        """The whole file, as published in `version`."""
        order = sorted(range(len(self.rows)), key=lambda n: (-self.rows[n]["v"], n))
        ranks = {number: rank for rank, number in enumerate(order, 1)}
        models = ",\n".join(
            before + str(ranks[number]) + after for number, (before, after) in enumerate(self.texts)
        )
        return (
            f'{{\n "generated_utc": "{_clock(version)}",\n "edition": "1.{version // 500}",\n'
            f' "label": "Edition 1.{version // 500}",\n'
            ' "weights": {"public": 0.0, "same_skills": 0.6, "new_domains": 0.4},\n'
            f' "models": [\n{models}\n ],\n "formula": {{"tie_band": 0.9}}\n}}\n'
        ).encode()

    def _new_row(self, number: int) -> dict:
        level = self.random.uniform(5, 75)
        row = {
            "engine": f"engine-{number:03d}",
            "name": f"Engine {number:03d} {self.random.choice(('base', 'large', 'flash'))}",
            "lab": self.random.random() < 0.1,
        }
        for part in ("pub", "same_skills", "new_domains"):
            row[part] = round(level + self.random.uniform(-5, 5), 2)
        self._score(row)
        return row

    @staticmethod
    def _score(row: dict) -> None:
        row["eq"] = {
            "S": round(23.5 + 1.01 * (row["same_skills"] - 24.27), 3),
            "O": round(23.5 + 1.23 * (row["new_domains"] - 23.68), 3),
        }
        row["parts"] = {
            "public": 0.0,
            "same_skills": round(0.6 * row["eq"]["S"], 3),
            "new_domains": round(0.4 * row["eq"]["O"], 3),
        }
        row["v"] = round(max(0.0, 0.6 * row["eq"]["S"] + 0.4 * row["eq"]["O"]), 2)

    @staticmethod
    def _text(row: dict) -> tuple[str, str]:
        """One row as printed, cut where its rank goes."""
        shown = {
            key: row[key]
            for key in ("engine", "pub", "same_skills", "new_domains", "v", "lab", "name")
        }
        shown |= {"rank_v": "@", "tied": False, "eq": row["eq"], "parts": row["parts"]}
        shown["page"] = f"https://example.org/engines/{row['engine']}"
        text = json.dumps(shown, indent=2).replace("\n", "\n  ")
        before, after = text.split('"@"')
        return f"  {before}", after


def make_history(folder: Path, versions: int, rows: int) -> Path:
    """A bare repository with `versions` commits of one board of `rows` rows.

    Made once and kept: the same seed gives the same commits.
    """
    repo = folder / f"{versions}x{rows}.git"
    if repo.exists():
        return repo
    unfinished = Path(f"{repo}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    subprocess.run(["git", "init", "-q", "--bare", "-b", "main", str(unfinished)], check=True)
    with subprocess.Popen(
        ["git", "-C", str(unfinished), "fast-import", "--quiet"], stdin=subprocess.PIPE
    ) as git:
        assert git.stdin
        for piece in _fast_import(versions, rows):
            git.stdin.write(piece)
        git.stdin.close()
        if git.wait():
            raise BenchError("git fast-import failed")
    unfinished.rename(repo)
    return repo


def _fast_import(versions: int, rows: int) -> Iterator[bytes]:
    board = SyntheticBoard(rows)
    for version in range(versions):
        if version:
            board.step()
        data = board.file(version)
        when = START + STEP * version
        yield (
            f"commit refs/heads/main\ncommitter Bench <bench@example.org> {when} +0000\n"
            f"data 6\nupdate\nM 100644 inline {FILE}\ndata {len(data)}\n"
        ).encode()
        yield data + b"\n"


def _clock(version: int) -> str:
    return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(START + STEP * version))
