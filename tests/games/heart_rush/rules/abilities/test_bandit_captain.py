"""The Bandit Captain: Riposte."""

import pytest

from tests.games.heart_rush.rules.table import Dice, Table, weapon

pytestmark = pytest.mark.heading("Riposte")
OWNER = {"abilities": ["bandit_captain.riposte"]}
MISS = [(1, 1, 1), (8, 6)]
HIT = [(5, 3, 1), (1, 1)]


def answered(first: list[tuple[int, ...]], dice: Dice) -> list[dict[str, int]]:
    """Let the knight attack in round 1 and the captain in 2 and 3; return the causes of the captain's attacks."""
    table = Table({"captain": OWNER, "knight": {}}, [*first, *dice])
    table.engage(knight="might: attack 1", captain="cunning").finish_round()
    for _ in range(2):
        table.engage(captain="might: attack 1", knight="cunning").finish_round()
    return [event["attack_causes"] for event in table.events_of("attack")[1:]]


def test_after_an_attack_without_damage_its_next_attack_on_the_attacker_has_advantage() -> None:
    assert answered(MISS, [(1, 1, 1), 1, (8, 6), *MISS]) == [{"ability": 1}, {}]


def test_damage_earns_it_nothing() -> None:
    assert answered(HIT, [*MISS, *MISS]) == [{}, {}]


@pytest.mark.parametrize(("own", "levels"), [(6, 1), (2, 0)])
def test_a_contest_is_an_attack_of_both(own: int, levels: int) -> None:
    table = Table({"captain": OWNER, "knight": {}}, [(own, 1, 1), (4, 1, 1), (1, 1, 1), (1,) * levels, (8, 6)])
    table.engage(captain="might: attack 1", knight="might: attack 1").finish_round()
    table.engage(captain="might: attack 1", knight="cunning")
    assert table.last("attack")["attack_causes"].get("ability", 0) == levels


def test_to_answer_in_a_contest_is_no_attack() -> None:
    table = Table({"captain": OWNER, "knight": {}}, [(6, 1, 1), (4, 1, 1), *MISS])
    table.engage(captain="might: attack 1", knight="might").finish_round()
    table.engage(captain="might: attack 1", knight="cunning")
    assert table.last("attack")["attack_causes"] == {}


def test_its_advantage_waits_for_the_end_of_the_phase() -> None:
    # The captain's throw hits the fox and earns another; then the knight's attack on it, a contest, comes to nothing.
    captain = {**OWNER, "weapon": weapon(attack_type="thrown"), "thrown": 2}
    first, contest, throw = [(8, 6, 8), (1, 1)], [(2, 1, 1), (2, 1, 1)], [(1, 1, 1), (1, 1, 1)]
    table = Table({"captain": captain, "knight": {}, "fox": {}}, [*first, *contest, *throw, (1, 1, 1), 1, (8, 6)])
    table.engage(captain="might: attack 2", knight="might: attack 1", fox="cunning").pass_to("follow_up")
    table.play(captain="attack 1").finish_round()
    table.engage(captain="might: attack 1", knight="cunning", fox="defensive")
    assert [event["attack_causes"] for event in table.events_of("attack")] == [{}, {}, {}, {"ability": 1}]
