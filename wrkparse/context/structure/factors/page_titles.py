"""Gives the framework in the title of a page to all of its runs, if no other name is on the page.

A title with other words, ``# Kiwi web server``, holds for the runs below ``## Load test``, but a heading with a name of
its own, ``## after tuning``, may name another thing. If it does not, the title holds for its runs, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from wrkparse.context.slots.places import FRAMEWORK, Place, SlotText
from wrkparse.context.structure.factors.factors import LabelsOfRuns
from wrkparse.context.titles.decoration import without_markup


def share_page_titles(places: Sequence[Place], by_source: Mapping[str, Sequence[int]], found: LabelsOfRuns) -> None:
    """Add the framework in the title of a page to its runs without one, if no run of the page has another."""
    for runs in by_source.values():
        titles = {(places[at].section or "").partition(" > ")[0] for at in runs}
        named = {framework: at for at in runs if (framework := places[at].labels.get(FRAMEWORK))}
        if len(titles) != 1 or len(named) != 1 or any(FRAMEWORK in found[at] for at in runs):
            continue
        (title,), ((framework, first),) = titles, named.items()
        if places[first].framework_origin == "heading" and framework.casefold() in without_markup(title).casefold():
            for at in runs:
                if not places[at].labels.get(FRAMEWORK):
                    found[at][FRAMEWORK] = SlotText(framework, title, "section")
