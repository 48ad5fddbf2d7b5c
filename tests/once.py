"""What takes long to make is made by one process of a run, and read by the others."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable
from typing import TypeVar

import pytest

Made = TypeVar("Made")


def made_once(factory: pytest.TempPathFactory, name: str, make: Callable[[], Made]) -> Made:
    """What `make` returns. Of processes that share a module's tests, one makes it while the others wait.

    On Windows, which has no `fcntl`, each process makes its own.
    """
    if sys.platform == "win32" or "PYTEST_XDIST_WORKER" not in os.environ:
        return make()
    import fcntl

    file = factory.getbasetemp().with_name(f"{name}.pickle")  # beside the folders of all processes
    with file.open("a+b") as shared:
        fcntl.flock(shared, fcntl.LOCK_EX)
        shared.seek(0)
        if not (content := shared.read()):
            content = pickle.dumps(make())
            shared.write(content)
    found: Made = pickle.loads(content)
    return found
