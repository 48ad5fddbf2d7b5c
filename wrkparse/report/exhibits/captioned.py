"""Tables and figures with captions, which a notebook displays and a report prints.

Jupyter shows them as HTML. A report reads the same content as JSON, under the MIME types `TABLE` and `FIGURE`
(`wrkparse.report.document.assemble`). Text refers to them by their labels: ``@fig:scaling``, ``@tbl:runs``.
"""

from __future__ import annotations

import base64
import html
import io
import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import pandas as pd

from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.dataset import NoLabelError
from wrkparse.report.exhibits.excerpts import REFERENCED_RUNS, shown_points
from wrkparse.report.exhibits.mime_types import FIGURE, FOR_REPORT, PAGES, TABLE, Bundle
from wrkparse.report.exhibits.tables.columns import ColumnFormat, FormattedColumn, format_column
from wrkparse.report.exhibits.tables.headings import HEADINGS, ColumnHeading
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure as Drawing

# The default number of printed rows of a table. Its CSV has all rows.
MOST_ROWS = 40
_MORE_THAN_ALMOST_ALL = 1.5  # times as many rows as are printed; of fewer, none are left out
# A phone shows 358 CSS pixels of a page; of a figure of 86 mm (244 points), text of 7.5 points has 11 pixels there.
_PHONE_MM = 86.0
_MOST_ROWS_OF_HTML = 5000  # of a table on an HTML page; more make a browser slow

_LABEL_PATTERN = re.compile(r"(fig|tbl):[a-z0-9]+(-[a-z0-9]+)*")  # "fig:scaling", "tbl:settings-1-2"


class Missing:
    """A missing result, with the reason.

    Attributes, items and calls of it give the same object. Iterating over it gives nothing, and it is false. A `Table`
    or `Figure` of it prints the reason.
    """

    def __init__(self, reason: str) -> None:
        self.reason = reason

    def __getattr__(self, name: str) -> Missing:
        # Jupyter asks for methods such as `_repr_html_`, which this object must not seem to have.
        if name.startswith("_"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key: object) -> Missing:
        return self

    def __call__(self, *args: object, **options: object) -> Missing:
        """The same object, as the result of any method."""
        return self

    def __iter__(self) -> Iterator[Missing]:
        return iter(())

    def __bool__(self) -> bool:
        return False

    def __repr__(self) -> str:
        return f"<Missing: {self.reason}>"


def attempt(function: Callable[..., Any], *args: Any, **options: Any) -> Any:
    """Call a function; return `Missing` with the reason if the data is too little for a result, or lacks a label.

    It is for notebooks that run on any data: ``law = wp.attempt(wp.scaling, ds)``, then ``wp.Table(law.points, …)``. A
    `Missing` argument is returned. Other errors are raised.
    """
    from wrkparse.plot.errors import NothingToPlotError

    if any(isinstance(value, Missing) for value in args):
        return next(value for value in args if isinstance(value, Missing))
    try:
        return function(*args, **options)
    except (TooLittleError, NothingToPlotError, NoLabelError) as problem:
        return Missing(printable(str(problem)))


class Table:
    """A frame with a caption.

    - ``frame``: values in base units, or `Missing`. The index is not shown; ``reset_index()`` makes it a column.
    - ``caption``: a sentence in Markdown that says what the table shows.
    - ``label``: ``tbl:`` and a name; text refers to the table as ``@tbl:name``.
    - ``columns``: the columns to show, in this order, as a list, or as a mapping with the title of each. Default: all.
      Columns without any value are not printed.
    - ``titles``: titles of some columns. Others have the title in `wrkparse.report.exhibits.tables.headings`, or the
      words of their names.
    - ``formats``: formats of columns that have none there and whose names do not end in the wanted unit. A format is a
      unit (``s``, ``1/s``, ``bytes``, ``bytes/s``, ``ratio`` shown in per cent, ``points`` (a difference of ratios, in
      percentage points), ``×``, ``factor`` (a ratio without a unit), ``number``, ``1`` for a count, ``text``), a format
      specification (``.2f``) or a function of a value.
    - ``rows``: the number of printed rows if the frame has more than half as many again; a note states how many more
      there are. An HTML page opens up to 5000. The CSV has all rows of the shown columns, in base units, under their
      original names.
    - ``empty``: the text in place of a table without rows.
    - ``repeats``: the label of a figure that prints the same numbers. In a report with that figure, a page folds the
      table, and a PDF has its CSV only.

    Raises KeyError for columns that the frame does not have, and ValueError for a malformed label.
    """

    def __init__(
        self,
        frame: pd.DataFrame | Missing,
        caption: str,
        label: str,
        *,
        columns: Mapping[str, str] | Sequence[str] = (),
        titles: Mapping[str, str] | None = None,
        formats: Mapping[str, ColumnFormat] | None = None,
        rows: int = MOST_ROWS,
        empty: str = "There is nothing to show.",
        repeats: str = "",
    ) -> None:
        self.caption = caption
        self.label = _check_label(label, "tbl")
        self.repeats = _check_label(repeats, "fig") if repeats else ""
        self.reason = frame.reason if isinstance(frame, Missing) else None if len(frame) else empty
        if isinstance(frame, Missing):
            frame = pd.DataFrame()
        titles = {**(columns if isinstance(columns, Mapping) else {}), **(titles or {})}
        named = dict.fromkeys((*columns, *titles, *(formats or {})))
        unknown = [name for name in named if name not in frame] if self.reason is None else []
        if unknown:
            raise KeyError(
                f"{label}: the frame has no column {', '.join(unknown)}; it has {', '.join(map(str, frame))}"
            )
        self.frame = frame[list(columns)] if columns and self.reason is None else frame
        self._resolutions = {name: frame[column] for name in self.frame if (column := _resolution_of(name)) in frame}
        self.rows = rows if len(frame) > _MORE_THAN_ALMOST_ALL * rows else len(frame)
        self._titles, self._formats = titles, dict(formats or {})

    def columns(self, rows: int | None = None) -> list[FormattedColumn]:
        """The printed columns with `rows` rows, by default with the printed ones."""
        shown = self.frame.head(self.rows if rows is None else rows)
        names = [str(name) for name in self.frame if not self.frame[name].isna().all()]
        return [self._column(shown[name], HEADINGS.get(name, ColumnHeading())) for name in names]

    def _column(self, values: pd.Series, heading: ColumnHeading) -> FormattedColumn:
        name = str(values.name)
        title, form = self._titles.get(name, heading.title), self._formats.get(name, heading.format)
        return format_column(values, title, form, self._resolutions.get(name))

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        if self.reason is not None:
            return _empty_bundle(TABLE, self)
        shown = self.columns(_MOST_ROWS_OF_HTML if FOR_REPORT in os.environ else None)
        rows = [list(row) for row in zip(*(one.cells for one in shown), strict=True)]
        content = {
            "caption": self.caption,
            "label": self.label,
            "columns": [{"title": one.title, "unit": one.unit, "right": one.right} for one in shown],
            "rows": rows[: self.rows],
            "more_rows": rows[self.rows :],
            "left_out": max(len(self.frame) - self.rows, 0),
            "repeats": self.repeats,
            "csv": self.frame.to_csv(index=False, lineterminator="\n"),
        }
        bundle: Bundle = {TABLE: content, "text/plain": f"{self.label}: {self.caption}"}
        return (
            bundle
            if FOR_REPORT in os.environ
            else bundle | {"text/html": _table_html(content, _caption_with_label(self))}
        )


class Figure:
    """A figure with a caption.

    - ``drawn``: the Axes that a function of `wrkparse.plot` returned, a matplotlib figure, or `Missing`.
    - ``caption``: a sentence in Markdown that says what the figure shows.
    - ``label``: ``fig:`` and a name; text refers to the figure as ``@fig:name``.
    - ``alt``: a description for readers who cannot see the figure.

    Raises ValueError for a malformed label, and for an empty `alt`.
    """

    def __init__(self, drawn: Axes | Drawing | Missing, caption: str, label: str, alt: str) -> None:
        self.caption = caption
        self.label = _check_label(label, "fig")
        self.alt = alt
        if not alt.strip():
            raise ValueError(f"{label}: alt is empty; describe the figure in words")
        self.reason = drawn.reason if isinstance(drawn, Missing) else None
        self.drawing = None if isinstance(drawn, Missing) else _root_figure(drawn)

    def svg(self, *, text: bool) -> str:
        """The figure as SVG, the same bytes each time.

        With `text`, text stays text, and a viewer needs the fonts; else it becomes outlines.
        """
        assert self.drawing is not None
        return self._svg(self.drawing, self.label, text=text)

    @staticmethod
    def _svg(drawing: Drawing, salt: str, *, text: bool) -> str:
        from matplotlib import rc_context

        from wrkparse.plot.style.fonts import choose_cjk_faces
        from wrkparse.plot.style.house import MANAGED, house_style
        from wrkparse.plot.style.measure import ticks_updated_once

        choose_cjk_faces(drawing)
        written = io.BytesIO()
        fonts = "none" if text else "path"
        settings: Any = {"svg.fonttype": fonts, "svg.hashsalt": salt}  # Any: matplotlib types the keys as literals
        settled = drawing.axes if drawing in MANAGED else ()  # the layout of a user's figure may move axes
        with house_style(), rc_context(settings), ticks_updated_once(*settled):
            drawing.savefig(written, format="svg", metadata={"Date": None})
        return written.getvalue().decode()

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        if self.reason is not None:
            return _empty_bundle(FIGURE, self)
        bundle: Bundle = {"text/plain": f"{self.label}: {self.caption}"}
        if FOR_REPORT in os.environ:
            content: Bundle = {"caption": self.caption, "label": self.label, "alt": self.alt}
            if os.environ[FOR_REPORT] == PAGES:
                content |= self._for_page(self.drawing, self.label) | self._narrow()
            else:
                content["svg"] = self.svg(text=True)
            return bundle | {FIGURE: content}
        # An <img>, because Jupyter removes <svg> elements from the HTML of notebooks that are not trusted.
        data = base64.b64encode(self.svg(text=False).encode()).decode()
        shown = f'<figure id="{self.label}"><img alt="{html.escape(self.alt)}" src="data:image/svg+xml;base64,{data}">'
        return bundle | {"text/html": f"{shown}<figcaption>{_caption_with_label(self)}</figcaption></figure>"}

    def _narrow(self) -> Bundle:
        """The drawing for a phone with its points; empty for a figure that can't be drawn again."""
        from wrkparse.plot.style.house import redrawn

        drawing = redrawn(self.drawing, _PHONE_MM) if self.drawing else None
        if drawing is None:
            return {}
        return {"narrow": self._for_page(drawing, f"{self.label} narrow")}

    def _for_page(self, drawing: Drawing | None, salt: str) -> Bundle:
        """A drawing for an HTML page: its SVG, the settings that the identifiers in it refer to, and its points."""
        from wrkparse.plot.marks import settings_as_ids
        from wrkparse.plot.points import placed_points

        assert drawing is not None
        with settings_as_ids(drawing) as settings:
            svg = self._svg(drawing, salt, text=True)
        points = placed_points(drawing)
        shown = shown_points(points)
        REFERENCED_RUNS.add(points if shown else ())
        return {"svg": svg, "settings": settings, "points": shown}


def _resolution_of(name: object) -> str:
    """The column with the resolutions of another one; empty if there is none."""
    return HEADINGS.get(str(name), ColumnHeading()).resolution


def _check_label(label: str, kind: str) -> str:
    if not _LABEL_PATTERN.fullmatch(label) or not label.startswith(kind):
        raise ValueError(f"label {label!r}: expected {kind}: and a name of lower-case letters, digits and hyphens")
    return label


def _root_figure(drawn: Axes | Drawing) -> Drawing:
    found = drawn.get_figure(root=True)
    if found is None:
        raise ValueError("the axes belong to no figure")
    return found


def _empty_bundle(kind: str, shown: Table | Figure) -> Bundle:
    content = {"caption": shown.caption, "label": shown.label, "empty": shown.reason}
    bundle: Bundle = {kind: content, "text/plain": f"{shown.label}: {shown.reason}"}
    return bundle | {"text/html": f"<p>{_caption_with_label(shown)}: <em>{html.escape(shown.reason or '')}</em></p>"}


def _caption_with_label(shown: Table | Figure) -> str:
    """The caption for Jupyter, after the label: Jupyter does not replace ``@fig:name`` in texts by a number."""
    return f"<strong>@{shown.label}</strong> {_caption_html(shown.caption)}"


def _caption_html(caption: str) -> str:
    """A caption as HTML. Code and emphasis are converted from Markdown; Jupyter renders formulas."""
    code = re.sub(r"`([^`]+)`", r"<code>\1</code>", html.escape(caption))
    # `*Same* means`, but not `2*3*4` and `**bold**`.
    return re.sub(r"(?<![\w*])\*([^*]+)\*(?![\w*])", r"<em>\1</em>", code)


def _table_html(content: Bundle, caption: str) -> str:
    """A table as HTML for Jupyter."""
    sides = ["right" if one["right"] else "left" for one in content["columns"]]
    heads = [html.escape(", ".join(filter(None, (one["title"], one["unit"])))) for one in content["columns"]]
    lines = [_row_html("th", heads, sides)]
    lines += [_row_html("td", [html.escape(cell) for cell in row], sides) for row in content["rows"]]
    more = f"<p>… and {content['left_out']:,} more rows</p>" if content["left_out"] else ""
    return f'<table id="{content["label"]}"><caption>{caption}</caption>\n{"".join(lines)}</table>{more}'


def _row_html(tag: str, cells: list[str], sides: list[str]) -> str:
    shown = (f'<{tag} style="text-align:{side}">{cell}</{tag}>' for cell, side in zip(cells, sides, strict=True))
    return f"<tr>{''.join(shown)}</tr>\n"
