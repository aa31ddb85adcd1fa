"""Which claims does a model card make?

In: a Card, and the boards that are tracked. Out: a Draft: claims for a person to look at. Start
at draft(). What the card says in words (a rank, a "best") is for sentences, and for people.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from history.claims.cards.card import TABLE, Average, Card, Draft, Found, Result
from history.claims.cards.card_tables import tables
from history.claims.cards.words import plain, slug
from history.claims.cards.yaml_results import eval_results, model_index
from history.claims.language.claim import Claim

MOST_CLAIMS = 200


def draft(
    card: Card, boards: Mapping[str, str], subject_on: Callable[[str], str | None] = lambda _: None
) -> Draft:
    """Draft a claim for every number that a card says of its model.

    Args:
        card: what the repository says.
        boards: slugs of names of tracked boards -> the board.
        subject_on: what a board calls the model; None where it does not list it.
    """
    found = _found(card)
    left_out = [*card.left_out, *found.left_out]
    scores, twice = _distinct(found.results)
    if twice:
        left_out.append(f"said twice: {twice}")
    room = max(MOST_CLAIMS - len(found.averages), 0)
    if len(scores) > room:
        left_out.append(f"{len(scores) - room:,} more numbers: {MOST_CLAIMS} claims are drafted")
    ids = _Ids()
    claims = [_score(card, one, boards, subject_on, ids) for one in scores[:room]]
    claims += [_average(card, one, ids) for one in found.averages[:MOST_CLAIMS]]
    return Draft(tuple(claims), tuple(dict.fromkeys(left_out)))


def names_of(repo: str) -> tuple[str, str]:
    """What a model may be called in a table.

    >>> names_of("lab/fern")
    ('lab/fern', 'fern')
    """
    return repo, repo.rpartition("/")[2]


def _found(card: Card) -> Found:
    found = Found()
    if card.text is not None:
        found += model_index(card.text)
    for path, file in card.results.items():
        found += eval_results(path, file)
    return found if card.text is None else found + tables(card.text, names_of(card.repo))


def _distinct(results: tuple[Result, ...]) -> tuple[list[Result], int]:
    """Results without those that say the same again, and how many these are.

    A table says neither metric nor split: beside a result that does it says nothing new.
    """
    kept: dict[tuple[str, str], dict[tuple[str, ...], Result]] = {}
    for one in results:
        alike = kept.setdefault((slug(one.dataset), one.value), {})
        if not alike or one.metric or one.more:
            alike.setdefault((one.metric, *one.more), one)
    found = [one for alike in kept.values() for one in alike.values()]
    return found, len(results) - len(found)


class _Ids:
    """Gives every claim a name of its own."""

    def __init__(self) -> None:
        self._given: set[str] = set()

    def new(self, text: str) -> str:
        wanted = slug(text)
        name = next(one for one in _numbered(wanted) if one not in self._given)
        self._given.add(name)
        return name


def _numbered(name: str) -> Iterator[str]:
    yield name
    number = 2
    while True:
        yield f"{name}-{number}"
        number += 1


def _score(
    card: Card,
    one: Result,
    boards: Mapping[str, str],
    subject_on: Callable[[str], str | None],
    ids: _Ids,
) -> Claim:
    board = next((boards[slug(name)] for name in one.names if slug(name) in boards), None)
    more = f" ({', '.join(one.more)})" if one.more else ""
    metric = f", {one.metric}" if one.metric else ""
    return Claim(
        ids.new(f"{one.dataset} {one.metric}"),
        "score",
        text=f"{one.dataset}{more}{metric}: {one.value}",
        subject=(subject_on(board) if board else None) or card.repo,
        boards=(board or slug(one.dataset),),
        said_at=card.said_at,
        source=one.address,
        value=one.value,
        tracked=board is not None,
    )


def _average(card: Card, one: Average, ids: _Ids) -> Claim:
    many = f"{len(one.columns)} columns"
    return Claim(
        ids.new(f"average {one.subject}"),
        "average_of",
        text=f"{plain(one.header)} of {many} in the table at {one.line}: {one.value}",
        subject=one.subject,
        said_at=card.said_at,
        source=card.text.address if card.text else "",
        columns=one.columns,
        table=f"{TABLE}#{one.rows}" if one.rows else TABLE,
        value=one.value,
    )
