"""Finds the label that wins if several labels of a run have one key, and normalises values for the comparison.

``-c 1k`` of a command and ``c64`` in the name of a folder → connections=1000.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from decimal import Decimal
from itertools import count, repeat
from operator import itemgetter
from types import MappingProxyType
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from wrkparse.model.records import Label
from wrkparse.tools.schema import typed_label

# Strongest first: the statement of a person, the output of the tool, the typed command, a file beside the logs
# (`wrkparse.context.index`), the text around the run, its path, and its place among other runs
# (`wrkparse.context.structure.structure`).
ORIGINS = ("cli", "file", "report", "env", "flag", "index", "prefix", "heading", "path", "structure")
_STRENGTH = {origin: len(ORIGINS) - index for index, origin in enumerate(ORIGINS)}
_COUNT_KEYS = frozenset({"cores", "threads", "connections", "payload_bytes"})  # whole numbers from 1
_NUMERIC_KEYS = _COUNT_KEYS | {"duration_s", "rate"}
# The labels of a benchmark repeat from run to run, so a few entries serve thousands of runs.
_CACHED_LABELS = 4096
_CACHED_RUNS = 1024
_Pick = Callable[[tuple[Any, ...]], tuple[Any, ...]]  # some items of a column
_NO_COLUMNS: tuple[tuple[Any, ...], ...] = ((),) * len(Label._fields)  # of no labels


class Ranking(NamedTuple):
    """The rank of labels, without their lines. The first three fields are columns with one entry for each label.

    ``winners`` and the pairs of ``conflicts`` (the winner and the other label) are indexes of these columns.
    """

    keys: tuple[str, ...]  # in their canonical spelling
    values: tuple[str, ...]  # normalised
    origins: tuple[str, ...]
    winners: dict[str, int]
    overruled: tuple[bool, ...]  # the winner has another value
    conflicts: tuple[tuple[int, int], ...]  # the winner and a label of another origin with another value
    winning_values: dict[str, str]
    typed_values: dict[str, object]  # as their column has them; None for text in a column of numbers
    unreadable: tuple[str, ...]  # the keys of such text
    details: tuple[str, ...]  # the keys of flags and variables
    has_duplicates: bool


class ResolvedLabels(NamedTuple):
    """The labels of a run with their rank, lines, texts and rules; `resolve_run` adds the parts of its URL."""

    ranking: Ranking
    lines: Sequence[int | None]
    texts: Sequence[str | None]
    rules: Sequence[str | None]
    url: Mapping[str, str] = MappingProxyType({})

    @property
    def winners(self) -> dict[str, Label]:
        """The label that wins, by key."""
        return {key: self._label(at) for key, at in self.ranking.winners.items()}

    @property
    def columns(self) -> tuple[Sequence[object], ...]:
        """All labels, in the columns of their table: keys, values, origins, lines, overruled, texts, rules."""
        ranking = self.ranking
        return ranking.keys, ranking.values, ranking.origins, self.lines, ranking.overruled, self.texts, self.rules

    @property
    def conflicts(self) -> list[tuple[Label, Label]]:
        """The conflicts: for each, the winner and the other label."""
        return [(self._label(winner), self._label(other)) for winner, other in self.ranking.conflicts]

    def line_of(self, key: str) -> int | None:
        """The line of the winning label of a key."""
        return self.lines[self.ranking.winners[key]]

    def _label(self, at: int) -> Label:
        ranking = self.ranking
        return Label(ranking.keys[at], ranking.values[at], ranking.origins[at], self.lines[at], self.texts[at])


def resolve(labels: Iterable[Label]) -> ResolvedLabels:
    """Rank labels: the strongest origin wins, and within one origin the last label, which is nearest to the run.

    Equal labels of one line become one.
    """
    keys, values, origins, lines, texts, rules = tuple(zip(*labels, strict=True)) or _NO_COLUMNS
    resolved = ResolvedLabels(_rank_labels(keys, values, origins), lines, texts, rules)
    return _without_duplicates(resolved) if resolved.ranking.has_duplicates else resolved


def resolve_run(labels: Sequence[Label], of_study: Sequence[Label], given: Sequence[Label]) -> ResolvedLabels:
    """Rank the labels of a run, those of its study and those that the user gave, as `resolve` does.

    The path of the run's URL becomes a label. A port in the text is left out if the URL has the same one: "listening on
    :8080" does not distinguish such runs.
    """
    stated = *labels, *of_study, *given
    keys, values, origins, lines, texts, rules = tuple(zip(*stated, strict=True)) or _NO_COLUMNS
    ranking, pick, rules, url = _rank_run(keys, values, origins, rules, len(labels), len(of_study))
    resolved = ResolvedLabels(ranking, pick(lines), pick(texts), rules, url)
    return _without_duplicates(resolved) if ranking.has_duplicates else resolved


def _without_duplicates(resolved: ResolvedLabels) -> ResolvedLabels:
    """The labels with each one once that has the same key, value, origin and line."""
    ranking, lines, texts, rules, url = resolved
    unique: dict[tuple[object, ...], tuple[object, ...]] = {}
    columns = zip(ranking.keys, ranking.values, ranking.origins, lines, texts, rules, strict=True)
    for *stated, line, text, rule in columns:
        unique.setdefault((*stated, line), (line, text, rule))
    keys, values, origins, _ = zip(*unique, strict=True)
    lines, texts, rules = zip(*unique.values(), strict=True)
    return ResolvedLabels(_rank_labels(keys, values, origins), lines, texts, rules, url)


@functools.lru_cache(maxsize=_CACHED_RUNS)
def _rank_run(
    keys: tuple[str, ...], values: tuple[str, ...], origins: tuple[str, ...], rules: tuple[str | None, ...],
    own_count: int, study_count: int,
) -> tuple[Ranking, _Pick, tuple[str | None, ...], Mapping[str, str]]:  # fmt: skip
    """The ranking of `resolve_run`, and a function that picks the lines or texts of its labels from those of the given.

    Also the rules of the labels and the parts of the URL.
    """
    labels = list(map(Label, keys, values, origins, count(), repeat(None), rules))  # with their indexes as lines
    own, more = labels[:own_count], labels[own_count:]
    url = winning_label("url", own + more[study_count:])
    parts = url_parts(url.value) if url else {}
    if "port" in parts:
        own = [label for label in own if (label.key, label.value) != ("port", parts["port"])]
    if url and "path" in parts:
        own.append(url._replace(key="path", value=parts["path"], rule="url"))
    keys, values, origins, places, _, rules = tuple(zip(*own, *more, strict=True)) or _NO_COLUMNS
    pick = itemgetter(*places) if len(places) > 1 else tuple  # a single label is no URL, which has a path
    return _rank_labels(keys, values, origins), pick, rules, parts


@functools.lru_cache(maxsize=_CACHED_RUNS)
def _rank_labels(keys: tuple[str, ...], values: tuple[str, ...], origins: tuple[str, ...]) -> Ranking:
    """Normalise the columns of some labels, and rank them."""
    normal = [(*_normalize_label(key, value), origin) for key, value, origin in zip(keys, values, origins, strict=True)]
    winners: dict[str, int] = {}
    for index, (key, _, origin) in enumerate(normal):
        winner = winners.get(key)
        if winner is None or _STRENGTH[origin] >= _STRENGTH[normal[winner][2]]:
            winners[key] = index
    overruled = tuple(value != normal[winners[key]][1] for key, value, _ in normal)
    conflicts = tuple(
        (winners[key], index)
        for index, (key, _, origin) in enumerate(normal)
        if overruled[index] and origin != normal[winners[key]][2]
    )
    keys, values = tuple([key for key, _, _ in normal]), tuple([value for _, value, _ in normal])
    winning = {key: values[at] for key, at in winners.items()}
    typed: dict[str, object] = {key: typed_label(key, value) for key, value in winning.items()}
    unreadable = tuple([key for key, value in typed.items() if value is None])
    details = tuple(key for key in winners if key.startswith(("flag_", "env_")))
    return Ranking(
        keys, values, origins, winners, overruled, conflicts, winning, typed, unreadable, details,
        len(set(normal)) < len(normal),
    )  # fmt: skip


def winning_label(key: str, labels: Iterable[Label]) -> Label | None:
    """The winner of one key, as in `resolve`; None if no label has this key."""
    found: Label | None = None
    for label in labels:
        if label.key == key and (found is None or _STRENGTH[label.origin] >= _STRENGTH[found.origin]):
            found = label
    return found


@functools.lru_cache(maxsize=_CACHED_LABELS)
def _normalize_label(key: str, value: str) -> tuple[str, str]:
    """A key in its canonical spelling and its value, normalised."""
    key = canonical_key(key)
    return key, normalize_value(key, value)


_MULTIPLIERS = {"": 1, "k": 1000, "m": 10**6, "g": 10**9}
_FACTORS = {
    **dict.fromkeys(("cores", "threads", "connections", "rate"), _MULTIPLIERS),
    "duration_s": {"": 1, "s": 1, "m": 60, "h": 3600},
    "payload_bytes": {"": 1, "b": 1},  # not "1k", which may be 1000 or 1024
}
_RATE = re.compile(r"([0-9]{1,12})/([1-9][0-9]{0,5})?([smh])")  # vegeta: 100/1s
_SCALED_NUMBER = re.compile(r"([0-9]{1,15}(?:\.[0-9]{0,9})?(?:e\+?[0-9])?)([a-z]?)", re.IGNORECASE)


def normalize_value(key: str, value: str) -> str:
    """A value in the form in which values of its key are compared: ``-c 1k`` → 1000, ``-d 1m`` → 60 (seconds).

    Text instead of a number stays unchanged; the table `runs` gets a diagnostic for it.
    """
    value = value.strip()
    if key == "gogc":  # a negative GOGC turns collection off, as "off" does (Go, runtime/debug.SetGCPercent)
        return "off" if value.lower() == "off" or value.startswith("-") else value
    number = _scale_number(key, value)
    return value if number is None else f"{number.normalize():f}"


def suits_key(key: str, value: str) -> bool:
    """Whether a value of a numeric key is a number; True for other keys."""
    return key not in _NUMERIC_KEYS or is_possible_value(key, value)


def _scale_number(key: str, value: str) -> Decimal | None:
    """The value of a number with a suffix, in the unit of its key; None for other text."""
    if key == "rate" and (per := _RATE.fullmatch(value.strip())):
        return Decimal(per[1]) / (Decimal(per[2] or 1) * _FACTORS["duration_s"][per[3]])
    match = _SCALED_NUMBER.fullmatch(value.strip()) if key in _FACTORS else None
    factor = _FACTORS[key].get(match[2].lower()) if match else None
    return Decimal(match[1]) * factor if match and factor else None


@functools.lru_cache(maxsize=_CACHED_RUNS)
def url_parts(url: str) -> Mapping[str, str]:
    """The host, port and path of a URL, which may lack its scheme; empty if the text is not a URL.

    The path includes the query, and is ``/`` if the URL has none. Without a port in the URL, the port of the scheme is
    used.
    """
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return {}
    if not parts.hostname:
        return {}
    path = parts.path or "/"
    found = {"host": parts.hostname, "path": f"{path}?{parts.query}" if parts.query else path}
    return found | ({"port": str(port)} if port else {})


def canonical_key(key: str) -> str:
    """The canonical spelling of a key: variables in upper case (``env_GOGC``), other keys in lower case."""
    return f"env_{key[4:].upper()}" if key[:4].lower() == "env_" else key.lower()


@functools.lru_cache(maxsize=_CACHED_LABELS)
def is_possible_value(key: str, value: str) -> bool:
    """Whether a key may have this value: not an empty one, and ``GOMAXPROCS=0`` or ``-c <n>`` are not numbers."""
    if not value.strip():
        return False
    number = _scale_number(key, value) if key in _NUMERIC_KEYS else None
    if key in _COUNT_KEYS:
        return number is not None and number >= 1 and number == number.to_integral_value()
    return key not in _NUMERIC_KEYS or (number is not None and number > 0)
