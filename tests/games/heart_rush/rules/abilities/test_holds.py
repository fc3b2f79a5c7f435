"""Master Grappler, Clinger, Slippery and Grappler: better at holding, and at not being held."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Table, weapon

BARE = {"weapon": "unarmed"}
HELD = {"conditions": {"grappled": {"source": "knight"}}}


def grapple(knight: dict[str, Any], rogue: dict[str, Any], dice: list[Any], **stances: str) -> Table:
    """Return a table at which the knight has tried to grapple the rogue."""
    table = Table({"knight": {**BARE, **knight}, "rogue": rogue}, dice)
    return table.engage(knight=f"{stances.get('own', 'might')}: grapple 1", rogue=stances.get("other", "cunning"))


# -- Master Grappler


@pytest.mark.heading("Master Grappler")
@pytest.mark.parametrize(("key", "levels"), [("talents", 1), ("destiny_talents", 2)])
def test_a_master_has_advantage_to_grapple_unarmed(key: str, levels: int) -> None:
    own = (5, 1, *[6] * levels)  # the smallest die is the d6; the lowest are dropped
    table = grapple({key: ["master_grappler"]}, {}, [own, (8, 2)])
    assert table.rolls("maneuver") == (11 if levels == 1 else 12, 10)
    assert table.conditions("rogue")["grappled"] == 1
    # The weapon takes a hand, and the talent is for bare hands: half of 6 is 3.
    table = grapple({key: ["master_grappler"], "weapon": weapon()}, {}, [(5, 1), (8, 2)])
    assert table.rolls("maneuver") == (3, 10)


@pytest.mark.heading("Master Grappler", "Restrained")
@pytest.mark.parametrize(("key", "levels"), [("talents", 2), ("destiny_talents", 3)])
def test_its_hold_restrains_further_as_long_as_it_lasts(key: str, levels: int) -> None:
    # An attack of the held rogue: d8, d6, d8 and as many d8 more, of which the highest are dropped.
    dice = [(5, 3, 4, *[8] * levels), (1, 1, 8)]  # who holds a creature defends itself with a level less
    table = Table({"knight": {**BARE, key: ["master_grappler"]}, "rogue": HELD}, dice)
    table.engage(rogue="agility: attack 1", knight="might")
    assert (table.rolls()[0], table.last("attack")["attack_causes"]["restrained"]) == (12, -levels)


@pytest.mark.heading("Master Grappler", "Breaking Free")
@pytest.mark.parametrize(("key", "levels"), [("talents", 1), ("destiny_talents", 2)])
def test_who_breaks_free_of_a_master_ignores_its_hold_and_a_master_breaks_free_with_advantage(
    key: str, levels: int
) -> None:
    table = Table({"knight": {**BARE, key: ["master_grappler"]}, "rogue": HELD}, [(5, 4), (1, 1, 1)])
    table.play(rogue="break_free")  # the grappler has the disadvantage of holding
    assert table.rolls("check") == (9, 2)
    rogue = {**BARE, **HELD, key: ["master_grappler"]}
    table = Table({"knight": {}, "rogue": rogue}, [(5, 1, *[6] * levels), (8, 6, 8)])
    table.play(rogue="break_free")
    assert table.rolls("check")[0] == 10 + levels


# -- Clinger


@pytest.mark.heading("Clinger", "Climb On")
@pytest.mark.parametrize(("key", "levels"), [("talents", 1), ("destiny_talents", 2)])
def test_a_clinger_climbs_on_and_strikes_with_advantage(key: str, levels: int) -> None:
    giant = {"size": "L2"}
    dice = [(5, 1, *[6] * levels), (3, 2)]
    table = Table({"knight": {key: ["clinger"]}, "rogue": giant}, dice)
    table.engage(knight="might: climb_on 1", rogue="cunning")
    assert table.rolls("maneuver") == (10 + levels, 5)
    riding = {key: ["clinger"], "conditions": {"creature_climber": {"source": "rogue"}}}
    dice = [(1, 1, 1, *[6] * (3 + levels)), (8, 6)]
    table = Table({"knight": riding, "rogue": giant}, dice).engage(knight="agility: attack 1", rogue="might")
    assert table.rolls()[0] == 18, "the three levels of a rider, and the talent's"


@pytest.mark.heading("Clinger", "Shaking Off", "Creature Climber")
@pytest.mark.parametrize(("key", "levels"), [("talents", 1), ("destiny_talents", 2)])
def test_a_clinger_stays_on(key: str, levels: int) -> None:
    riding = {key: ["clinger"], "conditions": {"creature_climber": {"source": "rogue"}}}
    dice = [(5, 4), (5, 1, *[6] * levels)]
    table = Table({"knight": riding, "rogue": {"size": "L2"}}, dice).play(rogue="shake_off")
    assert table.rolls("check")[1] == 10 + levels
    assert "creature_climber" in table.conditions("knight")
    # Ten points of damage: a save against ten with the talent's dice.
    dice = [(4, 3, 5), (1, 1), (5, 1, *[6] * levels)]
    fighters = {"knight": riding, "rogue": {"size": "L2"}, "fox": {}}
    table = Table(fighters, dice).engage(knight="might", rogue="cunning", fox="agility: attack 1").play()
    assert "creature_climber" in table.conditions("knight")


# -- Slippery


@pytest.mark.heading("Slippery", "Grappling")
@pytest.mark.parametrize("key", ["talents", "destiny_talents"])
def test_nobody_grapples_a_slippery_fighter(key: str) -> None:
    for rogue, may in (({key: ["slippery"]}, False), ({}, True)):
        table = Table({"knight": {**BARE, "abilities": ["grappler"]}, "rogue": rogue})
        table.engage(knight="might", rogue="cunning")
        assert ("grapple 1" in table.legal("knight")) is may
        table.play()


# -- Grappler


@pytest.mark.heading("Grappler", "Grappling")
def test_a_grappler_needs_no_stance_that_wins() -> None:
    for own, other in (("might", "might"), ("agility", "defensive"), ("cunning", "agility")):
        table = Table({"knight": {**BARE, "abilities": ["grappler"]}, "rogue": {}}).engage(knight=own, rogue=other)
        table.pass_to("attack", own)
        assert "grapple 1" in table.legal("knight")
        assert ("trip 1" in table.legal("knight")) is (own == "cunning")
        table.play()
    table = Table({"knight": {**BARE, "abilities": ["grappler"]}, "rogue": {}}).engage(knight="might", rogue="agility")
    while table.window == "attack":
        assert "grapple 1" not in table.legal("knight"), "it may not attack this stance"
        table.play()


@pytest.mark.heading("Grappler", "Grappling")
@pytest.mark.parametrize(("size", "own", "against"), [("medium", 2, 0), ("small", 3, 0), ("large", 1, 0), ("L2", 1, 1)])
def test_it_counts_as_one_size_larger_and_has_advantage(size: str, own: int, against: int) -> None:
    dice = [(5, 1, *[6] * own), (3, 2, *[1] * against)]
    table = grapple({"abilities": ["grappler"]}, {"size": size}, dice, other="defensive")
    assert table.rolls("maneuver") == (11 if own == 1 else 12, 5)


@pytest.mark.heading("Grappler", "Breaking Free")
def test_its_size_counts_when_its_captive_breaks_free() -> None:
    fighters = {"knight": {**BARE, "abilities": ["grappler"]}, "rogue": HELD}
    # The holder's level for size and its level for holding cancel out.
    table = Table(fighters, [(8, 6), (1, 1)]).play(rogue="break_free")
    assert table.rolls("check") == (14, 2)


@pytest.mark.heading("Grappler", "Dash")
def test_it_walks_five_feet_with_its_captive() -> None:
    fighters = {"knight": {**BARE, "abilities": ["grappler"]}, "rogue": HELD}
    table = on_map("......\n..KR..\n......", fighters)
    dashes = [name for name in table.legal("knight") if name.startswith("dash")]
    assert set(dashes) == {"dash -1,-1", "dash 0,-1", "dash 1,-1", "dash -1,0", "dash -1,1", "dash 0,1", "dash 1,1"}
    table.play(knight="dash -1,0").play()  # the step leaves the captive's reach, which the captive may answer
    assert (at(table, "knight"), at(table, "rogue")) == ((1, 1), (2, 1))
    assert table.conditions("rogue")["grappled"] == 1
    table = on_map("......\n..K..R\n......", {"knight": fighters["knight"], "rogue": {}})
    assert "dash 2,0" in table.legal("knight"), "a fighter without a captive is not slowed"
    table = on_map("......\n..KR..\n......", {"knight": BARE, "rogue": HELD})
    assert not [name for name in table.legal("knight") if name.startswith("dash")]
