"""The titles and formats of columns whose names do not say them."""

from __future__ import annotations

from typing import NamedTuple

from wrkparse.analysis.wording import name_of
from wrkparse.report.exhibits.tables.columns import ColumnFormat


class ColumnHeading(NamedTuple):
    """The title and format of a column; `wrkparse.report.exhibits.tables.columns` derives what is None.

    `resolution` is the column of the same frame with half the last printed digit of each value.
    """

    title: str | None = None
    format: ColumnFormat | None = None
    resolution: str = ""


HEADINGS = {
    # comparisons
    "center": ColumnHeading("median", resolution="resolution"),
    "geomean": ColumnHeading("ratio", "×"),
    "hi": ColumnHeading("to", resolution="resolution"),
    "lo": ColumnHeading("from", resolution="resolution"),
    "n": ColumnHeading("runs"),
    "p_adjusted": ColumnHeading("p", ".3f"),
    "ratio": ColumnHeading(resolution="ratio_resolution"),
    "ratio_hi": ColumnHeading("at most", ".2f", "ratio_resolution"),
    "ratio_lo": ColumnHeading("at least", ".2f", "ratio_resolution"),
    # scaling
    "best_n": ColumnHeading("best at"),
    "kappa": ColumnHeading("κ", ".5f"),
    "kappa_lo": ColumnHeading("κ at least", ".5f"),
    "lambda": ColumnHeading("λ", "1/s"),
    "law": ColumnHeading(None, name_of),
    "n_from": ColumnHeading("from"),
    "n_max": ColumnHeading("to"),
    "n_min": ColumnHeading("from"),
    "peak": ColumnHeading("peak at", ".0f"),
    "r2": ColumnHeading("R²", ".3f"),
    "sigma": ColumnHeading("σ", ".3f"),
    "sigma_hi": ColumnHeading("σ at most", ".3f"),
    "sigma_lo": ColumnHeading("σ at least", ".3f"),
    "speedup": ColumnHeading("speed-up", ".1f"),
    # audit
    "code": ColumnHeading("check", name_of),
    "message": ColumnHeading("finding"),
    # labels and places
    "gogc": ColumnHeading("GOGC"),
    "gomemlimit": ColumnHeading("GOMEMLIMIT"),
    "source": ColumnHeading("file"),
    # garbage collection
    "allocation_bytes_per_s": ColumnHeading("allocated"),
    "gc_cpu_ratio": ColumnHeading("GC CPU"),
    "gogc_high": ColumnHeading("GOGC at most", ".0f"),
    "gogc_low": ColumnHeading("GOGC at least", ".0f"),
    "heap_goal_median_bytes": ColumnHeading("heap goal", "whole MiB"),
    "heap_live_max_bytes": ColumnHeading("live heap", "whole MiB"),
    "heap_live_median_bytes": ColumnHeading("live heap", "whole MiB"),
    "heap_max_bytes": ColumnHeading("largest heap", "whole MiB"),
    "mark_ratio": ColumnHeading("marking"),
    "pacing": ColumnHeading("paced by"),
    "pause_max_s": ColumnHeading("longest pause", "printed s"),
    "pause_p50_s": ColumnHeading("pause p50", "printed s"),
    "pause_p99_s": ColumnHeading("pause p99", "printed s"),
    "pause_ratio": ColumnHeading("paused"),
    # scheduler
    "global_queue_max": ColumnHeading("global queue, maximum"),
    "gomaxprocs": ColumnHeading("Ps"),
    "goroutines_max": ColumnHeading("maximum"),
    "goroutines_mean": ColumnHeading("mean"),
    "queue_imbalance": ColumnHeading("imbalance"),
    "threads_max": ColumnHeading("threads"),
    "utilisation_mean_ratio": ColumnHeading("busy"),
    "utilisation_min_ratio": ColumnHeading("least busy"),
    "wait_reason": ColumnHeading("waits for"),
    "waiting_max": ColumnHeading("waiting, maximum"),
    "waiting_mean": ColumnHeading("waiting"),
    "waiting_p99": ColumnHeading("waiting, p99"),
}
