"""Output in the formats of users: ``-f`` and ``TIME`` (GNU, busybox), ``TIMEFORMAT`` (bash, ksh), ``TIMEFMT`` (zsh).

Only the format shows what each number of such output means. So the output is read only below the command or setting
that contains the format. The conversions are those of GNU time's ``src/time.c`` (``summarize``) and busybox's
``time.c``, bash's ``execute_cmd.c`` (``print_formatted_time``) and ksh93's ``xec.c`` (``p_time``), zsh's ``jobs.c``
(``printtime``), tcsh's ``sh.time.c`` (``prusage``) for ``set time=(10 "…")``.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import partial
from itertools import chain, zip_longest
from typing import NamedTuple, cast

from wrkparse.model.records import Metric
from wrkparse.tools.common import ELAPSED
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.report import Report
from wrkparse.tools.time.values import (
    AVERAGE_DATA,
    AVERAGE_RSS,
    AVERAGE_STACK,
    AVERAGE_TEXT,
    AVERAGE_TOTAL,
    CPU_SHARE,
    EXIT_STATUS,
    FIRST,
    INPUTS,
    INVOLUNTARY,
    MAJOR,
    MAX_RSS,
    MINOR,
    OUTPUTS,
    PAGE_SIZE,
    SIGNAL,
    SIGNALS,
    SOCKET_RECEIVED,
    SOCKET_SENT,
    SWAPS,
    SYSTEM,
    USER,
    VOLUNTARY,
    add_busybox_rss,
    add_value,
)


class _Conversion(NamedTuple):
    """One ``%…`` of a format: what it prints (a metric, the command, or why it is left out), and its pattern."""

    states: Metric | str | None
    pattern: str


MORE_LINES = "more lines of its format"  # the mode of a report that lacks lines of its format
_COMMAND = "the command"
_LONGEST_FORMAT = 1000  # characters of a format
_COUNT = "[0-9]{1,20}"
_KIB = _COUNT
_HUNDREDTHS = r"[0-9]{1,15}\.[0-9]{2}"
# GNU's "1:02:03" and "0:00.10", busybox's "1h 2m 03s" and "0m 0.10s"
_CLOCK = (
    r"[0-9]{1,15}:[0-9]{2}(?::[0-9]{2}|\.[0-9]{2})"
    r"|[0-9]{1,15}h [0-9]{1,2}m [0-9]{2}s|[0-9]{1,15}m [0-9]{1,2}\.[0-9]{2}s"
)
_BUSYBOX = re.compile("[0-9]{1,15}[hm] [0-9]")  # "0m 0.11s"
# The letters that GNU, busybox, zsh and tcsh share.
_COUNTS = {
    letter: _Conversion(metric, _COUNT)
    for letter, metric in {
        "F": MAJOR, "I": INPUTS, "O": OUTPUTS, "R": MINOR, "W": SWAPS, "c": INVOLUNTARY, "k": SIGNALS,
        "r": SOCKET_RECEIVED, "s": SOCKET_SENT, "w": VOLUNTARY,
        "D": AVERAGE_DATA, "K": AVERAGE_TOTAL, "X": AVERAGE_TEXT,
    }.items()
}  # fmt: skip
_GNU: Mapping[str, _Conversion] = {
    **_COUNTS,
    "C": _Conversion(_COMMAND, ".*"),
    "E": _Conversion(ELAPSED, _CLOCK),
    "M": _Conversion(MAX_RSS, _KIB),
    "P": _Conversion(CPU_SHARE, r"[0-9]{1,15}%|\?{1,2}%"),
    "S": _Conversion(SYSTEM, _HUNDREDTHS),
    "T": _Conversion(SYSTEM, _CLOCK),  # busybox
    "Tn": _Conversion(SIGNAL, _COUNT),  # these five: GNU time after 1.9
    "To": _Conversion(None, "[a-z]{1,20}"),
    "Ts": _Conversion(None, "[A-Z0-9+-]{1,20}"),
    "Tt": _Conversion(None, "[a-z]{1,20}"),
    "Tx": _Conversion(EXIT_STATUS, _COUNT),
    "U": _Conversion(USER, _HUNDREDTHS),
    "Z": _Conversion(PAGE_SIZE, _COUNT),
    "e": _Conversion(ELAPSED, _HUNDREDTHS),
    "p": _Conversion(AVERAGE_STACK, _KIB),
    "t": _Conversion(AVERAGE_RSS, _KIB),
    "u": _Conversion(USER, _CLOCK),  # busybox
    "x": _Conversion(EXIT_STATUS, _COUNT),
}
_SHELL_METRICS = {"R": ELAPSED, "E": ELAPSED, "U": USER, "S": SYSTEM}
_ZSH: Mapping[str, _Conversion] = {
    **_COUNTS,
    "J": _Conversion(_COMMAND, ".*"),
    "M": _Conversion("max_rss left out: zsh prints it in MiB on Linux and in KiB on macOS", _COUNT),
    "P": _Conversion(CPU_SHARE, "-?[0-9]{1,15}%"),
    **{f"{letter}": _Conversion(_SHELL_METRICS[letter], r"[0-9]{1,15}[.,][0-9]{2}s") for letter in "EUS"},
    **{
        f"*{letter}": _Conversion(
            _SHELL_METRICS[letter], r"[0-9]{1,2}[.,][0-9]{3}|(?:[0-9]{1,15}:)?[0-9]{1,2}:[0-9]{2}[.,][0-9]{2}"
        )
        for letter in "EUS"
    },
    **{
        f"{unit}{letter}": _Conversion(_SHELL_METRICS[letter], f"[0-9]{{1,20}}{unit}s")
        for letter in "EUS"
        for unit in "mun"
    },
}


# As tcsh prints them: "0.184", "0:00.94", "19.1%"; older ones have a digit less.
_TCSH: Mapping[str, _Conversion] = {
    **_COUNTS,
    "E": _Conversion(ELAPSED, r"[0-9]{1,15}:[0-9]{2}(?::[0-9]{2})?(?:\.[0-9]{1,3})?"),
    "M": _Conversion(MAX_RSS, _KIB),
    "P": _Conversion(CPU_SHARE, r"[0-9]{1,15}(?:\.[0-9])?%"),
    "S": _Conversion(SYSTEM, r"[0-9]{1,15}\.[0-9]{1,3}"),
    "U": _Conversion(USER, r"[0-9]{1,15}\.[0-9]{1,3}"),
}


_GNU_TOKEN = re.compile(r"%(T[notsx]|.)|\\(.)|([^%\\]+|[%\\])", re.DOTALL)  # "%e", "%Tx"; "\n"; other text
_ZSH_TOKEN = re.compile(r"%([*mun][EUS]|.)|([^%]+|%)", re.DOTALL)  # "%E", "%*E", "%mE"; other text
_TCSH_TOKEN = re.compile(r"%(.)|([^%]+|%)", re.DOTALL)
_TIMEFORMAT_TOKEN = re.compile(r"%([0-9]?)(l?)(.)|([^%]+|%)", re.DOTALL)  # "%R", "%3lU"; other text


def _gnu_tokens(text: str) -> Iterator[str | _Conversion]:
    escapes = {"n": "\n", "t": "\t", "\\": "\\"}
    for match in _GNU_TOKEN.finditer(text):
        letter, escape, literal = match.groups()
        if letter == "%":
            yield "%"
        elif letter:
            yield _GNU.get(letter, f"?{letter}")
        else:
            yield literal or escapes.get(escape, f"?\\{escape}")


def _zsh_tokens(text: str) -> Iterator[str | _Conversion]:
    for match in _ZSH_TOKEN.finditer(text):
        letter, literal = match.groups()
        if letter == "%":
            yield "%"
        else:
            yield literal or _ZSH.get(letter, f"%{letter}")


def _tcsh_tokens(text: str) -> Iterator[str | _Conversion]:
    """The tokens of tcsh, which prints nothing for a letter that it does not know."""
    for match in _TCSH_TOKEN.finditer(text):
        letter, literal = match.groups()
        token = literal or _TCSH.get(letter)
        if token:
            yield token


def _timeformat_tokens(text: str) -> Iterator[str | _Conversion]:
    """The tokens of bash and ksh; none if a letter is unknown, because then they print nothing."""
    found: list[str | _Conversion] = []
    for match in _TIMEFORMAT_TOKEN.finditer(text):
        digits, long, letter, literal = match.groups()
        if literal or (letter == "%" and not digits and not long):
            found.append(literal or "%")
        elif conversion := _shell_conversion(digits, long, letter):
            found.append(conversion)
        else:
            return iter(())
    return iter(found)


@functools.lru_cache(maxsize=256)
def _shell_conversion(digits: str, long: str, letter: str) -> _Conversion | None:
    if letter == "P":
        # bash has two decimals, ksh as many as asked for, or three
        fraction = f"[.,][0-9]{{{digits or '2,3'}}}" if digits != "0" else ""
        return _Conversion(CPU_SHARE, f"[0-9]{{1,15}}{fraction}")
    metric = _SHELL_METRICS.get(letter)
    return metric and _Conversion(metric, _shell_time_pattern(int(digits or 3), long=bool(long)))


def _shell_time_pattern(digits: int, *, long: bool) -> str:
    # No shell prints more than milliseconds, but bash from 5.3 on.
    fraction = rf"[.,][0-9]{{{min(digits, 3)},{min(digits, 6)}}}" if digits else ""
    steps = "(?:[0-9]{1,15}h)?[0-9]{1,15}m" if long else ""
    return f"{steps}[0-9]{{1,15}}{fraction}{'s' if long else ''}"


def _read_line(
    dialect: str,
    stated: tuple[Metric | str | None, ...],
    lines_left: int,
    report: Report,
    match: re.Match[str],
    line: int,
) -> None:
    report.dialect = dialect
    report.mode = MORE_LINES if lines_left else ""
    known = {row.metric for row in report.measurements}
    busybox = MAX_RSS in stated and any(_BUSYBOX.match(text or "") for text in match.groups())
    for what, text in zip(stated, match.groups(), strict=True):
        if what == _COMMAND:
            report.add_label("command", text, line)
        elif isinstance(what, str):
            report.warn(line, what, "unit-unknown")
        elif what is MAX_RSS and busybox:
            add_busybox_rss(report, text, line)
        # "%E %e" prints one metric twice; and the status is known from "Command exited …"
        elif (
            what is not None and text and what.name not in known and not (what is EXIT_STATUS and "end" in report.seen)
        ):
            known.add(what.name)
            add_value(report, what, text, line)


class _FormatLine(NamedTuple):
    """One line of a format: what its conversions state, their patterns, and the texts around them."""

    states: list[Metric | str | None]
    patterns: list[str]
    literals: list[str]

    @property
    def is_unambiguous(self) -> bool:
        """Whether the end of each conversion is certain: ``%F%R`` prints digits after digits, ``%C %C`` any text twice.

        The pattern of many such conversions would take exponential time for a long row of digits.
        """
        between = [literal.strip("0123456789") for literal in self.literals[1:-1]]
        return "" not in between and self.states.count(_COMMAND) < 2


def _format_lines(tokens: Iterable[str | _Conversion]) -> list[_FormatLine]:
    """The lines of a format; some may have no conversion."""
    line = _FormatLine([], [], [""])
    lines = [line]
    for token in tokens:
        if isinstance(token, _Conversion):
            line.states.append(token.states)
            line.patterns.append(f"({token.pattern})")
            line.literals.append("")
        else:
            first, *rest = token.split("\n") if "\n" in token else (token,)
            line.literals[-1] += first
            for piece in rest:
                line = _FormatLine([], [], [piece])
                lines.append(line)
    return lines


def _line_specs(dialect: str, tokens: Iterable[str | _Conversion]) -> tuple[LineSpec, ...]:
    """A spec for each line of a format that has a number; all but the first are read only after it."""
    read = [line for line in _format_lines(tokens) if _states_number(line) and line.is_unambiguous]
    return tuple(
        LineSpec(
            "format",
            (),
            cast(re.Pattern[str], _FormatPattern(line)),
            FIRST + at,
            partial(_read_line, dialect, tuple(line.states), len(read) - 1 - at),
            inside=at > 0,
        )
        for at, line in enumerate(read)
    )


def _states_number(line: _FormatLine) -> bool:
    """Whether a line of a format prints something that is measured."""
    return any([isinstance(what, Metric) for what in line.states])  # noqa: C419 (a generator takes longer)


class _FormatPattern:
    """The pattern of one line of a format, after its blanks were collapsed.

    Compiling an expression takes as long as reading ten lines, and each command may have another format: ``run 17: %e
    s``. So formats that differ only in digits share an expression, and `fullmatch` compares the digits.
    """

    def __init__(self, line: _FormatLine) -> None:
        first, *others = line.literals
        literals = [first.lstrip(), *others]
        literals[-1] = literals[-1].rstrip()
        self._literals, signs = zip(*map(_collapse_blanks, literals), strict=True)
        self._expression = _alternate(signs, line.patterns)

    def fullmatch(self, text: str) -> re.Match[str] | None:
        """The same as for a compiled pattern; the groups are the texts of the conversions."""
        if not (text.startswith(self._literals[0]) and text.endswith(self._literals[-1])):
            return None
        match = _compiled(self._expression).fullmatch(text)
        return match if match and _alternate(self._literals, match.groups()) == text else None


@functools.lru_cache(maxsize=256)  # formats have the same ones: " user "
def _collapse_blanks(literal: str) -> tuple[str, str]:
    """A literal with single blanks, and the expression of all literals that differ from it only in digits."""
    text = _BLANKS.sub(" ", literal)
    return text, _DIGIT.sub("[0-9]", re.escape(text))


def _alternate(literals: Iterable[str], others: Iterable[str]) -> str:
    """The text of literals, with one of the other texts after each of them except the last."""
    return "".join(chain.from_iterable(zip_longest(literals, others, fillvalue="")))


_BLANKS = re.compile(r"\s+")
_DIGIT = re.compile("[0-9]")
_compiled = functools.lru_cache(maxsize=256)(re.compile)


@functools.lru_cache(maxsize=256)
def _specs_of_format(
    dialect: str, tokens: Callable[[str], Iterator[str | _Conversion]], text: str
) -> tuple[LineSpec, ...]:
    return _line_specs(dialect, tokens(text)) if len(text) <= _LONGEST_FORMAT else ()


# By the key of the label of the flag or the variable.
FORMATS: Mapping[str, Callable[[str], tuple[LineSpec, ...]]] = {
    "flag_format": partial(_specs_of_format, "gnu -f", _gnu_tokens),
    "env_TIME": partial(_specs_of_format, "gnu -f", _gnu_tokens),
    "env_TIMEFORMAT": partial(_specs_of_format, "TIMEFORMAT", _timeformat_tokens),
    "env_TCSH_TIME": partial(_specs_of_format, "tcsh", _tcsh_tokens),
    "env_TIMEFMT": partial(_specs_of_format, "zsh TIMEFMT", _zsh_tokens),
}
