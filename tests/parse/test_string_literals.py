"""Event lines in string literals of source code are no runs."""

from __future__ import annotations

from pathlib import Path

import pytest

import wrkparse as wp

GC = "gc {} @{}.010s 2%: 0.026+0.39+0.10 ms clock, 0.21+0.88/0.52/0+0.84 ms cpu, 4->4->0 MB, 5 MB goal, 8 P"
SCHED = "SCHED {}004ms: gomaxprocs=2 idleprocs=1 threads=6 spinningthreads=0 idlethreads=4 runqueue=0 [1 0]"


def _read(tmp_path: Path, text: str) -> tuple[int, list[str]]:
    """The number of runs that are read from a text, and the codes of its notes."""
    (tmp_path / "parser_test.go").write_text(text)
    dataset = wp.read(tmp_path / "parser_test.go")
    return len(dataset.runs), list(dataset.diagnostics["code"])


@pytest.mark.parametrize("event", [GC.format(3, 1), SCHED.format(1)])
@pytest.mark.parametrize(
    "line",
    [
        '\tline := "{}"',
        "\tline := `{}`",
        '    text = "{}"',
        "  want += '{}'",
        'const s string = "{}\\n"',
        '\tlines := []string{"{}"}',
        '\tlines := []string{"{}", "{}"}',
        'String[] lines = new String[]{"{}"};',
    ],
)
def test_a_string_literal_is_a_note_and_no_run(tmp_path: Path, event: str, line: str) -> None:
    runs, codes = _read(tmp_path, f"func TestParse() {{\n{line.replace('{}', event)}\n\trun()\n}}\n")
    assert runs == 0
    assert codes.count("source-code") == 1


def test_a_raw_string_goes_on_over_lines_up_to_its_mark(tmp_path: Path) -> None:
    events = "\n".join(GC.format(at, at) for at in (1, 2, 3))
    runs, codes = _read(tmp_path, f"\tlines := `{events}`\n\tread(lines)\n")
    assert (runs, codes.count("source-code")) == (0, 1)


@pytest.mark.parametrize("mark", ['"', "`", "'"])
def test_a_list_of_strings_over_several_lines_is_a_note_and_no_run(tmp_path: Path, mark: str) -> None:
    events = "".join(f"\t{mark}{GC.format(at, at)}{mark},\n" for at in (1, 2, 3))
    runs, codes = _read(tmp_path, f"var lines = []string{{\n{events}}}\n")
    assert (runs, codes) == (0, ["source-code", "no-runs"])


def test_output_in_a_comment_of_source_code_is_output(tmp_path: Path) -> None:
    (tmp_path / "gc.go").write_text("".join(f"// {GC.format(at, at)}\n" for at in (1, 2)))
    assert len(wp.read(tmp_path / "gc.go").gc_cycles) == 2


def test_an_array_of_json_holds_output(tmp_path: Path) -> None:
    (tmp_path / "log.json").write_text("[\n" + ",\n".join(f'  "{GC.format(at, at)}"' for at in (1, 2)) + "\n]\n")
    assert len(wp.read(tmp_path / "log.json").gc_cycles) == 2


def test_lines_behind_a_literal_are_output_again(tmp_path: Path) -> None:
    (tmp_path / "notes.md").write_text(
        f'    line := "{GC.format(1, 1)}"\n\nOutput:\n\n{GC.format(7, 7)}\n{GC.format(8, 8)}\n'
    )
    assert wp.read(tmp_path / "notes.md").gc_cycles["gc"].tolist() == [7, 8]


@pytest.mark.parametrize("front", ['time=12:00:01 level=info msg="', '{"log":"', "x = ", "stderr = |", "gc log: `"])
def test_logs_that_quote_their_text_are_output(tmp_path: Path, front: str) -> None:
    close = {'{"log":"': '\\n"}', "gc log: `": "`"}.get(front, '"' if front.endswith('"') else "")
    text = "".join(f"{front}{GC.format(at, at)}{close}\n" for at in (1, 2))
    (tmp_path / "app.log").write_text(text)
    assert len(wp.read(tmp_path / "app.log").gc_cycles) == 2


def test_a_long_trace_keeps_what_stands_beside_a_literal(tmp_path: Path) -> None:
    """The fast ways of long blocks give what the line by line one gives."""
    events = [GC.format(at, at) for at in range(1, 2000)]
    events[1000] = f'line := "{events[1000]}"'
    (tmp_path / "long.log").write_text("\n".join(events) + "\n")
    found = wp.read(tmp_path / "long.log").gc_cycles["gc"].tolist()
    assert found == [at for at in range(1, 2000) if at != 1001]
