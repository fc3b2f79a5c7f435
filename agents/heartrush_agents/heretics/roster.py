"""The agents of Heretics, which `load` knows by id, and the population of its arena."""

from __future__ import annotations

from dataclasses import replace
from functools import cache
from pathlib import Path

from heartrush_agents.base import Agent, Player
from heartrush_agents.difficulty import shipped_levels
from heartrush_agents.heretics.captain import CAPTAIN
from heartrush_agents.heretics.charger import CHARGER
from heartrush_agents.learned.agent import read_agent
from heartrush_env.tabletop.game import Game


def _beat_player(game: Game) -> Player:
    """Return a player of the exact solution of a duel in beats."""
    from heartrush_agents.heretics.equilibrium import BeatPlayer  # compiled code, loaded when it is needed

    return BeatPlayer(game)


def _why_not_solved(game: Game) -> str | None:
    """Return why a game is not a duel in beats that can be solved, as a clause, or None if it is one."""
    from heartrush_agents.heretics.equilibrium import why_not_solved

    return why_not_solved(game)


EQUILIBRIUM = Agent(
    "heretics_equilibrium",
    "Plays the exact solution of its duel in beats, which no opponent beats in the long run; it solves the duel first.",
    _beat_player,
    games=("heretics",),
    why_unsupported=_why_not_solved,
)
VIEWS = {"beats": "heartrush_agents.heretics.beat_network:read_beats"}  # of weights for duels in beats
WEIGHTS = Path(__file__).parent / "weights"


@cache
def _fencer() -> Agent:
    """Return the agent of the shipped weights, read when they are needed."""
    return read_agent(WEIGHTS / FENCER.id, VIEWS)


def _fencing(game: Game) -> Player:
    """Return a player of the shipped network."""
    return _fencer().make(game)


def _why_not_fenced(game: Game) -> str | None:
    """Return why the network cannot play a game, as a clause, or None if it can."""
    return _fencer().plays(game)


def _doubt(game: Game) -> str | None:
    """Return a warning about a duel that the network was not trained on, as a clause, or None."""
    caution = _fencer().caution
    return None if caution is None else caution(game)


FENCER = Agent(
    "heretics_fencer",
    "Plays the shipped duels in beats by a network, close to their exact solutions.",
    _fencing,
    games=("heretics",),
    why_unsupported=_why_not_fenced,
    caution=_doubt,
)
UNLISTED = (replace(CAPTAIN, levels=shipped_levels(CAPTAIN.id, "heretics")), CHARGER, EQUILIBRIUM, FENCER)
USUAL, YARDSTICK = CAPTAIN.id, CHARGER.id
PLAYERS = {"beginner": CHARGER.id, "practised": CAPTAIN.id}
POPULATION = ("random", "uniform", CHARGER.id, CAPTAIN.id)
