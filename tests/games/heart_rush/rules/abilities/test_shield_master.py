"""Shield Master: a shield that strikes, and in its destiny version protects better."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Fields, Table, strike, weapon

pytestmark = pytest.mark.heading("Shield Master")
OWNER: Fields = {"talents": ["shield_master"], "shield": "light_shield", "weapon": weapon("ultralight")}
SPEAR = {**weapon(), "reach": True}


def raised(owner: Fields, dice: list[tuple[int, ...]], **stances: str) -> Table:
    table = Table({"knight": owner, "rogue": {}}, dice)
    return table.engage(**stances).play(knight="use a").pass_to("attack").play(knight="attack 1")


def test_the_shield_is_a_light_bludgeoning_weapon() -> None:
    # Heart, might and shield, and once more the shield, since bludgeoning favors might.
    table = raised(OWNER, [(1, 2, 3, 4), (1, 1)], knight="might", rogue="cunning")
    assert [sides for _, sides, _ in table.last("attack")["attack_pool"]] == [8, 6, 8, 8]
    table = raised(OWNER, [(1, 2, 3), (1, 1)], knight="cunning", rogue="agility")
    assert [sides for _, sides, _ in table.last("attack")["attack_pool"]] == [8, 6, 8]


def test_the_weapon_is_free_to_choose_and_the_shield_is_down_again_in_the_next_round() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [(1, 2, 3), (1, 1), (1, 2, 3, 4), (1, 1), (1, 2, 3), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    table.engage(knight="might", rogue="cunning").play(knight="use a").play(knight="attack 1").finish_round()
    table.engage(knight="might: attack 1", rogue="cunning")
    told = [[sides for _, sides, _ in event["attack_pool"]] for event in table.events_of("attack")]
    assert told == [[8, 6, 4], [8, 6, 8, 8], [8, 6, 4]]


def test_pushes_with_the_shield_go_five_feet_farther() -> None:
    for use, x in ((False, 4), (True, 5)):
        dice = [(1, 2, 3, 4) if use else (1, 2, 3), (1, 1)]
        table = on_map("........\n.KR.....\n........", {"knight": OWNER, "rogue": {}}, dice)
        table.engage(knight="might", rogue="cunning")
        if use:
            table.play(knight="use a")
        table.pass_to("attack", "might").play(knight="attack 1").play().finish_round()
        assert table.fighter("rogue")["at"] == [x, 1]


def test_with_mighty_the_longer_push_counts_twice() -> None:
    owner = {**OWNER, "talents": ["shield_master", "mighty"]}
    table = on_map("...........\n.KR........\n...........", {"knight": owner, "rogue": {}}, [(1, 2, 3, 4), (1, 1)])
    table.engage(knight="might", rogue="cunning").play(knight="use a").play(knight="attack 1").play().finish_round()
    assert table.fighter("rogue")["at"] == [2 + 3 + 3, 1]


def test_the_shield_reaches_only_those_beside_its_owner() -> None:
    fighters = {"knight": {**OWNER, "weapon": SPEAR}, "rogue": {}, "fox": {}}
    table = on_map("......\n.K.R..\n.F....", fighters, [])
    table.engage(knight="might", rogue="cunning", fox="cunning")
    assert table.window == "instant"
    table.play(knight="use a")
    assert ("attack 1" in table.legal("knight"), "attack 2" in table.legal("knight")) == (False, True)
    table = on_map("......\n.K.R..\n......", {"knight": {**OWNER, "weapon": SPEAR}, "rogue": {}})
    assert table.engage(knight="might", rogue="cunning").window == "attack", "nobody is beside the owner"


def test_with_the_shield_down_cover_counts_for_what_it_throws() -> None:
    owner = {**OWNER, "weapon": weapon("ultralight", "thrown")}
    table = on_map("......\n.K.lR.\n......", {"knight": owner, "rogue": {}}, [(1, 2, 3, 6), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning")
    assert (table.last("attack")["attack_causes"], table.rolls()) == ({"cover": -1}, (6, 2))


@pytest.mark.parametrize(
    ("owner", "stance", "offered"),
    [
        (OWNER, "might", True),
        ({**OWNER, "shield": "none"}, "might", False),
        ({**OWNER, "weapon": weapon(damage_type="bludgeoning")}, "cunning", False),
        ({**OWNER, "weapon": weapon(damage_type="bludgeoning")}, "might", True),  # for its push
        (OWNER, "defensive", False),
    ],
)
def test_it_is_offered_where_it_makes_a_difference(owner: Fields, stance: str, offered: bool) -> None:
    table = Table({"knight": owner, "rogue": {}})
    table.engage(knight=stance, rogue="cunning" if stance == "might" else "agility")
    assert (table.window == "instant") is offered


@pytest.mark.parametrize(
    ("field", "attack", "damage"),
    [
        # The attack is 2 + might + 8, the defense 1 + 1 and 1 for the shield.
        ("talents", (2, 6, 8), 7),  # 13 halved, rounded up
        ("destiny_talents", (2, 6, 8), 4),  # a quarter of 13, rounded up
        ("destiny_talents", (2, 4, 8), 3),  # a quarter of 11
        ("destiny_talents", (1, 1, 2), 1),  # a quarter of 1
    ],
)
def test_as_destiny_a_quarter_gets_through_in_defensive_stance(
    field: str, attack: tuple[int, ...], damage: int
) -> None:
    owner = {field: ["shield_master"], "shield": "light_shield"}
    table = strike({}, owner, against="defensive", dice=[attack, (1, 1)])
    assert table.hp("rogue") == 40 - damage


def test_as_destiny_other_stances_and_openings_hurt_in_full() -> None:
    owner = {"destiny_talents": ["shield_master"], "shield": "light_shield"}
    assert strike({}, owner, against="cunning", dice=[(2, 6, 8), (1, 1)]).hp("rogue") == 40 - 13
    table = Table({"knight": {}, "rogue": {**owner, "surprised": True}}, [(2, 6, 8), (1, 1)])
    table.play(knight="opportunity 1 might").pass_to("stance")
    assert table.hp("rogue") == 40 - 13
