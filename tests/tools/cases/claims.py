"""What do the commands say to the cases of the area "claims"?

Each function defines the boards of one case as a user would, asks the commands, and gives what
they say in the shape of the case's expected answer. Where a case says when somebody looked, the
real `crawl` runs with its clock set to that time.
"""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Mapping
from datetime import date, datetime, timedelta
from typing import Any

from tests.histories import History
from tests.hub.server import HubServer
from tests.tools.cases.expectation import Said
from tests.tools.cases.registry import answers
from tests.tools.cases.trial import BoardOf, Trial, Trouble, last_line

MARCH = "2026-03-"
HELD = ("true", "true_then_false", "false_then_true")
HALF_UP: Mapping[str, Any] = {"decimals": 1, "rounding": "half up"}
_IN_DIGITS = {"one day": "1 day"}
# The command itself at the time that stands before its arguments.
_CLOCKED = """
import sys
from datetime import datetime
from app.cli import main
from crawler import crawl, polled
time = datetime.fromisoformat(sys.argv.pop(1))
class Clock(datetime):
    @classmethod
    def now(cls, tz=None):
        return time.astimezone(tz)
crawl.datetime = polled.datetime = Clock
sys.exit(main())
"""


def _crawl_at(trial: Trial, name: str, at: datetime) -> None:
    """Crawl a board as if it were then.

    Raises:
        Trouble: the crawl did not succeed.
    """
    command = [sys.executable, "-c", _CLOCKED, at.isoformat()]
    asked = ["--store", str(trial.store), "crawl", name]
    done = subprocess.run([*command, *asked], capture_output=True, text=True, check=False)
    if done.returncode:
        raise Trouble(f"crawl: exit {done.returncode}: {last_line(done.stderr)}")


def _march(day: str, clock: str) -> datetime:
    return datetime.fromisoformat(f"{MARCH}{int(day):02}T{clock}:00+00:00")


def _told(board: BoardOf, sentence: str) -> Any:
    """The verdict on a sentence; a length in words that is refused is asked for in digits."""
    for words, digits in _IN_DIGITS.items():
        if words in sentence:
            try:
                return board.check(sentence)
            except Trouble as trouble:
                board.trial.notes.append(str(trouble)[:120])
                sentence = sentence.replace(words, digits)
    told = board.check(sentence)
    board.trial.notes.append(told["sentence"])
    return told


def _first_for(board: BoardOf, *lengths: str) -> list[Any]:
    """Verdicts on how long fern was first."""
    return [_told(board, f"fern was first on BOARD for {length}") for length in lengths]


def _span(seconds: int) -> str:
    """Hours and minutes, as a page of reigns has them; less than an hour in minutes only.

    >>> _span(104460), _span(61200), _span(60)
    ('29 h 1 min', '17 h', '1 min')
    """
    hours, minutes = seconds // 3600, seconds % 3600 // 60
    told = [f"{hours} h"] * bool(hours) + [f"{minutes} min"] * bool(minutes or not hours)
    return " ".join(told)


def _times(told: Mapping[str, Any]) -> list[tuple[datetime, datetime | None]]:
    """The stretches of a verdict."""
    ends = [(one["from"], one["until"]) for one in told["intervals"]]
    return [
        (datetime.fromisoformat(start), None if end is None else datetime.fromisoformat(end))
        for start, end in ends
    ]


def _moment(time: datetime) -> str:
    return f"{time.day} {time:%b %H:%M}"


def _shares(told: Mapping[str, Any], board: str) -> str:
    """With whom a verdict says that the place is shared on a board; empty for nobody."""
    said = f"{board}: shares its place with "
    noted = [str(note) for note in told["notes"] if note.startswith(said)]
    return noted[0].removeprefix(said) if noted else ""


@answers("claims-first-for-29-hours")
def _(trial: Trial) -> Any:
    board = trial.board()
    lengths = ("29 hours", "more than 29 hours", "30 hours", "one day", "at least one day")
    told = _first_for(board, *lengths)
    seconds = told[0]["answer"]["seconds"]
    days, rest = divmod(seconds, 86400)
    words = [one["verdict"] for one in told]
    words[3] += f" as an exact figure ({days} day {_span(rest)})"
    expected = "true false false false as an exact figure (1 day 5 h) true"
    return {
        "duration": f"{seconds // 3600} h {seconds % 3600 // 60} min",
        "claims": Said(" ".join(words), (expected,)),
    }


@answers("claims-total-and-consecutive")
def _(trial: Trial) -> Any:
    board = trial.board()
    total, row = _first_for(board, "29 hours", "29 hours in a row")
    reigns = [one for one in board.reigns() if "fern" in one["entries"]]
    span = _span(total["answer"]["seconds"])
    how = "not in one stretch" if total["answer"]["longest"] < total["answer"]["seconds"] else "row"
    words = [f"{total['verdict']} in total ({span}), {how}", row["verdict"]]
    return {
        "total": span,
        "longest": _span(row["answer"]["seconds"]),
        "latest": _span(reigns[-1]["seconds"]),
        "reigns": len(reigns),
        "claims": Said(" ".join(words), ("true in total (29 h 1 min), not in one stretch false",)),
    }


def _polled(trial: Trial) -> BoardOf:
    """A board at an address that was looked at when the case says so."""
    setup = str(trial.case.raw["case"]["setup"])
    first_day, next_day = setup.split("was missed;")
    looks = [("1", *one) for one in re.findall(r"(\d\d:\d\d) (?:leader )?(fern|moss)", first_day)]
    looks += [("2", *one) for one in re.findall(r"(\d\d:\d\d) (fern|moss)", next_day)]
    with HubServer() as hub:
        address = f"{hub.url}/board.csv"
        name = trial.define(source={"kind": "url", "repo": address})
        for day, clock, leader in looks:
            rows = "".join(f"{key},{2 if key == leader else 1}\n" for key in ("fern", "moss"))
            hub.files["/board.csv"] = f"model,score\n{rows}".encode()
            _crawl_at(trial, name, _march(day, clock))
    return BoardOf(trial, name, {})


@answers("claims-polled-board-gives-bounds")
def _(trial: Trial) -> Any:
    board = _polled(trial)
    lengths = ("at least 6 hours", "12 hours", "more than 18 hours", "at least 18 hours")
    *told, whole = _first_for(board, *lengths)
    times = "from 2026-03-01T00:00Z to 2026-03-01T06:00Z"
    told.append(_told(board, f"moss was first on BOARD {times}"))
    low, high = (told[0]["answer"][key] for key in ("seconds_low", "seconds_high"))
    words = {
        "true": "supported",
        "true_then_false": "supported",
        "not_decidable": "possible, not proven",
        "false": "refuted",
    }
    below = "less than" if whole["verdict"] == "false" else "at most"
    above = "more than or equal to" if told[0]["verdict"] == "true" else "more than"
    return {
        "fern": Said(
            f"{above} {_span(low)}, {below} {_span(high)}",
            ("more than or equal to 6 h, less than 18 h",),
        ),
        "claims": [words[one["verdict"]] for one in told],
    }


def _two_boards(trial: Trial) -> BoardOf:
    """The boards X and Y, looked at for the last time when the case says so; X."""
    setup = str(trial.case.raw["case"]["setup"])
    times = [_march(*one) for one in re.findall(r"(\d) Mar (\d\d:\d\d)", setup)]
    start, lost, tied, _, alone, look = times
    history = History(trial.folder / "two.git")
    history.commit({"X.csv": _csv(fern=2, moss=1), "Y.csv": _csv(oak=2, fern=1)}, start)
    history.commit({"Y.csv": _csv(oak=2, fern=2)}, tied)
    history.commit({"X.csv": _csv(fern=2, moss=3)}, lost)
    history.commit({"Y.csv": _csv(oak=2, fern=3)}, alone)
    table: dict[str, Any] = {"entry": "model", "score": "score", "direction": "higher"}
    for name in ("X", "Y"):
        trial.define(f"{name}.csv", called=name, repository=history.folder, **table)
        _crawl_at(trial, name, look)
    return BoardOf(trial, "X", {})


def _csv(**rows: int) -> str:
    return "model,score\n" + "".join(f"{key},{score}\n" for key, score in rows.items())


@answers("claims-number-one-on-both")
def _(trial: Trial) -> Any:
    board = _two_boards(trial)
    members = [{"subject": "fern", "predicate": "first", "board": name} for name in ("X", "Y")]
    ever = [{**one, "when": {"ever": ["", ""]}} for one in members]
    any_time = trial.claim(predicate="all_of", claims=ever)
    ((lead, lost),) = _times(_told(board, "fern was ever first on X"))
    ((joined, _),) = _times(_told(board, "fern was ever first on Y"))
    ((alone, _),) = _times(_told(board, "fern was ever sole first on Y"))
    how = ", tied at first" if joined < alone else ""
    once = _told(board, "fern was ever first on X and Y")
    ((start, end),) = _times(once)
    assert lost is not None and end is not None  # both ended before the last look
    other = _shares(once, "Y")
    only = _told(board, "fern was ever sole first on X and Y")
    now = _told(board, "fern is first on X and Y")
    here = _told(board, "fern is first on X")
    long = _told(board, "fern was first on X and Y for 12 hours")
    shared = f"tied with {other}" if other and only["verdict"] == "false" else "alone"
    return {
        "a": Said(
            f"{any_time['verdict']} (X: {lead.day}-{lost.day} {lost:%b}; "
            f"Y: from {_moment(joined)}{how})",
            ("true (X: 1-3 Mar; Y: from 2 Mar 12:00, tied at first)",),
        ),
        "b": Said(
            f"{once['verdict']}, {_moment(start)} - {_moment(end)}, on Y {shared}",
            ("true, 2 Mar 12:00 - 3 Mar 00:00, on Y tied with oak",),
        ),
        "c": only["verdict"],
        "d": Said(
            f"{now['verdict']}: on X {here['answer']['leader']} is first",
            ("false: on X moss is first",),
        ),
        "e": Said(
            f"{long['verdict']} ({_span(long['answer']['seconds'])}, {shared.split()[0]} on Y)",
            ("true (12 h, tied on Y)",),
        ),
    }


@answers("claims-tied-depends-on-digits")
def _(trial: Trial) -> Any:
    equal = {"ties": {"rule": "anchored", "band": 0}}
    exact, shown = trial.board(tables=equal), trial.board(tables=equal, **HALF_UP)
    pairs = (("fern", "moss"), ("fern", "lichen"), ("lichen", "oak"))

    def tied(board: BoardOf) -> list[Any]:
        told = [_told(board, f"{one} is tied with {other} on BOARD") for one, other in pairs]
        plain = {"true": True, "false": False}
        return [plain.get(one["verdict"], one["verdict"]) for one in told]

    return {"exact": tied(exact), "one_decimal": tied(shown), "ranks": exact.ranks()}


@answers("claims-incomplete-run")
def _(trial: Trial) -> Any:
    board = trial.board(
        eligible="completed == total",
        parts={name: name for name in ("passed", "completed", "total")},
        tables={
            "splits": {
                "of_all": "100*passed/total",
                "missing": "total - completed",
                "at_best": "100*(passed + total - completed)/total",
            }
        },
    )
    fern = board.entries()["fern"]
    least, most, missing = (
        board.entries(split=name)["fern"]["score"] for name in ("of_all", "at_best", "missing")
    )
    parts = {name: part["text"] for name, part in fern["parts"].items()}
    apart = fern["rank"] is None and fern["unranked"] in ("ineligible", "incomplete")
    trial.notes.append(f"`standings`: unranked, {fern['unranked']}")
    first = {"subject": "fern", "predicate": "first", "board": board.name}
    scored = {"subject": "fern", "predicate": "score", "board": board.name, "value": "60.0"}
    claim = trial.claim(predicate="all_of", claims=[first, scored])
    trial.notes.append(claim["sentence"])
    supported = "supported" if claim["verdict"] == "true" else "not supported"
    return {
        "moss": board.places()["moss"],
        "fern": Said(
            f"{'incomplete run' if apart else 'complete run'}: {fern['score_text']} % of "
            f"{parts['completed']}, {least} % of {parts['total']}; "
            f"{'not ranked' if apart else 'ranked'} with complete runs",
            (
                "incomplete run: 60.0 % of 100, 25.0 % of 240",
                "not ranked with complete runs",
            ),
        ),
        "bounds_for_fern": [least, round(most, 2)],
        "claim": Said(
            f"{supported}: {missing:g} of {parts['total']} cases missing",
            ("not supported: 140 of 240 cases missing",),
        ),
    }


@answers("claims-points-and-percent")
def _(trial: Trial) -> Any:
    board = trial.board(
        parts={"passed": "passed", "total": "total"},
        tables={"splits": {"share": "100*passed/total", "failed": "total - passed"}},
    )
    share = board.entries(split="share")["fern"]
    passed, failed = (
        {key: f"{one['score']:g}" for key, one in board.entries(split=split).items()}
        for split in ("passed", "failed")
    )
    score = _told(board, "fern scores 92.0 on BOARD")
    points = _told(board, "fern is +4.0 over moss on BOARD")
    cases = _told(board, "fern is +10 over moss on the passed split of BOARD")

    def ratio(above: str, below: str, value: str) -> Any:
        counts = {"formula": above, "exact": True}, {"value": below, "exact": True}
        told = trial.claim(predicate="ratio", subject=counts[0], other=counts[1], value=value)
        trial.notes.append(f"({above}) / {below} is {value}: {told['sentence']}")
        return told

    more = ratio(f"100*({passed['fern']}-{passed['moss']})", passed["moss"], "4")
    fewer = ratio(f"{failed['moss']}-{failed['fern']}", failed["moss"], "a third")
    parts = "/".join(share["parts"][name]["text"] for name in ("passed", "total"))
    only = "true only as points" if points["verdict"] == "true" else "nor as points"
    third = "one third fewer" if fewer["verdict"] == "true" else "not one third fewer"
    words = [
        f"{score['verdict']} ({parts} = {share['score']})",
        points["verdict"],
        f"{more['verdict']} as relative ({more['answer']['measured']:.3f} %); {only}",
        cases["verdict"],
        f"{fewer['verdict']} ({failed['fern']} against {failed['moss']} failures: {third})",
    ]
    expected = "true (230/250 = 92.0) true false as relative (4.545 %); true only as points true "
    return Said(
        " ".join(words),
        (f"{expected}true (20 against 30 failures: one third fewer)",),
    )


@answers("claims-up-or-down")
def _(trial: Trial) -> Any:
    board = trial.board()
    document = trial.ask("changes", board.name)
    moves = {one["entry"]: one for one in document["moves"]}
    trial.notes.append(" ".join(trial.run("changes", board.name).stdout.split()))
    trial.notes.append("of moves: `changes`; no claim says climbed, or by what")
    fern, other = moves["fern"], moves["b"]
    gone = [one["entry"] for one in other["rivals"] if "left" in one["causes"]]
    same = "score unchanged" if other["same_score"] else "another score"
    own, left = (-int(fern["causes"][cause]) for cause in ("own", "left"))
    climbed = -int(other["causes"]["own"])
    # What `check` can be asked of it: a place before, and one three places better after.
    places = {
        document["from"]["commit"]: fern["rank_before"],
        document["to"]["commit"]: fern["rank_before"] - 3,
    }
    named = {"subject": "fern", "predicate": "rank", "board": board.name}
    both = trial.claim(
        predicate="all_of",
        claims=[{**named, "n": n, "when": {"at": at}} for at, n in places.items()],
    )
    trial.notes.append(both["sentence"])
    return {
        "fern": _moved(fern),
        "split": {"by_own_score": own, "by_entries_leaving": left},
        "b": f"{_moved(other)}, {same}, {' and '.join(gone)} left",
        "claims": [
            both["verdict"],
            "true" if own == 2 else "false",
            "true" if climbed > 0 and other["rank_after"] == 1 else "false",
        ],
    }


def _moved(move: Mapping[str, Any]) -> str:
    before, after = move["rank_before"], move["rank_after"]
    way = "up" if after < before else "down"
    return f"{before} -> {after}: {way} {abs(before - after)}"


@answers("claims-single-snapshot-reign")
def _(trial: Trial) -> Any:
    board = trial.board()
    reigns = [one for one in board.reigns() if one["entries"] == ["moss"]]
    hours = sum(one["seconds"] for one in reigns)
    first, last = (date.fromisoformat(trial.case.commits[n]["at"][:10]) for n in (0, -1))
    days = [first + timedelta(days=n) for n in range((last - first).days + 1)]
    held = [
        day for day in days if _told(board, f"moss was first on BOARD on {day}")["verdict"] in HELD
    ]
    lasted = _told(board, f"moss was first on BOARD for {hours // 3600} hours")
    if lasted["verdict"] != "true":
        raise Trouble(f"`reigns` and `check` differ: {lasted['sentence']}")
    many = f"{len(reigns)} reign{'s' * (len(reigns) != 1)}"
    named = " and ".join(f"{day.day} {day:%B}" for day in held)
    told = f"{len(held)} calendar day{'s' * (len(held) != 1)} ({named})"
    return {"moss": f"{_span(lasted['answer']['seconds'])}, {many}, {told}"}
