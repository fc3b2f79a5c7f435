"""Agile: a further die for rounds in a row in agility."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Agile")


@pytest.mark.parametrize(("field", "rounds", "sides"), [("talents", 1, 0), ("destiny_talents", 1, 6),
                                                        ("destiny_talents", 2, 8)])  # fmt: skip
@pytest.mark.parametrize("attacks", [True, False])
def test_a_streak_adds_a_die_to_attack_and_defense(field: str, rounds: int, sides: int, attacks: bool) -> None:
    die = (5,) if sides else ()
    dice = [(1, 2, 3), die, (1, 1)] if attacks else [(1, 2, 3), (1, 1), die]
    table = Table({"knight": {field: ["agile"]}, "rogue": {}}, dice)
    for _ in range(rounds):
        table.engage(knight="agility").finish_round()
    table.engage(knight="agility", rogue="might" if attacks else "cunning")
    table.pass_to("attack", "agility" if attacks else "cunning")
    table.play(**{"knight" if attacks else "rogue": "attack 1"})
    pool = table.last("attack")["attack_pool"][3:] if attacks else table.last("attack")["defense_pool"][2:]
    assert pool == ([["bonus", sides, 5]] if sides else [])


def test_another_stance_ends_the_streak() -> None:
    table = Table({"knight": {"destiny_talents": ["agile"]}, "rogue": {}}, [(1, 2, 3), (1, 1)])
    for stance in ("agility", "might"):
        table.engage(knight=stance).finish_round()
    table.engage(knight="agility: attack 1", rogue="might")
    assert table.rolls() == (6, 2)
