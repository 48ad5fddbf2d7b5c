"""Lists the tools whose output is read: every module of this package with a ``TOOL``, and the tools of other packages.

`wrkparse.tools.plugins` finds them; there is no list to edit.
"""

from __future__ import annotations

import functools

from wrkparse.model.records import Metric
from wrkparse.tools.base import NO_COUNTING, Counting, ReportTool
from wrkparse.tools.event import EventTool

__all__ = ["EventTool", "ReportTool", "all_tools", "counting", "event_tools", "metrics", "report_tools"]


@functools.cache
def all_tools() -> tuple[ReportTool | EventTool, ...]:
    """All tools: first the tools of wrkparse, then the plug-ins."""
    from wrkparse.tools.plugins import registered  # which imports this package

    return tuple(entry.tool for entry in registered() if entry.tool is not None)


@functools.cache
def report_tools() -> tuple[ReportTool, ...]:
    """The tools that print one report per run."""
    return tuple(tool for tool in all_tools() if isinstance(tool, ReportTool))


@functools.cache
def event_tools() -> tuple[EventTool, ...]:
    """The tools that print a line per event."""
    return tuple(tool for tool in all_tools() if isinstance(tool, EventTool))


@functools.cache
def counting() -> dict[str, Counting]:
    """What each load generator counts, by the name of its runs; without tools that do not declare it."""
    found: dict[str, Counting] = {}
    for tool in report_tools():
        for name, declared in ((tool.name, tool.counting), *tool.counting_by_name.items()):
            if declared != NO_COUNTING:
                found.setdefault(name, declared)
    return found


@functools.cache
def metrics() -> dict[str, Metric]:
    """Every metric by name. Raises ValueError when two tools declare one name differently."""
    found: dict[str, Metric] = {}
    for metric in (metric for tool in all_tools() for metric in tool.metrics):
        if found.setdefault(metric.name, metric) != metric:
            raise ValueError(f"metric {metric.name} is declared twice and differently")
    return found
