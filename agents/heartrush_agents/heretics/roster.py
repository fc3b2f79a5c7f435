"""The agents of Heretics, which `load` knows by id, and the population of its arena."""

from __future__ import annotations

from dataclasses import replace
from functools import cache, partial
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
def _read(id: str) -> Agent:
    """Return the agent of shipped weights, read when they are needed."""
    return read_agent(WEIGHTS / id, VIEWS)


def _seat(id: str, game: Game) -> Player:
    """Return a player of a shipped network."""
    return _read(id).make(game)


def _why_not(id: str, game: Game) -> str | None:
    """Return why a shipped network cannot play a game, as a clause, or None if it can."""
    return _read(id).plays(game)


def _doubt(id: str, game: Game) -> str | None:
    """Return a warning about a game that a shipped network was not trained on, as a clause, or None."""
    return _read(id).caution(game)


def _network(id: str, about: str) -> Agent:
    """Return the agent of shipped weights, without reading them."""
    return Agent(
        id,
        about,
        partial(_seat, id),
        games=("heretics",),
        why_unsupported=partial(_why_not, id),
        caution=partial(_doubt, id),
    )


FENCER = _network("heretics_fencer", "Plays the shipped duels in beats by a network, close to their exact solutions.")
VETERAN = _network("heretics_veteran", "Corrects the captain by a network that was trained against it.")
LEVELLED = tuple(replace(agent, levels=shipped_levels(agent.id, "heretics")) for agent in (CAPTAIN, VETERAN))
UNLISTED = (*LEVELLED, CHARGER, EQUILIBRIUM, FENCER)
USUAL, YARDSTICK = CAPTAIN.id, CHARGER.id
PLAYERS = {"beginner": CHARGER.id, "practised": CAPTAIN.id}
POPULATION = ("random", "uniform", CHARGER.id, CAPTAIN.id)
