"""``wrkparse plot``."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import click

from wrkparse import plot
from wrkparse.cli.documents.plot_alternatives import command_for, working_command
from wrkparse.cli.shared.completion import (
    complete_labels,
    complete_metrics,
    complete_runs,
    complete_settings,
    complete_studies,
)
from wrkparse.cli.shared.conditions import where_option
from wrkparse.cli.shared.exits import fail, refuse_unknown_command
from wrkparse.cli.shared.printing.output import write_table
from wrkparse.cli.shared.stores import open_data, store_option
from wrkparse.model.units import PLAIN, SECONDS, parse_quantity
from wrkparse.text.escape import printable

# What the shell completes, by option.
_COMPLETIONS = {
    **dict.fromkeys(("rows", "columns", "ignore", "panel", "by", "load", "over"), complete_labels),
    "baseline": complete_settings, "metric": complete_metrics, "run": complete_runs, "study": complete_studies,
}  # fmt: skip
_OPEN_UNIT_INTERVAL = click.FloatRange(0, 1, min_open=True, max_open=True)
# What `plot.save` writes; checked before a figure is drawn, which takes longer.
_SUFFIXES = (".svg", ".png", ".pdf")
_LABEL_OPTIONS = ("rows", "columns", "by", "panel", "over", "load", "ignore")  # options that name labels
# Figures that show every run, or one that the user chose.
_KINDS_WITH_WARM_UPS = ("audit", "gc", "mmu", "sched", "window", "reproduce")


class _Duration(click.ParamType[float]):
    """A time above 0, in seconds: with a unit (``10ms``), or a number of seconds."""

    name = "time"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        try:
            found = parse_quantity(str(value), SECONDS | PLAIN).value
        except ValueError:
            found = None
        if not found or found < 0:
            self.fail(f"{printable(str(value))!r} is not a time; write 10ms, 0.5s or a number of seconds", param, ctx)
        return found


# All options of figures, with flags and attributes for click. `Kind.options` has the defaults of each figure.
_OPTIONS: Mapping[str, tuple[tuple[str, ...], dict[str, Any]]] = {
    "rows": (("-r", "--rows"), {
        "metavar": "A,B,…", "help": "Labels of the rows. Default: the most important one that differs.",
    }),
    "columns": (("-c", "--columns"), {"metavar": "A,B,…", "help": "Labels of the panels."}),
    "baseline": (("--baseline",), {"metavar": "LABEL=VALUE", "help": "The setting to compare the others with."}),
    "ignore": (("--ignore",), {
        "metavar": "A,B,…", "help": "Labels that make no difference: runs that differ only in these are repeats.",
    }),
    "panel": (("-p", "--panel"), {"metavar": "A,B,…", "help": "Labels of the panels. Default: what differs."}),
    "linear": (("--linear",), {"is_flag": True, "help": "Use linear axes from 0 instead of logarithmic ones."}),
    "center": (("--center",), {"type": click.Choice(["median", "mean"]), "help": "Centre of several runs."}),
    "by": (("-b", "--by"), {"metavar": "A,B,…", "help": "Labels of the lines or colours."}),
    "load": (("-l", "--load"), {"metavar": "LABEL", "help": "The label of the load."}),
    "over": (("-n", "--over"), {"metavar": "LABEL", "help": "The label on the x axis."}),
    "metric": (("-m", "--metric"), {"help": "The metric to draw."}),
    "errors": (("--errors",), {
        "type": click.Choice(["absolute", "relative"]),
        "help": "Assume errors of the same size, or proportional to the rate.",
    }),
    "confidence": (("--confidence",), {"type": _OPEN_UNIT_INTERVAL, "help": "Level of the intervals."}),
    "run": (("-r", "--run"), {"metavar": "RUN", "help": "The run, by the first characters of its identifier."}),
    "slo_s": (("--slo", "--slo-s"), {
        "type": _Duration(), "metavar": "TIME",
        "help": "Mark the longest acceptable time: 10ms, or a number of seconds.",
    }),
    "study": (("--study",), {"metavar": "NAME", "help": "Draw only tables of this study."}),
    "include_invalid": (("--include-invalid",), {
        "is_flag": True, "help": "Also use runs that the audit found invalid.",
    }),
}  # fmt: skip


class _KindCommands(click.Group):
    """A group with a command for each figure of `wrkparse.plot.KINDS`."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(plot.KINDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the arguments name. An unknown one ends the program, with the most similar name."""
        refuse_unknown_command(ctx, args, plot.KINDS)
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, name: str) -> click.Command | None:
        return _kind_command(name, plot.KINDS[name]) if name in plot.KINDS else None


@click.command("plot", cls=_KindCommands, subcommand_metavar="KIND [OPTIONS]")
def command() -> None:
    """Draw figures from the runs of a store, as SVG, PNG or PDF.

    \b
    wrkparse plot scaling --where "study = 'haskell-go-node-io'"
    wrkparse plot scaling -o scaling.pdf --data scaling.csv
    wrkparse plot efficiency --by framework,path --width 90 -o phone.png
    wrkparse plot compare --rows framework --baseline framework=nginx --where "connections = 128"
    wrkparse plot multiples --metric latency_mean --panel cores --by framework
    wrkparse plot latency --by framework --panel connections --slo 10ms
    wrkparse plot gc_settings --where "environment = 'default'"

    Each KIND has a --help with its options. The exit code is 3 if there is not enough data to draw.
    """


def _kind_command(name: str, kind: plot.Kind) -> click.Command:
    """The command that draws one figure, with the options of that figure."""

    def run(store: Path, output: Path | None, table: Path | None, **options: Any) -> None:
        _draw(name, store, output or Path(f"{name}.svg"), table, options)

    # From the last to the first, as decorators stand above a function: `--help` then has them in their order.
    for option in reversed(list(kind.options)):
        flags, attributes = _OPTIONS[option]
        default = kind.options[option]
        attributes = attributes | ({"shell_complete": _COMPLETIONS[option]} if option in _COMPLETIONS else {})
        run = click.option(*flags, option, default=default, show_default=bool(default), **attributes)(run)
    for decorate in (where_option, _width_option, _data_option, _output_option, store_option):
        run = decorate(run)
    return click.command(name, help=kind.summary, short_help=kind.summary)(run)


_output_option = click.option(
    "-o", "--output", type=click.Path(path_type=Path, dir_okay=False),
    help="The file to write, with the suffix .svg, .png or .pdf.  [default: KIND.svg]",
)  # fmt: skip
_data_option = click.option(
    "--data", "table", type=click.Path(path_type=Path, dir_okay=False),
    help="Also write the drawn data, as .csv, .json, .md or .parquet.",
)  # fmt: skip
_width_option = click.option(
    "--width", type=click.FloatRange(40, 1000), default=166.0, metavar="MM",
    help="Width in millimetres; 95 suits a phone.  [default: 166, a page]",
)  # fmt: skip


def _draw(name: str, store: Path, output: Path, table: Path | None, options: dict[str, Any]) -> None:
    """Draw a figure into a file, and write its data to `table` if that is given."""
    from wrkparse.analysis.runs.selection import WARM_UP, TooLittleError, warm_ups_left_out
    from wrkparse.analysis.wording import counted
    from wrkparse.plot.errors import TooManyPanelsError

    if output.suffix.lower() not in _SUFFIXES:
        raise click.UsageError(f"-o {printable(str(output))}: the suffix must be one of {', '.join(_SUFFIXES)}")
    with open_data(store) as dataset:
        try:
            ax = getattr(plot, name)(dataset, **options)
            left_out = (
                0
                if name in _KINDS_WITH_WARM_UPS
                else warm_ups_left_out(dataset, options.get("where"), _named_labels(options))
            )
        except TooManyPanelsError as problem:
            fail(f"{problem}; this draws one of them:\n{command_for(name, options, problem.where)}")
        except (TooLittleError, plot.NothingToPlotError) as problem:
            alternative = working_command(name, dataset, options)
            fail(f"{problem}; this draws one:\n{alternative}" if alternative else str(problem))
    try:
        plot.save(ax, output)
    except OSError as problem:
        fail(f"{output} can't be written: {problem.strerror}")
    if table:
        import pyarrow as pa

        frame = plot.data(ax)
        drawn = pa.Table.from_pandas(frame, preserve_index=False)
        write_table(drawn, None, table, schema="plot", text=lambda: frame.to_string(index=False))
    click.echo(f"figure: {printable(str(output))}" + (f"\ndata: {printable(str(table))}" if table else ""))
    if left_out:
        click.echo(f"left out: {counted(left_out, 'warm-up')}; -w \"phase = '{WARM_UP}'\" draws them alone")


def _named_labels(options: Mapping[str, Any]) -> list[str]:
    """The labels that the user named in options."""
    return [key.strip() for option in _LABEL_OPTIONS for key in (options.get(option) or "").split(",") if key.strip()]
