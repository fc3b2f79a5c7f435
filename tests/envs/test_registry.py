"""Importing the package registers the environments, quickly and without loading anything heavy."""

import importlib
import subprocess
import sys

import pytest

import heartrush_env

LIMIT = 0.5  # seconds of processor time to import the package, without the waiting for a busy machine
HEAVY = ("numba", "torch", "pygame", "scipy", "heartrush_agents", "heartrush_env.games.heart_rush")

TIME_AN_IMPORT = """
import sys, time
begin = time.process_time()
import heartrush_env
print(time.process_time() - begin, *sys.modules)
"""


def imports() -> tuple[float, set[str]]:
    """Return how long an import in a fresh process takes, and the modules that it loads."""
    result = subprocess.run([sys.executable, "-c", TIME_AN_IMPORT], capture_output=True, text=True, check=True)
    seconds, *modules = result.stdout.split()
    return float(seconds), set(modules)


def test_the_import_is_quick_and_brings_in_nothing_heavy() -> None:
    found = [imports() for _ in range(3)]
    assert min(seconds for seconds, _ in found) < LIMIT
    assert found[0][1].isdisjoint(HEAVY)


def test_the_door_opens_without_compiling_anything() -> None:
    program = "import sys\nfrom heartrush_env import heart_rush_v0\nprint(*sys.modules)"
    result = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert not [name for name in HEAVY if name in result.stdout.split()]


@pytest.mark.filterwarnings("error")
def test_importing_it_again_changes_nothing() -> None:
    importlib.reload(heartrush_env)
    assert heartrush_env.__version__[0].isdigit()
