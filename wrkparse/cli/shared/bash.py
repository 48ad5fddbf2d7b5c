"""Completion in bash of words with ``=``, which bash takes for several words."""

from __future__ import annotations

import os
import re
import shlex
from typing import Any

from click.shell_completion import BashComplete, CompletionItem, add_completion_class, split_arg_string

_UNSAFE = re.compile(r"([^\w@%+=:,./-])")


class _Bash(BashComplete):
    """Reads the line itself, and answers with what stands behind the last ``=`` or ``:``, which bash replaces."""

    source_template = (
        BashComplete.source_template.replace(
            "env COMP_WORDS", 'env COMP_LINE="$COMP_LINE" COMP_POINT=$COMP_POINT COMP_WORDS'
        )
        .replace("read type value", "read -r type value")
        .replace("COMPREPLY+=($value)", "COMPREPLY+=($value)\n            [[ $value == *= ]] && compopt -o nospace")
    )

    def get_completion_args(self) -> tuple[list[str], str]:
        line = os.environ.get("COMP_LINE")
        if line is None:
            return super().get_completion_args()
        self._line = os.fsencode(line)[: int(os.environ["COMP_POINT"])].decode(errors="ignore")
        words = split_arg_string(self._line)[1:]
        if _is_closed(self._line) and self._line[-1:].isspace():
            return words, ""
        return words[:-1], words[-1] if words else ""

    def format_completion(self, item: CompletionItem[Any]) -> str:
        if item.type != "plain" or not hasattr(self, "_line"):
            return super().format_completion(item)
        value = item.value
        if _is_closed(self._line):
            begun = self.get_completion_args()[1]
            begun = begun.partition("=")[2] if begun.startswith("--") else begun
            at = max(begun.rfind("="), begun.rfind(":")) + 1
            value = _UNSAFE.sub(r"\\\1", value[at:])
        return f"{item.type},{value}"


def _is_closed(line: str) -> bool:
    """Whether no quotation is open at the end of a line."""
    try:
        shlex.split(line)
    except ValueError:
        return False
    return True


def register() -> None:
    """Use this completion for bash."""
    add_completion_class(_Bash)
