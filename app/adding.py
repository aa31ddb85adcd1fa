"""How does a source become a board?

Looks at what an address holds, proposes a definition with its evidence, asks where the file does not
tell; then writes it and crawls. The command and the dashboard both go this way. Start at drafted()
and added().
"""

from __future__ import annotations

import re
import shlex
import tempfile
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from app import jobs
from app.faults import Busy, Failure, UsageProblem
from app.sources import MANUAL, Found, found_in, many_alike
from crawler.board import (
    FILE_NAME,
    Board,
    BoardError,
    is_board_name,
    load_board,
    nearest,
    ready_made,
)
from crawler.paths import folder_of, is_pattern
from crawler.store import Store, StoreError
from crawler.work import Work
from history import meaning, readers, readings
from history.counts import counted
from history.propose import preview
from history.propose.candidates import Proposal, propose
from history.propose.guesses import Given, Guess, Question, Unclear
from history.propose.renames import with_old_names
from history.propose.writing import definition
from history.readers.folder import FolderDocument

if TYPE_CHECKING:
    from app.jobs import Look, Place

TOP = 10  # rows shown
_PAST = 8  # older versions looked at
_TELLING = ("path", "rows", "entry", "score", "direction")  # options that say what to read
_SHOWN = 6
_ENOUGH = 3  # of them; if none of so many can be read, the guess is bad
# Answers a question: option -> what it is given.
Ask = Callable[[Question], Mapping[str, str]]
Working = Callable[[], AbstractContextManager[Work]]


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
class Draft:
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


def drafted(store: Store, wish: Wish, working: Working, ask: Ask) -> Draft:
    """A definition for what the user named; nothing of it is written.

    Args:
        store: where the board would be.
        wish: what the user said.
        working: makes the Work that is told what is being done, for as long as the source is
            looked at: it is closed when somebody is asked.
        ask: answers what the files do not tell, or raises.

    Raises:
        UsageProblem: something that was said does not fit. Failure: the source holds no board.
        CrawlError: it cannot be reached.
    """
    return _ready_made(store, wish) or _proposed(store, wish, working, ask)


def added(store: Store, draft: Draft, work: Work) -> Path:
    """Write a definition and crawl it.

    Returns:
        The file of the definition.

    Raises:
        UsageProblem: the name is taken meanwhile. Failure: it could not be crawled; what that left
            is taken away if it is nothing. Busy: another run is at work on its source.
    """
    _free(store, draft.name)  # another run may have been quicker
    file = store.board_file(draft.name)
    file.parent.mkdir(parents=True, exist_ok=True)
    store.replace(file, partial(_write, draft.text))
    for outcome in jobs.crawl(store, [draft.name], work):
        if outcome.status != "ok":
            raise _not_crawled(store, draft.name, outcome)
    return file


def _not_crawled(store: Store, name: str, outcome: jobs.Outcome) -> Failure:
    """What to do about a first crawl that failed; what it left is taken away if it is nothing."""
    kind = Busy if outcome.locked else Failure
    if _versions(store, name):
        return kind(f"{name}: {outcome.error} Then give `{command(store)} crawl {name}`.")
    for file in (store.board_file(name), store.crawls_file(name)):
        file.unlink(missing_ok=True)
    with suppress(OSError):  # another run may hold its lock there
        store.folder(name).rmdir()
    return kind(f"{name}: {outcome.error} Nothing was written.")


def _versions(store: Store, name: str) -> int:
    """How many versions of a board are kept."""
    try:
        return int(store.versions(name).num_rows)
    except StoreError:
        return 0


def _write(text: str, file: Path) -> None:
    file.write_text(text, encoding="utf-8")


def command(store: Store) -> str:
    """How a command for this store begins."""
    kept = "" if str(store.root) == "snapshots" else f" --store {shlex.quote(str(store.root))}"
    return f"ranktrail{kept}"


def _ready_made(store: Store, wish: Wish) -> Draft | None:
    """A definition that ships with the project, if the source is its name."""
    file = ready_made().get(wish.source)
    if file is None:
        return None
    board = load_board(file)
    text = file.read_text(encoding="utf-8")
    name = wish.name or board.name
    if name != board.name:
        text = re.sub(r"^name = .*$", f'name = "{name}"', text, count=1, flags=re.MULTILINE)
    said = [f"--{key}" for key in _TELLING if getattr(wish, key)]
    if said:
        found = "a ready-made board has its own definition"
        fix = f"Leave out {' and '.join(said)}, or edit {FILE_NAME} afterwards"
        raise UsageProblem(f"{wish.source}: {found}. {fix}.")
    _free(store, name)
    return Draft(name, text, list(_defined(board)), ())


def _defined(board: Board) -> Iterator[tuple[str, str, str]]:
    """What a ready-made definition says, as the evidence of a guessed one."""
    why = "a ready-made definition"
    yield "source.repo", board.source.repo, why
    yield "source.paths", ", ".join(board.source.paths), why
    table = board.rest["table"]
    for key in ("rows", "entry", "name", "score", "direction", "where", "eligible"):
        if key in table:
            yield f"table.{key}", _value(table[key]), why


def _proposed(store: Store, wish: Wish, working: Working, ask: Ask) -> Draft:
    """A definition made of what the source holds."""
    if wish.name:
        _free(store, wish.name)
    try:
        with working() as work:
            place, seen = jobs.look(store, wish.source, work)
    except BoardError as error:
        raise UsageProblem(_no_source(wish.source, error)) from None
    given = Given(wish.entry, wish.score, wish.direction)
    path, rows = wish.path or place.path, wish.rows
    try:
        found, unread = found_in(seen, path, rows, given.entry)
        chosen = found[0].readable.path if path else ""
        while True:
            try:
                proposal = propose([one.readable for one in found], rows, given, chosen)
                break
            except Unclear as unclear:
                question = unclear.question
            if not question.choices and unread:
                rest = len(unread) - 1
                more = f" {counted(rest, 'other file')} cannot be read." if rest else ""
                raise UsageProblem(f"{wish.source}: {unread[0]}.{more}")
            if not question.choices and (is_pattern(path) or many_alike(seen)):
                fix = f"If they are a board together, see {MANUAL}"
                raise UsageProblem(f"{wish.source}: {question.text}. {fix}.")
            answers = dict(ask(question))
            chosen, rows = answers.pop("--path", chosen), answers.pop("--rows", rows)
            given = replace(
                given, **{key.removeprefix("--"): said for key, said in answers.items()}
            )
    except readers.Unreadable as error:
        raise UsageProblem(f"{path or wish.source}: {error}.") from None
    taken = next(one for one in found if one.readable.path == proposal.path)
    draft = _draft(store, wish, place, seen, taken, proposal, given)
    if unread:
        listed = ", ".join(one.file.path for one in unread[:_SHOWN])
        row = ("not read", listed, str(unread[0].why))
        draft = replace(draft, evidence=[*draft.evidence, row])
    return draft


def _no_source(source: str, error: BoardError) -> str:
    """What to do about a text that is no address: it may be a ready-made board's name."""
    known = list(ready_made())
    near = nearest(source, known, 1) if is_board_name(source) else []
    if near:
        return f"{error.where}: {error.found}. Did you mean {near[0]}?"
    return f"{error} Ready-made boards: {', '.join(known)}."


def ways_to_answer(question: Question) -> list[tuple[dict[str, str], str, str]]:
    """The answers to choose from: option -> what it is given, then for people what and why."""
    ways = []
    for answer, why in question.choices:
        for way in ("higher", "lower") if answer in question.both_ways else ("",):
            given = {question.option: answer} | ({"--direction": way} if way else {})
            ways.append((given, f"{answer}, {way} is better" if way else answer, why))
    return ways


def _draft(
    store: Store,
    wish: Wish,
    place: Place,
    seen: Look,
    found: Found,
    proposal: Proposal,
    given: Given,
) -> Draft:
    name = wish.name or _name(place, seen, proposal)
    _free(store, name)
    source = {"kind": place.kind, "repo": place.repo, "branch": place.branch}
    if place.kind == "hub":
        source["repo_type"] = place.repo_type
    older = found.older()
    step = max((len(older) + 1) // _PAST, 1)
    sampled = older[step - 1 :: step][:_PAST]
    document = found.readable.document
    proposal = with_old_names(proposal, document, seen.read(sampled))
    text = definition(name, source, proposal)
    understood = _meaning(name, text)
    path = found.files[0].path
    if isinstance(document, FolderDocument):
        reading = readings.TableReader(understood).read_folder(document)
    else:
        data = next(seen.read(found.files[0].blobs[:1]))
        reading = readings.read_table(understood, path, data)
    if reading.reading in ("unreadable", "empty"):
        said = any(getattr(wish, key) for key in _TELLING)
        text = f"{name}: {path}: {reading.found}. Give --rows, --entry or --score."
        raise UsageProblem(text) if said else Failure(text)
    evidence = [(guess.key, _value(guess.value), _why(guess)) for guess in proposal.guesses]
    past = preview.past(understood, path, reading, seen.read(sampled))
    if past.looked >= _ENOUGH and not past.read and not (given.entry and given.score):
        fix = "Give --entry and --score, and --rows or --path, if it is right"
        raise Failure(f"{name}: {path}: {past.text}: {past.why}. Nothing was written. {fix}.")
    fares = "a version is all of them at one commit" if found.readable.per_entry else past.text
    evidence.append(("history", _changes(found), fares))
    return Draft(name, text, evidence, preview.top_rows(understood, reading, TOP))


def _changes(found: Found) -> str:
    """How much history there is, for people."""
    contents = counted(found.readable.changes, "content")
    files = found.readable.files
    return f"{counted(files, 'file')}, {contents}" if files else f"{contents} of the file"


def _why(guess: Guess) -> str:
    return f"{guess.why}; without them: {guess.hint}" if guess.hint else guess.why


def _name(place: Place, seen: Look, proposal: Proposal) -> str:
    """A name for the board: the repository's, and the file's where it holds several."""
    stem = Path(proposal.path).name.partition(".")[0]
    if is_pattern(proposal.path):
        stem = Path(folder_of(proposal.path)).name or stem
    several = sum(readers.format_of(file.path) is not None for file in seen.files) > 1
    words = f"{place.name}-{stem}" if several else place.name
    return re.sub(r"[^a-z0-9.]+", "-", words.casefold()).strip("-.")[:80] or "board"


def _free(store: Store, name: str) -> None:
    if not is_board_name(name):
        fix = "Use letters, digits, '.', '_' and '-'"
        raise UsageProblem(f"--name {name!r}: no name of a board. {fix}.")
    if store.board_file(name).exists() and not _versions(store, name):
        found = "has a definition and no version"
        fix = f"Give `{command(store)} crawl {name}`, or another --name"
        raise UsageProblem(f"{name}: {found}. {fix}.")
    if store.board_file(name).exists():
        raise UsageProblem(f"{name}: already tracked in {store.root}. Give another --name.")


def _meaning(name: str, text: str) -> meaning.Meaning:
    """The definition, checked as it would be when it stands in the store."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, name, FILE_NAME)
        file.parent.mkdir()
        file.write_text(text, encoding="utf-8")
        try:
            return meaning.read_meaning(load_board(file))
        except BoardError as error:
            fix = error.fix.replace(str(file), FILE_NAME)
            raise BoardError("the proposed definition", error.found, fix) from None


def _value(value: object) -> str:
    if value is None:
        return "nothing yet"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
