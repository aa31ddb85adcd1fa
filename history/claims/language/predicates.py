"""Which predicates are there, and which arguments do they take?"""

from __future__ import annotations

from history.claims.language.claim import COMPOUNDS

# Every predicate with the arguments that it must and may have, besides COMMON.
PREDICATES: dict[str, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "rank": (("subject", "n"), ("op", "of", "sole")),
    "top_k": (("subject", "k"), ()),
    "first": (("subject",), ("sole",)),
    "first_in_class": (("subject", "filter"), ("sole",)),
    "tie": (("subject", "with"), ()),
    "score": (("subject", "value"), ("op", "table", "columns")),
    "delta": (("subject", "other", "value"), ("op", "table", "columns")),
    "ahead": (("subject", "other"), ("table", "columns")),
    "average_of": (("subject", "columns", "value"), ("table", "op")),
    "drop_one": (("column",), ("subject", "rank", "order", "values", "table", "columns")),
    "ratio": (
        ("value",),
        ("subject", "other", "op", "table", "columns", "column", "at", "per", "of"),
    ),
    "ratio_at": (("table", "curve", "x", "other", "value"), ("subject", "per", "op")),
    "would_rank": (("score", "snapshot", "rank"), ("op", "of")),
    "lead_set": (("subject", "columns"), ("table",)),
    "noise": (("subject", "other"), ("k", "op", "items", "table", "columns")),
    "formula": ((), ("formula", "columns", "column", "subject", "table")),
    "count": (("n",), ("what", "op", "of", "above")),
    "duration": (("state", "value", "unit"), ("op", "span")),
    "all_of": (("claims",), ()),
    "any_of": (("claims",), ()),
    "not": (("claims",), ()),
}
COMMON = (
    "id", "text", "said_at", "said_by", "source", "predicate", "when", "board", "boards", "tracked"
)  # fmt: skip
CONDITIONS = ("split", "edition", "filter", "rank_kind", "approx")
INHERITED = (
    "subject", "board", "boards", "split", "edition", "filter", "rank_kind", "said_at", "source",
    "table", "tracked",
)  # fmt: skip
# What takes numbers of its own instead of entries, and what is judged by a table that it brings.
OWN_NUMBERS = ("score", "delta", "tie", "ahead", "noise", "ratio", "ratio_at")
WITH_TABLE = tuple(
    name for name, (needed, more) in PREDICATES.items() if "table" in (*needed, *more)
)
APPROXIMATE = ("score", "delta", "average_of", "ratio", "ratio_at", "duration")
RANK_OPS = ("=", "<=")
NOISE_OPS = ("=", ">", "<")
STATES = (
    "rank", "top_k", "first", "first_in_class", "tie", "ahead", "score", "delta", "count",
    *COMPOUNDS,
)  # fmt: skip
