"""Which sentences are understood?

FORMS says it for people, the grammar for the parser. A sentence is one claim or several, a claim
is parts in many orders, and a part is one of these rules over the words of vocabulary. What the
parts of one claim say together is in draft.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lark import Lark


@dataclass(frozen=True, slots=True)
class Form:
    """A form of sentence that is understood.

    Attributes:
        form: the pattern; capital words stand for something, brackets for what may be missing.
        example: a sentence of this form.
    """

    form: str
    example: str


FORMS = (
    Form(
        "ENTRY is [never] [sole] first on BOARD [and BOARD] [TIME]",
        "fern is #1 on text and vision on 2026-03-20",
    ),
    Form("ENTRY leads [ENTRY on] BOARD [TIME]", "fern led text on 20 March 2026"),
    Form("New state of the art on BOARD: ENTRY", "New SOTA on text: fern"),
    Form("BOARD is led by ENTRY [TIME]", "As of 2026-03-20 the text board is led by fern"),
    Form("ENTRY is Nth [of M] [or better] on BOARD [TIME]", "fern is 10th of 120 on text now"),
    Form("ENTRY is in the top K on BOARD [TIME]", "fern was in the top 3 on text as of 2026-03-20"),
    Form(
        "ENTRY is the best [open] model [under SIZE] on BOARD [TIME]",
        "fern is the best open model under 8B on text",
    ),
    Form("ENTRY scores [about] X on BOARD [TIME]", "fern scores 81.25 on text at 4f1c09ab"),
    Form(
        "ENTRY is [about] +X over ENTRY on [the SPLIT split of] BOARD [TIME]",
        "fern is +6.2 over moss on the public split of text",
    ),
    Form("ENTRY beats ENTRY by X on BOARD [TIME]", "fern beat moss by 4.0 points on text"),
    Form("ENTRY trails ENTRY [by X] on BOARD [TIME]", "fern trails moss by 2.1 on text"),
    Form("ENTRY is tied with ENTRY on BOARD [TIME]", "fern was ever tied with moss on text"),
    Form(
        "ENTRY is ahead of ENTRY on BOARD [TIME]",
        "fern was ahead of moss on text from 2026-03-16 to 2026-03-22",
    ),
    Form(
        "ENTRY is within noise of ENTRY on BOARD [TIME]",
        "fern is not significantly different from moss on text",
    ),
    Form(
        "ENTRY is significantly better than ENTRY on BOARD [TIME]",
        "fern is significantly better than moss on text",
    ),
    Form(
        "ENTRY is [about] Nx faster than ENTRY [at N THINGS]",
        "fern is 15x faster than moss at 255 questions",
    ),
    Form(
        "ENTRY has N times the QUANTITY of ENTRY [at N THINGS]",
        "fern runs at half the cost of moss",
    ),
    Form(
        "ENTRY was first on BOARD for [about | at least | more than | at most | less than] N UNIT",
        "fern was first on vision for about 29 hours",
    ),
    Form(
        "BOARD ranks [at least | more than | at most | less than] N models [TIME]",
        "the text board lists at least 50 entries",
    ),
    Form("ENTRY is not ...", "fern is not in the top 10 on text"),
    Form(
        "ENTRY is ... and [ENTRY] [is] ...", "fern is first on text and moss second on vision now"
    ),
)
TIMES = (
    "now, on DATE, as of DATE or TIMESTAMP, at TIMESTAMP or COMMIT, from TIME to TIME, between TIME "
    "and TIME, since TIME, until TIME, in MONTH, throughout MONTH; a DATE is 2026-03-20 or 20 March "
    "2026, a MONTH 2026-03 or March 2026; without a time was means ever; ever, never and always "
    "stand before the predicate"
)

_GRAMMAR = r"""
start: claim (SEPARATE claim)*
claim: _part+
_part: name | pronoun | verb | negation | colon | first | nth | sole | joint | top | outside | out_of
     | class_ | size | amount | count | ahead | behind | leads | led_by | tie | noise
     | different | significant | factor | quantity | reversed | versus | condition | length | streak
     | place | split | adverb | now
     | on | moment | stretch | since | until | month | throughout

name: ENTRY | PAIR | (FOR | BY) ENTRY
pronoun: PRONOUN
verb: IS | HAVE | DO | VERB | GIVE | THERE | PLACE
negation: NOT
colon: COLON

first: (IN | AT | AS)? FIRST ORBETTER? | _bound FIRST
nth: (IN | AT | AS)? NTH ORBETTER? | _bound NTH
sole: SOLE
joint: JOINT
top: (IN | AT | AMONG | OF | WITH)? TOP
outside: OUTSIDE TOP
leads: LEADS
led_by: LEDBY ENTRY
out_of: (OF | AMONG) NUMBER MODEL?

class_: (AMONG | OF)? OPEN* MODEL
      | (AMONG | OF)? OPEN+
size: (OF | _lead)? (_bound | SMALLER) SIZE SIZED?
    | (OF | _lead)? SIZE ORLESS? SIZED?

ahead: (AHEAD | GT) ENTRY
behind: (BEHIND | LT) ENTRY
tie: TIE WITH? ENTRY | TIE EACHOTHER? | TIE PAIR
noise: NOISE WITH? ENTRY | NOISE EACHOTHER? | NOISE PAIR
different: DIFFERENT (ENTRY | PAIR) | DIFFERENT EACHOTHER?
significant: SIGNIFICANT

amount: _lead? _bound? NUMBER _points? _or?
count: _bound? NUMBER _or? MODEL _or?
factor: (_lead | _for)? _bound? FACTOR
quantity: (WITH | AT | IN)? QUANTITY
reversed: REVERSED
versus: (VERSUS | OF | AS) ENTRY
condition: (_lead | _for | ON) _bound? NUMBER NOUN | NUMBER NOUN
length: _for _bound? CONSECUTIVE? NUMBER CONSECUTIVE? _unit
streak: CONSECUTIVE | TOTAL

_lead: AT | WITH | BY | UP | LEADOF | SCOREOF | BY LEADOF | WITH LEADOF | WITH SCOREOF
_bound: ABOUT | GE | LE | GT | LT | NOWORSE
_points: POINTS | PERCENT
_or: ORBETTER | ORLESS
_for: FOR | SPENT | FOR TOTAL | SPENT TOTAL
_unit: UNIT | UNEVEN

place: (ON | OF | IN | AT | FOR)? BOARD
split: (ON | OF | IN | AT | FOR)? SPLIT

adverb: EVER | NEVER | ALWAYS | THROUGHOUT
now: NOW
on: ON (DAY | MONTH | UNSURE | STAMP)
moment: (AT | ASOF) (DAY | STAMP | MONTH | UNSURE | COMMIT)
stretch: (FROM | BETWEEN)? _time (TO | UNTIL) _time
since: SINCE _time
until: (UNTIL | LE) _time
month: (IN | DURING) (MONTH | DAY | UNSURE)
throughout: THROUGHOUT _time
          | THROUGHOUT (FROM | BETWEEN)? _time TO _time
_time: DAY | STAMP | MONTH | UNSURE
"""


def sentence_forms() -> tuple[Form, ...]:
    """The forms that are understood, each with an example."""
    return FORMS


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser of the language, made once. It reads a list of words.Word."""
    # lark takes a while to load and is needed for sentences only.
    from lark import Lark, Token
    from lark.lexer import Lexer

    class Given(Lexer):
        """Words that were found before, as tokens; start_pos is the number of the word."""

        def __init__(self, conf: Any) -> None:
            self.conf = conf

        def lex(self, words: Any, _: Any = None) -> Iterator[Token]:
            for n, word in enumerate(words):
                yield Token(word.kind, word.said, start_pos=n)

    kinds = sorted(set(_terminals()))
    return Lark(f"{_GRAMMAR}\n%declare {' '.join(kinds)}\n", parser="lalr", lexer=Given)


def _terminals() -> Iterator[str]:
    return (word for word in re.findall(r"\b[A-Z]{2,}\b", _GRAMMAR))
