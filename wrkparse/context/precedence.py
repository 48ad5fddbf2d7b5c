"""Which of several sayings about one run holds, and in which form they are compared."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping, Sequence
from decimal import Decimal
from typing import NamedTuple
from urllib.parse import urlsplit

from wrkparse.model.records import Label
from wrkparse.tools.schema import typed_label

# Strongest first.
ORIGINS = ("cli", "file", "report", "env", "flag", "prefix", "heading", "path")
_STRENGTH = {origin: len(ORIGINS) - index for index, origin in enumerate(ORIGINS)}
_WHOLE = frozenset({"cores", "threads", "connections", "payload_bytes"})
_NUMERIC = _WHOLE | {"duration_s", "rate"}


class Order(NamedTuple):
    """What becomes of labels, whatever their lines are: the columns of their normal form, who wins, who is overruled.

    ``held`` has the values that hold by their keys, ``typed`` has them as their columns do: None for what is no number
    where one belongs. ``details`` are those of these keys that are flags and variables.
    ``again`` if one says what another one says too.
    """

    keys: tuple[str, ...]
    values: tuple[str, ...]
    origins: tuple[str, ...]
    winners: dict[str, int]
    overruled: tuple[bool, ...]
    conflicts: tuple[tuple[int, int], ...]
    held: dict[str, str]
    typed: dict[str, object]
    details: tuple[str, ...]
    again: bool


class Verdict(NamedTuple):
    """Which labels hold."""

    order: Order
    lines: Sequence[int | None]

    @property
    def winners(self) -> dict[str, Label]:
        """Those that hold, by key."""
        return {key: self._label(at) for key, at in self.order.winners.items()}

    @property
    def said(self) -> tuple[Sequence[str], Sequence[str], Sequence[str], Sequence[int | None], Sequence[bool]]:
        """All labels as columns: keys, values, origins, lines, and whether they are overruled."""
        return self.order.keys, self.order.values, self.order.origins, self.lines, self.order.overruled

    @property
    def conflicts(self) -> list[tuple[Label, Label]]:
        """Who contradicts whom: the one that holds and the other."""
        return [(self._label(held), self._label(other)) for held, other in self.order.conflicts]

    def line_of(self, key: str) -> int | None:
        """The line of the label that holds."""
        return self.lines[self.order.winners[key]]

    def _label(self, at: int) -> Label:
        return Label(self.order.keys[at], self.order.values[at], self.order.origins[at], self.lines[at])


def resolve(labels: Iterable[Label]) -> Verdict:
    """Let the strongest origin win; of one origin, what was said last, which stands nearest to the run."""
    columns = tuple(zip(*labels, strict=True)) or ((), (), (), ())
    order = _order(*columns[:3])
    lines: Sequence[int | None] = columns[3]
    if order.again:  # of those that say so in the same line, one is enough
        unique = dict.fromkeys(zip(order.keys, order.values, order.origins, lines, strict=True))
        *said, lines = zip(*unique, strict=True)
        order = _order(*said)
    return Verdict(order, lines)


@functools.lru_cache(maxsize=1024)  # of many runs most labels are the same
def _order(keys: tuple[str, ...], values: tuple[str, ...], origins: tuple[str, ...]) -> Order:
    normal = [(*_compared(*said), origin) for *said, origin in zip(keys, values, origins, strict=True)]
    winners: dict[str, int] = {}
    for index, (key, _, origin) in enumerate(normal):
        held = winners.get(key)
        if held is None or _STRENGTH[origin] >= _STRENGTH[normal[held][2]]:
            winners[key] = index
    overruled = tuple(value != normal[winners[key]][1] for key, value, _ in normal)
    conflicts = tuple(
        (winners[key], index)
        for index, (key, _, origin) in enumerate(normal)
        if overruled[index] and origin != normal[winners[key]][2]
    )
    keys, values = tuple([key for key, _, _ in normal]), tuple([value for _, value, _ in normal])
    holding = {key: values[at] for key, at in winners.items()}
    typed: dict[str, object] = {key: typed_label(key, value) for key, value in holding.items()}
    details = tuple(key for key in winners if key.startswith(("flag_", "env_")))
    again = len(set(normal)) < len(normal)
    return Order(keys, values, origins, winners, overruled, conflicts, holding, typed, details, again)


def strongest(key: str, labels: Iterable[Label]) -> Label | None:
    """The label of one key that `resolve` would let win."""
    said = [label for label in labels if label.key == key]
    if len(said) == 1:
        return said[0]
    return max(reversed(said), key=lambda label: _STRENGTH[label.origin], default=None)


@functools.lru_cache(maxsize=4096)  # of many runs most labels are the same
def _compared(key: str, value: str) -> tuple[str, str]:
    key = canonical_key(key)
    return key, normalize(key, value)


_MULTIPLIERS = {"": 1, "k": 1000, "m": 10**6, "g": 10**9}
_FACTORS = {
    **dict.fromkeys(("cores", "threads", "connections", "rate"), _MULTIPLIERS),
    "duration_s": {"": 1, "s": 1, "m": 60, "h": 3600},
    "payload_bytes": {"": 1, "b": 1},  # of "1k" nobody says whether it is 1000 or 1024
}
_SCALED = re.compile(r"([0-9]{1,15}(?:\.[0-9]{0,9})?(?:e\+?[0-9])?)([a-z]?)", re.IGNORECASE)


def normalize(key: str, value: str) -> str:
    """A value in the form in which its key is compared: ``-c 1k`` → 1000, ``-d 1m`` → 60, ``GOGC=OFF`` → off.

    What can't be read as a number where one belongs stays as it is: it is told when the table is made.
    """
    value = value.strip()
    if key == "gogc":
        return "off" if value.lower() == "off" or value.startswith("-") else value
    number = _scaled(key, value)
    return value if number is None else f"{number.normalize():f}"


def is_number(key: str, value: str) -> bool:
    """Whether a value can be one of its key; keys that aren't numbers take any."""
    return key not in _NUMERIC or possible(key, value)


def _scaled(key: str, value: str) -> Decimal | None:
    match = _SCALED.fullmatch(value.strip()) if key in _FACTORS else None
    factor = _FACTORS[key].get(match[2].lower()) if match else None
    return Decimal(match[1]) * factor if match and factor else None


@functools.lru_cache(maxsize=1024)
def of_url(url: str) -> Mapping[str, str]:
    """Host, port and path of a URL; nothing where it can't be split. A URL without a path asks for ``/``."""
    try:
        parts = urlsplit(url if "://" in url else f"http://{url}")
        port = parts.port or {"http": 80, "https": 443}.get(parts.scheme)
    except ValueError:
        return {}
    if not parts.hostname:
        return {}
    path = parts.path or "/"
    found = {"host": parts.hostname, "path": f"{path}?{parts.query}" if parts.query else path}
    return found | ({"port": str(port)} if port else {})


def canonical_key(key: str) -> str:
    """The one spelling of a label's key, which ignores case: variables large (``env_GOGC``), all else small."""
    return f"env_{key[4:].upper()}" if key[:4].lower() == "env_" else key.lower()


@functools.lru_cache(maxsize=4096)
def possible(key: str, value: str) -> bool:
    """Whether a value can be one of its key: GOMAXPROCS=0 and ``-c <n>`` say no number."""
    if not value.strip():
        return False
    number = _scaled(key, value) if key in _NUMERIC else None
    if key in _WHOLE:
        return number is not None and number >= 1 and number == number.to_integral_value()
    return key not in _NUMERIC or (number is not None and number > 0)
