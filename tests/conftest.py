"""What every test stands on: an environment of its own, repositories, a browser if there is one.

The environment is set while this file is read, before anything of the project or of a library
is imported: huggingface_hub, git and Streamlit look at it only once.
"""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import tempfile
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest


def _isolate() -> None:
    """Let no setting, token or cache of the person who runs the tests reach them."""
    home = tempfile.mkdtemp(prefix="ranktrail-tests-")
    atexit.register(shutil.rmtree, home, ignore_errors=True)
    for name in list(os.environ):
        if name.startswith(("GIT_", "HF_", "HUGGING", "RANKTRAIL_STORE", "STREAMLIT_", "XDG_")):
            del os.environ[name]
    os.environ.update(
        HOME=home,
        HF_HOME=f"{home}/huggingface",
        HF_HUB_DISABLE_TELEMETRY="1",
        HF_HUB_DISABLE_XET="1",
        GIT_CONFIG_GLOBAL=os.devnull,
        GIT_CONFIG_NOSYSTEM="1",
        GIT_TERMINAL_PROMPT="0",
        NO_PROXY="localhost,127.0.0.1",
        no_proxy="localhost,127.0.0.1",
        STREAMLIT_BROWSER_GATHER_USAGE_STATS="false",
        COLUMNS="120",
    )
    # Whoever runs the tests in the background ignores Ctrl-C, or with nohup the end of the
    # terminal, and every child inherits that.
    if threading.current_thread() is threading.main_thread():
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGHUP, signal.SIG_DFL)


_isolate()

import pandas  # noqa: E402, F401  # a crawl in this process would keep it out, for all tests

from tests.histories import History  # noqa: E402

CHROMIUMS = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NO_BROWSER = "no Chromium found: install one to run this (Debian: apt-get install chromium)"


@pytest.fixture
def git_repo(tmp_path: Path) -> Callable[[], History]:
    """Make a new, empty repository at each call: `repo = git_repo()`."""
    made = 0

    def make() -> History:
        nonlocal made
        made += 1
        return History(tmp_path / f"upstream-{made}.git")

    return make


@pytest.fixture(scope="session")
def chromium() -> str:
    """Path of a Chromium; the test is skipped where there is none."""
    for name in CHROMIUMS:
        if found := shutil.which(name):
            return found
    pytest.skip(NO_BROWSER)


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Iterator[pytest.TestReport]:
    """With RANKTRAIL_REQUIRE_BROWSER=1 a skipped browser test is a failed one."""
    report = yield
    required = os.environ.get("RANKTRAIL_REQUIRE_BROWSER", "") not in ("", "0")
    if required and report.skipped and item.get_closest_marker("browser"):
        report.outcome = "failed"
        why = report.longrepr[-1] if isinstance(report.longrepr, tuple) else report.longrepr
        report.longrepr = f"with RANKTRAIL_REQUIRE_BROWSER set: {why}"
    return report
