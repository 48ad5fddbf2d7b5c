"""Published tables and claims, held against the raw runs that they were made of."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple

import pandas as pd

from wrkparse.analysis.publications import claims as claims_of
from wrkparse.analysis.publications.printed_numbers import RULES, number
from wrkparse.analysis.publications.raw_runs import RawRun, check_keys, choices, raw_runs
from wrkparse.analysis.publications.verdicts import Print, Verdict, judge
from wrkparse.analysis.runs.selection import TooLittleError, choose_metric
from wrkparse.context.study import StudyError, stored
from wrkparse.dataset import Dataset, QueryError
from wrkparse.source.discover import STUDY_FILE

_COLUMNS = {
    "study": "string", "table": "string", "title": "string", "row": "string", "column": "string",
    "printed": "string", "at": "Int64", "metric": "string", "unit": "string", "printed_value": "float64",
    "value": "float64", "difference": "float64", "run": "string", "source": "string", "line": "Int64",
    "verdict": "string", "rule": "string", "digits": "Int64", "explanation": "string",
}  # fmt: skip


@dataclass(frozen=True, slots=True)
class ReproduceResult:
    """What came of the published tables and claims.

    ``cells``, a row for each printed cell: study, table (the file, or the page), title, row and column (labels as
    ``key=value, …``), printed (the cell as it stands), at (its line), metric, unit (of what follows), printed_value,
    value (the raw run's), difference (printed / raw − 1), run, source, line (of the raw number; missing unless one run
    is meant), verdict, rule (which of ``exact``, ``floor``, ``round``, ``ceil`` make the printed number of the raw one,
    joined by blanks), digits (behind the point, -3 for thousands), explanation.
    Verdicts: ``follows``, ``differs``, ``no raw run``, ``several raw runs`` (the labels fit several, and some give the
    number), ``explained`` and ``unexplained`` for a word, ``not printed``.

    ``claims`` and ``pairs``: see `claims`. ``notes``: what was assumed. ``problems``: tables and
    claims that could not be looked at, and why.
    """

    cells: pd.DataFrame
    claims: pd.DataFrame
    pairs: pd.DataFrame
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class PublishedCell:
    """A cell of a published table: its text, its line, and the labels that its row and its column stand for.

    Labels are None where the text of a row or column (`row`, `column`) fits no run.
    """

    text: str
    at: int
    row: str
    column: str
    labels: Mapping[str, object] | None


@dataclass
class Sheet:
    """The cells judged so far, as rows of a DataFrame."""

    rows: list[dict[str, Any]] = field(default_factory=list)

    def add(self, study: str, table: str, title: str, cell: PublishedCell, how: Print, found: Verdict) -> None:
        """Keep one cell with its verdict."""
        value = found.stated.value if found.stated else float("nan")
        printed = float("nan") if found.printed is None else found.printed
        run = found.run
        self.rows.append({
            "study": study, "table": table, "title": title, "row": cell.row, "column": cell.column,
            "printed": cell.text, "at": cell.at, "metric": how.choice.name, "unit": how.choice.unit,
            "printed_value": printed, "value": value, "difference": printed / value - 1 if value else float("nan"),
            "run": run.run if run else pd.NA, "source": run.source if run else pd.NA,
            "line": found.stated.line if run and found.stated else pd.NA, "verdict": found.verdict,
            "rule": " ".join(found.rounding.rules) if found.rounding else pd.NA,
            "digits": found.rounding.digits if found.rounding else pd.NA, "explanation": found.explanation,
        })  # fmt: skip


def reproduce(
    dataset: Dataset, *, study: str | Iterable[str] | None = None, where: str | None = None
) -> ReproduceResult:
    """Hold the published tables and the claims of studies (all, unless named) against their raw runs.

    `where` leaves only raw runs for which it holds.

    A table's file stands beside the study's ``wrkparse.yaml`` and is read again from there; its first line holds the
    keys of the rows' labels, then a column for each set-up, named by the values of the columns' labels joined by ``/``.
    A cell belongs to the runs of the study that have its labels and fit the table's ``where``. Raises QueryError for a
    study that is not there.
    """
    sheet, problems, claims, pairs = Sheet(), list[str](), list[dict[str, Any]](), list[dict[str, Any]]()
    if where:
        dataset.wide_arrow(where)  # a condition that can't be answered is the caller's mistake, no study's
    for one in _studies(dataset, [study] if isinstance(study, str) else study):
        names = {entry["metric"] for entry in (*one.tables, *one.claims)}
        known = {choice.metric for choice in choices(dataset) if any(name.startswith(choice.metric) for name in names)}
        runs = raw_runs(dataset, f"study = {_quoted(one.name)} AND ({where or 'true'})", only=known) if names else []
        for table in one.tables:
            try:
                _published(dataset, one, table, runs, sheet)
            except (QueryError, TooLittleError, _UnreadableError) as problem:
                problems.append(f"{one.path}: {table['file']}: {problem}")
        for claim in one.claims:
            try:
                row, of_claim = claims_of.check(one.name, claim, choose_metric(dataset, claim["metric"]), runs)
            except (QueryError, TooLittleError) as problem:
                problems.append(f"{one.path}: claim {claim['claim']!r}: {problem}")
                continue
            claims.append(row)
            pairs += of_claim
    return result(sheet, claims, pairs, (), problems)


def result(
    sheet: Sheet,
    claims: list[dict[str, Any]],
    pairs: list[dict[str, Any]],
    notes: Iterable[str],
    problems: Iterable[str],
) -> ReproduceResult:
    """Rows → DataFrames with the columns of each, whether there are rows or not."""
    return ReproduceResult(
        _frame(sheet.rows, _COLUMNS),
        _frame(claims, claims_of.COLUMNS),
        _frame(pairs, claims_of.PAIR_COLUMNS),
        tuple(notes),
        tuple(problems),
    )


def _frame(rows: list[dict[str, Any]], columns: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series([row[name] for row in rows], dtype=kind) for name, kind in columns.items()})


class _Study(NamedTuple):
    name: str
    path: Path
    tables: tuple[Mapping[str, Any], ...]
    claims: tuple[Mapping[str, Any], ...]


def _studies(dataset: Dataset, wanted: Iterable[str] | None) -> Iterator[_Study]:
    """The studies that are asked for, all without a name."""
    names = None if wanted is None else list(wanted)
    known = list(dataset.studies["study"])
    unknown = [name for name in names or () if name not in known]
    if unknown:
        raise QueryError(f"no study {', '.join(unknown)}; there are: {', '.join(known) or 'none'}")
    for row in dataset.studies.to_dict("records"):
        if names is None or row["study"] in names:
            tables, claims = (None if row[key] is pd.NA else row[key] for key in ("tables", "claims"))
            try:
                said = stored(row["source"], tables, claims)
            except StudyError as mistakes:
                raise QueryError(
                    f"study {row['study']}: the store does not hold it as it was read: {mistakes}"
                ) from None
            yield _Study(row["study"], Path(row["source"]), said.tables, said.claims)


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class _UnreadableError(Exception):
    """A table's file that is not there any more, or is no such table."""


def _published(dataset: Dataset, study: _Study, table: Mapping[str, Any], runs: list[RawRun], sheet: Sheet) -> None:
    """Judge every cell of one table of a study."""
    cells = list(_cells(study.path, table))
    stat, unit = table.get("stat", "total"), table.get("unit", "")
    choice = choose_metric(dataset, table["metric"] if stat == "total" else f"{table['metric']}_{stat}")
    if unit and number("1", choice.unit, unit) is None:
        raise _UnreadableError(f"{choice.name} is not printed in {unit!r}")
    ways = (table["print"], "exact") if "print" in table else RULES
    how, where = Print(choice, unit, ways), table.get("where", {})
    check_keys([*table["rows"], *table["columns"], *where], runs)
    runs = [run for run in runs if run.has(where)]
    for cell in cells:
        found = judge(cell.text, candidates(cell, runs), runs, how)
        sheet.add(study.name, table["file"], table.get("title", ""), cell, how, found)


def candidates(cell: PublishedCell, runs: Iterable[RawRun]) -> list[RawRun] | None:
    """The runs that have a cell's labels; None where its row or column names none that any run has."""
    return None if cell.labels is None else [run for run in runs if run.has(cell.labels)]


def _cells(path: Path, table: Mapping[str, Any]) -> Iterator[PublishedCell]:
    """The cells of a table's CSV file, row by row. Raises _UnreadableError for a file that can't be what is said."""
    file = path.parent / table["file"]
    if not file.resolve().is_relative_to(path.parent.resolve()):
        raise _UnreadableError("outside the study's directory; published tables stand beside its wrkparse.yaml")
    if path.name != STUDY_FILE or not path.is_file():  # a store may name any directory
        raise _UnreadableError("the study's wrkparse.yaml is not there any more")
    if file.exists() and not file.is_file():
        raise _UnreadableError("no file, but a directory, a pipe or a device")
    try:
        with file.open(encoding="utf-8-sig", newline="") as opened:
            reader = csv.reader(opened)
            lines = [(reader.line_num, [cell.strip() for cell in row]) for row in reader if row]
    except (OSError, UnicodeDecodeError, csv.Error) as problem:
        why = "not there any more" if isinstance(problem, FileNotFoundError) else str(problem)
        raise _UnreadableError(f"the published table can't be read: {why}") from None
    if not lines:
        raise _UnreadableError("the published table is empty")
    keys, header = table["rows"], lines[0][1]
    if header[: len(keys)] != keys:
        raise _UnreadableError(f"its first line begins {', '.join(header[: len(keys)])}; rows: {', '.join(keys)}")
    columns = [_column(text, table["columns"]) for text in header[len(keys) :]]
    for at, row in lines[1:]:
        of_row = dict(zip(keys, row, strict=False))
        for labels, text in zip(columns, row[len(keys) :], strict=False):
            yield PublishedCell(text, at, joined(of_row), joined(labels), of_row | labels)


def _column(text: str, keys: list[str]) -> dict[str, str]:
    values = text.split("/") if len(keys) > 1 else [text]
    if len(values) != len(keys):
        raise _UnreadableError(f"column {text!r} must have a value for each of {', '.join(keys)}, joined by '/'")
    return dict(zip(keys, (value.strip() for value in values), strict=True))


def joined(labels: Mapping[str, object]) -> str:
    """Labels as text: ``framework=nuster, cores=1``."""
    return ", ".join(f"{key}={value}" for key, value in labels.items())
