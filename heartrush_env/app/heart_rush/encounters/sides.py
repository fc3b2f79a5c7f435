"""The two sides of an encounter, the party and the monsters, and the agents that play them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from heartrush_agents import Agent, AgentError, load
from heartrush_agents.base import AgentLike
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush, as_heart_rush
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.registry import open_game
from heartrush_env.tabletop.validate import join_or, suggestion


@dataclass(frozen=True)
class Encounter:
    """A fight between a party and all other teams, with the agent of each team."""

    game: HeartRush
    party: tuple[str, ...]  # teams
    agents: Mapping[str, Agent]  # by team

    @property
    def scenario(self) -> Scenario:
        """The scenario of the fight."""
        return self.game.scenario

    @property
    def fighters(self) -> tuple[FighterSheet, ...]:
        """The fighters in agent order."""
        return self.game.scenario.fighters

    @cached_property
    def in_party(self) -> NDArray[np.bool_]:
        """Whether each fighter is in the party, in agent order."""
        return np.array([sheet.team in self.party for sheet in self.fighters])

    @cached_property
    def party_teams(self) -> NDArray[np.bool_]:
        """Whether each team belongs to the party, in order."""
        return np.array([team in self.party for team in self.scenario.teams])

    @property
    def heroes(self) -> tuple[str, ...]:
        """The agent names of the party's members."""
        return tuple(sheet.agent for sheet in self.fighters if sheet.team in self.party)

    def seated(self, agents: Mapping[str, AgentLike]) -> Encounter:
        """Return this encounter with the agent of each team.

        Raises:
            AgentError: A team is not known, or an agent cannot play the game.
        """
        teams = self.scenario.teams
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
        return [self.agents[team] for team in self.scenario.teams]


def encounter(
    scenario: str | Path | Mapping[str, Any] | Scenario,
    rules: Mapping[str, Any] | None = None,
    *,
    party: str | None = None,
    heroes: AgentLike = "tactician",
    monsters: AgentLike = "tactician",
    agents: Mapping[str, AgentLike] | None = None,
) -> Encounter:
    """Make an encounter of a scenario.

    Args:
        scenario: A name, a path, a table, or a loaded scenario.
        rules: Settings that override the scenario's own.
        party: The team of the party; by default the teams that the scenario lists as heroes.
        heroes: The agent that plays the party.
        monsters: The agent that plays all other teams.
        agents: Agents of individual teams, by team; they override `heroes` and `monsters`.

    Raises:
        ScenarioError: The scenario is not valid, or neither it nor `party` specifies the party's team.
        AgentError: An agent cannot play the scenario.
    """
    game = as_heart_rush(open_game({"scenario": scenario, "rules": rules or {}}, ""))
    teams = game.scenario.teams
    found = _party(game.scenario, party)
    sides = {team: heroes if team in found else monsters for team in teams}
    return Encounter(game, found, {}).seated({**sides, **(agents or {})})


def _party(scenario: Scenario, team: str | None) -> tuple[str, ...]:
    """Return the teams of the party."""
    if team is not None:
        if team not in scenario.teams:
            hint = suggestion(team, scenario.teams)
            raise ScenarioError(
                f"party: expected a team of {scenario.name!r} ({join_or(scenario.teams)}), got {team!r}{hint}."
            )
        return (team,)
    if not scenario.heroes or set(scenario.heroes) == set(scenario.teams):
        found = "heroes on every side" if scenario.heroes else "no heroes"
        raise ScenarioError(
            f"{scenario.name!r}: name the party's team ({join_or(scenario.teams)}), since the scenario has {found}."
        )
    return scenario.heroes
