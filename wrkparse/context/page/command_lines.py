"""Reads the lines of terminal sessions in a document: commands behind prompts, in fences, and traced by ``set -x``."""

from __future__ import annotations

import functools
import re
from collections.abc import Sequence

from wrkparse.context.commands import programs
from wrkparse.context.commands.classifier import CommandClassifier, Effect, SessionLine
from wrkparse.context.commands.folders import FOLDER_COMMANDS, Folders, join_entry, split_entry
from wrkparse.context.nearby.line_marks import mark_as_change
from wrkparse.context.nearby.log_messages import is_bisect_step
from wrkparse.context.nearby.nearby_lines import NearbyLines
from wrkparse.context.page.sections import Sections
from wrkparse.context.page.session_state import SessionState
from wrkparse.context.page.title_lines import (
    is_exclamation,
    is_repeat,
    may_be_title,
    script_announcement,
)
from wrkparse.context.page.title_state import TitleState
from wrkparse.context.titles.name_extraction import has_only_common_words
from wrkparse.text.shell import parse_commands, strip_prompt

_PROMPT_ENDS = " $#%>"
_CHECKOUT = re.compile(r"git\s(?:checkout|switch|reset)\s(?:-\S{1,30}\s){0,5}\w")  # "git checkout -q 91d3f44"

# "I ran `wrk http://h/`, first on kiwi:"; not "…, which prints:"
_BEHIND_CODE = re.compile(
    r"`[,;]?\s+((?:(?:and|first|now|then|again)\s){0,2}(?:against|at|for|on|using|with|without)\s[^`,;]{1,40})\Z"
)


class CommandLines:
    """Takes in lines with commands: their effects on the session, and what they say about the runs below them.

    ``cut_command`` is the line of the last command that loads a server and ends in the slash of a URL.
    """

    def __init__(
        self,
        classifier: CommandClassifier,
        sections: Sections,
        titles: TitleState,
        session: SessionState,
        nearby: NearbyLines,
    ) -> None:
        self._classifier, self._sections = classifier, sections
        self._titles, self._session, self._nearby = titles, session, nearby
        self.cut_command = -1

    @functools.cached_property
    def _folders(self) -> Folders:  # most pages enter none
        return Folders()

    def read(self, text: str, line: int, *, in_fence: bool) -> bool:
        """Take in a line of a terminal session, which may be in a fence; False if it is not one."""
        title = script_announcement(text)
        is_remark = bool(title) and self._is_comment_on_run(title)
        if title and not is_remark and may_be_title(title):
            self._titles.set_banner(title, text, line)
        typed = self._session.expand_variables(text) if "$" in text[1:] else text
        session = self._classifier.read_session_line(typed, in_fence=in_fence)
        if "=" in text and (session or in_fence):
            self._session.note_variables(strip_prompt(text) or text)
        if session is None:
            return False
        is_only_load = len(session.effects) == 1 and session.effects[0].kind == "load" and not session.other_commands
        if not is_remark and not is_only_load:
            self._note_commands(session, strip_prompt(text) or text, line)
        # the prompt before a start or a load may contain a directory or a branch
        if text[0] not in "$#%>" and any(it.kind != "end" for it in session.effects) and (behind := strip_prompt(text)):
            prompt = text[: -len(behind)].rstrip(_PROMPT_ENDS).strip("[]")
            self._nearby.note(prompt.replace("@", "@ "))  # the user is not part of the name of the machine
        self._session.apply(session, line)
        if step := self._session.step_before:  # "pyenv shell 3.12" started no server: it may describe a change
            self._nearby.note(mark_as_change(step))
            self._session.step_before = ""
        self._session.is_below_event = False
        if session.loads_server:
            self._nearby.forget_shown_files(text)
            if text[-1] == "/":
                self.cut_command = line
        if text[-1] in "`:：" and (words := _words_beside_code(text)) and not has_only_common_words(words):
            self._nearby.note(words)
            self._titles.note(words, line)
        return True

    def read_traced_command(self, text: str, indent: int, line: int) -> bool:
        """Take in a command that ``set -x`` prints (``+ GOGC=off ./hello``); False if the line is a list item."""
        if not (behind := strip_prompt(text)) or not (commands := parse_commands(behind)):
            return False
        first = commands[0]
        is_managed = first.program in programs.SERVICE_MANAGERS
        may_start = first.path.startswith(("./", "/")) or is_managed or programs.runs_program_as_script(first)
        started = may_start and programs.starts_server(first, prompt=True, code=True)
        if not (text.startswith("++") or started or programs.is_side_command(behind) or programs.ends_server(first)):
            return False
        self._sections.close_items(indent)
        if session := self._classifier.command(behind, prompt=True):
            self._note_commands(session, behind, line)
            self._session.apply(session, line)
        return True

    def _note_commands(self, session: SessionLine, text: str, line: int) -> None:
        """Note commands without effect on the runs below: they may describe a change; those of packages are one."""
        # the effects of a command have their own labels
        others = session.other_commands if session.effects else split_entry(text) if text[:3] == "cd " else (text,)
        noted: list[str] = []
        for aside in others:
            is_change = "pip" in aside and self._session.change_packages(aside, line, has_run=self._nearby.has_report)
            if not (is_change or programs.is_idle(aside)):
                noted.append(self._folders.resolve(aside) if aside.startswith(FOLDER_COMMANDS) else aside)
        if "cd " in text:
            noted = join_entry(noted, self._started(session.effects))
        for typed in noted:
            self._nearby.note(typed, is_command=True)
        if session.loads_server and others:
            self._forget_steps_before_checkout(others)
        for kept in filter(self._session.keeps_server, session.effects):
            if not programs.restarts_server(kept.command):
                self._nearby.note(kept.command.typed, is_command=True)
            self._nearby.mark_changes()

    def _started(self, effects: Sequence[Effect]) -> str:
        """The command among those of a line that starts another server, as it was typed; empty without any."""
        starts = (it.command.typed for it in effects if it.kind == "serve" and not self._session.keeps_server(it))
        return next(starts, "")

    def _forget_steps_before_checkout(self, commands: Sequence[str]) -> None:
        """Forget what git bisect has printed above a run if one of the commands of its line checks out a commit."""
        if any(map(_CHECKOUT.match, commands)):
            self._nearby.forget_bisect_steps()
            if self._titles.candidate and is_bisect_step(self._titles.candidate[1]):
                self._titles.candidate = None

    def _is_comment_on_run(self, comment: str) -> bool:
        """Whether a comment after a prompt is about the course of a run, or counts it: ``# hmm, noisy, again``."""
        return is_exclamation(comment) or (is_repeat(comment) and not self._titles.repeated_by(comment))


def _words_beside_code(text: str) -> str:
    """The words of a line that has a command as code: behind it, up to a colon, or in front of it; empty without any.

    So a list says what each command measures: ``directly `wrk http://h/` ``.
    """
    if text[-1] == "`":
        return text.partition("`")[0].strip(" :：-–—>*")
    rest = _BEHIND_CODE.search(text)
    return rest[1] if rest else ""
