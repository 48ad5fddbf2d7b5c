"""What a notebook shows and a report prints: a table or a figure with its caption, and a label to refer to it by.

In Jupyter they are shown as HTML. For a report each carries the same as JSON, under a MIME type of its own, so that
nothing has to be read back out of HTML; `wrkparse.report.document` takes it from there. Prose refers to one as
``@fig:scaling`` or ``@tbl:runs``.
"""

from __future__ import annotations

import base64
import html
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any

import pandas as pd

from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import NoLabelError
from wrkparse.report.cells import Column, Format, column
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

TABLE = "application/vnd.wrkparse.table.v1+json"
FIGURE = "application/vnd.wrkparse.figure.v1+json"
# Set for a kernel that executes a notebook for a report: nobody sees what Jupyter would show.
FOR_REPORT = "WRKPARSE_REPORT"
# So many rows of a table are printed unless it says otherwise; all go into its CSV.
MOST_ROWS = 40

_LABEL = re.compile(r"(fig|tbl):[a-z0-9]+(-[a-z0-9]+)*")
Bundle = dict[str, Any]


class Nothing:
    """Stands for a result that the data does not give, with the reason; all that is taken from it is the same nothing.

    A `Table` or `Figure` of it is a line that gives the reason. It is false.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __getattr__(self, name: str) -> Nothing:
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Nothing:
        return self

    def __call__(self, *args: object, **options: object) -> Nothing:
        """What a method of nothing gives."""
        return self

    def __iter__(self) -> Iterator[Nothing]:
        return iter(())

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<Nothing: {self.reason}>"


def attempt(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """The result of a function; `Nothing` with the reason where the data holds too little for one, or lacks a label.

    For notebooks that are to run on any data: ``law = wp.attempt(wp.scaling, ds)``, then ``wp.Table(law.points, …)``.
    Other errors are raised.
    """
    from wrkparse.plot.style import NothingToPlotError

    if any(isinstance(value, Nothing) for value in args):
        return next(value for value in args if isinstance(value, Nothing))
    try:
        return function(*args, **options)
    except (TooLittleError, NothingToPlotError, NoLabelError) as problem:
        return Nothing(printable(str(problem)))


class Table:
    """A frame with a caption.

    - ``frame``: values in base units, or `Nothing`. Its index is not shown: ``reset_index()`` makes a column of it.
    - ``caption``: Markdown; what the table says, in a sentence.
    - ``label``: ``tbl:`` and a name; prose refers to the table as ``@tbl:name``.
    - ``columns``: which columns are shown, in this order, each with its title. Default: all, titled by their names.
      One in which every cell is missing is not printed.
    - ``formats``: for columns whose name does not end in their unit, or that want another: a unit (``s``, ``1/s``,
      ``bytes``, ``bytes/s``, ``ratio`` shown in per cent, ``×``, ``1`` for a count, ``text``), a format specification
      (``.2f``) or a function of a value.
    - ``rows``: the most that are printed; a line says how many more there are. The CSV has all rows of the columns
      shown, in base units, under their own names.
    - ``empty``: what is said in place of a table without rows.

    Raises KeyError for columns that the frame does not have, ValueError for a label that prose could not refer to.
    """

    def __init__(
        self,
        frame: pd.DataFrame | Nothing,
        caption: str,
        label: str,
        *,
        columns: Mapping[str, str] | None = None,
        formats: Mapping[str, Format] | None = None,
        rows: int = MOST_ROWS,
        empty: str = "There is nothing to show here.",
    ) -> None:
        self.caption = caption
        self.label = _checked(label, "tbl")
        self.reason = frame.reason if isinstance(frame, Nothing) else None if len(frame) else empty
        if isinstance(frame, Nothing):
            frame = pd.DataFrame()
        titles = dict(columns or {})
        unknown = [name for name in (*titles, *(formats or {})) if name not in frame] if self.reason is None else []
        if unknown:
            raise KeyError(
                f"{label}: the frame has no column {', '.join(unknown)}; it has {', '.join(map(str, frame))}"
            )
        self.frame = frame[list(titles)] if titles and self.reason is None else frame
        self.rows = rows
        self._titles, self._formats = titles, dict(formats or {})

    def columns(self) -> list[Column]:
        """The columns as they are printed, as many rows as are printed."""
        shown = self.frame.head(self.rows)
        names = [str(name) for name in self.frame if not self.frame[name].isna().all()]
        return [column(shown[name], self._titles.get(name), self._formats.get(name)) for name in names]

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        if self.reason is not None:
            return _nothing(TABLE, self)
        shown = self.columns()
        content = {
            "caption": self.caption,
            "label": self.label,
            "columns": [{"title": one.title, "unit": one.unit, "right": one.right} for one in shown],
            "rows": [list(row) for row in zip(*(one.cells for one in shown), strict=True)],
            "left_out": max(len(self.frame) - self.rows, 0),
            "csv": self.frame.to_csv(index=False, lineterminator="\n"),
        }
        bundle: Bundle = {TABLE: content, "text/plain": f"{self.label}: {self.caption}"}
        return bundle if FOR_REPORT in os.environ else bundle | {"text/html": _html(content)}


class Figure:
    """A figure with a caption.

    - ``drawn``: the Axes that a function of `wrkparse.plot` gives, a figure of matplotlib's, or `Nothing`.
    - ``caption``: Markdown; what the figure shows, in a sentence.
    - ``label``: ``fig:`` and a name; prose refers to the figure as ``@fig:name``.
    - ``alt``: what is to be seen, in words, for those who can't see it.

    Raises ValueError for a label that prose could not refer to, and for an empty `alt`.
    """

    def __init__(self, drawn: Axes | Drawing | Nothing, caption: str, label: str, alt: str) -> None:
        self.caption = caption
        self.label = _checked(label, "fig")
        self.alt = alt
        if not alt.strip():
            raise ValueError(f"{label}: alt is empty; say in words what the figure shows")
        self.reason = drawn.reason if isinstance(drawn, Nothing) else None
        self.drawing = None if isinstance(drawn, Nothing) else _drawing(drawn)

    def svg(self, *, text: bool) -> str:
        """The figure as SVG, the same every time. `text`: as text, which asks for the fonts; else as outlines."""
        from matplotlib import rc_context

        from wrkparse.plot.fonts import localize
        from wrkparse.plot.style import house

        assert self.drawing is not None
        localize(self.drawing)
        written = io.BytesIO()
        fonts = "none" if text else "path"
        with house(), rc_context({"svg.fonttype": fonts, "svg.hashsalt": self.label}):
            self.drawing.savefig(written, format="svg", metadata={"Date": None})
        return written.getvalue().decode()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        if self.reason is not None:
            return _nothing(FIGURE, self)
        bundle: Bundle = {"text/plain": f"{self.label}: {self.caption}"}
        if FOR_REPORT in os.environ:
            content = {"caption": self.caption, "label": self.label, "alt": self.alt, "svg": self.svg(text=True)}
            return bundle | {FIGURE: content}
        # an image, not an element: Jupyter drops the drawing of another's notebook from its HTML
        data = base64.b64encode(self.svg(text=False).encode()).decode()
        shown = f'<figure><img alt="{html.escape(self.alt)}" src="data:image/svg+xml;base64,{data}">'
        return bundle | {"text/html": f"{shown}<figcaption>{_words(self.caption)}</figcaption></figure>"}


def _checked(label: str, kind: str) -> str:
    if not _LABEL.fullmatch(label) or not label.startswith(kind):
        raise ValueError(f"label {label!r}: expected {kind}: and a name of small letters, digits and hyphens")
    return label


def _drawing(drawn: Axes | Drawing) -> Drawing:
    found = drawn.get_figure(root=True)
    if found is None:
        raise ValueError("the axes belong to no figure")
    return found


def _nothing(kind: str, shown: Table | Figure) -> Bundle:
    content = {"caption": shown.caption, "label": shown.label, "empty": shown.reason}
    bundle: Bundle = {kind: content, "text/plain": f"{shown.label}: {shown.reason}"}
    return bundle | {"text/html": f"<p><em>{html.escape(shown.reason or '')}</em></p>"}


def _words(caption: str) -> str:
    """A caption as HTML: of Markdown what captions have, code and stress; Jupyter sets its formulas."""
    code = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(caption))
    return re.sub(r"(?<![\w*])\*([^*]+)\*(?![\w*])", r"<em>\1</em>", code)


def _html(content: Bundle) -> str:
    """A table as Jupyter shows it."""
    sides = ["right" if one["right"] else "left" for one in content["columns"]]
    heads = [html.escape(", ".join(filter(None, (one["title"], one["unit"])))) for one in content["columns"]]
    lines = [_row("th", heads, sides)]
    lines += [_row("td", [html.escape(cell) for cell in row], sides) for row in content["rows"]]
    more = f"<p>… and {content['left_out']:,} rows more</p>" if content["left_out"] else ""
    return f"<table><caption>{_words(content['caption'])}</caption>\n{''.join(lines)}</table>{more}"


def _row(tag: str, cells: list[str], sides: list[str]) -> str:
    shown = (f'<{tag} style="text-align:{side}">{cell}</{tag}>' for cell, side in zip(cells, sides, strict=True))
    return f"<tr>{''.join(shown)}</tr>\n"
