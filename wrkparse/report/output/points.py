"""The points of figures on an HTML page: a layer above each drawing, and the compressed log lines."""

from __future__ import annotations

import base64
import json
import re
import zlib
from html import escape
from typing import Any

from wrkparse.report.document.model import Document

_RADIUS_PT = 5  # of the area around a point in which its title is shown; a mark is smaller and hard to hit
_SIZE = re.compile(r'<svg [^>]*?viewBox="([^"]+)"', re.DOTALL)


class PointRuns:
    """The runs that points of a document come from, with numbers from 0."""

    def __init__(self, document: Document) -> None:
        self.sources: list[str] = document.excerpts.get("sources", [])
        self.known: dict[str, list[Any]] = document.excerpts.get("runs", {})
        self.numbers = {run: number for number, run in enumerate(self.known)}

    def place(self, run: str, line: int | None) -> str:
        """The place of a run, ``bench.md:4``; empty for an unknown run."""
        found = self.known.get(run)
        return f"{self.sources[found[0]]}:{found[1] if line is None else line}" if found else ""

    def packed(self) -> str:
        """Sources and runs as JSON, compressed (zlib), in Base64; empty without runs."""
        if not self.known:
            return ""
        content = {"sources": self.sources, "runs": list(self.known.values())}
        text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
        return base64.b64encode(zlib.compress(text.encode(), 9)).decode()


def point_layer(name: str, content: dict[str, Any], runs: PointRuns) -> str:
    """The points of a drawing of the figure `name`, as an SVG element to put above the drawing; empty without points.

    Each point has a title, which browsers show also without the script.
    """
    series = content.get("points")
    size = _SIZE.search(content["svg"])
    if not series or not size:
        return ""
    groups = "".join(_series_svg(one["setting"], one["series"], one["points"], runs) for one in series)
    return f'<svg class="points" viewBox="{size[1]}" role="group" aria-label="Points of {name}">{groups}</svg>'


def _series_svg(setting: str, series: str, points: list[list[Any]], runs: PointRuns) -> str:
    name = f' data-name="{escape(series)}"' if series != setting else ""
    shown = "".join(_point_svg(series, point, runs) for point in points)
    return f'<g data-setting="{escape(setting)}"{name}>{shown}</g>'


def _point_svg(series: str, point: list[Any], runs: PointRuns) -> str:
    x, y, words, of, count, line = point
    # Of several runs there is no one place; the script lists them.
    place = runs.place(of[0], line) if len(of) == 1 else ""
    numbers = " ".join(str(runs.numbers[run]) for run in of if run in runs.numbers)
    attributes = f' data-runs="{numbers}"' if numbers else ""
    attributes += f' data-line="{line}"' if line is not None else ""
    attributes += f' data-count="{count}"' if count > len(of) else ""
    title = escape(": ".join(filter(None, (series, words)))) + (f"\n{escape(place)}" if place else "")
    return f'<circle cx="{x}" cy="{y}" r="{_RADIUS_PT}"{attributes}><title>{title}</title></circle>'
