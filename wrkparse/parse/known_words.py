"""Finds words that the tools print, in a source without runs: its reports may be damaged or cut off."""

from __future__ import annotations

import re
from typing import NamedTuple


class KnownWords(NamedTuple):
    """A line with words of a tool: its number, counted from 1, the tool, and the words."""

    line: int
    tool: str
    words: str


_WORDS = {
    "wrk": (
        r"Latency Distribution|Thread (?:Stats|calibration)|[Rr]equests/sec|Req/Sec|requests in [0-9]"
        r"|\bwrk2? -[a-zA-Z] ?[0-9]+|^[ \t]*[0-9]{2,3}(?:\.[0-9]+)?%[ \t]+[0-9.]+(?:us|ms|s|m|h)$"
    ),
    "ab": (
        r"Connection Times|Percentage of the requests|ApacheBench|Requests per second|Time per request"
        r"|\bab -[a-zA-Z] ?[0-9]+|^apr_\w+:|^Total of [0-9]+ requests completed"
        r"|^[ \t]*[0-9]{2,3}%[ \t]+[0-9]+$"
    ),
    "gctrace": r"\bgc [0-9]+ @|ms clock|ms cpu|MB goal|gctrace",
    "schedtrace": r"SCHED [0-9]+ms|gomaxprocs=|idleprocs=|runqueue=|schedtrace",
    "time": r"^(?:real|user|sys)\s+[0-9][0-9.]*(?:m[0-9.]+)?s?$|[0-9]user\b|Maximum resident set|[0-9]u [0-9.]+s\b",
    "siege": (
        r"\*\* SIEGE [0-9]|server is now under siege|Lifting the server siege"
        r"|[0-9]{1,6}\.[0-9]{1,6} secs:[ \t]{1,20}[0-9]{1,15} bytes ==>"
    ),
    "k6": r"[0-9]{1,12} interrupted iterations",
    "vegeta": r"\[total, rate(?:, throughput)?\]",
}
_ANY_WORDS = re.compile("|".join(f"(?P<{tool}>{words})" for tool, words in _WORDS.items()), re.MULTILINE)


def find_known_words(text: str) -> KnownWords | None:
    """The first line of a text with words of a tool; None if there is none."""
    found = _ANY_WORDS.search(text)
    return found and KnownWords(text.count("\n", 0, found.start()) + 1, str(found.lastgroup), found[0].strip())
