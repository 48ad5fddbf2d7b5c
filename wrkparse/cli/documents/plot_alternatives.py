"""If a figure can't be drawn, a command with other options that draws one."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

import click
from click.core import ParameterSource

from wrkparse import plot

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

Options = Mapping[str, Any]

# The tool and the table of the traces that a figure draws.
_TRACE_TABLES = {"gc": ("gctrace", "gc_cycles"), "sched": ("schedtrace", "sched_ticks")}
_LOAD_LABELS = ("connections", "rate", "threads")  # labels along which throughput grows, beside the cores


def working_command(kind: str, dataset: Dataset, options: Options) -> str:
    """The command line that draws the figure with the first change of options that works; empty if none works.

    It repeats the other options of the user. Each change is tried first, so the command works when the user pastes it.
    """
    for change in _option_changes(kind, dataset, options):
        try:
            getattr(plot, kind)(dataset, **{**options, **change})
        except ValueError:  # too little data, nothing to draw, no such label
            continue
        return _command_line(kind, change)
    return ""


def command_for(kind: str, options: Options, where: str) -> str:
    """The command line that draws the figure of those runs for which a condition holds, besides that of the user."""
    given = options["where"]
    return _command_line(kind, {"where": f"({given}) AND {where}" if given else where})


def _option_changes(kind: str, dataset: Dataset, options: Options) -> Iterator[Options]:
    """Other values for options that the user did not give, the most useful first."""
    labels = dataset.label_keys()
    if kind in _TRACE_TABLES and not options["run"]:
        yield from ({"run": run[:8]} for run in _longest_run(kind, dataset, options["where"]))
    if kind == "window" and not options["run"]:
        yield from ({"run": run[:8]} for run in _load_with_longest_p99(dataset, options["where"]))
    if kind in {"scaling", "efficiency"} and not _is_given("over"):
        yield from ({"over": key, "load": ""} for key in _LOAD_LABELS if key in labels)
    if kind == "gc_settings" and "gomemlimit" in labels and not _is_given("by"):
        yield {"by": "gomemlimit"}


def _longest_run(kind: str, dataset: Dataset, where: str | None) -> list[str]:
    """The run with the most events among those that match the condition, as a list; empty if none matches."""
    from wrkparse.analysis.go.traces import runs_of_tool

    tool, table = _TRACE_TABLES[kind]
    runs = set(runs_of_tool(dataset, tool, where)["run"])
    counts = dataset.sql(f"SELECT run, count(*) AS events FROM {table} GROUP BY run ORDER BY events DESC, run")
    return [str(run) for run in counts["run"] if run in runs][:1]


def _load_with_longest_p99(dataset: Dataset, where: str | None) -> list[str]:
    """The load beside a trace whose p99 is the longest, as a list; empty if none matches."""
    from wrkparse.analysis.go.windows import windows

    runs = set(dataset.wide(where)["run"])
    loads = [one for one in windows(dataset).joined if one.load["run"] in runs]
    loads.sort(key=lambda one: one.bound.latency_s if one.bound else 0.0, reverse=True)
    return [str(one.load["run"]) for one in loads[:1]]


def _is_given(option: str) -> bool:
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


def _command_line(kind: str, change: Options) -> str:
    """The command line with the options that the user gave, and with the changed ones."""
    context = click.get_current_context()
    words = ["wrkparse", "plot", kind]
    places: list[str] = []
    for option in context.command.params:
        name = option.name or ""
        if isinstance(option, click.Argument):
            places += map(str, context.params[name])
        elif name in change or _is_given(name):
            value = change.get(name, context.params[name])
            # The last name of an option is the long one; a flag has no value.
            words += [option.opts[-1]] if value is True else [option.opts[-1], str(value)]
    return shlex.join([*words, *places])
