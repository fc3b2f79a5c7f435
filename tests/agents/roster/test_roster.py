"""The roster: a table of bots, in which each id is unique, and a file for each character."""

import pkgutil

import numpy as np
import pytest
from heartrush_agents import available, load, roster
from heartrush_agents.learned.agent import shipped
from heartrush_agents.roster.bots import BOTS

from heartrush_env.games.heart_rush.game import HeartRush
from tests.agents.seats import STANCES, begun, seen_by


def test_each_character_has_a_file_of_its_name() -> None:
    files = {module.name for module in pkgutil.iter_modules(roster.__path__)}
    assert {character.ENEMY.id for character in roster.CHARACTERS} | {"bots"} == files
    for character in roster.CHARACTERS:
        assert character.__name__ == f"{roster.__name__}.{character.ENEMY.id}"


def test_the_roster_comes_first_and_the_learned_after_it() -> None:
    """Each enemy is described in a sentence."""
    listed = (*(enemy.id for enemy in roster.ENEMIES), *shipped())
    assert available()[: len(listed)] == listed
    assert all(load(enemy.id).description.endswith(".") for enemy in roster.ENEMIES)


@pytest.mark.parametrize("id", STANCES)
def test_a_bot_named_after_a_stance_takes_it(id: str) -> None:
    assert len({bot.id for bot in BOTS}) == len(BOTS) == 20
    (bot,) = [bot for bot in BOTS if bot.id == id]
    game = HeartRush("duel")
    action = bot.seat(game).act(seen_by(begun(game)), np.random.default_rng(1))
    assert game.action_names[action] == f"stance {id}"


def test_measured_levels_are_an_enemys_own() -> None:
    characters = {character.ENEMY.id for character in roster.CHARACTERS}
    assert {enemy.id for enemy in roster.ENEMIES if enemy.levels} == {"tactician", "modeller"} | characters
