"""The published tables and claims of studies, checked against the raw runs that they were made from."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from wrkparse.analysis.publications.claims import check_claim
from wrkparse.analysis.publications.printed_numbers import ROUNDING_RULES, parse_printed_number
from wrkparse.analysis.publications.raw_runs import RawRun, check_keys, raw_runs
from wrkparse.analysis.publications.result import JudgedCells, PublishedCell, ReproduceResult, labels_text, make_result
from wrkparse.analysis.publications.verdicts import PrintStyle, judge_cell
from wrkparse.analysis.runs.metrics import choose_metric, short_metric_name, stated_metrics
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.context.study import StudyError
from wrkparse.context.study_file import study_of_row
from wrkparse.dataset import Dataset, QueryError
from wrkparse.dataset.aliases import full_name
from wrkparse.dataset.queries.sql import sql_string
from wrkparse.source.discover import STUDY_FILE
from wrkparse.text.suggestions import did_you_mean


class _Publication(NamedTuple):
    """The published tables and claims of one study, as its study file at ``path`` states them."""

    study: str
    path: Path
    tables: tuple[Mapping[str, Any], ...]
    claims: tuple[Mapping[str, Any], ...]


class _UnreadableError(Exception):
    """The file of a table is missing, or does not contain such a table; the message says why."""


def reproduce(
    dataset: Dataset, *, study: str | Iterable[str] | None = None, where: str | None = None
) -> ReproduceResult:
    """Check the published tables and claims of studies (by default all) against their raw runs.

    Only raw runs that match `where` are used.

    The file of a table is in the directory of the study's ``wrkparse.yaml``, and is read each time. Its first line has
    the keys of the rows' labels, then one column for each combination of the columns' labels: their values, joined by
    ``/``. The raw runs of a cell are those runs of the study that have its labels and match the table's ``where``.

    Raises QueryError for an unknown study.
    """
    cells, problems = JudgedCells(), list[str]()
    claims, pairs = list[dict[str, Any]](), list[dict[str, Any]]()
    if where:
        dataset.wide_arrow(where)  # a wrong condition is an error of the caller, not a problem of a study
    for publication in _publications(dataset, [study] if isinstance(study, str) else study):
        runs = _runs_of(dataset, publication, where)
        for table in publication.tables:
            try:
                _judge_table(dataset, publication, table, runs, cells)
            except (QueryError, TooLittleError, _UnreadableError) as problem:
                problems.append(f"{publication.path}: {table['file']}: {problem}")
        for claim in publication.claims:
            try:
                row, of_claim = check_claim(publication.study, claim, choose_metric(dataset, claim["metric"]), runs)
            except (QueryError, TooLittleError) as problem:
                problems.append(f"{publication.path}: claim {claim['claim']!r}: {problem}")
                continue
            claims.append(row)
            pairs += of_claim
    return make_result(cells, claims, pairs, (), problems)


def _publications(dataset: Dataset, wanted: Iterable[str] | None) -> Iterator[_Publication]:
    """The publications of the wanted studies, of all studies for None."""
    names = None if wanted is None else list(wanted)
    known = list(dataset.studies["study"])
    unknown = [name for name in names or () if name not in known]
    if unknown:
        hint = did_you_mean(unknown[0], known)
        raise QueryError(f"no study {', '.join(unknown)}{hint}; there are: {', '.join(known) or 'none'}")
    for row in dataset.studies.to_dict("records"):
        if names is None or row["study"] in names:
            tables, claims = (None if row[key] is pd.NA else row[key] for key in ("tables", "claims"))
            try:
                checked = study_of_row(row["source"], tables, claims)
            except StudyError as mistakes:
                raise QueryError(
                    f"study {row['study']}: the store does not hold it as it was read: {mistakes}"
                ) from None
            yield _Publication(row["study"], Path(row["source"]), checked.tables, checked.claims)


def _runs_of(dataset: Dataset, publication: _Publication, where: str | None) -> list[RawRun]:
    """The raw runs of a study with the metrics that its tables and claims are about."""
    entries = (*publication.tables, *publication.claims)
    names = {full_name(short_metric_name(entry["metric"], entry.get("stat", "total"))) for entry in entries}
    if not names:
        return []
    stated = {one.metric for one in stated_metrics(dataset)}
    metrics = {metric for metric in stated if any(name.startswith(metric) for name in names)}
    return raw_runs(dataset, f"study = {sql_string(publication.study)} AND ({where or 'true'})", only=metrics)


def _judge_table(
    dataset: Dataset, publication: _Publication, table: Mapping[str, Any], runs: list[RawRun], cells: JudgedCells
) -> None:
    """Judge every cell of one table of a study."""
    published = list(_published_cells(publication.path, table))
    stat, unit = table.get("stat", "total"), table.get("unit", "")
    metric = choose_metric(dataset, short_metric_name(table["metric"], stat))
    if unit and parse_printed_number("1", metric.unit, unit) is None:
        raise _UnreadableError(f"{metric.name} is not printed in {unit!r}")
    rules = (table["print"], "exact") if "print" in table else ROUNDING_RULES
    style, where = PrintStyle(metric, unit, rules), table.get("where", {})
    check_keys([*table["rows"], *table["columns"], *where], runs)
    runs = [run for run in runs if run.matches(where)]
    for cell in published:
        verdict = judge_cell(cell.text, cell.matching_runs(runs), runs, style)
        cells.add(publication.study, table["file"], table.get("title", ""), cell, style, verdict)


def _published_cells(path: Path, table: Mapping[str, Any]) -> Iterator[PublishedCell]:
    """The cells of a table, row by row. Raises _UnreadableError if its file does not fit the study file at `path`."""
    lines = _csv_lines(path, table["file"])
    keys, header = table["rows"], lines[0][1]
    if header[: len(keys)] != keys:
        raise _UnreadableError(f"its first line begins {', '.join(header[: len(keys)])}; rows: {', '.join(keys)}")
    columns = [_column_labels(text, table["columns"]) for text in header[len(keys) :]]
    for line, texts in lines[1:]:
        row_labels = dict(zip(keys, texts, strict=False))
        for column_labels, text in zip(columns, texts[len(keys) :], strict=False):
            labels = row_labels | column_labels
            yield PublishedCell(text, line, labels_text(row_labels), labels_text(column_labels), labels)


def _csv_lines(path: Path, name: str) -> list[tuple[int, list[str]]]:
    """The lines of a CSV file beside the study file at `path`, with their numbers; at least one.

    A store may name any path, so only a file inside the directory of a study file is opened. Raises _UnreadableError.
    """
    file = path.parent / name
    if not file.resolve().is_relative_to(path.parent.resolve()):
        raise _UnreadableError("outside the study's directory; published tables must be beside its wrkparse.yaml")
    if path.name != STUDY_FILE or not path.is_file():
        raise _UnreadableError("the study's wrkparse.yaml is no longer there")
    if file.exists() and not file.is_file():
        raise _UnreadableError("a directory, a pipe or a device, not a file")
    try:
        # utf-8-sig: spreadsheets put a byte order mark in front.
        with file.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.reader(opened)
            lines = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if row]
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        why = "no longer there" if isinstance(problem, FileNotFoundError) else str(problem)
        raise _UnreadableError(f"the published table can't be read: {why}") from None
    if not lines:
        raise _UnreadableError("the published table is empty")
    return lines


def _column_labels(text: str, keys: list[str]) -> dict[str, str]:
    values = text.split("/") if len(keys) > 1 else [text]
    if len(values) != len(keys):
        raise _UnreadableError(f"column {text!r} must have a value for each of {', '.join(keys)}, joined by '/'")
    return dict(zip(keys, (value.strip() for value in values), strict=True))
