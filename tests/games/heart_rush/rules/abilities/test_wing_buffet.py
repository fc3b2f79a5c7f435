"""Wing Buffet of the Young Dragon: two steps after damage in melee."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table, weapon

pytestmark = pytest.mark.heading("Wing Buffet")
WINGED = {"abilities": ["young_dragon.wing_buffet"]}
HURTS: Dice = [(5, 3, 1), (1, 1)]  # 9 against 2


def struck(dice: Dice = HURTS, ground: str = ".....\n.DK..\n.....", **knight: object) -> Table:
    """Return a table at which the knight has attacked the dragon in cunning."""
    table = on_map(ground, {"dragon": WINGED, "knight": knight}, dice)
    return table.engage(knight="cunning: attack 1", dragon="agility").play(dragon="take")


def test_it_moves_two_squares_once_the_phase_is_over_and_nobody_strikes_at_it() -> None:
    table = struck()
    assert (table.window, table.choosers(), "pass" in table.legal("dragon")) == ("pick", {"dragon"}, True)
    table.restore().play(dragon="sidestep w")
    assert (table.window, at(table, "dragon")) == ("pick", (0, 1))
    table.play(dragon="sidestep n")
    assert (at(table, "dragon"), table.window == "pick") == ((0, 0), False)
    assert len(table.events_of("attack")) == 1


def test_each_step_may_be_declined() -> None:
    table = struck().play(dragon="pass")
    assert (at(table, "dragon"), table.window == "pick") == ((1, 1), False)
    table = struck().play(dragon="sidestep w").play(dragon="pass")
    assert at(table, "dragon") == (0, 1)


def test_neither_a_miss_nor_a_shot_starts_it() -> None:
    table = on_map(".....\n.DK..\n.....", {"dragon": WINGED, "knight": {}}, [(1, 1, 1), (8, 6)])
    table.engage(knight="cunning: attack 1", dragon="agility")
    assert table.window != "pick"
    bow = {"weapon": weapon(attack_type="ranged")}
    table = on_map(".....\n.D.K.\n.....", {"dragon": WINGED, "knight": bow}, HURTS)
    table.engage(knight="cunning: attack 1", dragon="agility").play(dragon="take")
    assert table.window != "pick" and table.hp("dragon") == 33


def test_once_a_round_however_often_it_is_hurt() -> None:
    fighters = {"dragon": WINGED, "knight": {}, "monk": {}}
    table = on_map("......\n.DK...\n.M....", fighters, [(5, 3), (1, 1), *HURTS, *HURTS])  # timing first
    table.engage(knight="cunning: attack 1", monk="cunning: attack 1", dragon="agility")
    while table.window == "shrug":
        table.play(dragon="take")
    table.play(dragon="sidestep w").play(dragon="pass")
    assert (at(table, "dragon"), table.hp("dragon")) == ((0, 1), 40 - 7 - 7) and table.window != "pick"


@pytest.mark.interplay("fall_back", "young_dragon.wing_buffet")
def test_with_fall_back_it_steps_for_both() -> None:
    both = {"abilities": ["young_dragon.wing_buffet", "fall_back"]}
    table = on_map("......\n...DK.\n......", {"dragon": both, "knight": {}}, [(1, 1, 1), (5, 3, 1)])
    table.pass_to("stance").play(knight="stance cunning", dragon="stance cunning")
    table.play(knight="attack 1", dragon="attack 1")
    while table.window == "shrug":
        table.play(dragon="take")
    while table.window == "pick":
        table.play(dragon="sidestep w")
    assert at(table, "dragon") == (0, 1)


def test_one_against_a_wall_is_not_asked() -> None:
    table = struck(ground="####\n#DK#\n####")
    assert table.window != "pick"
