"""Imports the compiled loops, if the package has them: wheels and installs with a C compiler do.

Without them `COMPILED` is False. Then `regex_decoder` and other Python code give the same tables more slowly.
"""

from __future__ import annotations

try:
    from wrkparse.tools.columnar._bytes import cut, numbers, openings, read, where

    COMPILED = True
except ImportError:
    COMPILED = False

__all__ = ["COMPILED", "cut", "numbers", "openings", "read", "where"]
