"""A comparison with selectors, for notebooks."""

from __future__ import annotations

import html
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.analysis.comparison.text.overview import overview_html
from wrkparse.analysis.runs.labels.factors import factors
from wrkparse.analysis.runs.labels.labels import label_text, natural_order
from wrkparse.analysis.runs.metrics import stated_metrics
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import QueryError
from wrkparse.dataset.queries.sql import sql_name, sql_string

if TYPE_CHECKING:
    from wrkparse.dataset import Dataset

ALL = "all"
_LOAD_LABEL = "connections"


def explore(ds: Dataset, *, rows: str = "framework", load: str = _LOAD_LABEL, metric: str = "throughput") -> Any:
    """A comparison of `rows` with selectors for its baseline, for one value of the label `load`, and for the metric.

    In Jupyter with ipywidgets (extra ``notebooks``), it is a widget that shows the table, the sentences and the figure
    for the selected values; a saved notebook has them as HTML, too. Elsewhere, it is the result of `wrkparse.compare`
    for the given arguments.
    Raises QueryError for a label or metric that does not exist, and TooLittleError if there is no run.
    """
    # Logs may not name frameworks: then the first label in which the runs differ.
    if rows not in ds.label_keys():
        rows = next(iter(factors(ds, metric=metric).compared), rows)
    first = _compare_rows(ds, rows, None, load, ALL, metric)
    if not _has_kernel():
        return first
    import ipywidgets

    baseline = ipywidgets.Dropdown(options=_label_values(ds, rows), description="baseline")
    if first.baseline.get(rows) is not None:
        baseline.value = first.baseline[rows]
    of_load = ipywidgets.Dropdown(options=[ALL, *_label_values(ds, load)], description=load)
    of_metric = ipywidgets.Dropdown(options=_metric_names(ds, metric), value=metric, description="metric")
    shown = ipywidgets.HTML()

    def show(*_: object) -> None:
        shown.value = _comparison_html(
            lambda: _compare_rows(ds, rows, baseline.value, load, of_load.value, of_metric.value)
        )

    for selector in (baseline, of_load, of_metric):
        selector.observe(show, names="value")
    show()

    class Selectors(ipywidgets.VBox):  # type: ignore[misc]  # ipywidgets has no types
        """The selectors above what they show. Where no kernel runs, as on a code host, only the latter is seen."""

        def _repr_mimebundle_(self, **kwargs: object) -> dict[str, Any]:
            return {**super()._repr_mimebundle_(**kwargs), "text/html": shown.value, "text/plain": str(first)}

    return Selectors([ipywidgets.HBox([baseline, of_load, of_metric]), shown])


def _has_kernel() -> bool:
    """Whether this process is the kernel of a notebook and has ipywidgets."""
    try:
        import ipywidgets  # noqa: F401
        from IPython import get_ipython
    except ImportError:
        return False
    shell = get_ipython()
    return shell is not None and hasattr(shell, "kernel")


def _compare_rows(ds: Dataset, rows: str, baseline: str | None, load: str, value: str, metric: str) -> ComparisonTable:
    where = None if value == ALL else f"{sql_name(load)} = {sql_string(value)}"
    columns = load if load in ds.label_keys() else None
    return compare(ds, rows=rows, columns=columns, metric=metric, where=where, baseline=baseline and {rows: baseline})


def _label_values(ds: Dataset, key: str) -> list[str]:
    """The values of a label as text, numbers by size."""
    if key not in ds.label_keys():
        return []
    found = {label_text(value) for value in ds.runs[key]}
    return sorted((value for value in found if value is not None), key=natural_order)


def _metric_names(ds: Dataset, first: str) -> Sequence[str]:
    return list(dict.fromkeys([first, *(one.name for one in stated_metrics(ds))]))


def _comparison_html(compared: Callable[[], ComparisonTable]) -> str:
    """The table, the sentences and the figure as HTML, or the reason why there are none."""
    from wrkparse.plot.errors import NothingToPlotError
    from wrkparse.plot.figures.comparison.compare import compare as draw
    from wrkparse.plot.files import svg

    try:
        table = compared()
        return f"{overview_html(table)}{svg(draw(table))}"
    except (TooLittleError, QueryError, NothingToPlotError) as problem:
        return f"<p>{html.escape(str(problem))}</p>"
