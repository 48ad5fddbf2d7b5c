"""The document of a report: a tree of pandoc's blocks, with the tables and figures beside it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from wrkparse.report.document.pandoc import Node, text_inline, walk
from wrkparse.report.exhibits.kinds import TABLE

MARKER = "wrkparse"  # the format of a raw block that stands for an exhibit; its text is the index of the exhibit


@dataclass
class Exhibit:
    """A table or a figure of the document.

    - `content`: what the notebook displayed, as JSON.
    - `kind`: the MIME type, `TABLE` or `FIGURE`.
    - `cell`: the number of the cell in the notebook, from 1.
    - `number`: counts the exhibits of one kind from 1; 0 for an empty exhibit, which is not printed.
    """

    content: dict[str, Any]
    kind: str
    cell: int
    number: int = 0
    caption: list[Node] = field(default_factory=list)

    @property
    def label(self) -> str:
        """``fig:scaling``."""
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
class Front:
    """What a front page says: its title, the line below it, whether that states the day of the measurement.

    `runs` is the number of runs that it is about; `states_runs` says whether the line begins with it.
    """

    title: str
    byline: tuple[str, ...]
    states_day: bool
    runs: int
    states_runs: bool


@dataclass
class Document:
    """The content of a report, independent of the output format.

    In the blocks, a raw block of `MARKER` stands for an exhibit, and a Cite for a reference to one. `languages` has the
    language of the title and of table cells whose Chinese characters are not Japanese, by their text. `front` is what
    the front page says, if there is one; `title` is then its title. `excerpts` has the lines behind points of figures
    (`wrkparse.report.exhibits.excerpts.excerpts`), `outcome` the exit code of a gate, if the notebook judges limits,
    `unread` the files that could not be read, as far as a cell says.
    """

    title: str
    summary: list[Node]
    body: list[Node]
    exhibits: list[Exhibit]
    languages: dict[str, str] = field(default_factory=dict)
    front: Front | None = None
    excerpts: dict[str, Any] = field(default_factory=dict)
    outcome: int | None = None
    unread: Sequence[str] = ()

    def repeated(self, exhibit: Exhibit) -> Exhibit | None:
        """The figure of the document that prints the numbers of a table; None if there is none."""
        figure = self.by_label().get(exhibit.content.get("repeats", ""))
        return figure if figure and figure.empty is None else None

    def by_label(self) -> dict[str, Exhibit]:
        """The exhibits by their labels."""
        return {exhibit.label: exhibit for exhibit in self.exhibits}


def resolve_references(tree: Any, refer: Callable[[Exhibit], Node], exhibits: dict[str, Exhibit]) -> Any:
    """A copy of the tree in which `refer` makes the text of each reference; several in one are joined by commas."""

    def change(node: Node) -> list[Node] | None:
        if node["t"] != "Cite":
            return None
        inlines: list[Node] = []
        for cited in node["c"][0]:
            inlines += [text_inline(", ")] if inlines else []
            exhibit = exhibits[cited["citationId"]]
            kind = "table" if exhibit.kind == TABLE else "figure"
            inlines += [refer(exhibit) if exhibit.empty is None else text_inline(f"(no {kind})")]
        return inlines

    return walk(tree, change)
