"""The Action Phase > Actions You Can Take. Not here: dash and sidestep (movement.py), openings on the way and trip."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, inlined, rule
from heartrush_env.heart_rush.rules.attack_rolls import damage_type_die, weapon_die
from heartrush_env.heart_rush.rules.checks import (
    challenge_number,
    clip_net,
    forget_causes,
    might_or_agility,
    roll_check,
)
from heartrush_env.heart_rush.rules.conditions import (
    is_senseless,
    lose,
    lose_levels,
    modifiers,
    restraint,
    use_help,
)
from heartrush_env.heart_rush.rules.dice import add_die, clear_pool, roll
from heartrush_env.heart_rush.rules.maneuvers import size_advantage, wins_contest
from heartrush_env.heart_rush.rules.movement import DIRECTIONS, STEP_X, STEP_Y
from heartrush_env.heart_rush.rules.rush_points import may_pay_any_strike
from heartrush_env.heart_rush.rules.sheet import attack_type, damage_type, has
from heartrush_env.heart_rush.rules.space import (
    CLOSED_DOOR,
    OPEN_DOOR,
    cell_at,
    distance_to_square,
    on_map,
    read_map,
)
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
    MAP_SIDE,
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
def may_interact(fighter):
    """The first interaction of a round is free, another costs the action."""
    return fighter.interaction or has_action_left(fighter)


@compiled
def spend_interaction(fighter):
    """The free interaction while it is there, then the action."""
    if fighter.interaction:
        fighter.interaction = 0
    else:
        spend_action(fighter)


@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def may_pick_up(match, i):
    """A weapon that lies on the floor, within a square."""
    fighter = match.fighters[i]
    return not fighter.armed and may_interact(fighter) and is_at_hand(match, i)


@on_map(True)
@compiled
def is_at_hand(match, i):
    """Whether the fighter's weapon lies within a square of it."""
    return distance_to_square(match, i, match.fighters[i].floor_x, match.fighters[i].floor_y) <= 1


@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def pick_up(fighter):
    """The weapon is in hand again."""
    fighter.armed = 1
    spend_interaction(fighter)


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def may_swap(match, i):
    """A weapon and shield are carried beside those in hand."""
    return match.fighters[i].has_spare and may_interact(match.fighters[i])


@on_map(None)
@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def swap_sets(match, i):
    """The other weapon and shield come to hand; what was in hand is carried, unless its weapon lies on the floor."""
    fighter = match.fighters[i]
    spend_interaction(fighter)
    exchange(fighter.sets[0], fighter.sets[1])
    take_in_hand(fighter, fighter.sets[0])
    fighter.has_spare = fighter.armed
    fighter.armed = 1


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
def door_square(match, i, detail):
    """The square beside fighter i to whose door this detail of the deed belongs."""
    direction = detail % DIRECTIONS
    return match.fighters[i].x + STEP_X[direction], match.fighters[i].y + STEP_Y[direction]


@inlined
def opens(detail):
    """Whether this detail of the deed opens a door; the second half of the details closes one."""
    return detail < DIRECTIONS


@compiled
def settle_door(match, i, direction):
    """The detail of the deed at the door in this direction: a closed door is to be opened, an open one closed."""
    x, y = door_square(match, i, direction)
    return direction + DIRECTIONS if cell_at(match, x, y) == OPEN_DOOR else direction


@compiled
def is_door_done(match, i, detail):
    """A door that is to be opened is open already, or one that is to be closed is closed."""
    x, y = door_square(match, i, detail)
    return cell_at(match, x, y) == (OPEN_DOOR if opens(detail) else CLOSED_DOOR)


@on_map(False)
@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction", "R-4")
def may_use_door(match, i, detail):
    """A fighter of one square opens a closed door beside it, or closes an open one in which nobody stands."""
    fighter = match.fighters[i]
    if fighter.side > 1 or not may_interact(fighter):
        return False
    x, y = door_square(match, i, detail)
    if opens(detail):
        return cell_at(match, x, y) == CLOSED_DOOR
    return cell_at(match, x, y) == OPEN_DOOR and not anyone_stands_at(match, x, y)


@compiled
def anyone_stands_at(match, x, y):
    """Whether the square belongs to the space of somebody standing."""
    for j in range(match.n):
        if match.fighters[j].status == STANDING and distance_to_square(match, j, x, y) == 0:
            return True
    return False


@on_map(None)
@rule("Combat > The Action Phase > Actions You Can Take > Object Interaction")
def use_door(match, i, detail):
    """The door is open from now on, or closed, as it was chosen."""
    spend_interaction(match.fighters[i])
    x, y = door_square(match, i, detail)
    match.cells[y * MAP_SIDE + x] = OPEN_DOOR if opens(detail) else CLOSED_DOOR
    match.doors_used += 1
    read_map(match)


@rule("Combat > The Action Phase > Actions You Can Take > Sidestep")
def may_get_up(fighter):
    """Nobody rises who is not prone, who is held fast or who holds another."""
    return has(fighter, PRONE) and restraint(fighter) == 0 and not has(fighter, GRAPPLING)


@on_map(False)
@compiled
def has_stood(match, i):
    """Whether the fighter has risen with half its dash in this round, which it may do once."""
    return match.fighters[i].stood


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
    """A fighter that is able, can pay and holds a weapon for close quarters may strike at one who rises."""
    fighter = match.fighters[i]
    kind = attack_type(fighter)
    if not is_able(match, i) or not may_pay_any_strike(fighter) or not (kind == MELEE or kind == WHIP):
        return False
    return match.fighters[mover].status == STANDING and may_go_for(match, i, mover)
