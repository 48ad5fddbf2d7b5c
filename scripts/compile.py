"""The build hook: compiles ``tools/columnar/*.c`` where there is a compiler, and does without it elsewhere."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_MODULE = "wrkparse.tools.columnar._bytes"
_ABI = "0x030B0000"  # the stable one of Python 3.11: what is compiled serves all later versions


class Compile(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the compiled module beside its source, for an editable install, and into a wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile; a wheel with what came of it is one for this kind of machine only."""
        if self.target_name != "wheel":
            return
        source = Path(self.root, *_MODULE.split(".")).with_suffix(".c")
        for old in _made(source):
            old.unlink()
        _compile(source)
        if made := _made(source):
            build_data["artifacts"] += [f"/{path.relative_to(self.root).as_posix()}" for path in made]
            build_data |= {"pure_python": False, "infer_tag": True}


def _made(source: Path) -> list[Path]:
    return [path for path in source.parent.glob(f"{source.stem}.*") if path.suffix in {".so", ".pyd"}]


def _compile(source: Path) -> None:
    """Compile a module in its place; tells of a failure, and goes on."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    fast = [] if sys.platform == "win32" else ["-O3"]
    sources = [str(path) for path in sorted(source.parent.glob("*.c"))]
    module = Extension(
        _MODULE, sources, define_macros=[("Py_LIMITED_API", _ABI)], extra_compile_args=fast, py_limited_api=True,
        optional=True,
    )  # fmt: skip
    command = build_ext(Distribution({"name": "wrkparse", "ext_modules": [module]}))
    with tempfile.TemporaryDirectory() as beside:
        command.build_temp, command.build_lib = beside, str(source.parents[len(_MODULE.split(".")) - 1])
        command.ensure_finalized()
        command.run()
