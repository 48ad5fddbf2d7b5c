"""Reads a short text about a run: a heading, a title line, the name of a folder or a file.

It contains settings, the number of a repeat, words of documents (*Results of …*), and a name of the framework, which
need not be a known name. `wrkparse.context.labels` makes labels of it: ``Results of kiwi, 4 workers, run 2`` → name
kiwi, workers=4, repeat 2.
"""

from __future__ import annotations

import functools
import re
from typing import NamedTuple

from wrkparse.context.titles.decoration import without_decoration, without_markup
from wrkparse.context.titles.name_extraction import (
    extract_name,
    holes_as_blanks,
    remove_holes,
    without_end_punctuation,
    without_end_signs,
)
from wrkparse.context.titles.path_parts import name_in_path_part, take_path_settings
from wrkparse.context.titles.settings.addresses_and_flags import flags_without_keys, take_addresses, take_flags
from wrkparse.context.titles.settings.counts import take_numbers
from wrkparse.context.titles.settings.setting_extraction import (
    MAY_REPEAT,
    REPEAT_WORDS,
    SettingExtractor,
    find_repeat,
    is_day,
)
from wrkparse.context.titles.settings.stated_words import (
    starts_with_announced_name,
    stated_environment,
    take_stated_name,
    take_stated_words,
    take_unknown_keys,
    without_json_signs,
)
from wrkparse.context.titles.settings.warm_ups import FOREIGN_WARM_UPS, WARM_UP_WORD, ends_warm_up, take_warm_up
from wrkparse.context.titles.vocabulary import LABEL_KEYS, runtime_option_pairs

_Settings = tuple[tuple[str, str], ...]


class Title(NamedTuple):
    """The content of a title.

    ``settings``: keys and values of labels, in the order of the text; ``framework`` only if the text states it.
    ``name``: the name, as spelled in the text; empty if the text names nothing. ``repeat``: the number of a repeat as
    printed (``run 2 of 5``); empty without one. ``numbers``: numbers without a known meaning (``nginx / 2``), as
    printed. ``possible_settings``: settings that count only if siblings have other values: ``c64`` beside ``c128``,
    ``30s``, ``5000 rps``, the port of a URL.
    """

    settings: _Settings = ()
    name: str = ""
    repeat: str = ""
    numbers: tuple[str, ...] = ()
    possible_settings: _Settings = ()


class TitleText(NamedTuple):
    """A title with all parts from which labels are made.

    ``environment`` has the labels of variables and of GHC runtime options, ``settings`` all others except flags. Flags
    stay in ``name``, because a line may be a command. ``words`` is the text without settings, which may be a sentence.
    """

    title: Title
    settings: _Settings
    environment: _Settings
    words: str
    name: str


_EMPTY = TitleText(Title(), (), (), "", "")
_LONGEST = 200  # characters; a longer line is a paragraph
_DIGITS_OF_DATE = 8  # "20171105"
_LONGEST_WITH_LINKS = 1000  # characters with the addresses of links
_CONTROLS = re.compile(r"[\x00-\x1f\x7f]")
_FULL_WIDTH_SIGNS = str.maketrans({"：": ": ", "，": ", ", "；": "; ", "（": " (", "）": ") ", "＝": "=", "　": " "})
# Words, and a number after them. Without one of the words below, such a text has no setting, repeat or date.
_PLAIN_WORDS = re.compile(r"[A-Za-z][A-Za-z-]*(?: [A-Za-z][A-Za-z-]*){0,9}(?: [0-9]{1,5})?")
_SETTING_WORDS = frozenset(
    {
        *LABEL_KEYS,
        *REPEAT_WORDS,
        *"einmal erneut fois mal nochmal nochmals nuevo rerun retry vez wiederholung".split(),
        "again",
        "more",
        "time",
        "environment",
        "warm",
        "warming",
        "heating",
        "warmup",
        "warm-up",
        "priming",
        "chauffe",
        *FOREIGN_WARM_UPS,
        "single",
        "single-core",
        "single-cpu",
    }
)
_MAY_DATE = re.compile(r"[0-9]:[0-9]|[0-9]{4}|pid", re.IGNORECASE)
_RTS = re.compile(r"\+RTS((?:\s+-[A-Za-z]\S*)+)(?:\s+-RTS\b)?")  # "+RTS -N4 -A64m -RTS", options of the runtime of GHC
# A heading that states a result: "Latency: 0.9 ms", "Requests per second: 95,000 (two boxes)", "Maximum `111k`".
_STATED_RESULT = re.compile(
    r"""(?:(?:average|avg|best|max|maximum|mean|median|min|minimum|p[0-9]{2}|peak|total|平均|最大|最小)\s?)?
    (?:(?:latency|响应时间|延迟|延时|耗时|吞吐量|response\stimes?|throughput|transfer(?:\srate)?
    |(?:req(?:uest)?s?|transactions)(?:/|\sper\s)s(?:ec(?:ond)?s?)?|(?<=avg\s)(?:rt|[qt]ps)|(?<=平均)(?:rt|[qt]ps)
    |(?<=平均\s)(?:rt|[qt]ps))(?:\s?[:=]|(?<=[^\x00-\xff]))
    |(?:rt|[qt]ps)\s?[:=](?=\s?[~≈]|\s?[0-9,]{1,12}\.[0-9]))\s?[~≈<>]?\s?[0-9][0-9.,]{0,20}
    \s?\[?(?:[kmg]|[mnuµ]?s(?:ec(?:ond)?s?)?|[kmgt]?i?b(?:it)?/s|%)?\]?(?:\s?\(.{0,60})?
    (?:[,，;]\s?(?:rt|[qt]ps|latency|平均响应时间|吞吐量|req(?:uest)?s?/s(?:ec)?)\s?[:=]\s?[~≈<>]?\s?[0-9][0-9.,]{0,20}\s?(?:[kmg]|m?s)?)?
    |(?:average|max|maximum|mean|median|min|minimum)\s?[:=]?\s?[~≈]?`?[0-9][0-9.,]{0,20}\s?(?:k|m?s|rps|req(?:uests)?/s)`?""",
    re.VERBOSE | re.IGNORECASE,
)
# The blanks in "10 000" and "1 000 500", as most of Europe writes numbers; "8 100" may be two numbers.
_BLANKS_IN_NUMBER = re.compile(
    r"(?<![\w.,/])([1-9][0-9]{0,2})[ \u00a0\u202f](?:([0-9]{3})[ \u00a0\u202f])?([05]00)(?![\w.,]*[0-9])"
)
# The command of a load generator behind a name: "kiwi: ab -c 100 http://h/".
_COMMAND_BEHIND = re.compile(
    r"(?<=\S)\s?(?:[:：]|\s[-–—])\s+(?:\$\s)?(?:ab|autocannon|bombardier|h2load|hey|oha|siege|wrk2?)\s+-.*\Z"
)
# "[1/4] kiwi", "2 of 5: emu"
_PROGRESS_COUNT = re.compile(r"\A[\[(]?[0-9]{1,4}\s?(?:/|of)\s?[0-9]{1,4}[\])]?[:.)]?\s+(?=\S)")


def read_title(text: str) -> Title:
    """Read a heading or a bare title line; empty if it is longer than 200 characters."""
    return read_title_text(text).title


def read_heading(text: str) -> Title:
    """Read a heading, without the signs at its end."""
    return read_title(without_end_punctuation(text))


def read_title_text(text: str) -> TitleText:
    """Read a title as `read_title` does, with all parts from which labels are made."""
    return _read_text(text) if len(text) <= _LONGEST_WITH_LINKS else _EMPTY


def printed_flags(text: str) -> str:
    """The flags of a title that set no known key, as printed: ``--no-cache``."""
    return flags_without_keys(read_title_text(text).name)


def states_result(text: str) -> bool:
    """Whether a title only states a result: ``Latency: 0.9 ms``."""
    return _STATED_RESULT.fullmatch(text.replace("*", "")) is not None


def starts_with_stated_name(text: str) -> bool:
    """Whether a text starts with a word that announces a name, and the name: ``target: kiwi``."""
    return starts_with_announced_name(text) and bool(read_title(text).name)


def is_repeat_or_phase(text: str) -> bool:
    """Whether a title says only which repeat or which phase begins: ``run 2``, ``Warm-up``."""
    if not (find_repeat(text) or WARM_UP_WORD.search(text)):  # most headings: reading one takes longer
        return False
    read = read_title(text)
    if read.name or read.possible_settings or any(key != "phase" for key, _ in read.settings):
        return False
    return bool(read.repeat or read.settings) or ends_warm_up(text)


def is_name_at_most(text: str) -> bool:
    """Whether a title is plain words that say nothing but a name, or no name: no setting, repeat or phase.

    Then the number at its end says nothing, whichever it is: ``setup 17``.
    """
    return bool(plain_words(text)) and not (MAY_REPEAT.search(text.lower()) or WARM_UP_WORD.search(text))


def plain_words(text: str) -> list[str]:
    """The words in lower case of a title that contains a name at most; empty if it may contain more."""
    words = text.lower().split() if _PLAIN_WORDS.fullmatch(text) else []
    return words if _SETTING_WORDS.isdisjoint(words) else []


@functools.lru_cache(maxsize=4096)  # a page repeats the headings of its sections
def _read_text(source: str) -> TitleText:
    if is_day(source):
        return _EMPTY
    if len(source) <= _LONGEST and plain_words(source):
        rest = without_end_signs(source)
        name, numbers = extract_name(rest, source)
        return TitleText(Title((), name, "", numbers), (), (), source, name)
    plain = _BLANKS_IN_NUMBER.sub(r"\1\2\3", without_markup(_CONTROLS.sub(" ", source)))
    if len(plain) > _LONGEST:
        return _EMPTY
    text = without_json_signs(without_decoration(plain.translate(_FULL_WIDTH_SIGNS).strip()))
    if states_result(text):
        return _EMPTY
    if text[-11:].lower() == "environment" and (called := stated_environment(text)):
        return TitleText(Title(called), called, (), "", "")
    extractor = SettingExtractor(_PROGRESS_COUNT.sub("", _COMMAND_BEHIND.sub("", text)))
    # Each step blanks what it takes, so that looser ones after it do not see it: dates and addresses before counts,
    # and single letters (c64) last.
    subject = take_stated_name(extractor)
    if WARM_UP_WORD.search(text):
        take_warm_up(extractor)
    if _MAY_DATE.search(text):
        extractor.take_stated_ranges()
        extractor.take_dates()
    take_addresses(extractor)
    if "+RTS" in text:
        extractor.take_matches(
            _RTS, lambda match: extractor.add_environment(match.start(), runtime_option_pairs(match[1].split()))
        )
    extractor.take_repeats()
    take_numbers(extractor)
    take_unknown_keys(extractor, decorated=text != plain or bool(subject))
    take_stated_words(extractor)
    extractor.take_letters()
    settings, words = extractor.agreed_settings(), holes_as_blanks(extractor.text)
    with_flags, numbers = extract_name(remove_holes(extractor.text), text)
    name = with_flags
    if " -" in text or text[:1] == "-":
        take_flags(extractor)
        name, numbers = extract_name(remove_holes(extractor.text), text)
    name = subject or name
    framework = next((value for key, value in settings if key == "framework"), "")
    repeat = ", ".join(number for _, number in sorted(extractor.repeats))
    title = Title(
        extractor.agreed_settings(all_origins=True),
        name or framework,
        repeat,
        numbers,
        extractor.agreed_possible_settings(),
    )
    environment = tuple((key, value) for _, key, value in extractor.environment)
    return TitleText(title, settings, environment, words, with_flags)


@functools.lru_cache(maxsize=4096)  # one directory holds many files
def read_path_part(part: str) -> Title:
    """Read the name of a folder, or of a file without its suffixes; empty if it is longer than 200 characters."""
    if len(part) > _LONGEST:
        return Title()
    if len(part) < _DIGITS_OF_DATE and part.isdecimal():  # one of many files: "1.txt", "0042.log"
        return Title(numbers=(part,))
    extractor = SettingExtractor(_CONTROLS.sub(" ", part))
    take_path_settings(extractor)
    name, numbers = name_in_path_part(extractor.text)
    settings = extractor.agreed_settings()
    framework = next((value for key, value in settings if key == "framework"), "")
    repeat = ", ".join(number for _, number in sorted(extractor.repeats))
    return Title(settings, name or framework, repeat, numbers, extractor.agreed_possible_settings())
