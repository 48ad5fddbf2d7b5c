"""Checks a tool against its own fixtures: what it must have before its numbers can be trusted."""

from __future__ import annotations

import importlib
import inspect
import re
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from types import ModuleType

from wrkparse.model.records import Metric
from wrkparse.parse.items import Run
from wrkparse.parse.reports.decorations import undecorated
from wrkparse.parse.reports.matcher import Matcher
from wrkparse.parse.samples import begins_with_sample_row
from wrkparse.testing.amid import lost_amid_lines, lost_when_torn
from wrkparse.testing.linear import UsedPattern, example, slow_texts
from wrkparse.testing.reading import differences, expected_of, lines_of, read_text
from wrkparse.tools import all_tools, report_tools
from wrkparse.tools.base import ReportTool
from wrkparse.tools.common import NON_2XX
from wrkparse.tools.event import EventTool
from wrkparse.tools.lines import LineSpec
from wrkparse.tools.plugins import Tool, UnfitToolError, check, plug_ins

LOOKALIKE = "lookalike"
"""Fixtures whose names begin with this have no expected values: they contain no run of the tool."""

# A file of source code, or an address.
_SOURCE = re.compile(
    r"https?://|\w\.(?:c|cc|cpp|cs|erl|ex|go|h|hs|java|js|kt|lua|ml|php|pl|py|rb|rs|scala|sh|swift|ts)\b"
)
_SEARCHED = re.compile(
    r"\b(\w+)\.(?:search|finditer|findall|sub|subn|split)\b"
)  # a pattern that is searched anywhere in a text
_TODO = "TODO"
_NUMBER = re.compile(r"[0-9]+")
# So many bytes that the prefilter skips some of them. The lines are long, because each line takes time. Below a run, a
# few lines are enough.
_FILLER = f'10.0.0.7 - - "GET /{"index/" * 100} HTTP/1.1" 200 612 0.012\n'
_ABOVE, _BELOW = _FILLER * 110, _FILLER * 14
_SHOWN = 70  # characters of a line in a message


class IncompleteToolError(AssertionError):
    """A tool lacks something; the message has a line for each."""


def check_tool(module: ModuleType | str, fixtures: str | Path) -> None:
    """Raise IncompleteToolError with what a tool lacks. The parameters are those of `lacks`."""
    missing = lacks(module, fixtures)
    if missing:
        raise IncompleteToolError("\n".join(["the tool lacks something:", *missing]))


def lacks(module: ModuleType | str, fixtures: str | Path) -> list[str]:
    """What a tool lacks, one sentence each; empty for a complete tool.

    ``module`` contains the `TOOL`. ``fixtures`` is the folder with its real output: ``<case>.txt`` or ``.log``, each
    with its expected values in ``<case>.json`` (`wrkparse.testing.reading`), and at least one ``lookalike*.txt``.
    Raises ImportError for a module that can't be imported.
    """
    module = importlib.import_module(module) if isinstance(module, str) else module
    tool = getattr(module, "TOOL", None)
    if not isinstance(tool, ReportTool | EventTool):
        return [f"{module.__name__} has no TOOL that is a ReportTool or an EventTool"]
    missing = [*_undocumented(module), *_unfit_metrics(tool)]
    # A tool that is not installed reads nothing, so that all further checks would fail.
    if not any(tool is known for known in all_tools()):
        return [*missing, _uninstalled(module, tool)]
    if not Path(fixtures).is_dir():
        return [*missing, f"there is no folder {fixtures}: it should have the tool's real output"]
    texts = sorted(path for path in Path(fixtures).glob("*") if path.suffix in {".txt", ".log"})
    cases = [path for path in texts if not path.name.startswith(LOOKALIKE)]
    lookalikes = [path for path in texts if path not in cases]
    missing += _guarded(module, "", lambda: _unread(tool, cases))
    missing += _guarded(module, "", lambda: _false_reports(tool, lookalikes))
    missing += _guarded(module, "", lambda: _taken_lines(tool))
    missing += _guarded(module, "", lambda: _unshown(tool, [_text(case) for case in cases]))
    missing += _guarded(module, "", lambda: _slow_patterns(module, tool))
    openings: set[str] = set()
    for case in cases:
        missing += _faults(module, tool, case, openings)
    # Several cases may show the same gap.
    return list(dict.fromkeys(missing))


def _faults(module: ModuleType, tool: Tool, case: Path, openings: set[str]) -> list[str]:
    """What the tool lacks for a case; `openings` are the first lines of runs that were found in a long log."""
    text, where = _text(case), f"{case.name}: "
    runs: list[Run] = []

    def unread() -> Iterator[str]:
        runs.extend(run for run in read_text(text).runs if run.tool == tool.name)
        yield from ()

    found = _guarded(module, where, unread)
    # If reading the case raises, each of these would raise the same.
    for fault in () if found else _FAULTS:
        found += _guarded(module, where, partial(fault, tool, text, runs))
    # Of cases whose first lines differ only in numbers, one in a long log is enough: they have the same sign.
    opening = _NUMBER.sub("0", lines_of(text)[runs[0].line - 1].strip()) if runs else ""
    if runs and opening not in openings:
        openings.add(opening)
        found += _guarded(module, where, partial(_unfound_runs, tool, text, runs))
    return found


def _guarded(module: ModuleType, where: str, check: Callable[[], Iterable[str]]) -> list[str]:
    """The findings of a check; an exception of the tool is a finding, too."""
    found = []
    try:
        found += [f"{where}{problem}" for problem in check()]
    except Exception as problem:  # noqa: BLE001 whatever a tool stumbles over
        found.append(f"{where}{_raised(module, problem)}")
    return found


def _raised(module: ModuleType, problem: Exception) -> str:
    """The place where an exception was raised: the last one in the tool's own code, if any."""
    frames = traceback.extract_tb(problem.__traceback__)
    own = {part.__file__ for part in _modules_of(module)}
    # The author of the tool can change only this code.
    frame = next((frame for frame in reversed(frames) if frame.filename in own), frames[-1])
    place = f"{Path(frame.filename).name}:{frame.lineno}, in {frame.name}"
    return f"reading raises {type(problem).__name__} ({problem}) at {place}; a tool never raises on what it reads"


def _uninstalled(module: ModuleType, tool: Tool) -> str:
    """The reason why wrkparse does not read the tool."""
    for plug_in in plug_ins():
        if plug_in.tool is None and f"{module.__name__}:" in plug_in.problem:
            return f"it is installed and left out: {plug_in.problem}"
    entry = f'{tool.name} = "{module.__name__}:TOOL"'
    return f'it is not installed: [project.entry-points."wrkparse.tools"] needs {entry}, then pip install -e .'


def _of_runs(tool: Tool, _: str, runs: Sequence[Run]) -> Iterator[str]:
    yield from _undeclared_metrics(tool, runs)
    for run in runs:
        if isinstance(tool, ReportTool) and not run.numbers.rows() and not run.rows:
            yield f"the run at line {run.line} has no numbers"


def _of_lines(tool: Tool, text: str, runs: Sequence[Run]) -> Iterator[str]:
    if isinstance(tool, ReportTool):
        yield from _silent_cuts(tool, text, runs)
        yield from _ambiguous_lines(tool, text)
        yield from _otherwise_by_lines(tool, text, runs)


def _amid_other_lines(tool: Tool, text: str, runs: Sequence[Run]) -> Iterator[str]:
    if isinstance(tool, ReportTool):
        yield from lost_amid_lines(tool, text, runs)
    else:
        yield from lost_when_torn(tool, text)


_FAULTS = (_of_runs, _of_lines, _amid_other_lines)


def _text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def _undocumented(module: ModuleType) -> Iterator[str]:
    """Check for a docstring that names the code that prints the report, and for leftover `TODO`s."""
    modules = _modules_of(module)
    if not any(_SOURCE.search(part.__doc__ or "") for part in modules):
        yield (
            f"the docstring of {_file(module)} names no source: the file and function that print the report "
            "(print.go), or the address of a page"
        )
    for part in modules:
        for number, line in enumerate(lines_of(inspect.getsource(part)), 1):
            if _TODO in line:
                yield f"{_file(part)}:{number}: says {line[line.index(_TODO) :].rstrip()}"


def _file(module: ModuleType) -> str:
    return Path(module.__file__ or module.__name__).name


def _modules_of(module: ModuleType) -> list[ModuleType]:
    """The module and the loaded modules of its package: a tool may have one for its lines and another for its metrics.

    For wrkparse's own tools, only the modules of the tool's package, because `wrkparse.tools` contains all tools.
    """
    package = module.__package__
    if not package or package == "wrkparse.tools":
        return [module]
    submodules = [
        loaded for name, loaded in sys.modules.items() if name.startswith(f"{package}.") and loaded is not module
    ]
    return [module, *submodules]


def _unfit_metrics(tool: Tool) -> Iterator[str]:
    """Metrics with a base unit, a direction and a title, and names that no other tool uses for something else."""
    try:
        check(tool, [other for other in all_tools() if other is not tool])
    except UnfitToolError as problem:
        yield str(problem)
    for metric in tool.metrics:
        yield from _unfit_metric(metric)
    if isinstance(tool, ReportTool) and NON_2XX in tool.metrics and not tool.counting.error_statuses:
        yield f"`counting` does not say which statuses {NON_2XX.name!r} counts: see error_statuses of Counting"


def _unfit_metric(metric: Metric) -> Iterator[str]:
    if not metric.title[:1].isupper():
        yield f"the metric {metric.name!r} has no title that begins with a capital"
    if metric.better not in ("lower", "higher", None):
        yield f"the metric {metric.name!r} is better {metric.better!r}; it should be 'lower', 'higher', or None"


def _unread(tool: Tool, cases: Sequence[Path]) -> Iterator[str]:
    """Check that real output is read exactly as expected."""
    if not any(expected_of(case).exists() for case in cases):
        yield "there is no fixture: real output as <case>.txt, and what it means as <case>.json"
    if cases and not any(run.tool == tool.name for case in cases for run in read_text(_text(case)).runs):
        yield f"no fixture has a run of {tool.name}"
    for case in cases:
        if not expected_of(case).exists():
            yield f"{case.name}: there is no {expected_of(case).name} beside it"
            continue
        if _TODO in _text(case):
            yield f"{case.name}: says {_TODO}; it needs real output"
        yield from (f"{expected_of(case).name}: {problem}" for problem in differences(tool.name, case))


def _false_reports(tool: Tool, lookalikes: Sequence[Path]) -> Iterator[str]:
    """Texts that resemble a report but are not one: the look-alikes, and reports of all other tools."""
    if not lookalikes:
        yield f"there is no {LOOKALIKE}.txt: prose about the tool, output of a tool like it; no run may come of it"
    texts = {path.name: _text(path) for path in lookalikes}
    for other in report_tools():
        for number, layout in enumerate(other.layouts if other.name != tool.name else (), 1):
            # The pattern of a layout is a whole report: an example of it, instead of a fixture that plug-ins lack.
            texts[f"a report of {other.name} ({number})"] = example(layout.pattern.pattern, layout.pattern.flags)
    for name, text in texts.items():
        try:
            found = read_text(text).runs
        except Exception as problem:  # noqa: BLE001 whatever a tool stumbles over
            yield f"{name}: reading it raises {type(problem).__name__}: {problem}"
            continue
        run = next((run for run in found if run.tool == tool.name), None)
        if run is not None:
            yield f"{name}: line {run.line} is read as a run, but is not one"


def _taken_lines(tool: Tool) -> Iterator[str]:
    """Lines of other tools with which a report of this tool may begin: it would end the report of that tool.

    A line that needs a command of this tool takes none of another one.
    """
    if not isinstance(tool, ReportTool):
        return
    known = Matcher(report_tools())
    reported: set[tuple[str, str]] = set()
    for other in report_tools():
        for spec in other.lines if other.name != tool.name else ():
            text = example(spec.pattern.pattern, spec.pattern.flags)
            own = (found for owner, found in _matched(known, text.split()) if owner is tool)
            openings = (found for found in own if found.begins and not found.needs_command)
            opening = next(openings, None) if spec.pattern.fullmatch(text) else None
            if opening is not None and (other.name, spec.kind) not in reported and not _distinguished(other, spec):
                reported.add((other.name, spec.kind))
                yield f"{opening.kind!r} may begin a report and takes the line {text[:_SHOWN]!r} of {other.name}"


def _distinguished(tool: ReportTool, spec: LineSpec) -> bool:
    """Whether a line has only blanks, digits and signs: such an example does not show what the tool prints."""
    return not any(letter.isalpha() for letter in example(spec.pattern.pattern, spec.pattern.flags))


def _unshown(tool: Tool, texts: Sequence[str]) -> Iterator[str]:
    """Forms of output that no fixture shows: objects of JSON, files of samples, complete reports."""
    if not isinstance(tool, ReportTool):
        return
    for form in tool.objects:
        if not any(sign in text for text in texts for sign in (form.sign, *form.other_signs)):
            yield f"no fixture has an object with {form.sign}: real output as JSON, and what it means"
    for layout in tool.layouts:
        if not any(layout.pattern.search(text) for text in texts):
            yield f"no fixture has a complete report as the layout of {layout.first.kind!r} describes it"


def _slow_patterns(module: ModuleType, tool: Tool) -> Iterator[str]:
    """Regular expressions that take more than linear time on some text."""
    used: dict[str, UsedPattern] = {}
    for part in _modules_of(module):
        searched = set(_SEARCHED.findall(inspect.getsource(part)))
        patterns = {name: value for name, value in vars(part).items() if isinstance(value, re.Pattern)}
        used |= {
            f"the pattern {name} of {_file(part)}": UsedPattern(pattern, name in searched)
            for name, pattern in patterns.items()
        }
    if isinstance(tool, ReportTool):
        used |= {f"the line {spec.kind!r}": UsedPattern(spec.pattern, anywhere=False) for spec in tool.lines}
        used |= {f"the head of samples {form.sign!r}": UsedPattern(form.head, anywhere=False) for form in tool.samples}
        used |= {
            f"the layout of {layout.first.kind!r}": UsedPattern(layout.pattern, anywhere=False)
            for layout in tool.layouts
        }
        used |= {"the preamble": UsedPattern(tool.preamble, anywhere=False)} if tool.preamble else {}
    else:
        used |= {
            "what finds events": UsedPattern(tool.find, anywhere=True),
            "the torn lines": UsedPattern(tool.torn, anywhere=False),
        }
    reported: set[str] = set()
    for name, use in used.items():
        for before, filler in slow_texts(use):
            if use.pattern.pattern not in reported:
                yield f"{name} takes more than linear time on {before!r} and many {filler!r}"
            reported.add(use.pattern.pattern)
            break


def _undeclared_metrics(tool: Tool, runs: Sequence[Run]) -> Iterator[str]:
    # tools of one name read files of one program
    namesakes = [known for known in all_tools() if known.name == tool.name]
    declared = {metric.name: metric.unit for namesake in namesakes for metric in namesake.metrics}
    stated = {number.metric: number.unit for run in runs for number in run.numbers.rows()}
    for name, unit in stated.items():
        if name not in declared or unit not in (declared[name], "ratio"):  # the share within one stdev is a ratio
            yield f"the metric {name!r} in {unit!r} is not among the metrics of the tool"


def _unfound_runs(tool: Tool, text: str, runs: Sequence[Run]) -> Iterator[str]:
    """Runs that the prefilter skips in a long log, because their first line does not have the declared sign."""
    lines = lines_of(text)
    for run in runs[:1]:
        if begins_with_sample_row(text.encode()):
            return  # such a file is found at the beginning of a source only
        report = "\n".join(lines[run.line - 1 : run.line_end])
        if not any(other.tool == tool.name for other in read_text(f"{_ABOVE}{report}\n{_BELOW}").runs):
            yield f"the run at line {run.line} is not found in a long log: does its first line have its sign?"


def _silent_cuts(tool: ReportTool, text: str, runs: Sequence[Run]) -> Iterator[str]:
    """Places in the first two thirds of a report at which it can end without a diagnostic."""
    lines = lines_of(text)
    for run in runs[:1]:
        if any(form.sign in lines[run.line - 1] for form in tool.samples):
            return  # a file of samples has no last line
        for end in range(run.line, run.line + 2 * (run.line_end - run.line + 1) // 3):
            found = read_text("\n".join(lines[:end]) + "\n")
            cut = [other for other in found.runs if other.tool == tool.name and other.line == run.line]
            lines_of_diagnostics = [diagnostic.line or 0 for diagnostic in found.diagnostics]
            if cut and not any(line >= run.line for line in lines_of_diagnostics):
                yield f"a report that ends behind line {end} gives a run and no diagnostic: see `lacks` of ReportTool"
                return


def _ambiguous_lines(tool: ReportTool, text: str) -> Iterator[str]:
    """Lines that are matched by this tool and another one, whose report may begin with them."""
    known = Matcher(report_tools())
    reported: set[tuple[str, str]] = set()
    # A progress bar is overwritten after a carriage return: its last state and the report share a line.
    for line in chain.from_iterable(printed.split("\r") for printed in lines_of(text)):
        matched = _matched(known, line.split())
        own_specs = [spec for owner, spec in matched if owner is tool]
        for other, spec in matched:
            doubtful = other.name != tool.name and spec.begins
            if own_specs and doubtful and (other.name, spec.kind) not in reported:
                reported.add((other.name, spec.kind))
                yield f"the line {line.strip()[:_SHOWN]!r} is also matched by {spec.kind!r} of {other.name}"


def _matched(known: Matcher, words: list[str]) -> list[tuple[ReportTool, LineSpec]]:
    """The line specs of all tools that are tried for a line, inside or outside a report, and match it."""
    while words:
        text = " ".join(words)
        found = [(tool, spec) for tool, spec in known.specs_by_words(words) if spec.pattern.fullmatch(text)]
        if found:
            return found
        words = undecorated(words)
    return []


def _otherwise_by_lines(tool: ReportTool, text: str, runs: Sequence[Run]) -> Iterator[str]:
    """Whether a layout reads different numbers than the line specs, which read a quotation of the report."""
    # A layout does not match quoted lines, so that each is read by itself.
    quoted = "".join(f"> {line}\n" for line in lines_of(text)) if tool.layouts else ""
    numbers = [run.numbers.rows() for run in read_text(quoted).runs if run.tool == tool.name]
    for run, quoted_numbers in zip(runs, numbers, strict=False):
        if sorted(map(repr, run.numbers.rows())) != sorted(map(repr, quoted_numbers)):
            yield f"the run at line {run.line} has other numbers when its lines are quoted ('> '), without a layout"
