"""Writes formats of other programs: medians by setting, or single runs.

`FORMATS` has all formats by the name that ``wrkparse export --as`` takes. Each format is a module with a function
``content(dataset, metric) -> bytes``, where `metric` names metrics as in `wrkparse.compare`, None for the usual ones.
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    from wrkparse.dataset import Dataset


# The version of wrkparse's own JSON format; ``wrkparse --json-schema`` describes it. It grows when a column is renamed,
# dropped or changes its meaning.
JSON_VERSION = 1


class ExportFormat(NamedTuple):
    """A format: its module in this package, a line of help, and whether it is text that a terminal can show."""

    module: str
    summary: str
    is_text: bool = True


FORMATS = {
    "bencher": ExportFormat("bencher", "Bencher Metric Format: a JSON object of benchmarks, with bounds"),
    "benchfmt": ExportFormat("benchfmt", "Go's benchmark format, one line per run, for benchstat"),
    "excel": ExportFormat("excel", "an Excel workbook with one sheet per table", is_text=False),
    "github-action-benchmark": ExportFormat(
        "github_action_benchmark", "JSON of github-action-benchmark's custom tools"
    ),
    "hgrm": ExportFormat("hgrm", "HdrHistogram's percentile distribution, for all runs of one setting together"),
    "jsonl": ExportFormat("json_lines", "JSON Lines: one object per run with its labels and metrics"),
    "junit": ExportFormat("junit", "JUnit XML: one test case per audit check"),
    "openmetrics": ExportFormat("openmetrics", "OpenMetrics text, for Prometheus and compatible systems"),
}


def content(dataset: Dataset, name: str, metric: str | Sequence[str] | None = None) -> bytes:
    """A dataset in the format `name` of `FORMATS`.

    Raises TooLittleError if no run has the metric, QueryError for a metric that does not exist or that the format can't
    contain, ImportError if the format needs a package that is not installed.
    """
    written: bytes = importlib.import_module(f"wrkparse.export.{FORMATS[name].module}").content(dataset, metric)
    return written
