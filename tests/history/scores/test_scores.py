from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pyarrow.parquet as pq
import pytest

from crawler.board import BoardError
from crawler.crawl import crawl
from crawler.store import Store, StoreError
from crawler.work import Work
from history import scores
from history.meaning import read_meaning
from history.scores import derived
from tests.history.definitions import TABLE

DAY = "2026-03-{:02}T12:00:00Z"


class Garden:
    """A store with one board, and the repository that it is crawled from."""

    def __init__(self, repo, folder: Path, text: str = TABLE):
        self.repo, self.store = repo, Store(folder / "store")
        self.define(text)

    def define(self, text: str) -> None:
        source = f'[source]\nkind = "git"\nrepo = "{self.repo.folder}"\npaths = ["b.json"]\n'
        self.store.folder("garden").mkdir(parents=True, exist_ok=True)
        self.store.board_file("garden").write_text(source + text, encoding="utf-8")
        self.board = self.store.board("garden")
        self.meaning = read_meaning(self.board)

    def publish(self, day: int, content) -> str:
        data = content if content is None or isinstance(content, str) else as_json(content)
        return self.repo.commit({"b.json": data, "other": str(day)}, DAY.format(day))

    def crawl(self) -> None:
        outcomes = list(crawl(self.store, [self.board], work=Work(), derive=lambda board: 0))
        assert [outcome.status for outcome in outcomes] == ["ok"]

    def derive(self, **options) -> int:
        return scores.derive(self.store, self.board, self.meaning, **options)

    def readings(self) -> pd.DataFrame:
        return scores.load_readings(self.store, self.board, self.meaning)

    def scores(self, *args) -> list[tuple]:
        frame = scores.load_scores(self.store, self.board, self.meaning, *args)
        return list(zip(frame["version"], frame["entry"], frame["score.text"], strict=True))


def as_json(content: dict[str, object]) -> str:
    return json.dumps([{"model": key, "score": value} for key, value in content.items()])


@pytest.fixture
def garden(git_repo, tmp_path):
    made = Garden(git_repo(), tmp_path)
    made.publish(1, {"fern": 81.5, "moss": 80})
    made.publish(2, "[{")
    made.publish(3, None)
    made.publish(4, {"fern": 81.5, "moss": 82})
    made.crawl()
    return made


EXPECTED = [(0, "fern", "81.5"), (0, "moss", "80"), (3, "fern", "81.5"), (3, "moss", "82")]


def test_what_is_derived_is_what_is_loaded(garden):
    assert garden.derive() == 1
    readings = garden.readings()
    assert readings["reading"].tolist() == ["read", "unreadable", "absent", "read"]
    assert readings["reason"].isna().tolist() == [True, False, True, True]
    assert readings.loc[1, "found"].startswith("line 1, column 3")
    assert readings["n_listed"].tolist() == [2, pd.NA, 0, 2]
    assert readings["rows_pointer"].isna().tolist() == [False, True, True, False]
    assert garden.scores() == EXPECTED


def test_columns_have_the_types_that_frames_promise(garden):
    garden.derive()
    frame = scores.load_scores(garden.store, garden.board, garden.meaning)
    assert {name: str(dtype) for name, dtype in frame.dtypes.items()} == {
        "version": "int32",
        "entry": "category",
        "name": "category",
        "row": "int32",
        "unranked": "category",
        "rank_published": "Int64",
        "tie_rank_published": "Int64",
        "score.text": "category",
        "score.value": "float64",
        "score.ticks": "Int64",
        "score.dp": "int8",
        "score.pointer": "category",
    }
    assert frame["score.ticks"].tolist() == [815, 800, 815, 820]
    assert frame["score.pointer"].tolist()[:2] == ["/0/score", "/1/score"]


def test_without_derived_files_the_same_is_read_in_memory(garden):
    assert garden.scores() == EXPECTED
    assert not garden.store.readings_file("garden").exists()
    in_memory = garden.readings()
    garden.derive()
    pd.testing.assert_frame_equal(in_memory, garden.readings())


def test_only_what_is_asked_for_is_loaded(garden):
    garden.derive()
    assert garden.scores(("score",), [3]) == EXPECTED[2:]
    assert garden.scores(("score",), []) == []
    bare = scores.load_scores(garden.store, garden.board, garden.meaning, (), None)
    assert not [name for name in bare.columns if name.startswith("score")]


@pytest.fixture
def small_parts(monkeypatch):
    monkeypatch.setattr(derived, "PART", 2)


def test_a_second_run_reads_only_what_is_new(garden, small_parts, monkeypatch):
    garden.derive()
    before = {file.name: file.read_bytes() for file in garden.store.scores_dir("garden").iterdir()}
    garden.publish(5, {"fern": 83})
    garden.crawl()
    read = []
    blobs = Store.blobs
    monkeypatch.setattr(Store, "blobs", lambda *a: (read.append(b) or b for b in blobs(*a)))
    assert garden.derive() == 1
    assert len(read) == 1
    after = {file.name: file.read_bytes() for file in garden.store.scores_dir("garden").iterdir()}
    assert {name: after[name] for name in before} == before
    assert sorted(after) == ["part-00000.parquet", "part-00001.parquet", "part-00002.parquet"]
    assert garden.scores() == [*EXPECTED, (4, "fern", "83")]


def test_growing_gives_the_same_as_deriving_everything(garden, small_parts):
    steps = [{"fern": 1, "oak": "n/a"}, {"oak": 10**20, "fern": 1}, {"moss": 2.25}, {}]
    for day, content in enumerate(steps, 5):
        garden.publish(day, content)
        garden.crawl()
        garden.derive()
    files = [garden.store.readings_file("garden"), *garden.store.scores_dir("garden").iterdir()]
    grown = [pq.read_table(file, partitioning=None).to_pylist() for file in files]
    garden.derive(everything=True)
    assert [pq.read_table(file, partitioning=None).to_pylist() for file in files] == grown


def test_each_distinct_file_is_read_once(garden, monkeypatch):
    garden.publish(5, {"fern": 81.5, "moss": 80})
    garden.publish(6, {"fern": 81.5, "moss": 82})
    garden.crawl()
    read = []
    blobs = Store.blobs
    monkeypatch.setattr(Store, "blobs", lambda *a: (read.append(b[0]) or b for b in blobs(*a)))
    garden.derive()
    assert len(read) == len(set(read)) == 3
    assert garden.scores()[-2:] == [(5, "fern", "81.5"), (5, "moss", "82")]


def test_another_definition_makes_what_is_derived_stale(garden):
    garden.derive()
    stored = garden.store.readings_file("garden").read_bytes()
    garden.define(TABLE + "where = 'score > 81'")
    assert garden.scores() == [row for row in EXPECTED if row[2] != "80"]
    assert garden.store.readings_file("garden").read_bytes() == stored
    garden.derive()
    assert garden.scores() == [row for row in EXPECTED if row[2] != "80"]


def test_a_run_killed_between_the_files_leaves_the_old_state(garden, monkeypatch):
    garden.derive()
    garden.publish(5, {"oak": 1})
    garden.crawl()
    write = derived.write

    def killed(store, file, table, meaning):
        if file == store.readings_file("garden"):
            raise KeyboardInterrupt
        write(store, file, table, meaning)

    monkeypatch.setattr(derived, "write", killed)
    with pytest.raises(KeyboardInterrupt):
        garden.derive()
    monkeypatch.undo()
    assert garden.scores() == [*EXPECTED, (4, "oak", "1")]
    garden.derive()
    assert garden.scores() == [*EXPECTED, (4, "oak", "1")]


def test_damaged_derived_files(garden):
    garden.derive()
    part = derived.part_file(garden.store, "garden", 0)
    whole = part.read_bytes()
    part.write_bytes(b"PAR1")
    assert garden.scores() == EXPECTED
    part.write_bytes(whole[:100] + b"\0" * 200 + whole[300:])
    with pytest.raises(StoreError, match="ranktrail rebuild garden"):
        garden.scores()
    assert garden.derive(everything=True) == 1
    assert garden.scores() == EXPECTED


def test_numbers_beyond_int64_are_whole(garden):
    garden.publish(5, {"fern": 10**25, "moss": None})
    garden.crawl()
    garden.derive()
    frame = scores.load_scores(garden.store, garden.board, garden.meaning)
    assert frame["score.ticks"].tolist() == [815, 800, 815, 820, 10**25, pd.NA]


def test_an_empty_store_has_no_rows(git_repo, tmp_path):
    empty = Garden(git_repo(), tmp_path)
    assert (len(empty.readings()), empty.scores()) == (0, [])
    assert empty.derive() == 0
    assert (len(empty.readings()), empty.scores()) == (0, [])


def test_rules_that_hold_for_a_time(git_repo, tmp_path):
    garden = Garden(git_repo(), tmp_path)
    commits = [garden.publish(day, {"fern": day, "moss": 80}) for day in (1, 2, 3, 4)]
    garden.crawl()
    garden.define(
        TABLE + f'[aliases]\nmoss = "lichen"\n[[alias]]\nkey = "fern"\nentry = "fern (old)"\n'
        f'until = "{commits[1][:8]}"\n[[alias]]\nkey = "moss"\nentry = "moss"\nfrom = 2026-03-04\n'
        f'[[ignore]]\ncommit = "{commits[2]}"\nentry = "lichen"\nwhy = "a slip"\n'
        f'[[ignore]]\nfrom = 2026-03-02\nuntil = 2026-03-03\nwhy = "a test"\n'
    )
    assert garden.scores() == [
        (0, "fern (old)", "1"),
        (0, "lichen", "80"),
        (2, "fern", "3"),
        (2, "lichen", "80"),
        (3, "fern", "4"),
        (3, "moss", "80"),
    ]
    readings = garden.readings()
    assert readings.loc[1, ["reason", "found"]].tolist() == ["ignored", "a test"]
    assert readings.loc[2, "found"] == "the score of 'lichen' is ignored: a slip"


def test_a_rule_about_a_commit_that_never_was(garden):
    garden.define(TABLE + '[[ignore]]\ncommit = "0123abc"\nwhy = "x"\n')
    with pytest.raises(BoardError, match="0123abc is not on the board's line"):
        garden.derive()


def test_a_board_that_comes_to_name_another_file_of_the_same_commits(git_repo, tmp_path):
    repo = git_repo()
    for day, score in ((1, 81), (2, 82)):
        files = {"b.json": as_json({"fern": score}), "c.json": as_json({"fern": score + 100})}
        repo.commit(files, DAY.format(day))
    garden = Garden(repo, tmp_path)
    garden.crawl()
    garden.derive()
    written = garden.store.board_file("garden").read_text(encoding="utf-8")
    garden.store.board_file("garden").write_text(written.replace("b.json", "c.json"), "utf-8")
    garden.board = garden.store.board("garden")
    garden.meaning = read_meaning(garden.board)
    garden.crawl()
    expected = [(0, "fern", "181"), (1, "fern", "182")]
    assert garden.scores() == expected
    garden.derive()
    assert garden.scores() == expected


def test_parts_that_belong_to_no_version_any_more_are_removed(garden, small_parts):
    garden.derive()
    surplus = derived.part_file(garden.store, "garden", 99)
    surplus.write_bytes(derived.part_file(garden.store, "garden", 0).read_bytes())
    garden.derive(everything=True)
    assert not surplus.exists()


def test_a_commit_that_the_branch_was_set_back_to_can_be_named(git_repo, tmp_path):
    garden = Garden(git_repo(), tmp_path)
    first = garden.publish(1, {"fern": 1})
    garden.publish(2, {"fern": 2})
    garden.crawl()
    garden.repo.git("update-ref", "refs/heads/main", first)
    garden.crawl()
    garden.define(TABLE + f'[[ignore]]\ncommit = "{first}"\nwhy = "a slip"\n')
    assert (garden.readings()["reason"] == "ignored").tolist() == [True, False, True]
