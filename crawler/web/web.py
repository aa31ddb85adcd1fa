"""How is something fetched over HTTP from a server that may be slow, broken or hostile?

In: addresses. Out: Answers, or one line that says what is wrong. Start at Web. Every request ends:
its time, its bytes, its redirects, its tries and the waits between them are bounded, and work.stop()
ends it within a second. The token goes to one origin only, whoever asks for it elsewhere.
"""

from __future__ import annotations

import contextlib
import json
import math
import os
import random
import ssl
import time
import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cache
from typing import TYPE_CHECKING, Any, Self
from urllib.parse import urlencode

from crawler.objects import MAX_BYTES
from crawler.source import CrawlError
from crawler.web.answer import Answer, clean, shown
from crawler.web.waiting import Allowance, asked_to_wait
from crawler.work import Work

if TYPE_CHECKING:
    import httpx2

_PASSING = frozenset({408, 425, 429, 500, 502, 503, 504})
_MOVED = frozenset({301, 302, 303, 307, 308})
_NO_BODY = frozenset({204, 304})
_OURS = frozenset({"authorization", "proxy-authorization", "cookie", "host", "accept-encoding"})
_SHORT_BODY = 65536  # bytes of a redirect that are read, to go on with the same connection
_WORTH_A_LINE = 3.0  # seconds; who waits longer is told why


@dataclass(frozen=True, slots=True)
class Patience:
    """What a server may cost; all times in seconds.

    Attributes:
        connect: to connect to one address of it (twice that for all), and to shake hands.
        idle: without a byte.
        one_try: for one answer, its redirects and its body.
        call: for one call, its tries and the waits between them.
        window, least: in every so many seconds, so many bytes must come.
        tries: of one call.
        first_wait: before the second try; doubled each time.
        longest_wait: if a server asks for more, we come back another time.
        all_waits: of one Web.
        redirects: of one try.
    """

    connect: float = 10.0
    idle: float = 20.0
    one_try: float = 600.0
    call: float = 900.0
    window: float = 30.0
    least: int = 30_000
    tries: int = 4
    first_wait: float = 1.0
    longest_wait: float = 60.0
    all_waits: float = 300.0
    redirects: int = 10


class Web:
    """Fetches; one for the whole of a job, by as many threads as want to.

    Args:
        work: the job; told of long waits, and its stop ends every request.
        token: sent as `Authorization: Bearer` to the origin of `home`, and to no other.
        home: address whose scheme, host and port may see the token.
        patience: what a server may cost.
    """

    def __init__(
        self,
        work: Work,
        *,
        token: str | None = None,
        home: str = "",
        patience: Patience | None = None,
    ):
        import httpx2

        from crawler.web.wire import Wire

        self._work, self._secret = work, token or ""
        self._patience = patience or Patience()
        self._home = _origin(_address(home)) if token else None
        self._allowance = Allowance(self._patience.all_waits)
        try:
            self._client = httpx2.Client(
                headers={"User-Agent": _user_agent(), "Accept": "*/*"},
                cookies=_no_cookies(),
                verify=_certificates(*map(os.environ.get, ("SSL_CERT_FILE", "SSL_CERT_DIR"))),
                timeout=httpx2.Timeout(self._patience.idle, connect=self._patience.connect),
                # more than that never wait for each other; it would be a wait that nobody can stop
                limits=httpx2.Limits(max_connections=None, max_keepalive_connections=16),
                follow_redirects=False,
            )
        except (ImportError, ValueError, OSError) as error:
            where = "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY, NO_PROXY, SSL_CERT_FILE"
            raise CrawlError(where, clean(str(error), 200), "Correct or unset them") from None
        self._wire = Wire(self._client)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Close all connections."""
        self._client.close()

    def get(
        self, url: str, *, headers: Mapping[str, str] | None = None, cap: int = MAX_BYTES
    ) -> Answer:
        """Ask an API; the answer may come packed.

        Args:
            url: http or https, without a login.
            headers: such as If-None-Match; not what is set here: login, cookies, host, packing.
            cap: most bytes of the body, unpacked.

        Returns:
            Any answer that is no passing trouble; 304, 401, 403 and 404 mean what the caller knows.

        Raises:
            CrawlError: `passing` where the server had trouble at every try or asks to wait for
                too long; else too many bytes or redirects, or an address that is refused.
            Stopped: the job was.
        """
        return self._ask(_Question("GET", url, _headers(headers, "gzip"), None), cap)

    def post(
        self,
        url: str,
        *,
        data: Mapping[str, str | Sequence[str]] | None = None,
        json: Any = None,
        headers: Mapping[str, str] | None = None,
        cap: int = MAX_BYTES,
    ) -> Answer:
        """Ask an API a longer question, which may be sent more than once; else as get().

        Args:
            data: fields of a form, each with one value or several; or:
            json: anything that JSON can say.
        """
        kind, content = _content(data, json)
        sent = {**_headers(headers, "gzip"), "content-type": kind}
        return self._ask(_Question("POST", url, sent, content), cap)

    def fetch(
        self, url: str, *, headers: Mapping[str, str] | None = None, cap: int = MAX_BYTES
    ) -> Answer:
        """Get a file as it is: as get(), but asks for no packing, so that its length is known."""
        return self._ask(_Question("GET", url, _headers(headers, "identity"), None), cap)

    def _ask(self, question: _Question, cap: int) -> Answer:
        """Try until there is an answer, or no more hope."""
        patience, where = self._patience, shown(question.url, self._secret)
        end = time.monotonic() + patience.call
        for attempt in range(patience.tries):
            try:
                return self._follow(question, cap, end)
            except _Trouble as error:
                trouble = error
            wait = patience.first_wait * 2**attempt * random.uniform(1.0, 1.25)
            wait = max(wait, trouble.asked)
            if (
                attempt + 1 == patience.tries
                or wait > patience.longest_wait
                or time.monotonic() + wait >= end
                or not self._allowance.take(wait)
            ):
                break
            if wait >= _WORTH_A_LINE:
                self._work(f"{where}: {trouble.found}; trying again in {wait:.0f} seconds")
            self._work.wait(wait)
        when = f"in {math.ceil(trouble.asked)} seconds or more" if trouble.asked else "later"
        raise CrawlError(where, trouble.found, f"Crawl again {when}", passing=True)

    def _follow(self, question: _Question, cap: int, end: float) -> Answer:
        """One try: ask, and ask where it moved to."""
        from crawler.web.wire import Pace

        patience, where = self._patience, shown(question.url, self._secret)
        seconds = min(patience.one_try, end - time.monotonic())
        self._wire.pace = Pace(
            self._work, time.monotonic() + seconds, seconds, patience.least, patience.window
        )
        url = _address(question.url)
        for _ in range(patience.redirects + 1):
            self._work.check()
            answer = self._once(question, url, cap, where)
            target = answer.headers.get("location", "")
            if answer.status not in _MOVED or not target:
                return answer
            url = _redirect(url, target, where, self._secret)
            if question.content is not None and answer.status in (301, 302, 303):
                question = question.without_content()
        found = f"more than {patience.redirects} redirects"
        raise CrawlError(where, found, "Open it in a browser to see where it leads")

    def _once(self, question: _Question, url: httpx2.URL, cap: int, where: str) -> Answer:
        """One request and its answer; a trouble that may pass is a _Trouble."""
        import httpx2

        from crawler.web.wire import TooSlow

        request = self._client.build_request(
            question.method, url, content=question.content, headers=question.headers
        )
        if self._home is not None and _origin(url) == self._home:
            request.headers["authorization"] = f"Bearer {self._secret}"
        try:
            response = self._client.send(request, stream=True, auth=None)
            with contextlib.closing(response):
                headers = {name.lower(): value for name, value in response.headers.items()}
                self._look_at(response.status_code, headers)
                body = _body(response, headers, cap, where)
        except TooSlow as error:
            raise _Trouble(str(error)) from None
        except (httpx2.LocalProtocolError, httpx2.UnsupportedProtocol, UnicodeError) as error:
            found = f"cannot be asked ({clean(str(error), 200, self._secret)})"
            raise CrawlError(where, found, "Correct the address") from None
        except httpx2.TransportError as error:
            if certificate := _certificate_problem(error):
                found = f"its certificate is refused ({clean(certificate, 200)})"
                fix = "Check the address and this machine's clock and certificates"
                raise CrawlError(where, found, fix) from None
            raise _Trouble(self._what_happened(error)) from None
        return Answer(response.status_code, headers, body, str(url), self._secret)

    def _look_at(self, status: int, headers: Mapping[str, str]) -> None:
        if status not in _PASSING:
            return
        asked = asked_to_wait(headers, status == 429, datetime.now(UTC))
        problem = "too many requests" if status == 429 else "the server has trouble"
        raise _Trouble(f"{problem} (status {status})", asked or 0.0)

    def _what_happened(self, error: httpx2.TransportError) -> str:
        import httpx2

        said = clean(str(error), 200, self._secret) or type(error).__name__
        if isinstance(error, httpx2.ConnectTimeout):
            return f"cannot be reached (no connection in {self._patience.connect:.0f} seconds)"
        if isinstance(error, httpx2.TimeoutException):
            return f"nothing came for {self._patience.idle:.0f} seconds"
        if isinstance(error, httpx2.ProxyError):
            return f"the proxy refuses ({said})"
        if isinstance(error, httpx2.ConnectError):
            return f"cannot be reached ({said})"
        return f"the connection broke off ({said})"


@dataclass(frozen=True, slots=True)
class _Question:
    """What is asked, at the first address and where that leads to."""

    method: str
    url: str
    headers: dict[str, str]
    content: bytes | None

    def without_content(self) -> _Question:
        """The same as a GET, which is what everybody makes of a POST that is sent elsewhere."""
        headers = {name: value for name, value in self.headers.items() if name != "content-type"}
        return _Question("GET", self.url, headers, None)


class _Trouble(Exception):
    """What may work at the next try.

    Attributes:
        found: what happened.
        asked: seconds that the server asks to wait; 0 if it does not say.
    """

    def __init__(self, found: str, asked: float = 0.0):
        super().__init__(found)
        self.found, self.asked = found, asked


def _body(response: httpx2.Response, headers: Mapping[str, str], cap: int, where: str) -> bytes:
    """The whole body, unpacked; never more than `cap` bytes of it are held."""
    if response.status_code in _MOVED and "location" in headers:
        with contextlib.suppress(CrawlError):  # its text says nothing
            _unpacked(response, "identity", _SHORT_BODY, where)
        return b""
    length = headers.get("content-length", "")
    if response.status_code not in _NO_BODY and length.isdecimal() and int(length) > cap:
        raise _too_large(where, cap, f" ({int(length):,})")
    return _unpacked(response, headers.get("content-encoding", ""), cap, where)


def _unpacked(response: httpx2.Response, packing: str, cap: int, where: str) -> bytes:
    packing = packing.strip().lower() or "identity"
    if packing not in ("identity", "gzip", "x-gzip"):
        found = f"packed as {clean(packing, 40)!r}, which was not asked for"
        raise CrawlError(where, found, "Tell who runs the server")
    # httpx2 would unpack as well, but does not say when a packed body has no end
    unpack = None if packing == "identity" else zlib.decompressobj(16 + zlib.MAX_WBITS)
    parts, came, size = [], 0, 0
    for part in response.iter_raw():
        came += len(part)
        if unpack is not None:
            try:
                part = unpack.decompress(part, cap + 1 - size)
            except zlib.error:
                raise _Trouble("the answer is packed wrongly") from None
            if unpack.unused_data:
                raise _Trouble("the answer goes on behind its packed part")
        size += len(part)
        if max(size, came) > cap:
            raise _too_large(where, cap)
        parts.append(part)
    if unpack is not None and came and not unpack.eof:
        raise _Trouble("the packed answer broke off")
    return b"".join(parts)


def _too_large(where: str, cap: int, size: str = "") -> CrawlError:
    found = f"more than the {cap:,} bytes that are allowed{size}"
    return CrawlError(where, found, "Check that the address is the right one")


def _address(url: str) -> httpx2.URL:
    """An address that may be asked.

    Raises:
        CrawlError: it is none of http or https, or holds a login.
    """
    import httpx2

    try:
        parsed = httpx2.URL(url)
    except (httpx2.InvalidURL, ValueError):  # IDNA errors are ValueErrors
        raise CrawlError(shown(url), "no address", "Correct it") from None
    if parsed.port is not None and not 0 < parsed.port < 65536:
        raise CrawlError(shown(url), f"no port {parsed.port}", "Correct it")
    if parsed.scheme not in ("http", "https") or not parsed.host:
        raise CrawlError(shown(url), "no address of http or https", "Correct it")
    if parsed.userinfo:
        raise CrawlError(shown(url), "an address with a login in it", "Take the login out")
    return parsed


def _redirect(url: httpx2.URL, target: str, where: str, secret: str) -> httpx2.URL:
    """Where a redirect leads, if one may go there."""
    import httpx2

    fix = "Open it in a browser to see where it leads"
    try:
        moved = _address(str(url.join(target)))
    except (httpx2.InvalidURL, ValueError, CrawlError):
        found = f"it redirects to {shown(target, secret)!r}, which is refused"
        raise CrawlError(where, found, fix) from None
    if url.scheme == "https" and moved.scheme == "http":
        found = f"it redirects from https to plain http ({shown(str(moved), secret)})"
        raise CrawlError(where, found, fix)
    return moved


def _origin(url: httpx2.URL) -> tuple[str, bytes, int | None]:
    """What has to be the same for the token; the port is None where the scheme says it."""
    return url.scheme, url.raw_host, url.port


def _headers(headers: Mapping[str, str] | None, packing: str) -> dict[str, str]:
    given = {name.lower(): value for name, value in (headers or {}).items()}
    if taken := sorted(_OURS & set(given)):
        raise ValueError(f"{', '.join(taken)}: set by Web, not by its callers")
    # an ETag that a server made up and that cannot be sent back: asked without it, then
    sent = {name: value for name, value in given.items() if _plain(value) or name[:3] != "if-"}
    return {**sent, "accept-encoding": packing}


def _plain(value: str) -> bool:
    return value.isascii() and value.isprintable()


def _content(data: Mapping[str, str | Sequence[str]] | None, value: Any) -> tuple[str, bytes]:
    if data is not None:
        return "application/x-www-form-urlencoded", urlencode(data, doseq=True).encode()
    return "application/json", json.dumps(value).encode()


def _no_cookies() -> Any:
    """A jar that takes none: what one server tells us is not told to it again."""
    from http.cookiejar import CookieJar, DefaultCookiePolicy

    return CookieJar(DefaultCookiePolicy(allowed_domains=[]))


def _certificate_problem(error: BaseException) -> str:
    """What is wrong with the certificate, if that is why there is no connection."""
    cause: BaseException | None = error
    while cause is not None:
        if isinstance(cause, ssl.SSLCertVerificationError):
            return str(cause.verify_message or cause.reason or "not trusted")
        cause = cause.__cause__ or cause.__context__
    return ""


@cache
def _certificates(_file: str | None, _folder: str | None) -> ssl.SSLContext:
    """Whom to trust, by these settings; reading it takes longer than most requests."""
    import httpx2

    return httpx2.create_ssl_context()


@cache
def _user_agent() -> str:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return f"ranktrail/{version('ranktrail')}"
    except PackageNotFoundError:  # run from the sources
        return "ranktrail"
