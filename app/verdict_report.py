"""How does a verdict read for people, and what has become of the ones before?

In: the document of `check`. Out: an Answer, start at check(); or a report in Markdown, start at
report().
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from app.given import gap_text
from app.output import Answer
from app.wording import Document, short, unsaid, wrapped
from history.claims.verdict import WORDS
from history.counts import counted

if TYPE_CHECKING:
    from app.given import Given


def check(document: Document, notes: Sequence[str] = ()) -> Answer:
    """Verdicts: for each claim its sentence, then what it rests on.

    Of a document that says what has changed, people get the claims that did.
    """
    turns = {one["id"]: one for one in document.get("changed", [])}
    shown = [one for one in document["claims"] if "changed" not in document or one["id"] in turns]
    said = [text for one in shown for text in one.get("reconstruction", {}).values()]
    banner = "; ".join(dict.fromkeys(said))

    def people() -> Iterator[Any]:
        if not shown:
            yield f"No verdict has changed ({counted(len(document['claims']), 'claim')})."
        for i, claim in enumerate(shown):
            if i:
                yield ""
            yield from verdict(claim)
            if claim["id"] in turns:
                yield wrapped(f"changed   {turn(turns[claim['id']])}", "    ", "              ")

    return Answer(document, people, banner=banner, notes=notes)


def turn(one: Document) -> str:
    """What a verdict was, what it is, and with which version it changed.

    >>> turn({"before": "true", "after": "false", "board": "text", "at_commit": "4f1c09ab77",
    ...     "at": "2026-03-21T15:13:00Z"})
    'true -> false with text @ 4f1c09ab of 2026-03-21T15:13:00Z'
    """
    said = f"{one['before']} -> {one['after']}"
    if one["at_commit"] is None:
        return said
    place = f"{one['board']} @ " if one["board"] else ""
    return f"{said} with {place}{short(one['at_commit'])} of {one['at']}"


def report(given: Given, changed: Sequence[Document], since: str) -> str:
    """A short report: a table of all claims, those that changed first.

    Args:
        given: verdicts, and where their boards come from.
        changed: as verdict_changes.changes() gives it.
        since: with what it is compared, for people.
    """
    from app.markup import escaped

    document, turns = given.document, {one["id"]: one for one in changed}
    rows = []
    for claim in sorted(document["claims"], key=lambda one: one["id"] not in turns):
        name = claim["text"] or claim["id"]
        what = _turned(turns[claim["id"]], given) if claim["id"] in turns else ""
        row = (escaped(name), WORDS[claim["verdict"]], _since_when(claim), what)
        rows.append(f"| {' | '.join(row)} |")
    than = "the last check" if since == "last" else since
    count = f"{counted(len(turns), 'verdict')} changed since {escaped(than)}"
    head = "| claim | verdict | since when | what changed |\n| --- | --- | --- | --- |"
    table = "\n".join([head, *rows])
    return f"# Claims\n\n{count}. Checked {document['checked_at']}.\n\n{table}\n"


def _turned(one: Document, given: Given) -> str:
    from app.links import links_of
    from app.markup import escaped, safe_target

    said = escaped(f"{one['before']} -> {one['after']}")
    if one["at_commit"] is None:
        return said
    place = f"{one['board']} @ " if one["board"] else ""
    where = escaped(f"{place}{short(one['at_commit'])}")
    source = given.sources.get(one["board"] or "")
    links = links_of(source) if source else None
    if links:
        where = f"[{where}]({safe_target(links.commit(one['at_commit']))})"
    return f"{said} with {where} of {one['at']}"


def _since_when(claim: Document) -> str:
    """Since when it has been as it is; empty where that is not known."""
    if not claim["intervals"]:
        return ""
    last = claim["intervals"][-1]
    if claim["verdict"] == "true":
        return str(last["from"])
    return str(last["until"] or "") if claim["verdict"] in ("false", "tied_not_first") else ""


def verdict(claim: Document) -> Iterator[str]:
    """The lines of one verdict."""
    title = f"{claim['id']}  " if claim["id"] else ""
    yield wrapped(f'{title}"{claim["text"]}"', "", "     ")
    code = f" ({claim['code']})" if claim["code"] else ""
    strength = f", {claim['strength']}" if claim["strength"] else ""
    yield wrapped(f"{claim['verdict']}{strength}{code}", "  ", "  ")
    yield wrapped(claim["sentence"], "  ", "  ")
    gap = gap_text(claim)
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
