from __future__ import annotations

import pandas as pd
import pytest

from crawler.board import BoardError
from crawler.crawl import crawl
from crawler.store import Store
from crawler.work import Work
from history.attributes import Attribute, read
from history.meaning import read_meaning
from history.pipeline import open_board
from history.records.records import standings
from history.scores import derive
from tests.histories import History
from tests.history.definitions import SOURCE, TABLE, meaning_of

ATTRIBUTES = '[table.attributes]\nplanted = "day"\nkind = "kind"\n'


@pytest.mark.parametrize(
    ("texts", "expected"),
    [
        pytest.param(["03.04.2026", "25.12.2025"], Attribute(["03.04.2026", "25.12.2025"], ["2026-04-03", "2025-12-25"]), id="one row tells the order of all"),
        pytest.param(["03.04.2026", None, " "], Attribute(["03.04.2026", None, None], [None] * 3, "'03.04.2026' is 3 Apr 2026 or 4 Mar 2026"), id="two readings are none"),
        pytest.param(["4 Apr 2026 07:30", "2026-04-05"], Attribute(["4 Apr 2026 07:30", "2026-04-05"], ["2026-04-04T07:30:00Z", "2026-04-05"]), id="a time where one is printed"),
        pytest.param(["2026-04-05", "soon"], Attribute(["2026-04-05", "soon"], [None, None]), id="one text that is no date"),
        pytest.param([], Attribute([], []), id="nobody"),
    ],
)  # fmt: skip
def test_one_column(texts, expected):
    frame = pd.DataFrame({"attribute.day": pd.Series(texts, dtype=object)})
    assert read(frame, ["day"]) == {"day": expected}


def test_attributes_from_file_to_document(tmp_path):
    repository = History(tmp_path / "upstream.git")
    first = "model,score,day,kind\nfern,8,03.04.2026,open\nmoss,7,04.05.2026,\n"
    repository.commit({"board.csv": first}, "2026-06-01T08:00:00Z")
    later = "model,score,day\nfern,8,03.04.2026\nmoss,7,25.05.2026\n"
    repository.commit({"board.csv": later}, "2026-06-02T08:00:00Z")
    store = Store(tmp_path / "store")
    file = store.board_file("garden")
    file.parent.mkdir(parents=True)
    source = SOURCE.format(path="board.csv").replace("upstream.git", str(repository.folder))
    file.write_text(source + TABLE + ATTRIBUTES, encoding="utf-8")
    board = store.board("garden")
    done = crawl(
        store,
        [board],
        work=Work(),
        derive=lambda one: derive(store, one, read_meaning(one)),
    )
    assert [one.status for one in done] == ["ok"]

    history = open_board(store, "garden")
    documents = [
        standings(history, history.standings(when), top)
        for when, top in (("2026-06-01", 1), ("latest", None))
    ]
    assert [one["attributes"] for document in documents for one in document["entries"]] == [
        {"planted": {"text": "03.04.2026", "date": None}, "kind": {"text": "open", "date": None}},
        {
            "planted": {"text": "03.04.2026", "date": "2026-04-03"},
            "kind": {"text": None, "date": None},
        },
        {
            "planted": {"text": "25.05.2026", "date": "2026-05-25"},
            "kind": {"text": None, "date": None},
        },
    ]
    either = "'03.04.2026' is 3 Apr 2026 or 4 Mar 2026"
    assert [[note["text"] for note in document["notes"]] for document in documents] == [
        [f"the dates of 'planted' have two readings and stay text: {either}"],
        [],
    ]


def test_no_part_takes_the_columns_of_attributes(tmp_path):
    with pytest.raises(BoardError, match="a part cannot be named 'attribute'"):
        meaning_of(tmp_path, TABLE + '[table.parts]\nattribute = "x"\n')
