"""The headings and list items that a line of a document stands under, and what was started and set in each of them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import NamedTuple

from wrkparse.model.records import Label
from wrkparse.text.shell import Command
from wrkparse.tools.base import ReportTool


@dataclass(slots=True)
class Frame:
    """One heading or list item, and the commands seen directly below it.

    ``level`` is a heading's; an item has -1, and ``column``, where its text begins. What a step of a counted list
    starts runs on after it (``step``). An item right below another (``listed``) is no title of what follows the list.
    """

    level: int
    indent: int
    text: str
    labels: list[Label]
    line: int = 0
    column: int = 0
    step: bool = False
    listed: bool = False
    settings: list[Label] = field(default_factory=list)
    server: Command | None = None
    server_labels: list[Label] = field(default_factory=list)
    loads: dict[str, tuple[Command, list[Label]]] = field(default_factory=dict)


class Stand(NamedTuple):
    """What holds somewhere: labels of headings and items, of the environment, of the load; section, the commands."""

    labels: list[Label]
    environment: list[Label]
    load_labels: list[Label]
    section: str
    server: Command | None
    load: Command | None


class Outline:
    """The frames that are open, from the document itself to the innermost."""

    def __init__(self, source_labels: Iterable[Label]) -> None:
        self._frames = [Frame(0, -1, "", list(source_labels))]

    @property
    def last(self) -> Frame:
        """The innermost frame."""
        return self._frames[-1]

    @property
    def scope(self) -> Frame:
        """The frame in which what is started now runs on."""
        return next(frame for frame in reversed(self._frames) if not frame.step)

    def push(self, frame: Frame) -> None:
        """Open a frame; a heading ends those of its level and below."""
        if frame.level > 0:
            while self.last.level >= frame.level:
                self._frames.pop()
        self._frames.append(frame)

    def close_items(self, indent: int) -> int:
        """End the items that a line at this indentation does not belong to; how many."""
        before = len(self._frames)
        while self.last.level == -1 and self.last.column > indent:
            self._frames.pop()
        return before - len(self._frames)

    def end_servers(self) -> None:
        """Nothing that was started runs any longer."""
        for frame in self._frames:
            frame.server, frame.server_labels = None, []

    def forget_settings(self) -> None:
        """What was set is not of what is started from now on."""
        for frame in self._frames:
            frame.settings = []

    def stand(self, tool: str) -> Stand:
        """What holds here for a tool."""
        found: list[Label] = []
        environment: list[Label] = []
        server: Command | None = None
        load: Command | None = None
        server_labels: list[Label] = []
        load_labels: list[Label] = []
        for frame in self._frames:
            found += frame.labels
            environment += frame.settings
            if frame.server is not None:
                server, server_labels = frame.server, frame.server_labels
            if tool in frame.loads:
                load, load_labels = frame.loads[tool]
        if server_labels:
            environment += server_labels
        if len(environment) > 1:
            environment.sort(key=lambda label: label.line or 0)
        section = " > ".join([frame.text for frame in self._frames if frame.level > 0 and frame.text])
        return Stand(found, environment, load_labels, section, server, load)

    def formats(self, tool: ReportTool) -> dict[str, str]:
        """The formats that commands and settings in force ask of a tool's output, by their label's key."""
        found: dict[str, str] = {}
        for frame in self._frames:
            _, of_load = frame.loads.get(tool.name, (None, []))
            for label in (*frame.settings, *frame.server_labels, *of_load):
                if label.key in tool.formats:
                    found[label.key] = label.value
        return found
