"""The command line in this process: its exit code, what it prints, and the sentence in which it refuses."""

import json
from typing import Any

import pytest

from heartrush_env.app.cli.main import main

Out = pytest.CaptureFixture[str]


def run(text: str, *more: object) -> int:
    """Return the exit code of `heartrush` with the words of a text, and with more words after them."""
    try:
        return main([*text.split(), *map(str, more)])
    except SystemExit as end:  # argparse leaves like this
        return int(end.code or 0)


def printed(out: Out, text: str, *more: object) -> str:
    """Return what a command prints that has no reason to complain."""
    assert run(text, *more) == 0
    return out.readouterr().out


def as_json(out: Out, text: str, *more: object) -> Any:
    """Return what a command prints with --json."""
    return json.loads(printed(out, text, *more, "--json"))


def refusal(out: Out, text: str, *more: object) -> str:
    """Return the one sentence in which a command refuses its words; it prints nothing else."""
    out.readouterr()
    assert run(text, *more) == 2
    shown = out.readouterr()
    assert shown.out == "" and shown.err.count("\n") == 1
    assert shown.err.startswith("heartrush") and shown.err.endswith(".\n")
    return shown.err
