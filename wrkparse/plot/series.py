"""Which series there are, what they are called, and which look each has in every panel of a figure."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import pandas as pd

from wrkparse.analysis.runs.labels import label_text, natural_order
from wrkparse.plot.palette import Look, look
from wrkparse.text.escape import printable

_LONGEST = 30  # of a name, in columns of a terminal


def keys(names: str | Sequence[str] | None) -> list[str]:
    """``"framework,path"`` or a sequence → names of labels."""
    listed = names.split(",") if isinstance(names, str) else names or ()
    return list(dict.fromkeys(name.strip() for name in listed if name.strip()))


def texts(row: Mapping[Any, Any], names: Iterable[str]) -> tuple[str | None, ...]:
    """The labels of a row as they are written."""
    return tuple(label_text(row[name]) for name in names)


def ordered(values: Iterable[tuple[str | None, ...]]) -> list[tuple[str | None, ...]]:
    """Each once: numbers by size, then words, then what has no label."""
    return sorted(set(values), key=lambda value: [natural_order(part) for part in value])


def looks(values: Iterable[tuple[str | None, ...]]) -> dict[tuple[str | None, ...], Look]:
    """A look for each series, the same wherever it is drawn."""
    return {value: look(slot) for slot, value in enumerate(ordered(values))}


def groups(frame: pd.DataFrame, names: Sequence[str]) -> dict[tuple[str | None, ...], pd.DataFrame]:
    """The rows of each combination of labels, ordered."""
    places: dict[tuple[str | None, ...], list[int]] = {}
    for at, row in enumerate(frame[list(names)].to_dict("records")):
        places.setdefault(texts(row, names), []).append(at)
    return {value: frame.iloc[places[value]] for value in ordered(places)}


def name(value: Iterable[str | None], missing: str = "(none)") -> str:
    """What a series is called beside its line; long names are cut, with an ellipsis."""
    parts = list(value)
    known = [part for part in parts if part is not None]
    return short(", ".join(known)) if known else missing if parts else "all runs"


def named(names: Sequence[str], value: Sequence[str | None]) -> str:
    """Labels with their keys where a value alone would say nothing: ``go, connections 5,000``, ``go, GOGC off``."""
    parts = [
        f"{called(key)} {_count(key, part)}" if _is_number(part) or part in _SWITCHES else part
        for key, part in zip(names, value, strict=True)
        if part is not None
    ]
    return ", ".join(short(part) for part in parts)


def called(key: str) -> str:
    """A label's key in words: ``payload bytes``, ``GOGC``."""
    return key.upper() if key in _VARIABLES else key.replace("_", " ")


def _count(key: str, part: str) -> str:
    """A count as the numbers of axes are written: ``10,000``; a port or a version is none."""
    return f"{int(part):,}" if key in _COUNTED and part.isdecimal() else part


def quantity(metric: str, unit: str) -> str:
    """A metric's column as a title: ``Throughput, requests per second``."""
    known = {"throughput": "Throughput, requests per second", "transfer_rate": "Transfer rate, bytes per second"}
    suffix = {"1/s": "_per_s", "s": "_s", "bytes": "_bytes", "bytes/s": "_bytes_per_s", "ratio": "_ratio"}.get(unit, "")
    plain = metric.removesuffix(suffix)
    words = plain.replace("_", " ")
    return known.get(plain, words[:1].upper() + words[1:] + (" per second" if unit == "1/s" else ""))


_VARIABLES = {"gogc", "gomemlimit"}  # of the environment
_COUNTED = {"connections", "threads", "cores", "payload_bytes"}
_SWITCHES = {"off", "on", "true", "false", "yes", "no"}


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def distinct(texts: Sequence[str], longest: int = _LONGEST) -> list[str]:
    """Each text in so many columns, cut at its end; in the middle where that would make two of them alike."""
    cut = [short(text, longest) for text in texts]
    if len(set(cut)) == len(set(texts)):
        return cut
    kept = longest // 2
    return [
        text if text == whole else short(whole, kept) + whole[kept - longest :].lstrip()
        for text, whole in zip(cut, texts, strict=True)
    ]


def short(text: str, longest: int = _LONGEST) -> str:
    """Text of at most so many columns; Chinese and Japanese letters take two."""
    text = " ".join(printable(text).split())
    wide = [1 + (unicodedata.east_asian_width(letter) in "WF") for letter in text]
    if sum(wide) <= longest:
        return text
    kept = next(end for end in range(len(text), -1, -1) if sum(wide[:end]) < longest)
    return f"{text[:kept].rstrip()}…"
