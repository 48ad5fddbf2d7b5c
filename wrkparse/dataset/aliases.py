"""Short and former names of labels and metrics: headers show some of them, and people may write all of them."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

ALIASES = {
    "conns": "connections",
    "rps": "throughput",
    "qps": "throughput",
    "latency": "latency_mean",
    "mean": "latency_mean",
    "max": "latency_max",
    **{f"p{percentile}": f"latency_p{percentile}" for percentile in ("50", "66", "75", "80", "90", "95", "98", "99")},
    **{f"p{percentile}": f"latency_p{percentile}" for percentile in ("99.9", "99.99", "99.999")},
    "timeouts": "errors_timeout",
}


class Renamed(NamedTuple):
    """A renamed metric of one tool: its former and its current name, and its statistic if that changed."""

    tool: str
    former: str
    metric: str
    stat: str | None = None


RENAMED = (
    Renamed("ab", "waiting", "response_wait"),
    Renamed("ab", "bytes_html", "bytes_bodies"),
    Renamed("ab", "bytes_transferred", "bytes_read"),
    Renamed("ab", "failed_connect", "errors_connect"),
    Renamed("ab", "write_errors", "errors_write"),
    Renamed("oha", "response_wait", "first_body_byte"),
    Renamed("oha", "transfer_rate", "transfer_rate_bodies"),
    Renamed("siege", "bytes_read", "bytes_bodies"),
    Renamed("siege", "transfer_rate", "transfer_rate_bodies"),
    Renamed("siege", "concurrency_achieved", "concurrency_achieved", "mean"),
)

# Former names that are still understood: the metrics of ab that kept their meaning, and numbers of a phase, with and
# without the unit.
_OF_AB = {renamed.former: renamed.metric for renamed in RENAMED if renamed.tool == "ab"}
FORMER = _OF_AB | {
    f"waiting_{stat}{unit}": f"{_OF_AB['waiting']}_{stat}{unit}"
    for stat in ("min", "mean", "stdev", "median", "max")
    for unit in ("", "_s")
}

# The names in the headers of tables: if there are several short names, the one that is shown.
SHOWN = {ALIASES[name]: name for name in ("conns", "latency", "max", "p99")}


def full_name(name: str) -> str:
    """The label or metric that a short or former name stands for; other names are unchanged."""
    return ALIASES.get(name) or FORMER.get(name, name)


def label_name(name: str, known: Collection[str]) -> str:
    """The label that a name stands for. A short name (``conns``) is expanded, unless a label has that name."""
    return name if name in known else full_name(name)


def split_names(names: str | Sequence[str] | None) -> tuple[str, ...]:
    """Names from a list, or from a text with commas, without blanks and duplicates."""
    listed = names.split(",") if isinstance(names, str) else names or ()
    return tuple(dict.fromkeys(name.strip() for name in listed if name.strip()))


def label_names(names: str | Sequence[str] | None, known: Collection[str]) -> tuple[str, ...]:
    """The labels that several names stand for."""
    return tuple(dict.fromkeys(label_name(name, known) for name in split_names(names)))


def with_short_names(names: Collection[str]) -> list[str]:
    """The names, together with their short names."""
    return [*names, *(alias for alias, name in ALIASES.items() if name in names)]
