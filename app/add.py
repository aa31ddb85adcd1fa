"""How does a source become a board?

Looks at what an address holds, proposes a definition with its evidence, asks where the file does not
tell, writes it on a yes and crawls. Start at run().
"""

from __future__ import annotations

import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from app import jobs, report
from app.faults import DONE, Failure, UsageProblem
from app.output import clean, complain, json_text, people_text, progress, table, write
from crawler.board import FILE_NAME, BoardError, is_board_name, load_board
from history import meaning, readers, readings, records
from history.pipeline import open_board
from history.propose import preview
from history.propose.candidates import Proposal, Readable, propose
from history.propose.roles import Given, Question, Unclear
from history.propose.writing import definition

if TYPE_CHECKING:
    from app.jobs import File, Look, Place
    from crawler.store import Store

READY_MADE = Path(__file__).parent.parent / "crawler" / "boards"
TOP = 10  # rows shown
_PAST = 8  # older versions looked at
_MOST = 40  # files that are read
_LARGEST = 8 * 1024 * 1024


@dataclass(frozen=True)
class Wish:
    """What the user said.

    Attributes:
        source: an address, or a ready-made board.
        name, path, rows, entry, score, direction: as the options say; empty where not given.
        yes: write without asking.
    """

    source: str
    name: str = ""
    path: str = ""
    rows: str = ""
    entry: str = ""
    score: str = ""
    direction: str = ""
    yes: bool = False


@dataclass(frozen=True)
class _Draft:
    """A definition that is not written yet.

    Attributes:
        name: of the board.
        text: of board.toml.
        evidence: rows for people: key, value, why.
        standings: the first rows that follow: rank, entry, score as printed.
    """

    name: str
    text: str
    evidence: Sequence[tuple[str, str, str]]
    standings: Sequence[tuple[str, str, str]]


def run(store: Store, wish: Wish, form: str | None) -> int:
    """Propose, ask, write, crawl, show.

    Raises:
        UsageProblem: something has to be said that nobody was there to ask. Failure: the source
            holds no board, or could not be crawled.
    """
    draft = _ready_made(store, wish) or _drafted(store, wish)
    if not wish.yes:
        _refuse_silence(draft)
    if form is None:
        write(people_text(_shown(draft, preview=not wish.yes)))
    if not wish.yes and not click.confirm(
        "Write this definition and crawl?", default=True, err=True
    ):
        complain("Nothing was written.")
        return DONE
    file = store.board_file(draft.name)
    file.parent.mkdir(parents=True, exist_ok=True)
    store.replace(file, partial(_write, draft.text))
    for outcome in jobs.crawl(store, [draft.name], progress):
        if outcome.status != "ok":
            raise Failure(f"{draft.name}: written to {file}, but not crawled: {outcome.error}")
    history = open_board(store, draft.name)
    document = records.standings(history, history.standings("latest"), TOP)
    if form == "json":
        added = {"board": draft.name, "definition": str(file), "standings": document}
        guesses = [{"key": key, "value": value, "why": why} for key, value, why in draft.evidence]
        write(json_text(added | {"guesses": guesses}))
        return DONE
    write(people_text(["", *report.standings(document, []).people(), "", *_next(store, history)]))
    return DONE


def _write(text: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8")


def _next(store: Store, history: Any) -> Iterator[str]:
    kept = "" if str(store.root) == "snapshots" else f" --store {store.root}"
    readings = history.readings
    broken = int((readings["reading"] == "unreadable").sum())
    if broken:
        last = readings[readings["reading"] == "unreadable"].iloc[-1]
        fix = " [[since]] can say what differed then." if last["reason"] == "no_table" else ""
        yield (
            f"{broken} of {len(readings)} versions cannot be read, the newest of them "
            f"{last['commit'][:8]}: {last['found']}.{fix}"
        )
    yield f"Next: ranktrail{kept} reigns {history.name}"


def _shown(draft: _Draft, preview: bool) -> Iterator[Any]:
    """The proposal for people."""
    yield f"{draft.name}:"
    yield table(["key", "taken for", "because"], draft.evidence)
    if preview and draft.standings:
        yield "The standings that follow:"
        yield table(["rank", "entry", "score"], draft.standings, right=["rank", "score"])


def _refuse_silence(draft: _Draft) -> None:
    """Object to a terminal at which nobody can say yes."""
    if not sys.stdin.isatty():
        said = "; ".join(f"{key} = {value}" for key, value, _ in draft.evidence)
        raise UsageProblem(f"{draft.name}: give --yes to write this definition: {clean(said)}.")


def _ready_made(store: Store, wish: Wish) -> _Draft | None:
    """A definition that ships with the project, if the source is its name."""
    file = READY_MADE / f"{wish.source}.toml"
    if not is_board_name(wish.source) or not file.is_file():
        return None
    board = load_board(file)
    text = file.read_text(encoding="utf-8")
    name = wish.name or board.name
    if name != board.name:
        text = re.sub(r"^name = .*$", f'name = "{name}"', text, count=1, flags=re.MULTILINE)
    _free(store, name)
    said = [("source.repo", board.source.repo, "a ready-made definition")]
    return _Draft(name, text, said, ())


def _drafted(store: Store, wish: Wish) -> _Draft:
    """A definition made of what the source holds."""
    try:
        place, seen = jobs.look(store, wish.source, progress)
    except BoardError as error:
        known = ", ".join(sorted(path.stem for path in READY_MADE.glob("*.toml")))
        raise UsageProblem(f"{error} Ready-made boards: {known}.") from None
    given = Given(wish.entry, wish.score, wish.direction)
    path = wish.path or place.path
    files = _files(seen, path)
    while True:
        try:
            proposal = propose(_readable(seen, files, path), wish.rows, given)
            break
        except readers.Unreadable as error:
            raise UsageProblem(f"{path or wish.source}: {error}.") from None
        except Unclear as unclear:
            option, answer = unclear.question.option, _asked(wish.source, unclear.question)
            path = answer if option == "--path" else path
            said = option.removeprefix("--")
            given = replace(given, **{said: answer}) if option != "--path" else given
    return _draft(store, wish, place, seen, proposal)


def _files(seen: Look, path: str) -> list[File]:
    """The files that could hold a board."""
    if path:
        found = [file for file in seen.files if file.path == path]
        if not found:
            listed = ", ".join(file.path for file in seen.files[:8])
            raise UsageProblem(f"--path {path!r}: not in the newest commit. It holds {listed}.")
        return found
    known = [
        file for file in seen.files if readers.format_of(file.path) and 0 < file.size <= _LARGEST
    ]
    return sorted(known, key=lambda file: -len(file.blobs))[:_MOST]


def _readable(seen: Look, files: Sequence[File], path: str) -> list[Readable]:
    """The files, parsed; what cannot be read is left out unless it is the one that was named.

    Raises:
        Unreadable: that one cannot be read.
    """
    found = []
    for file in files:
        if path and file.path != path:
            continue
        try:
            format_ = readers.format_of(file.path)
            if format_ is None:
                found_ = f"the name {file.path!r} does not tell the format"
                raise readers.Unreadable("no_table", found_)
            document = readers.parse(format_, next(seen.read(file.blobs[:1])))
        except readers.Unreadable:
            if path:
                raise
            continue
        changes = (len(file.blobs), file.changed_at, file.moved_from)
        found.append(Readable(file.path, format_, document, *changes))
    return found


def _asked(source: str, question: Question) -> str:
    """The answer of somebody at a terminal.

    Raises:
        UsageProblem: nobody is there; it says which option answers.
    """
    options = "; ".join(f"{answer!r} ({why})" for answer, why in question.choices)
    if not question.choices or not sys.stdin.isatty():
        listed = f": {options}" if options else ""
        raise UsageProblem(f"{source}: {question.text}. Give {question.option}{listed}.")
    complain(f"{source}: {question.text}")
    for number, (answer, why) in enumerate(question.choices, 1):
        complain(f"  {number}  {answer}  ({why})")
    numbers = click.IntRange(1, len(question.choices))
    return question.choices[click.prompt("Number", type=numbers, err=True) - 1][0]


def _draft(store: Store, wish: Wish, place: Place, seen: Look, proposal: Proposal) -> _Draft:
    name = wish.name or _name(place, seen, proposal)
    _free(store, name)
    source = {"kind": place.kind, "repo": place.repo, "branch": place.branch}
    if place.kind == "hub":
        source["repo_type"] = place.repo_type
    text = definition(name, source, proposal)
    understood = _meaning(name, text)
    file = next(file for file in seen.files if file.path == proposal.path)
    data = next(seen.read(file.blobs[:1]))
    reading = readings.read_table(understood, proposal.path, data)
    if reading.reading in ("unreadable", "empty"):
        raise Failure(f"{name}: {proposal.path}: {reading.found}. Give --rows, --entry or --score.")
    evidence = [(guess.key, _value(guess.value), guess.why) for guess in proposal.guesses]
    step = max(len(file.blobs) // _PAST, 1)
    older = seen.read(file.blobs[step::step][:_PAST])
    fares = preview.past(understood, proposal.path, reading, older)
    evidence.append(("history", f"{len(file.blobs)} contents of the file", fares))
    return _Draft(name, text, evidence, preview.top_rows(understood, reading, TOP))


def _name(place: Place, seen: Look, proposal: Proposal) -> str:
    """A name for the board: the repository's, and the file's where it holds several."""
    stem = Path(proposal.path).name.partition(".")[0]
    several = sum(readers.format_of(file.path) is not None for file in seen.files) > 1
    words = f"{place.name}-{stem}" if several else place.name
    return re.sub(r"[^a-z0-9.]+", "-", words.casefold()).strip("-.")[:80] or "board"


def _free(store: Store, name: str) -> None:
    if not is_board_name(name):
        fix = "Use letters, digits, '.', '_' and '-'"
        raise UsageProblem(f"--name {name!r}: no name of a board. {fix}.")
    if store.board_file(name).exists():
        raise UsageProblem(f"{name}: already tracked in {store.root}. Give another --name.")


def _meaning(name: str, text: str) -> meaning.Meaning:
    """The definition, checked as it would be when it stands in the store."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name, FILE_NAME)
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        return meaning.read_meaning(load_board(file))


def _value(value: object) -> str:
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
