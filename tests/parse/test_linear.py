"""Nothing takes more than linear time, whatever it is tried on: input may be made to be slow."""

from __future__ import annotations

import functools
import importlib
import pkgutil
import re
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from types import ModuleType

import pytest

import wrkparse
from wrkparse.parse.parser import SourceParser
from wrkparse.testing.linear import ATTEMPTS, SLOW, Pattern, UsedPattern, is_slow, slow_texts
from wrkparse.tools import event_tools, report_tools


def modules() -> Iterator[ModuleType]:
    for found in pkgutil.walk_packages(wrkparse.__path__, "wrkparse."):
        if not found.name.endswith(("__main__", "._bytes")):  # what is compiled has no patterns, nor a text
            yield importlib.import_module(found.name)


@functools.cache
def patterns() -> dict[str, UsedPattern]:
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
    return {
        f"{name} {number}": UsedPattern(pattern, how) for number, (pattern, (name, how)) in enumerate(found.items())
    }


def _patterns_in(value: object) -> Iterator[Pattern]:
    if isinstance(value, re.Pattern):
        yield value
    elif isinstance(value, list | tuple | dict):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _patterns_in(one)


SHARES = 12


@pytest.mark.parametrize("share", range(SHARES))
def test_no_pattern_is_slow_on_a_long_repetition(share: int) -> None:
    """Each of nine hundred patterns as a test of its own took longer to set up and to report than to try."""
    names = sorted(patterns())[share::SHARES]
    assert names
    assert {name: slow for name in names if (slow := list(slow_texts(patterns()[name])))} == {}


def test_the_measure_tells_quadratic_from_linear() -> None:
    assert is_slow(UsedPattern(re.compile(r"\s+$"), anywhere=True), "", " ", "x")
    assert is_slow(UsedPattern(re.compile(r"\s*a?\s*b"), anywhere=False), "", " ", "")
    assert not is_slow(UsedPattern(re.compile(r"a{1,200}c"), anywhere=True), "", "a", "")
    assert not is_slow(UsedPattern(re.compile(r'(?:[^"]++)*+"'), anywhere=False), "", "a", "")


@pytest.mark.parametrize(
    ("pattern", "slow"),
    [
        (r"x: (?:(?:avg|min)=\S{1,40} ?)+", True),  # avg=aavg=a is one part or two
        (r"x: (?:(?:avg|min)=\S{1,40} )+", False),
        (r"x: (?:a+)+b", True),
    ],
)
def test_a_repetition_that_divides_in_many_ways_is_found(pattern: str, slow: bool) -> None:
    assert bool(next(slow_texts(UsedPattern(re.compile(pattern), anywhere=False)), None)) is slow


def test_patterns_of_all_kinds_are_found() -> None:
    names = " ".join(patterns())
    for part in (
        "context.page.document.",
        "markup.",
        "shell.",
        "prefixes.",
        "normalize.",
        "notebook.",
        "recording.",
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
