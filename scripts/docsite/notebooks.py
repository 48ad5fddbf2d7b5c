"""The notebooks on the site: each as it is on the data of the repository, with its code, in one page.

Notebooks are committed without outputs, so that a change of a figure is no change of a file. A code host shows the
prose and the code; the page on the site has the tables and figures, too.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from wrkparse.report.build import report
from wrkparse.report.notebook.suite import suite_notebooks

# Without an earlier input, changes.ipynb shows nothing of its own.
SHOWN = tuple(name for name in suite_notebooks() if name != "changes")


def addresses(site: str) -> dict[str, str]:
    """The address of each page, by the file of its notebook in the repository; `site` is that of the site."""
    return {f"notebooks/{name}.ipynb": f"{site}/notebooks/{name}.html" for name in SHOWN}


def write_notebooks(site: Path, names: Iterable[str]) -> None:
    """Execute notebooks on their example data, and write each as a page into a built site."""
    for name in names:
        made = report(suite_notebooks()[name], code=True)
        place = site / "notebooks" / f"{name}.html"
        place.parent.mkdir(exist_ok=True)
        place.write_bytes(made.content(".html"))
