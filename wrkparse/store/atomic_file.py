"""Writes files completely or not at all: even after a power failure, a file has its old or its new content."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import shutil
import sys
import time
from collections.abc import Callable
from pathlib import Path

_SUFFIX = ".partial"
# The name, and the process that writes it: ".kiwi.svg.4711-0f3a9c1e.partial".
_PARTIAL = re.compile(r"\.(.+)\.([0-9]{1,9})(?:-[0-9a-f]{8})?\.partial")
# Writing one file takes seconds, so an older partial file was left by a process that was killed.
_ABANDONED_S = 3600


def write_file(path: Path, data: bytes) -> None:
    """Write a file under a temporary name beside its path, and rename it when it is on the disk.

    Raises OSError; a file that existed is then unchanged.
    """
    partial = partial_path(path)
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            # Before the name: after a power failure, a renamed file could otherwise be empty.
            os.fsync(file.fileno())
        move_into_place(partial, path)
    except BaseException:
        with contextlib.suppress(OSError):  # the directory may be read-only
            partial.unlink(missing_ok=True)
        raise


def write_output(path: Path, data: bytes) -> None:
    """The same as `write_file`, and delete partial files that a killed process may have left.

    Devices, pipes and the targets of links are written directly: a renamed file would replace them.
    """
    # /dev/stdout, a named pipe
    if path.exists() and not path.is_file() and not path.is_dir():
        path.write_bytes(data)
        return
    # the file that a link leads to, or the link would become a file
    path = Path(os.path.realpath(path))
    write_file(path, data)
    sweep(path.parent, path.name.__eq__)


def partial_path(path: Path) -> Path:
    """A new name for a file or directory beside its place, where it is written until it is complete."""
    return path.with_name(f".{path.name}.{os.getpid()}-{secrets.token_hex(4)}{_SUFFIX}")


def move_into_place(partial: Path, path: Path) -> None:
    """Rename a complete file or directory, and sync the directory that holds the name. Raises OSError if unchanged."""
    partial.replace(path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Write the names in a directory to disk. Some file systems can't; the renamed file is in its place anyway."""
    if sys.platform == "win32":  # NTFS logs renames itself, and a directory can't be opened
        return
    with contextlib.suppress(OSError):
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)


def sweep(directory: Path, is_written: Callable[[str], bool]) -> None:
    """Delete partial files that killed processes left an hour ago or earlier, for the names that are written there."""
    with contextlib.suppress(OSError):
        for left in directory.iterdir():
            match = _PARTIAL.fullmatch(left.name)
            if match is None or not is_written(match[1]) or is_alive(int(match[2])):
                continue
            if time.time() - left.stat().st_mtime > _ABANDONED_S:
                if left.is_dir() and not left.is_symlink():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink(missing_ok=True)


def is_alive(process: int) -> bool:
    """Whether a process on this machine has this number. False on Windows, where os.kill would end the process."""
    if sys.platform == "win32":
        return False
    try:
        # Signal 0 is not sent; only its errors are reported. Another user's process may not be signalled, but lives.
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
