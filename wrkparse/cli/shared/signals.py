"""Signals that end a command which runs until the user stops it."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def until_signal(hurry: Callable[[], None] | None = None) -> Iterator[threading.Event]:
    """An event that is set by the first signal: Ctrl-C, SIGTERM or the end of the terminal.

    The second signal raises KeyboardInterrupt. With `hurry`, the second one calls `hurry`, and the third one raises.
    """
    stop = threading.Event()
    # Emptied by the second signal, so that the third one raises.
    left = [hurry] if hurry else []

    def interrupted(signum: int, frame: object) -> None:
        if not stop.is_set():
            stop.set()
        elif left:
            left.pop()()
        else:
            raise KeyboardInterrupt

    ending = [signal.SIGINT, signal.SIGTERM]
    if sys.platform != "win32" and signal.getsignal(signal.SIGHUP) is not signal.SIG_IGN:  # not below nohup
        ending.append(signal.SIGHUP)
    before = {number: signal.signal(number, interrupted) for number in ending}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
