"""Knows the tools that load a server, as a group and by their commands.

``## kiwi`` above a run of ab and ``## emu`` above one of wrk are servers. ``## ab -c 8 http://h/`` is a command.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterable, Iterator

from wrkparse.context.commands.programs import looks_typed, plain_arguments, port_of_load
from wrkparse.text.shell import parse_commands
from wrkparse.tools.base import NO_LOOP, ReportTool
from wrkparse.tools.plugins import registered

_WORDS = re.compile(r"[^\W_]+")
_OTHER_TOOL_NAMES = frozenset({"apachebench"})
_LOAD_GROUP = "load"


@functools.cache
def tool_group(tool: str) -> str:
    """The group of a tool: one for all tools that load a server, else the tool itself."""
    return _LOAD_GROUP if tool in _load_tools() else tool


def is_load_command(text: str) -> bool:
    """Whether a text is a command that loads one address and nothing else.

    So is ``ab -c 8 http://h/``, but not ``ab with keep-alive``, ``wrk -c64 kiwi`` or ``wrk http://h/: kiwi``.
    """
    text = text.strip("`$ ")
    if text.partition(" ")[0] not in _load_tools():
        return False
    command = next(iter(parse_commands(text)), None)
    if command is None or not looks_typed(command) or not (command.has_url or port_of_load(command)):
        return False
    return len(plain_arguments(command, command.program)) <= 1


def include_tool_name(names: Iterable[str]) -> bool:
    """Whether one of some names is a tool: headings such as ``vegeta`` and ``bombardier`` do not name servers."""
    return not _tool_names().isdisjoint(word for name in names for word in _WORDS.findall(name.casefold()))


@functools.cache
def _load_tools() -> frozenset[str]:
    loads = (tool for tool in _report_tools() if tool.loop != NO_LOOP or tool.loop_of is not None)
    return frozenset(name for tool in loads for name in (tool.name, *tool.programs))


@functools.cache
def _tool_names() -> frozenset[str]:
    names = (name for tool in _report_tools() for name in (tool.name, *tool.programs))
    return frozenset(map(str.casefold, names)) | _OTHER_TOOL_NAMES


def _report_tools() -> Iterator[ReportTool]:
    return (plugin.tool for plugin in registered() if isinstance(plugin.tool, ReportTool))
