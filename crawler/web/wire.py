"""How is a connection kept from holding us longer than it may?

In: an httpx2 client and a Pace, the rules of the request that a thread is at. Out: the same client,
whose connections look at the Pace a few times a second, whatever the server does. Start at Wire.

A read of httpx2 either blocks for its whole timeout or breaks the connection, and its timeouts
start again with every byte; so a stalled server would hold a stopped job, and one that drips would
hold any. Below httpx2 there is a place made for a network of one's own, and here is ours: each wait
is cut into slices. Looking a name up and shaking hands cannot be cut; these are done aside.
"""

from __future__ import annotations

import selectors
import ssl
import threading
import time
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from typing import Any

import httpcore2
import httpx2

from crawler.work import Work

_SLICE = 0.2  # seconds that we look away at most
_PIECE = 4096  # bytes that a socket which takes any takes at once


class TooSlow(Exception):
    """A request outlived its time, or got too few bytes; the text says which."""


class Pace:
    """How long one request may take, and how slow it may be.

    Args:
        work: the job that it belongs to; stopped with it.
        end: when it must be over, as time.monotonic() tells it.
        seconds: what `end` allowed when it was set; for the message.
        least: bytes that have to come in every `window`.
        window: seconds.
    """

    def __init__(self, work: Work, end: float, seconds: float, least: int, window: float):
        self._work, self._end, self._seconds = work, end, seconds
        self._least, self._window = least, window
        self._since, self._count = time.monotonic(), 0

    def check(self, came: int = 0) -> None:
        """Go on, or end; `came` more bytes were read.

        Raises:
            Stopped: somebody asked for it.
            TooSlow: the time is over, or too little came.
        """
        self._work.check()
        self._count += came
        now = time.monotonic()
        if now >= self._end:
            raise TooSlow(f"not done after {self._seconds:.0f} seconds")
        if now - self._since >= self._window:
            if self._count < self._least:
                raise TooSlow(f"too slow: {self._count:,} bytes in {self._window:.0f} seconds")
            self._since, self._count = now, 0


class Wire(httpcore2.NetworkBackend):
    """The network below one client; each thread sets `pace` before it asks for something.

    Args:
        client: all its connections are made here from now on, to proxies as well.
    """

    def __init__(self, client: httpx2.Client):
        self._here = threading.local()
        self._below = httpcore2.SyncBackend()
        # httpx2 has no argument for it. Where it is built otherwise one day, this fails at once
        # and does not leave us with connections that cannot be stopped.
        for transport in (client._transport, *client._mounts.values()):
            pool: Any = getattr(transport, "_pool", None)
            if transport is None:  # NO_PROXY: the first one is taken
                continue
            if not isinstance(getattr(pool, "_network_backend", None), httpcore2.SyncBackend):
                raise TypeError(f"{transport!r} has no network that could be replaced")
            pool._network_backend = self

    @property
    def pace(self) -> Pace:
        """The rules of the request that this thread is at."""
        return self._here.pace

    @pace.setter
    def pace(self, pace: Pace) -> None:
        self._here.pace = pace

    def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,
        local_address: str | None = None,
        socket_options: Iterable[httpcore2.SOCKET_OPTION] | None = None,
    ) -> httpcore2.NetworkStream:
        """Connect; `timeout` is for each address of the name, and twice that for all."""
        return self.aside(
            lambda: self._below.connect_tcp(host, port, timeout, local_address, socket_options),
            None if timeout is None else 2 * timeout,
        )

    def aside(
        self, connect: Callable[[], httpcore2.NetworkStream], timeout: float | None
    ) -> httpcore2.NetworkStream:
        """What `connect` gives, done in a thread that is left alone when this one has to go."""
        done: Future[httpcore2.NetworkStream] = Future()

        def run() -> None:
            try:
                done.set_result(connect())
            except BaseException as error:
                done.set_exception(error)

        end = _end(timeout)
        threading.Thread(target=run, name="connect", daemon=True).start()
        try:
            while True:
                self.pace.check()
                try:
                    return _Stream(self, done.result(_SLICE))
                except TimeoutError:
                    if time.monotonic() >= end:
                        raise httpcore2.ConnectTimeout("no connection") from None
        except BaseException:
            done.add_done_callback(_close)
            raise


class _Stream(httpcore2.NetworkStream):
    """One connection, its waits cut into slices."""

    def __init__(self, wire: Wire, below: httpcore2.NetworkStream):
        self._wire, self._below = wire, below

    def read(self, max_bytes: int, timeout: float | None = None) -> bytes:
        end = _end(timeout)
        while True:
            self._wire.pace.check()
            try:
                data = self._below.read(max_bytes, _SLICE)
            except httpcore2.ReadTimeout:  # nothing is lost by it: the next read goes on
                if time.monotonic() >= end:
                    raise
                continue
            self._wire.pace.check(len(data))
            return data

    def write(self, buffer: bytes, timeout: float | None = None) -> None:
        end, left = _end(timeout), memoryview(buffer)
        with selectors.DefaultSelector() as selector:
            selector.register(self.get_extra_info("socket"), selectors.EVENT_WRITE)
            while left:
                self._wire.pace.check()
                if selector.select(_SLICE):
                    self._below.write(bytes(left[:_PIECE]), timeout)
                    left = left[_PIECE:]
                elif time.monotonic() >= end:
                    raise httpcore2.WriteTimeout("nothing is taken")

    def close(self) -> None:
        self._below.close()

    def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,
    ) -> httpcore2.NetworkStream:
        try:
            return self._wire.aside(
                lambda: self._below.start_tls(ssl_context, server_hostname, timeout), timeout
            )
        except BaseException:
            self._below.close()
            raise

    def get_extra_info(self, info: str) -> Any:
        return self._below.get_extra_info(info)


def _end(timeout: float | None) -> float:
    return float("inf") if timeout is None else time.monotonic() + timeout


def _close(done: Future[httpcore2.NetworkStream]) -> None:
    """Close a connection that came when nobody waited for it any more."""
    if done.exception() is None:
        done.result().close()
