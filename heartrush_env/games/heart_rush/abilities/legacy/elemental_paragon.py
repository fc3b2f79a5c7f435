"""Elemental Paragon."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.cantrips import casts_blast
from heartrush_env.games.heart_rush.abilities.further_attacks import has_another_target
from heartrush_env.games.heart_rush.abilities.unit import ability
from heartrush_env.games.heart_rush.rules.terms import FEET, RANGED
from heartrush_env.games.heart_rush.scenario.catalog import data

ATTUNEMENT = data("weapons.toml")["attunement"]["paragon"]
BOLT, BLAST = ATTUNEMENT["ranged_ft"] // FEET, ATTUNEMENT["melee_ft"] // FEET


@ability("elemental_paragon", rulings=["R-271"], left_out="what an attunement grants besides cantrips")
class ElementalParagon:
    """The owner's bolts carry 120 feet, and its blasts strike any number of creatures within 10 feet."""

    def begin(fight, i, slot):
        fighter = fight.fighters[i]
        for k in range(len(fighter.sets)):
            if fighter.cantrips[k] > 0:
                fighter.sets[k].range = BOLT if fighter.sets[k].attack_type == RANGED else BLAST

    def follows_up(fight, i, slot, target):
        return casts_blast(fight.fighters[i]) and has_another_target(fight, i)
