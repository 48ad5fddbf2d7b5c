"""wrkparse turns benchmark output into tidy tables.

``read`` and ``parse_text`` parse in memory, ``load`` opens a store; each returns a `Dataset` of pandas DataFrames.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from wrkparse._version import __version__

if TYPE_CHECKING:
    from wrkparse import plot
    from wrkparse.analysis.audit.audit import audit
    from wrkparse.analysis.comparison.compare import compare
    from wrkparse.analysis.go.gc.mmu import mmu
    from wrkparse.analysis.go.gc.summary import gc_summary
    from wrkparse.analysis.go.sched import sched_summary, wait_reasons
    from wrkparse.analysis.publications.reproduce import reproduce
    from wrkparse.analysis.runs.labels.conditions import conditions
    from wrkparse.analysis.runs.labels.factors import factors
    from wrkparse.analysis.scaling.laws import fit_amdahl, fit_usl
    from wrkparse.analysis.scaling.scaling import scaling
    from wrkparse.analysis.summary.summary import summary
    from wrkparse.analysis.wording import counted as counted
    from wrkparse.analysis.wording import name_of as name_of
    from wrkparse.dataset import Dataset
    from wrkparse.ingest.ingest import parse_text, read
    from wrkparse.ingest.opened import open_dataset
    from wrkparse.ingest.sides import open_sides
    from wrkparse.report.exhibits.captioned import Figure, Table
    from wrkparse.report.exhibits.captioned import attempt as attempt
    from wrkparse.report.exhibits.explore import explore
    from wrkparse.report.exhibits.figures.growth_and_traces import growth_exhibits as growth_exhibits
    from wrkparse.report.exhibits.figures.growth_and_traces import trace_exhibits as trace_exhibits
    from wrkparse.report.exhibits.figures.windows import window_exhibits as window_exhibits
    from wrkparse.report.exhibits.front_page import FrontPage
    from wrkparse.report.exhibits.tables.changes import Changes
    from wrkparse.report.exhibits.tables.inventory import audit_exhibits as audit_exhibits
    from wrkparse.report.exhibits.tables.inventory import inventory_exhibits as inventory_exhibits
    from wrkparse.report.exhibits.tables.settings import setting_exhibits as setting_exhibits
    from wrkparse.store.duckdb_store import load
    from wrkparse.text.escape import escaped as escaped

__all__ = [
    "Changes",
    "Dataset",
    "Figure",
    "FrontPage",
    "Table",
    "__version__",
    "audit",
    "compare",
    "conditions",
    "explore",
    "factors",
    "fit_amdahl",
    "fit_usl",
    "gc_summary",
    "load",
    "mmu",
    "open_dataset",
    "open_sides",
    "parse_text",
    "plot",
    "read",
    "reproduce",
    "scaling",
    "sched_summary",
    "summary",
    "wait_reasons",
]

# What notebooks that make reports need beside these: they can be imported as the others, and Tab does not list them.
FOR_REPORTS = (
    "attempt",
    "audit_exhibits",
    "counted",
    "escaped",
    "growth_exhibits",
    "inventory_exhibits",
    "name_of",
    "setting_exhibits",
    "trace_exhibits",
    "window_exhibits",
)

_HOME = {
    "audit": "analysis.audit.audit",
    "compare": "analysis.comparison.compare",
    "factors": "analysis.runs.labels.factors",
    "Dataset": "dataset",
    "read": "ingest.ingest",
    "parse_text": "ingest.ingest",
    "load": "store.duckdb_store",
    "gc_summary": "analysis.go.gc.summary",
    "mmu": "analysis.go.gc.mmu",
    "sched_summary": "analysis.go.sched",
    "wait_reasons": "analysis.go.sched",
    "fit_amdahl": "analysis.scaling.laws",
    "fit_usl": "analysis.scaling.laws",
    "scaling": "analysis.scaling.scaling",
    "reproduce": "analysis.publications.reproduce",
    "open_dataset": "ingest.opened",
    "open_sides": "ingest.sides",
    "Changes": "report.exhibits.tables.changes",
    "Table": "report.exhibits.captioned",
    "Figure": "report.exhibits.captioned",
    "attempt": "report.exhibits.captioned",
    "explore": "report.exhibits.explore",
    "escaped": "text.escape",
    "name_of": "analysis.wording",
    "counted": "analysis.wording",
    "summary": "analysis.summary.summary",
    "conditions": "analysis.runs.labels.conditions",
    "FrontPage": "report.exhibits.front_page",
    "audit_exhibits": "report.exhibits.tables.inventory",
    "inventory_exhibits": "report.exhibits.tables.inventory",
    "growth_exhibits": "report.exhibits.figures.growth_and_traces",
    "setting_exhibits": "report.exhibits.tables.settings",
    "trace_exhibits": "report.exhibits.figures.growth_and_traces",
    "window_exhibits": "report.exhibits.figures.windows",
}


def __getattr__(name: str) -> Any:
    """Import on first use, so that ``import wrkparse`` is fast: it imports neither pandas nor DuckDB."""
    import importlib

    if name == "plot":
        return importlib.import_module("wrkparse.plot")
    if name not in _HOME:
        from wrkparse.text.suggestions import did_you_mean

        longer = [one for one in __all__ if one.startswith(f"{name}_")]  # `gc` and `sched` are commands
        hint = f"; did you mean {longer[0]}?" if longer else did_you_mean(name, __all__)
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}{hint}", name=name, obj=None)
    return getattr(importlib.import_module(f"wrkparse.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    """The names that people need who analyse runs, whether they are imported yet or not."""
    return sorted(__all__)
