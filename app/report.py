"""How does an answer read for people, and as CSV?

Everything here starts from a document of history/records.py, so that the table,
the CSV and the JSON of one command can never disagree.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from app.output import Answer, table
from app.wording import (
    Document,
    holders,
    lost_text,
    reign_length,
    rounded,
    short,
    tie_text,
    unsaid,
    wrapped,
)


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
        )

    return Answer(document, people, notes=notes)


def boards(document: Document, empty: str) -> Answer:
    """What is tracked, and how it stands.

    Args:
        document: of `boards`.
        empty: what to do when there is no board.
    """
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
            ("board", "versions", "unread", "gone", "last success", "last change", "MB", "leader"),
            [
                [
                    one["board"],
                    one["versions"],
                    one["unreadable"],
                    one["vanished"],
                    one["last_success"] or "never",
                    one["last_change"],
                    f"{one['bytes'] / 1e6:.1f}",
                    ", ".join(one["leader"]),
                ]
                for one in document["boards"]
            ],
            right=("versions", "unread", "gone", "MB"),
        )
        for one in document["boards"]:
            if one["reconstruction"]:
                yield f"{one['board']}: RECONSTRUCTION: {one['reconstruction']}"
            if one["error"]:
                yield f"{one['board']}: last attempt failed {one['last_attempt']}: {one['error']}"
            elif one["stale"]:
                yield f"{one['board']}: stale, last success {one['last_success'] or 'never'}"

    return Answer(document, people, header, rows)


def standings(document: Document, notes: Sequence[str] = ()) -> Answer:
    """A board as it stood."""
    parts = list(document["entries"][0]["parts"]) if document["entries"] else []
    plain = [
        "rank",
        "tie_rank",
        "tied",
        "entry",
        "name",
        "score_text",
        "rank_published",
        "tie_rank_published",
        "unranked",
    ]
    header = ["board", "commit", "committed_at", *plain, *parts]
    rows = [
        [
            document["board"],
            document["commit"],
            document["committed_at"],
            *[one[name] for name in plain],
            *[one["parts"][part]["text"] for part in parts],
        ]
        for one in document["entries"]
    ]

    def people() -> Iterator[Any]:
        yield standings_line(document)
        if document["absent"]:
            yield "The board's file was absent at this moment."
        elif not document["entries"]:
            yield "Nobody was listed at this moment."
        else:
            yield standings_table(document["entries"], document["ties"]["rule"] != "none")
        yield foot(document)

    told = [f"{document['board']}: {note}" for note in document["notes"]]
    return Answer(document, people, header, rows, document["reconstruction"], [*notes, *told])


def standings_line(document: Document) -> str:
    """Which board, which state, under which rules: one line above a table."""
    said = [document["board"]]
    if document["split"]:
        said.append(f"split {document['split']}")
    if document["edition"]:
        said.append(document["edition"])
    said.append(f"{document['n_ranked']} ranked")
    rule = document["ties"]
    if rule["rule"] != "none":
        band = "" if rule["band"] is None else f" {rule['band']:g} {rule['edge']}"
        said.append(f"ties {rule['rule']}{band}")
    return f"{', '.join(said)}\n{document['committed_at']}, commit {short(document['commit'])}, {document['path']}"


def standings_table(entries: Sequence[Document], ties: bool) -> Any:
    """Rows of `standings` as a table; columns that say nothing are left out."""
    parts = list(entries[0]["parts"]) if entries else []
    named = any(one["name"] != one["entry"] for one in entries)
    published = any(one["rank_published"] is not None for one in entries)
    tie_published = any(one["tie_rank_published"] is not None for one in entries)
    left_out = any(one["unranked"] for one in entries)
    chosen: list[tuple[str, Any]] = [("rank", lambda one: one["rank"])]
    if ties:
        chosen.append(("tie", lambda one: tie_text(one)))
    chosen.append(("entry", lambda one: one["entry"]))
    if named:
        chosen.append(("name", lambda one: one["name"]))
    chosen.append(("score", lambda one: one["score_text"]))
    given = [p for p in parts if any(one["parts"][p]["text"] is not None for one in entries)]
    chosen += [(part, lambda one, part=part: one["parts"][part]["text"]) for part in given]
    if published:
        chosen.append(("published", lambda one: one["rank_published"]))
    if tie_published:
        chosen.append(("published tie", lambda one: one["tie_rank_published"]))
    if left_out:
        chosen.append(("unranked", lambda one: one["unranked"]))
    numbers = {name for name, _ in chosen} - {"entry", "name", "unranked"}
    return table(
        [name for name, _ in chosen],
        [[cell(one) for _, cell in chosen] for one in entries],
        right=numbers,
    )


def history(document: Document, notes: Sequence[str] = ()) -> Answer:
    """Score and rank over time."""
    header = (
        "commit",
        "committed_at",
        "edition",
        "entry",
        "name",
        "score_text",
        "rank",
        "tie_rank",
        "tied",
        "n_ranked",
    )
    rows = [[one[name] for name in header] for one in document["rows"]]

    def people() -> Iterator[Any]:
        yield subject_of(document)
        if not rows:
            yield "Nobody was listed in this time."
        else:
            yield table(
                ("committed", "commit", "edition", "entry", "score", "rank", "tie", "of"),
                [
                    [
                        one["committed_at"],
                        short(one["commit"]),
                        one["edition"],
                        one["entry"],
                        one["score_text"],
                        one["rank"],
                        tie_text(one),
                        one["n_ranked"],
                    ]
                    for one in document["rows"]
                ],
                right=("score", "rank", "tie", "of"),
            )
        yield foot(document)

    return Answer(document, people, header, rows, document["reconstruction"], notes)


def reigns(document: Document, notes: Sequence[str] = ()) -> Answer:
    """Who was first, from when to when."""
    header = (
        "entries",
        "score",
        "from",
        "until",
        "until_earliest",
        "seconds",
        "seconds_certain",
        "open",
        "censored_start",
        "absent",
        "from_commit",
        "until_commit",
        "lost_to",
    )
    rows = [
        [
            {
                "entries": ", ".join(one["entries"]),
                "lost_to": ", ".join(f"{lost['entry']} ({lost['why']})" for lost in one["lost_to"]),
            }.get(name, one.get(name))
            for name in header
        ]
        for one in document["reigns"]
    ]

    def people() -> Iterator[Any]:
        yield f"{subject_of(document)}: first place"
        yield reigns_table(document["reigns"])
        yield foot(document)

    return Answer(document, people, header, rows, document["reconstruction"], notes)


def reigns_table(reigned: Iterable[Document]) -> Any:
    """Rows of `reigns` as a table."""
    return table(
        ("from", "until", "for", "first", "score", "lost to"),
        [
            [
                one["from"],
                "(still)" if one["open"] else one["until"],
                reign_length(one),
                holders(one),
                one["score_text"],
                lost_text(one),
            ]
            for one in reigned
        ],
        right=("for", "score"),
    )


def splits(document: Document, notes: Sequence[str] = ()) -> Answer:
    """Public against private."""
    names = document["splits"]
    header = ["entry", *names, *[f"rank_{name}" for name in names], "gap", "excess"]
    rows = [
        [
            one["entry"],
            *[one["scores"].get(name) for name in names],
            *[one["ranks"].get(name) for name in names],
            one["gap"],
            one["excess"],
        ]
        for one in document["entries"]
    ]

    numbered = [
        one
        for one in document["entries"]
        if any(one["scores"].get(name) is not None for name in names)
    ]

    def people() -> Iterator[Any]:
        ranked = [sum(one["ranks"].get(name) is not None for one in numbered) for name in names]
        told = ", ".join(f"{name} ({n} ranked)" for name, n in zip(names, ranked, strict=True))
        yield f"{document['board']}, commit {short(document['commit'])}: {told or 'no splits'}"
        pairs = [name for split in names for name in (split, f"rank {split}")]
        yield table(
            ["entry", *pairs, "gap", "excess"],
            [
                [
                    one["entry"],
                    *[
                        cell
                        for name in names
                        for cell in (one["texts"].get(name), one["ranks"].get(name))
                    ],
                    one["gap"],
                    rounded(one["excess"]),
                ]
                for one in numbered
            ],
            right=[*pairs, "gap", "excess"],
        )
        if bare := len(document["entries"]) - len(numbered):
            yield f"{bare} more entries have none of these numbers."
        shake = document["shake_up"]
        if shake and shake["value"] is not None:
            yield wrapped(
                f"Shake-up {shake['value']:.3f}: mean change of rank from public to private, "
                f"as a share of the board. {shake['assumes']}",
                "",
                "",
            )
        yield foot(document, "; gap and excess are computed from them")

    return Answer(document, people, header, rows, document["reconstruction"], notes)


def check(document: Document, notes: Sequence[str] = ()) -> Answer:
    """Verdicts: for each claim its sentence, then what it rests on."""
    said = [text for one in document["claims"] for text in one.get("reconstruction", {}).values()]
    banner = "; ".join(dict.fromkeys(said))

    def people() -> Iterator[Any]:
        for i, claim in enumerate(document["claims"]):
            if i:
                yield ""
            yield from verdict(claim)

    return Answer(document, people, banner=banner, notes=notes)


def verdict(claim: Document) -> Iterator[str]:
    """The lines of one verdict."""
    title = f"{claim['id']}  " if claim["id"] else ""
    yield wrapped(f'{title}"{claim["text"]}"', "", "     ")
    code = f" ({claim['code']})" if claim["code"] else ""
    strength = f", {claim['strength']}" if claim["strength"] else ""
    yield wrapped(f"{claim['verdict']}{strength}{code}", "  ", "  ")
    yield wrapped(claim["sentence"], "  ", "  ")
    gap = "not listed" if any("not listed" in note for note in claim["notes"]) else "no number"
    for one in claim["evidence"]:
        version = f"{one['board']} @ {short(one['commit'])}" if one["commit"] else None
        where = [version, one["path"], one["pointer"]]
        number = [one["field"], one["text"]]
        if one["text"] is None:  # without an entry it is the rows, or the file, that are pointed to
            number = [gap if one["entry"] else "as a whole"]
        what = [one["entry"], *number]
        line = f"{' '.join(p for p in where if p)}: {' '.join(p for p in what if p)}"
        yield wrapped(f"{one['label']:<9} {line}", "    ", "              ")
    for one in claim["intervals"]:
        yield f"    held      {one['from']} to {one['until'] or 'the last look'}"
    for kind, text in unsaid(claim):
        yield wrapped(f"{kind:<9} {text}", "    ", "              ")
    if claim["would_decide"]:
        yield wrapped(f"to decide {claim['would_decide']}", "    ", "              ")


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


def subject_of(document: Document) -> str:
    """The board, and the split if it is not the score itself."""
    split = document["split"]
    return f"{document['board']}, split {split}" if split else document["board"]


def foot(document: Document, but: str = "") -> str:
    """What every number above is worth, and how old the last look is."""
    label = "reported" if document["reconstruction"] else "measured"
    return f"All numbers {label}{but}. Last look {document['as_of'] or 'never'}."
