"""Which files are one board together."""

from __future__ import annotations

import json

import pytest

from history.propose.facts import facts_of
from history.propose.together import is_per_entry, joined, per_entry
from history.readers import parse

FERN = '{"model": "fern", "score": 81.2, "config": {"n": 3}}'
OTHER = '{"name": "site", "scripts": {"build": "x"}}'
BOARD = json.dumps({f"m{k}": {"score": k} for k in range(9)})
LIST = json.dumps([{"model": f"m{k}", "score": k} for k in range(9)])


def documents(files: dict[str, str]):
    return {path: parse("json", text.encode()) for path, text in files.items()}


def named(pattern: str, text: str, names: str = "abcd") -> dict[str, str]:
    return {pattern.replace("*", name): text for name in names}


@pytest.mark.parametrize(
    ("files", "expected"),
    [
        pytest.param(named("results/*.json", FERN), {"results/*.json": 4}, id="one folder"),
        pytest.param(
            named("results/*/1.json", FERN) | named("results/*/x.json", FERN), {}, id="names repeat"
        ),
        pytest.param(
            {f"results/{n}/{n}{n}.json": FERN for n in "abcd"}, {"results/**/*.json": 4},
            id="folders inside a folder",
        ),
        pytest.param(
            {"package.json": OTHER} | named("data/r/*.json", FERN), {"data/r/*.json": 4},
            id="something else beside the folder",
        ),
        pytest.param(
            {"package.json": OTHER} | named("r/*.json", FERN, "abcdefghij")
            | named("s/*.json", FERN, "klmn"),
            {"**/*.json": 15}, id="one odd file beside two folders",
        ),
        pytest.param(
            {"package.json": OTHER} | named("r/*.json", FERN, "abcdefghij"),
            {"r/*.json": 10}, id="one odd file beside a folder",
        ),
        pytest.param(named("*.json", FERN), {"*.json": 4}, id="at the top"),
        pytest.param(named("r[1]/*.json", FERN), {"r[[]1]/*.json": 4}, id="a folder with brackets"),
        pytest.param(named("r/2026-01-0*.json", FERN, "1234"), {}, id="dates are no entries"),
        pytest.param(named("r/*.json", BOARD), {}, id="boards keyed by entry"),
        pytest.param(named("r/*.json", LIST), {}, id="lists"),
        pytest.param(named("r/*.json", FERN, "ab"), {}, id="two files"),
        pytest.param(
            named("r/*.json", FERN, "ab") | named("r/*.json", OTHER, "cd"), {}, id="two shapes"
        ),
    ],
)  # fmt: skip
def test_folders_with_a_file_per_entry(files, expected):
    found = {pattern: len(paths) for pattern, paths in per_entry(documents(files))}
    assert found == expected


def test_one_odd_file_among_many():
    files = named("r/*.json", FERN, "abcdefghijklm") | {"r/index.json": OTHER}
    assert is_per_entry(documents(files))


def test_files_below_each_other():
    table = joined(documents({"r/b.json": FERN, "r/a.json": FERN})).row()
    assert (table.keys, table.literal("score").texts) == (["a", "b"], ["81.2", "81.2"])


def test_results_are_often_nested():
    text = '{"results": {"arc/c": {"acc": 0.5, "acc_stderr": 0.1}, "x": {"acc": 1}}, "n": {}}'
    facts = facts_of(joined(documents(named("r/*.json", text))).row())
    assert [fact.column for fact in facts] == [
        "/results/arc~1c/acc", "/results/arc~1c/acc_stderr", "/results/x/acc"
    ]  # fmt: skip
    assert [facts[0].last_name, facts[0].count] == ["acc", 4]


def test_a_path_of_a_thousand_folders():
    deep = "x/" * 1500
    assert [p[-6:] for p, _ in per_entry(documents(named(f"{deep}*.json", FERN)))] == ["*.json"]
