"""Where do fetching and meaning meet?

The only module that knows both crawler and history: crawl and derive, watch the
boards, rebuild what is derived. Nothing here prints.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from importlib import import_module
from pathlib import Path
from threading import Thread
from typing import TYPE_CHECKING, Any

from app.faults import Busy, Failure
from crawler import crawl as loop
from crawler.board import Board, BoardError
from crawler.crawl import CrawlError, Outcome
from crawler.store import Store, StoreError, without_login

if TYPE_CHECKING:
    import pandas as pd

    from crawler.address import Place
    from crawler.look import File, Look
    from history.meaning import Meaning
    from history.pipeline import BoardHistory

__all__ = [
    "CrawlError",
    "File",
    "Look",
    "Outcome",
    "Place",
    "all_failed",
    "boards_of",
    "crawl",
    "look",
    "rebuild",
    "statuses",
]


def boards_of(store: Store, names: Sequence[str]) -> list[Board]:
    """The boards that somebody named, or all of the store.

    Raises:
        UnknownBoard: no such board. BoardError: a definition is wrong.
    """
    if names:
        return list({(board := store.find(name)).name: board for name in names}.values())
    return [store.board(name) for name in store.names()]


def crawl(
    store: Store, names: Sequence[str] = (), progress: Callable[[str], None] = lambda _: None
) -> Iterator[Outcome]:
    """Fetch what is new of some boards, keep it, and derive what depends on it.

    A board with a wrong definition is one failed outcome when all boards are meant, so
    that it does not keep the others from being saved.

    Args:
        store: where to keep it.
        names: boards; none: all.
        progress: told what is being done, a line at a time.

    Raises:
        UnknownBoard, BoardError: of a board that was named, or if no definition is right.
    """
    from history import meaning, scores

    good: dict[str, Board] = {}
    meanings: dict[str, Meaning] = {}
    wrong: dict[str, BoardError] = {}
    for name in names or store.names():
        try:
            board = store.find(name) if names else store.board(name)
            meanings[board.name] = meaning.read_meaning(board)
            good[board.name] = board
        except BoardError as error:
            wrong[name] = error
    if wrong and (names or not good):
        raise next(iter(wrong.values()))
    yield from (_not_begun(store, name, error) for name, error in wrong.items())

    if any(not store.versions_file(name).exists() for name in good):
        # Arrow loads pandas as soon as it makes a table; now there is time, while git fetches.
        Thread(target=import_module, args=("pandas",), daemon=True).start()

    def derive(board: Board) -> int:
        return scores.derive(store, board, meanings[board.name], progress)

    yield from loop.crawl(store, list(good.values()), progress=progress, derive=derive)


def look(store: Store, address: str, progress: Callable[[str], None]) -> tuple[Place, Look]:
    """What an address names, and what is there; its bytes stay in the store.

    Raises:
        BoardError: it is no address. CrawlError: it cannot be reached.
    """
    from crawler import look as looking
    from crawler.address import place_of

    place = place_of(address)
    return place, looking.look(store, place, progress)


def _not_begun(store: Store, name: str, error: BoardError) -> Outcome:
    """The outcome of a board whose definition is wrong: what it has is what it had."""
    try:
        versions = store.versions(name)
        count, vanished = versions.num_rows, sum(versions["vanished"].to_pylist())
    except StoreError:
        count = vanished = 0
    return Outcome(name, "failed", 0, count, 0, None, vanished, None, str(error))


def unreadable_notes(store: Store, outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each board of which something new, or the newest version, cannot be read."""
    from history.pipeline import open_board

    notes = []
    for outcome in outcomes:
        if outcome.status != "ok" or not outcome.unreadable:
            continue
        readings = open_board(store, outcome.board).readings
        broken = readings[readings["reading"] == "unreadable"]
        last = broken.iloc[-1]
        if int(last["version"]) < len(readings) - max(outcome.new_versions, 1):
            continue
        count = "none" if len(broken) == len(readings) else f"{len(readings) - len(broken)}"
        newest_first = broken.iloc[::-1].groupby("reason", sort=False, dropna=False)
        told = "; ".join(_unreadable_run(alike.iloc[::-1]) for _, alike in newest_first)
        notes.append(f"{outcome.board}: {count} of {len(readings)} versions can be read; {told}")
    return notes


def _unreadable_run(broken: pd.DataFrame) -> str:
    """Which versions cannot be read for one reason, and what was found in the last of them."""
    first, last = broken.iloc[0], broken.iloc[-1]
    which = str(last["commit"])[:8]
    if len(broken) > 1:
        in_a_row = int(last["version"]) - int(first["version"]) == len(broken) - 1
        among = "" if in_a_row else "among those "
        which = f"{len(broken)} versions, {among}{first['commit'][:8]} to {which},"
    return f"{which} {last['path']}: {last['found']}"


def all_failed(failed: list[Outcome]) -> Failure:
    """The one line for a crawl that saved nothing."""
    said = "; ".join(f"{outcome.board}: {outcome.error}" for outcome in failed)
    line = said if len(failed) == 1 else f"all {len(failed)} boards failed: {said}"
    return Busy(line) if all(outcome.locked for outcome in failed) else Failure(line)


def statuses(store: Store, stale_after: timedelta | None = None) -> list[dict[str, Any]]:
    """How every board of a store stands, as the records of `boards`.

    Args:
        store: the store.
        stale_after: a board is stale when its last success is older. None: none is.
    """
    return [_status(store, name, stale_after) for name in store.names()]


def _status(store: Store, name: str, stale_after: timedelta | None) -> dict[str, Any]:
    from history.pipeline import open_board

    attempts = store.attempts(name)
    last = attempts[-1] if attempts else {}
    success = store.confirmed_until(name)
    status: dict[str, Any] = {
        "board": name,
        "title": name,
        "source": None,
        "versions": None,
        "unreadable": None,
        "vanished": None,
        "last_attempt": _time(last.get("started")),
        "last_success": success,
        "last_change": None,
        "confirmed_until": success,
        "leader": [],
        "bytes": _bytes(store.folder(name)),
        "error": None if last.get("outcome") == "locked" else last.get("error"),
        "stale": stale_after is not None
        and (success is None or datetime.now(UTC) - success > stale_after),
        "reconstruction": "",
    }
    try:
        board = store.board(name)
        source = store.source_folder(board)
        status |= {
            "title": board.title,
            "source": without_login(board.source.repo),
            "reconstruction": board.reconstruction,
            "bytes": status["bytes"] + _bytes(source),
        }
        history = open_board(store, name)
        readings = history.readings
        status |= {
            "versions": len(readings),
            "unreadable": int((readings["reading"] == "unreadable").sum()),
            "vanished": int(readings["vanished"].sum()),
        }
        if len(readings):
            status["last_change"] = readings["committed_at"].iloc[-1].to_pydatetime()
            status["leader"] = _leader(history)
    except (BoardError, StoreError) as error:
        status["error"] = str(error)
    return status


def _leader(history: BoardHistory) -> list[str]:
    """Who is first in the newest version; nobody where that cannot be read, or before a first look."""
    if history.as_of is None:
        return []
    moment = history.find("latest")
    if moment.state != "known":
        return []
    frame = history.standings("latest").frame
    return [str(entry) for entry in frame["entry"][(frame["rank"] == 1).fillna(False)]]


def _time(text: str | None) -> datetime | None:
    return None if text is None else datetime.fromisoformat(text).astimezone(UTC)


def _bytes(folder: Path) -> int:
    """Size of all files below a folder."""
    return sum(file.lstat().st_size for file in folder.rglob("*") if file.is_file())


def rebuild(store: Store, names: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Derive everything again from the raw bytes.

    Raises:
        Locked: another run is at work on a board. StoreError: bytes are damaged.
    """
    from history import meaning, scores

    done = []
    for board in boards_of(store, names):
        with store.lock_board(board.name):
            unreadable = scores.derive(store, board, meaning.read_meaning(board), everything=True)
        versions = store.versions(board.name).num_rows
        done.append({"board": board.name, "versions": versions, "unreadable": unreadable})
    return done
