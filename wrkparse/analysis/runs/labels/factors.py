"""The labels that distinguish the settings of a set of runs: candidates for the rows and columns of a comparison."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS, NAME_KEYS, REPEAT_LABELS
from wrkparse.analysis.runs.labels.labels import TITLE
from wrkparse.analysis.runs.metrics import choose_metric, metric_values
from wrkparse.analysis.runs.selection import SelectedRun, select_runs
from wrkparse.analysis.shown.grids import grid
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS
from wrkparse.dataset import Dataset

# In this order: labels of the server; labels that only the user's study defines; labels of the load; labels that were
# taken from the environment and the command line under their own names.
SERVER_LABELS = ("framework", "environment", "go_version", "gogc", "gomemlimit")
HOW_MEASURED = ("tool", "loop", "corrected")  # runs that differ in one of these are never repeats of a setting
TOOL_LABELS = (*HOW_MEASURED, "tool_version", "dialect")
# Labels that a run of any tool can have: a run without one is a different setting than a run that has it.
_OF_ALL_TOOLS = frozenset((*SERVER_LABELS, *FACTOR_KEYS, *TOOL_LABELS))
# Where a server listens. A run without such a label may be of any server.
ADDRESS_LABELS = frozenset(("host", "port", "url"))
ENVIRONMENT_PREFIXES = ("env_", "flag_")
# Labels of what is requested, beside the path. They are more important than the duration.
REQUEST_LABELS = ("flag_script", "flag_method", "flag_body", "flag_body_file")
_DIVIDING = ("connections", "path")  # labels of the load on which a rate depends most
_FEWEST_ALIKE = 3  # variants with one load: a single one with another load is then the exception, not one of a pair
_METHOD = re.compile(r"(?:GET|HEAD|POST|PUT|DELETE|PATCH)(?![A-Za-z])")  # of HTTP: RFC 9110, RFC 5789
# All names of this machine are one address, if runs are compared that agree in some labels.
_LOOPBACK = re.compile(r"(?<![\w.])(?:127\.0\.0\.1|\[::1\])(?![\w.])")
_COUNTED = re.compile(r"(?<=[a-z])_[0-9]+\Z")  # heading_2 is the second label of its kind


class Factors(NamedTuple):
    """Keys of labels, most important first.

    ``compared`` describes the server that answers, ``load`` how it is loaded (and its ``cores``).
    """

    compared: tuple[str, ...]
    load: tuple[str, ...]

    def __repr__(self) -> str:
        return grid((), self._rows())

    def _repr_html_(self) -> str:
        return grid((), self._rows(), form="html")

    def _rows(self) -> list[list[str]]:
        """What the labels describe, and the labels, as keys for commands and functions."""
        rows = [["the server differs in", ", ".join(self.compared)], ["the load differs in", ", ".join(self.load)]]
        return [[words, keys or "nothing"] for words, keys in rows]


def factors(dataset: Dataset, where: str | None = None, metric: str = "throughput") -> Factors:
    """The labels that distinguish the settings of the runs that have `metric` and match `where`.

    A label counts if it has several values (missing is one) among runs that agree in all labels before it. So an
    address that follows from the framework does not count. If no run of a tool has a label of the load, or one that
    does not describe the server, the label is unknown for that tool, and unknown is not a value: ab prints the server's
    software, for example, and wrk does not. Nor is it one if the lines that would state a version were not copied
    (`unknown_labels`). The tool and its version count as labels do. The study never counts; select one in
    `where`.

    Raises TooLittleError if no run states the metric, QueryError if the metric does not exist or `where` is wrong.
    """
    stating = metric_values(dataset, choose_metric(dataset, metric))
    runs = [run for run in select_runs(dataset, where, ()) if run.run in stating]
    keys = separating_labels(runs, (), ("study",))
    return Factors(
        tuple(key for key in keys if key not in LOAD_LABELS), tuple(key for key in keys if key in LOAD_LABELS)
    )


def are_some_sources_repeats(dataset: Dataset) -> bool:
    """Whether some sources are repeats of one setting, and other sources of another one.

    ``kiwi-1.log``, ``kiwi-2.log`` and ``emu-1.log`` are, if the names of the files are the framework.
    """
    runs = select_runs(dataset, None, ())
    keys = separating_labels(runs, (), ("study",))
    of_sources: dict[str, set[tuple[str | None, ...]]] = {}
    for run in runs:
        of_sources.setdefault(run.source, set()).add(tuple(run.labels[key] for key in keys))
    different = {frozenset(settings) for settings in of_sources.values()}
    return 1 < len(different) < len(of_sources)


def separating_labels(runs: Sequence[SelectedRun], keys: Sequence[str], ignored: Sequence[str] = ()) -> tuple[str, ...]:
    """The labels besides `keys` in which runs differ that agree in all of `keys`; each counts after those before it.

    Runs that agree in `keys` and in these are repeats of one setting. Labels that number repeats do not count, nor do
    `ignored` ones.
    """
    candidates = (runs[0].labels if runs else {}).keys() - {*ignored, *keys, *REPEAT_LABELS, TITLE}
    ordered = sorted(candidates, key=_importance)
    if keys:  # loads are compared per tool: 50 connections of ab and 64 of wrk are not a series
        ordered.sort(key=lambda key: key != "tool")
    found: list[str] = []
    for key in ordered:
        if _differs_within(runs, key, (*keys, *ignored, *found)):
            found.append(key)
    return tuple(found)


def crossing_label(runs: Sequence[SelectedRun], keys: Sequence[str], ignored: Sequence[str]) -> str:
    """The label that is compared if the user chooses none, of `keys` in the order of importance.

    - It is the first of which two values are in one setting: their runs agree in all other labels. If there is none, it
      is the first of all.
    - If the first label names the server, it is that, even if each server has settings of its own: people ask for it.
    - For another label than the first, runs must also agree in the first one: two scripts of each benchmark, say.
    - Labels of the load and of the tool are not tried.
    - A heading that only says what was requested is tried last.
    """
    first = keys[0]
    if first in NAME_KEYS:
        return first
    alternatives = [key for key in keys[1:] if base_key(key) not in {*LOAD_LABELS, *TOOL_LABELS}]
    for key in (*alternatives, first) if _says_the_request(runs, first) else (first, *alternatives):
        outer = () if key == first else (first,)
        places = (*outer, *separating_labels(runs, (key, *outer), ignored))
        values: dict[tuple[str | None, ...], set[str | None]] = {}
        for run in runs:
            values.setdefault(tuple(run.labels[place] for place in places), set()).add(run.labels[key])
        if any(len(several) > 1 for several in values.values()):
            return key
    return first


def _says_the_request(runs: Sequence[SelectedRun], key: str) -> bool:
    """Whether the values of a heading, folder or file say what was requested: ``query: /users``, ``PUT requests``.

    They do if each value has a path of its own, or all begin with a method of HTTP.
    """
    if base_key(key) not in FACTOR_KEYS:
        return False
    pairs = {(run.labels[key], run.labels.get("path")) for run in runs}
    values, paths = {value for value, _ in pairs}, {path for _, path in pairs}
    has_own_paths = None not in values | paths and len(pairs) == len(values) == len(paths)
    return has_own_paths or all(value and _METHOD.match(value) for value in values)


def dividing_labels(
    runs: Sequence[SelectedRun], compared: Sequence[str], ignored: Sequence[str], *, lone: Mapping[str, str | None]
) -> tuple[str, ...]:
    """Labels of the load that divide the compared servers into groups, which are then compared within each group.

    Each value of such a label has several servers, and each server one value: two servers that were asked for ``/``,
    and two others that were asked for ``/static``.

    `lone` has the labels of a baseline that nobody chose, which is only the first. Such a baseline may be alone in its
    group, if three or more others are in another one: at 5000 connections beside three servers at 1000.
    """
    found = []
    given = [*compared, *ignored]
    if is_one_resource(run.labels.get("path") for run in runs):
        given.append("path")
    for key in (*_DIVIDING, *REQUEST_LABELS):
        groups: dict[str | None, set[tuple[str | None, ...]]] = {}
        for run in runs if key not in given else ():
            groups.setdefault(run.labels.get(key), set()).add(tuple(run.labels[label] for label in compared))
        together = set[tuple[str | None, ...]]().union(*groups.values())
        sizes = sorted(map(len, groups.values()))
        is_lone = lone and {tuple(lone.get(label) for label in compared)} in groups.values()
        several = len(sizes) > 1 and (sizes[0] > 1 or (is_lone and len(sizes) == 2 and sizes[1] >= _FEWEST_ALIKE))
        # Each server is in one group, and the group of each is known.
        if several and None not in groups and sum(sizes) == len(together):
            found.append(key)
    return tuple(found)


def is_one_resource(paths: Iterable[str | None]) -> bool:
    """Whether each path ends with the shortest one, which some servers have below another root: ``/api/hello``."""
    known = {path or "/" for path in paths}
    shortest = min(known, key=len, default="/")
    return shortest != "/" and all(path.endswith(shortest) for path in known)


def _importance(key: str) -> tuple[int, float, str]:
    """The place of a label among others, the most important first."""
    base = base_key(key)
    if key in REQUEST_LABELS:
        return 2, LOAD_LABELS.index("path") + 0.5, key  # directly after the path
    # Group 1 is empty here: it is for labels that only the user's study defines.
    for group, known in enumerate(((*SERVER_LABELS, *FACTOR_KEYS), (), LOAD_LABELS, TOOL_LABELS)):
        if base in known:
            return group, known.index(base), key
    return (4 if key.startswith(ENVIRONMENT_PREFIXES) else 1), 0, key


def base_key(key: str) -> str:
    """The kind of a label: ``heading`` of ``heading_2``."""
    return _COUNTED.sub("", key)


def _differs_within(runs: Sequence[SelectedRun], key: str, others: Sequence[str]) -> bool:
    """Whether runs that agree in the labels `others` differ in the label `key`. A missing label is a value, too.

    - A label that no run of a tool has is unknown for this tool, and does not count, unless a run of any tool can have
      it.
    - A missing address does not count, because it may be any, and all names of this machine are one address.
    - Nor does another label that is unknown of a run: two known values must differ.
    """
    seen: dict[tuple[str | None, ...], str | None] = {}
    stating = {run.labels["tool"] for run in runs if run.labels[key] is not None}
    for run in runs if key in _OF_ALL_TOOLS else [run for run in runs if run.labels["tool"] in stating]:
        value = run.labels[key]
        if value is None and key in run.unknown:
            continue
        if key in ADDRESS_LABELS:
            if value is None:
                continue
            value = _LOOPBACK.sub("localhost", value) if others else value
        if seen.setdefault(tuple(run.labels[other] for other in others), value) != value:
            return True
    return False
