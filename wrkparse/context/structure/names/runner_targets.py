"""Removes the words of a task runner around the names of its targets: ``bench:kiwi``, ``> Task :kiwi:bench``.

make prints ``make bench-kiwi``, just ``just bench kiwi``, npm ``suite@1.0.0 bench:kiwi``, Task ``task: [bench:kiwi]``,
nox ``Running session bench-kiwi``, Gradle ``Task :kiwi:bench``; a comment says ``npm run kiwi``. The words are removed
only if all names have them.
"""

from __future__ import annotations

import re
from collections.abc import Collection

_BENCHMARK = "bench(?:mark)?s?|load-?test|perf"
# "make bench-", "npm run ", "suite@1.0.0 bench:", "Task :", "[bench:": each part may be missing
_FRONT = re.compile(
    rf"(?:(?:g?make|just|mage|rake|(?:npm|pnpm|yarn|bun)\srun)\s)?(?:[\w./-]{{1,60}}@[0-9][\w.+-]{{0,20}}\s)?(?:task\s)?(?::|\[(?=[^\]]{{1,90}}\]\Z))?(?:(?:{_BENCHMARK}|test|run):|(?:{_BENCHMARK})[-_/\s])?",
    re.IGNORECASE,
)
# ":bench", "]", "-perf"
_END = re.compile(rf"(?:\]|:(?:{_BENCHMARK}|test|run)|[-_](?:{_BENCHMARK}))?\Z", re.IGNORECASE)


def without_runner(names: Collection[str]) -> dict[str, str]:
    """A form of each name without the words of a runner at its ends; the names themselves if not all have these."""
    own = {name: name for name in names}
    for pattern in (_FRONT, _END):
        found = {name: pattern.search(rest) for name, rest in own.items()}
        words = {match[0].casefold() if match else "" for match in found.values()}
        left = {name: rest[: m.start()] + rest[m.end() :] if (m := found[name]) else rest for name, rest in own.items()}
        if len(words) == 1 < len(own) and all(any(map(str.isalpha, rest)) for rest in left.values()):
            own = left
    return own
