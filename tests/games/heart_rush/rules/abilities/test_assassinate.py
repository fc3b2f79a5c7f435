"""Assassinate: damage of at least half of what the target has left counts twice."""

import pytest

from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Assassinate")
OWNER = {"abilities": ["assassinate"]}
HIT = [(5, 3, 1), (1, 1)]  # 7 of damage


def struck(hp_now: int, rounds: int = 1) -> Table:
    """Let the knight use the ability before its attack in round 1, and attack in each round."""
    table = Table({"knight": OWNER, "rogue": {"hp_now": hp_now}}, HIT * rounds, heroes="red")
    for number in range(rounds):
        table.engage(knight="might", rogue="cunning").pass_to("attack" if number else "instant")
        if number == 0:
            assert table.choosers() == {"knight"}
            table.play(knight="use a")
        table.play(knight="attack 1").play()
    return table


@pytest.mark.parametrize(("hp_now", "left"), [(14, 0), (15, 8)])
def test_damage_of_half_of_the_remaining_hit_points_is_doubled(hp_now: int, left: int) -> None:
    assert struck(hp_now).hp("rogue") == left


def test_it_holds_for_one_attack_roll() -> None:
    assert struck(20, rounds=2).hp("rogue") == 20 - 7 - 7  # 7 of 20, then 7 of 13


def test_it_is_offered_only_to_an_attacker() -> None:
    table = Table({"knight": OWNER, "rogue": {}}).engage(knight="defensive", rogue="cunning")
    assert (table.window, table.phase) == ("attack", "cunning")


def test_it_is_over_with_its_round() -> None:
    table = Table({"knight": OWNER, "rogue": {"hp_now": 14}}, HIT).engage(knight="might", rogue="cunning")
    table.pass_to("instant").play(knight="use a").finish_round()  # it has not attacked
    table.engage(knight="might: attack 1", rogue="cunning").play()
    assert table.hp("rogue") == 14 - 7
