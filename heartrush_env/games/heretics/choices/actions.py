"""The actions of a fighter, and the free actions beside them."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import heading_of, rule
from heartrush_env.games.heretics.choices.unit import ACTS, AN_ACTION, choice
from heartrush_env.games.heretics.events import tell_reload
from heartrush_env.games.heretics.rules import attacks
from heartrush_env.games.heretics.rules.conditions import release
from heartrush_env.games.heretics.rules.dice import clear_causes, has
from heartrush_env.games.heretics.rules.fighters import holds_missile_weapon, is_able
from heartrush_env.games.heretics.rules.items import drop_weapon, pick_up, place_of, retrieve_slot
from heartrush_env.games.heretics.rules.morale import check_morale, give_up, may_intimidate
from heartrush_env.games.heretics.rules.stunts import break_free, may_stunt, try_stunt
from heartrush_env.games.heretics.weapons import ITEMS, LOADS, NO_ITEM
from heartrush_env.tabletop.choosing import NOBODY, Target
from heartrush_env.tabletop.rule import compiled

KINDS = len(terms.STUNTS)
DICE_ONLY = 2  # the setting advantage_use
ATTACKING = heading_of("Attacks")
STUNT = heading_of("Stunts")
DOING = heading_of("What a fighter may do")


# ------------------------------------------------------------------------------------------------------------ attacks


@compiled
def attack_mode(fight, i, deed):
    """Return how a fighter's attack is made."""
    return terms.THROWN if deed == terms.THROW else attacks.mode_of(fight.fighters[i], deed)


@compiled
def can_make(fight, i, target, deed):
    """Return whether the target is in range of this kind of attack."""
    if not is_able(fight, target):
        return False
    if deed == terms.THROW:
        return attacks.may_throw(fight, i, target)
    if deed == terms.UNARMED:
        return attacks.in_melee_range(fight, i, target, False)
    return attacks.may_attack(fight, i, target)


@rule("Attacks", "R-27")
def has_advantage(fight, i, target, deed):
    """Return whether anything gives an attack advantage now."""
    attacks.gather_causes(fight, i, target, attack_mode(fight, i, deed))
    found = fight.exchange.helps != 0
    clear_causes(fight)
    return found


@rule("Attacks", "R-15", "R-27")
def may_make(fight, i, target, deed):
    """Return whether an attack can be declared, or carried out with the stunt that its advantage was picked for."""
    if not can_make(fight, i, target, deed):
        return False
    use = np.int64(fight.fighters[i].picked[0])
    if use <= terms.DICE:
        return True
    possible = use > KINDS or may_stunt(fight, i, target, use - 1)
    return possible and has_advantage(fight, i, target, deed)


@rule("Attacks", "R-27")
def pick_use(fight, i):
    """Return the pick of an attack: what its advantage is used for, where it has one and a stunt is possible."""
    fighter = fight.fighters[i]
    target = np.int64(fighter.target)
    if fighter.picked[0] != NOBODY or fight.rules.advantage_use == DICE_ONLY:
        return NOBODY
    for stunt in range(KINDS):
        if may_stunt(fight, i, target, stunt):
            return terms.USE if has_advantage(fight, i, target, np.int64(fighter.deed)) else NOBODY
    return NOBODY


@choice("attack", windows=ACTS, words="attack {target}", target=Target.ENEMY, costs=AN_ACTION, heading=ATTACKING)
class Attack:
    """Attack with what is in hand, else with a natural weapon or fists."""

    def may(fight, i, target, detail):
        return may_make(fight, i, target, terms.ATTACK)

    next_pick = pick_use


@choice(
    "unarmed", windows=ACTS, words="strike {target} unarmed", target=Target.ENEMY, costs=AN_ACTION, heading=ATTACKING
)
class Unarmed:
    """Attack without the weapon that is held."""

    def may(fight, i, target, detail):
        return fight.fighters[i].held != NO_ITEM and may_make(fight, i, target, terms.UNARMED)

    next_pick = pick_use


@choice(
    "throw", windows=ACTS, words="throw the weapon at {target}", target=Target.ENEMY, costs=AN_ACTION, heading=ATTACKING
)
class Throw:
    """Throw the melee weapon that is held; it then lies in the target's square."""

    def may(fight, i, target, detail):
        return may_make(fight, i, target, terms.THROW)

    next_pick = pick_use


@choice("use", windows=(), words="use the advantage: {detail}", details=terms.USES, pick=True, heading=ATTACKING)
class Use:
    """The use of an advantage: its dice, or a stunt before or after the attack."""

    def may(fight, i, target, detail):
        if detail == terms.DICE:
            return True
        return may_stunt(fight, i, np.int64(fight.fighters[i].target), (detail - 1) % KINDS)


# ------------------------------------------------------------------------------------------------------------- stunts


def add_stunt(stunt, words):
    """Put a stunt that is an action by itself on the shelf."""

    @choice(terms.STUNTS[stunt], windows=ACTS, words=words, target=Target.ENEMY, costs=AN_ACTION, heading=STUNT)
    class Stunt:
        """Try a stunt against an adjacent enemy."""

        def may(fight, i, target, detail):
            return may_stunt(fight, i, target, stunt)

        def do(fight, log, i, target, detail):
            try_stunt(fight, log, i, target, stunt)


add_stunt(terms.BY_TRIP, "trip {target}")
add_stunt(terms.BY_DISARM, "disarm {target}")
add_stunt(terms.BY_SHOVE, "shove {target}")
add_stunt(terms.BY_GRAPPLE, "grapple {target}")
add_stunt(terms.BY_DIRT, "throw dirt at {target}")


@choice("break_free", windows=ACTS, words="break free", costs=AN_ACTION, heading=STUNT)
class BreakFree:
    """End being grappled."""

    def may(fight, i, target, detail):
        return has(fight.fighters[i], terms.GRAPPLED)

    def do(fight, log, i, target, detail):
        break_free(fight, log, i)


# -------------------------------------------------------------------------------------------------------------- items


@choice("stand_by", windows=ACTS, words="stand by", costs=AN_ACTION, fallback=True)
class StandBy:
    """Do nothing."""


@choice("reload", windows=ACTS, words="reload", costs=AN_ACTION, heading=DOING)
class Reload:
    """Load a crossbow again."""

    def may(fight, i, target, detail):
        fighter = fight.fighters[i]
        return holds_missile_weapon(fighter) and LOADS[fighter.held] and not fighter.loaded

    def do(fight, log, i, target, detail):
        fight.fighters[i].loaded = True
        tell_reload(fight, log, i)


@choice(
    "retrieve", windows=ACTS, words="take what is in slot {detail}", costs=AN_ACTION, heading=DOING,
    details=tuple(str(slot + 1) for slot in range(terms.INVENTORY)),
)  # fmt: skip
class Retrieve:
    """Take an item out of the inventory; a successful check leaves another action."""

    def may(fight, i, target, detail):
        return fight.fighters[i].inventory[detail] != NO_ITEM

    def do(fight, log, i, target, detail):
        retrieve_slot(fight, log, i, detail)


@choice("pick_up", windows=ACTS, words="pick up {detail}", costs=AN_ACTION, heading=DOING, details=ITEMS)
class PickUp:
    """Retrieve an item that lies in one's square, with the target number 1."""

    def may(fight, i, target, detail):
        return place_of(fight, i, detail) != NO_ITEM

    def do(fight, log, i, target, detail):
        pick_up(fight, log, i, detail)


@choice("drop", windows=ACTS, words="drop the weapon", heading=DOING, rulings=("R-19",))
class Drop:
    """Drop the weapon, free, before the action."""

    def may(fight, i, target, detail):
        return fight.fighters[i].held != NO_ITEM and fight.fighters[i].left[terms.ACTION] > 0

    def do(fight, log, i, target, detail):
        drop_weapon(fight, log, i)


@choice("let_go", windows=ACTS, words="let go", heading=DOING, rulings=("R-19",))
class LetGo:
    """Let go of those that one grapples, free, before the action."""

    def may(fight, i, target, detail):
        if fight.fighters[i].left[terms.ACTION] == 0:
            return False
        for j in range(fight.n):
            if has(fight.fighters[j], terms.GRAPPLED) and fight.fighters[j].grappler == i:
                return True
        return False

    def do(fight, log, i, target, detail):
        release(fight, log, i)


@choice(
    "intimidate", windows=ACTS, words="demand that they give up", costs=AN_ACTION,
    heading=heading_of("Morale, retreat, retainers"), rulings=("R-32",),
)  # fmt: skip
class Intimidate:
    """Make a morale check as an action, once a round a side, if half or fewer enemies are left."""

    def may(fight, i, target, detail):
        return may_intimidate(fight, i)

    def do(fight, log, i, target, detail):
        side = np.int64(fight.fighters[i].team)
        fight.intimidated[side] = True
        if check_morale(fight, log, i):
            give_up(fight, log, 1 - side, True)
