"""The abilities of the Queen Rat: Brood, Filthy Bite, Swap, Plague."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figure, term
from heartrush_env.games.heart_rush.rules.abilities import ON_DAMAGE, Aim
from heartrush_env.games.heart_rush.rules.conditions import inflict, spread
from heartrush_env.games.heart_rush.rules.cover import is_enemy_within
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.places import may_trade_places, trade_places
from heartrush_env.games.heart_rush.rules.saves import roll_save
from heartrush_env.games.heart_rush.rules.space import standing_beside
from heartrush_env.games.heart_rush.rules.taking_damage import pending_hit
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, FROM_ABILITY, NOBODY, POISONED, STANDING
from heartrush_env.tabletop.rng import roll_sum

ADVANTAGE = figure("queen_rat.brood", "advantage")
POISON = figure("queen_rat.filthy_bite", "poisoned")
RADIUS, DAMAGE = figure("queen_rat.plague", "radius_ft"), dice("queen_rat.plague", "damage")[0]
SAVE, AGAINST = term("queen_rat.plague", "save", ABILITIES), figure("queen_rat.plague", "against")
SICKNESS = figure("queen_rat.plague", "poisoned")


@ability("queen_rat.brood")
class Brood:
    """The owner's attacks and defenses have advantage while an ally is adjacent to it."""

    def attack(fight, i, slot, target, stance):
        return ADVANTAGE if standing_beside(fight, i, True) > 0 else 0

    def defense(fight, i, slot, striker, stance):
        return ADVANTAGE if standing_beside(fight, i, True) > 0 else 0


@ability("queen_rat.filthy_bite")
class FilthyBite:
    """A creature that the owner wounds is poisoned."""

    def wounded(fight, i, slot, log, victim, striker, rank):
        if striker == i:
            inflict(fight, i, victim, POISONED, POISON)


@ability("queen_rat.swap", on=[ON_DAMAGE], aim=Aim.ALLY, rulings=["R-239"], per_round=(1, 1), needs="cells")
class Swap:
    """Once a round, as damage is about to land on the owner, it trades places with an ally, and the damage is lost."""

    def may(fight, i, slot, target):
        hurt = pending_hit(fight, i) != NOBODY and not fight.dashing
        return hurt and may_trade_places(fight, i, target)

    def do(fight, log, i, slot, target):
        fight.hits[pending_hit(fight, i)].amount = 0
        trade_places(fight, log, i, target)


@ability("queen_rat.plague", rulings=["R-138"])
class Plague:
    """When stances are revealed, enemies near the owner take damage, and are poisoned unless they save with might."""

    def revealed(fight, i, slot, log):
        for j in range(fight.n):
            if fight.fighters[i].status == STANDING and is_enemy_within(fight, i, j, RADIUS):
                add_late_hit(fight, j, i, FROM_ABILITY, roll_sum(fight, DAMAGE[0], DAMAGE[1]))
                if not roll_save(fight, log, j, i, SAVE, AGAINST):
                    spread(fight, i, j, POISONED, SICKNESS)
