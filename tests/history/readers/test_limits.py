from __future__ import annotations

import pytest

from history import readers
from history.readers import FORMATS, Unreadable, limits


@pytest.mark.parametrize("format_", sorted(FORMATS))
def test_a_file_over_the_limit_is_not_looked_at(format_, monkeypatch):
    monkeypatch.setattr(readers, "import_module", lambda name: pytest.fail(f"{name} is asked"))
    with pytest.raises(Unreadable, match="bytes; at most"):
        readers.parse(format_, bytes(FORMATS[format_].max_bytes + 1))


def test_a_reader_gives_up_in_time():
    deadline = limits.Deadline(seconds=0.02)
    assert not deadline.passed
    with pytest.raises(Unreadable, match="too_slow: it counts for more"):
        while True:
            deadline.check("it counts")
