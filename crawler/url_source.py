"""How does a file without a history get one?

In: an address, or files of a bucket. Out: a link of a chain (see `crawler.chain.chain`) for each look
that found other bytes than the one before. Start at UrlSource.

A link's time is that of the look. Its notes say when the old bytes were last seen: what happened
between the two nobody knows. What the looks since then found to be the same stands in a small file
beside the repository; without it less is known, and nothing is wrong.

A clock that was set back gives a look an earlier time than the one before. It is written down as
it was: the order of links is their ancestry, and history finds the clock that was wrong among all
of them, which a time that was made up here would hide.
"""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from crawler.board import Board
from crawler.chain.chain import Chain, Kept, Link, blob_id
from crawler.git.own_repository import pack_if_many, writing
from crawler.objects import Objects
from crawler.polled import Found, Look, Place, place_of
from crawler.source import CrawlError, Fetched, Judge, Known
from crawler.work import Work

CHAIN = "poll"  # all boards of one address or bucket have one line, however they are crawled
_CACHE = "looks.json"
_KEPT = "What was saved before is kept; look at the address in a browser"


class UrlSource:
    """Files at an address, and in buckets of the Hub.

    Args:
        judge: says why bytes cannot be a board's file.
        anew: get what is there also where the same was found before, if its bytes are lost.
    """

    def __init__(self, judge: Judge, *, anew: bool = False):
        self._judge, self._anew = judge, anew

    def fetch(self, boards: Sequence[Board], objects: Objects, known: Known, work: Work) -> Fetched:
        """Look, and keep what is new.

        Bytes that one of the boards can read are a version for all of them. A file that none can
        read is not: the boards that name it are refused, and keep what they had.

        Raises:
            CrawlError: no answer, or nothing that any board could read.
        """
        source = boards[0].source
        chain = Chain(objects, CHAIN)
        links = list(chain.links().values())
        tip = links[-1] if links else None
        held = _files(objects, tip)
        here = _with_bytes(objects, held) if self._anew else held
        names = {path for board in boards for path in board.source.paths}
        paths = sorted(names | set(held)) if source.kind == "url" else sorted(names)
        past = _past(objects, links, held)
        once = source.kind == "url"  # a bucket's list has sizes and digests, a server's answer none
        with place_of(source, work) as place:
            work(f"looking at {place.where}")
            look = place.look(paths, _marks(paths, here, past, source.kind))
            fresh = {
                path: found
                for path, found in look.files.items()
                if found.data is not None and blob_id(found.data) != here.get(path)
            }
            # What is at an address is one file, whatever the boards call it.
            groups = [paths] if source.kind == "url" else [[path] for path in paths]
            good, refused = self._judged(boards, groups, fresh, place)
        files = {path: blob for path, blob in held.items() if path not in good}
        files |= {path: _blob(look.files[path], held, path) for path in good & set(look.files)}
        if tip is None and not files:
            nothing = f"there is no {' or '.join(sorted(names))}"
            fix = "Correct `paths`, or crawl again later"
            raise next(iter(refused.values()), CrawlError(place.where, nothing, fix))
        came_back = any(files.get(path) != here.get(path) for path in good & set(fresh))
        if tip is None or files != held or came_back:
            tip = _add(chain, links, files, fresh, look, good, past, place.where, work)
            links.append(tip)
        # A file that was cut off on its way has the marks of the whole one; seen once, its marks
        # prove nothing, and the next look gets it again.
        _remember(objects, look, good, files, unproven=fresh if once else ())
        return Fetched(tip.own, "poll", not_before=not_before_of(links), refused=refused)

    def large_files(self, board: Board, work: Work) -> None:
        """Nowhere: what is at an address is the file itself."""
        return

    def _judged(
        self,
        boards: Sequence[Board],
        groups: Iterable[Sequence[str]],
        fresh: Mapping[str, Found],
        place: Place,
    ) -> tuple[set[str], dict[str, CrawlError]]:
        """The names whose state is known by this look, and the boards of those where it is not.

        Args:
            groups: names of one file each.
            fresh: new bytes.
        """
        good: set[str] = set()
        refused: dict[str, CrawlError] = {}
        for group in groups:
            whys = self._refused(boards, {p: fresh[p] for p in group if p in fresh}, place)
            good |= set() if whys else set(group)
            refused |= whys
        return good, refused

    def _refused(
        self, boards: Sequence[Board], fresh: Mapping[str, Found], place: Place
    ) -> dict[str, CrawlError]:
        """The boards that new bytes are no file of; none if one of them can read them.

        Args:
            fresh: of one file, by the names that it has.
        """
        whys: dict[str, tuple[str, str | None]] = {}
        for board in boards:
            for path in board.source.paths:
                if path in fresh and not (whys.get(board.name) or ("", ""))[1]:
                    whys[board.name] = path, self._why_not(board, path, fresh[path])
        if not all(why for _, why in whys.values()):
            return {}
        where = place.where
        return {
            name: CrawlError(
                where if where.endswith(f"/{path}") else f"{where}: {path}",
                f"not the file of board {name}, but " + place.hide(f"{fresh[path].words} ({why})"),
                _KEPT,
                passing=True,
            )
            for name, (path, why) in whys.items()
        }

    def _why_not(self, board: Board, path: str, found: Found) -> str | None:
        assert found.data is not None
        return self._judge(board, path, found.data) if found.data else "0 bytes"


def not_before_of(links: Iterable[Link]) -> dict[str, datetime]:
    """Commits of ours that a look made -> the last look that still saw what was there before."""
    return {link.own: at for link in links if (at := _time(link.notes, "not_before"))}


@dataclass(frozen=True, slots=True)
class _Past:
    """What the last look at a file found.

    Attributes:
        at: when that was, at the latest.
        marks: by which the same bytes are known; none if there was no file.
    """

    at: datetime
    marks: Mapping[str, str] = field(default_factory=dict)


def _files(objects: Objects, link: Link | None) -> dict[str, str]:
    """Path -> blob of a link."""
    if link is None:
        return {}
    listed = objects.run("ls-tree", "-r", "-z", "--full-tree", link.own)
    rows = (
        row.split("\t", 1) for row in listed.decode("utf-8", "surrogateescape").split("\0") if row
    )
    return {path: entry.split()[2] for entry, path in rows}


def _with_bytes(objects: Objects, held: Mapping[str, str]) -> dict[str, str]:
    """The files of which the bytes are not lost."""
    infos = zip(held, objects.infos(list(held.values())), strict=True)
    return {path: held[path] for path, info in infos if info.kind == "blob"}


def _marks(
    paths: Sequence[str], held: Mapping[str, str], past: Mapping[str, _Past], kind: str
) -> dict[str, Mapping[str, str]]:
    """By what the files that are held would be known to be the same."""
    if kind == "url" and len({held.get(path) for path in paths}) > 1:
        return {}  # one of its names is new
    return {path: past[path].marks for path in paths if path in held and path in past}


def _blob(found: Found, held: Mapping[str, str], path: str) -> str:
    return held[path] if found.data is None else blob_id(found.data)


def _add(
    chain: Chain,
    links: Sequence[Link],
    files: Mapping[str, str],
    fresh: Mapping[str, Found],
    look: Look,
    looked_at: Collection[str],
    past: Mapping[str, _Past],
    where: str,
    work: Work,
) -> Link:
    """Write down that a look found something else."""
    last = links[-1] if links else None
    held = _files(chain.objects, last)
    changed = [path for path in looked_at if files.get(path) != held.get(path) and path in past]
    notes = {"look": json.dumps(_told(look, looked_at, files), sort_keys=True)}
    if changed:
        # Of files that were last looked at at different times, the first of these holds for all.
        notes["not_before"] = _text(min(past[path].at for path in changed))
    label = _unused(_text(look.at), {link.label for link in links})
    kept = {
        path: Kept(blob, found.data if (found := fresh.get(path)) and path in looked_at else None)
        for path, blob in files.items()
    }
    with writing(chain.objects, where, work) as handle:
        with chain.adding([handle]) as writer:
            own = writer.add(label, look.at, kept, after=last.own if last else None, notes=notes)
        pack_if_many(chain.objects, work, handle)
    return Link(own, label, look.at, notes)


def _unused(label: str, labels: Collection[str]) -> str:
    """A label that no link has: two looks in one second are two."""
    number, wanted = 1, label
    while label in labels:
        number += 1
        label = f"{wanted} {number}"
    return label


def _told(look: Look, paths: Iterable[str], files: Mapping[str, str]) -> dict[str, Any]:
    """What a look found of each file, as it is written down."""
    return {
        path: {"blob": files.get(path), "marks": dict(found.marks) if found else {}}
        for path in paths
        for found in [look.files.get(path)]
    }


def _past(objects: Objects, links: Sequence[Link], held: Mapping[str, str]) -> dict[str, _Past]:
    """The last look at each file that was ever looked at.

    A time that lies behind now was told by a clock that is wrong, then or now; the time of the
    link, which is known beside it, is not better, but it is the one that everybody sees.
    """
    now = datetime.now().astimezone()
    past: dict[str, _Past] = {}
    for link in links:
        past |= dict.fromkeys(_read(link.notes.get("look", "")), _Past(link.at))
    with suppress(OSError, UnicodeDecodeError):
        written = _cache(objects).read_text(encoding="utf-8")
        for path, told in _read(written).items():
            at = _time(told, "at")
            # It may be of another chain than the one that is here, or of a look before its tip.
            if path in past and told.get("blob") == held.get(path) and at and at <= now:
                marks = _marks_of(told, held.get(path))
                past[path] = _Past(at if past[path].at > now else max(at, past[path].at), marks)
    return past


def _remember(
    objects: Objects,
    look: Look,
    looked_at: Collection[str],
    files: Mapping[str, str],
    unproven: Collection[str],
) -> None:
    """Keep what a look found for the next one; a cache, so it may fail."""
    place = _cache(objects)
    old: dict[str, Any] = {}
    with suppress(OSError, UnicodeDecodeError):
        old = _read(place.read_text(encoding="utf-8"))
    fresh = _told(look, looked_at, files)
    fresh |= {path: told | {"marks": {}} for path, told in fresh.items() if path in unproven}
    at = {"at": _text(look.asked_at)}
    text = json.dumps(old | {path: told | at for path, told in fresh.items()}, sort_keys=True)
    beside = place.with_name(f"{_CACHE}.new")  # who fetches holds the source
    with suppress(OSError):
        beside.write_text(text + "\n", encoding="utf-8")
        os.replace(beside, place)


def _cache(objects: Objects) -> Path:
    return objects.folder.parent / _CACHE


def _read(text: str) -> dict[str, dict[str, Any]]:
    """Path -> what was written down of a file; nothing of what is damaged."""
    try:
        said = json.loads(text or "{}")
    except ValueError:
        return {}
    items = said.items() if isinstance(said, dict) else ()
    return {path: told for path, told in items if isinstance(told, dict)}


def _marks_of(told: Mapping[str, Any], blob: str | None) -> dict[str, str]:
    """The marks that were written down, if they are of the bytes that are held."""
    marks = told.get("marks")
    if blob is None or told.get("blob") != blob or not isinstance(marks, dict):
        return {}
    return {name: text for name, text in marks.items() if isinstance(text, str)}


def _text(at: datetime) -> str:
    return at.isoformat(timespec="seconds")


def _time(said: Mapping[str, Any], key: str) -> datetime | None:
    """A time that was written down; None where there is none, or nonsense."""
    with suppress(ValueError, TypeError, KeyError):
        at = datetime.fromisoformat(said[key])
        return at if at.tzinfo else None
    return None
