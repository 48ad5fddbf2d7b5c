"""``wrkparse new-tool``."""

from __future__ import annotations

from pathlib import Path

import click

from wrkparse.cli.shared.exits import fail


@click.command("new-tool")
@click.argument("name")
@click.option(
    "-o", "--output", type=click.Path(file_okay=False, path_type=Path), metavar="DIRECTORY",
    help="Where to write.  [default: wrkparse-NAME; in a checkout of wrkparse, the checkout]",
)  # fmt: skip
def command(name: str, output: Path | None) -> None:
    """Write the files of a new tool NAME: a module, a pair of fixtures, a look-alike and a test.

    The files are a plug-in, a separate package; in a checkout of wrkparse, they become part of wrkparse. Each place to
    fill in says TODO. The test says what is still missing.

    \b
    wrkparse new-tool drill
    wrkparse new-tool go-wrk -o plugins/go-wrk
    """
    from wrkparse.testing.scaffold import BadNameError, checked_name, is_checkout, own_files, plug_in_files

    try:
        checked_name(name)
    except BadNameError as problem:
        raise click.BadParameter(str(problem), param_hint="NAME") from None
    own = output is None and is_checkout(Path())
    folder = output or Path("." if own else f"wrkparse-{name}")
    files = own_files(name) if own else plug_in_files(name)
    if existing := next((path for path in files if (folder / path).exists()), None):
        fail(f"{folder / existing} is there already; nothing was written")
    try:
        for path, text in files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            (folder / path).write_text(text, encoding="utf-8", newline="\n")
            click.echo((folder / path).as_posix())
    except OSError as problem:
        fail(f"can't write {problem.filename}: {problem.strerror}")
    install = "" if own else f"cd {folder.as_posix()} && pip install -e '.[dev]' && "
    test = f"tests/tools/test_{name.replace('-', '_')}.py" if own else "tests"
    click.echo(f"next: {install}python -m pytest {test}", err=True)
