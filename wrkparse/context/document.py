"""What is in force where in a document: headings, list items, prompts, settings.

A reader of a page takes a heading to hold until the next of its level, a list item until the next of its depth, a
server's command until the next one or the end of its section, a title line until other text follows. `Context` is fed
every line that no tool claims, in order, and says at any point what a run that begins there stands under.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

from wrkparse.context import labels as say
from wrkparse.context import programs
from wrkparse.context.commands import Step, known
from wrkparse.context.outline import Frame, Outline
from wrkparse.model.records import Label
from wrkparse.text import markup
from wrkparse.text.shell import Command, parse_line, strip_prompt
from wrkparse.tools.base import ReportTool

_SETTING = re.compile(r"(?:export\s+)?[A-Z][A-Z0-9_]*=\S*(?:\s+[A-Z][A-Z0-9_]*=\S*)*")
_SETTINGS_KNOWN = re.compile(r"\b(?:GOMAXPROCS|GOGC|GOMEMLIMIT|GODEBUG|CPU_NUM|NUM_CPUS)=")
# What stands in front of a command: a word and a colon, GitHub's "Run", Jupyter's "!", a bold face.
_NAMED = re.compile(r"!|\*\*|(?:[A-Za-z][A-Za-z ]{0,30}:|Run(?:ning)?:?|Executing:?|In \[[0-9]+\]: !) *(?=\S)")
_QUOTE = re.compile(r"^\s{0,3}(?:> ?){1,20}")
_TITLE_REACH = 6  # lines between a bare title and what it is the title of
_TITLE_LENGTH = 60
_MOST_SAID = 500  # labels that the settings of a section, or the remarks above a run, may have
_TITLE_ENDS = (".", "。", ";", ",", "，", "{", "}", "|", ">")
_LONGEST_CONTINUATION = 4000


# What a page's button above a block of code leaves behind when the page is copied as text.
_COPY_BUTTONS = frozenset({"Copy", "Copy code", "复制代码", "复制代码 代码如下:", "复制代码 代码如下："})


class Snapshot(NamedTuple):
    """What a run stands under: its labels from the outermost inwards, its headings, and the command it came from."""

    labels: tuple[Label, ...]
    section: str
    command: str | None


class Context:
    """Follows one document. ``epoch`` changes whenever something begins that a run can't reach across."""

    def __init__(self, tools: Iterable[ReportTool], source_labels: Iterable[Label] = ()) -> None:
        self._known = known(tuple(tools))
        self._outline = Outline(source_labels)
        self._fence: str | None = None
        self._in_quote = False
        self._quoted = False  # the open fence stands in a block quote
        self._front_matter = False
        self._continued: tuple[int, str] | None = None  # a command that goes on in the next line
        self._title: tuple[int, str] | None = None
        self._adopted: list[Label] = []  # of the title whose runs are being read
        self._paragraph = 0  # plain lines in a row
        self._output = False  # what a command behind a prompt may print
        self._levels = markup.Levels()
        self._conversions = False  # whether a command had a %, which every format has
        self._ruler = (0, "")  # the last line of signs alone, and its first
        self._blank_before = True
        self._line = 0
        self.epoch = 0
        self.process_epoch = 0  # changes only where another process may have begun

    def feed(self, raw: str, line: int) -> None:
        """Take in a line that no tool claimed."""
        self._line = line
        if not raw and not self._front_matter:
            self._in_quote = self._in_quote and self._fence is not None
            self._empty()
            return
        raw = self._unquoted(raw)
        text = markup.without_tags(raw).strip()
        if self._skips_front_matter(text, line):
            return
        if not text:
            self._empty()
            return
        if self._in_fence(raw, text) or text in _COPY_BUTTONS:
            return
        self._joined(raw, text, line)
        self._blank_before = False

    def _empty(self) -> None:
        self._end_continued()
        self._paragraph, self._blank_before, self._output = 0, True, False

    def _unquoted(self, raw: str) -> str:
        """The line without the signs of a block quote; in a fence ``>`` is a prompt, unless the fence is quoted."""
        if self._fence is None:
            self._in_quote = ">" in raw and _QUOTE.match(raw) is not None
        return _QUOTE.sub("", raw) if self._in_quote or self._quoted else raw

    def claimed(self) -> None:
        """A tool claimed a line: what stood above it is no title of what comes after, unless it already was one."""
        if self._title is not None:
            self._adopted = self._title_labels(self._line + 1) or self._adopted
            self._title = None
        self._paragraph, self._output = 0, False

    def snapshot(self, tool: str, line: int, *, is_report: bool = True) -> Snapshot:
        """What a run of `tool` that begins at `line` stands under."""
        self._end_continued()
        if self._blank_before:
            self._end_listing(0)
        stand = self._outline.stand(tool)
        titles = (self._title_labels(line) or self._adopted) if is_report else []
        command = stand.load or (None if is_report else stand.server)
        labels = (*stand.labels, *titles, *stand.environment, *stand.load_labels)
        return Snapshot(labels, stand.section, command.text if command else None)

    def formats(self, tool: ReportTool) -> list[tuple[str, str]]:
        """The formats that commands and settings in force ask of `tool`'s output, by their label's key."""
        return list(self._outline.formats(tool).items()) if self._conversions else []

    def _skips_front_matter(self, text: str, line: int) -> bool:
        if line == 1 and text == "---":
            self._front_matter = True
            return True
        if self._front_matter:
            self._front_matter = text not in ("---", "...") and markup.front_matter(text)
            return self._front_matter or text in ("---", "...")
        return False

    def _in_fence(self, raw: str, text: str) -> bool:
        """Whether the line begins or ends a fence."""
        if self._fence is not None:
            if not markup.closes(text, self._fence):
                return False
            self._end_continued()
            self._fence = None
            self._adopted = []
        else:
            mark = markup.fence(text)
            if mark is None or (mark[0] == "~" and self._above and markup.underlines(text, self._above)):
                return False
            self._fence, self._quoted = mark, self._in_quote
            self._end_listing(_indent(raw))
        self._paragraph, self._output = 0, False
        self.process_epoch += 1
        return True

    @property
    def _above(self) -> str | None:
        """The line right above, if it is a paragraph of one line."""
        return self._title[1] if self._paragraph == 1 and self._title else None

    def _joined(self, raw: str, text: str, line: int) -> None:
        """Put a command's lines together that end in a backslash, and take the line in."""
        indent = _indent(raw)
        if self._continued:
            line, begun = self._continued
            text = f"{begun} {text}"
        self._continued = None
        if text.endswith("\\") and text.strip("\\ ") and len(text) < _LONGEST_CONTINUATION and self._may_go_on(text):
            self._continued = line, text.rstrip("\\").rstrip()
        elif self._fence is not None or indent - self._outline.last.column >= 4:
            if not self._code(text, line):
                self._plain(text, indent, line)
        else:
            self._prose(text, indent, line)

    def _may_go_on(self, text: str) -> bool:
        """Whether a line that ends in a backslash begins a command: in Markdown it may be a line break, too."""
        if self._fence is not None or strip_prompt(text) is not None:
            return True
        heading = markup.heading(text)
        return self._known.may_go_on(heading.text if heading else text)

    def _end_continued(self) -> None:
        """Take in a command whose next line never came."""
        if self._continued:
            line, text = self._continued
            self._continued = None
            self._code(text, line)

    def _prose(self, text: str, indent: int, line: int) -> None:
        heading = markup.heading(text)
        if self._above and markup.underlines(text, self._above):
            title = markup.title(self._above)
            level = self._levels.of(text[0], overlined=self._ruler == (line - 2, text[0]))
            self._push(Frame(level, -1, title, say.of_title(title, line - 1)))
        elif heading:
            self._heading(heading, text, line)
        elif text[0] == "+" and self._traced(text, indent, line):
            self._paragraph = 0
        elif (item := markup.item(text)) is not None:
            self._item(item, indent, line)
        elif not self._code(text, line):
            self._plain(text, indent, line)

    def _heading(self, heading: markup.Heading, text: str, line: int) -> None:
        """A heading, or behind one sign a root's command; of a deeper one its text may be the command."""
        root = text.startswith("# ")
        words = self._known.mere_words(heading.text)
        if root and not words and (self._command(heading.text, line, root=True) or programs.is_noise(heading.text)):
            self._paragraph = 0
            return
        above = self._outline.last
        if root and above.level == 1 and above.line == line - 1:  # a script's remark of several lines
            above.line = line
            above.labels += say.of_title(heading.text, line)
            del above.labels[:-_MOST_SAID]
            return
        typed = not words and self._known.typed(heading.text)
        self._push(Frame(heading.level, -1, heading.text, [] if typed else say.of_title(heading.text, line), line))
        if not root:
            self._command(heading.text, line)

    def _traced(self, text: str, indent: int, line: int) -> bool:
        """``+ GOGC=off ./hello`` and ``+ sleep 1`` are of ``set -x``; other lines with a plus are list items."""
        behind = strip_prompt(text)
        commands = parse_line(behind) if behind else ()
        if not behind or not commands:
            return False
        first = commands[0]
        started = first.path.startswith(("./", "/")) and programs.starts_server(first, prompt=True, code=True)
        if not (text.startswith("++") or started or programs.is_noise(behind) or programs.ends_server(first)):
            return False
        self._close_items(indent)
        self._command(behind, line, prompt=True)
        return True

    def _plain(self, text: str, indent: int, line: int) -> None:
        """A line of text: by itself a title, with others a paragraph; what a command prints is neither."""
        if self._output or not any(map(str.isalpha, text)):
            self._ruler = line, text[0]
            return
        if self._blank_before and self._fence is None:
            self._close_items(indent)
        self._paragraph += 1
        self._adopted = []
        self._title = (line, text) if self._paragraph == 1 else None

    def _item(self, item: markup.Item, indent: int, line: int) -> None:
        above = self._outline.last
        self._close_items(indent)
        beside = above.level == -1 and above is not self._outline.last and above.line == line - 1
        frame = Frame(-1, indent, item.text, [], line, indent + item.offset, item.ordered, beside)
        self._push(frame)
        code = markup.inline_code(item.text)
        if not self._command(code or item.text, line, code=code is not None):
            frame.labels = say.of_title(item.text, line)

    def _code(self, text: str, line: int) -> bool:
        """A line of a terminal session: a prompt with a command, a bare command, a setting."""
        inline = markup.inline_code(text)
        text = inline or text
        behind = strip_prompt(text)
        if behind is not None:
            sure = text[0] not in "#>%" or (text[0] == "%" and programs.starts_with(behind, self._known.programs))
            if self._command(behind, line, prompt=sure, root=text[0] in "#%"):
                return True
        if text[0] == "#":  # a comment of a script
            return False
        setting = text.rstrip(":：")
        if "=" in setting and _SETTING.fullmatch(setting) and (setting != text or _SETTINGS_KNOWN.search(setting)):
            self._command(setting, line, prompt=True)
            self._output = False
            return True
        named = _NAMED.match(text)
        if named and programs.starts_with(text[named.end() :], self._known.programs):
            text = text[named.end() :].rstrip("*")
        return self._command(text, line, code=inline is not None or self._fence is not None)

    def _command(self, text: str, line: int, *, prompt: bool = False, root: bool = False, code: bool = False) -> bool:
        """Take a line's commands in, as `Known.steps`; False if they are none, or none that matters."""
        steps = self._known.steps(text, prompt=prompt, root=root, code=code)
        for step in steps:
            match step.kind:
                case "load":
                    self._load(step, line)
                case "set":
                    self._set(step.command, line)
                case "end":
                    self._outline.end_servers()
                    self._another_process()
                case "serve":
                    self._serve(step.command, line)
        if steps or prompt:
            self._paragraph, self._output = 0, prompt
            self._conversions = self._conversions or "%" in text
        return bool(steps) or prompt

    def _load(self, step: Step, line: int) -> None:
        titles = self._title_labels(line)
        if titles:
            self._adopted = titles
        self._title = None
        command = step.command
        for tool, run_as in step.tools:
            said = say.of_load(run_as, tool.flags, line)
            if command.env:
                said += [label for label in say.of_environment(command.env, line) if label.key in tool.formats]
            self._outline.last.loads[tool.name] = (command, said)
        if step.serves:
            self._serve(command, line)
        self.epoch += 1

    def _serve(self, command: Command, line: int) -> None:
        frame = self._outline.scope
        if command.program in programs.MANAGERS:
            self._outline.forget_settings()
        frame.server, frame.server_labels = command, say.of_server(command, line)
        self._another_process()

    def _set(self, command: Command, line: int) -> None:
        """``export GOGC=off``, ``GOMAXPROCS=36:`` hold to the end of the section, whatever is started there."""
        settings = self._outline.scope.settings
        settings += say.of_server(command, line)
        del settings[:-_MOST_SAID]
        self._another_process()

    def _another_process(self) -> None:
        self.epoch += 1
        self.process_epoch += 1

    def _title_labels(self, line: int) -> list[Label]:
        if self._title is None or line - self._title[0] > _TITLE_REACH:
            return []
        at, text = self._title
        text = markup.title(text.lstrip("#/ "))
        if len(text) > _TITLE_LENGTH or text.endswith(_TITLE_ENDS) or text.startswith(("<", "|", "{")):
            return []
        return say.of_title(text, at)

    def _push(self, frame: Frame) -> None:
        if frame.level > 0:
            self._close_items(0)
        self._outline.push(frame)
        self._title, self._adopted, self._paragraph, self._output = None, [], 0, False
        self.epoch += 1

    def _close_items(self, indent: int) -> None:
        """End the items that a line at this indentation does not belong to."""
        if closed := self._outline.close_items(indent):
            self._adopted = []
            self.epoch += closed

    def _end_listing(self, indent: int) -> None:
        """A list of facts (``- nginx 1.10``, ``- 8 cores``) ends before the block that follows it."""
        if self._outline.last.listed and self._blank_before:
            self._close_items(indent)


def _indent(raw: str) -> int:
    raw = raw.expandtabs(4)
    return len(raw) - len(raw.lstrip())
