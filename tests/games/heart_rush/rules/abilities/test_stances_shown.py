"""Gambit, Provoking Strike and Bunker Down: stances that are decided early."""

from typing import Any

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map
from tests.games.heart_rush.rules.table import Dice, Table

HIT = [(4, 3, 5), (1, 1)]  # 12 against 2: 10 damage
SHIELD = {"shield": "light_shield"}


def shown(knight: dict[str, Any], stance: int, dice: Dice = (), **others: dict[str, Any]) -> Table:
    """Return a table at which the knight has named a stance: 0 is might, 1 agility, 2 cunning."""
    table = Table({"knight": knight, "rogue": {}, **others}, dice).pass_to("instant").play(knight="use a")
    return table.play(knight=f"pick {stance}").pass_to("stance")


# -- Gambit


@pytest.mark.heading("Gambit", "Choosing Your Stance")
def test_the_stance_is_told_before_others_choose_and_is_taken() -> None:
    table = shown({"talents": ["gambit"]}, 0)
    assert table.last("pick")["answer"] in (0, "might")
    assert (table.choosers(), table.legal("rogue")[:1]) == ({"rogue"}, ["stance might"])
    table.play(rogue="stance cunning")
    assert table.fighter("knight")["stance"] == "might"


@pytest.mark.heading("Gambit")
@pytest.mark.parametrize(("key", "more", "total"), [("talents", (6,), 8), ("destiny_talents", (6, 6, 5), 18)])
def test_its_attack_has_advantage_and_of_destiny_a_die(key: str, more: tuple[int, ...], total: int) -> None:
    table = shown({key: ["gambit"]}, 0, [(1, 1, 1, *more), (8, 6)]).play(rogue="stance cunning")
    table.play(knight="attack 1")
    assert table.rolls() == (total, 14)


@pytest.mark.heading("Gambit")
def test_who_attacks_it_has_disadvantage_on_its_defense() -> None:
    # The squire strikes first at the rogue, which has chosen to attack the knight: of 4, 3, 8 and 8 the eights drop.
    foes = {"squire": {"team": "blue"}, "rogue": {"team": "red"}}
    dice = [(1, 1, 1), (4, 3, 8, 8), (1, 1, 1), (8, 6)]
    table = Table({"knight": {"talents": ["gambit"]}, **foes}, dice, {"contested": "mutual"})
    table.pass_to("instant").play(knight="use a").play(knight="pick 0").pass_to("stance")
    table.play(squire="stance agility", rogue="stance agility").play(squire="attack 1", rogue="attack 1")
    rolls = [(event["attack_roll"], event["defense_roll"]) for event in table.events_of("attack")]
    assert rolls == [(3, 7), (3, 14)]


@pytest.mark.heading("Gambit")
def test_to_answer_an_attack_in_a_contest_is_not_its_attack() -> None:
    table = shown({"destiny_talents": ["gambit"]}, 0, [(1, 1, 1), (5, 3, 4)])
    table.play(rogue="stance might").play(rogue="attack 1")
    assert table.last("attack")["contested"] and table.rolls() == (12, 3)


@pytest.mark.heading("Gambit")
def test_who_has_attacked_it_in_an_earlier_phase_has_disadvantage_too() -> None:
    fighters = {"knight": {"talents": ["gambit"]}, "squire": {"team": "blue"}, "rogue": {"team": "red"}}
    table = Table(fighters, [(1, 1, 1), (8, 6), (1, 1, 1), (4, 3, 8, 8)])
    table.pass_to("instant").play(knight="use a").play(knight="pick 1").pass_to("stance")
    table.play(squire="stance might", rogue="stance cunning").play(rogue="attack 1").pass_to("attack", "might")
    table.play(squire="attack 1")
    rolls = [(event["attack_roll"], event["defense_roll"]) for event in table.events_of("attack")]
    assert rolls == [(3, 14), (3, 7)]


@pytest.mark.heading("Gambit")
def test_a_stance_that_was_told_binds_for_one_round() -> None:
    table = shown({"talents": ["gambit"]}, 0).play().finish_round().pass_to("stance")
    assert table.choosers() == {"knight", "rogue"}


# -- Provoking Strike


@pytest.mark.heading("Provoking Strike")
@pytest.mark.parametrize(("key", "levels"), [("talents", 3), ("destiny_talents", 5)])
def test_whom_the_attack_damages_is_aggravated(key: str, levels: int) -> None:
    table = shown({key: ["provoking_strike"]}, 0, HIT).play(rogue="stance cunning").play(knight="attack 1").play()
    assert (table.hp("rogue"), table.conditions("rogue")["aggravated"]) == (30, levels)


@pytest.mark.heading("Provoking Strike")
@pytest.mark.parametrize("names", [True, False])
def test_without_damage_or_without_the_stance_named_nothing_provokes(names: bool) -> None:
    knight, dice = {"talents": ["provoking_strike"]}, [(1, 1, 1), (8, 6)] if names else HIT
    if names:
        table = shown(knight, 0, dice).play(rogue="stance cunning").play(knight="attack 1")
    else:
        table = Table({"knight": knight, "rogue": {}}, dice).engage(knight="might: attack 1", rogue="cunning").play()
    assert "aggravated" not in table.conditions("rogue")


@pytest.mark.heading("Provoking Strike", "Gambit")
@pytest.mark.interplay("gambit", "provoking_strike")
@pytest.mark.parametrize("talents", [["gambit", "provoking_strike"], ["provoking_strike", "gambit"]])
def test_a_second_talent_names_no_other_stance(talents: list[str]) -> None:
    table = Table({"knight": {"talents": talents}, "rogue": {}}, [(1, 1, 1, 6), (8, 6)])
    table.pass_to("instant").play(knight="use a").play(knight="pick 1").play().play(knight="use b")
    assert table.window != "pick", "only the stance already named is left"
    table.pass_to("stance").play(rogue="stance might").play(knight="attack 1")
    assert table.rolls() == (8, 14)


@pytest.mark.heading("Provoking Strike", "Gambit")
@pytest.mark.parametrize("talent", ["gambit", "provoking_strike"])
def test_who_must_be_defensive_names_no_stance(talent: str) -> None:
    table = Table({"knight": {**SHIELD, "talents": [talent, "bunker_down"]}, "rogue": {}}).play(knight="use b")
    assert (table.window, table.choosers()) == ("stance", {"rogue"})


# -- Bunker Down


@pytest.mark.heading("Bunker Down", "Choosing Your Stance")
def test_behind_a_shield_it_is_defensive_and_does_not_dash() -> None:
    owner = {**SHIELD, "talents": ["bunker_down"], "rush": 1}
    table = on_map("K.R...\n......", {"knight": owner, "rogue": {}}).play(knight="use a")
    assert not [name for name in table.legal("knight") if name.startswith("dash")]
    assert "sidestep s" in table.legal("knight") and table.fighter("knight")["rush"] == 0
    table.pass_to("stance")
    assert table.choosers() == {"rogue"}
    table.play(rogue="stance might")
    assert table.last("reveal")["stances"] == {"knight": "defensive", "rogue": "might"}


@pytest.mark.heading("Bunker Down")
def test_its_defense_is_the_largest_and_the_dice_are_thrown() -> None:
    # d8 and d6 count 8 and 6, and the shield 1.
    owner = {**SHIELD, "talents": ["bunker_down"]}
    table = Table({"knight": owner, "rogue": {}}, [(8, 6, 8), (2, 1)]).play(knight="use a")
    table.engage(rogue="might: attack 1")
    assert table.rolls() == (22, 15)
    table.play()
    assert table.hp("knight") == 40 - 4  # half of 7, rounded up


@pytest.mark.heading("Bunker Down")
@pytest.mark.interplay("bunker_down", "mighty")
def test_it_is_pushed_half_as_far() -> None:
    owner = {**SHIELD, "talents": ["bunker_down"], "rush": 2}
    fighters = {"rogue": {"talents": ["mighty"]}, "knight": owner}
    for used, squares in ((True, 2), (False, 4)):
        table = on_map("RK.......\n.........", fighters, [(1, 1, 1), (8, 6)], {"defensive_is_beaten": True})
        table = table.play(knight="use a") if used else table
        table.engage(rogue="might: attack 1", **({} if used else {"knight": "defensive"})).finish_round()
        assert at(table, "knight") == (1 + squares, 0)


@pytest.mark.heading("Bunker Down", "Opportunity Attacks")
def test_it_attacks_nobody_and_needs_a_shield() -> None:
    owner = {**SHIELD, "talents": ["bunker_down"]}
    table = on_map("KR....\n......", {"knight": owner, "rogue": {}}).play(knight="use a").play(rogue="dash 3,0")
    assert (table.window, at(table, "rogue")) == ("action", (4, 0))
    table = Table({"knight": {"talents": ["bunker_down"]}, "rogue": {}})
    assert table.window == "stance"


@pytest.mark.heading("Bunker Down")
@pytest.mark.parametrize(("key", "may"), [("talents", False), ("destiny_talents", True)])
def test_of_destiny_it_changes_the_stance_that_is_shown(key: str, may: bool) -> None:
    table = Table({"knight": {**SHIELD, key: ["bunker_down"]}, "rogue": {}}, [(8, 6, 8), (1, 1)] if may else ())
    while table.window != "stance":
        table.play()
    table.play(knight="stance agility", rogue="stance cunning")
    assert (table.window == "instant") is may
    if may:
        table.play(knight="use a")
        assert table.fighter("knight")["stance"] == "defensive"
        table.pass_to("attack").play(rogue="attack 1")
        assert table.rolls() == (22, 15)


@pytest.mark.heading("Bunker Down")
def test_of_destiny_it_is_too_late_after_its_attack() -> None:
    owner = {**SHIELD, "destiny_talents": ["bunker_down"]}
    table = Table({"knight": owner, "rogue": {}, "fox": {}}, [(1, 1, 1), (8, 6)])
    while table.window != "stance":
        table.play()
    table.play(knight="stance cunning", rogue="stance agility", fox="stance might")
    table.pass_to("attack", "cunning").play(knight="attack 1")
    assert table.window == "attack", "no instant is asked before the next phase"
