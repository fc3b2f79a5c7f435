"""Hex of the Hex Priest and Unsettle of the Controller: two levels of a condition that their owner chooses."""

import pytest

from tests.games.heart_rush.rules.table import Table

MISS = [(1, 1, 1), (8, 6)]  # 3 against 14
OWNERS = pytest.mark.parametrize("ability", ["hex_priest.hex", "controller.unsettle"])


def beats(ability: str, against: str = "cunning", **rogue: object) -> Table:
    """Return a table at which the priest has attacked in might and missed."""
    table = Table({"priest": {"abilities": [ability]}, "rogue": rogue}, MISS)
    return table.engage(priest="might: attack 1", rogue=against)


@OWNERS
@pytest.mark.heading("Hex", "Unsettle")
@pytest.mark.parametrize(("pick", "condition"), [(0, "dazed"), (1, "off_balanced"), (2, "weakened")])
def test_its_owner_chooses_after_an_attack_that_beats_the_stance_even_without_damage(
    ability: str, pick: int, condition: str
) -> None:
    table = beats(ability)
    assert (table.window, table.choosers(), table.hp("rogue")) == ("pick", {"priest"}, 40)
    table.restore().play(priest=f"pick {pick}")
    assert (table.round, table.history("rogue", condition)) == (2, [2, 1]), "it fades as ever as the next round starts"
    assert table.conditions("rogue") == {condition: 1}
    table.finish_round()
    assert table.conditions("rogue") == {}, "nothing is added"


@OWNERS
@pytest.mark.heading("Hex", "Unsettle")
@pytest.mark.parametrize(
    ("dice", "condition"), [({"agility": 8}, "off_balanced"), ({"cunning": 8}, "dazed"), ({}, "weakened")]
)
def test_left_alone_it_impairs_the_largest_die(ability: str, dice: dict[str, int], condition: str) -> None:
    assert beats(ability, **dice).play().history("rogue", condition) == [2, 1]


@OWNERS
@pytest.mark.heading("Hex", "Unsettle")
def test_a_stance_that_is_not_beaten_is_spared(ability: str) -> None:
    table = beats(ability, "defensive")
    assert (table.round, table.window, table.conditions("rogue")) == (2, "stance", {})


@OWNERS
@pytest.mark.heading("Hex", "Unsettle")
@pytest.mark.interplay("controller.unsettle", "everywhere", "hex_priest.hex")
def test_of_two_that_one_attack_beats_both_suffer_what_is_chosen_once(ability: str) -> None:
    fighters = {"priest": {"abilities": [ability, "everywhere"]}, "rogue": {}, "monk": {}}
    table = Table(fighters, [*MISS, *MISS]).engage(priest="might: attack 1", rogue="cunning", monk="cunning")
    table.play(priest="pick 2")
    assert table.history("rogue", "weakened") == table.history("monk", "weakened") == [2, 1]
    assert len(table.events_of("pick")) == 1


@OWNERS
@pytest.mark.heading("Hex", "Unsettle", "Many Bodies")
@pytest.mark.interplay("hex_priest.hex", "many_bodies")
def test_a_swarm_is_not_impaired(ability: str) -> None:
    assert beats(ability, abilities=["many_bodies"]).play(priest="pick 0").conditions("rogue") == {}
