"""What a shell completes from the store: labels, metrics, runs and studies."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import click

from wrkparse.cli.shared.stores import DEFAULT_STORE

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

Complete = Callable[[click.Context, click.Parameter, str], list[str]]


def _completes(values: Callable[[Dataset], Iterable[str]]) -> Complete:
    """A function that completes the last of several names joined by commas. Without a readable store there are none."""

    def complete(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
        from wrkparse.store.duckdb_store import open_store

        before, comma, begun = incomplete.rpartition(",")
        place = ctx.params.get("store") or ctx.params.get("place") or DEFAULT_STORE
        try:
            with open_store(place) as dataset:
                found = sorted(values(dataset))
        except Exception:  # noqa: BLE001 a shell that completes shows no message
            return []
        return [f"{before}{comma}{name}" for name in found if name.startswith(begun)]

    return complete


def _labels(dataset: Dataset) -> Iterable[str]:
    from wrkparse.dataset.aliases import ALIASES

    keys = dataset.label_keys()
    return {*keys, *(alias for alias, name in ALIASES.items() if name in keys)}


def _metrics(dataset: Dataset) -> Iterable[str]:
    from wrkparse.analysis.runs.metrics import stated_metrics
    from wrkparse.dataset.aliases import ALIASES

    names = {metric.name for metric in stated_metrics(dataset)}
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
