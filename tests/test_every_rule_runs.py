"""The comparison with the reference is worth something only for rules that it runs: it runs every one of them."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
MOST_FIGHTS = 150  # of the comparison's first fights; it usually takes a quarter of them


def uncalled(maps: str) -> list[str]:
    played = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.rule_calls", str(MOST_FIGHTS), maps],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    return [rule for rule, number in json.loads(played.stdout).items() if number == 0]


@pytest.mark.long
def test_every_claimed_rule_runs_in_the_comparison_with_the_reference() -> None:
    assert uncalled("without") == []


@pytest.mark.long
def test_every_rule_of_maps_runs_in_their_comparison_with_the_reference() -> None:
    assert uncalled("with") == []
