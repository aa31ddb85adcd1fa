"""What the columns of the tables mean.

Everything between a published file and a verdict is one of the tables below.
Times are UTC. A gap is <NA>, never a value. Tables are pandas frames in memory
and Parquet on disk with the same column names.

VERSIONS: one row per published state of the board's file, or of all files that it reads.

| column | dtype | meaning |
| --- | --- | --- |
| version | int32 | 0 for the oldest; counts every state, also absent and unreadable ones |
| commit | str | full commit id |
| committed_at | datetime64[us, UTC] | the committer's clock, as written |
| at | datetime64[us, UTC] | when the state began to hold: `committed_at` made monotone along the line |
| not_before | datetime64[us, UTC] | of a file that is polled: the last look that saw the state before; else <NA> |
| at_earliest | datetime64[us, UTC] | since when the state may have held: `at`, or `not_before` of a file that is polled |
| authored_at | datetime64[us, UTC] | the author's clock: when it was written |
| observed_at | datetime64[us, UTC] | start of the crawl that first saw the commit |
| position | int32 | place of the commit on the published line |
| path | str | path in the repository; the patterns, where every file holds one entry |
| blob | str | git object id of the bytes, or the id of the set of files, <NA> where there is none |
| size | Int64 | bytes |
| state | str | published, absent, pointer, unavailable, no_access |
| why | str | what is in the way, where unavailable |
| vanished | bool | no longer on the published line upstream |

READINGS: VERSIONS joined with what could be read of each.

| column | dtype | meaning |
| --- | --- | --- |
| reading | str | read, partial, empty, absent, unreadable |
| reason | str | why it is unreadable: invalid_json, conflict_markers, lfs_pointer, no_table, ... |
| found | str | for people: where in the file it is so, and what stands there; else the first remarks |
| edition | str | the label that the file gives itself |
| band | str | printed tie band of this version |
| rows_pointer | str | where the rows stand in the file |
| n_listed | Int64 | entries in the file that take part |
| stage | str | which `[[since]]` tables of the definition hold, by number from 1: "", "1", "1 3" |
| remarks | list of dict | what is noteworthy in the file, at most 1,000: kind, entry, pointer, text |

SCORES: one row per version and entry that takes part.

| column | dtype | meaning |
| --- | --- | --- |
| version | int32 | as in VERSIONS |
| entry | category | the stable key, aliases applied |
| name | category | display name in this version |
| row | int32 | place in the file, from 0 |
| unranked | category | <NA> if ranked, else no_score, not_finite, ineligible, incomplete, duplicate, unreadable |
| path | category | the entry's own file; only where every file holds one entry |
| rank_published, tie_rank_published | Int64 | what the file itself says |
| attribute.NAME | category | what the file says; of the attributes that the definition names |
| FIELD.text | category | the printed number |
| FIELD.value | float64 | for charts only; NaN where missing |
| FIELD.ticks | Int64, or object of int | value in units of 10**-dp |
| FIELD.dp | int8 | decimals of this field in this version |
| FIELD.pointer | category | where the cell stands in the file |

FIELD is `score`, the name of a part, or low, high, se, items where the definition names them.

SMELLS: what looks wrong, one row per finding; worked out anew each time, not stored.

| column | dtype | meaning |
| --- | --- | --- |
| version | int32 | as in VERSIONS: where it could first be seen, or where it lasts |
| kind | str | one of history.audit.smells.kinds |
| entry | str | whose row it is; <NA> where it is about a version, or about many entries |
| pointer | str | the cell that shows it |
| found | str | one sentence with the printed numbers |

RANKS: SCORES of one split, ranked.

| column | dtype | meaning |
| --- | --- | --- |
| rank | Int64 | 1 + entries strictly better, <NA> if unranked |
| tie_group | Int64 | 1 for the best group, <NA> where the rule makes none |
| tie_rank | Int64 | rank that the tie rule gives |
| rank_low, rank_high | Int64 | best and worst place that the tie rule leaves open |
| tied | bool | shares its tie group, or its tie rank where there are no groups |
| n_ranked | int32 | entries ranked in this version |

SHARES: why ranks changed from each readable version to the next; shares of 0 are left out. In
`attrs`: unit, rank (the convention) and positive (what a positive share means).

| column | dtype | meaning |
| --- | --- | --- |
| version | int32 | the later version |
| entry | category | whose rank changed, or was kept by causes that cancel |
| rival | category | through whom: the share is what this rival's place above or below is worth |
| cause | category | own, others, joined, left, formula, eligibility, band; edition for the first two and formula together |
| share | int32 | 24ths of a place; positive is worse; those of an entry add up to 24 times its change |
"""

from __future__ import annotations

SCORE = "score"
# What a file may say of each score besides: interval, standard error, number of items.
MEASURES = ("low", "high", "se", "items")

# `unranked` of entries that take no part, whatever their parts say.
OUTSIDE = ("ineligible", "duplicate", "unreadable")

UNKNOWN_STATES = frozenset({"pointer", "unavailable", "no_access"})
READABLE = frozenset({"read", "partial", "empty", "absent"})
RESERVED_FIELDS = frozenset(
    {"score", "rank", "entry", "name", "low", "high", "se", "items", "version", "attribute"}
)


def attribute_of(name: str) -> str:
    """Column of an attribute.

    >>> attribute_of("licence")
    'attribute.licence'
    """
    return f"attribute.{name}"


def text_of(field: str) -> str:
    """Column of the printed numbers of a field.

    >>> text_of("public")
    'public.text'
    """
    return f"{field}.text"


def value_of(field: str) -> str:
    """Column of a field as floats, for charts.

    >>> value_of("score")
    'score.value'
    """
    return f"{field}.value"


def ticks_of(field: str) -> str:
    """Column of a field in integer ticks.

    >>> ticks_of("score")
    'score.ticks'
    """
    return f"{field}.ticks"


def dp_of(field: str) -> str:
    """Column that says how many decimals one tick of a field is.

    >>> dp_of("score")
    'score.dp'
    """
    return f"{field}.dp"


def pointer_of(field: str) -> str:
    """Column of the places in the file where a field stands.

    >>> pointer_of("score")
    'score.pointer'
    """
    return f"{field}.pointer"
