"""The compiled loops, if the package has them: wheels do, and so does an install with a C compiler.

Without them `COMPILED` is false. Then `by_regex` and other Python code give the same tables more slowly.
"""

from __future__ import annotations

try:
    from wrkparse.tools.columnar._bytes import cut, numbers, openings, read, where

    COMPILED = True
except ImportError:
    COMPILED = False

__all__ = ["COMPILED", "cut", "numbers", "openings", "read", "where"]
