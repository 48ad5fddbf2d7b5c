"""Writes generation after generation into a store: ``store_writer.py STORE``.

Each line ``FIRST ROWS…`` on standard input starts a process that prints its id and then writes until it is killed. A
generation replaces all rows of the one before in one `open_writer`, has ROWS rows (by turns), and is printed when it is
committed; ``killed`` follows the last one. Forked, for a new interpreter would take longer than the rest.
"""

import os
import sys
from itertools import count, cycle
from pathlib import Path

import numpy as np
import pyarrow as pa

from wrkparse.store.parquet_store import IngestedFile
from wrkparse.store.writer import open_writer


def tables(generation: int, rows: int) -> dict[str, pa.Table]:
    """What the store holds after a generation: it is in every value, and in the name of a label."""
    run, source = f"run-{generation}", f"source-{generation}"
    of_run = pa.repeat(run, rows)
    numbers = pa.array(np.full(rows, generation))
    return {
        "runs": pa.table({"run": [run], "source": [source], f"generation_{generation}": [str(generation)]}),
        "measurements": pa.table(
            {"run": of_run, "value": numbers.cast(pa.float64()), "line": pa.array(np.arange(rows))}
        ),
        "texts": pa.table({"run": of_run, "line": numbers, "text": pa.repeat(str(generation), rows)}),
    }


def write(store: Path, generation: int, rows: int) -> None:
    """Replace what is in the store by a generation."""
    with open_writer(store) as writer:
        writer.delete_sources(list(writer.files))
        writer.append(tables(generation, rows))
        writer.record_file(IngestedFile(f"source-{generation}", None, rows, None, "", ""))


if __name__ == "__main__":
    for order in sys.stdin:
        first, *sizes = map(int, order.split())
        if not (worker := os.fork()):
            print(os.getpid(), flush=True)
            for generation, rows in zip(count(first), cycle(sizes)):
                write(Path(sys.argv[1]), generation, rows)
                print(generation, flush=True)
        os.waitpid(worker, 0)
        print("killed", flush=True)
