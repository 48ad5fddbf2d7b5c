"""A wheel contains the files that reports need: notebooks and templates."""

from __future__ import annotations

import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_a_wheel_contains_the_notebooks_and_the_templates(tmp_path: Path) -> None:
    code = "import sys; from hatchling.build import build_wheel; print(build_wheel(sys.argv[1]))"
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], cwd=ROOT, capture_output=True, text=True, check=True
    )
    with zipfile.ZipFile(tmp_path / done.stdout.split()[-1]) as wheel:
        names = set(wheel.namelist())
    assert {f"wrkparse/notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")} <= names
    assert {f"wrkparse/report/output/{name}" for name in ("template.typ", "page.html", "page.css")} <= names
