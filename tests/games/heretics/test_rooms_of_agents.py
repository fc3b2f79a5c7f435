"""The agents of each game: an id names one agent, and an arena's population consists of those that play its game."""

import pytest
from heartrush_agents import AgentError, available, load, population
from heartrush_agents.cards import card_file, read_measured, weights_of
from heartrush_agents.learned.agent import read_card
from heartrush_agents.registry import left_out
from heartrush_agents.tournament.arena import arena
from heartrush_train import cards

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heretics.game import Heretics
from tests.toy_game import ToyGame


def test_the_scripted_enemy_of_each_game_has_an_id_of_its_own() -> None:
    ours, theirs = HeartRush("skirmish"), Heretics("skirmish")
    assert load("charger").plays(ours) is None and load("heretics_charger").plays(theirs) is None
    assert load("charger").plays(theirs) == "it plays heart_rush, not heretics"
    assert load("heretics_charger").plays(ours) == "it plays heretics, not heart_rush"
    assert "heretics_charger" not in available()  # as all bots that are there to be exploited


def test_a_population_is_of_those_that_play_the_game() -> None:
    assert population(Heretics("duel")) == ("random", "uniform", "heretics_charger", "heretics_captain")
    assert set(population(ToyGame())) == {"random", "uniform"}  # a game without agents of its own
    assert left_out(Heretics("duel")) == left_out(ToyGame()) == {}
    forgetful = HeartRush("duel", memory=0)
    assert "copycat" not in population(forgetful) and "memory=0 shows none" in left_out(forgetful)["copycat"]
    assert all(load(id).plays(forgetful) is None for id in population(forgetful))


def test_the_arena_of_another_game() -> None:
    found = arena(["heretics_charger", "random"], Heretics("duel"), duels=2, matches=2, processes=1)
    assert found.population == population(Heretics("duel")) and set(found.agents) == {"heretics_charger", "random"}
    with pytest.raises(AgentError, match=r"^exact: expected a game with duels that can be solved, got heretics\.$"):
        arena(["random"], Heretics("duel"), exact=True)


def test_the_captain_has_a_card_of_its_strength_against_the_arena(monkeypatch: pytest.MonkeyPatch) -> None:
    assert card_file("heretics_captain").parts[-2:] == ("cards", "heretics_captain.json")
    monkeypatch.setattr(cards, "_pair", lambda *arguments: None)
    monkeypatch.setattr(cards, "in_percent", lambda score: score)
    found = cards.cross_table("heretics_captain", "duel", {}, 4, 1, "heretics")
    assert list(found["won"]) == ["random", "uniform", "heretics_charger"]


@pytest.mark.parametrize("id", ["heretics_fencer", "heretics_veteran"])
def test_cards_find_the_weights_of_a_games_own_agents(id: str) -> None:
    folder = weights_of(id)
    assert folder is not None and read_card(folder)["sha256"] == read_measured(id)["weights"]["sha256"]
    assert weights_of("heretics_captain") is None and weights_of(str(folder)) == folder
