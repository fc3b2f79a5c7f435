"""The part of a view that only editions with turns have: which side has priority, and the engagement."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from heartrush_env.games.heart_rush.encoding.shapes import Shape
from heartrush_env.games.heart_rush.encoding.turns import IN_TURNS, N_IN_TURNS, N_TURNS, TURNS
from heartrush_env.games.heart_rush.encoding.view_start import Fields, Numbers
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Scenario
from heartrush_env.games.heart_rush.state.record import WINDOWS_OF_TURNS
from heartrush_env.tabletop.validate import unknown_name
from heartrush_env.tabletop.views import ViewError

SIDES = ("priority", "engaged")  # fields that name a team


class TurnView:
    """A reader and writer of the features of turns, which begin at index `at` of an observation."""

    def __init__(self, scenario: Scenario, shape: Shape, at: int) -> None:
        self._sheets, self._teams = {sheet.agent: sheet for sheet in scenario.fighters}, scenario.teams
        self._enemies, self._at = shape.enemies, at

    def window(self, seen: Numbers) -> str | None:
        """Return the open window if only editions with turns have it, else None."""
        moment = TURNS.read(seen, self._at)
        return next((name for name in WINDOWS_OF_TURNS if moment[f"window {name}"]), None)

    def read(self, seen: Numbers, viewer: FighterSheet) -> dict[str, Any]:
        """Return the team with priority, the engaged team, the passes in a row, and the fighters in the engagement."""
        flags = {agent: IN_TURNS.read(seen, at) for agent, at in self._places(viewer).items()}
        sides = {
            name: next((self._sheets[agent].team for agent, told in flags.items() if told[name]), None)
            for name in SIDES
        }
        joined = [agent for agent in self._sheets if flags[agent]["joined"]]
        return {**sides, "passed": TURNS.read(seen, self._at)["passed"], "joined": joined}

    def write(self, view: Fields, viewer: FighterSheet, seen: Numbers) -> None:
        """Write what `read` returns; an omitted field means no team, no passes or no fighters."""
        told = view.get("turns") or {}
        for name in SIDES:
            if told.get(name) not in (None, *self._teams):
                raise ViewError(f"turns, {name}: {unknown_name('team', told[name], self._teams)}")
        joined = self._joined(told)
        moment = {f"window {name}": view["window"] == name for name in WINDOWS_OF_TURNS}
        moment |= {"engagement": told.get("engaged") is not None, "passed": told.get("passed", 0)}
        TURNS.show(moment, seen, self._at)
        for agent, at in self._places(viewer).items():
            sides = {name: told.get(name) == self._sheets[agent].team for name in SIDES}
            IN_TURNS.show({**sides, "joined": agent in joined}, seen, at)

    def _joined(self, told: Mapping[str, Any]) -> list[str]:
        """Return the fighters in the engagement; raise ViewError for an unknown name."""
        joined: list[str] = told.get("joined", [])
        for agent in joined:
            if agent not in self._sheets:
                raise ViewError(f"turns, joined: {unknown_name('fighter', agent, self._sheets)}")
        return joined

    def _places(self, viewer: FighterSheet) -> dict[str, int]:
        """Return where each fighter's features begin: the viewer, then its enemies, then its allies."""
        others = [sheet for sheet in self._sheets.values() if sheet is not viewer]
        enemies = [sheet.agent for sheet in others if sheet.team != viewer.team]
        allies = [sheet.agent for sheet in others if sheet.team == viewer.team]
        places = {viewer.agent: 0, **{agent: 1 + place for place, agent in enumerate(enemies)}}
        places |= {agent: 1 + self._enemies + place for place, agent in enumerate(allies)}
        return {agent: self._at + N_TURNS + place * N_IN_TURNS for agent, place in places.items()}
