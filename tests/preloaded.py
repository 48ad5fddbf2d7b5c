"""The command ``wrkparse`` as a process, without the time that its imports take.

A server imports the package once, and forks for each command: the fork has streams, an environment, a directory and an
exit code of its own, and gets the signals that its client gets. What imports cost, closed streams, ``SIGKILL`` and
packages beside wrkparse need ``python -m wrkparse``. The client imports little: it takes a fiftieth of a second.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn

ROOT = Path(__file__).resolve().parents[1]
IMPORTED = ("analysis", "cli", "dataset", "ingest", "store")  # packages of wrkparse, with all of their modules
FORWARDED = ("SIGINT", "SIGTERM", "SIGHUP")


@contextmanager
def server() -> Iterator[tuple[str, ...]]:
    """Run a server; the words that stand for ``wrkparse`` in a command."""
    import subprocess
    import tempfile

    with tempfile.TemporaryDirectory(prefix="wrkparse-") as folder:  # a socket's path may have a hundred characters
        path = str(Path(folder, "socket"))
        command = [sys.executable, "-P", __file__, "serve", path]
        environment = os.environ | {"PYTHONPATH": str(ROOT), "OPENBLAS_NUM_THREADS": "1"}
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with subprocess.Popen(command, env=environment, **pipes) as process:  # type: ignore[call-overload]
            assert process.stdout.readline() == b"ready\n"
            yield sys.executable, "-I", "-S", __file__, "wrkparse", path
            process.stdin.close()  # ends it


def serve(path: str) -> None:
    """Fork for each client, until standard input ends."""
    import gc
    import importlib
    import pkgutil
    import select

    for package in IMPORTED:
        module = importlib.import_module(f"wrkparse.{package}")
        for found in pkgutil.walk_packages(module.__path__, f"{module.__name__}."):
            importlib.import_module(found.name)
    warm_up()
    gc.freeze()  # a fork gets copies of what a search for garbage looks at
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(path)
        listening.listen()
        os.write(1, b"ready\n")
        forks: set[int] = set()
        while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
            connection, _ = listening.accept()
            forks -= {fork for fork in forks if os.waitpid(fork, os.WNOHANG)[0]}
            if not (fork := os.fork()):
                listening.close()
                attend(connection)
            connection.close()
            forks.add(fork)
    for fork in forks:
        os.waitpid(fork, 0)
    gc.unfreeze()  # else DuckDB says at the end that its objects are still there


def warm_up() -> None:
    """Have what a command makes when it first needs it: the tools with their patterns, the columns of the tables."""
    from itertools import chain

    from tests.samples import GC, WRK
    from wrkparse.parse.parser import SourceParser
    from wrkparse.tools.schema import columns

    reader = SourceParser("x.log")
    assert list(chain(reader.feed((WRK + GC.format(n=1, t="1.000")).encode()), reader.finish()))
    assert columns()


def attend(connection: socket.socket) -> NoReturn:
    """Start what a client asks for, tell it the process, and how it ended."""
    with connection.makefile("rb") as received:
        _, descriptors, _, _ = socket.recv_fds(connection, 1, 3)
        request = json.loads(received.readline())
    if not (program := os.fork()):
        connection.close()
        for number, descriptor in enumerate(descriptors):
            os.dup2(descriptor, number)
            os.close(descriptor)
        become(request["arguments"], request["environment"], request["directory"])
    for descriptor in (0, *descriptors):
        os.close(descriptor)
    connection.sendall(f"{program}\n".encode())
    connection.sendall(f"{os.waitstatus_to_exitcode(os.waitpid(program, 0)[1])}\n".encode())
    os._exit(0)


def become(arguments: list[str], environment: dict[str, str], directory: str) -> NoReturn:
    """Be the command: as the script that an installer makes for it, run by a Python that has just begun."""
    import atexit
    import traceback

    os.chdir(directory)
    os.environ.clear()
    os.environ.update(environment)
    del sys.modules["wrkparse.cli"]  # it looks at the environment when it is imported
    from wrkparse.cli import main

    sys.argv = ["wrkparse", *arguments]
    sys.stdin, sys.stdout, sys.stderr = os.fdopen(0), os.fdopen(1, "w"), os.fdopen(2, "w", buffering=1)
    code = 0
    try:
        main()
    except SystemExit as ended:
        code = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except BaseException:  # noqa: BLE001 (as Python does at its top)
        traceback.print_exc()
        code = 1
    atexit._run_exitfuncs()  # os._exit leaves them out
    sys.stdout.flush()
    os._exit(code)


def ask(path: str, arguments: list[str]) -> int:
    """Have the server run the command with the streams, the environment and the directory of this process."""
    request = {"arguments": arguments, "environment": dict(os.environ), "directory": os.getcwd()}  # noqa: PTH109 (fast)
    with socket.socket(socket.AF_UNIX) as connection:
        connection.connect(path)
        socket.send_fds(connection, [b"!"], [0, 1, 2])
        connection.sendall(json.dumps(request).encode() + b"\n")
        with connection.makefile() as told:
            program = int(told.readline())
            for name in FORWARDED:
                signal.signal(getattr(signal, name), lambda number, _: os.kill(program, number))
            code = int(told.readline())
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    if sys.argv[1] == "serve":
        serve(sys.argv[2])
    else:
        sys.exit(ask(sys.argv[2], sys.argv[3:]))
