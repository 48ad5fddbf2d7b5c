"""The labels by which runs are on different lines of a figure, or different curves over cores."""

from __future__ import annotations

from collections.abc import Sequence

from wrkparse.analysis.runs.labels.factors import (
    ENVIRONMENT_PREFIXES,
    SERVER_LABELS,
    TOOL_LABELS,
    separating_labels,
)
from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS, REPEAT_LABELS
from wrkparse.analysis.runs.labels.labels import TITLE
from wrkparse.analysis.runs.metrics import choose_metric, metric_values
from wrkparse.analysis.runs.selection import SelectedRun, select_runs
from wrkparse.context.structure.factors.factor_labels import FACTOR_KEYS
from wrkparse.dataset import Dataset

# What answers, what it answers, and what measured it: a line where one of these changes joins different things.
_FIXED = (*SERVER_LABELS, *FACTOR_KEYS, "path", "payload_bytes", *TOOL_LABELS)
_OWN_PLACE = {"payload_bytes": "path"}  # of what is on the x axis: each size may be a file of its own
# What may follow the number on the x axis as it likes: threads that go with connections, a port for each server.
_FOLLOWING = frozenset(("study", *LOAD_LABELS)) - {*_FIXED}


def line_labels(
    runs: Sequence[SelectedRun], keys: Sequence[str], over: str, ignored: Sequence[str] = ()
) -> tuple[str, ...]:
    """The labels beside `keys` in which lines over the label `over` differ.

    Otherwise the runs of one point would differ in them (`separating_labels`), or the points of one line would differ
    in the server, the request or the tool. Other labels of points, and the path over sizes of payloads, count only if
    they do not follow from `over`, with another value at each of its values. Labels of the load, environment variables
    and flags of points never count.
    """
    found = list(separating_labels(runs, (*keys, over), ignored))
    labels = (runs[0].labels if runs else {}).keys() - {*keys, *found, *ignored, over}
    others = sorted(
        key
        for key in labels - {*_FIXED, *_FOLLOWING, *REPEAT_LABELS, TITLE}
        if not key.startswith(ENVIRONMENT_PREFIXES)
    )
    for key in (*(key for key in _FIXED if key in labels), *others):
        if _differs_along(runs, key, over, (*keys, *found), may_follow=key in (*others, _OWN_PLACE.get(over))):
            found.append(key)
    return tuple(found)


def lines_of(
    dataset: Dataset, metric: str, where: str | None, keys: Sequence[str], over: str, ignored: Sequence[str]
) -> tuple[str, ...]:
    """The `line_labels` of the runs that state `metric` and have the label `over`, and for which `where` holds.

    Raises TooLittleError if no run states the metric, QueryError if a label or metric does not exist.
    """
    stating = metric_values(dataset, choose_metric(dataset, metric))
    runs = select_runs(dataset, where, (*keys, over, *ignored))
    return line_labels([run for run in runs if run.run in stating and run.labels[over]], keys, over, ignored)


def _differs_along(
    runs: Sequence[SelectedRun], key: str, over: str, others: Sequence[str], *, may_follow: bool
) -> bool:
    """Whether runs that agree in `others` differ in `key`; with `may_follow`, only if a value is at two of `over`."""
    lines: dict[tuple[str | None, ...], set[tuple[str | None, str | None]]] = {}
    for run in runs:
        line = lines.setdefault(tuple(run.labels[other] for other in others), set())
        line.add((run.labels[key], run.labels[over]))
    for line in lines.values():
        values = {value for value, _ in line}
        if len(values) > 1 and not (may_follow and len(values) == len(line)):
            return True
    return False
