"""Damaged logs, made from sound ones with a fixed seed: the damage that terminals, pages and collectors do."""

from __future__ import annotations

import json
import random
import textwrap
from collections.abc import Callable, Iterator

_Damage = Callable[[list[str], random.Random], list[str]]

_APPLICATION = (
    "2026/11/20 11:38:20 server.go:120: [worker 3] reading queue 7 failed: connection reset, retry 2",
    'level=info worker=3 status=200 took=15ms msg="order 18 done"',
    '{"time":"2026-11-20T11:38:20Z","level":"info","msg":"stored in 15ms","n":17}',
    "worker 3: page 99 of cache answered 200 in 12.5ms, 1.2kB",
)


def _cut_lines(lines: list[str], rng: random.Random) -> list[str]:
    return [line[: rng.randrange(len(line) + 1)] if rng.random() < 0.1 else line for line in lines]


def _end_early(lines: list[str], rng: random.Random) -> list[str]:
    return lines[: rng.randrange(1, len(lines) + 1)]


def _wrap(width: int, *, words: bool) -> _Damage:
    def wrap(lines: list[str], _: random.Random) -> list[str]:
        if words:
            return [piece for line in lines for piece in textwrap.wrap(line, width, drop_whitespace=False) or [""]]
        return [line[at : at + width] for line in lines for at in range(0, max(len(line), 1), width)]

    return wrap


def _in_front(text: str) -> _Damage:
    return lambda lines, _: [text + line for line in lines]


def _with_application_lines(lines: list[str], rng: random.Random) -> list[str]:
    return [some for line in lines for some in (*rng.choices(_APPLICATION, k=rng.randrange(3)), line)]


def _torn(lines: list[str], rng: random.Random) -> list[str]:
    """Another program writes in the middle of a line, as both write without a lock."""
    found: list[str] = []
    for line in lines:
        at = rng.randrange(len(line) + 1)
        found += [line[:at] + rng.choice(_APPLICATION), line[at:]] if rng.random() < 0.05 else [line]
    return found


def _flip(lines: list[str], rng: random.Random) -> list[str]:
    """Single characters are lost, doubled or replaced."""
    found: list[str] = []
    for line in lines:
        text = line
        if text and rng.random() < 0.1:
            at = rng.randrange(len(text))
            text = text[:at] + rng.choice(("", text[at] * 2, "x", "\u00a0", ",")) + text[at + 1 :]
        found.append(text)
    return found


def _shuffle(lines: list[str], rng: random.Random) -> list[str]:
    found = lines.copy()
    for _ in range(len(found) // 10):
        at = rng.randrange(len(found) - 1) if len(found) > 1 else 0
        found[at : at + 2] = reversed(found[at : at + 2])
    return found


def _double_spaced(lines: list[str], _: random.Random) -> list[str]:
    """An empty line behind each, as a mail program or a Windows pipe leaves them."""
    return [some for line in lines for some in (line, "")]


def _torn_double_spaced(lines: list[str], rng: random.Random) -> list[str]:
    return _double_spaced(_torn(lines, rng), rng)


def _docker(lines: list[str], _: random.Random) -> list[str]:
    return [json.dumps({"log": line + "\n", "stream": "stdout", "time": "2026-11-20T11:38:20.1Z"}) for line in lines]


def _kubernetes(lines: list[str], rng: random.Random) -> list[str]:
    found: list[str] = []
    for number, line in enumerate(lines):
        front = f"2026-11-20T11:{number // 60 % 60:02d}:{number % 60:02d}.000000001Z stderr"
        at = rng.randrange(len(line) + 1)
        found += [f"{front} P {line[:at]}", f"{front} F {line[at:]}"] if rng.random() < 0.05 else [f"{front} F {line}"]
    return found


def _compose(lines: list[str], rng: random.Random) -> list[str]:
    """Two services in turn."""
    first, second = (iter([f"{name}  | {line}" for line in lines]) for name in ("web-1", "api-1"))
    return [line for _ in range(2 * len(lines)) if (line := next(rng.choice((first, second)), None)) is not None]


def _doubled(lines: list[str], rng: random.Random) -> list[str]:
    """Two copies in turn, with nothing in front."""
    first, second = iter(lines), iter(lines)
    return [line for _ in range(2 * len(lines)) if (line := next(rng.choice((first, second)), None)) is not None]


DAMAGES: dict[str, _Damage] = {
    "sound": lambda lines, _: lines,
    "cut-lines": _cut_lines,
    "end-early": _end_early,
    "wrap-66": _wrap(66, words=False),
    "wrap-words-72": _wrap(72, words=True),
    "wrap-40": _wrap(40, words=False),
    "quoted": _in_front("> "),
    "commented": _in_front("# "),
    "indented": _in_front("    "),
    "diff": _in_front("+"),
    "stamped": _in_front("2026-11-20T11:38:20.123456789Z stderr F "),
    "syslog": _in_front("Nov 20 11:38:20 host app[812]: "),
    "application-lines": _with_application_lines,
    "torn": _torn,
    "double-spaced": _double_spaced,
    "torn-double-spaced": _torn_double_spaced,
    "flipped": _flip,
    "shuffled": _shuffle,
    "docker": _docker,
    "kubernetes": _kubernetes,
    "compose": _compose,
    "doubled": _doubled,
}


def damaged(texts: dict[str, str], seed: int = 1) -> Iterator[tuple[str, str]]:
    """Each damage done to each text, by name; line ends of both kinds."""
    for name, text in texts.items():
        for kind, damage in DAMAGES.items():
            rng = random.Random(f"{seed} {name} {kind}")
            lines = damage(text.splitlines(), rng)
            end = rng.choice(("\n", "\n", "\r\n"))
            yield f"damaged/{kind}/{name}", end.join(lines) + rng.choice((end, ""))
