"""Each ability is missed by its tests if it is taken away, in both versions, and is played together with another."""

import importlib
from pathlib import Path
from typing import Any

import pytest
from _pytest.mark import ParameterSet

from heartrush_env.games.heart_rush.abilities.all import NUMBERS
from tests.taken_away import BASE, DESTINY, all_missed

HERE = Path(__file__).parent / "abilities"
# The sheet of a fighter counts what abilities add to its speed, before any ability is dealt.
ON_SHEETS = [
    "tests/games/heart_rush/rules/abilities/test_quick.py::test_without_a_map_the_speed_of_quick_has_no_limit",
    "juggernaut",
]
# Talents whose destiny version adds nothing that fights play: `left_out` in their files says what is missing.
ONE_VERSION = ("divine_weapon", "harass", "hulking", "intimidating", "last_stand", "slippery")


def marks_of(function: Any) -> list[Any]:
    """Return the markers of a test and of its cases."""
    own: list[Any] = list(getattr(function, "pytestmark", ()))
    cases = [case for mark in own if mark.name == "parametrize" for case in mark.args[1]]
    return own + [mark for case in cases if isinstance(case, ParameterSet) for mark in case.marks]


def interplays() -> set[tuple[str, ...]]:
    """Return the abilities, by their ids, that tests in the folder of abilities mark as those of an interplay."""
    modules = [
        importlib.import_module(f"tests.games.heart_rush.rules.abilities.{p.stem}") for p in HERE.glob("test_*.py")
    ]
    tests = [value for module in modules for name, value in vars(module).items() if name.startswith("test_")]
    return {mark.args for test in tests for mark in marks_of(test) if mark.name == "interplay"}


def test_every_ability_is_played_with_another() -> None:
    found = interplays()
    assert {name for names in found for name in names} == set(NUMBERS)
    assert [names for names in found if len(set(names)) < 2] == []


@pytest.mark.long
def test_whichever_ability_is_taken_away_is_missed() -> None:
    """Without an ability its tests fail, and its interplays; with the other version the tests of a version do."""
    assert all_missed() == [ON_SHEETS, *[[name, version] for name in ONE_VERSION for version in (BASE, DESTINY)]]
