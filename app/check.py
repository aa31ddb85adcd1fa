"""How does a claim get its verdict?

In: a sentence or a claims file, and a store. Out: the document of `check`; the verdicts are
also kept beside the boards that they are about, so that one can be cited as it was given.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.asking import open_board
from app.faults import UsageProblem
from crawler.objects import StoreError

if TYPE_CHECKING:
    from crawler.store import Store
    from history.claims.language.claim import Claim

FILES = (".toml", ".json")


def read(what: str) -> tuple[list[Claim], Path | None]:
    """The claims of a file (its name ends in .toml or .json), or of a sentence.

    Returns:
        The claims, and the folder of the file.

    Raises:
        ClaimError: it is not understood.
    """
    if what.lower().endswith(FILES):
        from history.claims.language.claims_file import read_claims

        return read_claims(Path(what)), Path(what).parent
    from history.claims.sentences.sentence import read_sentence

    return [read_sentence(what)], None


def boards_of(store: Store, claims: Sequence[Claim]) -> list[str]:
    """Names of all boards that claims are about, in their order.

    Raises:
        UnknownBoard: one is not tracked.
    """
    said: list[str] = []
    for claim in claims:
        said += [*claim.boards, *boards_of(store, claim.members)]
    return list(dict.fromkeys(store.find(name).name for name in said))


def check(store: Store, claims: Sequence[Claim], folder: Path | None = None) -> dict[str, Any]:
    """The document of `check`.

    Args:
        store: with the boards.
        claims: what was said.
        folder: where the tables lie that claims bring along.

    Raises:
        ClaimError, UnknownBoard, MomentError: the claims do not fit the boards.
        UnknownEntry: of a sentence; in a file it is a verdict.
        Failure: a board was never crawled.
    """
    from history.claims import evaluate, verdict

    now = datetime.now(UTC)
    verdicts = evaluate.check(claims, partial(open_board, store), now=now, folder=folder)
    return verdict.document(verdicts, now)


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
