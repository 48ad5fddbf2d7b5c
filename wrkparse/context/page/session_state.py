"""Follows the commands of a document: the servers, loads and settings in force, and the output below a command.

``$ GOGC=off ./hello &`` starts a server in the innermost scope, ``$ wrk -c8 http://…`` loads it. The lines below both
are their output. `wrkparse.context.commands.classifier` judges the effects of a single command.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection, Sequence

from wrkparse.context.commands import programs
from wrkparse.context.commands.classifier import Effect, SessionLine
from wrkparse.context.commands.loops import loop_label, read_loop
from wrkparse.context.commands.packages import Packages
from wrkparse.context.commands.services import is_restart, restarted_units, starts_by_unit_name, stopped_units
from wrkparse.context.commands.shell_values import assignments, substitute_variables, variables_set
from wrkparse.context.labels import at_line, package_labels
from wrkparse.context.nearby.evidence import RESTARTED_UNIT
from wrkparse.context.nearby.port_names import PortName, PortNames
from wrkparse.context.page.outline import Outline, Scope
from wrkparse.context.page.title_state import TitleState
from wrkparse.model.records import Label
from wrkparse.text.shell import Command, strip_prompt

_LOOP_WORD = re.compile(r"\bdo\b")
# Labels of the settings of one section; bounds the memory of a log without sections.
MOST_LABELS = 500
_MOST_VARIABLES = 5_000  # of the shell; bounds memory, and is more than a session has


class SessionState:
    """The commands in force, in the scopes of an outline, and the kind of the lines below the last command.

    * ``epoch`` changes where something begins that no report continues across: a heading, a list item, a command.
    * ``process_epoch`` changes where another process may have begun.
    * ``has_format``: a command contained a %, as every output format does.
    * ``is_output``: the lines may be output of a command after a prompt.
    * ``is_below_event``: neither a blank line nor a command is below the last line of a trace.
    * ``loads_server``: the command is that of a tool. Up to its report, the lines are output of the measured program.
    * ``lists_facts``: the command lists files, or the state of the machine.
    * ``may_name_runs``: the command is a script or echo, so the line directly above a report may name it.
    """

    def __init__(self, outline: Outline, titles: TitleState, port_names: PortNames) -> None:
        self.epoch = self.process_epoch = 0
        self.loads = 0  # the commands of tools so far
        self.last_load: dict[str, Sequence[Label]] = {}  # the tools of the last such command, with their labels
        self.has_format = self.is_output = self.loads_server = self.lists_facts = self.may_name_runs = False
        self.is_below_event = False
        self.printed_names: Collection[str] = ()  # words of the last command that it prints, which name no run
        self.loop = ""  # the text of the last command if it is a loop
        self.is_looping = False  # the document has had a loop
        self._loop_label: list[Label] = []
        self.unloaded: Command | None = None  # the last server that was started, if nothing was measured since
        self.step_before = ""  # a command that was taken for the start of a server, until the next one started
        # Variables that were unset while a server ran, for the next one: the scope and the key of the label of each.
        self._unset_for_next: list[tuple[Scope, str]] = []
        self._variables: dict[str, str] = {}  # variables of the shell, each with its assignment
        # The servers and their labels, by their port, in the order in which they were started.
        self.servers: dict[str, tuple[Command, list[Label]]] = {}
        self._outline = outline
        self._titles = titles
        self._port_names = port_names

    @functools.cached_property
    def _packages(self) -> Packages:  # most pages install none
        return Packages()

    def apply(self, session: SessionLine, line: int) -> None:
        """Apply the effects of the commands of a line."""
        if self.is_output and self.may_name_runs:
            self._titles.candidate = None  # it is output of the command above
        text = session.effects[0].command.text if session.effects else ""
        self.loop, self._loop_label = "", []
        if "do" in text:
            self._enter_loop(text, line)
        for effect in session.effects:
            match effect.kind:
                case "load":
                    self._load(effect, line)
                case "serve" if self.keeps_server(effect):
                    self._unset_held()
                    self._begin_process()
                case "serve":
                    self._serve(effect, line)
                case "set":
                    self._set(effect, line)
                case "end" if not self.keeps_server(effect):
                    self._outline.end_servers()
                    self._unset_held()
                    self.servers.clear()
                    self._begin_process()
        self._titles.paragraph = 0
        self.is_output, self.loads_server = session.has_prompt, session.loads_server
        self.lists_facts, self.may_name_runs = session.lists_facts, session.may_name_runs
        self.printed_names = session.printed_names
        self.has_format = self.has_format or session.has_format

    def keeps_server(self, effect: Effect) -> bool:
        """Whether the running server continues after a command: it restarts, or the command is about another one."""
        running = self._outline.running_server if effect.kind in ("serve", "end") else None
        if running is None:
            return False
        if effect.kind == "end":
            others = stopped_units(effect.command)
            return bool(others) and not _is_named(running, others)
        if not programs.restarts_server(effect.command):
            return programs.keeps_running(running) and not programs.surely_starts_server(effect.command)
        if not effect.is_managed:
            return True
        name = restarted_units(effect.command)
        return _is_named(running, (name,)) if name else running.program == effect.command.program

    def expand_variables(self, text: str) -> str:
        """A command line with the values of variables that the line or the page sets: ``docker run $IMAGE``.

        Loops stay unchanged, because their turns have their own values.
        """
        if not (self._variables or "=" in text) or _LOOP_WORD.search(text):
            return text
        typed = strip_prompt(text) or text
        set_here = dict.fromkeys(variables_set(typed), "") | assignments(typed)
        return substitute_variables(text, set_here, self._variables)

    def change_packages(self, command: str, line: int, *, has_run: bool) -> bool:
        """Apply a command that changes packages between runs (`has_run`: below one); False for other commands."""
        states = self._packages.changed(command, has_run=has_run)
        if states is None:
            return False
        settings = self._outline.document.settings
        for name, state in states.items():
            [label] = at_line(package_labels({name: state or "removed"}, command), line)
            settings.pop(label.key, None)
            if state:
                settings[label.key] = [label]
        self._begin_process()
        return True

    def is_loop_output(self, text: str) -> bool:
        """Whether the running loop prints this line at one of its turns."""
        loop = read_loop(self.loop) if self.loop else None
        return loop is not None and bool(loop.values_printed_in(text))

    def note_variables(self, text: str) -> None:
        """Note the variables that a command line sets; loops may use their values."""
        for name in variables_set(text):
            self._variables.pop(name, None)
        self._variables |= assignments(text)
        while len(self._variables) > _MOST_VARIABLES:
            del self._variables[next(iter(self._variables))]

    def _enter_loop(self, text: str, line: int) -> None:
        """Note the loop in a line, if it has one."""
        if label := loop_label(text, line, self._variables):
            self.loop, self._loop_label = label.text or text, [label]
            self.is_looping = True

    def _load(self, effect: Effect, line: int) -> None:
        if self._titles.candidate:
            self._titles.take_candidate(line)
        self.unloaded = None
        self.loads, self.last_load = self.loads + 1, dict(effect.loads)
        for tool, labels in effect.loads:
            self._outline.innermost.loads[tool] = (
                effect.command,
                at_line([*labels, *self._loop_label] if self._loop_label else labels, line),
            )
        if effect.starts_server:
            self._serve(effect, line)
        elif len(self.servers) > 1:
            self._choose_server(programs.port_of_load(effect.command))
        self.epoch += 1

    def _choose_server(self, port: str) -> None:
        """Let a load be one of the server at its port, or of the last one that was started here if none is at it."""
        scope = self._outline.server_scope
        if port in self.servers or scope.server:
            last = next(reversed(self.servers))
            scope.server, scope.server_labels = self.servers[port if port in self.servers else last]

    def _serve(self, effect: Effect, line: int) -> None:
        if self._unset_for_next:
            self._unset_held()
        if effect.is_managed:
            self._outline.forget_settings()
        running = self._outline.running_server if is_restart(effect.command) else None
        labels = effect.server_labels
        if running and not starts_by_unit_name(running):  # "./kiwi &", and a service beside it?
            labels = tuple(label for label in labels if label.key != RESTARTED_UNIT)
        scope = self._outline.server_scope
        found = at_line([*labels, *self._loop_label], line)
        if scope.server is not None and scope.server is self.unloaded and not programs.keeps_running(scope.server):
            self.step_before = scope.server.text
        self.unloaded = None if effect.starts_server else effect.command
        if scope.server and _is_options_alone(effect.command) and not _is_options_alone(scope.server):
            keys = {label.key for label in found}  # the server may have printed its options
            scope.server_labels = [label for label in scope.server_labels if label.key not in keys] + found
        else:
            scope.server, scope.server_labels = effect.command, found
            if not effect.starts_server:
                exported = scope.settings.get("env_PORT")
                port = programs.port_of_server(effect.command, exported[0].value if exported else "")
                self._note_port(port, found, effect.command)
        self._begin_process()

    def _note_port(self, port: str, labels: list[Label], server: Command) -> None:
        """Note the port of a server that starts. One that states none may be at any port, also at that of another."""
        if not port:
            self.servers.clear()
            return
        self.servers.pop(port, None)  # what starts again becomes the last one
        self.servers[port] = server, labels
        self._port_names.add(*(PortName(port, label.value, server.text) for label in labels if label.key == "program"))

    def _set(self, effect: Effect, line: int) -> None:
        """Apply a setting (``export GOGC=off``, ``unset GOGC``) to every server until the end of the section."""
        scope = self._outline.server_scope
        settings = scope.settings
        if effect.unset:
            if self._outline.running_server is None:
                self._outline.unset(scope, effect.unset)
            else:  # the server runs on with its environment
                self._unset_for_next += [(scope, key) for key in sorted(effect.unset)]
                del self._unset_for_next[:-MOST_LABELS]
            for key in effect.unset:
                self._variables.pop(key.removeprefix("env_"), None)
        if self._unset_for_next and effect.server_labels:
            set_again = {label.key for label in effect.server_labels}
            self._unset_for_next = [held for held in self._unset_for_next if held[1] not in set_again]
        for label in effect.server_labels:
            settings.pop(label.key, None)  # what is set again becomes the last one
        for label in at_line(effect.server_labels, line):
            settings.setdefault(label.key, []).append(label)
        while len(settings) > MOST_LABELS:
            del settings[next(iter(settings))]
        self._begin_process()

    def _unset_held(self) -> None:
        """Unset the variables that were unset while the server ran that ends here."""
        for scope, key in self._unset_for_next:
            self._outline.unset(scope, (key,))
        self._unset_for_next = []

    def _begin_process(self) -> None:
        self.epoch += 1
        self.process_epoch += 1


def _is_options_alone(command: Command) -> bool:
    return command.program.startswith("-")


def _is_named(running: Command, names: Collection[str]) -> bool:
    """Whether one of these names is that of the server that a command started, or is in the command."""
    return not {programs.program_name(running), *running.args}.isdisjoint(names)
