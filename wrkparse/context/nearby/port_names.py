"""Collects which server a page says is at which port: ``kiwi listens on port 8081``, ``| emu | 8082 |``.

Such a line may be far above the runs, which have no more than the port in their URLs.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from wrkparse.context.nearby.evidence import LINE_SEPARATOR
from wrkparse.context.titles.decoration import without_markup
from wrkparse.context.titles.name_extraction import has_only_common_words
from wrkparse.context.titles.vocabulary import LABEL_KEYS

_MOST_PORTS = 16  # bounds memory: each run keeps them
_LONGEST = 400  # characters of a line
_LONGEST_KEPT = 120  # characters of it that are kept
# "port 8081", "localhost:8081", "http://127.0.0.1:8081"
_NUMBER = r"([0-9]{4,5}|80|443)"
_PORT = re.compile(
    rf"(?<!\w)(?:port|puerto|porta|порту?|端口)(?: number)?[ =:#`]{{1,3}}{_NUMBER}(?![\w:]|\.\w)"
    rf"|(?:https?://)?(?:localhost|[0-9]{{1,3}}(?:\.[0-9]{{1,3}}){{3}}|\[::1?\]|\*)?:{_NUMBER}(?![\w:]|\.\w)",
    re.IGNORECASE,
)
_PORT_CELL = re.compile(rf":?{_NUMBER}|https?://[\w.-]{{1,60}}:{_NUMBER}/?")
# "kiwi: 8081", "8081 = kiwi": a whole line, or a part of one between commas
_PAIR = re.compile(rf"([^\W\d_][\w.+#-]{{0,40}}) ?[:=→] ?{_NUMBER}|{_NUMBER} ?[:=→] ?([^\W\d_][\w.+#-]{{0,40}})")
# Whether a line may state a port: few others have such a number at their beginning, or behind one of these signs. It is
# the pattern's own method, because each line of text is asked.
may_state_port = re.compile(
    rf"(?:[:=→|(`#]|[Pp]ort[aо]?|端口)[ :`]{{0,3}}{_NUMBER}(?![\w./]*\w)|\A[-*• `]{{0,4}}{_NUMBER}`? ?[:=→]"
).search
_MOST_CELLS = 6  # of a row; longer ones have results
_NAME = re.compile(r"[^\W\d_][\w.+#/-]{0,40}")
_MOST_WORDS = 3  # of a name
_SIGNS = "()[]{}<>`*_'\",:=-–—→@|"
_END_OF_CLAUSE = re.compile(r"[.;!?。；]\s")
# What such a line says of a server that is not at the port, and a state in front of one: "cache on: localhost:8081".
_NOT_THERE = re.compile(
    r"\b(?:not|no longer|never|stop(?:ped|s)?|kill(?:ed|s)?|fail(?:ed|s)?|broken|down|instead)\b|n't\b|\bo(?:n|ff)[:=]",
    re.IGNORECASE,
)
# Words between a name and its port, or behind the name.
_JOINING_WORDS = frozenset(
    """a app are at available bound container exposed http https in instance is listen listened listening listens live
    lives local on port ports process ran reachable run running runs serve served server serves service serving started
    starts tcp the under uses using was 为 在 监听""".split()
)
# Words in front of a name, after which nothing else is left over.
_WORDS_IN_FRONT = frozenset(
    "and benchmarked compare compared compares measured test tested use used vs while with".split()
)
# Keys of settings, and what is no server that is compared.
_NO_SERVERS = frozenset(
    """admin backend client curl debug default disabled enabled false frontend health host listen metrics no off pid
    proxy_pass timeout true upstream url yes""".split()
) | frozenset(LABEL_KEYS)


class PortName(NamedTuple):
    """The name of the server at a port, and the line that states it."""

    port: str
    name: str
    line: str


class PortNames:
    """The names of servers by their port, as the lines of a document state them; a later line overrules."""

    def __init__(self) -> None:
        self._names: dict[str, PortName] = {}
        self.text = ""  # the value of a label, as `names_by_port` reads it; empty with fewer than two ports

    def note(self, line: str) -> None:
        """Take in a line of text that may state a port."""
        if len(line) <= _LONGEST:
            self.add(*_names_in_line(line))

    def add(self, *names: PortName) -> None:
        """Add names of servers."""
        for named in names:
            self._names.pop(named.port, None)
            self._names[named.port] = named
        for port in [*self._names][:-_MOST_PORTS]:
            del self._names[port]
        if names and len(self._names) > 1:
            self.text = LINE_SEPARATOR.join(map(_as_text, self._names.values()))


def _as_text(named: PortName) -> str:
    line = named.line[:_LONGEST_KEPT].replace(LINE_SEPARATOR, " ")
    return f"{named.port}\t{named.name}\t{line}"


@functools.lru_cache(maxsize=256)  # all runs of a page have the same text
def names_by_port(text: str) -> Mapping[str, PortName]:
    """The names in a label with the text of `PortNames`, by port."""
    names = (PortName(*line.split("\t", 2)) for line in text.split(LINE_SEPARATOR) if line)
    return {named.port: named for named in names}


@functools.lru_cache(maxsize=1024)  # scripts print a line in each of their logs
def _names_in_line(line: str) -> tuple[PortName, ...]:
    if _NOT_THERE.search(line):
        return ()
    return tuple(PortName(port, name, line) for port, name in _statements(without_markup(line)))


def _statements(line: str) -> Iterator[tuple[str, str]]:
    """The ports in a line and the names that it gives their servers."""
    if line.count("|") > 1:
        yield from _statement_in_row(line)
        return
    pairs = [_PAIR.fullmatch(part.strip()) for part in line.lstrip("-*• ").split(",")]
    if all(pairs):
        found = [(pair[2] or pair[3], pair[1] or pair[4]) for pair in pairs if pair]
        yield from ((port, name) for port, name in found if _is_name([name]))
        return
    matches = list(_PORT.finditer(line))
    ends = [0, *(match.end() for match in matches)]
    starts = [*(match.start() for match in matches), len(line)]
    between = [line[end:start] for end, start in zip(ends, starts, strict=True)]
    names = [_last_name(text) for text in between[:-1]]
    if matches and not names[0]:  # "port 8081 is kiwi, port 8082 is emu": the first port of a line says which
        names = [_first_name(text) for text in between[1:]]
    for match, name in zip(matches, names, strict=True):
        if name:
            yield match[1] or match[2], name


def _statement_in_row(line: str) -> Iterator[tuple[str, str]]:
    """The port in a row of a table, and the first cell with a name."""
    cells = [cell.strip(" `*") for cell in line.strip("| ").split("|")]
    ports = [match[1] or match[2] for cell in cells if (match := _PORT_CELL.fullmatch(cell))]
    names = [cell for cell in cells if _is_name(cell.split())]
    if len(cells) <= _MOST_CELLS and len(ports) == 1 and names:
        yield ports[0], names[0]


def _last_name(text: str) -> str:
    """The name at the end of a text that a port follows; empty without a name, or if other words are left over."""
    words = _END_OF_CLAUSE.split(text)[-1].split()
    length = len(words)
    while words and words[-1].strip(_SIGNS).casefold() in _JOINING_WORDS | {""}:
        words.pop()
    is_joined = len(words) < length or text.rstrip()[-1:] in _SIGNS
    own: list[str] = []
    while words and not _is_common(words[-1]):
        own.insert(0, words.pop())
        if own[0][0] in _SIGNS:  # "(kiwi"
            break
    # "Grafana shows port 8081" is a sentence
    return _joined(own) if (is_joined or len(own) == 1) and all(map(_is_common, words)) else ""


def _first_name(text: str) -> str:
    """The name at the beginning of a text behind a port; empty without a name."""
    words = text.split()
    while words and words[0].strip(_SIGNS).casefold() in _JOINING_WORDS | {""}:
        words.pop(0)
    own: list[str] = []
    for word in words:
        if _is_common(word):
            break
        own.append(word)
        if word[-1] in ",.;)":
            break
    return _joined(own)


def _is_common(word: str) -> bool:
    plain = word.strip(_SIGNS).casefold()
    return plain in _JOINING_WORDS or plain in _WORDS_IN_FRONT or has_only_common_words(plain)


def _joined(words: list[str]) -> str:
    """Words as a name; empty if they are none."""
    own = [word.strip(_SIGNS).rstrip(".,;") for word in words]
    return " ".join(own) if _is_name(own) else ""


def _is_name(words: list[str]) -> bool:
    are_words = 0 < len(words) <= _MOST_WORDS and _NAME.fullmatch(words[0]) is not None
    return are_words and not any(word.casefold() in _NO_SERVERS for word in words) and not all(map(_is_common, words))
