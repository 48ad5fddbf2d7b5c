"""A notebook with every kind of content, executed once for all tests."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import nbformat
import pytest

from wrkparse.report.build import BuiltReport, report

CELLS = """\
%% md
# Servers compared, 比較 и λ

What was found, as @fig:curve shows[^note].

[^note]: In short runs.

%% code parameters
DATA = "nowhere"
WHERE = None

%% code
import pandas as pd
from matplotlib.figure import Figure as Drawing
from wrkparse.plot.style.house import house_style
import wrkparse as wp
from tests.samples import GC, WRK

ds = wp.parse_text(WRK + "".join(GC.format(n=n, t=n) for n in (1, 2)), "bench/page.md")
frame = pd.DataFrame({"framework": ["nginx & <b>", "高速 server"], "throughput_per_s": [40669.44, None]})

%% md
## What was measured

The load is $X(N) = \\frac{\\lambda N}{1 + \\sigma (N - 1)}$ requests per second; see @tbl:speed, and the
[other section](#tables).

$$\\bar\\lambda = \\sum_i x_i$$

%% code
wp.Table(frame, "Throughput of $N$ servers, *as printed*", "tbl:speed")

%% code
with house_style():
    axes = Drawing(figsize=(6.5, 2)).subplots()
    axes.plot([1, 2, 4])
    axes.set_title("Throughput 日本語")
wp.Figure(axes, "A curve", "fig:curve", alt="a line that bends up")

%% md
## Tables

日本語の文章は
空白なしで続く。A note with an emoji 🙂 and an e-mail: someone\\@example.org. The wide one is @tbl:wide.

%% code
wide = pd.DataFrame({f"requests of {n}": [10**9 * (n + 1), 7] for n in range(14)})
wp.Table(wide, "Fourteen columns", "tbl:wide")

%% code
long = pd.DataFrame({"n": range(100)})
wp.Table(long, "A hundred rows", "tbl:long", rows=10)

%% code
wp.Figure(wp.plot.audit(ds), "Requests in flight", "fig:flight", alt="a point on a line")

%% code
wp.Figure(wp.plot.gc(ds), "Pauses", "fig:pauses", alt="two pauses of each kind")

%% code
print("a line\\nanother")

%% code show
shown = 1 + 1

%% md
## Nothing here

This sentence explains what is not there.

%% code
wp.Table(frame.head(0), "Nothing", "tbl:none", empty="No run of that kind.")

%% code summary
from IPython.display import Markdown
Markdown(f"There are **{len(frame)}** of them.")
"""


def notebook(cells: str) -> nbformat.NotebookNode:
    """``%% md`` or ``%% code``, and tags, begin a cell."""
    made = nbformat.v4.new_notebook()
    for part in cells.split("%% ")[1:]:
        head, _, source = part.partition("\n")
        kind, *tags = head.split()
        new = nbformat.v4.new_markdown_cell if kind == "md" else nbformat.v4.new_code_cell
        made.cells.append(new(source.strip("\n"), metadata={"tags": tags} if tags else {}))
    return made


@pytest.fixture
def written(tmp_path: Path) -> Callable[[str], Path]:
    """Write cells as a notebook."""

    def write(cells: str) -> Path:
        path = tmp_path / "mine.ipynb"
        nbformat.write(notebook(cells), path)
        return path

    return write


@pytest.fixture(scope="session")
def made(tmp_path_factory: pytest.TempPathFactory) -> BuiltReport:
    path = tmp_path_factory.mktemp("notebook") / "mine.ipynb"
    nbformat.write(notebook(CELLS), path)
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PYTHONPATH", str(Path(__file__).parents[2]))
        patch.setenv("SOURCE_DATE_EPOCH", "1700000000")
        return report(path, {"DATA": "/here/store.duckdb", "WHERE": "cores = 4"})


@pytest.fixture(scope="session")
def pdf(made: BuiltReport) -> bytes:
    return made.content(".pdf")


@pytest.fixture(scope="session")
def page(made: BuiltReport) -> str:
    return made.content(".html").decode()
