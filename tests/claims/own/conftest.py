"""Which tables do the tests of claims about own numbers share?"""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.claims.own.own_claims import Folder

GARDEN = """\
plant,sun,shade,wind (lower is better)
items,400,100,
fern,81.5,70.2,3.1
moss,78.0,75.25,2.4
oak,60.1,,9.9
"""
SPEED = """\
| Size | slow | fast |
| ---: | ---: | ---: |
| 1 | 100 ms | 200 ms |
| 2 | 200 ms | 210 ms |
| 4 | 400 ms | 230 ms |
| 10 | 1.00 s | 290 ms |
"""
CURVE = "plant,x,y\nfern,1,100\nfern,3,60\nfern,4,10\nmoss,1,50\nmoss,3,40\n"
PARTS = "plant,a,b,c,score\nfern,80.00,60.00,50.00,70.00\nmoss,60.00,70.00,55.00,65.00\n"


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    """A folder with small tables."""
    made = Folder(tmp_path)
    made.write("garden.csv", GARDEN)
    made.write("speed.md", SPEED)
    made.write("curve.csv", CURVE)
    made.write("parts.csv", PARTS)
    return made
