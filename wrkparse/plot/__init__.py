"""Figures: each takes a dataset (or what an analysis found) and gives matplotlib Axes.

``kind(dataset_or_result, *, ax=None, …) -> Axes``. Without `ax` a figure is made for it, 166 mm wide; figures of
several panels draw them into `ax`, which is switched off, as ``ax.child_axes``. `data` gives the tidy frame that was
drawn, `save` writes SVG, PNG or PDF. Nothing is computed here: numbers come from `wrkparse.analysis`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from wrkparse.plot.agreement import reproduce
    from wrkparse.plot.bars import compare
    from wrkparse.plot.connections import audit
    from wrkparse.plot.distribution import ccdf, latency
    from wrkparse.plot.facets import gc_settings, multiples
    from wrkparse.plot.files import save, svg
    from wrkparse.plot.growth import efficiency, scaling
    from wrkparse.plot.pauses import gc
    from wrkparse.plot.queues import sched
    from wrkparse.plot.style import NothingToPlotError, data
    from wrkparse.plot.utilisation import mmu

__all__ = [
    "KINDS",
    "NothingToPlotError",
    "audit",
    "ccdf",
    "compare",
    "data",
    "efficiency",
    "gc",
    "gc_settings",
    "latency",
    "mmu",
    "multiples",
    "reproduce",
    "save",
    "scaling",
    "sched",
    "svg",
]


class Kind(NamedTuple):
    """A figure: the module with the function of this name, what it shows, and its options with their defaults."""

    home: str
    summary: str
    options: Mapping[str, Any]


_SCALING = {
    "by": "framework", "load": "connections", "over": "cores", "metric": "throughput", "errors": "absolute",
    "confidence": 0.95, "include_invalid": False,
}  # fmt: skip

_COMPARISON = {"metric": "throughput", "center": "median", "confidence": 0.95, "include_invalid": False}

# Every figure: `wrkparse plot` makes a command of each, with the options of `wrkparse.cli.documents.plot`.
KINDS = {
    "scaling": Kind("growth", "Throughput by cores with the fitted law and its band, efficiency beside it.", _SCALING),
    "efficiency": Kind("growth", "How much of linear scaling is left, by cores.", _SCALING),
    "compare": Kind("bars", "Settings side by side, best first, with ratios to a baseline and ties.", {
        "rows": "framework", "columns": "", "baseline": "", **_COMPARISON,
    }),
    "multiples": Kind("facets", "Throughput or latency by connections, a panel for each framework.", {
        "panel": "framework", "by": "cores", "over": "connections", "linear": False, **_COMPARISON,
    }),
    "gc_settings": Kind("facets", "GOGC settings against a baseline, a panel for each framework.", {
        "panel": "framework", "by": "gogc", "baseline": "gogc=100", "over": "connections", **_COMPARISON,
    }),
    "latency": Kind("distribution", "Latency by percentile, a line per run, as HdrHistogram draws it.", {}),
    "ccdf": Kind("distribution", "The share of requests slower than a latency, both logarithmic.", {}),
    "gc": Kind(
        "pauses", "Pauses over marking, and the heap with its goal, of one process.", {"run": None, "slo_s": None}
    ),
    "mmu": Kind("utilisation", "Minimum mutator utilisation, a line per process.", {}),
    "sched": Kind("queues", "Run queue of each P over time, with totals and idle Ps, of one process.", {"run": None}),
    "reproduce": Kind("agreement", "Published tables, cell by cell: what follows from the raw runs.", {"study": None}),
    "audit": Kind("connections", "Little's law: requests under way by connections, findings coloured.", {}),
}  # fmt: skip

_HOME = {
    "save": "files", "svg": "files", "NothingToPlotError": "style", "data": "style",
    **{name: kind.home for name, kind in KINDS.items()},
}  # fmt: skip


def __getattr__(name: str) -> Any:
    """Import on first use: the list of figures, for ``--help``, does not wait for matplotlib."""
    if name not in _HOME:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_HOME[name]}"), name)
