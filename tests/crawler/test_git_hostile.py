"""Hostile addresses, branches and repositories: nothing of theirs is ever run or followed."""

from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from crawler.board import BoardError
from crawler.git.calls import Remote
from crawler.git_source import fetch_branch
from crawler.objects import Objects
from crawler.source import CrawlError
from crawler.store import Store
from crawler.work import Work
from tests.crawler.tracked import run, texts, track
from tests.hub import faults
from tests.hub.server import TOKEN, HubServer


@pytest.fixture
def objects(tmp_path):
    return Objects(tmp_path / "source" / "objects.git")


@pytest.fixture
def store(tmp_path):
    return Store(tmp_path / "store")


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    repo.commit({"board.json": "1"}, "2026-10-01T12:00:00Z")
    repo.commit({"board.json": "2"}, "2026-10-02T12:00:00Z")
    return repo


@pytest.fixture
def pwned(tmp_path):
    """A file that no test may make."""
    place = tmp_path / "pwned"
    yield place
    assert not place.exists()


ADDRESSES = [
    'ext::sh -c "touch {pwned}"',
    "ext::sh -c touch% {pwned}",
    "ext://sh -c touch {pwned}",
    "fd::17/x",
    "::{pwned}",
    "transport-helper::x",
    "--upload-pack=touch {pwned}",
    "-utouch {pwned}",
    "--output={pwned}",
    "-o{pwned}",
    "-c core.sshCommand=touch {pwned}",
    "ssh://-oProxyCommand=touch$IFS{pwned}/x",
    "ssh://user@-oProxyCommand=touch$IFS{pwned}/x",
    "-oProxyCommand=touch$IFS{pwned}:x",
    "git://-x/{pwned}",
    "ssh://127.0.0.1/-x;touch {pwned}",
    "unknown://x/{pwned}",
    "ftp://127.0.0.1:9/x",
    "file://{pwned}/../none",
    "$(touch {pwned})",
    "`touch {pwned}`",
    "http://127.0.0.1:9/$(touch {pwned})",
]


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_is_no_command(store, objects, pwned, address):
    """Not even where the definition of a board would have let it through."""
    address = address.format(pwned=pwned)
    with pytest.raises(CrawlError) as caught:
        fetch_branch(objects, address, "", Work())
    assert str(caught.value).endswith(".")
    try:
        track(store, "text", address)
        outcomes = run(store)
    except BoardError:
        return
    assert [outcome.status for outcome in outcomes] == ["failed"]


@pytest.mark.parametrize(
    "branch",
    [
        "--upload-pack=touch {pwned}",
        "-x",
        "main:refs/seen/x",
        "*",
        "a..b",
        "main^{{/x}}",
        "@",
        "$(touch {pwned})",
    ],
)
def test_a_branch_is_no_command_and_no_pattern(objects, repo, pwned, branch):
    with pytest.raises(CrawlError):
        fetch_branch(objects, str(repo.folder), branch.format(pwned=pwned), Work())
    kept = objects.run("for-each-ref", "--format=%(refname)").decode()
    assert kept == ""


def test_the_configuration_of_a_local_source_runs_nothing(objects, repo, pwned):
    """git runs a part of itself in the source, which reads what is configured there."""
    tip = repo.commit({".gitattributes": "* filter=x diff=x\n"}, "2026-10-03T12:00:00Z")
    touch = f"touch {pwned}"
    for name in (
        "core.fsmonitor",
        "core.sshCommand",
        "core.gitProxy",
        "core.pager",
        "core.editor",
        "core.alternateRefsCommand",
        "uploadpack.packObjectsHook",
        "credential.helper",
        "diff.external",
        "filter.x.smudge",
        "remote.origin.uploadpack",
        "remote.source.uploadpack",
        "alias.fetch",
        "gpg.program",
    ):
        repo.git("config", name, f"!{touch}" if name.startswith(("alias", "cred")) else touch)
    repo.git("config", "core.hooksPath", str(repo.folder / "hooks"))
    hooks = repo.folder / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-receive", "post-update", "reference-transaction", "post-checkout", "update"):
        (hooks / name).write_text(f"#!/bin/sh\n{touch}\n")
        (hooks / name).chmod(0o755)
    assert fetch_branch(objects, str(repo.folder), "", Work()) == tip
    assert fetch_branch(objects, repo.url, "", Work(), anew=True) == tip


def test_a_source_that_lacks_objects_fetches_them_from_nobody(objects, repo, tmp_path, pwned):
    """A partial clone names where the rest is; git would ask that address, with a helper too."""
    shutil.copytree(repo.folder, tmp_path / "partial.git")
    partial = tmp_path / "partial.git"
    blob = repo.git("rev-parse", "main:board.json")

    def git(*arguments: str) -> None:
        subprocess.run(["git", "-C", str(partial), *arguments], check=True, capture_output=True)

    git("repack", "-a", "-d", "-q")
    (pack,) = (partial / "objects/pack").glob("*.pack")
    data = pack.read_bytes()
    for file in list((partial / "objects/pack").iterdir()):
        file.unlink()
    subprocess.run(["git", "-C", str(partial), "unpack-objects", "-q"], input=data, check=True)
    (partial / "objects" / blob[:2] / blob[2:]).unlink()
    for name, value in (
        ("core.repositoryFormatVersion", "1"),
        ("extensions.partialClone", "origin"),
        ("remote.origin.promisor", "true"),
        ("remote.origin.url", f"ext::touch {pwned}"),
        ("remote.origin.uploadpack", f"touch {pwned}; git-upload-pack"),
        ("protocol.ext.allow", "always"),
    ):
        git("config", name, value)
    with pytest.raises(CrawlError):
        fetch_branch(objects, str(partial), "", Work())


def test_submodules_are_not_fetched(objects, repo, tmp_path, pwned):
    with HubServer() as server:
        modules = f'[submodule "x"]\n\tpath = x\n\turl = {server.url}/lab/sub.git\n'
        modules += f"\tupdate = !touch {pwned}\n"
        work = tmp_path / "work"
        subprocess.run(["git", "clone", "-q", repo.url, str(work)], check=True)
        (work / ".gitmodules").write_text(modules)

        def git(*arguments: str) -> None:
            person = ("-c", "user.name=A", "-c", "user.email=a@example.org")
            subprocess.run(["git", "-C", str(work), *person, *arguments], check=True)

        git("add", ".gitmodules")
        git("update-index", "--add", "--cacheinfo", f"160000,{'ab' * 20},x")
        git("commit", "-q", "-m", "m")
        git("config", "fetch.recurseSubmodules", "true")
        tip = fetch_branch(objects, str(work), "", Work())
        assert objects.run("ls-tree", "--name-only", tip).split() == [
            b".gitmodules",
            b"board.json",
            b"x",
        ]
        assert server.requests == []


def test_objects_that_a_local_source_borrows_are_copied(objects, repo, tmp_path, git_repo):
    """What its alternates or links lead to counts as its own; ours stands alone afterwards."""
    borrowing = git_repo()
    (borrowing.folder / "objects/info").mkdir(exist_ok=True)
    (borrowing.folder / "objects/info/alternates").write_text(f"{repo.folder / 'objects'}\n")
    borrowing.git("update-ref", "refs/heads/main", repo.tip)
    linked = git_repo()
    shutil.rmtree(linked.folder / "objects")
    (linked.folder / "objects").symlink_to(repo.folder / "objects")
    linked.git("update-ref", "refs/heads/main", repo.tip)
    tip = repo.tip
    assert fetch_branch(objects, str(borrowing.folder), "", Work()) == tip
    other = Objects(tmp_path / "other" / "objects.git")
    assert fetch_branch(other, str(linked.folder), "", Work()) == tip
    shutil.rmtree(repo.folder)
    for ours in (objects, other):
        ours.run("fsck", "--strict")
        assert not (ours.folder / "objects/info/alternates").exists()
        assert not any(place.is_symlink() for place in ours.folder.rglob("*"))


def test_settings_of_the_environment_do_not_reach_git(objects, repo, tmp_path, pwned, monkeypatch):
    for name, value in {
        "GIT_DIR": str(tmp_path / "elsewhere"),
        "GIT_CONFIG_COUNT": "1",
        "GIT_CONFIG_KEY_0": "core.sshCommand",
        "GIT_CONFIG_VALUE_0": f"touch {pwned}",
        "GIT_CONFIG_PARAMETERS": f"'core.gitProxy'='touch {pwned}'",
        "GIT_PROXY_COMMAND": f"touch {pwned}",
        "GIT_SSH": f"touch {pwned}",
        "GIT_ALLOW_PROTOCOL": "ext:file",
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(tmp_path),
        "GIT_TRACE": str(pwned),
        "GIT_TRACE_CURL": str(pwned),
    }.items():
        monkeypatch.setenv(name, value)
    assert fetch_branch(objects, str(repo.folder), "", Work())
    for address in ("ssh://127.0.0.1:9/x", "git://127.0.0.1:9/x", "ext::sh -c x"):
        with pytest.raises(CrawlError):
            fetch_branch(objects, address, "", Work())
    assert os.environ["GIT_DIR"] == str(tmp_path / "elsewhere")


def test_a_login_does_not_follow_a_redirect(store, repo):
    with HubServer() as server:
        server.add("lab/private.git", repo, private=True)
        server.faults.append(faults.redirect(server.elsewhere.url, on="git", times=faults.ALWAYS))
        track(store, "text", server.url.replace("//", f"//me:{TOKEN}@") + "/lab/private.git")
        outcome = run(store)[0]
        assert "it has moved" in outcome.error
        assert TOKEN not in outcome.error
        assert server.log("elsewhere") == []


def test_a_login_is_in_no_list_of_processes(store, repo, tmp_path, monkeypatch):
    """A git of our own writes down how it is called; the real one does the work."""
    real = shutil.which("git")
    (tmp_path / "bin").mkdir()
    fake = tmp_path / "bin" / "git"
    fake.write_text(f'#!/bin/sh\nprintf "%s\\n" "$*" >>{tmp_path}/calls\nexec {real} "$@"\n')
    fake.chmod(0o755)
    with HubServer() as server:
        server.add("lab/private.git", repo, private=True)
        track(store, "text", server.url.replace("//", f"//me:{TOKEN}@") + "/lab/private.git")
        monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}:{os.environ['PATH']}")
        assert run(store)[0].error is None
    calls = (tmp_path / "calls").read_text()
    assert "fetch --progress" in calls
    assert TOKEN not in calls and "Basic" not in calls
    assert texts(store, "text") == ["1", "2"]


@pytest.mark.parametrize(
    ("address", "scheme"),
    [
        ("HTTPS://h/a", "https"),
        ("git@h:a/b", "ssh"),
        ("ssh://h/a", "ssh"),
        ("git+ssh://h/a", "ssh"),
        ("git://h/a", "git"),
        ("file:///a", "file"),
        ("/a:b/c", "file"),
        ("/a b.bundle", "file"),
    ],
)
def test_the_protocol_of_an_address(address, scheme):
    assert Remote(address).scheme == scheme
