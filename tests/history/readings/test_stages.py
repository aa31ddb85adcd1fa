from __future__ import annotations

import json
import pickle
from pathlib import Path

import pandas as pd
import pytest

from crawler.board import BoardError
from crawler.crawl import crawl
from crawler.store import Store
from crawler.work import Work
from history import readers, scores
from history.claims.rank_rows import RankRows
from history.meaning import read_meaning
from history.pipeline import open_board
from history.readers import File
from history.readings.stages import Course, Stages
from tests.crawler.tracked import add_many
from tests.history.definitions import TABLE, meaning_of

WITH_ROWS = TABLE.replace("score =", "rows = '$.m'\nscore =")
DAY = "2026-03-{:02}T12:00:00Z"
DEFINITION = """
[table]
entry = { join = ["model", "size"], with = "-" }
score = "accuracy"
direction = "higher"

[splits]
half = "0.5*base"

[table.parts]
base = { column = "base", direction = "higher" }

[[since]]
date = 2026-03-02                 # errors are counted
table.score = "errors"
table.direction = "lower"

[[since]]
date = 2026-03-03                 # JSON, keyed by name
table.entry = "@key"
table.score = "/plus/plants"
table.direction = "higher"
table.parts.base = "/base/plants"
table.parts.trees = "/plus/trees"
splits.half = "0.5*base + 0.5*trees"
splits.trees = "trees"

[[since]]
when = "$.edition == '0.4'"       # the nesting is turned over
table.rows = "$.models"
table.score = "/plants/plus"
table.parts.base = "/plants/base"
table.parts.trees = false
splits.half = false
splits.trees = false
ties.rule = "anchored"
ties.band = 0.9
edition.label = "$.edition"
"""


def nested(**plants) -> str:
    """JSON of the third stage: plus, base, trees of each model."""
    return json.dumps(
        {
            name: {"plus": {"plants": plus, "trees": trees}, "base": {"plants": base}}
            for name, (plus, base, trees) in plants.items()
        }
    )


def turned(edition: str, **plants) -> str:
    """JSON of the fourth stage: plus and base of each model."""
    models = {n: {"plants": {"plus": plus, "base": base}} for n, (plus, base) in plants.items()}
    return json.dumps({"edition": edition, "models": models})


CSV, JSON = "plants.csv", "plants.json"
HISTORY = [
    {CSV: "model,size,accuracy,base\nfern,7B,81.5,70\nmoss,1B,80.0,71\n"},
    {CSV: "model,size,accuracy,errors,base\nfern,7B,0,18.5,70\nmoss,1B,99,20.0,71\n"},
    {CSV: None, JSON: nested(**{"fern-7B": (82, 70, 5), "moss-1B": (81.5, 71, 9)})},
    {JSON: turned("0.3", **{"fern-7B": (1, 2)})},
    {JSON: turned("0.4", **{"fern-7B": (82.0, 70), "moss-1B": (81.5, 71)})},
    {JSON: "{"},
    {JSON: turned("0.5", **{"fern-7B": (82.0, 70), "moss-1B": (82.9, 71)})},
    {JSON: None},
    {JSON: turned("0.5", **{"fern-7B": (82.0, 70), "moss-1B": (81.5, 71)})},
]


class Garden:
    """A board in a store, and the repository that it is crawled from."""

    def __init__(self, repo, folder: Path, text: str = DEFINITION, paths=(JSON, CSV)):
        self.repo, self.folder, self.text, self.paths = repo, folder, text, paths
        self.store = self.new_store("store")

    def new_store(self, name: str) -> Store:
        store = Store(self.folder / name)
        file = store.board_file("garden")
        file.parent.mkdir(parents=True, exist_ok=True)
        source = f'[source]\nkind = "git"\nrepo = "{self.repo.folder}"\n'
        source += f"paths = {json.dumps(self.paths)}\n"
        file.write_text(source + self.text, encoding="utf-8")
        return store

    def publish(self, day: int, files: dict, **options) -> str:
        return self.repo.commit(files, DAY.format(day), **options)

    def crawl(self, store: Store | None = None) -> None:
        store = store or self.store
        board = store.board("garden")
        meaning = read_meaning(board)
        outcomes = crawl(
            store, [board], work=Work(), derive=lambda one: scores.derive(store, one, meaning)
        )
        assert [outcome.status for outcome in outcomes] == ["ok"]

    @property
    def history(self):
        return open_board(self.store, "garden")

    def tables(self, store: Store | None = None) -> tuple[pd.DataFrame, pd.DataFrame]:
        """READINGS and RANKS with all fields, as plain values."""
        board = open_board(store or self.store, "garden")
        ranks = board.rank_history()
        every = scores.load_scores(board.store, board.board, board.meaning, board.fields)
        beside = every.drop(columns=[c for c in every if c in ranks and c not in KEY])
        readings = board.readings.drop(columns=["observed_at"])
        return readings, ranks.astype(object).merge(beside.astype(object), on=KEY)


KEY = ["version", "entry", "row"]


@pytest.fixture
def garden(git_repo, tmp_path):
    made = Garden(git_repo(), tmp_path)
    for day, files in enumerate(HISTORY, 1):
        made.publish(day, files)
    made.crawl()
    return made


def test_each_version_is_read_by_what_holds_there(garden):
    readings = garden.history.readings
    edition = readings["edition"].fillna("")
    assert list(zip(readings["stage"], readings["reading"], edition, strict=True)) == [
        ("", "read", ""),
        ("1", "read", ""),
        ("1 2", "read", ""),
        ("1 2", "unreadable", ""),
        ("1 2 3", "read", "0.4"),
        ("1 2 3", "unreadable", ""),
        ("1 2 3", "read", "0.5"),
        ("1 2 3", "absent", ""),
        ("1 2 3", "read", "0.5"),
    ]
    ranks = garden.history.rank_history()
    columns = ["version", "entry", "score.text", "rank", "tie_rank", "tied"]
    assert [tuple(row) for row in ranks[columns].itertuples(index=False)] == [
        (0, "fern-7B", "81.5", 1, 1, False),
        (0, "moss-1B", "80.0", 2, 2, False),
        (1, "fern-7B", "18.5", 1, 1, False),
        (1, "moss-1B", "20.0", 2, 2, False),
        (2, "fern-7B", "82", 1, 1, False),
        (2, "moss-1B", "81.5", 2, 2, False),
        (4, "fern-7B", "82.0", 1, 1, True),
        (4, "moss-1B", "81.5", 2, 1, True),
        (6, "moss-1B", "82.9", 1, 1, True),
        (6, "fern-7B", "82.0", 2, 1, True),
        (8, "fern-7B", "82.0", 1, 1, True),
        (8, "moss-1B", "81.5", 2, 1, True),
    ]


def test_a_reign_goes_on_over_a_stage(garden):
    found = [(reign.entries, reign.start.day) for reign in garden.history.reigns()]
    assert found == [(("fern-7B",), 1), (("moss-1B",), 7), ((), 8), (("fern-7B",), 9)]


def test_a_column_that_a_stage_does_not_name_is_a_gap(garden):
    _, ranks = garden.tables()
    fern = ranks[ranks["entry"] == "fern-7B"]
    texts = fern[["base.text", "trees.text"]].astype(object)
    assert texts.where(texts.notna(), None).to_numpy().tolist() == [
        ["70", None],
        ["70", None],
        ["70", "5"],
        ["70", None],
        ["70", None],
        ["70", None],
    ]


@pytest.mark.parametrize(
    ("split", "expected"),
    [
        pytest.param("half", {0: "moss-1B", 1: "fern-7B", 2: "moss-1B"}, id="two formulas, then none"),
        pytest.param("trees", {2: "moss-1B"}, id="a part for a while"),
        pytest.param("base", dict.fromkeys([0, 1, 2, 4, 6, 8], "moss-1B"), id="a part throughout"),
    ],
)  # fmt: skip
def test_a_split_has_ranks_where_there_is_one(garden, split, expected):
    board = garden.history
    ranks = board.rank_history(split)
    first = ranks[ranks["rank"] == 1]
    assert dict(zip(first["version"], first["entry"], strict=True)) == expected
    assert len(ranks) == 12
    others = ranks[~ranks["version"].isin(list(expected))]
    assert set(others["unranked"]) <= {"incomplete"}
    assert board.split_names == ["half", "base", "trees"]
    assert [reign.entries for reign in board.reigns(split)][0] == (("moss-1B",) if 0 in expected else ())  # fmt: skip


def test_what_one_moment_shows_is_that_of_its_stage(garden):
    board = garden.history
    for day, ties, band, parts in [
        ("2026-03-02", "none", None, ["base"]),
        ("2026-03-03", "none", None, ["base", "trees"]),
        ("2026-03-05", "anchored", "0.9", ["base"]),
    ]:
        stood = board.standings(day)
        assert (stood.ties.rule, stood.band, list(stood.parts)) == (ties, band, parts)
        assert pickle.loads(pickle.dumps(stood)).parts == stood.parts  # the dashboard keeps it so
    assert board.splits("2026-03-03").names == ("half", "trees", "base")
    assert board.splits("2026-03-05").names == ("base",)
    rows = RankRows(board, None)
    found = [rows.tied(v, rows.row(v, "fern-7B"), rows.row(v, "moss-1B")) for v in (2, 4)]
    assert [(one.yes, one.rule, one.band) for one in found] == [
        (None, "none", None),
        (True, "anchored", "0.9"),
    ]
    better = rows.view(1).direction, rows.view(2).direction
    assert better == ("lower", "higher")
    assert [rows.reach.of(v, rows.row(v, "moss-1B")) for v in (0, 1)] == [(2, 2), (2, 2)]


def test_reading_what_is_new_gives_what_reading_all_gives(git_repo, tmp_path):
    garden = Garden(git_repo(), tmp_path)
    for day, files in enumerate(HISTORY, 1):
        garden.publish(day, files)
        garden.crawl()
        fresh = garden.new_store(f"fresh-{day}")
        garden.crawl(fresh)
        for ours, theirs in zip(garden.tables(), garden.tables(fresh), strict=True):
            pd.testing.assert_frame_equal(ours, theirs)


def test_what_is_not_derived_yet_goes_on_from_what_is(garden):
    garden.publish(10, {JSON: turned("0.1", **{"fern-7B": (82.0, 70)})})
    board = garden.store.board("garden")
    list(crawl(garden.store, [board], work=Work(), derive=lambda _: 0))
    assert garden.history.readings["stage"].tolist()[-2:] == ["1 2 3", "1 2 3"]
    assert garden.history.standings().edition == "0.1"


def test_a_rewritten_branch_keeps_what_has_begun(garden):
    base = garden.repo.git("rev-parse", "main~8")
    again = {CSV: None, JSON: nested(**{"fern-7B": (80, 70, 5)})}
    garden.publish(10, again, parents=[base])
    garden.crawl()
    readings = garden.history.readings
    assert readings["stage"].tolist()[-2:] == ["1 2 3", "1 2 3"]
    assert readings["reading"].tolist()[-1] == "unreadable"
    ours = garden.tables()
    scores.derive(garden.store, garden.history.board, garden.history.meaning, everything=True)
    for kept, fresh in zip(ours, garden.tables(), strict=True):
        pd.testing.assert_frame_equal(kept, fresh)


@pytest.mark.parametrize("since", ["when = \"$.edition == '2'\"", "date = 2026-09-21T14:21:40Z"])
def test_a_long_history(git_repo, tmp_path, since):
    repo = git_repo()
    text = f"{WITH_ROWS}[[since]]\n{since}\ntable.direction = 'lower'\n"
    garden = Garden(repo, tmp_path, text, ["board.json"])
    file = '{{"edition": "{}", "m": [{{"model": "fern", "score": {}}}]}}'
    add_many(repo, [file.format(1 + (n == 500), n) for n in range(1700)])
    garden.crawl()
    stages = garden.history.readings["stage"].tolist()
    assert stages == [""] * 500 + ["1"] * 1200


@pytest.mark.parametrize(
    ("when", "files", "expected"),
    [
        pytest.param("$.v == 2", ['{"v": 1}', '{"v": 2}', '{"v": 3}'], ["", "1", "1"], id="for good"),
        pytest.param("$.v == 2", ['{"v": 2', '{"v": 1}', None, '{"v": 2}'], ["", "", "", "1"], id="never by a file that cannot be read"),
        pytest.param("$.v exists", ['{"v": null}', '{"v": 0}'], ["", "1"], id="a path that leads somewhere"),
        pytest.param("$['a b'][0] ~ '^x'", ['{"a b": []}', '{"a b": ["xy"]}'], ["", "1"], id="any path"),
        pytest.param('"/n/acc" exists', ['[{"acc": 1}]', '[{"n": {"acc": 1}}]'], ["", "1"], id="a column inside the rows"),
        pytest.param("acc exists", ["[]", '[{"acc": null}]'], ["", "1"], id="a column, whatever is in it"),
        pytest.param("not acc exists", ["[]", "7", '[{"x": 1}]'], ["", "", "1"], id="no rows say nothing of columns"),
        pytest.param("not $.v == 2", ["{}", '{"v": 1}'], ["", "1"], id="unknown is not false"),
    ],
)  # fmt: skip
def test_when_a_condition_on_the_file_holds(tmp_path, when, files, expected):
    text = f"{TABLE}[[since]]\nwhen = {json.dumps(when)}\ntable.direction = 'lower'\n"
    meaning = meaning_of(tmp_path, text)
    course = Course(Stages(meaning), meaning, [])
    found = []
    for position, file in enumerate(files):
        version = {"position": position, "committed_at": None}
        found.append(course.next(version, file and File("board.json", file.encode())))
    assert found == expected


def test_columns_of_a_table(tmp_path):
    text = f"{TABLE}[[since]]\nwhen = '\"Overall Acc\" exists'\ntable.score = 'Overall Acc'\n"
    meaning = meaning_of(tmp_path, text, "board.csv")
    course = Course(Stages(meaning), meaning, [])
    version = {"position": 0, "committed_at": None}
    files = [File("board.csv", data) for data in (b"model,score\n", b"model,Overall Acc\n")]
    assert [course.next(version, file) for file in files] == ["", "1"]


def test_tables_are_merged_key_by_key(tmp_path):
    text = """
[table.attributes]
size = "params"
[table.parts]
a = { column = "x", direction = "lower" }
b = "y"
[ties]
rule = "chain"
band = 1
[[since]]
date = 2026-03-01
table.name = ["title", "name"]
table.attributes.open = "licence"
table.parts.c = "z"
[[since]]
date = 2026-03-02
table.name = false
table.parts.a = "x"
table.parts.b = false
ties.band = 2
[[since]]
date = 2026-03-03
ties.rule = "none"
ties.band = false
"""
    stages = Stages(meaning_of(tmp_path, TABLE + text))
    made = {stage: stages.at(stage) for stage in ("", "1", "1 2", "2", "1 2 3")}
    assert {
        stage: (str(one.table.name), sorted(one.table.parts), one.ties.rule, one.ties.band)
        for stage, one in made.items()
    } == {
        "": ("None", ["a", "b"], "chain", "1"),
        "1": ("title or name", ["a", "b", "c"], "chain", "1"),
        "1 2": ("None", ["a", "c"], "chain", "2"),
        "2": ("None", ["a"], "chain", "2"),
        "1 2 3": ("None", ["a", "c"], "none", None),
    }
    assert sorted(made["1"].table.attributes) == ["open", "size"]
    assert (made["1"].direction("a"), made["1 2"].direction("a")) == ("lower", "higher")
    assert stages.fields == ["score", "a", "b", "c"]


def test_from_a_commit_on(git_repo, tmp_path):
    repo = git_repo()
    file = '[{"model": "fern", "score": 2}, {"model": "moss", "score": 1}]'
    commits = [repo.commit({JSON: file + " " * n}, DAY.format(n + 1)) for n in range(3)]
    since = f"[[since]]\ncommit = '{commits[1][:12]}'\ntable.direction = 'lower'\n"
    garden = Garden(repo, tmp_path, TABLE + since, [JSON])
    garden.crawl()
    assert [reign.entries for reign in garden.history.reigns()] == [("fern",), ("moss",)]
    assert garden.history.readings["stage"].tolist() == ["", "1", "1"]


def test_a_commit_that_is_not_on_the_line(git_repo, tmp_path):
    repo = git_repo()
    repo.commit({JSON: "[]"}, DAY.format(1))
    since = "[[since]]\ncommit = '0123abcd'\ntable.direction = 'lower'\n"
    garden = Garden(repo, tmp_path, TABLE + since, [JSON])
    board = garden.store.board("garden")
    list(crawl(garden.store, [board], work=Work(), derive=lambda _: 0))
    with pytest.raises(BoardError, match="commit 0123abcd is not on the board's line"):
        scores.derive(garden.store, board, read_meaning(board))


def test_a_version_that_is_known_to_be_wrong_begins_nothing(git_repo, tmp_path):
    repo = git_repo()
    row = '"m": [{"model": "fern", "score": 2}]'
    wrong = repo.commit({JSON: f'{{"v": 2, {row}}}'}, DAY.format(1))
    repo.commit({JSON: f'{{"v": 1, {row}}}'}, DAY.format(2))
    text = WITH_ROWS + "[[since]]\nwhen = '$.v == 2'\ntable.direction = 'lower'\n"
    garden = Garden(repo, tmp_path, f"{text}[[ignore]]\ncommit = '{wrong}'\nwhy = 'x'\n", [JSON])
    garden.crawl()
    assert garden.history.readings["stage"].tolist() == ["", ""]


def test_a_file_is_fetched_and_parsed_once_for_all_that_ask_of_it(git_repo, tmp_path, monkeypatch):
    fetched, parsed = [], []
    blobs, parse = Store.blobs, readers.parse
    monkeypatch.setattr(Store, "blobs", lambda *a: (fetched.append(b[0]) or b for b in blobs(*a)))
    monkeypatch.setattr(readers, "parse", lambda *a: parsed.append(a[0]) or parse(*a))
    waiting = "".join(
        f"[[since]]\nwhen = '$.v == {n}'\ntable.direction = 'lower'\n" for n in (2, 3, 9)
    )
    garden = Garden(git_repo(), tmp_path, WITH_ROWS + waiting, [JSON])
    for day, v in enumerate([1, 2, 1, 3], 1):
        row = f'"m": [{{"model": "fern", "score": {day // 4}}}]'
        garden.publish(day, {JSON: f'{{"v": {v}, {row}}}'})
    garden.publish(5, {JSON: "{"})
    garden.crawl()
    assert garden.history.readings["stage"].tolist() == ["", "1", "1", "1 2", "1 2"]
    assert len(fetched) == len(garden.history.readings)
    assert parsed == ["json"] * len(fetched)
