"""Builds the documentation as a site: the pages of docs/, and reference pages made from the code.

``python scripts/docsite [DIRECTORY]``; the default is build/site. Exits with 1 and names each problem if there is one.
Executes the notebooks, which takes half a minute.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from scripts.docsite import codes, findings  # noqa: E402
from scripts.docsite.building import build  # noqa: E402
from scripts.docsite.checks import problems  # noqa: E402
from scripts.docsite.notebooks import SHOWN, addresses, write_notebooks  # noqa: E402
from scripts.docsite.pages import write_pages  # noqa: E402
from scripts.docsite.reference import PAGES  # noqa: E402
from scripts.docsite.schemas import SITE, write_schemas  # noqa: E402


def main() -> int:
    """Build the site and check it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", type=Path, default=ROOT / "build" / "site", help="where the site goes")
    parser.add_argument(
        "--notebook", action="append", choices=SHOWN, help="execute only this one; several are possible"
    )
    options = parser.parse_args()
    site = options.directory
    with tempfile.TemporaryDirectory(prefix="wrkparse-docs-") as scratch:
        source = Path(scratch) / "pages"
        write_pages(source, made(), {"reference/diagnostics.md": codes.text()}, addresses(SITE))
        shutil.rmtree(site, ignore_errors=True)
        if build(source, site):
            return 1
    write_schemas(site)
    write_notebooks(site, options.notebook or SHOWN)
    found = list(problems(site))
    print(*found, sep="\n", file=sys.stderr, end="\n" if found else "")
    if not found:
        print(f"{len(list(site.rglob('*.html')))} pages: {site / 'index.html'}")
    return 1 if found else 0


def made() -> list[tuple[str, str, str, str]]:
    """The pages of the reference: file, title, a line about it, text."""
    pages = [(page.file, page.title, page.summary, page.text()) for page in PAGES]
    about = "every code, with its meaning, an example and what to do"
    return [*pages, ("audit-codes.md", "Findings of the audit", about, findings.text())]


if __name__ == "__main__":
    sys.exit(main())
