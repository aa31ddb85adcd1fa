"""How does a test open a page of the dashboard and read what it says?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pandas as pd
from streamlit.testing.v1 import AppTest

from app.dashboard import OF_A_BOARD
from tests.app.small_board import Garden, run

DASHBOARD = Path(__file__).parents[2] / "app" / "dashboard.py"
# Modules of the pages that show one board; and of all pages but the first, Boards.
BOARD_PAGES = tuple(shown.__module__.rpartition(".")[2] for _, shown, _ in OF_A_BOARD)
PAGES = (*BOARD_PAGES, "claims")
# What can be unfolded, by the names that figure.show() and fold() are given.
FOLDS = (
    *("trail", "places", "causes", "reigns", "splits", "gaps", "splits-over-time", "drop-one"),
    *("cases", "rank-intervals", "rivals", "formula-course", "formula-residuals", "tie-bands"),
    *("when-it-held", "garden-first-place", "first", "copies", "aliases"),
    *("heat", "ranks of all"),
    *("more-to-ask", "add-a-board", "several-sentences"),
    *(f"bytes-{version}" for version in range(10)),
)


def opened(page: str, **address: str | list[str]) -> AppTest:
    """A page of $RANKTRAIL_STORE by its address, unfolded; entry may be a list."""
    app = AppTest.from_function(show, default_timeout=30, args=(page,))
    for name, value in address.items():
        app.query_params[name] = value
    unfold(app)
    app.run()
    assert not app.exception, app.exception
    return app


def unfold(app: AppTest) -> None:
    """Open all that can be, as somebody who looks at everything does."""
    for name in FOLDS:
        app.session_state[f"fold {name}"] = True


def start() -> AppTest:
    """The page of all boards of $RANKTRAIL_STORE."""
    app = AppTest.from_file(str(DASHBOARD), default_timeout=30).run()
    assert not app.exception, app.exception
    return app


def show(page: str) -> None:
    import importlib

    from app.views import answers

    answers.attempt(importlib.import_module(f"app.views.{page}").page)  # as app/dashboard.py does


def texts(elements: Any) -> str:
    return "\n".join(str(element.value) for element in elements)


def table(app: AppTest) -> pd.DataFrame:
    return app.dataframe[0].value


def grow(planted: Garden, *versions: tuple[str, str]) -> None:
    for at, content in versions:
        planted.commits.append(planted.upstream.commit({"board.json": content}, at))
    assert run(planted.store, "crawl").exit_code == 0


def claims_file(folder: Path) -> Path:
    file = folder / "claims.toml"
    file.write_text(
        """\
[[claim]]
id = "good"
text = "Fern leads"
predicate = "first"
subject = "fern"
boards = ["garden"]
when = { as_of = 2026-03-01T12:00:00Z }

[[claim]]
id = "bad"
text = "Fern is *second*"
predicate = "rank"
n = 2
subject = "fern"
boards = ["garden"]
when = { as_of = 2026-03-01T12:00:00Z }
"""
    )
    return file
