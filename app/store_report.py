"""How do the commands that keep the store read for people, and as CSV: crawl, boards, verify?

In: a document of history/records/. Out: an Answer. Start at crawl().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from app.output import Answer, clean, table
from app.wording import Document, short


def crawl(document: Document, empty: str, notes: Sequence[str] = ()) -> Answer:
    """What a crawl brought.

    Args:
        document: of `crawl`.
        empty: what to do when there is no board.
        notes: lines for stderr.
    """
    header = ("board", "status", "new", "versions", "commits", "unreadable", "vanished", "tip")

    def people() -> Iterator[Any]:
        if not document["boards"]:
            yield empty
            return
        yield table(
            header,
            [
                [
                    one["board"],
                    one["status"],
                    one["new_versions"],
                    one["versions"],
                    one["commits_seen"],
                    one["unreadable"],
                    one["vanished"],
                    short(one["tip"]),
                ]
                for one in document["boards"]
            ],
            right=header[2:7],
            folds=("board",),
        )

    return Answer(document, people, notes=notes)


def boards(document: Document, empty: str, fail_stale: str | None = None) -> Answer:
    """What is tracked, and how it stands.

    Args:
        document: of `boards`.
        empty: what to do when there is no board.
        fail_stale: the age that was asked for: then what wants a look goes to stderr, in
            whichever form the rest is.
    """
    alarms = [line for one in document["boards"] if (line := alarm(one, fail_stale))]
    header = (
        "board",
        "title",
        "source",
        "versions",
        "unreadable",
        "vanished",
        "last_attempt",
        "last_success",
        "last_change",
        "confirmed_until",
        "leader",
        "bytes",
        "stale",
        "error",
    )
    rows = [
        [", ".join(one["leader"]) if name == "leader" else one[name] for name in header]
        for one in document["boards"]
    ]

    def people() -> Iterator[Any]:
        if not rows:
            yield empty
            return
        yield table(
            (
                "board",
                "state",
                "versions",
                "unread",
                "gone",
                "last attempt",
                "last success",
                "last change",
                "MB",
                "leader",
            ),
            [
                [
                    one["board"],
                    board_state(one),
                    one["versions"],
                    one["unreadable"],
                    one["vanished"],
                    one["last_attempt"] or "never",
                    one["last_success"] or "never",
                    one["last_change"],
                    f"{one['bytes'] / 1e6:.1f}",
                    ", ".join(one["leader"]),
                ]
                for one in document["boards"]
            ],
            right=("versions", "unread", "gone", "MB"),
            folds=("leader", "board"),
            spare=("MB", "gone", "last attempt", "unread", "leader", "last change"),
        )
        for one in document["boards"]:
            if one["reconstruction"]:
                yield clean(f"{one['board']}: RECONSTRUCTION: {one['reconstruction']}")
            if one["history"] in ("flat", "polled") or one["history_complete"] is False:
                part = "" if one["history_complete"] else ", not complete"
                yield clean(f"{one['board']}: history: {one['history']}{part}")
        if fail_stale is None:
            yield from alarms

    return Answer(document, people, header, rows, notes=() if fail_stale is None else alarms)


def alarm(one: Document, age: str | None = None) -> str:
    """Why somebody has to look at a board, and since when; empty where nobody has to.

    >>> alarm({"board": "a", "error": None, "stale": True, "last_success": None}, "36h")
    'a: STALE: last success never'
    """
    success = f"last success {one['last_success'] or 'never'}"
    if one["stale"] and one["last_success"]:
        success += f", longer than {age} ago"
    if one["error"]:
        attempt = f"last attempt {one['last_attempt'] or 'never'}"
        return f"{one['board']}: FAILED: {one['error'].rstrip('.')}; {attempt}, {success}"
    return f"{one['board']}: STALE: {success}" if one["stale"] else ""


def board_state(one: Document) -> str:
    """What somebody has to look at, in a word or two.

    >>> board_state({"error": None, "versions": 0, "last_success": None, "stale": False})
    'never crawled'
    """
    if one["error"]:
        return "FAILED"
    if one["last_success"] is None:
        return "never crawled"
    if not one["versions"]:
        return "NO VERSION"
    return "stale" if one["stale"] else "ok"


def verify(document: Document, notes: Sequence[str] = ()) -> Answer:
    """What was checked, when nothing is damaged."""

    def people() -> Iterator[Any]:
        for one in document["boards"]:
            stale = "; its tables are of another definition, run `ranktrail rebuild`"
            yield (
                f"{one['board']}: {one['versions']} versions, {one['blobs']} files, all as saved"
                f"{stale if one['stale'] else ''}"
            )

    return Answer(document, people, notes=notes)


def rebuild(document: Document) -> Answer:
    """What was derived again."""

    def people() -> Iterator[Any]:
        for one in document["boards"]:
            yield f"{one['board']}: rebuilt from {one['versions']} versions, {one['unreadable']} unreadable"

    return Answer(document, people)
