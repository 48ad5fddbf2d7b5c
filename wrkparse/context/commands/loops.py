"""Reads shell loops that load servers, and their turns: ``for c in 8 64; do echo "c=$c"; hey -c $c …; done``.

The command alone does not say how often its variable had which value, but mostly it lists the values in their order.
`wrkparse.context.structure.completed_places.loop_runs` finds the turn of each run.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, pairwise, product, zip_longest
from typing import NamedTuple

from wrkparse.context.commands.classifier import Effect, command_classifier
from wrkparse.context.commands.shell_values import (
    MOST_VALUES,
    assignments,
    counter_values,
    is_open_count,
    loop_values,
    substitute,
    uses_variable,
    variables_changed,
    variables_set,
    with_assignments,
)
from wrkparse.context.nearby.evidence import SHELL_LOOP
from wrkparse.context.precedence import normalize_value, url_parts
from wrkparse.context.titles.vocabulary import LABEL_KEYS
from wrkparse.model.records import Label
from wrkparse.text.shell import Command, parse_commands
from wrkparse.tools import report_tools
from wrkparse.tools.schema import RESERVED

_LONGEST = 2000  # characters of a loop that is read
# The beginning of a loop, up to its "do": over words, over a counter, over the arguments of a script, or as long as
# something holds.
_LOOP_HEAD = re.compile(
    r"""(?:\A|[;&|(\s])(?:
        for\s{1,9}([A-Za-z_]\w{0,30})(?:\s{1,9}in\s{1,9}([^;\n]{1,300}?))?
        | for\s{0,9}\(\(([^()]{1,200})\)\)
        | (?:while|until)\s{1,9}([^;\n]{1,300}?)
    )\s{0,9};?\s{0,9}\bdo\b""",
    re.VERBOSE,
)
# "read -r name port" of "while read -r name port; do"
_READ_COMMAND = re.compile(r"\bread\s{1,9}((?:-r\s{1,9})?\w{1,31}(?:\s{1,9}\w{1,31}){0,9})")
# Makes several runs at a turn, or prints another number of reports than there are commands.
_RUNS_AGAIN = re.compile(r"\b(?:repeat|xargs|parallel)\b|\s-r\s?[0-9]")
_LOOP_END = re.compile(r"[;&\s]done\b")
_USED_VARIABLE = re.compile(r"\$\{?(\w{1,31})")
_PRINTF_CONVERSION = re.compile(r"%[0-9.-]{0,5}[sd]")  # "%s", "%02d"
_PRINTING_PROGRAMS = frozenset({"echo", "printf"})
# "echo $c > out.txt", "echo $c | tee -a log": a line that is not in the terminal, or not only there
_WRITES_FILE = re.compile(
    r"\b(?:echo|printf)\b[^;&|\n]{1,200}(?:>\s{0,3}(?!/dev/|&|>)[\w$/.~]|\|\s{0,3}(?:sudo\s{1,3})?tee\s)"
)
# Programs that neither load a server nor start one.
_IDLE_PROGRAMS = _PRINTING_PROGRAMS | set("sleep tee date mkdir kill wait true sync let read".split())
# "n=32; " in "do n=32; hey -c $n", after $((c * 4)) was replaced
_DERIVED_VARIABLE = re.compile(
    r"(?:[;&]|\bdo)\s{1,9}([A-Za-z_]\w{0,30})=([^\s;&|$`()\"']{1,80}|\"[^\"$`]{1,80}\")(?=\s{0,3}[;&])"
)
_MOST_DERIVED = 8  # variables that a loop derives from others; bounds the time for a hostile text
_SHELL_VARIABLE_KEY = re.compile(r"env_[a-z]")
_END_SIGNS = " \t=*#-_>:|~.!"
_KEY = re.compile(r"[a-z][a-z0-9_]{1,30}")
# Two values that no log has, instead of unknown ones: labels that differ between them depend on the variable.
_MADE_UP_VALUES = ("370159", "490277")
TRACES = "traces"  # among the tools of a turn: it starts a program, which may print traces
TITLE_KEY = "title"  # the key of the value of a variable that is not the value of an option


class Turn(NamedTuple):
    """The values of the variables of a loop at one turn, and the labels of its commands that differ between turns."""

    values: Mapping[str, str]
    labels: Mapping[str, str]
    tools: tuple[str, ...]  # the tools whose reports it prints, in their order, and `TRACES`


class _Variable(NamedTuple):
    """A variable of a loop: its values in their order, None if they are unknown; those of a counter have no meaning."""

    name: str
    values: tuple[str, ...] | None
    is_counter: bool = False


class ShellLoop:
    """A loop that a shell ran.

    ``turns`` are the turns of its reports in their order, ``processes`` those of the programs that it starts; empty if
    they are unknown. ``varying`` are the keys of labels that differ between turns, ``varying_processes`` between
    programs: if empty, the runs are repeats.
    """

    def __init__(self, text: str, variables: Sequence[_Variable], inner: str, depth: int, *, in_order: bool) -> None:
        self.text = text
        self._variables, self._inner = variables, inner
        self._output_patterns = [re.compile(banner, re.IGNORECASE) for banner in _output_patterns(text, variables)]
        reports = _find_turns(text, variables, _loaded_tools(inner))
        self.varying = _label_keys(reports)
        self.turns = reports if in_order and _are_known(variables) else ()
        programs = _find_turns(text, variables[:depth], (TRACES,)) if depth else ()
        self.varying_processes = _label_keys(programs)
        self.processes = programs if in_order and _are_known(variables[:depth]) else ()

    def values_printed_in(self, line: str) -> Mapping[str, str]:
        """The values of variables in a line that the loop prints; empty for other lines."""
        line = strip_end_signs(line)
        for banner in self._output_patterns:
            if match := banner.fullmatch(line):
                return match.groupdict()
        return {}

    def turn_of(self, values: Mapping[str, str]) -> Turn | None:
        """The turn at which all variables had these values, of a loop whose command does not list the values."""
        if set(values) != {variable.name for variable in self._variables} or _are_known(self._variables):
            return None
        labels = _labels_of_commands(_substitute_derived(self.text, values))
        varying_labels = {key: value for key, value in labels.items() if key in self.varying}
        missing = self.varying.difference(varying_labels)
        if missing and len(values) == 1:  # the key of a name, or of an option of another program
            varying_labels |= dict.fromkeys(missing, next(iter(values.values())))
        return Turn(values, varying_labels, _loaded_tools(self._inner))


@functools.lru_cache(maxsize=256)  # the runs of a loop share it
def read_loop(text: str) -> ShellLoop | None:
    """Read the loop in a command line; None if it has none."""
    opened = list(_LOOP_HEAD.finditer(text)) if _may_loop(text) else []
    closed = _LOOP_END.search(text, opened[-1].end()) if opened else None
    if closed is None:
        return None
    # + 1: the sign that separates the last assignment from the loop
    known = assignments(text[: opened[0].start() + 1])
    variables = [variable for head in opened for variable in _loop_variables(head, known, text)]
    inner = text[opened[-1].end() : closed.start()]
    is_nest = not _LOOP_END.search(text, opened[0].start(), opened[-1].start())
    loads = _loaded_tools(inner)
    in_order = (
        is_nest
        and _loaded_tools(text) == loads
        and not _RUNS_AGAIN.search(inner)
        # which of several reports are thrown away is not worked out
        and not ("/dev/null" in inner and len(loads) > 1)
        and len({variable.name for variable in variables}) == len(opened)
        and not variables_changed(inner).intersection(
            variable.name for variable in variables
        )  # "c=$((c * 8)); hey -c $c"
        and not any(effect.command.background for effect in _effects_of(inner) if effect.loads)
    )
    depth = _depth_of_started_program(text, [*(head.end() for head in opened), closed.start()]) if is_nest else 0
    return ShellLoop(text, variables, inner, depth, in_order=in_order)


def loop_label(text: str, line: int, variables: Mapping[str, str]) -> Label | None:
    """The label of the runs below a loop: its line, and its text with the `variables` of the shell that it uses."""
    used = {name for head in _LOOP_HEAD.finditer(text) for name in _USED_VARIABLE.findall(head[0])} - variables_set(
        text
    )
    names = [name for name in variables if name in used]
    text = with_assignments(text, names, variables)
    return Label(SHELL_LOOP, f"{line}: {text}", "heading", line, text, "nearby line") if read_loop(text) else None


def strip_end_signs(text: str) -> str:
    """A line without the signs and blanks at its ends."""
    return text.strip(_END_SIGNS)


def _may_loop(text: str) -> bool:
    """Whether a text may contain a loop."""
    return len(text) <= _LONGEST and ("for " in text or "for(" in text or "while " in text or "until " in text)


def _loop_variables(head: re.Match[str], known: Mapping[str, str], text: str) -> list[_Variable]:
    """The variables of one loop; for ``while`` those that it reads or sets at each turn."""
    name, words, counter, condition = head.groups()
    if name:
        return [_Variable(name, loop_values(words, known) if words else None, bool(words) and is_open_count(words))]
    if counter:
        found = counter_values(counter)
        return [_Variable(*found)] if found else []
    names = re.findall(r"\w+", read[1]) if (read := _READ_COMMAND.search(condition)) else []
    names = [name for name in names if name != "r"] or sorted(variables_set(text[head.end() :]))
    return [_Variable(name, None, _counts_up(text, name)) for name in names]


def _counts_up(text: str, name: str) -> bool:
    """Whether a loop only adds one to a variable at each turn."""
    return re.search(rf"\b{name}=\$\(\(\s?\$?{name}\s?\+\s?1\s?\)\)|\b{name}\+\+|\blet {name}\+=1\b", text) is not None


def _are_known(variables: Sequence[_Variable]) -> bool:
    """Whether the turns of nested loops are known, and not too many."""
    count = functools.reduce(lambda turns, variable: turns * len(variable.values or ()), variables, 1)
    return bool(variables) and 0 < count <= MOST_VALUES


def _find_turns(text: str, variables: Sequence[_Variable], tools: tuple[str, ...]) -> tuple[Turn, ...]:
    """The turns of nested loops; with two made-up values for each variable if some values are unknown."""
    are_known = _are_known(variables)
    if not are_known and len(variables) > 6:  # 64 turns with made-up values, more than nested loops have
        return ()
    values = [variable.values if are_known and variable.values else _MADE_UP_VALUES for variable in variables]
    chosen = [
        dict(zip((variable.name for variable in variables), of_turn, strict=True)) for of_turn in product(*values)
    ]
    labels = [_labels_of_commands(_substitute_derived(text, of_turn)) for of_turn in chosen]
    varying = {
        key for of_turn in labels for key in of_turn if len({other_labels.get(key) for other_labels in labels}) > 1
    }
    labels_of_turns = [{key: value for key, value in of_turn.items() if key in varying} for of_turn in labels]
    unused = _variables_without_label(text, variables, chosen, labels_of_turns)
    return tuple(
        Turn(of_turn, {**{key: of_turn[name] for name, key in unused.items()}, **of_labels}, tools)
        for of_turn, of_labels in zip(chosen, labels_of_turns, strict=True)
    )


def _label_keys(turns: Sequence[Turn]) -> frozenset[str]:
    """The keys of the labels of turns."""
    return frozenset(key for turn in turns for key in turn.labels)


def _substitute_derived(text: str, values: Mapping[str, str]) -> str:
    """A loop with values instead of variables, also of variables that it derives: ``n=$((c * 4)); hey -c $n``."""
    text = substitute(text, values)
    at = 0
    for _ in range(_MOST_DERIVED):
        derived = _DERIVED_VARIABLE.search(text, at)
        if derived is None:
            break
        at = derived.end()
        text = text[:at] + substitute(text[at:], {**values, derived[1]: derived[2].strip('"')})
    return text


def _effects_of(text: str) -> tuple[Effect, ...]:
    """The effects of a command line."""
    line = command_classifier(report_tools()).command(text, prompt=True)
    return line.effects if line else ()


def _loaded_tools(text: str) -> tuple[str, ...]:
    """The tools whose reports a command line prints."""
    return tuple(tool for effect in _effects_of(text) for tool, _ in effect.loads)


def _depth_of_started_program(text: str, ends: Sequence[int]) -> int:
    """The number of loops around the only program that they start; 0 if there is none, or several."""
    segments = [text[begin:end] for begin, end in pairwise(ends)]
    started = [
        sum(effect.kind == "serve" or effect.starts_server for effect in _effects_of(segment)) for segment in segments
    ]
    return started.index(1) + 1 if sum(started) == 1 else 0


def _labels_of_commands(text: str) -> dict[str, str]:
    """The labels, by key, that the commands of a line give the runs below it."""
    found: dict[str, str] = {}
    for effect in _effects_of(text):
        of_loads = [label for _, labels in effect.loads for label in labels]
        of_server = effect.server_labels
        if effect.kind == "set":  # variables in lower case belong to the shell
            of_server = tuple(label for label in of_server if not _SHELL_VARIABLE_KEY.match(label.key))
        for label in (*of_server, *of_loads):
            found[label.key] = normalize_value(label.key, label.value)
            if label.key == "url":
                found |= url_parts(label.value)
    return found


def _variables_without_label(
    text: str,
    variables: Sequence[_Variable],
    turns: Sequence[Mapping[str, str]],
    labels_of_turns: Sequence[Mapping[str, str]],
) -> dict[str, str]:
    """The variables that give no label though a command uses them, each with the key of a label that it may be.

    Variables that only count, name a file of results or are only printed are left out. The key ``title`` is for names.
    """
    found: dict[str, str] = {}
    commands = parse_commands(text)
    for name, known, is_counter in variables:
        values = list(dict.fromkeys(turn[name] for turn in turns))
        users = [command for command in commands if _uses_in_command(command, name, text)]
        option = next((match[1] for command in users if (match := _option_with_variable(command, name))), name)
        counts = option == name and (is_counter or values == list(map(str, range(1, len(values) + 1))))
        is_used = bool(users) or re.search(rf"\bcase\s{{1,3}}\"?\${{?{name}\b", text) is not None
        if len(values) > 1 and is_used and not counts and not _changes_labels(name, turns, labels_of_turns):
            key = LABEL_KEYS.get(option.lower()) or LABEL_KEYS.get(name.lower()) or option.lower().replace("-", "_")
            is_key = _KEY.fullmatch(key) and key not in RESERVED and (key in LABEL_KEYS.values() or option != name)
            are_numbers = known is not None and all(map(str.isdecimal, values))
            found[name] = key if is_key else "heading" if are_numbers else TITLE_KEY
    return found


def _changes_labels(
    name: str, turns: Sequence[Mapping[str, str]], labels_of_turns: Sequence[Mapping[str, str]]
) -> bool:
    """Whether labels differ between turns that differ only in this variable."""
    first: dict[tuple[str, ...], Mapping[str, str]] = {}
    others = (tuple(value for other, value in turn.items() if other != name) for turn in turns)
    return any(
        first.setdefault(beside, labels) != labels for beside, labels in zip(others, labels_of_turns, strict=True)
    )


def _uses_in_command(command: Command, name: str, text: str) -> bool:
    """Whether a command that may change the measurement uses a variable; `text` is the whole loop.

    ``echo`` may change it by writing to a file: ``echo $s > /proc/sys/…``.
    """
    writes = command.program in _PRINTING_PROGRAMS and _WRITES_FILE.search(text) is not None
    is_idle = not command.program or (command.program in _IDLE_PROGRAMS and not writes)
    return not is_idle and any(
        uses_variable(word, name) for word in (command.path, *command.args, *command.env.values())
    )


def _option_with_variable(command: Command, name: str) -> re.Match[str] | None:
    """The option of a command whose value is a variable: ``--replicas=$r``."""
    return re.search(rf"--([a-z][\w-]{{1,30}})[= ]\$\{{?{name}\b", " ".join(command.args))


def _output_patterns(text: str, variables: Sequence[_Variable]) -> Iterator[str]:
    """The patterns of the lines that a loop prints at a turn: ``echo`` and ``printf`` with a variable."""
    for command in parse_commands(text):
        if command.program not in _PRINTING_PROGRAMS:
            continue
        words = [arg for arg in command.args if not re.fullmatch(r"-[neE]{1,3}", arg)]
        if command.program == "printf" and words:
            parts = _PRINTF_CONVERSION.split(words[0])
            words = ["".join(chain.from_iterable(zip_longest(parts, words[1 : len(parts)], fillvalue="")))]
        template = strip_end_signs(" ".join(words).replace("\\n", " ").replace("\\t", " "))
        used: dict[str, _Variable] = {}
        for variable in variables:
            marked = substitute(template, {variable.name: f"\0{variable.name}\0"})
            used |= {variable.name: variable} if marked != template else {}
            template = marked
        pieces = template.split("\0")
        if used and "$" not in template and len(pieces) == 2 * len(used) + 1:
            yield "".join(
                _value_pattern(used[piece]) if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)
            )


def _value_pattern(variable: _Variable) -> str:
    """The pattern of the values of a variable, or of any word if they are unknown."""
    if variable.values is None:
        return rf"(?P<{variable.name}>[^\s,;:|]{{1,60}})"
    values = sorted(map(strip_end_signs, variable.values), key=len, reverse=True)
    return f"(?P<{variable.name}>{'|'.join(map(re.escape, values))})"
