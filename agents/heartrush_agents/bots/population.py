"""The population of the mind-game arena: named bots with habits, for agents to find and for learners to train against.

Those of the roster are joined by others that `load` knows by id and `available` does not list: a newcomer who asks for
an enemy is to see a dozen that are worth meeting, not fifty of which most exist to be seen through. Each has a
one-sentence description. Left out of the roster: `default`, which attacks nobody and doubles `defensive`, and what was
trained, which would change the yardstick with every training.

Where the duel is solved, bots that rest on its solution join them: the equilibrium, the equilibrium with an error, best
answers to bots of the population, and one that exploits a bot and stays safe.
"""

from __future__ import annotations

from heartrush_agents.base import Agent, Player, Probabilities
from heartrush_agents.bots import iocaine, patterns
from heartrush_agents.bots.scripted import RandomPlayer
from heartrush_agents.exact import equilibrium
from heartrush_agents.exact.equilibrium import EquilibriumPlayer
from heartrush_env.core.game import Game, Observation

ERROR = 0.2  # how often the equilibrium with an error does just anything

OF_THE_ROSTER = (
    "random", "might", "agility", "cunning", "defensive", "uniform", "weighted", "turtle", "repeat_last",
    "counter_last", "win_stay_lose_shift", "frequency", "markov_1", "markov_2", "tactician", "modeller",
)  # fmt: skip
AGENTS: tuple[Agent, ...] = (*patterns.AGENTS, *iocaine.AGENTS)
OF_SOLVED_DUELS = (
    "equilibrium", "epsilon_equilibrium", "best_response:mostly_might", "best_response:copycat",
    "restricted_nash:mostly_cunning@0.5",
)  # fmt: skip


class ErringPlayer(Player):
    """Plays the equilibrium, but for a share of all decisions, in which all that is legal is equally likely."""

    def __init__(self, game: Game) -> None:
        """Sit down and solve the duel."""
        super().__init__(game)
        self._sure, self._astray = EquilibriumPlayer(game), RandomPlayer(game)

    def policy(self, observation: Observation) -> Probabilities:
        """The mixture of both."""
        chances: Probabilities = (1 - ERROR) * self._sure.policy(observation) + ERROR * self._astray.policy(observation)
        return chances


SOLVING: tuple[Agent, ...] = (
    Agent(
        "epsilon_equilibrium",
        f"The exact solution of its duel, but in {100 * ERROR:g} % of its decisions anything that is legal.",
        ErringPlayer,
        why_unsupported=equilibrium.why_unsupported,
    ),
)
