"""Which sentences are understood?

FORMS says it for people, the grammar for the parser; a test holds that they agree.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

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
    Form("ENTRY is Nth [of M] on BOARD [TIME]", "fern is 10th of 120 on text now"),
    Form("ENTRY is in the top K on BOARD [TIME]", "fern was in the top 3 on text as of 2026-03-20"),
    Form("ENTRY scores [about] X on BOARD [TIME]", "fern scores 81.25 on text at 4f1c09ab"),
    Form(
        "ENTRY is [about] +X over ENTRY on [the SPLIT split of] BOARD [TIME]",
        "fern is +6.2 over moss on the public split of text",
    ),
    Form("ENTRY is tied with ENTRY on BOARD [TIME]", "fern was ever tied with moss on text"),
    Form(
        "ENTRY is ahead of ENTRY on BOARD [TIME]",
        "fern was ahead of moss on text from 2026-03-16 to 2026-03-22",
    ),
    Form(
        "ENTRY was first on BOARD for [about | at least | more than | at most | less than] N UNIT",
        "fern was first on vision for about 29 hours",
    ),
)
TIMES = (
    "now, on DATE, as of DATE or TIMESTAMP, at TIMESTAMP or COMMIT, from TIME to TIME, since TIME, "
    "in MONTH; a DATE is 2026-03-20 or 20 March 2026, a MONTH 2026-03 or March 2026; "
    "ever, never and always stand before the predicate"
)

# A word of the language ends where a name's word would: at a space or a comma.
_DAY = r"\d{1,2}(st|nd|rd|th)?"
_MONTH = "(jan(uary)?|feb(ruary)?|mar(ch)?|apr(il)?|may|june?|july?|aug(ust)?|sept?(ember)?|oct(ober)?|nov(ember)?|dec(ember)?)\\.?"
_GRAMMAR = r"""
start: name _verb? _body item*
_verb: (IS | WAS | HAS)
_body: first | rank | top | score | delta | tie | ahead | leads
first: adverb? THE? SOLE? FIRST (PLACE)? (OF VALUE)? ALONE?
leads: adverb? LEADS boards?
rank: adverb? THE? NTH (PLACE)? (OF VALUE)?
top: adverb? IN THE? TOP VALUE
score: adverb? SCORES ABOUT? (VALUE | SIGNED)
delta: adverb? ABOUT? SIGNED POINTS? (OVER | AHEAD OF) name
tie: adverb? TIED WITH name
ahead: adverb? AHEAD OF name
adverb: EVER | NEVER | ALWAYS
item: ON boards -> boards
    | ON THE? name SPLIT (OF boards)? -> split
    | ON (DATE) -> on
    | (AT | AS OF) (DATE | TIMESTAMP | COMMIT) -> moment
    | FROM _time TO _time -> stretch
    | SINCE _time -> stretch
    | IN_MONTH -> month
    | (ON | AT | AS OF | FROM | SINCE) UNSURE -> unsure
    | NOW -> now
    | EVER -> ever
    | FOR bound? VALUE (UNIT | UNEVEN) LASTING? -> length
_time: DATE | TIMESTAMP
bound: ABOUT | AT LEAST | AT MOST | MORE THAN | LESS THAN
boards: name (("," | AND | "," AND) name)*
name: WORD+ | QUOTED

IS.3: /(is|are)(?![^\s,])/i
WAS.3: /(was|were)(?![^\s,])/i
HAS.3: /(has|had|has been|gains|gained)(?![^\s,])/i
ON.3: /on(?![^\s,])/i
OF.3: /of(?![^\s,])/i
IN.3: /in(?![^\s,])/i
AT.3: /at(?![^\s,])/i
AS.3: /as(?![^\s,])/i
TO.3: /(to|until)(?![^\s,])/i
FROM.3: /from(?![^\s,])/i
FOR.3: /for(?![^\s,])/i
AND.3: /and(?![^\s,])/i
THE.3: /the(?![^\s,])/i
TOP.3: /top(?![^\s,])/i
NOW.3: /(now|today|currently)(?![^\s,])/i
EVER.3: /ever(?![^\s,])/i
NEVER.3: /never(?![^\s,])/i
ALWAYS.3: /always(?![^\s,])/i
SINCE.3: /since(?![^\s,])/i
SOLE.3: /(sole|alone)(?![^\s,])/i
ALONE.3: /alone(?![^\s,])/i
FIRST.4: /(first|1st|#1|number one|number 1|no\. 1)(?![^\s,])/i
PLACE.3: /place(?![^\s,])/i
NTH.3: /(#\d+|\d+(st|nd|rd|th)|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)(?![^\s,])/i
SCORES.3: /(scores|scored|score|scoring)(?![^\s,])/i
ABOUT.3: /(about|roughly|nearly|around)(?![^\s,])/i
POINTS.3: /points?(?![^\s,])/i
OVER.3: /over(?![^\s,])/i
TIED.3: /tied(?![^\s,])/i
WITH.3: /with(?![^\s,])/i
AHEAD.3: /ahead(?![^\s,])/i
LEAST.3: /least(?![^\s,])/i
MOST.3: /most(?![^\s,])/i
MORE.3: /more(?![^\s,])/i
LESS.3: /less(?![^\s,])/i
THAN.3: /than(?![^\s,])/i
SPLIT.3: /(split|suite|part)(?![^\s,])/i
LEADS.3: /(leads|led)(?![^\s,])/i
UNIT.3: /(second|minute|hour|day|week)s?(?![^\s,])/i
UNEVEN.3: /(month|quarter|year)s?(?![^\s,])/i
LASTING.3: /(in a row|in total)(?![^\s,])/i
SIGNED.3: /[+\-\u2212]\d[\d,]*(\.\d+)?(?![^\s,])/
VALUE.2: /\d[\d,]*(\.\d+)?(?![^\s,])/
DATE.6: /(\d{4}-\d{2}-\d{2}|{day} {month},? \d{4}|{month} {day},? \d{4})(?![^\s,])/i
IN_MONTH.6: /in (\d{4}-\d{2}|{month},? \d{4})(?![^\s,])/i
UNSURE.5: /(\d{1,2}[\/.]\d{1,2}[\/.]\d{2,4}|\d{4}-\d{2}|{month},? \d{4}|{day} {month}|{month} {day})(?![^\s,])/i
TIMESTAMP.6: /\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z| ?UTC|[+-]\d{2}:?\d{2})?(?![^\s,])/
COMMIT.5: /[0-9a-fA-F]{7,40}(?![^\s,])/
QUOTED.4: /"[^"]+"|'[^']+'|\u201c[^\u201d]+\u201d/
WORD.1: /[^\s,"\u201c\u201d]+/
WS: /\s+/
%ignore WS
"""


def sentence_forms() -> tuple[Form, ...]:
    """The forms that are understood, each with an example."""
    return FORMS


@lru_cache(maxsize=1)
def parser() -> Lark:
    """The parser of the language, made once."""
    # lark takes a while to load and is needed for sentences only.
    from lark import Lark

    grammar = _GRAMMAR.replace("{day}", _DAY).replace("{month}", _MONTH)
    return Lark(grammar, parser="lalr", lexer="contextual")
