"""What a set of runs does not show: a line in place of empty sections."""

from __future__ import annotations

from wrkparse.analysis.go.windows import windows
from wrkparse.analysis.runs.labels.conditions import Conditions, load_runs, trace_tools
from wrkparse.analysis.runs.latencies import latencies
from wrkparse.analysis.runs.selection import select_runs
from wrkparse.dataset import Dataset


def kinds_not_shown(dataset: Dataset, known: Conditions) -> tuple[str, ...]:
    """What these logs do not contain, in words, the most important first: ``latency percentiles``."""
    tools = set(dataset.runs["tool"])
    found = []
    if tools - trace_tools():
        if known.most == 1 and len(dataset.runs) > 1:
            found.append("repeated runs, so no intervals and no verdicts on single settings")
        if not load_runs(dataset):
            return tuple(found)  # of commands that were timed, a server's numbers are not missing
        if latencies(dataset).empty:
            found.append("latency percentiles")
        if len({run.labels.get("cores") for run in select_runs(dataset, None, ())} - {None}) < 2:
            found.append("several numbers of cores")
    else:
        found.append("runs of a load generator")
    if windows(dataset).unjoined and not windows(dataset).joined:
        found.append("times that join loads and traces")
    names = {"gctrace": "garbage collection (gctrace)", "schedtrace": "the scheduler (schedtrace)"}
    return (*found, *(words for tool, words in names.items() if tool not in tools))
