"""The runs that an analysis is about, with their labels as text, and digests that show which of them are copies."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

import pandas as pd
import pyarrow as pa

from wrkparse.analysis.runs.labels.key_words import REPEAT_LABELS
from wrkparse.analysis.runs.labels.labels import TITLE
from wrkparse.analysis.runs.labels.unknown_labels import unknown_labels
from wrkparse.analysis.runs.repeated_ports import PlacedRun, without_ports_of_repeats
from wrkparse.context.nearby.evidence import EVIDENCE_KEYS
from wrkparse.context.slots.repeats import without_replica_numbers
from wrkparse.dataset import Dataset, NoLabelError
from wrkparse.dataset.aliases import with_short_names
from wrkparse.model.records import FEWEST_COPIED
from wrkparse.text.suggestions import did_you_mean
from wrkparse.tools.schema import label_texts

# Columns of a run that count as labels: runs that differ in one of them may not be comparable.
_PROVENANCE = ("tool", "loop", "corrected", "tool_version", "dialect", "study")
# Lines. Shorter texts, such as the output of a shell's `time`, can be equal by chance.
_SHORTEST_COPY = 4
PLACES = ("section", "folder", "file")  # parts of a run's place that comparisons and conditions take as labels
_PROCESS = "process"
_CORES = "cores"
_URL, _PORT, _FRAMEWORK = "url", "port", "framework"
# Runs whose number of cores a trace beside them printed: "8 P".
_TRACED = "SELECT run FROM labels WHERE key = 'cores' AND rule = 'trace'"
PHASE, WARM_UP = "phase", "warm-up"
_PHASE_WORD = re.compile(rf"\b{PHASE}\b", re.IGNORECASE)  # "phase = 'warm-up'", a condition


class TooLittleError(ValueError):
    """There is too little data for an answer: no run, no such number, no baseline. The message says which."""


class NothingToCompareError(TooLittleError):
    """There is one setting: nothing to compare it with."""


@dataclass(frozen=True, slots=True)
class SelectedRun:
    """A run that takes part in an analysis.

    ``labels`` are text, None where the run has none. ``valid`` and ``latency_valid`` are the audit's, None if the run
    was never audited; see `wrkparse.analysis.checks.usable.is_usable`. ``logged_from`` is None if its lines have no
    times. ``unknown`` has the keys of missing labels that may have any value (`unknown_labels`).
    """

    run: str
    source: str
    line: int
    labels: Mapping[str, str | None]
    valid: bool | None
    latency_valid: bool | None
    logged_from: datetime | None = None
    unknown: frozenset[str] = frozenset()

    @property
    def where(self) -> str:
        """``source:line``."""
        return f"{self.source}:{self.line}"


def select_runs(dataset: Dataset, where: str | None, keys: Sequence[str]) -> list[SelectedRun]:
    """The runs that match `where` (as in `Dataset.wide`), by source and line, without their warm-ups.

    Raises NoLabelError if no run has one of the labels `keys`.
    """
    return without_warm_ups(matching_runs(dataset, where, keys), where, keys)


def without_warm_ups(runs: list[SelectedRun], where: str | None, keys: Sequence[str]) -> list[SelectedRun]:
    """The runs without warm-ups; all, if there are no others, or `where` or `keys` ask for the label ``phase``."""
    if PHASE in keys or (where and _PHASE_WORD.search(where)):
        return runs
    return [run for run in runs if run.labels.get(PHASE) != WARM_UP] or runs


def warm_ups_left_out(dataset: Dataset, where: str | None, keys: Sequence[str]) -> int:
    """How many warm-ups `select_runs` leaves out; `keys` may name labels that no run has."""
    runs = matching_runs(dataset, where, ())
    return len(runs) - len(without_warm_ups(runs, where, keys))


def matching_runs(dataset: Dataset, where: str | None, keys: Iterable[str]) -> list[SelectedRun]:
    """The same as `select_runs`, with warm-ups.

    - Replicas of one process are one setting, unless `keys` has the process.
    - The names of `PLACES` in `keys` are labels, too, if no run has a label of this name.
    - Cores are left out if only the traces of some runs of a tool state them, unless `keys` has them: with GOGC=off
      there is no trace.
    - Ports that change from repeat to repeat are left out.
    """
    table, keys = dataset.matching(where), tuple(keys)
    label_keys = dataset.label_keys()
    labels = [*_PROVENANCE, *(key for key in table.column_names if key in label_keys and key not in EVIDENCE_KEYS)]
    texts = {key: label_texts(table[key]) for key in labels}
    if _PROCESS in labels and _PROCESS not in keys:
        short = without_replica_numbers(texts[_PROCESS])
        texts[_PROCESS] = [short.get(name or "", name) for name in texts[_PROCESS]]
    if _CORES in labels and _CORES not in keys:
        texts[_CORES] = _without_lone_traces(dataset, table["run"].to_pylist(), texts["tool"], texts[_CORES])
    # Last, because repeats are runs whose other labels agree: the steps above make some of them equal.
    if _URL in labels and not {_URL, _PORT} & {*keys}:
        texts |= _without_ports_of_repeats(table, texts)
    if unknown := [key for key in keys if key not in (*labels, *PLACES)]:
        known = {*labels, *PLACES}
        hint = did_you_mean(unknown[0], with_short_names(known))
        raise NoLabelError(f"there is no label {', '.join(unknown)}{hint}; there are: {', '.join(sorted(known))}")
    places = [key for key in dict.fromkeys(keys) if key not in labels]
    texts |= {key: [_place(key, *row) for row in _rows(table, "source", "section")] for key in places}
    labels += places
    values = zip(*(texts[key] for key in labels), strict=True)
    names = ("run", "source", "line", "valid", "latency_valid", "logged_from")
    columns = [table[name].to_pylist() for name in names]
    unknown_of_runs = unknown_labels(dataset, columns[0], texts)
    return [
        SelectedRun(run, source, line, dict(zip(labels, of_run, strict=True)), *rest)
        for run, source, line, *rest, of_run in zip(*columns, unknown_of_runs, values, strict=True)
    ]


def _without_ports_of_repeats(table: pa.Table, texts: Mapping[str, list[str | None]]) -> Mapping[str, list[str | None]]:
    """The labels with the address, without the ports that change from repeat to repeat."""
    # Repeats may differ in these, and in no other label.
    others = [texts[key] for key in texts.keys() - {_URL, _PORT, TITLE, *REPEAT_LABELS}]
    none: list[str | None] = [None] * table.num_rows
    headings = zip(table["section"].to_pylist(), texts.get(TITLE, none), strict=True)
    printed = texts[_URL]
    urls = without_ports_of_repeats(
        [
            PlacedRun(*run)
            for run in zip(
                printed,
                table["source"].to_pylist(),
                ["\n".join(map(str, of_run)) for of_run in headings],
                texts.get(_FRAMEWORK, none),
                zip(*others, strict=True),
                strict=True,
            )
        ]
    )
    if _PORT not in texts:
        return {_URL: urls}
    changed = [url != before for url, before in zip(urls, printed, strict=True)]
    ports = [None if is_changed else port for is_changed, port in zip(changed, texts[_PORT], strict=True)]
    return {_URL: urls, _PORT: ports}


def _without_lone_traces(
    dataset: Dataset, runs: Sequence[str], tools: Sequence[str | None], cores: list[str | None]
) -> list[str | None]:
    """The cores of runs, without those of tools of which some runs have none and the others one number, from traces."""
    known: dict[str | None, set[str | None]] = defaultdict(set)
    for tool, number in zip(tools, cores, strict=True):
        known[tool].add(number)
    # Missing and one number. With two numbers, the cores distinguish runs, and stay.
    partly = {tool for tool, numbers in known.items() if None in numbers and len(numbers) == 2}
    if not partly:
        return cores
    traced = {run for (run,) in dataset.answer_rows(_TRACED)}
    stated = {tool for run, tool, number in zip(runs, tools, cores, strict=True) if number and run not in traced}
    return [None if tool in partly - stated else number for tool, number in zip(tools, cores, strict=True)]


def _rows(table: pa.Table, *names: str) -> Iterator[tuple[str | None, ...]]:
    return zip(*(table[name].to_pylist() for name in names), strict=True)


def _place(key: str, source: str | None, section: str | None) -> str | None:
    """A part of a run's place; None if there is none: of the folder, for a file without one."""
    folder, _, file = (source or "").rpartition("/")
    return {"section": section, "folder": folder or None, "file": file}[key]


def text_digests(dataset: Dataset) -> dict[str, str]:
    """A digest of each run's text, by run; copies have the same digest.

    White space counts only where it separates words; signs of a quotation and blank lines do not count. Runs of fewer
    than 4 lines have no digest.
    """
    rows = dataset.answer_rows(
        rf"""
        SELECT run, md5(string_agg(regexp_replace(line_text, '\s+', ' ', 'g'), chr(10) ORDER BY line)) AS digest
        FROM (SELECT run, line, trim(regexp_replace(text, '^[>\s]+', '')) AS line_text FROM texts)
        WHERE line_text <> '' GROUP BY run HAVING count(*) >= {_SHORTEST_COPY}
        """
    )
    return dict(rows)


class Numbers(NamedTuple):
    """The numbers of a run's report: how many they are, whether one is a rate, and a digest of them.

    ``idle`` says that the run made no request.
    """

    how_many: int
    has_rate: bool
    digest: str
    idle: bool


def numbers_of_reports(dataset: Dataset) -> dict[str, Numbers]:
    """The `Numbers` of each run that has any."""
    rows = dataset.answer_rows(
        """
        SELECT run, count(*), bool_or(metric = 'throughput'),
          md5(string_agg(concat_ws(' ', metric, stat, value), chr(10) ORDER BY metric, stat)),
          bool_or(metric IN ('throughput', 'requests') AND value = 0)
        FROM measurements WHERE value IS NOT NULL GROUP BY run
        """
    )
    return {run: Numbers(*numbers) for run, *numbers in rows}


def report_digests(dataset: Dataset, runs: Iterable[SelectedRun], numbers: Mapping[str, Numbers]) -> dict[str, str]:
    """A digest of each of these runs' reports, by run; copies have the same digest, in any format of lines.

    It is that of the numbers, if there are 8 or more and a rate, which has six digits: chance does not repeat them.
    Else it is that of the text, but not of reports in the same lines, as ``diff --side-by-side`` prints two. Runs
    without any request have none: all that fail in the same way print the same.
    """
    runs = list(runs)
    found = {run: own.digest for run, own in numbers.items() if own.how_many >= FEWEST_COPIED and own.has_rate}
    idle = {run for run, own in numbers.items() if own.idle}
    if any(run.run not in found and run.run not in idle for run in runs):
        beside = Counter(run.where for run in runs)
        in_columns = {run.run for run in runs if beside[run.where] > 1}
        found = {run: digest for run, digest in text_digests(dataset).items() if run not in in_columns} | found
    return {run: digest for run, digest in found.items() if run not in idle}


# Of a table of copies: the copy, and the run that it repeats; whether only the latter counts.
COPY_COLUMNS = ("run", "where", "copy_of", "copy_of_where", "dropped")


def without_excerpts(
    runs: Sequence[SelectedRun], digests: Mapping[str, str], keys: Sequence[str]
) -> tuple[list[SelectedRun], pd.DataFrame]:
    """The runs without those that one value of a label only shows again, and a table of these as of `without_copies`.

    So does a section *Summary* above all runs: each of its runs is a copy of one that differs in that label of `keys`
    alone, whose value has more runs.
    """
    found: dict[str, SelectedRun] = {}  # the original of each run that is shown again
    for key in keys:
        others = [other for other in keys if other != key]
        sizes = Counter(run.labels[key] for run in runs)
        copies: dict[tuple[str | None, ...], list[SelectedRun]] = defaultdict(list)
        for run in runs:
            copies[digests.get(run.run, run.run), *(run.labels[other] for other in others)].append(run)
        originals: dict[str, SelectedRun] = {}
        for same in copies.values():
            largest = max(same, key=lambda run: sizes[run.labels[key]])
            originals |= {run.run: largest for run in same if sizes[run.labels[key]] < sizes[largest.labels[key]]}
        shown_again = Counter(run.labels[key] for run in runs if run.run in originals)
        found |= {run.run: originals[run.run] for run in runs if shown_again[run.labels[key]] == sizes[run.labels[key]]}
    rows = [(run.run, run.where, found[run.run].run, found[run.run].where, True) for run in runs if run.run in found]
    return [run for run in runs if run.run not in found], pd.DataFrame(rows, columns=COPY_COLUMNS)


def without_copies(
    runs: Iterable[SelectedRun], digests: Mapping[str, str], keys: Sequence[str]
) -> tuple[list[SelectedRun], pd.DataFrame]:
    """The runs without copies of a run with the same labels `keys`, and a table of all copies.

    The table has the columns ``run`` and ``where`` of the copy, ``copy_of`` and ``copy_of_where`` of the run that it
    repeats, and ``dropped``: whether both have the same labels `keys`, so that only the first counts.
    """
    first: dict[str, SelectedRun] = {}
    first_in_cell: dict[tuple[str, tuple[str | None, ...]], SelectedRun] = {}
    originals, rows = [], []
    for run in runs:
        digest = digests.get(run.run, run.run)
        in_cell = first_in_cell.setdefault((digest, tuple(run.labels[key] for key in keys)), run)
        anywhere = first.setdefault(digest, run)
        if in_cell is run:
            originals.append(run)
        if anywhere is not run:
            original = anywhere if in_cell is run else in_cell
            rows.append((run.run, run.where, original.run, original.where, in_cell is not run))
    return originals, pd.DataFrame(rows, columns=COPY_COLUMNS)
