"""How do the tests of the stand-in ask it, beside the client of the Hub?"""

from __future__ import annotations

import subprocess

import httpx2

CLIENT = httpx2.Client()
DAY = "2026-10-{:02}T12:00:00+02:00"


def git(*arguments: str, data: bytes = b"") -> subprocess.CompletedProcess:
    return subprocess.run(["git", *arguments], input=data, capture_output=True, timeout=30)


def get(address: str, **headers: str) -> httpx2.Response:
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return CLIENT.get(address, headers=named)
