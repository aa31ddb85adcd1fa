"""Does Ranktrail find the same periods of first place as somebody else's parser?

In: a folder with `*.bundle` files and the `leaders.json` that an independent program made of
them. Out: both lists side by side, every difference with its commit, and exit code 1 if one is
not explained in boards/differences.toml. The definitions are the ready-made ones, and boards/*.toml
beside this file.

    python -m tests.tools.compare_leaders FOLDER
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

BOARDS = Path(__file__).parent / "boards"

READY_MADE = Path(__file__).parent.parent.parent / "crawler" / "boards"

# Their name for a board -> our definition, its bundle, and the split where it has several.
COMPARED = {
    "aider-edit": ("aider-edit", "aider", None),
    "aider-polyglot": ("aider-polyglot", "aider", None),
    "arena-text": ("arena-text", "arena-space", None),
    "evalplus-he+": ("evalplus-humaneval-plus", "evalplus", None),
    "vectara": ("vectara", "vectara", None),
    "bfcl-overall": ("bfcl", "bfcl", None),
    "mmmu-val": ("mmmu-val", "mmmu", None),
    "mmmu-test": ("mmmu-test", "mmmu", None),
    "mmmu-pro": ("mmmu-pro", "mmmu", None),
    "algotrade-dataclean-public": ("algotrade-dataclean", "algotrade", "public"),
    "algotrade-dataclean-private": ("algotrade-dataclean", "algotrade", "private"),
}


MOST = 3  # boards that may differ


@dataclass(frozen=True, order=True, slots=True)
class Period:
    """One stretch of first place.

    Attributes:
        since, until: UTC; until is empty for the last one.
        who: the holders, sorted.
        commit: the commit that began it; not compared, a bundle's ids are its own.
    """

    since: str
    until: str
    who: tuple[str, ...]
    commit: str = field(compare=False, default="")

    def __str__(self) -> str:
        return f"{self.since} .. {self.until or 'now':<20}  {', '.join(self.who) or '(nobody)'}"


@dataclass(frozen=True, slots=True)
class Difference:
    """A period that only one of the two lists has."""

    board: str
    side: str
    period: Period


def ranktrail(store: Path, *arguments: str) -> dict:
    """One document of the command line."""
    program = Path(sys.executable).with_name("ranktrail")
    command = [str(program), "--store", str(store), *arguments, "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)}: exit {done.returncode}\n{done.stderr.strip()}")
    return json.loads(done.stdout)


def definition(name: str) -> str:
    """The definition of a board: the ready-made one, or one of those beside this file."""
    ready = READY_MADE / f"{name}.toml"
    return (ready if ready.exists() else BOARDS / ready.name).read_text(encoding="utf-8")


def put_definition(store: Path, name: str, bundle: Path, text: str) -> None:
    """Write a definition into the store, with the bundle in place of the repository."""
    repo = f"repo = {json.dumps(str(bundle.resolve()))}"
    folder = store / name
    folder.mkdir(parents=True)
    here = re.sub(r"^repo = .*$", lambda _: repo, text, count=1, flags=re.MULTILINE)
    (folder / "board.toml").write_text(here, encoding="utf-8")


def our_periods(store: Path, board: str, split: str | None) -> list[Period]:
    """Reigns as the command line tells them."""
    document = ranktrail(store, "reigns", board, *(["--split", split] if split else []))
    return [
        Period(
            reign["from"],
            reign["until"] or "",
            tuple(sorted(reign["entries"])),
            reign["from_commit"],
        )
        for reign in document["reigns"]
    ]


def their_periods(leaders: dict) -> list[Period]:
    """Reigns as leaders.json tells them."""
    return [
        Period(
            reign["since"],
            reign.get("until", ""),
            tuple(sorted(reign["who"])),
            reign["since_commit"],
        )
        for reign in leaders["reigns"]
    ]


def compare(board: str, ours: list[Period], theirs: list[Period]) -> list[Difference]:
    """Print both lists along time; give what only one of them has.

    What we know of before their list begins is printed and not compared; a period of ours that
    runs on into their time is compared from there on.
    """
    differences = []
    begin = theirs[0].since
    for period in ours:
        if period.since < begin:
            print(f"  before  {period}")
    ours = [
        replace(period, since=max(period.since, begin))
        for period in ours
        if not period.until or period.until > begin
    ]
    for period in sorted({*ours, *theirs}):
        if period in ours and period in theirs:
            print(f"  same    {period}")
            continue
        side = "ours" if period in ours else "theirs"
        differences.append(Difference(board, side, period))
        print(f"  {side:<6}  {period}  [{period.commit[:10]}]")
    return differences


def explanation(difference: Difference, known: Sequence[dict]) -> str | None:
    """Why the two lists differ here, if somebody found out."""
    period = difference.period
    for entry in known:
        within = period.since <= entry["at"] and (not period.until or entry["at"] <= period.until)
        if difference.board in entry["boards"] and within:
            return f"{entry['commit']}: {entry['why']}"
    return None


def main(arguments: Sequence[str] | None = None) -> int:
    """Crawl, compare, tell."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("folder", type=Path, help="where the bundles and leaders.json are")
    folder = parser.parse_args(arguments).folder
    leaders = json.loads((folder / "leaders.json").read_text(encoding="utf-8"))
    known = tomllib.loads((BOARDS / "differences.toml").read_text(encoding="utf-8"))

    differences: list[Difference] = []
    with tempfile.TemporaryDirectory() as temporary:
        store = Path(temporary) / "store"
        for name, bundle in sorted({(board, bundle) for board, bundle, _ in COMPARED.values()}):
            put_definition(store, name, folder / f"{bundle}.bundle", definition(name))
        for done in ranktrail(store, "crawl")["boards"]:
            print(f"{done['board']}: {done['versions']} versions, {done['unreadable']} unreadable")
        for theirs, (board, _, split) in COMPARED.items():
            print(f"\n{theirs}")
            found = our_periods(store, board, split)
            differences += compare(theirs, found, their_periods(leaders[theirs]))

    unexplained = 0
    differ = {one.board for one in differences}
    print(f"\n{len(differences)} differences, on {len(differ)} of {len(COMPARED)} boards")
    for one in differences:
        why = explanation(one, known.get("difference", []))
        unexplained += why is None
        print(f"  {one.board} {one.side}: {one.period}\n    {why or 'NOT EXPLAINED'}")
    return 1 if unexplained or len(differ) > MOST else 0


if __name__ == "__main__":
    sys.exit(main())
