"""What does a board read at one commit?

In: the files of its paths there. Out: Held. Start at Choice.held().
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from crawler.board import Board
from crawler.line.stand_ins import StandIns
from crawler.objects import Objects
from crawler.paths import Paths, by_name, folders_to, newest_by_name

# Mode and object id of what stands at a path.
Place = tuple[str, str]

FOLDER = "040000"
_SUBMODULE = "160000"
_LINKS = {"120000": "a symbolic link", _SUBMODULE: "a submodule"}
_NO_TEXT = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Entry:
    """A path with the bytes there, or why there are none.

    `why` names what a link is, so that two commits of which the board reads the same have equal
    ones and no others.
    """

    path: str
    blob: str | None
    state: str
    why: str | None = None


# One Entry; of a board with a file per entry as many as there are files, by path.
Held = tuple[Entry, ...]


@dataclass
class Tree:
    """The files of a board's paths at one commit of the published line; it moves along the line.

    Attributes:
        at: what stands at each path.
        changed: the step that changed it last; kept where the board asks for it.
        step: steps so far.
    """

    at: dict[str, Place]
    changed: dict[str, int]
    step: int = 0

    def copy(self) -> Tree:
        """The same, to move along another line."""
        return Tree(dict(self.at), dict(self.changed), self.step)

    def move(self, touched: dict[str, Place | None]) -> None:
        """Go on to the next commit, which leaves this at some of the paths."""
        self.step += 1
        for path, place in touched.items():
            if place is None:
                self.at.pop(path, None)
                self.changed.pop(path, None)
                continue
            if _content(place) != _content(self.at.get(path)):
                self.changed[path] = self.step
            self.at[path] = place


class Choice:
    """Which of the files of its paths a board reads.

    Args:
        objects: where the commits are.
        board: says paths, `newest`, and whether each file holds one entry.
        stand_ins: the commits here that have their files.
    """

    def __init__(self, objects: Objects, board: Board, stand_ins: StandIns):
        self.objects = objects
        self.stand_ins = stand_ins
        self._by_date = board.source.newest != "commit"
        self._all = board.file_per_entry
        self._entries: dict[tuple[str, Place], Entry] = {}
        self.paths = Paths(board.source.paths)
        # Folders that would hide files of the board if they were links.
        self.folders = {folder for path in board.source.paths for folder in folders_to(path)}

    @property
    def asks_for_changes(self) -> bool:
        """Whether it matters when each file was changed last."""
        return self.paths.have_patterns and not self._by_date and not self._all

    def limits(self, *, with_folders: bool) -> list[str]:
        """Where all that concerns the board is, for git; empty for the whole repository.

        Args:
            with_folders: links in place of the folders above its files concern it, too.
        """
        limits = self.paths.limits()
        return sorted({path.partition("/")[0] for path in limits}) if with_folders else limits

    def is_lacking(self, tree: Tree) -> bool:
        """Whether there is an item without files that the board would read if it had some."""
        if not self._all:
            return not tree.at
        there = {self.paths.item(path) for path in tree.at}
        return len(there) < len(self.paths.written)

    def wanted(self, path: str, place: Place) -> Place | None:
        """What counts of that which stands at a path: a pattern means files, never folders."""
        is_folder = place[0] == FOLDER and not self.paths.is_plain(path)
        return None if is_folder else place

    def at(self, commit: str) -> dict[str, Place]:
        """What stands at the paths in a commit."""
        here = self.stand_ins.of(commit)
        listed = _listed(self.objects, here, self.paths.limits(), "-r", "-t")
        return {
            path: place
            for path, place in listed
            if self.paths.item(path) is not None and self.wanted(path, place)
        }

    def held(self, commit: str | None, tree: Tree) -> Held:
        """What the board reads at a commit; None for the time before the first."""
        items: dict[int, list[str]] = {}
        for path in tree.at:
            number = self.paths.item(path)
            assert number is not None
            items.setdefault(number, []).append(path)
        found: list[Entry] = []
        if self._all:
            found += (self._entry(path, tree.at[path]) for path in sorted(tree.at))
        elif items:
            found.append(self._newest(items[min(items)], tree))
        if commit and (self._all or not found):
            lacking = [p for n, p in enumerate(self.paths.written) if n not in items]
            found += self._behind_links(commit, lacking)
        if not found:
            return (Entry(self.paths.written[0], None, "absent"),)
        return tuple(found) if self._all else (found[0],)

    def _newest(self, paths: list[str], tree: Tree) -> Entry:
        if len(paths) == 1:
            path = paths[0]
        elif self._by_date:
            chosen = newest_by_name(paths)
            if not isinstance(chosen, str):
                first, second = (shown(path) for path in chosen)
                why = f"the newest is {first} with the month first, {second} with the day first"
                return Entry(first, None, "unavailable", why)
            path = chosen
        else:
            path = max(paths, key=lambda path: (tree.changed[path], *by_name(path)))
        return self._entry(path, tree.at[path])

    def _entry(self, path: str, place: Place) -> Entry:
        # The same files come again at every commit: one Entry stands for all of them.
        if (path, place) not in self._entries:
            self._entries[path, place] = self._lacking(path, place) or _entry(path, *place)
        return self._entries[path, place]

    def _lacking(self, path: str, place: Place) -> Entry | None:
        """A file that the API told of and whose bytes could not be had; None for any other."""
        mode, blob = place
        why = self.stand_ins.why_lacking(blob) if mode == _SUBMODULE else None
        if why is None:
            return None
        if self.stand_ins.is_listed(blob):  # no file, the whole commit could not be had
            return Entry(path, None, "unavailable", why)
        return Entry(path, blob, "published")

    def _behind_links(self, commit: str, paths: Iterable[str]) -> Iterator[Entry]:
        """Items of which no file is there because one of their folders is a link."""
        folders = {folder: path for path in paths for folder in folders_to(path)}
        here = self.stand_ins.of(commit)
        for folder, (mode, blob) in _listed(self.objects, here, folders) if folders else ():
            if mode in _LINKS and folder in folders:
                why = f"{folder} is {_LINKS[mode]} ({blob[:8]})"
                yield Entry(folders[folder], None, "unavailable", why)


def shown(path: str) -> str:
    """A path as text: what is none in it is escaped.

    >>> shown("a\\nb")
    'a\\\\x0ab'
    """
    raw = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return _NO_TEXT.sub(lambda letter: f"\\x{ord(letter[0]):02x}", raw)


def _entry(path: str, mode: str, blob: str) -> Entry:
    if _NO_TEXT.search(path):
        return Entry(shown(path), None, "unavailable", f"its name is no text ({blob[:8]})")
    if mode in _LINKS:
        return Entry(path, None, "unavailable", f"{_LINKS[mode]} ({blob[:8]}), not a file")
    if mode == FOLDER:
        return Entry(path, None, "unavailable", "a folder, not a file")
    return Entry(path, blob, "published")


def _content(place: Place | None) -> Place | None:
    """What of a place makes a version: not whether a file may be run as a program."""
    return None if place is None else (_LINKS.get(place[0], ""), place[1])


def _listed(
    objects: Objects, commit: str, paths: Iterable[str], *options: str
) -> Iterator[tuple[str, Place]]:
    printed = objects.run("ls-tree", "-z", "--full-tree", *options, commit, "--", *paths)
    for line in printed.decode("utf-8", "surrogateescape").split("\0"):
        if line:
            entry, path = line.split("\t", 1)
            mode, _, blob = entry.split(" ")
            yield path, (mode, blob)
