"""Thrower: melee weapons that fly."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Thrower")
LIGHT, HEAVY = weapon(), weapon("heavy")
NEAR, FAR = ".....\n.KR..\n.....", "............\n.K...R......\n............"


def thrown(field: str, held: Fields, dice: Dice = (), drawing: str = FAR, **more: object) -> Table:
    table = on_map(drawing, {"knight": {field: ["thrower"], "weapon": held, **more}, "rogue": {}}, dice)
    return table.engage(knight="might", rogue="cunning").pass_to("attack", "might")


@pytest.mark.parametrize(
    ("field", "held", "may"),
    [
        ("talents", LIGHT, True),
        ("talents", HEAVY, False),
        ("talents", weapon("ultralight"), False),
        ("destiny_talents", LIGHT, True),
        ("destiny_talents", HEAVY, True),
        ("destiny_talents", weapon("ultralight"), False),
        ("talents", {**LIGHT, "natural": True}, False),
    ],
)
def test_light_weapons_can_be_thrown_and_as_destiny_heavy_ones(field: str, held: Fields, may: bool) -> None:
    if may:
        assert "attack 1" in thrown(field, held).legal("knight")
    else:
        table = on_map(FAR, {"knight": {field: ["thrower"], "weapon": held}, "rogue": {}})
        assert table.engage(knight="might", rogue="cunning").round == 2, "nobody is in reach"


def test_a_throw_at_20_feet_has_the_dice_of_the_weapon_and_pushes_nobody() -> None:
    table = thrown("talents", LIGHT, [(1, 2, 8), (1, 1)]).play(knight="attack 1")
    assert (table.rolls(), table.last("attack")["attack_pool"][2][1]) == ((11, 2), 8)
    table.play().finish_round()
    assert table.events_of("push") == []


def test_beyond_20_feet_each_square_costs_a_level_up_to_40_feet() -> None:
    six = "............\n.K.....R....\n............"  # 6 squares, 2 beyond: two d8 more, the highest two dropped
    table = thrown("talents", LIGHT, [(1, 2, 3, 8, 7), (1, 1)], six).play(knight="attack 1")
    assert table.rolls() == (6, 2)
    nine = "............\n.K........R.\n............"
    assert on_map(nine, {"knight": {"talents": ["thrower"], "weapon": LIGHT}, "rogue": {}}).engage(
        knight="might", rogue="cunning"
    ).round == 2  # fmt: skip


def test_in_reach_it_is_a_melee_weapon_that_pushes() -> None:
    table = thrown("talents", LIGHT, [(1, 2, 3), (1, 1)], NEAR).play(knight="attack 1")
    table.play().finish_round()
    assert table.fighter("rogue")["at"] == [4, 1]


@pytest.mark.parametrize(
    ("drawing", "threatened"), [("......\n.KR...\n......", True), ("......\n.K.R..\n......", False)]
)
def test_a_thrower_threatens_those_beside_it_and_not_those_afar(drawing: str, threatened: bool) -> None:
    table = on_map(drawing, {"knight": {"talents": ["thrower"], "weapon": LIGHT}, "rogue": {}})
    table.play(rogue="dash 2,0")
    assert (table.window == "opportunity") is threatened


def test_a_throw_by_might_that_hits_is_followed_by_another_weapon() -> None:
    drawing = "............\n.K...R......\n.....F......"
    fighters = {"knight": {"talents": ["thrower"], "weapon": LIGHT, "thrown": 2}, "rogue": {}, "fox": {}}
    table = on_map(drawing, fighters, [(8, 6, 8), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning", fox="cunning")
    assert (table.window, "attack 2" in table.legal("knight")) == ("follow_up", True)
