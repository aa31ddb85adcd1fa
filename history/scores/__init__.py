"""Which scores did each version of a board hold, and how are they kept?

In: the versions of a Store. Out: READINGS and SCORES. Start at derive(), which writes them, and
load_scores(), which gives them back.
"""

from history.scores.bulk import Spare
from history.scores.light_start import without_pandas
from history.scores.scores import derive, load_readings, load_scores, readings

__all__ = [
    "Spare",
    "derive",
    "load_readings",
    "load_scores",
    "readings",
    "without_pandas",
]
