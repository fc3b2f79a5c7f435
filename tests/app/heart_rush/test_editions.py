"""The summary numbers of an edition, counted from handmade events."""

import math
from collections import Counter
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from heartrush_agents import Player, load
from heartrush_agents.base import AgentError, Probabilities, as_agent

from heartrush_env.app.encounters.amounts import Amount
from heartrush_env.app.heart_rush import editions
from heartrush_env.app.heart_rush.editions import Facts, compare, facts, summary, watch
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.game import Observation
from heartrush_env.tabletop.intervals import wilson

CLASSIC = {"edition": "classic"}
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
        DECLARE,
        {"type": "reveal", "stances": {"knight_0": "might", "rogue_0": "might"}},
        {"type": "reveal", "stances": {"knight_0": "might"}},
        {"type": "damage", "fighter": "knight_0", "amount": 4},
    ]
    found = facts(events, TEAMS, 5, -1.0)
    stances = Counter({("knight_0", "might"): 3, ("rogue_0", "cunning"): 1, ("rogue_0", "might"): 1})
    assert found == Facts(2, 3, 5, 11, -1.0, "red", True, stances)


@pytest.mark.parametrize(
    ("attacks", "idle"),
    [
        ([attack("knight_0", "rogue_0", mutual=True)], True),  # the orc never attacked
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
    """Blue's payoffs are 1, 1, 0 when it acts first and 0, -1, -1 when red does: (2/3 + 2/3) / 2 for acting first."""
    wins = [("blue", 1.0), ("blue", 1.0), ("blue", 0.0), ("red", 0.0), ("red", -1.0), ("red", -1.0)]
    found = summary("classic", [fight(*each) for each in wins], ["blue", "red"])
    assert found.first is not None and found.first[0] == pytest.approx(2 / 3)
    # A group's variance is 1/3 and its mean's 1/9; half of the root of 2/9, times 1.96.
    assert found.first[2] - found.first[0] == pytest.approx(1.96 * (2 / 9) ** 0.5 / 2, rel=1e-3)
    assert found.first[0] - found.first[1] == pytest.approx(found.first[2] - found.first[0])
    assert (found.edition, found.fights) == ("classic", 6)
    means = found.rounds, found.declarations, found.decisions, found.damage
    assert [mean.mean for mean in means] == [2, 1, 3, 5]
    assert found.idle == (0, *wilson(0, 6))
    assert summary("classic", [fight(*each) for each in wins], ["blue", "red", "green"]).first is None
    with_surprise = [*(fight(*each) for each in wins), fight(None, -1.0)]  # counts for neither side
    assert summary("classic", with_surprise, ["blue", "red"]).first == found.first
    once = [fight(*each) for each in wins[:4]]  # the others act first in a single fight
    assert summary("classic", once, ["blue", "red"]).first is None
    assert summary("june2025", [fight(None, 1.0), fight(None, -1.0)], ["blue", "red"]).first is None


def test_the_entropy_of_stances() -> None:
    """Fighter a takes four stances equally often: 2 bits; b takes one: 0; c takes two equally often: 1 bit; d takes one
    of two three times as often as the other: 1/4 of 2 bits plus 3/4 of log2(4/3)."""
    one = Counter({("a", stance): 1 for stance in ("might", "agility", "cunning", "defensive")})
    two = Counter({("b", "might"): 3, ("c", "might"): 2, ("c", "cunning"): 2, ("d", "might"): 3, ("d", "agility"): 1})
    fights = [fight(None, 0.0, stances=one), fight(None, 0.0, stances=two, idle=True)]
    found = summary("june2025", fights, ["blue", "red"])
    assert summary("june2025", [fight(None, 0.0)] * 2, ["blue", "red"]).entropy == 0
    fourth = 0.25 * 2 + 0.75 * math.log2(4 / 3)
    assert found.entropy == pytest.approx((2 + 0 + 1 + fourth) / 4) and found.idle == (0.5, *wilson(1, 2))


def test_fights_are_the_same_in_any_number_of_pieces() -> None:
    """Even agents that remember play equal fights, as each fight is a match of its own."""
    game, agents = HeartRush("duel", {"profile": "plain"}), [load("frequency")] * 2
    together = watch(game, agents, 5, 3, 0)
    assert together == [*watch(game, agents, 5, 1, 0), *watch(game, agents, 5, 2, 1)]
    assert {each.payoff for each in together} <= {-1.0, 1.0} and all(each.rounds > 0 for each in together)
    assert together != watch(game, agents, 6, 3, 0), "the fights of another seed are others"


def test_all_windows_of_a_fight_count_and_its_payoff_is_that_of_the_last(monkeypatch: pytest.MonkeyPatch) -> None:
    windows = [
        SimpleNamespace(events=[ROUND, DECLARE], chosen={"knight_0": 1, "duelist_0": 2}, rewards={"knight_0": payoff})
        for payoff in (0.0, 0.5, 1.0)
    ]
    monkeypatch.setattr(editions, "play_fight", lambda *_: iter(windows))
    (found,) = watch(HeartRush("duel"), [load("uniform")] * 2, 5, 1, 0)
    assert (found.rounds, found.declarations, found.decisions, found.payoff) == (3, 3, 6, 1.0)


def test_every_edition_is_played_with_one_agent_on_all_teams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each fight is a match of its own; blue, first in the scenario, wins whenever it acts first."""
    asked: list[tuple[Any, ...]] = []

    def noted(jobs: Any, amount: Amount, size: int, progress: Any) -> Any:
        asked.extend((job.func, [agent.id for agent in job.args[1]], job.args[2], amount) for job in jobs)
        pieces = [[fight("blue", 1.0), fight("blue", 1.0), fight("red", -1.0)], [fight("red", -1.0)]]
        return [pieces for _ in jobs], False

    monkeypatch.setattr(editions, "play", noted)
    games = {"june2025": HeartRush("duel"), "classic": HeartRush("free_for_all", CLASSIC)}
    found = compare(games, "uniform", fights=4, seed=9, processes=3)
    three = len(set(games["classic"].teams))
    amount = Amount(9, 4, processes=3)
    assert three > 2 and asked == [(watch, ["uniform"] * teams, 9, amount) for teams in (2, three)]
    assert found[0].first == (1.0, 1.0, 1.0) and found[1].first is None
    compare(games, "uniform", fights=4, seed=9)
    assert asked[-1][-1].processes is None  # all cores are used then


class Counting(Player):
    """A player that takes the first legal action, and counts how often it is asked."""

    asked = 0

    def policy(self, observation: Observation) -> Probabilities:
        """Return all probability on the first legal action."""
        Counting.asked += 1
        chances = np.zeros(len(observation["action_mask"]))
        chances[observation["action_mask"].argmax()] = 1.0
        return chances


def test_decisions_are_choices_that_players_are_asked_for() -> None:
    (found,) = watch(HeartRush("duel", CLASSIC), [as_agent(Counting)] * 2, 5, 1, 0)
    assert found.decisions == Counting.asked > found.rounds


@pytest.mark.parametrize(("pair", "payoff"), [(("might", "defensive"), 1.0), (("defensive", "might"), -1.0)])
def test_the_payoff_is_the_first_teams(pair: tuple[str, str], payoff: float) -> None:
    """An agent that never strikes loses, so the sign shows whose payoff it is."""
    (found,) = watch(HeartRush("duel", {"profile": "plain"}), [load(id) for id in pair], 5, 1, 0)
    assert found.payoff == payoff


def test_progress_counts_the_fights_of_all_editions() -> None:
    games = {name: HeartRush("duel", {"profile": "plain", "edition": name}) for name in ("june2025", "classic")}
    said: list[tuple[int, int]] = []
    found = compare(games, "might", fights=2, seed=1, processes=1, progress=lambda *now: said.append(now))
    assert [(each.edition, each.fights) for each in found] == [("june2025", 2), ("classic", 2)]
    assert said == sorted(said) and said[-1] == (4, 4) and {total for _, total in said} == {4}
    assert {done > 2 for done, _ in said} == {False, True}


def test_who_cannot_play_one_edition_plays_none() -> None:
    games = {"june2025": HeartRush("duel"), "classic": HeartRush("duel", CLASSIC)}
    said: list[tuple[int, int]] = []
    with pytest.raises(AgentError, match="edition = 'june2025', but here 'classic'"):
        compare(games, "duelist", fights=2, seed=1, processes=1, progress=lambda *now: said.append(now))
    assert said == []


def test_one_fight_is_no_comparison() -> None:
    with pytest.raises(AgentError, match="Expected at least 2 fights"):
        compare({"june2025": HeartRush("duel")}, "uniform", fights=1, seed=1)
