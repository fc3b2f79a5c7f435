"""A policy of a duel as tables: the mix of stances, attacks and shrugs for every state.

`solved_policy` takes them from a solution. `read_policy` queries a player: it shows the player the observation of every
state that the seat may be in, and keeps the answers. Duels with levels have too many states for that; their policies
are evaluated block by block, in levels/evaluate.py.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.duel import EXCHANGES, Duel, refuse_levels
from heartrush_env.research.plain.play import PolicyArrays
from heartrush_env.research.query import Reader
from heartrush_env.research.tablebase import Tablebase
from heartrush_env.research.zero_sum import Floats
from heartrush_env.tabletop.game import Player


@dataclass(frozen=True, eq=False)
class Policy:
    """The policy of one seat, by (own hp, other's hp, own heart, other's heart)."""

    duel: Duel  # from the side of this seat
    stances: Floats  # (..., stances)
    attacks: Any  # (..., own stance, other's stance): attack probability, where it may attack
    shrugs: Any  # (..., exchange, damage): shrug probability; one exchange for all if they are alike

    @property
    def arrays(self) -> PolicyArrays:
        """The tables for compiled code, with one mode."""
        return PolicyArrays(self.stances[..., None, :], self.attacks[..., None, :, :], self.shrugs[..., None, :, :])


def solved_policy(table: Tablebase, seat: int, rounds_left: int | None = None) -> Policy:
    """Return a solution's policy with this number of rounds left."""
    refuse_levels(table.duel.game, "expressed as one table")
    layer, duel = table.layer(rounds_left), table.duel if seat == 0 else table.duel.turned()
    mixes = table.mixes[seat][layer].astype(np.float64)
    mixes /= np.maximum(mixes.sum(axis=-1, keepdims=True), 1e-300)
    attacks = np.ones((*duel.shape, len(STANCES), len(STANCES)), np.float32)
    for stance in range(table.backs[seat].shape[-1]):
        attacks[..., stance, stance] = table.backs[seat][layer][..., stance]
    return Policy(duel, mixes, attacks, shrugs_for(duel, own_side(table.after(layer), seat)))


def own_side(values: Floats, seat: int) -> Floats:
    """Convert values for the first fighter to the side of a seat."""
    return values if seat == 0 else -values.transpose(1, 0, 3, 2)


def shrugs_for(duel: Duel, after: Floats) -> Any:
    """Return 1 where the first fighter shrugs off, by state values or the default policy, else 0: (..., 1, damage)."""
    hp, damage = np.arange(duel.shape[0])[:, None], np.arange(len(duel.halves))
    shrugs = np.zeros((*duel.shape, 1, len(damage)), np.float32)
    if duel.free:
        taken = np.moveaxis(after[np.maximum(0, hp - damage)], 1, -1)[:, :, 1:]
        shrugged = np.moveaxis(after[np.maximum(0, hp - duel.halves)], 1, -1)[:, :, :-1]
        shrugs[:, :, 1:, :, 0] = shrugged > taken
    else:
        shrugs[:, :, 1:, :, 0] = ((damage >= SHRUG_FROM) | (damage >= hp - duel.below[0]))[:, None, None, None]
    return shrugs


def read_policy(player: Player, duel: Duel, course: tuple[int, ...] = ()) -> Policy:
    """Read a player's policy in every state of a duel; the player controls the duel's first fighter.

    If sides take turns, `course` lists the seats that engage, in order; the policy is that of the last engagement.
    """
    refuse_levels(duel.game, "expressed as one table")
    stances = np.zeros((*duel.shape, len(STANCES)))
    attacks = np.ones((*duel.shape, len(STANCES), len(STANCES)), np.float32)
    kinds = len(EXCHANGES) if len(duel.hearts[0]) > 1 else 1  # without a heart die to lower, no hit is shrugged off
    shrugs = np.zeros((*duel.shape, kinds, len(duel.halves)), np.float32)
    Reader(player, duel, course).read(duel.standing, slice(0, 4), stances, attacks, None, shrugs)
    return Policy(duel, stances, attacks, shrugs if duel.free else shrugs_for(duel, duel.new_values()))
