"""Which lines may hold a match of some patterns: by two bytes that stand together in every match, at a byte a cycle.

A pattern is taken apart into the bytes that follow each other in all its matches. Of these the pair is looked for that
is rarest in what logs are like; where it stands, the bytes around it are compared. What is left for RE2 are few lines.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from wrkparse import compiled
from wrkparse.tools.numbers import Bools, Bytes, Indices

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

Byteset = npt.NDArray[np.bool_]  # which bytes stand at a place
Bytesets = tuple[Byteset | None, ...]  # at places one after another; None where any number of them may be


@functools.cache
def _one(values: bytes) -> Byteset:
    found = np.zeros(256, bool)
    found[list(values)] = True
    return found


class _Pattern:
    """Takes a pattern of RE2 apart, as far as ours go: literals, classes, groups, repetitions."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at = pattern, 0

    def readings(self) -> list[Bytesets]:
        """What matches are like: each is like one of these."""
        found: list[Bytesets] = []
        some: list[Bytesets] = [()]
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

    def _item(self) -> list[Bytesets]:
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

    def _repeated(self, items: list[Bytesets]) -> list[Bytesets]:
        """Of what is repeated so often as is sure, and a gap where it may go on."""
        repeat = _REPEAT.match(self._pattern, self._at)
        if repeat is None:
            return items
        self._at = repeat.end()
        times = {"?": 0, "*": 0, "+": 1}.get(repeat[1]) if repeat[2] is None else int(repeat[2])
        if not times or len(items) > 1:
            return [(None,)]
        return [items[0] * times + (() if repeat[2] and not repeat[3] else (None, *items[0]))]

    def _byte(self, token: re.Match[str]) -> Bytesets:
        if token["class"]:
            return (_of_class(token["class"]),)
        if token["hex"]:
            return (_one(bytes([int(token["hex"], 16)])),)
        if token["escaped"]:
            said = token["escaped"]
            return (None,) if said in "zAbw" else (_one(_CLASSES.get(said, said.encode())),)
        if token["plain"] in ".^$":
            return (None,)
        return tuple(_one(bytes([byte])) for byte in token["plain"].encode())


def _of_class(text: str) -> Byteset:
    found = np.zeros(256, bool)
    negated = text.startswith("[^")
    for each in re.finditer(r"(\\.|[^\\])-(\\.|[^\\])|\\(.)|([^\\])", text[2 if negated else 1 : -1], re.DOTALL):
        if each[2]:
            found[ord(each[1][-1]) : ord(each[2][-1]) + 1] = True
        else:
            values = _CLASSES.get(each[3], each[3].encode()) if each[3] else each[4].encode()
            found[list(values)] = True
    return ~found if negated else found


class _Often:
    """How often bytes stand together in what logs are like."""

    def __init__(self) -> None:
        self._typical = np.frombuffer(_TYPICAL, np.uint8)
        self._pairs = np.full((256, 256), 0.01)
        np.add.at(self._pairs, (self._typical[:-1], self._typical[1:]), 1)

    def pair(self, one: Byteset, other: Byteset) -> float:
        return float(self._pairs[np.ix_(one, other)].sum())

    def run(self, run: Sequence[Byteset]) -> int:
        found = np.ones(len(self._typical) - len(run) + 1, bool)
        for place, byte in enumerate(run):
            found &= byte[self._typical[place : place + len(found)]]
        return int(found.sum())


def _rarest(reading: Bytesets, often: _Often) -> tuple[list[Byteset], int]:
    """Bytes that stand together in each match that is so, and where of them the two stand that are seldom in a log."""
    runs = [
        [byte for byte in run if byte is not None] for _, run in itertools.groupby(reading, lambda byte: byte is None)
    ]
    # where none has two: behind a byte stands another one, the break of the line at least
    pairs = [run for run in runs if len(run) > 1] or [[run[0], np.ones(256, bool)] for run in runs if run]
    costs = [_MATCH * often.run(run) for run in pairs]
    found = [(costs[number] + often.pair(*run[at : at + 2]), number, at)
             for number, run in enumerate(pairs) for at in range(len(run) - 1)]  # fmt: skip
    if not found:
        raise ValueError("a match may hold any bytes")
    _, number, at = min(found)
    begin = max(0, at + 2 - _LONGEST)
    return pairs[number][begin : begin + _LONGEST], at - begin


class Needles:
    """Looks for the lines in which a match of some patterns of RE2 may be: within a line, or from break to break."""

    def __init__(self, patterns: Iterable[str]) -> None:
        often = _Often()
        readings = (reading for pattern in patterns for reading in _Pattern(pattern).readings())
        found = {_key(run, at): (run, at) for run, at in (_rarest(reading, often) for reading in readings)}
        of_pair: dict[int, list[int]] = {}
        for number, (run, at) in enumerate(found.values()):
            for pair in np.flatnonzero(np.outer(run[at + 1], run[at])).tolist():
                of_pair.setdefault(pair, []).append(number)
        buckets = {together: at for at, together in enumerate(dict.fromkeys(map(tuple, of_pair.values())), 1)}
        assert len(buckets) < 256, len(buckets)
        self._pairs = np.zeros(1 << 16, np.uint8)
        for pair, some in of_pair.items():
            self._pairs[pair] = buckets[tuple(some)]
        self._buckets = np.cumsum([0, 0, *map(len, buckets)])
        self._numbers = np.array([number for together in buckets for number in together], np.int64)
        self._needles = np.array([(len(run), at) for run, at in found.values()], np.int64).ravel()
        self._sets = np.concatenate([byte for run, _ in found.values() for byte in run]).view(np.uint8)

    def lines(self, text: Bytes, ends: Indices) -> Bools:
        """Which lines of a text, each with its break at its end, may hold one; the first one may."""
        marks = np.zeros(len(ends), np.uint8)
        marks[:1] = True  # a match may begin with the break in front
        compiled.holding(text, ends, self._pairs, self._buckets, self._numbers, self._needles, self._sets, marks)
        return marks.view(bool)


def _key(run: list[Byteset], at: int) -> tuple[bytes, int]:
    return b"".join(byte.tobytes() for byte in run), at
