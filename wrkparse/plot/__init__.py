"""Figures of benchmark runs, as matplotlib Axes in one house style.

Every figure is a function ``kind(dataset_or_result, *, ax=None, …) -> Axes``. Its input is a dataset, or the result of
an analysis. Without `ax`, it draws into a new figure, 166 mm wide. A figure of several panels draws them into
`ax`, switches `ax` off and lists the panels in ``ax.child_axes``.

`data` returns the tidy frame that a figure was drawn from. `save` writes SVG, PNG or PDF. Modules of this package
compute no statistics: all numbers come from `wrkparse.analysis`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from wrkparse.plot.errors import NothingToPlotError
    from wrkparse.plot.figures.audit import audit
    from wrkparse.plot.figures.comparison.changes import changes
    from wrkparse.plot.figures.comparison.compare import compare
    from wrkparse.plot.figures.go.gc import gc
    from wrkparse.plot.figures.go.gc_costs import gc_costs
    from wrkparse.plot.figures.go.mmu import mmu
    from wrkparse.plot.figures.go.sched import sched
    from wrkparse.plot.figures.go.window import window
    from wrkparse.plot.figures.latency.latency import ccdf, latency
    from wrkparse.plot.figures.multiples import gc_settings, multiples
    from wrkparse.plot.figures.reproduce import reproduce
    from wrkparse.plot.figures.scaling.scaling import efficiency, scaling
    from wrkparse.plot.files import save, svg
    from wrkparse.plot.frames import data

__all__ = [
    "KINDS",
    "NothingToPlotError",
    "audit",
    "ccdf",
    "changes",
    "compare",
    "data",
    "efficiency",
    "gc",
    "gc_costs",
    "gc_settings",
    "latency",
    "mmu",
    "multiples",
    "reproduce",
    "save",
    "scaling",
    "sched",
    "svg",
    "window",
]


class Kind(NamedTuple):
    """A kind of figure: a summary for ``--help``, and the options of its function with their defaults."""

    summary: str
    options: Mapping[str, Any]


_EFFICIENCY = {
    "by": "framework", "load": "connections", "over": "cores", "metric": "throughput", "confidence": 0.95,
    "include_invalid": False, "ignore": "",
}  # fmt: skip
_SCALING = _EFFICIENCY | {"errors": "absolute"}  # of the rates, for the laws

_COMPARISON = {
    "metric": "throughput", "center": "median", "confidence": 0.95, "include_invalid": False, "ignore": "",
}  # fmt: skip

_LATENCY = {"panel": "", "by": "", "ignore": "", "slo_s": None}

# All kinds of figures by the names of their functions. `wrkparse plot` has a command for each, with these options
# (`wrkparse.cli` declares their flags).
KINDS = {
    "scaling": Kind("Throughput by cores with the fitted law and its band, and the efficiency.", _SCALING),
    "efficiency": Kind("Efficiency by cores: the share of linear scaling.", _EFFICIENCY),
    "compare": Kind("A row for each setting: its ratio to a baseline with interval and runs, and the numbers.", {
        "rows": "", "columns": "", "baseline": "", **_COMPARISON, "metric": "",
    }),
    "multiples": Kind("Throughput or latency by connections, a panel for each framework.", {
        "panel": "", "by": "", "over": "connections", "linear": False, **_COMPARISON,
    }),
    "gc_settings": Kind("GOGC settings relative to a baseline, a panel for each framework.", {
        "panel": "", "by": "gogc", "baseline": None, "over": "connections", **_COMPARISON,
    }),
    "latency": Kind("Latency by percentile, a line per run or setting, on the axis of HdrHistogram.", _LATENCY),
    "ccdf": Kind("The share of requests slower than a latency, on logarithmic axes.", _LATENCY),
    "gc": Kind("STW pauses and heap of one process, with marking phases and heap goal.", {"run": None, "slo_s": None}),
    "gc_costs": Kind("Pauses, CPU, collections per second and largest heap, a row for each GC setting.", {}),
    "mmu": Kind("Minimum mutator utilisation, a line per process.", {}),
    "sched": Kind("Run queue of each P over time, with totals and idle Ps, of one process.", {"run": None}),
    "window": Kind("Pauses and run queues of a server while a load measured it, on one clock.", {"run": None}),
    "reproduce": Kind("Published tables: each cell with its verdict from the raw runs.", {"study": None}),
    "audit": Kind("Little's law: requests in flight by connections, findings coloured.", {}),
}  # fmt: skip

# Modules of this package, and the public names that each defines.
_MODULES = {
    "frames": ("data",),
    "errors": ("NothingToPlotError",),
    "figures.audit": ("audit",),
    "figures.comparison.changes": ("changes",),
    "figures.comparison.compare": ("compare",),
    "figures.go.gc": ("gc",),
    "figures.go.gc_costs": ("gc_costs",),
    "figures.go.mmu": ("mmu",),
    "figures.go.sched": ("sched",),
    "figures.go.window": ("window",),
    "figures.latency.latency": ("latency", "ccdf"),
    "figures.multiples": ("multiples", "gc_settings"),
    "figures.reproduce": ("reproduce",),
    "figures.scaling.scaling": ("scaling", "efficiency"),
    "files": ("save", "svg"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    """Import on first use, so that ``wrkparse plot --help`` lists the kinds without importing matplotlib."""
    if name not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    import importlib

    return getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[name]}"), name)


def __dir__() -> list[str]:
    """The public names, whether they are imported yet or not."""
    return sorted(__all__)
