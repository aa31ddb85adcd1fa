"""When a fetch cannot go on from what is here, all of it is fetched anew and nothing is lost."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import pytest

from crawler.git_source import fetch_branch
from crawler.objects import Objects, StoreError
from crawler.source import CrawlError
from crawler.work import Work
from tests.crawler.tracked import add_many
from tests.hub import faults
from tests.hub.server import HubServer, squash

ROOT = Path(__file__).parents[2]
PACK = "POST */git-upload-pack"  # the first asks for the references, the second for the pack


@pytest.fixture
def objects(tmp_path):
    return Objects(tmp_path / "source" / "objects.git")


@pytest.fixture
def repo(git_repo):
    repo = git_repo()
    add_many(repo, [f"{number}\n" + "a long line that stays\n" * 40 for number in range(60)])
    return repo


@pytest.fixture
def server(repo):
    with HubServer() as server:
        server.add("lab/board.git", repo)
        yield server


def fetch(objects, server, said: list[str] | None = None, **options: bool) -> str:
    work = Work(said.append) if said is not None else Work()
    return fetch_branch(objects, f"{server.url}/lab/board.git", "", work, **options)


def count(objects, tip: str) -> int:
    return int(objects.run("rev-list", "--count", tip))


@pytest.mark.parametrize("harder", [False, True], ids=["asked without", "asked for all"])
def test_a_long_question_that_is_mishandled(objects, server, repo, harder):
    """After a squash git names all that it has; a question that long is compressed."""
    old = fetch(objects, server)
    new = squash(repo, "2026-10-04T12:00:00Z")
    server.mishandles_gzip = True
    server.requests.clear()
    if harder:  # the second question is answered with half a pack
        server.faults.append(faults.cut(0.5, on=PACK, after=3))
    said: list[str] = []
    assert fetch(objects, server, said) == new
    assert any(request.compressed for request in server.requests)
    assert (count(objects, old), count(objects, new)) == (60, 1)
    assert any("anew" in line for line in said) == harder
    seen = objects.run("for-each-ref", "--format=%(objectname)", "refs/seen").decode().split()
    assert set(seen) == {old, new}
    objects.run("fsck", "--strict")
    assert [path.name for path in objects.folder.parent.iterdir()] == ["objects.git"]


def test_a_pack_that_is_cut(objects, server, repo):
    fetch(objects, server)
    repo.commit({"board.json": os.urandom(30_000)}, "2026-12-01T12:00:00Z")
    server.faults.append(faults.cut(0.5, on=PACK, after=1))
    assert fetch(objects, server) == repo.tip
    assert count(objects, repo.tip) == 61


def test_a_pack_that_is_always_cut_is_one_error_and_loses_nothing(objects, server, repo):
    old = fetch(objects, server)
    repo.commit({"board.json": os.urandom(30_000)}, "2026-12-01T12:00:00Z")
    server.faults.append(faults.cut(0.5, on=PACK, after=1, times=faults.ALWAYS))
    with pytest.raises(CrawlError) as caught:
        fetch(objects, server)
    assert caught.value.passing
    assert (count(objects, old), count(objects, "refs/line/HEAD")) == (60, 60)
    assert [path.name for path in objects.folder.parent.iterdir()] == ["objects.git"]
    server.faults.clear()
    assert fetch(objects, server) == repo.tip


def test_something_that_we_lost_and_the_server_builds_upon(objects, repo):
    """By a path all comes as loose files; the next version comes as a change of one of them."""
    fetch_branch(objects, str(repo.folder), "", Work())
    objects.run("unpack-objects", "-q", given=_pack_away(objects))
    blob = repo.git("rev-parse", "main:board.json")
    (objects.folder / "objects" / blob[:2] / blob[2:]).unlink()
    repo.commit({"board.json": "61\n" + "a long line that stays\n" * 40}, "2026-12-01T12:00:00Z")
    said: list[str] = []
    assert fetch_branch(objects, str(repo.folder), "", Work(said.append)) == repo.tip
    assert any("anew" in line for line in said)
    assert objects.infos([blob])[0].kind == "blob"  # came along
    objects.run("fsck", "--strict")


def test_damage_is_mended_by_all_of_it_anew(objects, server, repo):
    tip = fetch(objects, server)
    for pack in (objects.folder / "objects/pack").iterdir():
        pack.unlink()
    with pytest.raises(StoreError):
        fetch(objects, server)
    assert fetch(objects, server, anew=True) == tip
    objects.run("fsck", "--strict")
    assert count(objects, tip) == 60


def test_killed_in_the_middle_the_next_crawl_cleans_up(objects, server, repo):
    fetch(objects, server)
    repo.commit({"board.json": os.urandom(200_000)}, "2026-12-01T12:00:00Z")
    server.faults.append(faults.silent(0.5, on=PACK, after=1, times=faults.ALWAYS))
    script = (
        "import sys; from pathlib import Path; from crawler.git_source import fetch_branch;"
        "from crawler.objects import Objects; from crawler.work import Work;"
        "fetch_branch(Objects(Path(sys.argv[1])), sys.argv[2], '', Work(), anew=True)"
    )
    address = f"{server.url}/lab/board.git"
    process = subprocess.Popen(
        [sys.executable, "-c", script, str(objects.folder), address], cwd=ROOT
    )
    until = time.monotonic() + 20
    while not _half_a_pack(objects) and time.monotonic() < until:
        time.sleep(0.05)
    assert _half_a_pack(objects)
    process.send_signal(signal.SIGKILL)
    process.wait()
    end_all_of(f"--git-dir={objects.folder}.new-")
    assert len(list(objects.folder.parent.iterdir())) == 2
    server.faults.clear()
    assert fetch(objects, server) == repo.tip
    assert [path.name for path in objects.folder.parent.iterdir()] == ["objects.git"]


def end_all_of(mark: str) -> None:
    """Kill the processes of which an argument begins so, and whatever they started."""
    while groups := _groups_of(mark):  # one that is killed may just have started another
        for group in groups:
            with suppress(OSError):
                os.killpg(group, signal.SIGKILL)
        time.sleep(0.05)


def _groups_of(mark: str) -> set[int]:
    found = set()
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (folder / "cmdline").read_bytes().split(b"\0")
            if any(word.startswith(mark.encode()) for word in words):
                found.add(os.getpgid(int(folder.name)))
    return found


def _half_a_pack(objects) -> bool:
    return bool(list(objects.folder.parent.glob("*.new-*/objects/pack/tmp_pack_*")))


def _pack_away(objects) -> bytes:
    """Take the only pack away, with its bytes."""
    packs = objects.folder / "objects/pack"
    (pack,) = packs.glob("*.pack")
    data = pack.read_bytes()
    for file in list(packs.iterdir()):
        file.unlink()
    return data
