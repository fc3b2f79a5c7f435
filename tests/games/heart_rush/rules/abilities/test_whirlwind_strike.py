"""Whirlwind Strike: one attack roll against all enemies in reach."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table, weapon

pytestmark = pytest.mark.heading("Whirlwind Strike")
OWNER = {"talents": ["whirlwind_strike"], "weapon": weapon("light", "melee", "slashing")}
BLOW = (4, 5, 6)  # might has no bonus for slashing


def swing(owner: Fields, dice: Dice, **others: Fields) -> Table:
    """Let the knight's might attack the rogue's cunning, up to the first window after the attack roll."""
    table = Table({"knight": owner, "rogue": {}, "fox": {}, "elf": {}, **others}, dice)
    table.engage(knight="might: attack 1", rogue="cunning", fox="agility", elf="defensive")
    return table


def test_others_in_reach_defend_against_the_same_roll_whatever_their_stance() -> None:
    table = swing(OWNER, [BLOW, (2, 1), (3, 4), (1, 1)])
    assert table.window == "instant"
    table.play(knight="use a").finish_round()
    seen = [(event["target"], event["attack_roll"], event["defense_roll"]) for event in table.events_of("attack")]
    assert seen == [("rogue", 15, 3), ("fox", 15, 7), ("elf", 15, 2)]
    assert [event["attack_dice"] for event in table.events_of("attack")][1:] == [
        table.events_of("attack")[0]["attack_dice"]
    ] * 2
    # The defensive elf takes half of 13, rounded up.
    assert (table.hp("rogue"), table.hp("fox"), table.hp("elf")) == (28, 32, 33)
    assert table.fighter("knight")["rush"] == 1  # nothing was paid


def test_it_is_used_once_a_day_and_of_destiny_for_rush_points() -> None:
    everyone = [BLOW, (2, 1), (3, 4), (1, 1)]
    for field, again in (("talents", False), ("destiny_talents", True)):
        owner = {field: ["whirlwind_strike"], "weapon": OWNER["weapon"], "rush": 1}
        table = swing(owner, [*everyone, BLOW, (2, 1), BLOW, (2, 1)])
        table.play(knight="use a")
        assert table.events_of("rush") == ([{"type": "rush", "fighter": "knight", "left": 0}] if again else [])
        for points in (1, 2):  # a second use costs two
            table.finish_round()
            assert table.fighter("knight")["rush"] == points
            table.engage(knight="might: attack 1", rogue="cunning", fox="agility", elf="defensive")
            assert (table.window == "instant") == (again and points == 2)
        table.finish_round()


@pytest.mark.parametrize(("kind", "damage"), [("melee", "piercing"), ("ranged", "slashing")])
def test_other_weapons_do_not_sweep(kind: str, damage: str) -> None:
    assert swing({**OWNER, "weapon": weapon("light", kind, damage)}, [BLOW, (2, 1)]).window == "shrug"


def test_somebody_elses_attack_does_not_sweep() -> None:
    table = Table({"knight": OWNER, "rogue": {}, "fox": {}}, [BLOW, (2, 1)])
    table.engage(knight="might", rogue="agility: attack 1", fox="agility")
    assert table.window == "shrug"


@pytest.mark.parametrize("quick", ["knight", "rogue"])
def test_in_a_contest_of_two_attacks_either_roll_may_sweep(quick: str) -> None:
    fighters: dict[str, Fields] = {"knight": OWNER, "rogue": {}, "fox": {}}
    fighters[quick] = {**fighters[quick], "agility": 8}
    rolls = [BLOW, (1, 1, 1)] if quick == "knight" else [(1, 1, 1), BLOW]
    table = Table(fighters, [*rolls, (2, 1)])
    table.engage(knight="might: attack 1", rogue="might: attack 1", fox="defensive").play(knight="use a")
    table.finish_round()
    assert (table.hp("knight"), table.hp("rogue"), table.hp("fox")) == (40, 40 - 12, 40 - 6)


def test_in_a_contest_of_two_attacks_both_rolls_may_sweep() -> None:
    rolls = [(8, 6, 8), (7, 5, 4), (1, 1), (1, 2)]  # 22 against 16; the squire's defense is 2, the fox's 3
    knight, rogue = ({**OWNER, "agility": agility, "team": team} for agility, team in ((8, "blue"), (6, "red")))
    table = Table({"knight": knight, "squire": {"team": "blue"}, "rogue": rogue, "fox": {"team": "red"}}, rolls)
    table.engage(knight="might: attack 1", rogue="might: attack 1", squire="defensive", fox="defensive")
    table.play(knight="use a").play(rogue="use a").finish_round()
    seen = [
        (event["attacker"], event["target"], event["attack_roll"], event["defense_roll"])
        for event in table.events_of("attack")
    ]
    assert seen == [("knight", "rogue", 22, 16), ("rogue", "squire", 16, 2), ("knight", "fox", 22, 3)]
    assert [table.hp(name) for name in ("knight", "squire", "rogue", "fox")] == [40, 40 - 7, 40 - 6, 40 - 10]


def test_those_out_of_reach_are_not_struck() -> None:
    fighters = {"knight": OWNER, "rogue": {}, "fox": {}, "elf": {}}
    table = on_map("FKR...\n......\n...E..", fighters, [BLOW, (2, 1), (3, 4)])
    table.engage(knight="might: attack 1", rogue="cunning", fox="agility", elf="defensive")
    table.play(knight="use a").finish_round()
    assert (table.hp("rogue"), table.hp("fox"), table.hp("elf")) == (28, 32, 40)


def test_an_instant_that_changes_the_roll_counts_for_all_and_once() -> None:
    owner = {**OWNER, "talents": ["whirlwind_strike", "brutal_criticals"], "rush": 2}
    table = swing(owner, [(8, 6, 1), (2, 1), (3, 4), (1, 1)])
    table.play(knight="use a").play(knight="use b").finish_round()
    assert [event["attack_roll"] for event in table.events_of("attack")] == [29, 29, 29]  # 8 and 6 counted twice
    assert len(table.events_of("use")) == 2
