"""The two sides of an encounter, the party and the monsters, and the agents that play them."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from os import PathLike
from typing import Any

import numpy as np
from heartrush_agents import Agent, AgentError, load
from heartrush_agents.base import AgentLike
from heartrush_agents.registry import usual_agent
from numpy.typing import NDArray

from heartrush_env.tabletop.errors import ScenarioError, ScenarioWarning
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.registry import DEFAULT_GAME, open_game
from heartrush_env.tabletop.validate import join_or, suggestion


@dataclass(frozen=True)
class Encounter:
    """A fight between a party and all other teams, with the agent of each team."""

    game: Game
    party: tuple[str, ...]  # teams
    agents: Mapping[str, Agent]  # by team

    @property
    def teams(self) -> tuple[str, ...]:
        """The teams, in the order of their first fighters."""
        return tuple(dict.fromkeys(self.game.teams))

    @cached_property
    def in_party(self) -> NDArray[np.bool_]:
        """Whether each fighter is in the party, in agent order."""
        return np.array([team in self.party for team in self.game.teams])

    @cached_property
    def party_teams(self) -> NDArray[np.bool_]:
        """Whether each team belongs to the party, in order."""
        return np.array([team in self.party for team in self.teams])

    @property
    def heroes(self) -> tuple[str, ...]:
        """The agent names of the party's members."""
        return self._members(True)

    @property
    def monsters(self) -> tuple[str, ...]:
        """The agent names of all other fighters."""
        return self._members(False)

    def _members(self, party: bool) -> tuple[str, ...]:
        return tuple(
            name for name, inside in zip(self.game.agents, self.in_party, strict=True) if bool(inside) is party
        )

    def seated(self, agents: Mapping[str, AgentLike]) -> Encounter:
        """Return this encounter with the agent of each team.

        Raises:
            AgentError: A team is not known, or an agent cannot play the game.
        """
        teams = self.teams
        for team in agents:
            if team not in teams:
                raise AgentError(f"Expected a team of {self.game.scenario_name!r} ({join_or(teams)}), got {team!r}.")
        seated = {team: load(agents[team]) for team in teams}
        for agent in seated.values():
            agent.seat(self.game)  # raises AgentError if the agent cannot play
        return replace(self, agents=seated)

    def compile(self) -> None:
        """Compile everything that the fights need, so that worker processes find it in the cache."""
        self.game.batch(1).start([0], 0, [0])

    @property
    def lineup(self) -> list[Agent]:
        """The agent of each team, in order."""
        return [self.agents[team] for team in self.teams]


def encounter(
    scenario: str | PathLike[str] | Mapping[str, Any],
    rules: Mapping[str, Any] | None = None,
    *,
    game: str = DEFAULT_GAME,
    party: str | None = None,
    heroes: AgentLike | None = None,
    monsters: AgentLike | None = None,
    agents: Mapping[str, AgentLike] | None = None,
) -> Encounter:
    """Make an encounter of a scenario.

    Args:
        scenario: A name, a path, a table, or a loaded scenario.
        rules: Settings that override the scenario's own.
        game: The name of the game.
        party: The team of the party; by default the teams that the scenario lists as heroes.
        heroes: The agent that plays the party; by default the game's usual agent.
        monsters: The agent that plays all other teams; by default the game's usual agent.
        agents: Agents of individual teams, by team; they override `heroes` and `monsters`.

    Raises:
        ScenarioError: The scenario is not valid, or neither it nor `party` specifies the party's team.
        AgentError: An agent cannot play the scenario.
    """
    opened = open_game({"game": game, "scenario": scenario, **({"rules": rules} if rules else {})}, "")
    base, usual = Encounter(opened, (), {}), usual_agent(game)
    base = replace(base, party=_party(base, party))
    sides = {team: (heroes if team in base.party else monsters) or usual for team in base.teams}
    return base.seated({**sides, **(agents or {})})


def _party(met: Encounter, team: str | None) -> tuple[str, ...]:
    """Return the teams of the party."""
    name, teams = met.game.scenario_name, met.teams
    if team is not None:
        if team not in teams:
            hint = suggestion(team, teams)
            raise ScenarioError(f"party: expected a team of {name!r} ({join_or(teams)}), got {team!r}{hint}.")
        return (team,)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ScenarioWarning)  # opening the game has warned already
        heroes = heroes_of(met.game.as_table()["scenario"])
    if not heroes or set(heroes) == set(teams):
        found = "heroes on every side" if heroes else "no heroes"
        raise ScenarioError(f"{name!r}: name the party's team ({join_or(teams)}), since the scenario has {found}.")
    return heroes


def heroes_of(table: Mapping[str, Any]) -> tuple[str, ...]:
    """Return the teams of heroes in a scenario's table: none, one that is named by a word, or those of a list."""
    heroes: str | Sequence[str] = table.get("heroes", ())
    return (heroes,) if isinstance(heroes, str) else tuple(heroes)
