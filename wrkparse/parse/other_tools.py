"""Names the load generators that wrkparse does not read, by lines that only they print.

The lines are those of each program's own documentation and source; ``tests/tools/lookalikes.py`` shows most of them.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from wrkparse.parse.prefilter import holds


class OtherTool(NamedTuple):
    """A load generator, a text that it prints, and the line with that text."""

    name: str
    text: str
    line: re.Pattern[str]


def _tool(name: str, text: str, line: str) -> OtherTool:
    return OtherTool(name, text, re.compile(line))


_N = r"[0-9][0-9.,]{0,20}"
OTHER_TOOLS = (
    _tool("Locust", "# fails", r"# reqs[ \t]+# fails"),
    _tool("httperf", "conn/s", rf"Connection rate: {_N} conn/s"),
    _tool("boom", "Successful calls", rf"Successful calls[ \t]+{_N}"),
    _tool("ZeusBench", "ZeusBench", r"ZeusBench,? (?:v|Version )?[0-9]"),
    _tool("go-wrk", "goroutine(s)", r"[0-9]+ goroutine\(s\) running concurrently"),
    _tool("rewrk", "Benchmarking ", r"Benchmarking [0-9]+ connections @ "),
    _tool("benchcmp", "old ns/op", r"benchmark[ \t]+old ns/op[ \t]+new ns/op"),
    _tool("drill", "Requests per second", rf"Requests per second[ \t]+{_N} \[#/sec\]"),
    _tool("Artillery", "Summary report @", r"Summary report @ [0-9]"),
    _tool("Gatling", "Global Information", r"-{3,} Global Information -{3,}"),
    _tool("Nighthawk", "Nighthawk - A", r"Nighthawk - A layer 7"),
    _tool("cassowary", "TCP Connect...", r"TCP Connect\.{3,}: Avg"),
    _tool("Goose", "PER REQUEST METRICS", r"[=-]{3,} PER REQUEST METRICS"),
    _tool("http_load", " max parallel, ", r"[0-9] fetches, [0-9]+ max parallel, "),
    _tool("plow", "StdDev  ", r"Statistics[ \t]+Min[ \t]+Mean[ \t]+StdDev[ \t]+Max"),
    _tool("ghz", "Count:", r"[ \t]+Count:[ \t]+[0-9]+\n[ \t]+Total:[^\n]+s\n[ \t]+Slowest:"),
    _tool("hyperfine", "Time (mean ", rf"Time \(mean ± σ\):[ \t]+{_N}"),
    _tool("redis-benchmark", "requests completed in", r"[0-9] requests completed in [0-9.]+ seconds"),
    _tool("memtier_benchmark", "Ops/sec", r"Type[ \t]+Ops/sec[ \t]+Hits/sec"),
    _tool("pgbench", "scaling factor: ", r"scaling factor: [0-9]+\n"),
    _tool("sysbench", "sysbench ", r"sysbench [0-9]+\.[0-9.]+ \(using "),
)


_TEXTS = [tool.text for tool in OTHER_TOOLS]
_ANY = "|".join(re.escape(tool.text).replace("\\ ", " ") for tool in OTHER_TOOLS)
_SHORT = 2 << 10  # characters: RE2 takes longer to begin than one search for each text takes


class OtherToolFinder:
    """Looks for the output of other tools in the text of one source; each is named once."""

    def __init__(self) -> None:
        self._named: set[str] = set()

    def find(self, text: str) -> list[tuple[int, str]]:
        """The tools that printed a line of a text and were not named before: how many lines down, and the name."""
        is_long = len(text) > _SHORT
        if not (holds(text.encode(), _ANY) if is_long else any(map(text.__contains__, _TEXTS))):
            return []
        found = []
        for name, sign, pattern in OTHER_TOOLS:
            at = text.find(sign) if name not in self._named else -1
            if at < 0:
                continue
            begin = text.rfind("\n", 0, at) + 1
            match = pattern.search(text, begin)
            if match:
                self._named.add(name)
                found.append((text.count("\n", 0, match.start()), name))
        return found
