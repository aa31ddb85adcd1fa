"""A disk that is full or read-only, two crawls at once, clocks that are wrong: nothing is lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner

from app.cli import cli
from crawler.store import Store
from tests.crawler.tracked import texts
from tests.histories import History
from tests.hub.faults import silent
from tests.hub.server import HubServer

TABLE = '[table]\nentry = "entry"\nscore = "score"\ndirection = "higher"\n'
VIA = {"git": [], "api": ["--via", "api"], "url": []}
LEFT = {"git": 4, "api": 4, "url": 2}  # versions after all three days: a poll sees the newest


def content(number: int) -> str:
    rows = (f"model-{row:03},{(row * 7919 + number * 31) % 1000 / 10}" for row in range(250))
    return "\n".join(["entry,score", *rows, ""])


def day(number: int) -> str:
    return f"2026-10-{number:02}T12:00:00Z"


def define(store: Path, name: str, kind: str, repo: object) -> None:
    folder = store / name
    folder.mkdir(parents=True)
    source = f'[source]\nkind = "{kind}"\nrepo = "{repo}"\npaths = ["board.csv"]\n'
    typed = 'repo_type = "space"\n' if kind == "hub" else ""
    (folder / "board.toml").write_text(source + typed + TABLE)


def command(store: Path, *arguments: str):
    return CliRunner().invoke(cli, ["--store", str(store), *arguments])


def crawl(store: Path, way: str = "git", *boards: str):
    return command(store, "crawl", *boards, *VIA[way], "--json")


def program(
    store: Path, *arguments: str, before: Sequence[str] = (), **more
) -> subprocess.Popen[str]:
    """The program as a scheduler runs it."""
    call = [*before, sys.executable, "-m", "app", "--store", str(store), *arguments]
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    return subprocess.Popen(call, **pipes, **more)


def new_versions(result) -> list[int]:
    return [one["new_versions"] for one in json.loads(result.stdout)["boards"]]


def one_line(text: str) -> str:
    """The one line that an error is."""
    (line,) = text.splitlines()
    return line


@pytest.fixture(scope="module")
def bases(tmp_path_factory):
    """A store for each way that has seen the first of four days."""
    folder = tmp_path_factory.mktemp("disk")
    repo = History(folder / "repo.git")
    with pytest.MonkeyPatch.context() as patch, HubServer() as hub:
        patch.setenv("HF_ENDPOINT", hub.url)
        hub.add("spaces/lab/board", repo)

        def publish(number: int) -> None:
            repo.commit({"board.csv": content(number)}, day(number))
            hub.files["/board.csv"] = content(number).encode()

        publish(1)
        sources = {"git": ("hub", "lab/board"), "url": ("url", f"{hub.url}/board.csv")}
        for way in VIA:
            define(folder / way, "board", *sources.get(way, sources["git"]))
            assert crawl(folder / way, way).exit_code == 0
        for number in (2, 3, 4):
            publish(number)
        yield {way: folder / way for way in VIA}


@pytest.fixture
def disk(tmp_path) -> Iterator[Path]:
    """A small disk of the test's own, where this may be had."""
    place = tmp_path / "disk"
    place.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=4m,mode=0777", "none", str(place)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True).returncode:
        pytest.skip("no file system can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", "-l", str(place)], check=True)


def fill(disk: Path, left: int) -> Path:
    """A file that leaves so many bytes free."""
    there = os.statvfs(disk)
    ballast = disk / "ballast"
    ballast.write_bytes(b"x" * (there.f_bavail * there.f_frsize - left))
    return ballast


# By so many free KiB each step fails once: the mark of a fetch, the pack, the references, the
# line, the versions, the readings, the scores; with 60 there is room enough.
FREE = (0, 4, 8, 12, 16, 20, 24, 32, 40, 60)
FULL = ("No space left on device", "Out of diskspace", "the disk is full", "cannot be written")


@pytest.mark.parametrize("way", VIA)
def test_a_full_disk_loses_nothing_wherever_it_is_met(bases, disk, way):
    places = set()
    for free in FREE:
        store = disk / f"store-{free}"
        shutil.copytree(bases[way], store)
        ballast = fill(disk, free * 1024)
        result = crawl(store, way)
        had = texts(Store(store), "board")
        ballast.unlink()
        assert had[0] == content(1)
        if result.exit_code:
            assert (result.exit_code, result.stdout) == (1, ""), result.exception
            line = one_line(result.stderr)
            assert any(sign in line for sign in FULL), line
            assert "locked" not in line
            assert line.startswith("board: ") and "board: [Errno" not in line
            places.add(line.replace(str(store), "").split("(")[0])
        else:
            assert len(had) == LEFT[way]
        after = crawl(store, way)
        assert after.exit_code == 0, after.stderr
        assert texts(Store(store), "board")[-1] == content(4)
        assert len(texts(Store(store), "board")) == LEFT[way]
        assert command(store, "verify").exit_code == 0
        shutil.rmtree(store)
    assert len(places) >= 2, "it has to fail at several steps"
    assert free == 60 and result.exit_code == 0


def test_the_program_says_that_the_disk_is_full(bases, disk):
    store = disk / "store"
    shutil.copytree(bases["git"], store)
    fill(disk, 4096)
    process = program(store, "crawl", "--json")
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (1, "")
    assert "the disk is full" in one_line(stderr)


@pytest.mark.parametrize("way", VIA)
def test_a_read_only_store_is_told_and_read(bases, disk, way):
    store = disk / "store"
    shutil.copytree(bases[way], store)
    subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
    process = program(store, "crawl", *VIA[way], "--json")
    stdout, stderr = process.communicate(timeout=60)
    assert (process.returncode, stdout) == (1, "")
    assert "Read-only file system" in one_line(stderr)
    assert str(store) in stderr and "Look at" in stderr
    assert command(store, "standings", "board").exit_code == 0
    assert command(store, "boards").exit_code == 0
    assert command(store, "verify").exit_code == 0
    subprocess.run(["mount", "-o", "remount,rw", str(disk)], check=True)
    assert crawl(store, way).exit_code == 0
    assert len(texts(Store(store), "board")) == LEFT[way]


# Root may write everywhere; without these two rights it may write what its owner may.
WITHOUT_ROOT = ["setpriv", "--bounding-set=-dac_override,-dac_read_search"]


def test_a_store_without_the_right_to_write_is_told(bases, tmp_path):
    bare = WITHOUT_ROOT if os.getuid() == 0 else []
    if bare and (shutil.which("setpriv") is None or subprocess.run([*bare, "true"]).returncode):
        pytest.skip("root cannot give its rights away here")
    store = tmp_path / "store"
    shutil.copytree(bases["git"], store)
    folders = [store, *(place for place in store.rglob("*") if place.is_dir())]
    files = [place for place in store.rglob("*") if place.is_file()]
    for place in [*files, *folders]:
        place.chmod(0o555 if place.is_dir() else 0o444)
    process = program(store, "crawl", "--json", before=bare)
    stdout, stderr = process.communicate(timeout=60)
    for place in [*folders, *files]:
        place.chmod(0o755 if place.is_dir() else 0o644)
    assert (process.returncode, stdout) == (1, "")
    assert "Permission denied" in one_line(stderr)
    assert "Look at" in stderr
    assert crawl(store).exit_code == 0
    assert len(texts(Store(store), "board")) == LEFT["git"]


# --- two at once -------------------------------------------------------------------------------


@pytest.mark.parametrize("same", ["board", "source"])
def test_of_two_crawls_at_once_one_is_told_to_wait(tmp_path, git_repo, monkeypatch, same):
    store, repo = tmp_path / "store", git_repo()
    repo.commit({"board.csv": content(1)}, day(1))
    with HubServer() as hub:
        hub.add("lab/board.git", repo)
        second = "board" if same == "board" else "other"
        for name in {"board", second}:
            define(store, name, "git", f"{hub.url}/lab/board.git")
        hub.faults.append(silent(on="git"))
        first = program(store, "crawl", "board", "--json")
        until = time.monotonic() + 30
        while not hub.requests and time.monotonic() < until:
            time.sleep(0.02)
        busy = program(store, "crawl", second, "--json")
        stdout, stderr = busy.communicate(timeout=60)
        assert (busy.returncode, stdout) == (6, "")
        assert "another run is at work on it" in one_line(stderr)
        first.terminate()
        first.communicate(timeout=60)
        assert first.returncode == 130
        assert new_versions(crawl(store)) == [1] * len({"board", second})
        assert new_versions(crawl(store)) == [0] * len({"board", second})
        assert command(store, "verify").exit_code == 0
        outcomes = [one["outcome"] for one in Store(store).attempts(second)]
        assert "locked" in outcomes and outcomes[-1] == "ok"


# --- clocks ------------------------------------------------------------------------------------


def test_commits_from_the_future_are_kept_in_their_order(tmp_path, git_repo):
    store, repo = tmp_path / "store", git_repo()
    for at in ("2026-10-01T12:00:00Z", "2099-01-01T00:00:00Z", "2026-10-02T12:00:00Z"):
        repo.commit({"board.csv": content(int(at[8:10]) + int(at[:4]))}, at)
    define(store, "board", "git", repo.folder)
    assert new_versions(crawl(store)) == [3]
    repo.commit({"board.csv": content(9)}, "2026-10-03T12:00:00Z")
    assert new_versions(crawl(store)) == [1]
    assert [int(text == content(9)) for text in texts(Store(store), "board")] == [0, 0, 0, 1]
    assert command(store, "standings", "board").exit_code == 0
    assert command(store, "reigns", "board").exit_code == 0
    assert command(store, "verify").exit_code == 0


def shift_attempts(store: Path, by: timedelta) -> None:
    """What a machine would have written down whose clock ran ahead."""
    file = store / "board" / "crawls.jsonl"
    lines = [json.loads(line) for line in file.read_text().splitlines()]
    for line in lines:
        for key in ("started", "finished"):
            line[key] = (datetime.fromisoformat(line[key]) + by).isoformat()
    file.write_text("".join(f"{json.dumps(line)}\n" for line in lines))


@pytest.mark.parametrize("way", VIA)
def test_a_clock_that_was_set_back_loses_nothing(bases, tmp_path, way):
    store = tmp_path / "store"
    shutil.copytree(bases[way], store)
    shift_attempts(store, timedelta(days=400))
    assert command(store, "boards").exit_code == 0
    result = crawl(store, way)
    assert result.exit_code == 0
    assert len(texts(Store(store), "board")) == LEFT[way]
    told = json.loads(command(store, "boards", "--json").stdout)["boards"][0]
    attempt = datetime.fromisoformat(told["last_attempt"])
    assert abs(attempt - datetime.now(UTC)) < timedelta(minutes=5)
    assert told["last_success"] == told["last_attempt"]
    assert command(store, "standings", "board").exit_code == 0
    assert command(store, "verify").exit_code == 0


def test_a_last_look_in_the_future_is_no_fresh_one(bases, tmp_path):
    """The alarm is for boards that nobody looks at any more; the future must not silence it."""
    store = tmp_path / "store"
    shutil.copytree(bases["git"], store)
    shift_attempts(store, timedelta(days=400))
    assert command(store, "boards", "--fail-stale", "36h").exit_code == 5


@pytest.mark.parametrize("zone", ["Asia/Kathmandu", "America/St_Johns"])
def test_the_zone_of_the_machine_changes_nothing(bases, tmp_path, zone):
    stores = [tmp_path / name for name in ("here", "there")]
    for store, where in zip(stores, ("UTC", zone), strict=True):
        shutil.copytree(bases["git"], store)
        process = program(store, "crawl", "--json", env={**os.environ, "TZ": where})
        _, stderr = process.communicate(timeout=60)
        assert process.returncode == 0, stderr
    here, there = (Store(store).versions("board").drop_columns("observed_at") for store in stores)
    assert there.to_pylist() == here.to_pylist()
    last = Store(stores[1]).confirmed_until("board")
    assert last is not None and abs(last - datetime.now(UTC)) < timedelta(minutes=5)
    assert command(stores[1], "verify").exit_code == 0
