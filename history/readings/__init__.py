"""What does one published file say?

In: a file and a Meaning. Out: a Reading. Start at read_table(); a TableReader reads many files.
What holds at which version stands in `history.readings.stages` and `history.readings.overrides`.
"""

from history.readings.readings import (
    FieldReading,
    Overrides,
    Reading,
    TableReader,
    read_table,
)

__all__ = [
    "FieldReading",
    "Overrides",
    "Reading",
    "TableReader",
    "read_table",
]
