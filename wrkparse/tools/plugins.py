"""Registers all tools by entry points, and loads and checks all of them in the same way.

A package declares in its ``pyproject.toml``, for each tool::

    [project.entry-points."wrkparse.tools"]
    drill = "wrkparse_drill.drill:TOOL"

The modules of `wrkparse.tools` with a ``TOOL`` are entry points of the same form, of the package ``wrkparse``. They are
not listed in its metadata, which describes the package at its installation: an editable install would miss a tool that
was added since, and a source tree on ``PYTHONPATH`` has no metadata, or those of another version. After that, all are
treated alike: `registered` loads each and checks it beside those before it. If a plug-in can't be used, it alone is
left out, and the logger ``wrkparse`` gets a warning with the name of its package. If a tool of wrkparse can't be used,
the error is raised.
"""

from __future__ import annotations

import functools
import importlib
import logging
import pkgutil
import re
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint, entry_points
from itertools import chain
from typing import NamedTuple

import wrkparse.tools
from wrkparse.model.records import BASE_UNITS, Column, Metric
from wrkparse.tools.base import ReportTool
from wrkparse.tools.event import EventTool

GROUP = "wrkparse.tools"
"""The group of the entry points."""

Tool = ReportTool | EventTool

_OWN_PACKAGE = "wrkparse"
_NAME = re.compile(r"[a-z][a-z0-9_.-]{0,39}")
_COLUMN = re.compile(r"[a-z][a-z0-9_]{0,59}")
_LOGGER = logging.getLogger(_OWN_PACKAGE)


class PlugIn(NamedTuple):
    """An entry point of another package: its tool, or the reason why it is left out."""

    package: str
    version: str
    entry: str
    tool: Tool | None
    problem: str

    def __str__(self) -> str:
        return f"{self.package} {self.version}: {self.problem or self.entry}"


class UnfitToolError(Exception):
    """A tool conflicts with the others; the message says why."""


@functools.cache
def registered() -> tuple[PlugIn, ...]:
    """All entry points: those of wrkparse by their modules, then those of other packages by package and name.

    The logger gets one warning for each plug-in that can't be used. Raises UnfitToolError for such a tool of wrkparse.
    """
    tools: list[tuple[str, Tool]] = []
    found: list[PlugIn] = []
    for package, version, entry in (*_own_entries(), *sorted(_plug_in_entries())):
        tool, problem = _load(entry, package, tools)
        if tool is not None:
            tools.append((package, tool))
        elif package == _OWN_PACKAGE:
            raise UnfitToolError(problem)
        else:
            _LOGGER.warning("wrkparse: the plug-in %s %s is left out: %s", package, version, problem)
        found.append(PlugIn(package, version, entry.name, tool, problem))
    return tuple(found)


def plug_ins() -> list[PlugIn]:
    """The entry points of other packages."""
    return [entry for entry in registered() if entry.package != _OWN_PACKAGE]


def identity() -> list[str]:
    """The plug-ins in use, with their versions: the content that is read from a source depends on them."""
    return [str(plug_in) for plug_in in plug_ins() if plug_in.tool is not None]


def _own_entries() -> Iterator[tuple[str, str, EntryPoint]]:
    """The entry points of wrkparse: every module in `wrkparse.tools` with a ``TOOL``, by the name of the module."""
    found = pkgutil.walk_packages(wrkparse.tools.__path__, f"{wrkparse.tools.__name__}.")
    for name in sorted(module.name for module in found):
        if hasattr(importlib.import_module(name), "TOOL"):
            yield _OWN_PACKAGE, "", EntryPoint(name, f"{name}:TOOL", GROUP)


def _plug_in_entries() -> set[tuple[str, str, EntryPoint]]:
    """Package, version and entry point of each plug-in; a package that is found twice on the path counts once."""
    found: dict[tuple[str, str], tuple[str, str, EntryPoint]] = {}
    for entry in entry_points(group=GROUP):
        package = entry.dist.name if entry.dist else entry.value
        found.setdefault((package, entry.name), (package, entry.dist.version if entry.dist else "", entry))
    return {entry for entry in found.values() if entry[0] != _OWN_PACKAGE}


def _load(entry: EntryPoint, package: str, known: list[tuple[str, Tool]]) -> tuple[Tool | None, str]:
    """The tool of an entry point, and an empty text; or None, and the reason why it can't be used."""
    try:
        tool = entry.load()
        check(tool, [other for _, other in known])
    except UnfitToolError as problem:
        return None, f"{entry.value}: {problem}"
    except (Exception, SystemExit) as problem:  # noqa: BLE001 whatever a module raises when it is imported
        return None, f"{entry.value} can't be loaded: {type(problem).__name__}: {problem}"
    if any(tool.name == other.name and package != owner for owner, other in known):
        return None, f"{entry.value}: there is a tool {tool.name!r} already"
    return tool, ""


def check(tool: object, others: Iterable[Tool]) -> None:
    """Raise UnfitToolError if a tool conflicts with these others: a metric or a table is taken or invalid."""
    if not isinstance(tool, ReportTool | EventTool):
        raise UnfitToolError(f"is a {type(tool).__name__}, not a ReportTool or an EventTool")
    if not _NAME.fullmatch(tool.name):
        raise UnfitToolError(f"the name {tool.name!r} should be short, in small letters: 'drill'")
    others = list(others)
    _check_metrics(tool.metrics, {metric.name: metric for other in others for metric in other.metrics})
    _check_tables(tool, others)


def _check_metrics(metrics: Iterable[Metric], known: dict[str, Metric]) -> None:
    for metric in metrics:
        if known.get(metric.name, metric) != metric:
            raise UnfitToolError(f"the metric {metric.name!r} is declared otherwise by another tool: {metric}")
        if not _COLUMN.fullmatch(metric.name):
            raise UnfitToolError(f"the metric {metric.name!r} should have small letters, digits and _ only")
        if metric.unit not in BASE_UNITS:
            allowed = ", ".join(BASE_UNITS)
            raise UnfitToolError(f"the metric {metric.name!r} has the unit {metric.unit!r}; base units are {allowed}")


def _check_tables(tool: Tool, others: Iterable[Tool]) -> None:
    from wrkparse.tools.schema import KEPT_TABLES  # which imports this module

    known: dict[str, tuple[Column, ...]] = dict(chain.from_iterable(other.tables.items() for other in others))
    for name, columns in tool.tables.items():
        if not _COLUMN.fullmatch(name) or name in KEPT_TABLES or known.get(name, columns) != columns:
            raise UnfitToolError(f"the table {name!r} has the name of another one, or a name that SQL can't have")
