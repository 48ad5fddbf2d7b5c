"""What a shell completes from the store: labels with their values, metrics, runs and studies."""

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
# The beginning of a text value behind a label and an operator: framework = 'kiwi, framework in ('kiwi', 'emu
_BEGUN_VALUE = re.compile(
    r"(?<!\w)([A-Za-z_]\w{0,60})\s{0,3}(?:=|!=|<>|\b(?:like|ilike)\b|\b(?:not\s{1,3})?in\s{0,3}\((?:\s{0,3}'[^']{0,60}'\s{0,3},){0,9})"
    r"\s{0,3}'([^']{0,60})\Z",
    re.IGNORECASE,
)
_BEGUN_NAME = re.compile(r"(?:\A|(?<=[\s(]))\w*\Z")


def _completes(values: Callable[[Dataset], Iterable[str]]) -> Complete:
    """A function that completes the last of several names joined by commas. Without a readable store there are none."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        before, comma, begun = incomplete.rpartition(",")
        return [f"{before}{comma}{name}" for name in _of_store(ctx, values) if name.startswith(begun)]

    return complete


def _of_store(ctx: click.Context, values: Callable[[Dataset], Iterable[str]]) -> list[str]:
    """What the store of a command gives, sorted; nothing without a readable store."""
    from wrkparse.store.duckdb_store import is_store, open_store

    given = [path for path in ctx.params.get("paths") or () if is_store(path)]
    place = ctx.params.get("store") or ctx.params.get("place") or next(iter(given), DEFAULT_STORE)
    try:
        with open_store(place) as dataset:
            return sorted(values(dataset))
    except Exception:  # noqa: BLE001 a shell that completes shows no message
        return []


def complete_settings(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Labels, and behind ``framework=`` the values that the label has; several joined by commas."""
    before, comma, begun = incomplete.rpartition(",")
    key, equals, _ = begun.partition("=")
    found = [f"{key}={one}" for one in _of_store(ctx, lambda dataset: _values(dataset, key))] if equals else [
        f"{name}=" for name in _of_store(ctx, _labels)
    ]  # fmt: skip
    return [f"{before}{comma}{name}" for name in found if name.startswith(begun)]


def complete_condition(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The last word of a condition: a label or metric, or behind ``framework = '`` a value of the label."""
    if value := _BEGUN_VALUE.search(incomplete):
        key, begun = value.groups()
        quoted = (one.replace("'", "''") for one in _of_store(ctx, lambda dataset: _values(dataset, key)))
        return [f"{incomplete[: value.start(2)]}{one}'" for one in quoted if one.startswith(begun)]
    name = _BEGUN_NAME.search(incomplete)
    if name is None or incomplete.count("'") % 2:
        return []
    found = _of_store(ctx, lambda dataset: {*_labels(dataset), *_metrics(dataset)})
    return [f"{incomplete[: name.start()]}{one}" for one in found if one.startswith(name[0])]


def complete_files(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """What the shell itself completes: files and directories."""
    return [CompletionItem(incomplete, type="file")]


def _values(dataset: Dataset, key: str) -> Iterable[str]:
    """The values that a label has, as text."""
    from wrkparse.dataset.aliases import label_name
    from wrkparse.tools.schema import label_texts

    name = label_name(key, dataset.label_keys())
    return {text for text in label_texts(dataset.arrow("runs")[name]) if text is not None}


def _labels(dataset: Dataset) -> Iterable[str]:
    from wrkparse.analysis.runs.selection import PLACES
    from wrkparse.dataset.aliases import ALIASES

    keys = dataset.label_keys()
    return {*keys, *PLACES, *(alias for alias, name in ALIASES.items() if name in keys)}


def _metrics(dataset: Dataset) -> Iterable[str]:
    from wrkparse.analysis.go.trace_metrics import TRACE_METRICS, traced_runs
    from wrkparse.analysis.runs.metrics import ERRORS, stated_metrics
    from wrkparse.dataset.aliases import ALIASES

    names = {metric.name for metric in stated_metrics(dataset)}
    names |= {ERRORS} if any(name.startswith(f"{ERRORS}_") for name in names) else set()
    names |= TRACE_METRICS.keys() if traced_runs(dataset) else set()
    return {*names, *(alias for alias, name in ALIASES.items() if name in names)}


def _runs(dataset: Dataset) -> Iterable[str]:
    names: list[str] = dataset.arrow("runs")["run"].to_pylist()
    return names


def _columns(dataset: Dataset) -> Iterable[str]:
    names: list[str] = dataset.wide_arrow().column_names
    return names


def _studies(dataset: Dataset) -> Iterable[str]:
    names: list[str] = dataset.arrow("studies")["study"].to_pylist()
    return names


complete_labels = _completes(_labels)
complete_metrics = _completes(_metrics)
complete_names = _completes(lambda dataset: {*_labels(dataset), *_metrics(dataset)})
complete_runs = _completes(_runs)
complete_columns = _completes(_columns)
complete_studies = _completes(_studies)
