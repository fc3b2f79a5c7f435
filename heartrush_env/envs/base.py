"""The base classes of environments: independent copies, and the names of a game's actions and features."""

from __future__ import annotations

from copy import deepcopy
from typing import Self

from heartrush_env.tabletop.game import Game


class CopiedWhole:
    """A base class whose `copy.copy` copies everything, as `copy.deepcopy` does; shallow copies would share fights."""

    def __copy__(self) -> Self:
        """Return a copy that shares nothing with this environment."""
        return deepcopy(self)


class GameEnv(CopiedWhole):
    """The base class of every environment of a game."""

    game: Game

    def get_action_meanings(self) -> list[str]:
        """Return a stable name for each action."""
        return list(self.game.action_names)

    def get_feature_names(self) -> list[str]:
        """Return a stable name for each feature of an observation."""
        return list(self.game.feature_names)
