"""The choices of a fighter in each window, by the action names of the contract."""

from __future__ import annotations

from collections.abc import Collection
from itertools import combinations_with_replacement

from .board import DIRECTIONS, STEPS, Space, distance
from .conditions import OF_THE_CUNNING_EFFECT
from .moving import dash_budget, dash_goals, is_near, may_hop_off, may_sidestep
from .objects import locked, object_choices
from .sheet import Fighter
from .table import Table

STANCES = ("might", "agility", "cunning", "defensive")
ATTACKING_STANCES = ("might", "agility", "cunning")


def talk_choices(table: Table, fighter: Fighter) -> list[str]:
    """Return the stances that the fighter may announce; a mute fighter announces none (R-50)."""
    if not table.able(fighter) or not table.takes_part(fighter) or "mute" in fighter.conditions:
        return ["pass"]
    return ["pass"] + [f"say {stance}" for stance in STANCES]


def stance_choices(table: Table, fighter: Fighter) -> list[str]:
    """Return the stances that the fighter may choose: none if surprised (R-7), stunned or incapacitated."""
    if not table.able(fighter) or not table.takes_part(fighter):
        return ["pass"]
    if table.committed(fighter) is not None:
        return [f"stance {table.committed(fighter)}"]
    return ["stance defensive"] if table.may_only_defend(fighter) else [f"stance {stance}" for stance in STANCES]


# -------------------------------------------------------------------------------------------- the classic edition


def engage_choices(table: Table, fighter: Fighter) -> list[str]:
    """Return the choices to engage an enemy that the weapon in hand reaches, if there is an action to spend."""
    if not table.able(fighter) or not table.can_spend_action(fighter):
        return []
    return [
        f"engage {place}"
        for place, enemy in enumerate(table.enemies(fighter), 1)
        if enemy.standing and table.reaches(fighter, enemy) and not table.barred(fighter, enemy)
    ]


def enter_choices(table: Table, fighter: Fighter) -> list[str]:
    """Return "pass", and "enter" for a fighter outside the engagement within weapon range of a participant (R-90)."""
    if table.takes_part(fighter) or not table.able(fighter) or not table.can_spend_action(fighter):
        return ["pass"]
    inside = [other for other in table.fighters if other.standing and table.takes_part(other)]
    near = any(table.reaches(fighter, other) for other in inside)
    return ["pass", "enter"] if near else ["pass"]


# ------------------------------------------------------------------------------------------------ action phase


def action_choices(table: Table, fighter: Fighter) -> list[str]:
    """Return everything that a fighter may declare in a window of the action phase."""
    if not table.able(fighter):
        return ["pass"]
    names = ["pass"]
    names += _own_declarations(table, fighter)
    if table.board is not None:
        names += _moves(table, fighter)
    for enemy in table.enemies(fighter):
        if may_strike_unprovoked(table, fighter, enemy):
            names += _strikes(table, fighter, enemy)
    acts = table.can_spend_action(fighter)
    if acts or table.is_free(fighter, helps=True):
        for place, ally in enumerate(table.allies(fighter), 1):
            if table.next_to(fighter, ally):
                verbs = _helping_verbs(fighter, ally)
                names += [f"{verb} {place}" for verb in verbs if acts or verb == "help"]
    return names


def _strikes(table: Table, fighter: Fighter, target: Fighter) -> list[str]:
    """Return the opportunity attacks on a target: for the action, or for a rush point."""
    place = table.enemies(fighter).index(target) + 1
    names = [f"opportunity {place} {stance}" for stance in ATTACKING_STANCES]
    with_action = names if table.can_spend_action(fighter) else []
    with_rush = [f"{name} rush" for name in names] if fighter.rush > 0 else []
    return with_action + with_rush


def _moves(table: Table, fighter: Fighter) -> list[str]:
    """Return the choices that need a map: dashes, sidesteps, doors, objects."""
    action, rush = table.can_spend_action(fighter), fighter.rush > 0
    names = [f"dash {dx},{dy}" for dx, dy in dash_goals(table, fighter, dash_budget(table, fighter)) if is_near(dx, dy)]
    names += ["walk"] if names else []
    for name in step_choices(table, fighter):
        names += [name] if action or table.is_free(fighter, moves=True) else []
        names += [f"{name} rush"] if rush and not table.is_too_busy_to_move(fighter) else []
    if fighter.interaction or action or table.is_free(fighter):
        names += [f"door {name}" for number, name in enumerate(DIRECTIONS) if has_door(table, fighter, number)]
    return names + object_choices(table, fighter)


def step_choices(table: Table, fighter: Fighter) -> list[str]:
    """Return the sidesteps that the fighter may take."""
    return [f"sidestep {name}" for number, name in enumerate(DIRECTIONS) if may_sidestep(table, fighter, number)]


def has_door(table: Table, fighter: Fighter, direction: int) -> bool:
    """Return whether a one-square fighter has a closed door, or an open and empty one, next to it in this direction."""
    assert table.board is not None
    door = fighter.space.moved(*STEPS[direction])
    if fighter.side > 1:
        return False
    glyph = table.board.glyph(door.place)
    if glyph == "/":
        return not any(other.standing and other.space.overlaps(door) for other in table.fighters)
    return glyph == "+" and not locked(table, door.place)


def can_rise(table: Table, fighter: Fighter) -> bool:
    """Return whether the fighter is prone, and neither held in place nor holding another."""
    return "prone" in fighter.conditions and table.restrained(fighter) == 0 and not fighter.grappling


def weapon_is_near(table: Table, fighter: Fighter) -> bool:
    """Return whether the fighter's weapon is within one square."""
    if table.board is None or fighter.weapon_lies_at is None:
        return True
    return distance(fighter.space, Space(*fighter.weapon_lies_at, 1)) <= 1


def _own_declarations(table: Table, fighter: Fighter) -> list[str]:
    conditions = fighter.conditions
    action, dash = table.can_spend_action(fighter), table.can_spend_dash(fighter)
    rises = can_rise(table, fighter)
    interacts = fighter.interaction or action or table.is_free(fighter)
    entangled = "entangled" in conditions
    when = {
        "yield": fighter.hp <= 0 and table.chooses_at_zero(fighter),
        "pick_up": not fighter.armed and interacts and weapon_is_near(table, fighter),
        "swap": fighter.spare is not None and interacts,
        "rise": rises and (action or table.is_free(fighter, moves=True)) and not table.is_pinned(fighter),
        "rise rush": rises
        and fighter.rush > 0
        and not table.is_too_busy_to_move(fighter)
        and not table.is_pinned(fighter),
        "stand": rises and dash and not fighter.stood,
        "break_free": table.grappler_of(fighter) is not None and action,
        "wriggle_free": entangled and action,
        "tear_free": entangled and action,
        "cut_free": entangled and action and holds_a_blade(fighter),
        "shake_off": bool(table.climbers_on(fighter)) and action,
        "put_out_fire": "burning" in conditions and action,
        "overcome frightened": "frightened" in conditions and action,
        "overcome enraged": "enraged" in conditions and action,
        "overcome aggravated": "aggravated" in conditions and action,
        "let_go": fighter.grappling is not None,
        "hop_off": dash and may_hop_off(table, fighter),
    }
    return [name for name, possible in when.items() if possible]


def _helping_verbs(fighter: Fighter, ally: Fighter) -> list[str]:
    verbs = []
    if ally.standing:
        verbs.append("help")
        if "burning" in ally.conditions:
            verbs.append("douse")
        if "entangled" in ally.conditions and holds_a_blade(fighter):
            verbs.append("cut_loose")
    return verbs


def holds_a_blade(fighter: Fighter) -> bool:
    """Return whether the weapon in hand is slashing (R-59)."""
    return fighter.weapon_in_hand.damage_type == "slashing"


def may_strike_unprovoked(table: Table, fighter: Fighter, target: Fighter) -> bool:
    """Return whether the fighter may attack a surprised or helpless target (R-37), or attack out of hiding."""
    if table.barred(fighter, target) or not table.reaches(fighter, target):
        return False
    if target.status == "unconscious":
        return True
    surprised, incapacitated = target.surprised, "incapacitated" in target.conditions
    return target.standing and (surprised or incapacitated or "hidden" in fighter.conditions)


def opening_choices(table: Table, fighter: Fighter, riser: Fighter) -> list[str]:
    """Return the answers to an enemy who rises with half a dash (R-40)."""
    if not threatens(table, fighter, riser):
        return ["pass"]
    return ["pass", *_strikes_at_mover(table, fighter, riser)]


def _strikes_at_mover(table: Table, fighter: Fighter, mover: Fighter) -> list[str]:
    """Return the opportunity attacks on a fighter that moves or rises, which an ability may make free."""
    if not table.watched_by(fighter):
        return _strikes(table, fighter, mover)
    place = table.enemies(fighter).index(mover) + 1
    return [f"opportunity {place} {stance}" for stance in ATTACKING_STANCES]


def threatens(table: Table, fighter: Fighter, enemy: Fighter) -> bool:
    """Return whether the fighter could strike at the enemy's opening where it is, with a melee weapon or whip."""
    close = table.weapon_of(fighter).attack_type in ("melee", "whip")
    if fighter.team == enemy.team or not table.able(fighter) or not close or table.barred(fighter, enemy):
        return False
    if table.board is None:
        return True
    return table.distance(fighter, enemy) <= table.threat_reach(fighter) and table.in_sight(fighter, enemy)


def leaving_choices(table: Table, fighter: Fighter, mover: Fighter, goal: Space, too_far: bool) -> list[str]:
    """Return the answers to an enemy about to step out of reach, or to move too far within it (R-67)."""
    if not threatens(table, fighter, mover) or fighter.climbing == mover.agent:
        return ["pass"]
    leaves = distance(fighter.space, goal) > table.threat_reach(fighter)
    return ["pass", *_strikes_at_mover(table, fighter, mover)] if leaves or too_far else ["pass"]


def trip_choices(table: Table, fighter: Fighter, mover: Fighter) -> list[str]:
    """Return the choice to trip an off-balanced enemy that moves past, once a round or without limit."""
    unsteady = "off_balanced" in mover.conditions and "prone" not in mover.conditions
    small = table.sides_to(fighter, mover) <= 1
    again = table.settings.trips_per_round == "unlimited" or mover.agent not in fighter.tripped
    free = table.able(fighter) and again and not table.barred_by_charm(fighter, mover)
    if table.settings.edition == "classic":
        free = free and table.can_spend_action(fighter)
    if fighter.team == mover.team or not (unsteady and small and free and table.next_to(fighter, mover)):
        return ["pass"]
    return ["pass", f"trip {table.enemies(fighter).index(mover) + 1}"]


# -------------------------------------------------------------------------------------------------- engagement


def attack_choices(table: Table, fighter: Fighter) -> list[str]:
    """Return the attacks and maneuvers in the fighter's stance."""
    names = ["pass"]
    for place, target in enumerate(table.enemies(fighter), 1):
        if not table.may_attack(fighter, target):
            continue
        names.append(f"attack {place}")
        wins = table.beats(fighter, target)
        alike = fighter.stance == target.stance and any(owned.maneuvers_alike for owned in fighter.abilities)
        anyone = any(owned.grapples_anyone for owned in fighter.abilities) and not wins and not alike
        if anyone and table.settings.maneuvers and table.next_to(fighter, target):
            names += [name for name in _maneuvers(table, fighter, target, place) if name.startswith("grapple")]
        if wins and fighter.stance == "cunning" and table.settings.levels:
            names += [f"attack {place} {levels}" for levels in named_levels(table)]
        if (wins or alike) and table.settings.maneuvers and table.next_to(fighter, target):
            names += _maneuvers(table, fighter, target, place)
    return names


def named_levels(table: Table) -> list[str]:
    """Return the ways to name up to two levels of the cunning effect, split only with `cunning_split` (R-21)."""
    two = [
        f"{one}+{other}"
        for one, other in combinations_with_replacement(OF_THE_CUNNING_EFFECT, 2)
        if one == other or table.settings.cunning_split
    ]
    return [*OF_THE_CUNNING_EFFECT, *two]


def _maneuvers(table: Table, fighter: Fighter, target: Fighter, place: int) -> list[str]:
    larger = table.sides_to(fighter, target)
    held = table.grappler_of(target) is not None
    when = {
        f"grapple {place}": not fighter.grappling
        and not held
        and fighter.free_hands >= 1
        and not any(owned.cannot_be_held for owned in target.abilities),
        f"climb_on {place}": larger >= 2 and fighter.climbing is None and fighter.part_of is None,
    }
    by_the_book = not any(owned.own_hinders for owned in fighter.abilities)
    for condition in OF_THE_CUNNING_EFFECT:
        when[f"dirty_strike {place} {condition}"] = by_the_book
    when[f"blind {place}"] = by_the_book
    when[f"trip {place}"] = by_the_book and larger <= 1 and "prone" not in target.conditions
    when[f"shove {place}"] = by_the_book
    when[f"disarm {place}"] = target.armed and not target.weapon.natural
    when[f"taunt {place}"] = True
    when[f"swing_past {place}"] = True
    return [name for name, possible in when.items() if possible]


def follow_up_choices(table: Table, fighter: Fighter, struck: Collection[str]) -> list[str]:
    """Return one more throw (R-35) or shot (R-126), at a legal target that it has not struck in the phase."""
    names = ["pass"]
    by_ability = fighter.stance == "cunning" and any(owned.names_levels() for owned in fighter.abilities)
    for place, target in enumerate(table.enemies(fighter), 1):
        spared = any(owned.spares(table, target, struck) for owned in fighter.abilities)
        if target.agent not in struck and table.may_attack(fighter, target) and not spared:
            names.append(f"attack {place}")
            if by_ability and table.beats(fighter, target) and table.settings.levels:
                names += [f"attack {place} {levels}" for levels in named_levels(table)]
    return names
