"""Which servers, repositories and stores do the tests of faults share?"""

from __future__ import annotations

from functools import partial

import pytest

from crawler import git_source, objects
from crawler.git import calls as git_calls
from crawler.web import web
from tests.crawler.faults.worlds import World, content, crawl, day, define
from tests.histories import History
from tests.hub.server import TOKEN, Bucket, HubServer


@pytest.fixture(scope="module")
def world(tmp_path_factory):
    folder = tmp_path_factory.mktemp("faults")
    repo, large, calm = (History(folder / f"{name}.git") for name in ("repo", "large", "calm"))
    with pytest.MonkeyPatch.context() as patch, HubServer() as hub:
        patch.setenv("HF_ENDPOINT", hub.url)
        patch.setenv("HF_TOKEN", TOKEN)
        bucket = hub.buckets["lab/board"] = Bucket()

        def publish(number: int) -> None:
            text = content(number)
            for history in (repo, calm):
                history.commit({"board.csv": text}, day(number))
            large.commit({"board.csv": hub.keep_large(text.encode())}, day(number))
            hub.files["/board.csv"] = text.encode()
            bucket.put("board.csv", text.encode())

        publish(1)
        for name, history in (("spaces/lab/board", repo), ("lab/board.git", repo)):
            hub.add(name, history)
        hub.add("spaces/lab/large", large)
        sources = {
            "git": ("hub", "lab/board"),
            "api": ("hub", "lab/board"),
            "host": ("git", f"{hub.url}/lab/board.git"),
            "url": ("url", f"{hub.url}/board.csv"),
            "bucket": ("hub", "lab/board", "bucket"),
            "lfs": ("hub", "lab/large"),
        }
        bases = {}
        for way, source in sources.items():
            bases[way] = folder / way
            define(bases[way], "board", *source)
            define(bases[way], "calm", "git", str(calm.folder))
            assert crawl(bases[way], way).exit_code == 0
        publish(2)
        yield World(hub, bases)


@pytest.fixture(autouse=True)
def impatient(monkeypatch, world):
    """Limits that a test can wait for, and a hub that forgot the case before."""
    short = partial(
        web.Patience, connect=5, idle=0.5, one_try=5, call=10, window=1.0, least=400, tries=3
    )
    monkeypatch.setattr(web, "Patience", partial(short, first_wait=0.02, longest_wait=3))
    monkeypatch.setitem(objects._SETTINGS, "http.lowSpeedTime", "1")
    monkeypatch.setattr(git_calls, "LONGEST_SILENCE", 4.0)
    monkeypatch.setattr(git_source, "WAITS", (0.05, 0.1))
    yield
    world.hub.faults.clear()


@pytest.fixture
def store(tmp_path):
    return tmp_path / "store"


@pytest.fixture
def own(git_repo, world, store):
    """A Space of one test's own, crawled once; its history may be changed."""
    repo = git_repo()
    for number in (1, 2):
        repo.commit({"board.csv": content(number)}, day(number))
    world.hub.add("spaces/lab/own", repo)
    define(store, "board", "hub", "lab/own")
    return repo
