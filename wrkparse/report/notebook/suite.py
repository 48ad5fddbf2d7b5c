"""Finds the notebooks that come with wrkparse, in a checkout or in an installed wheel."""

from __future__ import annotations

from pathlib import Path

from wrkparse.report.errors import ReportError

DEFAULT = "overview"


def suite_folder() -> Path:
    """The directory of the notebooks: inside the installed package or, in a checkout, beside it."""
    package = Path(__file__).parents[2]
    installed = package / "notebooks"
    return installed if installed.is_dir() else package.parent / "notebooks"


def suite_notebooks() -> dict[str, Path]:
    """The notebooks by name, in alphabetical order."""
    return {path.stem: path for path in sorted(suite_folder().glob("*.ipynb"))}


def find_notebook(name: str) -> Path:
    """The path of a notebook, from a name of the suite or a path of an .ipynb file. Raises ReportError."""
    if name.endswith(".ipynb"):
        return Path(name)
    found = suite_notebooks()
    if name not in found:
        raise ReportError(f"there is no notebook {name}; there are: {', '.join(found)}, or give the path of an .ipynb")
    return found[name]


def notebook_title(notebook: Path) -> str:
    """The first heading of a notebook."""
    from wrkparse.report.notebook.execute import read_notebook

    lines = (line for cell in read_notebook(notebook).cells for line in cell.source.splitlines())
    return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), "")
