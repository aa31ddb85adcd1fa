"""Where did a chain end whose reference is lost?

In: the commits of our own that nothing leads to (see `crawler.chain.chain`). Out: references to them.
Start at restore_chains().
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from crawler.board import Board
from crawler.chain.chain import Chain, Link, link_of
from crawler.chain.lfs import CHAIN as LFS
from crawler.line.stand_ins import listing_of
from crawler.objects import Objects, StoreError
from crawler.paths import Paths
from crawler.url_source import CHAIN as POLL

_COMMIT = re.compile(r"[0-9a-f]{40}|[0-9a-f]{64}")


def restore_chains(objects: Objects, boards: Sequence[Board]) -> None:
    """Name the ends of the chains of some boards again, where they have lost their names."""
    wanted = {LFS: boards[0]}
    if boards[0].source.is_polled:
        wanted[POLL] = boards[0]
    elif boards[0].source.kind == "hub":
        wanted |= {listing_of(objects, board).name: board for board in boards}
    names = objects.run("for-each-ref", "--format=%(refname)", "refs/chain/").decode().split()
    wanted = {name: one for name, one in wanted.items() if f"refs/chain/{name}/tip" not in names}
    if not wanted:
        return
    parents = _commits(objects)
    ours = dict(_ours(objects, parents))
    for broken in _broken(objects, parents, ours):
        del ours[broken]  # nothing could be added behind it, and its chain was just retired
    below = {parent for own, named in parents.items() if own in ours for parent in named}
    ends = sorted((link.at, own) for own, link in ours.items() if own not in below)
    for name, board in wanted.items():
        fits = {
            own: bases
            for _, own in ends
            if _is_of(objects, ours[own], name, board)
            and (bases := set(_bases(own, parents, ours))) <= parents.keys()
        }
        for number, (own, bases) in enumerate(fits.items(), 1):
            kind = "tip" if number == len(fits) else f"seen/{own}"
            objects.run("update-ref", f"refs/chain/{name}/{kind}", own)
            for base in bases:
                objects.run("update-ref", f"refs/chain/{name}/base/{base}", base)


def retire_chains(objects: Objects, aside: Path) -> None:
    """Forget where chains end that cannot be read: what they told is asked for again.

    No reference stays, since git cannot follow it; its commits do.

    Args:
        aside: a folder; where they ended is written down there.
    """
    listed = objects.run("for-each-ref", "--format=%(objectname) %(refname)", "refs/chain/")
    rows = [line.split(" ") for line in listed.decode().splitlines()]
    for chain in sorted({ref.split("/")[2] for _, ref in rows}):
        try:
            Chain(objects, chain).links()
            objects.run("log", "--raw", "--no-abbrev", "--format=", f"--glob=refs/chain/{chain}")
        except StoreError:
            ends = [(own, ref) for own, ref in rows if ref.startswith(f"refs/chain/{chain}/")]
            aside.mkdir(parents=True, exist_ok=True)
            with open(aside / "references", "a", encoding="utf-8") as file:
                file.writelines(f"{own} {ref}\n" for own, ref in ends)
            given = "".join(f"delete {ref}\n" for _, ref in ends)
            objects.run("update-ref", "--stdin", given=given.encode())


def _commits(objects: Objects) -> dict[str, tuple[str, ...]]:
    """All commits that are here, with their parents."""
    listed = objects.run(
        *("cat-file", "--batch-all-objects", "--unordered"),
        "--batch-check=%(objecttype) %(objectname)",
    )
    lines = (line.split(" ") for line in listed.decode().splitlines())
    return objects.parents([name for kind, name in lines if kind == "commit"])


def _ours(
    objects: Objects, commits: Sequence[str] | dict[str, tuple[str, ...]]
) -> Iterator[tuple[str, Link]]:
    """Those of some commits that are links."""
    if not commits:
        return
    printed = objects.run(
        *("log", "--no-walk=unsorted", "--stdin", "-z", "--format=%cn <%ce>%n%H %ct %B"),
        given="".join(f"{commit}\n" for commit in commits).encode(),
    )
    for text in printed.decode("utf-8", "replace").split("\0"):
        person, _, rest = text.lstrip("\n").partition("\n")
        if person == "Ranktrail <>":
            try:
                link = link_of(rest)
            except StoreError:
                continue  # somebody else's commit
            yield link.own, link


def _broken(
    objects: Objects, parents: dict[str, tuple[str, ...]], ours: Mapping[str, Link]
) -> set[str]:
    """Links whose list of files is lost, and all that follow them."""
    asked = "".join(f"{own}^{{tree}}\n" for own in ours)
    told = objects.run("cat-file", "--batch-check=%(objecttype)", given=asked.encode())
    kinds = zip(ours, told.decode().splitlines(), strict=True)
    ahead = [own for own, kind in kinds if kind != "tree"]
    after: dict[str, list[str]] = {}
    for own in ours:
        for parent in parents[own]:
            after.setdefault(parent, []).append(own)
    broken: set[str] = set()
    while ahead:
        own = ahead.pop()
        if own not in broken:
            broken.add(own)
            ahead += after.get(own, [])
    return broken


def _is_of(objects: Objects, link: Link, name: str, board: Board) -> bool:
    """Whether a link can be of a chain: by what it says of itself, and by its files."""
    if name == LFS:
        return "blob" in link.notes
    if name == POLL:
        return "look" in link.notes
    if "blob" in link.notes or not _COMMIT.fullmatch(link.label):
        return False
    listed = objects.run("ls-tree", "-r", "-z", "--name-only", "--full-tree", link.own)
    paths = Paths(board.source.paths)
    files = [path for path in listed.decode("utf-8", "surrogateescape").split("\0") if path]
    return all(paths.item(path) is not None for path in files)


def _bases(own: str, parents: dict[str, tuple[str, ...]], ours: dict[str, Link]) -> Iterator[str]:
    """The commits that links follow and that are none: they came by git, or are lost."""
    ahead, seen = [own], {own}
    while ahead:
        for parent in parents.get(ahead.pop(), ()):
            if parent not in ours:
                yield parent
            elif parent not in seen:
                seen.add(parent)
                ahead.append(parent)
