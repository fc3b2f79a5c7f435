"""How much can be won from an agent that nobody can read exactly: at least what a learner wins that trains against it.

The learner is the recipe `ppo_vs_agent`; what it wins afterwards, in fights it has not trained on, is a lower bound of
what the best answer wins, and of nothing else: it says that the agent can be exploited so far, never that it cannot be
further (Timbers et al., "Approximate Exploitability", IJCAI 2022). So a bound always stands beside its budget.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from heartrush_agents import Agent, load
from heartrush_agents.learned.agent import read_agent
from heartrush_agents.tournament.cross_table import rate
from heartrush_agents.tournament.play import LOSS, SEED, WIN
from numpy.typing import NDArray

from heartrush_env.core.intervals import Z_95
from heartrush_train.config import TrainingError, VsAgentConfig
from heartrush_train.export import write_agent
from heartrush_train.recipes import prepare
from heartrush_train.run import Progress

LABEL = "learned lower bound"
MATCH = 20  # fights, after which players forget each other


@dataclass(frozen=True)
class Won:
    """What a learner wins from the other seat, its chance to win less its chance to lose, with a 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class LowerBound:
    """What a learner of some budget wins from an agent."""

    agent: str
    samples: int  # on which it was trained
    seed: int
    fights: int  # in each seat, in which it was measured
    seats: Mapping[str, Won]  # by the seat of the agent that it wins from

    @property
    def label(self) -> str:
        """What the numbers are."""
        return f"{LABEL}: {self.samples:,} samples of training, seed {self.seed}, {self.fights:,} fights in each seat"


def approx_best_response(
    config: VsAgentConfig,
    *,
    fights: int = 4000,
    folder: Path | None = None,
    processes: int | None = None,
    tell: Callable[[Progress], None] = lambda progress: None,
) -> LowerBound:
    """Train a learner against an agent and measure it.

    Args:
        config: Of the recipe; `opponent` names the agent, an id or a folder.
        fights: In which the learner is measured, shared evenly by both seats.
        folder: Where the learner is kept, with its checkpoint, to go on from if it is stopped; nowhere unless given.
        processes: How many measure at once; one for each core unless given.
        tell: Called as training goes on.
    """
    if len(dict.fromkeys(config.game().teams)) != 2:
        raise TrainingError(f"A lower bound is for two teams, and {config.scenario!r} has another number.")
    if folder is not None:
        return _bound(config, folder, fights, processes, tell)
    with TemporaryDirectory() as temporary:
        return _bound(config, Path(temporary), fights, processes, tell)


def _bound(
    config: VsAgentConfig, folder: Path, fights: int, processes: int | None, tell: Callable[[Progress], None]
) -> LowerBound:
    run, game, agent = prepare(config, folder), config.game(), load(config.opponent)
    network = run.train(tell)
    facts = run.facts()
    says = f"Trained to exploit {agent.id} on {game.scenario_name}."
    write_agent(folder, _name_of(agent), says, network, game, facts)
    learner = read_agent(folder)
    table = rate([learner], game, against=[agent], fights=fights, match=MATCH, seed=SEED, processes=processes)
    outcomes = table.outcomes[learner.id, agent.id]  # (matches, the learner's seat, outcomes)
    teams = list(dict.fromkeys(game.teams))
    seats = {teams[1 - place]: won(outcomes[:, place]) for place in (0, 1)}
    return LowerBound(agent.id, facts["samples"], config.seed, int(outcomes[:, 0].sum()), seats)


def _name_of(agent: Agent) -> str:
    return "exploiter_of_" + "".join(letter if letter.isalnum() else "_" for letter in agent.id)


def won(outcomes: NDArray[Any]) -> Won:
    """The mean return, (matches, outcomes) to a number; its interval by matches, in which players may learn."""
    totals = outcomes.sum(axis=1)
    returns = (outcomes[:, WIN] - outcomes[:, LOSS]) / totals
    mean = float(np.average(returns, weights=totals))
    reach = Z_95 * float(returns.std(ddof=1)) / np.sqrt(len(returns)) if len(returns) > 1 else 2.0
    return Won(mean, max(-1.0, mean - reach), min(1.0, mean + reach))
