"""Warcaster."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.abilities.cantrips import (
    FURTHER,
    HARMLESS,
    HIT,
    OWN_BONUS,
    STUNNED_NOW,
    bring,
    cantrip_of,
    casts_blast,
    casts_bolt,
    is_doubled,
)
from heartrush_env.games.heart_rush.abilities.further_attacks import has_another_target, shove
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.engine.strikes import aim_of, attack_of, is_own_attack
from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.abilities import memo, note, notes, remember
from heartrush_env.games.heart_rush.rules.attack_rolls import armor_of, ignores_armor
from heartrush_env.games.heart_rush.rules.conditions import inflict
from heartrush_env.games.heart_rush.rules.cunning import inflict_cunning_levels
from heartrush_env.games.heart_rush.rules.dice import add_flat
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.stances import beats_target
from heartrush_env.games.heart_rush.rules.terms import (
    ATTACK,
    CUNNING,
    FROM_FOLLOW_UP,
    NO_DAMAGE_TYPE,
    NOBODY,
    OF_ARMOR,
    STANDING,
    STUNNED,
)
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.games.heart_rush.scenario.catalog import data

ATTUNEMENT = data("weapons.toml")["attunement"][abilities()["warcaster"].params["attunement"]]
MORE = ATTUNEMENT["targets"] - 1  # of a blast, besides the first
NO_PUSH = -1000  # feet, which no other push makes up for


@ability("warcaster", rulings=["R-268", "R-269", "R-270", "R-271", "R-272"], left_out="cheaper elemental talents")
class Warcaster:
    """The owner may use the cantrips of one element in place of weapons: bolts, and blasts that strike two creatures.

    Many cantrips deal no damage, and their hits bring conditions or pushes. The memo holds the sets of fighters that
    cantrips.py names.
    """

    def damage_type(fight, i, slot, stance, kind):
        """Return that a bolt favors no stance."""
        return np.int64(NO_DAMAGE_TYPE) if kind == stance and casts_bolt(fight.fighters[i]) else kind

    def rolled(fight, i, slot, kind, other, roll):
        """Count a roll of lightning twice against metal and water, and record a further target of a blast."""
        if kind != ATTACK:
            return
        if is_doubled(cantrip_of(fight.fighters[i]), fight.fighters[other]):
            roll.total = 2 * np.int64(roll.total)
        exchange = fight.exchange
        if exchange.cause == FROM_FOLLOW_UP and exchange.striker == i and casts_blast(fight.fighters[i]):
            note(fight, i, slot, FURTHER + other, True)

    def multiplies(fight, i, slot, target, damage):
        """Record a hit of the owner's own attack, and return no damage for a harmless cantrip."""
        cantrip = cantrip_of(fight.fighters[i])
        if cantrip > 0 and is_own_attack(fight, i):
            roll = fight.defense_roll if i == fight.exchange.striker else fight.attack_roll
            if attack_of(fight, i).total > roll.total:
                note(fight, i, slot, HIT + aim_of(fight, i, target), True)
        return np.int64(0) if HARMLESS[cantrip] else damage

    def follows_up(fight, i, slot, target):
        """Return whether a blast strikes one more; if so, count it in this round's uses."""
        fighter = fight.fighters[i]
        if not casts_blast(fighter) or fighter.uses_now[slot] >= MORE or not has_another_target(fight, i):
            return False
        fighter.uses_now[slot] += 1
        return True

    def engagement_ends(fight, i, slot):
        fight.fighters[i].uses_now[slot] = 0

    def effect(fight, i, slot, log, target):
        fighter = fight.fighters[i]
        if notes(fight, i, slot, FURTHER + target):
            note(fight, i, slot, FURTHER + target, False)
            if hooks.names_levels(fight, i, np.int64(NOBODY)) == NOBODY:
                if fighter.stance == CUNNING and beats_target(fight, i, target):
                    inflict_cunning_levels(fight, i, target, fighter.detail)
                shove(fight, log, i, target)
        if notes(fight, i, slot, HIT + target):
            note(fight, i, slot, HIT + target, False)
            bring(fight, log, i, slot, target, cantrip_of(fighter))

    def has_struck(fight, i, slot, log, striker):
        """Forget the hits on those that have fallen."""
        if striker == i:
            remember(fight, i, slot, memo(fight, i, slot) >> STUNNED_NOW << STUNNED_NOW)

    def pushes(fight, i, slot, target):
        """Return that a might bonus of its own takes the place of a blast's push."""
        return NO_PUSH if OWN_BONUS[cantrip_of(fight.fighters[i])] else 0

    def defense_of(fight, i, slot, defender, striker, stance):
        """Add the armor that a bolt with a might bonus of its own does not ignore."""
        differs = striker == i and OWN_BONUS[cantrip_of(fight.fighters[i])]
        if differs and ignores_armor(fight, i, defender, fight.exchange.beaten, stance):
            add_flat(fight.pool, OF_ARMOR, armor_of(fight, defender, i))
        return 0

    def round_ends(fight, i, slot, log):
        """Forget those whom something has freed."""
        for j in range(fight.n):
            if not has(fight.fighters[j], STUNNED):
                note(fight, i, slot, STUNNED_NOW + j, False)

    def round_starts(fight, i, slot, log):
        """Make those that were stunned in the last round stunned for this one too."""
        for j in range(fight.n):
            if notes(fight, i, slot, STUNNED_NOW + j):
                note(fight, i, slot, STUNNED_NOW + j, False)
                if fight.fighters[j].status == STANDING:
                    inflict(fight, i, j, STUNNED, 1)
