"""What a line's commands do to what stands below it: load a server, start it, end it, set what holds from then on."""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Literal, NamedTuple

from wrkparse.context import programs
from wrkparse.text.shell import STARTERS, Command, parse_line
from wrkparse.tools.base import ReportTool

_MERE_WORDS = re.compile(r"\w[\w .,:()-]*")


class Step(NamedTuple):
    """A command that matters; of a load, as what each of the tools is run whose output it prints.

    A load may serve, too (``time ./hello``).
    """

    kind: Literal["load", "set", "end", "serve"]
    command: Command
    tools: tuple[tuple[ReportTool, Command], ...] = ()
    serves: bool = False


class Known:
    """The programs of the report tools; one for all documents."""

    def __init__(self, tools: tuple[ReportTool, ...]) -> None:
        self.programs: Mapping[str, ReportTool] = {program: tool for tool in tools for program in tool.programs}
        self._formats = frozenset(key.removeprefix("env_") for tool in tools for key in tool.formats)
        self._first = programs.WORDS.union(self.programs, STARTERS)
        # What each command that matters has one of: splitting every line of a server's log into words takes long.
        self._telling = re.compile(
            rf"(?:^|[\s/;])(?:{'|'.join(map(re.escape, self.programs))})(?=\s)"
            r"|^\s*(?:export\s+)?[A-Za-z_][A-Za-z0-9_]{0,63}=|(?:^|\s)(?:\./|\+RTS\s|taskset\s|numactl\s|env\s)|[;&]\s*\w{1,64}=|^\s*set\s+time\b"
        )
        self._planned = functools.lru_cache(maxsize=1024)(self._plan)  # a test lab's log repeats its commands

    def steps(self, text: str, *, prompt: bool = False, root: bool = False, code: bool = False) -> tuple[Step, ...]:
        """What the commands of a line do; none if it has none, or none that matters.

        `prompt`: one stood in front that is never anything else; `root`: one that may be a comment's sign; `code`: it
        is marked as code.
        """
        if (not (prompt or root) and self._telling.search(text) is None) or (root and self.mere_words(text)):
            return ()
        return self._planned(text, prompt, root, code)

    def mere_words(self, text: str) -> bool:
        """Whether a line can be told to be no command that matters: plain words, of which the first is no program."""
        return _MERE_WORDS.fullmatch(text) is not None and text.split(None, 1)[0] not in self._first

    def typed(self, text: str) -> bool:
        """Whether a command of a report tool stands in a line as it would be typed."""
        return any(self._tools(command) and programs.looks_typed(command) for command in parse_line(text))

    def may_go_on(self, text: str) -> bool:
        """Whether a line begins with a command that is one without a prompt in front."""
        commands = parse_line(text)
        return bool(commands) and (commands[0].program in self.programs or programs.configured(commands[0]))

    def _plan(self, text: str, prompt: bool, root: bool, code: bool) -> tuple[Step, ...]:
        steps = (self._step(command, prompt=prompt, root=root, code=code) for command in parse_line(text))
        return tuple(step for step in steps if step)

    def _step(self, typed: Command, *, prompt: bool, root: bool, code: bool) -> Step | None:
        command = programs.carried(typed, self.programs)
        tools = self._tools(command)
        if tools and (prompt or programs.looks_typed(command)):
            alone = replace(command, wrappers=())
            run_as = tuple((tool, command.run_as(tool.programs)) for tool in tools)
            return Step("load", command, run_as, programs.starts_server(alone, prompt=True, code=True))
        if not command.program and command.env and (prompt or root or programs.gives_format(command, self._formats)):
            return Step("set", command)
        if (prompt or root) and programs.ends_server(command):
            return Step("end", command)
        if programs.starts_server(command, prompt=prompt, code=code or (root and command.path[:2] == "./")):
            return Step("serve", command)
        return None

    def _tools(self, command: Command) -> tuple[ReportTool, ...]:
        names = [command.program, *(wrapper[0] for wrapper in command.wrappers)]
        return tuple(self.programs[name] for name in names if name in self.programs)


@functools.cache
def known(tools: tuple[ReportTool, ...]) -> Known:
    """What all documents share."""
    return Known(tools)
