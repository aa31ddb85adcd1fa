"""What git says, in words that say what to do; what no test can bring about on every machine."""

from __future__ import annotations

import pytest

from crawler.git.trouble import explained, may_be_ours


@pytest.mark.parametrize(
    ("said", "found", "passing"),
    [
        (
            "error: file write error: No space left on device\nfatal: index-pack failed",
            "the disk is full (file write error: No space left on device)",
            False,
        ),
        (
            "error: insufficient permission for adding an object\nfatal: index-pack failed",
            "our own repository cannot be written",
            False,
        ),
        (
            "fatal: Unable to create temporary file '/s/objects/x': Permission denied",
            "our own repository cannot be written",
            False,
        ),
        (
            "fatal: detected dubious ownership in repository at '/r'",
            "it belongs to another user (detected dubious ownership in repository at '/r')",
            False,
        ),
        ("fatal: no end after 3600 s", "it takes too long", True),
        ("fatal: nothing was heard for 600 s", "cannot be reached", True),
        ("fatal: more than 34,359,738,368 bytes", "it sends too much", False),
        (
            "git@h: Permission denied (publickey).\nfatal: Could not read from remote repository.",
            "authentication needed",
            False,
        ),
        ("error: RPC failed; HTTP 503 curl 22", "cannot be reached", True),
        ("fatal: early EOF\nfatal: index-pack failed", "what came is cut off or damaged", True),
        ("", "git failed (no reason given)", False),
    ],
)
def test_explained(said, found, passing):
    error = explained("https://h/a", said)
    assert str(error).startswith(f"https://h/a: {found}")
    assert error.passing == passing


@pytest.mark.parametrize(
    ("said", "helps"),
    [
        ("fatal: expected 'packfile'", True),
        ("fatal: early EOF", True),
        ("fatal: pack has 1 unresolved delta", True),
        ("error: /r did not send all necessary objects", True),
        ("fatal: could not fetch ab from promisor remote", True),
        ("error: file write error: No space left on device\nfatal: index-pack failed", False),
        ("error: RPC failed; curl 28 Operation too slow", False),
        ("fatal: no end after 3600 s", False),
        ("fatal: Authentication failed for 'https://h/a'\nfatal: early EOF", False),
        ("fatal: repository 'https://h/a/' not found", False),
    ],
)
def test_when_all_of_it_anew_may_help(said, helps):
    assert may_be_ours(said) == helps
