"""What becomes of a repository that moves, is rewritten, or asks for another token?"""

from __future__ import annotations

import json
import shutil
import subprocess
from functools import partial

import pytest

from crawler import git_source
from crawler.git import calls as git_calls
from crawler.store import Store
from tests.crawler.faults.worlds import Before, command, content, crawl, day, outcome
from tests.crawler.tracked import texts
from tests.hub import faults as wrong
from tests.hub.server import ALWAYS, STRANGER, TOKEN, squash


@pytest.mark.parametrize("way", ["git", "api"])
def test_a_renamed_repository_is_followed(world, own, store, way):
    assert crawl(store, way).exit_code == 0
    own.commit({"board.csv": content(3)}, day(3))
    world.hub.add("spaces/grove/own", own)
    world.hub.repos["spaces/lab/own"].moved_to = "spaces/grove/own"
    result = crawl(store, way)
    assert result.exit_code == 0
    assert json.loads(result.stdout)["boards"][0]["new_versions"] == 1
    assert texts(Store(store), "board") == [content(1), content(2), content(3)]
    assert command(store, "verify").exit_code == 0


@pytest.mark.parametrize("way", ["git", "api"])
def test_what_a_squash_deleted_stays_and_is_marked(world, own, store, way):
    assert crawl(store, way).exit_code == 0
    squash(own, day(4))
    own.commit({"board.csv": content(3)}, day(5))
    result = crawl(store, way)
    assert result.exit_code == 0
    told = json.loads(result.stdout)["boards"][0]
    assert (told["vanished"], told["versions"]) == (2, 3)
    assert "the branch was rewritten" in result.stderr
    assert texts(Store(store), "board") == [content(1), content(2), content(3)]
    assert command(store, "verify").exit_code == 0
    assert json.loads(crawl(store, way).stdout)["boards"][0]["new_versions"] == 0


TOKENS = [
    pytest.param("git", STRANGER, "private", id="git: a stranger's token"),
    pytest.param("api", STRANGER, "private", id="api: a stranger's token"),
    pytest.param("git", "hf_staleTOKEN12345", "token is not valid", id="git: a stale token"),
    pytest.param("api", "hf_staleTOKEN12345", "token is not valid", id="api: a stale token"),
    pytest.param("git", "", "private", id="git: no token"),
]


@pytest.mark.parametrize(("way", "token", "said"), TOKENS)
def test_a_token_that_is_not_the_right_one_loses_nothing(
    world, own, store, monkeypatch, way, token, said
):
    world.hub.repos["spaces/lab/own"].private = True
    assert crawl(store, way).exit_code == 0
    was = Before(store)
    own.commit({"board.csv": content(3)}, day(3))
    monkeypatch.setenv("HF_TOKEN", token)
    result = crawl(store, way)
    assert (result.exit_code, result.stdout) == (1, "")
    assert len(result.stderr.splitlines()) == 1
    assert said in result.stderr
    assert token == "" or token not in result.stderr
    was.all_kept(untouched=True)
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    assert crawl(store, way).exit_code == 0
    assert texts(Store(store), "board")[-1] == content(3)


def test_a_large_file_comes_from_its_own_host_without_the_token(world, store):
    shutil.copytree(world.bases["lfs"], store)
    world.hub.requests.clear()
    assert crawl(store, "lfs").exit_code == 0
    seen = world.hub.log("cdn")
    assert [one.authorization for one in seen] == [""]
    assert any(one.authorization for one in world.hub.log("resolve"))


PLAIN = ["git", "-c", "http.followRedirects=initial", "ls-remote"]


def test_git_of_the_hub_follows_no_redirect_for_its_header_would_go_along(world, store):
    """Git sends http.URL.extraHeader to where it is sent; so it must not be sent anywhere."""
    fault = partial(wrong.redirect, world.hub.elsewhere.url, on="git", times=ALWAYS)
    world.hub.faults.append(fault())
    world.hub.requests.clear()
    address = f"{world.hub.url}/spaces/lab/board"
    environment = git_calls.Remote(
        address, git_source.login_settings(address, "user", TOKEN)
    ).environment({})
    asked = subprocess.run([*PLAIN, address], env=environment, capture_output=True, check=False)
    assert asked.returncode == 0
    leaked = [one.authorization for one in world.hub.log("elsewhere")]
    shutil.copytree(world.bases["git"], store)
    world.hub.requests.clear()
    assert outcome(crawl(store, "git"))["error"].endswith("Write the new address.")
    assert any(leaked), "git does not do so any more"
    assert not world.hub.log("elsewhere")
