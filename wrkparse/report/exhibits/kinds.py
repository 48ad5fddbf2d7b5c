"""What cells display for a report, by MIME type. This module imports nothing that takes long."""

from __future__ import annotations

from typing import Any

TABLE = "application/vnd.wrkparse.table.v1+json"
FIGURE = "application/vnd.wrkparse.figure.v1+json"
# Several outputs as one, facts that a report uses and does not print as they are, and a bar of shares with their words.
PARTS = "application/vnd.wrkparse.parts.v1+json"
FACTS = "application/vnd.wrkparse.about.v1+json"
BAR = "application/vnd.wrkparse.bar.v1+json"
# The environment variable of a kernel that executes a notebook for a report: HTML for Jupyter is left out. Its value
# is `PAGES` if the report may become a page, which has narrow figures for phones.
FOR_REPORT = "WRKPARSE_REPORT"
PAGES = "pages"

Bundle = dict[str, Any]
