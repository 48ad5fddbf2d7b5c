"""Follows the packages that commands between runs install and remove: ``pip install uvloop``, ``pip uninstall uvloop``.

A package is a setting of the runs below. If it is in the state again that it had above the first run, it is none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from wrkparse.text.shell import Command, parse_commands

_MANAGERS = frozenset({"pip", "pip3"})
_PYTHON = re.compile(r"python(?:[23](?:\.[0-9]{1,2})?)?")
_STATES = {"install": "installed", "uninstall": "removed"}
# Options that do not change what is installed; with others, such as -r and -U, a command may do more than it says.
_PLAIN_OPTIONS = frozenset("-q -qq -v -y --quiet --verbose --yes --user --no-cache-dir --break-system-packages".split())
_PACKAGE = re.compile(r"([A-Za-z][\w.-]{0,60})(?:\[[\w,]{1,60}\])?(?:==([0-9][\w.]{0,30}))?")


class Packages:
    """The packages that the commands of a session name, each with its state above the first run."""

    def __init__(self) -> None:
        self._initial: dict[str, str] = {}
        self._has_prepared = False  # packages were installed above the first run

    def changed(self, command: str, *, has_run: bool) -> Mapping[str, str] | None:
        """The packages that a command changes below a run: new states, empty if it is the state above the first run.

        A state is ``installed``, ``removed`` or a version. None if the command does something else, or prepares the
        first run, or installs what the one below needs as other packages were installed for the first one.
        """
        states = _states_after(command)
        if not states:
            return None
        if not has_run:
            self._initial |= states
            self._has_prepared = True
            return None
        if self._has_prepared and not states.keys() <= self._initial.keys():
            return None
        for name, state in states.items():
            # "pip install uvloop" below a run: it was not installed; "uvloop==0.19" may have been, in another version
            self._initial.setdefault(name, "removed" if state == "installed" else "")
        return {name: "" if state == self._initial[name] else state for name, state in states.items()}


def manages_packages(command: Command) -> bool:
    """Whether a command is one of pip: ``pip install uvloop``, ``python3 -m pip install uvloop``."""
    return command.program in _MANAGERS or (
        command.args[:2] == ("-m", "pip") and _PYTHON.fullmatch(command.program) is not None
    )


def _states_after(text: str) -> dict[str, str]:
    """The packages that a command line installs or removes, with their states; empty for any other command."""
    if "pip" not in text or len(commands := parse_commands(text)) != 1 or not manages_packages(commands[0]):
        return {}
    action, *words = commands[0].args[2 if commands[0].program not in _MANAGERS else 0 :] or ("",)
    names = [word for word in words if word not in _PLAIN_OPTIONS]
    matches = [match for name in names if (match := _PACKAGE.fullmatch(name))]
    if action not in _STATES or len(matches) != len(names):
        return {}
    return {match[1].lower().replace("_", "-"): match[2] or _STATES[action] for match in matches}
