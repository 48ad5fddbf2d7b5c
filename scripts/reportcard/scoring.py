"""What wrkparse reads in samples, value by value beside what was expected; docs/report-card.md has the form."""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

import pandas as pd

import wrkparse as wp
from wrkparse.source.discover import find_sources

TOGETHER = "expected.json"
PUBLIC = Path(__file__).parent / "public.json"
_TOLERANCE = 1e-12
_LABEL, _ROWS = "label ", "rows of "

Run = dict[str, Any]


class BadExpectationError(Exception):
    """A file of expected values that can't be used; its message begins with the path."""


class Sample(NamedTuple):
    """A file and the runs that are expected in it. Samples of one folder are read together."""

    name: str
    path: Path
    runs: list[Run]
    folder: str | None = None


class Value(NamedTuple):
    """One value of a run, and where it is from."""

    value: Any
    line: int | None = None
    unit: str | None = None


class FoundRun(NamedTuple):
    """A run that was read: its row of the table `runs`, and its values under the names of `stated`."""

    facts: Run
    stated: dict[str, Value]


class Problem(NamedTuple):
    """A value that is not as expected."""

    sample: str
    line: int
    kind: str  # wrong, missing or surplus
    tool: str
    name: str
    found: Value | None
    expected: Value | None

    def __str__(self) -> str:
        message = f"{self.sample}:{self.line}: {self.kind}: {self.tool} {self.name}"
        if self.found is None:
            return f"{message}, expected {_shown(self.expected)}"
        return f"{message} is {_shown(self.found)}" + (f", expected {_shown(self.expected)}" if self.expected else "")


@dataclass
class Tally:
    """One tool's score: values and runs that are right, and how many there should be."""

    runs: int = 0
    runs_found: int = 0
    values: int = 0
    right: int = 0
    surplus: int = 0


@dataclass
class Score:
    """The score of all samples."""

    samples: int = 0
    tallies: dict[str, Tally] = field(default_factory=dict)
    problems: list[Problem] = field(default_factory=list)

    def tally(self, tool: str) -> Tally:
        """The tally of a tool."""
        return self.tallies.setdefault(tool, Tally())


def samples(folder: Path) -> list[Sample]:
    """The samples below a folder that have expected values, by name.

    Raises BadExpectationError where those can't be read, or have no sample.
    """
    found: list[Sample] = []
    lists = {path: _together(path) for path in sorted(folder.rglob(TOGETHER))}
    for path, expected in lists.items():
        found += [_sample(folder, path, path.parent / name, runs) for name, runs in expected.items()]
    known = {sample.path for sample in found} | lists.keys()
    for path in sorted(folder.rglob("*.json")):
        if path in known or path.with_name(f"{path.name}.json").exists():
            continue  # a sample that is JSON itself
        expected = _read(path)
        if isinstance(expected, dict) and "runs" in expected:
            found.append(_sample(folder, path, _beside(path), expected))
    return sorted(found, key=lambda sample: sample.name)


def public_samples(folder: Path) -> list[Sample]:
    """The files below a folder that `PUBLIC` has expected values of: those with the same content, under any name.

    Files that `PUBLIC` has as those of one folder are read together; their names may label them.

    Raises BadExpectationError where `PUBLIC` can't be read.
    """
    known = {entry["sha256"]: (name, entry) for name, entry in _together(PUBLIC).items()}
    digests = {path: hashlib.sha256(path.read_bytes()).hexdigest() for path in folder.rglob("*") if path.is_file()}
    found = [(*known[digest], path) for path, digest in digests.items() if digest in known]
    return sorted(
        (Sample(name, path, entry["runs"], entry.get("folder")) for name, entry, path in found),
        key=lambda sample: sample.name,
    )


def _together(path: Path) -> dict[str, Any]:
    expected = _read(path)
    if not isinstance(expected, dict):
        raise BadExpectationError(f"{path}: needs a path for each list of runs")
    return expected


def _read(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise BadExpectationError(f"{path}: can't be read as JSON: {problem}") from problem


def _beside(path: Path) -> Path:
    whole = path.with_suffix("")  # a.log.json is of a.log
    logs = [log for log in path.parent.glob(f"{path.stem}.*") if log != path]
    if whole.is_file():
        return whole
    if len(logs) != 1:
        raise BadExpectationError(f"{path}: {len(logs)} files beside it could be its sample, {path.stem}.*; needs one")
    return logs[0]


def _sample(folder: Path, path: Path, log: Path, expected: Any) -> Sample:
    runs = expected.get("runs") if isinstance(expected, dict) else expected
    if not log.is_file():
        raise BadExpectationError(f"{path}: there is no sample {log}")
    if not isinstance(runs, list) or not all(isinstance(run, dict) and "tool" in run for run in runs):
        raise BadExpectationError(f"{path}: {log.name} needs a list of runs, each with its tool")
    return Sample(os.path.relpath(log, folder), log, runs)


def score(folder: Path, *, public: bool = False) -> Score:
    """Read the samples of a folder and compare; `public` takes the expected values of `PUBLIC`."""
    total = Score()
    together: dict[str, list[Sample]] = defaultdict(list)
    for sample in public_samples(folder) if public else samples(folder):
        together[sample.folder or sample.name].append(sample)
    for group in together.values():
        for sample, found in zip(group, read([sample.path for sample in group]), strict=True):
            total.samples += 1
            add(total, sample, found)
    return total


def add(total: Score, sample: Sample, found_runs: list[FoundRun] | None = None) -> None:
    """Read a sample, unless its runs are given, and add how it compares."""
    if found_runs is None:
        (found_runs,) = read([sample.path])
    values_of = {found.facts["run"]: found.stated for found in found_runs}
    pairs, unexpected = _matched(sample.runs, [found.facts for found in found_runs])
    for wanted, found in pairs:
        tally = total.tally(wanted["tool"])
        tally.runs += 1
        tally.runs_found += found is not None
        values = values_of[found["run"]] if found else {}
        at = int(found["line"]) if found else wanted.get("line") or 1
        problems = list(_compared(sample.name, at, wanted, values))
        expected = len(stated(wanted))
        tally.values += expected
        tally.right += expected - sum(problem.kind != "surplus" for problem in problems)
        tally.surplus += sum(problem.kind == "surplus" for problem in problems)
        total.problems += problems
    for found in unexpected:
        values = {name: value for name, value in values_of[found["run"]].items() if is_number(name)}
        total.tally(found["tool"]).surplus += max(len(values), 1)
        run = Value(f"{len(values)} values")
        total.problems.append(Problem(sample.name, int(found["line"]), "surplus", found["tool"], "run", run, None))


def _matched(wanted: list[Run], found: list[Run]) -> tuple[list[tuple[Run, Run | None]], list[Run]]:
    """Each expected run with the one found at its line, else with the next of its tool; and the runs left over."""
    rest = list(found)
    at_line: dict[int, Run] = {}
    for index, run in enumerate(wanted):
        same = next((other for other in rest if (other["tool"], other["line"]) == (run["tool"], run.get("line"))), None)
        if same is not None:
            at_line[index] = same
            rest.remove(same)
    pairs: list[tuple[Run, Run | None]] = []
    for index, run in enumerate(wanted):
        match = at_line.get(index) or next((other for other in rest if other["tool"] == run["tool"]), None)
        rest = [other for other in rest if other is not match]
        pairs.append((run, match))
    return pairs, rest


def stated(run: Run) -> dict[str, Value]:
    """Every value that an expected run states, by name."""
    facts: list[str] = ["line", "line_end", "version", "dialect"]
    values = {name: Value(run[name]) for name in facts if name in run}
    for name, value in run.get("measurements", {}).items():
        values[name] = Value(value["value"], value.get("line"), value.get("unit")) if _detailed(value) else Value(value)
    labels = run.get("labels", {}).items()
    values |= {_LABEL + key: Value(None if value is None else str(value)) for key, value in labels}
    values |= {_ROWS + table: Value(count) for table, count in run.get("rows", {}).items()}
    for table, rows in run.get("events", {}).items():
        values[_ROWS + table] = Value(len(rows))
        for index, row in enumerate(rows):
            values |= {f"{table}[{index}].{column}": Value(value, row.get("line")) for column, value in row.items()}
    return values


def _detailed(value: Any) -> bool:
    return isinstance(value, dict) and "value" in value


def read(paths: Sequence[Path]) -> list[list[FoundRun]]:
    """The runs of each of some files, which are read in one go."""
    names = {source.origin: source.source for source in find_sources([str(path) for path in paths])[0]}
    dataset = wp.read(*paths)
    values = _found(dataset)
    runs: dict[str, list[FoundRun]] = {}
    for run in cast("list[Run]", dataset.runs.to_dict("records")):
        runs.setdefault(run["source"], []).append(FoundRun(run, values[run["run"]]))
    return [runs.get(names[str(path.absolute())], []) for path in paths]


def _found(dataset: wp.Dataset) -> dict[str, dict[str, Value]]:
    """Every value that was read of each run, under the names of `stated`; what is missing is None."""
    values: dict[str, dict[str, Value]] = {
        str(run["run"]): {
            "line": Value(run["line"]),
            "line_end": Value(run["line_end"]),
            "version": Value(_plain(run["tool_version"])),
            "dialect": Value(_plain(run["dialect"])),
        }
        for run in dataset.runs.to_dict("records")
    }
    for row in dataset.arrow("measurements").to_pylist():
        values[row["run"]][f"{row['metric']}/{row['stat']}"] = Value(row["value"], row["line"], row["unit"])
    for row in dataset.arrow("labels").to_pylist():
        if not row["overruled"]:
            values[row["run"]][_LABEL + row["key"]] = Value(row["value"])
    for table in dataset.event_tables():
        rows: dict[str, list[dict[str, Any]]] = {run: [] for run in values}
        for row in dataset.sql_arrow(f"FROM {table}").to_pylist():
            rows[row["run"]].append(row)
        for run, found in rows.items():
            values[run][_ROWS + table] = Value(len(found))
            for index, row in enumerate(sorted(found, key=lambda row: row["line"])):
                cells = {column: value for column, value in row.items() if value is not None and column != "run"}
                named = {f"{table}[{index}].{column}": Value(value, row["line"]) for column, value in cells.items()}
                values[run] |= named
    return values


def _plain(value: Any) -> Any:
    """NaN and NA of pandas as None."""
    return None if pd.isna(value) else value


def _compared(sample: str, at: int, wanted: Run, found: dict[str, Value]) -> Iterator[Problem]:
    tool, expected = wanted["tool"], stated(wanted)
    for name, value in expected.items():
        ours = found.get(name)
        if ours is None and value.value is not None:
            yield Problem(sample, value.line or at, "missing", tool, name, None, value)
        elif ours is not None and not _same(ours, value):
            yield Problem(sample, ours.line or at, "wrong", tool, name, ours, value)
        elif ours is None and is_number(name):
            yield Problem(sample, value.line or at, "missing", tool, name, None, value)
    for name, ours in found.items():
        if name not in expected and _counts(name, ours, wanted):
            yield Problem(sample, ours.line or at, "surplus", tool, name, ours, None)


def _counts(name: str, ours: Value, wanted: Run) -> bool:
    """Whether a value that was not expected should not be there: numbers and rows, where some are stated."""
    if name.startswith(_ROWS):
        return "events" in wanted and ours.value > 0
    if "[" in name:
        return name.partition("[")[0] in wanted.get("events", {})
    return is_number(name) and "measurements" in wanted


def is_number(name: str) -> bool:
    """Whether a value of this name is a measurement: ``latency/p50``."""
    return "/" in name and not name.startswith((_LABEL, _ROWS))


def _same(ours: Value, wanted: Value) -> bool:
    """Whether a value is as expected, at the line and in the unit that are stated."""
    if wanted.line not in (None, ours.line) or (wanted.unit is not None and wanted.unit != ours.unit):
        return False
    return equal(ours.value, wanted.value)


def equal(ours: Any, wanted: Any) -> bool:
    """Whether two values are the same; numbers to a few steps of a double, as their texts may have been scaled."""
    if isinstance(ours, list) and isinstance(wanted, list):
        return len(ours) == len(wanted) and all(map(equal, ours, wanted))
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in (ours, wanted)):
        return math.isclose(ours, wanted, rel_tol=_TOLERANCE, abs_tol=0)
    return bool(ours == wanted)


def _shown(value: Value | None) -> str:
    if value is None:
        return "nothing"
    where = f" at line {value.line}" if value.line else ""
    return f"{value.value!r}{' ' + value.unit if value.unit else ''}{where}"
