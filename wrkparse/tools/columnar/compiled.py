"""The loops over bytes that a C compiler made when the package was installed, where there was one.

Where there was none, `COMPILED` is false and all that would use them does the same by numpy: the same tables, at half
the speed or less.
"""

from __future__ import annotations

try:
    from wrkparse.tools.columnar._bytes import cut, openings, read, where

    COMPILED = True
except ImportError:
    COMPILED = False

__all__ = ["COMPILED", "cut", "openings", "read", "where"]
