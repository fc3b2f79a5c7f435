"""The roster: a file for each listed enemy, and nobody forgotten."""

from __future__ import annotations

import pkgutil
from importlib import import_module

from heartrush_agents import available, load, roster
from heartrush_agents.learned.agent import shipped


def test_each_enemy_has_a_file_of_its_name_and_is_listed() -> None:
    files = {module.name for module in pkgutil.iter_modules(roster.__path__)}
    assert {enemy.id for enemy in roster.ENEMIES} == files
    for name in files:
        assert import_module(f"{roster.__name__}.{name}").ENEMY.id == name
        assert load(name).description.endswith(".")


def test_the_roster_comes_first_and_the_learned_after_it() -> None:
    listed = (*(enemy.id for enemy in roster.ENEMIES), *shipped())
    assert available()[: len(listed)] == listed


def test_measured_levels_are_an_enemys_own() -> None:
    characters = {each.ENEMY.id for each in roster.CHARACTERS}
    assert {enemy.id for enemy in roster.ENEMIES if enemy.levels} == {"tactician", "modeller"} | characters
