"""The solver as it is timed: duels solved, players answered best, and the same beside OpenSpiel, which walks a tree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from heartrush_agents import load
from heartrush_agents.base import Player

from heartrush_env.cli.bench import SEED, Counts, Step
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.scenario import load_scenario

PLAIN = {"profile": "plain"}
SMALL = Path(__file__).resolve().parent.parent / "examples" / "small_duel.toml"
ROUNDS = 3  # of the small duel
LAYERS = (64, 64)


def solving(scenario: str) -> Step:
    """A solution of a duel, from its scenario on."""
    from heartrush_env.solver.solve import solve

    def step() -> tuple[float, Counts]:
        begun = perf_counter()
        table = solve(HeartRush(scenario, PLAIN))
        return perf_counter() - begun, {"duels": 1, "states": table.duel.states}

    return step


def answering(seat: Callable[[HeartRush], Player], game: HeartRush, cap_bound: float) -> Step:
    """The exploitability of a player in both seats: reading it, and both best answers; solved before the clock."""
    from heartrush_env.solver.responses import exploitability, read_policies
    from heartrush_env.solver.solve import solve

    table = solve(game, cap_bound=cap_bound)
    player = seat(table.duel.game)

    def step() -> tuple[float, Counts]:
        begun = perf_counter()
        exploitability(table, read_policies(player, table))
        return perf_counter() - begun, {"players": 1}

    return step


def network() -> Step:
    """A network of two layers of 64 in all states of `duel`, asked for stances."""
    return answering(Network, HeartRush("duel", PLAIN, decisions="stance", memory=0), 1e-5)


def small() -> Step:
    """Who chooses anything in three rounds of a small duel, exactly by rounds left."""
    return answering(load("random").seat, small_duel(), 0.0)


def tree_walk() -> Step:
    """OpenSpiel's NashConv of the same in the same three rounds, written out as a tree that its C++ walks."""
    import pyspiel

    from heartrush_env.bridges.stage_games import extensive_form

    tree = pyspiel.load_efg_game(extensive_form(small_duel()))
    even = pyspiel.UniformRandomPolicy(tree)

    def step() -> tuple[float, Counts]:
        begun = perf_counter()
        pyspiel.nash_conv(tree, even, False)
        return perf_counter() - begun, {"players": 1}

    return step


def small_duel() -> HeartRush:
    """Three rounds of the examples' duel."""
    return HeartRush(replace(load_scenario(SMALL), max_rounds=ROUNDS), decisions="stance", memory=0)


class Network(Player):
    """Random weights, as many as learners often have."""

    def __init__(self, game: HeartRush) -> None:
        """Draw the weights."""
        super().__init__(game)
        draw, sizes = np.random.default_rng(SEED), (len(game.feature_names), *LAYERS, len(game.action_names))
        shapes = list(pairwise(sizes))
        self._layers = [draw.normal(0, shape[0] ** -0.5, shape).astype(np.float32) for shape in shapes]

    def policies(self, features: Any, masks: Any) -> Any:
        """The shares of all actions, for many observations at once."""
        for layer in self._layers[:-1]:
            features = np.tanh(features @ layer)
        shares = np.exp(features @ self._layers[-1]) * masks
        return shares / shares.sum(axis=1, keepdims=True)

    def policy(self, observation: Any) -> Any:
        """The same for one."""
        return self.policies(observation["observation"][None], observation["action_mask"][None])[0]
