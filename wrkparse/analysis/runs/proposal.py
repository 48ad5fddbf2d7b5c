"""Rules for a ``wrkparse.yaml`` that state what follows from where runs stand, so that a person can change them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wrkparse.context.structure import ORIGIN
from wrkparse.context.study import Rule
from wrkparse.dataset import Dataset
from wrkparse.tools.schema import label_texts

# Facts of a run that a condition can test (`wrkparse.context.study.Rule`), the most telling first.
_FACTS = ("section", "title", "process", "file", "source")
_GLOB_SIGNS = frozenset("*?[")


class Proposal(NamedTuple):
    """Rules, and the labels that they give each run by its identifier."""

    rules: tuple[Rule, ...]
    labels: Mapping[str, Mapping[str, str]]


def propose_rules(dataset: Dataset, names: Mapping[str, str] | None = None) -> Proposal:
    """Rules that give runs the labels that they have from structure now, under other keys where `names` says so.

    A rule has one condition if one fits, as ``source: kiwi/*``, else a list of all values.
    """
    names = names or {}
    rows = dataset.sql_arrow(f"SELECT run, key, value FROM labels WHERE origin = '{ORIGIN}'").to_pylist()
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    receivers: dict[tuple[str, str], set[str]] = defaultdict(set)
    for row in rows:
        key = names.get(row["key"], row["key"])
        labels[row["run"]][key] = row["value"]
        receivers[key, row["value"]].add(row["run"])
    facts = _facts(dataset)
    rules = []
    for (key, value), runs in sorted(receivers.items()):
        rules.append(Rule(0, _condition(facts, runs, value), {key: value}))
    return Proposal(tuple(rules), labels)


def _facts(dataset: Dataset) -> dict[str, dict[str, str]]:
    """The facts of each run, by its identifier."""
    runs = dataset.arrow("runs")
    columns = {name: label_texts(runs[name]) for name in _FACTS if name in runs.column_names}
    columns["file"] = [source.rpartition("/")[2] if source else None for source in columns["source"]]
    return {
        run: {name: value for name in columns if (value := columns[name][at]) is not None}
        for at, run in enumerate(runs["run"].to_pylist())
    }


def _condition(facts: Mapping[str, Mapping[str, str]], runs: set[str], value: str) -> dict[str, tuple[str, ...]]:
    """A condition that exactly these runs meet."""
    for name, choices in _candidates(facts, runs, value):
        when = {name: choices}
        rule = Rule(0, when, {})
        if all(rule.applies(facts[run]) for run in runs) and not any(
            rule.applies(of_run) for run, of_run in facts.items() if run not in runs
        ):
            return when
    sources = tuple(sorted({facts[run]["source"] for run in runs}))
    sections = tuple(sorted({facts[run].get("section", "") for run in runs}))
    return {"source": sources, "section": sections}


def _candidates(
    facts: Mapping[str, Mapping[str, str]], runs: set[str], value: str
) -> Iterator[tuple[str, tuple[str, ...]]]:
    if not _GLOB_SIGNS.intersection(value):
        yield from (("source", (pattern,)) for pattern in (f"{value}/*", f"*/{value}/*"))
        for name in _FACTS:
            yield from ((name, (pattern,)) for pattern in (value, f"{value}*", f"*{value}", f"*{value}*"))
    for name in _FACTS:
        values = {facts[run].get(name) for run in runs}
        if None not in values:
            yield name, tuple(sorted(value for value in values if value is not None))
