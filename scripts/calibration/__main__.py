"""Prints how often the statistics are right on made-up runs, as a Markdown table; see `experiments`."""

from __future__ import annotations

import sys
from pathlib import Path

import click
import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))  # the planted contradictions are in tests/

from experiments import EXPERIMENTS, SEED

_TIMES = 2000
_QUICK = 200


@click.command()
@click.argument("names", nargs=-1, type=click.Choice(list(EXPERIMENTS)), metavar="[NAME]…")
@click.option("--quick", is_flag=True, help=f"{_QUICK} comparisons each instead of {_TIMES}.")
def main(names: tuple[str, ...], quick: bool) -> None:
    """Simulate comparisons and print how often they are right.

    NAME is one of the experiments; all are made without it.
    """
    click.echo("| what | stated | measured |\n|---|---|---|")
    for name in names or EXPERIMENTS:
        # Each has its own generator, so that one alone gives the same numbers as all together.
        generator = np.random.default_rng([SEED, *name.encode()])
        for row in EXPERIMENTS[name](generator, _QUICK if quick else _TIMES):
            click.echo(f"| {row.what} | {row.stated} | {100 * row.measured:.1f} % |")


if __name__ == "__main__":
    main()
