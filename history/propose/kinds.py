"""Which rows look like another kind than the others: people, baselines?

In: Facts. Out: Guesses that are mentioned and not applied. Start at other_kinds().
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Sequence

from history.propose.facts import Fact
from history.propose.guesses import Guess

_NAMES = ("type", "kind", "category", "class", "group", "role", "source", "tag", "model type")
_MOST_KINDS = 8
_RARE = 0.2  # share of the rows
_OTHERS = re.compile(
    r"(?:^|[^a-z])(?:humans?|experts?|people|baselines?|random|chance|majority|oracle|reference|hosts?"
    r"|organi[sz]ers?|dummy)(?:[^a-z]|$)",
    re.IGNORECASE,
)


def other_kinds(facts: Sequence[Fact]) -> list[Guess]:
    """Rows that people may not want among the others, by a column that says what each is.

    >>> from history.propose.facts import fact
    >>> (guess,) = other_kinds([fact("kind", ["model"] * 9 + ["human_expert"])])
    >>> print(guess.why, guess.hint, sep="; ")
    1 row is human_expert; where = "not kind == 'human_expert'"
    """
    found = []
    for fact in facts:
        kinds = Counter(text.strip() for text in fact.texts if text and text.strip())
        if fact.name not in _NAMES or not 1 < len(kinds) <= _MOST_KINDS or '"' in fact.column:
            continue
        few = _RARE * len(fact.texts)
        others = [
            kind
            for kind, count in kinds.items()
            if count <= few and _OTHERS.search(kind) and "'" not in kind
        ]
        if others:
            said = (f"{kinds[kind]} row{_are(kinds[kind])} {kind}" for kind in others)
            found.append(Guess("table.where", None, ", ".join(said), _where(fact, others)))
    return found


def _are(count: int) -> str:
    return "s are" if count > 1 else " is"


def _where(fact: Fact, kinds: Sequence[str]) -> str:
    """The line of a definition that leaves some kinds out; a row that says nothing stays."""
    column = fact.column if re.fullmatch(r"[^\W\d]\w*", fact.column) else f'"{fact.column}"'
    condition = " and ".join(f"not {column} == '{kind}'" for kind in kinds)
    if fact.filled < 1:
        condition = f"not {column} exists or ({condition})"
    return f"where = {json.dumps(condition, ensure_ascii=False)}"
