"""The Phantom Knight: Punish Aggression, Fade."""

import pytest

from tests.games.heart_rush.rules.table import Table, strike

PUNISHING = {"abilities": ["phantom_knight.punish_aggression"]}
FADING = {"abilities": ["phantom_knight.fade"]}


@pytest.mark.heading("Punish Aggression")
@pytest.mark.parametrize("against", ["cunning", "defensive"])
def test_an_attack_in_might_costs_a_d6(against: str) -> None:
    table = strike({}, PUNISHING, against=against, dice=[(1, 1, 1), (8, 6), 5])
    assert (table.hp("knight"), table.hp("rogue")) == (40 - 5, 40)
    told = {"type": "damage", "fighter": "knight", "by": "rogue", "cause": "ability", "amount": 5, "hp": 35}
    assert table.last("damage") == told


@pytest.mark.heading("Punish Aggression")
def test_the_attacker_may_shrug_it_off_after_its_own_hit() -> None:
    table = Table({"knight": {}, "rogue": PUNISHING}, [(5, 3, 1), (1, 1), 6])
    table.engage(knight="might: attack 1", rogue="cunning").play(rogue="shrug").play(knight="shrug")
    assert (table.hp("knight"), table.hp("rogue")) == (40 - 3, 40 - 4)


@pytest.mark.heading("Punish Aggression")
def test_an_attack_in_another_stance_costs_nothing() -> None:
    table = strike({}, PUNISHING, stance="agility", against="might", dice=[(1, 1, 1), (8, 6)])
    assert table.events_of("damage") == []


FELLS = [(5, 3, 1), (1, 1)]  # 7 of damage


@pytest.mark.heading("Punish Aggression")
@pytest.mark.parametrize(
    ("fox", "dice", "hurt"),
    [("pass", [*FELLS, 5], [5]), ("attack 1", [*FELLS, (1, 1, 1), (5, 3, 1)], [])],  # a contest, which fells the knight
)
def test_an_attack_that_fells_it_costs_as_much_but_not_one_that_falls_itself(
    fox: str, dice: list, hurt: list[int]
) -> None:
    fighters = {"knight": {"hp_now": 6}, "rogue": {**PUNISHING, "hp_now": 7}, "page": {"team": "blue"}, "fox": {}}
    table = Table(fighters, dice)
    table.engage(knight="might: attack 1", rogue="cunning", page="defensive", fox=f"might: {fox}").finish_round()
    assert table.status("rogue") == "defeated"
    assert [event["amount"] for event in table.events_of("damage") if event["cause"] == "ability"] == hurt


@pytest.mark.heading("Fade")
def test_it_fades_once_a_fight_until_the_next_round() -> None:
    """Without Fade, the rogue and the monk could attack the phantom, and the phantom the monk."""
    stances = {"phantom": "might", "rogue": "agility", "monk": "might", "fox": "defensive"}
    table = Table({"phantom": FADING, "rogue": {}, "monk": {}, "fox": {"team": "blue"}}).play(phantom="use a")
    assert "use a" not in table.legal("phantom")
    assert table.fighter("phantom")["action"]  # it costs nothing
    table.engage(**stances).pass_to("attack", "agility")
    assert table.legal("rogue") == ["pass", "attack 2"]  # the fox
    table.pass_to("attack", "might")
    assert (table.legal("phantom"), table.legal("monk")) == (["pass"], ["pass", "attack 2"])
    table.finish_round()
    assert "use a" not in table.legal("phantom")
    table.engage(**stances).pass_to("attack", "agility")
    assert {"attack 1", "attack 2"} < set(table.legal("rogue"))
    table.pass_to("attack", "might")
    assert table.choosers() == {"phantom", "monk"}


@pytest.mark.heading("Fade")
@pytest.mark.parametrize("prone", ["phantom", "rogue"])
@pytest.mark.parametrize("fades", [True, False])
def test_nor_are_there_opportunity_attacks(prone: str, fades: bool) -> None:
    fighters: dict[str, dict] = {"phantom": FADING, "rogue": {}}
    fighters[prone] = {**fighters[prone], "conditions": {"prone": 1}}
    table = Table(fighters)
    if fades:
        table.play(phantom="use a")
    table.play(**{prone: "stand"})
    assert (table.window == "opportunity") == (not fades)
