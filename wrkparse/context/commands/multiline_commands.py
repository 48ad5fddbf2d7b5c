"""Joins commands that continue in the next line: after a backslash, or as a loop up to its ``done``.

``$ for c in 8 64`` / ``> do`` / ``>   hey -c $c …`` / ``> done`` → ``for c in 8 64; do hey -c $c …; done``.
"""

from __future__ import annotations

import re

from wrkparse.context.commands.classifier import CommandClassifier
from wrkparse.text.shell import strip_prompt
from wrkparse.text.wrapping import markup

_LONGEST = 4000  # characters of a command of several lines; more is data
_LOOP_HEAD = re.compile(r"(?:\A|[;&|\s])(?:for\s+[A-Za-z_]\w{0,30}\s+in\s|for\s{0,3}\(\(|(?:while|until)\s+[^\s;])")
_LOOP_END = re.compile(r"[;&\s]done\b")
# "> " of bash, "for> " of zsh
_SECOND_PROMPT = re.compile(r"(?:for|while|until|loop|for\ for)?>\s?")
_LOOP_STARTS = ("for ", "for((", "while ", "until ")
# A loop in a script, without a prompt.
_LOOP_IN_SCRIPT = re.compile(
    r"(?:for\s+[A-Za-z_]\w{0,30}\s+in\s[^;]{1,300};|for\s{0,3}\(\([^()]{1,200}\)\)\s{0,3};?|(?:while|until)\s[^;]{1,300};)"
    r"\s{0,3}do\b"
)


# "-d '{": data of a request in several lines, up to the quotation mark at their end.
_DATA = re.compile(r"\s(?:-d|--(?:data|body|post-data|json)(?:-[a-z]{1,10})?)[ =]'[{]")


class MultilineCommand:
    """A command that continues in the next line, if ``is_open``: its first line, and its text so far."""

    is_open = False
    _begun = (0, "")
    _is_loop = False
    _commands: CommandClassifier
    _is_data = False  # the last line of a request's data is missing

    def take(self) -> tuple[int, str]:
        """End the command: return its first line and its text."""
        self.is_open = False
        return self._begun

    def take_joined(self, text: str) -> tuple[str, int]:
        """End the command: return its text with another line, and its first line."""
        line, begun = self.take()
        return (_join_loop_line(begun, text) if self._is_loop else f"{begun} {text}"), line

    def begin(self, text: str, line: int, commands: CommandClassifier, *, in_fence: bool) -> bool:
        """Keep a line if its command continues in the next line; False if it does not."""
        is_loop = _opens_loop(text, in_fence=in_fence)
        is_data = text[-1] != "\\" and _has_open_data(text)
        goes_on = text[-1] == "\\" or is_data
        if not (is_loop or (goes_on and _continues(text, commands, in_fence=in_fence))):
            return False
        self._is_loop, self._is_data, self._commands = is_loop, is_data, commands
        self._begun = line, text.rstrip("\\").rstrip()
        self.is_open = True
        return True

    def accepts(self, raw: str, text: str, *, in_quote: bool) -> bool:
        """Whether a line may belong to the open command: to an open loop, only some lines may, to data no command."""
        if not self._is_loop:
            return not (self._is_data and (strip_prompt(text) or self._commands.begins_command(text)))
        inset = in_quote or raw[0].isspace()
        return inset or _SECOND_PROMPT.match(text) is not None or text.split(None, 1)[0].rstrip(";") in ("do", "done")


def _has_open_data(text: str) -> bool:
    """Whether a command sends data whose last quotation mark is in a later line."""
    match = _DATA.search(text)
    return match is not None and "'" not in text[match.end() :]


def _continues(text: str, commands: CommandClassifier, *, in_fence: bool) -> bool:
    """Whether a line that ends in a backslash begins a command; in Markdown the backslash may be a line break."""
    if not text.strip("\\ ") or len(text) >= _LONGEST:
        return False
    if in_fence or strip_prompt(text) is not None:
        return True
    heading = markup.parse_heading(text)
    return commands.begins_command(heading.text if heading else text)


def _opens_loop(text: str, *, in_fence: bool) -> bool:
    """Whether a line begins a loop that ends in a later line: after a prompt, or of a script in a fence."""
    if len(text) >= _LONGEST or not any(word in text for word in _LOOP_STARTS):
        return False
    # a heading, an answer of another program and set -x have signs that are prompts elsewhere
    is_typed = text[0] not in "+#%>" and (strip_prompt(text) or "").startswith(_LOOP_STARTS)
    is_script = in_fence and _LOOP_IN_SCRIPT.match(text) is not None
    return (is_typed or is_script) and len(_LOOP_HEAD.findall(text)) > len(_LOOP_END.findall(text))


def _join_loop_line(begun: str, text: str) -> str:
    """A loop and its next line, in one line."""
    text = _SECOND_PROMPT.sub("", text)
    return f"{begun} {text}" if begun.endswith((";", " do", "&")) else f"{begun}; {text}"
