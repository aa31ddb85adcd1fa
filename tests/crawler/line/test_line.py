"""The published line and the versions on it, on real repositories."""

from __future__ import annotations

import re
import subprocess
from datetime import UTC, datetime

import pytest

from crawler.store import Store
from tests.crawler.tracked import run, states, texts, track


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def repo(git_repo):
    return git_repo()


def raw_commit(repo, tree, header, parent=None):
    """A commit written by hand, as git would not write it; moves the branch."""
    lines = [b"tree " + tree.encode(), *([b"parent " + parent.encode()] if parent else []), header]
    done = subprocess.run(
        [
            "git",
            "-C",
            str(repo.folder),
            "hash-object",
            "-t",
            "commit",
            "-w",
            "--stdin",
            "--literally",
        ],
        input=b"\n".join(lines) + b"\n",
        capture_output=True,
        check=True,
    )
    commit = done.stdout.decode().strip()
    repo.git("update-ref", f"refs/heads/{repo.branch}", commit)
    return commit


def tree_with(repo, *entries):
    """A tree of `mode type id<TAB>name` lines."""
    done = subprocess.run(
        ["git", "-C", str(repo.folder), "mktree", "--missing"],
        input="".join(f"{entry}\n" for entry in entries).encode(),
        capture_output=True,
        check=True,
    )
    return done.stdout.decode().strip()


def test_only_a_change_of_the_file_is_a_version(store, repo):
    first = repo.commit({"board.json": "1", "x": "1"}, day(1))
    repo.commit({"x": "2"}, day(2))
    third = repo.commit({"board.json": "2"}, day(3), authored_at="2025-01-01T00:00:00+09:00")
    repo.commit({"board.json": "2", "x": "3"}, day(4))
    repo.commit({"board.json": "1"}, day(5))
    track(store, "text", repo.folder)
    outcome = run(store)[0]
    rows = store.versions("text").to_pylist()
    assert (outcome.versions, outcome.commits_seen, outcome.tip) == (3, 5, repo.tip)
    assert [(row["version"], row["commit"], row["position"]) for row in rows[:2]] == [
        (0, first, 0),
        (1, third, 2),
    ]
    assert rows[1]["committed_at"] == datetime(2026, 10, 3, 12, tzinfo=UTC)
    assert rows[1]["authored_at"] == datetime(2024, 12, 31, 15, tzinfo=UTC)
    assert (rows[1]["path"], rows[1]["size"], rows[1]["why"]) == ("board.json", 1, None)
    assert texts(store, "text") == ["1", "2", "1"]


def test_the_line_is_that_of_first_parents(store, repo):
    first = repo.commit({"board.json": "1"}, day(1))
    side = repo.commit({"board.json": "side"}, day(2), parents=[first], branch="side")
    side = repo.commit({"board.json": "side 2"}, day(3), parents=[side], branch="side")
    second = repo.commit({"board.json": "2"}, day(4))
    merge = repo.commit({"board.json": "both"}, day(5), parents=[second, side])
    track(store, "text", repo.folder)
    run(store)
    assert texts(store, "text") == ["1", "2", "both"]
    parents = store.commits(store.board("text"))["parents"].to_pylist()
    assert parents == [[], [first], [second, side]]
    assert store.versions("text")["commit"].to_pylist() == [first, second, merge]


def test_absent_and_back(store, repo):
    repo.commit({"x": "before the board"}, day(1))
    repo.commit({"board.json": "1"}, day(2))
    repo.commit({"board.json": None}, day(3))
    repo.commit({"x": "still gone"}, day(4))
    repo.commit({"board.json": "1"}, day(5))
    track(store, "text", repo.folder)
    run(store)
    assert states(store, "text") == [
        ("1", "published", False),
        ("", "absent", False),
        ("1", "published", False),
    ]
    assert store.versions("text")["blob"].to_pylist()[1] is None


def test_the_first_of_several_paths_counts(store, repo):
    repo.commit({"old.json": "1"}, day(1))
    repo.commit({"new.json": "2", "old.json": "left behind"}, day(2))
    repo.commit({"old.json": "not read"}, day(3))
    repo.commit({"new.json": None}, day(4))
    track(store, "text", repo.folder, "new.json", "old.json")
    run(store)
    assert texts(store, "text") == ["1", "2", "not read"]
    paths = store.versions("text")["path"].to_pylist()
    assert paths == ["old.json", "new.json", "old.json"]


@pytest.mark.parametrize(
    ("path", "written"),
    [
        ("a b/board (1).json", None),
        ("tables/top 5%#1 – été.csv", None),
        ("a'b\"c", None),
        ("[x]/y", "[[]x]/y"),
        ("x?y", "x[?]y"),
        ("x*y", "x[*]y"),
    ],
)
def test_names_of_files_are_taken_as_they_are(store, repo, path, written):
    repo.commit({"x/y": "another file", "x1y": "another file"}, day(1))
    repo.commit({path: "1"}, day(2))
    track(store, "text", repo.folder, written or path)
    run(store)
    assert texts(store, "text") == ["1"]


def test_what_is_no_file_says_so(store, repo):
    first = repo.commit({"board.json": "1", "x": "v2.csv"}, day(1))
    blob, board = (repo.git("rev-parse", f"HEAD:{name}") for name in ("x", "board.json"))
    entries = [
        f"120000 blob {blob}\tboard.json",
        f"120000 blob {board}\tboard.json",
        f"160000 commit {first}\tboard.json",
        f"040000 tree {repo.git('rev-parse', 'HEAD^{tree}')}\tboard.json",
        f"100644 blob {blob}\tboard.json",
    ]
    for entry in entries:
        person = b"author A <a> 1800000000 +0000\ncommitter A <a> 1800000000 +0000\n\nm"
        raw_commit(repo, tree_with(repo, entry), person, repo.tip)
    track(store, "text", repo.folder)
    run(store)
    assert states(store, "text") == [
        ("1", "published", False),
        (f"a symbolic link ({blob[:8]}), not a file", "unavailable", False),
        (f"a symbolic link ({board[:8]}), not a file", "unavailable", False),
        (f"a submodule ({first[:8]}), not a file", "unavailable", False),
        ("a folder, not a file", "unavailable", False),
        ("v2.csv", "published", False),
    ]


def test_a_folder_that_is_a_link_is_not_an_absence(store, repo):
    repo.commit({"data/board.json": "1"}, day(1))
    blob = repo.git("rev-parse", "HEAD:data/board.json")
    person = b"author A <a> 1800000000 +0000\ncommitter A <a> 1800000000 +0000\n\nm"
    raw_commit(repo, tree_with(repo, f"120000 blob {blob}\tdata"), person, repo.tip)
    link = repo.tip
    raw_commit(repo, tree_with(repo, f"160000 commit {link}\tdata"), person, link)
    track(store, "text", repo.folder, "data/board.json")
    run(store)
    assert states(store, "text") == [
        ("1", "published", False),
        (f"data is a symbolic link ({blob[:8]})", "unavailable", False),
        (f"data is a submodule ({link[:8]})", "unavailable", False),
    ]


def test_pointers_and_conflict_markers(store, repo):
    pointer = f"version https://git-lfs.github.com/spec/v1\noid sha256:{'ab' * 32}\nsize 182733\n"
    conflict = "<<<<<<< HEAD\n1\n=======\n2\n>>>>>>> other\n"
    for number, text in enumerate(["1", pointer, conflict, ""], 1):
        repo.commit({"board.json": text}, day(number))
    track(store, "text", repo.folder)
    run(store)
    assert [state for _, state, _ in states(store, "text")] == [
        "published",
        "pointer",
        "published",
        "published",
    ]
    why = store.versions("text")["why"].to_pylist()
    assert why[1] == "a Git LFS pointer (sha256:abababababab, 182733 bytes), not the file"
    run(store)
    repo.commit({"board.json": pointer, "x": "1"}, day(5))
    repo.commit({"x": "2"}, day(6))
    run(store)
    repo.commit({"x": "3"}, day(7))
    assert (run(store)[0].new_versions, store.versions("text").num_rows) == (0, 5)


def test_times_that_git_cannot_read(store, repo):
    repo.commit({"board.json": "1"}, day(1))
    headers = [
        b"author Andr\xe9 <a> -100 +0000\ncommitter A <a> -86400 +0000\n\nmise \xe0 jour",
        b"author A <a> 99999999999 +0000\ncommitter A <a> 99999999999 +0000\n\nm",
        b"author A <a> 999999999999999 +0000\ncommitter A <a> 999999999999999 +0000\n\nm",
        b"author A\ncommitter A <a> soon\n\nm",
    ]
    for number, header in enumerate(headers):
        name = f"{number}".encode()
        blob = subprocess.run(
            ["git", "-C", str(repo.folder), "hash-object", "-w", "--stdin"],
            input=name,
            capture_output=True,
            check=True,
        ).stdout.decode()
        tree = tree_with(repo, f"100644 blob {blob.strip()}\tboard.json")
        raw_commit(repo, tree, header, repo.tip)
    track(store, "text", repo.folder)
    outcome = run(store)[0]
    assert (outcome.error, outcome.versions) == (None, 5)
    times = store.versions("text")["committed_at"].to_pylist()
    assert [f"{time:%Y-%m-%d}" for time in times] == [
        "2026-10-01",
        "1969-12-31",
        "5138-11-16",
        "9999-12-31",
        "1970-01-01",
    ]
    authored = store.versions("text")["authored_at"].to_pylist()
    assert authored[1] == datetime(1969, 12, 31, 23, 58, 20, tzinfo=UTC)


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        pytest.param("ab", "acd", "abcd", id="other changes after the common commit"),
        pytest.param("abc", "ab", "abcb", id="set back to an earlier commit"),
        pytest.param("abc", "a-", "abca", id="set back, with a commit that leaves the file"),
        pytest.param("abc", "aB'C'", "abc", id="the same changes in new commits"),
        pytest.param("abc", "aB'C'd", "abcd", id="the same changes, then one more"),
        pytest.param("abc", "aB'd", "abcd", id="the same beginning, then another end"),
        pytest.param("abc", "C'", "abc", id="all squashed into one"),
        pytest.param("abc", "A'B'C'", "abc", id="every commit written anew"),
        pytest.param("abc", "d", "abcd", id="another history"),
    ],
)
def test_a_rewritten_branch_keeps_what_was_seen(store, repo, old, new, expected):
    """A letter is a content, a capital with a quote the same content in another commit.

    A dash is a commit that leaves the file as it was.
    """
    commits = [repo.commit({"board.json": text}, day(n)) for n, text in enumerate(old, 1)]
    track(store, "text", repo.folder)
    run(store)
    steps = re.findall(r".'?", new)
    common = 0
    while common < min(len(old), len(steps)) and steps[common] == old[common]:
        common += 1
    parent = commits[common - 1 : common]
    repo.git("update-ref", "refs/heads/main", *(parent or [commits[0]]))
    for number, step in enumerate(steps[common:], 11):
        files = {"x": "x"} if step == "-" else {"board.json": step[0].lower()}
        parent = [repo.commit(files, day(number), "again", parents=parent)]
    outcome = run(store)[0]
    assert "".join(texts(store, "text")) == expected
    assert (outcome.rewritten, outcome.status) == (True, "ok")
    marks = store.versions("text")["vanished"].to_pylist()[: len(old)]
    assert marks == [number >= common for number in range(len(old))]
    assert outcome.vanished == len(old) - common
    versions = store.versions("text")
    assert versions["version"].to_pylist() == list(range(len(expected)))
    again = run(store)[0]
    assert (again.new_versions, again.rewritten) == (0, False)
    assert store.versions("text").equals(versions)
    store.versions_file("text").unlink()
    run(store)
    assert store.versions("text").equals(versions)


def test_a_branch_goes_on_after_it_was_rewritten(store, repo):
    first = repo.commit({"board.json": "1"}, day(1))
    second = repo.commit({"board.json": "2"}, day(2))
    track(store, "text", repo.folder)
    run(store)
    repo.commit({"board.json": "3"}, day(3), parents=[first])
    run(store)
    repo.commit({"board.json": "4"}, day(4))
    run(store)
    assert texts(store, "text") == ["1", "2", "3", "4"]
    repo.git("update-ref", "refs/heads/main", second)
    assert run(store)[0].rewritten
    assert states(store, "text") == [
        ("1", "published", False),
        ("2", "published", False),
        ("3", "published", True),
        ("4", "published", True),
        ("2", "published", False),
    ]
    kept = store.objects(store.board("text")).run("for-each-ref", "refs/seen").decode()
    assert len(kept.splitlines()) == 3


@pytest.mark.parametrize(
    ("starts", "expected"),
    [
        pytest.param("", ["1", "2", "3"], id="everything"),
        pytest.param("{2}", ["2", "3"], id="a commit that changed the file"),
        pytest.param("{1}", ["1", "2", "3"], id="a commit that did not, the file was there"),
        pytest.param("2026-10-03", ["2", "3"], id="a day"),
        pytest.param("2026-10-03T12:00:01+00:00", ["3"], id="a second too late for one"),
        pytest.param("2026-12-01", [], id="a day to come"),
    ],
)
def test_versions_count_from_a_start(store, repo, starts, expected):
    commits = [
        repo.commit({"board.json": text, "x": str(number)}, day(number))
        for number, text in enumerate(["1", "1", "2", "3"], 1)
    ]
    place = starts.format(*(commit[:10] for commit in commits))
    track(store, "text", repo.folder, starts=place)
    outcome = run(store)[0]
    assert (outcome.error, texts(store, "text")) == (None, expected)
    if starts == "{1}":
        assert store.versions("text")["commit"][0].as_py() == commits[1]


def test_a_start_that_is_not_on_the_branch(store, repo):
    repo.commit({"board.json": "1"}, day(1))
    track(store, "text", repo.folder, starts="abcdef1")
    assert "starts = 'abcdef1' is not on the branch" in run(store)[0].error


def test_another_path_is_listed_from_the_beginning(store, repo):
    repo.commit({"board.json": "1", "other.json": "a"}, day(1))
    repo.commit({"board.json": "2", "other.json": "b"}, day(2))
    track(store, "text", repo.folder)
    run(store)
    track(store, "text", repo.folder, "other.json")
    run(store)
    assert texts(store, "text") == ["a", "b"]


def test_a_path_that_never_existed(store, repo):
    repo.commit({"data/board.json": "1", "data/bored.json": "1", "x": "1"}, day(1))
    track(store, "text", repo.folder)
    error = run(store)[0].error
    assert error == (
        f"text @ {repo.tip[:8]}: 'board.json' never existed on this branch. "
        "Nearest: data/board.json."
    )
    repo.commit({"board.json": "1"}, day(2))
    assert run(store)[0].new_versions == 1
