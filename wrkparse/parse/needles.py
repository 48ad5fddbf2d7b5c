"""Which lines may hold a match of some patterns: by two bytes that stand together in every match, at a byte a cycle.

A pattern is taken apart into the bytes that follow each other in all its matches. Of these the pair is looked for that
is rarest in what logs are like; where it stands, the bytes around it are compared. What is left for RE2 are few lines.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable

import numpy as np

from wrkparse.tools.columnar import compiled
from wrkparse.tools.columnar.numbers import Bools, Bytes, Indices

_TYPICAL = rb"""
2026-11-20T11:38:20.123Z INFO  request handled method=GET path=/api/v1/orders?page=2 status=200 user=42 took=12.5ms
2026/11/20 11:38:20 server.go:120: [worker 3] reading real-time queue of users failed: connection reset by peer, retry 2
{"time":"2026-11-20T11:38:20Z","level":"info","msg":"order stored in 15ms","user":"a7f3","span":"4bf92f3577","n":17}
Nov 20 11:38:20 host app[812]: the cache of the session's index is at 0.87; 12 entries in 348ms, see (internal/store)
level=warning took=3m12s msg="waiting for lines of user 17"
"""
_LONGEST = 16  # bytes of a match that are compared
_MATCH = 20  # what a line costs that is asked for a match, by what it costs to compare the bytes around a pair
_MOST_READINGS = 64  # of a pattern with groups
_CLASSES = {"s": b" \t\n\r\f\v", "d": b"0123456789", "n": b"\n", "r": b"\r", "t": b"\t"}
_TOKEN = re.compile(
    r"(?P<class>\[\^?(?:\\.|[^\]\\])(?:\\.|[^\]\\])*\])|\\x(?P<hex>[0-9a-f]{2})|\\(?P<escaped>.)|(?P<open>\((?:\?:)?)"
    r"|(?P<other>[|)])|(?P<plain>.)",
    re.DOTALL,
)
_REPEAT = re.compile(r"([?*+]|\{(\d+)(,?)\d*\})\??")

_ANY = bytes(range(256))

Run = tuple[bytes, ...]  # at places one after another, which bytes may stand there
Reading = tuple[bytes | None, ...]  # the same; None where any number of them may be


class _Pattern:
    """Takes a pattern of RE2 apart, as far as ours go: literals, classes, groups, repetitions."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at = pattern, 0

    def readings(self) -> list[Reading]:
        """What matches are like: each is like one of these."""
        found: list[Reading] = []
        some: list[Reading] = [()]
        while self._at < len(self._pattern) and self._pattern[self._at] != ")":
            if self._pattern[self._at] == "|":
                self._at += 1
                found, some = found + some, [()]
                continue
            items = self._item()
            some = [(*one, *other) for one, other in itertools.product(some, items)]
            if len(some) > _MOST_READINGS:
                raise ValueError(f"too many ways to read {self._pattern}")
        return found + some

    def _item(self) -> list[Reading]:
        token = _TOKEN.match(self._pattern, self._at)
        assert token, self._pattern[self._at :]
        self._at = token.end()
        if token["open"]:
            items = self.readings()
            assert self._pattern[self._at] == ")"
            self._at += 1
        else:
            items = [self._byte(token)]
        return self._repeated(items)

    def _repeated(self, items: list[Reading]) -> list[Reading]:
        """Of what is repeated so often as is sure, and a gap where it may go on."""
        repeat = _REPEAT.match(self._pattern, self._at)
        if repeat is None:
            return items
        self._at = repeat.end()
        times = {"?": 0, "*": 0, "+": 1}.get(repeat[1]) if repeat[2] is None else int(repeat[2])
        if not times or len(items) > 1:
            return [(None,)]
        return [items[0] * times + (() if repeat[2] and not repeat[3] else (None, *items[0]))]

    def _byte(self, token: re.Match[str]) -> Reading:
        if token["class"]:
            return (_of_class(token["class"]),)
        if token["hex"]:
            return (bytes([int(token["hex"], 16)]),)
        if token["escaped"]:
            said = token["escaped"]
            return (None,) if said in "zAbw" else (_CLASSES.get(said, said.encode()),)
        if token["plain"] in ".^$":
            return (None,)
        return tuple(bytes([byte]) for byte in token["plain"].encode())


@functools.cache
def _of_class(text: str) -> bytes:
    found: set[int] = set()
    negated = text.startswith("[^")
    for each in re.finditer(r"(\\.|[^\\])-(\\.|[^\\])|\\(.)|([^\\])", text[2 if negated else 1 : -1], re.DOTALL):
        if each[2]:
            found.update(range(ord(each[1][-1]), ord(each[2][-1]) + 1))
        else:
            found.update(_CLASSES.get(each[3], each[3].encode()) if each[3] else each[4].encode())
    return bytes(set(_ANY) - found if negated else found)


@functools.cache
def _set(values: bytes) -> Bools:
    found = np.zeros(256, bool)
    found[list(values)] = True
    return found


class _Often:
    """How often bytes stand together in what logs are like."""

    def __init__(self) -> None:
        self._pairs = np.full((256, 256), 0.01)
        self._typical = np.frombuffer(_TYPICAL, np.uint8)
        np.add.at(self._pairs, (self._typical[:-1], self._typical[1:]), 1)
        self._known: dict[Run, float] = {}

    def pair(self, pair: Run) -> float:
        if pair not in self._known:
            self._known[pair] = float(_set(pair[0]) @ self._pairs @ _set(pair[1]))
        return self._known[pair]

    def run(self, run: Run) -> int:
        if max(map(len, run)) == 1:
            return _TYPICAL.count(b"".join(run))
        places = len(_TYPICAL) - len(run) + 1
        found = np.ones(places, bool)
        for place, values in enumerate(run):
            found &= _set(values)[self._typical[place : place + places]]
        return int(found.sum())


def _rarest(reading: Reading, often: _Often) -> tuple[Run, int]:
    """Bytes that stand together in each match that is so, and where of them the two stand that are seldom in a log."""
    parts = itertools.groupby(reading, key=lambda values: values is None)
    runs = [tuple(values for values in run if values is not None) for _, run in parts]
    # where none has two: behind a byte stands another one, the break of the line at least
    runs = [run for run in runs if len(run) > 1] or [(*run, _ANY) for run in runs if run]
    costs = [_MATCH * often.run(run) if len(runs) > 1 else 0 for run in runs]
    found = [(cost + often.pair(run[at : at + 2]), -len(run), run, at)
             for cost, run in zip(costs, runs, strict=True) for at in range(len(run) - 1)]  # fmt: skip
    if not found:
        raise ValueError("a match may hold any bytes")
    *_, run, at = min(found)
    begin = max(0, at + 2 - _LONGEST)
    return run[begin : begin + _LONGEST], at - begin


class Needles:
    """Looks for the lines in which a match of some patterns of RE2 may be: within a line, or from break to break."""

    def __init__(self, patterns: Iterable[str]) -> None:
        often = _Often()
        readings = (reading for pattern in patterns for reading in _Pattern(pattern).readings())
        found = dict.fromkeys(_rarest(reading, often) for reading in readings)
        of_pair: dict[int, list[int]] = {}
        for number, (run, at) in enumerate(found):
            for first, second in itertools.product(*run[at : at + 2]):
                of_pair.setdefault(first | second << 8, []).append(number)
        buckets = {together: at for at, together in enumerate(dict.fromkeys(map(tuple, of_pair.values())), 1)}
        assert len(buckets) < 256, len(buckets)
        self._pairs = np.zeros(1 << 16, np.uint8)
        for pair, some in of_pair.items():
            self._pairs[pair] = buckets[tuple(some)]
        self._buckets = np.cumsum([0, 0, *map(len, buckets)])
        self._numbers = np.array([number for together in buckets for number in together], np.int64)
        self._needles = np.array([(len(run), at) for run, at in found], np.int64).ravel()
        self._sets = np.concatenate([_set(values) for run, _ in found for values in run]).view(np.uint8)

    def lines(self, text: Bytes, ends: Indices, without: Bools) -> Indices:
        """Which lines of a text, each with its break at its end, may hold one, but for some; the first one may."""
        marks = without.astype(np.uint8) * 2
        marks[:1] |= 1  # a match may begin with the break in front
        compiled.holding(text, ends, self._pairs, self._buckets, self._numbers, self._needles, self._sets, marks)
        return np.flatnonzero(marks == 1)
