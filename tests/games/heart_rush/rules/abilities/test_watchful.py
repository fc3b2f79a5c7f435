"""Sentinel, Eye of the Storm and War Borne: opportunity attacks beyond the usual."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table

HIT = [(4, 3, 5), (1, 1)]  # 12 against 2: 10 damage
LYING = [(4, 3, 5), (1, 1, 8)]  # who is prone defends itself with a level less
GROUND = "......\n.KR...\n......"


def lane(abilities: list[str], dice: Dice = (), **rogue: object) -> Table:
    """Return a table with the owner of these abilities next to the rogue."""
    return on_map(GROUND, {"knight": {"abilities": abilities}, "rogue": rogue}, dice)


# -- Sentinel


@pytest.mark.heading("Sentinel", "Sidestep")
def test_a_sidestep_out_of_reach_is_struck_at_before_the_step_and_for_nothing() -> None:
    table = lane(["sentinel"], HIT).play(rogue="sidestep e")
    assert (table.window, table.choosers(), at(table, "rogue")) == ("opportunity", {"knight"}, (2, 1))
    assert table.legal("knight") == ["pass", *(f"opportunity 1 {die}" for die in ("might", "agility", "cunning"))]
    table.play(knight="opportunity 1 might").play()
    assert (table.hp("rogue"), at(table, "rogue"), table.window) == (30, (3, 1), "action")
    assert (table.fighter("knight")["action"], table.fighter("knight")["rush"]) == (True, 1)
    assert not table.fighter("rogue")["action"]


@pytest.mark.heading("Sentinel")
def test_a_sidestep_within_reach_is_none_of_its_business_and_others_escape() -> None:
    table = lane(["sentinel"]).play(rogue="sidestep n")
    assert (table.window, at(table, "rogue")) == ("action", (2, 0))
    table = lane([]).play(rogue="sidestep e")
    assert (table.window, at(table, "rogue")) == ("action", (3, 1))


@pytest.mark.heading("Sentinel", "Getting Up")
def test_a_sidestep_to_the_feet_is_struck_at() -> None:
    table = lane(["sentinel"], LYING, conditions={"prone": 1}).play(rogue="rise")
    assert (table.window, table.conditions("rogue")["prone"]) == ("opportunity", 1)
    table.play(knight="opportunity 1 might").play()
    assert (table.hp("rogue"), table.conditions("rogue").get("prone", 0)) == (30, 0)


@pytest.mark.heading("Sentinel")
def test_it_strikes_at_dashes_without_an_action_or_a_point() -> None:
    fighters = {"knight": {"abilities": ["sentinel"], "rush": 0}, "rogue": {}}
    table = on_map(GROUND, fighters, HIT).play(knight="sidestep n")
    assert not table.fighter("knight")["action"]
    table.play(rogue="dash 2,1").play(knight="opportunity 1 might").play()
    assert (table.hp("rogue"), at(table, "rogue")) == (30, (4, 2))


@pytest.mark.heading("Sentinel")
def test_a_felled_creature_does_not_step() -> None:
    table = lane(["sentinel"], HIT, hp=5).play(rogue="sidestep e").play(knight="opportunity 1 might")
    table.pass_to("over")
    assert at(table, "rogue") == (2, 1)


@pytest.mark.heading("Sentinel")
def test_a_surprised_creature_is_struck_at_the_usual_price() -> None:
    table = lane(["sentinel"], HIT, surprised=True)
    table.play(knight="opportunity 1 might").play()
    assert not table.fighter("knight")["action"]


@pytest.mark.heading("Sentinel", "Lockdown")
@pytest.mark.interplay("lockdown", "sentinel")
def test_with_lockdown_the_step_is_not_made() -> None:
    fighters = {"knight": {"abilities": ["sentinel"], "talents": ["lockdown"]}, "rogue": {}}
    table = on_map(GROUND, fighters, HIT).play(rogue="sidestep e").play(knight="opportunity 1 might").play()
    assert (at(table, "rogue"), table.fighter("rogue")["action"]) == ((2, 1), True)
    assert table.events_of("fizzle")


# -- Eye of the Storm


@pytest.mark.heading("Eye of the Storm", "Opportunity Attacks")
def test_one_that_leaves_is_struck_at_twice_for_the_price_of_one() -> None:
    table = lane(["eye_of_the_storm"], [*HIT, (5, 3, 5), (1, 1)]).play(rogue="dash 2,0")
    table.play(knight="opportunity 1 might").play().play()
    assert (table.hp("rogue"), at(table, "rogue")) == (40 - 10 - 11, (4, 1))
    assert (table.fighter("knight")["action"], table.fighter("knight")["rush"]) == (False, 1)
    assert [event["cause"] for event in table.events_of("attack")] == ["opportunity"] * 2


@pytest.mark.heading("Eye of the Storm")
def test_moving_within_reach_and_rising_are_struck_at_once() -> None:
    table = on_map(".R.\n.K.\n#..\n...", {"knight": {"abilities": ["eye_of_the_storm"]}, "rogue": {}}, HIT)
    table.play(rogue="dash 1,2").play(knight="opportunity 1 might").play()
    assert (table.hp("rogue"), at(table, "rogue")) == (30, (2, 2))
    table = lane(["eye_of_the_storm"], LYING, conditions={"prone": 1}).play(rogue="stand")
    table.play(knight="opportunity 1 might").play()
    assert table.hp("rogue") == 30


@pytest.mark.heading("Eye of the Storm", "Sentinel")
@pytest.mark.interplay("eye_of_the_storm", "sentinel")
def test_with_sentinel_a_sidestep_is_struck_at_twice() -> None:
    table = lane(["sentinel", "eye_of_the_storm"], [*HIT, *HIT]).play(rogue="sidestep e")
    table.play(knight="opportunity 1 might").play().play()
    assert (table.hp("rogue"), at(table, "rogue")) == (20, (3, 1))


# -- War Borne


def surrounded(dice: Dice = (), ground: str = ".F..\n.KR.\n.E..", **knight: object) -> Table:
    """Return a table at which the owner is in the middle of three enemies."""
    fighters = {"knight": {"abilities": ["war_borne"], **knight}, "rogue": {}, "fox": {}, "elf": {}}
    return on_map(ground, fighters, dice)


@pytest.mark.heading("War Borne", "Understanding Combat Flow")
def test_a_round_among_three_enemies_ends_with_an_opportunity_attack() -> None:
    table = surrounded(HIT).pass_to("pick")
    assert table.legal("knight") == ["pass", "pick_at 1", "pick_at 2", "pick_at 3"]
    table.play(knight="pick_at 2").play()
    assert (table.hp("fox"), table.round, table.last("attack")["cause"]) == (30, 2, "opportunity")
    table = surrounded().pass_to("pick").play()
    assert (table.round, table.events_of("attack")) == (2, [])


@pytest.mark.heading("War Borne")
def test_its_attack_is_for_an_enemy_in_reach() -> None:
    fighters = {"knight": {"abilities": ["war_borne"]}, "squire": {"team": "blue"}}
    fighters |= {name: {"team": "red"} for name in ("rogue", "fox", "elf", "owl")}
    table = on_map(".F..O\nSKR..\n.E...", fighters).pass_to("pick")
    assert table.legal("knight") == ["pass", "pick_at 1", "pick_at 2", "pick_at 3"]


@pytest.mark.heading("War Borne", "Hunger")
def test_its_attack_beats_no_stance() -> None:
    knight = {"abilities": ["war_borne", "the_starving.hunger"]}
    fighters = {"knight": knight, "rogue": {}, "fox": {}, "elf": {}}
    table = on_map(".F.\nEKR\n...", fighters, HIT).engage(knight="might", rogue="cunning").pass_to("pick")
    table.play(knight="pick_at 1").play()
    assert (table.hp("rogue"), table.events_of("check")) == (30, [])


@pytest.mark.heading("War Borne", "Committed Blows")
@pytest.mark.interplay("war_borne", "committed_blows")
def test_committed_blows_add_no_dice_to_its_attack_and_take_none_off_the_defense() -> None:
    """Agility beats the rogue's might in the engagement alone; the attack at the round's end meets no stance."""
    committed = {"talents": ["committed_blows"]}
    fighters = {"knight": {"abilities": ["war_borne"], **committed}, "rogue": committed, "fox": {}, "elf": {}}
    table = on_map(".F.\nEKR\n...", fighters, [(1, 1, 1), 2, (8, 6), 1, *HIT])
    table.engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (3 + 2, 14 - 1)
    table.pass_to("pick").play(knight="pick_at 1").play()
    assert table.rolls() == (12, 2)


@pytest.mark.heading("War Borne")
def test_it_pays_with_its_action_or_a_point() -> None:
    foes: dict[str, dict[str, object]] = {name: {"team": "red"} for name in ("rogue", "fox", "elf")}
    fighters = {"knight": {"abilities": ["war_borne"], "rush": 0}, "squire": {"team": "blue"}, **foes}
    table = on_map(".F..\nSKR.\n.E..", fighters).play(knight="help 1").finish_round()
    assert (table.round, table.events_of("attack")) == (2, []), "it has nothing left to pay with"


@pytest.mark.heading("War Borne")
def test_it_must_begin_the_round_so() -> None:
    table = surrounded(ground=".F....\n.KR...\n.....E").play(elf="dash -3,0")
    assert at(table, "elf") == (2, 2)
    assert (table.finish_round().round, table.events_of("pick")) == (2, [])


@pytest.mark.heading("War Borne")
def test_it_must_end_the_round_so() -> None:
    table = surrounded(ground=".F...\n.KR..\n.E...").play(elf="dash 3,0").play()
    assert at(table, "elf") == (4, 2)
    assert (table.finish_round().round, table.events_of("pick")) == (2, [])
