"""The notebooks of the suite, in a checkout and in an installed wheel, and which one a name means."""

from __future__ import annotations

from pathlib import Path

from wrkparse.report.errors import ReportError

DEFAULT = "overview"


def folder() -> Path:
    """Where they are: inside the package that a wheel installs, beside it in a checkout."""
    package = Path(__file__).parents[2]
    installed = package / "notebooks"
    return installed if installed.is_dir() else package.parent / "notebooks"


def suite() -> dict[str, Path]:
    """The notebooks by their names, in order."""
    return {path.stem: path for path in sorted(folder().glob("*.ipynb"))}


def find(name: str) -> Path:
    """The notebook that a name means: one of the suite, or a file. Raises ReportError."""
    if name.endswith(".ipynb"):
        return Path(name)
    found = suite()
    if name not in found:
        raise ReportError(f"there is no notebook {name}; there are: {', '.join(found)}, or give the path of an .ipynb")
    return found[name]


def title(notebook: Path) -> str:
    """The first heading of a notebook."""
    from wrkparse.report.notebook.execute import read

    lines = (line for cell in read(notebook).cells for line in cell.source.splitlines())
    return next((line.removeprefix("# ").strip() for line in lines if line.startswith("# ")), "")
