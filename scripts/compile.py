"""The build hook: compiles ``tools/columnar/_bytes.c`` into the wheel, or leaves it out where that fails.

The module uses Python's limited API, so one wheel for each platform (``cp311-abi3-…``) serves Python 3.11 and later.
Without a C compiler, or on a free-threaded Python, which has no limited API before 3.15, the wheel is ``py3-none-any``.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

_MODULE = "wrkparse.tools.columnar._bytes"
_LIMITED_API = "0x030B0000"  # of Python 3.11, the oldest one that wrkparse runs on
_TAG = "cp311-abi3"


class Compile(BuildHookInterface):  # type: ignore[type-arg]
    """Puts the compiled module beside its source, where an editable install finds it, and into the wheel."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Compile, and give a wheel that holds the compiled module the tag of this platform."""
        if self.target_name != "wheel":
            return
        source = Path(self.root, *_MODULE.split(".")).with_suffix(".c")
        for old in _modules(source):
            old.unlink()
        _compile(source)
        if modules := _modules(source):
            platform = self.build_config.builder.get_best_matching_tag().rpartition("-")[2]
            build_data["artifacts"] += [f"/{path.relative_to(self.root).as_posix()}" for path in modules]
            build_data |= {"pure_python": False, "tag": f"{_TAG}-{platform}"}


def _modules(source: Path) -> list[Path]:
    """The compiled modules beside a source."""
    return [path for path in source.parent.glob(f"{source.stem}.*") if path.suffix in {".so", ".pyd"}]


def _compile(source: Path) -> None:
    """Compile a module beside its source. A failure is a warning, for the module is optional."""
    from setuptools import Distribution, Extension
    from setuptools.command.build_ext import build_ext

    fast = [] if sys.platform == "win32" else ["-O3"]
    module = Extension(
        _MODULE, [str(source)], define_macros=[("Py_LIMITED_API", _LIMITED_API)], extra_compile_args=fast,
        py_limited_api=True, optional=True,
    )  # fmt: skip
    command = build_ext(Distribution({"name": "wrkparse", "ext_modules": [module]}))
    with tempfile.TemporaryDirectory() as beside:
        command.build_temp, command.build_lib = beside, str(source.parents[len(_MODULE.split(".")) - 1])
        command.ensure_finalized()
        command.run()
