"""Packages with tools, as an installer leaves them, for processes that tests start."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
# What no program prints: "spoon: 12 requests in 1.50 s".
SPOON = '''\
"""A tool of another package; its line is of spoon.c."""
import re

{imports}
from wrkparse.tools.base import ReportTool
from wrkparse.tools.common import ELAPSED, REQUESTS
from wrkparse.tools.lines import count_slot, decimals, line, Slot

LINE = line("total", "spoon: {{}} requests in {{}} s", count_slot(REQUESTS), Slot(ELAPSED, "total", decimals(2)), rank=0)
TOOL = ReportTool(
    "{name}", (REQUESTS, ELAPSED), (LINE,), frozenset({{"spoon"}}), evidence=frozenset({{"total"}})
)
'''


def install(folder: Path, package: str, tools: dict[str, str], version: str = "0.1") -> None:
    """Make a package with a module for each tool, and the metadata that names them."""
    module = package.replace("-", "_")
    (folder / module).mkdir(parents=True)
    (folder / module / "__init__.py").touch()
    for name, source in tools.items():
        (folder / module / f"{name}.py").write_text(source)
    metadata = folder / f"{module}-{version}.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {package}\nVersion: {version}\n")
    entries = "".join(f"{name} = {module}.{name}:TOOL\n" for name in tools)
    (metadata / "entry_points.txt").write_text(f"[wrkparse.tools]\n{entries}")


def spoon(name: str = "spoon", imports: str = "") -> str:
    """The module of a tool that reads one line."""
    return SPOON.format(name=name, imports=imports)


def wrkparse(packages: Path, *arguments: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    """What the command does where these packages are installed."""
    environment = os.environ | {"PYTHONPATH": f"{packages}{os.pathsep}{ROOT}", "COLUMNS": "120"}
    command = [sys.executable, "-m", "wrkparse", *arguments]
    return subprocess.run(command, cwd=cwd, env=environment, capture_output=True, text=True, check=False)
