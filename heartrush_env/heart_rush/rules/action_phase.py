"""The Action Phase > Actions You Can Take, as far as a fight without a map has use for them.

Not here: dash, sidestep by distance and trip (need a map), abilities, rush points.
"""

from __future__ import annotations

from heartrush_env.core.dice import add_die, clear_pool, roll
from heartrush_env.core.rule import compiled, rule
from heartrush_env.heart_rush.rules.attack_rolls import attack_type, damage_type, damage_type_die, weapon_die
from heartrush_env.heart_rush.rules.checks import (
    challenge_number,
    clip_net,
    forget_causes,
    might_or_agility,
    roll_check,
)
from heartrush_env.heart_rush.rules.conditions import (
    has,
    is_senseless,
    lose,
    lose_levels,
    modifiers,
    restraint,
    use_help,
)
from heartrush_env.heart_rush.rules.maneuvers import size_advantage, wins_contest
from heartrush_env.heart_rush.rules.special_circumstances import is_surprised
from heartrush_env.heart_rush.rules.stances import has_action_left, may_go_for
from heartrush_env.heart_rush.rules.taking_damage import climb_down
from heartrush_env.heart_rush.rules.terms import (
    AGGRAVATED,
    AGILITY,
    ATTACK,
    BURNING,
    CHECK,
    CONFUSED,
    CUNNING,
    ENRAGED,
    ENTANGLED,
    FRIGHTENED,
    GRAPPLED,
    GRAPPLING,
    MELEE,
    MIGHT,
    MUTE,
    NOBODY,
    PRESENCE,
    PRONE,
    RESTRAINED,
    SAVE,
    SIZE_DIFFERENCE,
    SLASHING,
    STANDING,
    WHIP,
)

OVERCOMABLE = (FRIGHTENED, ENRAGED, AGGRAVATED)
NET_CUT_AT = 10  # total of an attack roll that cuts a net
NET_TEAR_EXTRA = 4  # on the thrower's might number


@rule("Combat > The Action Phase", "R-2", "R-7")
def is_able(match, i):
    """Whoever stands and is neither surprised, stunned nor incapacitated may act."""
    fighter = match.fighters[i]
    return fighter.status == STANDING and not is_senseless(fighter) and not is_surprised(match, i)


@rule("Combat > The Engagement > Choosing Your Stance > Strategic Discussion", "R-50")
def may_talk(match, i):
    """Whoever is able and has a voice may say which stance it means to take."""
    return is_able(match, i) and not has(match.fighters[i], MUTE)


@rule("Combat > The Action Phase > Understanding Actions and Abilities")
def spend_action(fighter):
    """One action a round."""
    fighter.action = 0
    fighter.acted = 1


@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def may_pick_up(fighter):
    """A weapon that lies on the floor; the first interaction of a round is free, another costs the action."""
    return not fighter.armed and (fighter.interaction or has_action_left(fighter))


@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def pick_up(fighter):
    """The weapon is in hand again."""
    fighter.armed = 1
    if fighter.interaction:
        fighter.interaction = 0
    else:
        spend_action(fighter)


@rule("Combat > The Action Phase > Actions You Can Take > Sidestep")
def may_get_up(fighter):
    """Nobody rises who is not prone, who is held fast or who holds another."""
    return has(fighter, PRONE) and restraint(fighter) == 0 and not has(fighter, GRAPPLING)


@rule("Combat > The Action Phase > Actions You Can Take > Dash", "R-47")
def may_move(fighter):
    """The free dash is there, and not barred to a confused fighter who has acted."""
    return fighter.dash and not (fighter.acted and fighter.levels[CONFUSED] > 0)


@compiled
def spend_dash(fighter):
    """The free dash of the round is used."""
    fighter.dash = 0
    fighter.moved = 1


@compiled
def get_up(fighter):
    """Prone no more."""
    lose(fighter, PRONE)


@rule("Combat > The Action Phase > Actions You Can Take > Help", "R-45")
def help_ally(fighter, ally):
    """An ally gets advantage on its next roll, and its head clear if it can be talked to."""
    ally.helped += 1
    if not has(fighter, MUTE):
        lose(ally, CONFUSED)


@rule("Conditions > Grappled > Breaking Free", "R-57")
def roll_to_break_free(match, i):
    """Might or agility, the grapple's own restraint aside, the larger creature with advantage."""
    fighter = match.fighters[i]
    holder = fighter.source[GRAPPLED]
    size = size_advantage(match, i, holder)
    with_grapple = restraint(fighter)
    fighter.levels[GRAPPLED] = 0
    spared = with_grapple - restraint(fighter)
    fighter.levels[GRAPPLED] = 1
    ability = might_or_agility(match, i, CHECK, holder, size + spared)
    total = roll_check(match, i, CHECK, ability, holder, size + spared, match.attack_roll)
    if match.recording:
        match.causes[SIZE_DIFFERENCE] += size
        match.causes[RESTRAINED] += spared
    return total


@rule("Conditions > Grappled > Breaking Free", "R-57")
def roll_to_keep_hold(match, i):
    """The one who holds fighter i resists with might or agility, the larger creature with advantage."""
    holder = match.fighters[i].source[GRAPPLED]
    size = size_advantage(match, holder, i)
    ability = might_or_agility(match, holder, CHECK, i, size)
    total = roll_check(match, holder, CHECK, ability, i, size, match.defense_roll)
    if match.recording:
        match.causes[SIZE_DIFFERENCE] += size
    return total


@rule("Conditions > Entangled", "R-58", "R-59")
def wriggle_free(match, i):
    """Agility against the thrower's cunning number."""
    thrower = match.fighters[i].source[ENTANGLED]
    total = roll_check(match, i, CHECK, AGILITY, thrower, 0, match.attack_roll)
    return leave_net(match, i, total >= challenge_number(match.fighters[thrower], CUNNING))


@rule("Conditions > Entangled", "R-58", "R-59")
def tear_free(match, i):
    """Might against the thrower's might number and four more."""
    thrower = match.fighters[i].source[ENTANGLED]
    total = roll_check(match, i, CHECK, MIGHT, thrower, 0, match.attack_roll)
    return leave_net(match, i, total >= challenge_number(match.fighters[thrower], MIGHT) + NET_TEAR_EXTRA)


@rule("Conditions > Entangled", "R-59")
def cut_free(match, i):
    """An attack roll in agility with a slashing weapon that reaches ten."""
    fighter = match.fighters[i]
    pool = match.pool
    forget_causes(match)
    clear_pool(pool)
    add_die(pool, fighter.phase_heart)
    add_die(pool, fighter.ability[AGILITY])
    add_die(pool, weapon_die(fighter))
    add_die(pool, damage_type_die(fighter, AGILITY))
    pool.flat_bonus = fighter.attack_bonus
    net = modifiers(match, i, ATTACK, AGILITY, NOBODY, attack_type(fighter)) + use_help(match, fighter)
    pool.net = clip_net(match, net)
    return leave_net(match, i, roll(pool, match, match.attack_roll) >= NET_CUT_AT)


@compiled
def leave_net(match, i, success):
    """Out of the net, if it worked."""
    if success:
        lose(match.fighters[i], ENTANGLED)
    return success


@rule("Conditions > Entangled", "R-59")
def can_cut(fighter):
    """A slashing weapon in hand cuts nets."""
    return fighter.armed and damage_type(fighter) == SLASHING


@rule("Conditions > Climbed On > Shaking Off", "R-57")
def shake_off_roll(match, i, first_climber):
    """The climbed creature rolls might or agility once, against all its climbers."""
    ability = might_or_agility(match, i, CHECK, first_climber, 0)
    return roll_check(match, i, CHECK, ability, first_climber, 0, match.attack_roll)


@rule("Conditions > Climbed On > Shaking Off", "R-1", "R-57")
def hangs_on(match, climber, bearer, bearer_total):
    """A climber rolls might or agility to stay; below the creature's total it falls off."""
    ability = might_or_agility(match, climber, CHECK, bearer, 0)
    total = roll_check(match, climber, CHECK, ability, bearer, 0, match.defense_roll)
    if wins_contest(bearer_total, total):
        climb_down(match, climber)
        return False
    return True


@rule("Conditions > Creature Climber", "R-34", "R-57")
def keeps_hold(match, i, damage):
    """A climber who takes damage saves with might or agility against it, or falls off."""
    ability = might_or_agility(match, i, SAVE, NOBODY, 0)
    total = roll_check(match, i, SAVE, ability, NOBODY, 0, match.attack_roll)
    if total < damage:
        climb_down(match, i)
        return False
    return True


@rule("Conditions > Burning > Putting It Out")
def put_out_fire(fighter):
    """An action puts out half the levels, rounded up."""
    lose_levels(fighter, BURNING, (fighter.levels[BURNING] + 1) // 2)


@rule("Conditions > Frightened and Enraged > Overcoming", "R-58")
def overcome(match, i, condition):
    """A cunning save against the source's presence number clears every level; returns success."""
    source = match.fighters[i].source[condition]
    total = roll_check(match, i, SAVE, CUNNING, source, 0, match.attack_roll)
    if total >= challenge_number(match.fighters[source], PRESENCE):
        lose(match.fighters[i], condition)
        return True
    return False


@rule("Combat > The Action Phase > Opportunity Attacks", "R-15", "R-17", "R-40")
def may_answer_opening(match, i, mover):
    """Who is able, has its action and holds a weapon for close quarters may strike at one who rises."""
    fighter = match.fighters[i]
    kind = attack_type(fighter)
    if not is_able(match, i) or not has_action_left(fighter) or not (kind == MELEE or kind == WHIP):
        return False
    return match.fighters[mover].status == STANDING and may_go_for(match, i, mover)
