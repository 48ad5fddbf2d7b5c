"""Completion in the shell from a store: labels with their values, metrics, columns, runs and studies."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

from wrkparse.cli.shared.stores import DEFAULT_STORE

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

Complete = Callable[[click.Context, click.Parameter, str], list[str]]
# The beginning of a text value after a label and an operator: framework = 'kiwi, framework in ('kiwi', 'emu. The counts
# of repetition bound the time of the search.
_UNFINISHED_VALUE = re.compile(
    r"(?<!\w)([A-Za-z_]\w{0,60})\s{0,3}(?:=|!=|<>|\b(?:like|ilike)\b|\b(?:not\s{1,3})?in\s{0,3}\((?:\s{0,3}'[^']{0,60}'\s{0,3},){0,9})"
    r"\s{0,3}'([^']{0,60})\Z",
    re.IGNORECASE,
)
# The beginning of a word at the end of a condition.
_UNFINISHED_NAME = re.compile(r"(?:\A|(?<=[\s(]))\w*\Z")


def _completer(values: Callable[[Dataset], Iterable[str]]) -> Complete:
    """A function that completes the last of several names joined by commas, with `values` of the store."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        before, comma, beginning = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in _from_store(ctx, values) if name.startswith(beginning)]

    return complete


def _from_store(ctx: click.Context, values: Callable[[Dataset], Iterable[str]]) -> list[str]:
    """The `values` of the store that the command line names, sorted; empty if it can't be read."""
    from wrkparse.store.duckdb_store import is_store, open_store

    # click leaves the arguments unassigned while the value of an option is missing
    arguments = (*ctx.args, *(path for name in ("paths", "locations") for path in ctx.params.get(name) or ()))
    location = ctx.params.get("store") or next((path for path in arguments if is_store(path)), DEFAULT_STORE)
    try:
        with open_store(location) as dataset:
            return sorted(values(dataset))
    except Exception:  # noqa: BLE001 a shell that completes shows no message
        return []


def complete_settings(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete a label, or after ``framework=`` a value of the label; it is the last of several joined by commas."""
    before, comma, beginning = incomplete.rpartition(",")
    key, equals, _ = beginning.partition("=")
    if equals:
        found = [f"{key}={value}" for value in _from_store(ctx, lambda dataset: _label_values(dataset, key))]
    else:
        found = [f"{name}=" for name in _from_store(ctx, _label_names)]
    return [f"{before}{comma}{name}" for name in found if name.startswith(beginning)]


def complete_condition(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Complete the last word of a condition: a label or metric, or after ``framework = '`` a value of the label."""
    if value := _UNFINISHED_VALUE.search(incomplete):
        key, beginning = value.groups()
        quoted = (text.replace("'", "''") for text in _from_store(ctx, lambda dataset: _label_values(dataset, key)))
        return [f"{incomplete[: value.start(2)]}{text}'" for text in quoted if text.startswith(beginning)]
    name = _UNFINISHED_NAME.search(incomplete)
    # Within an open quotation there is a value, not a name.
    if name is None or incomplete.count("'") % 2:
        return []
    found = _from_store(ctx, lambda dataset: {*_label_names(dataset), *_metric_names(dataset)})
    return [f"{incomplete[: name.start()]}{text}" for text in found if text.startswith(name[0])]


def complete_files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Let the shell complete files and directories."""
    return [CompletionItem(incomplete, type="file")]


def _label_values(dataset: Dataset, key: str) -> Iterable[str]:
    """The values of a label in the runs, as text."""
    from wrkparse.dataset.aliases import label_name
    from wrkparse.tools.schema import label_texts

    name = label_name(key, dataset.label_keys())
    return {text for text in label_texts(dataset.arrow("runs")[name]) if text is not None}


def _label_names(dataset: Dataset) -> Iterable[str]:
    """The labels of the runs and their short names, and the columns that say where a run is."""
    from wrkparse.analysis.runs.selection import PLACES
    from wrkparse.dataset.aliases import ALIASES

    keys = dataset.label_keys()
    return {*keys, *PLACES, *(alias for alias, name in ALIASES.items() if name in keys)}


def _metric_names(dataset: Dataset) -> Iterable[str]:
    """The metrics of the runs and their short names."""
    from wrkparse.analysis.go.trace_metrics import TRACE_METRICS, traced_runs
    from wrkparse.analysis.runs.metrics import ERRORS, stated_metrics
    from wrkparse.dataset.aliases import ALIASES

    names = {metric.name for metric in stated_metrics(dataset)}
    names |= {ERRORS} if any(name.startswith(f"{ERRORS}_") for name in names) else set()
    names |= TRACE_METRICS.keys() if traced_runs(dataset) else set()
    return {*names, *(alias for alias, name in ALIASES.items() if name in names)}


def _run_names(dataset: Dataset) -> Iterable[str]:
    names: list[str] = dataset.arrow("runs")["run"].to_pylist()
    return names


def _column_names(dataset: Dataset) -> Iterable[str]:
    names: list[str] = dataset.wide_arrow().column_names
    return names


def _study_names(dataset: Dataset) -> Iterable[str]:
    names: list[str] = dataset.arrow("studies")["study"].to_pylist()
    return names


complete_labels = _completer(_label_names)
complete_metrics = _completer(_metric_names)
complete_runs = _completer(_run_names)
complete_columns = _completer(_column_names)
complete_studies = _completer(_study_names)
