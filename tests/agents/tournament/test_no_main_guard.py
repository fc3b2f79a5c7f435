"""Work in several processes, asked for by a script that every worker runs again."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

SCRIPT = """
from heartrush_agents.tournament.play import in_processes

{guard}print(sorted(in_processes(len, [("ab",), ("c",)], 2)))
"""


def run(folder: Path, guard: str) -> subprocess.CompletedProcess[str]:
    """Run the script as a user does."""
    script = folder / "rating.py"
    script.write_text(SCRIPT.format(guard=guard), encoding="utf-8")
    return subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=300, check=False)


def test_a_script_without_a_main_guard_hears_about_the_guard(tmp_path: Path) -> None:
    done = run(tmp_path, "")
    assert done.returncode == 1 and "without a main guard" in done.stderr.splitlines()[-1]
    assert "memory" not in done.stderr.splitlines()[-1]


def test_a_script_with_a_main_guard_gets_its_results(tmp_path: Path) -> None:
    done = run(tmp_path, 'if __name__ == "__main__":\n    ')
    assert (done.returncode, done.stdout) == (0, "[(0, 2), (1, 1)]\n")
