"""What does a claims file say, and how is one written?

In: a TOML or JSON file. Out: Claim records, every field checked. Start at read_claims();
to_toml() is the way back.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterable, Mapping
from datetime import datetime
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from crawler.board import did_you_mean
from history.claims.claim import COMPOUNDS, Claim, ClaimError, Operand, Time, When
from history.claims.claim_fields import Fields, shown

# Every predicate with the arguments that it must and may have, besides COMMON.
PREDICATES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "rank": (("subject", "n"), ("op", "of", "sole")),
    "top_k": (("subject", "k"), ()),
    "first": (("subject",), ("sole",)),
    "tie": (("subject", "with"), ()),
    "score": (("subject", "value"), ("op",)),
    "delta": (("subject", "other", "value"), ("op",)),
    "ahead": (("subject", "other"), ()),
    "average_of": (("subject", "columns", "value"), ("table", "op")),
    "count": (("what", "n"), ("op",)),
    "duration": (("state", "value", "unit"), ("op", "span")),
    "all_of": (("claims",), ()),
    "any_of": (("claims",), ()),
    "not": (("claims",), ()),
}
LATER = (
    "first_in_class",
    "drop_one",
    "ratio",
    "ratio_at",
    "would_rank",
    "lead_set",
    "noise",
    "formula",
)
COMMON = ("id", "text", "said_at", "said_by", "source", "predicate", "when", "board", "boards")
CONDITIONS = ("split", "edition", "filter", "rank_kind", "approx")
INHERITED = ("subject", "board", "boards", "split", "edition", "rank_kind", "said_at", "source")
OWN_NUMBERS = ("score", "delta")
APPROXIMATE = ("score", "delta", "average_of", "duration")
RANK_OPS = ("=", "<=")
STATES = ("rank", "top_k", "first", "tie", "ahead", "score", "delta", "count", *COMPOUNDS)

_PLAIN = ("text", "said_at", "source", "said_by", "predicate", "subject")
_ARGUMENTS = ("op", "n", "of", "k", "sole", "value", "unit", "span", "what", "columns", "table")
_CONDITIONS = ("split", "edition", "rank_kind", "approx")
_DEFAULTS = {"op": "=", "span": "total", "rank_kind": "score"}


def read_claims(path: Path) -> list[Claim]:
    """The claims of a file, in file order.

    Args:
        path: TOML with `[[claim]]` tables, or JSON: a list of claims, or {"claim": [...]}.

    Raises:
        ClaimError: the file cannot be read, or a claim in it is not as documented.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        reason = error.strerror or str(error)
        raise ClaimError(str(path), f"it cannot be read ({reason})", "Check the name") from error
    except UnicodeDecodeError as error:
        raise ClaimError(
            str(path), f"byte {error.start} is no UTF-8", "Save it as UTF-8"
        ) from error
    return parse_claims(text, path.name, "json" if path.suffix.lower() == ".json" else "toml")


def parse_claims(text: str, name: str, form: Literal["toml", "json"] = "toml") -> list[Claim]:
    """The claims in a text; `name` stands in errors.

    >>> text = '[[claim]]\\npredicate = "first"\\nsubject = "fern"\\nboards = ["a"]'
    >>> parse_claims(text, "claims.toml")[0].subject
    'fern'
    """
    content: Any
    try:
        if form == "json":
            content = json.loads(text, parse_float=Decimal, object_pairs_hook=_no_key_twice)
            # Half an emoji, which JSON can write as an escape, could be neither shown nor kept.
            json.dumps(content, ensure_ascii=False, default=str).encode()
        else:
            content = tomllib.loads(text, parse_float=Decimal)
    except (tomllib.TOMLDecodeError, json.JSONDecodeError, RecursionError, ValueError) as error:
        raise ClaimError(name, f"it is no {form.upper()}: {error}", "Correct it there") from error
    if isinstance(content, Mapping):
        strange = [key for key in content if key != "claim"]
        if strange:
            fix = "Claims stand in [[claim]]" if form == "toml" else 'Claims stand in "claim"'
            raise ClaimError(name, f'unknown key "{strange[0]}"', fix)
        content = content.get("claim", [])
    if not isinstance(content, list) or not content:
        raise ClaimError(name, "it holds no claims", "Write at least one [[claim]]")
    claims = [_claim(raw, name, f"claim-{n}") for n, raw in enumerate(content, start=1)]
    ids = [claim.id for claim in claims]
    for claim in claims:
        if ids.count(claim.id) > 1:
            raise ClaimError(name, f'two claims have the id "{claim.id}"', "Give each its own")
    return claims


def _no_key_twice(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    keys = [key for key, _ in pairs]
    for key in keys:
        if keys.count(key) > 1:
            raise ValueError(f'the key "{key}" stands twice in one object')
    return dict(pairs)


def _claim(
    raw: Any, name: str, default_id: str, inherited: Mapping[str, Any] | None = None
) -> Claim:
    if not isinstance(raw, Mapping):
        raise ClaimError(
            f"{name}, {default_id}", f"found {shown(raw)}", "A claim is a table of keys"
        )
    own_id = raw.get("id", default_id)
    if not isinstance(own_id, str) or not own_id.strip():
        raise ClaimError(f"{name}, {default_id}", f"`id` is {shown(own_id)}", "Give it a text")
    return _Reader(raw, f'{name}, claim "{own_id}"', own_id, inherited or {}).claim(name)


class _Reader(Fields):
    """One claim, field by field."""

    def claim(self, name: str) -> Claim:
        predicate = self._predicate()
        self._check_keys(predicate)
        said_at, source, said_by = self._saying()
        split, when = self.text("split", None), self.when(said_at)
        if predicate == "duration" and when is not None and when.kind not in ("over", "on"):
            fix = "A duration is of a stretch: give { over = [FROM, TO] } or { on = DATE }"
            raise self.fail(f"`when` is {shown(self.raw['when'])}", fix)
        return Claim(
            self.id,
            predicate,
            text=self.text("text", ""),
            subject=self.operand("subject"),
            boards=self._boards(predicate),
            when=when,
            said_at=said_at,
            source=source,
            said_by=said_by,
            split=split,
            edition=self.text("edition", ""),
            rank_kind=self.choice("rank_kind", "score"),
            approx=self.flag("approx"),
            op=self._op(predicate),
            n=self.count("n", least=0 if predicate == "count" else 1),
            of=self.count("of", least=1),
            k=self.count("k", least=1),
            sole=self.flag("sole"),
            other=self.operand("with" if predicate == "tie" else "other"),
            value=self.value("value"),
            unit=self.choice("unit", ""),
            span=self.choice("span", "total"),
            what=self.choice("what", ""),
            columns=self.texts("columns"),
            table=self.text("table", ""),
            members=self._members(predicate, name),
        )

    def _predicate(self) -> str:
        found = self.raw.get("predicate")
        if isinstance(found, str) and found in PREDICATES:
            return found
        known = ", ".join(PREDICATES)
        if found is None:
            raise self.fail("no `predicate`", f"Give one of {known}")
        if found in LATER:
            fix = f"It reads {known}"
            raise self.fail(f'the predicate "{found}" is not known yet by this version', fix)
        fix = did_you_mean(str(found), PREDICATES, "Give one of")
        raise self.fail(f"`predicate` is {shown(found)}", fix)

    def _check_keys(self, predicate: str) -> None:
        needed, optional = PREDICATES[predicate]
        allowed = (*COMMON, *CONDITIONS, *needed, *optional)
        # What a compound gives to its members may stand on the compound itself.
        shared = INHERITED if predicate in (*COMPOUNDS, "duration") else ()
        for key in self.own:
            if key not in allowed and key not in shared:
                fix = did_you_mean(key, [*allowed, *shared], "It takes")
                raise self.fail(f'unknown key "{key}" for {predicate}', fix)
        for key in needed:
            if key not in self.raw:
                raise self.fail(f"no `{key}`", f"{predicate} needs {', '.join(needed)}")
        for key in ("subject", "other", "with"):
            own = isinstance(self.raw.get(key), Mapping)
            if own and key in allowed and predicate not in (*COMPOUNDS, "duration", *OWN_NUMBERS):
                fix = f"Only {' and '.join(OWN_NUMBERS)} take a number of their own"
                raise self.fail(f"`{key}` is {shown(self.raw[key])} in {predicate}", fix)
        if "approx" in self.own and predicate not in APPROXIMATE:
            raise self.fail(f"`approx` in {predicate}", f"It goes with {', '.join(APPROXIMATE)}")
        if "filter" in self.raw:
            raise self.fail("`filter` is not read yet by this version", "Leave it out")

    def _saying(self) -> tuple[Time | None, str, str]:
        """When, where and by whom it was said; `source` is an address or a table of the three."""
        source = self.raw.get("source", "")
        if isinstance(source, str):
            told: Mapping[str, Any] = {}
        elif isinstance(source, Mapping) and set(source) <= {"url", "said_by", "said_at"}:
            told, source = source, source.get("url", "")
        else:
            raise self.fail(
                f"`source` is {shown(source)}", "Give an address, or { url, said_by, said_at }"
            )
        at = self.raw.get("said_at", told.get("said_at"))
        said_by = self.raw.get("said_by", told.get("said_by", ""))
        if not isinstance(source, str) or not isinstance(said_by, str):
            raise self.fail("`source` and `said_by` are no texts", "Put them in quotes")
        return (None if at in (None, "") else self.time("said_at", at)), source, said_by

    def _boards(self, predicate: str) -> tuple[str, ...]:
        if "board" in self.own and "boards" in self.own:
            raise self.fail("both `board` and `boards`", "Give one of them")
        if "board" in self.raw:
            board = self.raw["board"]
            if not isinstance(board, str) or not board.strip():
                raise self.fail(f"`board` is {shown(board)}", "Give the name of a board")
            return (board,)
        boards = self.texts("boards")
        if len(set(boards)) < len(boards):
            raise self.fail("`boards` names one board twice", "Name each once")
        without = ("average_of",) if self.raw.get("table") else ()
        numbers = [isinstance(self.raw.get(key), Mapping) for key in ("subject", "other")]
        if predicate in (*COMPOUNDS, "duration", *without) or (
            predicate == "delta" and all(numbers)
        ):
            return boards
        if not boards:
            raise self.fail("no `boards`", 'Name the boards, as boards = ["NAME"]')
        return boards

    def _op(self, predicate: str) -> str:
        op = self.choice("op", "=")
        if predicate == "rank" and op not in RANK_OPS:
            raise self.fail(f'`op` is "{op}"', "rank takes = or <=")
        if op != "=" and self.raw.get("approx"):
            raise self.fail(f'`approx` with op "{op}"', "Leave one of them out")
        return op

    def _members(self, predicate: str, name: str) -> tuple[Claim, ...]:
        if predicate not in (*COMPOUNDS, "duration"):
            return ()
        inherited = {key: self.raw[key] for key in INHERITED if key in self.raw}
        raws = [self.raw["state"]] if predicate == "duration" else self.raw["claims"]
        if not isinstance(raws, list) or not raws or (predicate == "not" and len(raws) != 1):
            many = "one claim" if predicate == "not" else "claims"
            raise self.fail(f"`claims` is {shown(raws)}", f"Give a list of {many}")
        members = tuple(
            _claim(raw, name, f"{self.id}/{n}", inherited) for n, raw in enumerate(raws, start=1)
        )
        if predicate == "duration":
            self._check_state(members[0])
        elif self.raw.get("when") is not None:
            for member in members:
                self._check_no_time(member, "`when` stands on the whole and on a member")
        return members

    def _check_state(self, state: Claim) -> None:
        if state.predicate not in STATES:
            raise self.fail(f"`state` is {state.predicate}", f"Give one of {', '.join(STATES)}")
        if state.is_about_own_numbers:
            fix = "Give the state of an entry on a board"
            raise self.fail("`state` is about numbers of its own, which no time changes", fix)
        self._check_no_time(state, "`state` has a `when`")

    def _check_no_time(self, claim: Claim, found: str) -> None:
        if claim.when is not None:
            raise self.fail(found, "Give it in one place only: on the whole")
        if claim.predicate == "duration":
            raise self.fail(
                "a duration inside a claim that has a `when`", "Give each member its own"
            )
        for member in claim.members:
            self._check_no_time(member, found)


def to_toml(claims: Iterable[Claim]) -> str:
    """A claims file in TOML.

    >>> print(to_toml([Claim("a", "rank", subject="fern", boards=("text",), n=2)]))
    [[claim]]
    id = "a"
    predicate = "rank"
    subject = "fern"
    boards = ["text"]
    n = 2
    <BLANKLINE>
    """
    blocks = []
    for claim in claims:
        lines = [f"{key} = {_inline(value)}" for key, value in as_dict(claim).items()]
        blocks.append("\n".join(["[[claim]]", *lines, ""]))
    return "\n".join(blocks)


def as_dict(claim: Claim) -> dict[str, Any]:
    """The keys that a claims file needs to say this claim, in a readable order.

    >>> as_dict(Claim("a", "first", subject="fern", boards=("text",), when=When("latest")))["when"]
    {'latest': True}
    """
    found: dict[str, Any] = {"id": claim.id}
    found |= {key: getattr(claim, key) for key in _PLAIN}
    found["boards"] = claim.boards
    found["with" if claim.predicate == "tie" else "other"] = claim.other
    found |= {key: getattr(claim, key) for key in (*_ARGUMENTS, *_CONDITIONS)}
    if claim.members:
        members = [as_dict(member) for member in claim.members]
        for n, member in enumerate(members, start=1):
            if member["id"] == f"{claim.id}/{n}":
                del member["id"]
        if claim.predicate == "duration":
            found["state"] = members[0]
        else:
            found["claims"] = members
    found["when"] = None if claim.when is None else _when(claim.when)
    return {
        key: value
        for key, value in found.items()
        if value not in (None, "", ()) and value is not False and value != _DEFAULTS.get(key)
    }


def _when(when: When) -> dict[str, Any]:
    if when.kind == "latest":
        return {"latest": True}
    if when.kind == "at":
        return {"at": when.commit}
    if when.kind in ("as_of", "on"):
        return {when.kind: when.start}
    return {when.kind: [when.start or "", when.end or ""]}


def _inline(value: Any) -> str:
    if isinstance(value, Operand):
        kept = {"value": value.value, "label": value.label, "source": value.source}
        return _inline({key: text for key, text in kept.items() if text})
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{key} = {_inline(v)}" for key, v in value.items()) + " }"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(_inline(item) for item in value) + "]"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, str):
        # A JSON string is a TOML basic string, but for one control character.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007F")
    return _time(value)


def _time(time: Time) -> str:
    text = time.isoformat()
    return text.replace("+00:00", "Z") if isinstance(time, datetime) else text
