"""Which files of a source belong together?

In: names of files, or what they hold. Out: patterns. Start at per_entry() for a folder with a file
per entry, and at side_by_side() for dated files, of which the newest is the board.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from functools import partial

from crawler.paths import dates_left_open, escaped
from history.propose.roles import FEW
from history.readers import Document, Unreadable
from history.readers.folder import FileRows, FolderDocument, entry_of

_MOST_OF = 0.9  # of the files


def side_by_side(paths: Sequence[str]) -> dict[str, list[str]]:
    """Pattern -> files that differ only in the date in their name; at least two.

    >>> side_by_side(["a_20260101.csv", "a_20260201.csv", "b_20260101.csv", "c.csv"])
    {'a_*.csv': ['a_20260101.csv', 'a_20260201.csv']}
    """
    groups: dict[str, list[str]] = defaultdict(list)
    for path in paths:
        if (pattern := dates_left_open(path)) is not None:
            groups[pattern].append(path)
    return {pattern: group for pattern, group in groups.items() if len(group) > 1}


def have_dates(paths: Sequence[str]) -> bool:
    """Whether most of some files have a date in their name.

    >>> have_dates(["a_2026-01-01.csv", "a_2026-02-01.csv", "a_latest.csv"])
    True
    """
    return 2 * sum(dates_left_open(path) is not None for path in paths) > len(paths)


def per_entry(documents: Mapping[str, Document]) -> Iterator[tuple[str, list[str]]]:
    """Folders in which each file holds one entry: the pattern and its files.

    Args:
        documents: small files of objects, all of one ending, by path; at least one.
    """
    shapes = {path: _shape(document) for path, document in documents.items()}
    waiting = [("", list(documents))]
    while waiting:
        folder, paths = waiting.pop()
        ending = paths[0].rpartition(".")[2]
        inside: dict[str, list[str]] = defaultdict(list)
        for path in paths:
            step, slash, _ = path[len(folder) :].partition("/")
            inside[folder + step + slash if slash else folder].append(path)
        # The highest folder of which all files are alike; the odd one beside it stays out.
        if len(inside) > 1 and _alike(paths, documents, shapes):
            usual = _shared(paths, shapes)
            good = {f for f, below in inside.items() if any(shapes[p] >= usual for p in below)}
            if len(good) > 1:
                yield f"{escaped(folder)}**/*.{ending}", paths
                continue
        for deeper, below in inside.items():
            if deeper != folder:
                waiting.append((deeper, below))
            elif _alike(below, documents, shapes):
                yield f"{escaped(folder)}*.{ending}", below


def is_per_entry(documents: Mapping[str, Document]) -> bool:
    """Whether files hold one entry each: single objects with the same keys, under other names.

    Files that hold longer tables than there are files, or that have dates for names, are boards.

    >>> from history.readers import parse
    >>> one = parse("json", b'{"model": "fern", "score": 81.2}')
    >>> is_per_entry({"a.json": one, "b.json": one, "c.json": one})
    True
    """
    return _alike(list(documents), documents, {p: _shape(d) for p, d in documents.items()})


def joined(documents: Mapping[str, Document], rows: str = "") -> FolderDocument:
    """The rows of all files below each other.

    Args:
        documents: by path.
        rows: where they stand in each file; empty where the whole file is the row.
    """
    paths = sorted(documents)
    return FolderDocument(
        [(path, FileRows(partial(documents.__getitem__, path), rows)) for path in paths]
    )


def _shape(document: Document) -> frozenset[str]:
    """The keys of a file that is a single object; empty for any other."""
    try:
        return frozenset(document.row().names())
    except Unreadable:  # a table of several rows
        return frozenset()


def _shared(paths: Sequence[str], shapes: Mapping[str, frozenset[str]]) -> set[str]:
    """The keys that most of some files have."""
    said = Counter(key for path in paths for key in shapes[path])
    return {key for key, count in said.items() if count >= _MOST_OF * len(paths)}


def _alike(
    paths: Sequence[str],
    documents: Mapping[str, Document],
    shapes: Mapping[str, frozenset[str]],
) -> bool:
    names = {entry_of(path) for path in paths}
    enough = _MOST_OF * len(paths)
    if len(paths) < FEW or len(names) < enough:
        return False
    if have_dates(paths):
        return False
    shared = len(_shared(paths, shapes))
    usual = sum(len(shapes[path]) for path in paths) / len(paths)
    if not shared or shared < usual / 2:
        return False
    longer = sum(
        any(len(table.places) > len(paths) for _, table in documents[path].tables())
        for path in paths
    )
    return longer <= len(paths) / 2
