"""What did git say, and what can be done about it?

In: what git wrote to stderr. Out: an error in words that say what to do. Start at explained().
"""

from __future__ import annotations

import re

from crawler.source import CrawlError

_UNREACHABLE = (
    "unable to access",
    "Could not resolve host",
    "onnection refused",
    "onnection timed out",
    "Connection reset",
    "hung up unexpectedly",
    "Operation too slow",
    "RPC failed",
    "nothing was heard",
)
_REFUSED = (
    "Authentication failed",
    "could not read Username",
    "could not read Password",
    "terminal prompts disabled",
    "Permission denied",
    "error: 401",
    "error: 403",
    "Host key verification failed",
)
_NO_REPOSITORY = (
    "does not appear to be a git repository",
    "not a git repository",
    "is this a git repository?",
    "invalid gitfile format",
    "not a valid bundle",
    "does not look like a v2 or v3 bundle",
    "unrecognized header",
)
_DAMAGED = ("died with error", "bad object", "unable to normalize alternate")
# Servers that mishandle compressed requests answer a long negotiation so; without one they work.
_NEGOTIATION = ("expected 'acknowledgments'", "expected 'packfile'", "expected 'acknowledgements'")
# The transfer began and did not end well, or what we have is not what it built upon.
_SPOILED = (
    "early EOF",
    "index-pack",
    "unpack-objects",
    "unresolved delta",
    "did not send all necessary objects",
    "could not fetch",
    "RPC failed",
    "hung up unexpectedly",
    "pack has",
)
_NOT_WRITABLE = (
    "insufficient permission",
    "Read-only file system",
    "nable to create temporary file",
    "nable to write",
    "couldn't write",
)
_FULL = ("No space left", "Out of diskspace")
# What another try a moment later may not meet. Not 429: git does not tell how long to wait.
_MOMENTARY = (
    "Connection reset",
    "Recv failure",
    "transfer closed",
    "hung up unexpectedly",
    "early EOF",
    "Empty reply from server",
)
_BROKEN_OFF = r"error: 5\d\d\b"
# What came is no answer of git at all: a page for people, or half of something.
_NO_ANSWER = (
    "expected flush",
    "expected response end",
    "bytes of body are still expected",
    "bad line length",
    "invalid ls-refs response",
    "protocol error",
    "invalid server response",
    "unknown object format",
    "not valid: is this a git repository",
)
# Trying the same again at once would only take as long again, or as much room.
_HOPELESS = (
    "unable to access",
    "too slow",
    "nothing was heard",
    "no end after",
    "more than",
    *_FULL,
    *_NOT_WRITABLE,
)


def is_negotiation(said: str) -> bool:
    """Whether the server could not answer to what we said that we have."""
    return any(sign in said for sign in _NEGOTIATION)


def lacks_left_out(said: str) -> bool:
    """Whether git missed something that was left out, and could not go on without it."""
    return "from promisor remote" in said


def may_be_ours(said: str) -> bool:
    """Whether a fetch that builds on nothing of ours could go better."""
    spoiled = is_negotiation(said) or any(sign in said for sign in _SPOILED)
    return spoiled and not any(sign in said for sign in (*_REFUSED, *_HOPELESS))


def is_momentary(said: str) -> bool:
    """Whether the same may go well in a moment."""
    broken_off = any(sign in said for sign in _MOMENTARY) or re.search(_BROKEN_OFF, said)
    return bool(broken_off) and not any(
        sign in said for sign in (*_REFUSED, *_FULL, *_NOT_WRITABLE)
    )


def explained(address: str, said: str) -> CrawlError:
    """What went wrong, in words that say what to do."""
    lines = [line.strip() for line in said.strip().splitlines()]
    last = next((line for line in lines if re.match(r"fatal:|error:|ssh:", line)), "")
    reason = re.sub(r"^(fatal|error): ", "", last or (lines[0] if lines else "no reason given"))

    def said_one_of(signs: tuple[str, ...]) -> bool:
        return any(sign in said for sign in signs)

    if said_one_of(_FULL):
        return CrawlError(address, f"the disk is full ({reason})", "Make room and crawl again")
    if said_one_of(_NOT_WRITABLE):
        fix = "Make the store writable and crawl again"
        return CrawlError(address, f"our own repository cannot be written ({reason})", fix)
    if said_one_of(_REFUSED):
        fix = "Give git a login that may read it (a token in the address, or an ssh key)"
        return CrawlError(address, f"authentication needed ({reason})", fix)
    if "repository" in said and "not found" in said:
        fix = "Check the address; a private repository looks the same without a login"
        return CrawlError(address, "no such repository", fix)
    if "dubious ownership" in said:
        fix = "Clone it as the user that crawls, and name that clone"
        return CrawlError(address, f"it belongs to another user ({reason})", fix)
    if "prerequisite commits" in said:
        fix = "Make a bundle of the whole branch, without a starting point"
        return CrawlError(address, f"a part of a history only ({reason.rstrip(':')})", fix)
    if said_one_of(_DAMAGED):
        return CrawlError(address, f"it is damaged ({reason})", "Run `git fsck` in it")
    if said_one_of(_NO_REPOSITORY):
        return CrawlError(address, f"not a git repository ({reason})", "Check the address")
    if "unable to update url base from redirection" in said or "error: 30" in said:
        return CrawlError(address, f"it has moved ({reason})", "Write the new address")
    if ".lock" in said:
        fix = "If no git is running, delete that file and crawl again"
        return CrawlError(address, f"our own repository is locked ({reason})", fix, passing=True)
    if "no end after" in said:
        fix = "Crawl again; if it stays so, look at the network"
        return CrawlError(address, f"it takes too long ({reason})", fix, passing=True)
    if re.search(r"(more|longer) than [\d,]+ bytes", said):
        fix = "If that is right, make a bundle of the branch by hand and name that"
        return CrawlError(address, f"it sends too much ({reason})", fix)
    if "error: 429" in said:
        found = f"too many requests ({reason})"
        return CrawlError(address, found, "Crawl again later", passing=True)
    if re.search(_BROKEN_OFF, said):
        found = f"the server has trouble ({reason})"
        return CrawlError(address, found, "Crawl again later", passing=True)
    if said_one_of(_NO_ANSWER) and not said_one_of(_UNREACHABLE):
        fix = "Open it in a browser to see what is there, or crawl again later"
        return CrawlError(address, f"it does not answer as git does ({reason})", fix, passing=True)
    if said_one_of(("early EOF", "index-pack", "unresolved delta")):
        fix = "Crawl again; if it is a bundle, make it anew"
        return CrawlError(address, f"what came is cut off or damaged ({reason})", fix, passing=True)
    if said_one_of(_UNREACHABLE):
        return CrawlError(
            address, f"cannot be reached ({reason})", "Crawl again later", passing=True
        )
    return CrawlError(address, f"git failed ({reason})", "Mend it and crawl again")
