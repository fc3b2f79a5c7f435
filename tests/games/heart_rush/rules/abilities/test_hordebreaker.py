"""Hordebreaker: attacks as the engagement ends."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Hordebreaker")
OWNER = {"abilities": ["hordebreaker"]}
HIT: Dice = [(8, 6, 8), (1, 1)]  # 20 damage, or 10 to one in defensive stance


def targets(table: Table) -> list[str]:
    """Return the targets of all attacks in order."""
    return [event["target"] for event in table.events_of("attack")]


def test_it_attacks_those_that_neither_attacked_it_nor_were_attacked() -> None:
    # In might it attacks the rogue, the fox attacks it in might, and the elf and the owl are left.
    fighters: dict[str, Fields] = {"knight": OWNER, "rogue": {}, "fox": {}, "elf": {}, "owl": {}}
    table = Table(fighters, [*HIT, (1, 1, 1), (1, 1, 1), *HIT, *HIT])
    table.engage(knight="might", rogue="cunning", fox="might", elf="cunning", owl="defensive")
    table.pass_to("attack", "might").play(knight="attack 1", fox="attack 1").finish_round()
    assert targets(table) == ["rogue", "knight", "elf", "owl"]
    assert [table.hp(name) for name in ("rogue", "elf", "owl")] == [20, 20, 30]


@pytest.mark.parametrize(("stance", "hit"), [("might", True), ("agility", False), ("defensive", False)])
def test_it_attacks_whom_its_stance_may_attack(stance: str, hit: bool) -> None:
    """The rogue in cunning is a target of might, but not of agility."""
    table = Table({"knight": OWNER, "rogue": {}}, HIT if hit else []).engage(knight=stance, rogue="cunning")
    assert targets(table.finish_round()) == ["rogue"] * hit


def test_a_creature_in_its_stance_contests() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [(1, 1, 1), (8, 6, 8)]).engage(knight="might", rogue="might")
    table.finish_round()
    assert (table.last("attack")["contested"], table.hp("knight")) == (True, 40 - 19)


def test_the_damage_of_each_attack_lands_before_the_next() -> None:
    """Two owners may attack the rogue; the first fells it, and the second has nobody left to attack."""
    fighters = {"knight": OWNER, "rogue": {"hp": 20}, "page": {"team": "blue", **OWNER}, "fox": {}}
    table = Table(fighters, [*HIT, *HIT, *HIT]).engage(knight="might", rogue="cunning", page="might", fox="defensive")
    table.finish_round()
    assert (targets(table), table.hp("fox")) == (["rogue", "fox", "fox"], 20)


def test_owners_strike_in_the_order_of_the_fight_and_answers_come_after_them() -> None:
    """The knight and the page break hordes; then the owl and the elf, asked whom to strike, answer in this order."""
    surrounded = {"abilities": ["war_borne"], "rush": 1}
    fighters: dict[str, Fields] = {"knight": OWNER, "page": {"team": "blue", **OWNER}, "squire": {"team": "blue"}}
    fighters |= {"owl": surrounded, "elf": surrounded}
    table = Table(fighters, [(1, 1, 1), (8, 6)] * 6).engage(knight="might", page="might", owl="cunning", elf="cunning")
    table.pass_to("pick").play(owl="pick_at 1", elf="pick_at 2").finish_round()
    struck = [(event["attacker"], event["target"]) for event in table.events_of("attack")]
    broken = [(owner, enemy) for owner in ("knight", "page") for enemy in ("owl", "elf")]
    assert struck == [*broken, ("owl", "knight"), ("elf", "page")]


def test_on_a_map_it_attacks_those_beside_it() -> None:
    bow: Fields = {"weapon": {"size": "light", "attack_type": "ranged", "damage_type": "none"}}
    for knight in (OWNER, {**OWNER, **bow}):
        table = on_map("R.......\n.K...F..", {"knight": knight, "rogue": {}, "fox": {}}, HIT)
        table.engage(knight="agility", rogue="might", fox="might").finish_round()
        assert targets(table) == ["rogue"]


def test_an_opportunity_attack_is_an_attack_of_the_round() -> None:
    """The owner has struck at the rogue as it stood up, so only the fox is left."""
    fighters: dict[str, Fields] = {"knight": OWNER, "rogue": {"conditions": {"prone": 1}}, "fox": {}}
    table = Table(fighters, [(1, 1, 1), (1, 1, 1), *HIT]).play(rogue="stand").play(knight="opportunity 1 might")
    table.engage(knight="might", rogue="cunning", fox="cunning").finish_round()
    assert targets(table) == ["rogue", "fox"]


def test_round_after_round_it_attacks_again() -> None:
    table = Table({"knight": OWNER, "rogue": {"hp": 60}}, [*HIT, *HIT]).engage(knight="might", rogue="cunning")
    table.finish_round().engage(knight="might", rogue="cunning").finish_round()
    assert (targets(table), table.hp("rogue")) == (["rogue", "rogue"], 20)
