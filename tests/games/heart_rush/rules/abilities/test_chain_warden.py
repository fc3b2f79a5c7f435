"""Chain Warden: a reach weapon that pulls, and a grapple."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Chain Warden")
PRONE: Fields = {"conditions": {"prone": 1}}
CHAIN = {"size": "light", "attack_type": "melee", "damage_type": "none", "reach": True, "range": 15}
BASE: Fields = {"talents": ["chain_warden"], "weapon": CHAIN}
DESTINY: Fields = {"destiny_talents": ["chain_warden"], "weapon": CHAIN}
HIT: Dice = [(5, 3, 1), (1, 1)]
MISS: Dice = [(1, 1, 1), (8, 6)]


def struck(
    owner: Fields = BASE, ground: str = "K...R", dice: Dice = HIT, against: str = "agility", **rogue: object
) -> Table:
    """Return a table after the owner's attack in cunning, once all hits have landed."""
    table = on_map(ground, {"knight": owner, "rogue": rogue}, dice)
    table.engage(knight="cunning: attack 1", rogue=against)
    while table.window == "shrug":
        table.play()
    return table


def test_the_owner_picks_how_far_it_pulls() -> None:
    table = struck()
    assert (table.window, table.legal("knight")) == ("pick", ["pick 0", "pick 1", "pick 2"])
    table.restore().play(knight="pick 1")
    assert (at(table, "rogue"), table.faults()) == ((3, 0), [])


@pytest.mark.parametrize(("owner", "ground", "end"), [(BASE, "K...R", 2), (DESTINY, "K...R", 1), (BASE, "K..R", 1)])
def test_at_most_10_or_as_destiny_15_feet(owner: Fields, ground: str, end: int) -> None:
    table = struck(owner, ground)
    table.play(knight=table.legal("knight")[-1])
    assert at(table, "rogue") == (end, 0)


@pytest.mark.heading("Grappling")
def test_one_that_ends_next_to_it_may_be_grappled_with_half_of_a_one_handed_check() -> None:
    table = struck(BASE, "K..R", [*HIT, (6, 4), (1, 2)]).play(knight="pick 2")
    assert (table.window, table.legal("knight")) == ("pick", ["pick 0", "pick 1"])
    table.play(knight="pick 1")
    assert (table.rolls("maneuver"), table.fighter("knight")["grappling"]) == ((5, 3), "rogue")


@pytest.mark.heading("Grappling")
def test_as_destiny_the_grapple_has_two_levels_of_advantage_and_a_tie_fails() -> None:
    # With a d8 and two more d8, the highest two of a d8, a d6 and these count: 4 and 4, of which half counts.
    table = struck(DESTINY, "K..R", [*HIT, (1, 1, 4, 4), (2, 2)]).play(knight="pick 2").play(knight="pick 1")
    assert (table.rolls("maneuver"), table.fighter("knight")["grappling"]) == ((4, 4), None)


def test_a_target_that_is_next_to_it_already_may_be_grappled_at_once() -> None:
    table = struck(BASE, "KR..", [*HIT, (6, 4), (1, 2)])
    assert table.legal("knight") == ["pick 0", "pick 1"]
    assert table.play(knight="pick 1").fighter("knight")["grappling"] == "rogue"


def test_without_an_answer_it_pulls_as_far_as_it_can_and_grapples() -> None:
    table = struck(BASE, "K..R", [*HIT, (6, 4), (1, 2)]).play().play()
    assert (at(table, "rogue"), table.fighter("knight")["grappling"]) == ((1, 0), "rogue")


@pytest.mark.parametrize(
    ("owner", "dice", "rogue"),
    [
        ({**BASE, "weapon": {**CHAIN, "reach": False}}, HIT, {}),
        (BASE, MISS, {}),
        (BASE, HIT, {"hp_now": 5}),
    ],
    ids=["no reach", "miss", "felled"],
)
def test_it_takes_a_hit_with_a_reach_weapon_on_one_that_stands(owner: Fields, dice: Dice, rogue: Fields) -> None:
    assert struck(owner, "K..R", dice, **rogue).window != "pick"


def test_a_full_pair_of_hands_pulls_but_does_not_grapple() -> None:
    table = struck({**BASE, "weapon": {**CHAIN, "size": "heavy"}}, "K..R").play(knight="pick 2")
    assert (at(table, "rogue"), table.window) == ((1, 0), "attack")


def test_without_a_map_there_is_only_the_grapple() -> None:
    weapon = {key: value for key, value in CHAIN.items() if key != "range"}
    table = Table({"knight": {**BASE, "weapon": weapon}, "rogue": {}}, [*HIT, (6, 4), (1, 2)])
    table.engage(knight="cunning: attack 1", rogue="agility").play(rogue="take")
    assert (table.window, table.legal("knight")) == ("pick", ["pick 0", "pick 1"])
    assert table.play(knight="pick 1").fighter("knight")["grappling"] == "rogue"


@pytest.mark.heading("Opportunity Attacks", "Forced Movement")
def test_an_opportunity_attack_pulls_as_well_and_a_collision_lands_at_once() -> None:
    fighters = {"knight": BASE, "rogue": PRONE, "fox": {}}
    table = on_map("K.F.R", fighters, [(5, 3, 1), (1, 1, 1), 5]).play(rogue="stand")
    table.play(knight="opportunity 1 cunning").play(rogue="take")
    assert (table.window, table.legal("knight")) == ("pick", ["pick 0", "pick 1", "pick 2"])
    table.play(knight="pick 2").play(rogue="take", fox="take")
    assert (at(table, "rogue"), table.hp("rogue"), table.hp("fox")) == ((3, 0), 33 - 3, 38)
    assert table.window == "action"


# Curseweaver fells the owner as it hits the rogue, and a friend gives it new hit points: only the next target counts.
# A d6 of 4 leaves none of its 3 hit points. The prone roll one die more for the defense.
ON_FEET, LYING = [(5, 3, 1), (1, 1)], [(5, 3, 1), (1, 1, 1)]


def cursed(dice: Dice, rogue: Fields, fox: Fields) -> Table:
    """Return a table at which the rogue has cursed the owner, which has 3 hit points left."""
    fighters = {
        "knight": {**BASE, "hp_now": 3},
        "rogue": {"talents": ["curseweaver"], **rogue},
        "fox": fox,
        "page": {"team": "blue", "destiny_talents": ["rejuvenate"]},
    }
    table = on_map("PK..R\n.....\n.....\n.F...", fighters, dice, victory="last_standing", heroes=["blue"])
    return table.play(rogue="use_at 1 a")


def revived(table: Table) -> Table:
    """Return the table after the felled owner has given in, and has been healed."""
    table.pass_to("yield").play(knight="yield").pass_to("action")
    assert table.status("knight") == "unconscious"
    return table.play(page="use_for 1 a").play(page="pick 3").play(page="pick 0")


def pulls_the_fox_alone(table: Table) -> bool:
    """Return whether the owner is asked about the fox, and about no other."""
    table.pass_to("pick").play(knight="pick 2").play(knight="pick 0")
    return (at(table, "rogue"), at(table, "fox"), table.window != "pick") == ((4, 0), (1, 1), True)


@pytest.mark.interplay("chain_warden", "curseweaver", "rejuvenate")
def test_one_hit_at_an_opening_by_an_owner_that_fell_is_not_pulled_after_the_reveal() -> None:
    table = cursed([*LYING, 4, *ON_FEET, 1], PRONE, {}).play(rogue="stand").play(knight="opportunity 1 cunning")
    assert pulls_the_fox_alone(revived(table).engage(knight="cunning: attack 2", fox="agility"))


@pytest.mark.interplay("chain_warden", "curseweaver", "rejuvenate")
def test_one_hit_in_an_engagement_by_an_owner_that_fell_is_not_pulled_in_the_next_round() -> None:
    table = cursed([*ON_FEET, 4, *LYING, 1], {}, PRONE).engage(knight="cunning: attack 1", rogue="agility")
    assert pulls_the_fox_alone(revived(table).play(fox="stand").play(knight="opportunity 2 cunning"))


@pytest.mark.interplay("chain_warden", "curseweaver", "rejuvenate")
def test_one_hit_at_an_opening_by_an_owner_that_fell_is_not_pulled_at_a_later_opening() -> None:
    table = cursed([*LYING, 4, *LYING, 1], PRONE, PRONE).play(rogue="stand").play(knight="opportunity 1 cunning")
    assert pulls_the_fox_alone(revived(table).play(fox="stand").play(knight="opportunity 2 cunning rush"))


@pytest.mark.heading("Double Shot", "Everywhere at Once")
@pytest.mark.interplay("chain_warden", "everywhere_at_once")
def test_of_several_targets_the_owner_is_asked_one_after_another() -> None:
    owner = {**BASE, "abilities": ["everywhere_at_once"]}
    table = on_map("K...R\n.....\n.....\nF....", {"knight": owner, "rogue": {}, "fox": {}}, [*HIT, *HIT])
    table.engage(knight="cunning: attack 1", rogue="agility", fox="agility").play(knight="attack 2")
    while table.window in ("shrug", "follow_up"):
        table.play()
    table.play(knight="pick 2")
    assert (at(table, "rogue"), table.window) == ((2, 0), "pick")
    table.play(knight="pick 1")
    assert at(table, "fox") == (0, 2)
