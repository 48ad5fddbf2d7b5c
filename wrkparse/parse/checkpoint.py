"""What a reader knows at the end of a log, kept so that it can go on when the log has grown.

It is pickled, for it is many small objects that refer to each other; but read back it may consist of nothing except
plain data and the classes of the packages below. None of them does anything when it is made. So a store
from a stranger can't run code through it; at worst a log is read on from a wrong place, or from its beginning.
"""

from __future__ import annotations

import functools
import io
import pickle
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
from wrkparse.parse.reports.dispatch import matcher
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.tools import event_tools, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.event import EventTool

_LARGEST = 4 << 20
_VERSION = f"{__version__}\n".encode()
_PACKAGES = frozenset({"context", "model", "parse", "text", "tools"})
_PLAIN = {
    ("builtins", "bytearray"), ("builtins", "frozenset"), ("builtins", "list"), ("builtins", "set"),
    ("collections", "Counter"), ("collections", "deque"), ("datetime", "datetime"), ("datetime", "timedelta"),
    ("datetime", "timezone"),
}  # fmt: skip

# The instructions of pickle that `freeze` writes, with the bytes of their argument; if negative, it begins with its
# length in as many bytes.
_ARGUMENT = dict.fromkeys(
    b"".join(
        (
            pickle.NONE, pickle.NEWTRUE, pickle.NEWFALSE, pickle.EMPTY_TUPLE, pickle.TUPLE, pickle.TUPLE1,
            pickle.TUPLE2, pickle.TUPLE3, pickle.EMPTY_LIST, pickle.APPEND, pickle.APPENDS, pickle.EMPTY_DICT,
            pickle.SETITEM, pickle.SETITEMS, pickle.EMPTY_SET, pickle.ADDITEMS, pickle.FROZENSET, pickle.MARK,
            pickle.POP, pickle.POP_MARK, pickle.MEMOIZE, pickle.STACK_GLOBAL, pickle.NEWOBJ, pickle.NEWOBJ_EX,
            pickle.REDUCE, pickle.BUILD, pickle.BINPERSID, pickle.STOP,
        )
    ),
    0,
) | {
    code[0]: size
    for code, size in {
        pickle.PROTO: 1, pickle.FRAME: 8, pickle.BINGET: 1, pickle.LONG_BINGET: 4, pickle.BININT1: 1,
        pickle.BININT2: 2, pickle.BININT: 4, pickle.BINFLOAT: 8, pickle.LONG1: -1, pickle.LONG4: -4,
        pickle.SHORT_BINUNICODE: -1, pickle.BINUNICODE: -4, pickle.BINUNICODE8: -8, pickle.SHORT_BINBYTES: -1,
        pickle.BINBYTES: -4, pickle.BINBYTES8: -8, pickle.BYTEARRAY8: -8,
    }.items()
}  # fmt: skip


@dataclass(slots=True)
class Tail:
    """What a file's end gave that its continuation will give again, longer or not at all.

    ``reports`` and ``traces`` are runs that were open: of a trace the events stay. ``events`` are rows of a table, of a
    run, at some lines; ``diagnostics`` line, code and message.
    """

    reports: list[str] = field(default_factory=list)
    traces: list[str] = field(default_factory=list)
    events: list[tuple[str, str, list[int]]] = field(default_factory=list)
    diagnostics: list[tuple[int | None, str, str]] = field(default_factory=list)

    def add(self, item: Item, said: Iterable[Diagnostic]) -> None:
        """Note what the reader gave, and the diagnostics that it gave rise to."""
        if isinstance(item, Batch):
            self.events.append((item.table, item.rows["run"][0].as_py(), item.rows["line"].to_pylist()))
        elif isinstance(item, Run):
            events = any(tool.name == item.tool for tool in event_tools()) and not item.numbers.values
            (self.traces if events else self.reports).append(item.run)
        self.diagnostics += [(each.line, each.code, each.message) for each in said]


@dataclass(slots=True)
class Checkpoint:
    """The reader behind the last whole line, which ends at this byte of the source; and what came of the rest."""

    reader: SourceParser
    offset: int
    tail: Tail = field(default_factory=Tail)


def freeze(checkpoint: Checkpoint) -> bytes | None:
    """A checkpoint as bytes; None if it holds more than is worth keeping, or than can be kept."""
    checkpoint.reader.settle()
    buffer = io.BytesIO()
    try:
        _Pickler(buffer, protocol=5).dump(checkpoint)
    except pickle.PicklingError:
        return None
    data = _VERSION + buffer.getvalue()
    return data if len(data) <= _LARGEST else None


def thaw(data: bytes) -> Checkpoint | None:
    """What `freeze` was given; None for bytes that are no such thing, or one of another version of wrkparse."""
    if not data.startswith(_VERSION):  # its readers may lack what this one's have
        return None
    pickled = data[len(_VERSION) :]
    if not _is_plain(pickled):
        return None
    try:
        found = _Unpickler(io.BytesIO(pickled)).load()
    except Exception:  # noqa: BLE001 pickle raises whatever the bytes make it stumble over
        return None
    return found if isinstance(found, Checkpoint) and isinstance(found.reader, SourceParser) else None


def _is_plain(pickled: bytes) -> bool:
    """Whether it consists of what `freeze` writes, to its end.

    Others make room for as many objects as a number in them says: five bytes can take the memory of a machine.
    """
    at, end = 0, len(pickled)
    while at < end:
        size = _ARGUMENT.get(pickled[at])
        if size is None:
            return False
        if size < 0:
            size = int.from_bytes(pickled[at + 1 : at + 1 - size], "little") - size
        at += 1 + size
    return at == end


def _shared_name(tool: ReportTool | EventTool, tools: Sequence[ReportTool | EventTool]) -> str:
    """A tool's name, with its place among those of one name: it holds when another plug-in is installed."""
    return f"{tool.name} {[one for one in tools if one.name == tool.name].index(tool)}"


class _Pickler(pickle.Pickler):
    """What all readers share is named, not copied: tools with their patterns, and the matcher made of them."""

    def persistent_id(self, obj: Any) -> tuple[str, str] | None:
        if isinstance(obj, EventTool):
            return "event", _shared_name(obj, event_tools())
        if isinstance(obj, ReportTool):
            return "report", _shared_name(obj, report_tools())
        if isinstance(obj, Matcher):
            return "matcher", ""
        return ("known", "") if isinstance(obj, CommandClassifier) else None

    def reducer_override(self, obj: Any) -> Any:
        if isinstance(obj, functools.partial | types.FunctionType):  # of a format that a command of the log gave
            raise pickle.PicklingError("code is not kept")
        return NotImplemented


class _Unpickler(pickle.Unpickler):
    def persistent_load(self, pid: Any) -> Any:
        kind, name = pid
        match kind:
            case "event":
                return next(tool for tool in event_tools() if _shared_name(tool, event_tools()) == name)
            case "report":
                return next(tool for tool in report_tools() if _shared_name(tool, report_tools()) == name)
            case "matcher":
                return matcher()
            case "known":
                return command_classifier(report_tools())
        raise pickle.UnpicklingError(f"no such thing is shared: {kind}")

    def find_class(self, module: str, name: str) -> Any:
        package, _, rest = module.partition(".")
        if (module, name) in _PLAIN:
            return super().find_class(module, name)
        if package == "wrkparse" and rest.partition(".")[0] in _PACKAGES:
            found = getattr(sys.modules.get(module), name, None)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no part of a reader")
