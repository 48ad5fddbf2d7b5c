"""The headings and list items that are open at a line, with the commands that were read below each of them.

``## heron`` below ``# Results`` → section ``Results > heron``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from wrkparse.context.labels import KERNEL
from wrkparse.context.titles.titles import read_title
from wrkparse.model.records import Label
from wrkparse.text.shell import Command
from wrkparse.tools.base import ReportTool


@dataclass(slots=True)
class Scope:
    """One open heading or list item. Its labels hold for every run below it until it closes."""

    level: int  # of a heading, 1 is the outermost; 0 is the document itself; -1 is a list item
    indent: int  # columns in front of a list item's mark; -1 for a heading
    text: str
    labels: list[Label]
    line: int = 0
    column: int = 0  # where a list item's text begins
    step: bool = False  # an item of a numbered list: a server that it starts keeps running in the next step
    listed: bool = False  # an item directly below another: a list of facts, not a title of what follows the list
    part: bool = False  # a heading below that of its level which names something: "run 2", "Warm-up"
    loose: bool = False  # a heading whose framework has other words than names, as a page's title may have
    section: str = ""  # the headings from the outermost to this one, set when the scope opens
    settings: list[Label] = field(default_factory=list)
    server: Command | None = None
    server_labels: list[Label] = field(default_factory=list)
    loads: dict[str, tuple[Command, list[Label]]] = field(default_factory=dict)  # by the tool's name


def _has_phase(scope: Scope) -> bool:
    return any(label.key == "phase" for label in scope.labels)


class Inherited(NamedTuple):
    """What a run inherits from the open scopes; each list goes from the outermost scope inwards."""

    labels: list[Label]
    environment: list[Label]
    load_labels: list[Label]
    section: str
    server: Command | None
    load: Command | None


class Outline:
    """The open scopes, from the document itself to the innermost."""

    def __init__(self, source_labels: Iterable[Label]) -> None:
        self.innermost = Scope(0, -1, "", list(source_labels))  # the one that was opened last
        self._scopes = [self.innermost]
        self._leading_parts: set[int] = set()  # levels whose first heading is a part

    @property
    def server_scope(self) -> Scope:
        """The scope in which a server that is started now keeps running: the innermost that is no numbered step."""
        scope = self.innermost
        return next(scope for scope in reversed(self._scopes) if not scope.step) if scope.step else scope

    @property
    def running(self) -> Command | None:
        """The command that started the server which runs now; None if none does."""
        return next((scope.server for scope in reversed(self._scopes) if scope.server is not None), None)

    def open(self, scope: Scope) -> None:
        """Open a scope. A heading closes those of its level and below; a part, only the other parts of its level.

        A part stands below no name where the first heading of its level is one: "Warm-up" above each name.
        """
        scopes = self._scopes
        if scope.level > 0:
            while scopes[-1].level > scope.level or (
                scopes[-1].level == scope.level and (scopes[-1].part or not scope.part)
            ):
                scopes.pop()
            if scope.part and scopes[-1].level < scope.level:
                self._leading_parts.add(scope.level)
            elif scope.part and (scope.level in self._leading_parts or _has_phase(scopes[-1])):
                scopes.pop()
            elif not scope.part:
                self._end_name_above_part(scope)
        above = scopes[-1].section
        if scope.level > 0 and scope.text:
            scope.section = f"{above} > {scope.text}" if above else scope.text
        else:
            scope.section = above
        scopes.append(scope)
        self.innermost = scope

    def _end_name_above_part(self, scope: Scope) -> None:
        """Close the heading above a part in which a heading opens that names something else."""
        *_, above, part = [self._scopes[0], *self._scopes]
        if part.part and above.level == part.level and read_title(scope.text).name:
            self._scopes.remove(above)
            outer = self._scopes[-2].section
            part.section = f"{outer} > {part.text}" if outer else part.text

    def close_items(self, indent: int) -> int:
        """Close the list items that a line at this indentation does not belong to. Returns their number."""
        before = len(self._scopes)
        while self.innermost.level == -1 and self.innermost.column > indent:
            self._scopes.pop()
            self.innermost = self._scopes[-1]
        return before - len(self._scopes)

    def end_servers(self) -> None:
        """Forget every server: a command has ended them."""
        for scope in self._scopes:
            scope.server, scope.server_labels = None, []

    def end_warm_up(self) -> None:
        """Note a line that says that the warm-up is over."""
        for scope in self._scopes:
            scope.labels = [label for label in scope.labels if label.key != "phase"]

    def forget_settings(self) -> None:
        """Forget the shell's variables: what a service manager starts does not inherit them, but the kernel's."""
        for scope in self._scopes:
            scope.settings = [label for label in scope.settings if label.rule == KERNEL]

    def inherited(self, tool: str, titles: Iterable[Label] = ()) -> Inherited:
        """What a run of a tool inherits here; the innermost server and the tool's innermost command win.

        `titles` are the labels of a title directly above the run.
        """
        labels: list[Label] = []
        environment: list[Label] = []
        server: Command | None = None
        load: Command | None = None
        server_labels: list[Label] = []
        load_labels: list[Label] = []
        page_title = self._scopes[1] if len(self._scopes) > 1 else None
        above_part = self._above_part(titles)
        for scope in self._scopes:
            if scope is above_part or (scope is page_title and scope.loose and self._names_a_part(titles)):
                labels += [label for label in scope.labels if label.key != "framework"]
            elif scope.labels:
                labels += scope.labels
            if scope.settings:
                environment += scope.settings
            if scope.server is not None:
                server, server_labels = scope.server, scope.server_labels
            if tool in scope.loads:
                load, load_labels = scope.loads[tool]
        if environment:  # a later line overrules an earlier one; the labels of one server have one line
            environment = sorted(environment + server_labels, key=lambda label: label.line or 0)
        else:
            environment = server_labels
        return Inherited(labels, environment, load_labels, self._scopes[-1].section, server, load)

    def _above_part(self, titles: Iterable[Label]) -> Scope | None:
        """The heading above the innermost part, if a title names a run of that; it is called as the title then."""
        if not self.innermost.part or len(self._scopes) < 2 or self._scopes[-2].level != self.innermost.level:
            return None
        named = any(label.key == "title" and read_title(label.value).name for label in titles)
        return self._scopes[-2] if named else None

    def _names_a_part(self, titles: Iterable[Label]) -> bool:
        """Whether a title or a heading below the page's names something.

        Then the page's, "Go web servers", says what they have in common.
        """
        above = (label.value for label in titles if label.key == "title")
        headings = (scope.text for scope in self._scopes[2:] if scope.level > 0)
        return any(read_title(text).name for text in chain(above, headings))

    def formats_for(self, tool: ReportTool) -> dict[str, str]:
        """The output formats that commands and settings in force ask a tool to print, by the key of their label."""
        formats: dict[str, str] = {}
        for scope in self._scopes:
            _, load_labels = scope.loads.get(tool.name, (None, []))
            for label in (*scope.settings, *scope.server_labels, *load_labels):
                if label.key in tool.formats:
                    formats[label.key] = label.value
        return formats
