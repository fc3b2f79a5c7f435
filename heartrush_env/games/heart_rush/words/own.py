"""The words of Heart Rush: its narration and its menus, for front ends of any game."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.words.introduction import introduction
from heartrush_env.games.heart_rush.words.narrator import Narrator
from heartrush_env.games.heart_rush.words.offers import offers
from heartrush_env.games.heart_rush.words.rounds import by_round
from heartrush_env.tabletop.game import Event
from heartrush_env.tabletop.words import Offer


class OwnWords:
    """The words for one scenario of Heart Rush."""

    def __init__(self, scenario: Scenario) -> None:
        """Prepare the words for fights of this scenario."""
        self._scenario = scenario

    @property
    def names(self) -> Mapping[str, str]:
        """The display name of each fighter."""
        return {sheet.agent: sheet.name for sheet in self._scenario.fighters}

    def teller(self) -> Narrator:
        """Return a narrator of a new fight."""
        return Narrator(self._scenario)

    def introduction(self, players: Mapping[str, str]) -> list[str]:
        """Return lines about the fighters, their gear, their players and the map."""
        return introduction(self._scenario, players)

    def by_round(self, events: Sequence[Event]) -> list[str]:
        """Return each round in one line: the stances, then every fighter's state."""
        return by_round(self._scenario, events)

    def offers(self, seat: str, view: Mapping[str, Any], legal: Mapping[int, str]) -> list[Offer]:
        """Return a seat's legal choices in menu order."""
        return offers(self._scenario, seat, view, legal)
