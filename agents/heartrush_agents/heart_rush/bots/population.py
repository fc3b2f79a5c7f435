"""The population of the mind-game arena: named bots with habits, for agents to find and for learners to train against.

It consists of roster bots and of other bots that `load` knows by id but `available` does not list: newcomers should
see a dozen interesting enemies, not fifty that mostly exist to be exploited. Each bot has a one-sentence description.
Two kinds of roster agents are left out: `default`, which never attacks and duplicates `defensive`, and trained agents,
which would change the yardstick with every training.

If the duel can be solved, bots based on its solution join them: the equilibrium, the equilibrium with an error, best
responses to bots of the population, and a bot that exploits another bot and stays safe.
"""

from __future__ import annotations

from heartrush_agents.base import Agent, Player, Probabilities
from heartrush_agents.heart_rush.bots import iocaine, patterns
from heartrush_agents.heart_rush.bots.scripted import RandomPlayer
from heartrush_agents.heart_rush.exact import equilibrium
from heartrush_agents.heart_rush.tables import HEART_RUSH
from heartrush_env.tabletop.game import Game, Observation

ERROR = 0.2  # fraction of random decisions in the equilibrium with an error

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
    """Plays the equilibrium, except that a fraction of its decisions are random legal actions."""

    def __init__(self, game: Game) -> None:
        """Bind the player to a game and solve its duel."""
        super().__init__(game)
        self._sure, self._astray = equilibrium.make(game), RandomPlayer(game)

    def policy(self, observation: Observation) -> Probabilities:
        """Return the mixture of the equilibrium and the random policy."""
        chances: Probabilities = (1 - ERROR) * self._sure.policy(observation) + ERROR * self._astray.policy(observation)
        return chances


SOLVING: tuple[Agent, ...] = (
    Agent(
        "epsilon_equilibrium",
        f"The exact solution of its duel, but a random legal action in {100 * ERROR:g} % of its decisions.",
        ErringPlayer,
        why_unsupported=equilibrium.why_unsupported,
        games=HEART_RUSH,
    ),
)
