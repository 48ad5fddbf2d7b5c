"""The files for a new tool: a module, a pair of fixtures, a look-alike and a test, with gaps to fill in.

The report in the templates is made up. Its three lines begin with the tool's name, so that no other tool matches them.
"""

from __future__ import annotations

import keyword
import re
from pathlib import Path
from string import Template

from wrkparse.tools import all_tools

_NAME = re.compile(r"[a-z][a-z0-9]*(?:-[a-z0-9]+)*")

# Each `TODO` is a gap that the contract finds (`_undocumented`, `_unread`).
_MODULE = Template('''\
r"""$name: the report that it prints at the end.

TODO: name the file and the function that print the report, in which versions, and show a real report here::

    $name: 1000 requests in 2.50 s
    $name: latency mean 2.41 ms, p99 9.87 ms, max 18.03 ms
    $name: 400.00 requests/s
"""

from __future__ import annotations

from wrkparse.model.units import MILLISECONDS
from wrkparse.tools.base import CLOSED, Counting, Flags, ReportTool
from wrkparse.tools.common import ELAPSED, LATENCY, REQUESTS, THROUGHPUT
from wrkparse.tools.lines import Slot, count_slot, decimals, line
from wrkparse.tools.report import Lack, Report

# TODO: a `Metric` for each number that wrkparse.tools.common does not have: name, base unit, direction, title.
_TIME = decimals(2, MILLISECONDS)


def _lacks(report: Report) -> Lack | None:
    """Its last line."""
    return None if "rate" in report.seen else Lack("its rate", "warning")


# TODO: a line for each kind of line, in the order in which they are printed; {} is a number.
TOTAL = line(
    "total", "$name: {} requests in {} s", count_slot(REQUESTS), Slot(ELAPSED, "total", decimals(2)), rank=0
)
TIMES = line(
    "latency", "$name: latency mean {} ms, p99 {} ms, max {} ms",
    Slot(LATENCY, "mean", _TIME), Slot(LATENCY, "p99", _TIME), Slot(LATENCY, "max", _TIME),
    rank=1, inside=True,
)  # fmt: skip
RATE = line("rate", "$name: {} requests/s", Slot(THROUGHPUT, "total", decimals(2)), rank=2, inside=True)

TOOL = ReportTool(
    name="$name",
    metrics=(REQUESTS, ELAPSED, LATENCY, THROUGHPUT),
    lines=(TOTAL, TIMES, RATE),
    programs=frozenset({"$name"}),
    flags=Flags(options={"-c": "connections"}, positional="url"),  # TODO: as the manual has them
    loop=CLOSED,  # TODO: or Loop("open", corrected=…), or loop_of, if its options decide; its source says
    counting=Counting("from when the request is sent"),  # TODO: see Counting; its source says
    evidence=frozenset({"latency", "rate"}),  # TODO: a report that has one of these lines is a run
    lacks=_lacks,
)
''')
_REPORT = Template("""\
TODO: replace this text by what $name really prints.

$$ $name -c 8 http://127.0.0.1:8080/
$name: 1000 requests in 2.50 s
$name: latency mean 2.41 ms, p99 9.87 ms, max 18.03 ms
$name: 400.00 requests/s
""")
_EXPECTED = Template("""\
{
 "runs": [
  {
   "tool": "$name",
   "line": 4,
   "line_end": 6,
   "labels": {"connections": "8"},
   "version": null,
   "dialect": null,
   "measurements": {
    "requests/total": 1000,
    "elapsed/total": 2.5,
    "latency/mean": 0.00241,
    "latency/p99": 0.00987,
    "latency/max": 0.01803,
    "throughput/total": 400.0
   }
  }
 ]
}
""")
_LOOKALIKE = Template("""\
With $name: 1000 requests took us 2.50 s. Latency mean 2.41 ms is fine; 400.00 requests/s are not.
""")
_TEST = Template('''\
"""$name is complete: it has its source, its fixtures, its diagnostics."""

from __future__ import annotations

from pathlib import Path

from wrkparse.testing import check_tool

FIXTURES = $fixtures


def test_the_tool_lacks_nothing() -> None:
    check_tool("$module", FIXTURES)
''')
_PROJECT = Template("""\
[build-system]
requires = ["hatchling>=1.27"]
build-backend = "hatchling.build"

[project]
name = "wrkparse-$name"
version = "0.1"
description = "Lets wrkparse read the output of $name"
readme = "README.md"
requires-python = ">=3.11"
dependencies = ["wrkparse"]

[project.optional-dependencies]
dev = ["pytest"]

[project.entry-points."wrkparse.tools"]
$name = "$module:TOOL"

[tool.hatch.build]
dev-mode-dirs = ["."]  # an editable install needs no further package

[tool.hatch.build.targets.wheel]
packages = ["$package"]
""")
_README = Template("""\
# wrkparse-$name

Lets wrkparse read the output of $name: where this package is installed, every
command of wrkparse knows it.
""")


class BadNameError(ValueError):
    """A name that a new tool can't have; the message says why."""


def checked_name(name: str) -> str:
    """The name of a new tool. Raises BadNameError for one that is taken, or can't be the name of a module."""
    if not _NAME.fullmatch(name) or keyword.iskeyword(name):
        raise BadNameError(f"{name!r} can't be the name of a tool; use small letters, digits and hyphens: go-wrk")
    if any(tool.name == name for tool in all_tools()):
        raise BadNameError(f"there is a tool {name!r} already")
    return name


def is_checkout(folder: Path) -> bool:
    """Whether a folder is a checkout of wrkparse."""
    return (folder / "wrkparse" / "tools" / "lines.py").is_file() and (folder / "tests" / "fixtures").is_dir()


def plug_in_files(name: str) -> dict[str, str]:
    """The files of a package that lets wrkparse read a tool, by path."""
    package = f"wrkparse_{name.replace('-', '_')}"
    words = {"name": name, "package": package, "module": f"{package}.tool"}
    test = _TEST.substitute(words, fixtures='Path(__file__).parent / "fixtures"')
    return {
        "pyproject.toml": _PROJECT.substitute(words),
        "README.md": _README.substitute(words),
        f"{package}/__init__.py": f'"""Lets wrkparse read the output of {name}."""\n',
        f"{package}/tool.py": _MODULE.substitute(words),
        "tests/test_contract.py": test,
        **_fixtures(name, "tests/fixtures"),
    }


def own_files(name: str) -> dict[str, str]:
    """The files of a tool in a checkout of wrkparse, by path."""
    stem = name.replace("-", "_")
    words = {"name": name, "module": f"wrkparse.tools.{stem}"}
    fixtures = f"tests/fixtures/{name}"
    return {
        f"wrkparse/tools/{stem}.py": _MODULE.substitute(words),
        f"tests/tools/test_{stem}.py": _TEST.substitute(
            words, fixtures=f'Path(__file__).parents[1] / "fixtures" / "{name}"'
        ),
        **_fixtures(name, fixtures),
        # In a checkout, the tests read each fixture with its expected values.
        f"{fixtures}/lookalike.json": '{"runs": []}\n',
    }


def _fixtures(name: str, folder: str) -> dict[str, str]:
    return {
        f"{folder}/report.txt": _REPORT.substitute(name=name),
        f"{folder}/report.json": _EXPECTED.substitute(name=name),
        f"{folder}/lookalike.txt": _LOOKALIKE.substitute(name=name),
    }
