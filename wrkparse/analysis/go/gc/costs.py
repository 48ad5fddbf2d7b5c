"""What garbage collection costs under each setting: the traced processes of a setting as its repeats."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import pandas as pd

from wrkparse.analysis.go.gc.summary import gc_summary
from wrkparse.analysis.runs.labels.factors import separating_labels
from wrkparse.analysis.runs.labels.labels import natural_order
from wrkparse.analysis.runs.selection import SelectedRun, select_runs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrkparse.dataset import Dataset

# Columns of `gc_summary`: GOGC and GOMEMLIMIT make some of these smaller and others larger.
COSTS = ("pause_p50_s", "pause_max_s", "gc_cpu_ratio", "cycles_per_s", "heap_max_bytes")
_GC_LABELS = ("gogc", "gomemlimit")


class GcCosts(NamedTuple):
    """The traced processes of several GC settings.

    - ``keys``: the labels in which the processes differ, GOGC and GOMEMLIMIT last. Of two labels of which one follows
      from the other, only one is a key, except that GOGC and GOMEMLIMIT are both kept, because both were set.
    - ``processes``: a row for each process: ``run``, ``source``, ``used`` (False if the audit finds it invalid),
      ``cycles``, the labels of ``keys`` as text (None: missing), and `COSTS`.
    - ``settings``: a row for each setting, in the order of its labels, numbers by size: the labels, ``processes`` (used
      ones), ``cycles`` (their sum), and the medians of `COSTS` over the used processes.
    """

    keys: tuple[str, ...]
    processes: pd.DataFrame
    settings: pd.DataFrame

    @property
    def compares(self) -> bool:
        """Whether the processes ran under several GC settings."""
        known = [key for key in self.keys if key in _GC_LABELS]
        return bool(known) and len(self.settings[known].drop_duplicates()) > 1


def gc_costs(ds: Dataset, *, where: str | None = None) -> GcCosts:
    """Pauses, share of CPU, collections per second and largest heap of each setting, from gctrace.

    The process is the unit of repetition, because the collections of one process depend on each other. Processes that
    differ in a label belong to different settings, unless the label numbers repeats. Units are those of `gc_summary`; a
    number that no process of a setting prints is missing. If `where` holds for no gctrace, all is empty.
    """
    return costs_of(ds, gc_summary(ds, where=where))


def costs_of(ds: Dataset, table: pd.DataFrame) -> GcCosts:
    """`gc_costs` of the processes in `table`, rows of `gc_summary`."""
    traced = set(table["run"])
    keys, labels = process_settings([run for run in select_runs(ds, None, ()) if run.run in traced])
    numbers = table.reindex(columns=["run", "source", "cycles", *COSTS])
    processes = labels.merge(numbers, on="run")
    return GcCosts(keys, processes, _medians(processes[processes["used"]], keys))


def process_settings(runs: Sequence[SelectedRun]) -> tuple[tuple[str, ...], pd.DataFrame]:
    """The labels in which the settings of traced processes differ, and a row for each process.

    The columns are ``run``, ``used`` and the labels, as in `GcCosts`.
    """
    varied = [key for key in _GC_LABELS if len({run.labels.get(key) for run in runs}) > 1]
    apart = separating_labels(runs, ())
    keys = (*(key for key in apart if key not in varied), *varied)
    rows = [(run.run, run.valid is not False, *(run.labels[key] for key in keys)) for run in runs]
    return keys, pd.DataFrame(rows, columns=["run", "used", *keys])


def _medians(used: pd.DataFrame, keys: tuple[str, ...]) -> pd.DataFrame:
    """The row of each setting, in the natural order of its labels."""
    columns = [*keys, "processes", "cycles", *COSTS]
    groups: dict[tuple[str | None, ...], list[int]] = {}
    for at, row in enumerate(used[list(keys)].to_dict("records")):
        groups.setdefault(tuple(row[key] if isinstance(row[key], str) else None for key in keys), []).append(at)
    rows = []
    for group in sorted(groups, key=lambda values: [natural_order(value) for value in values]):
        of_group = used.iloc[groups[group]]
        medians = [of_group[name].astype(float).median() for name in COSTS]
        rows.append((*group, len(of_group), int(of_group["cycles"].sum()), *medians))
    return pd.DataFrame(rows, columns=columns)
