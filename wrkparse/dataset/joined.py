"""Joins datasets into one, and adds a label to all runs of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.tools.schema import columns, concat_parts, run_schema, schema

if TYPE_CHECKING:
    from wrkparse.dataset.dataset import Dataset

_MOST_NAMED = 3  # runs in a message
_ONCE = ("sources", "studies")  # tables whose rows two datasets may share


def joined_tables(first: Dataset, second: Dataset) -> dict[str, pa.Table]:
    """The rows of both datasets, by table.

    Runs keep their identifiers; raises ValueError if both datasets have the same run.
    """
    shared = sorted(set(first.arrow("runs")["run"].to_pylist()) & set(second.arrow("runs")["run"].to_pylist()))
    if shared:
        named = ", ".join(shared[:_MOST_NAMED]) + (" …" if len(shared) > _MOST_NAMED else "")
        verb = "are" if len(shared) > 1 else "is"
        raise ValueError(f"{len(shared)} run{'s' if len(shared) > 1 else ''} {verb} in both datasets: {named}")
    tables = {name: (first.arrow(name), second.arrow(name)) for name in columns()}
    return {
        name: _distinct(concat_parts(name, parts)) if name in _ONCE else concat_parts(name, parts)
        for name, parts in tables.items()
        if any(map(len, parts))
    }


def labelled_tables(dataset: Dataset, key: str, value: str) -> dict[str, pa.Table]:
    """The rows of a dataset, by table, with this label on every run; it replaces labels of the same key."""
    tables = {name: dataset.arrow(name) for name in columns()}
    runs, labels = tables["runs"], tables["labels"]
    values = pa.array([value] * len(runs), pa.string())
    at = runs.schema.get_field_index(key)
    runs = runs.append_column(key, values) if at < 0 else runs.set_column(at, key, values)
    keys = set(runs.column_names) - set(schema("runs").names)
    # The cast makes numbers of labels such as `connections`.
    tables["runs"] = runs.select(run_schema(keys).names).cast(run_schema(keys))
    overruled = pc.or_kleene(labels["overruled"], pc.equal(labels["key"], key))
    labels = labels.set_column(labels.schema.get_field_index("overruled"), "overruled", overruled)
    rows = [
        {"run": run, "key": key, "value": value, "origin": "cli", "line": None, "overruled": False}
        for run in runs["run"].to_pylist()
    ]
    added = pa.Table.from_pylist(rows, schema("labels"))
    tables["labels"] = pa.concat_tables([labels.cast(schema("labels")), added])
    return tables


def _distinct(table: pa.Table) -> pa.Table:
    """The table without duplicate rows."""
    seen: dict[tuple[object, ...], int] = {}
    for at, row in enumerate(zip(*(column.to_pylist() for column in table.columns), strict=True)):
        seen.setdefault(row, at)
    return table.take(list(seen.values()))
