"""A file that is written anew without another content: nobody moves, and nothing is found."""

from __future__ import annotations

import json

import pytest

from tests.app.small_board import define, run
from tests.histories import History

PARTS = '[table.parts]\nruns = "runs"\n'


@pytest.mark.parametrize(
    ("path", "before", "after", "more"),
    [
        pytest.param(
            "board.csv",
            "id,s,runs\nfern,46.5,640\nmoss,40.25,320\n",
            "id,s,runs\nfern,46.5,640.0\nmoss,40.25,320.0\n",
            PARTS,
            id="whole numbers become decimals",
        ),
        pytest.param(
            "board.csv",
            "id,s,org\nfern,46.50,north\nmoss,40.20,south\n",
            '"org","s","id"\r\n"south","40.2","moss"\r\n"north","46.5","fern"\r\n',
            '[table.attributes]\norg = "org"\n',
            id="other line ends, quotes and orders",
        ),
        pytest.param(
            "board.json",
            '[{"id": "fern", "s": 46.5}, {"id": "moss", "s": 40, "runs": 3}]',
            '[{"id": "fern", "s": 46.5, "runs": null}, {"id": "moss", "s": 40, "runs": 3}]',
            PARTS,
            id="null in place of nothing",
        ),
    ],
)
def test_another_writing_is_no_change(tmp_path, path, before, after, more):
    upstream = History(tmp_path / "upstream.git")
    for number, text in enumerate((before, after), 1):
        upstream.commit({path: text}, f"2026-03-0{number}T08:00:00Z")
    store = tmp_path / "store"
    define(
        store,
        "board",
        f'[source]\nkind = "git"\nrepo = "../../upstream.git"\npaths = ["{path}"]\n'
        f'[table]\nentry = "id"\nscore = "s"\ndirection = "higher"\n{more}',
    )
    assert run(store, "crawl").exit_code == 0
    versions = json.loads(run(store, "history", "board", "--json").stdout)["rows"]
    places = [(row["entry"], row["rank"], row["score"]) for row in versions]
    assert len(places) == 4 and places[:2] == places[2:]
    first, second = (
        {
            entry["entry"]: (
                [part["value"] for part in entry["parts"].values()],
                [one["text"] for one in entry["attributes"].values()],
            )
            for entry in json.loads(
                run(store, "standings", "board", "--at", row["commit"], "--json").stdout
            )["entries"]
        }
        for row in (versions[0], versions[2])
    )
    assert first == second
    assert run(store, "audit", "board").exit_code == 0
    assert len(json.loads(run(store, "reigns", "board", "--json").stdout)["reigns"]) == 1
