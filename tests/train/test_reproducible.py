"""Weights are reproducible: a short run of each shipped agent's own command gives the same bytes twice."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from heartrush_agents.learned.agent import WEIGHTS, read_card, shipped

pytestmark = pytest.mark.long

SAMPLES = 20_000


@pytest.mark.parametrize("id", shipped())
def test_the_command_on_a_card_gives_the_same_weights_twice(id: str, tmp_path: Path) -> None:
    """Each time in a process of its own, on this machine; the digests are equal, without any tolerance."""
    words = shlex.split(read_card(shipped()[id])["training"]["command"])[1:]
    found = []
    for name in ("one", "other"):
        more = ["--total-samples", str(SAMPLES), "--rate-fights", "0", "--out", str(tmp_path / name)]
        subprocess.run([sys.executable, "-m", "heartrush_env.app.cli.main", *words, *more], check=True)
        found.append((tmp_path / name / WEIGHTS).read_bytes())
    assert found[0] == found[1]
