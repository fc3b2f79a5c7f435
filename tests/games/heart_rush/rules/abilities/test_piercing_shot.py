"""Piercing Shot: an arrow through several."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Piercing Shot")
BOW = weapon("heavy", "ranged", "piercing")
OWNER: Fields = {"abilities": ["piercing_shot"], "weapon": BOW, "rush": 3}
BLOW: Dice = [(8, 6, 12), (1, 1)]
LINE = "........\nK..R..FO\n........"


def shot(dice: Dice, knight: Fields = OWNER, drawing: str = LINE) -> Table:
    names = [name for name in ("rogue", "fox", "owl") if name[0].upper() in drawing]
    table = on_map(drawing, {"knight": knight, **{name: {} for name in names}}, dice)
    return table.engage(knight="might: attack 1", **dict.fromkeys(names, "cunning"))


def test_what_is_left_flies_on_to_the_next_in_line() -> None:
    table = shot([*BLOW, (6, 4), (3, 3)])
    table.play(knight="use a").finish_round()
    told = [(event["target"], event["attack_roll"], event["damage"]) for event in table.events_of("attack")]
    assert told == [("rogue", 26, 24), ("fox", 24, 14), ("owl", 14, 8)]


@pytest.mark.parametrize(
    ("drawing", "offered"),
    [
        (LINE, True),
        ("........\nK..R....\n......F.", False),  # beside the line
        ("........\nKF.R....\n........", False),  # before the target
        (".....#..\nK..R.#F.\n.....#..", False),  # behind a wall
    ],
)
def test_the_next_creature_must_be_in_line_behind_the_target(drawing: str, offered: bool) -> None:
    assert (shot(BLOW, drawing=drawing).window == "instant") is offered


@pytest.mark.parametrize("held", [weapon("light", "ranged", "piercing"), weapon("heavy", "ranged")])
def test_it_takes_a_heavy_piercing_bow(held: Fields) -> None:
    dice = [(8, 6, 8 if held["size"] == "light" else 12), (1, 1)]
    assert shot(dice, {**OWNER, "weapon": held}).window != "instant"


@pytest.mark.interplay("careful_shot", "piercing_shot")
def test_with_careful_shot_each_that_is_hit_is_impaired() -> None:
    table = shot([*BLOW, (6, 4), (3, 3)], {**OWNER, "talents": ["careful_shot"]})
    table.play(knight="use b").finish_round()
    assert table.history("rogue", "weakened")[0] == 2
