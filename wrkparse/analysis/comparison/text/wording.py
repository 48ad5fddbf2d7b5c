"""Labels, metrics, ratios, differences and p values of a comparison as text."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from wrkparse.analysis.comparison.cells.label_columns import without_prefix
from wrkparse.analysis.go.trace_metrics import TRACE_METRICS
from wrkparse.analysis.runs.labels.factors import ADDRESS_LABELS, base_key
from wrkparse.analysis.runs.labels.key_words import NAME_KEYS, key_words
from wrkparse.analysis.runs.metrics import ERRORS
from wrkparse.analysis.shown.numbers import as_printed, quantity
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS
from wrkparse.tools import metrics

NOT_USED = "not used"  # of runs that the audit leaves out: a run may be sound but for its latencies
# A name that begins with one of these does not look like one in a sentence. "A" alone is a name.
_PREPOSITIONS = frozenset("after before behind by for in on through under using via with without".split())
_ARTICLES = ("a ", "an ", "the ")
_MOST_DECIMALS = 4  # of a ratio, unless it is tiny: steps of 0.01 %
_TINY = 0.001  # a ratio of which 4 decimals do not show two digits
_FEWEST_DECIMALS = 2  # of a ratio with a wide interval, unless the ratio itself needs fewer
_LEVELS = (0.1, 0.05, 0.01)  # of tests
_THREE_DIGITS = 0.995  # from here on per cent have three digits, which `.2g` would write as 1e+02
# How a sentence says a label, and that it is missing. The others say who answers, and stand for themselves.
_PLACES = {
    "connections": ("at {} connections", "at an unknown number of connections"),
    "threads": ("with {} threads", "with an unknown number of threads"),
    "cores": ("on {} cores", "on an unknown number of cores"),
    "rate": ("at {} requests per second", "at an unknown rate"),
    "payload_bytes": ("with {} bytes", "with an unknown payload"),
    "duration_s": ("in runs of {} s", "in runs of an unknown duration"),
    "path": ("for {}", "for an unknown path"),
    "url": ("for {}", "for an unknown URL"),
    "gogc": ("with GOGC={}", "without GOGC"),
    "gomemlimit": ("with GOMEMLIMIT={}", "without GOMEMLIMIT"),
    "gc": ("with {}", "without a stated garbage collector"),
    "go_version": ("with Go {}", "with an unknown Go"),
    "machine": ("on {}", "on an unknown machine"),
    "day": ("on {}", "on an unknown day"),
    "tool": ("by {}", "by an unknown tool"),
    **{f"flag_x{size}": (f"with -X{size}{{}}", f"without -X{size}") for size in ("mx", "ms", "mn", "ss")},
}
# Keys as sentences say them; `key_words` has the others.
_KEYS = {
    "connections": "the number of connections", "threads": "the number of threads", "cores": "the number of cores",
    "payload_bytes": "the payload", "duration_s": "the duration", "go_version": "the version of Go",
    "gc": "the garbage collector", "machine": "the machine", "path": "the path", "tool": "the tool", "rate": "the rate",
    "url": "the URL",
}  # fmt: skip


def label_list(labels: Any) -> str:
    """``framework=nginx, gogc=off``."""
    return ", ".join(f"{key}={value_words(value, key)}" for key, value in labels.items())


def base_words(labels: Mapping[str, str | None]) -> str:
    """The baseline behind ``beside`` or ``ratios to``: ``heron``, ``that with GOGC=100``."""
    return name_words(labels) or f"that {place_words(labels)}"


def compared_noun(keys: Sequence[str]) -> str:
    """What is compared, as a noun: ``branch``; ``setting`` if its key names nothing that answers."""
    return keys[0] if len(keys) == 1 and keys[0] in NAME_KEYS else "setting"


def key_in_sentence(key: str) -> str:
    """A label's key as a sentence says it: ``the number of connections``, ``GOGC``, ``alloc``."""
    return _KEYS.get(key) or key_words(without_prefix(key))


def value_words(value: Any, key: str) -> str:
    """A label's value for people; a run without the address of its server may be of any."""
    return value if isinstance(value, str) else "(any)" if key in ADDRESS_LABELS else "(none)"


def ratio_text(ratio: float) -> str:
    """A ratio with four significant digits; empty if it is missing."""
    if ratio == 1:
        return "1"
    return "" if math.isnan(ratio) else f"{ratio:#.4g}" if ratio < 1000 else f"{ratio:.0f}"


def percent_text(ratio: float) -> str:
    """``2 %``, ``0.12 %``, ``105 %``: two digits, or all in front of the point; never ``1.3e-06 %``."""
    if ratio >= _THREE_DIGITS or not ratio:
        return f"{100 * ratio:,.0f} %"
    number = f"{100 * ratio:.{max(0, 1 - math.floor(math.log10(100 * ratio)))}f}"
    return f"{number.rstrip('0').rstrip('.') if '.' in number else number} %"


def share_difference_text(difference: float) -> str:
    """A difference of shares: ``+0.12 %`` of all requests."""
    return "" if math.isnan(difference) else "0 %" if difference == 0 else f"{100 * difference:+.3g} %"


def p_text(value: float) -> str:
    """A p value with two digits."""
    return "" if math.isnan(value) else "<0.001" if value < 0.001 else _p_digits(value)


def _p_digits(value: float) -> str:
    """A p value with two digits, or as many as show on which side of a usual level it is: ``0.0502``."""
    shown = [f"{value:.{digits}g}" for digits in (2, 3, 4)]
    return next((text for text in shown if float(text) not in _LEVELS or float(text) == value), shown[0])


def ratio_decimals(ratio: float, low: float = math.nan, high: float = math.nan, resolution: float = math.nan) -> int:
    """How many decimals show two digits of a ratio and of its distance from 1, up to 4; more for one that is tiny.

    Beyond two decimals, only as many as show two digits of half the interval from `low` to `high`. The last one is the
    first that the printed digits leave open; `resolution` is how much they leave open.
    """
    if ratio == 1:
        return 2
    sizes = [size for size in (ratio, abs(ratio - 1)) if size > 0 and math.isfinite(size)]
    most = _two_digits(ratio) if 0 < ratio < _TINY else _MOST_DECIMALS
    places = min(most, max([0, *map(_two_digits, sizes)]))
    if high > low and math.isfinite(high - low):
        places = min(places, max(_FEWEST_DECIMALS, _two_digits((high - low) / 2)))
    if resolution > 0 and ratio > 0:
        places = min(places, max(0, math.ceil(-math.log10(resolution)), -math.floor(math.log10(ratio))))
    return places


def _two_digits(size: float) -> int:
    """The decimals of the second digit of a number."""
    return 1 - math.floor(math.log10(size))


def interval_text(low: float, high: float, places: int) -> str:
    """``2.1–2.8``, with more decimals if the ends would look equal; empty if an end is missing or has no bound."""
    if not (math.isfinite(low) and math.isfinite(high)):
        return ""
    apart = (more for more in range(places, _MOST_DECIMALS + 1) if f"{low:.{more}f}" != f"{high:.{more}f}")
    places = next(apart, places)
    return f"{low:.{places}f}–{high:.{places}f}"


def ratio_words(ratio: float, low: float, high: float, resolution: float = math.nan) -> str:
    """A ratio with its interval, as far as they are known: ``0.29 (0.20–0.37)``; decimals as in `ratio_decimals`."""
    if math.isnan(ratio):
        return ""
    places = ratio_decimals(ratio, low, high, resolution)
    ends = interval_text(low, high, places)
    return f"{ratio:.{places}f}" + (f" ({ends})" if ends else "")


def p_cell(value: float) -> str:
    """A p value in a column that says so: ``0.032``, ``<0.0001``; empty if it is missing."""
    return "" if math.isnan(value) else "<0.0001" if value < 0.0001 else _p_digits(value)


def p_words(value: float, *, adjusted: bool = False) -> str:
    """``p = 0.016``, of several tests ``adjusted p = 0.016``; ``p < 0.0001`` if it is smaller; empty if missing."""
    name = "adjusted p" if adjusted else "p"
    return "" if math.isnan(value) else f"{name} < 0.0001" if value < 0.0001 else f"{name} = {_p_digits(value)}"


def center_text(value: float, unit: str, resolution: float) -> str:
    """A median with the digits that were printed; four if it is not known how many were."""
    return as_printed(value, unit, resolution) if resolution > 0 else quantity(value, unit)


def amount_words(value: float | None, unit: str, metric: str) -> str:
    """A `quantity` that says of throughput what is counted: ``52.72k requests/s``; other units stand for themselves."""
    return counting_words(quantity(value, unit), unit, metric)


def counting_words(words: str, unit: str, metric: str) -> str:
    """The words of a quantity; those of throughput say what is counted."""
    if metric != "throughput" or unit != "1/s" or not words:
        return words
    number, _, name = words.partition(" ")
    return f"{number}{name.partition('/')[0]} requests/s"


def metric_words(name: str) -> str:
    """A metric as a sentence begins with it: ``Latency p99``, ``Mean latency``, ``Elapsed time``."""
    if name in TRACE_METRICS:
        return TRACE_METRICS[name].title
    if name == ERRORS:
        return "Socket errors"
    declared = metrics()
    # `latency_uncorrected_p99` begins with `latency_`, too: the longest name is that of the metric.
    metric = max((one for one in declared if name == one or name.startswith(f"{one}_")), key=len, default="")
    if not metric:
        return name
    title, stat = declared[metric].title, name[len(metric) + 1 :]
    if not stat or stat.startswith("p"):
        return f"{title} {stat}".rstrip()
    words = {"mean": "Mean", "max": "Longest", "min": "Shortest", "median": "Median"}
    lower = title[:1].lower() + title[1:]
    return f"{words[stat]} {lower}" if stat in words else f"{title}, {stat}"


def place_words(labels: Mapping[str, str | None]) -> str:
    """Labels as a sentence says them: ``at 64 connections with GOGC=50``.

    A missing address need not be unknown: it may distinguish no runs. So it is only said if nothing else is.
    """
    shown = {key: value for key, value in labels.items() if value is not None or key not in ADDRESS_LABELS} or labels
    return " ".join(dict.fromkeys(_place(key, value) for key, value in shown.items()))


def _place(key: str, value: str | None) -> str:
    if key in _PLACES:
        known, unknown = _PLACES[key]
        text = unknown if value is None else known.format(value)
        # "on 1 core"
        return text[:-1] if value == "1" and text.endswith(("connections", "threads", "cores", "bytes")) else text
    if base_key(key) in FACTOR_KEYS:
        return f"without a {key_words(base_key(key))}" if value is None else f"for “{value}”"
    if key in NAME_KEYS and value is not None:
        return f"for {value}"
    shown = key_words(key) if key.startswith("flag_") else without_prefix(key).removeprefix("env_")
    if value is None:
        return "in runs without a name" if key == "framework" else f"without {shown}"
    if not key.startswith("flag_"):
        return f"with {shown}={value}"
    return f"with {shown}" if value == "true" else f"with {shown} {value}"


def behind_runs(words: str) -> str:
    """Words about labels, to be put behind ``runs``: ``without a name``, not ``in runs without a name``."""
    return words.replace("in runs without", "without")


def _may_name(key: str) -> bool:
    """Whether a label may name the server."""
    return key in NAME_KEYS or base_key(key) in FACTOR_KEYS


def name_words(labels: Mapping[str, str | None]) -> str | None:
    """The server, as the subject of a sentence: ``go with GOGC=50``; None if no label names it.

    A heading, folder or file that names it is in quotation marks, because it may be any words. So is a name that begins
    with a preposition or an article: “with cache” answers.
    """
    names, others = list[str](), dict[str, str | None]()
    is_named = any(value is not None and _may_name(key) for key, value in labels.items())
    for key, value in labels.items():
        if value is None and is_named and (_may_name(key) or key in ADDRESS_LABELS):  # kiwi beside kiwi “pooled”
            continue
        if value is None or not _may_name(key):
            others[key] = value
        else:
            name = value.casefold()
            is_noun = key in NAME_KEYS and not (name.split(" ", 1)[0] in _PREPOSITIONS or name.startswith(_ARTICLES))
            names.append(value if is_noun else f"“{value}”")
    return " ".join([*names, place_words(others)]).rstrip() if names else None
