"""How notebooks show figures."""

from __future__ import annotations

import base64
import struct
from pathlib import Path

import nbformat
import pytest

import wrkparse as wp
from wrkparse.plot.style.house import WIDTH_MM
from wrkparse.report.notebook.execute import execute

SERVERS = Path(__file__).parents[1] / "fixtures" / "servers"
DRAW = "ax = wp.plot.compare(ds)"
# Each cell, and the forms that its outputs have: a figure is an image once, whatever follows it.
CELLS = {
    f"import wrkparse as wp\nds = wp.read({str(SERVERS)!r})": [],
    DRAW: [],
    "ax": ["image/png"],
    "ax.figure": ["image/png"],
    "wp.plot.audit(ds)": ["image/png"],
    "import matplotlib.pyplot as plt\nplt.get_fignums()": ["text/plain"],
}
OWN_AXES = {
    "_, own = plt.subplots()\nwp.plot.compare(ds, ax=own)": ["text/plain", "image/png"]
}  # pyplot shows its figure


@pytest.mark.parametrize(("first", "expected"), [("", CELLS), ("%matplotlib inline\n", CELLS | OWN_AXES)])
def test_jupyter_shows_each_figure_once_with_and_without_the_magic(
    first: str, expected: dict[str, list[str]], tmp_path: Path
) -> None:
    book = nbformat.v4.new_notebook()
    sources = list(expected)
    book.cells = [nbformat.v4.new_code_cell(source) for source in (first + sources[0], *sources[1:])]
    path = tmp_path / "book.ipynb"
    nbformat.write(book, path)
    cells = execute(path).cells[: len(expected)]
    shown = [[richest(output["data"]) for output in cell.outputs] for cell in cells]
    assert dict(zip(expected, shown, strict=True)) == expected
    [open_figures] = [cell.outputs[0]["data"]["text/plain"] for cell in cells if "get_fignums" in cell.source]
    assert open_figures == "[]"


def richest(data: dict[str, str]) -> str:
    return "image/png" if "image/png" in data else "text/plain"


def test_the_image_has_two_pixels_for_each_of_the_page() -> None:
    ax = wp.plot.compare(wp.read(SERVERS))
    data, about = ax._repr_mimebundle_()  # type: ignore[attr-defined]
    size = struct.unpack(">II", base64.b64decode(data["image/png"])[16:24])  # of the chunk IHDR
    shown = about["image/png"]
    assert shown["width"] == round(WIDTH_MM / 25.4 * 100)  # at 100 dots per inch
    assert size == pytest.approx((2 * shown["width"], 2 * shown["height"]), abs=1.5)
