"""PPO against an agent that does not learn: how much a learner finds against it, and how to train its nemesis.

What it comes to is a lower bound on what a best response would win, and no good enemy for others: whoever learns
against one opponent learns that one's weakness and nothing else.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from heartrush_agents import load
from heartrush_agents.vector_player import Crowd

from heartrush_env.envs.vector import VectorFights
from heartrush_train.config import Against
from heartrush_train.run import Training, fading, make_model
from heartrush_train.sb3.vec_env import SeatRows, other_sides


class AgainstTraining(Training):
    """A run of this recipe."""

    knobs: Against

    def __init__(self, knobs: Against, folder: Path) -> None:
        """Seat the opponent on one side of every fight."""
        fights = VectorFights(knobs.game(), knobs.fights)
        places = other_sides(fights.game, np.arange(knobs.fights))
        rows = SeatRows(fights, [Crowd(load(knobs.opponent), fights.game, places, np.random.default_rng(0))])
        super().__init__(knobs, folder, make_model(knobs, rows), rows)

    def before_update(self, chance: np.random.Generator) -> None:
        """Let the entropy's weight fall."""
        super().before_update(chance)
        self.model.ent_coef = fading(self.knobs.entropy, self.knobs.final_entropy, self.done)
