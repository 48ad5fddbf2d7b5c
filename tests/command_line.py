"""Runs a command of wrkparse in this process."""

from __future__ import annotations

from click.testing import CliRunner, Result

from wrkparse.cli import main


def wrkparse(*arguments: str) -> Result:
    """What a command prints, and its exit code. An exception that it lets pass fails the test."""
    return CliRunner().invoke(main, list(arguments), catch_exceptions=False)
