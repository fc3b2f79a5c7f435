"""Abilities of the Skittering Horror's carapace: Sandstorm, Sinkhole, Grit."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figure, term
from heartrush_env.games.heart_rush.rules.abilities import note, notes, remember
from heartrush_env.games.heart_rush.rules.conditions import spread
from heartrush_env.games.heart_rush.rules.cover import is_enemy_within
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.pulls import pull
from heartrush_env.games.heart_rush.rules.saves import roll_save
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, BLINDED, FEET, FROM_ABILITY, PRONE, SLOWED, STANDING
from heartrush_env.tabletop.rng import roll_sum

RADIUS = figure("skittering_horror_carapace.sandstorm", "radius_ft")
DAMAGE = dice("skittering_horror_carapace.sandstorm", "damage")[0]
SLOWS, BLINDS = (figure("skittering_horror_carapace.sandstorm", name) for name in ("slowed", "blinded"))
SINKS_WITHIN, PULL, AGAINST = (
    figure("skittering_horror_carapace.sinkhole", name) for name in ("radius_ft", "pull_ft", "against")
)
SAVE = term("skittering_horror_carapace.sinkhole", "save", ABILITIES)
LEAST, CLOGS = (figure("skittering_horror_carapace.grit", name) for name in ("least_ft", "slowed"))


@ability("skittering_horror_carapace.sandstorm", rulings=["R-189"])
class Sandstorm:
    """As each round starts, enemies near the owner take damage and are slowed and blinded."""

    def round_starts(fight, i, slot, log):
        for j in range(fight.n if fight.fighters[i].status == STANDING else 0):
            if is_enemy_within(fight, i, j, RADIUS):
                add_late_hit(fight, j, i, FROM_ABILITY, roll_sum(fight, DAMAGE[0], DAMAGE[1]))
                spread(fight, i, j, SLOWED, SLOWS)
                spread(fight, i, j, BLINDED, BLINDS)


@ability("skittering_horror_carapace.sinkhole", rulings=["R-189", "R-240"], needs="cells")
class Sinkhole:
    """As each round starts, enemies near the owner are pulled toward its center unless they save with might."""

    def round_starts(fight, i, slot, log):
        for j in range(fight.n if fight.fighters[i].status == STANDING else 0):
            if is_enemy_within(fight, i, j, SINKS_WITHIN) and not roll_save(fight, log, j, i, SAVE, AGAINST):
                pull(fight, log, i, j, PULL)


@ability("skittering_horror_carapace.grit", rulings=["R-189"], needs="cells")
class Grit:
    """An enemy that has hardly moved in a round, or is prone at its end, is slowed in the next round.

    The memo is the set of these enemies.
    """

    def round_ends(fight, i, slot, log):
        for j in range(fight.n if fight.fighters[i].status == STANDING else 0):
            other = fight.fighters[j]
            stuck = other.squares_moved * FEET < LEAST or has(other, PRONE)
            note(fight, i, slot, j, other.team != fight.fighters[i].team and other.status == STANDING and stuck)

    def round_starts(fight, i, slot, log):
        for j in range(fight.n):
            if notes(fight, i, slot, j) and fight.fighters[j].status == STANDING:
                spread(fight, i, j, SLOWED, CLOGS)
        remember(fight, i, slot, 0)
