"""Files that appear whole or not at all, and what is left of those that did not."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
import time
from pathlib import Path

import pytest

from wrkparse.store import atomic_file
from wrkparse.store.atomic_file import partial_path, write_file, write_output


def test_the_file_and_the_name_are_synced_in_this_order(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, replace = os.fsync, Path.replace
    monkeypatch.setattr(os, "fsync", lambda it: (done.append("directory" if _is_directory(it) else "file"), sync(it)))
    monkeypatch.setattr(Path, "replace", lambda self, to: (done.append("rename"), replace(self, to)))
    write_file(tmp_path / "a.csv", b"1")
    assert done == ["file", "rename", *(["directory"] if sys.platform != "win32" else [])]
    assert [path.name for path in tmp_path.iterdir()] == ["a.csv"]


def _is_directory(descriptor: int) -> bool:
    return os.path.isdir(f"/proc/self/fd/{descriptor}")  # noqa: PTH112


@pytest.mark.parametrize("problem", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_what_can_not_be_written_leaves_the_old_file_alone(
    problem: BaseException, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path / "a.csv"
    target.write_bytes(b"before")

    def fails(descriptor: int) -> None:
        raise problem

    monkeypatch.setattr(os, "fsync", fails)
    with pytest.raises(type(problem)):
        write_file(target, b"after")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.csv": b"before"}


@pytest.mark.skipif(sys.platform == "win32", reason="pipes with a name, and links")
def test_a_pipe_is_written_to_and_a_link_stays_one(tmp_path: Path) -> None:
    """A device, too: the root user of a container would have replaced ``/dev/stdout`` by a file."""
    os.mkfifo(tmp_path / "p.csv")
    reader = os.open(tmp_path / "p.csv", os.O_RDONLY | os.O_NONBLOCK)
    write_output(tmp_path / "p.csv", b"1\n2\n")
    assert os.read(reader, 10) == b"1\n2\n"
    os.close(reader)
    assert stat.S_ISFIFO((tmp_path / "p.csv").stat().st_mode)
    (tmp_path / "a.csv").write_text("before")
    (tmp_path / "link.csv").symlink_to("a.csv")
    write_output(tmp_path / "link.csv", b"after")
    assert (tmp_path / "link.csv").is_symlink()
    assert (tmp_path / "a.csv").read_bytes() == b"after"
    assert len(list(tmp_path.iterdir())) == 3


def test_only_what_a_dead_process_left_long_ago_is_swept(tmp_path: Path) -> None:
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    names = {
        f".a.csv.{ended.pid}-0123abcd.partial": False,  # kept?
        f".a.csv.{ended.pid}.partial": False,
        f".a.csv.{os.getpid()}-0123abcd.partial": True,  # of a process that lives
        f".b.csv.{ended.pid}-0123abcd.partial": True,  # of another name
        f".a.csv.rows.{ended.pid}-0123abcd.partial": True,
        ".a.csv.partial": True,
        ".a.csv.mine.partial": True,
    }
    for name in names:
        (tmp_path / name).mkdir() if "0123" in name else (tmp_path / name).write_text("x")
        os.utime(tmp_path / name, (0, time.time() - 2 * atomic_file._ABANDONED_S))
    young = partial_path(tmp_path / "a.csv").with_name(f".a.csv.{ended.pid}-ffffffff.partial")
    young.write_text("x")
    write_output(tmp_path / "a.csv", b"1")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(
        [name for name, kept in names.items() if kept] + [young.name, "a.csv"]
    )
