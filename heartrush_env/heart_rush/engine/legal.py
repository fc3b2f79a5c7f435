"""What a fighter may do in the open window: one question, asked by masks and by declarations whose moment comes."""

from __future__ import annotations

from heartrush_env.core.rule import compiled, inlined
from heartrush_env.heart_rush.engine.kept import outer_choice
from heartrush_env.heart_rush.engine.legal_on_map import (
    has_choice_on_map,
    has_declaration_on_map,
    is_legal_on_map,
    plays_on_map,
    strikes_later,
)
from heartrush_env.heart_rush.engine.state import (
    ACTION,
    ATTACK_WINDOW,
    FOLLOW_UP,
    FOLLOW_WINDOW,
    OPPORTUNITY_WINDOW,
    SHRUG_WINDOW,
    STANCE,
    TALK,
    YIELD_WINDOW,
)
from heartrush_env.heart_rush.rules.action_phase import (
    OVERCOMABLE,
    can_cut,
    has_stood,
    is_able,
    may_answer_opening,
    may_get_up,
    may_move,
    may_pick_up,
    may_talk,
)
from heartrush_env.heart_rush.rules.maneuvers import is_possible, may_maneuver, may_name_levels
from heartrush_env.heart_rush.rules.rush_points import RISE_BY_RUSH, may_pay_strike, may_rush_aside
from heartrush_env.heart_rush.rules.sheet import has
from heartrush_env.heart_rush.rules.space import may_only_defend, next_to
from heartrush_env.heart_rush.rules.special_circumstances import is_open
from heartrush_env.heart_rush.rules.stances import (
    has_action_left,
    has_target,
    is_able_to_attack,
    may_attack,
    may_go_for,
    may_take_stance,
)
from heartrush_env.heart_rush.rules.taking_damage import may_shrug, may_yield
from heartrush_env.heart_rush.rules.terms import (
    BREAK_FREE,
    BURNING,
    CLIMBED_ON,
    CUT_FREE,
    CUT_LOOSE,
    DASH,
    DEAD,
    DEFEATED,
    DEFENSIVE,
    DOUSE,
    ENTANGLED,
    GRAPPLED,
    HELP_ALLY,
    HOP_OFF,
    LET_GO,
    NOBODY,
    OPPORTUNITY,
    OVERCOME,
    PASS,
    PICK_UP,
    PUT_OUT_FIRE,
    RISE,
    SAY,
    SHAKE_OFF,
    SHRUG,
    STAND,
    STANDING,
    STRIKE,
    TAKE,
    TAKE_STANCE,
    TEAR_FREE,
    WRIGGLE_FREE,
    YIELD,
)
from heartrush_env.heart_rush.rules.ways import may_hop_off


@compiled
def is_legal(match, i, deed, target, detail):
    """Whether fighter i may do this in the open window."""
    window = match.window
    if window == SHRUG_WINDOW:
        return deed == TAKE or (deed == SHRUG and is_hit(match, i) and may_shrug(match, match.fighters[i]))
    if window == STANCE:
        if not may_take_stance(match, i):
            return deed == PASS
        return deed == TAKE_STANCE and (detail == DEFENSIVE or not may_only_defend(match, i))
    if deed == PASS:
        return True
    if plays_on_map(match) and belongs_to_map(window, deed):
        return is_legal_on_map(match, i, deed, target, detail)
    if window == TALK:
        return deed == SAY and may_talk(match, i)
    if window == ACTION:
        return may_declare(match, i, deed, target, detail)
    if window == OPPORTUNITY_WINDOW:
        if deed != OPPORTUNITY or target != match.mover or not may_pay_strike(match.fighters[i], detail):
            return False
        return may_answer_opening(match, i, target)
    if window == ATTACK_WINDOW:
        return may_engage(match, i, deed, target, detail)
    if window == FOLLOW_UP:
        return deed == STRIKE and detail == 0 and may_follow_up(match, i, target)
    return window == YIELD_WINDOW and deed == YIELD and match.fighters[i].dropped


@inlined
def belongs_to_map(window, deed):
    """Whether only a fight on a map has such a choice, or answers for it otherwise than a fight without one."""
    return window == OPPORTUNITY_WINDOW or window == FOLLOW_WINDOW or deed >= DASH


@inlined
def is_hit(match, i):
    """Whether the fighter has a hit to answer in this shrug window."""
    return pending_hit(match, i) != NOBODY


@inlined
def pending_hit(match, i):
    """The number of the hit that fighter i answers now, or nobody."""
    for k in range(match.hit_count):
        if match.hits[k].number == match.hit_number and match.hits[k].target == i:
            return k
    return NOBODY


@compiled
def may_declare(match, i, deed, target, detail):
    """Whether fighter i may do this in the action phase, now."""
    fighter = match.fighters[i]
    if not is_able(match, i):
        return False
    if deed == YIELD:
        return may_yield(match, fighter)
    if deed == PICK_UP:
        return may_pick_up(match, i)
    if deed == STAND:
        return may_get_up(fighter) and may_move(fighter) and not has_stood(match, i)
    if deed == LET_GO:
        return fighter.grappling != NOBODY
    if deed == HOP_OFF:
        return fighter.climbing != NOBODY and may_move(fighter) and may_hop_off(match, i)
    if deed == RISE and detail >= RISE_BY_RUSH:
        return may_get_up(fighter) and may_rush_aside(fighter)
    if deed == OPPORTUNITY:
        return may_pay_strike(fighter, detail) and may_strike_open(match, i, target)
    return has_action_left(fighter) and may_use_action(match, i, deed, target, detail)


@compiled
def may_use_action(match, i, deed, target, detail):
    """Whether there is something for fighter i to spend its action on in this way."""
    fighter = match.fighters[i]
    if deed == RISE:
        return may_get_up(fighter)
    if deed == BREAK_FREE:
        return has(fighter, GRAPPLED)
    if deed == WRIGGLE_FREE or deed == TEAR_FREE:
        return has(fighter, ENTANGLED)
    if deed == CUT_FREE:
        return has(fighter, ENTANGLED) and can_cut(fighter)
    if deed == SHAKE_OFF:
        return has(fighter, CLIMBED_ON)
    if deed == PUT_OUT_FIRE:
        return has(fighter, BURNING)
    if deed == OVERCOME:
        return has(fighter, detail)
    if target == NOBODY or match.fighters[target].status != STANDING:
        return False
    ally = match.fighters[target]
    if ally.team != fighter.team or target == i or not next_to(match, i, target):
        return False
    if deed == CUT_LOOSE:
        return has(ally, ENTANGLED) and can_cut(fighter)
    return deed == HELP_ALLY or (deed == DOUSE and has(ally, BURNING))


@compiled
def may_strike_open(match, i, target):
    """Whether an enemy in reach is open to fighter i as it is."""
    return target != NOBODY and may_go_for(match, i, target) and is_open(match, i, target)


@compiled
def may_engage(match, i, deed, target, detail):
    """Whether fighter i may attack or maneuver so in this phase of the engagement."""
    if target == NOBODY or not is_attacker(match, i):
        return False
    if deed == STRIKE:
        return may_attack(match, i, target) and may_name_levels(match, i, target, detail)
    return STRIKE < deed < OPPORTUNITY and may_maneuver(match, i, target) and is_possible(match, i, deed, target)


@compiled
def is_attacker(match, i):
    """Whether this phase is the fighter's own, and it strikes now."""
    if match.fighters[i].stance != match.phase or not is_able_to_attack(match, i):
        return False
    return not strikes_later(match, i)


@compiled
def may_follow_up(match, i, target):
    """Another throw goes at another legal target."""
    fighter = match.fighters[i]
    if not fighter.follow_up or target == NOBODY or target == outer_choice(match, i).target:
        return False
    return may_attack(match, i, target)


@compiled
def has_choice(match, i):
    """Whether fighter i has more than one thing to do in the open window."""
    window = match.window
    if window == STANCE:
        return may_take_stance(match, i) and not may_only_defend(match, i)
    if window == ATTACK_WINDOW:
        return (is_attacker(match, i) and has_target(match, i)) or has_choice_on_map(match, i)
    if window == SHRUG_WINDOW:
        return may_shrug(match, match.fighters[i]) and is_hit(match, i)
    if window == ACTION:
        return has_declaration(match, i)
    if window == TALK:
        return may_talk(match, i)
    if window == OPPORTUNITY_WINDOW and not plays_on_map(match):
        return may_answer_opening(match, i, match.mover)
    if window == FOLLOW_UP:
        for target in range(match.n):
            if may_follow_up(match, i, target):
                return True
        return False
    if window == YIELD_WINDOW:
        return match.fighters[i].dropped
    return has_choice_on_map(match, i)


@compiled
def has_declaration(match, i):
    """Whether fighter i could declare anything but pass in the action phase."""
    fighter = match.fighters[i]
    if not is_able(match, i):
        return False
    if may_yield(match, fighter) or may_pick_up(match, i) or has_declaration_on_map(match, i):
        return True
    if fighter.afflicted and has_declaration_about_itself(match, i):
        return True
    can_act = has_action_left(fighter)
    if not can_act and fighter.rush == 0:
        return False
    for other in range(match.n):
        if other != i and match.fighters[other].status != DEAD and match.fighters[other].status != DEFEATED:
            if match.fighters[other].team == fighter.team:
                if can_act and may_use_action(match, i, HELP_ALLY, other, 0):
                    return True
            elif may_strike_open(match, i, other):
                return True
    return False


@compiled
def has_declaration_about_itself(match, i):
    """Whether a condition of the fighter's gives it something to do."""
    for deed in range(RISE, HOP_OFF + 1):
        if deed != OVERCOME and may_declare(match, i, deed, NOBODY, 0):
            return True
    for condition in OVERCOMABLE:
        if may_declare(match, i, OVERCOME, NOBODY, condition):
            return True
    return may_declare(match, i, RISE, NOBODY, RISE_BY_RUSH)
