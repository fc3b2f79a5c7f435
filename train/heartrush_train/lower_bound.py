"""A lower bound on an agent's exploitability: the score of an exploiter that was trained against it.

The bound is for agents against which no exact best response can be computed. The recipe `exploiter` trains a learner.
The learner's score afterwards, in new fights, is a lower bound on the score of a best response. The bound proves that
the agent can be exploited by that much, but never that it cannot be exploited further. So the bound is always reported
with its training budget (Timbers et al., "Approximate Exploitability", IJCAI 2022).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from heartrush_agents import Agent, load
from heartrush_agents.learned.agent import read_agent
from heartrush_agents.tournament.cross_table import measured, rate
from heartrush_agents.tournament.play import LOSS, SEED, WIN
from numpy.typing import NDArray

from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.intervals import Z_95
from heartrush_train.config import ExploiterConfig
from heartrush_train.export import write_agent, write_card
from heartrush_train.run import Progress, Run

LABEL = "learned lower bound"


@dataclass(frozen=True)
class Estimate:
    """A number measured in fights, with its 95 % confidence interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True)
class LowerBound:
    """A learner's score against one agent, with the training budget behind it."""

    agent: str
    samples: int  # training samples of the learner
    seed: int
    fights: int  # number of fights in each seat, after training
    exploitability: Estimate  # the learner's P(win) - P(loss), over both seats
    win_rate: Estimate  # the learner's win rate over both seats; a draw is half a win
    seats: Mapping[str, Estimate]  # its P(win) - P(loss) by the team that the exploited agent played
    seconds: float = 0.0  # training budget in seconds; 0 if the samples are the budget

    @property
    def budget(self) -> str:
        """The training budget, as a phrase."""
        return f"{self.samples:,} samples" + (f" in {self.seconds:g} s" if self.seconds else "")

    @property
    def label(self) -> str:
        """A label for the numbers: their kind, training budget, seed and number of fights."""
        return f"{LABEL}: {self.budget} of training, seed {self.seed}, {self.fights:,} fights in each seat"

    def as_dict(self) -> dict[str, Any]:
        """Return the numbers and their label as JSON-able data."""
        found = {"label": self.label, **asdict(self)}
        return found if self.seconds else {name: value for name, value in found.items() if name != "seconds"}

    def as_text(self) -> str:
        """Return the bound in a sentence or two."""
        found, won = self.exploitability, self.win_rate
        interval = f"[{found.low:+.3f}, {found.high:+.3f}]"
        text = (
            f"The exploitability of `{self.agent}` is at least {found.value:+.3f} {interval}, a lower bound after "
            f"{self.budget}: an exploiter wins {100 * won.value:.1f} % "
            f"[{100 * won.low:.1f}, {100 * won.high:.1f}] of {2 * self.fights:,} fights."
        )
        return text if found.high > 0 else f"{text} It found no weakness; 0 is a lower bound in any case."


def lower_bound(
    run: Run,
    *,
    fights: int = 4000,
    processes: int | None = None,
    report: Callable[[Progress], None] = lambda progress: None,
) -> LowerBound:
    """Train an exploiter, or finish its training; write it to the run's folder and measure it.

    Args:
        run: A run of the recipe `exploiter`; `opponent` of its configuration is the agent's id or folder.
        fights: Number of fights to measure the learner in, half of them in each seat.
        processes: Number of worker processes; one per core by default.
        report: Called with the progress of training.
    """
    assert isinstance(run.config, ExploiterConfig)
    folder, agent = run.folder, load(run.config.opponent)
    network, facts = run.train(report), run.facts()
    description = f"Trained to exploit {agent.id} on {run.game.scenario_name}."
    card = write_agent(folder, _name_of(agent), description, network, run.game, facts, run.fits())
    bound = score(read_agent(folder), run.config, run.game, facts["samples"], fights, processes)
    write_card(folder, {**card, "lower_bound": bound.as_dict()})
    return bound


def score(
    learner: Agent, config: ExploiterConfig, game: Game, samples: int, fights: int, processes: int | None = None
) -> LowerBound:
    """Measure a learner's lower bound in new fights against the configuration's opponent."""
    agent = load(config.opponent)
    table = rate([learner], game, against=[agent], fights=fights, match=config.match, seed=SEED, processes=processes)
    outcomes = table.outcomes[learner.id, agent.id]  # (matches, the learner's team, outcomes)
    won = measured(outcomes.sum(axis=1), table.even)
    return LowerBound(
        agent.id,
        samples,
        config.seed,
        int(outcomes[:, 0].sum()),
        estimate(outcomes.sum(axis=1)),
        Estimate(won.score, won.low, won.high),
        {table.teams[1 - place]: estimate(outcomes[:, place]) for place in (0, 1)},
        config.seconds,
    )


def _name_of(agent: Agent) -> str:
    return "exploiter_of_" + "".join(letter if letter.isalnum() else "_" for letter in agent.id)


def estimate(outcomes: NDArray[Any]) -> Estimate:
    """Return the mean score of outcomes, (matches, 3), with an interval over matches, within which players learn."""
    totals = outcomes.sum(axis=1)
    returns = (outcomes[:, WIN] - outcomes[:, LOSS]) / totals
    mean = float(np.average(returns, weights=totals))
    reach = Z_95 * float(returns.std(ddof=1)) / np.sqrt(len(returns)) if len(returns) > 1 else 2.0
    return Estimate(mean, max(-1.0, mean - reach), min(1.0, mean + reach))
