"""Builds the tables from runs, event batches and diagnostics, and decides which label of a run is used."""

from __future__ import annotations

import functools
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple, Protocol

import pyarrow as pa

from wrkparse.context.precedence import ResolvedLabels, resolve_run
from wrkparse.context.study import Study
from wrkparse.ingest.held_rows import RUN_COLUMNS, Fault, HeldRows, convert_rows, join_parts
from wrkparse.model.records import COPY, FEWEST_COPIED, Diagnostic, Label
from wrkparse.parse.items import Batch, Item, Run
from wrkparse.tools.report import Columns
from wrkparse.tools.schema import concat_parts, schema

# Flags and variables that become columns of `runs`. Each row has every column, so their number is bounded.
_MOST_DETAILS = 500
_RUN_COLUMNS = frozenset(RUN_COLUMNS)
_FROM_USER = frozenset({"cli", "file"})
GUESSES = frozenset({"heading", "path"})


class BuiltTables(NamedTuple):
    """Everything in a builder, for another one to merge: tables, columns of flags and variables, counts."""

    tables: dict[str, pa.Table]
    details: set[str]
    runs: Counter[str]
    events: Counter[str]
    label_counts: Counter[str]
    diagnostics: Counter[tuple[str, str]]


class TableBuilder:
    """Collects what parsers yield; `drain` returns it as Arrow tables and empties the builder."""

    def __init__(self) -> None:
        self._rows = HeldRows()
        self._batches: dict[str, list[pa.Table]] = {}
        self._merged: dict[str, list[pa.Table]] = {}
        # A source, and the first line of each of its runs by the hash of the run's numbers.
        self._seen: tuple[str, dict[int, int]] = ("", {})
        self.row_count = 0  # rows since the last `drain`
        self._details: set[str] = set()  # flags and variables that are columns
        self.runs: Counter[str] = Counter()
        self.events: Counter[str] = Counter()
        self.label_counts: Counter[str] = Counter()
        self.diagnostics: Counter[tuple[str, str]] = Counter()

    def add(self, item: Item, study: Study | None = None, given: Iterable[Label] = ()) -> list[Diagnostic]:
        """Add one item. Returns the item if it is a diagnostic, and the diagnostics that result from it."""
        if isinstance(item, Batch):
            rows = item.rows if _has_types(item.rows.schema, item.table) else _cast(item.rows, item.table)
            self._batches.setdefault(item.table, []).append(rows)
            self.row_count += item.rows.num_rows
            self.events[item.table] += item.rows.num_rows
            return []
        diagnostics = self._add_run(item, study, given) if isinstance(item, Run) else [item]
        for diagnostic in diagnostics:
            self._add_row("diagnostics", _values(diagnostic))
            self.diagnostics[diagnostic.severity, diagnostic.code] += 1
        return diagnostics

    def add_source(self, source: str, size: int, digest: str, lines: int, claimed: int, version: str) -> None:
        """Add a source that was read; size in bytes as stored."""
        values = (source, size, digest, lines, claimed, datetime.now(UTC), version)
        self._add_row("sources", values)

    def drain(self, faults: list[Fault] | None = None) -> dict[str, pa.Table]:
        """Return all rows by table, and forget them; tables without rows are left out.

        A run, or a row of another table, that can't be a row of its table goes to `faults`, and the other rows are
        returned. Without `faults`, it raises.
        """
        rows, self._rows = self._rows, HeldRows()
        batches, self._batches = self._batches, {}
        merged, self._merged = self._merged, {}
        self.row_count = 0
        tables = rows.tables() if faults is None else self._converted(rows, faults)
        tables |= {name: _joined(parts, name) for name, parts in batches.items()}
        for name, parts in merged.items():
            tables[name] = concat_parts(name, [*parts, tables[name]] if name in tables else parts)
        return tables

    def _converted(self, rows: HeldRows, faults: list[Fault]) -> dict[str, pa.Table]:
        """The tables of the rows. Rows that can't be converted go to `faults` and are not counted any more."""
        found: list[Fault] = []
        parts = convert_rows(rows, found)
        if not found and len(parts) == 1:
            return parts[0]
        for fault in found:
            if fault.run:
                self.runs -= Counter([fault.run.tool])
                self.label_counts -= Counter(fault.run.keys)
        faults += found
        return join_parts(parts)

    def built(self, tables: dict[str, pa.Table]) -> BuiltTables:
        """Drained tables, with everything else that `merge` needs."""
        return BuiltTables(tables, self._details, self.runs, self.events, self.label_counts, self.diagnostics)

    def merge(self, more: BuiltTables) -> bool:
        """Add the contents of another builder. Returns False, and adds nothing, if runs would have too many columns."""
        if len(self._details | more.details) > _MOST_DETAILS:
            return False  # the caller reads the files one by one, so that the first ones get the columns
        self._details |= more.details
        for name, table in more.tables.items():
            self._merged.setdefault(name, []).append(table)
            self.row_count += table.num_rows
        self.runs += more.runs
        self.events += more.events
        self.label_counts += more.label_counts
        self.diagnostics += more.diagnostics
        return True

    def _add_row(self, table: str, values: Sequence[object]) -> None:
        """Add a row of a table."""
        self._rows.add_row(table, values)
        self.row_count += 1

    def _add_rows(self, run: Run, table: str, shared: Columns, own: Columns) -> None:
        """Add rows of a run, given as columns."""
        if own and own[0]:
            self._rows.of_runs[table].append((run.run, run.line, shared, own))
            self.row_count += len(own[0])

    def _add_run(self, run: Run, study: Study | None, given: Iterable[Label]) -> list[Diagnostic]:
        resolved, diagnostics = _resolve_labels(run, study, given)
        diagnostics += self._copy_note(run)
        row, labels = _run_row(run, study, resolved, diagnostics)
        if not self._details.issuperset(resolved.ranking.details):
            labels, notes = self._without_details(run, labels, resolved.ranking.details)
            diagnostics += notes
        self._rows.runs.append(row)
        self._rows.labels.append(labels)
        self.runs[run.tool] += 1
        for key in resolved.ranking.winners:  # faster than `update` for few
            self.label_counts[key] += 1
        ranking, numbers = resolved.ranking, run.numbers
        shared = ranking.keys, ranking.values, ranking.origins, ranking.overruled, resolved.rules
        self._add_rows(run, "labels", shared, (resolved.lines, resolved.texts))
        self._add_rows(run, "measurements", numbers.kinds, (numbers.values, numbers.resolutions))
        self._add_rows(run, "texts", (run.text.offsets,), (run.text.texts,))
        for table, rows in run.rows.items():
            self._add_rows(run, table, (), rows)
        return diagnostics

    def _without_details(
        self, run: Run, labels: Mapping[str, object], details: tuple[str, ...]
    ) -> tuple[Mapping[str, object], list[Diagnostic]]:
        """A run's labels without the flags and variables for which `runs` has no more columns; a note says which."""
        self._details.update(details[: max(0, _MOST_DETAILS - len(self._details))])
        over = [key for key in details if key not in self._details]
        if not over:
            return labels, []
        message = (
            f"more than {_MOST_DETAILS} different flags and variables: {len(over)} of this {run.tool} run, such as "
            f"{over[0]}, are in the table labels only"
        )
        remaining = {key: value for key, value in labels.items() if key not in over}
        return remaining, [Diagnostic(run.source, run.line, "note", "many-labels", message)]

    def _copy_note(self, run: Run) -> list[Diagnostic]:
        """A note on a run whose numbers (metrics, stats, values) equal those of an earlier run in its source."""
        kinds, values, *_ = run.numbers
        if len(values) < FEWEST_COPIED:
            return []
        # copies within one source only: equal logs are found by their digest (`note_copies`)
        if self._seen[0] != run.source:
            self._seen = run.source, {}
        # A hash instead of the numbers bounds the memory. Two runs with one hash by chance would get a wrong note.
        first = self._seen[1].setdefault(hash((kinds.metrics, kinds.stats, values)), run.line)
        if first == run.line:
            return []
        message = f"{run.tool}: all numbers equal those of the run at line {first}; is one run quoted twice?"
        return [Diagnostic(run.source, run.line, "note", COPY, message)]


def _resolve_labels(run: Run, study: Study | None, given: Iterable[Label]) -> tuple[ResolvedLabels, list[Diagnostic]]:
    """Resolve the labels from the text, the URL, the study and the user. Returns them and their conflicts.

    A name from a heading or path is a guess: another name from the user is not a conflict.
    """
    given = list(given)
    resolved = resolve_run(run.labels, (), given)
    if study:  # its conditions may test labels, so these are resolved first without the study
        resolved = resolve_run(run.labels, [*study.labels(_facts(run, study, resolved))], given)
    if not resolved.ranking.conflicts:
        return resolved, []
    reported = [pair for pair in resolved.conflicts if not (pair[0].origin in _FROM_USER and pair[1].origin in GUESSES)]
    return resolved, [conflict_note(run, study, winner, other) for winner, other in reported]


def _facts(run: Run, study: Study, resolved: ResolvedLabels) -> dict[str, str]:
    """The values that conditions of a study file can test."""
    facts = {
        "tool": run.tool,
        "source": run.source,
        "folder": run.source.rpartition("/")[0],
        "file": run.source.rpartition("/")[2],
        "line": str(run.line),
        "section": run.section,
        "study": study.name,
    }
    facts |= {"command": run.command} if run.command else {}
    facts |= {"dialect": run.dialect} if run.dialect else {}
    return facts | dict(resolved.url) | resolved.ranking.winning_values


class _PlacedRun(Protocol):
    """A run as messages name it: its tool, its source and its line."""

    @property
    def tool(self) -> str: ...

    @property
    def source(self) -> str: ...

    @property
    def line(self) -> int: ...


def conflict_note(run: _PlacedRun, study: Study | None, winner: Label, other: Label) -> Diagnostic:
    """A warning that two labels conflict; only a note if the user overrules the text."""
    # The line of a label from an index is one of that file, not of the log.
    line = run.line if other.line is None or other.origin == "index" else other.line
    message = (
        f"{winner.key}: {_origin_name(winner, study)} says {winner.value}, "
        f"{_origin_name(other, study)} says {other.value}; "
        f"{winner.value} is used for the {run.tool} run at line {run.line}"
    )
    return Diagnostic(run.source, line, "note" if winner.origin in _FROM_USER else "warning", "label-conflict", message)


def _origin_name(label: Label, study: Study | None) -> str:
    names = {"cli": "--label", "report": "the report", "env": "the environment", "flag": "the flag", "path": "the path"}
    if label.origin == "file" and study:
        return f"{study.path.name} line {label.line}"
    if label.origin == "index" and label.text:
        return label.text.partition(": ")[0]
    name = names.get(label.origin, f"the {label.origin}")
    return name if label.line is None else f"{name} at line {label.line}"


def _run_row(
    run: Run, study: Study | None, resolved: ResolvedLabels, diagnostics: list[Diagnostic]
) -> tuple[tuple[object, ...], Mapping[str, object]]:
    """The values of `RUN_COLUMNS`, and the values of the columns of labels."""
    row: tuple[object, ...] = (
        run.run, run.tool, run.version, run.dialect, run.loop.kind, run.loop.corrected, run.source, run.line,
        run.line_end, run.section or None, run.command, study.name if study else None, run.logged_from, run.logged_to,
        run.logged_zone,
    )  # fmt: skip
    typed, unreadable = resolved.ranking.typed_values, resolved.ranking.unreadable
    if not _RUN_COLUMNS.isdisjoint(typed):  # GNU time prints the command, which the text may lack
        row = tuple([typed.get(name) if value is None else value for name, value in zip(RUN_COLUMNS, row, strict=True)])
        typed = {key: value for key, value in typed.items() if key not in _RUN_COLUMNS}
    for key in unreadable:
        message = f"{key} is {resolved.ranking.winning_values[key]!r}, not a number; left empty"
        diagnostics.append(Diagnostic(run.source, resolved.line_of(key) or run.line, "warning", "bad-label", message))
    return row, typed


def _values(diagnostic: Diagnostic) -> tuple[object, ...]:
    return diagnostic.source, diagnostic.line, diagnostic.severity, diagnostic.code, diagnostic.message


@functools.lru_cache(maxsize=256)  # the batches of a log have few different schemas
def _has_types(schema_of_part: pa.Schema, table: str) -> bool:
    """Whether the columns of a batch have the types of its table, so that `_cast` can't fail."""
    types = {field.name: field.type for field in schema(table)}
    return all(types.get(field.name, field.type) == field.type for field in schema_of_part)


def _joined(parts: Iterable[pa.Table], table: str) -> pa.Table:
    """Batches of a table in their order. Those with the same columns become one first: a source may have thousands."""
    groups = (pa.concat_tables(some) for _, some in groupby(parts, attrgetter("schema")))
    return pa.concat_tables(_cast(part, table) for part in groups)


def _cast(part: pa.Table, table: str) -> pa.Table:
    """Batches with all columns of its table, in order; absent ones are null."""
    wanted = schema(table)
    names = set(part.column_names)
    return pa.table(
        [
            _as_type(part[field.name], field.type) if field.name in names else pa.nulls(part.num_rows, field.type)
            for field in wanted
        ],
        wanted,
    )


def _as_type(column: pa.ChunkedArray, kind: pa.DataType) -> pa.ChunkedArray:
    return column if column.type == kind else column.cast(kind)
