"""What does a claims file say?

In: a TOML or JSON file. Out: Claim records, every field checked. Start at read_claims();
claims_text is the way back.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from decimal import Decimal
from pathlib import Path
from typing import Any, Literal

from crawler.board import did_you_mean
from history.claims.language.claim import COMPOUNDS, Claim, ClaimError, Time
from history.claims.language.claim_fields import Fields, shown
from history.claims.language.files import read_file
from history.claims.language.predicates import (
    APPROXIMATE,
    COMMON,
    CONDITIONS,
    INHERITED,
    NOISE_OPS,
    OWN_NUMBERS,
    PREDICATES,
    RANK_OPS,
    STATES,
    WITH_TABLE,
)
from history.meaning import conditions

_DEEPEST = 30  # claims within claims
_LONGEST_ID = 200
LONGEST_CONDITION = 500


def read_claims(path: Path) -> list[Claim]:
    """The claims of a file, in file order.

    Args:
        path: TOML with `[[claim]]` tables, or JSON: a list of claims, or {"claim": [...]}.

    Raises:
        ClaimError: the file cannot be read, or a claim in it is not as documented.
    """
    try:
        text = read_file(path).decode("utf-8-sig")
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
        if isinstance(content, Mapping):
            fix = "Write [[claim]]" if form == "toml" else 'Write {"claim": [{...}]}'
            raise ClaimError(name, "`claim` is one table, no list of them", fix)
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
    raw: Any,
    name: str,
    default_id: str,
    inherited: Mapping[str, Any] | None = None,
    depth: int = 0,
) -> Claim:
    if not isinstance(raw, Mapping):
        raise ClaimError(
            f"{name}, {default_id}", f"found {shown(raw)}", "A claim is a table of keys"
        )
    own_id = raw.get("id", default_id)
    if not isinstance(own_id, str) or not own_id.strip():
        raise ClaimError(f"{name}, {default_id}", f"`id` is {shown(own_id)}", "Give it a text")
    where = f'{name}, claim "{own_id[:_LONGEST_ID]}"'
    if depth > _DEEPEST:
        raise ClaimError(where, f"claims within claims, {depth} deep", f"At most {_DEEPEST}")
    if len(own_id) > _LONGEST_ID:
        raise ClaimError(where, f"an `id` of {len(own_id):,} letters", f"At most {_LONGEST_ID}")
    return _Reader(raw, where, own_id, inherited or {}, depth).claim(name)


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
            of=None if predicate == "ratio" else self.count("of", least=1),
            k=None if predicate == "noise" else self.count("k", least=1),
            sole=self.flag("sole"),
            other=self.operand("with" if predicate == "tie" else "other"),
            value=self.value("value", words=predicate in ("ratio", "delta", "score")),
            unit=self.choice("unit", ""),
            span=self.choice("span", "total"),
            what=self.choice("what", "ranked" if predicate == "count" else ""),
            above=self.value("above"),
            filter=self._filter(),
            columns=self.texts("columns"),
            table=self.text("table", ""),
            column=self.text("column", ""),
            order=self.texts("order"),
            values=self.printed_pairs("values"),
            rank=self.count("rank", least=1),
            score=self.value("score"),
            snapshot=self.when(said_at, "snapshot"),
            items=self.counts("items"),
            level=self.value("k") if predicate == "noise" else "",
            curve=self.texts("curve"),
            x=self.value("x"),
            per=self.text("per", ""),
            at=self.pairs("at"),
            quantity=self.text("of", "") if predicate == "ratio" else "",
            formula=self.text("formula", ""),
            tracked=self.flag("tracked", default=True),
            members=self._members(predicate, name),
        )

    def _predicate(self) -> str:
        found = self.raw.get("predicate")
        if isinstance(found, str) and found in PREDICATES:
            return found
        known = ", ".join(PREDICATES)
        if found is None:
            raise self.fail("no `predicate`", f"Give one of {known}")
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
                fix = f"Numbers of their own are for {', '.join(OWN_NUMBERS)}"
                raise self.fail(f"`{key}` is {shown(self.raw[key])} in {predicate}", fix)
        if "approx" in self.own and predicate not in APPROXIMATE:
            raise self.fail(f"`approx` in {predicate}", f"It goes with {', '.join(APPROXIMATE)}")
        if predicate == "drop_one" and not any(k in self.raw for k in ("rank", "order", "values")):
            raise self.fail(
                "no result", "drop_one needs `order`, `values`, or `rank` and `subject`"
            )
        if predicate == "drop_one" and "rank" in self.raw and "subject" not in self.raw:
            raise self.fail("`rank` without `subject`", "Say whose rank it is")
        if predicate == "count" and not any(k in self.raw for k in ("what", "above")):
            raise self.fail("no `what`", "count needs `what` (ranked, listed), or `above`")
        if predicate == "count" and "of" in self.raw and "above" not in self.raw:
            raise self.fail("`of` in count", "It goes with `above`")
        if predicate == "formula" and not any(k in self.raw for k in ("formula", "columns")):
            raise self.fail("no `formula`", "Give `formula`, or the `columns` that alone count")
        if predicate == "ratio_at" and not self.raw["table"]:
            raise self.fail("no `table`", "Give the file that holds the curve")
        beside = predicate in ("tie", "ahead") and not self.raw.get("table")
        said = [isinstance(self.raw.get(key), Mapping) for key in ("subject", "other", "with")]
        if beside and any(said) and sum(said) < 2:
            fix = "Give two entries of a board, or two numbers"
            raise self.fail(f"a number of its own beside an entry in {predicate}", fix)
        if predicate == "ratio_at" and len(self.texts("curve")) != 2:
            raise self.fail(f"`curve` is {shown(self.raw['curve'])}", "Give two columns, x and y")
        if self.raw.get("table") and "filter" in self.own:
            raise self.fail("`filter` with a table of the claim's own", "Leave one of them out")

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
        numbers = [isinstance(self.raw.get(key), Mapping) for key in ("subject", "other", "with")]
        alone = predicate == "score" and numbers[0]
        if (
            predicate in (*COMPOUNDS, "duration", "ratio")
            or (self.raw.get("table") and predicate in WITH_TABLE)
            or (predicate in OWN_NUMBERS and (alone or sum(numbers) == 2))
        ):
            return boards
        if not boards:
            raise self.fail("no `boards`", 'Name the boards, as boards = ["NAME"]')
        return boards

    def _op(self, predicate: str) -> str:
        op = self.choice("op", "=")
        if predicate == "rank" and op not in RANK_OPS:
            raise self.fail(f'`op` is "{op}"', "rank takes = or <=")
        if predicate == "would_rank" and op not in RANK_OPS:
            raise self.fail(f'`op` is "{op}"', "would_rank takes = or <=")
        if predicate == "noise" and op not in NOISE_OPS:
            raise self.fail(f'`op` is "{op}"', "noise takes = (within it), > or < (beyond it)")
        if op != "=" and self.raw.get("approx"):
            raise self.fail(f'`approx` with op "{op}"', "Leave one of them out")
        return op

    def _filter(self) -> str:
        text = self.text("filter", "")
        if len(text) > LONGEST_CONDITION:
            found = f"a `filter` of {len(text):,} letters"
            raise self.fail(found, f"At most {LONGEST_CONDITION}")
        if text:
            try:
                conditions.parse(text)
            except conditions.ConditionError as error:
                fix = "Write it as the conditions of a board, as size < '8B'"
                raise self.fail(f"`filter` is {shown(text)}: {error}", fix) from None
        return str(text)

    def _members(self, predicate: str, name: str) -> tuple[Claim, ...]:
        if predicate not in (*COMPOUNDS, "duration"):
            return ()
        inherited = {key: self.raw[key] for key in INHERITED if key in self.raw}
        raws = [self.raw["state"]] if predicate == "duration" else self.raw["claims"]
        if not isinstance(raws, list) or not raws or (predicate == "not" and len(raws) != 1):
            many = "one claim" if predicate == "not" else "claims"
            raise self.fail(f"`claims` is {shown(raws)}", f"Give a list of {many}")
        members = tuple(
            _claim(raw, name, f"{self.id}/{n}", inherited, self.depth + 1)
            for n, raw in enumerate(raws, start=1)
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
