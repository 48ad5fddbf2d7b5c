"""A line of progress on the terminal, if a step takes more than two seconds."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from wrkparse.analysis.shown.numbers import byte_size_text
from wrkparse.cli.shared.printing.output import is_terminal, print_message

PROGRESS_DELAY_S = 2.0  # shorter steps print nothing
_CLEAR = "\r\x1b[K"  # to the first column, and clear the line to its end


@contextmanager
def late_progress(doing: str) -> Iterator[Callable[[int, int, str], None]]:
    """After two seconds in the block, show on a terminal the step, how much of it is done, and its seconds.

    The block gets a function to report progress: the bytes that are done, all bytes (0: unknown) and the source.
    """
    share = ""

    def report(done: int, total: int, source: str) -> None:
        nonlocal share
        share = (
            f" {100 * min(done, total) // total} % of {byte_size_text(total)}" if total else f" {byte_size_text(done)}"
        )

    if not is_terminal(sys.stderr):
        yield report
        return
    done, started, shown = threading.Event(), time.monotonic(), threading.Event()

    def show() -> None:
        wait = PROGRESS_DELAY_S
        while not done.wait(wait):
            shown.set()
            print_message(f"{_CLEAR}{doing}{share} … {time.monotonic() - started:.0f} s", end="")
            # After the first line, it is renewed each second.
            wait = 1.0

    thread = threading.Thread(target=show, daemon=True)
    thread.start()
    try:
        yield report
    finally:
        done.set()
        thread.join()
        if shown.is_set():
            print_message(_CLEAR, end="")
