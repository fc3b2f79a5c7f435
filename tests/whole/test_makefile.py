"""What `make` says before it begins."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.skipif(shutil.which("make") is None, reason="needs make")
@pytest.mark.parametrize("target", ["test", "train"])
def test_the_first_thing_it_says_is_how_long_it_takes(target: str) -> None:
    """Before anything is installed; as make would run it, without running it."""
    command = ["make", "--dry-run", "--no-print-directory", target, "VENV=missing"]
    told = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert re.match(rf'echo "make {target}: .*\d+ minutes', told), told[:200]
