"""How does a claim get its verdict?

In: claims, and a store. Out: the document of `check`; the verdicts are also kept beside the boards
that they are about, so that one can be cited as it was given, and so that the next check can say
what has changed. Start at check().
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.asking import opener
from app.faults import UsageProblem
from app.said import is_file
from crawler.objects import StoreError

if TYPE_CHECKING:
    from app.asking import Opener
    from app.given import Given
    from crawler.store import Store
    from history.claims.language.claim import Claim

_MOST_OTHERS = 5  # boards that are looked at beside those of a claim
Record = dict[str, Any]


def boards_of(store: Store, claims: Sequence[Claim]) -> list[str]:
    """Names of all boards that claims are about, in their order; not of those that a claim
    itself says are in no store.

    Raises:
        UnknownBoard: one is not tracked.
    """
    said: list[str] = []
    for claim in claims:
        said += [*(claim.boards if claim.tracked else ()), *boards_of(store, claim.members)]
    return list(dict.fromkeys(store.find(name).name for name in said))


def check(
    store: Store,
    claims: Sequence[Claim],
    folder: Path | None = None,
    opened: Opener | None = None,
) -> dict[str, Any]:
    """The document of `check`.

    Args:
        store: with the boards.
        claims: what was said.
        folder: where the tables lie that claims bring along.
        opened: gives a board that was crawled, by its name, where some are open already.

    Raises:
        ClaimError, UnknownBoard, MomentError: the claims do not fit the boards.
        UnknownEntry: of a sentence; in a file it is a verdict.
        Failure: a board was never crawled.
    """
    from history.claims import evaluate, verdict

    now = datetime.now(UTC)
    verdicts = evaluate.check(
        claims, opened or opener(store), now=now, folder=folder, others=_others(store)
    )
    return verdict.document(verdicts, now)


def _others(store: Store) -> list[str]:
    """Boards on which a false claim may be true, as many as are quickly opened."""
    crawled = [name for name in store.names() if store.versions_file(name).exists()]
    return crawled if len(crawled) <= _MOST_OTHERS else []


def given(
    store: Store, claims: Sequence[Claim], document: Record, publisher: str | None = None
) -> Given:
    """What an export or a report of a document is made of."""
    from app.given import PUBLISHER, Given

    names = {one["board"] for claim in document["claims"] for one in claim["evidence"]}
    sources = {name: store.board(name).source for name in names & set(store.names())}
    return Given(document, claims, sources, publisher or PUBLISHER)


def keep(store: Store, document: dict[str, Any]) -> None:
    """Add each verdict to those of its boards; a store that cannot be written to is left alone."""
    for claim in document["claims"]:
        names = {one["board"] for one in claim["evidence"]} & set(store.names())
        line = {"checked_at": document["checked_at"], **claim}
        for name in sorted(names):
            try:
                store.append_line(store.verdicts_file(name), line)
            except (OSError, StoreError):
                return


def save(claims: Sequence[Claim], file: Path) -> None:
    """Write what was understood as a claims file."""
    from history.claims.language.claims_text import to_toml

    file.write_text(to_toml(claims), encoding="utf-8")


def refuse_saving(what: str, file: Path) -> None:
    """Object to saving before anything is done: what was understood is that of a sentence.

    Raises:
        UsageProblem: a file was given, or it cannot be saved there.
    """
    if is_file(what):
        raise UsageProblem(
            f"--save {file}: {what} is a claims file already. --save is for sentences; leave it out."
        )
    refuse_file(file)


def refuse_file(file: Path) -> None:
    """Object to a place to save to before anything is done.

    Raises:
        UsageProblem: it is taken, has another ending, or its folder is not there.
    """
    if file.suffix != ".toml":
        raise UsageProblem(f"--save {file}: claims are saved as TOML. End the name in .toml.")
    if file.exists():
        raise UsageProblem(f"--save {file}: the file is there already. Take another name.")
    if not file.parent.is_dir():
        raise UsageProblem(f"--save {file}: no folder {file.parent}. Make it, or take another.")


def refuse_report(file: Path) -> None:
    """Object to a place for a report; one that is there is written anew.

    Raises:
        UsageProblem: it has another ending, is a folder, or its folder is not there.
    """
    if file.suffix != ".md":
        raise UsageProblem(f"--report {file}: reports are Markdown. End the name in .md.")
    if file.is_dir() or not file.parent.is_dir():
        found = "it is a folder" if file.is_dir() else f"no folder {file.parent}"
        raise UsageProblem(f"--report {file}: {found}. Take another name.")
