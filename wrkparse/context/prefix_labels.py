"""Makes labels of the text in front of a process's lines: ``web_1  | ``, ``[kiwi] ``, the fields of a row of CSV."""

from __future__ import annotations

import csv
import re
from itertools import zip_longest

from wrkparse.context.labels import title_labels
from wrkparse.context.nearby.evidence import PREFIX_WORDS, PRINTED_FILE
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.path_parts import is_printed_file
from wrkparse.context.titles.settings.setting_extraction import DATE, is_day
from wrkparse.context.titles.titles import read_title
from wrkparse.context.titles.vocabulary import LABEL_KEYS, TIME_WORDS
from wrkparse.model.records import Label
from wrkparse.text.wrapping.prefixes import LOG_LEVELS, NOT_A_PROGRAM

# "kiwi:", "kiwi>", "(kiwi)"
_NAME_IN_FRONT = re.compile(r"(?:(\w[\w.@/+-]{0,60})[:>]|\((\w[\w.@/+-]{0,60})\))")
_NAME_IN_BRACKETS = re.compile(r"\[(\w[\w.@/+-]{0,60})\]:?\s{0,9}\Z")  # "[kiwi] "
_COLUMN_NAME = re.compile(r"(?:[A-Za-z]\w{0,40})?")  # of CSV; empty for the index that pandas writes
# Fields of CSV, as `text.wrapping.prefixes` has them. The lengths bound the work.
_ROW = re.compile(r'(?:(?:"[^"]{0,100}"|(?:[^\s",][^",]{0,80})?),){1,20}')
# Columns of remarks on a run, and of people: no settings.
_REMARK_COLUMNS = frozenset("author by comment comments date day notes remark remarks who".split())
_IDENTIFIER = re.compile(r"(?=.*[0-9])(?:[0-9a-f]{7,40}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})", re.IGNORECASE)
_CHAT_AUTHOR = re.compile(r"(?<=[0-9\]] )<[^<>\s]{1,40}>")  # behind the time of a message: "10:04 <anna> "
_DAY_AND_TIME = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ]")
_NOT_PROCESS_NAMES = frozenset([*LOG_LEVELS.lower().split("|"), *"out err stdout stderr exec main".split()])
# In a prefix with more than a name: words between signs, and those that say nothing about a process: abbreviated
# levels, days and months, times, names of threads, places in source code.
_PREFIX_WORD = re.compile(r"[^\s\[\](){}|<>\"',;]{1,100}")
_THREAD_IN_BRACKETS = re.compile(r"\[[^\]\s]{1,100}[-#][0-9]{1,9}\]")
_NAMING_FIELDS = frozenset("app framework impl logger name server service target".split())  # "server=kiwi"
_END_SIGNS = ":-–—·.#│┃>@$+~"
_LEVEL_OR_TIME = re.compile(
    rf"(?:[diwetfv]|[iwef][0-9]{{4}}|note|verbose|silly|fine|critical|severe|level|msg|ts|inf|wrn|err|dbg|trc|ftl|crit(?:ical)?|am|pm|utc|gmt|log|root|__main__|{TIME_WORDS}|[0-9:.]+[ap]m)",
    re.IGNORECASE,
)
_LINE_NUMBER = re.compile(r"(?<=\w:)([A-Za-z_]\w{0,80}):[0-9]{1,5}:?\Z")  # of source code: "bench:run:42"
_SHORT_NUMBER = re.compile(r"[1-9][0-9]?(?:\.[0-9]{1,2}){0,2}")  # after a name: "worker 2", "kiwi 1.4"
_ADDRESS = re.compile(r"(?:[0-9]{1,3}\.){3}[0-9]{1,3}(?::[0-9]{1,5})?")
_USER_AND_HOST = re.compile(r"\w@[A-Za-z]")
_LEVEL_IN_FRONT = re.compile(rf"(?:{LOG_LEVELS}):(?=\w)", re.IGNORECASE)
_THREAD_OR_PLACE = re.compile(
    r"(?:req(?:uest)?|trace|span|session|[a-z]{0,2}id)[-_:=#]?[0-9a-f-]{1,40}|(?:[\w.-]{0,40}[-_#]?(?:thread|worker|pool|goroutine|process|step|job)s?[-_#0-9]{0,20}){1,3}"
    r"|[\w./-]{1,80}\.[a-z]{1,5}:[0-9]{1,6}",
    re.IGNORECASE,
)

_PROCESS_NUMBER = re.compile(r"\[[0-9]{1,9}\]\Z")  # "[812]" of "kiwi[812]"
# The random end of the name of a pod: the hash of its deployment, and five characters; a job has only the characters.
_POD_SUFFIX = re.compile(r"-(?=[a-z]{0,9}[0-9])[0-9a-z]{8,10}-[0-9a-z]{5}(?=/|\Z)")
_JOB_POD_SUFFIX = re.compile(r"\A(pod/[\w.-]{1,200}?)-(?=[a-z]{0,4}[0-9])[bcdfghj-np-tv-xz2456789]{5}(?=/|\Z)")


def process_labels(stream: str, line: int | None) -> list[Label]:
    """The label of a process, by the prefix of its lines: ``web_1``, ``host app[123]``; empty without a prefix."""
    return [Label("process", stream, "prefix", line, stream, "prefix")] if stream else []


def stream_labels(stream: str, line: int | None, *, is_named: bool = False) -> list[Label]:
    """The labels of the process of a report: its prefix, and the framework if the prefix is a known name.

    Each report has a process of its own, so the number of the process is left out: ``host app[123]`` is host app.
    `is_named`: the framework is known already. The name of a file, as grep prints it, is none of a process:
    ``logs/kiwi-1.txt``.
    """
    if is_printed_file(stream):
        return [Label(PRINTED_FILE, stream, "prefix", line, stream, "prefix")]
    names = not is_named and is_known_name(stream)
    named = [Label("framework", stream, "prefix", line, stream, "prefix")] if names else []
    return [Label("process", without_process_number(stream), "prefix", line, stream, "prefix"), *named]


def without_process_number(stream: str) -> str:
    """The prefix of a process without numbers and hashes: ``app[123]``, ``pod/app-7d9f8b6c5-x4k2z/main``."""
    return _JOB_POD_SUFFIX.sub(r"\1", _POD_SUFFIX.sub("", _PROCESS_NUMBER.sub("", stream)))


def prefix_labels(front: str, line: int | None, header: str = "") -> list[Label]:
    """The label of a process whose name is before the first line of a report: ``nginx: ``, ``[nginx] ``.

    The fields in front of one in a row of CSV are a title: ``kiwi,2,"`` → kiwi / 2, or server=kiwi, pool=2 below the
    `header` ``server,pool,output``, the first line of the source. Empty for other text before the line, such as the
    level of a message.
    """
    if (fields := _fields_of_row(front, header)) and line is not None:
        return [*title_labels(fields, line), Label("title", fields, "heading", line, front, "title")]
    found = _NAME_IN_FRONT.fullmatch(front.strip()) or _NAME_IN_BRACKETS.search(front)
    name = next(filter(None, found.groups()), "") if found else ""
    return process_labels(name, line) if name.lower() not in _NOT_PROCESS_NAMES and read_title(name).name else []


def labels_in_front(front: str, line: int | None, header: str = "") -> list[Label]:
    """The labels from the text in front of a report's line: those of a prefix, or else its words."""
    return prefix_labels(front, line, header) or words_of_prefix(front, line)


def words_of_prefix(front: str, line: int | None) -> list[Label]:
    """The label with the words of a prefix that may name a process; empty without such words."""
    words = _names_in_front(front)
    return [Label(PREFIX_WORDS, words, "prefix", line, front.strip(), "prefix")] if words else []


def _names_in_front(front: str) -> str:
    """The words of a prefix that may name a process: ``10:00:00 [main] INFO  acme.kiwi -`` → acme.kiwi.

    Times, levels, numbers, threads and places in source code are left out; empty if nothing is left.
    """
    text = _THREAD_IN_BRACKETS.sub(" ", DATE.sub(" ", _CHAT_AUTHOR.sub(" ", front)))
    text = _LEVEL_IN_FRONT.sub("", text)
    found: list[str] = []
    for word in (_LINE_NUMBER.sub(r"\1", word).strip(_END_SIGNS) for word in _PREFIX_WORD.findall(text)):
        key, sign, value = word.partition("=")
        name = word if not sign or key.lower() in LABEL_KEYS else ""
        if sign and key.lower() in _NAMING_FIELDS:
            name = value
        name = _POD_SUFFIX.sub("", name)
        if _may_name_process(name) or _ADDRESS.fullmatch(name) or (found and _SHORT_NUMBER.fullmatch(name)):
            found.append(name)
    return " ".join(found)


def _may_name_process(word: str) -> bool:
    """Whether a word of a prefix may be a part of the name of a process."""
    lower = word.lower()
    if not any(map(str.isalpha, word)) or lower in _NOT_PROCESS_NAMES or word[0].isdecimal():
        return False
    if _USER_AND_HOST.search(word):
        return False
    return not any(form.fullmatch(word) for form in (NOT_A_PROGRAM, _LEVEL_OR_TIME, _IDENTIFIER, _THREAD_OR_PLACE))


def _fields_of_row(front: str, header: str) -> str:
    """The fields in front of a quoted one in a row of CSV, as a title; empty for other text, and without a word."""
    row = front.strip().removesuffix('"')
    if not _ROW.fullmatch(row):
        return ""
    fields = [field.strip() for field in next(csv.reader([row]))]
    columns = [name.strip('" ') for name in header.split(",")]
    are_named = len(columns) >= len(fields) and all(map(_COLUMN_NAME.fullmatch, columns))
    kept = [
        (column.lower() if are_named else "", field)  # in capitals it would be a variable of the shell
        for column, field in zip_longest(columns[: len(fields)], fields, fillvalue="")
        if field
        and not (are_named and column.lower() in _REMARK_COLUMNS)
        and field.lower() not in _NOT_PROCESS_NAMES
        and not _DAY_AND_TIME.match(field)
        and not _IDENTIFIER.fullmatch(field)
    ]
    # the day of a run is not one of its settings
    kept = [(column, field) for column, field in kept if not is_day(field)] or kept
    words = [f"{column}={field}" if column else field for column, field in kept]
    return (", " if are_named else " / ").join(words) if any(map(str.isalpha, "".join(words))) else ""
