"""A lower bound on an agent's exploitability, found by training a learner against it.

Use it for agents whose best response cannot be computed. The recipe `ppo_vs_agent` trains the learner; its score
afterwards, in new fights, bounds the score of a best response from below. The bound proves that the agent can be
exploited by that much, never that it cannot be exploited further, so it is always reported with its training budget
(Timbers et al., "Approximate Exploitability", IJCAI 2022).
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
MATCH = 20  # fights in a match, after which players forget each other


@dataclass(frozen=True)
class SeatScore:
    """A learner's score in one seat, P(win) - P(loss), with its 95 % confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class LowerBound:
    """A learner's score against one agent, with the training budget behind it."""

    agent: str
    samples: int  # that the learner trained on
    seed: int
    fights: int  # measured in each seat, after training
    seats: Mapping[str, SeatScore]  # by the team that the exploited agent played

    @property
    def label(self) -> str:
        """A label for the numbers: their kind, training budget, seed and number of fights."""
        return f"{LABEL}: {self.samples:,} samples of training, seed {self.seed}, {self.fights:,} fights in each seat"


def approx_best_response(
    config: VsAgentConfig,
    *,
    fights: int = 4000,
    folder: Path | None = None,
    processes: int | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> LowerBound:
    """Train a learner against an agent and measure it.

    Args:
        config: Configuration of the recipe; `opponent` is the agent's id or folder.
        fights: Number of fights to measure the learner in, half of them in each seat.
        folder: Folder that keeps the learner and its checkpoint, so that an interrupted run can resume. By default
            nothing is kept.
        processes: Number of worker processes; one per core by default.
        report: Called with the progress of training.

    Raises:
        TrainingError: The scenario does not have two teams, or the run cannot start.
    """
    if len(dict.fromkeys(config.game().teams)) != 2:
        raise TrainingError(f"A lower bound needs a scenario of exactly two teams, unlike {config.scenario!r}.")
    if folder is not None:
        return _bound(config, folder, fights, processes, report)
    with TemporaryDirectory() as temporary:
        return _bound(config, Path(temporary), fights, processes, report)


def _bound(
    config: VsAgentConfig, folder: Path, fights: int, processes: int | None, report: Callable[[Progress], None]
) -> LowerBound:
    run, game, agent = prepare(config, folder), config.game(), load(config.opponent)
    network = run.train(report)
    facts = run.facts()
    description = f"Trained to exploit {agent.id} on {game.scenario_name}."
    write_agent(folder, _name_of(agent), description, network, game, facts)
    learner = read_agent(folder)
    table = rate([learner], game, against=[agent], fights=fights, match=MATCH, seed=SEED, processes=processes)
    outcomes = table.outcomes[learner.id, agent.id]  # (matches, the learner's seat, outcomes)
    teams = list(dict.fromkeys(game.teams))
    seats = {teams[1 - place]: seat_score(outcomes[:, place]) for place in (0, 1)}
    return LowerBound(agent.id, facts["samples"], config.seed, int(outcomes[:, 0].sum()), seats)


def _name_of(agent: Agent) -> str:
    return "exploiter_of_" + "".join(letter if letter.isalnum() else "_" for letter in agent.id)


def seat_score(outcomes: NDArray[Any]) -> SeatScore:
    """The mean score of outcomes (matches, outcomes), with an interval over matches, since players learn within one."""
    totals = outcomes.sum(axis=1)
    returns = (outcomes[:, WIN] - outcomes[:, LOSS]) / totals
    mean = float(np.average(returns, weights=totals))
    reach = Z_95 * float(returns.std(ddof=1)) / np.sqrt(len(returns)) if len(returns) > 1 else 2.0
    return SeatScore(mean, max(-1.0, mean - reach), min(1.0, mean + reach))
