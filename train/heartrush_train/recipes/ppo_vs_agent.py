"""PPO against a fixed agent: measures how far it can be exploited, and trains an agent that exploits it.

The learner's score is a lower bound on that of a best response. The learner itself is a poor opponent for anyone else:
it meets a single agent and learns only the weaknesses of that agent.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from heartrush_agents import load
from heartrush_agents.vector_player import VectorPlayer

from heartrush_env.envs.vector import VectorFights
from heartrush_train.config import VsAgentConfig
from heartrush_train.sb3.ppo import PPORun
from heartrush_train.sb3.vec_env import SeatVecEnv, other_sides
from heartrush_train.schedules import geometric


class VsAgentRun(PPORun):
    """A run of training against a fixed agent."""

    config: VsAgentConfig

    def __init__(self, config: VsAgentConfig, folder: Path) -> None:
        """Seat the opponent on one team in every fight."""
        fights = VectorFights(config.game(), config.n_envs)
        places = other_sides(fights.game, np.arange(config.n_envs))
        opponent = VectorPlayer(load(config.opponent), fights.game, places, np.random.default_rng(0))
        super().__init__(config, folder, SeatVecEnv(fights, [opponent]))

    def before_update(self, rng: np.random.Generator) -> None:
        """Lower the entropy coefficient."""
        super().before_update(rng)
        self.model.ent_coef = geometric(self.config.ent_coef, self.config.final_ent_coef, self.done)
