"""Deoric Endurance: the heart die shows its maximum."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Fields, Table

pytestmark = pytest.mark.heading("Deoric Endurance")
OWNER = {"talents": ["deoric_endurance"], "heart": 10, "heart_now": 6}


def phase(owner: Fields, dice: Dice, **stances: str) -> Table:
    """Let the knight use the ability, and go on to the attacks of these stances."""
    table = Table({"knight": owner, "rogue": {}}, dice).play(knight="use a").engage(**stances)
    table.pass_to("attack")
    return table


@pytest.mark.parametrize(
    ("own", "against", "striker", "choice", "dice", "rolls"),
    [
        ("might", "cunning", "knight", "attack 1", [(1, 2, 3), (1, 1)], (10 + 2 + 3, 2)),
        ("cunning", "might", "rogue", "attack 1", [(1, 2, 3), (1, 1)], (6, 10 + 1)),
        ("might", "cunning", "knight", "grapple 1", [(1, 2), (1, 1)], ((10 + 2) // 2, 2)),  # one-handed
    ],
)
def test_in_attack_defense_and_check_the_heart_die_shows_the_maximum_of_the_full_one(
    own: str, against: str, striker: str, choice: str, dice: Dice, rolls: tuple[int, int]
) -> None:
    table = phase(OWNER, dice, knight=own, rogue=against).play(**{striker: choice})
    assert table.rolls("maneuver" if choice == "grapple 1" else "attack") == rolls


def test_before_its_use_nothing_changes() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [(1, 2), (1, 1), (1, 2, 3), (1, 1)])
    for choice in ("grapple 1", "attack 1"):
        table.engage(knight=f"might: {choice}", rogue="cunning").finish_round()
    assert (table.rolls("maneuver"), table.rolls()) == ((2, 2), (6, 2))


def test_it_lasts_ten_rounds() -> None:
    table = Table({"knight": OWNER, "rogue": {}}, [(1, 2, 3), (1, 1)] * 2).play(knight="use a")
    while table.round < 10:
        table.finish_round()
    for _ in range(2):
        table.engage(knight="might: attack 1", rogue="cunning").finish_round()
    assert [event["attack_roll"] for event in table.events_of("attack")] == [15, 6]


@pytest.mark.parametrize(("field", "before", "most"), [("talents", 1, 3), ("destiny_talents", 0, 1)])
def test_as_destiny_it_clears_and_keeps_off_what_impairs(field: str, before: int, most: int) -> None:
    owner = {field: ["deoric_endurance"], "conditions": {"dazed": 1}}
    dice = [(1, 1, 1), (1, 1), 1] if field == "talents" else [(1, 1, 1), (1, 1)]
    table = Table({"knight": owner, "rogue": {}}, dice).play(knight="use a")
    assert table.conditions("knight").get("dazed", 0) == before
    table.engage(knight="agility", rogue="cunning: attack 1 dazed+dazed").finish_round()
    assert max(table.history("knight", "dazed")) == most


def test_other_conditions_are_not_kept_off() -> None:
    owner = {"destiny_talents": ["deoric_endurance"], "heart": 4, "might": 4}
    table = phase(owner, [(1, 1), (8, 6)], knight="cunning", rogue="might")
    table.play(rogue="grapple 1").finish_round()
    assert "grappled" in table.conditions("knight")
