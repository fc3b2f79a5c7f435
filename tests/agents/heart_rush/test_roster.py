"""The roster of Heart Rush: a table of bots and a table of characters, in which each id is unique."""

import numpy as np
import pytest
from heartrush_agents import available, load
from heartrush_agents.heart_rush.roster import BOTS, CHARACTERS, ENEMIES
from heartrush_agents.learned.agent import shipped

from heartrush_env.games.heart_rush.game import HeartRush
from tests.agents.seats import STANCES, begun, seen_by


def test_the_roster_comes_first_and_the_learned_after_it() -> None:
    """The roster's enemies are listed first, each described in a sentence, and the learned agents after them."""
    listed = (*(enemy.id for enemy in ENEMIES), *shipped())
    assert available()[: len(listed)] == listed and len(set(available())) == len(available())
    assert all(load(enemy.id).description.endswith(".") for enemy in ENEMIES)


@pytest.mark.parametrize("id", STANCES)
def test_a_bot_named_after_a_stance_takes_it(id: str) -> None:
    assert len({bot.id for bot in BOTS}) == len(BOTS) == 20
    (bot,) = [bot for bot in BOTS if bot.id == id]
    game = HeartRush("duel")
    action = bot.seat(game).act(seen_by(begun(game)), np.random.default_rng(1))
    assert game.action_names[action] == f"stance {id}"


def test_measured_levels_are_an_enemys_own() -> None:
    assert {enemy.id for enemy in ENEMIES if enemy.levels} == {"tactician", "modeller", *CHARACTERS}
