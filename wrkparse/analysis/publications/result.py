"""The result of checking published tables and claims, and the cells that it is made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import pandas as pd

from wrkparse.analysis.publications import claims as claim_checks
from wrkparse.analysis.publications.raw_runs import RawRun
from wrkparse.analysis.publications.verdicts import PrintStyle, Verdict
from wrkparse.analysis.shown.results import ResultView, ShownResult, count_list
from wrkparse.analysis.wording import counted

_CELL_COLUMNS = {
    "study": "string", "table": "string", "title": "string", "row": "string", "column": "string",
    "printed": "string", "at": "Int64", "metric": "string", "unit": "string", "printed_value": "float64",
    "value": "float64", "difference": "float64", "run": "string", "source": "string", "line": "Int64",
    "verdict": "string", "rule": "string", "digits": "Int64", "explanation": "string",
}  # fmt: skip


@dataclass(frozen=True, slots=True, repr=False)
class ReproduceResult(ShownResult):
    """The result of `reproduce` and `reproduce_document`.

    ``cells`` has one row for each printed cell:

    - study, table (the file or page), title, row and column (labels as ``key=value, …``), printed (the text of the
      cell), at (its line).
    - metric, unit (a base unit), printed_value, value (of the raw run), difference (printed / raw - 1).
    - run, source, line (of the raw number; missing unless exactly one run has the labels).
    - verdict, rule (those of ``exact``, ``floor``, ``round``, ``ceil`` that turn the raw number into the printed one,
      joined by blanks), digits (after the decimal point; -3: rounded to thousands), explanation.

    The verdicts are ``follows``, ``differs``, ``no raw run``, ``several raw runs`` (several runs have the labels, and
    some give the number), ``explained`` and ``unexplained`` for a word, and ``not printed``.

    ``claims`` and ``pairs`` are described in `wrkparse.analysis.publications.claims`. ``notes`` states what was
    assumed. ``problems`` lists the tables and claims that could not be checked, with reasons.
    """

    cells: pd.DataFrame
    claims: pd.DataFrame
    pairs: pd.DataFrame
    notes: tuple[str, ...] = ()
    problems: tuple[str, ...] = ()

    def exhibit(self) -> ResultView:
        """The verdicts counted, the cells and the claims."""
        summary = f"{counted(len(self.cells), 'published cell')}: {count_list(self.cells['verdict']) or 'none'}"
        cells = self.cells[["table", "row", "column", "printed", "value", "unit", "verdict"]]
        return ResultView("; ".join([summary, *self.problems]), {"cells": cells, "claims": self.claims})


@dataclass(frozen=True, slots=True)
class PublishedCell:
    """A cell of a published table: its text, its line (`at`), and the labels of its row and column.

    `row` and `column` are labels as text. ``labels`` is None if the text of the row or column matches no run.
    """

    text: str
    at: int
    row: str
    column: str
    labels: Mapping[str, object] | None

    def matching_runs(self, runs: Iterable[RawRun]) -> list[RawRun] | None:
        """The runs with the cell's labels; None if its row or column has no labels."""
        labels = self.labels
        return None if labels is None else [run for run in runs if run.matches(labels)]


@dataclass
class JudgedCells:
    """The cells that have a verdict, as rows of `ReproduceResult.cells`."""

    rows: list[dict[str, Any]] = field(default_factory=list)

    def add(self, study: str, table: str, title: str, cell: PublishedCell, style: PrintStyle, verdict: Verdict) -> None:
        """Add one cell with its verdict."""
        value = verdict.stated.value if verdict.stated else float("nan")
        printed = float("nan") if verdict.printed is None else verdict.printed
        run = verdict.run
        self.rows.append({
            "study": study, "table": table, "title": title, "row": cell.row, "column": cell.column,
            "printed": cell.text, "at": cell.at, "metric": style.metric.name, "unit": style.metric.unit,
            "printed_value": printed, "value": value, "difference": printed / value - 1 if value else float("nan"),
            "run": run.run if run else pd.NA, "source": run.source if run else pd.NA,
            "line": verdict.stated.line if run and verdict.stated else pd.NA, "verdict": verdict.verdict,
            "rule": " ".join(verdict.rounding.rules) if verdict.rounding else pd.NA,
            "digits": verdict.rounding.digits if verdict.rounding else pd.NA, "explanation": verdict.explanation,
        })  # fmt: skip


def make_result(
    cells: JudgedCells,
    claims: list[dict[str, Any]],
    pairs: list[dict[str, Any]],
    notes: Iterable[str],
    problems: Iterable[str],
) -> ReproduceResult:
    """A result from rows; its DataFrames have all columns even without rows."""
    return ReproduceResult(
        _frame(cells.rows, _CELL_COLUMNS),
        _frame(claims, claim_checks.COLUMNS),
        _frame(pairs, claim_checks.PAIR_COLUMNS),
        tuple(notes),
        tuple(problems),
    )


def _frame(rows: list[dict[str, Any]], dtypes: Mapping[str, str]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series([row[name] for row in rows], dtype=dtype) for name, dtype in dtypes.items()})


def labels_text(labels: Mapping[str, object]) -> str:
    """Labels as text: ``framework=nuster, cores=1``."""
    return ", ".join(f"{key}={value}" for key, value in labels.items())
