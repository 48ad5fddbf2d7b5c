"""Splits command lines of logs and pages into prompt, environment, wrappers, program and arguments.

Nothing is executed.
"""

from __future__ import annotations

import functools
import re
import shlex
from dataclasses import dataclass, field

# One alternative for each kind of prompt, with an example; a command must follow.
_PROMPT = re.compile(
    r"""(?:\([\w.-]{1,40}\)\ +)?                                     # (venv) before any of these
        (?: (?: [\w.-]{1,64}@[\w.-]{1,64}(?:[: ][^\s$\#%>]{0,200})?  # user@host:~/dir$
                (?:\ [(\[][^()\[\]]{1,60}[)\]])?\s?[$\#%>]           # user@host:~/dir (main)$
              | [\w.-]{1,64}:[^\s$\#%>]{1,200}\ [\w.-]{1,64}[$\#%]   # host:dir user$
              | \[[^\]]{1,120}\][$\#%]                               # [user@host dir]$
              | \[[\w.-]{1,64}@[^\]]{1,120}\]\ [$\#%]                # [user@host dir] $
              | [\w.-]{1,64}@[~/][^\s$\#%>]{0,200}[$\#%>]            # user@~/dir>
              | ~(?=\ +[A-Za-z][\w.-]{0,40}\ +-{1,2}[A-Za-z])          # ~ wrk -c64
              | [~/][^\s$\#%>]{0,200}\ ?[$\#%]                       # ~/dir $, and "/ #" in a container
              | task:\ \[[\w:./-]{1,80}\]                             # as go-task prints a command
              | ~(?:/[^\s$\#%>]{0,200})?>                            # ~/dir>
              | (?:bash|sh|zsh)-[0-9.]{1,8}[$\#]
              | [^❯]{0,120}❯{1,3}                                    # ~/dir main ❯
              | ➜(?:\ \ [^\s]{1,100}(?:\ git:\([^()]{1,60}\)(?:\ ✗)?)?)? | [➜»›]
              | [^\ue0b0]{0,120}\ue0b0(?:[^\ue0b0]{0,120}\ue0b0){0,4}  # powerline
              | [$\#%>]
              | \+{1,4}(?!.*\ \++\Z)                                  # set -x; not "++ kiwi ++"
            )\ +
          | (?:PS\ )?[A-Z]:\\[^<>|"]{0,200}>\ *                      # C:\dir>
          | In\ \[[0-9]{1,6}\]:\ *!\ *                              # In [3]: !kiwi, of IPython
        )(?=[^\s-])(?!https?:)""",
    re.VERBOSE,
)
PROMPT_ENDS = "$❯➜"  # last signs of a prompt that no text, heading or quotation ends in
# A prompt in front of a text that need not be a command: up to two words, and one with such a sign at its end.
FRONT_PROMPT = re.compile(rf"(?:[^\s{PROMPT_ENDS}]{{1,60}} ){{0,2}}[^\s{PROMPT_ENDS}]{{0,60}}[{PROMPT_ENDS}] ")
# "host$ ", and "name >>> " before an option or a path; not "US$ 30", "Phase >>> warm-up"
_ONE_WORD_PROMPT = re.compile(r"[A-Za-z][\w.-]{0,63}(?:\$|\ ?>>>(?=.*(?:\s-\w|/)))\ +(?=[^\s\d-])(?!https?:)")
# Each prompt has one of these; this search takes less time than `_PROMPT`.
_PROMPT_SIGN = re.compile("[$#%>❯➜»›\ue0b0+]")
_WITHOUT_SIGN = ("task: [", "In [", "~ ")  # the beginnings of prompts without such a sign
_ASSIGNMENT = re.compile(r"([A-Za-z_][A-Za-z0-9_]{0,63})=(.*)", re.DOTALL)  # GOGC=off; the value may be empty
_QUOTING = re.compile(r"[\"'\\]")
_SEPARATORS = frozenset({"&&", "||", ";", "|", "&"})
_SEPARATOR_SIGNS = re.compile("[;&|]")
# Reserved words of the shell, before a command or instead of a command.
_OPENING_WORDS = frozenset("do then else if elif while until { !".split())
_CLOSING_WORDS = frozenset("for case done fi esac }".split())
# ">out.txt", "2>&1", "&>>all.log", "<orders.txt"
_REDIRECTION = re.compile(r"[0-9&]?(?:>>?|<)&?.*", re.DOTALL)
_LONGEST = 4000  # characters; a longer line is data, not typed

# Programs that run another one → their options that take a value. Start-Process is one of PowerShell.
_WRAPPERS: dict[str, frozenset[str]] = dict.fromkeys(
    "nohup Start-Process busybox unbuffer setsid chrt prlimit setarch taskset".split(), frozenset[str]()
) | {
    "sudo": frozenset({"-u", "-g", "-C", "-h", "-p"}),
    "doas": frozenset({"-u", "-C"}),
    **dict.fromkeys(("npx", "bunx"), frozenset({"-p", "--package"})),
    "exec": frozenset({"-a"}),
    "env": frozenset({"-u", "-C", "-S", "--unset", "--chdir"}),
    "time": frozenset({"-f", "-o", "--format", "--output"}),
    "gtime": frozenset({"-f", "-o", "--format", "--output"}),
    "nice": frozenset({"-n"}),
    "ionice": frozenset({"-c", "-n"}),
    "stdbuf": frozenset({"-i", "-o", "-e"}),
    "cpulimit": frozenset({"-l", "-e", "-p", "-P", "--limit"}),
    "timeout": frozenset({"-s", "-k", "--signal", "--kill-after"}),
    "numactl": frozenset({"-C", "-N", "-m", "-p", "--physcpubind", "--cpunodebind", "--membind", "--preferred"}),
}
_SHELL_KEYWORDS = frozenset({"do", "then", "else", "!", "{", "("})  # for i in 1 2 3; do wrk …; done
COMMAND_PREFIXES = frozenset({"export", *_WRAPPERS, *_SHELL_KEYWORDS})  # words before a program
_WRAPPERS_WITH_OPERAND = frozenset({"timeout", "taskset", "chrt"})  # "taskset -c 0-3 cmd": switches, then one operand


@dataclass(frozen=True, slots=True)
class Command:
    """One command: ``GOGC=off taskset -c 0 ./hello`` runs the program ``hello`` under the wrapper ``taskset``."""

    text: str  # the whole line, which may contain more commands
    path: str = ""  # the program as it was typed; empty for assignments alone
    args: tuple[str, ...] = ()
    env: dict[str, str] = field(default_factory=dict)  # assignments before the program, or exported
    wrappers: tuple[tuple[str, ...], ...] = ()  # the words of each, from the outermost
    background: bool = False
    stdin: str = ""  # the file that is its input: ``./hello < orders.txt``
    program: str = field(init=False)  # its name without directories; empty for assignments alone

    def __post_init__(self) -> None:
        """Take the name from the path once, because it is used ten times for each command."""
        object.__setattr__(self, "program", self.path.rsplit("/", 1)[-1])

    @property
    def typed(self) -> str:
        """The program and its arguments, quoted as one would type them."""
        return " ".join(map(_quote_word, (self.path, *self.args)))

    @property
    def has_url(self) -> bool:
        """Whether an argument is a URL, which only a client has."""
        may_have_one = "://" in self.text or "URL" in self.text  # few commands have one, and several rules ask for it
        return may_have_one and any(arg.startswith(("http://", "https://", "${URL", "$URL")) for arg in self.args)

    @property
    def has_option(self) -> bool:
        """Whether an option is among the arguments of the program or of a wrapper."""
        words = (*self.args, *(word for wrapper in self.wrappers for word in wrapper[1:]))
        return any(re.match(r"--?[A-Za-z]", word) for word in words)

    def args_of(self, names: frozenset[str]) -> tuple[str, ...]:
        """The arguments of the program if it is one of `names`, else those of such a wrapper (``time -v`` ./a)."""
        if self.program in names:
            return self.args
        return next((words[1:] for words in self.wrappers if words[0] in names), self.args)


def _quote_word(word: str) -> str:
    """A word quoted for a command line: ``"a 'b'"``."""
    quoted = shlex.quote(word)
    return f'"{word}"' if quoted != word and "'" in word and not re.search(r'["$`\\!]', word) else quoted


def strip_prompt(text: str) -> str | None:
    """The command after the shell prompt of a line; None if the line has no prompt."""
    return _command_after_prompt(text) if text.startswith(_WITHOUT_SIGN) or _PROMPT_SIGN.search(text) else None


@functools.lru_cache(maxsize=1024)  # a log repeats its commands
def _command_after_prompt(text: str) -> str | None:
    match = _PROMPT.match(text)
    if match is None and ("$ " in text or ">>> " in text):
        match = _ONE_WORD_PROMPT.match(text)
    return text[match.end() :].strip() if match else None


def is_empty_prompt(text: str) -> bool:
    """Whether a line is a prompt with the name of a user and nothing after it: ``ann@lab:~$``."""
    return text[-1:] in ("$", "#") and "@" in text and strip_prompt(f"{text} x") == "x"


# A variable of tcsh, which programs do not inherit: set time=(10 "%E %P")
_SET_TIME = re.compile(
    r"""set\s{1,9}time\s{0,9}=\s{0,9}\(\s{0,9}[0-9]{1,9}\s{1,9}(?:"([^"]{1,1000})"|'([^']{1,1000})')\s{0,9}\)"""
)


@functools.lru_cache(maxsize=1024)  # a log repeats its commands
def parse_commands(text: str) -> tuple[Command, ...]:
    """The commands of one line, in order; empty for a blank line, or one that is too long to be typed."""
    if len(text) > _LONGEST:
        return ()
    if set_time := _SET_TIME.match(text):
        return (Command(text, env={"TCSH_TIME": set_time[1] or set_time[2]}),)
    found: list[Command] = []
    words: list[str] = []
    plain = _without_forms_of_windows(_BRACKETED_REMARK.sub("", text) if text[-1:] in _BRACKET_ENDS else text)
    if "(" in text:
        plain = _ARRAY.sub(lambda match: f"{match[1]}{shlex.quote(match[2])}", _COUNTER_LOOP.sub("for _", plain))
    # the last ";" ends the last command
    for word in [*_split_words(plain), ";"]:
        if word not in _SEPARATORS:
            words.append(word)
        elif words:
            # "then ./kiwi": the command is after the word; "done" and "fi" have none
            while words and words[0] in _OPENING_WORDS:
                del words[0]
            if words and words[0] not in _CLOSING_WORDS:
                found.append(_build_command(text, words, background=word == "&"))
            words = []
    return tuple(found)


# A remark that a person wrote after a command, where the shell allows no bracket: "wrk http://h/ (pool of 10)".
_BRACKETED_REMARK = re.compile(r"(?<=[^\s;&|(])(?:\s{1,9}\(([^()\s][^()]{0,200})\)|\s{0,9}（([^（）]{1,200})）)\Z")
_BRACKET_ENDS = (")", "）")
_REMARK_SIGN = re.compile(r"\s(?:#|//\s)\s?")


def remark_behind(text: str) -> str:
    """The remark that a person wrote after a command: a comment, or text in brackets; empty without one."""
    if (match := _BRACKETED_REMARK.search(text) if text[-1:] in _BRACKET_ENDS else None) is not None:
        return str(match[1] or match[2]).strip()
    sign = _REMARK_SIGN.search(text, 1) if "#" in text or " //" in text else None
    return text[sign.end() :].strip() if sign and not _QUOTING.search(text[sign.start() :]) else ""


_POWERSHELL_VARIABLE = re.compile(r"\$env:([A-Za-z_]\w{0,63})\s?=\s?")  # $env:GOGC = "50"
# A program in a shell of Windows: .\hey.exe, C:\tools\hey.exe
_WINDOWS_PROGRAM = re.compile(r"(?<!\S)(?:(\.\\)|[A-Za-z]:\\(?:[\w.-]{1,60}\\){0,9})?([\w-]{1,60})\.exe(?!\S)")


def _without_forms_of_windows(text: str) -> str:
    """A command line with its variables and programs as a POSIX shell has them."""
    if "$env:" in text:
        text = _POWERSHELL_VARIABLE.sub(r"\1=", text)
    return (
        _WINDOWS_PROGRAM.sub(lambda match: f"./{match[2]}" if match[1] else match[2], text) if ".exe" in text else text
    )


# Its signs do not separate commands: for ((i = 1; i < 8; i++)).
_COUNTER_LOOP = re.compile(r"\bfor\s{0,9}\(\([^()]{1,200}\)\)")
_ARRAY = re.compile(r"(?<![^\s;&|])([A-Za-z_]\w{0,63}=)(\([^()]{1,1000}\))")  # one value: SERVERS=(kiwi emu)
_ANSI_C = re.compile(r"\$'((?:[^'\\]|\\.)*)'")  # $'\nreal\t%3R'
_ESCAPES = {"n": "\n", "t": "\t", "\\": "\\", "'": "'", '"': '"'}


def _quote_ansi_c(match: re.Match[str]) -> str:
    """A string of ``$'…'`` with its escapes as characters, in plain quotes."""
    return shlex.quote(re.sub(r"\\(.)", lambda escape: _ESCAPES.get(escape[1], escape[0]), match[1]))


def _is_comment(word: str) -> bool:
    """Whether a word begins a comment."""
    return word[:1] == "#" or word == "//"


def _split_words(text: str) -> list[str]:
    """The words of a command line, with separators as words."""
    if "$'" in text:
        text = _ANSI_C.sub(_quote_ansi_c, text)
    try:
        words = _quoted_words(text) if _QUOTING.search(text) else text.split()
    except ValueError:  # a quotation without an end: prose, or a line that was cut
        words = text.split()
    if "#" in text or " //" in text:  # "//" begins a note of a person: "ab -c 900 http://…   // no more than 900"
        words = words[: next((at for at, word in enumerate(words) if at and _is_comment(word)), len(words))]
    if not _SEPARATOR_SIGNS.search(text):
        return words
    return [part for word in words for part in _split_separator(word)]


_SIGNS_OF_SEPARATORS = (";", "&", "|")
_QUOTED_END = "\0"  # behind a word with a quoted sign at its end
# Words with quoted parts and without backslashes.
_QUOTED = re.compile(r"""(?:[ \t\r\n]++|(?:[^ \t\r\n"'\\]++|"[^"\\]*+"|'[^']*+')++)*+""")
_QUOTED_WORD = re.compile(r"""(?:[^ \t\r\n"']++|"[^"]*+"|'[^']*+')++""")
_QUOTED_PART = re.compile(r"""(["'])(.*?)\1""", re.DOTALL)


def _quoted_words(text: str) -> list[str]:
    """The words that `shlex.split` finds by looking at every character. Raises ValueError as it does."""
    if not _QUOTED.fullmatch(text):
        return shlex.split(text, posix=True)
    return [_without_quotes(word) if "'" in word or '"' in word else word for word in _QUOTED_WORD.findall(text)]


def _without_quotes(word: str) -> str:
    """A word without its quotes; a sign at its end that would separate commands is marked if it is quoted."""
    plain = _QUOTED_PART.sub(lambda part: part[2], word)
    return plain + _QUOTED_END if word[-1] in "'\"" and plain[-1:] in _SIGNS_OF_SEPARATORS else plain


def _split_separator(word: str) -> list[str]:
    """Split ``cmd;`` and ``cmd&`` into word and separator. An ``&`` inside a word belongs to a URL or a redirection.

    A quoted sign separates nothing: ``-H 'Cookie: a=b;'``.
    """
    if word[-1:] == _QUOTED_END:
        return [word[:-1]]
    body = word.rstrip(";&|")
    return [word] if body in ("", word) or body[-1] in "<>" else [body, word[len(body) :]]


def _without_redirections(words: list[str]) -> tuple[list[str], str]:
    """The words of a command without redirections, and the file of its input; empty without one."""
    remaining: list[str] = []
    stdin = sign = ""
    for word in words:
        if sign:
            stdin, sign = word if sign == "<" else stdin, ""
        elif (">" in word or "<" in word) and _REDIRECTION.fullmatch(word):
            sign = word if word[-1] in "<>" else ""
            stdin = word[1:] if word[0] == "<" and word[1:2] not in ("", "<", "(", "&") else stdin
        else:
            remaining.append(word)
    return remaining, stdin


def _build_command(text: str, words: list[str], *, background: bool) -> Command:
    """The command of these words."""
    env: dict[str, str] = {}
    wrappers: list[tuple[str, ...]] = []
    rest, stdin = _without_redirections(words)
    while rest:
        assignment = _ASSIGNMENT.fullmatch(rest[0])
        name = _base_name(rest[0])
        if assignment:
            env[assignment[1]] = assignment[2]
            rest = rest[1:]
        elif name == "export" or (len(rest) > 1 and (name in _SHELL_KEYWORDS or _sets_variable(name, rest[1]))):
            rest = rest[1:]
        elif name in _WRAPPERS:
            length = _wrapper_length(name, rest)
            wrappers.append((name, *rest[1:length]))
            rest = rest[length:]
        else:
            return Command(text, rest[0], tuple(rest[1:]), env, tuple(wrappers), background, stdin)
    return Command(text, "", (), env, tuple(wrappers), background)


def _sets_variable(name: str, word: str) -> bool:
    """Whether this is ``set POOL=8`` of a shell of Windows."""
    return name == "set" and _ASSIGNMENT.fullmatch(word) is not None


def _base_name(word: str) -> str:
    """The name of a program without directories."""
    return word.rsplit("/", 1)[-1]


def _wrapper_length(name: str, words: list[str]) -> int:
    """The number of words that belong to the wrapper: its name, options and operands."""
    operands = int(name in _WRAPPERS_WITH_OPERAND)
    index = 1
    while index < len(words):
        word = words[index]
        # "nice -n 5 ./a": the word after such an option is its value, not the program
        if word.startswith("-"):
            index += 2 if word in _WRAPPERS[name] else 1
        elif operands:
            operands -= 1
            index += 1
        else:
            break
    return min(index, len(words))


def split_arguments(
    args: tuple[str, ...],
    with_value: frozenset[str] | None = None,
    switches: frozenset[str] = frozenset(),
    *,
    glued: bool = True,
) -> tuple[list[tuple[str, str, tuple[str, ...]]], list[str]]:
    """Split arguments into flags, each with its value and the words that contain both, in order, and free words.

    The value of a flag follows ``=``, or directly a flag of one letter (``-c100``, ``-kc 100``; never if not `glued`),
    or it is the next word. The next word is a value for the flags in `with_value`; if that is None, for every flag
    unless the next word is a flag or a URL. A flag without a value has the value ``true``. `switches` are flags of one
    letter without a value.
    """
    found: list[tuple[str, str, tuple[str, ...]]] = []
    free: list[str] = []
    rest = list(reversed(args))
    while rest:
        arg = rest.pop()
        if not arg.startswith("-") or arg == "-":
            free.append(arg)
        elif arg == "--":
            free += reversed(rest)
            break
        else:
            *bundled, (name, value) = _split_flag(arg, with_value, switches) if glued else [_split_at_equals_sign(arg)]
            found += [(*flag_and_value, (arg,)) for flag_and_value in bundled]
            words: tuple[str, ...] = (arg,)
            if not value:
                takes_next = rest and _takes_next(name, rest[-1], with_value)
                value = rest.pop() if takes_next else "true"
                words = (arg, value) if takes_next else words
            found.append((name, value, words))
    return found, free


_JOINED_VALUE = re.compile(r"(-[A-Za-z])([0-9].*)|(-[^=]*)=(.*)", re.DOTALL)  # "-c100"; "--rate=100"


def _split_at_equals_sign(arg: str) -> tuple[str, str]:
    """A flag and its value after ``=``; the value is empty without one."""
    name, _, value = arg.partition("=")
    return name, value


def _split_flag(arg: str, with_value: frozenset[str] | None, switches: frozenset[str]) -> list[tuple[str, str]]:
    """The flags in one word, each with its value in the word or an empty one."""
    if arg.startswith("--"):
        return [_split_at_equals_sign(arg)]
    if with_value is None:
        glued = _JOINED_VALUE.fullmatch(arg)
        return [(glued[1] or glued[3], glued[2] or glued[4] or "")] if glued else [(arg, "")]
    found: list[tuple[str, str]] = []
    for index, letter in enumerate(arg[1:], 2):
        name = f"-{letter}"
        if name in with_value:
            return [*found, (name, arg[index:].removeprefix("="))]
        if name not in switches:
            break
        found.append((name, "true"))
    else:
        return found
    name, _, value = arg.partition("=")  # a flag of Go: -rate=100
    return [(name, value)] if name in with_value else [(arg, "")]


def _takes_next(name: str, following: str, with_value: frozenset[str] | None) -> bool:
    """Whether the next word is the value of a flag."""
    if with_value is not None:
        return name in with_value
    return not following.startswith("-") and "://" not in following
