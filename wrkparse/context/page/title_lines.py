"""Classifies lines by themselves: titles of the runs below them, messages, commands, or output of other tools.

In doubt a line is a title: whether the runs of a source differ by their titles is known only after all are read.
``Testing kiwi ...`` → title=Testing kiwi.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Collection

from wrkparse.context.commands.programs import KNOWN_PROGRAMS, is_tool_command
from wrkparse.context.labels import at_line, labels_of_lines_above, title_labels, variable_labels
from wrkparse.context.nearby.evidence import LINE_SEPARATOR
from wrkparse.context.nearby.log_messages import is_job_status, is_log_message, says_how_run_went
from wrkparse.context.titles.decoration import undecorated
from wrkparse.context.titles.known_names import is_known_name
from wrkparse.context.titles.name_extraction import has_only_common_words, is_sentence
from wrkparse.context.titles.settings.setting_extraction import DATE, MAY_REPEAT, find_repeat
from wrkparse.context.titles.titles import read_title, starts_with_stated_name
from wrkparse.model.records import Label
from wrkparse.text.shell import strip_prompt
from wrkparse.text.wrapping import markup
from wrkparse.text.wrapping.heading_formats import heading_as_markdown

_LONGEST = 60  # characters; a longer line is a sentence
_NO_TITLE_ENDS = (".", "。", ";", ",", "，", "{", "}", "|", ">", "…")
_NO_TITLE_STARTS = ("<", "|", "{", "^")
_MESSAGE = re.compile(
    r"""(?:sleeping|waiting|warming|cooling|killing|stopping|restarting|building|compiling|downloading|installing
    |fetching|cleaning|listening|saving|writing|loading|connect(?:ing|ed)|compiled|finished|stopped|started|killed|ready
    |start|run(?!\ (?:\#?[0-9]|(?:with|without|using|after|before)\b))
    |stop|restart|install|check|use|create|wait|kill|done|ok(?!,?\ \w+\ )|error|warning|failed
    |total|exit(?:ed)?|pid|go\ version|HTTP/[0-9.]{1,3}\ [0-9]{3}
    |server\ (?:started|listening|running|ready|is|stopped))(?![\w-])
    | (?:trace|debug|info|notice|warn|fatal|pass|fail)\Z | (?:remark|note|notice|info|hint|tip|caution|todo|fixme)s?:
    | g?make(?:\[[0-9]{1,3}\])?:\ (?-i:[E*L]) | (?:level|ts|time|request_id|trace_id)= | go:[ ] | [^:$]{1,30}:\s\$\s
    | (?-i:[A-Z][a-z]+(?:-[A-Z][A-Za-z]+)+):\s | (?:\.{0,2}|~)/""",
    re.VERBOSE | re.IGNORECASE,
)
# A new state of something: "server listening", "pod/kiwi-5d4f8 created"; or an error of the shell or the system.
_STATUS = re.compile(
    r"(?:\s|--|==)(?:started|listening|running|ready|stopped|finished|done|ok|failed|killed|created|configured"
    r"|unchanged|deleted|terminated|exited)\W*\Z|\bpanic: |\b(?:command not found|no such file or directory"
    r"|permission denied|connection refused|segmentation fault)\b",
    re.IGNORECASE,
)
# A line of output in columns: "Server Sofware:    nginx", "eth0   up   1000".
_COLUMNS = re.compile(r"\A[\w ./()-]{1,40}:(?:\s{2,}|\t)\S|\S(?:\s{3,}|\t)\S")
# A line of code; no program calls "kiwi(4 workers)", "kiwi(with TLS)" or "Kiwi(Emu)".
_CODE_CALL = re.compile(
    r"(?![A-Z]\w{1,60}\([A-Z][\w.+-]{1,60}\)\Z)"
    r"[A-Za-z0-9_.]{1,60}\((?!with(?:out)? [A-Za-z]|(?:with )?[0-9]{1,7}k? [A-Za-z-]{2,30}\)).{0,200}\)[;,{]?"
)
_RESULT = re.compile(
    r".*:\s*[0-9][0-9.,]{0,20}\s?(?:(?:[mnuµ]?s|%|[kMGT]?i?B(?:/s)?|rps|req(?:uests)?/s(?:ec)?)\Z"
    r"|\[[^\[\]]{1,12}\](?:\Z|\s\())",  # "Requests per second: 42.1 [#/sec] (mean)"
    re.IGNORECASE,
)
# The resources that a server used: "99% 369 MiB", "RSS: 41 MB".
_RESOURCE_USE = re.compile(r"[0-9]{1,3}(?:\.[0-9]{1,2})?\s?%|rss\b\W{0,3}[0-9.]{1,9}\s?[KMGT]i?B?\b", re.IGNORECASE)
# A ruler with a title after it, as scripts print it; "=== RUN" of `go test` has a shorter one.
_RULER = re.compile(r"([=*~_#])\1{7,190}(?=\s?[^\W_])")
_NOTEBOOK_CELL = re.compile(r"(?:In|Out) ?\[[0-9 *]{0,6}\]:?")  # the number of a cell of a notebook
# A command with a remark behind it: "rustc kiwi.rs # 1.68".
_REMARKED_COMMAND = re.compile(r"[a-z][\w.+-]{0,30}(?: \S{1,60}){0,9} [\w./-]{1,60}\.[A-Za-z]{1,5} # \S.*")
_VARIABLES = re.compile(r"[A-Z][A-Z0-9_]*=\S+(?:\s[A-Z][A-Z0-9_]*=\S+)*")  # settings, which need no name
_ARGUMENT = re.compile(r"(?:\A|\s)(?:-|[./~$])\S|[/$=|&>]")
_CONDITION = re.compile(
    r"\b(?:with(?:out)?|using|before|after|w/o?)\s(?:(?!I\b|we\b|you\b|this\b|it\b)\S{1,30}(?:\s|\Z)){1,6}",
    re.IGNORECASE,
)
_ONCE_MORE = re.compile(
    r"\b(?:again|once more|one more (?:time|run)|another (?:go|run|round|try|one|time|pass|attempt|take)"
    r"|(?:second|third|fourth|fifth|[2-9](?:nd|rd|th)) (?:time|run|go|try|attempt|round|pass|take|one\W*\Z)"
    r"|and a (?:second|third|fourth|fifth)|to (?:double-?check|make sure|be (?:sure|safe|certain))|repeat(?:ed|ing)?"
    r"|re-?run(?:ning)?|same as before|nochmals?|noch einmal|erneut|encore une fois|de nouveau|à nouveau|otra vez"
    r"|de nuevo|novamente|ancora una volta|jeszcze raz|ponownie|ещё раз|еще раз|снова|再次|もう一度)(?!\w)",
    re.IGNORECASE,
)
_ASSIGNED = re.compile(r"[^\W_]\s=\s[^\W_]")  # "second time, log = false"
_LAST_EMOJI = re.compile(r"(?<=\w)\s{1,3}([\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001faff]{1,9})\ufe0f?[\s:]*\Z")
_BRACKET_ENDS = (")", "]")  # of a line with a number of a repeat: "kiwi (3)"
# Finds one in each ASCII line, in lower case, that is a repeat and does not end in such a bracket. Searching for the
# whole patterns takes longer.
_MAY_BE_REPEAT = re.compile(
    f"{MAY_REPEAT.pattern}|again|more|another|second|third|fourth|fifth|repeat|re-run|rerun|same|noch|erneut|encore"
    "|nouveau|otra|nuevo|novamente|ancora|jeszcze|ponownie|nd |rd |th |to "
)
_BACK_TO = re.compile(r"\bback to\b", re.IGNORECASE)
_AGAIN = re.compile(f"{_ONCE_MORE.pattern}|{_BACK_TO.pattern}", re.IGNORECASE)
_WORD = re.compile(r"[^\W_](?:[\w.+#/-]*[\w+#])?")
# Words for a change in a sentence with "again": "I dropped the index and ran it again" is not a repeat.
_CHANGE = re.compile(
    r"\b(?!repeat|(?:some|any|every|no)?thing\b|re-?run|need|wait|test|measur|benchmark|run|bor(?:ed|ing)|dur|morn|even|tr[iy]|start|noth)\w{2,20}(?:ed|ing)\b"
    r"|\b(?:built|rebuilt|put|set|took|made|cut|on|off|instead|but|no|not|fewer|less|larger|smaller|bigger|different|other"
    r"|old|older)\b",
    re.IGNORECASE,
)
# Words that a person exclaims; English has few of them.
_EXCLAMATION = re.compile(
    r"(?:a+r*gh|a+ha|dam[mn]it|damn|h+m+|huh|lol|meh|no+pe|oh|oo+ps|ouch|phew|sigh|ugh|whoa|wow|wtf|yay|yikes)"
    r"(?:\Z|[\s,.!?…])",
    re.IGNORECASE,
)
_ENDS_OF_SENTENCES = ":：."
_SENTENCE_END = re.compile(r"(?<=[^.\s][.!?])\s+")
# "Sure." in front of "Without the patch:".
_SENTENCE_BEFORE = re.compile(r"\A[A-Z][a-z]{3,30}(?:\s[A-Za-z']{1,30}){0,9}(?<=[a-z]{3})[.!?]\s+(?=[A-Z])")
_CAPTION = re.compile(
    r"([*_])(?!\1)\S.{0,200}(?<!\1)\1|(?:listing|figure|fig\.|output)\s?[0-9]{0,3}\s?[:.–-]\s.{1,200}", re.IGNORECASE
)
FIRST_OF_CAPTION = "*_lLfFoO"
_MOST_WORDS_OF_REPEAT = 14  # words of a sentence that says only that a run is a repeat
_ARROW_SIGNS = (">>", "==>", "=>", "▶", "►", "■", "◆", "»")
# Signs on both sides, or brackets; not "--- a/file" of a diff, nor the comment of a script.
_FRAMED_TITLE = re.compile(
    r"(?!\*{1,2}[^*\s]|_{1,2}[^_\s])([=*#~_+|│┃<>-])\1{0,90}\s?\S.*\S\s?[=*#~_+|│┃<>-]|\[[^\[\]]{1,60}\]|【[^【】]{1,60}】"
)
# A program with its path, which is a command without signs around it.
_PROGRAM = re.compile(r"(?:\.\.?|~)?(?:/[\w.+-]{1,40}){1,9}")
_ECHO = re.compile(
    r"(?:\+{1,3} )?echo (?:(?P<quote>['\"])(?P<quoted>[^'\"$`]{1,60})(?P=quote)"
    r"|(?P<bare>[^'\"$`|;&<>-][^'\"$`|;&<>]{0,59}))"
)
_LEADING_VERB = re.compile(r"(?:now\s+)?(?:testing|benchmarking|measuring)\s+(?=\S)", re.IGNORECASE)
# The beginning of each banner: a sign, or the verb of a script; a quick test.
MAY_BE_BANNER = re.compile(r"[\W_]|now\s|testing\s|benchmarking\s|measuring\s|running\s", re.IGNORECASE)
# "Running on a 8 cpu machine" describes the machine of all runs below it.
_OF_MACHINE = re.compile(r"[`*_]{0,3}running on an? [0-9]{1,4}[- ](?:v?cpus?|cores?)\b", re.IGNORECASE)
_PROGRESS_DOTS = re.compile(
    r"((?:now\s+)?(?:running|testing|benchmarking|measuring)\s.*\S)\s?(?:\.{3}|…)", re.IGNORECASE
)
_SETTING = re.compile(r"[A-Za-z_]\w{0,40}=[^\s,;()]{1,40}")


def without_progress(text: str) -> str:
    """A line without the dots of a program that announces a measurement: ``Running benchmark for kiwi ...``."""
    match = _PROGRESS_DOTS.fullmatch(text)
    return match[1] if match else text


def script_announcement(text: str) -> str:
    """The text that a command of a script prints, ``+ echo 'Kiwi (release):'``, or a comment after a prompt.

    Empty for other lines.
    """
    if text.startswith(("+", "echo ")):
        match = _ECHO.fullmatch(text)
        return (match["quoted"] or match["bare"]).strip() if match else ""
    if " # " in text and text[0] != "#" and (behind := strip_prompt(text)) and behind.startswith("# "):
        return behind[2:].strip()
    return ""


def may_be_title(text: str) -> bool:
    """Whether a line has the length and the ends of a title, no columns, and is no log message and no figure.

    Settings do not count: ``# the service with its settings (HTTP_THREADS_COUNT=1, HTTP_QUEUE_CAPACITY=10)``.
    """
    ruler = _RULER.match(text)
    length = len(text) - (ruler.end() if ruler else 0)
    if (
        (length > _LONGEST and length - sum(map(len, _SETTING.findall(text))) > _LONGEST)
        or text.endswith(_NO_TITLE_ENDS)
        or text.startswith(_NO_TITLE_STARTS)
    ):
        return False
    return _COLUMNS.search(text) is None and not (is_log_message(text) or (text[-1:] == ")" and markup.is_figure(text)))


@functools.lru_cache(maxsize=1024)  # a log repeats its lines
def title_of_line(text: str) -> str:
    """The title in a line, without decoration; empty if the line is a sentence, a message, a command or output."""
    title = undecorated(text).rstrip(":： ").strip()
    if text.endswith(":"):
        title = _SENTENCE_BEFORE.sub("", title)
    if markup.is_block_macro(text) or _VARIABLES.fullmatch(title):
        return ""
    if _PROGRAM.fullmatch(title) and _FRAMED_TITLE.fullmatch(text):
        return title
    if not title or is_message_or_result(title) or says_how_run_went(title):
        return ""
    first, *arguments = title.split()
    # "time ./hello" is a command, even with an unknown program
    if (first == "time" and arguments) or _REMARKED_COMMAND.fullmatch(title) or is_tool_command([first, *arguments]):
        return ""
    if first in KNOWN_PROGRAMS and not is_known_name(first) and _ARGUMENT.search(" ".join(arguments)):
        return ""
    read = read_title(text)
    if read.name or read.settings:
        return title
    return _condition_in_sentence(title) if text.endswith((":", "：")) else ""


def is_message_or_result(text: str) -> bool:
    """Whether a line is a message of a log or a program, a result, or code: ``listening on :80``, ``rate: 3 ms``."""
    stamped = DATE.match(text)
    if (
        (stamped and ":" in stamped[0])
        or is_log_message(text)
        or is_job_status(text)
        or _CODE_CALL.fullmatch(text)
        or _NOTEBOOK_CELL.fullmatch(text)
    ):
        return True
    return bool(_MESSAGE.match(text) or _STATUS.search(text) or _RESULT.match(text) or _RESOURCE_USE.match(text))


def _condition_in_sentence(sentence: str) -> str:
    """The condition in a sentence above a run: ``Here the same with the patch applied:``; empty without one."""
    match = _CONDITION.search(sentence)
    return "" if match is None or is_sentence(match[0]) else match[0].strip()


def repeated_names(text: str, names: Collection[str]) -> list[str]:
    """Those of some names in lower case that a line that is a repeat repeats: ``Nochmal kiwi:``, ``back to kiwi``.

    A name may have more words than the line has; then the shortest such name is meant. Empty if no word is of a name.
    """
    words = _telling_words(_AGAIN.sub(" ", text).casefold())
    shared = {name: common for name in (names if words else ()) if (common := words & _telling_words(name))}
    whole = frozenset[str]().union(*shared.values())
    fitting = {name: len(_telling_words(name)) for name, common in shared.items() if common == whole}
    return [name for name, size in fitting.items() if size == min(fitting.values())] or list(shared)


@functools.lru_cache(maxsize=1024)  # they are asked for at each line that repeats a run
def _telling_words(text: str) -> frozenset[str]:
    """The words of a text in lower case, without those of any document or sentence."""
    return frozenset(word for word in _WORD.findall(text) if not has_only_common_words(word))


def goes_back(text: str) -> bool:
    """Whether a line says that something before it follows once more: ``back to kiwi``; not ``fallback to kiwi``."""
    return "ack to " in text and _BACK_TO.search(text) is not None


def is_exclamation(text: str) -> bool:
    """Whether a line begins with an exclamation about a result: ``hmm, noisy``, ``oops``."""
    return _EXCLAMATION.match(text) is not None


def is_caption(text: str) -> bool:
    """Whether a line has the form of a caption: ``*kiwi*``, ``Listing 1: kiwi``."""
    return text[0] in FIRST_OF_CAPTION and _CAPTION.fullmatch(text) is not None


def is_repeat(text: str) -> bool:
    """Whether a line says only that the run below is a repeat: ``run 2``, ``And once more:``.

    In a paragraph the last sentence must say so, and the others must not report a change.
    """
    if len(text) > _LONGEST:
        if text[-1] not in _ENDS_OF_SENTENCES:
            return False
        *others, last = _SENTENCE_END.split(text)
        before = " ".join(others)
        return bool(before) and not _CHANGE.search(before) and not _CONDITION.search(before) and is_repeat(last)
    return _is_short_repeat(text)


@functools.lru_cache(maxsize=1024)  # a log repeats its lines
def _is_short_repeat(text: str) -> bool:
    """Whether a line that is not a sentence only counts or repeats: ``Run 2``."""
    if text.isascii() and text[-1:] not in _BRACKET_ENDS and _MAY_BE_REPEAT.search(text.lower()) is None:
        return False
    if _ONCE_MORE.search(text):
        changed = _CONDITION.search(text) or _CHANGE.search(_ONCE_MORE.sub("", text)) or _ASSIGNED.search(text)
        return not changed and len(text.split()) <= _MOST_WORDS_OF_REPEAT
    if find_repeat(text) is None:
        return False
    read = read_title(text)
    return bool(read.repeat) and not (read.name or read.settings or read.possible_settings or read.numbers)


def is_banner(text: str, *, marked: bool) -> bool:
    """Whether a line is a banner, which holds for all runs up to the next one.

    Signs or brackets decorate it, or it describes the machine.
    `marked`: the signs around it were removed before.
    """
    decorated = marked or text.startswith(_ARROW_SIGNS) or _RULER.match(text) or _FRAMED_TITLE.fullmatch(text)
    return bool((decorated or _OF_MACHINE.match(text)) and title_of_line(text))


def announces_measurement(text: str) -> bool:
    """Whether a line announces the measurements below it: ``Testing nginx with 2 workers``."""
    return _LEADING_VERB.match(text) is not None and bool(read_title(text).name) and bool(title_of_line(text))


def names_run_behind_prefix(text: str) -> bool:
    """Whether the form of a line behind the stamp of a log shows that it names the runs below; others are messages.

    It is a heading, a group, ``target: kiwi``, ``run 2``.
    """
    return (
        is_repeat(text)
        or starts_with_stated_name(text)
        or announces_measurement(without_progress(text))
        or markup.parse_heading(heading_as_markdown(text, is_org=False)) is not None
    )


def labels_of_line(title: str, text: str, line: int, *, heading: bool = False) -> list[Label]:
    """The labels of a line by itself; `title` is its `text` without marks."""
    return [*at_line(title_labels(title, heading=heading), line, text), *title_label(title, text, line)]


def title_label(title: str, text: str, line: int) -> list[Label]:
    """The label ``title`` of a line by itself, with the emoji behind it; empty if the line is not a title."""
    name = title_of_line(title)
    if name and not title.isascii() and (emoji := _LAST_EMOJI.search(title)):
        name = f"{name} {emoji[1]}"
    return [Label("title", name, "heading", line, text, "title")] if name else []


def labels_above_trace(lines: str, line: int) -> list[Label]:
    """The labels of the lines above a trace, the last of which has the number `line`.

    They are the text of the lines, and variables in the last line. Other settings there may belong to any program.
    """
    last = lines.rpartition(LINE_SEPARATOR)[2]
    return [
        *(variable_labels(last, line) if "=" in last and may_be_title(last) else ()),
        *labels_of_lines_above(lines, line),
    ]
