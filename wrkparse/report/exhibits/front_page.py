"""The first page of a report: the sentences of a summary, the result of the audit, and one figure."""

from __future__ import annotations

import os

from wrkparse.analysis.audit.audit import OK
from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT, SUSPECT
from wrkparse.analysis.runs.unread import unread_files
from wrkparse.analysis.summary.summary import Summary, summary
from wrkparse.dataset import Dataset
from wrkparse.report.exhibits.captioned import Figure
from wrkparse.report.exhibits.figures.main_figure import is_tall, main_figure
from wrkparse.report.exhibits.mime_types import BAR, FACTS, FOR_REPORT, PARTS, Bundle
from wrkparse.text.escape import escaped, one_line, printable

# Of the parts of the bar, from green to red.
_COLOUR_OF_VERDICT = {OK: "#8CC5A9", LATENCY_SUSPECT: "#F0D48A", SUSPECT: "#E8A16B", INVALID: "#B5532A"}


class FrontPage:
    """The first page of a report on a dataset, or on a result of `summary`.

    A report takes its title and the line below it from here. It prints the sentences, the bar of the audit, the main
    figure, and a line on what is absent. It leaves out sections in which all tables and figures are empty.
    """

    def __init__(self, source: Dataset | Summary) -> None:
        self.summary = source if isinstance(source, Summary) else summary(source)

    def figure(self) -> Figure | None:
        """The main figure; None if there is nothing to draw, or if it is too high for the first page."""
        found = main_figure(self.summary)
        return None if found is None or is_tall(found) else found

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        found, figure = self.summary, self.figure()
        drawn = [figure._repr_mimebundle_()] if figure else []
        if FOR_REPORT not in os.environ:
            shown = "".join(one["text/html"] for one in drawn)
            return {"text/plain": str(found), "text/html": f"{found._repr_html_()}{shown}"}
        bar = [{BAR: _audit_bar(found)}] if found.trust else []
        absent = [_markdown_output(escaped(found.absent_words))] if found.absent else []
        runs = sum(one.runs for one in found.trust)
        title, *byline = [printable(one_line(part)) for part in (found.title, *found.byline)]
        facts = {
            "title": title, "byline": byline, "day": bool(found.day), "runs": runs, "counted": bool(found.counted),
            "unread": unread_files(found.dataset),
        }  # fmt: skip
        parts = [_markdown_output(found.markdown()), *bar, *drawn, *absent]
        return {"text/plain": found.title, FACTS: facts, PARTS: parts}


def _markdown_output(text: str) -> Bundle:
    return {"text/markdown": text}


def _audit_bar(found: Summary) -> Bundle:
    """The verdicts of the audit as parts of a bar, with their words."""
    parts = [{"share": one.runs, "colour": _COLOUR_OF_VERDICT[one.verdict], "words": str(one)} for one in found.trust]
    return {"caption": "", "label": "bar:trust", "parts": parts}
