"""The wheel that the build makes: with the compiled loops for all later Pythons, or without them for any platform."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from wrkparse.tools.columnar import compiled

ROOT = Path(__file__).parents[1]
FILES = ("pyproject.toml", "README.md", "LICENSE", "scripts/compile.py", "scripts/readme.py")


def built(directory: Path, **environment: str) -> tuple[str, list[str]]:
    """The tag of the wheel and the names of what is in it. It is built of a copy: the build deletes what it compiled."""
    (directory / "scripts").mkdir()
    for name in FILES:
        shutil.copy(ROOT / name, directory / name)
    for name in ("notebooks", "wrkparse"):
        shutil.copytree(ROOT / name, directory / name, ignore=shutil.ignore_patterns("__pycache__", "*.so", "*.pyd"))
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"]
    subprocess.run(command, cwd=directory, env=os.environ | environment, check=True, capture_output=True)
    (wheel,) = (directory / "dist").glob("*.whl")
    return wheel.stem.split("-", 2)[2], zipfile.ZipFile(wheel).namelist()


def compiled_modules(names: list[str]) -> list[str]:
    return [name for name in names if name.endswith((".so", ".pyd"))]


@pytest.mark.skipif(not compiled.COMPILED, reason="the package was installed without a C compiler")
def test_a_wheel_with_the_compiled_loops_serves_all_later_pythons(tmp_path: Path) -> None:
    tag, names = built(tmp_path)
    assert tag.startswith("cp311-abi3-")
    assert not tag.endswith("-any")
    (module,) = compiled_modules(names)
    assert module.startswith("wrkparse/tools/columnar/_bytes.")


@pytest.mark.skipif(sys.platform == "win32", reason="CC names the compiler elsewhere")
def test_without_a_compiler_the_wheel_serves_any_platform_and_has_what_reports_need(tmp_path: Path) -> None:
    tag, names = built(tmp_path, CC="/no/such/compiler")
    assert (tag, compiled_modules(names)) == ("py3-none-any", [])
    assert {f"wrkparse/notebooks/{path.name}" for path in (ROOT / "notebooks").glob("*.ipynb")} <= set(names)
    assert {f"wrkparse/report/output/{name}" for name in ("template.typ", "page.html", "page.css")} <= set(names)
