"""Takes parts out of a short text one after the other: dates, repeats, settings. The rest is a name.

A part that was taken out is replaced by holes (`HOLE`) of the same length, so indexes into the text stay valid:
``kiwi conns=64`` → connections=64.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from wrkparse.context.precedence import is_possible_value, normalize_value
from wrkparse.context.titles.vocabulary import (
    KEY_WORDS,
    LABEL_KEYS,
    NUMERIC_KEY_WORDS,
    OPTION_LETTERS,
    Pairs,
    variable_pairs,
)

HOLE = "\0"  # in place of each character that was taken out; readers replace control characters before
_FoundSetting = tuple[int, str, str]  # index in the text, key, value

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_WEEKDAY = r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun)[a-z]{0,6}"
_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|\s?(?:UTC|GMT)\b|\s?[+-][0-9]{2}:?[0-9]{2})?"
DATE = re.compile(
    rf"""(?<![\w.:-])(?:
      [0-9]{{4}}[-/][0-9]{{1,2}}[-/][0-9]{{1,2}}(?:[T\ _-]{_CLOCK}|[T_-][0-9]{{2}}-?[0-9]{{2}}(?:-?[0-9]{{2}})?Z?)?
    | (?:19|20)[0-9]{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[T_-]?[0-9]{{4}}(?:[0-9]{{2}})?Z?)?
    | [0-9]{{1,2}}\.?\ {_MONTH},?\ [0-9]{{4}} | {_MONTH}\ [0-9]{{1,2}},?\ [0-9]{{4}}
    | {_WEEKDAY}\ (?:{_MONTH}\ {{1,2}}[0-9]{{1,2}}|[0-9]{{1,2}}\ {_MONTH}(?:\ [0-9]{{4}})?)
      \ [0-9]{{1,2}}(?::[0-9]{{2}}){{2}}(?:\ [AP]M)?(?:\ [A-Z]{{3,5}}|\ [+-][0-9]{{2,4}})?(?:\ [0-9]{{4}})?
    | [0-9]{{4}}年[0-9]{{1,2}}月(?:[0-9]{{1,2}}日)?
    | {_CLOCK})(?![A-Za-z0-9]|:[0-9])""",
    re.VERBOSE,
)
_DAY = re.compile(
    rf"(?:[0-9]{{4}}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}|[0-9]{{1,2}}(?:st|nd|rd|th)?\.? {_MONTH}(?:,? [0-9]{{4}})?"
    rf"|{_MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?(?:,? [0-9]{{4}})?)"
)
_PROCESS_NUMBER = re.compile(r"(?<![A-Za-z0-9])pid\s?[:=]?\s?[0-9]{1,9}(?![A-Za-z0-9])", re.IGNORECASE)
REPEAT_WORDS = tuple(
    """run rep repeat sample repetition replicate trial attempt iteration iter pass round try take lauf durchlauf
    messung versuch essai reprise ejecución corrida prueba esecuzione prova próba прогон запуск попытка""".split()
)
_REPEAT_WORD = "|".join(REPEAT_WORDS)
REPEAT = re.compile(
    rf"""(?<![A-Za-z0-9])(?:
      (?:{_REPEAT_WORD})(?:[ _]?[#:=-]?|\ (?:n[°ºr]|nr|no|№)\.?)\ ?\#?[0-9]{{1,4}}(?:\ ?(?:of|/)\ ?[0-9]{{1,4}})?
      (?!\w|\.[0-9])
    | (?:{_REPEAT_WORD})\ (?:one|two|three|four|five|six|seven|eight|nine|ten)\b
    | [0-9]{{1,3}}(?:st|nd|rd|th)\ (?:{_REPEAT_WORD}|time)\b
    | (?:first|second|third|fourth|fifth|prima|seconda|terza|primera|segunda|tercera|erster|zweiter|dritter
      |première|premier|deuxième|troisième|last|final)\ (?:{_REPEAT_WORD}|batch|series)\b
    | zum\ (?:zweiten|dritten|vierten)\ Mal\b
    | (?:retry|rerun|wiederholung|encore\ une\ fois
      |(?:one\ last|one\ more|second|third|fourth|last)\ time)(?=\W{{0,5}}\Z)
    | (?<![\w.,])[0-9]{{1,3}}\ of\ [0-9]{{1,3}}(?=\W{{0,3}}\Z) | (?<=\s)[\[(][0-9]{{1,3}}/[0-9]{{1,3}}[\])]\Z
    | (?<=\s)[\[(]?[0-9]{{1,3}}/[0-9]{{1,3}}[\])]?:?\ (?:ok|done|passed)(?=\W{{0,5}}\Z)
    | (?<!\bPR\ )(?<!\bpull\ )(?<!\bissue\ )(?<!\bbug\ )(?<!\bbuild\ )(?<![\w\#])\#[0-9]{{1,3}}(?!\w)
    | (?:once\ more|again|nochmals?|noch\ einmal|erneut|de\ nouveau|otra\ vez|de\ nuevo|ещё\ раз|снова
      |(?:for\ )?(?:a|the)\ (?:second|third|fourth)\ time)(?=\W{{0,5}}\Z)
    | 第[0-9一二三四五六七八九十]{{1,4}}[次轮輪回] | [0-9]{{1,3}}(?:回目|次目|회차|번째)
    )|(?<=\S)\ ?(?P<copy>\([1-9]\))\Z""",
    re.VERBOSE | re.IGNORECASE,
)
# How many runs follow, which is not one of their settings: "kiwi, five runs each", "kiwi (median of 5 runs)". After
# another word, the number may be a setting: "kiwi after 100 runs".
_RUNS = r"""(?:[0-9]{1,3}|two|three|four|five|six|seven|eight|nine|ten|twelve|fifteen|twenty)\s
    (?:runs|repeats|repetitions|trials|tries)"""
_NUMBER_OF_RUNS = re.compile(
    rf"""(?<![\w.,])(?:(?:(?:average|mean|median|best|each)\s(?:of\s)?|(?<![^\W\d_]\s)){_RUNS}
    |{_RUNS}(?=\s(?:each|per)\b))(?:\s(?:each|per\s\w{{1,20}}))?(?=\W{{0,9}}(?:\Z|[,;:.)\]|/–—]|-\s))""",
    re.VERBOSE | re.IGNORECASE,
)
# Finds one in each ASCII text, in lower case, in which REPEAT matches, unless it ends in a bracket. To try all
# alternatives of REPEAT at each word takes a tenth of the time of reading a line.
MAY_REPEAT = re.compile(
    "|".join(word for word in REPEAT_WORDS if word.isascii())
    + "|time|batch|series|zum|wiederholung|encore|#|once|again|noch|erneut|nouveau|otra|nuevo| of | ok| done| passed"
)
_VALUE = r"(?:\"[^\"]{1,80}\"|'[^']{1,80}'|[^\s,;、()\[\]{}|`\"'\0]{1,80})"
_WORD_START = r"(?<![\w.$-])"
_NUMBER_OF = r"(?:n(?:um|r|o|umber)?[_ ](?:of[_ ])?)?"  # "num_of_workers", "number of workers"
# "connections=64", "num_threads = 4", "connections=64,128"
_ASSIGNED = re.compile(rf"{_WORD_START}{_NUMBER_OF}({KEY_WORDS})\s?=\s?({_VALUE}(?:,[0-9]{{1,9}})*)", re.IGNORECASE)
_VARIABLE = re.compile(rf"{_WORD_START}([A-Z][A-Z0-9_]{{2,40}})\s?=\s?({_VALUE})")  # "GOGC=off"
_LETTER_ASSIGNMENT = re.compile(rf"{_WORD_START}([A-Za-z])=([0-9][\w.]{{0,20}}(?:,[0-9]{{1,9}})*)")  # "c=64"
# "connections: 64", "Concurrency Level: 10"
_STATED_NUMBER = re.compile(
    rf"{_WORD_START}{_NUMBER_OF}({NUMERIC_KEY_WORDS})(?: level)?\s?:\s{{0,3}}"
    r"([0-9][\w.%/-]{0,20}(?:,[0-9]{1,9})*(?:\ (?:s|secs?|seconds?|m|mins?|minutes?)\b)?|off\b|auto\b|max\b)",
    re.IGNORECASE,
)
# "Threads: 0:16", as puma prints how many it has at least and at most
_STATED_RANGE = re.compile(
    rf"{_WORD_START}({NUMERIC_KEY_WORDS})\s?:\s?([0-9]{{1,4}}:[0-9]{{1,4}})(?![\w:])", re.IGNORECASE
)
_UNKNOWN_ASSIGNMENT = re.compile(rf"{_WORD_START}([A-Za-z][A-Za-z0-9_]{{0,30}})(?:=|\s=\s(?=[0-9]))({_VALUE})")
# "30s", "2 min"
_DURATION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)\ ?(s|m|h)(?:ec|in)?[a-z]{0,5}", re.IGNORECASE)
_NUMBER_LIST = re.compile(r"[0-9][\w.]*(?:,[0-9]{1,9})+")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})*,[0-9]00")  # "64,128" may be two numbers
_COUNT_KEYS = frozenset({"cores", "connections", "threads", "workers", "processes", "port"})
_COUNT = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,3})?k?|auto|max|off|unlimited", re.IGNORECASE)


# Not c4.8xlarge, t2.micro. A rate is round: R5000; the R640 is a machine.
_LETTER_AND_NUMBER = re.compile(
    r"(?<![^\W_])(?:([ct])([0-9]{1,9})(?![.-]\w*(?:large|metal|micro|nano|small|medium))|(d)([0-9]{1,6}[smh])|(R)([0-9]{1,6}00|[0-9]{1,4}k))(?![^\W_])"
)
# Letters joined to one word: "t4c64", "c64t4d10s", "c64n1000"; with fewer letters it may be the number of a commit.
_JOINED_LETTERS = re.compile(
    r"(?<![^\W_])(?:t[0-9]{1,4}c[0-9]{1,6}|c[0-9]{1,6}t[0-9]{1,4}|c[0-9]{1,6}(?=d[0-9]{1,5}[smh]|n[0-9]{3}))"
    r"(?:d[0-9]{1,5}[smh]?)?(?:n[0-9]{3,9})?(?![^\W_])"
)
_PAIR_OF_JOINED = re.compile(r"([a-z])([0-9]{1,9}[smh]?)")


def find_repeat(text: str) -> re.Match[str] | None:
    """The first words that number a repeat: ``run 2``, ``(3)`` at the end; None if there are none."""
    may_be_one = text[-1:] in (")", "]") or not text.isascii() or MAY_REPEAT.search(text.lower()) is not None
    return REPEAT.search(text) if may_be_one else None


def is_day(text: str) -> bool:
    """Whether a text is only a day: ``2026-11-20``, ``20 November``, ``Nov 20, 2026``."""
    return any(map(str.isdecimal, text)) and _DAY.fullmatch(text) is not None


@dataclass
class SettingExtractor:
    """A text, and the settings that were taken out of it.

    ``environment`` has the labels of variables and of GHC runtime options.
    """

    text: str
    settings: list[_FoundSetting] = field(default_factory=list)
    environment: list[_FoundSetting] = field(default_factory=list)
    possible_settings: list[_FoundSetting] = field(default_factory=list)
    repeats: list[tuple[int, str]] = field(default_factory=list)

    def take_matches(self, pattern: re.Pattern[str], use: Callable[[re.Match[str]], bool | None]) -> None:
        """Call `use` with each match of a pattern, and blank the match unless `use` returns False."""
        at = 0
        while match := pattern.search(self.text, at):
            if use(match) is not False:
                self.blank_out(*match.span())
            at = max(match.end(), at + 1)

    def blank_out(self, start: int, end: int) -> None:
        """Replace a part of the text by holes."""
        self.text = self.text[:start] + HOLE * (end - start) + self.text[end:]

    def add_setting(self, at: int, key: str, value: str) -> None:
        """Add a setting, without its value if that is not possible; ``$`` begins a variable without a value."""
        value = value.strip().strip("\"'").rstrip(":.").strip()
        duration = _DURATION.fullmatch(value) if key == "duration_s" else None
        value = duration[1] + duration[2].lower() if duration else value
        if _NUMBER_LIST.fullmatch(value):
            value = value.replace(",", "") if _THOUSANDS.fullmatch(value) else ""
        fits = key not in _COUNT_KEYS or _COUNT.fullmatch(value)
        if value and "$" not in value and fits and is_possible_value(key, value):
            self.settings.append((at, key, value))
        else:
            self.settings.append((at, key, ""))
            if key == "payload_bytes" and value:  # "1KB", which may be 1000 or 1024 bytes
                self.possible_settings.append((at, "payload", value))

    def add_environment(self, at: int, pairs: Pairs) -> None:
        """Add the labels of a variable or of GHC runtime options."""
        self.environment += [(at, key, value) for key, value in pairs if is_possible_value(key, value)]

    def agreed_settings(self, *, all_origins: bool = False) -> tuple[tuple[str, str], ...]:
        """The settings in the order of the text, without keys that have two different values or an impossible one.

        `all_origins` adds the settings of variables, except under the names of the variables.
        """
        ours = [place for place in self.environment if not place[1].startswith("env_")] if all_origins else []
        return _agreed_settings(self.settings + ours)

    def agreed_possible_settings(self) -> tuple[tuple[str, str], ...]:
        """The possible settings, in the same way."""
        return _agreed_settings(self.possible_settings)

    def take_dates(self) -> None:
        """Take out dates, times of the day and process numbers."""
        self.take_matches(DATE, lambda match: None)
        self.take_matches(_PROCESS_NUMBER, lambda match: None)

    def take_repeats(self) -> None:
        """Take out the numbers of repeats, and how many there are."""

        def use(match: re.Match[str]) -> None:
            self.repeats.append((match.start(), (match["copy"] or match[0]).strip()))

        self.take_matches(_NUMBER_OF_RUNS, lambda match: None)
        if find_repeat(self.text):
            self.take_matches(REPEAT, use)

    def take_assignments(self) -> None:
        """Take out ``key=value`` of known keys and of variables, and ``c=64`` of one letter."""

        def variable(match: re.Match[str]) -> None:
            name, value = match[1], match[2].strip("\"'").rstrip(":")
            pairs = variable_pairs({name: value})
            self.add_environment(match.start(), pairs)
            key = LABEL_KEYS.get(name.lower())
            if key and all(key != known for known, _ in pairs):
                self.add_setting(match.start(), key, value)

        def known(match: re.Match[str]) -> None:
            self.add_setting(match.start(), LABEL_KEYS[match[1].lower()], match[2])

        self.take_matches(_VARIABLE, variable)
        self.take_matches(_ASSIGNED, known)
        self.take_matches(_LETTER_ASSIGNMENT, lambda match: self.add_letter_setting(match.start(), match[1], match[2]))

    def add_letter_setting(self, at: int, letter: str, value: str) -> None:
        """Add a possible setting whose key is one letter; only siblings show its meaning."""
        key = OPTION_LETTERS.get(letter) or OPTION_LETTERS.get(letter.lower(), letter)
        self.possible_settings.append((at, key, value if is_possible_value(key, value) else ""))

    def take_letters(self) -> None:
        """Take out ``c64``, ``t4``, ``d30s``, ``t4c64``."""

        def use(match: re.Match[str]) -> None:
            self.add_letter_setting(match.start(), match[1] or match[3] or match[5], match[2] or match[4] or match[6])

        def use_each(match: re.Match[str]) -> None:
            for pair in _PAIR_OF_JOINED.finditer(match[0]):
                self.add_letter_setting(match.start() + pair.start(), pair[1], pair[2])

        self.take_matches(_LETTER_AND_NUMBER, use)
        if _JOINED_LETTERS.search(self.text):  # in few texts
            self.take_matches(_JOINED_LETTERS, use_each)

    def take_stated_ranges(self) -> None:
        """Take out ``threads: 0:16``, which is no time of day, and no single number."""
        self.take_matches(
            _STATED_RANGE, lambda match: self.add_setting(match.start(), LABEL_KEYS[match[1].lower()], match[2])
        )

    def take_stated_numbers(self) -> None:
        """Take out ``connections: 64``."""
        self.take_matches(
            _STATED_NUMBER, lambda match: self.add_setting(match.start(), LABEL_KEYS[match[1].lower()], match[2])
        )

    def unknown_assignments(self) -> list[re.Match[str]]:
        """The ``key=value`` pairs with unknown keys."""
        return list(_UNKNOWN_ASSIGNMENT.finditer(self.text))


def _agreed_settings(places: list[_FoundSetting]) -> tuple[tuple[str, str], ...]:
    """The settings in order, without keys that have two different values or an impossible one."""
    if not places:
        return ()
    values: dict[str, set[str]] = {}
    for _, key, value in places:
        values.setdefault(key, set()).add(normalize_value(key, value))
    unique: dict[str, str] = {}
    for _, key, value in sorted(places):
        if len(values[key]) == 1 and value:
            unique.setdefault(key, value)
    return tuple(unique.items())
