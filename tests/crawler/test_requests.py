"""How many requests and how much room does a long history cost, by git and by the API?"""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from crawler.crawl import How, Outcome, crawl
from crawler.store import Store
from crawler.work import Work
from tests.crawler.tracked import track
from tests.histories import History
from tests.hub.server import HubServer
from tests.tools.bench_board import FILE, START, STEP, SyntheticBoard

MOST_ROOM = 0.03  # of the versions' sizes, added up
FIRST_BY_GIT, NOTHING_NEW = 6, 2


def make_board(folder: Path, commits: int, contents: int) -> History:
    """A repository in which some commits set the board back to what it was before."""
    history = History(folder / "upstream.git")
    board, texts, back = SyntheticBoard(229), [], commits - contents
    command = ["git", "-C", str(history.folder), "fast-import", "--quiet", "--force"]
    with subprocess.Popen(command, stdin=subprocess.PIPE) as git:
        assert git.stdin
        for number in range(commits):
            if back and number > 2 and number % (commits // (commits - contents)) == 2:
                back -= 1
                text = texts[0]
            else:
                board.step()
                text = board.file(number)
            texts = [*texts[-2:], text]
            head = f"commit refs/heads/main\ncommitter B <b@example.org> {START + STEP * number} +0000\n"
            git.stdin.write(head.encode() + b"data 6\nupdate\n")
            git.stdin.write(f"M 100644 inline {FILE}\ndata {len(text)}\n".encode() + text + b"\n")
        git.stdin.close()
        assert git.wait() == 0
    assert back == 0
    return history


def look(store: Store, via: str) -> Outcome:
    boards = [store.board("long")]
    how = How(via=via)
    (outcome,) = crawl(store, boards, work=Work(), derive=lambda _: 0, how=how)
    assert outcome.status == "ok", outcome.error
    return outcome


def room(store: Store) -> float:
    """What all objects take on disk, against the sizes of the versions."""
    folder = store.objects(store.board("long")).folder
    taken = sum(file.stat().st_blocks * 512 for file in folder.rglob("*") if file.is_file())
    return taken / sum(store.versions("long")["size"].to_pylist())


def check_costs(folder: Path, hub: HubServer, commits: int, contents: int) -> None:
    hub.add("spaces/lab/board", make_board(folder, commits, contents))
    stores = {via: Store(folder / via) for via in ("git", "api")}
    for via, store in stores.items():
        track(store, "long", "lab/board", FILE, kind="hub")
        hub.count()
        assert look(store, via).versions == commits
        if via == "git":
            assert hub.count() <= FIRST_BY_GIT
        else:
            asked = [one.path for one in hub.log("resolve") if "/resolve/" in one.path]
            assert len(asked) == len(set(asked)) == contents
            # is there news, the list, and the files at each commit
            assert hub.tally()["api"] <= commits + 1 + -(-commits // 50)
        assert room(store) <= MOST_ROOM
        hub.count()
        assert look(store, via).new_versions == 0
        assert hub.count() <= NOTHING_NEW
    versions = [store.versions("long")["blob"].to_pylist() for store in stores.values()]
    assert versions[0] == versions[1]
    assert len(set(versions[0])) == contents


@pytest.fixture
def hub(monkeypatch):
    with HubServer() as hub:
        monkeypatch.setenv("HF_ENDPOINT", hub.url)
        yield hub


def test_a_short_history(tmp_path, hub):
    check_costs(tmp_path, hub, 150, 142)


@pytest.mark.long
@pytest.mark.timeout(600)
def test_a_long_history(tmp_path, hub):
    check_costs(tmp_path, hub, 2000, 1902)
