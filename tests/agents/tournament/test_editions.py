"""The numbers of an edition, counted from events written by hand."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from heartrush_agents import load
from heartrush_agents.base import AgentError
from heartrush_agents.tournament.editions import Facts, compare, facts, summary, watch

from heartrush_env.heart_rush.game import HeartRush

TEAMS = {"knight_0": "blue", "rogue_0": "red", "orc_0": "red"}
ROUND, DECLARE = {"type": "round"}, {"type": "declare", "fighter": "rogue_0"}


def attack(attacker: str, target: str, *, mutual: bool = False) -> dict[str, Any]:
    return {"type": "attack", "attacker": attacker, "target": target, "mutual": mutual}


def test_the_facts_of_a_fight() -> None:
    events = [
        ROUND,
        {"type": "priority", "team": "red"},
        DECLARE,
        {"type": "reveal", "stances": {"knight_0": "might", "rogue_0": "cunning"}},
        attack("knight_0", "rogue_0"),
        {"type": "damage", "fighter": "rogue_0", "amount": 7},
        ROUND,
        {"type": "priority", "team": "blue"},
        DECLARE,
        {"type": "reveal", "stances": {"knight_0": "might", "rogue_0": "might"}},
        {"type": "damage", "fighter": "knight_0", "amount": 4},
    ]
    found = facts(events, TEAMS, 5, -1.0)
    stances = Counter({("knight_0", "might"): 2, ("rogue_0", "cunning"): 1, ("rogue_0", "might"): 1})
    assert found == Facts(2, 2, 5, 11, -1.0, "red", True, stances)


@pytest.mark.parametrize(
    ("attacks", "idle"),
    [
        ([attack("knight_0", "rogue_0", mutual=True)], True),  # the orc never did
        ([attack("knight_0", "rogue_0", mutual=True), attack("orc_0", "knight_0")], False),
        ([attack("knight_0", "rogue_0"), attack("orc_0", "knight_0")], True),  # to be attacked is not to attack
        ([attack("knight_0", "rogue_0", mutual=True), {"type": "maneuver", "fighter": "orc_0"}], False),
    ],
)
def test_in_a_mutual_contest_both_attack(attacks: list[dict[str, Any]], idle: bool) -> None:
    assert facts([ROUND, *attacks], TEAMS, 0, 0.0).idle == idle


def fight(first: str | None, payoff: float, **more: Any) -> Facts:
    return replace(Facts(2, 1, 3, 10, payoff, first, False, Counter()), **more)


def test_the_numbers_of_an_edition() -> None:
    """The payoff of blue is 1, 1, 0 when it acts first, and 0, -1, -1 when red does: half of 2/3 and 2/3 added."""
    wins = [("blue", 1.0), ("blue", 1.0), ("blue", 0.0), ("red", 0.0), ("red", -1.0), ("red", -1.0)]
    found = summary("classic", [fight(*each) for each in wins], ["blue", "red"])
    assert found.first is not None and found.first[0] == pytest.approx(2 / 3)
    # A group's variance is 1/3 and its mean's 1/9; half of the root of 2/9, times 1.96.
    assert found.first[2] - found.first[0] == pytest.approx(1.96 * (2 / 9) ** 0.5 / 2, rel=1e-3)
    assert (found.rounds.mean, found.damage.mean, found.idle[0]) == (2, 5, 0)
    assert summary("classic", [fight(*each) for each in wins], ["blue", "red", "green"]).first is None
    assert summary("june2025", [fight(None, 1.0), fight(None, -1.0)], ["blue", "red"]).first is None


def test_the_entropy_of_stances() -> None:
    """One fighter takes four stances equally often, 2 bits; another one alone, 0; a third one of two, 1."""
    one = Counter({("a", stance): 1 for stance in ("might", "agility", "cunning", "defensive")})
    two = Counter({("b", "might"): 3, ("c", "might"): 2, ("c", "cunning"): 2})
    fights = [fight(None, 0.0, stances=one), fight(None, 0.0, stances=two, idle=True)]
    found = summary("june2025", fights, ["blue", "red"])
    assert found.entropy == pytest.approx(1.0) and found.idle[0] == 0.5


def test_fights_are_the_same_in_any_number_of_pieces() -> None:
    game, agents = HeartRush("duel", {"profile": "plain"}), [load("uniform")] * 2
    together = watch(game, agents, (1, 1, 1), 5, 0)
    assert together == [*watch(game, agents, (1,), 5, 0), *watch(game, agents, (1, 1), 5, 1)]
    assert {each.payoff for each in together} <= {-1.0, 1.0} and all(each.rounds > 0 for each in together)


def test_one_fight_is_no_comparison() -> None:
    with pytest.raises(AgentError, match="needed: at least 2"):
        compare({"june2025": HeartRush("duel")}, "uniform", fights=1, seed=1)
