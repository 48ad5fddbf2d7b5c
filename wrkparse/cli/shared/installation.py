"""Facts about this installation of wrkparse, for bug reports."""

from __future__ import annotations

import importlib.metadata
import platform
from collections.abc import Iterator

from wrkparse.store.ddl import SCHEMA_VERSION
from wrkparse.tools.columnar.compiled import COMPILED
from wrkparse.tools.plugins import plug_ins

# The packages whose versions decide how wrkparse behaves.
_PACKAGES = "click duckdb matplotlib nbclient numpy pandas pyarrow pypandoc_binary scipy typst distributed".split()


def installation_lines() -> Iterator[str]:
    """A line for each fact: Python, system, compiled loops, the schema of stores, versions of packages, plug-ins."""
    yield f"Python {platform.python_version()} ({platform.python_implementation()})"
    yield f"system: {platform.system()} {platform.release()}, {platform.machine()}"
    yield f"compiled loops: {'yes' if COMPILED else 'no, long logs are read more slowly'}"
    yield f"store schema: {SCHEMA_VERSION}"
    for name in _PACKAGES:
        try:
            yield f"{name} {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            yield f"{name}: not installed"
    yield from (f"plug-in {plug_in}" for plug_in in plug_ins())
