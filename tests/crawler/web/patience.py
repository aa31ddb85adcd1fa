"""How patient is the Web that the tests ask, and what do they look for?"""

from __future__ import annotations

from crawler.web.web import Patience

TOKEN = "secret0TOKEN"  # not like one of the Hub, so that only Web itself can hide it
SHORT = Patience(
    connect=2.0,
    idle=0.4,
    one_try=0.8,
    call=6.0,
    window=0.6,
    least=1000,
    first_wait=0.01,
    longest_wait=3.0,
)
TEMPORARY = "503 Service Unavailable"
LIMITED = "429 Too Many Requests"


def lines(asked):
    return [request.line for request in asked]
