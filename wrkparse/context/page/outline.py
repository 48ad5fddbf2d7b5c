"""Follows the headings and list items that are open at a line, with the commands below each of them.

``## heron`` below ``# Results`` → section ``Results > heron``.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import chain
from typing import NamedTuple

from wrkparse.context.labels import EVERY_VARIABLE, MACHINE_RULES, VARIABLE_RULE, unset_keys
from wrkparse.context.titles.titles import read_title
from wrkparse.model.records import Label
from wrkparse.text.shell import Command
from wrkparse.tools.base import ReportTool


@dataclass(slots=True)
class Scope:
    """An open heading or list item. Its labels hold for every run below it until it closes."""

    level: int  # of a heading, 1 is the outermost; 0 is the document itself; -1 is a list item
    indent: int  # columns before the mark of a list item; -1 for a heading
    text: str
    labels: list[Label]
    line: int = 0
    column: int = 0  # where the text of a list item begins
    is_step: bool = False  # an item of a numbered list; a server started in it keeps running in the next step
    is_fact: bool = False  # an item directly below another: a fact in a list, not a title of the runs after the list
    # A heading for a repeat or a phase, below a heading of its level with a name: "run 2", "Warm-up".
    is_part: bool = False
    # A heading whose framework has other words than names, as the title of a page may have.
    is_descriptive: bool = False
    has_run: bool = False
    facts: str = ""  # the lines between a heading and the first one below it, if no run is among them
    facts_above: str = ""  # the heading nearest above that has facts, and these
    described: set[str] = field(default_factory=set)  # frameworks that headings below it name, without runs below them
    section: str = ""  # the headings from the outermost to this one, set when the scope opens
    # By the key of the labels; an empty list is that of a variable that is unset here.
    settings: dict[str, list[Label]] = field(default_factory=dict)
    server: Command | None = None
    server_labels: list[Label] = field(default_factory=list)
    loads: dict[str, tuple[Command, list[Label]]] = field(default_factory=dict)  # by the name of the tool


def _has_phase(scope: Scope) -> bool:
    """Whether a heading names a phase, such as a warm-up."""
    return any(label.key == "phase" for label in scope.labels)


def _is_unset(setting: Label, unset: Container[str], line: int) -> bool:
    """Whether a setting above a command in this line is among the keys of the variables that the command unsets."""
    is_named = setting.key in unset or (EVERY_VARIABLE in unset and setting.rule == VARIABLE_RULE)
    return is_named and (setting.line or 0) <= line


class InheritedLabels(NamedTuple):
    """The labels that a run inherits from the open scopes; each list goes from the outermost scope inwards."""

    labels: list[Label]
    environment: list[Label]
    load_labels: list[Label]
    section: str
    facts: str  # the heading nearest above that has facts, and these, a line each; empty without any
    server: Command | None
    load: Command | None


class Outline:
    """The open scopes, from the document itself to the innermost."""

    def __init__(self, source_labels: Iterable[Label]) -> None:
        self.innermost = Scope(0, -1, "", list(source_labels))  # the scope that was opened last
        self._scopes = [self.innermost]
        self._unset: set[str] = set()  # the keys of settings that were unset somewhere
        self._leading_parts: set[int] = set()  # levels whose first heading is a part

    @property
    def server_scope(self) -> Scope:
        """The scope in which a server that starts now keeps running: the innermost that is not a numbered step."""
        scope = self.innermost
        if not scope.is_step:
            return scope
        return next(scope for scope in reversed(self._scopes) if not scope.is_step)  # the document itself is not a step

    @property
    def document(self) -> Scope:
        """The scope of the whole document, whose settings hold in every section."""
        return self._scopes[0]

    @property
    def running_server(self) -> Command | None:
        """The command that started the running server; None if no server runs."""
        for scope in reversed(self._scopes):
            if scope.server is not None:
                return scope.server
        return None

    def open(self, scope: Scope) -> None:
        """Open a scope. A heading closes those of its level and below; a part closes only the other parts of its level.

        A part is not below a name if the first heading of its level is a part: "Warm-up" above each name.
        """
        scopes = self._scopes
        if scope.level > 0:
            while scopes[-1].level > scope.level or (
                scopes[-1].level == scope.level and (scopes[-1].is_part or not scope.is_part)
            ):
                closed = scopes.pop()
                if closed.labels and not closed.has_run:
                    scopes[-1].described.update(label.value for label in closed.labels if label.key == "framework")
            if scope.is_part and scopes[-1].level < scope.level:
                self._leading_parts.add(scope.level)
            elif scope.is_part and (scope.level in self._leading_parts or _has_phase(scopes[-1])):
                scopes.pop()
            elif not scope.is_part:
                self._end_name_above_part(scope)
        above = scopes[-1]
        if scope.level > 0 and scope.text:
            scope.section = f"{above.section} > {scope.text}" if above.section else scope.text
        else:
            scope.section = above.section
        scope.facts_above = f"{above.text}\n{above.facts}" if above.facts else above.facts_above
        scopes.append(scope)
        self.innermost = scope

    def close(self, level: int) -> None:
        """Close the scopes of a level and below; what was said above them holds again."""
        while self._scopes[-1].level >= level:
            self._scopes.pop()
        self.innermost = self._scopes[-1]

    def _end_name_above_part(self, scope: Scope) -> None:
        """Close the heading above a part if a heading with another name opens in the part."""
        *_, above, part = [self._scopes[0], *self._scopes]
        if part.is_part and above.level == part.level and read_title(scope.text).name:
            self._scopes.remove(above)
            outer = self._scopes[-2].section
            part.section = f"{outer} > {part.text}" if outer else part.text

    def close_items(self, indent: int) -> int:
        """Close the list items to which a line with this indentation does not belong. Returns their number."""
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
        """Note that the warm-up is over."""
        for scope in self._scopes:
            scope.labels = [label for label in scope.labels if label.key != "phase"]

    def unset(self, scope: Scope, keys: Iterable[str]) -> None:
        """Let no outer setting with one of these keys hold in a scope."""
        self._unset.update(keys)
        for key in keys:
            scope.settings[key] = []

    def forget_settings(self) -> None:
        """Forget the variables of the shell, which a service manager does not inherit; facts of the machine stay."""
        for scope in self._scopes:
            kept = (
                (key, [label for label in labels if label.rule in MACHINE_RULES])
                for key, labels in scope.settings.items()
            )
            scope.settings = {key: labels for key, labels in kept if labels}

    def inherited(self, tool: str, titles: Iterable[Label] = (), *, of_any_server: bool = False) -> InheritedLabels:
        """The labels that a run of a tool inherits here; the innermost server and command of the tool win.

        `titles` are the labels of a title directly above the run. `of_any_server`: several servers are running, so
        without a command of the tool the run may be of any of them.
        """
        labels: list[Label] = []
        environment: list[Label] = []
        server: Command | None = None
        load: Command | None = None
        server_labels: list[Label] = []
        load_labels: list[Label] = []
        above_part = self._above_part(titles)
        for scope in self._scopes:
            scope.has_run = True
            may_describe = scope.is_descriptive or scope.described
            if scope is above_part or (may_describe and self._describes_several(scope, titles)):
                labels += [label for label in scope.labels if label.key != "framework"]
            elif scope.labels:
                labels += scope.labels
            if scope.settings:
                environment += chain.from_iterable(scope.settings.values())
            if scope.server is not None:
                server, server_labels = scope.server, scope.server_labels
            if tool in scope.loads:
                load, load_labels = scope.loads[tool]
        if of_any_server and load is None:
            server, server_labels = None, []
        may_unset = self._unset or (server is not None and ("env " in server.text or "" in server.env.values()))
        if environment and may_unset:
            environment = self._settings_of_server(server, server_labels)
        if environment:  # a later line overrules an earlier one; the labels of one server have one line
            environment = sorted(environment + server_labels, key=lambda label: label.line or 0)
        else:
            environment = server_labels
        own = self._scopes[-1]
        return InheritedLabels(labels, environment, load_labels, own.section, own.facts_above, server, load)

    def _settings_of_server(self, server: Command | None, server_labels: Sequence[Label]) -> list[Label]:
        """The settings in force, without those that an inner scope or the command of the server unsets."""
        found: list[Label] = []
        for scope in self._scopes:
            unset_here = {key for key, labels in scope.settings.items() if not labels}
            found = [label for label in found if label.key not in unset_here]
            found += chain.from_iterable(scope.settings.values())
        unset = unset_keys(server) if server is not None else ()  # "env -u GOGC ./kiwi"
        started = max((label.line or 0 for label in server_labels), default=0)
        return [label for label in found if not _is_unset(label, unset, started)]

    def _above_part(self, titles: Iterable[Label]) -> Scope | None:
        """The heading above the innermost part, if a title names a run of the part; else None.

        Then the title is the name of the run.
        """
        if not self.innermost.is_part or len(self._scopes) < 2 or self._scopes[-2].level != self.innermost.level:
            return None
        named = any(label.key == "title" and read_title(label.value).name for label in titles)
        return self._scopes[-2] if named else None

    def _describes_several(self, scope: Scope, titles: Iterable[Label]) -> bool:
        """Whether an open heading is about several frameworks, so that its own does not hold for a run.

        Headings below it describe them (``Unicorn``, ``Falcon``) before the runs (``Results``), or it is the title of
        the page and a title or a heading below it names something.
        """
        if len(scope.described) > 1:
            return True
        return scope.is_descriptive and scope is self._scopes[1] and self._names_a_part(titles)

    def _names_a_part(self, titles: Iterable[Label]) -> bool:
        """Whether a title or a heading below the page title names something.

        Then the page title, "Go web servers", describes all of them.
        """
        above = (label.value for label in titles if label.key == "title")
        headings = (scope.text for scope in self._scopes[2:] if scope.level > 0)
        return any(read_title(text).name for text in chain(above, headings))

    def has_load(self, tool: str) -> bool:
        """Whether a command of a tool is in force."""
        return any(tool in scope.loads for scope in self._scopes)

    def formats_for(self, tool: ReportTool) -> dict[str, str]:
        """The output formats that commands and settings in force give a tool, by the key of their label."""
        formats: dict[str, str] = {}
        for scope in self._scopes:
            _, load_labels = scope.loads.get(tool.name, (None, []))
            for key in self._unset:
                if key in scope.settings:
                    formats.pop(key, None)
            for label in (*chain.from_iterable(scope.settings.values()), *scope.server_labels, *load_labels):
                if label.key in tool.formats:
                    formats[label.key] = label.value
        return formats
