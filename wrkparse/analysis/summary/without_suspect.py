"""Whether what a comparison decides rests on runs that the audit suspects."""

from __future__ import annotations

from wrkparse.analysis.audit.audit import AuditResult
from wrkparse.analysis.checks.finding import SUSPECT
from wrkparse.analysis.comparison.compare import ComparisonTable, compare
from wrkparse.analysis.comparison.text.claims import SIGNIFICANT, variant_claims
from wrkparse.analysis.runs.selection import TooLittleError
from wrkparse.analysis.wording import counted
from wrkparse.dataset import Dataset


def without_suspect_sentence(dataset: Dataset, table: ComparisonTable, judged: AuditResult) -> str:
    """How many verdicts remain without the suspect runs: ``Without the 3 suspect runs, the verdicts are the same``.

    Empty if the comparison decides nothing, or has no such run, or no other.
    """
    all_suspect = set(judged.verdicts.loc[judged.verdicts["verdict"] == SUSPECT, "run"])
    compared = set(table.samples["run"])
    suspect = compared & all_suspect
    before = _decided(table) if suspect and suspect < compared else {}
    if not before:
        return ""
    without = f"Without the {_suspect_words(dataset, suspect, all_suspect)}, "
    after = _decided_without(dataset, table)
    kept = sum(after.get(of) == verdict for of, verdict in before.items())
    turned = sum(of in after and after[of] != verdict for of, verdict in before.items())
    if len(before) == 1:
        return f"{without}the verdict is {'the same' if kept else 'the opposite' if turned else 'not reached'}."
    if after == before:
        return f"{without}the verdicts are the same."
    opposite = f", and {turned} {'is' if turned == 1 else 'are'} the opposite" if turned else ""
    reached = f"{kept} of the {len(before)} verdicts" if kept else "no verdict"
    return f"{without}{reached} {'are' if kept > 1 else 'is'} reached{opposite}."


def _suspect_words(dataset: Dataset, suspect: set[str], all_suspect: set[str]) -> str:
    """``suspect run``, ``3 suspect runs``; ``3 suspect wrk runs`` if others, such as traces, are suspect, too."""
    rows = dataset.arrow("runs", only=("run", "tool")).to_pylist() if suspect < all_suspect else []
    tools = {row["tool"] for row in rows if row["run"] in suspect}
    words = f"suspect {tools.pop()} run" if len(tools) == 1 else "suspect run"
    return words if len(suspect) == 1 else counted(len(suspect), words)


def _decided_without(dataset: Dataset, table: ComparisonTable) -> dict[object, str]:
    """What the same comparison decides without suspect runs; nothing if too few runs are left."""
    try:
        found = compare(
            dataset, rows=table.rows, columns=table.columns, baseline=table.baseline,
            metric=list(dict.fromkeys(table.cells["metric"])), where=f"verdict <> '{SUSPECT}'",
        )  # fmt: skip
    except TooLittleError:
        return {}
    return _decided(found)


def _decided(table: ComparisonTable) -> dict[object, str]:
    """The significant verdicts by metric and labels, and the directions of trends by metric."""
    claims = [claim for metric in dict.fromkeys(table.cells["metric"]) for claim in variant_claims(table, str(metric))]
    found: dict[object, str] = {
        (claim.metric, *claim.variant.items(), *claim.place.items()): claim.verdict
        for claim in claims
        if claim.verdict in SIGNIFICANT
    }
    return found | {metric: "rises" if one.rises else "falls" for metric, one in table.monotone.items()}
