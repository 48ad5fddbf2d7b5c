"""The document of a report: a tree of blocks as pandoc has them, and the tables and figures."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from wrkparse.report.document.pandoc import Node, text_inline, walk
from wrkparse.report.exhibits.mime_types import TABLE

# The format of a raw block in place of an exhibit. The text of the block is the index of the exhibit.
MARKER = "wrkparse"


@dataclass
class Exhibit:
    """A table or a figure of the document.

    - `content`: what the notebook displayed, as JSON.
    - `kind`: the MIME type, `TABLE`, `FIGURE` or `BAR`.
    - `cell`: the number of the cell in the notebook, from 1.
    - `number`: counts the exhibits of one kind from 1; 0 for an empty exhibit, which is not printed, and for a table
      whose numbers a figure prints.
    """

    content: dict[str, Any]
    kind: str
    cell: int
    number: int = 0
    caption: list[Node] = field(default_factory=list)

    @property
    def label(self) -> str:
        """The label by which text refers to the exhibit: ``fig:scaling``."""
        return str(self.content["label"])

    @property
    def name(self) -> str:
        """The name in the text: ``Figure 3``."""
        return f"{'Table' if self.kind == TABLE else 'Figure'}\u00a0{self.number}"

    @property
    def empty(self) -> str | None:
        """Why the exhibit is empty; None if it is not."""
        reason: str | None = self.content.get("empty")
        return reason


@dataclass(frozen=True)
class FrontFacts:
    """The title of a front page, the parts of the line below it, and the number of runs.

    `states_day` says whether that line has the day of the measurement, `states_runs` whether it begins with the number
    of runs.
    """

    title: str
    byline: tuple[str, ...]
    states_day: bool
    runs: int
    states_runs: bool


@dataclass
class Document:
    """The content of a report, independent of the output format.

    - `summary`, `body`: blocks. A raw block of `MARKER` is the place of an exhibit, and a Cite is a reference to one.
    - `languages`: the language of the title and of table cells with Chinese characters that are not Japanese, by text.
    - `front`: facts of the front page, if there is one; `title` is then the title on it.
    - `excerpts`: the log lines of points in figures (`wrkparse.report.exhibits.excerpts.excerpts`).
    - `outcome`: the exit code of --fail-on; None without limits.
    - `unread`: why files could not be read, if a cell says so.
    """

    title: str
    summary: list[Node]
    body: list[Node]
    exhibits: list[Exhibit]
    languages: dict[str, str] = field(default_factory=dict)
    front: FrontFacts | None = None
    excerpts: dict[str, Any] = field(default_factory=dict)
    outcome: int | None = None
    unread: Sequence[str] = ()

    def repeated(self, exhibit: Exhibit) -> Exhibit | None:
        """The figure of the document that prints the same numbers as a table; None if there is none."""
        figure = self.by_label().get(exhibit.content.get("repeats", ""))
        return figure if figure and figure.empty is None else None

    def by_label(self) -> dict[str, Exhibit]:
        """The exhibits by their labels."""
        return {exhibit.label: exhibit for exhibit in self.exhibits}


def resolve_references(tree: Any, refer: Callable[[Exhibit], Node], exhibits: dict[str, Exhibit]) -> Any:
    """A copy of the tree, with the inline that `refer` returns for each reference; commas join several of one Cite.

    A reference to a table whose numbers a figure prints refers to the figure.
    """

    def change(node: Node) -> list[Node] | None:
        if node["t"] != "Cite":
            return None
        inlines: list[Node] = []
        for cited in node["c"][0]:
            inlines += [text_inline(", ")] if inlines else []
            exhibit = exhibits[cited["citationId"]]
            if exhibit.empty is None and not exhibit.number:
                exhibit = exhibits[exhibit.content["repeats"]]
            kind = "table" if exhibit.kind == TABLE else "figure"
            inlines += [refer(exhibit) if exhibit.empty is None else text_inline(f"(no {kind})")]
        return inlines

    return walk(tree, change)
