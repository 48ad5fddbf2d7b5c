"""Claims in words: what is how many times what, over which settings, and what that rests on.

``nginx answers 2.4 times as many requests as go at 64 connections``; ``2.1–2.8, p = 0.0079, 5 runs each``.
"""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from wrkparse.analysis.comparison.text.claims import SIGNIFICANT, Claim, Labels
from wrkparse.analysis.comparison.text.wording import (
    interval_text,
    metric_words,
    name_words,
    p_words,
    place_words,
    ratio_decimals,
)
from wrkparse.analysis.runs.labels.labels import natural_order
from wrkparse.analysis.wording import share_text, word_list

if TYPE_CHECKING:
    from wrkparse.analysis.comparison.compare import ComparisonTable

TOO_FEW = "too few"  # the verdict of claims with too few runs; sentences on them use the past tense: "answered"
_MOST_LABELS_WITH_MISSING = 2  # a place with more labels leaves missing ones out: “at 64 connections without GOGC”
_MOST_RANGE_DECIMALS = 3  # of a ratio that is an end of a range
_COUNT = re.compile(r"(?:Of|All) \d")  # at the beginning of a text: of variants that it does not name
_MOST_RUNS = 1000  # on each side, that anyone would make
_ALIKE = 0.1  # the largest difference of runs that are called alike
_MOST_VALUES = 3  # of a label, that a sentence on several settings lists


def statement(claims: Sequence[Claim], baseline: Labels) -> str:
    """What claims on one metric in one place say; all have the verdict of the first, and a ratio.

    ``nginx answers 2.4 times as many requests as go at 64 connections``; of several, with the interval of each, ``chi
    answers 0.88 times (0.85–0.91) and gin 0.93 times (0.91–0.96) as many requests as fiber``; without names
    ``Throughput with GOGC=50 is 0.89 times that with GOGC=100``.
    """
    first = claims[0]
    past = first.verdict == TOO_FEW
    # the interval of a single claim is part of its `evidence_words`
    many = [times_words(first)] if len(claims) == 1 else list(map(_times_with_interval, claims))
    names, base = [name_words(claim.variant) for claim in claims], name_words(baseline)
    if first.metric == "throughput" and base and all(names):
        subjects, verb, end = names, "answered" if past else "answers", f"as many requests as {base}"
    else:
        subjects, verb = [of_words(claim.variant) for claim in claims], "was" if past else "is"
        end = f"that {of_words(baseline)}"
    parts = [
        f"{subjects[0]} {verb} {many[0]}",
        *(f"{who} {each}" for who, each in zip(subjects[1:], many[1:], strict=True)),
    ]
    result = f"{word_list(parts)} {end}"
    return (
        f"{result}{at_words(first.place)}"
        if subjects is names
        else with_place(f"{metric_words(first.metric)} {result}", first)
    )


def with_place(text: str, claim: Claim) -> str:
    """A text that begins with the metric and ends with a setting, and the claim's place behind it, or in front.

    ``Without --pool, throughput with --fast is 2.0 times that without --fast``: behind it, two settings would run on.
    """
    place = at_words(claim.place).strip()
    if place.partition(" ")[0] not in {"with", "without"}:
        return f"{text} {place}".rstrip()
    return f"{place[0].upper()}{place[1:]}, {small_metric(text, claim.metric)}"


def small_metric(text: str, metric: str) -> str:
    """A text that stands behind other words: the metric at its beginning is small, unless it is an abbreviation.

    So is the word before a setting.
    """
    begins = text.startswith((metric_words(metric), "Across ", "With ", "Without ")) and text[1].islower()  # not GC
    return text[0].lower() + text[1:] if begins or _COUNT.match(text) else text


def times_words(claim: Claim) -> str:
    """``2.4 times``; over several settings with the verdict `TOO_FEW`, or that differ, a range: ``1.1 to 1.5``."""
    if not _has_range(claim):
        return f"{claim.ratio:.{claim.decimals}f} times"
    low, high = (
        f"{ratio:.{min(ratio_decimals(ratio), _MOST_RANGE_DECIMALS)}f}" for ratio in (claim.lowest, claim.highest)
    )
    return f"{low} times" if float(low) == float(high) else f"{low} to {high} times"


def _has_range(claim: Claim) -> bool:
    is_range = claim.verdict == TOO_FEW or claim.differs
    return claim.settings > 1 and is_range and math.isfinite(claim.lowest + claim.highest)


def _times_with_interval(claim: Claim) -> str:
    """``2.4 times (2.1–2.8)``; without the interval if there is none, or the ratios of settings are given."""
    words = times_words(claim)
    if _has_range(claim):
        return words
    known = interval_text(claim.lo, claim.hi, claim.decimals)
    return f"{words} ({known})" if known else words


def pair_words(claim: Claim, baseline: Labels) -> str:
    """``Throughput of nginx and go at 64 connections``."""
    name, base = name_words(claim.variant), name_words(baseline)
    words = metric_words(claim.metric)
    if name is None or base is None:
        return with_place(f"{words} {place_words(claim.variant)} and {place_words(baseline)}", claim)
    return f"{words} of {name} and {base}{at_words(claim.place)}"


def of_words(labels: Labels) -> str:
    """``of nginx``, ``with GOGC=50``: what a metric belongs to."""
    name = name_words(labels)
    return f"of {name}" if name else place_words(labels)


def at_words(place: Labels) -> str:
    """`` at 64 connections``; empty without labels. Of many labels, missing ones are left out, unless all are."""
    known = {key: value for key, value in place.items() if value is not None}
    labels = known if known and len(place) > _MOST_LABELS_WITH_MISSING else place
    return f" {place_words(labels)}" if labels else ""


def evidence_words(claims: Sequence[Claim]) -> str:
    """``2.1–2.8, p = 0.0079, 5 runs each``: interval, p value and runs; of several claims or of a range no interval.

    Several claims have the same numbers of runs. Those of claims over several settings are not given.
    """
    first = claims[0]
    has_interval = len(claims) == 1 and not (first.differs and _has_range(first))
    known = interval_text(first.lo, first.hi, first.decimals) if has_interval else ""
    return ", ".join(filter(None, (known, _p(claims), "" if first.settings else runs_words(first))))


def _p(claims: Sequence[Claim]) -> str:
    """``p = 0.016``; of several the one that proves least: ``p ≤ 0.016`` if they are significant, else ``p ≥ 0.2``."""
    values = {claim.p for claim in claims if not math.isnan(claim.p)}
    if not values:
        return ""
    significant = claims[0].verdict in SIGNIFICANT
    words = p_words(max(values) if significant else min(values), adjusted=claims[0].adjusted)
    return words.replace(" = ", " ≤ " if significant else " ≥ ") if len(values) > 1 else words


def runs_words(claim: Claim) -> str:
    """``one run each``, ``5 runs each``, ``5 and 3 runs``."""
    if claim.runs == claim.base_runs:
        return "one run each" if claim.runs == 1 else f"{claim.runs} runs each"
    return f"{claim.runs} and {claim.base_runs} runs"


def direction_words(claim: Claim) -> str:
    """``, lower in all 6``: in how many settings the value is higher, in how many lower; empty for one cell."""
    if not claim.settings:
        return ""
    all_ = "both" if claim.settings == 2 else f"all {claim.settings}"
    known = (("higher", claim.higher), ("lower", claim.lower))
    for side, count in known:
        if count == claim.settings:
            return f", {side} in {all_}"
    counts = [f"{side} in {count}" for side, count in known if count]
    return f", {' and '.join(counts)} of {claim.settings}" if counts else f", equal in {all_}"


def needed_runs_words(claims: Sequence[Claim]) -> str:
    """``about 60 runs each would show a difference of this size``; empty if that is not known."""
    needed = [claim.needed for claim in claims if claim.needed]
    if not needed:
        return ""
    many = f"{min(needed):,} to {max(needed):,}" if min(needed) < max(needed) else f"{needed[0]:,}"
    return f"about {many} runs each would show a difference of this size"


def not_apart_words(table: ComparisonTable, claim: Claim) -> str:
    """What to say of runs that can't be told apart: how many would show the difference, or how small it must be.

    ``about 20 runs each would show a difference of this size``; if that number is out of reach, or not known, the bound
    of the interval: ``with 95 % confidence they are alike within 0.42 %``. Empty for one of several comparisons, whose
    interval is not adjusted for the others, and for runs that form groups, whose medians depend on the groups' sizes.
    """
    if claim.needed and claim.needed <= _MOST_RUNS:
        return needed_runs_words([claim])
    is_alone = not (claim.adjusted or claim.settings or table.scatters[claim.metric].groups)
    within = max(claim.hi, 1 / claim.lo) - 1 if is_alone and claim.lo > 0 else math.inf
    if not 0 < within <= _ALIKE:
        return ""
    return f"with {share_text(table.confidence)} confidence they are alike within {share_text(_rounded_up(within))}"


def _rounded_up(value: float) -> float:
    """A number above 0, rounded up to two digits."""
    step: float = 10 ** (math.floor(math.log10(value)) - 1)
    return math.ceil(value / step) * step


def settings_words(claim: Claim, cells: Sequence[Claim]) -> str:
    """``Across 64 and 256 connections``, ``Across GOGC=50 and 100``: a claim's settings.

    ``Across 6 settings`` if more than one label varies, or if `cells` are not those of all settings.
    """
    keys = list(cells[0].place) if cells else []
    values = {key: list(dict.fromkeys(cell.place[key] for cell in cells)) for key in keys}
    varying = [key for key in keys if len(values[key]) > 1]
    if len(varying) != 1 or len(cells) != claim.settings or claim.settings > _MOST_VALUES or None in values[varying[0]]:
        return f"Across {claim.settings} settings"
    ordered = sorted((str(value) for value in values[varying[0]]), key=natural_order)
    names = [name for value in ordered if (name := name_words({varying[0]: value}))]
    if len(names) == len(ordered):
        return f"Across {word_list(names)}"
    last = place_words({varying[0]: ordered[-1]}).partition(" ")[2]  # without the first word, as a rule a preposition
    name, equals, value = last.partition("=")
    if equals and value == ordered[-1]:
        return f"Across {word_list([f'{name}={ordered[0]}', *ordered[1:]])}"
    if last == f"“{ordered[-1]}”":
        return f"Across {word_list([f'“{value}”' for value in ordered])}"
    if last.startswith(ordered[-1]):
        return f"Across {word_list([*ordered[:-1], last])}"
    return f"Across {claim.settings} settings"
