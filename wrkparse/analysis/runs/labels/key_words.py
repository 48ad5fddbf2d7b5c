"""The keys of labels as people know them: variables in capitals, options as they are typed."""

from __future__ import annotations

import functools
from collections import defaultdict

from wrkparse.context.structure.completed_places.loop_runs import SERIES
from wrkparse.tools import report_tools
from wrkparse.tools.schema import CANONICAL

# Labels of the load, and of the cores that the server has, the most important first.
LOAD_LABELS = ("cores", "rate", "connections", "threads", "payload_bytes", "path", "duration_s", "url", SERIES)
# Labels that name the server, or a change in it; the others say how it was run and loaded.
NAME_KEYS = frozenset(
    "branch framework input language name place program server service system variant version".split()
)
_REPEAT_WORDS = "attempt iteration rep repeat repetition round trial try".split()
# Labels that number the repeats of a setting, those of the environment included: `RUN=2 ./bench.sh`.
REPEAT_LABELS = frozenset(_REPEAT_WORDS) | {f"env_{word}" for word in (*_REPEAT_WORDS, "run")}
REPEAT_LABELS |= {f"env_{word.upper()}" for word in (*_REPEAT_WORDS, "run")}
VARIABLES = frozenset(("gogc", "gomemlimit"))  # labels that are variables of Go's environment
_SECONDS = frozenset(key for key in CANONICAL if key.endswith("_s"))
_ENVIRONMENT, _FLAG, _RTS, _CAPITAL = "env_", "flag_", "rts_", "upper_"
_LONGEST_WITH_ONE_DASH = 2  # letters: ``-rn``; longer options that no tool declares are taken for ``--…``


def key_words(key: str) -> str:
    """A label's name for people: ``GOGC``, ``file name``; of an option, how it is typed.

    >>> key_words("gogc"), key_words("file_name"), key_words("env_GODEBUG"), key_words("duration_s")
    ('GOGC', 'file name', 'GODEBUG', 'duration')
    >>> key_words("flag_keep_alive"), key_words("flag_upper_k"), key_words("flag_rn")
    ('--keep-alive', '-K', '-rn')
    >>> key_words("series")  # of a loop whose turns are not known
    'place in a series'
    """
    if key == SERIES:
        return "place in a series"
    if key.startswith(_FLAG):
        return _option(key)
    if key.startswith(_ENVIRONMENT):
        return key.removeprefix(_ENVIRONMENT)
    if key in _SECONDS:
        return key.removesuffix("_s")
    return key.upper() if key in VARIABLES else key.replace("_", " ")


def with_unit(key: str, value: str) -> str:
    """A value with the unit that the label's name has and `key_words` lacks: ``10 s``."""
    return f"{value} s" if key in _SECONDS else value


def key_with_option(key: str) -> str:
    """``-d (flag_body)``: an option as it is typed, and the key that commands take; other keys as they are."""
    return f"{key_words(key)} ({key})" if key.startswith(_FLAG) else key


def _option(key: str) -> str:
    """The option behind a label: as tools declare it, else by the label; its words where tools differ."""
    name = key.removeprefix(_FLAG)
    if key in (declared := _declared()):
        return declared[key] or name.replace("_", " ")
    if name.startswith(_RTS):
        return f"+RTS {name.removeprefix(_RTS).replace('_', ' ')}"
    if name.startswith(_CAPITAL):
        return f"-{name.removeprefix(_CAPITAL).upper()}"
    return f"{'-' if len(name) <= _LONGEST_WITH_ONE_DASH else '--'}{name.replace('_', '-')}"


@functools.cache
def _declared() -> dict[str, str]:
    """The option of each label: the longest that all tools with the label have; empty if they have none in common."""
    found: dict[str, set[str]] = {}
    for tool in report_tools():
        of_tool = defaultdict[str, set[str]](set)
        for option, key in tool.flags.options.items():
            of_tool[key].add(option)
        for key, options in of_tool.items():
            found[key] = found.get(key, options) & options
    return {key: max(sorted(options), key=len, default="") for key, options in found.items() if key.startswith(_FLAG)}
