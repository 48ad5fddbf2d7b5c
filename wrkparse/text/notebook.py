r"""A Jupyter notebook as the page that it shows: each cell's source, then its outputs, with the JSON's line numbers.

The format is nbformat 3 and 4 (``"cells": [{"cell_type": "code", "outputs": […], "source": ["…\n", …]}]``). Keys stand
in any order, outputs mostly before the source that made them, so a cell is kept until it ends. The JSON is only scanned
for its strings: a damaged notebook gives what is sound. Pictures and HTML are left out.
"""

from __future__ import annotations

import json
import re

_SIGN = re.compile(r'"((?:[^"\\]++|\\.)*+)("?)|[{}\[\]:,]')
_OPENING = re.compile(r'\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:')
_BEGUN = re.compile(r'\s*(?:\{\s*(?:"\w{0,20}+"?+\s*)?)?')
_SHOWN = frozenset({"text", "text/plain", "text/markdown"})
_SOURCES = frozenset({"source", "input"})

Printed = list[tuple[str, int]]
_DEEPEST = 100  # brackets; those within are counted
_MOST_HELD = 64 << 20  # characters of a cell
_END = ("", 0)  # of one output: the next one begins a line


def opening(text: str) -> bool | None:
    """Whether a text that begins like this is a notebook; None if more of it must be seen."""
    if _OPENING.match(text):
        return True
    return None if len(text) < 200 and _BEGUN.fullmatch(text) else False


class Notebook:
    """Takes the lines of the JSON, gives those of the page."""

    def __init__(self) -> None:
        self._path: list[str] = []  # the key that each open bracket stands under, and the bracket
        self._deeper = 0  # brackets open within the deepest of these
        self._held = 0
        self._key = ""
        self._last = ""
        self._kind = ""
        self._source: Printed = []
        self._output: Printed = []

    def feed(self, raw: str, number: int) -> Printed:
        """The lines of the page that are complete with this line."""
        found: Printed = []
        for match in _SIGN.finditer(raw):
            sign = match[0]
            if sign[0] == '"':
                self._string(match[1], number)
            elif sign == ":":
                self._key = self._last
            elif sign in "{[":
                if len(self._path) < _DEEPEST:
                    self._path.append(self._key + sign)
                else:
                    self._deeper += 1
                self._key = ""
            elif sign in "}]":
                found += self._end()
            else:
                self._key = ""
        return found + self._cell() if self._held > _MOST_HELD else found

    def _string(self, text: str, number: int) -> None:
        try:
            value = str(json.loads(f'"{text}"'))
        except ValueError:
            value = text
        self._last = value
        self._held += len(value)
        key = self._key or (self._path[-1][:-1] if self._path and self._path[-1].endswith("[") else "")
        if key == "cell_type":
            self._kind = value
        elif key in _SOURCES:
            self._source.append((value, number))
        elif key in _SHOWN and "outputs[" in self._path:
            self._output.append((value, number))

    def _end(self) -> Printed:
        """Close a bracket; the end of a cell gives its lines: code stands in a fence."""
        if self._deeper:
            self._deeper -= 1
        elif self._path:
            closed = self._path.pop()
            self._key = ""
            if closed == "{" and self._path and self._path[-1] == "outputs[":
                self._output.append(_END)
            if closed == "{" and self._path and self._path[-1] == "cells[":
                return self._cell()
        return []

    def _cell(self) -> Printed:
        self._held = 0
        source, output = _lines(self._source), _lines(self._output)
        code, self._kind, self._source, self._output = self._kind == "code", "", [], []
        if not code:
            return [*source, ("", source[-1][1])] if source else []
        source = [(_command(text), at) for text, at in source]
        at = source[0][1] if source else output[0][1] if output else 0
        return [("```", at), *source, *output, ("```", (output or source)[-1][1])] if at else []


def _lines(held: Printed) -> Printed:
    """Lines of pieces, each of which ends a line or not."""
    found: Printed = []
    rest, begun = "", 0
    for text, number in held:
        if not number and rest:
            found.append((rest, begun))
            rest, begun = "", 0
        begun = begun or number
        *whole, last = text.split("\n")
        for line in whole:
            found.append((rest + line, begun or number))
            rest, begun = "", number
        rest += last
        begun = begun if rest else 0
    return [*found, (rest, begun)] if rest else found


def _command(text: str) -> str:
    """A shell command of a cell as a terminal shows it."""
    return f"$ {text[1:].lstrip()}" if text.startswith("!") else text
