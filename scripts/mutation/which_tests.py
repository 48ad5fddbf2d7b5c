"""Which test files can notice a change of a module; each file also has the tests of other things."""

from __future__ import annotations

_REPORTS = ("parse/test_parser.py", "parse/test_incomplete.py", "tools/test_fixtures.py", "tools/test_wrk.py",
            "tools/test_ab.py", "tools/test_time.py", "tools/test_time_forms.py", "tools/test_time_formats.py")  # fmt: skip
_PAGES = ("text/test_wrappings.py", "text/test_pasted.py", "context/test_document.py", "context/test_pages.py")
_EVENTS = ("parse/test_parser.py", "parse/test_processes.py", "tools/test_gctrace.py", "tools/test_schedtrace.py")
_BLOCKS = ("parse/test_block_scan.py", "parse/test_usual_events.py", "parse/test_checkpoint.py")

FILES: dict[str, tuple[str, ...]] = {
    "parse/assembler.py": (*_REPORTS, *_PAGES, "tools/test_ab_files.py", "tools/test_layout.py"),
    "parse/block_scan.py": (*_EVENTS, *_BLOCKS),
    "parse/checkpoint.py": _BLOCKS,
    "parse/dispatch.py": (*_REPORTS, *_PAGES, "tools/test_layout.py", "parse/test_checkpoint.py"),
    "parse/items.py": _REPORTS,
    "parse/matcher.py": (*_REPORTS, *_PAGES, "tools/test_layout.py", "tools/test_lines.py"),
    "parse/needles.py": ("parse/test_needles.py", *_EVENTS, *_BLOCKS),
    "parse/negative_cache.py": (*_REPORTS, *_PAGES, "parse/test_coverage.py"),
    "parse/parser.py": (*_REPORTS, *_PAGES, *_EVENTS, *_BLOCKS),
    "parse/pending.py": (*_REPORTS, *_PAGES, *_EVENTS, *_BLOCKS),
    "parse/prefilter.py": (*_EVENTS, *_BLOCKS, "parse/test_coverage.py"),
    "parse/processes.py": (*_EVENTS, *_BLOCKS),
    "parse/rejoin.py": (*_REPORTS, *_PAGES),
    "parse/traces.py": (*_EVENTS, *_BLOCKS, "text/test_torn.py", *_PAGES),
    "parse/usual_events.py": (*_EVENTS, *_BLOCKS),
    "text/normalize.py": (*_PAGES, *_REPORTS, *_EVENTS, "text/test_torn.py"),
    "text/torn.py": ("text/test_torn.py", *_EVENTS, *_PAGES),
    "tools/base.py": (*_REPORTS, *_EVENTS),
    "tools/layout.py": (
        "tools/test_layout.py",
        "tools/test_lines.py",
        "tools/test_random_reports.py",
        *_REPORTS,
        "tools/test_hey.py",
    ),
    "tools/lines.py": ("tools/test_lines.py", "tools/test_layout.py", *_REPORTS, "tools/test_hey.py"),
    "tools/report.py": ("tools/test_layout.py", *_REPORTS, "tools/test_ab_files.py", "tools/test_hey.py"),
}
"""The modules of the reading core, under ``wrkparse/``, each with its test files, under ``tests/``."""
