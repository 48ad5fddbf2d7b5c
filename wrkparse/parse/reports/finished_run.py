"""Makes the run of a report that has ended: its identifier, its labels, its numbers and its text."""

from __future__ import annotations

from collections.abc import Sequence

from wrkparse.context.commands.classifier import measured_labels
from wrkparse.context.page.document import Context, Snapshot
from wrkparse.context.prefix_labels import labels_in_front, stream_labels, words_of_prefix
from wrkparse.model.records import Label
from wrkparse.parse.items import Excerpt, Run, run_id
from wrkparse.text.wrapping.columns import COLUMN_STREAM
from wrkparse.text.wrapping.learned_prefixes import LEARNED_STREAM
from wrkparse.text.wrapping.prefixes import THREAD_STREAM
from wrkparse.tools.base import ReportTool
from wrkparse.tools.report import Report

# the longest report in tests/fixtures, JSON of fortio, has 251
_MOST_TEXT_LINES = 400  # lines of a report that are stored as its text


def run_of_report(
    tool: ReportTool, report: Report, snapshot: Snapshot, context: Context, stream: str, runs_before: int
) -> Run:
    """The run of a report of a stream.

    ``snapshot`` is the context in which it began. ``runs_before`` are the runs that began before it in the same line.
    """
    offsets, texts, numbers, rows = report.columns()
    excerpt = Excerpt(offsets[:_MOST_TEXT_LINES], texts[:_MOST_TEXT_LINES])
    printed = report.labels_with_texts(*excerpt)
    measured = _measured_labels(tool, printed) if tool.times_program and snapshot.command is None else ()
    of_stream = _labels_of_stream(stream, report.line, snapshot) if stream else ()
    labels = [*snapshot.labels, *measured, *of_stream, *printed]
    if context.nearby.below or context.nearby.below_last_run:
        labels += context.labels_below()
    # Several runs in one line are counted; reports side by side begin in one line, too.
    count = f"\0{runs_before}" if runs_before else ""
    count += f"\0{stream}" if stream.startswith(COLUMN_STREAM) else ""
    return Run(
        run_id(report.source, report.line, report.tool, "\n".join(texts) + count),
        report.tool, report.source, report.line, report.line_end, snapshot.section, snapshot.command,
        report.version, report.dialect, tool.loop_of_run(report, labels), labels, numbers, rows, excerpt,
    )  # fmt: skip


def _labels_of_stream(stream: str, line: int, snapshot: Snapshot) -> list[Label]:
    """The labels of the prefix that names a stream. It names what was measured only if nothing else does."""
    if stream.startswith(THREAD_STREAM):  # its report has those of the text in front of its first line
        return []
    if stream.startswith(LEARNED_STREAM):
        front = stream.removeprefix(LEARNED_STREAM)
        words = words_of_prefix(front, line)
        # "kiwi 2 :: " may count workers, "worker-2: " does; "jdk21: " is a name
        is_name = bool(words) and " " not in front.strip()
        return labels_in_front(front, line) if is_name or not any(map(str.isdecimal, front)) else words
    is_named = any(label.key == "framework" for label in snapshot.labels)
    return stream_labels(stream, line, is_named=is_named)


def _measured_labels(tool: ReportTool, printed: Sequence[Label]) -> list[Label]:
    """The labels of the command that a report itself prints as the one that was measured."""
    command = next((label for label in printed if label.key == "command"), None)
    if command is None or command.value in tool.no_commands:
        return []
    return measured_labels(command.value, command.line or 0)
