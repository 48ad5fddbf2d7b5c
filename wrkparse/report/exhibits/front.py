"""The first page of a report: what a summary says, how far it can be trusted, and one figure."""

from __future__ import annotations

import os

from wrkparse.analysis.audit.audit import OK
from wrkparse.analysis.checks.finding import INVALID, LATENCY_SUSPECT, SUSPECT
from wrkparse.analysis.runs.unread import unread_files
from wrkparse.analysis.summary.summary import Summary, summary
from wrkparse.dataset import Dataset
from wrkparse.report.exhibits.figures.main_figure import is_tall, main_figure
from wrkparse.report.exhibits.kinds import BAR, FACTS, FOR_REPORT, PARTS, Bundle
from wrkparse.report.exhibits.objects import Figure
from wrkparse.text.escape import escaped, one_line, printable

_COLOURS = {OK: "#8CC5A9", LATENCY_SUSPECT: "#F0D48A", SUSPECT: "#E8A16B", INVALID: "#B5532A"}


class FrontPage:
    """The first page of a report on a dataset, or on what `summary` returned.

    A report takes its title and the line below it from here, prints the sentences, the audit's bar, the main figure
    and the line on what is absent, and leaves out sections in which all tables and figures are empty.
    """

    def __init__(self, source: Dataset | Summary) -> None:
        self.summary = source if isinstance(source, Summary) else summary(source)

    def figure(self) -> Figure | None:
        """The main figure; None if there is nothing to draw, or if it would fill a page of its own."""
        found = main_figure(self.summary)
        return None if found is None or is_tall(found) else found

    def _repr_mimebundle_(self, include: object = None, exclude: object = None) -> Bundle:
        found, figure = self.summary, self.figure()
        drawn = [figure._repr_mimebundle_()] if figure else []
        if FOR_REPORT not in os.environ:
            shown = "".join(one["text/html"] for one in drawn)
            return {"text/plain": str(found), "text/html": f"{found._repr_html_()}{shown}"}
        bar = [{BAR: _bar(found)}] if found.trust else []
        absent = [_markdown(escaped(found.absent_words))] if found.absent else []
        runs = sum(one.runs for one in found.trust)
        title, *byline = [printable(one_line(part)) for part in (found.title, *found.byline)]
        facts = {
            "title": title, "byline": byline, "day": bool(found.day), "runs": runs, "counted": bool(found.counted),
            "unread": unread_files(found.dataset),
        }  # fmt: skip
        parts = [_markdown(found.markdown()), *bar, *drawn, *absent]
        return {"text/plain": found.title, FACTS: facts, PARTS: parts}


def _markdown(text: str) -> Bundle:
    return {"text/markdown": text}


def _bar(found: Summary) -> Bundle:
    """The grades of the audit as parts of a bar, with their words."""
    parts = [{"share": one.runs, "colour": _COLOURS[one.verdict], "words": str(one)} for one in found.trust]
    return {"caption": "", "label": "bar:trust", "parts": parts}
