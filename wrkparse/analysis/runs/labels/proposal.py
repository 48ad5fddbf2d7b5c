"""Rules for a ``wrkparse.yaml`` that state what follows from where runs stand, so that a person can change them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import NamedTuple

from wrkparse.context.structure.structure import ORIGIN
from wrkparse.context.study import Rule, is_numeric, matches
from wrkparse.dataset import Dataset
from wrkparse.tools.schema import label_texts

# Facts of a run that a condition can test (`wrkparse.context.study.Rule`), the most telling first.
_FACTS = ("section", "title", "process", "file", "source")
_GLOB_SIGNS = frozenset("*?[")
_Receivers = dict[tuple[str, str], set[str]]  # the runs that get a label, by its key and value


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
    receivers: _Receivers = defaultdict(set)
    for row in rows:
        key = names.get(row["key"], row["key"])
        labels[row["run"]][key] = row["value"]
        receivers[key, row["value"]].add(row["run"])
    conditions = _conditions(_facts(dataset), receivers)
    rules = [Rule(0, conditions[key, value], {key: value}) for key, value in sorted(receivers)]
    return Proposal(tuple(rules), labels)


class _Fact:
    """The texts that runs have as one fact, each with its runs."""

    def __init__(self, texts: Mapping[str, str | None]) -> None:
        self.of_run = texts
        self.runs: dict[str, set[str]] = defaultdict(set)
        for run, text in texts.items():
            if text is not None:
                self.runs[text].add(run)


def _facts(dataset: Dataset) -> dict[str, _Fact]:
    runs = dataset.arrow("runs")
    columns = {name: label_texts(runs[name]) for name in _FACTS if name in runs.column_names}
    columns["file"] = [source.rpartition("/")[2] if source else None for source in columns["source"]]
    names = runs["run"].to_pylist()
    return {name: _Fact(dict(zip(names, columns[name], strict=True))) for name in _FACTS if name in columns}


def _conditions(facts: Mapping[str, _Fact], receivers: _Receivers) -> dict[tuple[str, str], dict[str, tuple[str, ...]]]:
    """For each label a condition that exactly its runs meet: the first kind of pattern that does, for all labels."""
    found: dict[tuple[str, str], dict[str, tuple[str, ...]]] = {}
    plain = {label: runs for label, runs in receivers.items() if not _GLOB_SIGNS.intersection(label[1])}
    for name, pattern, parts in _patterns(facts):
        for label in _exact(facts[name], {label: runs for label, runs in plain.items() if label not in found}, parts):
            if pattern != "{}" or not is_numeric(label[1]):  # "8" would be met by "8.0", too
                found[label] = {name: (pattern.format(label[1]),)}
    for label, runs in receivers.items():
        if label not in found:
            found[label] = _listed(facts, runs)
    return found


_Parts = Callable[[str, frozenset[int]], Iterable[str]]  # the parts, of some lengths, of a text that a pattern finds


def _patterns(facts: Iterable[str]) -> Iterator[tuple[str, str, _Parts]]:
    """Facts and patterns to try, in order: the fact's name, the pattern around a value, and the parts it finds."""
    yield "source", "{}/*", lambda text, _: _folders(text)[:1]
    yield "source", "*/{}/*", lambda text, _: _folders(text)[1:]
    for name in facts:
        yield name, "{}", lambda text, _: (text,)
        yield name, "{}*", lambda text, lengths: {text[:length] for length in lengths}
        yield name, "*{}", lambda text, lengths: {text[-length:] for length in lengths if length}
        yield name, "*{}*", _substrings


def _folders(source: str) -> list[str]:
    return source.split("/")[:-1]


def _substrings(text: str, lengths: frozenset[int]) -> set[str]:
    return {text[at : at + length] for length in lengths for at in range(len(text) - length + 1)}


def _exact(fact: _Fact, receivers: Mapping[tuple[str, str], set[str]], parts: _Parts) -> list[tuple[str, str]]:
    """The labels whose runs are exactly those of the texts that have the value as a part.

    Each text is taken apart once, so that the time does not grow with the number of labels.
    """
    by_value: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for label in receivers:
        by_value[label[1]].append(label)
    lengths = frozenset(map(len, by_value))
    met: dict[tuple[str, str], int] = defaultdict(int)
    for text, runs in fact.runs.items() if by_value else ():
        for part in set(parts(text, lengths)):
            for label in by_value.get(part, ()):
                met[label] += len(runs) if runs <= receivers[label] else len(receivers[label]) + 1
    return [label for label, count in met.items() if count == len(receivers[label])]


def _listed(facts: Mapping[str, _Fact], runs: set[str]) -> dict[str, tuple[str, ...]]:
    """A condition with all texts that these runs have as one fact, if others have none of them; else as two facts."""
    for name, fact in facts.items():
        texts = {fact.of_run[run] for run in runs}
        known = {text for text in texts if text is not None}
        if known == texts and sum(len(fact.runs[text]) for text in known) == len(runs) and _is_exact(fact, known):
            return {name: tuple(sorted(known))}
    sources = {facts["source"].of_run[run] or "" for run in runs}
    sections = {facts["section"].of_run[run] or "" for run in runs}
    return {"source": tuple(sorted(sources)), "section": tuple(sorted(sections))}


def _is_exact(fact: _Fact, choices: set[str]) -> bool:
    """Whether no choice meets another text: one with signs of a pattern may."""
    doubtful = [choice for choice in choices if is_numeric(choice) or _GLOB_SIGNS.intersection(choice)]
    return not any(matches(text, choice) for text in fact.runs if text not in choices for choice in doubtful)
