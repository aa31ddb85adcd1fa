"""The dashboard's process: it is found at its address, and ends when it is told to."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

import pytest

from tests.app.small_board import VERSIONS, plant, run


def free_port() -> int:
    """A port that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def answers(port: int) -> bool:
    """Whether the dashboard is up."""
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/_stcore/health", timeout=2) as page:
            return page.status == 200
    except (urllib.error.URLError, OSError):
        return False


@pytest.mark.parametrize(
    ("number", "code", "last"),
    [
        pytest.param(signal.SIGINT, 130, b"dashboard stopped", id="Ctrl-C"),
        pytest.param(signal.SIGTERM, None, None, id="a service manager"),
    ],
)
def test_it_serves_until_it_is_stopped(tmp_path, number, code, last):
    garden = plant(tmp_path, VERSIONS[:1])
    port = free_port()
    command = [sys.executable, "-m", "app", "--store", str(garden.store)]
    process = subprocess.Popen(
        [*command, "dashboard", "--port", str(port), "--address", "127.0.0.1"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        cwd=Path(__file__).parents[2],
        start_new_session=True,
    )
    try:
        deadline = time.monotonic() + 60
        while not answers(port):
            assert process.poll() is None, process.stderr.read()
            assert time.monotonic() < deadline
            time.sleep(0.1)
        if number == signal.SIGINT:
            os.killpg(process.pid, number)
        else:
            process.send_signal(number)
        out, err = process.communicate(timeout=30)
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
    assert out == b""
    assert f"http://127.0.0.1:{port}".encode() in err.splitlines()[0]
    if code is not None:
        assert (process.returncode, err.splitlines()[-1]) == (code, last)
    assert b"Traceback" not in err
    assert not answers(port)


def test_a_port_that_is_taken(tmp_path):
    garden = plant(tmp_path, VERSIONS[:1], crawl=False)
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        result = run(garden.store, "dashboard", "--port", port, "--address", "127.0.0.1")
    assert (result.exit_code, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)
    assert port in result.stderr
    assert "--port" in result.stderr
