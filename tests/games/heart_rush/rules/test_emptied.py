"""Whichever rule function is emptied, a test that names the function's heading fails."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from heartrush_env.games.heart_rush.headings import BOOK

ROOT = Path(__file__).parents[4]
MODULES = sorted({claim.module for claim in BOOK.claims()})


@pytest.mark.long
@pytest.mark.parametrize("module", MODULES)
def test_every_rule_that_is_emptied_is_missed(module: str) -> None:
    tried = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", "tests.games.heart_rush.rules.emptied", module],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert tried.returncode == 0, tried.stderr
    colours = json.loads(tried.stdout)
    assert colours.pop("") == {"everything": "green"}
    assert set(colours) == {claim.function for claim in BOOK.claims() if claim.module == module}
    green = [(function, answer) for function, seen in colours.items() for answer in seen if seen[answer] == "green"]
    assert green == []
