"""What to ask for instead, where a figure can't be drawn as it was asked for."""

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

_EVENTS = {"gc": ("gctrace", "gc_cycles"), "sched": ("schedtrace", "sched_ticks")}
_LOADS = ("connections", "rate", "threads")  # labels along which throughput grows, beside the cores


def working_command(kind: str, dataset: Dataset, options: Options) -> str:
    """The command of the first change of the options with which the figure can be drawn; empty if there is none.

    It has the options that the user gave. Each change is tried, so that the command works when it is pasted.
    """
    for change in _changes(kind, dataset, options):
        try:
            getattr(plot, kind)(dataset, **{**options, **change})
        except ValueError:  # too little data, nothing to draw, no such label
            continue
        return _command(kind, change)
    return ""


def _changes(kind: str, dataset: Dataset, options: Options) -> Iterator[Options]:
    """Other values of options, the most useful first; none for those that the user chose."""
    labels = dataset.label_keys()
    if kind in _EVENTS and not options["run"]:
        yield from ({"run": run[:8]} for run in _longest(kind, dataset, options["where"]))
    if kind in {"scaling", "efficiency"} and not _is_given("over"):
        yield from ({"over": key, "load": ""} for key in _LOADS if key in labels)
    if kind == "gc_settings" and "gomemlimit" in labels and not _is_given("by"):
        yield from ({"by": "gomemlimit", "baseline": f"gomemlimit={limit}"} for limit in _limits(dataset))


def _longest(kind: str, dataset: Dataset, where: str | None) -> list[str]:
    """The run with the most events, of those that the user's condition holds for."""
    from wrkparse.analysis.go.traces import chosen

    tool, table = _EVENTS[kind]
    runs = set(chosen(dataset, tool, where)["run"])
    counts = dataset.sql(f"SELECT run, count(*) AS events FROM {table} GROUP BY run ORDER BY events DESC, run")
    return [str(run) for run in counts["run"] if run in runs][:1]


def _limits(dataset: Dataset) -> list[str]:
    """The smallest GOMEMLIMIT of the runs."""
    from wrkparse.analysis.runs.labels.labels import natural_order

    return sorted(set(dataset.runs["gomemlimit"].dropna().astype(str)), key=natural_order)[:1]


def _is_given(option: str) -> bool:
    return click.get_current_context().get_parameter_source(option) is ParameterSource.COMMANDLINE


def _command(kind: str, change: Options) -> str:
    """The command line with the options that the user gave and those that change."""
    context = click.get_current_context()
    words = ["wrkparse", "plot", kind]
    places: list[str] = []
    for option in context.command.params:
        name = option.name or ""
        if isinstance(option, click.Argument):
            places += map(str, context.params[name])
        elif name in change or _is_given(name):
            value = change.get(name, context.params[name])
            words += [option.opts[-1]] if value is True else [option.opts[-1], str(value)]
    return shlex.join([*words, *places])
