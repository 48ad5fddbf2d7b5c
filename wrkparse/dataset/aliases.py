"""Short names of labels and metrics: what headers show, and what people write."""

from __future__ import annotations

from collections.abc import Collection

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

# The names that tables have in their headers: of several short names the one that is shown.
SHOWN = {ALIASES[name]: name for name in ("conns", "latency", "max", "p99")}


def full_name(name: str) -> str:
    """The label or metric that a short name means; other names as they are."""
    return ALIASES.get(name, name)


def label_name(name: str, known: Collection[str]) -> str:
    """The label that a name means: a short name (``conns``), unless a label has it, means what it stands for."""
    return name if name in known else full_name(name)
