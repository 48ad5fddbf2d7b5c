"""The labels that commands, titles and paths give a run.

No other module knows that GOMAXPROCS, ``+RTS -N4``, ``taskset -c 0-3`` and ``--cpus=4`` all mean cores. Where a
function takes a line, None means that the caller sets it later (`at_line`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

from wrkparse.context.names import is_known_name, is_prose, measured_name
from wrkparse.context.precedence import is_possible_value
from wrkparse.model.records import Label
from wrkparse.text.shell import Command, split_flags
from wrkparse.tools.base import Flags

_Pairs = list[tuple[str, str]]  # keys and values

# Variables with a meaning for all servers: GOMAXPROCS, GOGC and GOMEMLIMIT are those of Go's package runtime; CPU_NUM
# and NUM_CPUS are common in benchmark scripts.
_VARIABLE_KEYS = {
    "GOMAXPROCS": "cores",
    "CPU_NUM": "cores",
    "NUM_CPUS": "cores",
    "GOGC": "gogc",
    "GOMEMLIMIT": "gomemlimit",
}
_NUMACTL_CPUS = frozenset({"-C", "--physcpubind"})
_KEY_WORDS = {
    "cores": "cores core cpus cpu vcpus vcpu gomaxprocs procs コア 核心 核 코어",
    "connections": "connections connection conns conn concurrency clients client 连接 并发",
    "threads": "threads thread 线程",
    "workers": "workers worker",
    "processes": "processes process",
    "framework": "framework",
    "gogc": "gogc",
    "gomemlimit": "gomemlimit",
    "rate": "rate",
    "environment": "environment",
    "payload_bytes": "payload",
}
_ALIASES = {word: key for key, words in _KEY_WORDS.items() for word in words.split()}
# "1core", "12 cores", "10k connections", "1,000 clients", "4核"
_COUNTED = re.compile(
    r"(?<![A-Za-z0-9_.,/-])([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,7}k?)[ -]?"
    r"(?:(cores?|cpus?|vcpus?|procs|connections?|conns?|clients?|threads?|workers?|processes)\b|(コア|核心?|코어|线程|并发|连接))",
    re.IGNORECASE,
)
_MAY_COUNT = re.compile(r"[0-9]k?[ -]?[cvptw\u0080-\uffff]", re.IGNORECASE)  # part of each match of _COUNTED
_SINGLE_CORE = re.compile(r"\bsingle[ -](core|cpu)\b", re.IGNORECASE)
_ASSIGNED = re.compile(r"(?<![\w.-])([A-Za-z][A-Za-z0-9_]{0,40})\s?=\s?([^\s,;()\]`]{1,80})")
_STATED = re.compile(r"([A-Za-z]{3,20})\s?[:：]\s?([\w./%-]{1,40})")
_LONGEST_TITLE = 200  # characters; a longer line is a paragraph
_RTS = re.compile(r"\+RTS((?:\s+-[A-Za-z]\S*)+)")
# Capital letters of GHC's runtime options → names (GHC User's Guide, "Running a compiled program").
_RTS_NAMES = {"N": "capabilities", "H": "heap", "A": "allocation_area", "M": "max_heap", "K": "max_stack"}
_GO_VERSION = re.compile(
    r"\bgo(?:lang)?[ -]?v?([0-9]+\.[0-9]+(?:\.[0-9]+)?(?:beta[0-9]+|rc[0-9]+|-dev)?)(?![\w.])", re.IGNORECASE
)
_ENVIRONMENT = re.compile(r"(.{2,40}?)\s+environment", re.IGNORECASE)
_NO_ENVIRONMENT = frozenset(
    """test testing tests benchmark benchmarking hardware software server client runtime the a an our my your this
    system my-test setup set setting build development about""".split()
)


_new_label = functools.partial(tuple.__new__, Label)  # half the time of Label(…), for each label of each run


def at_line(labels: Iterable[Label], line: int | None) -> list[Label]:
    """The same labels, found in this line."""
    return [_new_label((key, value, origin, line)) for key, value, origin, _ in labels]


def server_labels(command: Command, line: int | None = None) -> list[Label]:
    """The labels of the command that started the server: pinning, flags, runtime flags and environment, in order."""
    args, runtime = _split_rts(command.args)
    named, _ = split_flags(args)
    pairs = [pair for wrapper in command.wrappers for pair in _pinning(wrapper)]
    for name, value in named:
        if name == "--cpus":
            pairs.append(("cores", value))
        elif name == "--cpuset-cpus":
            pairs.append(("cores", _cpu_count(value)))
        elif name in ("-e", "--env") and "=" in value:  # docker run -e GOGC=off
            pairs += _environment(dict([value.split("=", 1)]))
        else:
            pairs.append((flag_key(name), value))
    pairs += _runtime(runtime)
    pairs += _environment(command.env)
    return _labels(pairs, "env", line)


def environment_labels(env: Mapping[str, str], line: int | None = None) -> list[Label]:
    """The labels of the variables that stand in front of a command."""
    return _labels(_environment(env), "env", line)


def load_labels(command: Command, declared: Flags, line: int | None = None) -> list[Label]:
    """The labels of a load generator's command, whose flags its tool declares."""
    named, free = split_flags(command.args, frozenset(declared.options), declared.switches)
    pairs = [(declared.options.get(name) or flag_key(name), value) for name, value in named]
    url = next((word for word in free if "://" in word), free[-1] if free else "")
    if declared.positional and url.strip(".…\\"):
        pairs.append((declared.positional, url))
    return _labels(pairs, "flag", line)


def process_labels(stream: str, line: int | None) -> list[Label]:
    """The label of a process by the prefix of its lines: ``web_1``, ``host app[123]``; none for an empty one."""
    return [Label("process", stream, "prefix", line)] if stream else []


def _labels(pairs: _Pairs, origin: str, line: int | None) -> list[Label]:
    """Labels of the pairs that have a key and a possible value. A value with ``$`` is an unexpanded variable."""
    return [
        Label(key, value, origin, line)
        for key, value in pairs
        if key and "$" not in value and is_possible_value(key, value)
    ]


def _split_rts(args: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split arguments into the program's and those of GHC's runtime, between +RTS and -RTS."""
    if "+RTS" not in args:
        return args, ()
    start = args.index("+RTS")
    end = args.index("-RTS", start) if "-RTS" in args[start:] else len(args)
    return args[:start] + args[end + 1 :], args[start + 1 : end]


def _runtime(options: Iterable[str]) -> _Pairs:
    pairs: _Pairs = []
    for option in options:
        letter, value = option[1:2], option[2:]
        if letter == "N" and value.isdecimal():
            pairs.append(("cores", value))
        elif letter:
            pairs.append((f"flag_rts_{_RTS_NAMES.get(letter) or _lower_flag(letter)}", value or "true"))
    return pairs


def _pinning(wrapper: tuple[str, ...]) -> _Pairs:
    """The cores that taskset or numactl pins a program to."""
    name, *words = wrapper
    if name == "taskset" and words:
        mask = words[-1]
        if words[0].startswith("-") and "c" in words[0]:
            return [("cores", _cpu_count(mask))]
        return [("cores", str(int(mask, 16).bit_count()))] if re.fullmatch(r"(?:0x)?[0-9a-fA-F]{1,64}", mask) else []
    if name == "numactl":
        named, _ = split_flags(tuple(words), _NUMACTL_CPUS)
        return [("cores", _cpu_count(value)) for option, value in named if option in _NUMACTL_CPUS]
    return []


def _cpu_count(text: str) -> str:
    """The number of CPUs in a list, ``0-3,8`` → 5; empty if the text is no such list."""
    total = 0
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part)
        if match is None:
            return ""
        total += int(match[2] or match[1]) - int(match[1]) + 1
    return str(total) if total > 0 else ""


def _environment(env: Mapping[str, str]) -> _Pairs:
    pairs: _Pairs = []
    for name, value in env.items():
        pairs.append((f"env_{name}", value))
        if name in _VARIABLE_KEYS:
            pairs.append((_VARIABLE_KEYS[name], value))
    return pairs


def flag_key(name: str) -> str:
    """The label key of a flag: ``--keep-alive`` → ``flag_keep_alive``; empty if no program has such a flag."""
    match = re.fullmatch(r"--?([A-Za-z][\w.-]{0,40})", name, re.ASCII)
    return "flag_" + re.sub(r"\W", "_", _lower_flag(match[1])) if match else ""


def _lower_flag(flag: str) -> str:
    """A flag's name in lower case. Column names ignore case, and ``-T`` is another flag than ``-t``: ``upper_t``."""
    return f"upper_{flag.lower()}" if len(flag) == 1 and flag.isupper() else flag.lower()


_LINK = re.compile(r"\[([^\[\]]{1,100})\]\([^()\s]{1,300}\)")
_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}\Z")  # of Markdown: "nginx {#nginx}"
_EMOJI = re.compile(r"[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]")


def title_labels(text: str, line: int | None = None) -> list[Label]:
    """The labels of a heading, a list item or a bare title: settings in it, and the name of what was measured."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if text.endswith("}"):
        text = _ATTRIBUTES.sub("", text)
    text = (text if text.isascii() else _EMOJI.sub("", text)).strip().strip("*_`").strip()
    return at_line(_title_labels(text), line) if len(text) <= _LONGEST_TITLE else []


@functools.lru_cache(maxsize=1024)  # a page repeats the headings of its sections
def _title_labels(text: str) -> tuple[Label, ...]:
    stated = _STATED.fullmatch(text) if ":" in text or "：" in text else None
    key = _ALIASES.get(stated[1].lower()) if stated else None
    if stated and key:
        return tuple(_labels([(key, stated[2])], "heading", None))
    if stated and stated[1].lower() in ("server", "runtime", "language"):
        text = stated[2]
    environment: _Pairs = []
    pairs = _counts(text)
    for name, value in _ASSIGNED.findall(text) if "=" in text else ():
        if name.isupper() and len(name) > 2:
            environment += _environment({name: value.rstrip(":：")})
        elif name.lower() in _ALIASES:
            pairs.append((_ALIASES[name.lower()], value))
    for match in _RTS.finditer(text) if "+RTS" in text else ():
        environment += _runtime(match[1].split())
    pairs += _names(text)
    return (*_labels(pairs, "heading", None), *_labels(environment, "env", None))


def _may_hold(word: str, text: str) -> bool:
    """Whether a pattern of this word that ignores case may match in a text. This test is cheaper than the pattern."""
    return word in text.lower() or not text.isascii()


def _counts(text: str) -> _Pairs:
    """``4 cores, 100 connections``. Of two different counts of one thing the run has neither."""
    numbers = _COUNTED.findall(text) if _MAY_COUNT.search(text) else ()
    pairs = [(_ALIASES[(latin or cjk).lower()], number.replace(",", "")) for number, latin, cjk in numbers]
    pairs += [("cores", "1")] * bool(_may_hold("single", text) and _SINGLE_CORE.search(text))
    return [pair for pair in pairs if len({value for key, value in pairs if key == pair[0]}) == 1]


def _names(text: str) -> _Pairs:
    """The environment that a title names, or the framework with the version of Go."""
    environment = _ENVIRONMENT.fullmatch(text) if _may_hold("environment", text) else None
    if environment:
        name = environment[1]
        general = _NO_ENVIRONMENT.intersection(name.lower().split()) or measured_name(name)
        return [] if general else [("environment", name)]
    if "=" in text or text.startswith(("|", "<", "$")) or is_prose(text):
        return []
    return framework_and_version(text)


def framework_and_version(title: str) -> list[tuple[str, str]]:
    """The framework that a title names, as a key and its value, and the version of Go if the title has it; or none."""
    bare = _COUNTED.sub("", title) if _MAY_COUNT.search(title) else title
    version = _GO_VERSION.search(bare) if _may_hold("go", bare) else None
    # "gin (Go 1.21)" names gin; "Go 1.21 prefork" names Go 1.21 prefork
    without = _tidy(bare[: version.start()] + bare[version.end() :]) if version else ""
    framework = (measured_name(without) if without else None) or measured_name(_tidy(bare))
    if framework is None:
        return []
    return [("framework", framework), *([("go_version", version[1])] if version else [])]


_EMPTY_BRACKETS = re.compile(r"[(（\[][\s,;/|]{0,20}[)）\]]")
_SECTION_NUMBER = re.compile(r"^[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}[.)]\s|^[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\s")


def _tidy(text: str) -> str:
    """A title without its section number, and without brackets and commas that removed parts left empty."""
    text = _SECTION_NUMBER.sub("", _EMPTY_BRACKETS.sub(" ", text).strip())
    return " ".join(text.split()).strip(" ,;:：，、/|@-–—").removesuffix(" with").removesuffix(" on")


_PATH_SEPARATORS = re.compile(r"[_,\s+]+|-(?=[a-z])|-(?=[0-9]+(?![0-9.]))", re.IGNORECASE)
_PATH_SETTING = re.compile(
    r"(cores?|cpus?|gomaxprocs|procs|conns?|connections|concurrency|clients|threads|workers|gogc|rate)[-=_]?([0-9]{1,9}|off)"
    r"|([ct])([0-9]{1,9})(?!\.\w*(?:large|metal|micro|nano|small|medium))"  # not c4.8xlarge, t2.micro
    r"|([0-9]{1,9})(cores?|cpus?|conns?|connections|clients|threads|workers)",
    re.IGNORECASE,
)
_PATH_LETTERS = {"c": "connections", "t": "threads"}
_PATH_GENERAL = re.compile(
    r"wrk2?|ab|gctrace|schedtrace|results?|output|logs?|report|stdout|stderr|(?:run|rep|trial|iter)[0-9]*|[a-z]?[0-9.]+[a-z]?|[-.]*",
    re.IGNORECASE,
)
_SUFFIXES = re.compile(r"(?:\.(?:txt|log|md|out|gz|bz2|xz|zst))+$")
_LONGEST_FILE_NAME = 255  # bytes, in the file systems of Linux, macOS and Windows


def path_labels(source: str) -> list[Label]:
    """The labels of a file's path, from its directories and its name: ``nginx/36cores/c100.txt``.

    A part names the framework only if it holds no other word: ``nginx-1.12`` does, ``go-many-cores`` does not.
    """
    pairs: _Pairs = []
    *directories, file = source.split("/")
    for part in (*directories, _SUFFIXES.sub("", file[-_LONGEST_FILE_NAME:])):
        pairs += _part_of_path(part)
    return _labels(pairs, "path", None)


@functools.lru_cache(maxsize=1024)  # one directory holds many files
def _part_of_path(part: str) -> tuple[tuple[str, str], ...]:
    words = [word.strip("-_. ") for word in _PATH_SEPARATORS.split(_PATH_SETTING.sub("", part))]
    names = [word for word in words if not _PATH_GENERAL.fullmatch(word)]
    framework = [("framework", names[0])] if len(names) == 1 and is_known_name(names[0]) else []
    return (*_path_settings(part), *framework)


def _path_settings(part: str) -> _Pairs:
    pairs: _Pairs = []
    for match in _PATH_SETTING.finditer(part):
        before, after = part[: match.start()], part[match.end() :]
        if before[-1:].isalnum() or after[:1].isalnum():
            continue  # "abc100" is not c100
        name, value, letter, short, number, unit = match.groups()
        key = _PATH_LETTERS[letter.lower()] if letter else _ALIASES[(name or unit).lower()]
        pairs.append((key, value or short or number))
    return pairs
