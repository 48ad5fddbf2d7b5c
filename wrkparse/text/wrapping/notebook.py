r"""Reads a Jupyter notebook as the page that it shows: the source of each cell, then its outputs, with line numbers.

The format is nbformat 3 and 4 (``"cells": [{"cell_type": "code", "outputs": […], "source": ["…\n", …]}]``). Keys are in
any order, outputs mostly before their source, so a cell is kept until it ends. Only strings and brackets of the JSON
are scanned, so the sound parts of a damaged notebook are read. Images and HTML are left out.
"""

from __future__ import annotations

import json
import re

_JSON_TOKEN = re.compile(r'"((?:[^"\\]++|\\.)*+)("?)|[{}\[\]:,]')
_OPENING = re.compile(r'\s*\{\s*"(?:cells|metadata|nbformat|nbformat_minor|worksheets)"\s*:')  # '{"cells":'
_PART_OF_OPENING = re.compile(r'\s*(?:\{\s*(?:"\w{0,20}+"?+\s*)?)?')  # '{ "nbfor'
_LONGEST_OPENING = 200  # characters of an opening that is not complete: its text is kept until it is
_TEXT_KEYS = frozenset({"text", "text/plain", "text/markdown"})
_SOURCE_KEYS = frozenset({"source", "input"})
_DEEPEST_BRACKET = 100  # nested brackets with their keys; a notebook has about 8; deeper ones are only counted
_LARGEST_CELL = 64 << 20  # characters; a larger cell is returned in parts, to bound memory

NumberedLines = list[tuple[str, int]]
_END_OF_OUTPUT = ("", 0)  # the next output begins a line, even if this output did not end its last line


def begins_notebook(text: str) -> bool | None:
    """Whether a source that begins with `text` is a notebook; None if more text is needed."""
    if _OPENING.match(text):
        return True
    return None if len(text) < _LONGEST_OPENING and _PART_OF_OPENING.fullmatch(text) else False


class NotebookReader:
    """Takes the lines of the JSON and returns the lines of the page, cell by cell."""

    def __init__(self) -> None:
        self._path: list[str] = []  # for each open bracket its key and the bracket
        self._deeper = 0  # open brackets beyond _DEEPEST
        self._size = 0  # characters of the cell so far
        self._key = ""
        self._last = ""
        self._cell_type = ""
        self._source: NumberedLines = []
        self._output: NumberedLines = []

    def feed(self, raw: str, number: int) -> NumberedLines:
        """The lines of the page that this line of the JSON completes."""
        found: NumberedLines = []
        for match in _JSON_TOKEN.finditer(raw):
            sign = match[0]
            if sign[0] == '"':
                self._string(match[1], number)
            elif sign == ":":
                self._key = self._last
            elif sign in "{[":
                if len(self._path) < _DEEPEST_BRACKET:
                    self._path.append(self._key + sign)
                else:
                    self._deeper += 1
                self._key = ""
            elif sign in "}]":
                found += self._close()
            else:
                self._key = ""
        return found + self._page_lines() if self._size > _LARGEST_CELL else found

    def finish(self) -> NumberedLines:
        """The lines of the cell that a damaged notebook does not end."""
        return self._page_lines()

    def _string(self, text: str, number: int) -> None:
        try:
            value = str(json.loads(f'"{text}"'))
        except ValueError:
            value = text
        self._last = value
        self._size += len(value)
        key = self._key or (self._path[-1][:-1] if self._path and self._path[-1].endswith("[") else "")
        if key == "cell_type":
            self._cell_type = value
        elif key in _SOURCE_KEYS:
            self._source.append((value, number))
        elif key in _TEXT_KEYS and "outputs[" in self._path:
            self._output.append((value, number))

    def _close(self) -> NumberedLines:
        """Close a bracket. The bracket that ends a cell completes its lines."""
        if self._deeper:
            self._deeper -= 1
        elif self._path:
            closed = self._path.pop()
            self._key = ""
            if closed == "{" and self._path and self._path[-1] == "outputs[":
                self._output.append(_END_OF_OUTPUT)
            if closed == "{" and self._path and self._path[-1] == "cells[":
                return self._page_lines()
        return []

    def _page_lines(self) -> NumberedLines:
        """The lines of the cell that was read; those of code are in a fence."""
        self._size = 0
        source, output = _whole_lines(self._source), _whole_lines(self._output)
        code, self._cell_type, self._source, self._output = self._cell_type == "code", "", [], []
        if not code:
            return [*source, ("", source[-1][1])] if source else []
        source = [(_with_prompt(text), at) for text, at in source]
        at = source[0][1] if source else output[0][1] if output else 0
        return [("```", at), *source, *output, ("```", (output or source)[-1][1])] if at else []


def _whole_lines(strings: NumberedLines) -> NumberedLines:
    """The lines of strings, each of which may end within a line; a line has the number of its first string."""
    found: NumberedLines = []
    rest, first_number = "", 0
    for text, number in strings:
        if not number and rest:
            found.append((rest, first_number))
            rest, first_number = "", 0
        first_number = first_number or number
        *ended, last = text.split("\n")
        for line in ended:
            found.append((rest + line, first_number or number))
            rest, first_number = "", number
        rest += last
        first_number = first_number if rest else 0
    return [*found, (rest, first_number)] if rest else found


def _with_prompt(text: str) -> str:
    """A line of a cell, with a prompt if it is a shell command (``!wrk …``)."""
    return f"$ {text[1:].lstrip()}" if text.startswith("!") else text
