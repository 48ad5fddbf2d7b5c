"""A line on the terminal that says what is going on, if it takes more than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wrkparse.analysis.shown.numbers import size
from wrkparse.cli.shared.printing.output import on_terminal, say

PATIENCE_S = 2.0
_CLEAR = "\r\x1b[K"


@contextmanager
def patience(doing: str) -> Iterator[Callable[[int, int, str], None]]:
    """After two seconds in the block, print on a terminal's standard error what is done, how far it is, for how long.

    The block gets a function that it may tell the bytes that are done, all bytes (0: not known) and the source.
    """
    share = ""

    def tell(done: int, total: int, source: str) -> None:
        nonlocal share
        share = f" {100 * min(done, total) // total} % of {size(total)}" if total else f" {size(done)}"

    if not on_terminal(sys.stderr):
        yield tell
        return
    done, started, shown = threading.Event(), time.monotonic(), threading.Event()

    def show() -> None:
        wait = PATIENCE_S
        while not done.wait(wait):
            shown.set()
            say(f"{_CLEAR}{doing}{share} … {time.monotonic() - started:.0f} s", end="")
            wait = 1.0

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield tell
    finally:
        done.set()
        thread.join()
        if shown.is_set():
            say(_CLEAR, end="")
