"""``scripts/report-card FOLDER``: how many of the expected values of a folder of samples wrkparse reads right."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import asdict
from pathlib import Path

import peers
from scoring import BadExpectationError, Score, Tally, score

_MOST_SHOWN = 200


def main() -> int:
    """Run the command; returns its exit code: 0 if all is right, 1 if not, 2 if it can't be told."""
    parser = argparse.ArgumentParser(prog="scripts/report-card", description=__doc__)
    parser.add_argument("folder", type=Path, help="samples with their expected values: docs/report-card.md")
    parser.add_argument(
        "--public", action="store_true", help="take the expected values of scripts/reportcard/public.json, by SHA-256"
    )
    parser.add_argument("--json", action="store_true", help="print the score as JSON")
    parser.add_argument(
        "--peers",
        nargs="?",
        const=peers.ENVIRONMENT,
        type=Path,
        metavar="ENVIRONMENT",
        help="print a table of other parsers on the same values, those installed in build/peers or here",
    )
    arguments = parser.parse_args()
    if not arguments.folder.is_dir():
        return _refused(f"{arguments.folder}: no such folder")
    try:
        total = score(arguments.folder, public=arguments.public)
    except BadExpectationError as problem:
        return _refused(str(problem))
    if not total.samples:
        return _refused(f"{arguments.folder}: no sample in it has expected values (docs/report-card.md)")
    if arguments.peers:
        try:
            print(peers.table(arguments.folder, total.problems, arguments.peers))
        except peers.PeersMissingError as problem:
            return _refused(str(problem))
    else:
        print(_as_json(total) if arguments.json else _as_text(total))
    return 1 if total.problems else 0


def _refused(message: str) -> int:
    print(f"report-card: error: {message}", file=sys.stderr)
    return 2


def _as_json(total: Score) -> str:
    tools = {tool: asdict(tally) for tool, tally in sorted(total.tallies.items())}
    problems = [
        {
            **problem._asdict(),
            **{side: getattr(problem, side) and getattr(problem, side)._asdict() for side in ("found", "expected")},
        }
        for problem in total.problems
    ]
    return json.dumps({"samples": total.samples, "tools": tools, "problems": problems}, indent=1, default=str)


def _as_text(total: Score) -> str:
    lines = [str(problem) for problem in total.problems[:_MOST_SHOWN]]
    if len(total.problems) > _MOST_SHOWN:
        lines.append(f"… {len(total.problems) - _MOST_SHOWN} more; --json has them all")
    lines += [""] * bool(lines)
    row = "{:<12} {:>12} {:>16} {:>8}".format
    lines.append(row("tool", "runs", "values right", "surplus"))
    whole = Tally()
    for tool, tally in sorted(total.tallies.items()):
        lines.append(_row(tool, tally))
        for name, number in asdict(tally).items():
            setattr(whole, name, getattr(whole, name) + number)
    return "\n".join([*lines, _row("all", whole), f"{total.samples} sample{'' if total.samples == 1 else 's'}"])


def _row(name: str, tally: Tally) -> str:
    runs, values = f"{tally.runs_found}/{tally.runs}", f"{tally.right}/{tally.values}"
    return f"{name:<12} {runs:>12} {values:>16} {tally.surplus:>8}"


if __name__ == "__main__":
    sys.exit(main())
