"""Do the formula and the tie rule of the Decision Index come out of its published text board?

In: a folder with rows.json, a list of rows with the key `board`, `generated_utc` and `row`. The
115 rows of the text board of 7 October 2026 become a file of the board's own shape in a git
repository, the ready-made definition is laid on it, and `audit` is asked. Out: how far the scores
are from what the formula gives, which tie rules give the published tie ranks, and exit code 1 if
either is not as it should be.

    python -m tests.tools.decision_index FOLDER
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from app.cli import cli
from history.pipeline import open_board
from tests.histories import History

MOMENT = "2026-10-07T18:25"
READY_MADE = Path(__file__).parent.parent.parent / "crawler" / "boards" / "decision-index-text.toml"
# The inputs are printed with two decimals: they alone explain so much.
LARGEST = 0.0105
RULE, LOWEST, BELOW = "anchored", Decimal("0.87"), Decimal("0.91")
# Keys of the copied rows -> keys of the board's own file.
KEYS = {
    "engine": "engine",
    "name": "name",
    "full": "v",
    "public": "pub",
    "S": "same_skills",
    "O": "new_domains",
    "rank_tie": "rank_tie",
}


@dataclass(frozen=True, slots=True)
class Found:
    """What `audit` says of the board.

    Attributes:
        scores: how many entries have a score.
        off: by entry, how far its score is from what the formula gives.
        fits: of the tie rule, as in the document of `audit`.
    """

    scores: int
    off: Mapping[str, float]
    fits: Sequence[Mapping[str, Any]]

    @property
    def wrong(self) -> list[str]:
        """What is not as it should be; empty if all is."""
        found = []
        if not self.scores or len(self.off) != self.scores:
            found.append(f"the formula gives {len(self.off)} of {self.scores} scores")
        if any(off > LARGEST for off in self.off.values()):
            found.append(f"a score is more than {LARGEST} off")
        if {fit["rule"] for fit in self.fits} != {RULE}:
            found.append(f"the tie rule is not {RULE} alone")
        if any(
            not Decimal(fit["band_low_text"]) >= LOWEST
            or Decimal(fit["band_high_text"] or "Infinity") > BELOW
            for fit in self.fits
        ):
            found.append(f"the band is not inside [{LOWEST}, {BELOW})")
        return found


def rows_of(folder: Path) -> list[dict[str, Any]]:
    """The rows of the board, as its own file would have them."""
    handed = json.loads((folder / "rows.json").read_text(encoding="utf-8"))
    rows = [
        one["row"]
        for one in handed
        if one["board"] == "text"
        and str(one["generated_utc"]).startswith(MOMENT)
        and set(KEYS) <= set(one["row"])
    ]
    return [{ours: row[theirs] for theirs, ours in KEYS.items()} for row in rows]


def ask(rows: Sequence[Mapping[str, Any]], folder: Path) -> Found:
    """Build the repository and the store in an empty folder, crawl, and ask."""
    repository = History(folder / "upstream.git")
    file = {"edition": "0.3", "label": "Decision Index 0.3", "models": list(rows)}
    repository.commit({"data/v03.json": json.dumps(file)}, f"{MOMENT}:00+00:00")
    board = folder / "store" / "decision-index-text"
    board.mkdir(parents=True)
    written = READY_MADE.read_text(encoding="utf-8")
    source = tomllib.loads(written)["source"]
    for key in ("kind", "repo", "repo_type"):
        line = f'{key} = "{source[key]}"\n'
        ours = {"kind": 'kind = "git"\n', "repo": f'repo = "{repository.folder.as_posix()}"\n'}
        written = written.replace(line, ours.get(key, ""))
    (board / "board.toml").write_text(written, encoding="utf-8")
    _run(folder, "crawl")
    (version,) = json.loads(_run(folder, "audit", "decision-index-text", "--json"))["versions"]
    whole, off = _off(folder)
    return Found(whole, off, version["tie_rule"]["fits"] or [])


def _off(folder: Path) -> tuple[int, dict[str, float]]:
    """How many entries are ranked, and how far each score is off: `audit` prints only those that
    rounding does not explain.
    """
    board = open_board(folder / "store", "decision-index-text")
    rows = board.audit().formula
    ranked = int(board.rank_history()["rank"].notna().sum())
    return ranked, dict(zip(rows["entry"].tolist(), rows["off"].tolist(), strict=True))


def _run(folder: Path, *arguments: str) -> str:
    command = ["--store", str(folder / "store"), *arguments]
    done = CliRunner(catch_exceptions=False).invoke(cli, command)
    if done.exit_code not in (0, 5):
        raise RuntimeError(f"{' '.join(arguments)}: {done.stderr.strip()}")
    return done.stdout


def report(found: Found) -> str:
    """Lines for people."""
    ordered = sorted(found.off.items(), key=lambda pair: -pair[1])
    lines = [f"scores: {found.scores}, recomputed: {len(found.off)}"]
    if ordered:
        entry, off = ordered[0]
        printed = sum(round(size, 9) <= 0.005 for size in found.off.values())
        lines.append(f"largest residual: {off:.4f} ({entry}); allowed: {LARGEST}")
        lines.append(f"within half a printed unit: {printed}")
    for fit in found.fits:
        ends = f"{fit['band_low_text']}, {fit['band_high_text']}"
        band = f"[{ends})" if fit["edge"] == "inclusive" else f"({ends}]"
        lines.append(
            f"tie rule: {fit['rule']} {fit['edge']}, band in {band}, {fit['counts']}, "
            f"{fit['witnesses']} comparisons, {fit['hidden']} counted but not shown"
        )
    lines += [f"WRONG: {what}" for what in found.wrong] or ["all as it should be"]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the check."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="a folder with rows.json")
    given = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="ranktrail-index-") as folder:
        found = ask(rows_of(given.folder), Path(folder))
    print(report(found))
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
