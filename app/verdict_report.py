"""How does a verdict read for people?

In: the document of `check`. Out: an Answer. Start at check().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from app.output import Answer
from app.wording import Document, short, unsaid, wrapped


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
