"""The recipe `shapley` in duels with levels: the duel is solved first, and networks learn its solution.

The standard duel has twenty million states, and the value of each depends on up to two thousand others. If
the critic were evaluated on all of these, training would be slow. The exact solver takes less than a minute, so the run
starts by solving the duel. An update then draws random blocks, which are states with equal hit points and hearts, and
random pairs of levels in them, and teaches the networks the exact values, mixes, choices of levels and shrugs.

The networks read no stances in the windows after the reveal: the legal actions show where levels may be named. So the
policy treats all attack windows of a state alike, and all shrug windows with equal hits, and NashConv can be measured
exactly, over all states and windows (`heartrush_agents/heart_rush/learned/levels_policy.py`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from heartrush_agents.heart_rush.learned.duel_rows import SeatWindows, differing, told_by_mask
from heartrush_agents.heart_rush.learned.levels_policy import NetworkPolicy
from torch import Tensor
from torch.nn.functional import softplus

from heartrush_env.games.heart_rush.rules.terms import CUNNING
from heartrush_env.research.best_response import exploitability
from heartrush_env.research.duel import EXCHANGES, Duel
from heartrush_env.research.levels.duel import NAMES, LevelsDuel
from heartrush_env.research.levels.table import LevelsTablebase
from heartrush_env.research.solve import MEMORY, solve_parts
from heartrush_train.config import ShapleyConfig, TrainingError
from heartrush_train.heart_rush.shapley import ANSWERS, Floats, ShapleyRun, Solved, Whole, both_sides, tensor

BLOCKS = 128  # blocks that an update draws
RARER = 3.0  # vectors with one more level are drawn this many times less often, as in fights
LISTED = 2**16  # random states for scaling the networks' inputs
LARGE = 2**20  # duels with more states have their NashConv measured only once
OWN, OTHER = np.array(EXCHANGES).T[:2]  # the stances of each exchange


@dataclass(frozen=True, eq=False)
class SolvedLevels(Solved):
    """States of a duel with levels, with their solved games, as one seat sees them."""

    names: Floats  # (n, slot of the stance that its cunning beats, code): the value of attacking with these levels
    threats: Whole  # (n, slot): the index of the levels that the other fighter names, among its codes


class ShapleyLevelsRun(ShapleyRun):
    """A run of the recipe on a duel under the profile "levels"."""

    table: LevelsTablebase
    duel: LevelsDuel

    def __init__(self, config: ShapleyConfig, folder: Path) -> None:
        """Read the duel's probabilities and the observations of its states, and create new networks."""
        super().__init__(config, folder)
        if self.duel.mutual:
            raise TrainingError(
                f"The recipe shapley cannot learn {self.game.scenario_name!r}: the setting contested is 'mutual', but "
                "with levels only 'if_able' can be learned."
            )
        place = {name: number for number, name in enumerate(self.game.action_names)}
        rarity = [RARER ** -vectors.sum(axis=1) for vectors in self.duel.vectors]
        self.odds = [weights / weights.sum() for weights in rarity]
        self.naming = [
            [place["pass"], *(place[f"attack 1 {NAMES[code]}".strip()] for code in codes)] for codes in self.duel.codes
        ]

    def columns_of(self, seats: list[SeatWindows]) -> Whole:
        """Return the indices of all features that vary, except those of the revealed stances."""
        return np.setdiff1d(differing(seats), told_by_mask(seats))

    def states_to_draw(self) -> Whole:
        """Return enough random states to scale the inputs."""
        rng = np.random.default_rng(0)
        return rng.integers([1, 1, 0, 0, 0, 0], self.duel.shape, (LISTED, 6))

    def draw(self, rng: np.random.Generator) -> tuple[tuple[Solved, Solved], tuple[Any, Any]]:
        """Draw random states of random blocks, with their exact solutions."""
        shape, values = self.duel.shape, self.table.values[0]
        pairs = -(-self.config.n_states // BLOCKS)
        parts = []
        for spot in rng.integers([1, 1, 0, 0], shape[:4], (BLOCKS, 4)).tolist():
            block = (spot[0], spot[1], spot[2], spot[3])
            some = np.column_stack([rng.choice(len(odds), pairs, p=odds) for odds in self.odds])
            at = tuple(some.T)
            plays = self.table.plays(block, 0)
            games, names = self.table.games_and_names(block, values)
            parts.append(
                (
                    np.column_stack([np.tile(block, (pairs, 1)), some]),
                    values[block][at],
                    games[at],
                    plays.stances[:, *at],
                    names[..., *at],
                    plays.names.argmax(axis=-1)[:, *at],
                )
            )
        numbers, found, games, *_ = (np.concatenate(part) for part in zip(*parts, strict=True))
        mixes, names, best = (
            np.concatenate(part, axis=axis)
            for part, axis in zip(list(zip(*parts, strict=True))[3:], (1, -1, 1), strict=True)
        )
        names = names.transpose(0, 3, 1, 2)
        sides = []
        for seat, (own, sign) in enumerate(zip(both_sides(numbers), (1.0, -1.0), strict=True)):
            turned = games if seat == 0 else games.transpose(0, 2, 1)
            known = names[seat][..., : len(self.duel.codes[seat])]
            always = np.ones((len(own), 0))  # probability of attacking in a shared stance: not a relevant choice here
            sides.append(
                SolvedLevels(own, sign * found, sign * turned, mixes[seat], always, sign * known, best[1 - seat])
            )
        return (sides[0], sides[1]), ((values, 1.0), (values.transpose(1, 0, 3, 2, 5, 4), -1.0))

    def attack_losses(
        self, seat: SeatWindows, solved: Solved, rng: np.random.Generator
    ) -> Iterator[tuple[str, Tensor]]:
        """Yield the losses in a random attack window of each state, and in a window where the seat's cunning wins."""
        solved, duel = cast(SolvedLevels, solved), cast(LevelsDuel, seat.duel)
        assert seat.attack is not None
        rows = np.arange(len(solved.values))
        which = rng.integers(len(seat.pairs), size=len(rows))
        own, other = np.array(seat.pairs)[which].T
        logits, values = self.nets(seat.attack.rows(which, solved.numbers))  # identical in all attack windows
        margin = logits[:, self.attacking[1]] - logits[:, self.attacking[0]]
        yield "attack", self.config.kl_coef * softplus(-margin).mean()
        yield "value after stances", (values - tensor(solved.games[rows, own, other])).square().mean() / ANSWERS
        slot = rng.integers(len(duel.beaten), size=len(rows))
        stays = solved.games[:, -1, -1, None]  # neither attacks, as if both hid
        worth = tensor(np.concatenate([stays, solved.names[rows, slot]], axis=1))
        chosen = torch.softmax(logits[:, self.naming[duel.seats[0]]], dim=1)
        yield "names", (worth.max(dim=1).values - (chosen * worth).sum(dim=1)).mean()

    def largest_hits(self, duel: Duel, numbers: Whole, exchanges: Whole) -> Whole:
        """Return the maximum damage to the seat in each of these states, in the exchange given for it."""
        levels = cast(LevelsDuel, duel)
        column = levels.tools.columns[exchanges]
        own, other = (levels.vectors[side][numbers[:, 4 + side], column] for side in (0, 1))
        most: Whole = duel.most[numbers[:, 2], numbers[:, 3], own, other, exchanges, 0]
        return most

    def after_hits(
        self, duel: Duel, solved: Solved, exchanges: Whole, hits: Whole, after: Any
    ) -> tuple[Floats, Floats]:
        """Return the seat's values of taking a hit in each of these states, and of shrugging it off."""
        levels, (values, sign) = cast(LevelsDuel, duel), after
        own, other, heart, other_heart, vector, other_vector = solved.numbers.T
        led, other_led = levels.fades[0][vector], levels.fades[1][other_vector]
        for slot, beaten in enumerate(levels.beaten):
            named = (OTHER[exchanges] == CUNNING) & (OWN[exchanges] == beaten)
            codes = cast(SolvedLevels, solved).threats[:, slot]
            led = np.where(named, levels.named[0][vector, codes], led)
        taken = values[np.maximum(0, own - hits), other, heart, other_heart, led, other_led]
        left = np.maximum(0, own - levels.halves[hits])
        return sign * taken, sign * values[left, other, heart - 1, other_heart, led, other_led]

    def take_results(self) -> tuple[dict[str, float], dict[str, float]]:
        """Measure NashConv, in large duels only at the end, because it takes minutes; return the mean losses."""
        if self.update < self.updates and self.duel.states > LARGE:
            return {}, self.take_losses()
        return super().take_results()

    def measure(self) -> float:
        """Measure the exact NashConv of the policy that would be exported now, without the round cap."""
        layers = self.network().policy
        found = exploitability(self.table, (NetworkPolicy(layers, self.duel, 0), NetworkPolicy(layers, self.duel, 1)))
        return found.nash_conv

    def exact_solution(self) -> LevelsTablebase:
        """Solve the duel exactly."""
        return cast(LevelsTablebase, solve_parts(self.duel, None, MEMORY))
