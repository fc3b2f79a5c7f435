"""Iron Constitution: small hits do less, and wounds have a lower rank."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike, weapon

pytestmark = pytest.mark.heading("Iron Constitution")


def hit(field: str, damage: int, answer: str = "take") -> Table:
    """Let the knight hit the rogue for this damage, 19 or less, which the rogue answers."""
    rogue = {field: ["iron_constitution"]}
    dice = [(8, min(6, damage - 7), damage - 8 - min(6, damage - 7) + 2), (1, 1)]
    return strike({"weapon": weapon("heavy")}, rogue, dice=dice, answer=answer)


@pytest.mark.parametrize(("field", "lost"), [("talents", 9 - 4), ("destiny_talents", 9 - 6)])
def test_a_hit_for_less_than_ten_is_smaller(field: str, lost: int) -> None:
    table = hit(field, 9)
    assert (table.hp("rogue"), table.last("damage")["amount"]) == (40 - lost, lost)


def test_a_hit_for_ten_is_not_smaller_and_no_hit_heals() -> None:
    assert hit("talents", 10).hp("rogue") == hit("destiny_talents", 10).hp("rogue") == 40 - 10
    assert hit("talents", 13, "shrug").hp("rogue") == 40 - (7 - 4)  # half of 13 is 7
    table = strike({}, {"talents": ["iron_constitution"]}, dice=[(1, 3, 1), (1, 1)])  # 5 - 2 = 3, less 4
    assert table.hp("rogue") == 40


@pytest.mark.parametrize(("field", "rank"), [("talents", 14), ("destiny_talents", 14 - 5)])
def test_of_destiny_a_wound_is_five_ranks_lower(field: str, rank: int) -> None:
    table = hit(field, 14)
    assert (table.hp("rogue"), table.fighter("rogue")["wounds"]) == (40 - 14, rank)
    assert table.last("wound")["rank"] == rank


def test_a_hit_of_which_nothing_is_left_stands_before_the_next_one_in_a_sound_position() -> None:
    fighters = {"knight": {"agility": 8}, "owl": {"team": "blue"}, "rogue": {"talents": ["iron_constitution"]}}
    table = Table(fighters, [(1, 3, 1), (1, 1), (5, 4, 1), (1, 1)])  # 5 - 2 = 3, less 4; 10 - 2 = 8, less 4
    table.engage(knight="might: attack 1", owl="might: attack 1", rogue="cunning").play()
    assert (table.window, table.hp("rogue"), table.faults()) == ("shrug", 40, [])
    table.restore().play()
    assert table.hp("rogue") == 40 - 4


@pytest.mark.heading("Creature Climber")
@pytest.mark.parametrize(("attack", "save"), [((1, 3, 1, 8, 8, 8), ()), ((3, 4, 1, 8, 8, 8), (1, 1))])
def test_a_climber_saves_against_no_hit_of_which_nothing_is_left(
    attack: tuple[int, ...], save: tuple[int, ...]
) -> None:
    rogue = {"talents": ["iron_constitution"], "conditions": {"creature_climber": {"source": "giant"}}}
    table = Table({"giant": {"size": "L2"}, "rogue": rogue}, [attack, (1, 1), save])  # 3 of damage, or 6; less 4
    table.engage(giant="might: attack 1", rogue="cunning").play()
    assert [event["success"] for event in table.events_of("check")] == [True] * (len(save) // 2)
