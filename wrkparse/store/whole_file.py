"""Files that appear whole or not at all, and that a power failure leaves as they were or as they would have become."""

from __future__ import annotations

import contextlib
import errno
import os
import shutil
import sys
import time
from pathlib import Path

_SUFFIX = ".partial"
# Writing one file takes seconds. What is older was left by a process that was killed.
_ABANDONED_S = 3600
# A file system that can't sync a directory (some network and FUSE ones) says so with one of these.
_CANNOT_SYNC = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS, errno.EACCES, errno.EBADF)


def write_file(path: Path, data: bytes) -> None:
    """Write a file beside its place, and move it there when it is on the disk.

    Raises OSError; a file that existed is then unchanged.
    """
    partial = partial_path(path)
    try:
        with partial.open("wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        move_into_place(partial, path)
    except OSError:
        with contextlib.suppress(OSError):  # the directory may be read-only
            partial.unlink(missing_ok=True)
        raise
    sweep(path.parent, path.name)


def partial_path(path: Path) -> Path:
    """Where a file or directory is written by this process until it is complete."""
    return path.with_name(f".{path.name}.{os.getpid()}{_SUFFIX}")


def move_into_place(partial: Path, path: Path) -> None:
    """Rename a complete file or directory, and sync the directory that holds the name. Raises OSError."""
    partial.replace(path)
    sync_directory(path.parent)


def sync_directory(directory: Path) -> None:
    """Write the names in a directory to the disk, where the file system can. Raises OSError if the disk fails."""
    if sys.platform == "win32":  # NTFS logs renames itself, and a directory can't be opened
        return
    try:
        descriptor = os.open(directory, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except OSError as problem:
        if problem.errno not in _CANNOT_SYNC:
            raise


def sweep(directory: Path, name: str = "") -> None:
    """Delete what killed processes left of a file of this name, or of any: partial files of an hour ago."""
    front = f".{name}." if name else "."
    with contextlib.suppress(OSError):
        for left in directory.iterdir():
            if not (left.name.startswith(front) and left.name.endswith(_SUFFIX)):
                continue
            if time.time() - left.stat().st_mtime > _ABANDONED_S:
                if left.is_dir():
                    shutil.rmtree(left, ignore_errors=True)
                else:
                    left.unlink(missing_ok=True)
