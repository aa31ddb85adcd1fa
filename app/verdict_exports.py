"""How does a verdict leave the program for others to read?

In: the document of `check`, its claims, and where their boards come from. Out: Markdown for a
reply, an HTML card, or ClaimReview JSON-LD. Start at export(). Whatever a board or a claim says
is text in all three: no markup of it comes alive.
"""

from __future__ import annotations

import html
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime

from app.given import Given, gap_text
from app.links import is_web, links_of
from app.markup import escaped, safe_target
from app.output import json_text
from app.tables import clean
from app.wording import Document, short, unsaid
from crawler.board import Source
from history.claims.language.claim import Claim
from history.claims.verdict import WORDS
from history.times import iso

RATING = {
    "true": 5,
    "within_rounding": 4,
    "true_then_false": 3,
    "false_then_true": 3,
    "true_under_other": 3,
    "tied_not_first": 2,
    "false": 1,
}
_MOST_EVIDENCE = 8  # lines of a reply; the JSON has them all
_LAST_LOOK = " Last look: "
_STRENGTH = {"certain": "certain", "printed": "as printed"}
_MORE = {"nearest": "What would be true", "note": "Note"}


def export(given: Given, form: str) -> str:
    """Verdicts as one text; `form` is one of FORMS."""
    return FORMS[form](given)


# --- what all forms say ------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Cell:
    """One line of evidence: words, and pairs of words and an address.

    Attributes:
        label: measured, reported or reasoned.
        places: board and commit, file or source; each with its address, if it has a page.
        pointer: the place in the file.
        what: entry, field and printed text.
    """

    label: str
    places: tuple[tuple[str, str | None], ...]
    pointer: str
    what: str


def _cells(claim: Document, sources: Mapping[str, Source]) -> Iterator[_Cell]:
    for one in claim["evidence"][:_MOST_EVIDENCE]:
        source = sources.get(one["board"]) if one["board"] else None
        links = links_of(source) if source and one["commit"] else None
        places: list[tuple[str, str | None]] = []
        if one["commit"]:
            where = f"{one['board']} @ {short(one['commit'])}"
            places.append((where, links.commit(one["commit"]) if links else None))
        if one["path"]:
            page = one["path"] if is_web(one["path"]) else None
            if links:
                page = links.file(one["commit"], one["path"])
            places.append((one["path"], page))
        printed = one["text"]
        if printed is None:
            printed = gap_text(claim) if one["entry"] else "as a whole"
        words = [one["entry"], one["field"] if one["text"] is not None else None, printed]
        what = " ".join(word for word in words if word)
        yield _Cell(one["label"], tuple(places), one["pointer"] or "", what)


def parts(claim: Document) -> tuple[str, str, str]:
    """Verdict in words, what the sentence says of it, and how old the last look is."""
    word = WORDS[claim["verdict"]]
    sentence = claim["sentence"].removeprefix(f"{word}. ")
    body, found, look = sentence.rpartition(_LAST_LOOK)  # a name may say it, too
    return (word, body, look) if found else (word, sentence, "")


def how(claim: Document) -> str:
    """How sure a verdict is, or why it is none."""
    return ", ".join(filter(None, (_STRENGTH.get(claim["strength"] or ""), claim["code"])))


def _lines(claim: Document) -> Iterator[tuple[str, str]]:
    """What else is to be said: kind and text."""
    for board, why in claim.get("reconstruction", {}).items():
        yield "Reconstruction", f"{board}: {why}"
    for kind, text in unsaid(claim):
        yield _MORE[kind], text
    if claim["would_decide"]:
        yield "What would decide it", claim["would_decide"]
    more = len(claim["evidence"]) - _MOST_EVIDENCE
    if more > 0:
        yield "Evidence", f"{more} more cells in the JSON of `check`"


# --- Markdown ----------------------------------------------------------------------------------


def markdown(given: Given) -> str:
    """A reply under a post: for each claim its verdict, its sentence and what it rests on."""
    blocks = [_markdown(one, given.sources) for one in given.document["claims"]]
    blocks.append(f"Checked {given.document['checked_at']}.")
    return "\n\n---\n\n".join(blocks[:-1]) + ("\n\n" if blocks[:-1] else "") + blocks[-1] + "\n"


def _markdown(claim: Document, sources: Mapping[str, Source]) -> str:
    word, body, look = parts(claim)
    sure = how(claim)
    said = claim["text"] or claim["id"]
    blocks = [f"> “{escaped(said)}”", f"**{word}**{f' ({sure})' if sure else ''}. {escaped(body)}"]
    items = [f"- {cell.label}: {_markdown_cell(cell)}" for cell in _cells(claim, sources)]
    items += [f"- {kind}: {escaped(text)}" for kind, text in _lines(claim)]
    blocks += ["\n".join(items)] if items else []
    blocks += [f"Last look: {escaped(look)}"] if look else []
    return "\n\n".join(blocks)


def _markdown_cell(cell: _Cell) -> str:
    places = [
        f"[{escaped(words)}]({safe_target(page)})" if page else escaped(words)
        for words, page in cell.places
    ]
    where = " ".join(filter(None, (*places, escaped(cell.pointer))))
    return f"{where}: {escaped(cell.what)}" if where else escaped(cell.what)


# --- HTML --------------------------------------------------------------------------------------


def card(given: Given) -> str:
    """A page with one article for each claim: no script, nothing fetched, light and dark."""
    articles = "\n".join(_article(one, given.sources) for one in given.document["claims"])
    checked = html.escape(given.document["checked_at"])
    page = f"""\
<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
<meta name="color-scheme" content="light dark">
<title>Verdicts</title>
<style>
{style()}
</style>
</head>
<body>
<main>
{articles}
</main>
<footer>Checked <time datetime="{checked}">{checked}</time></footer>
</body>
</html>
"""
    return page.encode("ascii", "xmlcharrefreplace").decode()


def colours(dark: bool) -> dict[str, str]:
    """The colours of a card on one ground; those of words have 4.5:1 or better on it."""
    from app.charts.style import Ink

    ink = Ink(dark)
    blue, red, green, purple, _, brown = ink.colours
    marks = {"yes": green, "no": red, "mixed": purple if dark else brown, "open": ink.faint}
    return {"ground": ink.ground, "text": ink.text, "quiet": ink.quiet, "link": blue, **marks}


def style() -> str:
    """The style sheet of a card."""
    light, dark = (
        " ".join(f"--{name}: {value};" for name, value in colours(ground).items())
        for ground in (False, True)
    )
    marks = "\n".join(
        f"article.{name} {{ border-color: var(--{name}); }}" for name in ("yes", "no", "mixed")
    )
    return f"""\
:root {{ color-scheme: light dark; {light} }}
@media (prefers-color-scheme: dark) {{ :root {{ {dark} }} }}
body {{ margin: 1.5rem auto; max-width: 44rem; padding: 0 1rem; background: var(--ground);
  color: var(--text); font: 1rem/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }}
article {{ border-left: .4rem solid var(--open); padding: .25rem 1rem; margin: 0 0 2rem; }}
{marks}
h2 {{ margin: .25rem 0; font-size: 1.25rem; }}
blockquote {{ margin: 0; font-style: italic; }}
ul {{ padding-left: 1.25rem; }}
a {{ color: var(--link); }}
small, footer {{ color: var(--quiet); font-size: .875rem; }}"""


def _article(claim: Document, sources: Mapping[str, Source]) -> str:
    word, body, look = parts(claim)
    sure = how(claim)
    kinds = {"true": "yes", "false": "no", "tied_not_first": "no", "not_decidable": "open"}
    items = [
        f"<li>{html.escape(cell.label)}: {_html_cell(cell)}</li>" for cell in _cells(claim, sources)
    ]
    items += [f"<li>{kind}: {_html(text)}</li>" for kind, text in _lines(claim)]
    lines = [
        f'<article class="{kinds.get(claim["verdict"], "mixed")}">',
        f"<blockquote>“{_html(claim['text'] or claim['id'])}”</blockquote>",
        f"<h2>{word}{f' <small>{_html(sure)}</small>' if sure else ''}</h2>",
        f"<p>{_html(body)}</p>",
        *(["<ul>", *items, "</ul>"] if items else []),
        *([f"<small>Last look: {_html(look)}</small>"] if look else []),
        "</article>",
    ]
    return "\n".join(lines)


def _html_cell(cell: _Cell) -> str:
    places = [
        f'<a href="{html.escape(page)}" rel="noopener noreferrer">{_html(words)}</a>'
        if page
        else _html(words)
        for words, page in cell.places
    ]
    where = " ".join(filter(None, (*places, _html(cell.pointer))))
    return f"{where}: {_html(cell.what)}" if where else _html(cell.what)


def _html(text: str) -> str:
    return html.escape(clean(" ".join(text.split())))


# --- ClaimReview -------------------------------------------------------------------------------


def claim_review(given: Given) -> str:
    """ClaimReview JSON-LD: one object for one claim, else a graph of them.

    Nothing in it can end the script element of a page that it is pasted into.
    """
    both = zip(given.document["claims"], given.claims, strict=True)
    reviews = [_review(one, claim, given) for one, claim in both]
    context = {"@context": "https://schema.org"}
    whole = context | (reviews[0] if len(reviews) == 1 else {"@graph": reviews})
    signs = {
        "<": "\\u003c",
        ">": "\\u003e",
        "&": "\\u0026",
        "\u2028": "\\u2028",
        "\u2029": "\\u2029",
    }
    return re.sub("[<>&\u2028\u2029]", lambda sign: signs[sign[0]], json_text(whole))


def _review(one: Document, claim: Claim, given: Given) -> Document:
    rating: Document = {"@type": "Rating"}
    if one["verdict"] in RATING:
        rating |= {"ratingValue": RATING[one["verdict"]], "bestRating": 5, "worstRating": 1}
    word, body, look = parts(one)
    rating["alternateName"] = f"{word}: {body}" + (f"{_LAST_LOOK}{look}" if look else "")
    item: Document = {"@type": "Claim"}
    if claim.said_by:
        item["author"] = {"@type": "Person", "name": claim.said_by}
    if claim.said_at is not None:
        at = claim.said_at
        item["datePublished"] = iso(at) if isinstance(at, datetime) else at.isoformat()
    if is_web(claim.source):
        item["appearance"] = [{"@type": "CreativeWork", "url": claim.source}]
    return {
        "@type": "ClaimReview",
        "datePublished": given.document["checked_at"],
        "author": {"@type": "Organization", "name": given.publisher},
        "claimReviewed": one["text"] or one["id"],
        "itemReviewed": item,
        "reviewRating": rating,
    }


FORMS: dict[str, Callable[[Given], str]] = {
    "md": markdown,
    "html": card,
    "jsonld": claim_review,
}
