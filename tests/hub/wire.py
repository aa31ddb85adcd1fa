"""How does a request come in, and an answer go out?

In: a function that gives the answer to a request. Out: an HTTP/1.1 server on 127.0.0.1 that keeps
connections open, prints nothing, and ends at once with everything that still hangs on it. Start
at Origin.
"""

from __future__ import annotations

import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable, Mapping
from http.client import responses
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

from tests.hub.messages import Answer, Request

_LEFT = (BrokenPipeError, ConnectionResetError, ConnectionAbortedError, TimeoutError)


class Gone(Exception):
    """The client has left, or the server ends."""


class Wire:
    """The way back to one client, for one answer.

    Attributes:
        request: what is answered.
        keeps: whether the connection stays open afterwards.
    """

    def __init__(self, connection: socket.socket, request: Request, closing: threading.Event):
        self._connection = connection
        self._closing = closing
        self.request = request
        self.keeps = True

    def head(self, status: int, headers: Mapping[str, str], body: bytes = b"") -> None:
        """Send the status and the headers, and a body in the same packet."""
        self.request.status = status
        lines = [f"HTTP/1.1 {status} {responses.get(status, 'Unknown')}"]
        lines += [f"{name}: {value}" for name, value in headers.items()]
        if not self.keeps:
            lines.append("Connection: close")
        self._send("\r\n".join([*lines, "", ""]).encode("latin-1"), body)

    def write(self, data: bytes) -> None:
        """Send bytes of the body."""
        self._send(b"", data)

    def wait(self, seconds: float) -> None:
        """Say nothing for a while.

        Raises:
            Gone: the client hung up, or the server ends.
        """
        until = time.monotonic() + seconds
        while (left := until - time.monotonic()) > 0:
            if self._closing.wait(min(left, 0.02)) or self._has_left():
                raise Gone

    def reset(self) -> None:
        """Break the connection off: the client sees "connection reset by peer"."""
        now = struct.pack("ii", 1, 0)
        self._connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, now)
        # Closed here and now: the library would say goodbye first, and that is no reset.
        os.close(self._connection.detach())
        raise Gone

    def _send(self, head: bytes, body: bytes) -> None:
        self.request.sent += len(body)
        try:
            self._connection.sendall(head + body)
        except _LEFT as left:
            raise Gone from left

    def _has_left(self) -> bool:
        try:
            return self._connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True


def whole(wire: Wire, answer: Answer) -> None:
    """Send an answer as it should be sent."""
    headers = dict(answer.headers)
    if answer.status not in (204, 304):
        headers.setdefault("Content-Length", str(len(answer.body)))
    wire.head(answer.status, headers, b"" if wire.request.method == "HEAD" else answer.body)


class Origin:
    """One listening server.

    Args:
        name: hub, cdn or elsewhere; written into its requests.
        host: as its address names it; all of them are this machine.
        answer: gives the answer to a request; also called for what fails.
        surprised: told of every exception that is no matter of the client.
        port: 0 for any that is free.
    """

    def __init__(
        self,
        name: str,
        host: str,
        answer: Callable[[Request], Answer],
        surprised: Callable[[BaseException], None],
        port: int = 0,
    ):
        self.name, self._host, self._answer = name, host, answer
        self._closing = threading.Event()
        self._server = _Server(("127.0.0.1", port), _handler(self))
        self._server.surprised = surprised
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    @property
    def url(self) -> str:
        """Address of the server, without a slash at the end."""
        return f"http://{self._host}:{self._server.server_port}"

    def start(self) -> None:
        """Answer from now on."""
        self._thread.start()

    def stop(self) -> None:
        """Hang up on everyone and end."""
        self._closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()


class _Server(ThreadingHTTPServer):
    """Knows its connections, so that it can end them."""

    daemon_threads = True
    request_queue_size = 64
    surprised: Callable[[BaseException], None]

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self._open: dict[socket.socket, threading.Thread] = {}
        self._lock = threading.Lock()

    def process_request_thread(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open[request] = threading.current_thread()
        super().process_request_thread(request, client_address)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def hang_up(self) -> None:
        with self._lock:
            still = list(self._open.items())
        for connection, _ in still:
            try:
                connection.shutdown(socket.SHUT_RDWR)
            except OSError:
                continue
        for _, thread in still:
            thread.join(timeout=5)

    def handle_error(self, request: Any, client_address: Any) -> None:
        problem = sys.exc_info()[1]
        if problem is not None and not isinstance(problem, _LEFT):
            self.surprised(problem)


def _handler(origin: Origin) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _any(self) -> None:
            request = Request(
                method=self.command,
                path=self.path,
                authorization=self.headers.get("Authorization", ""),
                compressed=self.headers.get("Content-Encoding") == "gzip",
                origin=origin.name,
                base=origin.url,
                at=time.time(),
                headers=self.headers,
                body=self._body(),
            )
            wire = Wire(self.connection, request, origin._closing)
            answer = origin._answer(request)
            try:
                (answer.manner or whole)(wire, answer)
            except Gone:
                wire.keeps = False
            if not wire.keeps:
                self.close_connection = True

        def do_GET(self) -> None:
            self._any()

        def do_HEAD(self) -> None:
            self._any()

        def do_POST(self) -> None:
            self._any()

        def _body(self) -> bytes:
            if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
                return self._read(int(self.headers.get("Content-Length", 0)))
            pieces = []
            while size := int(self.rfile.readline().split(b";")[0] or b"0", 16):
                pieces.append(self._read(size))
                self.rfile.readline()
            while self.rfile.readline().strip():
                pass
            return b"".join(pieces)

        def _read(self, size: int) -> bytes:
            data = self.rfile.read(size)
            if len(data) < size:
                raise ConnectionAbortedError("the client left in the middle of its question")
            return data

        def log_message(self, *_: object) -> None:
            """Keep the terminal free."""

    return Handler
