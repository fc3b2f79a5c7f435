"""Everywhere at Once and Battletuned: one attack after another."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

FOES: Fields = {"rogue": {}, "fox": {}, "owl": {}}
HIT: Dice = [(1, 2, 3), (1, 1)]
BOW = weapon("light", "ranged")


def owner(name: str = "everywhere_at_once", **more: object) -> Fields:
    return {"abilities": [name], **more}


def begin(knight: Fields, dice: Dice, stance: str = "might", **against: str) -> Table:
    return Table({"knight": knight, **FOES}, dice).engage(knight=f"{stance}: attack 1", **against)


@pytest.mark.heading("Everywhere at Once")
def test_everywhere_at_once_attacks_each_legal_target_once_in_any_order() -> None:
    table = begin(owner(), [*HIT, *HIT, *HIT])
    assert {name for name in table.legal("knight") if "attack" in name} == {"attack 2", "attack 3"}
    table.play(knight="attack 3")
    assert {name for name in table.legal("knight") if "attack" in name} == {"attack 2"}
    table.play(knight="attack 2").finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "owl", "fox"]


@pytest.mark.heading("Everywhere at Once")
def test_it_may_be_left_at_one_and_illegal_stances_are_not_offered() -> None:
    table = begin(owner(), HIT, fox="agility")
    assert {name for name in table.legal("knight") if "attack" in name} == {"attack 3"}
    table.play().finish_round()
    assert len(table.events_of("attack")) == 1


@pytest.mark.heading("Battletuned")
def test_battletuned_attacks_one_more_target() -> None:
    table = begin(owner("battletuned"), [*HIT, *HIT])
    assert table.window == "follow_up"
    assert table.play(knight="attack 2").window == "shrug", "one more, although the owl is left"
    table.finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "fox"]


@pytest.mark.parametrize(
    "name",
    [
        pytest.param("everywhere_at_once", marks=pytest.mark.heading("Everywhere at Once")),
        pytest.param("battletuned", marks=pytest.mark.heading("Battletuned")),
    ],
)
def test_further_attacks_name_levels_too(name: str) -> None:
    knight: Fields = {"abilities": ["tough_as_nails", "tough_as_nails", name]}  # only the last one names levels
    table = begin(knight, [*HIT, *HIT], "cunning", rogue="agility", fox="agility")
    table.play(knight="attack 2 dazed+weakened")
    assert table.last("attack")["levels"] == {"dazed": 1, "weakened": 1}
    table.play().finish_round()
    assert (table.history("fox", "dazed")[0], table.history("fox", "weakened")[0]) == (1, 1)
    assert table.history("rogue", "dazed") == []


@pytest.mark.heading("Everywhere at Once")
def test_levels_are_not_named_against_stances_that_are_not_beaten() -> None:
    table = begin(owner(), HIT, "cunning", rogue="agility")
    assert "attack 2 dazed+weakened" not in table.legal("knight")
    table.play().finish_round()


@pytest.mark.heading("Everywhere at Once")
def test_further_attacks_in_might_push_too() -> None:
    fighters = {"knight": owner(), "rogue": {}, "fox": {}}
    table = on_map(".......\n..KR...\n..F....\n.......\n.......\n.......", fighters, [*HIT, *HIT])
    table.engage(knight="might: attack 1", rogue="cunning", fox="cunning").play(knight="attack 2")
    table.finish_round()
    assert (table.fighter("rogue")["at"], table.fighter("fox")["at"]) == ([5, 1], [2, 4])


@pytest.mark.heading("Everywhere at Once")
def test_missiles_fly_at_neighbors_of_those_that_were_attacked() -> None:
    fighters = {"knight": owner(weapon=BOW), "rogue": {}, "fox": {}, "owl": {}}
    table = on_map("........\nK..R....\n....F...\n........\nO.......", fighters, [*HIT, *HIT])
    table.engage(knight="might: attack 1")
    assert {name for name in table.legal("knight") if "attack" in name} == {"attack 2"}
    table.play(knight="attack 2").finish_round()
    assert [event["target"] for event in table.events_of("attack")] == ["rogue", "fox"]


@pytest.mark.heading("Everywhere at Once")
def test_an_attack_on_a_creature_of_the_same_stance_is_a_contest() -> None:
    """The first attack is a contest, the further one is not."""
    table = Table({"knight": owner(), **FOES}, [(1, 2, 3), (1, 1, 1), (1, 2, 3), (1, 1)])
    table.engage(knight="might: attack 1", rogue="might", fox="cunning").play(knight="attack 2")
    assert [event["contested"] for event in table.events_of("attack")] == [True, False]
    table.play().finish_round()


@pytest.mark.heading("Everywhere at Once", "Battletuned")
def test_who_shoots_at_neighbors_only_still_contests_a_further_attack() -> None:
    """The knight has struck nobody, so it could not choose the rogue as a further target; but it can attack it."""
    fighters = {"knight": owner(weapon=BOW), "squire": {"team": "blue"}, "rogue": owner("battletuned", team="red")}
    table = Table(fighters, [*HIT, (1, 1, 1), (5, 4, 3)])
    table.engage(rogue="might: attack 2", knight="might", squire="cunning").play(rogue="attack 1")
    assert table.last("attack")["contested"] and table.rolls() == (12, 3)
    table.finish_round()


MUTUAL = {"contested": "mutual"}


@pytest.mark.heading("Everywhere at Once", "Battletuned", "Same Stance Combat")
def test_mutual_an_attack_of_any_earlier_window_makes_the_attack_back_a_contest() -> None:
    """Let the knight attack the rogue in the second window, and the rogue attack back in the third (R-9).

    In the second window the rogue attacks the owl. The knight is quicker, so its answer is rolled first: 1 + 1 + 2
    against 5 + 4 + 3.
    """
    fighters = {"knight": owner("battletuned", team="blue", agility=8), "rogue": owner(team="red")}
    others: Fields = {"fox": {"team": "green"}, "owl": {"team": "gold"}}
    table = Table({**fighters, **others}, [*HIT, *HIT, *HIT, *HIT, (1, 1, 2), (5, 4, 3)], MUTUAL)
    table.engage(knight="might: attack 2", rogue="might: attack 2")
    table.play(knight="attack 1", rogue="attack 3")
    assert [event["contested"] for event in table.events_of("attack")] == [False] * 4
    table.play(rogue="attack 1")
    back = table.last("attack")
    assert (back["contested"], back["mutual"], table.rolls()) == (True, False, (12, 4))
    table.finish_round()
    assert table.hp("knight") == 32


@pytest.mark.heading("Battletuned", "Everywhere", "Same Stance Combat")
def test_mutual_an_attack_that_an_ability_adds_makes_the_attack_back_a_contest() -> None:
    """Count the swarm's added attack on the rogue as an attack, although the swarm chose another target (R-9)."""
    swarm: Fields = {"abilities": ["everywhere"], "team": "blue", "agility": 8}
    fighters = {"swarm": swarm, "rogue": owner("battletuned", team="red")}
    table = Table({**fighters, "fox": {"team": "green"}}, [*HIT, *HIT, *HIT, (1, 1, 2), (5, 4, 3)], MUTUAL)
    table.engage(swarm="might: attack 2", rogue="might: attack 2")
    assert [event["target"] for event in table.events_of("attack")] == ["fox", "rogue", "fox"]
    table.play(rogue="attack 1")
    assert table.last("attack")["contested"] and table.rolls() == (12, 4)
    table.finish_round()
    assert table.hp("swarm") == 32


@pytest.mark.heading("Battletuned", "Agility Stance", "Same Stance Combat")
def test_mutual_a_further_attack_before_the_steps_makes_the_attack_after_them_a_contest() -> None:
    """Let the knight attack the rogue before the rogue steps; after its step, the rogue attacks back (R-9)."""
    fighters = {"knight": owner("battletuned", team="blue"), "rogue": {"team": "red"}, "fox": {"team": "green"}}
    table = on_map("KR.\nF..\n...", fighters, [*HIT, *HIT, (1, 1, 2), (5, 4, 3)], MUTUAL)
    table.engage(knight="agility", rogue="agility").pass_to("attack", "agility")
    table.play(knight="attack 2", rogue="sidestep s").play(knight="attack 1").play(rogue="attack 1")
    assert table.last("attack")["contested"] and table.rolls() == (12, 4)
    table.finish_round()
    assert table.hp("knight") == 32


@pytest.mark.heading("Battletuned")
@pytest.mark.interplay("battletuned", "double_shot")
def test_battletuned_and_double_shot_each_bring_a_target() -> None:
    table = Table({"knight": owner("battletuned", talents=["double_shot"], weapon=BOW), **FOES}, [*HIT, *HIT, *HIT])
    table.play(knight="use a").engage(knight="might: attack 1").play(knight="attack 2").play(knight="attack 3")
    assert len(table.events_of("attack")) == 3
    table.finish_round()


@pytest.mark.heading("Battletuned")
def test_with_everywhere_at_once_levels_are_given_once() -> None:
    knight = {"abilities": ["everywhere_at_once", "battletuned"]}
    table = begin(knight, [*HIT, *HIT], "cunning", rogue="agility", fox="agility")
    table.play(knight="attack 2 dazed").play().finish_round()
    assert table.history("fox", "dazed")[0] == 1


@pytest.mark.heading("Everywhere at Once", "Agility Stance")
def test_who_has_attacked_does_not_attack_again_after_the_steps_of_others() -> None:
    blow = [(1, 2, 3), (8, 6)]
    fighters = {
        "knight": owner(team="blue"),
        "squire": {"team": "blue"},
        "page": {"team": "blue"},
        "rogue": {"team": "red"},
        "fox": {"team": "red"},
    }
    table = on_map("KR..\nSF..\nP...", fighters, [*blow, *blow, *blow])
    table.engage(rogue="might", fox="might", knight="agility", squire="agility", page="agility").pass_to("attack")
    table.play(knight="attack 1", squire="attack 2", page="sidestep e").play(knight="attack 2").play()
    assert [event["attacker"] for event in table.events_of("attack")] == ["knight", "squire", "knight"]
