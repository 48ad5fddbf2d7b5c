"""Follows the folder of a shell session, so that the commands that enter one folder are equal.

``cd ~/src/kiwi``, then ``cd ../emu``, then ``cd ../kiwi`` → ``cd ~/src/kiwi``, ``cd ~/src/emu``, ``cd ~/src/kiwi``.
"""

from __future__ import annotations

import posixpath
import re
from collections.abc import Sequence

_ENTRY = re.compile(r"(cd\s+[^\s;&|]{1,200})\s*(?:&&|;)\s*(\S.{0,500}?)\s{0,3}&?")  # "cd kiwi && make run &"
FOLDER_COMMANDS = ("cd", "pushd", "popd")
_CHANGE = re.compile(r"cd(?:\s+(\S{1,200}))?|pushd\s.*|popd.*")
_QUOTED_HOME = re.compile(r"(?<=\Acd )'(~[^'\s]{0,200})'\Z")  # as `Command.typed` quotes it
_KNOWN_STARTS = ("/", "~")
_RELATIVE = re.compile(r"(?:\.\./)+\w.*|-")  # the forms that get the known folder: "../emu", "-"


class Folders:
    """The folder in which a session is, and the one before; each is empty if unknown."""

    def __init__(self) -> None:
        self._now = self._before = ""

    def resolve(self, command: str) -> str:
        """The command with the folder that it enters, if it is typed relative to a known one; others unchanged."""
        command = _QUOTED_HOME.sub(r"\1", command)
        if (change := _CHANGE.fullmatch(command)) is None:
            return command
        typed = change[1] or ("~" if command == "cd" else "")
        target = self._target(typed)
        self._now, self._before = target, self._now
        return f"cd {target}" if target and _RELATIVE.fullmatch(typed) else command

    def _target(self, typed: str) -> str:
        """The folder that is entered; empty if it is unknown."""
        if typed == "-":
            return self._before
        if not typed or typed.startswith(_KNOWN_STARTS):
            return posixpath.normpath(typed) if typed else ""
        if not self._now:
            return ""
        target = posixpath.normpath(posixpath.join(self._now, typed))
        return target if target.startswith(_KNOWN_STARTS) else ""  # "~/../.." is above the home, which is unknown


def split_entry(text: str) -> list[str]:
    """The command that enters a folder at the beginning of a line, and the rest without a ``&``; else the line."""
    match = _ENTRY.fullmatch(text)
    return [match[1], match[2]] if match else [text]


def join_entry(commands: Sequence[str], start: str) -> list[str]:
    """The commands of a line, with the first one that enters a folder joined to the one that starts a server.

    The folder is that of the server, and the next ``cd`` alone replaces only a ``cd`` alone. `start` is the command
    that surely starts a server; if it is empty, the last one behind the entry may do so.
    """
    at = next((at for at, command in enumerate(commands) if command.startswith("cd ")), len(commands))
    steps = [*commands[:at], *commands[at + 1 :]]
    if at == len(commands) or not (start or commands[at + 1 :]):
        return list(commands)
    return [*steps, f"{commands[at]} && {start}"] if start else [*steps[:-1], f"{commands[at]} && {steps[-1]}"]
