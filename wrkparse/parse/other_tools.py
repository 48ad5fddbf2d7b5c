"""Finds lines that only load generators print that wrkparse does not read.

The lines are from each program's documentation and source; ``tests/tools/lookalikes.py`` has most of them.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from wrkparse.parse.prefilter import re2_finds
from wrkparse.tools.plugins import plug_ins


class OtherTool(NamedTuple):
    """A load generator, a text that it prints, and the pattern of the line with that text."""

    name: str
    sign: str
    pattern: re.Pattern[str]


def _other_tool(name: str, sign: str, pattern: str) -> OtherTool:
    return OtherTool(name, sign, re.compile(pattern))


_NUMBER = r"[0-9][0-9.,]{0,20}"
OTHER_TOOLS = (
    _other_tool("Locust", "# fails", r"# reqs[ \t]+# fails"),
    _other_tool("httperf", "conn/s", rf"Connection rate: {_NUMBER} conn/s"),
    _other_tool("boom", "Successful calls", rf"Successful calls[ \t]+{_NUMBER}"),
    _other_tool("ZeusBench", "ZeusBench", r"ZeusBench,? (?:v|Version )?[0-9]"),
    _other_tool("go-wrk", "goroutine(s)", r"[0-9]+ goroutine\(s\) running concurrently"),
    _other_tool("rewrk", "Benchmarking ", r"Benchmarking [0-9]+ connections @ "),
    _other_tool("benchcmp", "old ns/op", r"benchmark[ \t]+old ns/op[ \t]+new ns/op"),
    _other_tool("drill", "Requests per second", rf"Requests per second[ \t]+{_NUMBER} \[#/sec\]"),
    _other_tool("Artillery", "Summary report @", r"Summary report @ [0-9]"),
    _other_tool("Gatling", "Global Information", r"-{3,} Global Information -{3,}"),
    _other_tool("Nighthawk", "Nighthawk - A", r"Nighthawk - A layer 7"),
    _other_tool("cassowary", "TCP Connect...", r"TCP Connect\.{3,}: Avg"),
    _other_tool("Goose", "PER REQUEST METRICS", r"[=-]{3,} PER REQUEST METRICS"),
    _other_tool("http_load", " max parallel, ", r"[0-9] fetches, [0-9]+ max parallel, "),
    _other_tool("plow", "StdDev  ", r"Statistics[ \t]+Min[ \t]+Mean[ \t]+StdDev[ \t]+Max"),
    _other_tool("ghz", "Count:", r"[ \t]+Count:[ \t]+[0-9]+\n[ \t]+Total:[^\n]+s\n[ \t]+Slowest:"),
    _other_tool("hyperfine", "Time (mean ", rf"Time \(mean ± σ\):[ \t]+{_NUMBER}"),
    _other_tool("redis-benchmark", "requests completed in", r"[0-9] requests completed in [0-9.]+ seconds"),
    _other_tool("memtier_benchmark", "Ops/sec", r"Type[ \t]+Ops/sec[ \t]+Hits/sec"),
    _other_tool("pgbench", "scaling factor: ", r"scaling factor: [0-9]+\n"),
    _other_tool("weighttp", "weighttp", r"weighttp - a lightweight"),
    _other_tool("sysbench", "sysbench ", r"sysbench [0-9]+\.[0-9.]+ \(using "),
)


SIGN_WORDS = frozenset(tool.sign.split()[0] for tool in OTHER_TOOLS) - {"#"}
"""The first words of signs; a heading begins with #, too."""

_SIGNS = [tool.sign for tool in OTHER_TOOLS]
_ANY_SIGN = "|".join(re.escape(tool.sign).replace("\\ ", " ") for tool in OTHER_TOOLS)
_FEWEST_CHARS_FOR_RE2 = 2 << 10  # characters: RE2 takes longer to begin than one search for each text takes


def may_be_of_other_tool(text: str) -> bool:
    """Whether a text contains the sign of another tool."""
    return any(map(text.__contains__, _SIGNS))


@functools.cache
def _names_of_plug_ins() -> frozenset[str]:
    """The other tools that a plug-in reads. Its tool may have the name in small letters: ``artillery``."""
    read = {plug_in.tool.name for plug_in in plug_ins() if plug_in.tool is not None}
    return frozenset(tool.name for tool in OTHER_TOOLS if tool.name.lower() in read)


class OtherToolFinder:
    """Searches the text of one source for output of other tools, and names each tool once."""

    def __init__(self) -> None:
        self._named = set(_names_of_plug_ins())

    def find(self, text: str) -> list[tuple[int, str]]:
        """The tools, not named before, whose line is in the text: how many lines are above it, and the name."""
        is_long = len(text) > _FEWEST_CHARS_FOR_RE2
        if not (re2_finds(text.encode(), _ANY_SIGN) if is_long else may_be_of_other_tool(text)):
            return []
        found = []
        for name, sign, pattern in OTHER_TOOLS:
            at = text.find(sign) if name not in self._named else -1
            if at < 0:
                continue
            # The pattern may begin before the sign, in the same line.
            begin = text.rfind("\n", 0, at) + 1
            match = pattern.search(text, begin)
            if match:
                self._named.add(name)
                found.append((text.count("\n", 0, match.start()), name))
        return found
