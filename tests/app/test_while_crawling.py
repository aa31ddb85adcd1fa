"""Do pages that are opened while a crawl writes show a whole state, old or new?"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from app.views import answers
from tests.app.pages import PAGES, start, texts
from tests.app.small_board import DEFINITION, VERSIONS, board_json, define, plant

ROOT = Path(__file__).parents[2]
ROUNDS = 4


def state(number: int) -> str:
    """A version in which every score tells which it is."""
    rows = [(f"e{n}", f"E{n}", 50.0 + number + n / 10, 1.0, 1.0) for n in range(9)]
    return board_json(str(number), *rows)


@pytest.mark.long
def test_a_page_shows_the_board_before_a_crawl_or_after_it(view, tmp_path, monkeypatch):
    planted = plant(tmp_path, [("2026-03-01T08:00:00Z", state(0))])
    monkeypatch.setenv("RANKTRAIL_STORE", str(planted.store))
    command = [sys.executable, "-m", "app", "--store", str(planted.store), "crawl", "garden"]
    looks, seen = 0, set()
    for number in range(1, ROUNDS + 1):
        planted.upstream.commit({"board.json": state(number)}, f"2026-03-0{number + 1}T08:00:00Z")
        with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.DEVNULL) as crawl:
            while crawl.poll() is None:
                for page in PAGES:
                    app = view(planted.store, page, board="garden", claim="e0 is #1 on garden now")
                    if page != "claims":  # there a verdict can be one
                        assert texts(app.error) == ""
                frame = answers.standings("garden", "latest", None).frame
                whole = {str(one).split(".")[0] for one in frame["score.text"]}
                assert len(frame) == 9 and len(whole) == 1
                seen |= whole
                looks += 1
            assert crawl.returncode == 0
        latest = answers.standings("garden", "latest", None).frame["score.text"]
        assert latest.iloc[0].startswith(str(50 + number))
    assert looks >= ROUNDS and seen <= {str(50 + number) for number in range(ROUNDS + 1)}


def test_one_broken_board_among_ten_hides_no_other(view, tmp_path, monkeypatch):
    planted = plant(tmp_path, VERSIONS[:1])
    for number in range(8):
        text = DEFINITION.replace('"garden"', f'"garden-{number}"').replace(
            "The garden board", f"Garden {number}"
        )
        define(planted.store, f"garden-{number}", text)
    done = subprocess.run(
        [sys.executable, "-m", "app", "--store", str(planted.store), "crawl"], cwd=ROOT
    )
    assert done.returncode == 0
    define(planted.store, "weeds", 'name = "weeds"\n')
    monkeypatch.setenv("RANKTRAIL_STORE", str(planted.store))
    app = start()
    titles = {header.value for header in app.subheader}
    assert {"The garden board", "weeds", *(f"Garden {n}" for n in range(8))} <= titles
    assert "source" in texts(app.caption) and not app.error
    for page in PAGES:
        shown = view(planted.store, page, board="garden-3", claim="fern is #1 on garden-3 now")
        assert texts(shown.error) == ""
