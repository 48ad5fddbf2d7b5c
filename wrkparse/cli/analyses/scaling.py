"""``wrkparse scaling``."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from wrkparse.cli.shared.completion import complete_labels, complete_metrics
from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.printing.output import format_options, write_table
from wrkparse.cli.shared.stores import StoreOrLogs, open_data, store_option

if TYPE_CHECKING:
    from wrkparse.analysis.scaling.scaling import ScalingResult
    from wrkparse.dataset import Dataset


@click.command("scaling")
@store_option
@click.option(
    "-b",
    "--by",
    default="framework",
    show_default=True,
    metavar="A,B,…",
    shell_complete=complete_labels,
    help="Labels of a curve.",
)
@click.option(
    "-l",
    "--load",
    default="connections",
    show_default=True,
    metavar="LABEL",
    shell_complete=complete_labels,
    help="The label of the load.",
)
@click.option(
    "-n",
    "--over",
    default="cores",
    show_default=True,
    metavar="LABEL",
    shell_complete=complete_labels,
    help="The label used as N, the number of cores.",
)
@click.option(
    "-m",
    "--metric",
    shell_complete=complete_metrics,
    help="The rate to compare.  [default: throughput; for runs of time, the work per second, 1 / elapsed time]",
)
@where_option
@click.option(
    "--errors", type=click.Choice(["absolute", "relative"]), default="absolute", show_default=True,
    help="Assume errors of the same size at every N, or proportional to the rate.",
)  # fmt: skip
@click.option(
    "--confidence", type=click.FloatRange(0, 1, min_open=True, max_open=True), default=0.95, show_default=True,
    help="Level of the intervals and of the F test.",
)  # fmt: skip
@click.option(
    "--ignore", metavar="A,B,…", shell_complete=complete_labels,
    help="Labels that make no difference: runs that differ only in these are on one curve.",
)  # fmt: skip
@click.option("--include-invalid", is_flag=True, help="Also use runs that the audit found invalid.")
@click.option(
    "--table", "kind", type=click.Choice(["points", "groups", "fits", "other_fits", "limits"]), default="points",
    show_default=True, help="Table for CSV, JSON, Markdown and Parquet.",
)  # fmt: skip
@format_options
def command(store: StoreOrLogs, kind: str, form: str | None, output: Path | None, **options: Any) -> None:
    """Show how throughput grows with cores: speed-up, efficiency, fitted laws and limits.

    \b
    wrkparse scaling
    wrkparse scaling --by framework,path --where "network = 'loopback'"
    wrkparse scaling --over connections --load '' --by framework,environment
    wrkparse scaling --table fits -o fits.csv

    The exit code is 3 if no curve has two values of N.
    """
    import pyarrow as pa

    from wrkparse.analysis.scaling.text import scaling_text

    with open_data(store) as dataset:
        result = _scaling_result(dataset, options)
    frame = getattr(result, kind)
    write_table(
        pa.Table.from_pandas(frame, preserve_index=False), form, output,
        schema=f"scaling.{kind}", text=lambda: scaling_text(result),
    )  # fmt: skip
    if not (result.groups["points"] > 1).any():
        fail(f"no curve has two values of {result.n}, so there is nothing to compare")


def _scaling_result(dataset: Dataset, options: dict[str, Any]) -> ScalingResult:
    from wrkparse.analysis.runs.selection import TooLittleError
    from wrkparse.analysis.scaling.scaling import scaling

    try:
        return scaling(dataset, n=options.pop("over"), **options)
    except TooLittleError as problem:
        fail(str(problem))
