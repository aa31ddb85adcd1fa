"""Which results stand in the YAML of a model's repository?

In: the front matter of a card (`model-index`), or a file of `.eval_results/`. Out: Found. Start
at model_index() and eval_results(). The reader keeps every number as it was written, makes
nothing of tags, and refuses what asks for too much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from history import readers
from history.claims.cards.card import CardFile, Found, Result
from history.claims.cards.words import LETTERS, plain, printed
from history.readers.tree import TreeDocument

MOST = 5_000  # results of one file that are looked at
NO_NUMBER = "the value is no plain number"
NO_DATASET = "no dataset is named"


def model_index(card: CardFile) -> Found:
    """The results of a card's front matter.

    >>> card = b"---\\nmodel-index:\\n- results:\\n  - dataset: {name: Ponds}\\n"
    >>> card += b"    metrics: [{type: acc, value: 0.810}]\\n---\\n# Fern\\n"
    >>> [(one.dataset, one.metric, one.value) for one in model_index(CardFile(card, "")).results]
    [('Ponds', 'acc', '0.810')]
    """
    front = front_matter(card.data)
    if front is None:
        return Found()
    where = "front matter of README.md"
    try:
        content = _content(front)
    except readers.Unreadable as error:
        return Found(left_out=(f"{where}: {plain(error.found)}",))
    listed = content.get("model-index") if isinstance(content, Mapping) else None
    if listed is None:
        return Found()
    if not isinstance(listed, list):
        return Found(left_out=(f"{where}: `model-index` is no list",))
    return _counted(f"{where}, model-index", _of_index(listed, card.address))


def eval_results(path: str, file: CardFile) -> Found:
    """The results of one file of `.eval_results/`.

    >>> data = b"- dataset: {id: lab/ponds, task_id: default}\\n  value: 20.90\\n"
    >>> eval_results("x.yaml", CardFile(data, "")).results[0].value
    '20.90'
    """
    where = plain(path)
    try:
        content = _content(file.data)
    except readers.Unreadable as error:
        return Found(left_out=(f"{where}: {plain(error.found)}",))
    if not isinstance(content, list):
        return Found(left_out=(f"{where}: it is no list of results",))
    return _counted(where, _of_entries(content, file.address))


def front_matter(data: bytes) -> bytes | None:
    """The YAML between the first two lines of dashes; None if the card does not begin with any.

    >>> front_matter(b"---\\na: 1\\n---\\n# Fern"), front_matter(b"# Fern")
    (b'a: 1\\n', None)
    """
    lines = data.removeprefix(b"\xef\xbb\xbf").splitlines(keepends=True)
    if not lines or lines[0].rstrip() != b"---":
        return None
    for number, line in enumerate(lines[1:], 1):
        if line.rstrip() in (b"---", b"..."):
            return b"".join(lines[1:number])
    return None


def _content(data: bytes) -> Any:
    document = readers.parse("yaml", data)
    assert isinstance(document, TreeDocument)
    return document.value


def _of_index(listed: list[Any], address: str) -> Iterator[Result | str]:
    for model in listed:
        for one in _list(_get(model, "results")):
            dataset, task = _get(one, "dataset"), _get(one, "task")
            names = tuple(filter(None, (plain(_get(dataset, key)) for key in ("name", "type"))))
            more = [plain(_get(dataset, key)) for key in ("config", "split")]
            for metric in _list(_get(one, "metrics")):
                said = plain(_get(metric, "name")) or plain(_get(metric, "type"))
                said = said or plain(_get(task, "name")) or plain(_get(task, "type"))
                yield _result(names, said, _get(metric, "value"), more, address)


def _of_entries(entries: list[Any], address: str) -> Iterator[Result | str]:
    for one in entries:
        dataset = _get(one, "dataset")
        name, task = plain(_get(dataset, "id")), plain(_get(dataset, "task_id"))
        task = "" if task == "default" else task
        names = (name, name.rpartition("/")[2]) if name else ()
        # A board may well be called like the task of a benchmark that has several.
        boards = (f"{name} {task}", task) if name and task else ()
        more = [task, plain(_get(one, "notes"))]
        yield _result((*names[:1], *boards, *names), "", _get(one, "value"), more, address)


def _result(
    names: tuple[str, ...], metric: str, value: Any, more: list[str], address: str
) -> Result | str:
    """A result, or why it is none."""
    if not names:
        return NO_DATASET
    text = printed(value)
    if text is None:
        return NO_NUMBER
    return Result(names[0], names, metric, text, tuple(filter(None, more)), address)


def _counted(where: str, found: Iterator[Result | str]) -> Found:
    """Results, and in a line for each reason how many were none."""
    results: list[Result] = []
    reasons: Counter[str] = Counter()
    for seen, one in enumerate(found):
        if seen >= MOST:
            reasons[f"only the first {MOST:,} are looked at"] += 1
            break
        if isinstance(one, str):
            reasons[one] += 1
        else:
            results.append(one)
    said = (f"{where}: {why}" + (f" ({n} times)" if n > 1 else "") for why, n in reasons.items())
    return Found(tuple(results), left_out=tuple(line[: 3 * LETTERS] for line in said))


def _get(value: Any, key: str) -> Any:
    return value.get(key) if isinstance(value, Mapping) else None


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
