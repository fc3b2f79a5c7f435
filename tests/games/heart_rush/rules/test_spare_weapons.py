"""A second weapon in a fight without a map: drawing it is an object interaction."""

from typing import Any

import pytest

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.research.duel import why_unsupported
from heartrush_env.tabletop.errors import ScenarioError
from tests.games.heart_rush.rules.table import PLAIN, Fields, Table, weapon
from tests.notation import line_of

KIT = {"spare_weapon": weapon("heavy", "whip", "slashing"), "spare_shield": "none", "shield": "light_shield"}


@pytest.mark.heading("Object Interaction")
def test_a_duelist_draws_its_other_weapon_by_the_free_interaction_and_strikes_with_it() -> None:
    """The heavy weapon is a d12 that favors agility: heart 5 + agility 4 + weapon 9 + bonus 2 against 3 + 2."""
    table = Table({"knight": KIT, "rogue": {}}, dice=[(5, 4, 9, 2), (3, 2)])
    assert "swap" in table.legal("knight") and "swap" not in table.legal("rogue")
    table.play(knight="swap")
    knight = table.fighter("knight")
    assert (knight["interaction"], knight["action"], knight["spare"]) == (False, True, True)
    held = {"weapon_die": 12, "attack_type": "whip", "damage_type": "slashing", "shield": 0}
    assert table.last("swap") == {"type": "swap", "fighter": "knight", **held}
    for viewer, whose in (("knight", "self"), ("rogue", "enemy 1")):
        seen = table.sees(viewer)
        assert seen[f"{whose} weapon_die"] == pytest.approx(12 / 20)
        assert (seen[f"{whose} weapon whip"], seen[f"{whose} shield"]) == (1, 0)
    table.engage(knight="agility: attack 1", rogue="defensive")
    assert table.last("attack")["damage"] == 8  # 20 - 5, halved and rounded up


@pytest.mark.heading("Object Interaction")
def test_a_second_swap_of_the_round_costs_the_action_and_a_third_is_not_offered() -> None:
    table = Table({"knight": KIT, "rogue": {}}).play(knight="swap").play(knight="swap")
    assert (table.fighter("knight")["action"], table.sees("knight")["self shield"]) == (False, 0.5)
    assert "swap" not in table.legal("knight")


@pytest.mark.heading("Object Interaction")
def test_a_disarmed_fighter_draws_its_spare_and_may_not_swap_back() -> None:
    """The knight's might beats the rogue's cunning, and in the disarm 6 + 5 beats 3 + 2."""
    table = Table({"knight": {}, "rogue": KIT}, dice=[(6, 5), (3, 2)])
    table.engage(knight="might: disarm 1", rogue="cunning").finish_round()
    assert not table.fighter("rogue")["armed"]
    table.play(rogue="swap")
    assert (table.fighter("rogue")["armed"], table.fighter("rogue")["spare"]) == (True, False)
    assert "swap" not in table.legal("rogue")


def test_a_snapshot_and_a_line_of_notation_hold_the_weapon_in_hand() -> None:
    game = HeartRush(duel())
    fights = game.batch(1, record=True)
    fights.start([0], 1, [0])
    fights.step([[game.action_names.index("swap"), game.action_names.index("pass")]])
    kept = fights.snapshot(0)
    assert "swapped=1" in line_of(fights) and fights.faults(0) == []
    again = game.batch(1)
    again.restore(0, kept)
    assert again.observations[0].tolist() == fights.observations[0].tolist()


def test_an_agent_without_a_use_for_a_second_weapon_still_plays() -> None:
    from heartrush_agents import load

    game = HeartRush(duel())
    for name in ("tactician", "uniform", "duelist"):
        seat = load(name).seat(game)
        fights = game.batch(1)
        fights.start([0], 1, [0])
        seen = {"observation": fights.observations[0, 0], "action_mask": fights.masks[0, 0]}
        assert seat.policy(seen).sum() == pytest.approx(1)


def test_solvers_refuse_a_duel_in_which_a_weapon_may_be_swapped_and_say_whose() -> None:
    game = HeartRush(duel(), rules={"profile": "plain"})
    assert why_unsupported(game) == "knight_0 has a spare weapon, and only fighters with one weapon each are solved"
    assert why_unsupported(HeartRush(duel(), rules={"profile": "plain"}, decisions="stance")) is None


def test_a_speed_for_the_spare_weapon_needs_a_map() -> None:
    with pytest.raises(ScenarioError, match=r"spare_speed is 30, but there is no \[battlefield\] to use it on"):
        HeartRush(duel(spare_speed=30))


def duel(**more: Any) -> Fields:
    knight = {**PLAIN, **KIT, **more, "id": "knight", "team": "blue"}
    return {"name": "two blades", "fighter": [knight, {**PLAIN, "id": "rogue", "team": "red"}]}


@pytest.mark.heading("Object Interaction")
def test_fighters_without_a_spare_weapon_are_not_asked_again_once_they_have_acted() -> None:
    table = Table({"knight": {"conditions": {"prone": 1}, "agility": 8}, "rogue": {"conditions": {"prone": 1}}})
    table.play(knight="rise", rogue="rise")
    assert table.window == "stance"
