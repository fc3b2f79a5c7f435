"""The measured predictability of agents whose habits are known beforehand."""

import pytest
from heartrush_agents import Agent, load
from heartrush_agents.base import Player, Probabilities
from heartrush_train.habits import habits

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Observation


class Turner(Player):
    """A player that opens each fight with might, and then takes the attacking stances in a circle."""

    def new_fight(self) -> None:
        """Begin with might."""
        self.turn = 0

    def policy(self, observation: Observation) -> Probabilities:
        """Return the next stance in a stance window, and the legal actions with equal weights otherwise."""
        names = self.game.action_names
        shares: Probabilities = observation["action_mask"].astype(float)
        stances = [action for action in shares.nonzero()[0] if names[action].startswith("stance ")]
        if stances:
            shares[:] = 0
            shares[stances[self.turn % 3]] = 1
            self.turn += 1
        return shares


DUEL = HeartRush("duel", decisions="stance")


def test_who_always_does_the_same_is_foreseen_always() -> None:
    found = habits(load("might"), DUEL, fights=3, shuffles=5)
    same = {"usual": "might", "percent": 100.0, "bits": 0.0}
    assert found["first_stance"] == {"knight_0": same, "duelist_0": same}
    assert (found["foreseen"], found["looking_back"], found["by_chance"]) == (100.0, 0, 100.0)
    assert (found["fights"], found["against"]) == (6, "uniform")


def test_a_circle_is_seen_by_looking_back_once() -> None:
    found = habits(Agent("turner", "Turns.", Turner), DUEL, fights=10, shuffles=5)
    assert {first["usual"] for first in found["first_stance"].values()} == {"might"}
    assert found["looking_back"] == 1 and found["foreseen"] > 90 and found["by_chance"] < 60


def test_an_even_mix_has_no_habits() -> None:
    found = habits(load("uniform"), DUEL, fights=30, shuffles=20)
    for first in found["first_stance"].values():
        assert first["percent"] < 70 and 1.2 < first["bits"] <= 2
    assert found["foreseen"] == pytest.approx(found["by_chance"], abs=8) and found["foreseen"] < 50
