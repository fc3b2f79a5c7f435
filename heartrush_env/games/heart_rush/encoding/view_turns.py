"""The part of a view that only editions with turns have: which side has priority, and the engagement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrush_env.games.heart_rush.encoding.features import Row
from heartrush_env.games.heart_rush.encoding.turns import IN_TURNS, TURNS
from heartrush_env.games.heart_rush.encoding.view_start import Fields, Numbers, Owners
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.tabletop.validate import unknown_name
from heartrush_env.tabletop.views import ViewError

SIDES = ("priority", "engaged")  # fields that name a team


class TurnView:
    """A reader and writer of the features of turns."""

    def __init__(self, scenario: Scenario, row: Row) -> None:
        self._team = {sheet.agent: sheet.team for sheet in scenario.fighters}
        self._teams, self._row = scenario.teams, row

    def read(self, seen: Numbers, owners: Owners) -> dict[str, Any]:
        """Return the team with priority, the engaged team, the passes in a row, and the fighters in the engagement."""
        flags = {agent: self._row.read(seen, IN_TURNS, owner) for agent, owner in owners.items()}
        sides = {name: next((self._team[agent] for agent, told in flags.items() if told[name]), None) for name in SIDES}
        joined = [agent for agent in self._team if flags[agent]["joined"]]
        return {**sides, "passed": self._row.read(seen, TURNS)["passed"], "joined": joined}

    def write(self, view: Fields, owners: Owners, seen: Numbers) -> None:
        """Write what `read` returns; an omitted field means no team, no passes or no fighters."""
        told = view.get("turns") or {}
        for name in SIDES:
            if told.get(name) not in (None, *self._teams):
                raise ViewError(f"turns, {name}: {unknown_name('team', told[name], self._teams)}")
        joined = self._joined(told)
        moment = {"engagement": told.get("engaged") is not None, "passed": told.get("passed", 0)}
        self._row.show(moment, seen, TURNS)
        for agent, owner in owners.items():
            sides = {name: told.get(name) == self._team[agent] for name in SIDES}
            self._row.show({**sides, "joined": agent in joined}, seen, IN_TURNS, owner)

    def _joined(self, told: Mapping[str, Any]) -> list[str]:
        """Return the fighters in the engagement; raise ViewError for an unknown name."""
        joined: list[str] = told.get("joined", [])
        for agent in joined:
            if agent not in self._team:
                raise ViewError(f"turns, joined: {unknown_name('fighter', agent, self._team)}")
        return joined
