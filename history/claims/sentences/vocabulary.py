"""Which words does the language of sentences have?

One table: a kind of word, what it stands for, and the phrases that mean it. A word of the
grammar is one of these kinds. Start at phrase_at().
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple


class Meaning(NamedTuple):
    """What a phrase means.

    Attributes:
        kinds: the words of the grammar that it is, mostly one.
        value: what it stands for, `>=` or `open == true`.
        tense: now, past or nothing, of a verb.
    """

    kinds: tuple[str, ...]
    value: str = ""
    tense: str = ""


# kind, value, tense, phrases; a phrase's spaces may be written as hyphens.
_TABLE: tuple[tuple[str, str, str, str], ...] = (
    ("IS", "", "now", "is|are|am"),
    ("IS", "", "past", "was|were"),
    ("IS", "", "", "be|been|being"),
    ("IS NOT", "", "now", "isn't|aren't|is no longer|are no longer"),
    ("IS NOT", "", "past", "wasn't|weren't"),
    ("HAVE", "", "now", "has|have"),
    ("HAVE", "", "past", "had"),
    ("HAVE NOT", "", "now", "hasn't|haven't"),
    ("DO", "", "now", "does|do"),
    ("DO", "", "past", "did"),
    ("DO NOT", "", "now", "doesn't|don't|fails to|fail to"),
    ("DO NOT", "", "past", "didn't|failed to"),
    ("NOT", "", "", "not|no longer|not yet|neither"),
    ("VERB", "", "now", "sits|sit|stands|stand|lands|land|gains|gain"),
    ("VERB", "placed", "now", "places|comes in|comes|come in|finishes|finish"),
    ("VERB", "placed", "past", "placed|came in|came|finished"),
    ("VERB", "", "now", "holds|hold|keeps|keep|takes|take|makes|make|gets|get|earns|earn"),
    ("VERB", "", "now", "makes it into|breaks into|enters|joins|achieves|achieve|reaches|reach|hits|posts|post|records|record|claims"),
    ("VERB", "", "now", "remains|remain|stays|stay|scores|score|delivers|deliver|runs at|runs"),
    ("VERB", "", "now", "needs|need|uses|use|requires|require|occupies|offers"),
    ("VERB", "", "past", "sat|stood|landed|gained|held|kept|took|made|got|earned"),
    ("VERB", "", "past", "hit|made it into|made it to|broke into|entered|cracked|joined|achieved|reached|posted|recorded|remained|stayed|scored|delivered"),
    ("VERB", "", "past", "ran at|ran|needed|used|required|occupied|claimed"),
    ("VERB", "", "", "sitting|standing|holding|placing|scoring|holder of"),
    ("VERB", "ranked", "now", "ranks"),
    ("PLACE", "ranked", "", "rank"),
    ("VERB", "ranked", "past", "ranked"),
    ("VERB", "ranked", "", "ranking"),
    ("VERB", "listed", "now", "lists|list|includes|contains|counts|features|tracks|covers"),
    ("VERB", "listed", "past", "listed|included|contained|counted|featured|tracked"),
    ("GIVE", "", "now", "gives|give|shows|show|puts|put|sees"),
    ("GIVE", "", "past", "gave|showed|saw"),
    ("FOR", "", "now", "goes to|belongs to"),
    ("FOR", "", "past", "went to|belonged to"),
    ("THERE", "", "now", "there are|there is|there's"),
    ("THERE", "", "past", "there were|there was"),
    ("FIRST", "", "", "first|number one|top spot|top place|top position|top slot|top rank"),
    ("FIRST", "", "", "pole position|the lead|in lead|leader of|leader|on top of|on top|top of"),
    ("FIRST", "", "", "at the top of|at top of|at the top|in front|winner of|winner|crown|top"),
    ("FIRST", "", "", "state of the art|sota|new state of the art|new sota|new best|new leader"),
    ("FIRST", "", "", "best|best ranked|best scoring|best performing|top ranked|top scoring"),
    ("FIRST", "", "", "top performing|highest|highest ranked|highest ranking|highest scoring"),
    ("FIRST", "", "", "strongest|highest score|best score|top score|new number one|new first"),
    ("SCORED", "", "", "highest score of|best score of|top score of|new high of|high of"),
    ("FIRST", "", "", "front runner|at the head of|head of|leadership of"),
    ("SOLE", "", "", "sole|alone|undisputed|outright|on its own|by itself|unshared|solo"),
    ("JOINT", "", "", "joint|jointly|tied for|shared|shares|share|equal"),
    ("NTH", "2", "", "runner up"),
    ("TOP", "3", "", "on the podium|podium"),
    ("PLACE", "place", "", "place|spot|position|slot"),
    ("ORBETTER", "", "", "+|or better|or higher|or above|or more|or over"),
    ("ORLESS", "", "", "or less|or lower|or below|or under|or smaller|or fewer|and under|and below|and smaller"),
    ("NOWORSE", "<=", "", "no worse than|not worse than|no lower than|at worst"),
    ("LEADS", "", "now", "leads|lead|tops|heads"),
    ("LEADS", "", "past", "led|topped|headed"),
    ("LEADS", "", "", "leading|topping|heading"),
    ("LEDBY", "", "", "led by|topped by|headed by|dominated by"),
    ("AHEAD", "", "now", "improves on|beats|outperforms|outperform|surpasses|surpass|outscores|outscore"),
    ("AHEAD", "", "now", "outranks|outrank|bests|edges out|edges|defeats|defeat|ranks above"),
    ("AHEAD", "", "now", "ranks ahead of|ranks higher than"),
    ("AHEAD", "", "past", "improved on|beat|outperformed|surpassed|outscored|outranked|bested|edged out"),
    ("AHEAD", "", "past", "edged|defeated|overtook|ranked above|ranked ahead of"),
    ("AHEAD", "", "", "ahead of|in front of|superior to|stronger than|beating|clear of"),
    ("AHEAD", "", "past", "beaten|overtaken"),
    ("AHEAD", "", "", "a lead over|an edge over|the edge over|the lead over|an advantage over"),
    ("AHEAD", "", "", "outperforming|surpassing|up on|lead over|edge over|advantage over|margin over"),
    ("AHEAD", "", "", "a higher score than|a better score than|higher score than"),
    ("NOT AHEAD", "", "", "no better than"),
    ("BEHIND", "", "now", "trails|trail|lags behind|lags|lag behind|lag|loses to|lose to"),
    ("BEHIND", "", "now", "trails behind|falls behind|ranks below|ranks behind"),
    ("BEHIND", "", "past", "trailed|lagged behind|lagged|lost to|trailed behind|fell behind"),
    ("BEHIND", "", "past", "ranked below|ranked behind"),
    ("BEHIND", "", "", "short of|shy of|behind|trailing|lagging behind|lagging|inferior to|weaker than"),
    ("BEHIND", "", "", "beaten by|outperformed by|outscored by|surpassed by|overtaken by"),
    ("BEHIND", "", "", "outranked by|edged out by|bested by|defeated by|down on|a lower score than"),
    ("TIE", "", "", "tied with|level with|in a tie with|a tie with|even with|equal with|equal to"),
    ("TIE", "", "", "on par with|on a par with|in a dead heat with|tied to|tying with|tying"),
    ("TIE", "", "now", "ties with|ties|tie with|tie|draws with|draws level with|equals"),
    ("TIE", "", "past", "tied|drew with|drew level with|equalled"),
    ("TIE", "", "", "level|in a tie|it's a tie|it is a tie|a tie between|a tie|on par|even"),
    ("TIE", "", "", "a tie at the top between|in a dead heat|a draw|it's a draw|dead heat"),
    ("NOISE", "", "", "within noise of|within the noise of|inside the noise of|within noise"),
    ("NOISE", "", "", "within the noise|within the margin of error of|within the margin of error"),
    ("NOISE", "", "", "inside the margin of error of|within margin of error of|within error of"),
    ("NOISE", "", "", "within the error bars of|within error bars of|within the error margin of"),
    ("NOISE", "", "", "statistically tied with|statistically tied|statistically level with"),
    ("NOISE", "", "", "statistically level|statistically indistinguishable from"),
    ("NOISE", "", "", "statistically indistinguishable|indistinguishable from|in the noise of"),
    ("NOISE", "", "", "in a statistical tie with|in a statistical tie|a statistical tie with"),
    ("NOISE", "", "", "statistically equal to|statistically equal|statistically even with"),
    ("NOISE", "", "", "statistically on par with|statistically the same as|indistinguishable"),
    ("NOISE", "", "now", "statistically ties with|statistically ties"),
    ("DIFFERENT", "", "", "significantly different from|statistically different from"),
    ("DIFFERENT", "", "", "significantly different|statistically different"),
    ("NOT DIFFERENT", "", "", "no significant difference between|no significant difference to"),
    ("NOT DIFFERENT", "", "", "no statistically significant difference between"),
    ("NOT DIFFERENT", "", "", "no significant difference from"),
    ("DIFFERENT", "", "", "statistically significantly different from|distinguishable from"),
    ("DIFFERENT", "", "now", "differs significantly from|differ significantly from"),
    ("DIFFERENT", "", "now", "differ significantly|significantly differ from"),
    ("SIGNIFICANT", "", "", "significantly|statistically significantly|by a significant margin"),
    ("SIGNIFICANT", "", "", "statistically|a significant|with statistical significance"),
    ("EACHOTHER", "", "", "each other|one another"),
    ("ABOUT", "", "", "about|roughly|nearly|around|almost|approximately|approx.|approx|circa"),
    ("ABOUT", "", "", "ca.|some|close to|~|≈|an estimated|just about"),
    ("GE", ">=", "", "at least|no less than|not less than|no fewer than|not fewer than|≥|>="),
    ("GE", ">=", "", "a minimum of|minimum"),
    ("LE", "<=", "", "at most|no more than|not more than|up to|≤|<=|a maximum of|maximum"),
    ("LE", "<=", "", "no larger than|not larger than|no bigger than|no longer than"),
    ("GT", ">", "", "over|above|more than|greater than|higher than|better than|upwards of"),
    ("GT", ">", "", "well over|just over|in excess of|north of|exceeding|>|longer than"),
    ("GT", ">", "now", "exceeds|exceed"),
    ("GT", ">", "past", "exceeded"),
    ("LT", "<", "", "under|below|less than|fewer than|lower than|worse than|just under|well under"),
    ("LT", "<", "", "<|shorter than"),
    ("SMALLER", "<", "", "smaller than|sub"),
    ("SMALLER", ">", "", "larger than|bigger than"),
    ("POINTS", "", "", "points|point|pts|pt|percentage points|pp"),
    ("PERCENT", "", "", "%|percent|per cent"),
    ("UP", "+", "", "up"),
    ("UP", "-", "", "down"),
    ("LEADOF", "", "", "a lead of|a margin of|an edge of|an advantage of|lead of|the lead by"),
    ("LEADOF", "", "", "a gap of|gap of|edge of|margin of|with a lead of|by a margin of"),
    ("SCOREOF", "", "", "a score of|score of|scores of|with a score of|a result of"),
    ("SCOREOF", "", "", "score is"),
    ("VERSUS", "", "", "that of|those of|vs|vs.|versus|against|compared to|compared with|relative to|than|v."),
    ("QUANTITY", "speed", "", "speed|faster|quicker|the speedup|speedup|speed up"),
    ("QUANTITY", "speed", "", "as fast|as quick"),
    ("QUANTITY", "cost", "", "as expensive|as costly|as cheap"),
    ("QUANTITY VERSUS", "speed", "", "as fast as|as quick as"),
    ("QUANTITY", "cost", "", "cost|costs|cheaper|less expensive|less costly|expense"),
    ("QUANTITY VERSUS", "cost", "", "as expensive as|as costly as|as cheap as"),
    ("QUANTITY VERSUS", "memory", "", "as much memory as"),
    ("QUANTITY", "price", "", "price"),
    ("QUANTITY", "throughput", "", "throughput"),
    ("QUANTITY", "latency", "", "latency"),
    ("QUANTITY", "memory", "", "memory|memory footprint|ram|vram"),
    ("QUANTITY", "compute", "", "compute"),
    ("QUANTITY", "energy", "", "energy|power"),
    ("REVERSED", "speed", "", "slower"),
    ("REVERSED", "cost", "", "more expensive|more costly|pricier"),
    ("VERSUS", "", "", "as much as|as many as"),
    ("MODEL", "", "", "model|models|entry|entries|system|systems|submission|submissions"),
    ("MODEL", "", "", "entrant|entrants|participant|participants|llm|llms|weights model"),
    ("MODEL", "ranked", "", "ranked models|ranked entries|ranked systems|ranked submissions"),
    ("MODEL", "listed", "", "listed models|listed entries|listed systems|listed submissions"),
    ("OPEN", "open == true", "", "open|open source|open weight|open weights|openly available"),
    ("OPEN", "open == true", "", "open sourced|openly licensed"),
    ("OPEN", "open == false", "", "closed|closed source|proprietary|closed weight|closed weights"),
    ("OPEN", "open == false", "", "non open|not open"),
    ("SIZED", "", "", "parameters|params|parameter|class|in size"),
    ("AMONG", "", "", "among|amongst|of all|out of all|among all|all|every|one of|inside"),
    ("AMONG", "", "", "inside the|within|any of|one of the|in its class among|any other|all other|every other"),
    ("OUTSIDE", "", "", "outside|outside of"),
    ("CONSECUTIVE", "", "", "consecutive|straight|in a row|uninterrupted|running|on end"),
    ("CONSECUTIVE", "", "", "without interruption|without a break|consecutively"),
    ("TOTAL", "", "", "in total|altogether|all in all|a total of"),
    ("UNEVEN", "", "", "month|months|quarter|quarters|year|years"),
    ("SPENT", "", "past", "spent"),
    ("SPENT", "", "now", "spends"),
    ("NOW", "", "", "now|right now|currently|today|as of today|as of now|at the moment"),
    ("NOW", "", "", "at present|presently|these days|nowadays|at this moment|as of this moment"),
    ("EVER", "", "", "ever|once|at some point|at one point|at any point|at one time|at any time"),
    ("NEVER", "", "", "never|at no point|at no time|never once|never ever"),
    ("ALWAYS", "", "", "always|at all times|all the time|the whole time|all along|constantly"),
    ("ALWAYS", "", "", "continuously|at every moment|at every point"),
    ("THROUGHOUT", "", "", "throughout|all through|during all of|for all of|all of"),
    ("ASOF", "", "", "as of|as at|as on"),
    ("SINCE", "", "", "since|ever since"),
    ("UNTIL", "", "", "until|till|up until"),
    ("FROM", "", "", "from"),
    ("BETWEEN", "", "", "between"),
    ("TO", "", "", "to|through"),
    ("DURING", "", "", "during|in the month of"),
    ("ON", "", "", "on|on to"),
    ("OF", "", "", "of|out of"),
    ("IN", "", "", "in"),
    ("AT", "", "", "at"),
    ("AS", "", "", "as"),
    ("BY", "", "", "by"),
    ("FOR", "", "", "for"),
    ("WITH", "", "", "with|given"),
    ("AND", "", "", "and|as well as|&|plus"),
    ("OR", "", "", "or|nor"),
    ("SEPARATE", "but", "", "but|yet"),
    ("SEPARATE", "", "", "while|whereas"),
    ("PRONOUN", "", "", "it|we|they|our model|the model|this model|our entry|our new model"),
    ("BOTH", "2", "", "both boards|both leaderboards|both rankings|both of the boards"),
    ("BOTH", "", "", "all boards|every board|all leaderboards|each board"),
    ("BOTH", "or", "", "either board|any board|either leaderboard"),
    ("BOARDWORD", "", "", "board|boards|leaderboard|leaderboards|ranking table"),
    ("SPLITWORD", "", "", "split|suite|part|tests|test|test set|set|subset|portion|section"),
    ("ONLY", "", "", "only"),
    ("ARTICLE", "", "", "the|a|an|its|their|our"),
    ("FILLER", "", "", "still|also|again|just|clearly|easily|narrowly|comfortably|slightly"),
    ("FILLER", "", "", "any more|anymore|any longer|officially|already|hereby|both|overall|exactly|precisely|breaking|wow|snapshot|update|'s|’s|ranked as"),
)  # fmt: skip

# A word ends where a name's word would, or at punctuation; a dot only at a space or the end.
_LETTERS = re.compile(r"[a-z]+|'[a-z]+|&")
# Signs stand right before or after a number.
_SIGN = re.compile(r"[~≈≥≤%]|\+(?=\s)|[<>]=?(?=\s*\d)|-points?\b")
END = r"(?=[\s,:;!?)\]\"\u201d*]|['\u2019](?=s\b|\W|$)|\.?$|\.\s|\.\.)"

_END = re.compile(END)


@lru_cache(maxsize=1)
def _phrases() -> dict[str, Meaning]:
    found: dict[str, Meaning] = {}
    for kinds, value, tense, phrases in _TABLE:
        for phrase in phrases.split("|"):
            found.setdefault(phrase, Meaning(tuple(kinds.split()), value, tense))
    return found


@lru_cache(maxsize=1)
def _by_first_word() -> dict[str, list[str]]:
    """The letters that phrases begin with -> the phrases, longest first."""
    found: dict[str, list[str]] = {}
    for phrase in sorted(_phrases(), key=len, reverse=True):
        if first := _LETTERS.match(phrase):
            found.setdefault(first[0], []).append(phrase)
    return found


def phrase_at(text: str, at: int) -> tuple[int, Meaning] | None:
    """The longest phrase of the language at a place of a text: where it ends, what it means.

    Args:
        text: in small letters, with single spaces.

    >>> phrase_at("state-of-the-art on text", 0)
    (16, Meaning(kinds=('FIRST',), value='', tense=''))
    """
    if sign := _SIGN.match(text, at):
        return sign.end(), _phrases()[sign[0].removeprefix("-")]
    first = _LETTERS.match(text, at)
    for phrase in _by_first_word().get(first[0], ()) if first else ():
        stop = at + len(phrase)
        if text[at:stop].replace("-", " ") == phrase and _END.match(text, stop):
            return stop, _phrases()[phrase]
    return None


def phrases_of(kind: str) -> list[str]:
    """All phrases of one kind.

    >>> phrases_of("ONLY")
    ['only']
    """
    return [phrase for phrase, meaning in _phrases().items() if meaning.kinds == (kind,)]


@lru_cache(maxsize=1)
def words() -> frozenset[str]:
    """All single words of the language."""
    return frozenset(word for phrase in _phrases() for word in phrase.split())
