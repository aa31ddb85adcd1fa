"""What is told while boards are watched?

Crawls at the times of a schedule, one round after the other, and after each says which boards have
news, where first place changed and which verdicts did. Start at run().
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from app import jobs
from app.asking import nothing_tracked
from app.bars import ended_by_signals, working
from app.faults import DONE, Failure
from app.news import Memory, News
from app.output import clean, complain, write
from app.schedule import Clock, Schedule
from app.wording import duration, short
from crawler.errors import RanktrailError
from history.counts import counted
from history.records import store_records
from history.times import time_text

if TYPE_CHECKING:
    from crawler.store import Store

_CHANGES = 5  # of first place that are told to people; more are counted


@dataclass(frozen=True)
class Plan:
    """What somebody asked for.

    Attributes:
        boards: names, as typed; none: all.
        schedule: when to crawl.
        options: of jobs.crawl.
        wait: do not crawl at the start.
        once: one round, no schedule.
        form: "json", or None for people.
    """

    boards: Sequence[str]
    schedule: Schedule
    options: dict[str, Any] = field(default_factory=dict)
    wait: bool = False
    once: bool = False
    form: str | None = None


def run(store: Store, plan: Plan, clock: Clock | None = None) -> int:
    """Watch until somebody ends it.

    Returns:
        0, after one round that was to be the only one.

    Raises:
        UnknownBoard, BoardError: of a board that was named.
        KeyboardInterrupt: Ctrl-C, or a signal to end.
    """
    clock = clock or Clock()
    with ended_by_signals():
        names = [board.name for board in jobs.boards_of(store, plan.boards)] if plan.boards else []
        if not store.names():
            complain(nothing_tracked(store.root))
        memory = Memory(store, names)
        _complain_anew(memory.troubles, set())
        watched = _Watched(store, names, plan, memory, clock)
        last = None
        if plan.once or not plan.wait:
            watched.round(last)
        while not plan.once:
            due = plan.schedule.following(clock.wall(), last)
            left = max((due - clock.wall()).total_seconds(), 0)
            complain(f"next crawl at {time_text(due)}, in {duration(left)}", "info")
            clock.wait_until(due)
            watched.round(due)
            last = due
        return DONE


class _Watched:
    """The boards, and what was said of them."""

    def __init__(
        self, store: Store, names: Sequence[str], plan: Plan, memory: Memory, clock: Clock
    ):
        self._store, self._names, self._plan = store, names, plan
        self._memory, self._clock = memory, clock
        self._said = set(memory.troubles)

    def round(self, last: datetime | None) -> None:
        """Crawl once, and tell what is new; a failure is told, too, and ends nothing.

        Args:
            last: the time of the schedule that this round is for; None: it is the first.
        """
        started = datetime.now(UTC)
        outcomes: list[jobs.Outcome] = []
        errors: list[str] = []
        try:
            with working() as work:
                for outcome in jobs.crawl(self._store, self._names, work, **self._plan.options):
                    outcomes.append(outcome)
                    if outcome.status != "ok":
                        errors.append(f"{outcome.board}: not crawled: {outcome.error}")
                        complain(errors[-1], "error")
            for note in jobs.unreadable_notes(self._store, outcomes):
                complain(note)
        except (RanktrailError, Failure, OSError) as error:
            errors.append(f"not crawled: {error}")
            complain(errors[-1], "error")
        boards, claims = self._memory.look()
        self._said = _complain_anew(self._memory.troubles, self._said)
        if self._plan.form == "json":
            following = self._plan.schedule.following(self._clock.wall(), last)
            document = {
                "started": time_text(started),
                "finished": time_text(datetime.now(UTC)),
                "next": None if self._plan.once else time_text(following),
                **store_records.crawl(outcomes),
                "news": boards,
                "claims": claims,
                "errors": [*errors, *self._memory.troubles],
            }
            write(json.dumps(document, allow_nan=False) + "\n")
        else:
            write("".join(f"{clean(line)}\n" for line in told(boards, claims)))


def _complain_anew(troubles: Sequence[str], said: set[str]) -> set[str]:
    """Say what was not said at the last look; what is said now."""
    for trouble in troubles:
        if trouble not in said:
            complain(trouble)
    return set(troubles)


def told(boards: Sequence[News], claims: Sequence[News]) -> Iterator[str]:
    """News for people: a line per board, then one per change of first place, and per verdict."""
    for one in boards:
        what = []
        if one["new_versions"]:
            newest = f"the newest {short(one['commit'])} of {one['at']}"
            what.append(f"{counted(one['new_versions'], 'new version')}, {newest}")
        if one["vanished"]:
            what.append(f"{counted(one['vanished'], 'version')} vanished upstream")
        if not what:
            what.append("read anew")
        changes = one["first_place"]
        if not changes and one["first"]:
            what.append(f"first is {_names(one, one['first'])}")
        yield f"{one['board']}: {'; '.join(what)}"
        if len(changes) > _CHANGES:
            yield f"{one['board']}: first place changed {len(changes)} times; the last are"
        for change in changes[-_CHANGES:]:
            who = f"{_names(one, change['from'])} -> {_names(one, change['to'])}"
            yield f"{one['board']}: first place: {who}, {short(change['commit'])} of {change['at']}"
    for one in claims:
        title = f"{one['id']} " if one["id"] else ""
        yield f'claim {title}"{one["text"]}": {one["from"]} -> {one["to"]}: {one["sentence"]}'


def _names(one: News, entries: Sequence[str]) -> str:
    return ", ".join(one["names"].get(entry, entry) for entry in entries) or "nobody"
