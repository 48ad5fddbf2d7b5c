"""Formats of other programs: medians by setting or single runs, as those programs read them.

`FORMATS` has all of them by the name that ``wrkparse export --as`` takes. Each format is a module with a function
``content(dataset, metric) -> bytes``, where `metric` names metrics as in `wrkparse.compare`, None for the usual ones.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrkparse.dataset import Dataset


# Of the JSON that wrkparse writes and no other program defines; ``wrkparse --json-schema`` describes it. It grows when
# a column is renamed, dropped or changes its meaning.
JSON_VERSION = 1


class Format(NamedTuple):
    """A format: its module in this package, a line of help, and whether it is text that a terminal can show."""

    module: str
    summary: str
    is_text: bool = True


FORMATS = {
    "bencher": Format("bencher", "Bencher Metric Format: a JSON object of benchmarks, with bounds"),
    "benchfmt": Format("benchfmt", "Go's benchmark format, a line per run, for benchstat"),
    "excel": Format("excel", "an Excel workbook with a sheet per table", is_text=False),
    "github-action-benchmark": Format("github_action_benchmark", "JSON of github-action-benchmark's custom tools"),
    "hgrm": Format("hgrm", "HdrHistogram's percentile distribution, of the runs of one setting together"),
    "jsonl": Format("json_lines", "JSON Lines: an object per run with its labels and metrics"),
    "junit": Format("junit", "JUnit XML: a test case per check of the audit"),
    "openmetrics": Format("openmetrics", "OpenMetrics text, for Prometheus and its relatives"),
}


def content(dataset: Dataset, name: str, metric: str | Sequence[str] | None = None) -> bytes:
    """A dataset in the format `name` of `FORMATS`.

    Raises TooLittleError if no run states a metric, QueryError for a metric that does not exist or that the format has
    no place for, ImportError if the format needs a package that is not installed.
    """
    made: bytes = importlib.import_module(f"wrkparse.export.{FORMATS[name].module}").content(dataset, metric)
    return made
