"""Which test files can notice a change of a module; each file also has the tests of other things."""

from __future__ import annotations

_REPORTS = (
    "parse/test_matcher.py",
    "parse/test_assembler.py",
    "parse/test_parser.py",
    "parse/test_incomplete.py",
    "parse/test_golden.py",
    "parse/test_reading.py",
    "tools/test_fixtures.py",
    "tools/test_wrk.py",
    "tools/test_ab.py",
    "tools/test_time.py",
    "tools/test_time_forms.py",
    "tools/test_time_formats.py",
    "tools/test_generators.py",
)
_PAGES = (
    "text/test_normalize.py",
    "text/test_wrappings.py",
    "text/test_pasted.py",
    "context/test_document.py",
    "context/test_pages.py",
)
_EVENTS = (
    "parse/test_parser.py",
    "parse/test_golden.py",
    "parse/test_reading.py",
    "parse/test_processes.py",
    "parse/test_events_in_one_line.py",
    "tools/test_gctrace.py",
    "tools/test_schedtrace.py",
)
_BLOCKS = (
    "parse/test_scanned_blocks.py",
    "parse/test_event_scan.py",
    "parse/test_frozen.py",
    "parse/test_checkpoint.py",
)
_FORMS = ("tools/test_report.py", "tools/test_layout.py", "tools/test_hey.py")

FILES: dict[str, tuple[str, ...]] = {
    "parse/reports/assembler.py": (*_REPORTS, *_PAGES, "tools/test_ab_files.py", "tools/test_layout.py"),
    "parse/checkpoint.py": _BLOCKS,
    "parse/reports/amid_text.py": ("parse/test_amid_text.py", *_REPORTS),
    "parse/reports/dispatch.py": (*_REPORTS, *_PAGES, "tools/test_layout.py", "parse/test_checkpoint.py"),
    "parse/events/dispatch.py": (*_EVENTS, *_BLOCKS, "text/test_torn.py", *_PAGES),
    "parse/events/scan.py": (*_EVENTS, *_BLOCKS),
    "parse/items.py": _REPORTS,
    "parse/reports/matcher.py": (*_REPORTS, *_PAGES, *_FORMS),
    "parse/reports/negative_cache.py": ("parse/test_negative_cache.py", *_REPORTS, *_PAGES, "parse/test_coverage.py"),
    "parse/parser.py": (*_REPORTS, *_PAGES, *_EVENTS, *_BLOCKS),
    "parse/other_tools.py": ("tools/test_wrk.py", "tools/test_hey.py"),
    "parse/pending.py": (*_REPORTS, *_PAGES, *_EVENTS, *_BLOCKS),
    "parse/prefilter.py": (*_EVENTS, *_BLOCKS, "parse/test_coverage.py"),
    "parse/events/processes.py": (*_EVENTS, *_BLOCKS),
    "parse/reports/rejoin.py": (*_REPORTS, *_PAGES),
    "parse/reports/verdicts.py": ("parse/test_unmeasured.py", "parse/test_incomplete.py", *_REPORTS),
    "parse/events/literals.py": ("parse/test_string_literals.py", *_EVENTS),
    "parse/events/torn_lines.py": (*_EVENTS, "text/test_torn.py", *_PAGES),
    "parse/events/traces.py": (*_EVENTS, *_BLOCKS, "text/test_torn.py", *_PAGES),
    "text/wrapping/quoted_printable.py": ("text/test_quoted_printable.py", "text/test_normalize.py"),
    "text/wrapping/columns.py": ("text/test_columns.py",),
    "text/forms.py": ("text/test_forms.py", "parse/test_negative_cache.py"),
    "text/normalize.py": (*_PAGES, *_REPORTS, *_EVENTS, "text/test_torn.py"),
    "text/torn.py": ("text/test_torn.py", *_EVENTS, *_PAGES),
    "text/window.py": ("text/test_torn.py", *_EVENTS, *_PAGES),
    "tools/base.py": (*_REPORTS, *_EVENTS),
    "tools/durations.py": ("tools/test_durations.py", "tools/test_generators.py", "tools/test_fixtures.py"),
    "tools/fortio/layout.py": ("tools/test_layout.py", "tools/test_fortio.py"),
    "tools/event.py": ("tools/test_event.py", *_EVENTS, *_BLOCKS),
    "tools/layout.py": (*_FORMS, "tools/test_random_reports.py", *_REPORTS),
    "tools/lines.py": ("tools/test_lines.py", *_FORMS, *_REPORTS),
    "parse/objects.py": ("parse/test_objects.py",),
    "tools/locust.py": ("tools/test_locust.py",),
    "tools/hdrhistogram.py": ("tools/test_hdrhistogram.py",),
    "tools/jmeter/console.py": ("tools/test_jmeter.py",),
    "tools/jmeter/samples.py": ("tools/test_jmeter.py",),
    "tools/jmeter/xml.py": ("tools/test_jmeter.py",),
    "parse/samples.py": ("tools/test_jmeter.py",),
    "tools/objects.py": ("parse/test_objects.py",),
    "tools/plugins.py": ("tools/test_plugins.py",),
    "tools/go/benchmarks.py": ("tools/test_gobench.py", "tools/test_fixtures.py"),
    "tools/report.py": (*_FORMS, *_REPORTS, "tools/test_ab_files.py"),
}
"""The modules of the reading core, under ``wrkparse/``, each with its test files, under ``tests/``."""
