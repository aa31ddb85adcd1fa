"""Which Web do the tests share?"""

from __future__ import annotations

from dataclasses import replace

import pytest

from crawler.web.web import Web
from crawler.work import Work
from tests.crawler.web.patience import SHORT


@pytest.fixture(scope="module")
def web():
    with Web(Work(), patience=SHORT) as web:
        yield web


@pytest.fixture(scope="module")
def hasty():
    with Web(Work(), patience=replace(SHORT, tries=2)) as web:
        yield web
