"""A short text whose parts are taken out one after the other: dates, repeats, settings. What is left is a name.

What was taken is blanked with `HOLE`, so that all places in the text stay what they are: ``kiwi conns=64`` →
connections=64.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from wrkparse.context.precedence import is_possible_value, normalize_value
from wrkparse.context.titles.vocabulary import ALIASES, LETTERS, NUMERIC_WORDS, WORDS, Pairs, environment

HOLE = "\0"
_Place = tuple[int, str, str]  # index in the text, key, value

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_CLOCK = r"[0-9]{1,2}:[0-9]{2}(?::[0-9]{2}(?:[.,][0-9]{1,9})?)?(?:Z|\s?(?:UTC|GMT)\b|\s?[+-][0-9]{2}:?[0-9]{2})?"
DATE = re.compile(
    rf"""(?<![\w.:-])(?:
      [0-9]{{4}}[-/][0-9]{{1,2}}[-/][0-9]{{1,2}}(?:[T\ _-]{_CLOCK}|[T_-][0-9]{{2}}-?[0-9]{{2}}(?:-?[0-9]{{2}})?Z?)?
    | (?:19|20)[0-9]{{2}}(?:0[1-9]|1[0-2])(?:0[1-9]|[12][0-9]|3[01])(?:[T_-]?[0-9]{{4}}(?:[0-9]{{2}})?Z?)?
    | [0-9]{{1,2}}\.?\ {_MONTH},?\ [0-9]{{4}} | {_MONTH}\ [0-9]{{1,2}},?\ [0-9]{{4}}
    | [0-9]{{4}}年[0-9]{{1,2}}月(?:[0-9]{{1,2}}日)?
    | {_CLOCK})(?![A-Za-z0-9]|:[0-9])""",
    re.VERBOSE,
)
_DAY = re.compile(
    rf"(?:[0-9]{{4}}[-/.][0-9]{{1,2}}[-/.][0-9]{{1,2}}|[0-9]{{1,2}}(?:st|nd|rd|th)?\.? {_MONTH}(?:,? [0-9]{{4}})?"
    rf"|{_MONTH} [0-9]{{1,2}}(?:st|nd|rd|th)?(?:,? [0-9]{{4}})?)"
)
_PROCESS = re.compile(r"(?<![A-Za-z0-9])pid\s?[:=]?\s?[0-9]{1,9}(?![A-Za-z0-9])", re.IGNORECASE)
REPEAT_WORDS = tuple(
    """run rep repeat repetition replicate trial attempt iteration iter pass round try take lauf durchlauf messung
    versuch essai reprise ejecución corrida prueba esecuzione prova próba прогон запуск попытка""".split()
)
_REPEATS = "|".join(REPEAT_WORDS)
REPEAT = re.compile(
    rf"""(?<![A-Za-z0-9])(?:
      (?:{_REPEATS})(?:[ _]?[#:=-]?|\ (?:n[°ºr]|nr|no|№)\.?)\ ?\#?[0-9]{{1,4}}(?:\ ?(?:of|/)\ ?[0-9]{{1,4}})?
      (?!\w|\.[0-9])
    | (?:{_REPEATS})\ (?:one|two|three|four|five|six|seven|eight|nine|ten)\b
    | [0-9]{{1,3}}(?:st|nd|rd|th)\ (?:{_REPEATS}|time)\b
    | (?:first|second|third|fourth|fifth|prima|seconda|terza|primera|segunda|tercera|erster|zweiter|dritter
      |première|premier|deuxième|troisième)\ (?:{_REPEATS}|batch|series)\b
    | zum\ (?:zweiten|dritten|vierten)\ Mal\b
    | (?:retry|rerun|wiederholung|encore\ une\ fois
      |(?:one\ last|one\ more|second|third|fourth|last)\ time)(?=\W{{0,5}}\Z)
    | (?<![\w.,])[0-9]{{1,3}}\ of\ [0-9]{{1,3}}(?=\W{{0,3}}\Z) | (?<=\s)[\[(][0-9]{{1,3}}/[0-9]{{1,3}}[\])]\Z
    | (?<!\bPR\ )(?<!\bpull\ )(?<!\bissue\ )(?<!\bbug\ )(?<!\bbuild\ )(?<![\w\#])[\#№][0-9]{{1,3}}(?!\w)
    | (?:once\ more|again|nochmals?|noch\ einmal|erneut|de\ nouveau|otra\ vez|de\ nuevo|ещё\ раз|снова
      |(?:for\ )?(?:a|the)\ (?:second|third|fourth)\ time)(?=\W{{0,5}}\Z)
    | 第[0-9一二三四五六七八九十]{{1,4}}[次轮輪回] | [0-9]{{1,3}}(?:回目|次目|회차|번째)
    )|(?<=\S)\ ?(?P<copy>\([1-9]\))\Z
    | (?<=[a-z]{{3}})(?<!\bissue)(?<!\bbuild)(?<!\bbug)(?<!\bpull)\#[0-9]{{1,3}}(?!\w)""",
    re.VERBOSE | re.IGNORECASE,
)
# One of these is in each text of ASCII in which REPEAT finds one, or a bracket at its end. To try all its alternatives
# at each word takes a tenth of the time of reading a line.
_REPEAT_SIGNS = (
    *(word for word in REPEAT_WORDS if word.isascii()),
    *"time batch series zum wiederholung encore # once again noch erneut nouveau otra nuevo".split(),
    " of ",
)
_VALUE = r"(?:\"[^\"]{1,80}\"|'[^']{1,80}'|[^\s,;、()\[\]{}|`\"'\0]{1,80})"
_START = r"(?<![\w.$-])"
_ASSIGNED = re.compile(rf"{_START}(?:num_|nr_)?({WORDS})\s?=\s?({_VALUE}(?:,[0-9]{{1,9}})*)", re.IGNORECASE)
_VARIABLE = re.compile(rf"{_START}([A-Z][A-Z0-9_]{{2,40}})\s?=\s?({_VALUE})")
_LETTER = re.compile(rf"{_START}([A-Za-z])=([0-9][\w.]{{0,20}}(?:,[0-9]{{1,9}})*)")
_STATED_NUMBER = re.compile(
    rf"{_START}(?:num_|nr_|number of )?({NUMERIC_WORDS})(?: level)?\s?:\s{{0,3}}"
    r"([0-9][\w.%/-]{0,20}(?:,[0-9]{1,9})*(?:\ (?:s|secs?|seconds?|m|mins?|minutes?)\b)?|off\b|auto\b|max\b)",
    re.IGNORECASE,
)
_UNKNOWN = re.compile(rf"{_START}([A-Za-z][A-Za-z0-9_]{{0,30}})=({_VALUE})")
_DURATION = re.compile(r"([0-9]{1,9}(?:\.[0-9]{1,3})?)\ ?(s|m|h)(?:ec|in)?[a-z]{0,5}", re.IGNORECASE)
_LIST = re.compile(r"[0-9][\w.]*(?:,[0-9]{1,9})+")
_THOUSANDS = re.compile(r"[0-9]{1,3}(?:,[0-9]{3})*,[0-9]00")  # "64,128" may be two numbers
_COUNT_KEYS = frozenset({"cores", "connections", "threads", "workers", "processes", "port"})
_COUNT = re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,3})?k?|auto|max|off|unlimited", re.IGNORECASE)


_LETTERED = re.compile(
    r"(?<![^\W_])(?:([ct])([0-9]{1,9})(?![.-]\w*(?:large|metal|micro|nano|small|medium))|(d)([0-9]{1,6}[smh]))(?![^\W_])"
)  # not c4.8xlarge, t2.micro


def find_repeat(text: str) -> re.Match[str] | None:
    """The first words that number a repeat: ``run 2``, ``(3)`` at the end; None if there are none."""
    may_be_one = text[-1:] in (")", "]") or not text.isascii() or any(map(text.lower().__contains__, _REPEAT_SIGNS))
    return REPEAT.search(text) if may_be_one else None


def is_day(text: str) -> bool:
    """Whether a text is a day and nothing else: ``2026-11-20``, ``20 November``, ``Nov 20, 2026``."""
    return any(map(str.isdecimal, text)) and _DAY.fullmatch(text) is not None


@dataclass
class Spans:
    """A text, and what was taken out of it. ``environment`` has the labels of variables and runtime options."""

    text: str
    settings: list[_Place] = field(default_factory=list)
    environment: list[_Place] = field(default_factory=list)
    short: list[_Place] = field(default_factory=list)
    repeats: list[tuple[int, str]] = field(default_factory=list)

    def take(self, pattern: re.Pattern[str], use: Callable[[re.Match[str]], bool | None]) -> None:
        """Give each match of a pattern to `use`, and blank it unless that says False."""
        at = 0
        while match := pattern.search(self.text, at):
            if use(match) is not False:
                self.blank(*match.span())
            at = max(match.end(), at + 1)

    def blank(self, start: int, end: int) -> None:
        """Blank a part of the text."""
        self.text = self.text[:start] + HOLE * (end - start) + self.text[end:]

    def set(self, at: int, key: str, value: str) -> None:
        """Note a setting, if its value is possible. A value with ``$`` is an unexpanded variable."""
        value = value.strip().strip("\"'").rstrip(":.").strip()
        duration = _DURATION.fullmatch(value) if key == "duration_s" else None
        value = duration[1] + duration[2].lower() if duration else value
        if _LIST.fullmatch(value):
            value = value.replace(",", "") if _THOUSANDS.fullmatch(value) else ""
        fits = key not in _COUNT_KEYS or _COUNT.fullmatch(value)
        if value and "$" not in value and fits and is_possible_value(key, value):
            self.settings.append((at, key, value))
        else:
            self.settings.append((at, key, ""))
            if key == "payload_bytes" and value:  # "1KB", which may be 1000 or 1024 bytes
                self.short.append((at, "payload", value))

    def add_environment(self, at: int, pairs: Pairs) -> None:
        """Note the labels of a variable or of GHC's runtime options."""
        self.environment += [(at, key, value) for key, value in pairs if is_possible_value(key, value)]

    def agreed(self, *, all_origins: bool = False) -> tuple[tuple[str, str], ...]:
        """The settings in the text's order; of a key with two different values, or an impossible one, none.

        With `all_origins` what variables set, but not under the variables' own names.
        """
        ours = [place for place in self.environment if not place[1].startswith("env_")] if all_origins else []
        return _agreed(self.settings + ours)

    def agreed_short(self) -> tuple[tuple[str, str], ...]:
        """The short settings, in the same way."""
        return _agreed(self.short)

    def take_dates(self) -> None:
        """Take out dates and times of the day."""
        self.take(DATE, lambda match: None)
        self.take(_PROCESS, lambda match: None)

    def take_repeats(self) -> None:
        """Take out what numbers a repeat."""

        def use(match: re.Match[str]) -> None:
            self.repeats.append((match.start(), (match["copy"] or match[0]).strip()))

        if find_repeat(self.text):
            self.take(REPEAT, use)

    def take_assigned(self) -> None:
        """Take out ``key=value`` of known keys and of variables, and ``c=64`` of one letter."""

        def variable(match: re.Match[str]) -> None:
            name, value = match[1], match[2].strip("\"'").rstrip(":")
            pairs = environment({name: value})
            self.add_environment(match.start(), pairs)
            key = ALIASES.get(name.lower())
            if key and all(key != known for known, _ in pairs):
                self.set(match.start(), key, value)

        def known(match: re.Match[str]) -> None:
            self.set(match.start(), ALIASES[match[1].lower()], match[2])

        self.take(_VARIABLE, variable)
        self.take(_ASSIGNED, known)
        self.take(_LETTER, lambda match: self.set_short(match.start(), match[1], match[2]))

    def set_short(self, at: int, letter: str, value: str) -> None:
        """Note a setting whose key is one letter, of which only siblings show what it means."""
        key = LETTERS.get(letter) or LETTERS.get(letter.lower(), letter)
        self.short.append((at, key, value if is_possible_value(key, value) else ""))

    def take_letters(self) -> None:
        """Take out ``c64``, ``t4``, ``d30s``."""

        def use(match: re.Match[str]) -> None:
            self.set_short(match.start(), match[1] or match[3], match[2] or match[4])

        self.take(_LETTERED, use)

    def take_stated_numbers(self) -> None:
        """Take out ``connections: 64``."""
        self.take(_STATED_NUMBER, lambda match: self.set(match.start(), ALIASES[match[1].lower()], match[2]))

    def unknown_assigned(self) -> list[re.Match[str]]:
        """The ``key=value`` whose keys no list knows."""
        return list(_UNKNOWN.finditer(self.text))


def _agreed(places: list[_Place]) -> tuple[tuple[str, str], ...]:
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
