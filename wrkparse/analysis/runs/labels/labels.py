"""Values of labels as text, their order, and which labels differ between runs."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Iterator, Mapping

import pandas as pd

from wrkparse.tools import schema

# Go's GOMEMLIMIT has the units B, KiB, MiB, GiB and TiB (package runtime); systemd and docker write K, M, G or KB, MB,
# GB for the same powers of 1024. A letter alone may be a name (`1G` and `5G`), and its order is the same.
_BYTES = {f"{prefix}{unit}": 2**power for prefix, power in (("k", 10), ("m", 20), ("g", 30), ("t", 40))
          for unit in ("", "b", "ib")} | {"b": 1}  # fmt: skip
_MEMORY = re.compile(r"(?P<number>[0-9]+(?:\.[0-9]+)?) ?(?P<unit>[KMGTkmgt]?i?[Bb]|[KMGTkmgt])")  # "256MiB", "4 GB"
# "64k" in "/64k", "10" in "v10"; in "4keys" the k is no unit.
_NUMBER_IN_TEXT = re.compile(r"(?P<number>[0-9]{1,15})(?:(?P<unit>[KMGTkmgt])(?:i?[Bb])?(?![A-Za-z0-9]))?")
INPUT = "input"  # the label that says which of several inputs a run is from
TITLE = "title"  # the line above a run as it is; what it tells is in other labels


def label_text(value: object) -> str | None:
    """A label's value as text: ``36``, ``0.5``, ``off``; None if it is missing."""
    return None if value is pd.NA else schema.label_text(value)


# Whether it is missing, whether it is text, the size of a number, the parts of a text, and the value itself.
Order = tuple[bool, bool, float, tuple[tuple[str, int], ...], str]


def natural_order(value: str | None) -> Order:
    """The sort key of a label's value: numbers by size, then text, then missing values.

    Amounts of memory such as ``256MiB`` are numbers of bytes. Of text that has numbers these are ordered by size, too:
    ``/4k`` before ``/64k`` and ``/1m``, ``go 1.9`` before ``go 1.10``.
    """
    size = _size(value or "")
    chunks = () if size is not None else tuple(_chunks(value or ""))
    return value is None, size is None, size or 0.0, chunks, value or ""


def _chunks(text: str) -> Iterator[tuple[str, int]]:
    """The parts of a text, each with the number behind it; 0 behind the last."""
    at = 0
    for match in _NUMBER_IN_TEXT.finditer(text):
        unit = (match["unit"] or "b").lower()
        yield text[at : match.start()], int(match["number"]) * _BYTES[unit]
        at = match.end()
    yield text[at:], 0


def differ_in_numbers(values: Iterable[str | None]) -> bool:
    """Whether texts are the same but for their numbers: ``v1``, ``v2`` and ``v10``; ``buf-4k`` and ``buf-64k``."""
    chunks = [tuple(_chunks(value or "")) for value in values]
    return len({tuple(text for text, _ in chunk) for chunk in chunks}) == 1 < len(chunks[0])


def has_size(value: str | None) -> bool:
    """Whether `natural_order` orders a label's value by size: ``64``, ``0.5``, ``256MiB``."""
    return value is not None and _size(value) is not None


def _size(text: str) -> float | None:
    """A number, or an amount of memory in bytes; None for other text, also for ``nan`` and ``inf``."""
    number, factor = text, 1
    if amount := _MEMORY.fullmatch(text):
        number, factor = amount["number"], _BYTES[amount["unit"].lower()]
    try:
        size = float(number) * factor
    except ValueError:
        return None
    return size if math.isfinite(size) else None


def differing_labels(runs: Iterable[Mapping[str, str | None]]) -> list[str]:
    """The keys of the labels whose values differ; `runs` are the labels of each run, all with the same keys."""
    listed = list(runs)
    return [key for key in (listed[0] if listed else ()) if len({labels[key] for labels in listed}) > 1]


def without_repeated_environment(keys: Iterable[str], others: Iterable[str] = ()) -> list[str]:
    """The keys without those that repeat another: ``env_GOGC`` where `keys` or `others` has ``gogc``."""
    listed = list(keys)
    return [key for key in listed if key.removeprefix("env_").lower() not in {*listed, *others}.difference([key])]


def varying_labels(runs: Iterable[Mapping[str, str | None]]) -> list[str]:
    """`differing_labels` without those that repeat another."""
    return without_repeated_environment(key for key in differing_labels(runs) if key != TITLE)
