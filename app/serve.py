"""How is the dashboard served?

Streamlit runs in a process of its own; the store travels in the environment.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

from app import log
from app.faults import Failure, Interrupted

PATIENCE = 5  # seconds that Streamlit gets to end by itself
# Each page is made in a thread of its own. For each, glibc would keep what it once used; as it is,
# a server that has shown a board of 2,000 versions has 500 MB, and not 700.
MEMORY = {
    "MALLOC_ARENA_MAX": "2",
    "MALLOC_TRIM_THRESHOLD_": "131072",
    "ARROW_DEFAULT_MEMORY_POOL": "system",  # Arrow's own pool keeps what it once used, too
}
PUBLICLY = {
    "client.showErrorDetails": "none",
    "client.showErrorLinks": "false",
    "client.toolbarMode": "minimal",
    "server.maxUploadSize": "0",  # MB; no page takes a file
}


@dataclass(frozen=True)
class Serving:
    """How the dashboard is served.

    Attributes:
        port, address: where to listen.
        public: anybody may look: nothing can be changed, and no page tells of this machine.
        base_path: before the path of every page; "" for none.
        every: how often the boards are crawled, as in 6h; None if nobody said it.
    """

    port: int
    address: str
    public: bool = False
    base_path: str = ""
    every: str | None = None

    @property
    def below(self) -> str:
        """The base path with a slash before and none behind it; "" for none."""
        path = self.base_path.strip("/")
        return f"/{path}" if path else ""


def serve(store: Path, how: Serving) -> int:
    """Serve the dashboard until somebody stops it.

    Args:
        store: folder of the store to show.
        how: where, and for whom.

    Returns:
        Streamlit's exit code.

    Raises:
        Failure: the address cannot be used. Interrupted: Ctrl-C.
    """
    refuse_taken(how.address, how.port)
    log.line(f"Dashboard: http://{how.address}:{how.port}{how.below} (Ctrl-C ends it)")
    with subprocess.Popen(
        command(how), env=environment(store, how), stdout=sys.__stderr__
    ) as child:
        before = signal.signal(signal.SIGTERM, lambda *_: child.terminate())
        try:
            return max(child.wait(), 0)
        except KeyboardInterrupt:
            # The terminal has sent Ctrl-C to the child as well.
            try:
                child.wait(PATIENCE)
            except subprocess.TimeoutExpired:
                child.terminate()
            raise Interrupted("dashboard stopped") from None
        finally:
            signal.signal(signal.SIGTERM, before)


def command(how: Serving) -> list[str]:
    """What starts Streamlit; its protections against other sites' pages are on by themselves."""
    app = str(Path(__file__).with_name("dashboard.py"))
    options = {
        "server.headless": "true",
        "server.port": str(how.port),
        "server.address": how.address,
        "server.baseUrlPath": how.below.strip("/"),
        "browser.gatherUsageStats": "false",
        "logger.hideWelcomeMessage": "true",
        "server.fileWatcherType": "none",  # who only looks changes no program
    }
    if how.public:
        options |= PUBLICLY
    return [
        *(sys.executable, "-m", "streamlit", "run", app),
        *(f"--{name}={value}" for name, value in options.items()),
    ]


def environment(store: Path, how: Serving) -> dict[str, str]:
    """What the process that shows the pages is told."""
    said = {
        "RANKTRAIL_STORE": str(store.resolve()),
        "RANKTRAIL_PUBLIC": "1" if how.public else "",
        "RANKTRAIL_EVERY": how.every or "",
    }
    kept = {name: value for name, value in os.environ.items() if name not in said}
    return MEMORY | kept | {name: value for name, value in said.items() if value}


def refuse_taken(address: str, port: int) -> None:
    """Raise a Failure where nobody could listen, before Streamlit is started for nothing."""
    try:
        found = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(found[0], found[1]) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(found[4])
    except OSError as error:
        raise Failure(
            f"{address} port {port}: {error.strerror or error}. Take another with --port or --address."
        ) from None
