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
NEEDED = (
    "pyproject.toml",
    "README.md",
    "LICENSE",
    "scripts/compile.py",
    "scripts/readme.py",
    "wrkparse/_version.py",
    "wrkparse/__init__.py",
)


def built(directory: Path, **environment: str) -> tuple[str, list[str]]:
    """The tag of the wheel and the names of the compiled modules in it."""
    columnar = Path("wrkparse/tools/columnar")
    for path in (*map(Path, NEEDED), *(columnar / name for name in ("_bytes.c", "__init__.py"))):
        (directory / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / path, directory / path)
    (directory / "notebooks").mkdir()
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", "dist"]
    subprocess.run(command, cwd=directory, env=os.environ | environment, check=True, capture_output=True)
    (wheel,) = (directory / "dist").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    return wheel.stem.split("-", 2)[2], [name for name in names if name.endswith((".so", ".pyd"))]


@pytest.mark.skipif(not compiled.COMPILED, reason="the package was installed without a C compiler")
def test_a_wheel_with_the_compiled_loops_serves_all_later_pythons(tmp_path: Path) -> None:
    tag, (module,) = built(tmp_path)
    assert tag.startswith("cp311-abi3-")
    assert not tag.endswith("-any")
    assert module.startswith("wrkparse/tools/columnar/_bytes.")


@pytest.mark.skipif(sys.platform == "win32", reason="CC names the compiler elsewhere")
def test_without_a_compiler_the_wheel_serves_any_platform(tmp_path: Path) -> None:
    assert built(tmp_path, CC="/no/such/compiler") == ("py3-none-any", [])
