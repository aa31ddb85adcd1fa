from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from threading import Thread

import pyarrow.parquet as pq
import pytest

from crawler.crawl import crawl
from crawler.store import Store
from crawler.work import Work
from history import scores
from history.meaning import read_meaning
from history.scores import bulk
from tests.histories import History
from tests.history.definitions import TABLE

ROOT = Path(__file__).parents[3]
SIZE = 2_600
PERSON = "A Tester <tester@example.org>"


class Garden:
    """A store with one long board."""

    def __init__(self, root: Path):
        self.store = Store(root)
        self.board = self.store.board("garden")
        self.meaning = read_meaning(self.board)

    def define(self, text: str) -> None:
        with self.store.board_file("garden").open("a", encoding="utf-8") as file:
            file.write(text)
        self.__init__(self.store.root)

    def derive(self, *args) -> dict[str, bytes]:
        scores.derive(self.store, self.board, self.meaning, *args)
        return self.files()

    def files(self) -> dict[str, bytes]:
        """What is derived; hidden files, too."""
        scores_dir = self.store.scores_dir("garden")
        parts = scores_dir.iterdir() if scores_dir.exists() else ()
        whole = self.store.folder("garden").glob("*readings.parquet*")
        return {file.name: file.read_bytes() for file in (*parts, *whole)}


def content(version: int) -> str | None:
    """A small file that is broken, gone or an old one now and then."""
    if version in (700, 1_999, 2_000):
        return None if version == 1_999 else "[{"
    score = version - 50 if version % 100 < 10 else version
    rows = (
        f'{{"model": "{name}", "score": {score % n}.5}}' for n, name in ((97, "fern"), (89, "moss"))
    )
    return f"[{', '.join(rows)}]"


def commits(size: int) -> bytes:
    lines = []
    for version in range(size):
        text = content(version)
        change = "D b.json" if text is None else f"M 100644 inline b.json\ndata {len(text)}\n{text}"
        lines.append(
            f"commit refs/heads/main\ncommitter {PERSON} {1_767_225_600 + 60 * version} +0000\n"
            f"data {len(str(version))}\n{version}\n{change}\nM 100644 inline n\ndata 4\n{version:04}\n"
        )
    return "\n".join(lines).encode()


@pytest.fixture(scope="module")
def upstream(tmp_path_factory) -> History:
    """A repository with 2,600 small versions of a board."""
    repo = History(tmp_path_factory.mktemp("long") / "upstream.git")
    command = ["git", "-C", str(repo.folder), "fast-import", "--quiet"]
    subprocess.run(command, input=commits(SIZE), check=True)
    return repo


def crawled_from(upstream: History, root: Path) -> Garden:
    store = Store(root)
    store.folder("garden").mkdir(parents=True, exist_ok=True)
    source = f'[source]\nkind = "git"\nrepo = "{upstream.folder}"\npaths = ["b.json"]\n'
    store.board_file("garden").write_text(source + TABLE, encoding="utf-8")
    boards = [store.board("garden")]
    assert [o.status for o in crawl(store, boards, work=Work(), derive=lambda _: 0)] == ["ok"]
    return Garden(root)


@pytest.fixture(scope="module")
def crawled(upstream, tmp_path_factory) -> Garden:
    """A store with all versions, none of them read."""
    return crawled_from(upstream, tmp_path_factory.mktemp("crawled") / "store")


@pytest.fixture
def garden(crawled, tmp_path) -> Garden:
    return Garden(shutil.copytree(crawled.store.root, tmp_path / "store"))


def alone(garden: Garden, folder: Path) -> dict[str, bytes]:
    """What one process derives from the same store."""
    copy = Garden(shutil.copytree(garden.store.root, folder))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(bulk, "_START_UP", SIZE)
        scores.derive(copy.store, garden.board, garden.meaning, everything=True)
    return copy.files()


@pytest.fixture(scope="module")
def expected(crawled, tmp_path_factory) -> dict[str, bytes]:
    """What one process derives."""
    return alone(crawled, tmp_path_factory.mktemp("alone") / "store")


@pytest.fixture
def read_here(monkeypatch) -> list[str]:
    """The files that this process reads."""
    read: list[str] = []
    blobs = Store.blobs
    monkeypatch.setattr(Store, "blobs", lambda *a: (read.append(b[0]) or b for b in blobs(*a)))
    return read


@pytest.fixture
def at_the_start(monkeypatch):
    """Do something with each second process as soon as there is one: `at_the_start(action)`."""

    def act(action):
        class Popen(subprocess.Popen):
            def __init__(self, command, *args, **options):
                super().__init__(command, *args, **options)
                if "history.scores.second" in command:
                    action(self, Path(command[-1]))

        monkeypatch.setattr(subprocess, "Popen", Popen)

    return act


def until(condition, seconds: float = 30) -> None:
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited in vain"
        time.sleep(0.002)


@pytest.mark.parametrize(
    ("start", "size", "middle"),
    [
        pytest.param(0, 999, 999, id="one part is read by one process"),
        pytest.param(0, 1_300, 1_300, id="a short second part is not worth a process"),
        pytest.param(0, 2_000, 1_000, id="two parts, one each"),
        pytest.param(0, 3_000, 2_000, id="of three, the second process starts late and reads one"),
        pytest.param(0, 10_000, 5_000, id="of many, half each"),
        pytest.param(999, 2_100, 2_100, id="nearly all would be the second's"),
        pytest.param(500, 2_600, 2_000, id="what is left of a part stays here"),
        pytest.param(2_000, 2_000, 2_000, id="there is nothing to read"),
    ],
)
def test_where_the_second_process_begins(start, size, middle):
    assert bulk.middle_of(start, size) == middle


def test_two_processes_write_what_one_writes(garden, expected, read_here):
    assert garden.derive() == expected
    assert sorted(expected) == [
        *(f"part-{number:05}.parquet" for number in range(3)),
        "readings.parquet",
    ]
    assert 0 < len(read_here) <= 1_000, "the second process read nothing"
    again = garden.derive(None, True)
    assert again == expected


def test_progress_counts_what_both_read(garden):
    told = []
    garden.derive(told.append)
    assert told[-1] == "garden: read 2600 of 2600 versions"
    counts = [int(line.split()[2]) for line in told]
    assert counts == sorted(set(counts)) and not any(count % 200 for count in counts)


def kill_before_it_begins(process, folder):
    process.kill()


def kill_after_its_first_part(process, folder):
    def wait_and_kill():
        until((folder / "1.parquet").exists)
        process.kill()

    Thread(target=wait_and_kill).start()  # it is told to begin only after this


def let_its_last_part_fail(process, folder):
    (folder / "2.parquet" / "in the way").mkdir(parents=True)


@pytest.mark.parametrize(
    "harm",
    [
        pytest.param(kill_before_it_begins, id="killed before it begins"),
        pytest.param(kill_after_its_first_part, id="killed after its first part"),
        pytest.param(let_its_last_part_fail, id="failed at its last part"),
    ],
)
def test_what_the_second_process_did_not_read_is_read_here(garden, expected, at_the_start, harm):
    seen = []
    at_the_start(lambda process, folder: (seen.append((process, folder)), harm(process, folder)))
    told = []
    assert garden.derive(told.append) == expected
    [(process, folder)] = seen
    assert process.returncode is not None
    assert not folder.exists()
    assert told[-1] == "garden: read 2600 of 2600 versions"


def test_a_spare_process_reads(garden, expected, read_here, at_the_start):
    seen = []
    at_the_start(lambda process, folder: seen.append((process, folder)))
    with scores.Spare() as spare:
        scores.derive(garden.store, garden.board, garden.meaning, spare=spare)
        assert len(seen) == 1
        scores.derive(garden.store, garden.board, garden.meaning, everything=True, spare=spare)
        assert len(seen) == 2, "one process reads one board"
    assert garden.files() == expected
    assert 0 < len(read_here) <= 2_000
    assert all(process.returncode is not None and not folder.exists() for process, folder in seen)


def test_a_spare_process_that_nobody_needs_ends(at_the_start):
    seen = []
    at_the_start(lambda process, folder: seen.append((process, folder)))
    with scores.Spare():
        pass
    [(process, folder)] = seen
    assert process.returncode is not None and not folder.exists()


def test_a_spare_process_that_died_is_no_loss(garden, expected, at_the_start):
    at_the_start(lambda process, folder: (process.kill(), process.wait()))
    with scores.Spare() as spare:
        scores.derive(garden.store, garden.board, garden.meaning, spare=spare)
    assert garden.files() == expected


def test_without_room_for_a_second_process(garden, expected, monkeypatch, tmp_path):
    monkeypatch.setattr(sys, "executable", str(tmp_path / "nothing"))
    assert garden.derive() == expected


def test_a_changed_definition(garden, tmp_path, read_here):
    garden.derive()
    garden.define("where = 'score > 20'\n")
    one = alone(garden, tmp_path / "alone")
    read_here.clear()
    assert garden.derive() == one
    assert 0 < len(read_here) <= 1_000


def test_a_definition_that_is_in_no_file(garden, tmp_path, read_here):
    written = garden.store.board_file("garden").read_bytes()
    garden.define("where = 'score > 20'\n")
    garden.store.board_file("garden").write_bytes(written)
    one = alone(garden, tmp_path / "alone")
    read_here.clear()
    assert garden.derive() == one
    assert len(read_here) > 2_000, "the second process knows only what the file says"


def test_going_on_in_the_middle_of_a_part(upstream, expected, tmp_path, read_here):
    repo = History(tmp_path / "upstream.git")
    tip = upstream.tip
    repo.git("fetch", "--quiet", str(upstream.folder), tip)
    repo.git("update-ref", "refs/heads/main", f"{tip}~{SIZE - 500}")
    assert len(crawled_from(repo, tmp_path / "store").derive()) == 2
    repo.git("update-ref", "refs/heads/main", tip)
    garden = crawled_from(repo, tmp_path / "store")
    read_here.clear()
    assert garden.derive().keys() == expected.keys()
    assert 1_000 < len(read_here) <= 1_500
    whole = tmp_path / "whole.parquet"
    for name, data in expected.items():
        whole.write_bytes(data)
        file = garden.store.folder("garden") / ("" if name[0] == "r" else "scores.parquet") / name
        grown = pq.read_table(file, partitioning=None)
        assert grown.to_pylist() == pq.read_table(whole).to_pylist(), name


def test_another_place_for_what_is_derived(garden, expected, tmp_path):
    class Apart(Store):
        def readings_file(self, name):
            return tmp_path / "apart" / "readings.parquet"

        def scores_dir(self, name):
            return tmp_path / "apart"

    scores.derive(Apart(garden.store.root), garden.board, garden.meaning)
    apart = {file.name: file.read_bytes() for file in (tmp_path / "apart").iterdir()}
    assert (apart, garden.files()) == (expected, {})


def test_nothing_in_the_current_folder_is_run(garden, expected, tmp_path, monkeypatch, read_here):
    folder, ran = tmp_path / "hostile", tmp_path / "ran"
    for name in ("history/__init__", "history/scores/second", "json", "numpy", "usercustomize"):
        file = folder / f"{name}.py"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(f"open({str(ran)!r}, 'w')\n", encoding="utf-8")
    monkeypatch.chdir(folder)
    monkeypatch.setenv("PYTHONPATH", "")
    assert garden.derive() == expected
    assert 0 < len(read_here) <= 1_000
    assert not ran.exists()


# The second process waits, so that it is there for certain when the first one ends.
FIRST = """
import signal, subprocess, sys, time
from pathlib import Path
from crawler.store import Store
from history import meaning, scores

class Popen(subprocess.Popen):
    def __init__(self, command, *args, **options):
        super().__init__(command, *args, **options)
        if "history.scores.second" in command:
            self.send_signal(signal.SIGSTOP)
            print(self.pid, command[-1], flush=True)

def wait(_):
    print("reading", flush=True)
    for _ in range(600):  # a signal just before a long sleep would wait for its end
        time.sleep(0.1)

subprocess.Popen = Popen
signal.signal(signal.SIGINT, signal.default_int_handler)
store = Store(Path(sys.argv[1]))
board = store.board("garden")
scores.derive(store, board, meaning.read_meaning(board), wait)
"""


@pytest.mark.parametrize(
    "number",
    [
        pytest.param(signal.SIGINT, id="Ctrl-C"),
        pytest.param(signal.SIGTERM, id="terminated"),
        pytest.param(signal.SIGKILL, id="killed"),
    ],
)
def test_the_second_process_ends_with_the_first(garden, expected, number):
    command = [sys.executable, "-c", FIRST, str(garden.store.root)]
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as first:
        pid, folder = first.stdout.readline().split()
        assert first.stdout.readline() == "reading\n"
        assert Path(folder).is_dir()
        first.send_signal(number)
        first.wait()
        if number == signal.SIGINT:
            with pytest.raises(ProcessLookupError):
                os.kill(int(pid), 0)
        else:
            os.kill(int(pid), signal.SIGCONT)
        until(lambda: not Path(folder).exists())
    assert garden.files() == {}
    assert garden.derive() == expected
