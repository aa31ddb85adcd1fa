"""What the score was called before."""

from __future__ import annotations

import pytest

from history.propose.candidates import Readable, propose
from history.propose.guesses import Given
from history.propose.renames import with_old_names
from history.readers import parse

NOW = b"Model,Accuracy\nfern,90\nmoss,80\noak,70\nelm,60\n"


@pytest.mark.parametrize(
    ("older", "names"),
    [
        pytest.param([NOW.replace(b"Accuracy", b"Acc")], ["Accuracy", "Acc"], id="renamed"),
        pytest.param(
            [NOW.replace(b"Accuracy", b"Acc"), NOW.replace(b"Accuracy", b"A")],
            ["Accuracy", "Acc", "A"],
            id="twice",
        ),
        pytest.param([NOW], "Accuracy", id="never"),
        pytest.param(
            [b"Model,Elo\nfern,1900\nmoss,1800\noak,1700\nelm,1600\n"],
            "Accuracy",
            id="other values",
        ),
        pytest.param(
            [b"Model,Acc,Old\nfern,90,90\nmoss,80,80\noak,70,70\nelm,60,60\n"],
            "Accuracy",
            id="two columns that could be it",
        ),
        pytest.param([b"", b"nothing"], "Accuracy", id="no tables"),
    ],
)
def test_old_names(older, names):
    document = parse("csv", NOW)
    proposal = propose([Readable("b.csv", "csv", document, 2, None)], "", Given())
    found = with_old_names(proposal, document, older)
    assert [guess.value for guess in found.guesses if guess.key == "table.score"] == [names]
