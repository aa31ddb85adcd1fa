"""How does an audit read for people, and as CSV?

In: the document of history/records/audit_record.py. Out: an Answer. Start at audit().
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.edition_report import edition_blocks, formula_lines
from app.output import Answer, Paste, table
from app.report import foot
from app.tables import readable
from app.tie_report import tie_lines
from app.wording import Document, short, wrapped
from history.audit.smells.kinds import KINDS
from history.counts import counted

PROPOSED = (
    "# Proposed: look at each, then put it into board.toml, where it may have [aliases] already."
)
_STRING = r'"(?:[^"\\]|\\.)*"'
_QUOTED = re.compile(_STRING)
_ALIAS = re.compile(
    r"alias\? (?:\[aliases\]|\[\[alias\]\] until (?P<until>[0-9a-f]+):) "
    rf"(?P<pairs>{_STRING} = {_STRING}(?:, {_STRING} = {_STRING})*)$"
)


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
    header = ["board", "commit", "committed_at", "kind", "entry", "pointer", "found"]
    header += ["path"] if "file" in document else []
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
        yield from formula_lines(document)
        ties = list(tie_lines(versions))
        yield from [*ties, ""] if ties else []
        yield from edition_blocks(document["editions"])
        but = f" ({', '.join(document['ignored'])} ignored)" if document["ignored"] else ""
        if "file" in document:
            yield from _about_file(document)
            size = counted(len(found), "finding") if found else "no finding"
            yield f"{document['file']}: {size}{but}. Nothing was stored."
        else:
            said = f"{clean} of {len(versions)} versions without a finding"
            yield f"{document['board']}: {said}{but}."
        computed = any(one["formula"]["compared"] for one in versions)
        yield foot(document, "; what a formula gives is reasoned" if computed else "")
        smells = [smell for one in versions for smell in one["smells"]]
        if lines := alias_lines(smells):
            yield Paste("\n".join(["", *lines]))

    return Answer(document, people, header, rows, document["reconstruction"], notes)


def _about_file(document: Document) -> Iterator[str]:
    """By which definition a file was read, and against what it was held."""
    edition = f", edition {document['edition']}" if document["edition"] else ""
    text = (
        f"Read as the next version of {document['board']}{edition}: {document['entries']} entries"
    )
    if (against := document["against"]) is not None:
        text += f", held against {short(against['commit'])} of {against['committed_at']}"
    if document["changed"]:
        text += f". Another edition than that: {'; '.join(document['changed'])}"
    yield wrapped(f"{text}.", "", "  ")


def findings(versions: list[Document]) -> list[_Finding]:
    """One finding for what lasts over versions in a row; those that cannot be read do not end it.

    A finding of no entry lasts as long as its sentence stays the same.
    """
    found: list[_Finding] = []
    running: dict[tuple[Any, ...], _Finding] = {}
    for place, version in enumerate(versions):
        here: dict[tuple[Any, ...], _Finding] = {}
        for smell in version["smells"]:
            about: tuple[Any, ...] = smell["kind"], smell["entry"]
            if smell["entry"] is None:
                about += (smell["found"],)
            key = (*about, sum(k[:-1] == about for k in here))
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
        version = versions[place]
        lines = [
            f"{short(version['commit'])}  {version['committed_at']}"
            if version["commit"]
            else version["path"]
        ]
        for one in by_version[place]:
            found_text = one.smell["found"]
            alias = _ALIAS.search(found_text)  # to be copied as it is
            end = alias.start() if alias else len(found_text)
            text = readable(found_text[:end]) + found_text[end:]
            text = f"{one.smell['kind']}: {text}{_lasted(versions, one)}{_place(one.smell)}"
            lines.append(wrapped(text, "  ", "    "))
        yield "\n".join(lines)


def alias_lines(smells: Sequence[Document]) -> list[str]:
    """The aliases that findings propose, as TOML to be looked at and put into the definition.

    A chain of names ends at the newest one; of a name that went back the way there is left out.

    >>> alias_lines([{"kind": "rename", "found": f"...: alias? [aliases] {line}"}
    ...     for line in ('"a" = "b"', '"b" = "c"')])[1:]
    ['[aliases]', '"a" = "c"', '"b" = "c"']
    """
    entries: dict[str, str] = {}
    timed: list[str] = []
    for smell in reversed(smells):
        match = _ALIAS.search(smell["found"]) if smell["kind"] == "rename" else None
        if match is None:
            continue
        names = [json.loads(text) for text in _QUOTED.findall(match["pairs"])]
        for key, entry in zip(names[::2], names[1::2], strict=True):
            if match["until"]:
                timed += [
                    "",
                    "[[alias]]",
                    f"key = {_quoted(key)}",
                    f"entry = {_quoted(entry)}",
                    f"until = {_quoted(match['until'])}",
                ]
                continue
            entry = entries.get(entry, entry)
            if key != entry:
                entries.setdefault(key, entry)
    lines = [f"{_quoted(key)} = {_quoted(entry)}" for key, entry in reversed(entries.items())]
    if not lines and not timed:
        return []
    return [PROPOSED, *(["[aliases]", *lines] if lines else []), *timed]


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _place(smell: Document) -> str:
    """Where it stands, in a file that has no commit to look it up in."""
    if "path" not in smell:
        return ""
    return f" [{' '.join(filter(None, (smell['path'], smell['pointer'])))}]"


def _lasted(versions: list[Document], one: _Finding) -> str:
    if one.versions == 1:
        return ""
    if one.last == len(versions) - 1:
        return f" [{one.versions} versions, up to the newest]"
    return f" [{one.versions} versions, the last is {short(versions[one.last]['commit'])}]"
