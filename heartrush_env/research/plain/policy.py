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
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, STANCES
from heartrush_env.research.duel import EXCHANGES, Duel, refuse_levels
from heartrush_env.research.plain.play import PolicyArrays
from heartrush_env.research.query import ask, refuse_memory, refuse_yielding, show, window_of, yielding_windows
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
    after = table.values[layer if table.rounds is None else max(0, layer - 1)]
    return Policy(duel, mixes, attacks, shrugs_for(duel, own_side(after, seat)))


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


# -- asking a player ---------------------------------------------------------------------------------------------------


def read_policy(player: Player, duel: Duel, course: tuple[int, ...] = ()) -> Policy:
    """Read a player's policy in every state of a duel; the player controls the duel's first fighter.

    If sides take turns, `course` lists the seats that engage, in order; the policy is that of the last engagement.
    """
    refuse_levels(duel.game, "expressed as one table")
    refuse_memory(player, duel.game)
    seat, game = duel.seats[0], duel.game
    names = {name: place for place, name in enumerate(game.action_names)}
    stances = np.zeros((*duel.shape, len(STANCES)))
    attacks = np.ones((*duel.shape, len(STANCES), len(STANCES)), np.float32)
    states = np.argwhere(np.ones(duel.shape, np.bool_))
    states = states[(states[:, 0] > 0) & (states[:, 1] > 0)]
    refuse_yielding(player, duel, yielding_windows(duel), states)
    columns = [names[f"stance {stance}"] for stance in STANCES]
    for some, answer in ask(player, duel, window_of(game, seat, None, course), states, None):
        stances[tuple(some.T)] = answer[:, columns]
    stances /= np.maximum(stances.sum(axis=-1, keepdims=True), 1e-300)
    if not duel.free:
        return Policy(duel, stances, attacks, shrugs_for(duel, duel.new_values()))
    for i in range(ATTACKING_STANCES):
        for j in range(len(STANCES)):
            if MAY_ATTACK[i, j]:
                for some, answer in ask(player, duel, window_of(game, seat, (i, j), course), states, None):
                    attacks[(*some.T, i, j)] = 1.0 - answer[:, names["pass"]] / answer.sum(axis=1)
    return Policy(duel, stances, attacks, _read_shrugs(player, duel, states, names, course))


def _read_shrugs(player: Player, duel: Duel, states: Any, names: dict[str, int], course: tuple[int, ...]) -> Any:
    """Read the answers to every possible hit; windows that look the same are read once."""
    if len(duel.hearts[0]) == 1:  # no heart die to lower
        return np.zeros((*duel.shape, 1, len(duel.halves)), np.float32)
    shrugs = np.zeros((*duel.shape, len(EXCHANGES), len(duel.halves)), np.float32)
    seen: dict[bytes, int] = {}
    for e, exchange in enumerate(EXCHANGES):
        possible = (duel.chances[:, :, e, 0] > 0).any(axis=(0, 1))
        if not possible.any():
            continue
        window = window_of(duel.game, duel.seats[0], exchange, course)
        looks = show(duel, window, states[:1], np.ones(1, np.int64))[0].tobytes()
        if looks in seen:
            shrugs[..., e, :] = shrugs[..., seen[looks], :]
            continue
        seen[looks] = e
        some, hits = _hits(duel, states)
        for part, answer in ask(player, duel, window, some, hits):
            shrug, take = answer[:, names["shrug"]], answer[:, names["take"]]
            shrugs[(*part[:, :4].T, e, part[:, 4])] = shrug / (shrug + take)
    return shrugs


def _hits(duel: Duel, states: Any) -> tuple[Any, Any]:
    """Return each state with each possible hit that does not defeat the fighter if shrugged off."""
    possible: Any = (duel.chances[:, :, :, 0] > 0).any(axis=2)  # (own heart, other's heart, damage)
    states = states[states[:, 2] > 0]
    legal = possible[states[:, 2], states[:, 3]] & (duel.halves[None] < states[:, :1])
    rows, hits = np.nonzero(legal)
    return states[rows], hits
