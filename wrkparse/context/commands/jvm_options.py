"""Reads the options of the Java virtual machine, which have forms of their own (java(1), "Standard Options" ff.).

``-XX:+UseG1GC -Xmx2g`` → gc=G1GC, flag_xmx=2g.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

# A switch, an option with a value, or a size directly after its option. "-Xloggc:gc.log" and "-XX:ErrorFile=/tmp/1.log"
# name files, no settings.
_OPTION = re.compile(
    r"-XX:(?:([+-])(\w{1,80})|(\w{1,80})=(?!\S*(?:[/\\]|\.[a-z]{2,5}\Z))(\S{1,80}))|-(Xm[nsx]|Xss)([0-9]{1,15}[kKmMgGtT]?)"
)
_CLASS_PATH_OPTIONS = frozenset({"-cp", "-classpath", "--class-path"})
_COLLECTOR = re.compile(r"Use(\w*GC)")

_TypedOption = tuple[str, str, tuple[str, ...]]  # a key, its value, and the words that give both


def is_jvm_option(word: str) -> bool:
    """Whether a word is an option of the virtual machine, which no other program has: ``-XX:+UseZGC``, ``-Xmx2g``."""
    return word.startswith("-X") and _OPTION.fullmatch(word) is not None


def are_jvm_options(words: Sequence[str]) -> bool:
    """Whether words are several options and nothing else, one of them of the virtual machine: ``-server -Xmx2g``.

    A single one may be a note: ``-Xmx2g`` between others.
    """
    return len(words) > 1 and any(map(is_jvm_option, words)) and all(word.startswith("-") for word in words)


def without_class_path(args: Sequence[str]) -> list[str]:
    """Arguments of ``java`` without the values of options that say where classes are: ``-cp lib/*``."""
    return [arg for before, arg in zip(("", *args), args, strict=False) if before not in _CLASS_PATH_OPTIONS]


def split_jvm_options(args: tuple[str, ...]) -> tuple[tuple[str, ...], list[_TypedOption]]:
    """Split arguments into the others and those of the virtual machine; two collectors are one value."""
    if "-X" not in "".join(args):
        return args, []
    found: list[_TypedOption] = []
    collectors: list[str] = []
    matches = [_OPTION.fullmatch(arg) if arg.startswith("-X") else None for arg in args]
    for match in filter(None, matches):
        sign, switch, name, value, size_option, size = match.groups()
        if sign == "+" and (collector := _COLLECTOR.fullmatch(switch)):
            collectors.append(collector[1])
        else:
            stated = (size or "").lower() or value or ("true" if sign == "+" else "false")
            found.append((f"flag_{(size_option or name or switch).lower()}", stated, (match[0],)))
    if collectors:
        found.insert(0, ("gc", " + ".join(collectors), (f"-XX:+Use{collectors[0]}",)))
    return tuple([arg for arg, match in zip(args, matches, strict=True) if match is None]), found
