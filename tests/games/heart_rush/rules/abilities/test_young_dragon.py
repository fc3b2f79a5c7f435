"""The Young Dragon: Breath, Dread."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

FIERY = {"abilities": ["young_dragon.breath"]}
OWNER = {"abilities": ["young_dragon.dread"]}


@pytest.mark.heading("Dread", "Checks and Saves")
@pytest.mark.parametrize(("save", "frightened"), [((4, 6), {}), ((4, 5), {"frightened": 1})])
def test_in_the_first_round_enemies_save_with_presence_against_10(save: tuple[int, int], frightened: dict) -> None:
    table = Table({"dragon": OWNER, "knight": {}, "wyrm": {"team": "blue"}}, [save])  # its own side fears nothing
    assert (table.conditions("knight"), table.last("check")["ability"]) == (frightened, "presence")
    table.finish_round()
    assert len(table.events_of("check")) == 1


@pytest.mark.heading("Dread")
@pytest.mark.parametrize(("gap", "saves"), [(5, 1), (6, 0)])
def test_it_reaches_30_feet(gap: int, saves: int) -> None:
    table = on_map(f"D{'.' * gap}K", {"dragon": OWNER, "knight": {}}, [(8, 6)] * saves)
    assert len(table.events_of("check")) == saves


@pytest.mark.heading("Breath", "Checks and Saves")
@pytest.mark.parametrize(("save", "burning"), [((6, 6), {}), ((5, 6), {"burning": 3})])
def test_the_enemy_that_it_breathes_at_saves_with_agility_against_12(save: tuple[int, int], burning: dict) -> None:
    table = Table({"dragon": FIERY, "knight": {}, "rogue": {}}, [save]).play(dragon="use_at 1 a")
    assert (table.conditions("knight"), table.conditions("rogue")) == (burning, {})
    assert (table.last("check")["ability"], table.fighter("dragon")["action"]) == ("agility", False)


@pytest.mark.heading("Breath")
def test_a_dragon_without_breath_hurts_itself() -> None:
    table = Table({"dragon": {**FIERY, "conditions": {"suffocating": 1}}, "knight": {}}, [(8, 6), 5])
    table.play(dragon="use_at 1 a")  # R-49: it has cost the action
    table.play(dragon="take")
    assert table.hp("dragon") == 35


@pytest.mark.heading("Breath")
def test_it_breathes_every_other_round() -> None:
    saved = (8, 6)
    table = Table({"dragon": FIERY, "knight": {}}, [saved, saved]).play(dragon="use_at 1 a")
    assert "use_at 1 a" not in table.legal("dragon")
    table.finish_round()
    assert (table.round, "use_at 1 a" in table.legal("dragon")) == (2, False)
    table.finish_round().play(dragon="use_at 1 a")
    assert len(table.events_of("check")) == 2


@pytest.mark.heading("Breath")
def test_on_a_map_everyone_in_the_cone_burns() -> None:
    """One square ahead of the dragon the cone is half a square wide on either side; four squares ahead, two."""
    drawing = """
        .B...W...
        ..E......
        D...K..O.
        .....A...
        ....F....
    """
    fighters = {
        "dragon": FIERY,  # at 0, 2
        "knight": {},  # named: 4 squares straight ahead
        "ash": {},  # 5 along, 1 across
        "wolf": {"team": "blue"},  # 5 along, 2 across: a friend
        "fox": {},  # 4 along, 2 across: on the edge
        "elf": {},  # 2 along, 1 across: on the edge
        "bear": {},  # 1 along, 2 across
        "orc": {},  # straight ahead, but 35 feet away
    }
    table = on_map(drawing, fighters, [(1, 1)] * 5)
    named = {choice for choice in table.legal("dragon") if choice.startswith("use_at")}
    assert named == {f"use_at {place} a" for place in range(1, 6)}  # the sixth enemy, the orc, is out of range
    table.play(dragon="use_at 1 a")
    assert {name for name in fighters if table.conditions(name)} == {"knight", "ash", "wolf", "fox", "elf"}


@pytest.mark.heading("Breath")
@pytest.mark.parametrize(("named", "burns"), [("use_at 2 a", {"knight"}), ("use_at 1 a", {"rider"})])
def test_a_rider_in_the_square_of_the_dragon_burns_only_if_it_is_named(named: str, burns: set[str]) -> None:
    rider = {
        "size": "tiny",
        "weapon": "dagger",
        "conditions": {"creature_climber": {"source": "dragon"}},
        "at": [0, 0],
    }
    fighters = {"dragon": FIERY, "rider": rider, "knight": {}}
    table = on_map("D..K", fighters, [(1, 1)]).play(dragon=named)
    assert {name for name in fighters if "burning" in table.conditions(name)} == burns


@pytest.mark.heading("Breath")
def test_those_behind_it_or_behind_a_wall_do_not_burn() -> None:
    table = on_map("R.D..K#W", {"dragon": FIERY, "knight": {}, "rogue": {}, "wolf": {}}, [(1, 1)])
    table.play(dragon="use_at 1 a")
    assert [name for name in table.names if table.conditions(name)] == ["knight"]
