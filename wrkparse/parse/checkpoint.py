"""Stores the state of a parser at the end of a log, so that it can go on when the log has grown.

The state is pickled, because it is many small objects that refer to each other. When it is read back, it may contain
only plain data and the classes of the packages below, and none of these classes does anything when it is made. So a
store from elsewhere can't run code through it; at worst, a log is resumed at a wrong place, or read from its beginning.

A checkpoint is only read by the version of wrkparse that wrote it.
"""

from __future__ import annotations

import functools
import io
import pickle
import pickletools
import sys
import types
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Any

from wrkparse._version import __version__
from wrkparse.context.commands.classifier import CommandClassifier, command_classifier
from wrkparse.model.records import Diagnostic
from wrkparse.parse.items import Batch, Item, Run
from wrkparse.parse.parser import SourceParser
from wrkparse.parse.reports.matcher import Matcher, shared_matcher
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.event import EventTool

_MOST_BYTES = 4 << 20  # bytes of a checkpoint: it bounds what the store keeps for each log that may grow
_VERSION = f"{__version__}\n".encode()
# The packages and plain classes that the state of a parser may contain: nothing else is read back.
_PACKAGES = frozenset({"context", "model", "parse", "text", "tools"})
_PLAIN_CLASSES = {
    ("builtins", "bytearray"), ("builtins", "frozenset"), ("builtins", "list"), ("builtins", "set"),
    ("collections", "Counter"), ("collections", "deque"), ("datetime", "datetime"), ("datetime", "timedelta"),
    ("datetime", "timezone"),
}  # fmt: skip

# The instructions that `freeze` writes, by their names in `pickletools`. Some of the others reserve memory for a number
# of objects that they state: five bytes can take all of a machine.
_INSTRUCTIONS = frozenset(
    """PROTO FRAME STOP MARK POP POP_MARK MEMOIZE BINGET LONG_BINGET NONE NEWTRUE NEWFALSE BININT BININT1 BININT2 LONG1
    LONG4 BINFLOAT SHORT_BINUNICODE BINUNICODE BINUNICODE8 SHORT_BINBYTES BINBYTES BINBYTES8 BYTEARRAY8 EMPTY_TUPLE
    TUPLE TUPLE1 TUPLE2 TUPLE3 EMPTY_LIST APPEND APPENDS EMPTY_DICT SETITEM SETITEMS EMPTY_SET ADDITEMS FROZENSET
    STACK_GLOBAL NEWOBJ NEWOBJ_EX REDUCE BUILD BINPERSID""".split()
)


@dataclass(slots=True)
class Tail:
    """What was read from the unfinished end of a file. When the file has grown, it is removed and read again.

    ``reports`` are the runs of open reports. ``traces`` are the runs of open traces; their events stay.
    ``events`` are rows of a table: its name, their run, their lines. ``diagnostics`` have line, code and message.
    """

    reports: list[str] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)
    events: list[tuple[str, str, list[int]]] = field(default_factory=list)
    diagnostics: list[tuple[int | None, str, str]] = field(default_factory=list)

    def add(self, item: Item, diagnostics: Iterable[Diagnostic]) -> None:
        """Add an item of the parser, and the diagnostics to which it led."""
        if isinstance(item, Batch):
            self.events.append((item.table, item.rows["run"][0].as_py(), item.rows["line"].to_pylist()))
        elif isinstance(item, Run):
            events = any(tool.name == item.tool for tool in event_tools()) and not item.numbers.values
            (self.traces if events else self.reports).append(item.run)
        self.diagnostics += [(each.line, each.code, each.message) for each in diagnostics]


@dataclass(slots=True)
class Checkpoint:
    """A parser that has read up to a byte of the source where a line ends, and what was read after that byte."""

    parser: SourceParser
    offset: int
    tail: Tail = field(default_factory=Tail)


def freeze(checkpoint: Checkpoint) -> bytes | None:
    """A checkpoint as bytes; None if it is larger than `_MOST_BYTES` or contains functions."""
    checkpoint.parser.drop_unneeded_lines()
    buffer = io.BytesIO()
    try:
        _Pickler(buffer, protocol=5).dump(checkpoint)
    except pickle.PicklingError:
        return None
    data = _VERSION + buffer.getvalue()
    return data if len(data) <= _MOST_BYTES else None


def thaw(data: bytes) -> Checkpoint | None:
    """The checkpoint that `freeze` turned into bytes; None for other bytes, or for another version of wrkparse."""
    if not data.startswith(_VERSION):  # its classes may have other attributes
        return None
    pickled = data[len(_VERSION) :]
    try:
        if any(code.name not in _INSTRUCTIONS for code, _, _ in pickletools.genops(pickled)):
            return None
        found = _Unpickler(io.BytesIO(pickled)).load()
    except Exception:  # noqa: BLE001 pickle raises whatever the bytes make it stumble over
        return None
    return found if isinstance(found, Checkpoint) and isinstance(found.parser, SourceParser) else None


def _shared_tool_name(tool: ReportTool | EventTool, tools: Sequence[ReportTool | EventTool]) -> str:
    """The name of a tool, and its index among the tools of this name: a new plug-in changes neither."""
    return f"{tool.name} {[namesake for namesake in tools if namesake.name == tool.name].index(tool)}"


class _Pickler(pickle.Pickler):
    """Stores the names of what all parsers share: tools with their patterns, the matcher, the command classifier."""

    def persistent_id(self, obj: Any) -> tuple[str, str] | None:
        if isinstance(obj, EventTool):
            return "event", _shared_tool_name(obj, event_tools())
        if isinstance(obj, ReportTool):
            return "report", _shared_tool_name(obj, report_tools())
        if isinstance(obj, Matcher):
            return "matcher", ""
        return ("known", "") if isinstance(obj, CommandClassifier) else None

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, functools.partial | types.FunctionType):  # the specs of a format that a command asks for
            raise pickle.PicklingError("code is not kept")
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    """Finds by name what all parsers share, and refuses classes that a parser does not consist of."""

    def persistent_load(self, pid: Any) -> Any:
        kind, name = pid
        match kind:
            case "event":
                return next(tool for tool in event_tools() if _shared_tool_name(tool, event_tools()) == name)
            case "report":
                return next(tool for tool in report_tools() if _shared_tool_name(tool, report_tools()) == name)
            case "matcher":
                return shared_matcher()
            case "known":
                return command_classifier(report_tools())
        raise pickle.UnpicklingError(f"{kind} is not shared")

    def find_class(self, module: str, name: str) -> Any:
        package, _, rest = module.partition(".")
        if (module, name) in _PLAIN_CLASSES:
            return super().find_class(module, name)
        if package == "wrkparse" and rest.partition(".")[0] in _PACKAGES:
            # only modules that are imported already: pickle must not import others
            found = getattr(sys.modules.get(module), name, None)
            # a function, or a class that the module imports, is refused
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a parser")
