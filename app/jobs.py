"""Where do fetching and meaning meet?

The only module that knows both crawler and history: crawl and derive, watch the
boards, rebuild what is derived. Nothing here prints.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator, Sequence
from contextlib import nullcontext, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from app.faults import Busy, Failure
from crawler import crawl as loop
from crawler.board import Board, BoardError, Source
from crawler.crawl import CrawlError, Outcome
from crawler.source import redact
from crawler.store import Store, StoreError, to_the_second
from crawler.work import Work
from history import times

if TYPE_CHECKING:
    from crawler.address import Place
    from crawler.hub.model_card import ModelFiles
    from crawler.look import File, Look
    from crawler.repair.damage import Found
    from crawler.seen import Seen
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
    "damage_of",
    "look",
    "place_of",
    "rebuild",
    "statuses",
]

_CLOCKS = timedelta(minutes=5)  # two machines with one store may differ by so much
_WHY_LETTERS = 200  # of what is wrong with bytes that came from an address


def boards_of(store: Store, names: Sequence[str]) -> list[Board]:
    """The boards that somebody named, or all of the store.

    Raises:
        UnknownBoard: no such board. BoardError: a definition is wrong.
    """
    if names:
        return list({(board := store.find(name)).name: board for name in names}.values())
    return [store.board(name) for name in store.names()]


def crawl(
    store: Store,
    names: Sequence[str] = (),
    work: Work | None = None,
    *,
    jobs: int = 4,
    via: str = "git",
    repair: bool = False,
) -> Iterator[Outcome]:
    """Fetch what is new of some boards, keep it, and derive what depends on it.

    A board with a wrong definition is one failed outcome when all boards are meant, so
    that it does not keep the others from being saved.

    Args:
        store: where to keep it.
        names: boards; none: all.
        work: told what is being done.
        jobs: sources that are fetched at a time.
        via: "git", or "api" for repositories of the Hub whose git cannot be reached.
        repair: whether to fetch again what is missing or damaged.

    Raises:
        UnknownBoard, BoardError: of a board that was named, or if no definition is right.
    """
    from history import meaning, scores

    work = work or Work()

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

    spare = None
    if any(not store.versions_file(name).exists() for name in good):
        # It takes a while to start; now there is time, while git fetches.
        spare = scores.Spare()

    def derive(board: Board) -> int:
        if repair:
            with suppress(StoreError):  # bytes that nobody has any more; the tables may know them
                return scores.derive(store, board, meanings[board.name], work, everything=True)
        return scores.derive(store, board, meanings[board.name], work, spare=spare)

    def judge(board: Board, path: str, data: bytes) -> str | None:
        from crawler.web.answer import clean
        from history.readings.judge import why_not

        why = why_not(meanings[board.name], path, data)
        return why and clean(why, _WHY_LETTERS)

    _share_memory()
    how = loop.How(jobs=jobs, via=via, repair=repair, judge=judge)
    with spare or nullcontext():
        yield from loop.crawl(store, list(good.values()), work=work, derive=derive, how=how)


def _share_memory() -> None:
    """Let threads share two heaps, where the system gives each its own of 64 MB.

    They only wait for servers; under a limit (`ulimit -v`) four such heaps are a quarter of what a
    crawl may take.
    """
    arena_max = -8
    with suppress(AttributeError, OSError, TypeError):  # glibc only
        ctypes.CDLL(None).mallopt(arena_max, 2)


def look(store: Store, address: str, work: Work) -> tuple[Place, Look]:
    """What an address names, and what is there; its bytes stay in the store.

    Raises:
        BoardError: it is no address. CrawlError: it cannot be reached.
    """
    from crawler import look as looking

    place = place_of(address)
    return place, looking.look(store, place, work)


def place_of(address: str) -> Place:
    """What an address names; nothing is asked for.

    Raises:
        BoardError: it is no address that can be crawled.
    """
    from crawler.address import place_of

    return place_of(address)


def model_files(source: Source, paths: Sequence[str], work: Work) -> ModelFiles:
    """Some files of a model on the Hub, at one commit; nothing of them stays in the store.

    Raises:
        CrawlError: they cannot be had.
    """
    from crawler.hub import model_card

    return model_card.model_files(source, paths, work)


def damage_of(store: Store, board: Board, work: Work) -> Found:
    """What of all that was crawled of a board is not as it was saved."""
    from crawler.repair.damage import find_damage

    return find_damage(store, board, work)


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
    from history import meaning, scores

    notes = []
    for outcome in outcomes:
        if outcome.status != "ok" or not outcome.unreadable:
            continue
        board = store.board(outcome.board)
        readings = scores.readings(store, board, meaning.read_meaning(board)).to_pylist()
        broken = [row for row in readings if row["reading"] == "unreadable"]
        if broken[-1]["version"] < len(readings) - max(outcome.new_versions, 1):
            continue
        count = "none" if len(broken) == len(readings) else f"{len(readings) - len(broken)}"
        alike: dict[str | None, list[dict[str, Any]]] = {}
        for row in reversed(broken):
            alike.setdefault(row["reason"], []).insert(0, row)
        told = "; ".join(map(_unreadable_run, alike.values()))
        notes.append(f"{outcome.board}: {count} of {len(readings)} versions can be read; {told}")
    return notes


def history_notes(outcomes: Sequence[Outcome]) -> list[str]:
    """A line for each board whose past was rewritten, or is not all known."""
    notes = []
    for outcome in outcomes:
        if outcome.rewritten:
            old = f"its old tip {(outcome.tip_before or '')[:8]} is no ancestor any more"
            kept = f"{outcome.vanished} versions that vanished are kept and marked"
            notes.append(f"{outcome.board}: the branch was rewritten: {old}; {kept}")
        if outcome.seen and outcome.new_versions and (why := not_all_known(outcome.seen)):
            notes.append(f"{outcome.board}: {why}")
    return notes


def not_all_known(seen: Seen) -> str:
    """What is not known of a history, as the end of a sentence; empty if it is all there."""
    if seen.cut_at is not None:
        at = times.time_text(seen.cut_at)
        return f"its history is cut off at {at}: what was before is not known (a shallow clone)"
    if seen.history == "flat":
        return "its history is a flat list of commits, merged side branches among them"
    if seen.history == "polled":
        return "it has no history of its own: what it was between two looks is not known"
    return ""


def _unreadable_run(broken: Sequence[dict[str, Any]]) -> str:
    """Which versions cannot be read for one reason, and what was found in the last of them."""
    first, last = broken[0], broken[-1]
    which = last["commit"][:8]
    if len(broken) > 1:
        in_a_row = last["version"] - first["version"] == len(broken) - 1
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
    from history.records.store_records import history_known

    attempts = store.attempts(name)
    last = attempts[-1] if attempts else {}
    # An attempt that found another at work, or was stopped, says nothing of the board.
    ended = [one for one in attempts if one.get("outcome") in ("ok", "failed")]
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
        "error": ended[-1].get("error") if ended else None,
        "stale": stale_after is not None and not _is_fresh(success, stale_after),
        "reconstruction": "",
        **history_known(None),
    }
    try:
        board = store.board(name)
        source = store.source_folder(board)
        status |= {
            "title": board.title,
            "source": redact(board.source.repo),
            "reconstruction": board.reconstruction,
            "bytes": status["bytes"] + _bytes(source),
            **history_known(store.seen(board)),
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


def _is_fresh(success: datetime | None, stale_after: timedelta) -> bool:
    """Whether a last success is recent; one in the future tells of a wrong clock and of no more."""
    return success is not None and -_CLOCKS <= datetime.now(UTC) - success <= stale_after


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
    return None if text is None else to_the_second(text)


def _bytes(folder: Path) -> int:
    """Size of all files below a folder, in which a crawl may be at work."""
    size = 0
    for place, _, files in os.walk(folder):
        for file in files:
            with suppress(OSError):  # gone meanwhile
                size += Path(place, file).lstat().st_size
    return size


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
