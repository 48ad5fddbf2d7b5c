"""The MIME types of outputs that cells display for a report. This module imports nothing that takes long."""

from __future__ import annotations

from typing import Any

TABLE = "application/vnd.wrkparse.table.v1+json"
FIGURE = "application/vnd.wrkparse.figure.v1+json"
# A list of outputs; facts that a report uses and does not print; a bar of shares with words.
PARTS = "application/vnd.wrkparse.parts.v1+json"
FACTS = "application/vnd.wrkparse.about.v1+json"
BAR = "application/vnd.wrkparse.bar.v1+json"
# The environment variable that is set if cells are executed for a report: they then leave out HTML for Jupyter. Its
# value is `PAGES` if the report may become an HTML page, which has narrow figures for phones.
FOR_REPORT = "WRKPARSE_REPORT"
PAGES = "pages"

Bundle = dict[str, Any]  # an output, by MIME type
