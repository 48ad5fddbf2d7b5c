"""Which runs are compared, and in which number: metrics by their short names, labels as text, copies found."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

import pandas as pd
import pyarrow as pa

from wrkparse.dataset import Dataset, NoLabelError, QueryError, column_name
from wrkparse.model.records import Better
from wrkparse.tools import metrics

# What may differ between runs beside their labels; a comparison has to say so.
_PROVENANCE = ("tool", "tool_version", "dialect", "study")
# Shorter texts, as a shell's `time`, may come out alike twice by chance.
_SHORTEST_COPY = 4
# What tells how unsteady a metric was within a run, where it is not its own stdev.
_SPREAD_OF = {"throughput": "thread_throughput"}


class TooLittleError(ValueError):
    """There is nothing to answer from: no runs, no such number, no baseline; the message says which."""


class Choice(NamedTuple):
    """One number of a report: ``name`` as the user writes it (``throughput``, ``latency_p99``)."""

    name: str
    metric: str
    stat: str
    unit: str
    better: Better | None


@dataclass(frozen=True, slots=True)
class Chosen:
    """A run that takes part. ``labels`` are text, missing where the run has none; `where` is ``source:line``."""

    run: str
    where: str
    labels: Mapping[str, str | None]
    valid: bool | None


class Number(NamedTuple):
    """A metric of one run; `spread` is the coefficient of variation that the report states within the run."""

    value: float
    resolution: float
    spread: float


def choose_metric(dataset: Dataset, name: str) -> Choice:
    """The number that a name means: ``metric`` for its total, else ``metric_stat``; the unit may be added.

    Raises TooLittleError where no run states it, QueryError where there is no such metric.
    """
    found = dataset.sql("SELECT DISTINCT metric, stat, unit FROM measurements ORDER BY ALL")
    names: list[str] = []
    for metric, stat, unit in found.itertuples(index=False):
        short = metric if stat == "total" else f"{metric}_{stat}"
        names.append(short)
        if name in {short, column_name(metric, stat, unit)}:
            known = metrics().get(metric)
            return Choice(short, metric, stat, unit, known.better if known and known.unit == unit else None)
    alike = [short for short in names if short.startswith(f"{name}_")]
    if name in metrics() and alike:
        raise QueryError(f"metric {name} is several numbers; say which: {', '.join(alike)}")
    if any(name == known or name.startswith(f"{known}_") for known in metrics()):
        raise TooLittleError(f"no run states {name}; there are: {', '.join(names) or 'none'}")
    raise QueryError(f"there is no metric {name!r}; there are: {', '.join(names) or 'none'}")


def choose_runs(dataset: Dataset, where: str | None, keys: Iterable[str]) -> list[Chosen]:
    """The runs for which `where` holds, by source and line. Raises NoLabelError for a key that is no column of runs."""
    table = dataset.wide_arrow(where)
    in_use = dataset.label_keys()
    labels = [*_PROVENANCE, *(key for key in table.column_names if key in in_use)]
    unknown = [key for key in keys if key not in labels]
    if unknown:
        raise NoLabelError(f"there is no label {', '.join(unknown)}; there are: {', '.join(sorted(labels))}")
    values = zip(*(_texts_of(table[key]) for key in labels), strict=True)
    names = ("run", "source", "line", "valid")
    return [
        Chosen(run, f"{source}:{line}", dict(zip(labels, texts, strict=True)), valid)
        for run, source, line, valid, texts in zip(*(table[name].to_pylist() for name in names), values, strict=True)
    ]


def _texts_of(column: pa.ChunkedArray) -> list[str | None]:
    """A label of many runs as text: they have few values."""
    encoded = column.combine_chunks().dictionary_encode()
    known = [label_text(value) for value in encoded.dictionary.to_pylist()]
    return [None if place is None else known[place] for place in encoded.indices.to_pylist()]


def label_text(value: object) -> str | None:
    """A label's value as it is written: ``36``, ``0.5``, ``off``; None where it is missing."""
    if value is None or value is pd.NA or value != value:  # noqa: PLR0124 NaN
        return None
    return f"{value:.12g}" if isinstance(value, float) else str(value)


def natural_order(value: str | None) -> tuple[bool, bool, float, str]:
    """Sort key of a label: numbers by size, then text, then missing."""
    try:
        return value is None, False, float(value or ""), ""
    except ValueError:
        return value is None, True, 0.0, value or ""


def numbers(dataset: Dataset, choice: Choice) -> dict[str, Number]:
    """The metric of every run that states it. A run that states it as ``nan`` does not."""
    spread = _SPREAD_OF.get(choice.metric, choice.metric)
    this = f"metric = {_quoted(choice.metric)} AND stat = {_quoted(choice.stat)}"
    stat_is = f"metric = {_quoted(spread)} AND stat ="
    frame = dataset.sql(
        f"""
        SELECT run,
          any_value(value) FILTER ({this}) AS value,
          any_value(resolution) FILTER ({this}) AS resolution,
          any_value(value) FILTER ({stat_is} 'stdev') / nullif(any_value(value) FILTER ({stat_is} 'mean'), 0) AS spread
        FROM measurements WHERE metric IN ({_quoted(choice.metric)}, {_quoted(spread)}) GROUP BY run
        """
    )
    rows = frame.dropna(subset=["value"]).itertuples(index=False)
    return {run: Number(float(value), float(resolution), float(cv)) for run, value, resolution, cv in rows}


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


def texts(dataset: Dataset) -> dict[str, str]:
    """Run → a digest of its text, blanks apart, by which copies are known. Texts of 4 lines or more."""
    frame = dataset.sql(
        rf"""
        SELECT run, md5(string_agg(regexp_replace(trim(text), '\s+', ' ', 'g'), chr(10) ORDER BY line)) AS digest
        FROM texts WHERE trim(text) <> '' GROUP BY run HAVING count(*) >= {_SHORTEST_COPY}
        """
    )
    return dict(frame.itertuples(index=False, name=None))


_PAIR = re.compile(r"\s*([A-Za-z_]\w*)\s*=([^,]*)")


def baseline_of(text: str | Mapping[str, object] | None) -> dict[str, str | None]:
    """``framework=nginx,gogc=off`` or a mapping → labels as text; ``gogc=`` means that it is missing."""
    if text is None:
        return {}
    if not isinstance(text, str):
        return {key: label_text(value) for key, value in text.items()}
    pairs = [_PAIR.fullmatch(part) for part in text.split(",")]
    if not all(pairs):
        raise QueryError(f"baseline {text!r}: expected label=value, several joined by commas")
    return {pair[1]: pair[2].strip() or None for pair in pairs if pair}
