"""Builds the documentation as a site: the pages of docs/, and reference pages made from the code.

``python scripts/docsite [DIRECTORY]``; the default is build/site. Exits with 1 and names each problem if there is one.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
sys.path[:0] = [str(HERE), str(ROOT)]

from checks import problems  # noqa: E402
from pages import write_pages  # noqa: E402


def main() -> int:
    """Build the site and check it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("directory", nargs="?", type=Path, default=ROOT / "build" / "site", help="where the site goes")
    site = parser.parse_args().directory
    with tempfile.TemporaryDirectory(prefix="wrkparse-docs-") as scratch:
        source = Path(scratch) / "pages"
        write_pages(source)
        shutil.rmtree(site, ignore_errors=True)
        if build(source, site, Path(scratch) / "doctrees"):
            return 1
    found = list(problems(site))
    print(*found, sep="\n", file=sys.stderr, end="\n" if found else "")
    if not found:
        print(f"{len(list(site.rglob('*.html')))} pages: {site / 'index.html'}")
    return 1 if found else 0


def build(source: Path, site: Path, scratch: Path) -> int:
    """Run Sphinx in strict mode: a broken link or a page outside the navigation is an error. Returns its exit code."""
    options = ["--fail-on-warning", "--nitpicky", "--quiet", "--builder", "html", "--doctree-dir", str(scratch)]
    command = [sys.executable, "-m", "sphinx", *options, "--conf-dir", str(HERE), str(source), str(site)]
    return subprocess.run(command, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())
