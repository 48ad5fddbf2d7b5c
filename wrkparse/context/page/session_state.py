"""What the commands of a document have done at each line, and what the lines below a command may be.

``$ GOGC=off ./hello &`` starts a server in the innermost scope, ``$ wrk -c8 http://…`` loads it; below both stands what
they print. What a single command does is judged by `wrkparse.context.commands.commands`.
"""

from __future__ import annotations

import re
from collections.abc import Collection

from wrkparse.context.commands import programs
from wrkparse.context.commands.commands import Effect, SessionLine
from wrkparse.context.commands.loops import loop_label, read_loop
from wrkparse.context.commands.services import is_of_units, restarted, restarts, stopped
from wrkparse.context.commands.shell_values import assignments, filled, plain_values, sets
from wrkparse.context.labels import at_line
from wrkparse.context.leads import RESTARTED
from wrkparse.context.page.outline import Outline
from wrkparse.context.page.title_state import TitleState
from wrkparse.model.records import Label
from wrkparse.text.shell import Command, strip_prompt

_LOOP = re.compile(r"\bdo\b")
# Bounds what a log without sections can gather: labels of one section's settings.
MOST_LABELS = 500


class SessionState:
    """The commands in force, in the scopes of an outline, and what the lines below the last one may be.

    ``epoch`` changes where something begins that no report continues across: a heading, a list item, a command.
    ``process_epoch`` changes where another process may have begun. ``has_format``: a command held a %, as every output
    format does. ``output``: the lines may be what a command behind a prompt prints. If it ``loads``, it is a tool's:
    up to its report the lines are what the measured program prints. If it ``lists``, it lists files, or what the
    machine does. If it ``says``, it is a script or echo: what it prints directly above a report may name it.
    """

    def __init__(self, outline: Outline, titles: TitleState) -> None:
        self.epoch = self.process_epoch = 0
        self.has_format = self.output = self.loads = self.lists = self.says = False
        self.loop = ""  # the text of the loop that the last command is
        self.is_looping = False  # there was a loop
        self._loop_label: list[Label] = []
        self._variables: dict[str, str] = {}  # of the shell, each with its assignment
        self._outline = outline
        self._titles = titles

    def apply(self, session: SessionLine, line: int) -> None:
        """Let the effects of a line's commands hold from here on."""
        if self.output and self.says:
            self._titles.waiting = None  # what the command above printed
        text = session.effects[0].command.text if session.effects else ""
        self.loop, self._loop_label = "", []
        if "do" in text:
            self._enter_loop(text, line)
        for effect in session.effects:
            match effect.kind:
                case "load":
                    self._load(effect, line)
                case "serve" if self.keeps_server(effect):
                    self._begin_process()
                case "serve":
                    self._serve(effect, line)
                case "set":
                    self._set(effect, line)
                case "end" if not self.keeps_server(effect):
                    self._outline.end_servers()
                    self._begin_process()
        self._titles.paragraph = 0
        self.output, self.loads = session.prints, session.loads
        self.lists, self.says = session.lists, session.says
        self.has_format = self.has_format or session.has_format

    def keeps_server(self, effect: Effect) -> bool:
        """Whether the server that runs goes on behind a command: it restarts it, stops another, or is another step."""
        running = self._outline.running if effect.kind in ("serve", "end") else None
        if running is None:
            return False
        if effect.kind == "end":
            others = stopped(effect.command)
            return bool(others) and not _are_of(running, others)
        if not programs.restarts_server(effect.command):
            return programs.goes_on(running) and not programs.surely_starts_server(effect.command)
        if not effect.managed:
            return True
        name = restarted(effect.command)
        return _are_of(running, (name,)) if name else running.program == effect.command.program

    def expanded(self, text: str) -> str:
        """A command line with the values of variables that it or the page sets: ``docker run $IMAGE``.

        A loop is as it was: its turns have their own values.
        """
        if not (self._variables or "=" in text) or _LOOP.search(text):
            return text
        typed = strip_prompt(text) or text
        set_here = sets(typed)
        above = {name: assignment for name, assignment in self._variables.items() if name not in set_here}
        return filled(text, plain_values(above | assignments(typed)))

    def is_turn(self, text: str) -> bool:
        """Whether the loop that runs prints a line at one of its turns."""
        loop = read_loop(self.loop) if self.loop else None
        return loop is not None and bool(loop.said(text))

    def note_variables(self, text: str) -> None:
        """Take in the variables that a command line sets, of which loops may take their values."""
        for name in sets(text):
            self._variables.pop(name, None)
        self._variables |= assignments(text)

    def _enter_loop(self, text: str, line: int) -> None:
        """Note the loop that a line is, if it is one."""
        if label := loop_label(text, line, self._variables):
            self.loop, self._loop_label = label.text or text, [label]
            self.is_looping = True

    def _load(self, effect: Effect, line: int) -> None:
        if self._titles.waiting:
            self._titles.take(line)
        for tool, labels in effect.loads:
            self._outline.innermost.loads[tool] = (
                effect.command,
                at_line([*labels, *self._loop_label] if self._loop_label else labels, line),
            )
        if effect.serves:
            self._serve(effect, line)
        self.epoch += 1

    def _serve(self, effect: Effect, line: int) -> None:
        if effect.managed:
            self._outline.forget_settings()
        running, labels = self._outline.running if restarts(effect.command) else None, effect.server_labels
        if running and not is_of_units(running):  # "./kiwi &", and a service beside it?
            labels = tuple(label for label in labels if label.key != RESTARTED)
        scope = self._outline.server_scope
        scope.server, scope.server_labels = effect.command, at_line([*labels, *self._loop_label], line)
        self._begin_process()

    def _set(self, effect: Effect, line: int) -> None:
        """``export GOGC=off`` and ``GOMAXPROCS=36:`` hold to the end of the section, for every server in it."""
        settings = self._outline.server_scope.settings
        new = at_line(effect.server_labels, line)
        again = {label.key for label in new}
        settings[:] = [*(label for label in settings if label.key not in again), *new]
        del settings[:-MOST_LABELS]
        self._begin_process()

    def _begin_process(self) -> None:
        self.epoch += 1
        self.process_epoch += 1


def _are_of(running: Command, names: Collection[str]) -> bool:
    """Whether one of these names is that of the server that a command started, or is in the command."""
    return not {programs.program_name(running), *running.args}.isdisjoint(names)
