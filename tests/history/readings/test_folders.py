"""Boards of which every file holds one entry, from commits to evidence."""

from __future__ import annotations

import json
import random
from datetime import UTC, datetime, timedelta

import pandas as pd
import pytest

from crawler.board import BoardError
from crawler.crawl import crawl
from crawler.store import Store
from crawler.work import Work
from history import scores
from history.claims.evaluate import check
from history.claims.sentences.sentence import read_sentence
from history.meaning import read_meaning
from history.pipeline import open_board
from history.readings import folders

DAY = "2026-03-{:02}T12:00:00Z"
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'ab' * 32}\nsize 182733\n"
TABLE = """
[table]
entry = "@file"
name = "$.model.name"
score = "score"
direction = "higher"
[edition]
label = "$.suite"
"""


class Folder:
    """A store with one board, and the repository that it is crawled from."""

    def __init__(self, repo, folder, text=TABLE, paths="r/**/*.json"):
        self.repo, self.store = repo, Store(folder / "store")
        source = f'[source]\nkind = "git"\nrepo = "{repo.folder}"\npaths = ["{paths}"]\n'
        self.store.folder("garden").mkdir(parents=True)
        self.store.board_file("garden").write_text(source + text, encoding="utf-8")
        self.day = 0

    @property
    def board(self):
        return self.store.board("garden")

    def publish(self, files):
        self.day += 1
        data = {
            path: one if one is None or isinstance(one, str) else json.dumps(one)
            for path, one in files.items()
        }
        return self.repo.commit(data, DAY.format(self.day))

    def crawl(self, keep=False):
        meaning = read_meaning(self.board)

        def derive(board):
            return scores.derive(self.store, board, meaning) if keep else 0

        (outcome,) = crawl(self.store, [self.board], work=Work(), derive=derive)
        assert outcome.error is None
        return open_board(self.store, "garden")

    def scores(self):
        """By version: entry, file, printed score and why it has no rank."""
        frame = scores.load_scores(self.store, self.board, read_meaning(self.board))
        rows = frame[["version", "entry", "path", "score.text", "unranked"]].astype(object)
        rows = rows.where(rows.notna(), None)
        return [tuple(row) for row in rows.itertuples(index=False)]


def one(score, name="", **more):
    return {"model": {"name": name}, "score": score} | more


@pytest.fixture
def folder(git_repo, tmp_path):
    return Folder(git_repo(), tmp_path)


@pytest.mark.parametrize("keep", [True, False], ids=["from tables", "from bytes"])
def test_every_file_is_an_entry(folder, keep):
    folder.publish({"r/fern.json": one(81.5, "Fern"), "r/x/moss-1.5.json": one(80.25, "Moss")})
    folder.publish({"r/x/moss-1.5.json": one(82, "Moss")})
    folder.publish({"r/fern.json": None, "README": "x"})
    folder.publish({"r/x/moss-1.5.json": None})
    history = folder.crawl(keep)
    fern, moss = ("fern", "r/fern.json"), ("moss-1.5", "r/x/moss-1.5.json")
    assert folder.scores() == [
        (0, *fern, "81.5", None),
        (0, *moss, "80.25", None),
        (1, *fern, "81.5", None),
        (1, *moss, "82", None),
        (2, *moss, "82", None),
    ]
    readings = history.readings
    assert readings["reading"].tolist() == ["read", "read", "read", "absent"]
    assert set(readings["path"]) == {"r/**/*.json"}
    assert history.standings(DAY.format(1)).frame["name"].tolist() == ["Fern", "Moss"]
    # A column's decimals are those of all files of the version.
    ranks = history.rank_history()
    assert ranks["score.ticks"].tolist() == [8150, 8025, 820, 815, 82]
    assert [reign.entries for reign in history.reigns()][:2] == [("fern",), ("moss-1.5",)]


def test_evidence_names_the_file_of_the_entry(folder):
    folder.publish({"r/fern.json": one(81.5), "r/moss.json": {"model": {}, "score": 80}})
    history = folder.crawl()
    cells = [history.cell(0, entry) for entry in ("fern", "moss", "oak")]
    assert [(cell.path, cell.pointer, cell.text) for cell in cells] == [
        ("r/fern.json", "/score", "81.5"),
        ("r/moss.json", "/score", "80"),
        ("r/**/*.json", "", None),
    ]


def test_a_file_that_cannot_be_read_is_an_entry_of_which_nothing_is_known(folder):
    folder.publish({"r/fern.json": one(81.5), "r/moss.json": one(80), "r/oak.json": one(79)})
    folder.publish({"r/fern.json": POINTER, "r/oak.json": "[{"})
    folder.publish({"r/moss.json": POINTER})
    folder.publish({"r/fern.json": POINTER, "r/oak.json": POINTER})
    history = folder.crawl()
    assert [row[1:] for row in folder.scores() if row[0] == 1] == [
        ("fern", "r/fern.json", None, "unreadable"),
        ("moss", "r/moss.json", "80", None),
        ("oak", "r/oak.json", None, "unreadable"),
    ]
    readings = history.readings
    assert readings["reading"].tolist() == ["read", "partial", "unreadable", "unreadable"]
    pointer = "a Git LFS pointer (sha256:abababababab, 182733 bytes), not the file"
    assert readings.loc[1, "found"].startswith(f"r/fern.json: {pointer}; r/oak.json: line 1")
    assert readings.loc[2, "reason"] == "no_table"
    assert readings.loc[2, "found"].startswith("none of 3 files can be read; r/fern.json: a Git")
    assert readings.loc[3, "reason"] == "lfs_pointer"


def test_nobody_is_first_for_sure_while_the_file_of_the_first_cannot_be_read(folder):
    folder.publish({"r/fern.json": one(81.5), "r/moss.json": one(80), "r/oak.json": one(79)})
    folder.publish({"r/fern.json": "[{"})
    folder.publish({"r/fern.json": one(81.5), "r/oak.json": "[{"})
    folder.publish({"r/fern.json": "[{", "r/oak.json": one(79)})
    folder.publish({"r/fern.json": one(70)})
    history = folder.crawl()
    (fern, moss) = history.reigns()
    assert (fern.entries, moss.entries) == (("fern",), ("moss",))
    assert (fern.seconds, fern.seconds_certain) == (4 * 86_400, 86_400)
    assert [lost.why for lost in fern.lost_to] == ["holder re-scored"]
    assert fern.until_earliest == pd.Timestamp(DAY.format(3))

    def judged(text):
        when = (f"{text} on garden as of {DAY.format(day)}" for day in range(1, 6))
        (*said,) = check(
            list(map(read_sentence, when)), lambda name: history, now=datetime.now(UTC)
        )
        return [(one.verdict, one.code) for one in said]

    unread = ("not_decidable", "UNREADABLE_VERSION")
    true, false = ("true", None), ("false", None)
    assert judged("fern is #1") == [true, unread, unread, unread, false]
    assert judged("moss is #1") == [false, unread, false, unread, true]
    assert judged("moss is #2") == [true, unread, unread, unread, false]
    assert judged("moss is in the top 3") == [true] * 5
    assert judged("oak is #3") == [true, unread, unread, unread, false]
    assert judged("moss is #2 of 3") == [true, unread, unread, unread, false]
    assert judged("moss is #2 of 2") == [false, unread, unread, unread, false]
    assert judged("moss is #3 of 4") == [false] * 5
    assert judged("moss is ahead of oak") == [true, true, unread, true, true]


def test_one_name_in_two_folders(folder):
    folder.publish({"r/a/fern.json": one(70), "r/b/fern.json": one(80), "r/c/moss.json": one(75)})
    history = folder.crawl()
    assert folder.scores() == [
        (0, "fern", "r/a/fern.json", "70", None),
        (0, "fern#2", "r/b/fern.json", "80", None),
        (0, "moss", "r/c/moss.json", "75", None),
    ]
    assert "'fern' has different scores: 70, 80" in history.readings.loc[0, "found"]


def test_several_rows_in_a_file_where_rows_say_so(git_repo, tmp_path):
    text = TABLE.replace("score =", 'rows = "$.runs"\nkeep = "best"\nscore =')
    folder = Folder(git_repo(), tmp_path, text.replace('name = "$.model.name"\n', ""))
    folder.publish(
        {
            "r/fern.json": {"runs": [{"score": 80}, {"score": 82.5}]},
            "r/moss.json": {"runs": [{"score": 81}]},
            "r/none.json": {"runs": []},
            "r/odd.json": {"walks": []},
        }
    )
    history = folder.crawl()
    assert [row[1:4] for row in folder.scores()] == [
        ("fern", "r/fern.json", "82.5"),
        ("moss", "r/moss.json", "81"),
        ("odd", "r/odd.json", None),
    ]
    assert history.cell(0, "fern").pointer == "/runs/1/score"
    assert "r/odd.json: $.runs finds nothing" in history.readings.loc[0, "found"]


def test_files_of_several_formats_and_aliases(git_repo, tmp_path):
    text = TABLE + '[aliases]\n"fern-v2" = "fern"\n[[ignore]]\nfrom = 2026-03-02\nentry = "oak"\n'
    text = text.replace('name = "$.model.name"\n', "") + 'why = "wrong"\n'
    folder = Folder(git_repo(), tmp_path, text, paths="r/*.*")
    folder.store.board_file("garden").write_text(
        folder.store.board_file("garden").read_text().replace("[table]", '[table]\nformat = "json"')
    )
    folder.publish({"r/fern.json": one(1, suite="a"), "r/oak.txt": one(3, suite="a")})
    folder.publish({"r/fern.json": None, "r/fern-v2.json": one(2, suite="b")})
    history = folder.crawl()
    assert [(row[0], row[1], row[3], row[4]) for row in folder.scores()] == [
        (0, "fern", "1", None),
        (0, "oak", "3", None),
        (1, "fern", "2", None),
        (1, "oak", "3", "no_score"),
    ]
    # Files that name different editions name none.
    assert history.readings["edition"].fillna("none").tolist() == ["a", "none"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        pytest.param('layout = "columns"', "layout", id="another layout"),
        pytest.param('[[since]]\nwhen = "$.v == \'2\'"\ntable.score = "s"', "when", id="when"),
        pytest.param(
            '[[since]]\ndate = 2026-01-01\ntable.entry = "id"', "@file", id="entry that changes"
        ),
    ],
)
def test_what_does_not_go_with_a_file_per_entry(git_repo, tmp_path, text, found):
    before, _ = TABLE.split("[edition]")
    folder = Folder(git_repo(), tmp_path, f"{before}{text}\n")
    with pytest.raises(BoardError, match=found):
        read_meaning(folder.board)


@pytest.mark.parametrize("remembered", [20_000, 3, 0], ids=["all", "few", "none"])
def test_files_that_are_forgotten_are_read_again(folder, monkeypatch, remembered):
    """A random history reads the same however many files are remembered."""
    monkeypatch.setattr(folders, "_REMEMBERED", remembered)
    luck = random.Random(5)
    files: dict[str, str | None] = {}
    expected = []
    last = None
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(30):
        edit = {}
        for _ in range(luck.choice([1, 2, 3])):
            path = f"r/{luck.choice('xy')}/{luck.choice('abcdef')}.json"
            edit[path] = luck.choice([None, json.dumps(one(luck.randrange(10, 20)))])
        edit = {path: text for path, text in edit.items() if text or files.get(path)}
        files = {path: text for path, text in (files | edit).items() if text}
        folder.repo.commit(edit, start + timedelta(hours=number))
        if files != last and (files or last):
            expected.append(dict(sorted(files.items())))
        last = dict(files)
    folder.crawl()
    found: dict[int, dict[str, str]] = {n: {} for n in range(len(expected))}
    for version, _, path, text, _ in folder.scores():
        found[version][path] = text
    # Rows with one key and the same score count once.
    for version, files in enumerate(expected):
        by_entry: dict[tuple[str, str], list[str]] = {}
        for path, text in files.items():
            said = str(json.loads(text)["score"])
            by_entry.setdefault((path[-6:], said), []).append(path)
        assert sorted(found[version]) == sorted(paths[0] for paths in by_entry.values())
        assert all(str(json.loads(files[path])["score"]) == t for path, t in found[version].items())
