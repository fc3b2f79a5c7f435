"""The Action Phase > Actions You Can Take > Object Interaction, on a map: the other weapon and shield."""

from __future__ import annotations

from heartrush_env.core.rule import compiled
from heartrush_env.heart_rush.engine.events import SWAP_EVENT, tell
from heartrush_env.heart_rush.rules.choices import ON_MAPS, Cost, action
from heartrush_env.heart_rush.rules.terms import NOBODY


@action(
    "swap",
    words="swap to {spare}",
    tells="{fighter} swaps weapons",
    cost=Cost.INTERACTION,
    heading="Combat > The Action Phase > Actions You Can Take > Object Interaction",
    needs=ON_MAPS,
)
class Swap:
    """The other weapon and shield come to hand; what was in hand is carried, unless its weapon lies on the floor."""

    def may(fight, i, target, detail):
        return fight.fighters[i].has_spare

    def do(fight, log, i, target, detail):
        fighter = fight.fighters[i]
        exchange(fighter.sets[0], fighter.sets[1])
        take_in_hand(fighter, fighter.sets[0])
        fighter.has_spare = fighter.armed
        fighter.armed = 1
        tell_swap(fight, log, i)


@compiled
def exchange(held, spare):
    """What was spare is held, and the other way round."""
    held.weapon_die, spare.weapon_die = spare.weapon_die, held.weapon_die
    held.attack_type, spare.attack_type = spare.attack_type, held.attack_type
    held.damage_type, spare.damage_type = spare.damage_type, held.damage_type
    held.weapon_hands, spare.weapon_hands = spare.weapon_hands, held.weapon_hands
    held.natural_weapon, spare.natural_weapon = spare.natural_weapon, held.natural_weapon
    held.shield, spare.shield = spare.shield, held.shield
    held.shield_hands, spare.shield_hands = spare.shield_hands, held.shield_hands
    held.range, spare.range = spare.range, held.range
    held.reach, spare.reach = spare.reach, held.reach
    held.speed, spare.speed = spare.speed, held.speed


@compiled
def take_in_hand(fighter, held):
    """The fighter's weapon and shield are these."""
    fighter.weapon_die = held.weapon_die
    fighter.attack_type = held.attack_type
    fighter.damage_type = held.damage_type
    fighter.weapon_hands = held.weapon_hands
    fighter.natural_weapon = held.natural_weapon
    fighter.shield = held.shield
    fighter.shield_hands = held.shield_hands


@compiled
def tell_swap(fight, log, i):
    """What a fighter has taken in hand."""
    fighter = fight.fighters[i]
    number = tell(fight, log, SWAP_EVENT, i, NOBODY, fighter.shield, fighter.weapon_die)
    if number != NOBODY:
        log.events[number].before = fighter.attack_type
        log.events[number].after = fighter.damage_type
