"""``wrkparse plot``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from wrkparse import plot
from wrkparse.cli.shared.exits import fail
from wrkparse.cli.shared.output import write
from wrkparse.cli.shared.stores import opened, store_option, where_option
from wrkparse.text.escape import printable

_SHARE = click.FloatRange(0, 1, min_open=True, max_open=True)
_FORMATS = (".svg", ".png", ".pdf")

# Every option that a figure may have: flags and what click has to know; the default is the figure's own.
_OPTIONS: Mapping[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "rows": (("-r", "--rows"), {"metavar": "A,B,…", "help": "Labels of the rows."}),
    "columns": (("-c", "--columns"), {"metavar": "A,B,…", "help": "Labels of the panels."}),
    "baseline": (("--baseline",), {"metavar": "LABEL=VALUE", "help": "What the others are compared with."}),
    "panel": (("-p", "--panel"), {"metavar": "A,B,…", "help": "Labels of a panel."}),
    "linear": (("--linear",), {"is_flag": True, "help": "Linear axes from 0 on, not logarithmic ones."}),
    "center": (("--center",), {"type": click.Choice(["median", "mean"]), "help": "Centre of several runs."}),
    "by": (("-b", "--by"), {"metavar": "A,B,…", "help": "Labels of a curve."}),
    "load": (("-l", "--load"), {"metavar": "LABEL", "help": "The label of the load."}),
    "over": (("-n", "--over"), {"metavar": "LABEL", "help": "The label along the axis."}),
    "metric": (("-m", "--metric"), {"help": "What is drawn."}),
    "errors": (("--errors",), {
        "type": click.Choice(["absolute", "relative"]), "help": "Errors of one size at each N, or relative.",
    }),
    "confidence": (("--confidence",), {"type": _SHARE, "help": "Level of the intervals."}),
    "run": (("-r", "--run"), {"metavar": "RUN", "help": "The process, by the begin of its identifier."}),
    "slo_s": (("--slo-s",), {
        "type": click.FloatRange(0, min_open=True), "metavar": "SECONDS", "help": "Draw the longest pause tolerated.",
    }),
    "study": (("--study",), {"metavar": "NAME", "help": "Only this study's tables."}),
    "include_invalid": (("--include-invalid",), {
        "is_flag": True, "help": "Count the runs too that the audit found invalid.",
    }),
}  # fmt: skip


class _Kinds(click.Group):
    """A command for each figure of `wrkparse.plot.KINDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(plot.KINDS)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return _command(name, plot.KINDS[name]) if name in plot.KINDS else None


@click.command("plot", cls=_Kinds, subcommand_metavar="KIND [OPTIONS]")
def command() -> None:
    """Figures from the runs of a store, as SVG, PNG or PDF.

    \b
    wrkparse plot scaling --where "study = 'haskell-go-node-io'"
    wrkparse plot scaling -o scaling.pdf --data scaling.csv
    wrkparse plot efficiency --by framework,path --width 90 -o phone.png
    wrkparse plot compare --rows framework --baseline framework=nginx --where "connections = 128"
    wrkparse plot multiples --metric latency_mean --panel cores --by framework
    wrkparse plot gc_settings --where "environment = 'default'"

    Each kind has its own --help. Exit code 3: there is too little to draw.
    """


def _command(name: str, kind: plot.Kind) -> click.Command:
    def run(store: Path, output: Path | None, table: Path | None, **options: Any) -> None:
        _draw(name, store, output or Path(f"{name}.svg"), table, options)

    for option in reversed(list(kind.options)):
        flags, attributes = _OPTIONS[option]
        default = kind.options[option]
        run = click.option(*flags, option, default=default, show_default=bool(default), **attributes)(run)
    for decorate in (where_option, _width, _table, _output, store_option):
        run = decorate(run)
    return click.command(name, help=kind.summary, short_help=kind.summary)(run)


_output = click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False),
    help="The figure; the suffix says .svg, .png or .pdf.  [default: KIND.svg]",
)  # fmt: skip
_table = click.option(
    "--data", "table", type=click.Path(path_type=Path, dir_okay=False),
    help="Also write what was drawn: .csv, .json, .md or .parquet.",
)  # fmt: skip
_width = click.option(
    "--width", type=click.FloatRange(40, 1000), default=166.0, show_default="166", metavar="MM",
    help="Width of the figure in millimetres: 166 for a page, 95 for a phone.",
)  # fmt: skip


def _draw(name: str, store: Path, output: Path, table: Path | None, options: dict[str, Any]) -> None:
    from wrkparse.analysis.runs.selection import TooLittleError

    if output.suffix.lower() not in _FORMATS:
        raise click.UsageError(f"-o {printable(str(output))}: its suffix is none of {', '.join(_FORMATS)}")
    with opened(store) as dataset:
        try:
            ax = getattr(plot, name)(dataset, **options)
        except (TooLittleError, plot.NothingToPlotError) as problem:
            fail(str(problem))
    try:
        plot.save(ax, output)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")
    if table:
        import pyarrow as pa

        frame = plot.data(ax)
        write(pa.Table.from_pandas(frame, preserve_index=False), None, table, text=lambda: frame.to_string(index=False))
    click.echo(f"figure: {printable(str(output))}" + (f"\ndata: {printable(str(table))}" if table else ""))
