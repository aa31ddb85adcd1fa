"""Which column of a table is what?

In: Facts. Out: Guesses, each with its reason, or a Question where the file does not tell. Start at
roles_of(). Words in column names are hints; the order of the rows and published ranks are evidence
and count more.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from history.propose.facts import Fact

_SORTED = 0.97  # share of steps that may not go the other way in a list sorted by hand
_FEW = 3  # rows that a board has at least
_CHOICES = 6  # shown with a question

_ENTRY_WORDS = (
    *("model", "name", "entry", "system", "method", "team", "agent", "engine", "participant"),
    *("player", "user", "submission", "llm", "team name", "teamname", "model name", "modelname"),
)
_KEY_WORDS = ("key", "id", "slug", "engine", "teamid", "team id", "model id", "dirname")
_RANK_WORDS = ("rank", "ranking", "place", "position", "pos", "#", "no", "standing")
# What is printed beside scores and is none; whole words.
_BESIDE = re.compile(
    r"\b(?:cost|price|latency|seconds?|secs?|time|duration|params?|parameters|size|votes?|counts?|num"
    r"|number|tokens?|date|year|released?|std|stdev|deviation|stderr|se|ci|lower|upper|low|high|min"
    r"|max|q\d+|errors?|timeouts?|cases|tests|index|idx|version|context|windows?|length|rank|id"
    r"|cutoff|asks|comments|responses|n|total tests|total cost|percentile)\b"
)
_BEST = re.compile(r"\b(?:overall|average|avg|mean|total|score|elo|rating|final|main)\b")
_GOOD = re.compile(
    r"\b(?:acc|accuracy|pass|win|f1|bleu|rouge|auc|precision|recall|map|success|solved|resolved"
    r"|points?|reward|consistency|correct|em|exact|ndcg|mrr|iou|psnr|ssim|sharpe|profit|return)\b"
)
_LOWER = re.compile(
    r"\b(?:errors?|rmse|mse|mae|mape|loss|perplexity|ppl|wer|cer|regret|fid|hallucinations?"
    r"|hallucination rate|cost|latency|brier|ece|failures?|distance|deviation|rank)\b"
)
_LOW_WORDS = re.compile(r"(?:\b|_)(?:q0?25|q05|lower|low|lo|min|ci low|lb)(?:\b|_)")
_HIGH_WORDS = re.compile(r"(?:\b|_)(?:q9?75|q95|upper|high|hi|max|ci high|ub)(?:\b|_)")
_PAIRS = (("public", "private"),)


@dataclass(frozen=True, slots=True)
class Guess:
    """What a column, or another key of the definition, is taken for.

    Attributes:
        key: in the definition, as in "table.score".
        value: what is written there.
        why: the evidence, for people.
    """

    key: str
    value: object
    why: str


@dataclass(frozen=True, slots=True)
class Question:
    """What the file does not tell.

    Attributes:
        option: of `ranktrail add`, with which it is answered.
        text: for people.
        choices: possible answers, the likeliest first, each with what speaks for it.
    """

    option: str
    text: str
    choices: tuple[tuple[str, str], ...] = ()


class Unclear(Exception):
    """The file alone does not tell; somebody has to say it."""

    def __init__(self, question: Question):
        self.question = question
        super().__init__(question.text)


@dataclass
class Roles:
    """Which column is what.

    Attributes:
        entry, name, score: columns; entry may be "@key".
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


@dataclass(frozen=True, slots=True)
class Given:
    """What the user said; empty where nothing was."""

    entry: str = ""
    score: str = ""
    direction: str = ""


def roles_of(facts: Sequence[Fact], keyed: bool, given: Given) -> Roles:
    """Tell the roles of the columns of one table.

    Args:
        facts: its columns.
        keyed: whether the rows stand in an object keyed by entry.
        given: what the user said.

    Raises:
        Unclear: with the question that has to be answered. ValueError: this is no leaderboard.
    """
    rows = len(facts[0].texts) if facts else 0
    if rows < _FEW:
        raise ValueError(f"{rows} rows")
    rank = _rank(facts)
    entry, names = _entry(facts, keyed, given)
    candidates = [f for f in facts if _may_be_score(f) and f is not rank]
    score, direction = _score(candidates, rank, given, facts)
    roles = Roles(str(entry.value), str(score.value), str(direction.value))
    roles.guesses = [entry, *names, score, direction]
    roles.name = str(names[0].value) if names else None
    if rank is not None and rank.column != roles.score:
        roles.guesses.append(
            Guess("table.published_rank", rank.column, "1, 2, 3, ... beside the rows")
        )
    found = next(f for f in facts if f.column == roles.score)
    roles.guesses += _interval(facts, found) + _pairs(facts, found)
    sorted_ = max(found.rises, found.falls) >= _SORTED and found.varied > _FEW
    roles.points = 3 * (rank is not None) + 2 * sorted_ + bool(_BEST.search(found.name))
    return roles


def _rank(facts: Sequence[Fact]) -> Fact | None:
    """The column of published ranks: whole numbers from 1 on under a name that says so."""
    for fact in facts:
        known = [number for number in fact.numbers if number is not None]
        whole = known and all(number == int(number) and number >= 0 for number in known)
        named = fact.name in _RANK_WORDS or re.search(r"\brank\b", fact.name)
        if named and whole and fact.numeric > 0.5 and min(known) <= 1:
            return fact
    return None


def _entry(facts: Sequence[Fact], keyed: bool, given: Given) -> tuple[Guess, list[Guess]]:
    """The stable key, and the display name where that is another column."""
    if given.entry:
        return Guess("table.entry", given.entry, "as you said"), []
    texts = [f for f in facts if f.filled > 0.9 and f.words > 0.5]
    named = sorted(
        (f for f in texts if _place(f, _ENTRY_WORDS) < len(_ENTRY_WORDS)), key=_word_order
    )
    if keyed:
        name = [Guess("table.name", f.column, _differ(f)) for f in named if f.distinct > 0.9][:1]
        return Guess("table.entry", "@key", "the rows stand in an object, keyed by text"), name
    keys = [f for f in facts if f.filled > 0.99 and f.distinct == 1 and f.name in _KEY_WORDS]
    keys = [f for f in keys if not f.counts_rows and f not in named]
    if named and keys and named[0].distinct < 1:
        return (
            Guess("table.entry", keys[0].column, _differ(keys[0])),
            [Guess("table.name", named[0].column, _differ(named[0]))],
        )
    best = named or sorted(texts, key=lambda f: -f.distinct)[:1] or keys
    if not best:
        choices = tuple((f.column, _differ(f)) for f in facts[:_CHOICES])
        raise Unclear(Question("--entry", "which column names the entries", choices))
    if best[0].distinct < 0.5:
        raise ValueError("no column tells the rows apart")
    return Guess("table.entry", best[0].column, _differ(best[0])), []


def _score(
    candidates: Sequence[Fact], rank: Fact | None, given: Given, facts: Sequence[Fact]
) -> tuple[Guess, Guess]:
    """What is ranked, and which way."""
    if given.score:
        said = [f for f in facts if given.score in _spellings(f.column)]
        if not said:
            raise Unclear(_which_score(candidates or facts, f"there is no column {given.score!r}"))
        why = "as you said"
        direction = _direction(said[0], rank, given)
        if direction is None:
            text = f"which way is {said[0].column!r} better; nothing in the file tells"
            answers = (("higher", "more is better"), ("lower", "less is better"))
            raise Unclear(Question("--direction", text, answers))
        return Guess("table.score", said[0].column, why), direction
    if not candidates:
        raise ValueError("no column of scores")
    for reason, chosen in (
        ("the published ranks follow it", _following(candidates, rank)),
        ("the rows are sorted by it", _sorted(candidates)),
        ("its name says that it sums up the others", _summing(candidates)),
    ):
        if chosen is not None and (direction := _direction(chosen, rank, given)) is not None:
            return Guess("table.score", chosen.column, f"{reason}{_spread(chosen)}"), direction
    if len(candidates) == 1 and (direction := _direction(candidates[0], rank, given)) is not None:
        return Guess("table.score", candidates[0].column, "the only column of scores"), direction
    raise Unclear(_which_score(candidates, "which column is the score", given))


def _spellings(column: str) -> tuple[str, ...]:
    """How somebody may name a column: as the definition does, or as a path."""
    dotted = column.lstrip("/").replace("/", ".")
    return column, dotted, f"$.{dotted}"


def _which_score(candidates: Sequence[Fact], text: str, given: Given | None = None) -> Question:
    likely = sorted(
        candidates, key=lambda f: (not _BEST.search(f.name), not _GOOD.search(f.path), -f.numeric)
    )
    if (
        given
        and not given.direction
        and any(_direction(f, None, given) is None for f in likely[:_CHOICES])
    ):
        text += ", and with --direction, which way is better"
    return Question(
        "--score", text, tuple((f.column, _spread(f).lstrip(" ;:")) for f in likely[:_CHOICES])
    )


def _direction(score: Fact, rank: Fact | None, given: Given) -> Guess | None:
    """Which way is better; None where nothing tells."""
    key = "table.direction"
    if given.direction:
        return Guess(key, given.direction, "as you said")
    if rank is not None and (with_rank := _against(score, rank)) is not None:
        return Guess(key, with_rank, "so run the published ranks")
    if score.varied > _FEW and max(score.rises, score.falls) >= _SORTED:
        way = "higher" if score.falls > score.rises else "lower"
        return Guess(
            key, way, f"the first row has the {'largest' if way == 'higher' else 'smallest'}"
        )
    if _LOWER.search(score.path):
        return Guess(key, "lower", "its name says so")
    if _BEST.search(score.path) or _GOOD.search(score.path):
        return Guess(key, "higher", "its name says so; the order of the rows does not tell")
    return None


def _against(score: Fact, rank: Fact) -> str | None:
    """The direction in which a score follows the published ranks; None if it does in neither."""
    pairs = sorted(
        (place, number)
        for place, number in zip(rank.numbers, score.numbers, strict=True)
        if place is not None and number is not None
    )
    steps = [b - a for (_, a), (_, b) in pairwise(pairs)]
    if len(steps) < _FEW or len({number for _, number in pairs}) <= _FEW:
        return None
    if sum(step <= 0 for step in steps) / len(steps) >= _SORTED:
        return "higher"
    if sum(step >= 0 for step in steps) / len(steps) >= _SORTED:
        return "lower"
    return None


def _following(candidates: Sequence[Fact], rank: Fact | None) -> Fact | None:
    if rank is None:
        return None
    return next((f for f in candidates if _against(f, rank)), None)


def _sorted(candidates: Sequence[Fact]) -> Fact | None:
    ordered = [f for f in candidates if f.varied > _FEW and max(f.rises, f.falls) >= _SORTED]
    return max(ordered, key=lambda f: f.numeric, default=None)


def _summing(candidates: Sequence[Fact]) -> Fact | None:
    """The one column of overall scores; of several the one that clearly most rows have."""
    named = sorted((f for f in candidates if _BEST.search(f.name)), key=lambda f: -f.numeric)
    if not named or (len(named) > 1 and named[0].numeric < 1.2 * named[1].numeric):
        return None
    return named[0]


def _may_be_score(fact: Fact) -> bool:
    return (
        fact.numeric >= 0.3
        and fact.varied > 1
        and not fact.counts_rows
        and not fact.column.startswith("#")
        and (bool(_BEST.search(fact.name)) or not _BESIDE.search(fact.name))
        and not (_LOW_WORDS.search(fact.name) or _HIGH_WORDS.search(fact.name))
        and not re.search(r"\b(?:cost|price|latency|tests|cases|time)\b", fact.name)
    )


def _interval(facts: Sequence[Fact], score: Fact) -> list[Guess]:
    """The ends of an interval: their names say so, and the score lies between."""
    folder = score.column.rpartition("/")[0]
    near = [f for f in facts if f is not score and f.column.rpartition("/")[0] == folder]
    ends = []
    for key, words, fits in (
        ("table.low", _LOW_WORDS, lambda a, b: a <= b),
        ("table.high", _HIGH_WORDS, lambda a, b: a >= b),
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
    return len(pairs) >= _FEW and all(fits(a, b) for a, b in pairs)


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
    return f"; {len(known)} of {len(fact.texts)} rows, {min(known):g} to {max(known):g}"
