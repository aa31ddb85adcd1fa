"""How does an audit read for people, and as CSV?

In: the document of history/audit_record.py. Out: an Answer. Start at audit().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.output import Answer, table
from app.report import foot
from app.wording import Document, short, wrapped
from history.smells.kinds import KINDS


@dataclass
class _Finding:
    """What one line says: a smell, and for how long it lasted.

    Attributes:
        first, last: places of the first and the last version that has it, in the document.
        versions: how many have it.
    """

    smell: Document
    first: int
    last: int
    versions: int = 1


def audit(document: Document, notes: Sequence[str] = ()) -> Answer:
    """What was found in a board's history.

    Args:
        document: of `audit`.
        notes: lines for stderr.
    """
    header = ("board", "commit", "committed_at", "kind", "entry", "pointer", "found")
    rows = [
        [document["board"], one["commit"], one["committed_at"], *[smell[n] for n in header[3:]]]
        for one in document["versions"]
        for smell in one["smells"]
    ]

    def people() -> Iterator[Any]:
        versions = document["versions"]
        found = findings(versions)
        if found:
            summed = ("kind", "findings", "versions")
            yield table(summed, totals(found), right=summed[1:])
            yield from (f"{block}\n" for block in blocks(versions, found))
        clean = sum(not one["smells"] for one in versions)
        yield f"{document['board']}: {clean} of {len(versions)} versions without a finding."
        yield foot(document)

    return Answer(document, people, header, rows, document["reconstruction"], notes)


def findings(versions: list[Document]) -> list[_Finding]:
    """One finding for what lasts over versions in a row; those that cannot be read do not end it."""
    found: list[_Finding] = []
    running: dict[tuple[Any, ...], _Finding] = {}
    for place, version in enumerate(versions):
        here: dict[tuple[Any, ...], _Finding] = {}
        for smell in version["smells"]:
            key = (
                smell["kind"],
                smell["entry"],
                sum(k[:2] == (smell["kind"], smell["entry"]) for k in here),
            )
            old = running.get(key) if KINDS[smell["kind"]].lasts else None
            if old is not None:
                old.last, old.versions = place, old.versions + 1
                here[key] = old
            else:
                here[key] = _Finding(smell, place, place)
                found.append(here[key])
        if version["reading"] == "unreadable":
            here = running | here
        running = here
    return found


def totals(found: list[_Finding]) -> list[list[Any]]:
    """A row per kind that was found, in the order of the kinds."""
    kinds: dict[str, list[_Finding]] = {}
    for one in found:
        kinds.setdefault(one.smell["kind"], []).append(one)
    return [
        [kind, len(kinds[kind]), sum(one.versions for one in kinds[kind])]
        for kind in KINDS
        if kind in kinds
    ]


def blocks(versions: list[Document], found: list[_Finding]) -> Iterator[str]:
    """A block per version in which something was found first, the newest first."""
    by_version: dict[int, list[_Finding]] = {}
    for one in found:
        by_version.setdefault(one.first, []).append(one)
    for place in sorted(by_version, reverse=True):
        lines = [f"{short(versions[place]['commit'])}  {versions[place]['committed_at']}"]
        for one in by_version[place]:
            text = f"{one.smell['kind']}: {one.smell['found']}{_lasted(versions, one)}"
            lines.append(wrapped(text, "  ", "    "))
        yield "\n".join(lines)


def _lasted(versions: list[Document], one: _Finding) -> str:
    if one.versions == 1:
        return ""
    if one.last == len(versions) - 1:
        return f" [{one.versions} versions, up to the newest]"
    return f" [{one.versions} versions, the last is {short(versions[one.last]['commit'])}]"
