"""Labels that are unknown of a run: only reports or commands state them, and those of the run are not in the text.

A heading is different: a run below *with cache* and one without such a heading differ. So is a load: runs with 100
connections and with an unknown number are not repeats.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wrkparse.analysis.runs.labels.key_words import LOAD_LABELS
from wrkparse.dataset import Dataset

_VERSION = "tool_version"  # a column of runs: only reports state it
# Of each tool the labels that only reports and commands state, and whether only commands do.
_STATED = """
SELECT key, tool, bool_and(origin = 'flag') FROM labels JOIN runs USING (run)
GROUP BY key, tool HAVING bool_and(origin IN ('report', 'flag'))"""
_WITH_COMMAND = "SELECT DISTINCT run FROM labels WHERE origin = 'flag'"
# ab prints this line also for a server that does not name itself.
_SOFTWARE = "server_software"
_WITH_SOFTWARE_LINE = "SELECT DISTINCT run FROM texts WHERE contains(text, 'Server Software:')"


def unknown_labels(
    dataset: Dataset, runs: Sequence[str], tools: Sequence[str | None], labels: Mapping[str, Sequence[str | None]]
) -> list[frozenset[str]]:
    """The keys of the labels that are unknown of each run; `labels` has the values of all runs by key.

    A run lacks such a label, which is no load, and only the reports or commands of other runs of its tool state it. An
    option is unknown only if the run has no command: one that is not in a command was not given.
    """
    partly = [key for key, values in labels.items() if None in values and any(value is not None for value in values)]
    if not partly:
        return [frozenset()] * len(runs)
    stated = {(key, tool): is_option for key, tool, is_option in dataset.answer_rows(_STATED)}
    stated = {of_tool: is_option for of_tool, is_option in stated.items() if of_tool[0] not in LOAD_LABELS}
    stated |= {(_VERSION, tool): False for tool in tools}
    found = [set[str]() for _ in runs]
    for key in partly:
        known = {tool: _with_statement(dataset, key, is_option=stated[key, tool]) for one, tool in stated if one == key}
        for run, tool, value, keys in zip(runs, tools, labels[key], found, strict=True):
            if value is None and tool in known and run not in known[tool]:
                keys.add(key)
    return list(map(frozenset, found))


def _with_statement(dataset: Dataset, key: str, *, is_option: bool) -> set[str]:
    """The runs whose report or command would state a label, so that its absence is a fact."""
    if not is_option and key != _SOFTWARE:
        return set()
    return {run for (run,) in dataset.answer_rows(_WITH_COMMAND if is_option else _WITH_SOFTWARE_LINE)}
