"""Fetching from real repositories: over file, http, from bundles; and every way to fail."""

from __future__ import annotations

import hashlib
import os

import pytest

from crawler.git_source import login_settings, split_login
from crawler.source import Pointer
from crawler.store import Store
from tests.crawler.tracked import add_many, everything_in, run, states, texts, track
from tests.hub.server import TOKEN, HubServer


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    repo.commit({"board.json": "1"}, day(1))
    repo.commit({"board.json": "2"}, day(2))
    return repo


@pytest.fixture
def server():
    with HubServer() as server:
        yield server


def test_requests_of_a_whole_history_and_of_nothing_new(store, repo, server):
    for number in range(30):
        repo.git("tag", f"v{number}")
    server.add("lab/board.git", repo)
    track(store, "text", f"{server.url}/lab/board.git")
    track(store, "other", f"{server.url}/lab/board.git")
    assert [outcome.new_versions for outcome in run(store)] == [2, 2]
    assert server.count() == 3
    kept = everything_in(store.root)
    assert [outcome.new_versions for outcome in run(store)] == [0, 0]
    assert server.count() == 2
    assert everything_in(store.root) == kept
    repo.commit({"board.json": "3"}, day(3))
    assert [outcome.new_versions for outcome in run(store)] == [1, 1]
    assert server.count() == 3
    references = store.objects(store.board("text")).run("for-each-ref").decode()
    assert "refs/tags" not in references


def test_a_server_that_mishandles_compressed_questions(store, git_repo, server):
    """The Hub was reported to; git compresses a question of more than 1,024 bytes."""
    repo = git_repo()
    add_many(repo, [f"old {number}" for number in range(60)])
    server.mishandles_gzip = True
    server.add("lab/board.git", repo)
    track(store, "text", f"{server.url}/lab/board.git")
    assert run(store)[0].new_versions == 60
    repo.commit({"board.json": "squashed"}, day(4), parents=[])
    repo.git("gc", "--quiet", "--prune=now")
    assert (run(store)[0].error, texts(store, "text")[-2:]) == (None, ["old 59", "squashed"])
    assert any(request.compressed for request in server.requests)
    repo.commit({"board.json": "next"}, day(5))
    server.count()
    assert run(store)[0].new_versions == 1
    assert server.count() == 3


@pytest.mark.parametrize("how", ["path", "file", "bundle", "a bundle without HEAD", "home"])
def test_where_a_history_can_come_from(store, repo, tmp_path, monkeypatch, how):
    place = {
        "path": lambda: repo.folder,
        "file": lambda: repo.url,
        "bundle": lambda: repo.bundle(tmp_path / "a b.bundle"),
        "a bundle without HEAD": lambda: tmp_path / "c.bundle",
        "home": lambda: f"~/{repo.folder.name}",
    }[how]()
    if how == "a bundle without HEAD":
        repo.git("bundle", "create", "--quiet", str(place), "main")
    monkeypatch.setenv("HOME", str(repo.folder.parent))
    track(store, "text", place)
    assert [outcome.error for outcome in run(store)] == [None]
    assert texts(store, "text") == ["1", "2"]


def test_a_renamed_default_branch_is_followed_and_a_named_one_missed(store, repo):
    track(store, "any", repo.folder)
    track(store, "named", repo.folder, branch="main")
    assert [outcome.status for outcome in run(store)] == ["ok", "ok"]
    repo.git("branch", "-m", "main", "trunk")
    repo.git("symbolic-ref", "HEAD", "refs/heads/trunk")
    repo.commit({"board.json": "3"}, day(3), branch="trunk")
    any_branch, named = run(store)
    assert (any_branch.new_versions, any_branch.rewritten) == (1, False)
    assert (named.status, named.versions) == ("failed", 2)
    assert "no branch 'main'. It has trunk." in named.error


def test_two_branches_of_one_repository(store, repo):
    repo.commit({"board.json": "draft"}, day(3), branch="draft", parents=[repo.tip])
    track(store, "main", repo.folder)
    track(store, "draft", repo.folder, branch="draft")
    track(store, "typo", repo.folder, branch="darft")
    outcomes = {outcome.board: outcome for outcome in run(store)}
    assert (texts(store, "main"), texts(store, "draft")) == (["1", "2"], ["1", "2", "draft"])
    assert "Nearest: draft" in outcomes["typo"].error
    assert len(list((store.root / "_sources").iterdir())) == 1
    assert [outcome.new_versions for outcome in run(store)] == [0, 0, 0]


def address_of(kind, tmp_path, git_repo, server):
    if kind == "an empty repository":
        return git_repo().folder
    if kind == "a folder":
        (tmp_path / "folder").mkdir()
        return tmp_path / "folder"
    if kind == "a file":
        (tmp_path / "file.json").write_text("[]")
        return tmp_path / "file.json"
    if kind == "a cut bundle":
        repo = git_repo()
        repo.commit({"board.json": "1"}, day(1))
        bundle = repo.bundle(tmp_path / "cut.bundle")
        bundle.write_bytes(bundle.read_bytes()[:-30])
        return bundle
    if kind in ("a bundle of the end", "a damaged repository"):
        repo = git_repo()
        first = repo.commit({"board.json": "1"}, day(1))
        repo.commit({"board.json": "2"}, day(2))
        if kind == "a bundle of the end":
            repo.git("bundle", "create", "--quiet", str(tmp_path / "end.bundle"), f"{first}..main")
            return tmp_path / "end.bundle"
        blob = repo.git("rev-parse", f"{first}:board.json")
        (repo.folder / "objects" / blob[:2] / blob[2:]).unlink()
        return repo.folder
    if kind == "a pointer to a folder":
        (tmp_path / "work").mkdir()
        (tmp_path / "work" / ".git").write_text(f"gitdir: {tmp_path}\n")
        return tmp_path / "work"
    return {
        "nothing": tmp_path / "nothing",
        "an unknown repository": f"{server.url}/lab/none.git",
        "nobody listens": "http://127.0.0.1:9/x.git",
        "nobody listens to ssh": "ssh://me@127.0.0.1:9/x.git",
        "a private repository": f"{server.url}/lab/private.git",
        "a wrong login": server.url.replace("//", "//me:s3cr3t@") + "/lab/private.git",
        "moved, with a login": server.url.replace("//", f"//me:{TOKEN}@") + "/lab/moved.git",
    }[kind]


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        ("nothing", "no such folder or bundle"),
        ("a folder", "not a git repository"),
        ("a file", "not a git repository"),
        ("a cut bundle", "cut off or damaged"),
        ("a bundle of the end", "a bundle of the whole branch"),
        ("a damaged repository", "it is damaged"),
        ("a pointer to a folder", "not a git repository"),
        ("an empty repository", "the repository is empty"),
        ("an unknown repository", "no such repository"),
        ("nobody listens", "cannot be reached"),
        ("nobody listens to ssh", "cannot be reached"),
        ("a private repository", "authentication needed"),
        ("a wrong login", "authentication needed"),
        ("moved, with a login", "it has moved"),
    ],
)
def test_what_cannot_be_fetched_is_one_line(store, tmp_path, git_repo, server, kind, said):
    repo = git_repo()
    repo.commit({"board.json": "1"}, day(1))
    server.add("lab/private.git", repo, private=True)
    server.add("lab/moved.git", repo, moved_to="lab/private.git")
    track(store, "text", address_of(kind, tmp_path, git_repo, server))
    outcome = run(store)[0]
    assert (outcome.status, outcome.versions, outcome.tip) == ("failed", 0, None)
    assert said in outcome.error
    assert "\n" not in outcome.error and outcome.error.endswith(".")
    attempt = store.attempts("text")[-1]
    assert (attempt["outcome"], attempt["error"]) == ("failed", outcome.error)
    assert store.confirmed_until("text") is None


def test_a_login_reaches_its_host_and_nothing_else(store, repo, server):
    server.add("lab/private.git", repo, private=True)
    track(store, "text", server.url.replace("//", f"//me:{TOKEN}@") + "/lab/private.git")
    said: list[str] = []
    assert run(store, said=said)[0].error is None
    assert texts(store, "text") == ["1", "2"]
    assert all(request.authorization.startswith("Basic ") for request in server.requests)
    store.board_file("text").unlink()
    stored = b"".join(path.read_bytes() for path in store.root.rglob("*") if path.is_file())
    assert TOKEN.encode() not in stored and TOKEN not in "".join(said)


def test_logins_are_split_off():
    settings = login_settings("https://h/a", "m@e", "p w")
    assert split_login("https://m%40e:p%20w@h/a") == ("https://h/a", settings)
    assert next(iter(settings)) == "http.https://h/.extraHeader"
    assert split_login("ssh://git:pw@h:22/a@b") == ("ssh://git@h:22/a@b", {})
    assert split_login("git@h:a/b") == ("git@h:a/b", {})


def test_settings_of_others_do_not_reach_git(store, repo, tmp_path, monkeypatch):
    hostile = tmp_path / "config"
    hostile.write_text(
        f'[core]\n\thooksPath = {tmp_path}\n[url "file:///nowhere"]\n\tinsteadOf = /\n'
    )
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", str(hostile))
    monkeypatch.setenv("GIT_DIR", str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_OBJECT_DIRECTORY", str(tmp_path / "elsewhere"))
    track(store, "text", repo.folder)
    assert run(store)[0].error is None
    assert texts(store, "text") == ["1", "2"]
    assert os.environ["GIT_DIR"] == str(tmp_path / "elsewhere")
    assert not (tmp_path / "elsewhere").exists()


def test_a_half_made_repository_is_finished(store, repo):
    track(store, "text", repo.folder)
    store.objects(store.board("text")).folder.mkdir(parents=True)
    assert run(store)[0].new_versions == 2


def test_git_lfs_of_a_local_repository(store, git_repo):
    """Its content is read there; a file that was not fetched stays a pointer and says what to do."""
    content = b"entry,score\nmoss,1\n"
    digest = hashlib.sha256(content).hexdigest()
    repo = git_repo()
    repo.commit({"board.json": Pointer("ab" * 32, 7).written()}, day(1))
    repo.commit({"board.json": Pointer(digest, len(content)).written()}, day(2))
    place = repo.folder / "lfs/objects" / digest[:2] / digest[2:4] / digest
    place.parent.mkdir(parents=True)
    place.write_bytes(content)
    track(store, "text", repo.folder)
    assert run(store)[0].error is None
    (_, first, _), second = states(store, "text")
    assert (first, second) == ("pointer", (content.decode(), "published", False))
    assert "has not fetched the content" in store.versions("text")["why"][0].as_py()


def test_a_symbolic_link_to_a_board_and_a_submodule_are_said(store, repo, tmp_path):
    """What a repository names elsewhere is not looked at."""
    other = "ab" * 20
    blob = repo.git("hash-object", "-w", "--stdin")
    repo.git("update-index", "--add", "--cacheinfo", f"160000,{other},board.json")
    repo.git("update-index", "--add", "--cacheinfo", f"100644,{blob},.gitmodules")
    tree = repo.git("write-tree")
    person = ("-c", "user.name=A", "-c", "user.email=a@example.org")
    commit = repo.git(*person, "commit-tree", "-p", repo.tip, "-m", "m", tree)
    repo.git("update-ref", "refs/heads/main", commit)
    track(store, "text", repo.folder)
    outcome = run(store)[0]
    assert (outcome.error, outcome.new_versions) == (None, 3)
    assert states(store, "text")[-1][1] == "unavailable"


def test_a_shallow_clone_that_is_completed_later(store, git_repo, tmp_path):
    """Its versions are those from the cut on; then those before, and nothing counts as rewritten."""
    repo = git_repo()
    for number in range(1, 5):
        repo.commit({"board.json": str(number)}, day(number))
    repo.git("clone", "--quiet", "--depth=2", repo.url, str(tmp_path / "clone"))
    track(store, "text", tmp_path / "clone")
    assert run(store)[0].error is None
    assert texts(store, "text") == ["3", "4"]
    repo.git("-C", str(tmp_path / "clone"), "fetch", "--quiet", "--unshallow")
    outcome = run(store)[0]
    assert (outcome.error, outcome.rewritten, outcome.vanished) == (None, False, 0)
    assert texts(store, "text") == ["1", "2", "3", "4"]


def test_many_at_once(store, git_repo, server, monkeypatch):
    """Side by side in threads, while the environment holds what must not reach git."""
    repos = [git_repo() for _ in range(6)]
    for number, repo in enumerate(repos):
        repo.commit({"board.json": str(number)}, day(1))
    monkeypatch.setenv("GIT_DIR", "/nowhere")
    monkeypatch.setenv("GIT_WORK_TREE", "/nowhere")
    for number, repo in enumerate(repos):
        server.add(f"lab/board{number}.git", repo)
        track(store, f"text{number}", f"{server.url}/lab/board{number}.git")
    assert [outcome.error for outcome in run(store)] == [None] * 6
    assert [texts(store, f"text{number}") for number in range(6)] == [[str(n)] for n in range(6)]
    assert os.environ["GIT_DIR"] == "/nowhere"
