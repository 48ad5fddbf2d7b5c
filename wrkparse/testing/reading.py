"""Compares what is read in a text, ``<case>.txt``, with a file of expected values, ``<case>.json``.

The JSON is ``{"runs": [{"tool": …, "line": …, "line_end": …, "version": …, "dialect": …, "labels": {key: value},
"measurements": {"latency/p99": 0.0011, …}}]}``, values in base units, and labels as the table has them: ``"duration_s":
"90"`` for ``-d 90s``. A run may also have ``rows``, the number of rows by table, or ``events``, the rows themselves.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping
from itertools import chain
from pathlib import Path
from typing import Any, NamedTuple

from wrkparse.context.precedence import normalize_value
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Batch, Run
from wrkparse.parse.parser import SourceParser

_TOLERANCE = 1e-12  # relative: the expected values may have been scaled by hand


class FoundItems(NamedTuple):
    """The runs in a text, the rows of their event tables, and the diagnostics."""

    runs: list[Run]
    batches: list[Batch]
    diagnostics: list[Diagnostic]


def read_text(text: str) -> FoundItems:
    """Read a text as wrkparse reads a file."""
    parser = SourceParser("fixture")
    items = list(chain(parser.feed(text.encode()), parser.finish()))
    return FoundItems(
        [item for item in items if isinstance(item, Run)],
        [item for item in items if isinstance(item, Batch)],
        [item for item in items if isinstance(item, Diagnostic)],
    )


def lines_of(text: str) -> list[str]:
    """The lines of a text, as lines of a source are counted.

    They end at a line feed only: `str.splitlines` also ends them at carriage returns, form feeds and U+2028, which
    appear within the lines of progress bars and messages.
    """
    return text.removesuffix("\n").split("\n")


def expected_of(case: Path) -> Path:
    """The file with the expected values of a case."""
    return case.with_suffix(".json")


def differences(tool: str, case: Path) -> Iterator[str]:
    """The differences between what is read of a tool in a case and its expected values."""
    try:
        expected = json.loads(expected_of(case).read_text(encoding="utf-8"))
        expected_runs = [run for run in expected["runs"] if run["tool"] == tool]
    except (OSError, ValueError, TypeError, KeyError) as problem:
        yield f'needs {{"runs": [{{"tool": …}}]}}: {type(problem).__name__}: {problem}'
        return
    found = read_text(case.read_bytes().decode("utf-8", "replace"))
    runs = [run for run in found.runs if run.tool == tool]
    if len(runs) != len(expected_runs):
        at = ", ".join(str(run.line) for run in runs) or "none"
        yield f"has {len(expected_runs)} runs of {tool}; read were {len(runs)}, at the lines: {at}"
        return
    for run, expected_run in zip(runs, expected_runs, strict=True):
        yield from (
            f"the run at line {run.line}: {difference}" for difference in _differences(run, expected_run, found.batches)
        )


def _differences(run: Run, expected: Mapping[str, Any], batches: list[Batch]) -> Iterator[str]:
    # Both are optional in the file.
    for key, value in (("line", run.line), ("line_end", run.line_end)):
        yield from _compared(key, value, expected.get(key, value))
    yield from _compared("version", run.version, expected.get("version"))
    yield from _compared("dialect", run.dialect, expected.get("dialect"))
    labels = {(label.key, normalize_value(label.key, label.value)) for label in run.labels}
    for key, value in expected.get("labels", {}).items():
        if (key, normalize_value(key, str(value))) not in labels:
            others = ", ".join(sorted(repr(text) for known, text in labels if known == key))
            yield f"the label {key}={value} is missing" + (f"; read was {others}" if others else "")
    # Labels of headings and paths are not the tool's: they need not be listed.
    own_labels = {label.key for label in run.labels if label.origin == "report"}
    for key in sorted(own_labels - expected.get("labels", {}).keys() if "labels" in expected else ()):
        yield f"the tool makes the label {key}, which is not among the expected labels"
    numbers = {f"{row.metric}/{row.stat}": row.value for row in run.numbers.rows()}
    expected_numbers = expected.get("measurements", {})
    for name in sorted(numbers.keys() | expected_numbers.keys()):
        if name not in expected_numbers:
            yield f"{name} is {numbers[name]}, and not among the expected values"
        elif name not in numbers:
            yield f"{name} is missing, expected {expected_numbers[name]}"
        else:
            yield from _compared(name, numbers[name], expected_numbers[name])
    # Tables of a report, such as spectrum, come with its run; those of events come as batches.
    rows = {table: len(some[0]) if some else 0 for table, some in run.rows.items()}
    events = _rows(run.run, batches)
    rows |= {table: len(some) for table, some in events.items()}
    for table, count in expected.get("rows", {}).items():
        yield from _compared(f"rows of {table}", rows.get(table, 0), count)
    for table, some in expected.get("events", {}).items():
        yield from _compared(f"rows of {table}", events.get(table, []), some)


def _rows(run: str, batches: list[Batch]) -> dict[str, list[dict[str, Any]]]:
    """The rows of a run by table, without the columns that have no value."""
    found: dict[str, list[dict[str, Any]]] = {}
    for batch in batches:
        rows = (row for row in batch.rows.to_pylist() if row["run"] == run)
        complete = [{name: value for name, value in row.items() if value is not None and name != "run"} for row in rows]
        found.setdefault(batch.table, []).extend(complete)
    return found


def _compared(name: str, found: Any, expected: Any) -> Iterator[str]:
    if not is_equal(found, expected):
        yield f"{name} is {found!r}, expected {expected!r}"


def is_equal(found: Any, expected: Any) -> bool:
    """Whether two values are the same; numbers to a few steps of a double."""
    if isinstance(found, list) and isinstance(expected, list):
        return len(found) == len(expected) and all(map(is_equal, found, expected))
    if isinstance(found, dict) and isinstance(expected, dict):
        return found.keys() == expected.keys() and all(is_equal(found[key], expected[key]) for key in found)
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in (found, expected)):
        return math.isclose(found, expected, rel_tol=_TOLERANCE, abs_tol=0)
    return bool(found == expected)
