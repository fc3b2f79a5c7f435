"""Stunning Strikes: the best die of a heavy blow counts three times."""

import pytest

from tests.games.heart_rush.rules.table import Fields, Table, strike, weapon

pytestmark = pytest.mark.heading("Stunning Strikes")
OWNER = {"abilities": ["stunning_strikes"], "weapon": weapon("heavy")}
TOUGH = {"hp": 80}


@pytest.mark.parametrize(
    ("attack", "total", "stunned"),
    [((3, 2, 4), 9, []), ((8, 6, 3), 17 + 2 * 8, []), ((8, 2, 12), 22 + 2 * 12, [1, 0]), ((1, 6, 11), 18 + 12, [])],
)
def test_the_largest_maximum_counts_three_times(attack: tuple[int, ...], total: int, stunned: list[int]) -> None:
    table = strike(OWNER, TOUGH, dice=[attack, (1, 1)]).finish_round()
    assert (table.rolls(), table.history("rogue", "stunned")) == ((total, 2), stunned)
    assert table.last("attack")["attack_flat"].get("ability_bonus", 0) == total - sum(attack)


@pytest.mark.parametrize("held", [weapon(), weapon("heavy", "ranged")])
def test_it_takes_a_heavy_melee_weapon(held: dict[str, str]) -> None:
    assert strike({**OWNER, "weapon": held}, dice=[(8, 6, 8), (1, 1)]).rolls() == (22, 2)


def test_dice_that_are_dropped_do_not_count() -> None:
    # Prone, the knight rolls another d12 and drops the highest.
    table = strike({**OWNER, "conditions": {"prone": 1}}, dice=[(3, 2, 12, 4), (1, 1)])
    assert table.rolls() == (9, 2)


def test_the_stunned_make_no_attack_in_later_phases_and_are_themselves_again_in_the_next_round() -> None:
    fighters: dict[str, Fields] = {"knight": OWNER, "page": {"team": "blue"}, "rogue": TOUGH, "fox": {}}
    table = Table(fighters, [(3, 2, 12), (1, 1)])
    table.engage(knight="cunning: attack 1", page="might", rogue="agility", fox="agility").pass_to("attack", "agility")
    assert table.conditions("rogue")["stunned"] == 1
    assert table.choosers() == {"fox"}
    table.finish_round().engage(page="might", rogue="agility").pass_to("attack", "agility")
    assert "attack 1" in table.legal("rogue")


def test_a_blow_stuns_once() -> None:
    table = Table({"knight": OWNER, "rogue": TOUGH}, [(3, 2, 12), (1, 1), (1, 1, 1), (1, 1)])
    for _ in range(2):
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert table.history("rogue", "stunned") == [1, 0], "the second one shows no d12 at its maximum"


@pytest.mark.heading("Engaging the Enemy")
def test_one_that_it_fells_is_not_stunned_by_a_later_blow() -> None:
    """The rogue falls to 41 against 2, is healed by the page, and meets the knight again in the same round."""
    fighters = {"knight": OWNER, "page": {"talents": ["rejuvenate"]}, "rogue": {"hp_now": 30}}
    table = Table(fighters, [3, (3, 2, 12), (1, 1), (1, 1, 1), (8, 6)], {"edition": "classic"}, heroes=["red"])
    table.play(knight="engage 2").pass_to("stance").play(knight="stance might", rogue="stance cunning")
    table.play(knight="attack 2").pass_to("yield").play(rogue="yield").pass_to("action")
    table.play(page="use_for 1 a").play(page="pick 2").play(page="pick 0").pass_to("action")
    assert (table.status("rogue"), table.hp("rogue")) == ("standing", 30 - 39 + 10)
    table.play(rogue="engage 1").pass_to("stance").play(knight="stance might", rogue="stance cunning")
    table.play(knight="attack 2").pass_to("action")
    assert (table.round, table.rolls(), table.history("rogue", "stunned")) == (1, (3, 14), [])


def test_to_answer_in_a_contest_is_no_attack_of_the_owner() -> None:
    table = Table({"knight": OWNER, "rogue": TOUGH}, [(8, 6, 12), (1, 1, 1)])
    table.engage(knight="might", rogue="might: attack 1").finish_round()
    assert (sorted(table.rolls()), table.history("rogue", "stunned")) == ([3, 26], [])


@pytest.mark.interplay("several_attacks", "stunning_strikes")
def test_each_of_several_attacks_counts_for_itself() -> None:
    knight = {**OWNER, "abilities": ["stunning_strikes", "several_attacks"]}
    table = Table({"knight": knight, "rogue": TOUGH}, [(1, 1, 12), (1, 1), (1, 1, 1), (1, 1)])
    table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert [event["attack_roll"] for event in table.events_of("attack")] == [14 + 24, 3]
    assert table.history("rogue", "stunned") == [1, 0]
