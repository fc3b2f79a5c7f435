"""Other Offensive Actions > Grappling: taking hold, letting go, and dragging the held creature.

The squeeze in place of a push is in might_push.py, breaking free in actions/break_free.py.
"""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules import hooks
from heartrush_env.games.heart_rush.rules.choices import Contest, maneuver
from heartrush_env.games.heart_rush.rules.conditions import gain_from, lose
from heartrush_env.games.heart_rush.rules.contests import MIGHT_OR_AGILITY, roll_side, sizes_larger, wins_contest
from heartrush_env.games.heart_rush.rules.movement import is_carried_by, is_stoppable, place
from heartrush_env.games.heart_rush.rules.parts import body_of
from heartrush_env.games.heart_rush.rules.places import tell_carried
from heartrush_env.games.heart_rush.rules.sheet import halved, has
from heartrush_env.games.heart_rush.rules.space import distance, next_to, on_map
from heartrush_env.games.heart_rush.rules.terms import (
    GRAPPLE,
    GRAPPLED,
    GRAPPLING,
    MIGHT,
    NOBODY,
    SIZE_DIFFERENCE,
    STANDING,
)
from heartrush_env.games.heart_rush.state.events import (
    BY_DRAGGING,
    MANEUVER,
    MOVE,
    tell,
    tell_abilities,
    tell_attack_roll,
    tell_defense_roll,
    tell_square,
)
from heartrush_env.tabletop.rule import compiled, rule


@maneuver(
    "grapple",
    words="grapple {target}: a contest",
    tells="{fighter} tries to grapple {target}",
    heading="Combat > Other Offensive Actions > Grappling",
    contest=Contest(MIGHT, MIGHT_OR_AGILITY, size_counts=True),
    windows=("attack", "follow"),
)
class Grapple:
    """A fighter with a free hand takes hold of a creature that no fighter holds."""

    def may(fight, i, target, detail):
        return is_unheld(fight, i, target) and free_hands(fight.fighters[i]) >= 1

    def may_in_follow(fight, i, target, detail):
        return may_squeeze(fight, i, target)

    def do(fight, log, i, target, detail):
        if takes_hold(fight, i, target) and not has(fight.fighters[target], GRAPPLED):
            take_hold(fight, i, target)

    @rule("Combat > Other Offensive Actions > Grappling > Grappling Requirements", "R-10")
    def total(fight, i, total):
        """Return the grapple total, halved and rounded up if the fighter has only one free hand."""
        return halved(total) if free_hands(fight.fighters[i]) == 1 else total


@compiled
def is_unheld(fight, i, target):
    """Return whether fighter i holds no creature, and no fighter holds the target, which can be held."""
    held = fight.fighters[i].grappling != NOBODY or has(fight.fighters[target], GRAPPLED)
    return not held and not hooks.unheld(fight, target)


@rule("Combat > Other Offensive Actions > Grappling", "R-241")
def may_be_seized(fight, i, target):
    """Return whether fighter i can take hold of the target at once, which needs no free hand: they are adjacent."""
    stands = fight.fighters[target].status == STANDING
    return stands and takes_hold(fight, i, target) and is_unheld(fight, i, target)


@rule("Combat > Other Offensive Actions > Grappling", "R-33")
def takes_hold(fight, i, target):
    """Return whether fighter i can take hold: it is standing and still next to its target."""
    return fight.fighters[i].status == STANDING and next_to(fight, i, target)


@rule("Combat > Other Offensive Actions > Grappling > Grappling Requirements")
def free_hands(fighter):
    """Return the number of free hands: two, minus the hands used by weapon and shield."""
    return 2 - (fighter.weapon_hands if fighter.armed else 0) - fighter.shield_hands


@rule("Combat > Other Offensive Actions > Grappling")
def size_advantage(fight, i, target):
    """Return fighter i's advantage in a grapple: one level for each size that it is larger than the target, else 0."""
    return max(0, -sizes_larger(fight, i, target))


# Grapple checks outside the maneuver.


@rule("Combat > Other Offensive Actions > Grappling", "R-1", "R-57", "R-244")
def wins_grapple(fight, log, i, target, levels):
    """Roll fighter i's grapple check, with these further levels, and then the target's; return whether i wins."""
    number = tell(fight, log, MANEUVER, i, target, GRAPPLE, 0)
    own = roll_grapple(fight, i, target, levels)
    tell_attack_roll(fight, log, number)
    opposing = resist_grapple(fight, target, i)
    tell_defense_roll(fight, log, number)
    tell_abilities(fight, log, number, i, target)
    if number != NOBODY:
        log.events[number].attack_total = own  # a one-handed grapple counts half
        log.events[number].flag = wins_contest(own, opposing)
    return wins_contest(own, opposing)


@compiled
def roll_grapple(fight, i, target, levels):
    """Roll fighter i's might in a grapple check."""
    size, more = size_advantage(fight, i, target), hooks.contest_of(fight, i, target, GRAPPLE, True) + levels
    total = roll_side(fight, i, target, MIGHT, size, SIZE_DIFFERENCE, more, fight.attack_roll)
    return halved(total) if free_hands(fight.fighters[i]) == 1 else total


@compiled
def resist_grapple(fight, target, i):
    """Roll the target's might or agility in a grapple check."""
    size, more = size_advantage(fight, target, i), hooks.contest_of(fight, target, i, GRAPPLE, False)
    return roll_side(fight, target, i, MIGHT_OR_AGILITY, size, SIZE_DIFFERENCE, more, fight.defense_roll)


# The hold.


@compiled
def take_hold(fight, i, target):
    """Make fighter i hold the target."""
    fight.fighters[i].grappling = target
    gain_from(fight.fighters[i], GRAPPLING, 1, target)
    gain_from(fight.fighters[target], GRAPPLED, 1, i)


@rule("Combat > Other Offensive Actions > Grappling", "R-52")
def let_go(fight, i):
    """End fighter i's grapple."""
    held = fight.fighters[i].grappling
    if held != NOBODY:
        fight.fighters[i].grappling = NOBODY
        lose(fight.fighters[i], GRAPPLING)
        lose(fight.fighters[held], GRAPPLED)


@compiled
def end_holds_out_of_reach(fight):
    """End every hold whose two fighters are no longer adjacent."""
    for i in range(fight.n):
        held = fight.fighters[i].grappling
        if held != NOBODY and distance(fight, i, held) > 1:
            let_go(fight, i)


# The effects of a hold on movement and pushes.


@compiled
def drag(fight, log, holder, x, y):
    """Drag the held fighter to x, y, where its holder was, or else free it; do nothing if one rides the other."""
    held = fight.fighters[holder].grappling
    if held == NOBODY or is_carried_by(fight, held, holder) or is_carried_by(fight, holder, held):
        return
    if pull_along(fight, holder, x, y):
        tell_square(fight, log, MOVE, held, holder, BY_DRAGGING, x, y)
        tell_carried(fight, log, held)
    else:
        let_go(fight, holder)


@on_map(True)
@rule("Combat > Other Offensive Actions > Grappling", "R-149")
def pull_along(fight, i, x, y):
    """Move fighter i's captive to x, y, where i was, if it fits there and is not a part; return whether it moved."""
    held = fight.fighters[i].grappling
    if body_of(fight, held) != NOBODY or not is_stoppable(fight, held, x, y):
        return False
    place(fight, held, x, y)
    return True


@on_map(False)
@rule("Combat > Other Offensive Actions > Grappling", "R-80")
def may_squeeze(fight, i, target):
    """Return whether fighter i is about to push the target while holding it, and so may squeeze it instead."""
    return fight.fighters[i].squeezes and target == fight.fighters[i].grappling
