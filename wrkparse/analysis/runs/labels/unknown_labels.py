"""Labels that are unknown of a run, because the lines that would state them are not in the text.

Other labels are different: a run below *with cache* and one without such a heading differ, and so may runs whose loads
or options are not known, because these say what was requested.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wrkparse.dataset import Dataset

# Only reports state these two. ab prints the line of the software also for a server that does not name itself.
_VERSION, _SOFTWARE = "tool_version", "server_software"
_WITH_SOFTWARE_LINE = "SELECT DISTINCT run FROM texts WHERE contains(text, 'Server Software:')"
# Options of load generators that change what is printed, or how long they wait for a response.
_OPTIONS = frozenset("flag_latencies flag_latency flag_timeout flag_u_latency flag_upper_l flag_upper_u".split())
_WITH_COMMAND = "SELECT DISTINCT run FROM labels WHERE origin = 'flag'"


def unknown_labels(
    dataset: Dataset, runs: Sequence[str], labels: Mapping[str, Sequence[str | None]]
) -> list[frozenset[str]]:
    """The keys of the labels that are unknown of each run; `labels` has the values of all runs by key.

    They are the tool's version, the server's software if its line is not in the report, and of a run without a command
    the options that change no request: one that is not in a command was not given.
    """
    partly = [
        key
        for key, values in labels.items()
        if key in {_VERSION, _SOFTWARE, *_OPTIONS} and None in values and any(value is not None for value in values)
    ]
    found = [set[str]() for _ in runs]
    for key in partly:
        known = _with_statement(dataset, key)
        for run, value, keys in zip(runs, labels[key], found, strict=True):
            if value is None and run not in known:
                keys.add(key)
    return list(map(frozenset, found))


def _with_statement(dataset: Dataset, key: str) -> set[str]:
    """The runs whose report or command would state a label, so that its absence is a fact."""
    if key == _VERSION:
        return set()
    return {run for (run,) in dataset.answer_rows(_WITH_SOFTWARE_LINE if key == _SOFTWARE else _WITH_COMMAND)}
