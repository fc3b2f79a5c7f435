"""The Queen Rat: Brood, Filthy Bite, Plague."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Table, strike

BROODING = {"abilities": ["queen_rat.brood"]}
BITING = {"abilities": ["queen_rat.filthy_bite"]}
RIDDEN = {"abilities": ["queen_rat.plague"]}


@pytest.mark.heading("Brood")
@pytest.mark.parametrize(
    ("roll", "team", "dice", "causes", "total"),
    [
        ("attack", "blue", [(8, 1, 2, 6), (3, 3)], {"ability": 1}, 16),  # the highest three of them count
        ("attack", "red", [(8, 1, 2), (3, 3)], {}, 11),
        ("defense", "blue", [(3, 3, 3), (3, 1, 6)], {"ability": 1}, 9),  # d8, d6 and one more d6: the highest two count
        ("defense", "red", [(3, 3, 3), (3, 1)], {}, 4),
    ],
)
def test_an_adjacent_ally_gives_its_attacks_and_defenses_advantage_and_an_enemy_none(
    roll: str, team: str, dice: Dice, causes: dict[str, int], total: int
) -> None:
    table = Table({"queen": BROODING, "knight": {}, "rat": {"team": team}}, dice)
    stances = ("might: attack 1", "cunning") if roll == "attack" else ("cunning", "might: attack 1")
    attack = table.engage(queen=stances[0], knight=stances[1]).last("attack")
    assert (attack[f"{roll}_causes"], attack[f"{roll}_roll"]) == (causes, total)


@pytest.mark.heading("Filthy Bite")
@pytest.mark.parametrize(("damage", "poisoned"), [(9, {}), (10, {"poisoned": 2})])
def test_a_creature_that_it_wounds_is_poisoned(damage: int, poisoned: dict[str, int]) -> None:
    table = strike(BITING, {}, dice=[(damage - 3, 2, 3), (1, 1)])
    assert (table.hp("rogue"), table.conditions("rogue")) == (40 - damage, poisoned)


@pytest.mark.heading("Filthy Bite")
def test_a_wound_by_another_does_not_poison() -> None:
    table = strike({}, BITING, dice=[(7, 2, 3), (1, 1)])
    assert (table.hp("rogue"), table.conditions("rogue"), table.conditions("knight")) == (30, {}, {})


@pytest.mark.heading("Plague")
@pytest.mark.parametrize(("save", "poisoned"), [((3, 6), {}), ((3, 5), {"poisoned": 1})])
def test_as_stances_are_shown_enemies_take_damage_and_save_with_might_against_9(save: tuple, poisoned: dict) -> None:
    fighters = {"queen": RIDDEN, "knight": {"agility": 8}, "monk": {}, "rat": {"team": "blue"}}
    table = Table(fighters, [4, save, 2, (8, 1)]).engage()
    assert (table.window, table.phase, table.choosers()) == ("shrug", None, {"knight", "monk"})
    table.play(monk="shrug")
    assert (table.hp("knight"), table.hp("monk"), table.hp("rat"), table.hp("queen")) == (36, 39, 40, 40)
    assert (table.conditions("knight"), table.conditions("monk")) == (poisoned, {})
    checks = [(event["fighter"], event["ability"]) for event in table.events_of("check")]
    assert checks == [("knight", "might"), ("monk", "might")]


@pytest.mark.heading("Plague")
def test_those_that_it_drops_attack_nobody() -> None:
    table = Table({"queen": RIDDEN, "knight": {"hp_now": 3}, "monk": {}}, [3, (8, 1), 1, (8, 1)])
    table.engage(queen="might", knight="agility", monk="defensive").play()
    assert (table.phase, table.status("knight"), table.choosers()) == ("might", "defeated", {"queen"})
    table.finish_round()
    assert table.events_of("attack") == []


@pytest.mark.heading("Plague")
def test_as_many_plagues_as_there_are_fighters_all_hurt() -> None:
    names = ("ada", "bea", "cid", "dan", "eve", "fay", "gil", "hal")
    fighters = {name: {**RIDDEN, "team": name} for name in names}
    table = Table(fighters, [1, (8, 1)] * 8 * 7)  # each creature has a roll of its own
    table.engage()
    for _ in range(7):
        assert table.window == "shrug"
        table.play()
    assert [table.hp(name) for name in names] == [33] * 8


@pytest.mark.heading("Plague")
@pytest.mark.parametrize(("gap", "hp"), [(1, 38), (2, 40)])
def test_it_reaches_10_feet(gap: int, hp: int) -> None:
    table = on_map(f"Q{'.' * gap}K", {"queen": RIDDEN, "knight": {}}, [2, (8, 1)] if gap == 1 else [])
    table.engage().finish_round()
    assert table.hp("knight") == hp
