"""Patterns and folders of files through time, on real repositories."""

from __future__ import annotations

import random
import subprocess
from datetime import UTC, datetime, timedelta

import pytest

from crawler.paths import Paths, newest_by_name
from crawler.store import Store
from tests.crawler.line.test_line import day, raw_commit, tree_with
from tests.crawler.tracked import run, track

PERSON = b"author A <a> 1800000000 +0000\ncommitter A <a> 1800000000 +0000\n\nm"
POINTER = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'ab' * 32}\nsize 182733\n"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def repo(git_repo):
    return git_repo()


def per_entry(store, name, repo, *paths):
    """Track a folder with one file per entry."""
    track(store, name, repo.folder, *paths)
    with store.board_file(name).open("a") as file:
        file.write('[table]\nentry = "@file"\nscore = "s"\ndirection = "higher"\n')


def read(store, name, versions=None):
    """Of every version its files: path and bytes, or path and why there are none."""
    board, rows = store.board(name), store.files(name, versions).to_pylist()
    bytes_of = dict(store.blobs(board, {row["blob"] for row in rows if row["blob"]}))
    found: dict[int, list[tuple[str, str]]] = {}
    for row in rows:
        text = row["why"] or (bytes_of[row["blob"]].decode() if row["blob"] else row["state"])
        found.setdefault(row["version"], []).append((row["path"], text))
    return list(found.values())


def one(store, name):
    return [files[0] for files in read(store, name)]


@pytest.mark.parametrize(
    ("newest", "expected"),
    [
        pytest.param(
            "commit",
            [
                ("b_20240101.csv", "1"),
                ("b_20240103.csv", "3"),
                ("b_20240102.csv", "2"),
                ("b_20240103.csv", "3a"),
                ("b_20240102.csv", "2"),
                ("b_20240101.csv", "1"),
                ("d/b_20240105.csv", "5"),
                ("d/b_20240104.csv", "4a"),
            ],
            id="the file that was changed last",
        ),
        pytest.param(
            "date in the file name",
            [
                ("b_20240101.csv", "1"),
                ("b_20240103.csv", "3"),
                ("b_20240103.csv", "3a"),
                ("b_20240102.csv", "2"),
                ("b_20240101.csv", "1"),
                ("d/b_20240105.csv", "5"),
            ],
            id="the file with the greatest date",
        ),
    ],
)
def test_dated_files_side_by_side(store, repo, newest, expected):
    commits = [
        {"b_20240101.csv": "1", "c.csv": "x"},
        {"b_20240103.csv": "3"},
        {"b_20240102.csv": "2"},  # back-dated
        {"c.csv": "y"},
        {"b_20240103.csv": "3a"},  # changed after its date
        {"b_20240103.csv": None},
        {"b_20240102.csv": None},
        {"b_20240101.csv": None, "d/b_20240104.csv": "4", "d/b_20240105.csv": "5"},
        {"d/b_20240104.csv": "4a"},
    ]
    for number, files in enumerate(commits, 1):
        repo.commit(files, day(number))
    track(store, "text", repo.folder, "b_*.csv", "d/b_*.csv", newest=newest)
    assert run(store)[0].error is None
    assert one(store, "text") == expected


def test_a_file_that_may_be_run_now_is_not_a_changed_one(store, repo):
    repo.commit({"b_1.csv": "1"}, day(1))
    repo.commit({"b_2.csv": "2"}, day(2))
    blobs = [repo.git("rev-parse", f"HEAD:b_{number}.csv") for number in (1, 2)]
    entries = [f"100755 blob {blobs[0]}\tb_1.csv", f"100644 blob {blobs[1]}\tb_2.csv"]
    raw_commit(repo, tree_with(repo, *entries), PERSON, repo.tip)
    track(store, "text", repo.folder, "b_*.csv")
    run(store)
    assert one(store, "text") == [("b_1.csv", "1"), ("b_2.csv", "2")]


def test_a_date_with_two_readings_is_no_version_of_either_file(store, repo):
    repo.commit({"b_03-04-2024.csv": "1"}, day(1))
    repo.commit({"b_02-05-2024.csv": "2"}, day(2))
    repo.commit({"b_02-13-2024.csv": "3"}, day(3))
    track(store, "text", repo.folder, "b_*.csv", newest="date in the file name")
    run(store)
    assert one(store, "text") == [
        ("b_03-04-2024.csv", "1"),
        (
            "b_03-04-2024.csv",
            "the newest is b_03-04-2024.csv with the month first, "
            "b_02-05-2024.csv with the day first",
        ),
        ("b_03-04-2024.csv", "1"),
    ]
    assert store.versions("text")["state"].to_pylist() == ["published", "unavailable", "published"]


def test_a_pattern_that_never_fitted(store, repo):
    repo.commit({"data/board_1.csv": "1"}, day(1))
    track(store, "text", repo.folder, "board_*.csv", "*.json")
    error = run(store)[0].error
    assert "'board_*.csv', '*.json' never existed on this branch" in error


def test_a_pattern_means_files(store, repo):
    """A folder of a fitting name is none; a link is one that cannot be read."""
    first = repo.commit({"b_1.csv": "1", "b_2.csv/x": "inside"}, day(1))
    blob = repo.git("rev-parse", "HEAD:b_1.csv")
    for entry in (f"120000 blob {blob}", f"160000 commit {first}"):
        tree = tree_with(repo, f"100644 blob {blob}\tb_1.csv", f"{entry}\tb_2.csv")
        raw_commit(repo, tree, PERSON, repo.tip)
    track(store, "text", repo.folder, "b_*.csv")
    run(store)
    assert one(store, "text") == [
        ("b_1.csv", "1"),
        ("b_2.csv", f"a symbolic link ({blob[:8]}), not a file"),
        ("b_2.csv", f"a submodule ({first[:8]}), not a file"),
    ]


def test_a_folder_of_a_pattern_that_is_a_link_is_not_an_absence(store, repo):
    repo.commit({"data/b_1.csv": "1"}, day(1))
    blob = repo.git("rev-parse", "HEAD:data/b_1.csv")
    raw_commit(repo, tree_with(repo, f"120000 blob {blob}\tdata"), PERSON, repo.tip)
    track(store, "text", repo.folder, "data/b_*.csv")
    per_entry(store, "all", repo, "data/b_*.csv", "more/*.csv")
    run(store)
    link = ("data/b_*.csv", f"data is a symbolic link ({blob[:8]})")
    assert one(store, "text") == [("data/b_1.csv", "1"), link]
    assert read(store, "all") == [[("data/b_1.csv", "1")], [link]]


@pytest.mark.parametrize("name", [b"b_\\ff.csv", b"b_\\n1.csv", b"b_\x1b[2J.csv"])
def test_names_that_are_no_text(store, repo, name):
    """They are kept as what cannot be read, escaped; a good name beside them is read."""
    repo.commit({"r/b_1.csv": "1"}, day(1))
    blob = repo.git("rev-parse", "HEAD:r/b_1.csv")
    plain = name.decode("unicode_escape").encode("latin-1")
    made = tree_of(repo, [(b"100644", b"b_1.csv", blob), (b"100644", plain, blob)])
    raw_commit(repo, tree_with(repo, f"040000 tree {made}\tr"), PERSON, repo.tip)
    per_entry(store, "all", repo, "r/*.csv")
    run(store)
    good, bad = sorted(read(store, "all")[1], key=lambda file: file[1])
    assert good == ("r/b_1.csv", "1")
    assert bad[1] == f"its name is no text ({blob[:8]})"
    assert bad[0].isprintable()


def tree_of(repo, entries):
    """A tree with names of any bytes."""
    data = b"".join(
        b"%s %s\0%s" % (mode, name, bytes.fromhex(blob))
        for mode, name, blob in sorted(entries, key=lambda entry: entry[1])
    )
    done = subprocess.run(
        [
            "git",
            "-C",
            str(repo.folder),
            "hash-object",
            "-t",
            "tree",
            "-w",
            "--stdin",
            "--literally",
        ],
        input=data,
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def test_a_folder_with_one_file_per_entry(store, repo):
    commits = [
        {"r/fern.json": "1", "r/moss.json": "1", "README": "x"},
        {"README": "y"},
        {"r/moss.json": "2", "r/x/reed.json": "1"},
        {"r/moss.json": None, "r/sedge.json": "2"},  # renamed
        {"r/fern.json": None, "r/sedge.json": None},
        {"r/fern.json": "1", "r/moss.json": "1"},
    ]
    ids = [repo.commit(files, day(number)) for number, files in enumerate(commits, 1)]
    per_entry(store, "all", repo, "r/*.json")
    outcome = run(store)[0]
    assert (outcome.error, outcome.versions, outcome.new_versions) == (None, 5, 5)
    assert read(store, "all") == [
        [("r/fern.json", "1"), ("r/moss.json", "1")],
        [("r/fern.json", "1"), ("r/moss.json", "2")],
        [("r/fern.json", "1"), ("r/sedge.json", "2")],
        [("r/*.json", "absent")],
        [("r/fern.json", "1"), ("r/moss.json", "1")],
    ]
    versions = store.versions("all")
    assert versions["commit"].to_pylist() == [ids[n] for n in (0, 2, 3, 4, 5)]
    assert versions["version"].to_pylist() == [0, 1, 2, 3, 4]
    assert set(versions["path"].to_pylist()) == {"r/*.json"}
    assert versions["size"].to_pylist() == [2, 2, 2, None, 2]
    assert [*map(str, versions["state"])] == [*["published"] * 3, "absent", "published"]
    blobs = versions["blob"].to_pylist()
    assert (blobs[0] == blobs[4], len({*blobs})) == (True, 4)
    assert read(store, "all", [2]) == [[("r/fern.json", "1"), ("r/sedge.json", "2")]]


def test_one_file_that_cannot_be_had_leaves_the_others(store, repo):
    repo.commit({"r/a.json": "1", "r/b.json": POINTER, "r/c.json": "3"}, day(1))
    repo.commit({"r/a.json": POINTER, "r/c.json": None}, day(2))
    repo.commit({"r/a.json": None, "r/b.json": None}, day(3))
    per_entry(store, "all", repo, "r/*.json")
    run(store)
    pointer = "a Git LFS pointer (sha256:abababababab, 182733 bytes), not the file"
    assert store.versions("all").select(["state", "why"]).to_pylist() == [
        {"state": "published", "why": None},
        {"state": "pointer", "why": pointer},
        {"state": "absent", "why": None},
    ]
    assert store.files("all")["state"].to_pylist() == [
        *("published", "pointer", "published"),
        *("pointer", "pointer"),
        "absent",
    ]
    repo.commit({"x": "1"}, day(4))
    assert run(store)[0].new_versions == 0


def test_files_of_all_items_count_where_each_holds_an_entry(store, repo):
    repo.commit({"new/a.json": "1", "old/a.json": "0", "old/b.json": "2", "c.json": "3"}, day(1))
    per_entry(store, "all", repo, "new/*.json", "old/*.json", "c.json")
    run(store)
    assert read(store, "all") == [
        [("c.json", "3"), ("new/a.json", "1"), ("old/a.json", "0"), ("old/b.json", "2")]
    ]


def test_a_rewritten_branch_and_a_start(store, repo):
    first = repo.commit({"r/a.json": "1"}, day(1))
    second = repo.commit({"r/b.json": "2"}, day(2))
    third = repo.commit({"r/b.json": "3"}, day(3))
    per_entry(store, "all", repo, "r/*.json")
    track(store, "text", repo.folder, "r/*.json")
    track(store, "late", repo.folder, "r/*.json", starts=second)
    run(store)
    repo.commit({"r/b.json": "2"}, day(4), parents=[first])
    repo.commit({"r/a.json": "9"}, day(5))
    outcomes = {outcome.board: outcome for outcome in run(store)}
    a, b = (lambda text: ("r/a.json", text)), (lambda text: ("r/b.json", text))
    # The second commit was only written anew; what it holds is listed once.
    assert read(store, "all") == [
        [a("1")],
        [a("1"), b("2")],
        [a("1"), b("3")],
        [a("9"), b("2")],
    ]
    assert store.versions("all")["vanished"].to_pylist() == [False, True, True, False]
    assert one(store, "text") == [a("1"), b("2"), b("3"), a("9")]
    assert (outcomes["all"].vanished, outcomes["all"].versions) == (2, 4)
    assert store.versions("late")["commit"].to_pylist()[:2] == [second, third]
    before = {name: store.files(name) for name in ("all", "text")}
    for name, table in before.items():
        store.versions_file(name).unlink()
        run(store, name)
        assert store.files(name).equals(table)


def test_another_newest_is_listed_from_the_beginning(store, repo):
    repo.commit({"b_20240102.csv": "2"}, day(1))
    repo.commit({"b_20240101.csv": "1"}, day(2))
    track(store, "text", repo.folder, "b_*.csv")
    run(store)
    assert [text for _, text in one(store, "text")] == ["2", "1"]
    track(store, "text", repo.folder, "b_*.csv", newest="date in the file name")
    run(store)
    assert [text for _, text in one(store, "text")] == ["2"]
    per_entry(store, "text", repo, "b_*.csv")
    run(store)
    assert [len(files) for files in read(store, "text")] == [1, 2]
    track(store, "text", repo.folder, "b_*.csv")
    run(store)
    assert [text for _, text in one(store, "text")] == ["2", "1"]


NAMES = (
    *("b_2026-01-01.csv", "b_2026-01-02.csv", "b_2026-02.csv", "b_x.csv", "b_2026-01-01.csv.bak"),
    *("d/b_2026-03-01.csv", "d/e/b_2026-01-01.csv", "d/e/f/b_1.csv", "d/other.txt", "first.csv"),
)
PATHS = ("first.csv", "b_*.csv", "d/**/b_*.csv")


def in_words(files, changed, mode):
    """What a board reads of these files, by looking at all of them."""
    paths = Paths(PATHS)
    items = {path: paths.item(path) for path in files if paths.item(path) is not None}
    if mode == "@file":
        chosen = sorted(items)
    else:
        among = [path for path in items if items[path] == min(items.values())]
        if not among:
            chosen = []
        elif mode == "commit":
            chosen = [max(among, key=lambda path: (changed[path], path.rsplit(".", 1)))]
        else:
            chosen = [newest_by_name(among)]
    return [(path, files[path]) for path in chosen] or [(PATHS[0], "absent")]


@pytest.mark.parametrize("seed", range(6))
def test_when_crawls_were_makes_no_difference(tmp_path, repo, seed):
    """A random history crawled now and then, once at the end, and worked out from its files."""
    luck = random.Random(seed)
    files, changed = {}, {}
    modes = ("commit", "date in the file name", "@file")
    often, once = Store(tmp_path / "often"), Store(tmp_path / "once")
    for store in (often, once):
        for mode in modes[:2]:
            track(store, mode.split()[0], repo.folder, *PATHS, newest=mode)
        per_entry(store, "file", repo, *PATHS)
    expected = {mode: [] for mode in modes}
    start = datetime(2026, 1, 1, tzinfo=UTC)
    for number in range(24):
        edit = {}
        for _ in range(luck.choice([0, 1, 1, 2, 4])):
            path = luck.choice(NAMES)
            edit[path] = luck.choice([None, None, "1", "2", files.get(path)])
            if files.get(path) and luck.random() < 0.3:  # renamed
                edit[luck.choice(NAMES)], edit[path] = files[path], None
        if number == 0:
            edit = {"b_x.csv": "1"}
        edit = {p: text for p, text in edit.items() if text is not None or p in files}
        repo.commit(edit, start + timedelta(hours=number))
        for path, text in edit.items():
            if text is None:
                files.pop(path), changed.pop(path)
            elif files.get(path) != text:
                files[path], changed[path] = text, number
        for mode in modes:
            held = in_words(files, changed, mode)
            if not expected[mode] or expected[mode][-1] != held:
                expected[mode].append(held)
        if luck.random() < 0.3:
            assert {outcome.error for outcome in run(often)} == {None}
    for store in (often, once):
        assert {outcome.error for outcome in run(store)} == {None}
    for mode in modes:
        name = mode.split()[0].replace("@", "")
        assert read(often, name) == expected[mode]
        tables = [store.files(name).drop_columns("observed_at") for store in (often, once)]
        assert tables[0].equals(tables[1])
