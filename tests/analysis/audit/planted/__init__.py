"""Contradictions planted in real output: one thing altered in a sound log, and the code that the audit should find.

``develop.txt`` has those with which the checks were developed. ``held_out.txt`` has others, in other logs, so that no
threshold is fitted to them. The expected code comes from arithmetic or the tool's source; the heading of each kind
says which. A file has sections of this form::

    [kind] code: why the altered report is impossible
    fixtures/wrk/big.txt | old => new | old => new

A line names a log (``fixtures/`` is ``tests/fixtures``, ``loopback/`` is ``notebooks/loopback``, ``:26-33`` some of its
lines, ``*`` several files), or several joined by ``+``, with text in quotes between them; each ``old`` occurs in it and
is replaced once. ``\\n`` is the end of a line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[4]
FOLDERS = {"fixtures": "tests/fixtures", "loopback": "notebooks/loopback", "data": "data"}
_SECTION = re.compile(r"\[(?P<kind>.+?)\] (?P<code>[a-z0-9-]+): .+")
_BASE = re.compile(r"(?P<path>.+?)(?::(?P<first>\d+)-(?P<last>\d+))?")


class Planted(NamedTuple):
    """A log with one thing altered: its kind, the code that the audit should find, its name, and both texts.

    ``lines`` are the lines of the text that were altered, from 1; empty if the order of the runs is what was altered.
    """

    kind: str
    code: str
    name: str
    sound: str
    altered: str
    lines: tuple[int, ...]


def planted(name: str) -> list[Planted]:
    """All of a file of this directory: ``develop`` or ``held_out``."""
    return list(_read((Path(__file__).parent / f"{name}.txt").read_text("utf-8")))


def _read(text: str) -> Iterator[Planted]:
    kind = code = ""
    for line in text.splitlines():
        if match := _SECTION.fullmatch(line):
            kind, code = match["kind"], match["code"]
        elif line and not line.startswith("#"):
            base, *edits = line.split(" | ")
            sound = _text(base)
            altered, lines = _altered(sound, edits)
            yield Planted(kind, code, line, sound, altered, lines)


def _text(base: str) -> str:
    return "\n\n".join(_part(part) for part in base.split(" + "))


def _part(part: str) -> str:
    if part.startswith("'"):
        return part.strip("'").replace("\\n", "\n")
    match = _BASE.fullmatch(part)
    assert match
    folder, _, path = match["path"].partition("/")
    found = sorted((ROOT / FOLDERS[folder]).glob(path))
    assert found, f"no log {part}"
    text = "\n".join(file.read_text("utf-8").rstrip("\n") for file in found)
    if match["first"]:
        text = "\n".join(text.splitlines()[int(match["first"]) - 1 : int(match["last"])])
    return text


def _altered(text: str, edits: list[str]) -> tuple[str, tuple[int, ...]]:
    """The text with these edits, and the lines where they begin. Edits of one text take its occurrences in turn."""
    lines, begin = [], 0
    for edit in edits:
        old, new = (side.replace("\\n", "\n") for side in edit.split(" => "))
        at = text.find(old, begin if old in text[begin:] else 0)
        assert at >= 0, f"{old!r} is not there: {edit}"
        text = text[:at] + new + text[at + len(old) :]
        begin = at + len(new)
        lines.append(text.count("\n", 0, at + len(new)) + 1)
    return text, tuple(lines)
