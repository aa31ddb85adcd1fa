"""How do the pictures in README.md and docs/ come about?

In: nothing; the sample is built and crawled in a temporary folder and the dashboard opened in a
headless Chromium. Out: PNG files in docs/. Run `make pictures` after the dashboard changed.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path
from urllib.parse import urlencode

from playwright.sync_api import Page, sync_playwright

from tests.app.browsing import ARGUMENTS, served, settle

ROOT = Path(__file__).parents[2]
DOCS = ROOT / "docs"
Shot = tuple[str, str, dict[str, str], int, int, bool]


def shots(claims: Path) -> list[Shot]:
    """Name, page, address, width, height and whether dark of each picture, about the claims' subject."""
    listed = tomllib.loads(claims.read_text(encoding="utf-8"))["claim"]
    both = next(claim for claim in listed if len(claim.get("boards", [])) == 2)
    _, vision = both["boards"]
    lost = next(claim for claim in listed if "over" in claim.get("when", {}))
    subject = {"board": vision, "entry": both["subject"]}
    return [
        ("trail", "trail", subject, 1280, 1080, False),
        ("trail-phone", "trail", subject, 380, 900, True),
        ("moves", "moves", subject, 1280, 1080, False),
        ("claims", "claims", {"claim": lost["id"]}, 1280, 1280, False),
    ]


def wait(page: Page) -> None:
    """Wait until the page has drawn all it has, and boxes have faded in."""
    page.locator("h2").first.wait_for()
    settle(page)
    page.wait_for_timeout(1500)


def main(folder: Path = DOCS) -> None:
    """Take every picture."""
    chromium = next(filter(None, map(shutil.which, ("chromium", "chromium-browser"))), None)
    if chromium is None:
        sys.exit("no Chromium found: apt-get install chromium")
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as scratch:
        store = Path(scratch) / "demo"
        demo = [sys.executable, "-m", "app", "demo", "--no-serve", "--folder", str(store)]
        subprocess.run(demo, cwd=ROOT, stdout=subprocess.DEVNULL, env=os.environ, check=True)
        with served(store) as address, sync_playwright() as play:
            browser = play.chromium.launch(executable_path=chromium, args=ARGUMENTS)
            for name, place, query, width, height, dark in shots(store / "claims.toml"):
                page = browser.new_page(
                    viewport={"width": width, "height": height},
                    color_scheme="dark" if dark else "light",
                )
                page.goto(f"{address}/{place}?{urlencode(query)}")
                wait(page)
                page.screenshot(path=str(folder / f"{name}.png"))
                page.close()
                print(folder / f"{name}.png")


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:]))
