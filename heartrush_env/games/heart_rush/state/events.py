"""The events of a step, in order, with their causes, as the rules and the engine write them."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.dice import copy_pool
from heartrush_env.games.heart_rush.rules.hooks import with_abilities
from heartrush_env.games.heart_rush.rules.terms import (
    N_CONDITIONS,
    NO_STANCE,
    NOBODY,
)
from heartrush_env.games.heart_rush.state.log import MAX_EVENTS
from heartrush_env.tabletop.rule import compiled, inlined

EVENTS = (
    "round", "talk", "declare", "fizzle", "timing", "check", "reveal", "attack", "maneuver", "shrug", "damage", "wound",
    "condition", "stand", "down", "death", "yield", "end", "move", "push", "fall", "door", "swap", "rush",
    "priority", "engagement", "use", "heal", "grow", "object", "ground", "pick",
)  # fmt: skip
(
    ROUND_EVENT, TALK_EVENT, DECLARE, FIZZLE, TIMING, CHECK_EVENT, REVEAL, ATTACK_EVENT, MANEUVER, SHRUG_EVENT, DAMAGE,
    WOUND, CONDITION, STAND_EVENT, DOWN, DEATH, YIELD_EVENT, END, MOVE, PUSH, FALL, DOOR_EVENT, SWAP_EVENT, RUSH_EVENT,
    PRIORITY, ENGAGEMENT, USE_EVENT, HEAL_EVENT, GROW, OBJECT_EVENT, GROUND_EVENT, PICK_EVENT,
) = range(32)  # fmt: skip

# Ways of moving from one square to the next.
WAYS = ("dash", "sidestep", "follow", "swing", "drag", "carried", "climb", "off", "teleport")
(
    BY_DASH, BY_SIDESTEP, BY_FOLLOWING, BY_SWINGING, BY_DRAGGING, BY_BEARER, BY_CLIMBING, BY_COMING_OFF, BY_TELEPORT,
) = range(9)  # fmt: skip
# Why a side has priority: die or surprise as the round begins, another side's use or pass, or being engaged.
WHYS = ("roll", "surprise", "used", "passed", "engaged")
BY_DIE, BY_SURPRISE, USED, PASSED, ENGAGED = range(5)
# The detail of an object event: the effect of the object, or that its item is taken.
EFFECTS = ("open", "collapse", "drop", "take")
OPEN, COLLAPSE, DROP_ITEM, TAKE_ITEM = range(4)
# The detail of a push event: one more square, or the obstacle that stopped it there.
PUSHED_ON, STOPPED_BY_WALL, STOPPED_BY_FIGHTER = range(3)


@inlined
def tell(fight, log, kind, fighter, other, detail, amount):
    """Write an event if events are recorded; return its number, or NOBODY if none was written."""
    return write_event(log, kind, fighter, other, detail, amount) if fight.recording else NOBODY


@compiled
def write_event(log, kind, fighter, other, detail, amount):
    """Begin the next event of the log; return its number, or NOBODY if the log is full."""
    if log.count >= MAX_EVENTS:
        return NOBODY
    event = log.events[log.count]
    event.kind = kind
    event.fighter = fighter
    event.other = other
    event.detail = detail
    event.amount = amount
    event.stance = NO_STANCE
    event.hurt = NOBODY
    event.ability = NOBODY
    event.opposing_ability = NOBODY
    event.flag = False
    event.mutual = False
    event.pending = False
    event.attack_count = 0
    event.defense_count = 0
    log.count += 1
    return log.count - 1


@compiled
def clear_log(fight, log):
    """Clear the last step's events, except for an attack in progress, which is reported again with its next rolls."""
    log.count = 0
    keep_attack(fight, log)


@with_abilities(None)
@compiled
def keep_attack(fight, log):
    """Make the event of the attack in progress the first of the step."""
    if log.attack != NOBODY:
        if log.attack != 0:
            log.events[0] = log.events[log.attack]
        log.attack = 0
        log.count = 1


@compiled
def tell_square(fight, log, kind, fighter, other, detail, x, y):
    """Write an event that happens in a square; return its number."""
    number = tell(fight, log, kind, fighter, other, detail, 0)
    if number != NOBODY:
        log.events[number].x = x
        log.events[number].y = y
    return number


@compiled
def tell_change(fight, log, kind, fighter, detail, before, after):
    """Write an event about a number that changed."""
    if not fight.recording:
        return
    number = write_event(log, kind, fighter, NOBODY, detail, before - after)
    if number != NOBODY:
        log.events[number].before = before
        log.events[number].after = after


@inlined
def tell_attack_roll(fight, log, number):
    """Copy the attack roll that was just made, and the causes of its advantage, into an event."""
    if number != NOBODY:
        copy_attack_roll(fight, log.events[number])


@compiled
def tell_abilities(fight, log, number, i, opponent):
    """Add the abilities of a check and of the opposing check to an event."""
    if number != NOBODY:
        log.events[number].ability = fight.fighters[i].check_ability
        if opponent != NOBODY:
            log.events[number].opposing_ability = fight.fighters[opponent].check_ability


@compiled
def tell_timing(fight, log):
    """Write an event for the last agility check of each fighter that had to roll for its timing."""
    for i in range(fight.n):
        if fight.fighters[i].timing_total > 0:
            tell(fight, log, TIMING, i, NOBODY, 0, fight.fighters[i].timing_total)


@compiled
def copy_attack_roll(fight, event):
    """Copy the roll of the fighter that attacks or attempts a maneuver into an event."""
    event.attack_total = fight.attack_roll.total
    event.attack_count = fight.attack_roll.count
    copy_pool(fight.attack_roll.pool, event.attack_pool)
    for k in range(fight.attack_roll.count):
        event.attack_results[k] = fight.attack_roll.results[k]
    for k in range(len(fight.causes)):
        event.attack_causes[k] = fight.causes[k]


@inlined
def tell_defense_roll(fight, log, number):
    """Copy the defense roll (or opposing roll) that was just made, and the causes of its advantage, into an event."""
    if number != NOBODY:
        copy_defense_roll(fight, log.events[number])


@compiled
def copy_defense_roll(fight, event):
    """Copy the roll of the fighter that defends or resists into an event."""
    event.defense_total = fight.defense_roll.total
    event.defense_count = fight.defense_roll.count
    copy_pool(fight.defense_roll.pool, event.defense_pool)
    for k in range(fight.defense_roll.count):
        event.defense_results[k] = fight.defense_roll.results[k]
    for k in range(len(fight.causes)):
        event.defense_causes[k] = fight.causes[k]


@inlined
def tell_conditions(fight, log):
    """Write an event for every condition whose levels have changed since the last call."""
    if fight.recording:
        compare_conditions(fight, log)


@compiled
def compare_conditions(fight, log):
    """Write an event for every difference between the current conditions and the reported ones."""
    for i in range(fight.n):
        for condition in range(N_CONDITIONS):
            levels = fight.fighters[i].levels[condition]
            if levels != log.seen[i, condition]:
                tell_change(fight, log, CONDITION, i, condition, log.seen[i, condition], levels)
                log.seen[i, condition] = levels


@compiled
def tell_check(fight, log, i, purpose, success):
    """Write an event for the check that was just made against a number; return the event's number."""
    number = tell(fight, log, CHECK_EVENT, i, NOBODY, purpose, 0)
    tell_attack_roll(fight, log, number)
    tell_abilities(fight, log, number, i, NOBODY)
    if number != NOBODY:
        log.events[number].flag = success
    return number


@compiled
def tell_resistance(fight, log, number, i, opponent, success):
    """Complete the event of a contested check with the opposing roll that was just made, and with the winner."""
    tell_defense_roll(fight, log, number)
    tell_abilities(fight, log, number, i, opponent)
    if number != NOBODY:
        log.events[number].flag = success
