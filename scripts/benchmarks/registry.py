"""Packages of the public Python registry that read what wrkparse reads: put beside the inputs, not into the project.

Looked for in November 2026 under the names of the tools and of their output. Two read reports of wrk and wrk2:
wrk-load-tools (the numbers of one report) and wrk2img (of each report the rate and the percentiles, to draw them); one,
jc, those of time. For ab, gctrace and schedtrace there was none.
"""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from inputs import Sums

# What is installed for each, without the rest of what it requires: reading needs no more.
REQUIRED = {
    "wrk-load-tools": ["wrk-load-tools==0.0.3", "pyparsing==3.3.3"], "wrk2img": ["wrk2img==1.1.0"],
    "jc": ["jc==1.26.1", "ruamel.yaml==0.19.1", "xmltodict==1.0.2"],
}  # fmt: skip
_MODULES = {"wrk-load-tools": "wrktoolbox.wrkoutput", "wrk2img": "wrk2img.parser", "jc": "jc.parsers.time"}
TOOLS = {"wrk": ("wrk-load-tools", "wrk2img"), "wrk2": ("wrk-load-tools", "wrk2img"), "time": ("jc",)}
Found = tuple[int, Callable[[], Sums]]


def install(directory: Path) -> dict[str, Path]:
    """Where each package is; those that can't be had are left out."""
    found = {}
    for name, wanted in REQUIRED.items():
        place = directory / "peers" / name
        command = [sys.executable, "-m", "pip", "install", "-q", "--no-deps", "--target", str(place), *wanted]
        if place.exists() or subprocess.run(command, check=False).returncode == 0:
            found[name] = place
        else:
            print(f"{name} can't be installed and is left out", file=sys.stderr)
    return found


def prepare(name: str) -> None:
    """Import what reading needs."""
    importlib.import_module(_MODULES[name])


def load_tools(path: Path) -> Found:
    """Each report by itself, which is how it takes them."""
    parse = _module("wrk-load-tools").BenchmarkOutput.parse
    rates = [parse(text[text.index("Running ") :]).requests_per_second for text in _texts(path)]
    return len(rates), lambda: {"throughput/total": sum(round(100 * rate) for rate in rates)}


def wrk2img(path: Path) -> Found:
    """Each report by itself: it names curves by their rate, and two of one rate would be one."""
    parser = _module("wrk2img").Parser()
    names = [name for text in _texts(path) for name in parser.parse_wrk_output(text)[0]]
    return len(names), lambda: {"throughput/total": sum(round(100 * float(name.split()[0])) for name in names)}


def jc(path: Path) -> Found:
    """Each report by itself, without the command above it, which it would not know."""
    parse = _module("jc").parse
    found = [parse(text.partition("\n")[2], quiet=True) for text in _texts(path)]
    return len(found), lambda: {
        f"{name}/total": sum(round(1e9 * one[f"{name}_time"]) for one in found) for name in ("user", "system")
    }


def _module(name: str) -> Any:
    return sys.modules[_MODULES[name]]


def _texts(path: Path) -> list[str]:
    return [file.read_text() for file in sorted(path.rglob("*.txt"))]


READERS = {"wrk-load-tools": load_tools, "wrk2img": wrk2img, "jc": jc}
