"""What does a sentence claim?

In: a sentence as on the command line. Out: a Claim. Start at read_sentence(); the forms
that are understood are in grammar.FORMS, and everything else is refused with the nearest of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import date, timedelta
from difflib import SequenceMatcher
from typing import TYPE_CHECKING, Any

from history.claims.language.claim import (
    LATEST,
    Claim,
    ClaimError,
    Time,
    When,
    first_instant,
    last_instant,
)
from history.claims.language.claim_fields import parse_time
from history.claims.language.printed import number
from history.claims.sentences.grammar import FORMS, TIMES, Form, parser

if TYPE_CHECKING:
    from lark import Token, Tree


_NTH = {
    word: n
    for n, word in enumerate(
        ["second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"],
        start=2,
    )
}
_NO_NAMES = ("is", "are", "was", "were", "has", "had", "never", "ever", "always", "the")
_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()
_BOUNDS = {"least": ">=", "most": "<=", "more": ">", "less": "<"}


def read_sentence(sentence: str) -> Claim:
    """The claim that a sentence makes.

    Names of entries and boards may hold spaces, dots and dashes; one that holds a word of
    the language (`on`, `of`, `first`) stands in quotes.

    Raises:
        ClaimError: with what was understood, and the nearest form.

    >>> claim = read_sentence("fern 2 is #1 on text and vision on 2026-03-20")
    >>> claim.subject, claim.predicate, claim.boards, claim.when.kind
    ('fern 2', 'first', ('text', 'vision'), 'on')
    """
    from lark.exceptions import UnexpectedInput

    text = " ".join(sentence.split()).rstrip(".!?")
    try:
        tree = parser().parse(text)
    except UnexpectedInput as error:
        raise _not_understood(text, _where(error, text)) from None
    return _Meaning(text, tree).claim()


def _where(error: Any, text: str) -> int:
    at = getattr(error, "pos_in_stream", None)
    return len(text) if at is None or at < 0 or _ended(error) else int(at)


def _ended(error: Any) -> bool:
    token = getattr(error, "token", None)
    return token is not None and token.type == "$END"


def _not_understood(text: str, at: int, found: str = "") -> ClaimError:
    nearest = max(FORMS, key=lambda form: _likeness(text, form))
    understood, rest = text[:at].strip(), text[at:].strip()
    if not found:
        found = f'"{rest}" was not understood' if rest else "the sentence stops too early"
    if understood and rest:
        found += f', "{understood}" was'
    fix = f'Nearest form: {nearest.form}, as in "{nearest.example}"'
    if " on " in understood:
        fix += f" (TIME: {TIMES})"
    return ClaimError(f'"{text}"', found, fix)


def _likeness(text: str, form: Form) -> float:
    said = re.sub(r"#\d+|\d+(?:st|nd|rd|th)\b", "Nth", text.replace("#1", "first")).split()
    said = [re.sub(r"^[+\u2212-]\d.*", "+X", word) for word in said]
    wanted = [word.strip("[]|") for word in form.form.split()]
    shared = len({word.lower() for word in said} & {word.lower() for word in wanted})
    return shared + SequenceMatcher(None, said, wanted).ratio()


class _Meaning:
    """What the parts of one parsed sentence say together."""

    def __init__(self, text: str, tree: Tree[Token]):
        self.text = text
        self.subject_tree: Any
        self.body: Any
        self.items: list[Any]
        self.subject_tree, self.body, *self.items = tree.children
        # The verb says nothing that the predicate does not.
        if not hasattr(self.body, "data"):
            self.body, *self.items = self.items

    def claim(self) -> Claim:
        body, subject = self.body, _name(self.subject_tree)
        if subject.lower() in _NO_NAMES:
            raise _not_understood(self.text, 0, "it names no entry")
        tokens = _tokens(body)
        adverb = next(
            (t.type.lower() for tree in body.find_data("adverb") for t in tree.children), ""
        )
        claim = Claim(
            "sentence",
            "top_k" if body.data == "top" else str(body.data),
            text=self.text,
            subject=subject,
            approx="ABOUT" in tokens,
            sole="SOLE" in tokens or "ALONE" in tokens,
            spoken=True,
        )
        names = [_name(tree) for tree in body.find_data("name")]
        value = str(tokens.get("SIGNED", tokens.get("VALUE", "")))
        of = tokens.get("VALUE")
        if body.data == "rank":
            claim = replace(claim, n=_place(tokens["NTH"]), of=None if of is None else _whole(of))
        elif body.data == "first" and of is not None:
            claim = replace(claim, predicate="rank", n=1, of=_whole(of))
        elif body.data == "leads":
            claim, names = self._leading(claim)
        elif body.data == "top":
            claim = replace(claim, k=_whole(tokens["VALUE"]))
        elif body.data in ("score", "delta"):
            claim = replace(claim, value=self._number(value))
        if names:
            claim = replace(claim, other=names[0])
        return self._timed(self._placed(claim), adverb)

    def _leading(self, claim: Claim) -> tuple[Claim, list[str]]:
        """What "leads" means: of a board first, of an entry on a board ahead; and that entry."""
        named = _boards_in(self.body)
        if not any(map(_boards_in, self.items)):
            return replace(claim, predicate="first", boards=tuple(named)), []
        if len(named) > 1:
            raise _not_understood(self.text, len(self.text), "it leads several entries")
        return replace(claim, predicate="ahead" if named else "first"), named

    def _placed(self, claim: Claim) -> Claim:
        boards = [*claim.boards]
        for item in self.items:
            boards += _boards_in(item)
            if item.data == "split":
                claim = replace(claim, split=_name(next(_names_in(item))))
        if not boards:
            raise _not_understood(self.text, len(self.text), "it names no board")
        return replace(claim, boards=tuple(dict.fromkeys(boards)))

    def _timed(self, claim: Claim, adverb: str) -> Claim:
        said = [item for item in self.items if item.data not in ("boards", "split")]
        lengths = [item for item in said if item.data == "length"]
        whens = [self._when(item) for item in said if item.data != "length"]
        if len(whens) > 1 or len(lengths) > 1:
            raise _not_understood(self.text, len(self.text), "it gives two times")
        when = whens[0] if whens else None
        if lengths:
            if adverb:
                raise _not_understood(self.text, len(self.text), f'"{adverb}" with a duration')
            return self._lasting(claim, lengths[0], when)
        if adverb in ("ever", "never", "always"):
            if when is not None and when.kind not in ("over", "on", "ever"):
                raise _not_understood(self.text, len(self.text), f'"{adverb}" with one moment')
            kind = "always" if adverb == "always" else "ever"
            start = when.start if when else None
            end = when.start if when and when.kind == "on" else when.end if when else None
            when = When(kind, start, end)  # type: ignore[arg-type]
        if adverb != "never":
            return replace(claim, when=when or LATEST)
        never = [
            Claim(
                f"sentence/{board}",
                "not",
                text=self.text,
                members=(replace(claim, id=f"sentence/{board}/1", boards=(board,), when=when),),
                spoken=True,
            )
            for board in claim.boards
        ]
        if len(never) == 1:
            return replace(never[0], id="sentence")
        return Claim("sentence", "all_of", text=self.text, members=tuple(never), spoken=True)

    def _lasting(self, claim: Claim, item: Any, when: When | None) -> Claim:
        if when is not None and when.kind not in ("over", "on"):
            raise _not_understood(self.text, len(self.text), "a duration at one moment")
        if when is not None and when.kind == "on":
            when = When("over", when.start, when.start)
        tokens = _tokens(item)
        if "UNEVEN" in tokens:
            found = f'"{tokens["VALUE"]} {tokens["UNEVEN"]}" can be longer or shorter'
            raise _not_understood(self.text, len(self.text), f"{found}: give days or weeks")
        bounds = [t for tree in item.find_data("bound") for t in tree.children]
        ops = [_BOUNDS[t.lower()] for t in bounds if t.lower() in _BOUNDS]
        lasting = str(tokens.get("LASTING", "")).lower()
        return Claim(
            claim.id,
            "duration",
            text=self.text,
            members=(replace(claim, id=f"{claim.id}/1"),),
            when=when,
            op=ops[0] if ops else "=",
            approx=any(t.type == "ABOUT" for t in bounds),
            value=self._number(str(tokens["VALUE"])),
            unit=str(tokens["UNIT"]).lower(),
            span="longest" if lasting == "in a row" else "total",
            spoken=True,
        )

    def _when(self, item: Any) -> When:
        if item.data == "unsure":
            raise self._unsure(str(item.children[-1]))
        if item.data == "month":
            first = self._month(str(item.children[0]))
            return When("over", first, _month_end(first))
        tokens = [t for t in item.children if t.type in ("DATE", "TIMESTAMP", "COMMIT")]
        if item.data == "now":
            return LATEST
        if item.data == "ever":
            return When("ever")
        if item.data == "moment" and tokens[0].type == "COMMIT":
            return When("at", commit=str(tokens[0]).lower())
        times = [self._time(token) for token in tokens]
        if item.data == "on":
            return When("on", times[0])
        if item.data == "moment":
            return When("as_of", times[0])
        start, end = (*times, None)[:2]
        if end is not None and first_instant(start) > last_instant(end):  # type: ignore[arg-type]
            raise _not_understood(self.text, len(self.text), "the stretch ends before it begins")
        return When("over", start, end)

    def _month(self, text: str) -> date:
        """The first day of `in 2026-03` or `in March 2026`."""
        try:
            return date.fromisoformat(f"{_in_numbers(text[3:])}-01")
        except ValueError:
            at = self.text.find(text)
            raise _not_understood(self.text, at, f'"{text[3:]}" is no month') from None

    def _unsure(self, text: str) -> ClaimError:
        """Why a text that looks like a date is none."""
        found = f'"{text}" is not one day: write it as 2026-03-20, a month as "in 2026-03"'
        return _not_understood(self.text, self.text.find(text), found)

    def _number(self, text: str) -> str:
        try:
            number(text)
        except ValueError as error:
            raise _not_understood(self.text, self.text.find(text), str(error)) from None
        return text

    def _time(self, token: Token) -> Time:
        try:
            return parse_time(re.sub(r" ?UTC$", "Z", _in_numbers(str(token))))
        except ValueError:
            at = token.start_pos or 0
            raise _not_understood(self.text, at, f'"{token}" is no date') from None


def _in_numbers(text: str) -> str:
    """A date or a month with its name in words as numbers; anything else as it is.

    >>> _in_numbers("20 March 2026"), _in_numbers("Mar. 2nd, 2026"), _in_numbers("May 2026")
    ('2026-03-20', '2026-03-02', '2026-05')
    """
    words = re.findall(r"[a-z]+|\d+", text.lower())
    month = next((_MONTHS.index(word[:3]) + 1 for word in words if word[:3] in _MONTHS), 0)
    if not month:
        return text
    *days, year = (word for word in words if word.isdigit())
    return "-".join([year, f"{month:02}", *(f"{int(day):02}" for day in days)])


def _month_end(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)


def _names_in(tree: Any) -> Iterator[Any]:
    return (child for child in tree.children if getattr(child, "data", "") == "name")


def _boards_in(item: Any) -> list[str]:
    """Names of the boards that a part of the sentence lists."""
    trees = [item] if item.data == "boards" else item.find_data("boards")
    return [_name(name) for tree in trees for name in _board_names(tree)]


def _board_names(tree: Any) -> Iterator[Any]:
    inner = next((c for c in tree.children if getattr(c, "data", "") == "boards"), tree)
    return _names_in(inner)


def _name(tree: Any) -> str:
    words = [token[1:-1] if token.type == "QUOTED" else str(token) for token in tree.children]
    return " ".join(words)


def _tokens(tree: Any) -> dict[str, Token]:
    return {t.type: t for t in tree.children if hasattr(t, "type")}


def _place(token: Token) -> int:
    word = token.lower()
    return _NTH[word] if word in _NTH else int(re.sub(r"\D", "", word))


def _whole(token: Token) -> int:
    return int(re.sub(r"\D", "", str(token)))
