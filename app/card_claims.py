"""How does a model card become a claims file?

In: the name of a model on the Hub. Out: its card is asked for, claims are drafted, and they are
printed or saved. Start at run().
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app.asking import open_board
from app.check import refuse_file
from app.faults import DONE, Failure, UsageProblem
from app.output import complain, write
from app.wording import short
from crawler.board import BoardError, Source
from crawler.errors import RanktrailError
from history.claims.cards.card import TABLE
from history.counts import counted

if TYPE_CHECKING:
    from crawler.store import Store
    from crawler.work import Work
    from history.claims.cards.card import Card, Draft

CARD = "README.md"
RESULTS = (".eval_results/*.yaml", ".eval_results/*.yml")
_COMMIT = re.compile(r"/([0-9a-f]{40})(?=/|$)")  # in a permalink
_LINES = 12  # of what was left out, that are told


def run(
    store: Store, work: Work, model: str, revision: str = "", target: Path | None = None
) -> int:
    """Draft the claims of a model card, and print or save them.

    Raises:
        UsageProblem: the name, or the place to save to, cannot be used.
        CrawlError: no such model, gated, or the Hub does not answer.
        Failure: the card says nothing that could be drafted.
    """
    from history.claims.cards.draft import draft
    from history.claims.language.claims_text import to_toml

    source = source_of(model, revision)
    if target is not None:
        refuse_files(target)
    card = ask(source, work)
    names = [(name, store.board(name).title) for name in _readable(store)]
    found = draft(card, _boards(names), partial(_subject_on, store, card.repo))
    what = f"{card.repo} @ {short(card.commit)}"
    if not found.claims:
        why = f" ({'; '.join(found.left_out[:3])})" if found.left_out else ""
        raise Failure(f"{what}: no number that could be a claim{why}. Write a claims file by hand.")
    text = to_toml(found.claims)
    for line in notes(what, found, target):
        complain(line, "info")
    if target is None:
        write(text)
        return DONE
    if found.needs_card and card.text is not None:
        _card_beside(target).write_bytes(card.text.data)
    target.write_text(text, encoding="utf-8")
    return DONE


def source_of(model: str, revision: str) -> Source:
    """Which repository is meant.

    Args:
        model: OWNER/MODEL, hf://OWNER/MODEL, or an address of the Hub as a browser shows it.
        revision: branch, tag or commit; empty for the repository's own branch.

    Raises:
        UsageProblem: it is none.

    >>> source_of("lab/fern", "").repo, source_of("https://huggingface.co/lab/fern", "v2").branch
    ('lab/fern', 'v2')
    >>> source_of("https://huggingface.co/lab/fern/blob/v2/README.md", "").branch
    'v2'
    """
    from pydantic import ValidationError

    from app import jobs

    fix = "Give OWNER/MODEL, as the Hub shows it"
    given = model.strip()
    try:
        pinned = _COMMIT.search(given)
        place = jobs.place_of(given if "://" in given else f"hf://{given}")
        is_model = (place.kind, place.repo_type) == ("hub", "model")
        if not is_model or place.path not in ("", CARD):
            raise UsageProblem(f"model {given[:100]!r}: no model of the Hub. {fix}.")
        return Source(
            kind="hub",
            repo=place.repo,
            repo_type="model",
            branch=revision or place.branch or (pinned[1] if pinned else ""),
            paths=[CARD],
        )
    except BoardError as error:
        raise UsageProblem(f"model {given[:100]!r}: {error.found}. {fix}.") from None
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        said = first["msg"].removeprefix("Value error, ").removeprefix("repo: ")
        if first["loc"] == ("branch",):
            fix = "Give a branch, tag or commit"
            raise UsageProblem(f"--revision {revision[:100]!r}: {said}. {fix}.") from None
        raise UsageProblem(f"model {given[:100]!r}: {said}. {fix}.") from None


def refuse_files(target: Path) -> None:
    """Object to a place to save to before anything is asked.

    Raises:
        UsageProblem: it cannot be written there, or the card's place beside it is taken.
    """
    refuse_file(target)
    beside = _card_beside(target)
    if beside.exists():
        raise UsageProblem(
            f"--save {target}: {beside} is there already, and the card goes there. "
            "Take another folder."
        )


def notes(what: str, found: Draft, target: Path | None) -> list[str]:
    """What was found and what was left out, for people."""
    tracked = sum(claim.tracked and not claim.table for claim in found.claims)
    tables = sum(bool(claim.table) for claim in found.claims)
    kinds = [f"{tracked} on tracked boards"]
    kinds += [f"{counted(tables, 'average')} of a table"] if tables else []
    lines = [f"{what}: {counted(len(found.claims), 'claim')} drafted, {', '.join(kinds)}"]
    if found.needs_card and target is None:
        lines.append(f"the averages need the card beside the claims file: --save writes {TABLE}")
    lines += [f"left out: {why}" for why in found.left_out[:_LINES]]
    if len(found.left_out) > _LINES:
        lines.append(f"left out: {len(found.left_out) - _LINES:,} more")
    lines.append("ranks and other words of the card are not read; look at every claim")
    return lines


def _card_beside(target: Path) -> Path:
    return target.with_name(TABLE)


def _readable(store: Store) -> list[str]:
    """Boards whose definition can be read; what a broken one is called does not matter here."""
    found = []
    for name in store.names():
        try:
            store.board(name)
        except BoardError:
            continue
        found.append(name)
    return found


def _boards(names: Sequence[tuple[str, str]]) -> dict[str, str]:
    """What a dataset may be called to mean a board -> its name; what could be two means none."""
    from history.claims.cards.words import slug

    found: dict[str, str] = {}
    unclear: set[str] = set()
    for name, title in names:
        for word in {slug(name), slug(title)}:
            if found.setdefault(word, name) != name:
                unclear.add(word)
    exact = {slug(name): name for name, _ in names}
    return {word: name for word, name in found.items() if word not in unclear} | exact


def _subject_on(store: Store, repo: str, board: str) -> str | None:
    """What a board calls a model; None if it does not list it, or was never crawled."""
    from history.claims.cards.draft import names_of

    try:
        history = open_board(store, board)
    except (RanktrailError, Failure, OSError):
        return None
    for name in names_of(repo):
        try:
            history.resolve_entry(name)
        except RanktrailError:
            continue
        return name
    return None


def ask(source: Source, work: Work) -> Card:
    """Ask the Hub for a model's card and files of results, at one commit.

    Raises:
        CrawlError: missing, private, gated, disabled, a bad token, offline: a line for each.
    """
    from app import jobs
    from history.claims.cards.card import Card, CardFile

    found = jobs.model_files(source, [CARD, *RESULTS], work)
    files = {path: CardFile(data, address) for path, (data, address) in found.files.items()}
    text = files.pop(CARD, None)
    return Card(source.repo, found.commit, found.at, text, files, found.left_out)
