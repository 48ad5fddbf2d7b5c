"""Draws docs/architecture.svg, or says with --check how the drawing differs from the imports."""

from __future__ import annotations

import sys

from drawing import svg
from graph import ROOT, as_data, differences, drawn_graph, graph

DRAWING = ROOT / "docs" / "architecture.svg"


def main() -> None:
    """Write the drawing; with --check, compare only."""
    layers = graph()
    if sys.argv[1:] == ["--check"]:
        problems = differences(drawn_graph(DRAWING.read_text("utf-8")), as_data(layers))
        sys.exit("\n".join([*problems, "Remedy: bash scripts/architecture"]) if problems else 0)
    if sys.argv[1:]:
        sys.exit(__doc__)
    DRAWING.write_text(svg(layers), "utf-8", newline="\n")
    print(f"wrote {DRAWING.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
