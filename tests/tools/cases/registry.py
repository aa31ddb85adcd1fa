"""Which adapter answers which case?

An area of cases.json is one module of this folder with the same name; a function in it answers
one case:

    @answers("parse-percent-strings")
    def percents(trial: Trial) -> Answer:
        return {...}        # in the shape of the case's expected answer

Start at adapters().
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.tools.cases.trial import Trial

Answer = Any
Adapter = Callable[[Trial], Answer]

HERE = Path(__file__).parent
_ADAPTERS: dict[str, Adapter] = {}


def answers(case_id: str) -> Callable[[Adapter], Adapter]:
    """Say that a function answers a case.

    Raises:
        ValueError: another one does already.
    """

    def register(adapter: Adapter) -> Adapter:
        if case_id in _ADAPTERS:
            raise ValueError(f"two adapters answer {case_id!r}")
        _ADAPTERS[case_id] = adapter
        return adapter

    return register


def has_module(area: str) -> bool:
    """Whether this folder answers an area at all."""
    return area.isidentifier() and (HERE / f"{area}.py").is_file()


def adapters(areas: list[str]) -> Mapping[str, Adapter]:
    """The adapters of some areas, by case id; an area without a module has none."""
    from streamlit import logger  # some open pages, and nobody serves them, of which it would warn

    logger.set_log_level("ERROR")
    for area in areas:
        if has_module(area):
            importlib.import_module(f"tests.tools.cases.{area}")
    return _ADAPTERS
