from __future__ import annotations

import bz2
import gzip
import io
import lzma
import os
import random
import tempfile
from functools import partial
from pathlib import Path

import pyarrow as pa
import pytest
import xxhash
from hypothesis import given
from hypothesis import strategies as st

from wrkparse.source import blocks
from wrkparse.source.blocks import BlockReader, NotTextError
from wrkparse.source.discover import FileStamp, SourceFile, find_sources


def text_of(path: Path, block: int = blocks.BLOCK_BYTES) -> tuple[bytes, BlockReader]:
    text = BlockReader(SourceFile(path.name, path, str(path), True), block)
    return b"".join(text), text


def zstd(data: bytes) -> bytes:
    sink = pa.BufferOutputStream()
    with pa.CompressedOutputStream(sink, "zstd") as stream:
        stream.write(data)
    return bytes(sink.getvalue())


BODY = "".join(f"line {n} – Größe\n" for n in range(5000)).encode()


@pytest.mark.parametrize(
    ("suffix", "pack"),
    [
        ("", bytes),
        (".gz", gzip.compress),
        (".bz2", bz2.compress),
        (".xz", lzma.compress),
        (".lzma", partial(lzma.compress, format=lzma.FORMAT_ALONE)),
        (".zst", zstd),
    ],
)
def test_compressed_files_are_known_by_their_first_bytes(tmp_path: Path, suffix: str, pack: object) -> None:
    path = tmp_path / "log"  # not by their name
    path.write_bytes(pack(BODY))  # type: ignore[operator]
    data, text = text_of(path)
    assert data == BODY
    assert text.size == path.stat().st_size
    assert text.digest == xxhash.xxh3_128_hexdigest(path.read_bytes())
    assert not text.notes


def test_the_digest_is_what_other_programs_say_too(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"abc")  # `printf abc | xxhsum -H2`; PHP: hash('xxh128', 'abc')
    assert text_of(path)[1].digest == "06b05ab6733a618578af5f94892f3950"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd])
def test_joined_compressed_files_are_read_to_the_end(tmp_path: Path, pack: object) -> None:
    path = tmp_path / "log"
    path.write_bytes(pack(BODY) + pack(b"tail\n"))  # type: ignore[operator]
    assert text_of(path)[0] == BODY + b"tail\n"


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd])
def test_damaged_compressed_data_is_read_up_to_the_damage(tmp_path: Path, pack: object) -> None:
    packed = pack(BODY)  # type: ignore[operator]
    for damaged in (packed[: len(packed) // 2], packed[:40] + b"garbage" * 9 + packed[103:]):
        path = tmp_path / "log"
        path.write_bytes(damaged)
        data, text = text_of(path)
        assert BODY.startswith(data[: len(data) // 2])
        assert [note.code for note in text.notes] == ["damaged"]


@pytest.mark.parametrize("pack", [gzip.compress, partial(bz2.compress, compresslevel=1), lzma.compress, zstd])
def test_what_stands_before_a_cut_comes_out_though_it_is_less_than_a_block(tmp_path: Path, pack: object) -> None:
    text = random.Random(1).randbytes(300_000).hex()  # several blocks of each compression, not one of ours
    body = "".join(f"{text[at : at + 99]}\n" for at in range(0, len(text), 99)).encode()
    packed = pack(body)  # type: ignore[operator]
    path = tmp_path / "log"
    path.write_bytes(packed[: len(packed) * 3 // 4])
    data, reader = text_of(path)
    assert len(data) > len(body) // 4
    assert body.startswith(data)
    assert data.endswith(b"\n")  # half a line may be half a number
    assert [note.code for note in reader.notes] == ["damaged"]


@pytest.mark.parametrize("pack", [gzip.compress, bz2.compress, lzma.compress, zstd])
def test_what_stands_before_garbage_is_read_to_its_last_line(tmp_path: Path, pack: object) -> None:
    path = tmp_path / "log"
    body = random.Random(1).randbytes(150_000).hex().replace("7", "\n").encode() + b"\n"
    path.write_bytes(pack(body) + b"garbage" * 9)  # type: ignore[operator]
    data, text = text_of(path)
    assert data == body
    assert {note.code for note in text.notes} <= {"damaged"}  # gzip ignores what is not its own


@pytest.mark.parametrize(("name", "pack"), [
    ("a.gz", gzip.compress), ("a.bz2", bz2.compress), ("a.xz", lzma.compress), ("a.log.zst", zstd),
    ("a.lzma", partial(lzma.compress, format=lzma.FORMAT_ALONE)),
])  # fmt: skip
def test_a_compressed_file_cut_off_in_its_first_bytes_is_damaged(tmp_path: Path, name: str, pack: object) -> None:
    for size in range(1, 12):
        (tmp_path / name).write_bytes(pack(BODY)[:size])  # type: ignore[operator]
        data, text = text_of(tmp_path / name)
        assert (data, [note.code for note in text.notes]) == (b"", ["damaged"]), size
    (tmp_path / name).write_bytes(b"text\n")
    assert text_of(tmp_path / name)[0] == b"text\n"


@pytest.mark.parametrize(
    ("encoding", "mark"),
    [
        ("utf-8", b"\xef\xbb\xbf"),
        ("utf-16-le", b"\xff\xfe"),
        ("utf-16-be", b"\xfe\xff"),
        ("utf-16-le", b""),
        ("utf-16-be", b""),
    ],
)
def test_encodings_become_utf_8(tmp_path: Path, encoding: str, mark: bytes) -> None:
    body = "Running 10s test @ http://x/ ü\r\n" * 300
    path = tmp_path / "log"
    path.write_bytes(mark + body.encode(encoding))
    assert text_of(path, block=1001)[0].decode() == body


def test_undecodable_bytes_come_through_for_the_reader_to_name(tmp_path: Path) -> None:
    path = tmp_path / "log"
    path.write_bytes(b"caf\xe9\n")
    assert text_of(path)[0] == b"caf\xe9\n"


@pytest.mark.parametrize(
    "data",
    [
        b"\x7fELF\0\0\0\0\1\2",
        bytes(100),
        b"text then \0 binary \0\0",
        bytes(range(256)) * 20,
        b"%PDF-1.7\n1 0 obj\n",
        b"%PDF-1.7\n" + b"1 0 obj\n" * 20_000,
    ],
)
def test_binary_data_is_not_text(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.bin"
    path.write_bytes(data)
    with pytest.raises(NotTextError):
        text_of(path)


@pytest.mark.parametrize(
    "data",
    [b"\0" * 5000 + b"line\nline\n", b"\0" * (5 << 20) + b"line\nline\n", b"line\n\0\0\0line\n", b"li\0ne\nline\n"],
    ids=["hole", "large hole", "run", "single"],
)
def test_text_with_the_zeros_of_a_cut_log_is_text_and_said_to_be_cut(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "a.log"
    path.write_bytes(data)
    found, text = text_of(path)
    assert found == b"line\nline\n"
    assert [note.code for note in text.notes] == ["zeros"]
    assert str(data.count(0)) in text.notes[0].message


def test_lines_that_end_in_a_carriage_return_alone_are_lines(tmp_path: Path) -> None:
    path = tmp_path / "mac.txt"
    path.write_bytes(b"one\rtwo\rthree")
    assert text_of(path)[0] == b"one\ntwo\nthree"


def test_an_empty_file_is_an_empty_text(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert text_of(tmp_path / "empty")[0] == b""


@given(st.lists(st.binary(max_size=40).filter(lambda b: b"\0" not in b), max_size=20), st.integers(1, 64))
def test_blocks_end_where_lines_do_and_lose_nothing(lines: list[bytes], block: int) -> None:
    data = b"\n".join(lines)
    found = list(blocks.split_at_lines(iter([data[i : i + block] for i in range(0, len(data), block)]), lambda: None))
    assert b"".join(found) == data
    assert all(part.endswith(b"\n") for part in found[:-1])


@given(
    st.lists(
        st.sampled_from([b"\n", b"\r", b"\0", b"caf\xc3\xa9", b"line", b"\xff\xfe", b"\xef\xbb\xbf", b"\x1f\x8b"]),
        max_size=9,
    )
)
def test_a_small_file_that_is_read_at_once_gives_the_same_text(parts: list[bytes]) -> None:
    def read(at_once: bool) -> tuple[object, ...]:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(blocks, "_SMALL_BYTES", 1000 if at_once else 0)
            text = BlockReader(SourceFile("x", path, str(path), True))
            try:
                data = b"".join(text)
            except NotTextError:
                return ()
        return data, text.size, text.digest, text.is_plain, text.notes

    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "x"
        path.write_bytes(b"".join(parts))
        assert read(at_once=True) == read(at_once=False)


@pytest.mark.parametrize("before", [1, 9])
def test_a_small_file_that_changes_its_size_while_it_is_read_is_read_to_its_end(
    before: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "growing"
    path.write_bytes(b"a\nb\nc")
    monkeypatch.setattr(SourceFile, "stamp", lambda _: FileStamp(before, 0, (0, 0)))
    data, text = text_of(path)
    assert (data, text.size) == (b"a\nb\nc", 5)


def test_files_that_are_read_ahead_give_their_blocks_in_order_and_fail_when_their_turn_comes(tmp_path: Path) -> None:
    sizes = [5, blocks._SMALL_BYTES, blocks._SMALL_BYTES + 1, 0, *range(1, 2 * blocks._AHEAD)]
    texts = [b"x" * (size - 1) + b"\n" if size else b"" for size in sizes]
    for number, text in enumerate(texts):
        (tmp_path / f"{number:03}.log").write_bytes(text)
    found, _ = find_sources([str(tmp_path)])
    (tmp_path / "001.log").unlink()
    given = []
    for file, reader in zip(found, blocks.read_ahead(found), strict=True):
        try:
            given.append((file.source, b"".join(reader), reader.size, reader.stamp and reader.stamp.size))
        except FileNotFoundError:
            given.append((file.source, None, 0, None))
    expected = [(f"{number:03}.log", text, len(text), len(text)) for number, text in enumerate(texts)]
    expected[1] = ("001.log", None, 0, None)
    assert given == expected


def test_a_pipe_is_not_opened_ahead(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")  # to open it would wait for a writer
    found, _ = find_sources([str(tmp_path / "pipe")])
    (reader,) = blocks.read_ahead(found)
    assert reader.size == 0


def test_a_line_without_end_is_cut_and_noted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(blocks, "_LONGEST_LINE", 1000)
    path = tmp_path / "log"
    path.write_bytes(b"first\n" + b"x" * 5000 + b"\nlast\n")
    data, text = text_of(path, block=100)
    assert data == b"first\n" + b"x" * 1000 + b"\nlast\n"
    assert [note.code for note in text.notes] == ["long-line"]


def touch(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")


def names(*arguments: str | Path) -> list[str]:
    return [item.source for item in find_sources([str(argument) for argument in arguments])[0]]


def test_directories_are_read_below_in_order_without_hidden_files(tmp_path: Path) -> None:
    touch(tmp_path, "b/2.txt", "b/1.txt", "a.txt", ".git/config", ".hidden", "wrkparse.yaml", "b/wrkparse.yaml")
    assert names(tmp_path) == ["a.txt", "b/1.txt", "b/2.txt"]


def test_a_file_is_named_as_it_was_typed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "runs/a/wrk.txt", "runs/b/wrk.txt")
    monkeypatch.chdir(tmp_path)
    assert names("runs/a/wrk.txt", "runs/b/wrk.txt") == ["runs/a/wrk.txt", "runs/b/wrk.txt"]
    assert names(tmp_path / "runs/a/wrk.txt") == ["wrk.txt"]


def test_sources_of_one_name_get_the_directories_that_tell_them_apart(tmp_path: Path) -> None:
    touch(tmp_path, "h1/logs/x.txt", "h2/logs/x.txt", "h2/logs/y.txt")
    assert names(tmp_path / "h1/logs", tmp_path / "h2/logs") == ["h1/logs/x.txt", "h2/logs/x.txt", "y.txt"]


def test_a_label_in_front_of_a_path_names_its_sources(tmp_path: Path) -> None:
    touch(tmp_path, "logs/x.txt", "one.txt")
    found, _ = find_sources([f"before={tmp_path / 'logs'}", f"after={tmp_path / 'one.txt'}"])
    assert [(item.source, item.input_label) for item in found] == [
        ("before/x.txt", "before"),
        ("after/one.txt", "after"),
    ]


def test_a_path_with_an_equals_sign_that_exists_is_a_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    touch(tmp_path, "cores=4/x.txt")
    monkeypatch.chdir(tmp_path)
    assert names("cores=4") == ["x.txt"]


def test_a_missing_path_is_a_diagnostic_and_the_rest_is_found(tmp_path: Path) -> None:
    touch(tmp_path, "x.txt")
    found, problems = find_sources([str(tmp_path / "nowhere"), str(tmp_path / "x.txt")])
    assert [item.source for item in found] == ["x.txt"]
    assert [(p.severity, p.code) for p in problems] == [("error", "missing")]
    assert str(problems[0]).startswith(f"{tmp_path / 'nowhere'}: error: ")


def test_a_directory_without_files_is_a_diagnostic(tmp_path: Path) -> None:
    touch(tmp_path, "logs/x.txt")
    (tmp_path / "empty" / "below").mkdir(parents=True)
    found, problems = find_sources([str(tmp_path / "empty"), str(tmp_path / "logs")])
    assert [item.source for item in found] == ["x.txt"]
    assert list(map(str, problems)) == [f"{tmp_path / 'empty'}: error: no files in this directory"]


def test_bytes_of_a_name_that_are_not_utf_8_are_spelled_out(tmp_path: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    try:
        touch(tmp_path, name)
    except OSError:
        pytest.skip("no such names here")
    assert names(tmp_path) == names(tmp_path / name) == ["caf\\xe9.txt"]
    assert text_of(tmp_path / name)[0] == b"x\n"
    assert find_sources([os.fsdecode(b"caf\xe9")])[1][0].source == "caf\\xe9"


def test_a_closed_standard_input_can_t_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    with pytest.raises(OSError, match="standard input is closed"):
        list(BlockReader(find_sources(["-"])[0][0]))


def test_a_file_named_twice_is_read_once(tmp_path: Path) -> None:
    touch(tmp_path, "a/x.txt")
    assert len(names(tmp_path, tmp_path / "a")) == 1


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no named pipes here")
def test_pipes_in_a_directory_are_not_waited_for(tmp_path: Path) -> None:
    touch(tmp_path, "x.txt")
    os.mkfifo(tmp_path / "pipe")
    assert names(tmp_path) == ["x.txt"]


class Pieces(io.RawIOBase):
    """A pipe that gives one piece at each read."""

    def __init__(self, pieces: list[bytes]) -> None:
        self._pieces = pieces

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        piece = self._pieces.pop(0) if self._pieces else b""
        buffer[: len(piece)] = piece
        return len(piece)


@pytest.mark.parametrize(
    ("pieces", "expected"),
    [
        ([b"one\r", b"\ntwo\r\n"], b"one\r\ntwo\r\n"),  # Windows, cut amid a line's end
        ([b"one\r10%", b"\r\ntwo\r\n"], b"one\r10%\r\ntwo\r\n"),  # a progress bar in the first line
        ([b"one\r", b"two\r"], b"one\ntwo\n"),  # classic Mac OS
        ([b"one\r"], b"one\n"),
        ([b"one\n", b"two\r"], b"one\ntwo\r"),
    ],
)
def test_the_line_ends_of_a_pipe_are_known_whatever_its_pieces(pieces: list[bytes], expected: bytes) -> None:
    reader = BlockReader(SourceFile("-", None, None, True))
    reader.stream = Pieces(pieces)
    assert b"".join(reader) == expected


def test_a_log_with_one_long_hole_of_zeros_is_text(tmp_path: Path) -> None:
    path = tmp_path / "log"
    lines = b"".join(b"line %d of a log\n" % n for n in range(20))
    path.write_bytes(lines + bytes(3000) + lines)
    data, reader = text_of(path)
    assert data == lines + lines
    assert [note.code for note in reader.notes] == ["zeros"]
