"""Which column of a table is what?

In: Facts. Out: Guesses, each with its reason, or a Question where the file does not tell. Start at
roles_of(). Words in column names are hints; the order of the rows and published ranks are evidence
and count more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from history.propose.facts import Fact, named
from history.propose.guesses import Given, Guess, Question, Unclear
from history.propose.kinds import other_kinds
from history.propose.words import (
    BEST,
    GOOD,
    HIGH_WORDS,
    LOW_WORDS,
    is_called_score,
    is_number,
    may_be_score,
    way_by_name,
)

_SORTED = 0.97  # share of steps that may not go the other way in a list sorted by hand
FEW = 3  # rows that a board has at least
_CHOICES = 6  # shown with a question

_ENTRY_WORDS = (
    *("model", "name", "entry", "system", "method", "team", "agent", "engine", "participant"),
    *("player", "user", "submission", "llm", "team name", "teamname", "model name", "modelname"),
)
_KEY_WORDS = ("key", "id", "slug", "engine", "teamid", "team id", "model id", "dirname")
_RANK_WORDS = ("rank", "ranking", "place", "position", "pos", "#", "no", "standing")
_NOT_NOW = re.compile(r"\b(?:prev|previous|last|old|before|delta|change)\b")
_PAIRS = (("public", "private"),)
_ENTRY_QUESTION = "which column names the entries"
_SCORE_QUESTION = "which column is the score"
_KEYS = {
    "@key": "the rows stand in an object, keyed by text",
    "@file": "each entry has a file of its own",
}


@dataclass
class Roles:
    """Which column is what.

    Attributes:
        entry, name, score: columns; entry may be "@key" or "@file".
        direction: higher or lower.
        guesses: all of that and more, with reasons.
        points: how much this looks like a leaderboard.
    """

    entry: str
    score: str
    direction: str
    name: str | None = None
    guesses: list[Guess] = field(default_factory=list)
    points: int = 0


def roles_of(facts: Sequence[Fact], key: str, given: Given) -> Roles:
    """Tell the roles of the columns of one table.

    Args:
        facts: its columns.
        key: what else can name the rows: "@key" where they stand in an object, "@file" where each
            has a file of its own, or nothing.
        given: what the user said.

    Raises:
        Unclear: with the question that has to be answered. ValueError: this is no leaderboard.
    """
    rows = len(facts[0].texts) if facts else 0
    if rows < FEW:
        raise ValueError(f"{rows} rows")
    candidates = [f for f in facts if may_be_score(f)]
    ranks = _ranks(facts)
    candidates = [f for f in candidates if f not in ranks]
    follow = _followed(candidates, ranks)
    if not candidates:  # of what is printed beside scores, published ranks may follow one
        follow = _followed([f for f in facts if is_number(f)], ranks)
        candidates = [f for f in facts if follow.get(f.column)]
    if not candidates and not given.score:
        raise ValueError("no column of scores")
    entry, names = _entry(facts, key, given)
    score, direction = _score(candidates, ranks, follow, given, facts)
    roles = Roles(str(entry.value), str(score.value), str(direction.value))
    roles.guesses = [entry, *names, score, direction]
    roles.name = str(names[0].value) if names else None
    found = next(f for f in facts if f.column == roles.score)
    rank = _rank(ranks, _followed([found], ranks))
    if rank is not None and rank is not found:
        roles.guesses.append(
            Guess("table.published_rank", rank.column, "1, 2, 3, ... beside the rows")
        )
    roles.guesses += _interval(facts, found) + _pairs(facts, found) + other_kinds(facts)
    sorted_ = max(found.rises, found.falls) >= _SORTED and found.varied > FEW
    roles.points = 3 * (rank is not None) + 2 * sorted_ + bool(BEST.search(found.name))
    return roles


def _ranks(facts: Sequence[Fact]) -> list[Fact]:
    """Columns of ranks: whole numbers from 1 on under a name that says so."""
    found = []
    for fact in facts:
        known = [number for number in fact.numbers if number is not None]
        whole = known and all(number == int(number) and number >= 0 for number in known)
        called = fact.name in _RANK_WORDS or re.search(r"\brank\b", fact.name)
        if not called and (fact.title or fact.column).strip() == "#":
            called = True
        if called and whole and fact.numeric > 0.5 and min(known) <= 1:
            found.append(fact)
    return found


def _rank(ranks: Sequence[Fact], follow: Mapping[str, Sequence[str]]) -> Fact | None:
    """The published ranks: those of now that a score follows; of several the ones without ties."""

    def likeness(rank: Fact) -> tuple[bool, bool, int, int]:
        followed = max((len(cols) for cols in follow.values() if rank.column in cols), default=0)
        return followed > 0, rank.name == "rank", followed, rank.varied

    return max((f for f in ranks if not _NOT_NOW.search(f.name)), key=likeness, default=None)


def _followed(scores: Sequence[Fact], ranks: Sequence[Fact]) -> dict[str, list[str]]:
    """Column of scores -> the columns of ranks that it follows."""
    return {
        score.column: [rank.column for rank in ranks if _against(score, rank) is not None]
        for score in scores
    }


def _entry(facts: Sequence[Fact], key: str, given: Given) -> tuple[Guess, list[Guess]]:
    """The stable key, and the display name where that is another column."""
    if given.entry:
        said = named(facts, given.entry)
        if said is None and given.entry != key:
            raise Unclear(
                _which_entry(facts, f"there is no column {given.entry!r}; {_ENTRY_QUESTION}")
            )
        return Guess("table.entry", said.column if said else key, "as you said"), []
    texts = [f for f in facts if f.filled > 0.9 and f.words > 0.5]
    words = sorted(
        (f for f in texts if _place(f, _ENTRY_WORDS) < len(_ENTRY_WORDS)), key=_word_order
    )
    if key:
        name = [Guess("table.name", f.column, _differ(f)) for f in words if f.distinct > 0.9][:1]
        return Guess("table.entry", key, _KEYS[key]), name
    keys = [f for f in facts if f.filled > 0.99 and f.distinct == 1 and f.name in _KEY_WORDS]
    keys = [f for f in keys if not f.counts_rows]
    shown = next((f for f in words if f.name not in _KEY_WORDS), None)
    if shown is not None and shown.distinct < 1 and keys:
        return (
            Guess("table.entry", keys[0].column, _differ(keys[0])),
            [Guess("table.name", shown.column, _differ(shown))],
        )
    best = words or sorted(texts, key=lambda f: -f.distinct)[:1] or keys
    if not best:
        raise Unclear(_which_entry(facts, _ENTRY_QUESTION))
    if best[0].distinct < 0.5:
        raise ValueError("no column tells the rows apart")
    return Guess("table.entry", best[0].column, _differ(best[0])), []


def _score(
    candidates: Sequence[Fact],
    ranks: Sequence[Fact],
    follow: Mapping[str, Sequence[str]],
    given: Given,
    facts: Sequence[Fact],
) -> tuple[Guess, Guess]:
    """What is ranked, and which way."""
    if given.score:
        said = named(facts, given.score)
        if said is None:
            text = f"there is no column {given.score!r}; {_SCORE_QUESTION}"
            raise Unclear(_which_score(candidates, text, given))
        if said.count < FEW:
            text = f"{said.column!r} has a number in {said.count} of {len(said.texts)} rows"
            text += f"; {_SCORE_QUESTION}"
            raise Unclear(_which_score(candidates, text, given))
        direction = _direction(said, _rank(ranks, _followed([said], ranks)), given)
        if direction is None:
            raise Unclear(_which_way(said))
        return Guess("table.score", said.column, f"as you said{_spread(said)}"), direction
    rank = _rank(ranks, follow)
    for reason, chosen in (
        ("the published ranks follow it", _following(candidates, rank, follow)),
        ("the rows are sorted by it", _sorted(candidates, rank)),
        ("its name says that it sums up the others", _summing(candidates)),
        ("the only column of scores", _only(candidates, rank)),
    ):
        if chosen is None or _has_twin(chosen, candidates):
            continue
        direction = _direction(chosen, rank, given)
        if direction is not None:
            return Guess("table.score", chosen.column, f"{reason}{_spread(chosen)}"), direction
        if len(candidates) == 1 and chosen.varied > FEW and is_called_score(chosen):
            raise Unclear(_which_way(chosen))
    raise Unclear(_which_score(candidates, _SCORE_QUESTION, given))


def _has_twin(score: Fact, candidates: Sequence[Fact]) -> bool:
    """Whether another column has the same header."""
    return any(f.title == score.title for f in candidates if f is not score and score.title)


def _which_way(score: Fact) -> Question:
    text = f"which way is {score.column!r} better (nothing in the file tells)"
    if way := way_by_name(score):
        text = (
            f"which way is {score.column!r} better (its name says {way}, the rows run against it)"
        )
    answers = (("higher", "more is better"), ("lower", "less is better"))
    return Question("--direction", text, answers)


def _which_entry(facts: Sequence[Fact], text: str) -> Question:
    return Question("--entry", text, tuple((f.column, _differ(f)) for f in facts[:_CHOICES]))


def _which_score(candidates: Sequence[Fact], text: str, given: Given) -> Question:
    likely = sorted(
        candidates, key=lambda f: (not BEST.search(f.name), not GOOD.search(f.path), -f.numeric)
    )[:_CHOICES]
    if len(candidates) > _CHOICES:
        text += f" (the likeliest of {len(candidates)} are named)"
    open_ = frozenset(f.column for f in likely if _direction(f, None, given) is None)
    if open_:
        text += ", and which way is better"
    choices = tuple((f.column, _titled(f) + _spread(f).lstrip(" ;")) for f in likely)
    return Question("--score", text, choices, open_)


def _direction(score: Fact, rank: Fact | None, given: Given) -> Guess | None:
    """Which way is better; None where nothing tells."""
    key = "table.direction"
    if given.direction:
        return Guess(key, given.direction, "as you said")
    named = way_by_name(score)
    way, why = "", ""
    if rank is not None and (with_rank := _against(score, rank)) is not None:
        way, why = with_rank, "so run the published ranks"
    elif score.varied > FEW and max(score.rises, score.falls) >= _SORTED:
        way = "higher" if score.falls > score.rises else "lower"
        why = f"the first row has the {'largest' if way == 'higher' else 'smallest'}"
    if way:
        return Guess(key, way, why) if named in ("", way) else None
    if named == "lower":
        return Guess(key, named, "its name says so")
    if named:
        return Guess(key, named, "its name says so; the order of the rows does not tell")
    return None


def _against(score: Fact, rank: Fact) -> str | None:
    """The direction in which a score follows the published ranks; None if it does in neither."""
    groups: dict[float, list[float]] = {}
    for place, number in zip(rank.numbers, score.numbers, strict=True):
        if place is not None and number is not None:
            groups.setdefault(place, []).append(number)
    ends = [(min(group), max(group)) for _, group in sorted(groups.items())]
    if len(ends) <= FEW or len({end for pair in ends for end in pair}) <= FEW:
        return None
    allowed = (1 - _SORTED) * (len(ends) - 1)
    rises = falls = 0  # steps against each direction; most columns are given up early
    for (low, high), (next_low, next_high) in pairwise(ends):
        rises += low < next_high
        falls += high > next_low
        if min(rises, falls) > allowed:
            return None
    return "higher" if rises <= falls else "lower"


def _following(
    candidates: Sequence[Fact], rank: Fact | None, follow: Mapping[str, Sequence[str]]
) -> Fact | None:
    """The score that the published ranks follow; None where others follow ranks of their own."""
    if rank is None:
        return None
    following = [f for f in candidates if rank.column in follow[f.column]]
    if not following or rank.name == "rank":
        return next(iter(following), None)
    best = max(following, key=lambda f: len(follow[f.column]))
    rivals = [follow[f.column] for f in candidates if f not in following]
    return best if all(len(cols) < len(follow[best.column]) for cols in rivals) else None


def _sorted(candidates: Sequence[Fact], rank: Fact | None) -> Fact | None:
    """The column by which the rows are sorted.

    One that is not called a score is taken only if none is, and ranks show that this is a board.
    """
    called = [f for f in candidates if is_called_score(f)]
    among = called or (candidates if rank is not None else [])
    ordered = [f for f in among if f.varied > FEW and max(f.rises, f.falls) >= _SORTED]
    return max(ordered, key=lambda f: f.numeric, default=None)


def _summing(candidates: Sequence[Fact]) -> Fact | None:
    """The one column of overall scores; of several the one that clearly most rows have."""
    named = sorted((f for f in candidates if BEST.search(f.name)), key=lambda f: -f.numeric)
    if not named or (len(named) > 1 and named[0].numeric < 1.2 * named[1].numeric):
        return None
    return named[0]


def _only(candidates: Sequence[Fact], rank: Fact | None) -> Fact | None:
    """The one column, if its name or ranks beside it show that this is a board at all."""
    if len(candidates) == 1 and (rank is not None or is_called_score(candidates[0])):
        return candidates[0]
    return None


def _interval(facts: Sequence[Fact], score: Fact) -> list[Guess]:
    """The ends of an interval: their names say so, and the score lies between."""
    folder = score.column.rpartition("/")[0]
    near = [f for f in facts if f is not score and f.column.rpartition("/")[0] == folder]
    ends = []
    for key, words, fits in (
        ("table.low", LOW_WORDS, lambda a, b: a <= b),
        ("table.high", HIGH_WORDS, lambda a, b: a >= b),
    ):
        one = next((f for f in near if words.search(f.name) and _holds(f, score, fits)), None)
        if one is not None:
            ends.append(Guess(key, one.column, "the score lies on its right side in every row"))
    return ends if len(ends) == 2 else []


def _holds(end: Fact, score: Fact, fits: Callable[[float, float], bool]) -> bool:
    pairs = [
        (a, b)
        for a, b in zip(end.numbers, score.numbers, strict=True)
        if a is not None and b is not None
    ]
    return len(pairs) >= FEW and all(fits(a, b) for a, b in pairs)


def _pairs(facts: Sequence[Fact], score: Fact) -> list[Guess]:
    """A public and a private column of the same thing."""
    for public, private in _PAIRS:
        for here, there in ((public, private), (private, public)):
            if not re.search(rf"\b{here}\b", score.column, re.IGNORECASE):
                continue
            other = re.sub(rf"\b{here}\b", there, score.column, flags=re.IGNORECASE).casefold()
            twin = next((f for f in facts if f.column.casefold() == other), None)
            if twin is not None:
                why = f"{score.column!r} and {twin.column!r} differ in one word"
                return [
                    Guess(f"table.parts.{here}", score.column, why),
                    Guess(f"table.parts.{there}", twin.column, why),
                    Guess(f"splits.{public}", public, "a public and a private part"),
                    Guess(f"splits.{private}", private, "a public and a private part"),
                ]
    return []


def _place(fact: Fact, words: Sequence[str]) -> int:
    return words.index(fact.name) if fact.name in words else len(words)


def _word_order(fact: Fact) -> tuple[bool, int]:
    return fact.distinct < 0.9, _place(fact, _ENTRY_WORDS)


def _differ(fact: Fact) -> str:
    filled = sum(1 for text in fact.texts if text)
    return f"{round(fact.distinct * filled)} different texts in {len(fact.texts)} rows"


def _spread(fact: Fact) -> str:
    known = [number for number in fact.numbers if number is not None]
    if not known:
        return "; no numbers"
    low, high = _short(min(known)), _short(max(known))
    return f"; {len(known)} of {len(fact.texts)} rows, {low} to {high}"


def _titled(fact: Fact) -> str:
    """The header of a column that goes by its number."""
    return f"{fact.title!r}, " if fact.title else ""


def _short(number: float) -> str:
    """A number for people, without an exponent where it can be done without."""
    return f"{number:.0f}" if 1e5 <= abs(number) < 1e15 else f"{number:g}"
