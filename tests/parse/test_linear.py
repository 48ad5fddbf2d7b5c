"""Nothing takes more than linear time, whatever it is tried on: input may be made to be slow."""

from __future__ import annotations

import importlib
import pkgutil
import re
import time
from collections.abc import Iterable, Iterator
from itertools import chain
from pathlib import Path
from re import _constants, _parser  # type: ignore[attr-defined]
from types import ModuleType
from typing import Any, NamedTuple

import pytest

import wrkparse
from wrkparse.parse.parser import SourceParser
from wrkparse.tools import event_tools, report_tools

Pattern = re.Pattern[Any]


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(wrkparse.__path__, "wrkparse."):
        if not found.name.endswith(("__main__", "._bytes")):  # what is compiled has no patterns, nor a text
            yield importlib.import_module(found.name)


class Used(NamedTuple):
    """A pattern, and whether it is looked for anywhere in a text; else it must stand at a certain place."""

    pattern: Pattern
    anywhere: bool


def patterns() -> dict[str, Used]:
    """Every pattern that a module, a rule or an event tool holds, once; ``module.NAME`` of those that have one."""
    found: dict[Pattern, tuple[str, bool]] = {}
    for module in modules():
        source = Path(str(module.__file__)).read_text()
        looked_for = set(re.findall(r"\b(\w+)\.(?:search|finditer|findall|sub|subn|split)\b", source))
        for name, value in vars(module).items():
            for one in _patterns_in(value):
                found.setdefault(one, (f"{module.__name__.removeprefix('wrkparse.')}.{name}", name in looked_for))
    for tool in report_tools():
        for spec in tool.lines:
            found.setdefault(spec.pattern, (f"{tool.name} {spec.kind}", False))
        for layout in tool.layouts:
            found.setdefault(layout.pattern, (f"{tool.name} layout {layout.first.kind}", False))
    for event_tool in event_tools():
        found.setdefault(event_tool.find, (f"{event_tool.name} find", True))
        found.setdefault(event_tool.find_common, (f"{event_tool.name} find_common", True))
        found.setdefault(event_tool.torn, (f"{event_tool.name} torn", False))
        found.setdefault(event_tool.continuation, (f"{event_tool.name} continuation", False))
    return {f"{name} {number}": Used(pattern, how) for number, (pattern, (name, how)) in enumerate(found.items())}


def _patterns_in(value: object) -> Iterator[Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, list | tuple | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _patterns_in(one)


PATTERNS = patterns()
SHORT, LONG = 500, 4_000
TOLD = 0.001  # seconds below which nothing at `LONG` is quadratic: eight million steps take many times as long
SLOW = 24  # 8 times the length takes 8 times as long where time is linear, 64 times where it is quadratic
ATTEMPTS = 3  # a machine may be busy, and seem slow, once


def seconds(used: Used, text: Any) -> float:
    """The least of five, of this process alone."""
    taken = []
    for _ in range(5):
        started = time.process_time()
        used.pattern.fullmatch(text)
        if used.anywhere:
            used.pattern.search(text)
        taken.append(time.process_time() - started)
        if not TOLD < taken[-1] < 100 * TOLD:
            break
    return min(taken)


def is_slow(used: Used, before: Any, filler: Any, behind: Any) -> bool:
    """Whether 8 times the length takes more than `SLOW` times as long, each time that it is tried."""
    for _ in range(ATTEMPTS):
        taken = seconds(used, before + filler * LONG + behind)
        if taken < TOLD or taken < SLOW * seconds(used, before + filler * SHORT + behind):
            return False
    return True


# What a character class that a test wants a member of is asked for first.
_MEMBERS = {_constants.CATEGORY_DIGIT: "1", _constants.CATEGORY_SPACE: " "}
_FILLERS = (" ", "0", "a", "a ", '"', "<", "&", "\\", "a.", "1:", "-", "=", "A")


def example(tree: Iterable[tuple[Any, Any]]) -> str:
    """A text that a parsed pattern begins to match, or nearly: the first of each choice, each repetition once."""
    return "".join(_example(kind, value) for kind, value in tree)


def _example(kind: Any, value: Any) -> str:
    match str(kind):
        case "LITERAL":
            return chr(value)
        case "IN":
            first, member = value[0]
            return _member(str(first), member)
        case "MAX_REPEAT" | "MIN_REPEAT" | "POSSESSIVE_REPEAT":
            return example(value[2]) * min(max(value[0], 1), 4)
        case "SUBPATTERN":
            return example(value[3])
        case "ATOMIC_GROUP":
            return example(value)
        case "BRANCH":
            return example(value[1][0])
        case "NOT_LITERAL" | "ANY":
            return "a"
    return ""


def _member(kind: str, value: Any) -> str:
    return chr(value) if kind == "LITERAL" else chr(value[0]) if kind == "RANGE" else _MEMBERS.get(value, "a")


@pytest.mark.parametrize("name", PATTERNS)
def test_no_pattern_is_slow_on_a_long_repetition(name: str) -> None:
    """What matches, cut anywhere and followed by one of its characters, a blank, a digit … a thousand times over."""
    used = PATTERNS[name]
    code = used.pattern.pattern
    text = example(_parser.parse(code, used.pattern.flags))[:60]
    typed = str.encode if isinstance(code, bytes) else str
    for at in range(len(text) + 1):
        for filler in dict.fromkeys((*_FILLERS, *({text[at - 1 : at], text[max(0, at - 2) : at]} - {""}))):
            assert not is_slow(used, typed(text[:at]), typed(filler), typed("\0")), (text[:at], filler)


def test_the_measure_tells_quadratic_from_linear() -> None:
    assert is_slow(Used(re.compile(r"\s+$"), anywhere=True), "", " ", "x")
    assert is_slow(Used(re.compile(r"\s*a?\s*b"), anywhere=False), "", " ", "")
    assert not is_slow(Used(re.compile(r"a{1,200}c"), anywhere=True), "", "a", "")
    assert not is_slow(Used(re.compile(r'(?:[^"]++)*+"'), anywhere=False), "", "a", "")


def test_patterns_of_all_kinds_are_found() -> None:
    names = " ".join(PATTERNS)
    for part in (
        "context.document.",
        "markup.",
        "shell.",
        "prefixes.",
        "normalize.",
        "notebook.",
        "names.",
        "study.",
        "tools.wrk.",
        "gctrace find",
    ):
        assert part in names


@pytest.mark.parametrize(
    "unit",
    ["\n", "# h\n", "- i\n", "> ", "  - a\n", "| ", "```\n", "$ GOGC=1 ./s &\n", '{"a": [', "gc 1 @\n", "<div>", "\r",
     "Running 1s test @ http://a/\n", "Requests/sec: 1\n", "a=1 ", "-c1 ", "$ wrk -c1 ", "\\\n", "&amp;", "SCHED 0ms: ", "+"],
)  # fmt: skip
def test_no_text_is_slow_to_read(unit: str) -> None:
    def cost(count: int) -> float:
        reader = SourceParser("x.log")
        data = (unit * count).encode()
        started = time.process_time()
        for _ in chain(reader.feed(data), reader.finish()):
            pass
        return time.process_time() - started

    assert any(cost(4_000) < SLOW * max(cost(500), 0.005) for _ in range(ATTEMPTS))
