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
_LINE = "line"  # a fact, too, which changes if someone adds text above the run
_Condition = dict[str, tuple[str, ...]]
_Receivers = dict[tuple[str, str], set[str]]  # the runs that get a label, by its key and value


class Proposal(NamedTuple):
    """Rules, and the labels that they give each run by its identifier."""

    rules: tuple[Rule, ...]
    labels: Mapping[str, Mapping[str, str]]


def propose_rules(dataset: Dataset, names: Mapping[str, str] | None = None) -> Proposal:
    """Rules that give runs the labels that they have from structure now, under other keys where `names` says so.

    A rule has one condition if one fits, as ``source: kiwi/*``, else a list of all values. Runs that only their lines
    distinguish have a rule for each source.
    """
    names = names or {}
    rows = dataset.sql_arrow(f"SELECT run, key, value FROM labels WHERE origin = '{ORIGIN}'").to_pylist()
    labels: dict[str, dict[str, str]] = defaultdict(dict)
    receivers: _Receivers = defaultdict(set)
    for row in rows:
        key = names.get(row["key"], row["key"])
        labels[row["run"]][key] = row["value"]
        receivers[key, row["value"]].add(row["run"])
    conditions = _conditions(_facts(dataset), receivers, _holders(dataset, {row["key"] for row in rows}, names))
    rules = [
        Rule(0, condition, {key: value}) for key, value in sorted(receivers) for condition in conditions[key, value]
    ]
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
    columns = {name: label_texts(runs[name]) for name in (*_FACTS, _LINE) if name in runs.column_names}
    columns["file"] = [source.rpartition("/")[2] if source else None for source in columns["source"]]
    names = runs["run"].to_pylist()
    return {name: _Fact(dict(zip(names, columns[name], strict=True))) for name in (*_FACTS, _LINE) if name in columns}


def _holders(dataset: Dataset, keys: Iterable[str], names: Mapping[str, str]) -> _Receivers:
    """The runs that have a label, by its key and value, wherever it comes from; the keys as `names` says."""
    table = dataset.arrow("runs")
    found: _Receivers = defaultdict(set)
    for key in keys:
        for run, value in zip(table["run"].to_pylist(), label_texts(table[key]), strict=True):
            if value is not None:
                found[names.get(key, key), value].add(run)
    return found


def _conditions(
    facts: Mapping[str, _Fact], receivers: _Receivers, holders: _Receivers
) -> dict[tuple[str, str], list[_Condition]]:
    """For each label the conditions of its rules: mostly one, which exactly its runs meet.

    It is the first kind of pattern that fits, for all labels. A run that has the label anyway may meet it, too.
    """
    found: dict[tuple[str, str], list[_Condition]] = {}
    plain = {label: runs for label, runs in receivers.items() if not _GLOB_SIGNS.intersection(label[1])}
    for name, pattern, parts in _patterns(filter(facts.__contains__, _FACTS)):
        for label in _exact(facts[name], {label: runs for label, runs in plain.items() if label not in found}, parts):
            if pattern != "{}" or not is_numeric(label[1]):  # "8" would be met by "8.0", too
                found[label] = [{name: (pattern.format(label[1]),)}]
    for label, runs in receivers.items():
        if label not in found:
            found[label] = _enumerated(facts, runs, runs | holders[label])
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
                # Too many for an equal count, whatever other texts add: the pattern meets a run that must not get the
                # label.
                met[label] += len(runs) if runs <= receivers[label] else len(receivers[label]) + 1
    return [label for label, count in met.items() if count == len(receivers[label])]


def _enumerated(facts: Mapping[str, _Fact], runs: set[str], may_meet: set[str]) -> list[_Condition]:
    """Conditions that these runs meet, and no others than those that `may_meet` them: all texts of the runs, listed."""
    return _by_one_fact(facts, runs) or _by_section(facts, runs, may_meet) or _by_lines(facts, runs)


def _by_one_fact(facts: Mapping[str, _Fact], runs: set[str]) -> list[_Condition]:
    """The condition with the texts that exactly these runs have as one fact; empty without such a fact."""
    for name in filter(facts.__contains__, _FACTS):
        fact = facts[name]
        texts = {fact.of_run[run] for run in runs}
        known = {text for text in texts if text is not None}
        if known == texts and sum(len(fact.runs[text]) for text in known) == len(runs) and _is_exact(fact, known):
            return [{name: tuple(sorted(known))}]
    return []


def _by_section(facts: Mapping[str, _Fact], runs: set[str], may_meet: set[str]) -> list[_Condition]:
    """The condition with the sources and sections of these runs; empty if it meets runs that may not meet it."""
    source_of, section_of = (facts[name].of_run for name in ("source", "section"))
    sources, sections = ({of_run[run] or "" for run in runs} for of_run in (source_of, section_of))
    met = {run for run in source_of if source_of[run] in sources and (section_of[run] or "") in sections}
    return [{"source": tuple(sorted(sources)), "section": tuple(sorted(sections))}] if met <= may_meet else []


def _by_lines(facts: Mapping[str, _Fact], runs: set[str]) -> list[_Condition]:
    """One condition for each source of these runs, with the numbers of their lines."""
    source_of, line_of = (facts[name].of_run for name in ("source", _LINE))
    lines: dict[str, list[int]] = defaultdict(list)
    for run in runs:
        lines[source_of[run] or ""].append(int(line_of[run] or 0))
    return [{"source": (source,), _LINE: tuple(map(str, sorted(lines[source])))} for source in sorted(lines)]


def _is_exact(fact: _Fact, choices: set[str]) -> bool:
    """Whether no choice meets another text: one with signs of a pattern may."""
    doubtful = [choice for choice in choices if is_numeric(choice) or _GLOB_SIGNS.intersection(choice)]
    return not any(matches(text, choice) for text in fact.runs if text not in choices for choice in doubtful)
