"""How is the dashboard served?

Streamlit runs in a process of its own; the store travels in the environment.
"""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

from app import log
from app.faults import Failure, Interrupted

PATIENCE = 5  # seconds that Streamlit gets to end by itself


def serve(store: Path, port: int, address: str) -> int:
    """Serve the dashboard until somebody stops it.

    Args:
        store: folder of the store to show.
        port, address: where to listen.

    Returns:
        Streamlit's exit code.

    Raises:
        Failure: the address cannot be used. Interrupted: Ctrl-C.
    """
    refuse_taken(address, port)
    command = [
        sys.executable,
        "-m",
        "streamlit",
        "run",
        str(Path(__file__).with_name("dashboard.py")),
    ]
    command += ["--server.headless=true", f"--server.port={port}", f"--server.address={address}"]
    command += ["--browser.gatherUsageStats=false", "--logger.hideWelcomeMessage=true"]
    environment = os.environ | {"RANKTRAIL_STORE": str(store.resolve())}
    log.line(f"Dashboard: http://{address}:{port} (Ctrl-C ends it)")
    with subprocess.Popen(command, env=environment, stdout=sys.__stderr__) as child:
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
