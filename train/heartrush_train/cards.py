"""Measurements of an agent for its card: speed, habits, win rates against a panel, and exploitability.

    card = measure("duelist")

All figures except the speed follow from seeds. A second measurement with the same versions on the same kind of machine
yields identical win rates and habits, and a NashConv that agrees within `TOLERANCE`.
"""

from __future__ import annotations

import platform
import statistics
import time
from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import numpy as np
from heartrush_agents import Agent, AgentError, Player, load, population
from heartrush_agents.cards import FORMAT, FORMAT_VERSION, thinks_by_the_clock, weights_of
from heartrush_agents.learned.agent import WEIGHTS, read_card
from heartrush_agents.tournament.cross_table import Score
from heartrush_agents.tournament.pairing import as_table, game_of, play_pairing
from heartrush_agents.tournament.play import SEED
from safetensors.numpy import load_file

from heartrush_env import __version__
from heartrush_env.tabletop.game import Game, Observation
from heartrush_env.tabletop.registry import DEFAULT_GAME, open_game, scenario_names
from heartrush_train.export import in_percent
from heartrush_train.habits import habits

Rules = Mapping[str, Any]

PANEL: Final = (
    "might", "agility", "cunning", "uniform", "weighted", "turtle", "counter_last", "frequency", "markov_1",
    "tactician", "modeller",
)  # fmt: skip
SMALL_PANEL: Final = ("uniform", "turtle", "charger", "tactician")  # for scenarios with long fights
STAGES: Final[tuple[tuple[str, Rules, int], ...]] = (("duel", {}, 100), ("brawl", {}, 20))  # with fights per pair
OTHERWISE: Final[tuple[tuple[str, Rules, int], ...]] = (  # of these, the first playable one replaces STAGES
    ("skirmish", {}, 20),
    ("duel", {"profile": "plain"}, 100),
    ("duel", {"profile": "levels"}, 100),
    ("duel", {"edition": "classic"}, 100),
)
FIGHTS: Final = 100  # per pair, in games other than the default one
STANDARD_DUELS: Final[tuple[tuple[str, Rules], ...]] = (("duel", {"profile": "plain"}),)
MATCH: Final = 5  # fights in a match; players forget after each match
OBSERVED: Final = 20  # fights for each team, for habits and speed
SLOW: Final = 5e-3  # seconds per decision; slower agents have fewer fights
FEWER: Final = 5  # divisor of the number of fights
TOLERANCE: Final = {"won": 0.0, "habits": 0.0, "nash_conv": 0.001}  # percentage points; NashConv in returns
LICENCE: Final = "MIT"


def measure(
    id: str,
    *,
    game: str = DEFAULT_GAME,
    seed: int = SEED,
    samples: int = 0,
    seconds: int = 0,
    device: str = "cpu",
    report: Callable[[str], None] = lambda line: None,
) -> dict[str, Any]:
    """Measure an agent and return its card as JSON-able data.

    Args:
        id: The id of an agent, or the folder of a trained one.
        game: The name of the game that the agent plays.
        seed: Seed of all dice and choices.
        samples: If more than 0, a learner trains against the agent on this many samples, for a lower bound on its
            exploitability.
        seconds: If more than 0, this time is the learner's budget in place of the samples.
        device: The device of the learner, such as "cpu" or "cuda".
        report: Called with a line before each part.
    """
    agent, folder = load(id), weights_of(id)
    if thinks_by_the_clock(id):
        raise AgentError(
            f"The agent {agent.id!r} cannot have a card: it thinks by the clock, so its figures depend on the machine."
        )
    stages = stages_of(agent, game)
    report("speed and habits")
    scenario, rules, _ = stages[0]
    first, clock = game_of(scenario, tuple(sorted(rules.items())), game), Clock()
    habits(agent, first, fights=1, seed=seed, shuffles=1)  # loads what the agent loads once
    habits(clock.on(agent), first, fights=1, seed=seed, shuffles=1)  # measures the time per decision
    slow = clock.median() > SLOW
    watched = habits(clock.on(agent), first, fights=1 if slow else OBSERVED, seed=seed)
    against = []
    for scenario, rules, fights in stages:
        report(f"fights on {scenario}")
        against.append(
            cross_table(id, scenario, rules, max(fights // FEWER if slow else fights, 4 * MATCH), seed, game)
        )
    report("exploitability")
    return {
        "format": FORMAT,
        "version": FORMAT_VERSION,
        "id": agent.id,
        "description": agent.description,
        "licence": LICENCE,
        "weights": None if folder is None else weights_facts(folder),
        **({} if game == DEFAULT_GAME else {"game": game}),
        "plays": [name for name in scenario_names(game) if _plays(agent, (name, {}, 0), game)],
        "measured": {
            "command": command(id, seed, samples, game, seconds, device),
            "heartrush-env": __version__,
            "seed": seed,
        },
        "tolerance": dict(TOLERANCE),
        "speed": {**clock.facts(), "scenario": stages[0][0], "machine": machine()},
        "habits": None if watched is None else {"scenario": stages[0][0], "rules": dict(stages[0][1]), **watched},
        "against": against,
        "exact": _exact(agent, report) if game == DEFAULT_GAME else [],
        "learned": learned(id, *stages[0][:2], samples, game, seconds, device) if samples or seconds else None,
    }


def command(id: str, seed: int, samples: int, game: str = DEFAULT_GAME, seconds: int = 0, device: str = "cpu") -> str:
    """Return the command line that repeats a measurement with these arguments."""
    words = f"heartrush agent card {id} --measure" + (f" --seed {seed}" if seed != SEED else "")
    words += f" --game {game}" if game != DEFAULT_GAME else ""
    words += f" --device {device}" if device != "cpu" else ""
    return words + (f" --seconds {seconds}" if seconds else f" --total-samples {samples}" if samples else "")


def stages_of(agent: Agent, game: str = DEFAULT_GAME) -> list[tuple[str, Rules, int]]:
    """Return the scenarios, settings and numbers of fights that an agent is measured with.

    In a game other than the default one, these are all shipped scenarios that the agent plays.
    """
    stages, otherwise = STAGES, OTHERWISE
    if game != DEFAULT_GAME:
        stages, otherwise = tuple((name, {}, FIGHTS) for name in scenario_names(game)), ()
    usual, others = ([each for each in some if _plays(agent, each, game)] for some in (stages, otherwise))
    found = usual or others[:1]
    if not found:
        raise AgentError(f"The agent {agent.id!r} plays none of the games that cards are measured on.")
    return found


def _plays(agent: Agent, stage: tuple[str, Rules, int], game: str) -> bool:
    """Return whether an agent plays a stage; empty settings are not passed on, because some games have no settings."""
    rules = {"rules": dict(stage[1])} if stage[1] else {}
    return agent.plays(open_game({"game": game, "scenario": stage[0], **rules})) is None


def _exact(agent: Agent, report: Callable[[str], None]) -> list[dict[str, Any]]:
    """Return the agent's exact scores on the standard duels in which its policy can be computed exactly."""
    from heartrush_train.heart_rush.scores import exact  # compiled code, loaded when it is needed

    return [found for duel, rules in STANDARD_DUELS if (found := exact(agent, duel, rules, report))]


# -- figures -----------------------------------------------------------------------------------------------------------


def cross_table(
    id: str, scenario: str, rules: Rules, fights: int, seed: int, name: str = DEFAULT_GAME
) -> dict[str, Any]:
    """Measure the win rates against the panel, in percent, with the ends of their 95 % intervals.

    In a game other than the default one, the panel is the population of its arena.
    """
    game, own = game_of(scenario, tuple(sorted(rules.items())), name), load(id).id
    panel = population(game) if name != DEFAULT_GAME else PANEL if len(game.agents) == 2 else SMALL_PANEL
    others = [other for other in panel if other != own and load(other).plays(game) is None]
    return {
        "scenario": scenario,
        "rules": dict(rules),
        "fights": fights,
        "match": MATCH,
        "seed": seed,
        "won": {other: in_percent(_pair(game, [id, other], scenario, rules, fights, seed)) for other in others},
    }


def _pair(game: Game, agents: list[str], scenario: str, rules: Rules, fights: int, seed: int) -> Score:
    """Return the score of one agent against another, in fights played as in a tournament."""
    pairing = {
        "game": game.name, "scenario": scenario, "rules": dict(rules), "agents": agents, "fights": fights,
        "match": MATCH, "seed": seed,
    }  # fmt: skip
    found = play_pairing(pairing)
    row, column = found["agents"]
    score = as_table(game, [pairing], [found], [row, column]).cell(row, column)
    assert score is not None
    return score


def learned(
    id: str,
    scenario: str,
    rules: Rules,
    samples: int,
    game: str = DEFAULT_GAME,
    seconds: int = 0,
    device: str = "cpu",
) -> dict[str, Any]:
    """Train a learner against the agent, and return its winnings: a lower bound on those of a best response."""
    from heartrush_train.config import ExploiterConfig
    from heartrush_train.lower_bound import lower_bound
    from heartrush_train.recipes import prepare

    config = ExploiterConfig(
        game_name=game,
        scenario=scenario,
        rules=dict(rules),
        opponent=id,
        seed=1,
        total_samples=max(samples, 1),
        seconds=seconds,
        device=device,
        n_envs=256 if seconds else min(256, samples // 64),
    )
    with TemporaryDirectory() as folder:
        bound = lower_bound(prepare(config, Path(folder)), fights=400, processes=1)
    seats = {seat: [round(n, 3) for n in (won.value, won.low, won.high)] for seat, won in bound.seats.items()}
    won = [round(100 * n, 1) for n in (bound.win_rate.value, bound.win_rate.low, bound.win_rate.high)]
    return {"scenario": scenario, "rules": dict(rules), "label": bound.label, "response": seats, "won": won}


def weights_facts(folder: Path) -> dict[str, Any]:
    """Return the size and digest of an agent's weights, and the facts of their training from the card."""
    card = read_card(folder)
    training = card.get("training") or {}
    kept = ("recipe", "command", "scenario", "samples", "seconds", "versions")
    path = folder / WEIGHTS
    return {
        "sha256": card["sha256"],
        "bytes": path.stat().st_size,
        "parameters": int(sum(np.size(array) for array in load_file(path).values())),
        "tables": card["fits"]["tables"],
        "training": {key: training[key] for key in kept if key in training},
        "train_seed": (training.get("config") or {}).get("seed"),
    }


# -- speed -------------------------------------------------------------------------------------------------------------


class Clock:
    """A stopwatch for the decisions in which an agent has a choice."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    def on(self, agent: Agent) -> Agent:
        """Return the agent with its decisions timed."""
        return replace(agent, make=partial(self._make, agent))

    def _make(self, agent: Agent, game: Game) -> Player:
        player = agent.make(game)
        act = player.act

        def timed(observation: Observation, rng: np.random.Generator) -> int:
            begun = time.perf_counter()
            action = act(observation, rng)
            if np.count_nonzero(observation["action_mask"]) > 1:
                self.seconds.append(time.perf_counter() - begun)
            return action

        player.act = timed  # type: ignore[method-assign]
        return player

    def median(self) -> float:
        """Return the median time, in seconds, for a decision."""
        return statistics.median(self.seconds)

    def facts(self) -> dict[str, Any]:
        """Return the median time for a decision, in milliseconds, and the number of decisions."""
        return {"median_ms": float(f"{1000 * self.median():.3g}"), "decisions": len(self.seconds)}


def machine() -> str:
    """Return the processor model of this machine, or its architecture if the system does not name the model."""
    named = platform.processor() or platform.machine()
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8", errors="replace").splitlines() if info.is_file() else []
    models = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return f"{models[0] if models else named}, one core, {platform.system()}"
