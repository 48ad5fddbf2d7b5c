"""Follows a document line by line: the headings, list items, commands and settings that hold at each line.

A heading holds until the next of its level, a list item until the next of its depth. A server runs until the next one
is started, it is killed, or its section ends. A title line holds until other text follows. `Context` gets every line
that is not part of a report or trace, in order, and gives a run its snapshot at any line: ``## nginx`` →
framework=nginx below it.

A line goes this way, up to the first step that takes it:

1. Marks of quotations and tags are removed; headings of other formats become those of Markdown (`Context.feed`).
2. Front matter, an empty line, a preamble of a tool, and a fence are noted.
3. A command over several lines is joined (`Context._read`).
4. In a fence or indented code, the line is a command or plain text.
5. Elsewhere it is a heading, a traced command, a list item, a command, or plain text (`Context._read_prose`).
6. Plain text is one more result of the report above, a caption, a line that a script prints when a run is done, output
   of a command, or a title (`Context._read_plain`, `Context._read_title_line`).
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable
from typing import NamedTuple

from wrkparse.context.commands.classifier import HeadingLine, command_classifier
from wrkparse.context.commands.multiline_commands import MultilineCommand
from wrkparse.context.labels import (
    at_line,
    labels_of_lines_above,
    labels_of_lines_below,
    labels_of_lines_below_last_run,
    labels_of_page,
    title_labels,
)
from wrkparse.context.nearby.circumstances import bracketed_circumstance
from wrkparse.context.nearby.evidence import LINE_SEPARATOR, SHELL_LOOP
from wrkparse.context.nearby.line_marks import mark_as_about_run_above
from wrkparse.context.nearby.log_messages import is_job_status, name_of_ended, name_of_saved, says_how_run_went
from wrkparse.context.nearby.nearby_lines import NearbyLines
from wrkparse.context.nearby.port_names import PortNames, may_state_port
from wrkparse.context.page import title_lines
from wrkparse.context.page.command_lines import CommandLines
from wrkparse.context.page.html_tables import HtmlTable
from wrkparse.context.page.json_events import text_of_event
from wrkparse.context.page.outline import Outline, Scope
from wrkparse.context.page.printed_headings import PrintedHeadings
from wrkparse.context.page.sections import Sections
from wrkparse.context.page.session_state import MOST_LABELS, SessionState
from wrkparse.context.page.title_lines import (
    FIRST_OF_CAPTION,
    announces_measurement,
    goes_back,
    is_caption,
    is_repeat,
    may_be_title,
    names_run_behind_prefix,
    title_label,
)
from wrkparse.context.page.title_state import TITLE_REACH, TitleState
from wrkparse.context.titles.decoration import undecorated, without_decoration
from wrkparse.context.titles.name_extraction import has_only_common_words
from wrkparse.context.titles.path_parts import SLASH_COMMENT_SUFFIXES, file_suffix
from wrkparse.context.titles.settings.warm_ups import ends_warm_up
from wrkparse.context.titles.titles import read_title
from wrkparse.model.records import Label
from wrkparse.text.shell import is_empty_prompt, strip_prompt
from wrkparse.text.wrapping import markup
from wrkparse.text.wrapping.heading_formats import (
    MAY_BE_FORMATTED,
    PYTEST_SIGNS,
    heading_as_markdown,
    make_directory,
    pytest_headings,
    test_headings,
    without_clock,
    without_log_prefix,
)
from wrkparse.tools.base import ReportTool

_QUOTE_MARKS = re.compile(r"^\s{0,3}(?:> ?){1,20}")  # CommonMark: after up to three blanks, at any depth
_CODE_INDENT = 4  # columns that make a line of Markdown code (CommonMark, "Indented code blocks")
# An item of a list that is a program, alone or with options: "./kiwi -p 80"; not a script, a file or "./run kiwi".
_PROGRAM_IN_LIST = re.compile(r"\./(?:[\w.+-]{1,60}/){0,9}[\w+-]{1,60}(?: -.{0,200}| &)?")
_PROMPT_SIGNS = "$#"  # at the end of a prompt with the name of a user
_FIRST_OF_REMARK = f"(（{FIRST_OF_CAPTION}"  # of a line about the run above
_MAY_SAY_END = re.compile("done|finished|end of ", re.IGNORECASE)  # a heading that may be about the run above
_CHEVRONS = ">>>"  # before a banner; in a quotation it would be the third reply
_STATEMENT = re.compile(r"[A-Za-z][\w -]{1,30}:\s{1,20}\S.{0,80}")  # "compression: gzip"
_SHELL_SIGNS = re.compile(r"[%$|&;<>`\\]")  # signs of commands that `set -x` prints after a +


class Snapshot(NamedTuple):
    """The context of a run: labels from the outermost scope inwards, headings joined by ``>``, and its command."""

    labels: tuple[Label, ...]
    section: str
    command: str | None


class Context:
    """Follows one document. ``session`` follows its commands, ``nearby`` collects the lines near its runs."""

    def __init__(self, tools: Iterable[ReportTool], source_labels: Iterable[Label] = (), source: str = "") -> None:
        suffix = file_suffix(source)
        self._is_code, self._is_org = suffix in SLASH_COMMENT_SUFFIXES, suffix == "org"
        self._is_json = suffix == "json"
        self._commands = command_classifier(tuple(tools))
        self._outline = Outline(source_labels)
        self._levels = markup.UnderlineLevels()
        self._line = 0
        self._front_matter = False
        self._end_of_fence = 0  # the line of the last mark that closed a fence
        self._is_untitled = False  # the last run has no title
        self._captions_below: bool | None = None  # captions are below their blocks; None before the first caption
        self._fence: str | None = None  # the mark of the open fence
        self._in_quote = False
        self._in_summary = False  # the tag of a summary is alone in its line, above the text
        self._line_of_cell = 0  # the last line with tags of a table
        self._is_source_code = False  # in the open fence
        self._quoted = False  # the last fence is in a block quote
        self._multiline = MultilineCommand()
        self._table = HtmlTable()
        self._titles = TitleState()
        self._port_names = PortNames()
        self.session = SessionState(self._outline, self._titles, self._port_names)
        self._marked = False  # the line begins with the signs of a banner
        self._above = (0, "")  # the last line of text that was read, and its number
        self._ruler = (0, "")  # the last line of signs alone: its number and its first sign
        self._blank_before = True
        self._is_directly_below_report = False
        self._has_tight_headings = False  # "#Kiwi" was a heading: then it is one alone, too
        self.nearby = NearbyLines()
        self._sections = Sections(self._outline, self._titles, self.session, self.nearby)
        self._command_lines = CommandLines(self._commands, self._sections, self._titles, self.session, self.nearby)

    @functools.cached_property
    def _printed_headings(self) -> PrintedHeadings:  # most pages have none
        return PrintedHeadings(self._outline, self._sections, self.session)

    def feed(self, raw: str, line: int) -> None:
        """Take in a line that is not part of a report or trace, and its number."""
        self._line = line
        if not raw and not self._front_matter:  # one line in four of a page of reports
            self._in_quote = self._in_quote and self._fence is not None
            self._end_paragraph()
            return
        self._marked = raw.startswith(_CHEVRONS)
        if self._fence is None:  # in a fence > is a prompt, unless the fence itself is quoted
            quotes = ">" in raw and _QUOTE_MARKS.match(raw) is not None
            self._titles.paragraph *= quotes == self._in_quote
            self._in_quote = quotes
        if self._in_quote or self._quoted:
            raw = _QUOTE_MARKS.sub("", raw)
        has_marks = self._in_summary or "<" in raw or "&" in raw or raw.startswith(PYTEST_SIGNS) or "::" in raw
        raw, text = self._without_marks(raw, line) if has_marks else (raw, raw.strip())
        if self._is_json and self._printed_headings.reads_json_key(raw, text, line):
            return
        if self._is_org or text[:1] == "{" or MAY_BE_FORMATTED.match(text):
            text = self._as_markdown(text)
        if (line == 1 or self._front_matter) and self._skips_front_matter(text, line):
            return
        if not text or (text[-1] in _PROMPT_SIGNS and is_empty_prompt(text)):
            self._end_paragraph()
        elif self._commands.is_preamble(text):
            self.note_parsed_line()
        elif not (text[0] in "`~" and self._is_fence(raw, text)) and text not in markup.COPY_BUTTONS:
            self._above = line, text
            self._read(raw, text, line)
            self._blank_before = self._is_directly_below_report = False

    def _as_markdown(self, text: str) -> str:
        """A line without the prefix of a log or a clock; a heading as one of Markdown, an event as its settings."""
        if text[:1] == "{" and self._fence is None and (event := text_of_event(text)) is not None:
            return event
        if (inner := without_log_prefix(text)) is not text and names_run_behind_prefix(inner):
            text = inner
        return heading_as_markdown(without_clock(text), is_org=self._is_org)

    def _without_marks(self, raw: str, line: int) -> tuple[str, str]:
        """A line, and its text without tags; both are the summary if its tag is alone above it.

        Titles of tests become headings, and leave no text.
        """
        text = self._without_tags(raw, line).strip()
        if text.startswith(("<summary>", "<details")) and text.endswith("<summary>"):
            self._in_summary = True
            return "", ""
        if self._in_summary and text:
            self._in_summary = False
            raw = text = f"<summary>{text}</summary>"  # the indentation of HTML has no meaning
        return raw, text

    def _without_tags(self, raw: str, line: int) -> str:
        """A line without tags; if a cell of a table begins in it, the header of its column becomes the banner."""
        if self._fence is None and ("<t" in raw or "</t" in raw):
            self.take_cell(raw, line)
        tests = pytest_headings(raw)
        for level, name in test_headings(raw) if tests is None else tests:
            self._printed_headings.read_test(level, name, line)
        return markup.without_tags(raw) if tests is None else ""

    def take_cell(self, raw: str, line: int) -> None:
        """Make the header of a column the banner if a cell of a table begins in a line; a report may be in the cell.

        The text in front of a report may have been taken in before the whole line.
        """
        if line == self._line_of_cell:
            return
        self._line_of_cell = line
        header = self._table.cell_header(raw)
        if header is not None:
            self._titles.end_banner()
        if header and may_be_title(header):
            self._titles.set_banner(header, header, line)

    def note_parsed_line(self, *, is_event: bool = False) -> None:
        """Note that a line was part of a report or trace: only a title directly above a report names it.

        Text below an event may come from the program that printed it; a report is the last output of its tool.
        """
        if self._titles.candidate:
            self._titles.take_candidate(self._line + 1)
        self._titles.paragraph = 0
        self.session.is_output = False
        self.session.unloaded = None
        self.session.is_below_event = is_event
        self._is_directly_below_report = not is_event
        if not is_event:
            self.nearby.is_after_gap = self.nearby.has_report = self.nearby.is_below_report = True

    def note_line_of_open_report(self) -> None:
        """Note that the line just parsed goes on with a report: text between its lines is not about the next run."""
        if self.nearby.forget_lines_inside_report():
            self._titles.forget_title()

    def skip(self, *, events: int, others: int, parted: bool) -> None:
        """Note lines that were read without `feed`: so many events and other lines, with an empty line if ``parted``.

        Other text ends a title, unless the text is output of the command above it.
        """
        if others and (parted or not self.session.is_output):
            self._end_paragraph()
            self.drop_title()
        if events:
            self.note_parsed_line(is_event=True)

    def drop_title(self) -> None:
        """Note that the line above names several runs, so it is the title of none."""
        self._titles.forget_all()

    def forget_title(self, name: str) -> None:
        """Note that a name is in front of each line of a process: the name alone in a line above was no title."""
        self._titles.forget_name(name)
        self.nearby.lines = [line for line in self.nearby.lines if line.rstrip(":： ") != name]

    def snapshot(self, tool: str, line: int, *, is_report: bool = True) -> Snapshot:
        """The context of a run of `tool` that begins at `line`; a report has a title and the command of its tool."""
        if self._multiline.is_open:
            self._end_command()
        if self._blank_before:
            self._sections.end_list_of_facts(0)
        titles = self._titles.labels(line) if is_report else []
        self._is_untitled = is_report and not titles
        if not is_report:
            above = self.nearby.above_process(self.session.process_epoch)
            titles = [*self._titles.banner, *title_lines.labels_above_trace(above, self._above[0])]
        else:
            self.nearby.below_last_run = []
            self.nearby.has_several_runs = self.nearby.above_first_run is not None
            if not self.nearby.has_several_runs:
                above = self.nearby.lines[-1] if self.nearby.lines else titles[-1].value if titles else ""
                self.nearby.above_first_run = above
            if self.nearby.lines:
                titles += labels_of_lines_above(self.nearby.take_above(titles), self._above[0])
        inherited = self._outline.inherited(tool, titles, of_any_server=is_report and len(self.session.servers) > 1)
        command = inherited.load or (None if is_report else inherited.server)
        environment = inherited.environment
        if is_report and self.session.is_looping:  # the loop that started a server may not be the one that loads it
            environment = [label for label in environment if label.key != SHELL_LOOP]
        if is_report and (self._port_names.text or inherited.facts):
            titles = [*titles, *labels_of_page(self._port_names.text, inherited.facts, line)]
        labels = (*inherited.labels, *titles, *environment, *inherited.load_labels)
        return Snapshot(labels, inherited.section, command.text if command else None)

    def take_item_of_report(self, line: int) -> list[Label]:
        """The labels that a list item in this line, the last one, gives the report that is open around it.

        The item is about no other report, so it is closed.
        """
        item = self._outline.innermost
        if item.level != -1 or item.line != line:
            return []
        above = "" if self.nearby.are_taken else self.nearby.take_above(())
        self._sections.close_items(item.column - 1)
        return [*item.labels, *(labels_of_lines_above(above, line) if above else ())]

    @property
    def snapshot_key(self) -> tuple[int, int, int]:
        """A key that changes if the snapshot of a trace may change."""
        return self.session.epoch, self.session.process_epoch, self.nearby.parts

    def labels_below(self) -> list[Label]:
        """The labels of the lines below the run that ends here: captions. Call this before the next run begins."""
        below, last = self.nearby.take_below(), LINE_SEPARATOR.join(self.nearby.below_last_run)
        return [*labels_of_lines_below(below, self._above[0]), *labels_of_lines_below_last_run(last, self._above[0])]

    def is_preamble(self, text: str) -> bool:
        """Whether a tool prints a line before the first one of its report."""
        return self._commands.is_preamble(text)

    def text_above(self, line: int) -> str:
        """The last line of text above a line, if it is as near as a title; fences are not text."""
        return self._above[1] if line - self._above[0] <= TITLE_REACH else ""

    def is_below_command_of(self, tool: ReportTool) -> bool:
        """Whether the last command that loads a server is one of a tool and in force, and no other's output is here."""
        is_of_other = self.session.is_output and not self.session.loads_server
        return tool.name in self.session.last_load and not is_of_other and self._outline.has_load(tool.name)

    def formats_for(self, tool: ReportTool) -> list[tuple[str, str]]:
        """The output formats that commands and settings give `tool`: keys of labels and formats."""
        return list(self._outline.formats_for(tool).items()) if self.session.has_format else []

    def _end_paragraph(self) -> None:
        if self._multiline.is_open:
            self._end_command()
        if self._has_tight_headings and self._fence is None:
            self._open_first_level_above(self._line)
        self._titles.paragraph = 0
        self._blank_before = self.nearby.is_after_gap = True
        self._is_directly_below_report = False
        self.session.is_output = self.session.is_below_event = False

    def _skips_front_matter(self, text: str, line: int) -> bool:
        """Whether the line belongs to the YAML between two ``---`` at the beginning of a page; take in its title."""
        if line == 1 and text == "---":
            self._front_matter = True
            return True
        if self._front_matter:
            if title := markup.front_matter_title(text):
                self._sections.open(Scope(1, -1, title, []))  # it may mention any name
            self._front_matter = text not in ("---", "...") and markup.may_be_front_matter(text)
            return self._front_matter or text in ("---", "...")
        return False

    def _is_fence(self, raw: str, text: str) -> bool:
        """Whether the line opens or closes a fence; if so, take it in."""
        if self._fence is not None:
            if not markup.closes_fence(text, self._fence):
                return False
            self._end_command()
            self._fence, self._is_source_code = None, False
            self._end_of_fence = self._line
            self._titles.note_fence_end()
        else:
            mark = markup.fence_mark(text)
            above = self._titles.single_line_above() if text[0] == "~" else None
            if mark is None or (above and markup.is_underline(text, above)):
                return False
            if title := markup.fence_title(text):
                self._end_paragraph()
                self._read_plain(title, 0, self._line)
            self._fence, self._quoted = mark, self._in_quote
            self._is_source_code = markup.is_source_fence(text)
            self._titles.note_fence_start(self._line)
            if " " in text and self._is_session_line(behind := text.lstrip("`~").strip()):
                self._command_lines.read(behind, self._line, in_fence=True)  # "```$ wrk -c64 http://localhost/"
            if self._blank_before:
                self._sections.end_list_of_facts(markup.indentation(raw))
        self.session.is_output = False
        self.session.process_epoch += 1
        return True

    def _is_session_line(self, text: str) -> bool:
        """Whether a text has a prompt in front, or is a command of a load generator."""
        return strip_prompt(text) is not None or self._commands.has_typed_command(text)

    def _read(self, raw: str, text: str, line: int) -> None:
        """Take in a line of text, joined with the lines above that it continues."""
        if "make" in text[:5] and (directory := make_directory(text)) is not None:
            self._printed_headings.read_directory(*directory, line)
            return
        indent = markup.indentation(raw) if raw[0].isspace() else 0
        if self._multiline.is_open and not self._multiline.accepts(raw, text, in_quote=self._in_quote):
            self._end_command()
        if self._multiline.is_open:
            text, line = self._multiline.take_joined(text)
        may_go_on = text[-1] == "\\" or "for" in text or "while" in text or "until" in text or "'{" in text
        if may_go_on and self._multiline.begin(text, line, self._commands, in_fence=self._fence is not None):
            pass
        elif self._fence is not None or indent - self._outline.innermost.column >= _CODE_INDENT:
            if not self._command_lines.read(text, line, in_fence=self._fence is not None):
                self._read_plain(text, indent, line)
        else:
            self._read_prose(text, indent, line)

    def _end_command(self) -> None:
        """Take in a command whose next line is missing."""
        if self._multiline.is_open:
            line, text = self._multiline.take()
            self._command_lines.read(text, line, in_fence=self._fence is not None)

    def _read_prose(self, text: str, indent: int, line: int) -> None:
        """Take in a line outside of code: a heading, a traced command, a list item, a session line or plain text."""
        above = self._titles.single_line_above() if self._titles.paragraph else None
        if above and markup.is_underline(text, above) and not (self._says_end(above) or markup.is_framed(above)):
            title = markup.without_title_mark(above)
            level = self._levels.level_of(text[0], overlined=self._ruler == (line - 2, text[0]))
            self._sections.open(Scope(level, -1, title, at_line(title_labels(title, heading=True), line - 1, above)))
        elif (heading := self._commands.read_heading_line(text)) and not self._is_output(heading, text):
            if heading.level == 2 or (heading.level > 1 and self._has_tight_headings):
                self._open_first_level_above(line - self._blank_before)
            self._read_heading(heading, text, line)
        elif text[0] == "+" and self._command_lines.read_traced_command(text, indent, line):
            self._titles.paragraph = 0
        elif (item := markup.parse_list_item(text)) is not None and not self._is_printed_item(text, indent):
            self._read_item(item, text, indent, line)
        elif not self._command_lines.read(text, line, in_fence=self._fence is not None):
            self._read_plain(text, indent, line)

    def _is_printed_item(self, text: str, indent: int) -> bool:
        """Whether a list item is output of the command above, as Flask prints it: a blank, and ``* Serving …``."""
        return indent == 1 and text[0] == "*" and self.session.is_output

    def _open_first_level_above(self, line: int) -> None:
        """Open the heading of the first level without a blank, ``#Kiwi``, that is directly above a line."""
        at, above = self._titles.candidate or (0, "")
        if at == line - 1 and (title := markup.first_level_without_blank(above)):
            self._has_tight_headings = True
            self._sections.open(Scope(1, -1, title, at_line(title_labels(title, heading=True), at, above)))

    def _says_end(self, text: str) -> bool:
        """Whether a line says that the runs above it have ended: ``kiwi done``, ``----- 32 -- DONE -----``."""
        decorated = not text[0].isalnum() and title_lines.is_message_or_result(without_decoration(text))
        return decorated or self.nearby.is_about_run_above(text)

    def _is_output(self, heading: HeadingLine, text: str) -> bool:
        """Whether a line with the form of a heading is code, or output of a tool or of the measured program."""
        if self._is_code:
            return text[0] == "#"
        if text[0] != "#" and _MAY_SAY_END.search(text):  # "--- kiwi done ---", "--- 1 done ---"
            return self.nearby.is_about_run_above(text) or says_how_run_went(text)
        if self.session.loop and self.session.is_loop_output(text):
            return True
        return heading.is_root and self.session.is_output and self.session.loads_server and heading.command is None

    def _read_heading(self, heading: HeadingLine, text: str, line: int) -> None:
        """Take in a heading, which may contain a command; after the prompt of root, take in only the command."""
        if heading.is_root and (heading.command or heading.may_be_side_command):
            self._titles.paragraph = 0
            if heading.command:
                self.session.apply(heading.command, line)
            return
        labels = at_line(heading.labels, line, text) if heading.labels else []
        above = self._outline.innermost
        if not heading.text and above.level == heading.level > 1 and above.line == line - 1:  # "###" below "### kiwi"
            return
        if heading.is_root and above.level == 1 and above.line == line - 1:  # a comment of a script, in several lines
            above.line = line
            self._note_comment(above.text, heading.text)
            above.labels += labels
            del above.labels[:-MOST_LABELS]
            return
        scope = Scope(heading.level, -1, heading.text, [] if heading.has_typed_command else labels, line)
        # "Measure" after "Warm-up"
        is_next = above.is_part and above.level == heading.level and has_only_common_words(heading.text)
        scope.is_part = heading.command is None and (is_next or heading.is_part)
        self._sections.open(scope)
        if heading.command:
            self.session.apply(heading.command, line)

    def _note_comment(self, first: str, text: str) -> None:
        """Note what a line of a comment states: only its `first` line is a heading."""
        for stated in (first, text):
            if _STATEMENT.fullmatch(stated) and stated not in self.nearby.lines:
                self.nearby.note(stated)

    def _read_plain(self, text: str, indent: int, line: int) -> None:
        """Take in a line of text: a title if it is alone, else part of a paragraph, or the output of a command."""
        # "wrk http://h/" and "hello" are one command, wrapped; what a shell prints of a job is no part of a paragraph
        if (
            (self._command_lines.cut_command == line - 1 and " " not in text)
            or is_job_status(text)
            or (text in self.session.printed_names and self.session.is_output)
            or (self.nearby.is_below_report and ":" in text and self.nearby.takes_result(text))
        ):
            return
        self.nearby.is_below_report = False
        if may_state_port(text):  # hardly a line does
            self._port_names.note(text)
        if text[0] in _FIRST_OF_REMARK and (remark := self._remark_on_run_above(text, line)):
            self.nearby.note(mark_as_about_run_above(remark))
            return
        is_of_loop = bool(self.session.loop) and self.session.is_loop_output(text)
        if not is_of_loop and name_of_ended(text) and self.nearby.is_about_run_above(text):
            # what a file is called says less than the headings and titles of a page
            if not name_of_saved(text) or not (self._outline.innermost.level > 0 or self._titles.has_names):
                self.nearby.note(text)
            self._titles.note(text, line)
            self._titles.candidate = None
            return
        if not markup.is_block_macro(text) and (
            is_of_loop or not (self.session.is_output and (self.session.lists_facts or self.session.loads_server))
        ):
            is_printed = self.session.is_below_event or (self.session.is_output and not self.session.may_name_runs)
            printed_by = self.session.process_epoch if is_printed and not is_of_loop else None
            # lines above one that opens a section may close the one before
            self._titles.paragraph *= not self.nearby.note(
                text, printed_by, names_run=is_of_loop, is_code=self._is_source_code
            )
        is_output, has_letters = self.session.is_output, any(map(str.isalpha, text))
        if is_output and not self.session.loads_server and announces_measurement(text):  # as scripts do
            self._note_banner(text, line)
        if not is_output and has_letters:
            self._read_title_line(text, indent, line)
            return
        self._ruler = line, text[0]
        if has_letters and self.session.may_name_runs and not is_repeat(text):
            self._titles.candidate = line, text

    def _read_title_line(self, text: str, indent: int, line: int) -> None:
        """Take in a line of text that may be a title, a repeat or a banner."""
        if (repeats := is_repeat(text)) or goes_back(text):
            names = self._titles.repeated_by(text)
            if not self._titles.changes_settings(text, names[0]) if len(names) == 1 else repeats and not names:
                self._titles.note_repeat(*names)
                return
        if self._ruler[0] == line - 1 and self._ruler[1] in markup.BOX_CORNERS and (title := markup.boxed_text(text)):
            self._marked, text = True, title
        if self._blank_before and self._fence is None:
            self._sections.close_items(indent)
        self._titles.note(text, line)
        self._note_banner(text, line)

    def _remark_on_run_above(self, text: str, line: int) -> str:
        """What a caption below a block, or a remark in brackets below a report, says of the run above; else empty."""
        if self._is_directly_below_report and (remark := bracketed_circumstance(text)):
            return remark
        is_below = self._fence is None and is_caption(text) and self._is_below_block(line)
        return undecorated(text) if is_below else ""

    def _is_below_block(self, line: int) -> bool:
        """Whether a caption is about the block above it: directly below the block, or like the first caption.

        The first caption of a document is about the block above if that has a run without a title, and at most a blank
        line is between them.
        """
        if line == self._end_of_fence + 1:
            return True
        is_near = 0 < self._end_of_fence == line - 2
        if self._captions_below is None:
            self._captions_below = is_near and self._is_untitled
        return self._captions_below and is_near

    def _note_banner(self, text: str, line: int) -> None:
        """Note a line that may be a banner, and the end of a warm-up."""
        if ("up" in text or "Up" in text or "UP" in text) and ends_warm_up(text):
            self._titles.end_warm_up()
            self._outline.end_warm_up()
        in_log = self._fence is not None or self._outline.innermost.level == 0
        self._titles.note_banner(text, line, marked=self._marked, in_log=in_log)

    def _read_item(self, item: markup.ListItem, text: str, indent: int, line: int) -> None:
        """Take in a list item, which may contain a command."""
        if may_state_port(item.text):
            self._port_names.note(item.text)
        above = self._outline.innermost
        self._sections.close_items(indent)
        listed = above.level == -1 and above is not self._outline.innermost and above.line == line - 1
        scope = Scope(-1, indent, item.text, [], line, indent + item.offset, item.ordered, listed)
        self._sections.open(scope)
        code = item.text if _PROGRAM_IN_LIST.fullmatch(item.text) else markup.inline_code(item.text)
        session = self._commands.command(code or item.text, code=code is not None)
        if not (session and session.effects and session.effects[0].kind == "serve"):
            self.nearby.note(item.text)
        if session:
            self.session.apply(session, line)
        else:
            scope.labels = at_line(title_labels(item.text), line, text)
            if may_be_title(item.text) and not _SHELL_SIGNS.search(item.text) and read_title(item.text).name:
                scope.labels += title_label(item.text, text, line)
