"""Night's Embrace."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figures
from heartrush_env.games.heart_rush.rules.abilities import version
from heartrush_env.games.heart_rush.rules.environment import BRIGHT
from heartrush_env.games.heart_rush.rules.healing import heal
from heartrush_env.games.heart_rush.rules.space import on_map
from heartrush_env.games.heart_rush.rules.terms import STANDING
from heartrush_env.tabletop.rule import compiled

HEAL = figures("nights_embrace", "heal")


@ability("nights_embrace")
class NightsEmbrace:
    """In dim light or darkness, the owner heals as a round starts, if it is conscious."""

    def round_starts(fight, i, slot, log):
        if fight.fighters[i].status == STANDING and is_gloomy(fight):
            heal(fight, log, i, i, HEAL[version(fight, i, slot)])


@on_map(False)
@compiled
def is_gloomy(fight):
    """Return whether the light of the map is dim or dark; False without a map."""
    return fight.light != BRIGHT
