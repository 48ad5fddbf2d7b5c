"""What is held constant between runs, what varies, and what is pooled: the line below a figure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from wrkparse.analysis.runs.labels.factors import SERVER_LABELS, separating_labels
from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS, key_words, with_unit
from wrkparse.analysis.runs.labels.labels import differing_labels, natural_order
from wrkparse.analysis.runs.selection import SelectedRun, matching_runs, without_warm_ups
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset
from wrkparse.tools import event_tools, report_tools

_STATED = (*SERVER_LABELS, *LOAD_LABELS)  # the labels that a reader needs to repeat the measurement
_MOST_VALUES = 4  # of a label that varies; of more, their number is given
_COUNTS = {"threads": "thread", "connections": "connection", "cores": "core"}
# How a caption says other values that all runs share; the rest as they are.
_TEXTS = {
    "duration_s": "{} s each", "path": "path {}", "rate": "{} requests/s asked for", "payload_bytes": "{} bytes",
    "gogc": "GOGC={}", "gomemlimit": "GOMEMLIMIT={}", "go_version": "Go {}",
}  # fmt: skip


class Conditions(NamedTuple):
    """The labels of the runs of one measurement.

    ``constant`` has the labels of server and load that all runs share, ``varies`` the values of each label in which
    settings differ, in their order (None: missing). ``fewest`` and ``most`` are the runs of a setting, 0 without runs.
    ``within_tools`` are those keys of ``varies`` in which runs of one tool differ. ``warm_ups`` is the number of
    warm-ups, which the others leave out.
    """

    constant: Mapping[str, str]
    varies: Mapping[str, tuple[str | None, ...]]
    fewest: int
    most: int
    within_tools: frozenset[str] = frozenset()
    warm_ups: int = 0

    @property
    def constant_words(self) -> tuple[str, ...]:
        """What is constant, for people: ``1 thread``, ``2 s each``, ``path /``; without the framework."""
        known = [key for key in self.constant if key != "framework" and not (key == "url" and "path" in self.constant)]
        return tuple(_constant(key, self.constant[key]) for key in known)

    def __repr__(self) -> str:
        """The `line` of a figure of medians."""
        return self.line()

    def line(self, *, pooled: bool = True, with_warm_ups: bool = False) -> str:
        """``Held constant: 1 thread. Varies: framework (a, b). Pooled: 5 runs of each setting.``, as one line.

        `pooled` is false for a figure that shows each run by itself, `with_warm_ups` true for one that shows them, too.
        """
        varies = [
            f"{key_words(key)} ({_values([value and with_unit(key, value) for value in values])})"
            for key, values in self.varies.items()
        ]
        runs = str(self.most) if self.fewest == self.most else f"{self.fewest} to {self.most}"
        several = self.most > 1
        parts = {
            "Held constant": ", ".join(self.constant_words),
            "Varies": ", ".join(varies),
            "Pooled": f"{runs} runs of each setting" if several and pooled else "nothing" if several or varies else "",
            "Shown, too" if with_warm_ups else "Left out": counted(self.warm_ups, "warm-up") if self.warm_ups else "",
        }
        return " ".join(f"{name}: {words}." for name, words in parts.items() if words)


def conditions(dataset: Dataset, where: str | None = None, ignored: Sequence[str] = ()) -> Conditions:
    """What the load reports that match `where` share, and how they differ; without them, other reports or traces.

    Settings are distinguished as in `wrkparse.factors`; runs that differ only in `ignored` labels are repeats. Raises
    QueryError for a wrong condition.
    """
    matching = matching_runs(dataset, where, ())
    runs = without_warm_ups(matching, where, ())
    reports = [run for run in runs if run.labels["tool"] not in trace_tools()]
    # A command that was timed beside a load takes no part in its conditions. Runs of one tool are all of one kind.
    loading = load_runs(dataset) if len({run.labels["tool"] for run in reports}) > 1 else set()
    loads = [run for run in reports if run.run in loading]
    found = conditions_of([_without_labels(run, ignored) for run in loads or reports or runs])
    return found._replace(warm_ups=len(matching) - len(runs))


def load_runs(dataset: Dataset) -> set[str]:
    """The runs that state how many requests a server answered, in total or per second; a timed command does not."""
    numbers = dataset.measurements
    return set(numbers.loc[numbers["metric"].isin(["throughput", "requests"]), "run"])


def trace_tools() -> frozenset[str]:
    """The tools whose runs are traces of a process: they print events, not a report of a load."""
    return frozenset(tool.name for tool in event_tools()) - {tool.name for tool in report_tools()}


def _without_labels(run: SelectedRun, ignored: Sequence[str]) -> SelectedRun:
    """The run without these labels."""
    return replace(run, labels={key: value for key, value in run.labels.items() if key not in ignored})


def conditions_of(runs: Sequence[SelectedRun]) -> Conditions:
    """The conditions of these runs."""
    if not runs:
        return Conditions({}, {}, 0, 0)
    differing = set(differing_labels(run.labels for run in runs))
    first = runs[0].labels
    constant = {key: value for key in _STATED if (value := first.get(key)) is not None and key not in differing}
    keys = separating_labels(runs, (), ())
    varies = {key: tuple(sorted({run.labels[key] for run in runs}, key=natural_order)) for key in keys}
    sizes = Counter(tuple(run.labels[key] for key in keys) for run in runs).values()
    tools = {run.labels["tool"] for run in runs}
    within = frozenset(key for key in keys if len({(run.labels["tool"], run.labels[key]) for run in runs}) > len(tools))
    return Conditions(constant, varies, min(sizes), max(sizes), within)


def _constant(key: str, value: str) -> str:
    if key in _COUNTS and value.isdecimal():
        return f"{value} {_COUNTS[key]}{'s' * (value != '1')}"
    return _TEXTS.get(key, "{}").format(value)


def _values(values: Sequence[str | None]) -> str:
    if len(values) > _MOST_VALUES:
        return str(len(values))
    return ", ".join("none" if value is None else value for value in values)
