"""The exact NashConv of a network in training, in duels for which both best responses can be computed.

The observations of all states are sums of tables (`duel_rows.py`), so a network evaluates all of them in seconds.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from heartrush_agents.heart_rush.learned.duel_rows import SeatWindows, Windows, differing, read_windows
from heartrush_agents.learned.network import Layers, Network
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.best_response import exploitability
from heartrush_env.research.duel import EXCHANGES, NOTHING, N, why_unsupported
from heartrush_env.research.plain.policy import Policy, shrugs_for
from heartrush_env.research.solve import solve
from heartrush_env.tabletop.game import Game

READ = 2**15  # observations per evaluation of the network
Floats = NDArray[Any]
Whole = NDArray[np.int64]
Logits = Callable[[Floats, list[int]], Floats]  # maps observations (n, features) and actions to logits (n, actions)


def why_not_exact(game: Game) -> str | None:
    """Return why the NashConv of networks is not computed in a game, as a clause, or None if it is."""
    if not isinstance(game, HeartRush):
        return "it is computed in duels of Heart Rush only"
    reason = why_unsupported(game)
    if reason is None and game.scenario.settings.levels:
        return "the setting levels is on, and it is computed under the profile 'plain' only"
    if reason is None and game.scenario.victory != "first_down":
        return "fighters may go on below 0 hit points, and it is computed in duels that end at 0 only"
    if reason is None and game.memory != 0:
        return "the policy reads past reveals, and it is computed with --memory 0 only"
    return reason


class ExactNashConv:
    """The exact NashConv of a network's policy: the sum of the gains of best responses in both seats."""

    def __init__(self, game: Game) -> None:
        """Solve the duel and read its observations; `why_not_exact` must return None for it."""
        self.table = solve(game)
        duel = self.table.duel
        seats = [read_windows(each) for each in (duel, duel.turned())]
        self.columns = differing(seats)
        self.same = seats[0].stance.base[0].copy()  # the features that are constant over all observations
        self.same[self.columns] = 0.0
        self.seats = [seat.only(self.columns) for seat in seats]

    def __call__(self, network: Network) -> float:
        """Return the NashConv of a network's policy over all states: from 0 for an equilibrium to 2."""
        first, *weights, last = network.policy.weights
        bias, *biases, last_bias = network.policy.biases

        def logits(rows: Floats, actions: list[int]) -> Floats:
            return Layers(
                (first[self.columns], *weights, last[:, actions]),
                (bias + self.same @ first, *biases, last_bias[actions]),
            )(rows)

        return exploitability(
            self.table, (read_tables(self.seats[0], logits), read_tables(self.seats[1], logits))
        ).nash_conv


def read_tables(seat: SeatWindows, logits: Logits) -> Policy:
    """Return the policy of a network in a seat, for every state of its plain duel."""
    duel = seat.duel
    place = {name: number for number, name in enumerate(duel.game.action_names)}
    numbers = np.argwhere(np.ones(duel.shape, np.bool_))
    numbers = numbers[(numbers[:, :2] > 0).all(axis=1)]
    at: Any = tuple(numbers.T)

    def chances(windows: Windows, which: int, numbers: Whole, actions: list[str]) -> Floats:
        """Return the probabilities (n, actions) of the legal actions in window number `which`."""
        columns, found = [place[action] for action in actions], []
        for start in range(0, len(numbers), READ):
            part = numbers[start : start + READ]
            shown = logits(windows.rows(np.full(len(part), which), part), columns)
            shares = np.exp(shown - shown.max(axis=1, keepdims=True))
            found.append(shares / shares.sum(axis=1, keepdims=True))
        return np.concatenate(found)

    stances, attacks = np.zeros((*duel.shape, N)), np.ones((*duel.shape, N, N), np.float32)
    stances[at] = chances(seat.stance, 0, numbers, [f"stance {stance}" for stance in STANCES])
    if seat.attack is not None:
        for which, (own, other) in enumerate(seat.pairs):
            attacks[(*at, own, other)] = chances(seat.attack, which, numbers, ["pass", "attack 1"])[:, 1]
    if seat.shrug is None:
        return Policy(duel, stances, attacks, shrugs_for(duel, duel.new_values()))
    shrugs = np.zeros((*duel.shape, len(EXCHANGES), len(duel.halves)), np.float32)
    possible: Any = (duel.chances[:, :, seat.shrug_of != NOTHING, 0] > 0).any(axis=2)  # (hearts, hearts, damage)
    wounded = numbers[numbers[:, 2] > 0]
    rows, hits = np.nonzero(possible[wounded[:, 2], wounded[:, 3]] & (duel.halves[None] < wounded[:, :1]))
    hit = np.column_stack([wounded[rows], hits])
    for window in range(len(seat.shrug.base)):
        answers = chances(seat.shrug, window, hit, ["take", "shrug"])[:, 1]
        for exchange in np.flatnonzero(seat.shrug_of == window):
            shrugs[(*hit[:, :4].T, exchange, hits)] = answers
    return Policy(duel, stances, attacks, shrugs)
