"""A server on this machine that answers byte for byte what a test tells it to, however wrong."""

from __future__ import annotations

import contextlib
import socket
import ssl
import struct
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

Play = bytes | Callable[[socket.socket, threading.Event], None]


@dataclass
class Asked:
    """One request: its first line, its headers (names in small letters), its body."""

    line: str
    headers: dict[str, str]
    body: bytes
    at: float


class Faulty:
    """Answers each request with the next play; with the last one for ever.

    Bytes are sent as they are; a function gets the connection and an event that is set when the
    test is over. A connection is kept open after bytes, closed after a function.
    """

    def __init__(self, *plays: Play, tls: ssl.SSLContext | None = None):
        self.plays: list[Play] = list(plays)
        self.asked: list[Asked] = []
        self.connections = 0
        self._tls = tls
        self._over = threading.Event()
        self._lock = threading.Lock()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = self._listener.getsockname()[1]
        self.url = f"{'https' if tls else 'http'}://127.0.0.1:{self.port}"

    def __enter__(self) -> Faulty:
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        with contextlib.suppress(OSError):  # close() alone does not wake who accepts
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                connection, _ = self._listener.accept()
                self.connections += 1
                threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        # a client that hangs up is what half of the tests are about
        with contextlib.suppress(OSError), connection:
            if self._tls:
                connection = self._tls.wrap_socket(connection, server_side=True)
            with connection, connection.makefile("rb") as lines:
                while line := lines.readline():
                    play = self._note(line, lines)
                    if not isinstance(play, bytes):
                        play(connection, self._over)
                        return
                    connection.sendall(play)

    def _note(self, line: bytes, lines: object) -> Play:
        headers = {}
        while (header := lines.readline().strip()) != b"":
            name, _, value = header.decode("latin-1").partition(":")
            headers[name.lower()] = value.strip()
        with self._lock:
            play = self.plays.pop(0) if len(self.plays) > 1 else self.plays[0]
            unread = play is deaf
            body = b"" if unread else lines.read(int(headers.get("content-length", "0")))
            first = line.decode("latin-1").rpartition(" ")[0]
            self.asked.append(Asked(first, headers, body, time.monotonic()))
        return play


def answer(body: bytes = b"[1]", status: str = "200 OK", headers: Sequence[str] = ()) -> bytes:
    """A whole answer with its true length."""
    head = [f"HTTP/1.1 {status}", f"Content-Length: {len(body)}", *headers]
    return "\r\n".join([*head, "", ""]).encode("latin-1") + body


def moved(to: str, status: str = "307 Temporary Redirect") -> bytes:
    """A redirect."""
    return answer(b"moved", status, [f"Location: {to}"])


def chunked(*chunks: bytes, headers: Sequence[str] = ()) -> bytes:
    """The begin of an answer that does not say how long it is; its end is not in it."""
    head = ["HTTP/1.1 200 OK", "Transfer-Encoding: chunked", *headers, "", ""]
    framed = (b"%x\r\n%s\r\n" % (len(chunk), chunk) for chunk in chunks)
    return "\r\n".join(head).encode() + b"".join(framed)


def reset(connection: socket.socket, over: threading.Event) -> None:
    """Break the connection without a word."""
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))


def hang_up(connection: socket.socket, over: threading.Event) -> None:
    """Close the connection without a word."""


def stall(connection: socket.socket, over: threading.Event) -> None:
    """Say nothing."""
    over.wait(30)


def deaf(connection: socket.socket, over: threading.Event) -> None:
    """Say nothing, and do not read the body of the request."""
    over.wait(30)


def stall_in_body(connection: socket.socket, over: threading.Event) -> None:
    """Say nothing any more."""
    connection.sendall(answer(b"x" * 100)[:-50])
    over.wait(30)


def cut(connection: socket.socket, over: threading.Event) -> None:
    """End in the middle of a body that said its length."""
    connection.sendall(answer(b"x" * 100)[:-50])


def cut_chunks(connection: socket.socket, over: threading.Event) -> None:
    """End in the middle of a body that did not say its length."""
    connection.sendall(chunked(b"x" * 100))


def drip(connection: socket.socket, over: threading.Event) -> None:
    """A byte of the body now and then."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n")
    while not over.wait(0.05):
        connection.sendall(b"x")


def drip_headers(connection: socket.socket, over: threading.Event) -> None:
    """A byte of the headers now and then."""
    connection.sendall(b"HTTP/1.1 200 OK\r\nX-Long: ")
    while not over.wait(0.05):
        connection.sendall(b"x")


def early_hints(connection: socket.socket, over: threading.Event) -> None:
    """Answers before the answer, for ever."""
    while not over.is_set():
        connection.sendall(b"HTTP/1.1 103 Early Hints\r\n\r\n" * 100)


def endless(connection: socket.socket, over: threading.Event) -> None:
    """A body without an end."""
    connection.sendall(chunked())
    while not over.is_set():
        connection.sendall(b"10000\r\n" + b"x" * 65536 + b"\r\n")


def endless_headers(connection: socket.socket, over: threading.Event) -> None:
    """Headers without an end."""
    connection.sendall(b"HTTP/1.1 200 OK\r\n")
    while not over.is_set():
        connection.sendall(b"X-More: " + b"x" * 1000 + b"\r\n")
