"""What commands, headings and paths say of a run.

This is the only place that knows that GOMAXPROCS, ``+RTS -N4``, ``taskset -c 0-3`` and ``--cpus=4`` all mean cores.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Mapping

from wrkparse.context.names import is_prose, known_name, measured
from wrkparse.context.precedence import possible
from wrkparse.model.records import Label
from wrkparse.text.shell import Command, flags
from wrkparse.tools.base import Flags

_CANONICAL_ENV = {
    "GOMAXPROCS": "cores",
    "CPU_NUM": "cores",
    "NUM_CPUS": "cores",
    "GOGC": "gogc",
    "GOMEMLIMIT": "gomemlimit",
}
_NUMACTL_CPUS = frozenset({"-C", "--physcpubind"})
_KEYS = {
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
_ALIASES = {word: key for key, words in _KEYS.items() for word in words.split()}
# "1core", "12 cores", "10k connections", "1,000 clients", "4核"
_COUNTED = re.compile(
    r"(?<![A-Za-z0-9_.,/-])([0-9]{1,3}(?:,[0-9]{3}){1,2}|[0-9]{1,7}k?)[ -]?"
    r"(?:(cores?|cpus?|vcpus?|procs|connections?|conns?|clients?|threads?|workers?|processes)\b|(コア|核心?|코어|线程|并发|连接))",
    re.IGNORECASE,
)
_MAY_COUNT = re.compile(r"[0-9]k?[ -]?[cvptw\u0080-\uffff]", re.IGNORECASE)  # what each match of that one holds
_SINGLE_CORE = re.compile(r"\bsingle[ -](core|cpu)\b", re.IGNORECASE)
_ASSIGNED = re.compile(r"(?<![\w.-])([A-Za-z][A-Za-z0-9_]{0,40})\s?=\s?([^\s,;()\]`]{1,80})")
_STATED = re.compile(r"([A-Za-z]{3,20})\s?[:：]\s?([\w./%-]{1,40})")
_LONGEST_TITLE = 200
_RTS = re.compile(r"\+RTS((?:\s+-[A-Za-z]\S*)+)")
_GO_VERSION = re.compile(
    r"\bgo(?:lang)?[ -]?v?([0-9]+\.[0-9]+(?:\.[0-9]+)?(?:beta[0-9]+|rc[0-9]+|-dev)?)(?![\w.])", re.IGNORECASE
)
_ENVIRONMENT = re.compile(r"(.{2,40}?)\s+environment", re.IGNORECASE)
_NO_ENVIRONMENT = frozenset(
    """test testing tests benchmark benchmarking hardware software server client runtime the a an our my your this
    system my-test setup set setting build development about""".split()
)


def of_server(command: Command, line: int) -> list[Label]:
    """What the command that started the measured program says: environment, runtime flags, pinning, own flags."""
    return _at(_served(command.args, command.wrappers, tuple(command.env.items())), "env", line)


@functools.lru_cache(maxsize=1024)  # a test lab's log repeats its commands
def _served(
    words: tuple[str, ...], wrappers: tuple[tuple[str, ...], ...], env: tuple[tuple[str, str], ...]
) -> tuple[tuple[str, str], ...]:
    args, runtime = _split_rts(words)
    named, _ = flags(args)
    found = [pair for wrapper in wrappers for pair in _pinning(wrapper)]
    for name, value in named:
        if name == "--cpus":
            found.append(("cores", value))
        elif name == "--cpuset-cpus":
            found.append(("cores", _cpu_count(value)))
        elif name in ("-e", "--env") and "=" in value:  # docker run -e GOGC=off
            found += _environment(dict([value.split("=", 1)]))
        else:
            found.append((flag_key(name), value))
    found += _runtime(runtime)
    found += _environment(dict(env))
    return _sound(found)


def of_environment(env: Mapping[str, str], line: int) -> list[Label]:
    """What variables in front of a command say."""
    return _labels(_environment(env), "env", line)


def _labels(found: Iterable[tuple[str, str]], origin: str, line: int | None) -> list[Label]:
    return _at(_sound(found), origin, line)


def _sound(found: Iterable[tuple[str, str]]) -> tuple[tuple[str, str], ...]:
    """What has a key and a value that can be one; a shell's variable (``$N``) has not been printed."""
    return tuple([(key, value) for key, value in found if key and "$" not in value and possible(key, value)])


def _at(found: Iterable[tuple[str, str]], origin: str, line: int | None) -> list[Label]:
    return [Label(key, value, origin, line) for key, value in found]


def _split_rts(args: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """GHC takes what stands between +RTS and -RTS for its runtime."""
    if "+RTS" not in args:
        return args, ()
    start = args.index("+RTS")
    end = args.index("-RTS", start) if "-RTS" in args[start:] else len(args)
    return args[:start] + args[end + 1 :], args[start + 1 : end]


def _runtime(options: Iterable[str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for option in options:
        letter, value = option[1:2], option[2:]
        if letter == "N" and value.isdecimal():
            found.append(("cores", value))
        elif letter:
            found.append((f"flag_rts_{_RTS_NAMES.get(letter) or _distinct(letter)}", value or "true"))
    return found


def _pinning(wrapper: tuple[str, ...]) -> list[tuple[str, str]]:
    name, *words = wrapper
    if name == "taskset" and words:
        mask = words[-1]
        if words[0].startswith("-") and "c" in words[0]:
            return [("cores", _cpu_count(mask))]
        return [("cores", str(int(mask, 16).bit_count()))] if re.fullmatch(r"(?:0x)?[0-9a-fA-F]{1,64}", mask) else []
    if name == "numactl":
        named, _ = flags(tuple(words), _NUMACTL_CPUS)
        return [("cores", _cpu_count(value)) for option, value in named if option in _NUMACTL_CPUS]
    return []


def _cpu_count(text: str) -> str:
    """A list of CPUs, ``0-3,8`` → 5; empty where it is none."""
    total = 0
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part)
        if match is None:
            return ""
        total += int(match[2] or match[1]) - int(match[1]) + 1
    return str(total) if total > 0 else ""


# What the capital letters of GHC's run-time options mean (GHC User's Guide, "Running a compiled program").
_RTS_NAMES = {"N": "capabilities", "H": "heap", "A": "allocation_area", "M": "max_heap", "K": "max_stack"}


def _environment(env: Mapping[str, str]) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for name, value in env.items():
        found.append((f"env_{name}", value))
        if name in _CANONICAL_ENV:
            found.append((_CANONICAL_ENV[name], value))
    return found


def of_load(command: Command, declared: Flags, line: int) -> list[Label]:
    """What the load generator's own flags say."""
    return _at(_flagged(command.args, declared), "flag", line)


@functools.lru_cache(maxsize=1024)  # a test lab's log repeats its commands
def _flagged(args: tuple[str, ...], declared: Flags) -> tuple[tuple[str, str], ...]:
    named, free = flags(args, frozenset(declared.options), declared.switches)
    found = [(declared.options.get(name) or flag_key(name), value) for name, value in named]
    url = next((word for word in free if "://" in word), free[-1] if free else "")
    if declared.positional and url.strip(".…\\"):
        found.append((declared.positional, url))
    return _sound(found)


def flag_key(name: str) -> str:
    """``--keep-alive`` → ``flag_keep_alive``; empty for what no program has for a flag."""
    match = re.fullmatch(r"--?([A-Za-z][\w.-]{0,40})", name, re.ASCII)
    return "flag_" + re.sub(r"\W", "_", _distinct(match[1])) if match else ""


def _distinct(flag: str) -> str:
    """A flag's name in small letters: names of columns ignore case, and ``-t`` is another flag than ``-T``."""
    return f"upper_{flag.lower()}" if len(flag) == 1 and flag.isupper() else flag.lower()


def of_stream(stream: str, line: int | None) -> list[Label]:
    """What stands in front of a run's lines, of several processes in one log: ``web_1``, ``host app[123]``."""
    return [Label("process", stream, "prefix", line)] if stream else []


_LINK = re.compile(r"\[([^\[\]]{1,100})\]\([^()\s]{1,300}\)")
_ATTRIBUTES = re.compile(r"\s?\{[#.:][^{}]{0,100}\}\Z")  # of Markdown's: "nginx {#nginx}"
_EMOJI = re.compile(r"[\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff\ufe0f\u200d]")


def of_title(text: str, line: int | None, origin: str = "heading") -> list[Label]:
    """What a heading, a list item or a bare title says: settings written in it, and the name of what was measured."""
    if "](" in text:
        text = _LINK.sub(r"\1", text)
    if text.endswith("}"):
        text = _ATTRIBUTES.sub("", text)
    text = (text if text.isascii() else _EMOJI.sub("", text)).strip().strip("*_`").strip()
    if len(text) > _LONGEST_TITLE:
        return []
    found, environment = _titled(text)
    return [*_at(found, origin, line), *_at(environment, "env", line)]


@functools.lru_cache(maxsize=1024)
def _titled(text: str) -> tuple[tuple[tuple[str, str], ...], tuple[tuple[str, str], ...]]:
    """What a title says, and what of an environment."""
    stated = _STATED.fullmatch(text) if ":" in text or "：" in text else None
    key = _ALIASES.get(stated[1].lower()) if stated else None
    if stated and key:
        return _sound([(key, stated[2])]), ()
    if stated and stated[1].lower() in ("server", "runtime", "language"):
        text = stated[2]
    environment: list[tuple[str, str]] = []
    found = _counted(text)
    for name, value in _ASSIGNED.findall(text) if "=" in text else ():
        if name.isupper() and len(name) > 2:
            environment += _environment({name: value.rstrip(":：")})
        elif name.lower() in _ALIASES:
            found.append((_ALIASES[name.lower()], value))
    for match in _RTS.finditer(text) if "+RTS" in text else ():
        environment += _runtime(match[1].split())
    found += _named(text)
    return _sound(found), _sound(environment)


def _may_hold(word: str, text: str) -> bool:
    """Whether a pattern of this word that ignores case can be in a text: cheaper to find out than by the pattern."""
    return word in text.lower() or not text.isascii()


def _counted(text: str) -> list[tuple[str, str]]:
    """``4 cores, 100 connections``; of two counts of one thing neither is the run's."""
    numbers = _COUNTED.findall(text) if _MAY_COUNT.search(text) else ()
    found = [(_ALIASES[(latin or cjk).lower()], number.replace(",", "")) for number, latin, cjk in numbers]
    found += [("cores", "1")] * bool(_may_hold("single", text) and _SINGLE_CORE.search(text))
    return [pair for pair in found if len({value for key, value in found if key == pair[0]}) == 1]


def _named(text: str) -> list[tuple[str, str]]:
    environment = _ENVIRONMENT.fullmatch(text) if _may_hold("environment", text) else None
    if environment:
        words = environment[1].lower().split()
        return (
            [] if _NO_ENVIRONMENT.intersection(words) or measured(environment[1]) else [("environment", environment[1])]
        )
    if "=" in text or text.startswith(("|", "<", "$")) or is_prose(text):
        return []
    bare = _COUNTED.sub("", text) if _MAY_COUNT.search(text) else text
    version = _GO_VERSION.search(bare) if _may_hold("go", bare) else None
    # "gin (Go 1.21)" is gin; "Go 1.21 prefork" is that
    without = _tidy(bare[: version.start()] + bare[version.end() :]) if version else ""
    name = (measured(without) if without else None) or measured(_tidy(bare))
    if name is None:
        return []
    return [("framework", name), *([("go_version", version[1])] if version else [])]


_EMPTIED = re.compile(r"[(（\[][\s,;/|]{0,20}[)）\]]")
_NUMBERED = re.compile(r"^[0-9]{1,2}(?:\.[0-9]{1,2}){0,3}[.)]\s|^[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\s")


def _tidy(text: str) -> str:
    """A title without the brackets, commas and joints that are left empty where something was taken out."""
    text = _NUMBERED.sub("", _EMPTIED.sub(" ", text).strip())
    return " ".join(text.split()).strip(" ,;:：，、/|@-–—").removesuffix(" with").removesuffix(" on")


_PATH_PARTS = re.compile(r"[_,\s+]+|-(?=[a-z])|-(?=[0-9]+(?![0-9.]))", re.IGNORECASE)
_PATH_SETTING = re.compile(
    r"(cores?|cpus?|gomaxprocs|procs|conns?|connections|concurrency|clients|threads|workers|gogc|rate)[-=_]?([0-9]{1,9}|off)"
    r"|([ct])([0-9]{1,9})(?!\.\w*(?:large|metal|micro|nano|small|medium))"  # not c4.8xlarge, t2.micro
    r"|([0-9]{1,9})(cores?|cpus?|conns?|connections|clients|threads|workers)",
    re.IGNORECASE,
)
_PATH_SHORT = {"c": "connections", "t": "threads"}
_PATH_NEUTRAL = re.compile(
    r"wrk2?|ab|gctrace|schedtrace|results?|output|logs?|report|stdout|stderr|(?:run|rep|trial|iter)[0-9]*|[a-z]?[0-9.]+[a-z]?|[-.]*",
    re.IGNORECASE,
)
_SUFFIXES = re.compile(r"(?:\.(?:txt|log|md|out|gz|bz2|xz|zst))+$")


def of_path(source: str) -> list[Label]:
    """What directories and the file's name say: ``nginx/36cores/c100.txt``.

    A part names what was measured only if it says nothing else: ``nginx-1.12``, not ``go-many-cores``.
    """
    found: list[tuple[str, str]] = []
    *directories, file = source.split("/")
    for part in (*directories, _SUFFIXES.sub("", file[-255:])):
        found += _part_of_path(part)
    return _labels(found, "path", None)


@functools.lru_cache(maxsize=1024)  # many files are in one directory
def _part_of_path(part: str) -> tuple[tuple[str, str], ...]:
    words = [word.strip("-_. ") for word in _PATH_PARTS.split(_PATH_SETTING.sub("", part))]
    names = [word for word in words if not _PATH_NEUTRAL.fullmatch(word)]
    named = [("framework", names[0])] if len(names) == 1 and known_name(names[0]) else []
    return (*_path_settings(part), *named)


def _path_settings(part: str) -> list[tuple[str, str]]:
    found: list[tuple[str, str]] = []
    for match in _PATH_SETTING.finditer(part):
        before, after = part[: match.start()], part[match.end() :]
        if before[-1:].isalnum() or after[:1].isalnum():
            continue  # "abc100" is not c100
        name, value, letter, short, number, unit = match.groups()
        key = _PATH_SHORT[letter.lower()] if letter else _ALIASES[(name or unit).lower()]
        found.append((key, value or short or number))
    return found
