"""Makes the labels that commands, titles and paths give a run.

Only this module knows that GOMAXPROCS, ``+RTS -N4``, ``taskset -c 0-3`` and ``--cpus=4`` all mean cores. If a function
takes a line, None means that the caller sets the line later (`at_line`).
"""

from __future__ import annotations

import functools
import re
import shlex
from collections.abc import Iterable, Iterator, Mapping, Sequence

from wrkparse.context.commands.jvm_options import split_jvm_options
from wrkparse.context.commands.programs import is_tool_command
from wrkparse.context.nearby.evidence import (
    ARGUMENTS,
    LINES_ABOVE,
    LINES_BELOW,
    LINES_BELOW_LAST_RUN,
    PORT_NAMES,
    REMARK,
    RESTARTED_UNIT,
    SECTION_FACTS,
)
from wrkparse.context.precedence import is_possible_value
from wrkparse.context.titles.known_names import framework_name, has_known_name, is_known_name, is_prose, runtimes_in
from wrkparse.context.titles.name_extraction import has_only_common_words, remove_holes, without_end_punctuation
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.context.titles.settings.setting_extraction import HOLE
from wrkparse.context.titles.titles import TitleText, plain_words, read_path_part, read_title_text
from wrkparse.context.titles.vocabulary import (
    GO_VERSION,
    LINE_KEYS,
    Pairs,
    flag_key,
    runtime_option_pairs,
    variable_pairs,
)
from wrkparse.model.records import Label, new_label
from wrkparse.text.shell import Command, split_arguments
from wrkparse.tools.base import Flags

VARIABLE_RULE = "variable"  # the rule of labels of environment variables
EVERY_VARIABLE = "*"
_UNSETTERS = frozenset({"unset", "unsetenv"})  # unsetenv is of tcsh
_UNSET_OPTIONS = frozenset({"-u", "--unset"})  # of env, which take the name of a variable
_CLEARING_OPTIONS = frozenset({"-", "-i", "--ignore-environment"})
_KERNEL_RULE, _PACKAGE_RULE = "kernel parameter", "package"
MACHINE_RULES = frozenset({_KERNEL_RULE, _PACKAGE_RULE})  # of labels of the whole machine: they hold for every server
# "net.core.somaxconn=4096"
_KERNEL_PARAMETER = re.compile(r"[a-z][a-z0-9_]{1,30}(?:\.[a-z0-9_]{1,40}){1,6}=[^=]{1,60}")
_ORCHESTRATORS = frozenset({"docker", "docker-compose", "kubectl", "oc", "podman", "podman-compose"})
_LONGEST_ARGUMENTS = 200  # characters of all arguments; longer ones are data, such as a body to send
_SSH_OPTIONS = frozenset(f"-{letter}" for letter in "BbcDEeFIiJLlmOopQRSWw")  # those with a value, by ssh(1)
_NUMACTL_CPUS = frozenset({"-C", "--physcpubind"})
_OTHER_WRAPPERS = frozenset({"chrt", "cpulimit", "ionice", "prlimit", "setarch"})
_GO_VERSION = re.compile(rf"\b{GO_VERSION}(?![\w.])", re.IGNORECASE)

# A key, its value, the words of a command that give both, and the rule of the label.
_TypedLabel = tuple[str, str, tuple[str, ...], str]


def at_line(labels: Sequence[Label], line: int | None, text: str | None = None) -> list[Label]:
    """Copies of labels with this line; `text` is the text of labels that have none yet."""
    if not labels:
        return []
    return [new_label((key, value, origin, line, words or text, rule)) for key, value, origin, _, words, rule in labels]


def server_labels(command: Command, line: int | None = None) -> list[Label]:
    """The labels of the command that started the server: pinning, flags, runtime flags, environment, in this order."""
    args, runtime = _split_runtime_options(command.args)
    args, of_jvm = split_jvm_options(args)
    typed = [pair for wrapper in command.wrappers for pair in _read_wrapper(wrapper)]
    typed += [(*option, "runtime option") for option in of_jvm]
    folders = command.path.split("/")[:-1]  # "/opt/java-21/bin/java"
    typed += [(*runtime, (folder,), "program") for folder in folders for runtime in runtimes_in(folder)]
    for name, value, words in split_arguments(args)[0]:
        if name == "--cpus":
            is_whole = re.fullmatch(r"[0-9]{1,4}(?:\.0{1,3})?", value)  # half a core is not a count
            typed.append(("cores" if is_whole else "flag_cpus", value, words, "option"))
        elif name == "--cpuset-cpus":
            typed.append(("cores", _count_cpus(value), words, "option"))
        elif name in ("-e", "--env") and "=" in value:  # docker run -e GOGC=off
            typed += [(*pair, words, VARIABLE_RULE) for pair in variable_pairs(dict([value.split("=", 1)]))]
        else:
            typed.append((flag_key(name), value, words, "option"))
    typed += [(*pair, (option,), "runtime option") for option in runtime for pair in runtime_option_pairs([option])]
    typed += _read_variables(command.env) if command.env else ()
    return _labels(typed, "env", line, command.text) if typed else []


def labels_of_lines_above(lines: str, line: int) -> list[Label]:
    """The label of the lines above a run, the last of which has the number `line`; empty without lines."""
    return [Label(LINES_ABOVE, lines, "heading", line, None, "nearby line")] if lines else []


def labels_of_lines_below(lines: str, line: int) -> list[Label]:
    """The label of the lines below a run, the last of which has the number `line`; empty without lines."""
    return [Label(LINES_BELOW, lines, "heading", line, None, "nearby line")] if lines else []


def labels_of_lines_below_last_run(lines: str, line: int) -> list[Label]:
    """The label of the lines below the last run of a section; `line` is the number of the last one."""
    return [Label(LINES_BELOW_LAST_RUN, lines, "heading", line, None, "nearby line")] if lines else []


def labels_of_page(port_names: str, facts: str, line: int) -> list[Label]:
    """The labels of what a page states far above a run at a line: names of servers by port, facts below a heading."""
    stated = {PORT_NAMES: port_names, SECTION_FACTS: facts}
    return [Label(key, text, "heading", line, None, "nearby line") for key, text in stated.items() if text]


def program_labels(name: str) -> list[Label]:
    """The label of the program that a command starts; empty without a name."""
    return _label_of_text("program", name, "env", "program")


def restart_labels(name: str) -> list[Label]:
    """The label of the unit that a command restarts; empty without a name."""
    return _label_of_text(RESTARTED_UNIT, name, "env", "program")


def argument_labels(arguments: Sequence[str]) -> list[Label]:
    """The label of the arguments that a command gives its program without an option, except URLs; empty without any."""
    text = shlex.join(arg for arg in _split_runtime_options(tuple(arguments))[0] if "://" not in arg)
    return _label_of_text(ARGUMENTS, text, "env", "argument") if len(text) <= _LONGEST_ARGUMENTS else []


def remark_labels(remark: str) -> list[Label]:
    """The label of the remark behind the command of a load generator or a line of a report; empty without one."""
    return _label_of_text(REMARK, remark, "flag", "nearby line")


def machine_labels(command: Command) -> list[Label]:
    """The label of the machine on which ssh runs a load generator: ``ssh -p 22 ann@lab1 wrk …`` → machine=lab1."""
    if command.program != "ssh":
        return []
    _, free = split_arguments(command.args, _SSH_OPTIONS)
    machine = free[0].rpartition("@")[2] if free else ""
    return _labels([("machine", machine, (free[0],), "argument")] if machine else [], "flag", None, command.text)


def environment_labels(command: Command) -> list[Label]:
    """The labels of the variables before a command."""
    return _labels(_read_variables(command.env), "env", None, command.text)


def unset_keys(command: Command) -> frozenset[str]:
    """The keys of the labels of variables that a command removes from the environment, or sets to an empty value.

    ``unset GOGC``, ``env -u GOGC ./kiwi`` and ``export GOGC=``. `EVERY_VARIABLE` stands for all: ``env -i ./kiwi``.
    """
    names = [name for name, value in command.env.items() if not value]
    if command.program in _UNSETTERS and "-f" not in command.args:  # "unset -f kiwi" removes a function
        names += command.args
    for wrapper, *words in command.wrappers:
        if wrapper == "env":
            if not _CLEARING_OPTIONS.isdisjoint(words):
                return frozenset({EVERY_VARIABLE})
            options, _ = split_arguments(tuple(words), _UNSET_OPTIONS)
            names += [value for option, value, _ in options if option in _UNSET_OPTIONS]
    return frozenset([key for name in names for key, _ in variable_pairs({name: ""})])


def kernel_labels(command: Command) -> list[Label]:
    """The labels of kernel parameters that ``sysctl -w net.core.somaxconn=4096`` sets; empty for other commands."""
    if command.program != "sysctl":
        return []
    pairs = (arg.partition("=") for arg in command.args if _KERNEL_PARAMETER.fullmatch(arg))
    typed = [(name.replace(".", "_"), value, (f"{name}={value}",), _KERNEL_RULE) for name, _, value in pairs]
    return _labels(typed, "env", None, command.text)


def package_labels(states: Mapping[str, str], command: str) -> list[Label]:
    """The labels of packages that a command installs or removes, with these states: package_uvloop=installed."""
    typed = [
        (f"package_{re.sub(r'[^a-z0-9]', '_', name)}", state, (name,), _PACKAGE_RULE) for name, state in states.items()
    ]
    return _labels(typed, "env", None, command)


def scale_labels(command: Command) -> list[Label]:
    """The label of the replicas that ``kubectl scale --replicas=2`` or ``docker compose up --scale web=2`` requests."""
    if command.program not in _ORCHESTRATORS:
        return []
    typed, free = split_arguments(command.args)
    found = [(value.rpartition("=")[2], words) for name, value, words in typed if name in ("--replicas", "--scale")]
    if "scale" in free:
        found += [(arg.rpartition("=")[2], (arg,)) for arg in free if re.fullmatch(r"[\w.-]{1,63}=[0-9]{1,6}", arg)]
    counts = {count for count, _ in found if count.isdecimal()}
    if len(counts) != 1:
        return []
    return _labels([("replicas", count, words, "option") for count, words in found[:1]], "env", None, command.text)


def _read_variables(env: Mapping[str, str]) -> Iterator[_TypedLabel]:
    """The labels of variables, as typed."""
    for name, value in env.items():
        yield from ((*pair, (f"{name}={value}",), VARIABLE_RULE) for pair in variable_pairs({name: value}))


def load_labels(command: Command, args: tuple[str, ...], declared: Flags) -> list[Label]:
    """The labels of the arguments of a load generator; `declared` are the flags that its tool declares."""
    named, free = split_arguments(args, frozenset(declared.options), declared.switches, glued=declared.glued)
    typed = [(declared.options.get(name) or flag_key(name), value, words, "option") for name, value, words in named]
    url = next((word for word in free if "://" in word), free[-1] if free else "")
    if declared.positional and url.strip(".…\\"):
        typed.append((declared.positional, url, (url,), "argument"))
    return _labels(typed, "flag", None, command.text)


def _labels(typed: Iterable[_TypedLabel], origin: str, line: int | None, text: str) -> list[Label]:
    """The labels that have a key and a possible value. A value with ``$`` is a variable without its value.

    `text` is the command or the other text that contains the words.
    """
    return [
        new_label((key, value, origin, line, _words_as_typed(words, text), rule))
        for key, value, words, rule in typed
        if key and "$" not in value and is_possible_value(key, value)
    ]


def _label_of_text(key: str, text: str, origin: str, rule: str) -> list[Label]:
    """The label whose value is its text; empty without a text, or if a variable is in it."""
    return [new_label((key, text, origin, None, text, rule))] if text.strip() and "$" not in text else []


def _words_as_typed(words: tuple[str, ...], text: str) -> str | None:
    """Words as they appear in a text, which may quote them; None if it contains them in another form."""
    joined = " ".join(words)
    if joined in text:
        return joined
    name, sign, value = joined.partition("=")
    for quote in "'\"":
        quoted = " ".join([*words[:-1], f"{quote}{words[-1]}{quote}"])
        if quoted in text:
            return quoted
        quoted = f"{name}={quote}{value}{quote}"
        if sign and quoted in text:  # compiling the pattern below takes as long as reading ten lines
            return quoted if f"{quoted} " in f"{text} " else None
    parts = re.findall(r"[^\s=]+=?|=", joined)
    found = re.search(r"[\s\"'\\]{0,9}".join(map(re.escape, parts)) + r"[\"']?(?=\s|\Z)", text)
    return found[0] if found else None


def _split_runtime_options(args: tuple[str, ...]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Split arguments into those of the program and those of the GHC runtime, between +RTS and -RTS."""
    if "+RTS" not in args:
        return args, ()
    start = args.index("+RTS")
    end = args.index("-RTS", start) if "-RTS" in args[start:] else len(args)
    return args[:start] + args[end + 1 :], args[start + 1 : end]


def _read_wrapper(wrapper: tuple[str, ...]) -> list[_TypedLabel]:
    """The cores to which taskset or numactl pins a program, and the options of numactl, nice, chrt and others."""
    name, *words = wrapper
    cores: list[str] = []
    if name == "taskset" and words:
        mask = words[-1]
        if words[0].startswith("-") and "c" in words[0]:
            cores = [_count_cpus(mask)]
        elif re.fullmatch(r"(?:0x)?[0-9a-fA-F]{1,64}", mask):
            cores = [str(int(mask, 16).bit_count())]
    others: list[_TypedLabel] = []
    if name == "numactl":
        named, _ = split_arguments(tuple(words), _NUMACTL_CPUS)
        cores = [_count_cpus(value) for option, value, _ in named if option in _NUMACTL_CPUS]
        nodes = [typed for typed in named if typed[0] not in _NUMACTL_CPUS]
        others = [(flag_key(option), value, given, "option") for option, value, given in nodes]
    if name == "nice" and (level := re.search(r"-?[0-9]{1,3}\Z", " ".join(words))):
        others = [("flag_nice", level[0], wrapper, "option")]
    if name in _OTHER_WRAPPERS and words:
        others = [(f"flag_{name}", " ".join(words), wrapper, "option")]
    return [*(("cores", count, wrapper, "pinning") for count in cores), *others]


def _count_cpus(text: str) -> str:
    """The number of CPUs in a list, ``0-3,8`` → 5; empty if the text is not such a list."""
    total = 0
    for part in text.split(","):
        match = re.fullmatch(r"([0-9]{1,5})(?:-([0-9]{1,5}))?", part)
        if match is None:
            return ""
        total += int(match[2] or match[1]) - int(match[1]) + 1
    return str(total) if total > 0 else ""


def variable_labels(text: str, line: int) -> list[Label]:
    """The labels of the variables that a line sets: ``with GOGC=50``."""
    return at_line(_labels_without_words(read_title_text(text).environment, "env", VARIABLE_RULE), line, text)


def title_labels(text: str, line: int | None = None, *, heading: bool = False) -> list[Label]:
    """The labels of a heading, a list item or a bare title: settings in it, and the framework if its name is known.

    The labels have no text: the caller sets the whole text as it found it (`at_line`). Only a `heading` gives labels of
    unknown keys, and of a branch, commit or version: other lines may print results, and versions of tools.
    """
    return at_line(_cached_title_labels(text, heading), line)


def uncached_title_labels(text: str, heading: bool) -> tuple[Label, ...]:
    """The same as `title_labels` without a line and without a cache, for a caller that has its own cache."""
    if text.startswith("< "):  # a header of a response, as curl -v prints it
        return ()
    text = without_end_punctuation(text) if heading and not text[-1:].isalnum() else text
    words = plain_words(text)
    if words and not has_known_name(words):
        return ()
    read = read_title_text(text)
    settings = [pair for pair in read.settings if heading or pair[0] in LINE_KEYS]
    stated = any(key == "framework" for key, _ in settings)
    named = () if stated else _known_framework(text, read)
    return (
        *_labels_without_words(settings, "heading", "setting"),
        *_labels_without_words(named, "heading", "name"),
        *_labels_without_words(read.environment, "env", VARIABLE_RULE),
    )


_cached_title_labels = functools.lru_cache(maxsize=1024)(uncached_title_labels)  # a page repeats its titles


def _labels_without_words(pairs: Iterable[tuple[str, str]], origin: str, rule: str) -> list[Label]:
    """Labels of keys and values, without the words that give them."""
    return _labels([(key, value, (), rule) for key, value in pairs], origin, None, "")


_SCRIPT_AND_ARGUMENT = re.compile(r"\S{1,80}\.(?:sh|bash|py|rb|pl)\s\S")  # "./bench.sh kiwi"


def _known_framework(text: str, read: TitleText) -> Pairs:
    """The framework in a title if its name is known, and the version of Go."""
    if "=" in read.words or text.startswith(("|", "<", "$")) or _SCRIPT_AND_ARGUMENT.match(text):
        return []
    if is_tool_command(text.split(None, 2)):
        return []
    if is_prose(read.words) and not has_only_common_words(
        read.words.replace(read.name, "", 1)
    ):  # unlike "Results of kiwi"
        return []
    return framework_and_version(read.name) if read.name else []


def framework_and_version(title: str) -> Pairs:
    """The framework that a title names, and its version of Go if there is one, as keys and values; or nothing."""
    version = _GO_VERSION.search(title)
    # "gin (Go 1.21)" names gin; "Go 1.21 prefork" names Go 1.21 prefork
    without = remove_holes(title[: version.start()] + HOLE + title[version.end() :]) if version else ""
    framework = (framework_name(without) if without else None) or framework_name(title)
    if framework is None:
        return []
    return [("framework", framework), *([("go_version", version[1])] if version else [])]


_PATH_WORD_SEPARATORS = re.compile(r"[_,\s+]+|-(?=[a-z])|-(?=[0-9]+(?![0-9.]))", re.IGNORECASE)
_VERSION = re.compile(r"[a-z]?[0-9.]+[a-z]?|[-.]*", re.IGNORECASE)
_LONGEST_FILE_NAME = 255  # bytes, in the file systems of Linux, macOS and Windows


def path_labels(source: str) -> list[Label]:
    """The labels of the path of a file, from its directories and its name: ``nginx/36cores/100conns.txt``.

    A part names the framework only if it contains no other word: ``nginx-1.12`` does, ``go-many-cores`` does not.
    Letters such as ``c100`` give no label: one path alone does not show their meaning.
    """
    folder, _, file = source.rpartition("/")
    name = file[-_LONGEST_FILE_NAME:]
    return [*(_folder_labels(folder) if folder else ()), *_path_part_labels(without_suffixes(name), name)]


@functools.lru_cache(maxsize=1024)  # one directory holds many files
def _folder_labels(path: str) -> tuple[Label, ...]:
    # a folder "warmup" may be a setting beside "no-warmup"
    return tuple([label for part in path.split("/") for label in _path_part_labels(part, part) if label.key != "phase"])


def _path_part_labels(part: str, text: str) -> list[Label]:
    """The labels of the name of a folder, or of a file without its suffixes; `text` is the whole name."""
    read = read_path_part(part)
    if not (read.settings or read.name):
        return []
    labels = _labels_without_words(read.settings, "path", "setting")
    if all(key != "framework" for key, _ in read.settings):
        labels += _labels_without_words(_framework_in_path_part(read.name), "path", "name")
    return at_line(labels, None, text)


def _framework_in_path_part(name: str) -> Pairs:
    """The framework in a part of a path, if its only word is a known name."""
    names = [word for word in _PATH_WORD_SEPARATORS.split(name) if not _VERSION.fullmatch(word)]
    if len(names) != 1 or not is_known_name(names[0]):
        return []
    is_spelled = " " in name and name.startswith(names[0])  # "rails 7", as in a heading
    return [("framework", name if is_spelled else names[0])]
