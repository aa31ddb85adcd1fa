"""How is a claims file written?

In: Claims. Out: TOML that claims_file reads as the same. Start at to_toml().
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import fields
from datetime import datetime
from typing import Any

from history.claims.language.claim import Claim, Operand, Time, When

_PLAIN = ("text", "said_at", "source", "said_by", "predicate", "subject")
_ARGUMENTS = (
    "op", "n", "of", "k", "sole", "value", "unit", "span", "what", "above", "score", "rank",
    "column", "columns", "table", "curve", "x", "per", "formula",
)  # fmt: skip
_CONDITIONS = ("split", "edition", "filter", "rank_kind", "approx")
_DEFAULTS = {"op": "=", "span": "total", "rank_kind": "score"}


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
    found |= {"values": dict(claim.values), "at": dict(claim.at), "order": claim.order}
    found["items"] = claim.items[0][1] if dict(claim.items).keys() == {""} else dict(claim.items)
    found |= {"k": claim.k or claim.level, "of": claim.of or claim.quantity}
    found["snapshot"] = None if claim.snapshot is None else _when(claim.snapshot)
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
    said = {
        key: value
        for key, value in found.items()
        if value not in (None, "", (), {}) and value is not False and value != _DEFAULTS.get(key)
    }
    return said | ({"tracked": False} if not claim.tracked else {})


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
        kept = {field.name: getattr(value, field.name) for field in fields(value)}
        kept["under"] = dict(value.under)
        return _inline({key: text for key, text in kept.items() if text})
    if isinstance(value, dict):
        return "{ " + ", ".join(f"{_key(key)} = {_inline(v)}" for key, v in value.items()) + " }"
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


def _key(key: str) -> str:
    """A key as TOML writes it, in quotes if it is more than a plain word.

    >>> _key("n"), _key("GPT-6.1 Sol")
    ('n', '"GPT-6.1 Sol"')
    """
    return key if re.fullmatch(r"[A-Za-z0-9_-]+", key) else json.dumps(key, ensure_ascii=False)


def _time(time: Time) -> str:
    text = time.isoformat()
    return text.replace("+00:00", "Z") if isinstance(time, datetime) else text
