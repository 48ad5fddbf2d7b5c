"""Rewrites headings of other formats as Markdown: Org mode, Jira, LaTeX, BBCode, callouts, job logs, tests, JSON."""

from __future__ import annotations

import html
import re

# The beginning of a line that may be a heading of another format, or have the prefix of a log; a quick test.
MAY_BE_FORMATTED = re.compile(
    r"[0-9\[\\:\"{/]|h[1-6]\.|##\[|==>|##teamcity\[|section_|[A-Z][a-z]{2}\s|[\w.-]{1,60}\s{0,30}\|"
    r"|~~~ :|--- \S|travis_|\./|(?:ok|changed): \["
)
_GROUP = re.compile(r"(?:##\[group\]|::group::)(?:Run )?(?=\S)")
# A step that checks out a branch, a tag or a commit for the steps after it, not a file (``checkout -- a``).
_CHECKOUT = re.compile(
    r"(?:##\[group\]|::group::)Run git (?:checkout|switch)(?: --?[A-Za-z][a-z-]{0,20}){0,3} ([\w.][\w./@-]{0,80})"
)
_GROUP_END = ("##[endgroup]", "::endgroup::")
_JOB_SIGNS = ("section_", "travis_fold:", "##teamcity[", "##[section]")
# A step of Azure Pipelines: "##[section]Starting: bench kiwi".
_STEP = re.compile(r"##\[section\](?:(Starting): )?(.*)")
# The same in the log of a job of GitLab, with a title after the name: "section_start:1700000000:bench_kiwi".
_SECTION = re.compile(r"section_(start|end):[0-9]{1,20}:([\w.-]{1,100})(?:\[[^\[\]]{0,100}\])?")
# The same of Travis CI: "travis_fold:start:bench.kiwi", where the first part is the phase of the job.
_FOLD = re.compile(r"travis_fold:(start|end):(?:\w{1,40}\.(?=[^\W\d]))?([\w.-]{1,100})")
# A group of Buildkite, "~~~ :rocket: kiwi", which would begin a block of code; and a module that Maven works on.
_EMOJI_GROUP = re.compile(r"~~~ (?::[\w+-]{1,40}: ?)+(?=\S)")
_MAVEN_MODULE = re.compile(r"(?:\[INFO\] )?--- [\w.-]+(?::[\w.-]+){1,4} \([\w.-]+\) @ ([\w.-]{1,100}) ---")
# A host at which a task of Ansible was run, with its result below: "ok: [kiwi] => {".
_TASK_HOST = re.compile(r"(?:ok|changed): \[([\w.@-]{1,100})\](?: => .{0,40})?")
# A tab of a page of Hugo: {{< tab "kiwi" >}}; other such marks only control the layout.
_SHORTCODE = re.compile(r"\{\{[<%] .{1,200} [%>]\}\}")
_TAB = re.compile(r"""\{\{[<%] tab(?:item)? [^"']{0,40}["']([^"']{1,100})["'] .{0,100}?[%>]\}\}""", re.IGNORECASE)
# A message of TeamCity, with a test or a block that begins or ends; | escapes a sign.
_TEAMCITY = re.compile(
    r"##teamcity\[(?:(testSuiteStarted|testStarted|blockOpened) (?:[^']{0,60}'(?:[^'|]|\|.){0,200}' ){0,9}?"
    r"name='((?:[^'|]|\|.){1,200})'.*|(testSuiteFinished|testFinished|blockClosed)\b.*|.*)\]"
)
# An element of JUnit's XML that begins or ends. Behind it is another one; behind one in a sentence are words.
_TEST = re.compile(r"<(/?)test(case|suite)(?:\s([^<>]{1,1000}))?>(?=\s{0,9}(?:<|\Z))")
# "test_load[kiwi-0]"; digits alone, "a[0]", name nothing
_PARAMETERS = re.compile(r"([\w.]{1,100})\[(?=[^\[\]]{0,60}[A-Za-z])([^\[\]]{1,200})\]")
_LEVELS = {"suite": ((1, "name"),), "case": ((2, "classname"), (3, "name"))}
_XML_NAMES = re.compile(r"""\s(name|classname)\s?=\s?(?:"([^"<>]{1,200})"|'([^'<>]{1,200})')""")
# What pytest prints above the output of a test: its name between lines, and which output it is.
PYTEST_SIGNS = ("___", "---")
_PYTEST = re.compile(
    r"(?:_{3,200} (?P<titled>\S(?:.{0,200}\S)?) _{3,200}|-{3,200} Captured std(?:out|err) \w{4,8} -{3,200}"
    r"|[\w./-]{1,200}\.py::(?:\w{1,100}::){0,4}(?P<begun>\w{1,100}(?:\[[^\[\]]{1,200}\])?))\s*"
)
# What head and tail print above each of several files.
_FILE = re.compile(r"==> (?:\./)?((?:\S.{0,200}/)?)([^/\s][^/]{0,100}) <==")
_SUFFIX = re.compile(r"(?<=.)\.[A-Za-z]{1,4}\Z")  # of a file
# A file of output by its path, as find, more and scripts print it above its text: "./kiwi/wrk.log:".
_PATH_OF_FILE = re.compile(r"\.?/((?:[\w.@+=-]{1,60}/){0,9}[\w.@+=-]{1,100}\.(?:log|out|txt)):?")
_ORG_HEADING = re.compile(r"(\*{1,6}) (?=\S)")
_ORG_KEYWORD = re.compile(r"#\+[A-Za-z_]{2,30}(?::|\s|\Z)")  # "#+TITLE: Kiwi", "#+begin_src sh"
_ORG_STATE = re.compile(r"(?:TODO|DONE|NEXT|WAITING|CANCELLED)\s+(?:\[#[A-Z]\]\s+)?(?=\S)")  # of a task
_ORG_TAGS = re.compile(r"(?<=\S)\s{1,40}:(?:[\w@#%]{1,40}:){1,9}\Z")  # "* kiwi  :bench:wip:"
_JIRA_HEADING = re.compile(r"h([1-6])\. (?=\S)")
_LATEX_HEADING = re.compile(r"\\((?:sub){0,2}section|chapter|paragraph)\*?\{([^{}]{1,200})\}")
_LATEX_LEVELS = {"chapter": 1, "section": 2, "subsection": 3, "subsubsection": 4, "paragraph": 5}
_BB_BOLD = re.compile(r"\[b\]([^\[\]]{1,80})\[/b\]:?", re.IGNORECASE)
_CALLOUT = re.compile(r"\[![a-z]{1,20}\][+-]? (?=\S)", re.IGNORECASE)  # of Obsidian and GitHub, in a quotation
# What make prints when it works in a directory for a while: "make[1]: Entering directory '/src/kiwi'".
_MAKE_DIRECTORY = re.compile(
    r"g?make(?:\[([0-9]{1,2})\])?: (?:(Entering)|Leaving) directory [`'](?:.{0,300}/)?([^/']{1,100})/?'"
)
_JSON_KEY = re.compile(r'"([^"\\]{1,80})":\s{0,4}[\[{"]')  # above or in front of the values that belong to it


def heading_as_markdown(line: str, *, is_org: bool) -> str:
    """A line with the Markdown mark of its heading; empty for lines that only control the layout.

    A step that checks out a branch is a heading above the steps after it, which build and measure that branch. A group
    of a log continues after its end: GitHub folds the commands of a step into a group, with the output below it.
    """
    if "group" in line or line.startswith(_JOB_SIGNS):
        line = _job_group_heading(line)
    match line[:1]:
        case "=" if file := _FILE.fullmatch(line):
            return f"==> {file[1]}{_SUFFIX.sub('', file[2])} <=="
        case "." | "/" | "{" | "o" | "c" | "~" | "-":
            return _printed_heading(line)
        case "h" if heading := _JIRA_HEADING.match(line):
            return f"{'#' * int(heading[1])} {line[heading.end() :]}"
        case "\\" if heading := _LATEX_HEADING.fullmatch(line):
            return f"{'#' * _LATEX_LEVELS[heading[1]]} {heading[2]}"
        case "[" if heading := _BB_BOLD.fullmatch(line):
            return f"**{heading[1].strip()}**"
        case '"' if key := _JSON_KEY.fullmatch(line):
            return f"{key[1]}:"
        case "[" if heading := _CALLOUT.match(line):
            return f"**{line[heading.end() :]}**"
        case "[" if line.startswith("[INFO] --- "):
            return _printed_heading(line)
    return _org_as_markdown(line) if is_org else line


def _printed_heading(line: str) -> str:
    """The same for a file by its path, a host of Ansible, a module of Maven, a tab of Hugo, a group of Buildkite."""
    if file := _PATH_OF_FILE.fullmatch(line):
        return f"==> {_SUFFIX.sub('', file[1])} <=="
    if host := _TASK_HOST.fullmatch(line):
        return f"=== {host[1]} ==="
    if module := _MAVEN_MODULE.fullmatch(line):
        return f"=== {module[1]} ==="
    if tab := _TAB.fullmatch(line):
        return f"**{tab[1]}**"
    if group := _EMOJI_GROUP.match(line):
        return f"--- {line[group.end() :]} ---"
    return "" if _SHORTCODE.fullmatch(line) else line


def _org_as_markdown(line: str) -> str:
    """The same for a line of Org mode."""
    if _ORG_KEYWORD.match(line):
        return ""
    if (heading := _ORG_HEADING.match(line)) is None:
        return line
    title = _ORG_TAGS.sub("", _ORG_STATE.sub("", line[heading.end() :]))
    return f"{'#' * len(heading[1])} {title}"


def test_headings(line: str) -> list[tuple[int, str]]:
    """The headings of the tests and suites of JUnit's XML that begin or end in a line: their levels and texts.

    A suite has the first level, the class of a test the second one, its name the third one, and the parameters of
    pytest (``test_load[kiwi-0]``) the fourth one. The text is empty if an element ends: what follows is not of it.
    """
    found: list[tuple[int, str]] = []
    for end, kind, attributes in _TEST.findall(line) if "test" in line else ():
        levels = _LEVELS[kind]
        if end or attributes.endswith("/"):
            found.append((levels[0][0], ""))
            continue
        names = {key: html.unescape(double or single) for key, double, single in _XML_NAMES.findall(f" {attributes}")}
        found = _with_parameters([*found, *((level, names[key]) for level, key in levels if key in names)])
    return found


def pytest_headings(line: str) -> list[tuple[int, str]] | None:
    """The same for a line that pytest prints above the output of a test; None for any other line.

    With ``-s``, the output is below ``bench.py::test_load[kiwi]``.
    """
    if (printed := _PYTEST.fullmatch(line)) is None:
        return None
    name = printed["titled"] or printed["begun"]
    return _with_parameters([(3, name)]) if name else []


def _with_parameters(headings: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """Headings of tests, with the parameters in the last one as one more."""
    if not headings or (parameters := _PARAMETERS.fullmatch(headings[-1][1])) is None:
        return headings
    level = headings[-1][0]
    return [*headings[:-1], (level, parameters[1]), (level + 1, parameters[2])]


def make_directory(line: str) -> tuple[int, str] | None:
    """The level and the name of a directory that make enters, which is a heading above what it prints there.

    The name is empty if make leaves the directory; None for other lines. A make below another one has a deeper level.
    """
    match = _MAKE_DIRECTORY.fullmatch(line)
    return (1 + int(match[1] or 0), match[3] if match[2] else "") if match else None


def json_key(line: str) -> str:
    """The key of an object or a list of JSON that begins in a line; empty for other lines."""
    key = _JSON_KEY.fullmatch(line)
    return key[1] if key and line[-1] != '"' else ""


def _job_group_heading(line: str) -> str:
    """The heading of a line that begins a group, section or test in the log of a job; empty for a line that ends it."""
    if line in _GROUP_END:
        return ""
    if checkout := _CHECKOUT.fullmatch(line):
        return f"# {checkout[1]}"
    if step := _STEP.match(line):
        return f"## {step[2]}" if step[1] else ""
    if section := _SECTION.match(line):
        return "" if section[1] == "end" else f"## {line[section.end() :].strip() or section[2]}"
    if fold := _FOLD.match(line):
        return "" if fold[1] == "end" else f"## {fold[2]}"
    if message := _TEAMCITY.fullmatch(line):
        name = re.sub(r"\|(.)", r"\1", message[2] or "")
        begun_or_ended = message[1] or message[3] or ""
        level = "###" if begun_or_ended in ("testStarted", "testFinished") else "##"  # "#" may be a comment's
        return f"{level} {name}".rstrip() if begun_or_ended else ""
    return _GROUP.sub("## ", line)


# The container before a line of a log.
_LOG_PREFIX = re.compile(
    r"""(?:\[pod/[\w./-]{1,120}\]\s{1,4}
    | [\w.-]{1,60}\s{0,30}\|\s
    )(?=\S)""",
    re.VERBOSE,
)


def without_log_prefix(line: str) -> str:
    """A line of a log without the container before it."""
    match = _LOG_PREFIX.match(line)
    return line[match.end() :] if match and line.count("|") < 2 else line


# The time before a line of notes, "14:05  default" or "14:05 - default". Programs print seconds, or brackets around the
# time; in a chat the author follows, and "14:05 up 3 days" is printed by uptime.
_CLOCK = re.compile(
    r"""(?:[01]?[0-9]|2[0-3]):[0-5][0-9](?:h|\ ?[ap]m)?(?::?[ \t]{1,8}(?:[-–—|][ \t]{1,4})?|\ ?[-–—]\ )
    (?=[^\s<(\[@:|–—-]|-{1,2}[A-Za-z])(?!@?[\w.-]{1,20}:\ )(?!up\ [0-9])""",
    re.VERBOSE,
)

# The time and the author of a message in an export of WhatsApp, "[28.11.25, 10:04:11] Anna: ", "28/11/2025, 10:04 -
# Anna: ", and in the log of a chat, "10:04 <anna> ".
_AUTHOR = re.compile(
    r"""\[?[0-9]{1,2}[./][0-9]{1,2}[./][0-9]{2,4},\ [0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?(?:\s[ap]\.?m\.?)?(?:\]|\ -)
    \ [^\W\d_][\w\ .'+-]{0,40}:\ (?=\S)
    | \[?[0-9]{1,2}:[0-9]{2}(?::[0-9]{2})?\]?\ <[@+%~&]?[^<>\s]{1,40}>\ (?=\S)""",
    re.VERBOSE | re.IGNORECASE,
)
_NAME_AGAIN = re.compile(r"([^\s.:!?][^.:!?]{0,38}?),?\s+again", re.IGNORECASE)
# First words of notes that repeat the run before.
_REPEAT_WORDS = frozenset(
    """and back did do here i it let let's measured now ok once ran repeated run running same so started test tested
    that the then this trying we yet""".split()
)


def without_clock(line: str) -> str:
    """A line of notes without the hour and minute before it, and one of a chat without its author.

    ``heron again`` is heron, which one of the earlier titles names; ``same again`` stays unchanged.
    """
    match = _CLOCK.match(line) or _AUTHOR.match(line)
    if not match:
        return line
    note = line[match.end() :]
    repeated = _NAME_AGAIN.fullmatch(note)
    return repeated[1] if repeated and repeated[1].split()[0].casefold() not in _REPEAT_WORDS else note
