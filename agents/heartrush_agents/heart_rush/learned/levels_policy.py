"""A network's policy in every state of a duel with levels, for exact best responses, without encoding each state.

An observation is a sum of parts, one for each number in the state (duel_rows.py). The network's first layer is linear,
so its output is such a sum too. Each part passes through the first layer once. A block then adds up parts, and only
the later layers run for every state and every hit. Windows that the network cannot distinguish are answered only
once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.learned.duel_rows import SeatWindows, Windows, read_windows
from heartrush_agents.learned.network import Layers
from heartrush_env.games.heart_rush.rules.terms import CUNNING, STANCES
from heartrush_env.research.duel import EXCHANGES
from heartrush_env.research.levels.duel import NAMES, LevelsDuel
from heartrush_env.research.levels.evaluate import BlockPlay, LevelsPolicy, new_play, seen_from_first
from heartrush_env.research.levels.table import Block
from heartrush_env.research.zero_sum import SolverError

LEAST = 1e-30  # lower bound of a probability used as divisor
Floats = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Look:
    """Windows of one kind that look equal to a network, as seen by its first layer."""

    places: list[int]  # indices of the windows within their kind
    base: Floats  # (hidden,)
    tables: list[Floats]  # (values of the number, hidden) for each number


class NetworkPolicy(LevelsPolicy):
    """A network's policy in a duel with levels, computed block by block."""

    def __init__(self, layers: Layers, duel: LevelsDuel, seat: int) -> None:
        """Read the windows of a seat.

        Args:
            layers: The policy network, which maps observations to a logit for each action.
            duel: The duel from the point of view of its first fighter.
            seat: 0 or 1.

        Raises:
            SolverError: Fighters continue below 0 hit points, and could yield.
        """
        super().__init__(duel, seat)
        if any(duel.below):
            raise SolverError(
                "Networks can be analysed only in duels that end at 0 hit points; in this one, fighters may fight on "
                "below 0."
            )
        self.view = duel if seat == 0 else duel.turned()
        self.layers = layers
        self.place = {name: number for number, name in enumerate(duel.game.action_names)}
        self.windows: SeatWindows = read_windows(self.view)
        self.stance = self._looks(self.windows.stance)[0]
        self.attack = self._looks(self.windows.attack)
        self.shrug = self._looks(self.windows.shrug)
        self.later: dict[tuple[int, ...], Layers] = {}

    def block(self, block: Block) -> BlockPlay:
        """Return the policy at these hit points and heart dice."""
        view = self.view
        h0, h1, k0, k1 = block if self.seat == 0 else (block[1], block[0], block[3], block[2])
        spot, play = (h0, h1, k0, k1), new_play(view)
        play.stances[...] = self._shares(self._pairs(self.stance, spot), [f"stance {stance}" for stance in STANCES])
        for look in self.attack:
            pairs = self._pairs(look, spot)
            for i, j in (self.windows.pairs[place] for place in look.places):
                named = i == CUNNING and j in view.beaten
                codes = [f"attack 1 {NAMES[code]}".strip() for code in view.codes[0]] if named else ["attack 1"]
                shares = self._shares(pairs, ["pass", *codes])
                attacks = shares[..., 1:].sum(axis=-1)
                play.attacks[:, :, i, j] = attacks
                if named:
                    often = shares[..., 1:] / np.maximum(attacks, LEAST)[..., None]
                    play.names[:, :, view.beaten.index(j), : len(codes)] = often
        if not view.free:
            play.names[..., 0] = 1.0
        return seen_from_first(play, self._shrugs(spot) if view.free else None, self.seat)

    def _shrugs(self, spot: Block) -> Floats:
        """Return the probability of shrugging off each hit, (exchange, own vector, other's vector, damage)."""
        view, found = self.view, np.zeros((len(EXCHANGES), *self.view.shape[4:], len(self.view.halves)), np.float32)
        h0, _, k0, k1 = spot
        if k0 == 0:
            return found
        for look in self.shrug:
            exchanges = np.flatnonzero(np.isin(self.windows.shrug_of, look.places))
            possible = (view.chances[k0, k1][:, :, exchanges, 0] > 0).any(axis=(0, 1, 2)) & (view.halves < h0)
            pairs = self._pairs(look, spot)
            for damage in np.flatnonzero(possible):
                shares = self._shares(pairs + look.tables[6][damage], ["take", "shrug"])[..., 1]
                found[exchanges, :, :, damage] = shares
        return found

    def _pairs(self, look: Look, spot: Block) -> Floats:
        """Return the first layer's sums for each pair of level vectors, (own vector, other's vector, hidden)."""
        base = look.base + sum(table[value] for table, value in zip(look.tables, spot, strict=False))
        sums: Floats = (base + look.tables[4])[:, None] + look.tables[5]
        return sums

    def _shares(self, sums: Floats, actions: Sequence[str]) -> Any:
        """Return probabilities (..., actions) of the legal actions given, from the first layer's sums."""
        places = tuple(self.place[action] for action in actions)
        if places not in self.later:
            *weights, last = self.layers.weights[1:]
            *biases, last_bias = self.layers.biases[1:]
            self.later[places] = Layers(
                (*weights, np.ascontiguousarray(last[:, places])), (*biases, last_bias[list(places)])
            )
        logits = self.later[places](np.tanh(sums).reshape(-1, sums.shape[-1])).reshape(*sums.shape[:-1], len(places))
        shares = np.exp(logits - logits.max(axis=-1, keepdims=True))
        shares /= shares.sum(axis=-1, keepdims=True)
        return shares

    def _looks(self, windows: Windows | None) -> list[Look]:
        """Return the windows of one kind, grouped by what the network reads of them."""
        if windows is None:
            return []
        weights, bias = self.layers.weights[0], self.layers.biases[0]
        found: dict[bytes, Look] = {}
        for place, base in enumerate(windows.base):
            read = weights.any(axis=1)
            parts = [base[read], *(table[place][:, read] for table in windows.tables)]
            seen = b"".join(part.tobytes() for part in parts)
            if seen not in found:
                found[seen] = Look([], base @ weights + bias, [table[place] @ weights for table in windows.tables])
            found[seen].places.append(place)
        return list(found.values())
