"""``scripts/faults``: ends and fails an ingest at every system call that changes a file below its directory.

Counted are open (to write), write, pwrite, fsync, fdatasync, ftruncate, fallocate, rename, unlink, mkdir and rmdir.
In front of each of them in turn the process is killed (``kill``); or the disk is full from there on (``full``:
ENOSPC), or this one call fails (``broken``: EIO). Afterwards the store has to hold the rows from before or those from
after, the next ingest has to complete it, nothing else may lie about, and messages have to name the cause.

    scripts/faults                           # every call, of every place
    scripts/faults --place new --fault full  # of an ingest into a new store, with a full disk
    scripts/faults --sample 10               # ten calls, evenly spaced, of each place and fault
    scripts/faults --cycles 400000           # with a longer trace, whose rows are written while it is read

Places: new (a store that does not exist), existing (one with older rows), parquet (a directory, as --engine dask writes
it), export (a file that ``wrkparse export`` writes over an older one), tables (a new directory of it). Exit status: 0
if all is as it should be, 1 if not.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

_HERE = Path(__file__).resolve().parent
_PRELOADED = "WRKPARSE_FAULTS_SHIM"


def main() -> int:
    """Fail the chosen calls, print what was found and how much was tried."""
    options = _options()
    if _PRELOADED not in os.environ:
        return _with_shim(sys.argv[1:])
    sys.path.insert(0, str(_HERE.parents[1]))
    from children import Shim
    from places import FAULTS, PLACES, warm_up

    shim = Shim(Path(os.environ[_PRELOADED]))
    warm_up()
    found = tried = 0
    for name in options.place or PLACES:
        # Not a TemporaryDirectory: each child would delete it when it ends.
        directory = Path(os.path.realpath(tempfile.mkdtemp(prefix="wrkparse-faults-")))
        try:
            place = PLACES[name](directory, shim, options.cycles)
            calls = place.calls()
            for fault in options.fault or FAULTS:
                problems = []
                chosen = _sample(calls, options.sample)
                for at in chosen:
                    problems += [f"{name}, {fault} at call {at}: {one}" for one in place.problems(fault, at)]
                print(f"{name}: {fault} at {len(chosen)} of {calls} calls: {len(problems)} problems")
                print(*problems, sep="\n", end="\n" * bool(problems), flush=True)
                found, tried = found + len(problems), tried + len(chosen)
        finally:
            shutil.rmtree(directory)
    print(f"{tried} faults, {found} problems")
    return 1 if found else 0


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--place", action="append", choices=("new", "existing", "parquet", "export", "tables"))
    parser.add_argument("--fault", action="append", choices=("kill", "full", "broken"))
    parser.add_argument("--sample", type=int, default=0, metavar="N", help="as many calls of each; 0: all")
    parser.add_argument("--cycles", type=int, default=200, metavar="N", help="lines of the trace in the logs")
    return parser.parse_args()


def _with_shim(arguments: Sequence[str]) -> int:
    """Compile the shim and run this program again with it."""
    compiler = shutil.which("cc") or shutil.which("gcc")
    if sys.platform != "linux" or compiler is None:
        sys.exit("scripts/faults needs Linux and a C compiler (cc or gcc)")
    with tempfile.TemporaryDirectory() as directory:
        shim = Path(directory, "shim.so")
        flags = ["-O1", "-shared", "-fPIC", str(_HERE / "shim.c"), "-o", str(shim), "-ldl"]
        subprocess.run([compiler, *flags], check=True)
        environment = os.environ | {"LD_PRELOAD": str(shim), _PRELOADED: str(shim)}
        return subprocess.run([sys.executable, str(_HERE), *arguments], env=environment, check=False).returncode


def _sample(calls: int, most: int) -> list[int]:
    """Evenly spaced calls, the first and the last among them; all of them if `most` is 0."""
    if not 1 < most < calls:
        return list(range(calls))
    return sorted({round(number * (calls - 1) / (most - 1)) for number in range(most)})


if __name__ == "__main__":
    sys.exit(main())
