"""The end of a command that runs until it is told to stop."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def until_signal() -> Iterator[threading.Event]:
    """An event that Ctrl-C, SIGTERM and the end of the terminal set; a second signal raises KeyboardInterrupt."""
    stop = threading.Event()

    def interrupted(signum: int, frame: object) -> None:
        if stop.is_set():
            raise KeyboardInterrupt
        stop.set()

    ending = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # not below nohup
        ending.append(signal.SIGHUP)
    before = {number: signal.signal(number, interrupted) for number in ending}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
