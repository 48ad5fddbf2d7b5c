"""Datasets of logs that were read in memory, and the sum of two.

Labels from structure are found in all runs of the sum.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import NamedTuple
from weakref import WeakKeyDictionary

import pyarrow as pa
import pyarrow.compute as pc

from wrkparse.dataset import Dataset
from wrkparse.dataset.dataset import Add
from wrkparse.dataset.joined import joined_tables
from wrkparse.ingest.labels.structure_labels import with_structure
from wrkparse.source.discover import SourceFile, with_unique_names
from wrkparse.source.remote import is_url

_NAMED = ("sources", "runs", "diagnostics")  # tables that name sources


class _File(NamedTuple):
    """A source as it was named when it was read, and its absolute path or URL (`SourceFile.origin`)."""

    name: str
    origin: str | None


class _Logs(NamedTuple):
    """The result of reading: the tables without labels from structure, and the files by the names of their sources."""

    tables: dict[str, pa.Table]
    files: dict[str, _File]


_LOGS: WeakKeyDictionary[Dataset, _Logs] = WeakKeyDictionary()


def dataset_of_logs(tables: dict[str, pa.Table], files: Iterable[SourceFile] = ()) -> Dataset:
    """The dataset of some sources, without labels from structure in the `tables` yet; `files` are the local ones."""
    return _dataset(_Logs(tables, {file.source: _File(file.source, file.origin) for file in files}))


def _dataset(logs: _Logs) -> Dataset:
    dataset = with_verdicts(with_structure(logs.tables), add=_sum)
    _LOGS[dataset] = logs
    return dataset


def with_verdicts(tables: dict[str, pa.Table], add: Add | None = None) -> Dataset:
    """A dataset of these tables; the audit adds a verdict to each run when `runs` is first needed."""
    if "runs" not in tables:
        return Dataset.of_tables(tables, add=add)
    runs = tables["runs"]

    def judge(dataset: Dataset) -> pa.Table:
        from wrkparse.analysis.audit.audit import verdicts

        audited = verdicts(dataset)
        # The verdicts in the order of the runs.
        judged, order = runs, pc.index_in(runs["run"], audited["run"])
        for name in audited.column_names[1:]:
            at = runs.schema.get_field_index(name)
            judged = judged.set_column(at, runs.schema.field(at), audited[name].take(order))
        return judged

    return Dataset.of_tables(tables, judge, add)


def _sum(first: Dataset, second: Dataset) -> Dataset | None:
    """The dataset of the logs of both, as if they had been read together; None if one was not read from logs.

    Files with the same name also get the names of their directories. So runs from folders that were read separately
    differ in their folder.
    """
    if first not in _LOGS or second not in _LOGS:
        return None
    both = [_LOGS[first], _LOGS[second]]
    names = _unique_names(both)
    renamed = [_renamed(logs, names) for logs in both]
    tables = joined_tables(*(Dataset.of_tables(logs.tables) for logs in renamed))
    return _dataset(_Logs(tables, {**renamed[0].files, **renamed[1].files}))


def _unique_names(both: Iterable[_Logs]) -> dict[_File, str]:
    """The sources of all local files, made unique."""
    found = {file for logs in both for file in logs.files.values() if file.origin and not is_url(file.origin)}
    named = with_unique_names([SourceFile(file.name, file.origin, file.name, False) for file in sorted(found)])
    return {_File(file.display_path, str(file.location)): file.source for file in named}


def _renamed(logs: _Logs, names: Mapping[_File, str]) -> _Logs:
    new = {source: names.get(file, source) for source, file in logs.files.items()}
    if all(source == name for source, name in new.items()):
        return logs
    tables = {name: _with_sources(rows, new) if name in _NAMED else rows for name, rows in logs.tables.items()}
    return _Logs(tables, {new[source]: file for source, file in logs.files.items()})


def _with_sources(rows: pa.Table, names: Mapping[str, str]) -> pa.Table:
    at = rows.schema.get_field_index("source")
    sources = [names.get(source, source) for source in rows["source"].to_pylist()]
    return rows.set_column(at, rows.schema.field(at), pa.array(sources, rows.schema.field(at).type))
