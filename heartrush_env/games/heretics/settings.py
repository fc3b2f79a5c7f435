"""The settings: those rules that a group of players might reasonably want to play differently."""

from typing import Final

from heartrush_env.games.heretics.weapons import LIBRARY
from heartrush_env.tabletop.scenario.settings import Settings

SETTINGS: Final = Settings(LIBRARY.table("settings.toml"))
# The settings of the profile "plain", which override those of the scenario.
PLAIN_DUEL: Final = {"duel_fumble": "none", "duel_sunder": "off", "duel_shield": "off", "duel_yield": "off"}
