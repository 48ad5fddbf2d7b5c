"""One reader, one file, in a process of its own: ``child.py READER KIND PATH`` prints what it took, as JSON.

Imports come before the clock starts: they are measured by ``wrkparse --help``, and would hide the rest on a small file.
"""

from __future__ import annotations

import gc
import json
import resource
import sys
import time
from pathlib import Path

import registry
from readers import READERS

if __name__ == "__main__":
    name, kind, path = sys.argv[1:]
    if name in registry.READERS:
        registry.prepare(name)
    if name in ("wrkparse", "without C", "through", "shared"):
        import wrkparse
        from wrkparse.cli import GC_THRESHOLD
        from wrkparse.tools.columnar import compiled

        compiled.COMPILED = compiled.COMPILED and name != "without C"
        gc.set_threshold(GC_THRESHOLD)  # as the command line does
        wrkparse.parse_text("")  # imports all that reading needs
    cpu, wall = time.process_time(), time.perf_counter()
    rows, sums = READERS[name][kind](Path(path))
    answer = {"cpu_s": time.process_time() - cpu, "wall_s": time.perf_counter() - wall, "rows": rows, "sums": sums()}
    answer["peak_bytes"] = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (
        1 if sys.platform == "darwin" else 1024
    )
    print(json.dumps(answer))
