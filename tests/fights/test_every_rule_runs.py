"""The comparison with the reference runs every rule; it proves nothing about a rule that it does not run.

Random fights run every ability in the same way.
"""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
MOST_FIGHTS = 300  # the first fights of the comparison; two thirds of them usually are enough
MOST_FOR_AN_ABILITY = 30
# They need a fighter that attacks below 0 hit points, two allies beside their owner, a blade and two enemies, parts,
# a fighter behind their owner, a fire that it has lit, an attunement to raise, or Commander's Call and a destiny talent
# beside it. Quick has nothing to answer: the speed at the start of the fight counts it in.
SELDOM = {
    "baited_attack", "elemental_paragon", "fury", "hottest_flames", "improved_commanders_call", "phalanx", "quick",
    "whirlwind_strike",
    "hydra.many_heads", "hydra.regrowth",
}  # fmt: skip


def uncalled(*words: str) -> list[str]:
    """Return the rules that did not run, according to a program that counts calls."""
    played = subprocess.run(
        [sys.executable, "-W", "ignore", "-m", *words],
        cwd=ROOT,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    return [rule for rule, number in json.loads(played.stdout).items() if number == 0]


@pytest.mark.long
@pytest.mark.parametrize("maps", ["without", "with"])
def test_every_claimed_rule_runs_in_the_comparison_with_the_reference(maps: str) -> None:
    assert uncalled("tests.rule_calls", str(MOST_FIGHTS), maps) == []


@pytest.mark.long
def test_every_ability_does_something_in_small_random_fights_but_those_that_need_more() -> None:
    assert set(uncalled("tests.ability_calls", str(MOST_FOR_AN_ABILITY))) <= SELDOM
