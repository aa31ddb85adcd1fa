"""What does the name of a column say about what stands in it?

In: a Fact. Out: whether it can be a score, whether it is called one, and which way is better. Start
at may_be_score(). Names are hints: `history.propose.roles` weighs them against the order of the
rows and the published ranks.
"""

from __future__ import annotations

import re

from history.propose.facts import Fact

# What sums up the others.
BEST = re.compile(
    r"\b(?:overall|average|avg|mean|total|scores?|elo|ratings?|final|main|[a-z]{5,} index)\b"
)
# What is counted right: it makes a score even of what is counted.
_RIGHT = re.compile(
    r"\b(?:acc|accuracy|pass|passed|win|wins|won|f1|success|solved|resolved|correct|em|exact"
    r"|precision|recall|consistency)\b"
)
GOOD = re.compile(
    _RIGHT.pattern
    + r"|\b(?:bleu|rouge|chrf|comet|auc|auroc|map|points?|pts|rewards?|ndcg|mrr|m?iou|dice|psnr|ssim"
    r"|sharpe|profits?|pnl|returns?|earnings|net worth|mmlu|mmmu|gsm8k|humaneval|mbpp|gpqa|hellaswag"
    r"|bbh|ifeval|truthfulqa|aime|quality)\b"
)
LOWER = re.compile(
    r"\b(?:errors?|rmsl?e|n?rmse|mse|mae|mape|smape|crps|(?:log|val)?loss|nll|perplexity|ppl|wer|cer"
    r"|ter|eer|regret|k?fid|hallucinations?|brier|ece|failures?|distance|deviation|penalt(?:y|ies)"
    r"|rank|place|bpb|bpc|latency|cost|time)\b"
)
# More of it is better on one board and worse on another.
_EITHER = re.compile(r"\b(?:toxicity|toxic|bias|attacks?|refusals?|harm|harmful|risk|jailbreak)\b")
# Whatever else the name says, this is printed beside scores; with units.
_BESIDE = re.compile(
    r"\b(?:costs?|prices?|pricing|usd|eur|dollars?|euros?|cents?|budget|latency|seconds?|secs?|ms"
    r"|minutes?|mins|hours?|hrs?|days?|times?|runtime|timestamp|elapsed|duration|speed|tok|tps"
    r"|throughput|params?|parameters?|sizes?|layers?|heads|dims?|dimensions?|vram|ram|gb|mb|tb|memory"
    r"|gpus?|cpus?|flops|counts?|num|numbers?|length|len|ctx|windows?|votes?|downloads?|likes?|stars?"
    r"|forks?|commits?|followers?|citations?|views|entries|submissions|members|dates?|years?|yr"
    r"|months?|published|released?|submitted|created|updated|added|paper|arxiv|doi|versions?|ids?"
    r"|cutoff|epochs?|steps?|batch|seeds?|temperature|age|salary|population|delta|diff|change|prev"
    r"|previous|std|stdev|stderr|se|ci|lower|upper|percentile|members|default)\b"
)
# What is counted; "solved" beside it makes it a score.
_COUNTED = re.compile(
    r"\b(?:tokens?|questions?|problems?|tasks|cases|tests|samples?|items|words|examples?|issues?"
    r"|games|matches|battles|played|asks|comments|responses|timeouts?|n)\b"
)
# Beside scores, unless the name says that it sums up.
_PERHAPS = re.compile(
    r"\b(?:low|high|min|max|q\d+|errors?|deviation|index|idx|context|rank|place|position)\b"
)
LOW_WORDS = re.compile(r"(?:\b|_)(?:q0?25|q05|lower|low|lo|min|ci low|lb)(?:\b|_)")
HIGH_WORDS = re.compile(r"(?:\b|_)(?:q9?75|q95|upper|high|hi|max|ci high|ub)(?:\b|_)")
_MONEY = re.compile(r"[$€£¥]")
_MONEY_SCORE = re.compile(
    r"\b(?:profits?|pnl|returns?|rewards?|earnings|earned|winnings|net worth|balance|equity|capital"
    r"|portfolio|revenue|payout|bankroll)\b"
)
_UNIT = re.compile(r"[$€£¥]|\d\s*(?:[KMGT]i?B|ms|s|sec|min|h|hrs?|tok/s|B|M|USD|EUR)$")
_YEARS = range(1950, 2051)
_DAYS = range(19000101, 20991232)
_SECONDS = range(900_000_000, 2_200_000_000)  # since 1970, in 1998 to 2039
_MILLISECONDS = range(900_000_000_000, 2_200_000_000_000)
_NUMERIC = 0.3  # share of rows


def is_called_score(fact: Fact) -> bool:
    """Whether the name of a column says that scores stand in it.

    >>> from history.propose.facts import fact
    >>> [is_called_score(fact(name, ["1"])) for name in ("W", "Pts", "Avg. Acc", "WER")]
    [False, True, True, True]
    """
    return any(words.search(fact.path) for words in (BEST, GOOD, LOWER, _EITHER))


def way_by_name(fact: Fact) -> str:
    """Which way is better, by the name alone; empty where it says nothing, or both.

    >>> from history.propose.facts import fact
    >>> names = ("Accuracy", "Score (RMSLE)", "LogLoss", "Toxicity Score", "MOS")
    >>> [way_by_name(fact(name, ["1"])) for name in names]
    ['higher', 'lower', 'lower', '', '']
    """
    if _EITHER.search(fact.path):
        return ""
    good = bool(GOOD.search(fact.path))
    if LOWER.search(fact.path):
        return "" if good else "lower"
    return "higher" if good or BEST.search(fact.path) else ""


def may_be_score(fact: Fact) -> bool:
    """Whether a column holds numbers that could be ranked."""
    return is_number(fact) and not is_beside(fact)


def is_number(fact: Fact) -> bool:
    """Whether a column holds different numbers that are not just those of the rows."""
    return (
        fact.numeric >= _NUMERIC
        and fact.varied > 1
        and not fact.counts_rows
        and bool(fact.name)
        and not (LOW_WORDS.search(fact.name) or HIGH_WORDS.search(fact.name))
    )


def is_beside(fact: Fact) -> bool:
    """Whether a column holds what is printed beside scores: costs, counts, dates, settings.

    >>> from history.propose.facts import fact
    >>> names = ("Costs", "Avg Tokens", "Problems solved", "Rating Count", "Avg Error", "tok/s")
    >>> [is_beside(fact(name, ["1"])) for name in names]
    [True, True, False, True, False, True]
    >>> is_beside(fact("at", ["1700000000"])), is_beside(fact("since", ["2015", "2016"]))
    (True, True)
    """
    name = fact.name
    if _BESIDE.search(name):
        return True
    if _COUNTED.search(name) and not _RIGHT.search(name):
        return True
    if _PERHAPS.search(name) and not BEST.search(name):
        return True
    money = _MONEY.search(fact.title or fact.last_name) or _has_units(fact)
    if money and not _MONEY_SCORE.search(name):
        return True
    return not is_called_score(fact) and _is_time(fact)


def _has_units(fact: Fact) -> bool:
    """Whether most cells name money, bytes or a time."""
    said = [text.strip() for text in fact.texts if text and text.strip()]
    return bool(said) and 2 * sum(bool(_UNIT.search(text)) for text in said) > len(said)


def _is_time(fact: Fact) -> bool:
    """Whether all numbers are years, days written as one number, or times since 1970."""
    known = [number for number in fact.numbers if number is not None]
    if not known or any(number != int(number) for number in known):
        return False
    return any(
        all(int(number) in times for number in known)
        for times in (_YEARS, _DAYS, _SECONDS, _MILLISECONDS)
    )
