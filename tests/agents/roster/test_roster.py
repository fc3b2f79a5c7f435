"""The roster: a table of bots, and a file for each character."""

from __future__ import annotations

import pkgutil

from heartrush_agents import available, load, roster
from heartrush_agents.learned.agent import shipped


def test_each_character_has_a_file_of_its_name() -> None:
    files = {module.name for module in pkgutil.iter_modules(roster.__path__)}
    assert {character.ENEMY.id for character in roster.CHARACTERS} | {"bots"} == files
    for character in roster.CHARACTERS:
        assert character.__name__ == f"{roster.__name__}.{character.ENEMY.id}"


def test_each_enemy_is_described_in_a_sentence() -> None:
    for enemy in roster.ENEMIES:
        assert load(enemy.id).description.endswith(".")


def test_the_roster_comes_first_and_the_learned_after_it() -> None:
    listed = (*(enemy.id for enemy in roster.ENEMIES), *shipped())
    assert available()[: len(listed)] == listed


def test_measured_levels_are_an_enemys_own() -> None:
    characters = {character.ENEMY.id for character in roster.CHARACTERS}
    assert {enemy.id for enemy in roster.ENEMIES if enemy.levels} == {"tactician", "modeller"} | characters
