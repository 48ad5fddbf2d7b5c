"""Finds the effects of the commands in a line on the runs below: load a server, start or end one, set the environment.

``$ GOGC=off ./hello &`` → gogc=off, program=hello for the runs below.
"""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Literal, NamedTuple

from wrkparse.context.commands import programs
from wrkparse.context.commands.jvm_options import are_jvm_options
from wrkparse.context.commands.services import names_unit, printed_names, restarted_units
from wrkparse.context.labels import (
    argument_labels,
    at_line,
    environment_labels,
    kernel_labels,
    load_labels,
    machine_labels,
    program_labels,
    remark_labels,
    restart_labels,
    scale_labels,
    server_labels,
    uncached_title_labels,
    unset_keys,
)
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.titles import is_name_at_most, is_repeat_or_phase
from wrkparse.model.records import Label
from wrkparse.text.digit_forms import digit_form, without_number
from wrkparse.text.shell import COMMAND_PREFIXES, Command, parse_commands, remark_behind, strip_prompt
from wrkparse.text.wrapping import markup
from wrkparse.tools.base import ReportTool

_WORDS_WITHOUT_SIGNS = re.compile(r"\w[\w .,:()-]*")
_ASSIGNMENTS = re.compile(r"(?:export\s+)?[A-Z][A-Z0-9_]*=\S*(?:\s+[A-Z][A-Z0-9_]*=\S*)*")
_GO_VARIABLES = "GOMAXPROCS|GOGC|GOMEMLIMIT|GODEBUG|CPU_NUM|NUM_CPUS"
_GO_SETTINGS = re.compile(rf"\b(?:{_GO_VARIABLES})=")
_UNSET_GO_SETTINGS = re.compile(rf"unset(?:\s+(?:{_GO_VARIABLES}))+")
# The text before a command: a word and a colon, "Run" of GitHub, "!" of Jupyter, bold face, the sign of a comment.
_COMMAND_INTRODUCTION = re.compile(
    r"!|\*\*|(?:(?:[A-Za-z][A-Za-z ]{0,30}|[^\W\d_]{1,20})[:=：]|Run(?:ning)?:?|Using|Executing:?|In \[[0-9]+\]: !)"
    r" *(?=\S)"
    r"|(?://+|--+>?|/\*+|rem|REM|[\"'(]+) *(?=\S)"
)
# The value of a variable in JSON and YAML: "TIMEFORMAT": "%R", env: {TIMEFORMAT: '%R'}
_VARIABLE_ENTRY = re.compile(
    r"""(?<![\w$%.-])([A-Z]{4,20})["']?\s?:\s{0,9}(?=("(?:[^"\\]|\\.){1,200}"|'[^']{1,200}'|[^"'\s,{}][^"'{}]{0,200}))"""
)
_CONVERSION = re.compile(r"%[0-9]?[*A-Za-z]")  # of a format; a percentage has a blank or nothing after its sign
_COMMENT_END = re.compile(r"(?: {0,3}\*{1,3}/| {1,3}-{2,3}|\*{1,3})\Z")  # the end of a comment after a command
_CODE = re.compile(r"`([^`]{1,400})`")
_RUNNING_PATH = re.compile(r"Running `([\w.~-]*/[^`]{1,300})`")  # of cargo
# Words after "time" in a sentence, in the place of a program.
_PROSE_AFTER_TIME = (
    "a an and at avoids can does elapsed flies for from gives has in is limit measures of on or output per runs shows"
    " since spent taken tells the to until used was with you"
)
# The platform in the name of a released binary: "hey_linux_amd64", "oha-linux-arm64", "bombardier-darwin-amd64".
_PLATFORM = re.compile(
    r"(?<=\w)[-_.](?:linux|darwin|macos|freebsd|windows)(?:[-_.](?:amd64|arm64|aarch64|x86_64|x64|386|armv?[67]?))?\Z"
)
_AMBIGUOUS_PROMPTS = "#>%"  # these also begin comments, quotations and other text
# Lines longer than this are not remembered, so that the cache stays below 1024 × 400 characters.
_LONGEST_CACHED = 400
_MOST_LINE_FORMS = 1024  # forms of lines that are remembered; each is at most as long as a cached line


class Effect(NamedTuple):
    """The effect of one command; a load may also start the server that it measures (``time ./hello``).

    ``loads`` has the labels of options, by the name of each tool whose output the command prints. ``server_labels`` are
    those of a started server or of a setting. The labels have no line yet. ``unset`` has the keys of the variables that
    a setting removes.
    """

    kind: Literal["load", "set", "end", "serve"]
    command: Command
    server_labels: tuple[Label, ...] = ()
    loads: tuple[tuple[str, tuple[Label, ...]], ...] = ()
    starts_server: bool = False
    is_managed: bool = False  # the server gets the environment of a service manager, not that of the shell
    unset: frozenset[str] = frozenset()


class SessionLine(NamedTuple):
    """A line of a terminal session."""

    effects: tuple[Effect, ...]
    has_prompt: bool  # a prompt is before it: the lines below may be output of the command
    has_format: bool  # it contains a %, as every output format does
    loads_server: bool  # one of the commands is that of a tool
    lists_facts: bool = False  # the lines below list a folder or the state of a machine, and name no run
    may_name_runs: bool = False  # the lines below may name the runs: a script or echo prints them
    other_commands: tuple[
        str, ...
    ] = ()  # the commands without effect beside others with one: "git checkout kiwi && ./start"
    printed_names: tuple[str, ...] = ()  # words of the line that its commands print: "docker stop kiwi" prints kiwi


class HeadingLine(NamedTuple):
    """A heading, its labels without a line, and the command in its text.

    ``is_root``: the mark is a single ``#``, which is also the prompt of root. ``has_typed_command``: the text contains
    a command of a report tool, so its words are not a title. ``may_be_side_command``: after the prompt of root, the
    text may be a command without effect (``# sleep 5``). ``is_part``: the text says only which repeat or phase begins.
    ``is_plain``: it is words that say nothing else than a name, whatever the number at its end is.
    """

    level: int
    text: str
    labels: tuple[Label, ...]
    is_root: bool
    has_typed_command: bool = False
    command: SessionLine | None = None
    may_be_side_command: bool = False
    is_part: bool = False
    is_plain: bool = False


class CommandClassifier:
    """Finds commands in lines, and their effects. It has no state except caches; all documents share one."""

    def __init__(self, tools: tuple[ReportTool, ...]) -> None:
        self._tools: Mapping[str, ReportTool] = {program: tool for tool in tools for program in tool.programs}
        self._format_keys = frozenset(key for tool in tools for key in tool.formats)
        self._format_variables = frozenset(key.removeprefix("env_") for key in self._format_keys)
        self._first_words = programs.KNOWN_PROGRAMS.union(self._tools, COMMAND_PREFIXES)
        # Each command that matters without a prompt matches this. One search is cheaper than to split every line of
        # a server's log into words. A blank is put in front of the text, so that the search looks at one sign only
        # for most characters.
        self._command_signs = re.compile(
            rf"[\s/;&](?:(?<=[\s/;])(?:{'|'.join(map(re.escape, self._tools))})(?=\s)"
            r"|(?<=\s)(?:\./|&\Z|\+RTS\s|-X(?:X:|m[nsx][0-9])|taskset\s|numactl\s|env\s)|(?<=[;&])\s*\w{1,64}="
            r"|(?<=\A )\s*(?:(?:export\s+)?[A-Za-z_][A-Za-z0-9_]{0,63}=|set\s+time\b))"
        )
        wrappers = "|".join(map(re.escape, sorted(COMMAND_PREFIXES.intersection(self._tools)))) or "(?!)"
        # "Counting$ time ./a", also without the prompt: a measured program needs no other sign
        prose = rf"(?i:{_PROSE_AFTER_TIME.replace(' ', '|')})\s"
        self._measuring = re.compile(
            rf"(?:[\w.~/-]{{0,64}}[$%>]\s{{1,8}})?((?:{wrappers})\s+(?=\S)(?!{prose}).*[^\s.,:;?!])"
        )
        preambles = [f"(?:{tool.preamble.pattern})" for tool in tools if tool.preamble]
        self._preamble = re.compile("|".join(preambles) or "(?!)")
        # The log of a benchmark repeats its commands; 1024 different ones are more than such a log has.
        self._cached_line = functools.lru_cache(maxsize=1024)(self._read_line)
        # Forms of lines outside of sessions, with whether they were in a fence.
        self._plain: set[tuple[bytes | None, bool]] = set()
        self._cached_heading = functools.lru_cache(maxsize=1024)(self._read_heading)

    def is_preamble(self, text: str) -> bool:
        """Whether a tool prints this line before its report."""
        return self._preamble.fullmatch(text) is not None

    def read_session_line(self, text: str, *, in_fence: bool) -> SessionLine | None:
        """Read a line in a block of code or in prose as a line of a terminal session; None if it is not one."""
        if len(text) > _LONGEST_CACHED:
            return self._read_line(text, in_fence)
        form = (digit_form(text) if text[0].isalnum() else None), in_fence
        if form in self._plain:
            return None
        found = self._cached_line(text, in_fence)
        if found is None and form[0] is not None:
            if len(self._plain) >= _MOST_LINE_FORMS:
                self._plain.clear()
            self._plain.add(form)
        return found

    def command(self, text: str, *, prompt: bool = False, root: bool = False, code: bool = False) -> SessionLine | None:
        """Read the commands of a text; None if there is none, or none with an effect.

        `prompt`: an unambiguous prompt was before the text; `root`: a ``#``, which may also begin a comment; `code`:
        the text is marked as code.
        """
        if not (prompt or self._may_have_command(text, root=root)):
            return None
        return self._read_command(text, prompt, root, code)

    def read_heading_line(self, text: str) -> HeadingLine | None:
        """Read a line as a heading; None if it is not one."""
        if text[:1] not in markup.HEADING_SIGNS and "<" not in text:
            return None
        if len(text) > _LONGEST_CACHED:
            return self._read_heading(text)
        rest, number = without_number(text)  # a page counts its headings
        if rest and (heading := self._cached_heading(f"{rest} 0")) and heading.is_plain:
            return HeadingLine(heading.level, f"{heading.text[:-1]}{number}", (), heading.is_root, is_plain=True)
        return self._cached_heading(text)

    def is_plain_words(self, text: str) -> bool:
        """Whether a line is surely not a command with an effect: words without signs; the first is not a program."""
        return _WORDS_WITHOUT_SIGNS.fullmatch(text) is not None and text.split(None, 1)[0] not in self._first_words

    def has_typed_command(self, text: str) -> bool:
        """Whether a line contains a command of a report tool, as one would type it."""
        return any(self._tools_of(command) and programs.looks_typed(command) for command in parse_commands(text))

    def begins_command(self, text: str) -> bool:
        """Whether a line begins with a command that is recognised without a prompt."""
        commands = parse_commands(text)
        return bool(commands) and (commands[0].program in self._tools or programs.configures_run(commands[0]))

    def _read_line(self, text: str, in_fence: bool) -> SessionLine | None:
        inline = markup.inline_code(text)
        text = inline or text
        if printed := _RUNNING_PATH.fullmatch(text) or self._measuring.fullmatch(text):
            return self.command(printed[1], prompt=True)
        behind = strip_prompt(text)
        if behind is not None:
            sure = text[0] not in _AMBIGUOUS_PROMPTS or (text[0] == "%" and programs.runs_program(behind, self._tools))
            found = self.command(behind, prompt=sure, root=text[0] in "#%")
            if found is not None:
                return found
        if text[0] == "#":  # a comment of a script
            return None
        if "%" in text and (stated := self._stated_format(text)):
            return stated
        setting = text.rstrip(":：")
        is_setting = "=" in setting and (
            _ASSIGNMENTS.fullmatch(setting) and (setting != text or _GO_SETTINGS.search(setting))
        )
        if is_setting or _UNSET_GO_SETTINGS.fullmatch(text):
            found = self.command(setting, prompt=True)
            return found and found._replace(has_prompt=False)
        introduced = _COMMAND_INTRODUCTION.match(text)
        if introduced and (
            programs.runs_program(text[introduced.end() :], self._tools) or text.startswith("java -", introduced.end())
        ):
            closing = "\"')" if text[0] in "\"'(" else ""
            text = _COMMENT_END.sub(
                "", text[introduced.end() :].rstrip(closing) if closing else text[introduced.end() :]
            )
        elif inline is None and "`" in text and (amid := self._load_in_inline_code(text)):
            text = inline = amid
        return self.command(text, code=inline is not None or in_fence)

    def _stated_format(self, text: str) -> SessionLine | None:
        """The output format that a line of JSON or YAML states: in a variable, or in a command of a tool."""
        for name, value in _VARIABLE_ENTRY.findall(text):
            if name in self._format_variables and _CONVERSION.search(value):
                plain = value.partition(",")[0] if "{" in text and value[0] != "'" else value
                stated = markup.unescape_string(value) if value[0] == '"' else plain.strip().strip("'")
                found = self.command(f"{name}={shlex.quote(stated)}", prompt=True)
                return found and found._replace(has_prompt=False)
        typed = markup.json_field(text)
        found = self.command(typed) if typed and programs.runs_program(typed, self._tools) else None
        loads = (labels for effect in found.effects for _, labels in effect.loads) if found else ()
        return found if any(label.key in self._format_keys for labels in loads for label in labels) else None

    def _load_in_inline_code(self, text: str) -> str | None:
        """The only load with a URL among the inline code of a line; None if there is none, or several."""
        spans = [strip_prompt(span) or span for span in _CODE.findall(text)]
        loads = [span for span in spans if programs.runs_program(span, self._tools) and "://" in span]
        return loads[0] if len(loads) == 1 else None

    def _read_heading(self, line: str) -> HeadingLine | None:
        heading = markup.parse_heading(line)
        if heading is None:
            return None
        level, text = heading
        root = line.startswith("# ")
        labels = uncached_title_labels(text, heading=True)
        if self.is_plain_words(text):
            is_part, is_plain = is_repeat_or_phase(text), not labels and is_name_at_most(text)
            return HeadingLine(level, text, labels, root, is_part=is_part, is_plain=is_plain)
        text = markup.inline_code(text) or text
        command = self.command(text, root=root)
        # "# echo" alone is a heading about the framework
        side_command = root and programs.is_side_command(text) and not is_known_name(text)
        typed, is_part = self.has_typed_command(text), is_repeat_or_phase(text)
        return HeadingLine(level, text, labels, root, typed, command, side_command, is_part)

    def _read_command(self, text: str, prompt: bool, root: bool, code: bool) -> SessionLine | None:
        effects: list[Effect] = []
        asides: list[str] = []
        commands = parse_commands(text)
        # A line that starts a server and loads it was typed, even if its prompt was not copied.
        typed = prompt or (
            len(commands) > 1 and any(command.has_url and self._tools_of(command) for command in commands)
        )
        for command in commands:
            effect = self._effect_of(command, prompt=typed, root=root, code=code)
            if effect is None:
                asides.append(command.typed)
                continue
            if effect.kind == "end" and any(before.kind == "load" for before in effects):
                continue  # a command after a load ends the server below the report of the load
            if not (effects and self._join_pipeline(effects, effect)):
                effects.append(effect)
            if effect.kind == "load" and programs.builds_program(effect.command):  # "time g++ kiwi.cpp"
                asides.append(effect.command.typed)
        if not (effects or prompt):
            return None
        loads = "load" in [effect.kind for effect in effects]
        says = any(map(programs.may_name_runs, commands))
        lists = bool(commands) and all(map(programs.lists_facts, commands))
        is_of_containers = "docker" in text or "podman" in text
        prints = tuple(name for command in commands for name in printed_names(command)) if is_of_containers else ()
        others = tuple(asides) if effects else ()
        return SessionLine(tuple(effects), prompt, "%" in text, loads, lists, says, others, prints)

    def _may_have_command(self, text: str, *, root: bool) -> bool:
        """Whether a text without an unambiguous prompt may contain a command with an effect."""
        return not self.is_plain_words(text) if root else self._command_signs.search(f" {text}") is not None

    def _effect_of(self, typed: Command, *, prompt: bool, root: bool, code: bool) -> Effect | None:
        command = programs.inner_command(typed, self._tools)
        if "-" in command.program or "_" in command.program:
            command = self._without_platform(command)
        managed = command.program in programs.SERVICE_MANAGERS
        tools = self._tools_of(command)
        if tools and (prompt or programs.looks_typed(command)):
            own = self._tools.get(command.program)  # `taskset -c 4-7 wrk` pins wrk, not the server
            serves = own is None and programs.starts_server(command, prompt=True, code=True)
            # `time` measures what it runs, also a program that starts no server.
            measured = _measured_command_labels(command) if command.wrappers and not serves else ()
            machine = machine_labels(typed)
            loads = tuple(
                (tool.name, (*_load_command_labels(command, tool), *machine, *(() if tool is own else measured)))
                for tool in tools
            )
            return Effect(
                "load", command, tuple(_server_command_labels(command)) if serves else (), loads, serves, managed
            )
        if (
            not command.program
            and command.env
            and (prompt or root or programs.sets_format(command, self._format_variables))
        ):
            unset = unset_keys(command) if "" in command.env.values() else frozenset[str]()
            return Effect("set", command, tuple(environment_labels(command)), unset=unset)
        if (prompt or root) and command.program.startswith("unset") and (unset := unset_keys(command)):
            return Effect("set", command, unset=unset)
        if (prompt or root) and (parameters := kernel_labels(command)):
            return Effect("set", command, tuple(parameters))
        if (prompt or root) and (replicas := scale_labels(command)):
            return Effect("set", command, tuple(replicas))
        if (prompt or root) and programs.ends_server(command):
            return Effect("end", command)
        if command.program.startswith("-X") and are_jvm_options([command.path, *command.args]):
            options = Command(command.text, args=(command.path, *command.args))
            return Effect("serve", command, tuple(server_labels(options)))
        # "# docker run --cpus=2 kiwi" and "# systemctl restart kiwi" are commands, not headings.
        prompt = prompt or (root and managed and (command.has_option or names_unit(command)))
        if programs.starts_server(command, prompt=prompt, code=code or (root and command.path[:2] == "./")):
            return Effect("serve", command, tuple(_server_command_labels(command)), is_managed=managed)
        return None

    def _join_pipeline(self, effects: list[Effect], effect: Effect) -> bool:
        """Add a load to the load of the same tool before it in a pipeline; False if the effect is not such a load."""
        tools = self._tools_of(effect.command) if effect.kind == "load" else ()
        last = effects[-1]
        if len(tools) != 1 or not tools[0].flags.pipeline or last.kind != "load":
            return False
        if [tool for tool, _ in last.loads] != [tools[0].name]:
            return False
        [(name, labels)], [(_, more)] = last.loads, effect.loads
        effects[-1] = last._replace(loads=((name, (*labels, *more)),))
        return True

    def _without_platform(self, command: Command) -> Command:
        """A command of a released binary of a tool as one of the tool: ``oha-linux-arm64 -c 8 http://h/``."""
        bare = _PLATFORM.sub("", command.program)
        return replace(command, path=bare) if bare != command.program and bare in self._tools else command

    def _tools_of(self, command: Command) -> tuple[ReportTool, ...]:
        names = [command.program, *[wrapper[0] for wrapper in command.wrappers]]
        return tuple([self._tools[name] for name in names if name in self._tools])


def _server_command_labels(command: Command) -> list[Label]:
    """The labels of the command line of a started server, and of its program."""
    return [*server_labels(command), *_program_and_argument_labels(command), *restart_labels(restarted_units(command))]


def _measured_command_labels(command: Command) -> list[Label]:
    """The same for a command that a tool measures, which need not be a server: ``time ssh a make -j4``."""
    if programs.program_name(command):
        return _server_command_labels(command)
    return [*program_labels(command.program), *argument_labels(_add_stdin(command.args, command))]


def measured_labels(text: str, line: int) -> list[Label]:
    """The labels of a command that a report in this line names as the measured one."""
    commands = parse_commands(f"time {text}")
    return at_line(_measured_command_labels(commands[0]), line) if len(commands) == 1 else []


def _program_and_argument_labels(command: Command) -> list[Label]:
    """The labels of the program that a command runs, and of its arguments without an option; none for a mere step."""
    if programs.is_plain_step(command):
        return []
    name = programs.program_name(command)
    arguments = _add_stdin(programs.plain_arguments(command, name), command)
    return [*program_labels(name), *argument_labels(arguments)] if arguments else program_labels(name)


def _add_stdin(arguments: Sequence[str], command: Command) -> list[str]:
    """Arguments with the file that a command reads as its standard input."""
    return [*arguments, *([command.stdin] if command.stdin else [])]


def _load_command_labels(command: Command, tool: ReportTool) -> tuple[Label, ...]:
    """The labels of the command line of a tool: its options, and the variables with its output format."""
    labels = load_labels(command, command.args_of(tool.programs), tool.flags)
    variables = environment_labels(command) if command.env and tool.formats else ()
    formats = (label for label in variables if label.key in tool.formats)
    return (*labels, *formats, *remark_labels(remark_behind(command.text)))


@functools.cache
def command_classifier(tools: tuple[ReportTool, ...]) -> CommandClassifier:
    """The classifier that all documents share."""
    return CommandClassifier(tools)
