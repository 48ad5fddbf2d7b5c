"""Recognises log messages: lines in which a program reports its activity, and lines that say who wrote a message.

Such lines name nothing that was measured. Two of them differ in the user that a server served, or in the file that a
build has reached: ``user bob logged in``, ``request_id=9f3kx``, ``[ 12%] Building CXX object a.o``,
``npm WARN deprecated har-validator@5.1``.
"""

from __future__ import annotations

import functools
import re

from wrkparse.context.titles.name_extraction import has_only_common_words
from wrkparse.context.titles.path_parts import without_suffixes
from wrkparse.context.titles.settings.setting_extraction import find_repeat
from wrkparse.context.titles.vocabulary import LABEL_KEYS
from wrkparse.text.wrapping.prefixes import may_name_what_follows

# A request, as a server logs it: "GET /a HTTP/1.1 200".
_REQUEST = r"\b(?:GET|POST|PUT|PATCH|DELETE|HEAD)\s/\S{0,200}\s(?:HTTP/\S{1,4}\s)?[1-5][0-9]{2}\b"
# Users and sessions that come and go. Connections are left out: whether they are closed is a setting.
_VISITOR = r"""\b(?:users?|sessions?|accounts?|customers?|clients?|peers?|workers?)\s(?:[^\s,;:]{1,40}\s)?
    (?:logged\s(?:in|out|on|off)|(?:dis|re)?connected|joined|left|registered|authenticated|signed\s(?:in|up|out)
    |subscribed|opened|closed|expired|accepted|spawned)\b"""
# Other servers that a server works with, and its own parts.
_PEER = r"""\b(?:re)?connect(?:ed|ing)\sto\s | \bpid\s?[=:]\s?[0-9]
    | \b(?:broker|member|node|peer|replica|shard|worker)\s[^\s,;:]{1,40}\s?
    (?:added|down|joined|left|offline|online|ready|removed|up)\b"""
_OWN_PART = r"""\A\W?(?:\w{1,30}:\s)?(?:acquired|attached|compacted|evicted|flushed|loaded|mounted|released|rotated)
    \s(?:cache|extension|index|lease|lock|module|partition|plugin|segment|shard|table|volume)s?\s\S"""
# Verdicts on the commit that was measured above.
_BISECT_VERDICT = r"\Agit\sbisect\s(?:good|bad|old|new|skip|reset)\b"
_BISECT_STEP = re.compile(r"\[[0-9a-f]{7,40}\]\s|Bisecting:\s[0-9]")
_CACHE = r"\bcache\s(?:miss|hit)(?:es)?\s(?:for|on|of)\s|\bslow\squery\b"
# Values that are drawn anew each time. The value of "token" may be a kind of token, "jwt", unless it looks random.
_RANDOM_VALUE = r"""\A\W{0,3}(?:[a-z]{1,20}[ _-])?(?:(?:id|uuid|guid|nonce|pid|username|login|tmpdir)\s?[:=]\s?
    |(?:token|cookie|session|key)\s?[:=]\s?(?=(?-i:\S{0,100}?[a-z0-9][A-Z]\S{0,100}?[a-z0-9][A-Z])))\S{1,100}\Z"""
_CONTAINER_ID = r"\A(?:sha256:)?[0-9a-f]{64}\Z"  # which `docker run -d` prints
# A level after a stamp, in brackets, or with a colon: "DEBUG build" is a name.
_LEVEL = r"""\A(?:[0-9][0-9T:.,Z+/-]{3,35}\s){0,2}\W?(?-i:
    (?:npm|yarn|pnpm|pip)\s(?:WARN(?:ING)?|ERR!|notice|warning)\s
    |(?:WARN(?:ING)?|ERROR|DEBUG|TRACE|FATAL)(?:[:\]!]|\s[^\s:]{1,60}:\s))"""
# A measurement of another program, such as perf stat: "30.004 seconds time elapsed", "57,207.03 msec task-clock".
_OTHER_MEASUREMENT = r"""\A(?:[0-9][0-9.,]{0,20}\s{1,9}(?:seconds?|secs?|minutes?|m?sec|[mnuµ]?s)\s{1,9}
    (?:(?:time|wall|user|sys(?:tem)?|real|cpu)\s)?(?:elapsed|user|sys(?:tem)?|real|wall|cpu|taken|spent)\W*\Z
    |[0-9][0-9.,]{0,20}\s{1,9}(?:msec\s{1,9})?(?:\w{1,20}/)?(?:(?:cpu|task)-clock|cycles|instructions|branches|bus-cycles
    |context-switches|cpu-migrations|(?:page|minor|major|alignment|emulation)-faults|(?:stalled|ref)-cycles[\w-]{0,20}
    |cache-\w{3,12}|[\w-]{1,30}-(?:misses|loads|stores|references))(?:[:/]\S{0,20})?(?:\s|\Z)
    |Performance\scounter\sstats\sfor\s)"""
# The steps of a Jenkins job, without the names of its stages: "[Pipeline] { (Bench kiwi)"; and the result of a job of
# any such service: "Finished: SUCCESS", "Build succeeded", "Process completed with exit code 0".
_CI_JOB = r"""\A(?:\[Pipeline\]\s(?!\{\s\() | Started\sby\s(?:user|timer|upstream|an\sSCM|remote\shost|GitHub)\b
    |Running\sas\sSYSTEM\Z | Building\s(?:\S{1,60}\s){0,4}in\sworkspace\s
    |Finished:\s(?:success|failure|unstable|aborted|not_built)\W*\Z
    |(?:(?:the|this)\s)?(?:build|job|pipeline|process|workflow)\s(?:\#?[0-9]{1,9}\s)?(?:has\s|was\s)?
    (?:aborted|cancell?ed|completed|exited|failed|failure|passed|succeeded|success|successful|unstable)
    (?:\s(?:after|at|in|with)\s.{1,60}|\W*)\Z
    |(?:exit\s(?:code|status)|(?:exited|finished)\swith)\b\W{0,3}(?:(?:code|status)\s)?[0-9]{1,3}\W*\Z)"""
_PROGRESS = r"\A\W?[\u2801-\u28ff]\s|\A\[\s{0,2}[0-9]{1,3}%\]\s"
_PROGRESS_BAR = re.compile(r"[█▓▒░▏▎▍▌▋▊▉━╸]{2}\s{0,9}[0-9]{1,3}\s?%")
# "Compiling serde v1.0", "cc -c main.c"; a compiler that writes a program may say which one is measured.
_BUILD_STEP = r"""\A(?:Compiling|Download(?:ing|ed)|Checking|Fresh|Unpacking|Extracting|Pulling|Locking|Updating|Adding)
    \s\S{1,80}\sv?[0-9]{1,5}\.[0-9] | \A(?:\S{0,40}/)?(?:gcc|g\+\+|cc|c\+\+|clang|clang\+\+)(?:-[0-9.]{1,6})?
    \s(?:[^\n]{0,200}\s)?-c\s"""
# The author and the time of a message, as a chat prints them: "mira — Today at 14:32", "Anna, [28.11.2025 10:04]",
# "[28.11. 10:04] Berg, Anna".
_SENDER = r"""\A(?=[^:]*+:)\w[\w .'-]{0,40}?\s(?:[—–-]\s)?\[?(?:(?:today|yesterday)(?:\sat)?\s)?[0-9]{1,2}:[0-9]{2}
    (?:\s?[ap]\.?m\.?)?\]?:?\Z
    |\A\w[\w .'-]{0,40},\s\[[0-9./-]{5,10},?\s[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]:?\Z
    |\A\[[0-9./-]{3,10}\s[0-9]{1,2}:[0-9]{2}\]\s(?-i:[^\W\da-z_])[\w'-]{1,30},\s(?-i:[^\W\da-z_])[\w' -]{1,30}\Z"""
# The same below an issue: "mira · comment · 2024-03-02", "mira commented on Mar 2, 2024", "mira commented 3 days ago".
_COMMENT = r"""\A@?\w[\w-]{0,39}\s(?:[·•|]\s(?:comment|description|review)\b.{0,20}\b[0-9]{4}-[0-9]{2}-[0-9]{2}
    |(?:commented|opened|posted|replied)\b.{0,20}\s(?:ago|on\s.{0,12}\b[0-9]{4}))\W*\Z"""
_AT_THE_START = re.compile(
    f"{_SENDER}|{_COMMENT}|{_OWN_PART}|{_BISECT_VERDICT}|{_RANDOM_VALUE}|{_CONTAINER_ID}|{_LEVEL}|{_OTHER_MEASUREMENT}|{_CI_JOB}|{_PROGRESS}|{_BUILD_STEP}",
    re.VERBOSE | re.IGNORECASE,
)
# The message of logfmt with fields after it.
_LOGFMT_MESSAGE = re.compile(r'(?<!\S)msg=("(?:[^"\\]|\\.){0,200}"|[^\s"]{1,60})\s\w')
_ANYWHERE = re.compile(f"{_REQUEST}|{_VISITOR}|{_PEER}|{_CACHE}", re.VERBOSE | re.IGNORECASE)
# Each text that `_ANYWHERE` finds has one of these words when it is in lower case, as the patterns below expect it. To
# try the alternatives of `_ANYWHERE` at each character takes half the time of reading a line of prose, and few lines
# need it. A pattern without IGNORECASE finds a word in a third of the time.
_MAY_BE_ANYWHERE = re.compile(
    "get|post|put|patch|delete|head|user|session|account|customer|client|peer|worker|connect|pid|broker|member|node"
    "|replica|shard|cache|slow"
)
# A job in the background of a shell: "[1] 12345", "[1]+  Done  ./kiwi", "[1]  + 12345 terminated  ./kiwi", "[1]   Done
# ./kiwi". A script may count its runs so: "[1] 16 connections", "[2] stopped emu, started kiwi".
_JOB_STATE = r"(?:done|running|killed|terminated|exit|stopped|suspended|hangup|interrupt|abort|segmentation)\b"
_JOB_STATUS = re.compile(
    rf"\[[0-9]{{1,4}}\](?:[+-]|(?:\s+[0-9]{{2,9}})*\s*\Z|\s{{2,}}[+-]\s|\s{{2,}}{_JOB_STATE}|\s+[0-9]{{2,9}}\s+{_JOB_STATE})",
    re.IGNORECASE,
)
# A server has ended: the line names the server of the runs above it, not of those below. Docker adds the duration.
_SERVER_END = re.compile(
    r"\b(?:terminated|killed|stopp(?:ed|ing)|finished|exit(?:ed|ing)?)\b"
    r"|\s(?:removed|deleted|destroyed)(?:\s{1,60}[0-9.]{1,9}s)?\Z",
    re.IGNORECASE,
)
_MAY_END_SERVER = re.compile(r"terminated|killed|stopp|finished|exit|removed|deleted|destroyed")
# The message of a script after a measurement, with one name: "kiwi done", "finished kiwi", "that was kiwi".
_WORD = r"([^\W\d_](?:[\w.+-]{0,40}[\w+])?)"
_MEASUREMENT = r"(?:\s(?:test|benchmark|bench|run|measurement))?"
_REPEAT = r"(?:run|rep|round|iteration|pass)\s#?[0-9]{1,3}(?:\s?(?:of|/)\s?[0-9]{1,3})?"
_COUNTER = r"(?:[0-9]{1,3}\s?/\s?[0-9]{1,3}\W{1,3})?"  # "[1/3] kiwi: done"
_SPAN = r"\s(?:the\s)?(?:day|month|night|quarter|session|shift|week|year)\b"
_END_OF_SPAN = re.compile(rf"\W*(?:the\s)?end\sof{_SPAN}\W*", re.IGNORECASE)  # "end of day" is a time
_FINISHED = re.compile(
    rf"\W*{_COUNTER}(?:(?:done|finish(?:ed)?|end(?:\sof(?!{_SPAN}))?)"
    rf"(?:\s(?:with|testing|benchmarking|measuring))?:?\s{_WORD}{_MEASUREMENT}"
    rf"|\(?that\swas\s{_WORD}\)?"
    rf"|{_WORD}\]?{_MEASUREMENT}(?:\s(?:{_REPEAT}|\#[0-9]{{1,3}}))?:?\s(?:done|finished|completed?)"
    rf"(?:\s(?:in|after)\s[0-9][0-9.:,]{{0,11}}\s?[a-z]{{0,7}}|\s{_REPEAT})?"
    rf"|{_WORD}\]?{_MEASUREMENT}\s[\[(]?[0-9]{{1,3}}\s?/\s?[0-9]{{1,3}}[\])]?:?"  # "kiwi 1/3 OK"
    r"\s(?:ok|done|passed|finished|completed?))\W*",
    re.IGNORECASE,
)
# A count of runs in place of a name: "32--DONE", "done 3".
_END = "(?:done|finish(?:ed)?|completed?|end(?:ed)?)"
_COUNTED_END = re.compile(rf"\W*(?:[0-9]{{1,9}}\W{{1,9}}{_END}|{_END}\W{{1,9}}[0-9]{{1,9}})\W*", re.IGNORECASE)
_SAVING = "saved |written |stored |exported |dumped "
_MAY_SAVE = re.compile(_SAVING)  # finds one in each line that matches `_SAVED`
# The message of a script after a measurement that says in which file the report is: "Results saved to out/kiwi.txt".
_SAVED = re.compile(
    r"(?:.{0,80}\W)?(?:saved|written|stored|exported|dumped)\s(?:to|in|into|as|at):?\s(?:file:?\s)?"
    r"[`'\"]?([\w./\\:@+=,~-]{0,200}[./][\w./\\@+=,~-]{0,200}?)[`'\"]?[\s.!)]{0,3}",
    re.IGNORECASE,
)
# In each line, in lower case, of which `name_of_ended` takes a name. Few other lines have one.
_MAY_END_RUN = re.compile(rf"done|finish|complete|end |that was|[0-9]\s?/\s?[0-9]|{_SAVING}")
# Words in the place of the name that are not names: parts of a script, and how it went.
_NOT_NAMES = frozenset(
    """all almost already everything it job jobs nearly not now server servers step task tasks that this today
    well work backup build check checkpoint cleanup clean-up compaction compile cooldown copy deploy deployment
    download drain export flush import install installation load migration preparation prune reboot reload request
    requests reset restart restore script seed setup shutdown snapshot startup sync teardown transfer upload
    update vacuum warm warmup document file page after bad before better cold fast fun good odd slow strange weird
    worse wrong error fail failure not_built ok pass success unstable""".split()
)
_PARTICIPLE = re.compile(r"\w+(?:ed|ing|ly)", re.IGNORECASE)  # "nothing", "sleeping", "successfully"
# The line may also name the next measurement: "finished kiwi, now emu".
_ANNOUNCED_NEXT = re.compile(r"[,;]\s(?:now|next|then|start(?:ed|ing)|switch(?:ed|ing)\sto)\s\S", re.IGNORECASE)
# A sentence in which a person reports what they did: "Then I stopped the sidecar and ran it again:".
_WRITTEN_SENTENCE = re.compile(
    r"\b(?:I|we|you|it|this|that|then|now|after|before|finally)\s\S.{10,200}[.:!?…]\Z", re.IGNORECASE
)

# A number after a key and a colon: "Heap 0: 174"; several of them, "Gen 0: 174, Gen 1: 3".
_KEY = r"([^\W\d_][\w ()/%.-]{0,40})"
_NUMBER = r"[0-9][0-9.,]{0,20}\s?[A-Za-zµ%/]{0,8}"
_PAIR = rf"{_KEY}:\s{{0,40}}{_NUMBER}"
_SEVERAL_PAIRS = re.compile(rf"{_PAIR}(?:,\s?{_PAIR}){{0,9}}")
# Surely a result: in columns, a decimal number with a unit, or a number of things that went wrong.
_COLUMN = re.compile(rf"{_KEY}:(?:\s{{2,40}}|\t){_NUMBER}")
_DECIMAL_WITH_UNIT = re.compile(r":\s{0,40}[0-9]{1,12}\.[0-9]{1,9}\s?[A-Za-zµ%/]{1,8}\Z")
_WENT_WRONG = re.compile(r"\b(?:errors?|exceptions?|fail(?:ed|ures?)|retries|timeouts?):\s{0,9}[0-9]", re.IGNORECASE)


@functools.lru_cache(maxsize=1024)  # each line is checked two or three times, and a log repeats its lines
def is_log_message(line: str) -> bool:
    """Whether a line is a log message: a request, a user who comes or goes, progress, the author of a message."""
    folded = line.casefold()
    if "msg=" in line and (record := _LOGFMT_MESSAGE.search(line)) and not may_name_what_follows(record[1]):
        return True
    found = _AT_THE_START.match(line)
    if found is None and _MAY_BE_ANYWHERE.search(folded):
        found = _ANYWHERE.search(line)
    if found is None and not line.isascii():
        found = _PROGRESS_BAR.search(line)
    if _MAY_SAVE.search(folded) and _saved_file(line) and not name_of_saved(line):
        return True
    return found is not None and _WRITTEN_SENTENCE.search(line) is None


def is_result_below_report(line: str, *, goes_on: bool) -> bool:
    """Whether a line directly below a report states one more result of the run: ``Number of Errors:    0``.

    `goes_on`: the line above is such a result, too. Then any key with a number is one. Keys of labels are none: a
    script prints ``connections: 100`` before the next run.
    """
    match = _SEVERAL_PAIRS.fullmatch(line) if ":" in line else None
    if match is None or match[1].split()[-1].casefold() in LABEL_KEYS:
        return False
    return goes_on or any((_COLUMN.fullmatch(line), _DECIMAL_WITH_UNIT.search(line), _WENT_WRONG.search(line)))


@functools.lru_cache(maxsize=1024)  # each line is checked two or three times
def name_of_ended(line: str) -> str:
    """The name that a line gives the measurement above it: ``kiwi done``, ``saved to kiwi.txt``; empty for others."""
    if _MAY_END_RUN.search(line.casefold()) is None:
        return ""
    return name_of_finished(line) or name_of_saved(line)


def name_of_finished(line: str) -> str:
    """The name of the thing that a line calls done: ``kiwi done``, ``finished kiwi``; empty for other lines."""
    match = _FINISHED.fullmatch(line)
    name = next(filter(None, match.groups())) if match else ""
    is_name = not (has_only_common_words(name) or find_repeat(name) or _PARTICIPLE.fullmatch(name))
    return name if is_name and not is_step_or_outcome(name) else ""


def is_step_or_outcome(word: str) -> bool:
    """Whether a word is a part of a script or how it went: ``cleanup``, ``ok``."""
    return word.casefold() in _NOT_NAMES


def name_of_saved(line: str) -> str:
    """The name of the file to which a report was written, as a line below the report says; empty for other lines."""
    file = _saved_file(line)
    name = without_suffixes(file)
    return name if name != file else ""  # a graph or a profile is no report


def _saved_file(line: str) -> str:
    """The file that a line says was written; empty for other lines."""
    match = _SAVED.fullmatch(line) if _MAY_SAVE.search(line.casefold()) else None
    return re.split(r"[/\\]", match[1].rstrip("/"))[-1] if match else ""


def says_how_run_went(line: str) -> bool:
    """Whether a line says how a run or a step went, and names nothing: ``that was fast``, ``-- 32 done --``."""
    finished = _FINISHED.fullmatch(line) or _END_OF_SPAN.fullmatch(line)
    return (finished is not None and not name_of_finished(line)) or _COUNTED_END.fullmatch(line) is not None


def is_job_status(line: str) -> bool:
    """Whether a line is what a shell prints of a job in the background: ``[1]+  Done  ./kiwi``."""
    return _JOB_STATUS.match(line) is not None


def is_bisect_step(line: str) -> bool:
    """Whether ``git bisect`` prints a line about the commit that it has checked out: ``[91d3f44] fewer copies``."""
    return _BISECT_STEP.match(line) is not None


def says_server_ended(line: str) -> bool:
    """Whether a program reports that a server has ended."""
    if _JOB_STATUS.match(line):
        return True
    if _MAY_END_SERVER.search(line.casefold()) is None:
        return False
    return _SERVER_END.search(line) is not None and not (_WRITTEN_SENTENCE.search(line) or announces_next(line))


def announces_next(line: str) -> bool:
    """Whether a line announces the next measurement: ``finished kiwi, now emu``."""
    return _ANNOUNCED_NEXT.search(line) is not None
