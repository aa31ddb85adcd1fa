"""How does what a board says read for people, and as CSV: standings, history, reigns?

Everything here starts from a document of history/records/records.py, so that the table,
the CSV and the JSON of one command can never disagree.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from typing import Any

from app.output import Answer, clean, table
from app.reign_report import by_text, careers_table, clock_lines, peak_lines, times_line
from app.wording import (
    Document,
    holders,
    lost_text,
    note_lines,
    places_text,
    reign_length,
    short,
    tie_text,
    ties_text,
    unranked_lines,
    unread_text,
)

# Rules without groups, whose ties leave each entry places of its own.
_OPEN_PLACES = frozenset({"pairwise", "interval", "se"})


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
            yield standings_table(document["entries"], document["ties"]["rule"])
        if document["n_unreadable"]:
            yield unread_text(document["n_unreadable"])
        computed = document["score_label"] == "reasoned"
        yield foot(document, "; the scores are computed from them" if computed else "")

    below = [*note_lines(document, timed=False), *unranked_lines(document["entries"])]
    return Answer(document, people, header, rows, document["reconstruction"], notes, below)


def standings_line(document: Document) -> str:
    """Which board, which state, under which rules: one line above a table."""
    said = [document["board"]]
    if document["split"]:
        said.append(f"split {document['split']}")
    if document["edition"]:
        said.append(document["edition"])
    said.append(f"{document['n_ranked']} ranked")
    if document["ties"]["rule"] != "none":
        said.append(ties_text(document["ties"]))
    where = f"{document['committed_at']}, commit {short(document['commit'])}, {document['path']}"
    return f"{clean(', '.join(said))}\n{clean(where)}"  # a label of the file may have several lines


def standings_table(entries: Sequence[Document], rule: str) -> Any:
    """Rows of `standings` as a table; columns that say nothing are left out."""
    parts = list(entries[0]["parts"]) if entries else []
    named = any(one["name"] != one["entry"] for one in entries)
    published = any(one["rank_published"] is not None for one in entries)
    tie_published = any(one["tie_rank_published"] is not None for one in entries)
    left_out = any(one["unranked"] for one in entries)
    chosen: list[tuple[str, Any]] = [("rank", lambda one: one["rank"])]
    if rule != "none":
        chosen.append(("tie", lambda one: tie_text(one)))
    if rule in _OPEN_PLACES:
        chosen.append(("places", lambda one: places_text(one)))
    chosen.append(("entry", lambda one: one["entry"]))
    if named:
        chosen.append(("name", lambda one: one["name"]))
    chosen.append(("score", lambda one: one["score_text"]))
    given = [part for part in parts if _says_more(part, entries)]
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
        folds=("name", "entry"),
        spare=(*reversed(given), "published tie", "published", "name", "unranked"),
        whole="`standings --csv` has all",
    )


def _says_more(part: str, entries: Sequence[Document]) -> bool:
    """Whether anybody has a part, and it is not the score itself."""
    texts = [one["parts"][part]["text"] for one in entries]
    return any(texts) and texts != [one["score_text"] for one in entries]


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
        if "ties" in document:
            yield ties_text(document["ties"])
        if not rows:
            yield "Nobody was listed in this time."
        else:
            yield history_table(document["rows"])
        yield foot(document)

    below = note_lines(document)
    return Answer(document, people, header, rows, document["reconstruction"], notes, below)


def history_table(rows: Sequence[Document]) -> Any:
    """Rows of `history` as a table; columns that say nothing are left out."""
    chosen: dict[str, Callable[[Document], Any]] = {
        "committed": lambda one: one["committed_at"],
        "commit": lambda one: short(one["commit"]),
        "edition": lambda one: one["edition"],
        "entry": lambda one: one["entry"],
        "score": lambda one: one["score_text"],
        "rank": lambda one: one["rank"],
        "tie": lambda one: tie_text(one),
        "of": lambda one: one["n_ranked"],
    }
    if not any(one["edition"] for one in rows):
        del chosen["edition"]
    if all(one["tie_rank"] == one["rank"] and not one["tied"] for one in rows):
        del chosen["tie"]
    return table(
        list(chosen),
        [[cell(one) for cell in chosen.values()] for one in rows],
        right=("score", "rank", "tie", "of"),
        folds=("edition", "entry"),
        spare=("of", "edition", "commit"),
    )


def reigns(document: Document, notes: Sequence[str] = (), followed: Collection[str] = ()) -> Answer:
    """Who was first, from when to when; of each that was, and of those followed, how much of it."""
    header = (
        "entries",
        "sole",
        "score",
        "from",
        "from_earliest",
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
        yield f"{subject_of(document)}: first place{by_text(document)}"
        yield reigns_table(document["reigns"])
        careers = [
            one for one in document["entries"] if one["times_first"] or one["entry"] in followed
        ]
        if careers:
            yield careers_table(careers)
        yield from peak_lines([one for one in careers if one["entry"] in followed])
        yield times_line(document["time"])
        yield from clock_lines(document["clock"])
        yield foot(document)

    below = note_lines(document)
    return Answer(document, people, header, rows, document["reconstruction"], notes, below)


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
        folds=("lost to", "first"),
        spare=("for", "score"),
    )


def subject_of(document: Document) -> str:
    """The board, and the split if it is not the score itself."""
    split = document["split"]
    return clean(f"{document['board']}, split {split}") if split else document["board"]


def foot(document: Document, but: str = "") -> str:
    """What every number above is worth, and how old the last look is."""
    label = "reported" if document["reconstruction"] else "measured"
    return f"All numbers {label}{but}. Last look {document['as_of'] or 'never'}."
