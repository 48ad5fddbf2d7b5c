"""Coverage-guided fuzzing of everything that reads what strangers write; Linux, for atheris has no other wheels.

    scripts/fuzz text 600          # one target, ten minutes
    scripts/fuzz all 60            # each target for a minute
    scripts/fuzz spliced 600       # the target pieces on logs of lines of all samples: without coverage, so faster
    scripts/fuzz properties        # the tests that make up their own inputs, with 2000 examples and not 50

Targets: text (every parser, by blocks of any size), pieces (the same by blocks of few lines or bytes, wrapped, with
other line ends, without the compiled loops, read on from checkpoints; each against one piece), file (opening,
decompression, encodings), folder (a whole ingest), study (wrkparse.yaml), page (published tables), document (a page
held against its runs), query (--where and sql). A crash, a hang of over a minute, more than 2 GB or a diagnostic
``fault`` is a finding; its input is kept in build/fuzz (WRKPARSE_FUZZ_FOUND) and is run again with:
scripts/fuzz TARGET FILE
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import atheris

with atheris.instrument_imports(include=["wrkparse"]):
    import targets

ROOT = Path(__file__).resolve().parents[2]
FOUND = Path(os.environ.get("WRKPARSE_FUZZ_FOUND", ROOT / "build" / "fuzz"))
_LIMITS = ["-timeout=60", "-rss_limit_mb=2048", "-malloc_limit_mb=1024", "-max_len=20000", "-print_final_stats=1"]
_SEEDS_PER_SECOND = 4


def main() -> None:
    """Run the target named on the command line."""
    name, *rest = sys.argv[1:] or ["--help"]
    if name == "all":
        sys.exit(max([_in_child(each, int(rest[0]) if rest else 60) for each in targets.ALL]))
    if name not in targets.ALL:
        sys.exit(str(__doc__))
    given = rest[0] if rest else "60"
    if Path(given).is_file():
        targets.ALL[name](Path(given).read_bytes())
        return
    _fuzz(name, targets.ALL[name], int(given))


def _in_child(name: str, seconds: int) -> int:
    """Fuzz a target in a child of this process, which has the instrumented modules; returns the exit code."""
    child = os.fork()
    if not child:
        _fuzz(name, targets.ALL[name], seconds)  # ends the process
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


def _fuzz(name: str, target: Callable[[bytes], None], seconds: int) -> None:
    FOUND.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as corpus:
        seeds = list(targets.seeds(name))
        step = 1 + len(seeds) // (seconds * _SEEDS_PER_SECOND)  # all seeds run once before the time counts
        for number, seed in enumerate(seeds[::step]):
            Path(corpus, f"{number:04d}").write_bytes(seed)
        words = Path(corpus, "..", f"wrkparse-{name}.dict").resolve()
        words.write_text("".join(f'"{_escaped(word)}"\n' for word in targets.words()))
        limits = [*_LIMITS, f"-max_total_time={seconds}", f"-artifact_prefix={FOUND}/{name}-", f"-dict={words}"]
        atheris.Setup([sys.argv[0], *limits, corpus], target)
        atheris.Fuzz()


def _escaped(word: bytes) -> str:
    return "".join(chr(byte) if 32 < byte < 127 and byte not in b'"\\' else f"\\x{byte:02x}" for byte in word)


if __name__ == "__main__":
    main()
