"""The analysis of luck: its mean is 0 over all dice and choices, and between solutions it explains every result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from heartrush_agents import load
from heartrush_agents.base import Player

from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import NOBODY
from heartrush_env.records import read_record, replay
from heartrush_env.research.analysis.aivat import Luck, luck, results
from heartrush_env.research.analysis.played_rounds import Fight, Round, played, stances_taken
from heartrush_env.research.best_response import head_to_head, read_policies
from heartrush_env.research.duel import EXCHANGE, NOTHING
from heartrush_env.research.plain.policy import Policy
from heartrush_env.research.solve import solve
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import SolverError
from tests.records.recorded import record
from tests.reference.solver import Duelist, Table
from tests.research.analysis.duels import GAMES, random_policy
from tests.research.duels import UNEVEN, game_of

DICE = (Duelist(hp=4, heart=6), Duelist(hp=4, heart=6, might=6))


def play(game: HeartRush, agents: Mapping[str, str], fight: int) -> Iterator[Any]:
    """Play a fight in the public environment, and yield its windows."""
    env = ParallelFights(game)
    observations, _ = env.reset(seed=3, options={"fight": fight})
    players = {seat: load(id).seat(game) for seat, id in agents.items()}
    rng = np.random.default_rng([3, fight])
    yield SimpleNamespace(observations={}, actions={}, events=env.events)
    while env.agents:
        seen = observations
        actions = {seat: player.act(seen[seat], rng) for seat, player in players.items()}
        observations, *_ = env.step(actions)
        yield SimpleNamespace(observations=seen, actions=actions, events=env.events)


# -- no luck on average ------------------------------------------------------------------------------------------------


@pytest.mark.long
@pytest.mark.parametrize(
    ("stances", "dice"),
    [
        pytest.param(("agility", "defensive"), (6, 4, 4, 6, 4), marks=pytest.mark.long),
        (("agility", "might"), (6, 4, 4, 6, 4)),
        pytest.param(("cunning", "agility"), (6, 4, 4, 6, 4), marks=pytest.mark.long),
        pytest.param(("defensive", "cunning"), (6, 4, 4, 6, 4), marks=pytest.mark.long),
    ],
)
def test_all_dice_of_the_engine_together_are_no_luck(stances: tuple[str, str], dice: tuple[int, ...]) -> None:
    """One round is played with every throw of heart, ability and weapon dice against heart and ability dice."""
    game = game_of(*DICE, Table(by_hp=True), max_rounds=1, decisions="stance")
    table, env = solve(game, cap_bound=0), ParallelFights(game)
    named = zip(game.agents, stances, strict=True)
    actions = {seat: game.action_names.index(f"stance {stance}") for seat, stance in named}
    lucks = []
    for throw in product(*(range(1, sides + 1) for sides in dice)):
        observations, _ = env.reset(seed=1, options={"dice": list(throw)})
        windows = [SimpleNamespace(observations={}, actions={}, events=env.events)]
        env.step(actions)
        windows.append(SimpleNamespace(observations=observations, actions=actions, events=env.events))
        lucks.append(luck(table, played(game, windows)))
    assert np.std([found.dice for found in lucks]) > 0.1
    assert np.mean([found.dice for found in lucks]) == pytest.approx(0, abs=1e-12)
    assert {(found.stances, found.attacks, found.shrugs) for found in lucks} == {(0.0, 0.0, 0.0)}
    assert np.mean([found.corrected for found in lucks]) == pytest.approx(np.mean([found.result for found in lucks]))


def outcomes(table: Tablebase, first: Policy, second: Policy, place: Any, known: tuple[bool, bool]) -> Iterator[Any]:
    """Yield each outcome of one round of two policies in a state: its probability, the round, and the next state."""
    h1, h2, k, m = place
    turned = h2, h1, m, k
    duel = table.duel
    mixes = first.stances[place], second.stances[turned]
    for i, j, one, two in np.ndindex(EXCHANGE.shape):
        strikes = float(first.attacks[place][i, j]), float(second.attacks[turned][j, i])
        goes = (strikes[0] if one else 1 - strikes[0]) * (strikes[1] if two else 1 - strikes[1])
        chance, e = mixes[0][i] * mixes[1][j] * goes, EXCHANGE[i, j, one, two]
        hearts = duel.hearts[0][k], duel.hearts[1][m]
        now = Round(1, (h1, h2), hearts, (i, j), [one, two])
        now.mixes = [mix if knows else None for mix, knows in zip(mixes, known, strict=True)]
        now.strikes = [share if knows else None for share, knows in zip(strikes, known, strict=True)]
        idle = 1.0 if e == NOTHING else float(duel.idle[k, m, e])
        yield chance * idle, now, place
        if e == NOTHING:
            continue
        for hurt, damage in np.argwhere(duel.chances[k, m, e] > 0):
            heart = (k, m)[hurt]
            policy, at = (first, place) if hurt == 0 else (second, turned)
            exchange = e if hurt == 0 else EXCHANGE[j, i, two, one]
            share = float(policy.shrugs[at][exchange, damage]) if heart else 0.0
            for shrugged, often in ((False, 1 - share), (True, share)):
                lost = int(duel.halves[damage]) if shrugged else int(damage)
                then = [h1, h2, k, m]
                then[hurt] = max(0, then[hurt] - lost)
                then[2 + hurt] -= shrugged
                told = Round(1, now.hp, now.hearts, now.stances, now.attacks, int(hurt), int(damage), shrugged)
                told.mixes, told.strikes = now.mixes, now.strikes
                told.shrugs = share if known[hurt] and heart else None
                yield chance * float(duel.chances[k, m, e, hurt, damage]) * often, told, tuple(then)


@pytest.mark.parametrize("known", [(False, False), (True, False), (False, True), (True, True)])
def test_all_that_may_happen_in_a_round_together_is_no_luck(known: tuple[bool, bool]) -> None:
    """In a duel of one round, decided by hit points, luck is 0 on average, whichever players are known. The mean of the
    corrected results is the exact value of the two policies."""
    game = game_of(*DICE, Table(mutual=True, by_hp=True), max_rounds=1)
    table = solve(game, cap_bound=0)
    policies = random_policy(table.duel, 1), random_policy(table.duel.turned(), 2)
    total, corrected, parts = 0.0, 0.0, np.zeros(4)
    for chance, now, then in outcomes(table, *policies, table.duel.start, known):
        found = luck(table, Fight([now], float(table.values[0][then])))
        total += chance
        corrected += chance * found.corrected
        parts += chance * np.array([found.stances, found.attacks, found.dice, found.shrugs])
    assert total == pytest.approx(1)
    assert parts == pytest.approx(np.zeros(4), abs=1e-9)
    assert corrected == pytest.approx(head_to_head(*policies, 1), abs=1e-7)


def test_a_round_that_goes_on_is_no_luck_either() -> None:
    """In states of a duel without a cap, with the values of its solution, luck is also 0 on average."""
    table = solve(GAMES["mutual contests"])
    policies = random_policy(table.duel, 3), random_policy(table.duel.turned(), 4)
    for place in ((9, 7, 1, 2), (4, 6, 1, 0), (1, 2, 0, 1)):
        parts, spread = np.zeros(4), 0.0
        for chance, now, _ in outcomes(table, *policies, place, (True, True)):
            found = luck(table, Fight([now], 0.0))
            parts += chance * np.array([found.stances, found.attacks, found.dice, found.shrugs])
            spread += chance * found.total**2
        assert parts == pytest.approx(np.zeros(4), abs=1e-7)
        assert spread > 1e-3


# -- whole duels -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("decisions", ["full", "stance"])
def test_between_solutions_all_is_luck(decisions: str) -> None:
    game = HeartRush("duel", {"profile": "plain"}, decisions=decisions)
    table = solve(game)
    agents = dict.fromkeys(game.agents, "equilibrium")
    for number in range(3):
        known = {seat: load(id).seat(game) for seat, id in agents.items()}
        found = luck(table, played(game, play(game, agents, number), known))
        assert abs(found.result) == 1
        assert found.corrected == pytest.approx(table.value, abs=1e-6)


def test_luck_taken_out_shows_the_exact_value_sooner() -> None:
    """In 60 duels of random play, both means lie within 4 standard errors of the exact value."""
    game = game_of(*UNEVEN, decisions="full")
    table = solve(game, cap_bound=2)
    exact = head_to_head(*read_policies(load("random").seat(table.duel.game), table))
    agents = dict.fromkeys(game.agents, "random")
    lucks = []
    for number in range(60):
        known = {seat: load(id).seat(game) for seat, id in agents.items()}
        lucks.append(luck(table, played(game, play(game, agents, number), known)))
    found = results(lucks)
    assert found.reduction > 3
    assert found.fights == 60
    for mean in (found.plain, found.corrected):
        assert abs(mean.mean - exact) < 4 * mean.deviation / np.sqrt(60)
        assert mean.high - mean.low == pytest.approx(2 * 1.96 * mean.deviation / np.sqrt(60), rel=1e-3)


def test_means_by_hand() -> None:
    lucks = [Luck(1.0, 0.0, 0.0, 0.5, 0.0), Luck(-1.0, 0.0, -0.5, 0.0, -0.25)]
    assert [found.corrected for found in lucks] == [0.5, -0.25]
    found = results(lucks)
    assert (found.plain.mean, found.corrected.mean) == (0, 0.125)
    assert found.plain.deviation == pytest.approx(2**0.5)  # (1 + 1) / (2 - 1) is the variance
    assert found.reduction == pytest.approx((2 / 0.75) ** 2)
    assert results([lucks[0]] * 2).reduction == float("inf")
    with pytest.raises(SolverError, match="Expected at least 2 duels for an interval, got 1"):
        results(lucks[:1])


# -- reading -----------------------------------------------------------------------------------------------------------


def test_a_record_is_read_round_by_round(tmp_path: Path) -> None:
    """Each round begins with the hit points and heart dice that the last one left, and hits are those of the events."""
    game = HeartRush(game_of(*UNEVEN).scenario)
    recorder, happened = record(game, 16)
    found = read_record(recorder.write(tmp_path / "fight.hrr"))
    fight = played(found.game, replay(found), {"ann_0": load("random").seat(found.game)})
    events = [event for window in happened for event in window]
    reveals = [event["stances"]["bob_0"] for event in events if event["type"] == "reveal"]
    assert stances_taken(fight, 1) == reveals and len(reveals) == len(fight.rounds)
    hits = [(event["hurt"], event["damage"]) for event in events if event["type"] == "attack" and event["damage"]]
    assert [(game.agents[now.hurt], now.damage) for now in fight.rounds if now.hurt != NOBODY] == hits
    assert sum(now.shrugged for now in fight.rounds) == sum(event["type"] == "shrug" for event in events) > 0
    for now, then in zip(fight.rounds, fight.rounds[1:], strict=False):
        assert then.number == now.number + 1
        for seat in (0, 1):
            lost = (now.damage + 1) // 2 if now.shrugged else now.damage
            assert then.hp[seat] == now.hp[seat] - (lost if now.hurt == seat else 0)
            assert (then.hearts[seat] < now.hearts[seat]) == (now.shrugged and now.hurt == seat)
    both = sum(event["type"] == "attack" and event["mutual"] for event in events)
    assert sum(now.attacks == [1, 1] for now in fight.rounds) == both > 0
    assert fight.result == found.rewards["ann_0"]
    assert all(now.mixes[0] is not None and now.mixes[1] is None for now in fight.rounds)
    assert fight.rounds[0].mixes[0] == pytest.approx([0.25] * 4)


def test_who_would_never_have_played_so_is_not_taken_for_known() -> None:
    game = game_of(*UNEVEN)
    with pytest.raises(SolverError, match="ann_0 chose 'stance agility', to which FixedPlayer gives the probability 0"):
        windows = play(game, {"ann_0": "agility", "bob_0": "might"}, 0)
        played(game, windows, {"ann_0": load("might").seat(game)})


class Counter(Player):
    """A player whose mix depends on the number of rounds that it has seen since the fight began."""

    memory = 1

    def new_fight(self) -> None:
        self.rounds = 0

    def observe(self, events: Any) -> None:
        self.rounds += sum(event["type"] == "round" for event in events)

    def policy(self, observation: Any) -> Any:
        weights = observation["action_mask"] * np.arange(1, 1 + len(observation["action_mask"])) ** float(self.rounds)
        return weights / weights.sum()


def test_known_players_are_shown_all_that_happened() -> None:
    game = game_of(*UNEVEN, decisions="stance")
    fight = played(game, play(game, dict.fromkeys(game.agents, "random"), 4), {"bob_0": Counter(game)})
    first = game.action_names.index("stance might")
    for now in fight.rounds:
        weights = np.arange(1 + first, 5 + first) ** float(now.number)
        assert now.mixes[1] == pytest.approx(weights / weights.sum())


def test_what_is_no_whole_duel_is_refused() -> None:
    game = game_of(*UNEVEN)
    with pytest.raises(SolverError, match="got one without an end"):
        played(game, list(play(game, dict.fromkeys(game.agents, "random"), 0))[:-1])
    with pytest.raises(SolverError, match="cannot be analysed: the setting maneuvers is on"):
        played(HeartRush("duel"), [])


def test_stances_are_read_from_duels_with_levels_too() -> None:
    game = game_of(*UNEVEN, rules={"profile": "levels"})
    fight = played(game, play(game, dict.fromkeys(game.agents, "uniform"), 4))
    assert len(stances_taken(fight, 0)) == len(fight.rounds) > 0 and abs(fight.result) == 1
