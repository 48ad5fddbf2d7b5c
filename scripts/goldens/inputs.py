"""What is read: all fixtures, studies and logs of the notebooks, damaged logs, and long pages and traces."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from damage import damaged

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = ("tests/fixtures", "data", "notebooks/loopback")
_SOUND = (  # what is damaged, one of each kind of output
    "tests/fixtures/wrk", "tests/fixtures/ab", "tests/fixtures/time", "tests/fixtures/gctrace",
    "tests/fixtures/schedtrace",
)  # fmt: skip
_OF_EACH = 4  # texts of a tool that are damaged
_LONGEST = 6000  # characters of one


def files() -> list[Path]:
    """Every log of the repository."""
    skipped = {".json", ".go", ".py"}
    return [
        path
        for folder in FOLDERS
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file() and path.suffix not in skipped and "__pycache__" not in path.parts
    ]


def made(directory: Path) -> list[Path]:
    """The generated logs, written below a directory."""
    paths = []
    for name, text in (*damaged(_texts()), *_long(_texts())):
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode("utf-8", "surrogateescape"))
        paths.append(path)
    return paths


def _texts() -> dict[str, str]:
    """Sound texts by the name of their file, some of each tool."""
    found: dict[str, str] = {}
    for folder in _SOUND:
        paths = sorted(path for path in (ROOT / folder).iterdir() if path.suffix in {".txt", ".log"})
        step = max(1, len(paths) // _OF_EACH)
        for path in paths[::step]:
            text = path.read_bytes().decode("utf-8", "replace")
            found[f"{path.parent.name}-{path.name}"] = text[:_LONGEST]
    return found


def _long(texts: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Texts of more than one block: a page of many reports with events among them, traces among an application's."""
    rng = random.Random(1)
    whole = sorted(texts)
    page = []
    for number in range(400):
        name = rng.choice(whole)
        page.append(f"## setup {number}\n\n$ wrk -t2 -c{number} http://localhost:8080/\n{texts[name][:4000]}\n")
    yield "long/page.md", "\n".join(page)
    wrk = next(text for name, text in texts.items() if name.startswith("wrk-"))
    gc = "gc {n} @{t}.5s 2%: 0.018+1.3+0.076 ms clock, 0.054+0.35/1.2/3.0+0.22 ms cpu, 4->5->1 MB, 5 MB goal, 4 P"
    reports = [f"# setup {number}\n\n$ wrk -t2 -c8 http://localhost:8080/\n{wrk}" for number in range(800)]
    reports[300:300] = [gc.format(n=1, t=1), gc.format(n=2, t=2)]
    yield "long/two-events.md", "\n".join(reports)
    lines = []
    for number in range(1, 20_000):
        lines.append(gc.format(n=number, t=number))
        lines += ["worker 3: page 99 of cache answered 200 in 12.5ms, 1.2kB"] * rng.randrange(3)
        if number % 6000 == 0:
            lines += ["# another", "$ GOGC=50 ./server", wrk]
    yield "long/mixed.log", "\n".join(lines) + "\n"
