"""What a set of runs shows: the first page of a report, as data."""

from __future__ import annotations

import html
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import pandas as pd

from wrkparse.analysis.audit.audit import AuditResult, audit
from wrkparse.analysis.audit.trust import Grade, doubt_of, grade_runs, with_names
from wrkparse.analysis.comparison.cells.numeric_rows import in_numeric_order
from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.analysis.comparison.loads import on_loads
from wrkparse.analysis.comparison.sentences.sentences import single_run_sentences
from wrkparse.analysis.comparison.text.claims import SIGNIFICANT, are_apart, is_single, labels_of, variant_claims
from wrkparse.analysis.comparison.text.headline import headline
from wrkparse.analysis.comparison.text.next_label import next_label_sentences
from wrkparse.analysis.comparison.text.notes import doubts, on_others
from wrkparse.analysis.comparison.text.rising import rising_sentence
from wrkparse.analysis.comparison.text.wording import name_words
from wrkparse.analysis.go.gc.costs import GcCosts, costs_of
from wrkparse.analysis.go.gc.summary import gc_summary
from wrkparse.analysis.go.sched import sched_summary
from wrkparse.analysis.go.sentences import gc_sentences, sched_sentences
from wrkparse.analysis.runs.labels.conditions import Conditions, conditions, trace_tools
from wrkparse.analysis.runs.possible_differences import may_differ
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.analysis.scaling.scaling import ScalingResult, scaling
from wrkparse.analysis.summary.days import day_words
from wrkparse.analysis.summary.failed_runs import failed_sentence
from wrkparse.analysis.summary.first_page import (
    FirstPage,
    PlacedSentence,
    comparison_sentences,
    decided_metric,
    first_page,
)
from wrkparse.analysis.summary.gc_costs import cost_sentence
from wrkparse.analysis.summary.not_shown import kinds_not_shown
from wrkparse.analysis.summary.sentences import (
    growth_title,
    level_sentences,
    level_words,
    levels,
    same_machine_sentence,
    scaling_sentence,
)
from wrkparse.analysis.summary.title import plain_title, tool_words
from wrkparse.analysis.summary.without_suspect import without_suspect_sentence
from wrkparse.dataset import Dataset
from wrkparse.dataset.queries.sql import sql_string
from wrkparse.text.escape import escaped, one_line, printable
from wrkparse.tools.common import THROUGHPUT

_SERIES = 4  # numbers of cores that make a curve


@dataclass(frozen=True)
class StudyPart:
    """The runs of one study: ``study`` is empty for runs without one, ``where`` selects them.

    ``of_study`` has words for a caption, `` of kiwi-study``; empty for runs without a study, and if there is only one.

    ``comparison`` is None if they differ in nothing or state neither rate nor time, ``level`` if there is a comparison.
    ``doubt`` is what the audit says of a single run that is not sound. ``second`` is what the next label that differs
    says (`next_label_sentences`). ``unlabelled`` is in what the runs of ``level`` may differ that no label says.
    """

    study: str
    where: str | None
    runs: int
    comparison: ComparisonTable | None
    level: ComparisonTable | None
    conditions: Conditions
    doubt: Grade | None = None
    second: tuple[str, ...] = ()
    unlabelled: str = ""
    of_study: str = ""

    @property
    def sentences(self) -> tuple[str, ...]:
        """What the comparison and the second label say; without a comparison, the medians."""
        if self.comparison is not None:
            return (*self.comparison.sentences, *self.second)
        if self.level is None:
            return ()
        return level_sentences(self.level, self.doubt, may_differ=bool(self.unlabelled))


@dataclass(frozen=True, repr=False)
class Summary:
    """The result of `summary`.

    - ``title``: what is decided, else what was measured.
    - ``measured``: number of runs and tools. ``day``: when it was measured, else published; empty if nothing says it.
      ``constant``: what all runs share.
    - ``findings``: the most important sentences; ``more`` are those of the comparison that are left out of them.
    - ``doubts``: what a reader needs to know before using the numbers, with the findings at most five sentences;
      ``notes`` are those that are left out.
    - ``trust``: the grades of the audit. ``absent``: what these logs do not hold.
    - ``main``: the part that the main figure shows, None for traces alone. ``figure``: ``compare``, ``scaling``,
      ``latency``, ``gc_costs``, ``gc``, ``sched``, or empty.
    - ``parts``: one for each study. ``growth``, ``gc``, ``sched``: the results on cores (None without two numbers of
      cores) and on traces. ``costs``: the traces by GC setting.
    """

    dataset: Dataset = field(repr=False)
    title: str
    measured: str
    day: str
    constant: tuple[str, ...]
    findings: tuple[str, ...]
    more: tuple[str, ...]
    doubts: tuple[str, ...]
    notes: tuple[str, ...]
    trust: tuple[Grade, ...]
    absent: tuple[str, ...]
    figure: str
    main: StudyPart | None
    parts: tuple[StudyPart, ...] = field(repr=False)
    audit: AuditResult = field(repr=False)
    growth: ScalingResult | None = field(repr=False)
    gc: pd.DataFrame = field(repr=False)
    costs: GcCosts = field(repr=False)
    sched: pd.DataFrame = field(repr=False)

    @property
    def byline(self) -> tuple[str, ...]:
        """Runs, unless the title names them, day, and what all runs share."""
        return tuple(filter(None, (self.counted, self.day, ", ".join(self.constant))))

    @property
    def counted(self) -> str:
        """`measured`; empty if the title begins with it."""
        return "" if self.title.startswith(self.measured) else self.measured

    @property
    def absent_words(self) -> str:
        """``Not in these logs: …``; empty if nothing is absent."""
        return f"Not in these logs: {'; '.join(self.absent)}." if self.absent else ""

    def __repr__(self) -> str:
        lines_below = [f"- {line}" for line in (*self.findings, *self.doubts)]
        trusted = [f"Audit: {'; '.join(map(str, self.trust))}."] if self.trust else []
        lines = [self.title, " · ".join(self.byline), "", *lines_below, "", *trusted, self.absent_words]
        return printable("\n".join(lines).rstrip())

    def markdown(self) -> str:
        """The findings and doubts as a list in Markdown."""
        return "\n".join(f"- {escaped(line)}" for line in (*self.findings, *self.doubts))

    def _repr_html_(self) -> str:
        items = "".join(f"<li>{html.escape(one_line(line))}</li>" for line in (*self.findings, *self.doubts))
        below = [*(f"Audit: {grade}." for grade in self.trust), self.absent_words]
        rest = "".join(f"<p>{html.escape(one_line(line))}</p>" for line in below if line)
        head = f"<h2>{html.escape(one_line(self.title))}</h2><p>{html.escape(one_line(' · '.join(self.byline)))}</p>"
        return f"{head}<ul>{items}</ul>{rest}"


def summary(dataset: Dataset) -> Summary:
    """What the runs of a dataset show: a title, sentences with their uncertainty, what to doubt, and what is absent.

    Runs of different studies are never compared. `Dataset.where` selects runs first.
    """
    runs = dataset.runs
    counts = {str(tool): int(count) for tool, count in runs["tool"].value_counts().items()}
    judged = audit(dataset)
    parts = tuple(_parts(dataset, runs, judged))
    # Each of several studies has conditions of its own: nothing is said to be held constant.
    known = parts[0].conditions if len(parts) == 1 else Conditions({}, {}, *_sizes(parts))
    growth, gc, sched = _growth(dataset), gc_summary(dataset), sched_summary(dataset)
    main, costs = _main_part(parts), costs_of(dataset, gc)
    traced = gc if set(counts) == {"gctrace"} else sched if set(counts) == {"schedtrace"} else pd.DataFrame()
    compared = main.comparison if main is not None else None
    rests_on = without_suspect_sentence(dataset, compared, judged) if compared is not None and len(parts) == 1 else ""
    shared = [*filter(None, [rests_on, failed_sentence(dataset)]), *_shared(judged, counts)]
    page = _first_page(parts, growth, _traced(gc, costs, sched), shared)
    return Summary(
        dataset=dataset,
        # What is decided, else how far one curve grows, else what was measured.
        title=(_decided(compared) if compared is not None and len(parts) == 1 else None)
        or _growth_title(growth, compared)
        or plain_title(counts, known, [part.study for part in parts], traced, compared) + _level_of(parts),
        measured=tool_words(counts),
        day=day_words(dataset),
        constant=known.constant_words,
        findings=page.findings,
        more=page.more,
        doubts=page.doubts,
        notes=page.notes,
        trust=tuple(_grades(judged, runs, compared)),
        absent=kinds_not_shown(dataset, known),
        figure=_figure(main, growth, costs if len(parts) == 1 else None, gc, sched),
        main=main,
        parts=parts,
        audit=judged,
        growth=growth,
        gc=gc,
        costs=costs,
        sched=sched,
    )


def _parts(dataset: Dataset, runs: pd.DataFrame, judged: AuditResult) -> Iterator[StudyPart]:
    """The runs of each study, in their order."""
    studies = runs["study"].fillna("")
    several = len(studies.unique()) > 1
    for study in studies.unique():
        where = f"coalesce(study, '') = {sql_string(study)}" if several else None
        try:
            comparison = in_numeric_order(compare(dataset, where=where, sort="best"))
        except TooLittleError:
            comparison = None
        of_study = runs.loc[studies == study, "run"]
        is_single = len(of_study) == 1
        # A single run is shown even if it is invalid; there is no other to show.
        level = levels(dataset, where, include_invalid=is_single) if comparison is None else None
        doubt = None if level is None else doubt_of(judged, of_study.to_list())
        second = () if comparison is None or several else next_label_sentences(dataset, comparison)
        unlabelled = "" if level is None else may_differ(dataset, of_study.to_list())
        held = conditions(dataset, where)
        of = f" of {study}" if several and study else ""
        yield StudyPart(study, where, len(of_study), comparison, level, held, doubt, second, unlabelled, of)


def _level_of(parts: Sequence[StudyPart]) -> str:
    """What the runs of one setting measured, behind a colon; empty if they may be of several, or are compared."""
    if len(parts) != 1 or parts[0].level is None or parts[0].unlabelled:
        return ""
    words = level_words(parts[0].level, parts[0].doubt)
    return f": {words}" if words else ""


def _growth_title(growth: ScalingResult | None, table: ComparisonTable | None) -> str:
    """How far the rate of the only curve grows with cores; empty if repeats on the most cores overlap the baseline."""
    if growth is None or table is None or table.compared != ("cores",):
        return ""
    claims = variant_claims(table, str(table.cells["metric"].iloc[0])) if table.baseline else []
    most = max((float(claim.variant["cores"] or 0) for claim in claims), default=0.0)
    last = [claim for claim in claims if float(claim.variant["cores"] or 0) == most and not is_single(claim)]
    return growth_title(growth) if all(are_apart(table, claim) for claim in last) else ""


def _decided(table: ComparisonTable) -> str | None:
    """What the first metric decides that decides something, as a title."""
    return headline(table, decided_metric(table))


def _sizes(parts: Sequence[StudyPart]) -> tuple[int, int]:
    return min((part.conditions.fewest for part in parts), default=0), max(
        (part.conditions.most for part in parts), default=0
    )


def _growth(dataset: Dataset) -> ScalingResult | None:
    """How throughput grows with cores; None if no curve has two numbers of cores."""
    if "cores" not in dataset.label_keys() or dataset.runs["cores"].nunique() < 2:
        return None
    try:
        result = scaling(dataset)
    except TooLittleError:
        return None
    return result if (result.groups["points"] > 1).any() else None


def _main_part(parts: Sequence[StudyPart]) -> StudyPart | None:
    """The part that the main figure shows: one with a verdict if there is any, of these the one with the most runs."""
    shown = [part for part in parts if part.comparison is not None or part.level is not None]
    decided = [part for part in shown if part.comparison is not None and _is_decided(part.comparison)]
    return max(decided or shown, key=lambda part: part.runs, default=None)


def _is_decided(table: ComparisonTable) -> bool:
    return bool(
        table.over_settings["verdict"].isin(SIGNIFICANT).any() or table.cells["verdict"].isin(SIGNIFICANT).any()
    )


def _traced(gc: pd.DataFrame, costs: GcCosts, sched: pd.DataFrame) -> list[list[str]]:
    """What gctraces say, what they say of GC settings, and what schedtraces say, the most important first in each."""
    compared = cost_sentence(costs)
    return [[compared] if compared else [], list(gc_sentences(gc)), list(sched_sentences(sched))]


def _first_page(
    parts: Sequence[StudyPart], growth: ScalingResult | None, traced: Sequence[Sequence[str]], shared: Sequence[str]
) -> FirstPage:
    """What the first page says; `traced` is what traces say, by kind.

    `shared` is what else is to be doubted, such as that all ran on one machine.
    """
    is_said = len(parts) == 1 and says_rise_with_cores(parts[0])
    growing = scaling_sentence(growth, is_rise_said=is_said) if growth is not None else None
    of_growth = [growing] if growing else []
    if len(parts) > 1:
        each = [PlacedSentence(0, f"{part.study or 'Without a study'}: {_first_sentence(part)}") for part in parts]
        return first_page(each, of_growth, (), list(_other_labels(parts)))
    sentences = _placed_sentences(parts[0]) if parts else []
    if not sentences:
        return first_page((), of_growth, [line for lines in traced for line in lines], shared)
    traces = [line for lines in traced for line in lines[:1]]
    return first_page(sentences, of_growth, traces, [*_doubts(parts[0]), *shared])


def says_rise_with_cores(part: StudyPart) -> bool:
    """Whether a sentence says how throughput rises with the number of cores, by the medians over all pairs of runs.

    Of two numbers of cores that are compared, one does.
    """
    table = part.comparison
    if table is None or table.compared != ("cores",) or THROUGHPUT.name not in table.scatters:
        return False
    claims = variant_claims(table, THROUGHPUT.name) if table.baseline else []
    return len(claims) == 1 or bool(rising_sentence(table, THROUGHPUT.name))


def _placed_sentences(part: StudyPart) -> list[PlacedSentence]:
    """What a part says, with the places on the first page."""
    if part.comparison is not None:
        return comparison_sentences(part.comparison, part.second)
    return [PlacedSentence(0, sentence) for sentence in part.sentences]


def _first_sentence(part: StudyPart) -> str:
    """What a study says first; that nothing is compared, if so."""
    if _says_something(part):
        return part.sentences[0]
    return "nothing is compared, because no two values were measured in one setting."


def _says_something(part: StudyPart) -> bool:
    """Whether a part has a median, or a claim that compares two settings."""
    table = part.comparison
    if table is None:
        return bool(part.sentences)
    return not table.baseline or bool(variant_claims(table, str(table.cells["metric"].iloc[0])))


def _grades(judged: AuditResult, runs: pd.DataFrame, compared: ComparisonTable | None) -> Iterator[Grade]:
    """The grades of the audit, with whose runs they are. Beside loads, it is said if they are all traces, or loads."""
    names, tools = _names(runs, compared), dict(zip(runs["run"], runs["tool"], strict=True))
    beside_loads = len({tool in trace_tools() for tool in tools.values()}) > 1
    for grade in grade_runs(judged):
        own = Counter(tools[run] for run in judged.verdicts.loc[judged.verdicts["verdict"] == grade.verdict, "run"])
        what = tool_words(own) if beside_loads and len(own) == 1 else ""
        yield with_names(grade, judged, names)._replace(what=what)


def _names(runs: pd.DataFrame, compared: ComparisonTable | None) -> dict[str, str]:
    """Whose run each one is, by the labels that are compared; empty if they name nobody."""
    if compared is None:
        return {}
    rows = runs.reindex(columns=["run", *compared.compared]).to_dict("records")
    named = {row["run"]: name_words(labels_of(row, compared.compared)) for row in rows}
    return {run: name for run, name in named.items() if name}


def _other_labels(parts: Sequence[StudyPart]) -> Iterator[str]:
    """In what else the settings differ that are compared, of each of several studies that compares some."""
    for part in parts:
        if part.comparison is not None and _says_something(part) and (note := on_others(part.comparison, typed=False)):
            yield f"{part.study or 'Without a study'}: {note}."


def _shared(judged: AuditResult, counts: Mapping[str, int]) -> Iterator[str]:
    """That load generator and server shared a machine; `counts` has the runs by tool."""
    yield from same_machine_sentence(judged, sum(many for tool, many in counts.items() if tool not in trace_tools()))


def _doubts(part: StudyPart) -> Iterator[str]:
    """What a reader needs to know before using the numbers, the most important first."""
    if part.comparison is not None:
        yield from single_run_sentences(part.comparison)
        yield from on_loads(part.comparison)
        yield from (f"{note[:1].upper()}{note[1:]}." for note in doubts(part.comparison))
    repeats = int(part.level.cells["n"].max()) if part.level is not None else 0
    if repeats > 1:
        known = "No name or setting tells" if part.unlabelled else "Nothing in these logs tells"
        ending = f"; {part.unlabelled}" if part.unlabelled else ""
        yield f"{known} the {repeats:,} runs apart: they count as repeats of one setting{ending}."


def _is_of_traces(part: StudyPart) -> bool:
    """Whether a part compares the metrics of gctraces, each of which has a panel in the figure of their costs."""
    return part.comparison is not None and bool(part.comparison.cells["metric"].str.startswith("gc_").all())


def _is_series(table: ComparisonTable) -> bool:
    """Whether the settings are numbers of cores: compared with each other, or many of them for each variant."""
    many = table.columns == ("cores",) and table.cells["cores"].nunique() >= _SERIES
    return table.rows == ("cores",) or many


def _figure(
    main: StudyPart | None, growth: ScalingResult | None, costs: GcCosts | None, gc: pd.DataFrame, sched: pd.DataFrame
) -> str:
    """The kind of the main figure, by what varies; `costs` are None for several studies."""
    if costs is not None and costs.compares and (main is None or _is_of_traces(main)):
        return "gc_costs"
    if main is not None:
        if growth is not None and main.comparison is not None and _is_series(main.comparison):
            return "scaling"
        return "compare" if main.comparison is not None else "latency"
    if len(gc) and (gc["cycles"] > 1).any():
        return "gc"
    return "sched" if len(sched) and (sched["ticks"] > 1).any() else ""
