"""``wrkparse label``."""

from __future__ import annotations

import sys
from collections import Counter
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from wrkparse.analysis.shown.grids import grid
from wrkparse.cli.shared.exits import fail, note_unreadable
from wrkparse.cli.shared.printing.diagnostics import print_diagnostics
from wrkparse.cli.shared.printing.output import is_terminal
from wrkparse.cli.shared.stores import SHELL_PIPES, STORE, Location, open_data, refuse_pipes
from wrkparse.text.escape import printable

if TYPE_CHECKING:
    from collections.abc import Iterable

    from wrkparse.analysis.runs.labels.proposal import Proposal
    from wrkparse.dataset import Dataset

_FIRST_LINE = "# Labels of the runs in this directory and below it. A later rule wins.\n"
_MOST_TABLE_ROWS = 40  # of the table of labels, so that the question below it stays on the screen
_MOST_VALUES = 4  # values of a label, in the question for its name
_FRAMEWORK = "framework"


def _parse_names(
    context: click.Context,
    option: click.Parameter,
    values: Iterable[str],
) -> dict[str, str]:
    pairs = [value.partition("=") for value in values]
    if wrong := next((value for value in pairs if not all(value)), None):
        raise click.BadParameter(f"{wrong[0]!r} names nothing; as in --name directory=machine")
    return {old: new for old, _, new in pairs}


@click.command("label")
@click.argument("paths", nargs=-1, metavar="[STORE|PATH…]", type=click.Path(path_type=Path))
@click.option("-s", "--store", type=STORE, help="Write rules for the runs of this store, instead of PATH.")
@click.option("-n", "--name", "names", multiple=True, callback=_parse_names, metavar="OLD=NEW", help="Rename a label.")
@click.option("-y", "--yes", is_flag=True, help="Ask nothing: keep the names and write the file.")
@click.option("--schema", is_flag=True, help="Print the JSON Schema of wrkparse.yaml and exit.")
def command(paths: tuple[Path, ...], store: Location | None, names: dict[str, str], yes: bool, schema: bool) -> None:
    """Propose a wrkparse.yaml for logs: rules for the labels that follow from folders, file names and headings.

    The command asks for the name of each label, shows the rules and the labels that the runs get, and asks before it
    writes. --name gives the names beforehand, and --yes asks nothing. If input or output is not a terminal, it only
    prints the rules.

    For a store, it also only prints the rules, because a store does not say where the logs are. Write them to a
    wrkparse.yaml in the directory of the logs, and ingest the logs again. The second line of the file names a schema
    that editors use for completion.

    \b
    wrkparse label logs/
    wrkparse label logs/ --name directory=machine --name file_name=framework
    wrkparse label logs/ > logs/wrkparse.yaml
    wrkparse label -s bench.duckdb > logs/wrkparse.yaml
    """
    if schema:
        click.echo(schema_path().read_text(encoding="utf-8"), nl=False)
        return
    if paths and store is not None:
        raise click.UsageError("give the data only once: as arguments or with --store")
    if stored := _chosen_store(paths, store):
        _print_rules_of_store(stored, names, yes=yes)
        return
    paths = paths or ((Path(store),) if store else ())
    if not paths:
        raise click.UsageError("name the logs or a store, as in: wrkparse label logs/")
    is_interactive = not yes and is_terminal(sys.stdin) and is_terminal(sys.stdout)
    refuse_pipes(paths, besides=SHELL_PIPES)
    dataset = _read_logs(paths)
    proposal = _propose(dataset, names)
    # --name has answered the question beforehand.
    if is_interactive and not names and (chosen := _ask_for_names(proposal, dataset.label_keys())):
        proposal = _propose(dataset, chosen)
    text = _file_text(proposal)
    target = _common_directory(paths) / "wrkparse.yaml"
    if not yes and not is_interactive:
        click.echo(text, nl=False)
        return
    click.echo(f"{printable(text)}\n{_labels_table(proposal)}\n")
    if target.exists():
        fail(f"{target} exists already; add the rules to it, or move it away")
    if yes or click.confirm(f"Write {target}?"):
        _write_file(target, text)


def _chosen_store(paths: tuple[Path, ...], store: Location | None) -> Location | None:
    """The store that the argument or the option names; None for logs. UsageError for a store among other paths."""
    from wrkparse.store.duckdb_store import is_store

    stores: list[Location] = [place for place in (*paths, store) if place is not None and is_store(place)]
    if stores and len(paths) > 1:
        raise click.UsageError(f"{printable(str(stores[0]))} is a store; give one store, or files and folders of logs")
    return stores[0] if stores else None


def _print_rules_of_store(store: Location, names: dict[str, str], *, yes: bool) -> None:
    """Print the rules for the runs of a store. No file is written, because a store does not say where the logs are."""
    if yes:
        raise click.UsageError(
            f"{printable(str(store))} is a store, which does not say where the logs are; name the logs, or write the "
            f"rules beside them: wrkparse label {printable(str(store))} > LOGS/wrkparse.yaml"
        )
    with open_data(store) as dataset:
        text = _file_text(_propose(dataset, names))
    click.echo(text, nl=False)


def _propose(dataset: Dataset, names: dict[str, str]) -> Proposal:
    """The proposed rules for a dataset. If there are none, the command ends with the reason."""
    from wrkparse.analysis.runs.labels.proposal import propose_rules

    proposal = propose_rules(dataset, names)
    if not proposal.rules:
        fail(_why_no_rules(dataset))
    return proposal


def _file_text(proposal: Proposal) -> str:
    """The text of a wrkparse.yaml with the proposed rules."""
    from wrkparse.context.study_file import rules_text

    return f"{_FIRST_LINE}# yaml-language-server: $schema={schema_path().as_uri()}\n{rules_text(proposal.rules)}"


def schema_path() -> Path:
    """The path of the JSON Schema of ``wrkparse.yaml``, in the installed package."""
    from wrkparse.context import study_file

    return Path(study_file.__file__).with_name("wrkparse.schema.json")


def _read_logs(paths: tuple[Path, ...]) -> Dataset:
    from wrkparse.ingest.ingest import read

    dataset = read(*paths)
    if print_diagnostics(dataset):
        note_unreadable()
    if not dataset.count("runs"):
        fail("no runs in these paths")
    return dataset


def _ask_for_names(proposal: Proposal, taken: set[str]) -> dict[str, str]:
    """Ask the user for the names of the proposed labels; return the new name by the old one, if they differ."""
    values: dict[str, list[str]] = {}
    for rule in proposal.rules:
        for key, value in rule.set.items():
            values.setdefault(key, []).append(value)
    chosen: dict[str, str] = {}
    click.echo("The runs differ in these. Give each label a name, or press Enter to keep the one in brackets.")
    for key in sorted(values, key=_framework_first_key):
        shown = ", ".join(values[key][:_MOST_VALUES]) + (" …" if len(values[key]) > _MOST_VALUES else "")
        taken_names = {*taken, *chosen.values()} - {key}
        name = click.prompt(
            f"{printable(shown)}: label", default=key, value_proc=partial(_checked_label_key, taken_names=taken_names)
        )
        chosen[key] = name
    return {old: new for old, new in chosen.items() if old != new}


def _framework_first_key(key: str) -> tuple[bool, str]:
    return key != _FRAMEWORK, key


def _checked_label_key(text: str, taken_names: set[str]) -> str:
    """The name without blanks. Raises BadParameter for a name that a label can't have; click then asks again."""
    from wrkparse.tools.schema import RESERVED

    name = text.strip()
    if not name.isidentifier():
        raise click.BadParameter(f"{name!r} is not a valid name; use letters, digits and '_'")
    if name.lower() in RESERVED:
        raise click.BadParameter(f"{name} is a column of the table runs; choose another name")
    if name in taken_names:
        raise click.BadParameter(f"{name} is another label of these runs; choose another name")
    return name


def _why_no_rules(dataset: Dataset) -> str:
    """Why folders, file names and headings give no rules, and what to do if runs remain unlabelled."""
    from wrkparse.analysis.runs.labels.factors import separating_labels
    from wrkparse.analysis.runs.selection import select_runs
    from wrkparse.context.study import Rule
    from wrkparse.context.study_file import rules_text

    runs = select_runs(dataset, None, ())
    if keys := separating_labels(runs, (), ("study",)):
        return f"nothing to add: the labels already distinguish the runs, by {', '.join(keys)}"
    if len(runs) == 1:
        return "nothing to add: there is one run"
    run = runs[0]
    example = Rule(0, {"source": (run.source,), "line": (str(run.line),)}, {"framework": "NAME"})
    return (
        f"no folder, file name or heading distinguishes the {len(runs)} runs. Name them in a wrkparse.yaml beside the "
        f"logs, by file and line, like the first one here:\n{rules_text((example,))}".rstrip()
    )


def _common_directory(paths: tuple[Path, ...]) -> Path:
    import os

    directories = [str(path if path.is_dir() else path.parent) for path in paths]
    return Path(os.path.commonpath(directories)) if len(directories) > 1 else Path(directories[0])


def _labels_table(proposal: Proposal) -> str:
    """A table of the labels that the rules give, with the number of runs that get them."""
    keys = sorted({key for labels in proposal.labels.values() for key in labels}, key=_framework_first_key)
    counts = Counter(tuple(labels.get(key, "") for key in keys) for labels in proposal.labels.values())
    rows = [[*values, str(count)] for values, count in sorted(counts.items())]
    table = grid([*keys, "runs"], rows[:_MOST_TABLE_ROWS], right=(len(keys),))
    return table + (f"\n… and {len(rows) - _MOST_TABLE_ROWS} more" if len(rows) > _MOST_TABLE_ROWS else "")


def _write_file(target: Path, text: str) -> None:
    from wrkparse.store.atomic_file import write_output

    try:
        write_output(target, text.encode())
    except OSError as problem:
        fail(f"{target} can't be written: {problem.strerror}")
    click.echo(f"{target}: written; ingest the logs again to use it")
