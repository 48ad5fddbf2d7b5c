"""The labels of runs that a loop of a shell made: ``for c in 8 64; do echo "c=$c"; hey -c $c …; done``.

The command alone says not how often its variable had which value, but it says the values and their order. A run has one
of them if the line above it is what the loop prints for it, or if as many runs stand below the loop as it has turns.
"""

from __future__ import annotations

import functools
import re
import shlex
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain, product, zip_longest
from typing import NamedTuple

from wrkparse.context.commands import Effect, command_classifier
from wrkparse.context.leads import SEPARATOR, Surroundings
from wrkparse.context.precedence import normalize_value, url_parts
from wrkparse.context.slots import Place, SlotText
from wrkparse.context.vocabulary import ALIASES
from wrkparse.text.shell import Command, parse_commands, strip_prompt
from wrkparse.tools import report_tools
from wrkparse.tools.schema import RESERVED

_LONGEST = 1000  # characters of a loop that is read
_MOST_TURNS = 200  # of one loop, with those of the loops in it
_LOOP = re.compile(r"(?:\A|[;&|(\s])for\s{1,9}([A-Za-z_]\w{0,30})\s{1,9}in\s{1,9}([^;\n]{1,300}?)\s{0,9};\s{0,9}do\b")
_HEAD = re.compile(r"(?:\A|[;&|\s])for\s+[A-Za-z_]\w{0,30}\s+in\s")
_SECOND_PROMPT = re.compile(r"(?:for|loop|for\ for)?>\s?")
# What makes several runs at a turn, or prints another number of reports than there are commands.
_AGAIN = re.compile(r"\(\(|\b(?:while|until|repeat|xargs|parallel)\b|\s-r\s?[0-9]")
_DONE = re.compile(r"[;&\s]done\b")
_SEQUENCE = re.compile(r"[$`]\(?seq\s{1,9}([0-9]{1,6})(?:\s{1,9}([0-9]{1,6}))?(?:\s{1,9}([0-9]{1,6}))?\)?`?")
_BRACES = re.compile(r"\{([0-9]{1,6})\.\.([0-9]{1,6})\}")
_PLAIN = re.compile(r"[^$`*?{}()<>|&]{1,100}")
_FORMATTED = re.compile(r"%[0-9.-]{0,5}[sd]")
_SPEAKERS = frozenset({"echo", "printf"})
_IDLE = _SPEAKERS | {"sleep", "tee", "date", "mkdir", "cd", "kill", "wait", "true", "sync"}
_SIGNS = re.compile(r"[\W_]+")
_KEY = re.compile(r"[a-z][a-z0-9_]{1,30}")
_KIND = "loop"
TITLE = "title"  # among the labels of a run: what a variable says that no option has


class Turn(NamedTuple):
    """The values of a loop's variables at one turn, and the labels of its commands that other turns have otherwise."""

    values: Mapping[str, str]
    labels: Mapping[str, str]
    tools: tuple[str, ...]  # whose reports it prints, in their order


class Loop:
    """A loop that a shell ran: its turns in their order, and what it prints at each."""

    def __init__(self, text: str, turns: Sequence[Turn], banners: Sequence[str]) -> None:
        self.text, self.turns = text, turns
        self._banners = [re.compile(banner, re.IGNORECASE) for banner in banners]

    def said(self, line: str) -> Mapping[str, str]:
        """The values of variables that a line tells which the loop prints; empty for other lines."""
        line = _bare(line)
        for banner in self._banners:
            if match := banner.fullmatch(line):
                return match.groupdict()
        return {}


@functools.lru_cache(maxsize=256)  # the runs of a loop share it
def read_loop(text: str) -> Loop | None:
    """The loop in a command line; None where there is none, its values are not known, or runs stand outside of it."""
    opened = list(_LOOP.finditer(text)) if "for " in text and len(text) <= _LONGEST else []
    if not opened:
        return None
    closed = _DONE.search(text, opened[-1].end())
    if closed is None or _DONE.search(text, opened[0].start(), opened[-1].start()):
        return None  # loops one after the other
    names = [found[1] for found in opened]
    values = [_values(found[2]) for found in opened]
    count = functools.reduce(lambda turns, of_one: turns * len(of_one), values, 1)
    if not 0 < count <= _MOST_TURNS or len(set(names)) < len(names):
        return None
    inner = text[opened[-1].end() : closed.start()]
    if _loads(text) != _loads(inner) or _AGAIN.search(inner) or ("/dev/null" in inner and len(_loads(inner)) > 1):
        return None
    chosen = [dict(zip(names, of_turn, strict=True)) for of_turn in product(*values)]
    labels = [_labels(_filled(text, of_turn)) for of_turn in chosen]
    varying = {key for of_turn in labels for key in of_turn if len({one.get(key) for one in labels}) > 1}
    told = [{key: value for key, value in of_turn.items() if key in varying} for of_turn in labels]
    unused = _unused(text, chosen, told)
    turns = [
        Turn(of_turn, {**{key: of_turn[name] for name, key in unused.items()}, **of_labels}, _loads(inner))
        for of_turn, of_labels in zip(chosen, told, strict=True)
    ]
    return Loop(text, turns, [*_banners(text, dict(zip(names, values, strict=True)))])


def is_open_loop(text: str) -> bool:
    """Whether a line behind a prompt begins a loop that later lines end."""
    # a heading, an answer of another program and set -x have signs that are prompts elsewhere
    if "for " not in text or text[0] in "+#%>" or not (strip_prompt(text) or "").startswith("for "):
        return False
    return len(_HEAD.findall(text)) > len(_DONE.findall(text))


def goes_on_with(text: str, *, inset: bool) -> bool:
    """Whether a line may belong to the loop above it: behind the shell's second prompt, or `inset`, or by its word."""
    return inset or _SECOND_PROMPT.match(text) is not None or text.split(None, 1)[0] in ("do", "done")


def joined(begun: str, text: str) -> str:
    """A loop with the next of its lines, in one line."""
    text = _SECOND_PROMPT.sub("", text)
    return f"{begun} {text}" if begun.endswith((";", " do", "&")) else f"{begun}; {text}"


def _values(words: str) -> tuple[str, ...]:
    """The values that a loop's variable takes; empty if the line does not say them."""
    if sequence := _SEQUENCE.fullmatch(words.strip()):
        numbers = [int(number) for number in sequence.groups() if number]
        first = numbers[0] if len(numbers) > 1 else 1
        step = numbers[1] if len(numbers) > 2 else 1
        found = range(first, numbers[-1] + 1, step or 1)
    elif braces := _BRACES.fullmatch(words.strip()):
        found = range(int(braces[1]), int(braces[2]) + 1)
    else:
        try:
            plain = tuple(shlex.split(words))
        except ValueError:
            return ()
        return plain if all(map(_PLAIN.fullmatch, plain)) else ()
    return tuple(map(str, found[: _MOST_TURNS + 1]))


def _variable(name: str) -> re.Pattern[str]:
    return re.compile(rf"\$(?:{name}(?!\w)|\{{{name}\}})")


def _filled(text: str, values: Mapping[str, str]) -> str:
    """A command with the values in place of their variables."""
    for name, value in values.items():
        text = _variable(name).sub(value.replace("\\", r"\\"), text)
    return text


def _effects(text: str) -> tuple[Effect, ...]:
    line = command_classifier(report_tools()).command(text, prompt=True)
    return line.effects if line else ()


def _loads(text: str) -> tuple[str, ...]:
    """The tools whose reports a command line prints."""
    return tuple(tool for effect in _effects(text) for tool, _ in effect.loads)


def _labels(text: str) -> dict[str, str]:
    """What the commands of a line say of the runs below it."""
    found: dict[str, str] = {}
    for effect in _effects(text):
        of_loads = [label for _, labels in effect.loads for label in labels]
        for label in (*effect.server_labels, *of_loads):
            found[label.key] = normalize_value(label.key, label.value)
            if label.key == "url":
                found |= url_parts(label.value)
    return found


def _unused(text: str, turns: Sequence[Mapping[str, str]], told: Sequence[Mapping[str, str]]) -> dict[str, str]:
    """The variables that give no label though a command has them, each with the key of a label that it may be.

    One that only counts, names a file of results or is only printed is none. The key ``title`` stands for a name.
    """
    found: dict[str, str] = {}
    commands = parse_commands(text)
    for name in turns[0]:
        values = list(dict.fromkeys(turn[name] for turn in turns))
        users = [command for command in commands if _has(command, name)]
        option = next((match[1] for command in users if (match := _option(command, name))), name)
        counts = option == name and values == list(map(str, range(1, len(values) + 1)))
        if len(values) > 1 and users and not counts and not _tells(name, turns, told):
            key = ALIASES.get(option.lower()) or ALIASES.get(name.lower()) or option.lower().replace("-", "_")
            is_key = _KEY.fullmatch(key) and key not in RESERVED and (key in ALIASES.values() or option != name)
            found[name] = key if is_key else "heading" if all(map(str.isdecimal, values)) else TITLE
    return found


def _tells(name: str, turns: Sequence[Mapping[str, str]], told: Sequence[Mapping[str, str]]) -> bool:
    """Whether labels differ between turns that differ in one variable only."""
    first: dict[tuple[str, ...], Mapping[str, str]] = {}
    others = (tuple(value for other, value in turn.items() if other != name) for turn in turns)
    return any(first.setdefault(beside, labels) != labels for beside, labels in zip(others, told, strict=True))


def _has(command: Command, name: str) -> bool:
    """Whether a command that may change what is measured has a variable among its words."""
    variable = _variable(name)
    return command.program not in _IDLE and any(
        map(variable.search, (command.path, *command.args, *command.env.values()))
    )


def _option(command: Command, name: str) -> re.Match[str] | None:
    """The option of a command whose value is a variable: ``--replicas=$r``."""
    return re.search(rf"--([a-z][\w-]{{1,30}})[= ]\$\{{?{name}\b", " ".join(command.args))


def _banners(text: str, values: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """What the loop prints at a turn, as patterns: lines of ``echo`` and ``printf`` with a variable in them."""
    for command in parse_commands(text):
        if command.program not in _SPEAKERS:
            continue
        words = [arg for arg in command.args if not re.fullmatch(r"-[neE]{1,3}", arg)]
        if command.program == "printf" and words:
            parts = _FORMATTED.split(words[0])
            words = ["".join(chain.from_iterable(zip_longest(parts, words[1 : len(parts)], fillvalue="")))]
        template = _bare(" ".join(words).replace("\\n", " ").replace("\\t", " "))
        used: set[str] = set()
        for name in values:
            marked = _variable(name).sub(f"\0{name}\0", template)
            used |= {name} if marked != template else set()
            template = marked
        pieces = template.split("\0")
        if used and "$" not in template and len(pieces) == 2 * len(used) + 1:
            yield "".join(
                _one_of(piece, values[piece]) if at % 2 else re.escape(piece) for at, piece in enumerate(pieces)
            )


def _one_of(name: str, values: Sequence[str]) -> str:
    """The pattern of a variable with these values."""
    return f"(?P<{name}>{'|'.join(map(re.escape, sorted(map(_bare, values), key=len, reverse=True)))})"


def _bare(text: str) -> str:
    """A line without the signs and blanks at its ends, which are no part of what it says."""
    return text.strip(" \t=*#-_>:|~.!")


def loop_labels(places: Sequence[Place]) -> dict[int, dict[str, SlotText]]:
    """The labels of the runs below loops, by their index; none where something contradicts."""
    groups: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for at, place in enumerate(places):
        if place.loop:
            groups[place.source, place.tool, place.loop].append(at)
    found: dict[int, dict[str, SlotText]] = {}
    for (_, tool, text), runs in groups.items():
        loop = read_loop(text)
        chosen = _chosen(loop, tool, [places[at] for at in runs]) if loop else []
        for at, (turn, said) in zip(runs, chosen, strict=False):
            found[at] = {
                key: SlotText(value, said or text, _KIND)
                for key, value in turn.labels.items()
                if places[at].labels.get(key) is None or (key == TITLE and not places[at].title)
            }
    return found


def _chosen(loop: Loop, tool: str, runs: Sequence[Place]) -> list[tuple[Turn, str]]:
    """The turn of each run, with the line above the run that says so; empty if it is not clear for all of them."""
    chosen = [turn for turn in loop.turns for name in turn.tools if name == tool]
    lines = [_said(loop, place) for place in runs]
    in_order = len(runs) == len(chosen) and all(
        _fits(turn, place, said) for turn, place, (_, said) in zip(chosen, runs, lines, strict=True)
    )
    if in_order:
        return [(turn, line) for turn, (line, _) in zip(chosen, lines, strict=True)]
    found: list[tuple[Turn, str]] = []
    for place, (line, said) in zip(runs, lines, strict=True):
        able = [turn for turn in loop.turns if said and _fits(turn, place, said)]
        if len({tuple(turn.labels.items()) for turn in able}) != 1:
            return []
        found.append((able[0], line))
    return found


def _fits(turn: Turn, place: Place, said: Mapping[str, str]) -> bool:
    """Whether a run may be of a turn, by what stands above it and by what it prints."""
    if any(_bare(turn.values[name]).casefold() != value.casefold() for name, value in said.items()):
        return False
    held = ((value, place.labels.get(key)) for key, value in turn.labels.items())
    return all(own is None or own == value for value, own in held)


def _said(loop: Loop, place: Place) -> tuple[str, Mapping[str, str]]:
    """The line above a run that the loop has printed for it, and the values of variables in all such lines."""
    lines = [*Surroundings.of(place.labels).above.split(SEPARATOR), place.title or ""]
    found: dict[str, str] = {}
    shown = ""
    for line in lines:
        if said := loop.said(line):
            found |= said
            shown = line
    return shown, found
