"""Helpers that run the command line in this process: its exit code, its output, and the text of a refusal."""

import json
from typing import Any

import pytest

from heartrush_env.app.cli.main import main

Out = pytest.CaptureFixture[str]


def run(text: str, *more: object) -> int:
    """Run `heartrush` with the words of `text`, followed by more words, and return its exit code."""
    try:
        return main([*text.split(), *map(str, more)])
    except SystemExit as end:  # argparse leaves like this
        return int(end.code or 0)


def printed(out: Out, text: str, *more: object) -> str:
    """Run a command that must succeed, and return what it prints."""
    assert run(text, *more) == 0
    return out.readouterr().out


def as_json(out: Out, text: str, *more: object) -> Any:
    """Run a command with --json, and return the JSON that it prints."""
    return json.loads(printed(out, text, *more, "--json"))


def refusal(out: Out, text: str, *more: object) -> str:
    """Return the one-line message with which a command refuses its arguments; it must print nothing else."""
    out.readouterr()
    assert run(text, *more) == 2
    shown = out.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1
    assert shown.err.startswith("heartrush") and shown.err.endswith(".\n")
    return shown.err
