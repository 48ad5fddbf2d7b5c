"""Logs spliced from lines of all samples, and torn, for the target `pieces`: many more a second than with coverage.

scripts/fuzz spliced 600          # ten minutes
scripts/fuzz spliced 5000 200     # the inputs 5000 to 5199: each is made from its number
scripts/fuzz pieces FILE          # a finding again
"""

from __future__ import annotations

import contextlib
import math
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path

import targets

ROOT = Path(__file__).resolve().parents[2]
FOUND = Path(os.environ.get("WRKPARSE_FUZZ_FOUND", ROOT / "build" / "fuzz"))
_MOST_PARTS = 4  # of different samples in an input
_MOST_LINES = 14  # of one sample, one after the other
_LONGEST = (200, 400, 800, 2_000)  # bytes of an input: many short ones are read in the time of a long one
_PREFIXES = (
    b"",
    b"",
    b"",
    b"> ",
    b"# ",
    b"app-1  | ",
    b"2026-11-20T10:00:01.5Z stderr F ",
    b"Nov 20 11:38:21 h s[7]: ",
)
_HEADS = (
    b"",
    b"",
    b"## kiwi\n",
    b"```\n",
    b"$ wrk -t2 -c8 http://h/\n",
    b"$ GOGC=50 ./emu\n",
    b"<pre>\n",
    b"\n",
    b'<testcase name="kiwi"><system-out><![CDATA[',
)


def main() -> None:
    """Try logs for so many seconds, or so many logs from a number on. What differs is kept in build/fuzz."""
    if len(sys.argv) > 2:
        first, last, end = int(sys.argv[1]), int(sys.argv[1]) + int(sys.argv[2]), math.inf
    else:
        seconds = int(sys.argv[1]) if len(sys.argv) > 1 else 60
        first, last, end = time.time_ns() // 1000, math.inf, time.monotonic() + seconds
    for ending in (signal.SIGINT, signal.SIGTERM):  # a shell's background process ignores the first
        signal.signal(ending, signal.default_int_handler)
    FOUND.mkdir(parents=True, exist_ok=True)
    samples = [seed.splitlines(keepends=True) for seed in targets.seeds("text")]
    words = targets.words()
    number, size, wrong = first, 0, 0
    with contextlib.suppress(KeyboardInterrupt):  # what was tried counts
        while number < last and time.monotonic() < end:
            data = spliced(number, samples, words)
            try:
                targets.pieces(data)
            except Exception as error:  # noqa: BLE001 - any exception is a finding
                wrong += 1
                path = FOUND / f"spliced-{number}"
                path.write_bytes(data)
                print(f"{path}: {type(error).__name__}: {str(error)[:400]}", file=sys.stderr)
            number, size = number + 1, size + len(data)
    print(f"{number - first:,} inputs, {size:,} bytes, {time.process_time():.0f} s of CPU, {wrong} findings")
    sys.exit(min(wrong, 1))


def spliced(number: int, samples: list[list[bytes]], words: list[bytes]) -> bytes:
    """The input of a number: two bytes that say how it is read, and a log."""
    chance = random.Random(number)
    lines: list[bytes] = []
    for _ in range(chance.randint(1, _MOST_PARTS)):
        sample = chance.choice(samples)
        start = chance.randrange(len(sample))
        prefix = chance.choice(_PREFIXES)
        lines.append(chance.choice(_HEADS))
        lines += [prefix + line for line in sample[start : start + chance.randint(1, _MOST_LINES)]]
    for _ in range(chance.choice((0, 0, 1, 1, 2, 4))):
        chance.choice(_CHANGES)(chance, lines, words)
    return bytes([chance.randrange(256), chance.randrange(256)]) + b"".join(lines)[: chance.choice(_LONGEST)]


def _tear(chance: random.Random, lines: list[bytes], words: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    place = chance.randint(0, len(lines[at]))
    lines[at] = lines[at][:place] + chance.choice((b"\n", b"", b" ", b"\r\n", b"\r")) + lines[at][place:]


def _cut(chance: random.Random, lines: list[bytes], words: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    lines[at] = lines[at][: chance.randint(0, len(lines[at]))]


def _drop(chance: random.Random, lines: list[bytes], words: list[bytes]) -> None:
    del lines[chance.randrange(len(lines))]
    lines.append(b"")


def _repeat(chance: random.Random, lines: list[bytes], words: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    lines[at:at] = lines[at : at + chance.randint(1, 3)]


def _move(chance: random.Random, lines: list[bytes], words: list[bytes]) -> None:
    lines.insert(chance.randrange(len(lines)), lines.pop(chance.randrange(len(lines))))


def _insert(chance: random.Random, lines: list[bytes], words: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    place = chance.randint(0, len(lines[at]))
    lines[at] = lines[at][:place] + chance.choice(words) + lines[at][place:]


def _flip(chance: random.Random, lines: list[bytes], words: list[bytes]) -> None:
    at = chance.randrange(len(lines))
    if lines[at]:
        place = chance.randrange(len(lines[at]))
        lines[at] = lines[at][:place] + bytes([chance.randrange(256)]) + lines[at][place + 1 :]


_CHANGES: tuple[Callable[[random.Random, list[bytes], list[bytes]], None], ...] = (
    _tear, _tear, _cut, _drop, _repeat, _move, _insert, _flip,
)  # fmt: skip


if __name__ == "__main__":
    main()
