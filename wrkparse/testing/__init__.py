"""The contract of a tool, for the tests of wrkparse and of plug-ins: says what a tool still lacks.

It needs no test runner. docs/plugins.md shows its use.
"""

from __future__ import annotations

from wrkparse.testing.contract import IncompleteToolError, check_tool, lacks

__all__ = ["IncompleteToolError", "check_tool", "lacks"]
