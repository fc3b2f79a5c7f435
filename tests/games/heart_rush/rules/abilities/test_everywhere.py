"""Everywhere: a swarm attacks all adjacent creatures."""

import pytest

from tests.games.heart_rush.rules.map_table import on_map
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Everywhere")
OWNER = {"abilities": ["everywhere"]}
ONE = [(1, 1, 1), (8, 6)]


def attacks(table: Table, choice: str = "attack 1", **stances: str) -> list[tuple[str, str, str]]:
    """Return who attacks whom, and why, with the swarm in might."""
    table.engage(swarm="might", **stances).pass_to("attack", "might")
    table.play(swarm=choice, **{name: "attack 1" for name, stance in stances.items() if stance == "might"})
    return [(event["attacker"], event["target"], event["cause"]) for event in table.events_of("attack")]


def test_it_attacks_each_creature_that_its_stance_may_attack() -> None:
    table = Table({"swarm": OWNER, "knight": {}, "rogue": {}, "monk": {}}, ONE * 2)
    seen = attacks(table, "attack 2", knight="cunning", rogue="defensive", monk="agility")
    assert seen == [("swarm", "rogue", "attack"), ("swarm", "knight", "extra")]


def test_a_creature_farther_away_is_safe() -> None:
    table = on_map("KS.R", {"swarm": OWNER, "knight": {}, "rogue": {}}, ONE)
    assert attacks(table, knight="defensive", rogue="defensive") == [("swarm", "knight", "attack")]


def test_whoever_attacks_it_in_its_own_stance_has_one_contest_with_it() -> None:
    contest = [(1, 1, 1), (1, 1, 1)]
    table = Table({"swarm": OWNER, "knight": {}, "rogue": {"agility": 8}}, [*contest, *contest])
    seen = attacks(table, knight="might", rogue="might")
    assert seen == [("rogue", "swarm", "attack"), ("swarm", "knight", "attack")]


def test_passing_it_attacks_nobody_and_its_answer_in_a_contest_brings_no_attack() -> None:
    table = Table({"swarm": OWNER, "knight": {}, "rogue": {}})
    assert attacks(table, "pass", knight="cunning", rogue="cunning") == []
    table = Table({"swarm": OWNER, "knight": {}, "rogue": {}}, [(1, 1, 1), (1, 1, 1)])
    assert attacks(table, "pass", knight="might", rogue="cunning") == [("knight", "swarm", "attack")]
