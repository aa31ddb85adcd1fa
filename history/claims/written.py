"""How is a claim written down?

In: Claim records. Out: the text of a claims file that reads back to the same records.
Start at to_toml().
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from datetime import datetime
from typing import Any

from history.claims.claim import Claim, Operand, Time, When

_PLAIN = ("text", "said_at", "source", "said_by", "predicate", "subject")
_ARGUMENTS = ("op", "n", "of", "k", "sole", "value", "unit", "span", "what", "columns", "table")
_CONDITIONS = ("split", "edition", "rank_kind", "approx")
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


def _time(moment: Time) -> str:
    text = moment.isoformat()
    return text.replace("+00:00", "Z") if isinstance(moment, datetime) else text
