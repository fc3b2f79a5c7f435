"""Using abilities: a fighter uses what it may use, where that still changes something.

An ability's gain is not among the odds of a round. What can be read from the table is: a roll that the next one will
show better is left alone for now, an attack that already fells its target needs no help, and what costs blood or the
heart die is for the healthy.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.tables import Features, Layout, Places
from heartrush_env.core.game import Game
from heartrush_env.heart_rush.abilities.all import CODES, PLAYED
from heartrush_env.heart_rush.encoding.loadouts import CODE_BITS
from heartrush_env.heart_rush.encoding.view import Columns
from heartrush_env.heart_rush.rules.abilities import LETTERS, ON_FIRST_ROLL, ON_SECOND_ROLL
from heartrush_env.heart_rush.rules.terms import NOBODY

COSTLY = ("bloodblade", "exert", "overexert")  # that are paid with hit points or the heart die
HEALTHY = 1 / 2  # the share of hit points above which they are used
Mask = NDArray[np.int8]


class Using:
    """The uses of abilities among the actions of a game, and which of them to choose."""

    def __init__(self, game: Game, layout: Layout) -> None:
        """Look up actions and features of a game with abilities."""
        words = [name.split() for name in game.action_names]
        uses = [(action, name) for action, name in enumerate(words) if name[0] in ("use", "use_at", "use_for")]
        self.actions: Places = np.array([action for action, _ in uses], np.intp)
        self._slots: Places = np.array([LETTERS.index(name[-1]) for _, name in uses], np.intp)
        columns = [layout.feature["self hp_share"]] * len(uses)  # of the fighter that each is about
        for k, (_, name) in enumerate(uses):
            if name[0] != "use":
                columns[k] = layout.feature[f"{'enemy' if name[0] == 'use_at' else 'ally'} {name[1]} hp_share"]
        self._share: Places = np.array(columns, np.intp)
        self._wants_hurt = np.array([name[0] == "use_for" for _, name in uses])
        self._codes: Places = np.array(
            [[layout.feature[f"self code {k} {s}"] for k in range(CODE_BITS)] for s in LETTERS]
        )
        names = game.feature_names
        self._own_share = layout.feature["self hp_share"]
        self._first_roll = layout.feature["on first roll"]
        self._second_roll = layout.feature["on second roll"]
        self._totals = Columns(names, ["striker_total", "target_total"])
        self._hp = Columns(names, [f"enemy {place} hp" for place in range(1, 1 + len(layout.places))])
        self._struck: Places = np.array(
            [layout.feature[f"enemy {place} is struck"] for place in layout.places], np.intp
        )
        self._strikes = layout.feature["self strikes"]
        self._costly = np.zeros(1 << CODE_BITS, np.bool_)
        self._waits = np.zeros(1 << CODE_BITS, np.bool_)  # may answer the second roll, too
        for number, ability in enumerate(PLAYED):
            self._costly[CODES[number]] = ability.name in COSTLY
            self._waits[CODES[number]] = ON_FIRST_ROLL in ability.on and ON_SECOND_ROLL in ability.on

    def choices(self, features: Features, masks: Mask) -> Places:
        """The use to make in each row, or NOBODY for none, (n,)."""
        codes = (features[:, self._codes] > 0) @ (1 << np.arange(CODE_BITS))  # (n, slots)
        code = codes[:, self._slots]
        wanted = masks[:, self.actions] != 0
        wanted &= ~(self._costly[code] & (features[:, [self._own_share]] <= HEALTHY))
        wanted &= ~(self._waits[code] & (features[:, [self._first_roll]] > 0))
        wanted &= ~self._is_settled(features)[:, None]
        shares = features[:, self._share]
        worth = np.where(wanted, 2.0 + np.where(self._wants_hurt, -shares, shares), 0.0)
        best = worth.argmax(axis=1)
        chosen: Places = np.where(worth[np.arange(len(worth)), best] > 0, self.actions[best], NOBODY)
        return chosen

    def _is_settled(self, features: Features) -> NDArray[np.bool_]:
        """Whether the fighter's own attack, as rolled, already fells its target."""
        totals, struck = self._totals.of(features), features[:, self._struck] > 0
        fells = (totals[:, [0]] - totals[:, [1]] >= self._hp.of(features)) & struck
        seen = (features[:, self._second_roll] > 0) & (features[:, self._strikes] > 0)
        settled: NDArray[np.bool_] = seen & fells.any(axis=1)
        return settled
