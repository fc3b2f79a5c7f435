"""What a fighter may do in each window, by the action names of the contract."""

from __future__ import annotations

from itertools import combinations_with_replacement

from .conditions import OF_THE_CUNNING_EFFECT
from .sheet import Fighter
from .table import Table

STANCES = ("might", "agility", "cunning", "defensive")
ATTACKING_STANCES = ("might", "agility", "cunning")


def talk_choices(table: Table, fighter: Fighter) -> list[str]:
    """Each may say which stance it means to take; who is mute says nothing (R-50)."""
    if not table.able(fighter) or "mute" in fighter.conditions:
        return ["pass"]
    return ["pass"] + [f"say {stance}" for stance in STANCES]


def stance_choices(table: Table, fighter: Fighter) -> list[str]:
    """All who stand choose, but for the surprised (R-7), the stunned and the incapacitated."""
    return [f"stance {stance}" for stance in STANCES] if table.able(fighter) else ["pass"]


# ------------------------------------------------------------------------------------------------ action phase


def action_choices(table: Table, fighter: Fighter) -> list[str]:
    """Everything a fighter may declare in a window of the action phase."""
    if not table.able(fighter):
        return ["pass"]
    names = ["pass"]
    names += _own_declarations(table, fighter)
    if table.can_spend_action(fighter):
        for place, enemy in enumerate(table.enemies(fighter), 1):
            if may_strike_unprovoked(table, fighter, enemy):
                names += [f"opportunity {place} {stance}" for stance in ATTACKING_STANCES]
        for place, ally in enumerate(table.allies(fighter), 1):
            names += [f"{verb} {place}" for verb in _helping_verbs(fighter, ally)]
    return names


def _own_declarations(table: Table, fighter: Fighter) -> list[str]:
    conditions = fighter.conditions
    action, dash = table.can_spend_action(fighter), table.can_spend_dash(fighter)
    can_rise = "prone" in conditions and table.restrained(fighter) == 0 and not fighter.grappling
    entangled = "entangled" in conditions
    when = {
        "yield": fighter.hp <= 0 and table.chooses_at_zero(fighter),
        "pick_up": not fighter.armed and (fighter.interaction or action),
        "rise": can_rise and action,
        "stand": can_rise and dash,
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
        "hop_off": fighter.climbing is not None and dash,
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
    """A slashing weapon in hand (R-59)."""
    return fighter.weapon_in_hand.damage_type == "slashing"


def may_strike_unprovoked(table: Table, fighter: Fighter, target: Fighter) -> bool:
    """An opportunity attack on the surprised, the helpless (R-37), or out of hiding."""
    if table.barred_by_charm(fighter, target):
        return False
    if target.status == "unconscious":
        return True
    surprised, incapacitated = target.surprised, "incapacitated" in target.conditions
    return target.standing and (surprised or incapacitated or "hidden" in fighter.conditions)


def opening_choices(table: Table, fighter: Fighter, riser: Fighter) -> list[str]:
    """R-40: the answer to an enemy who rises with half a dash."""
    close = fighter.weapon_in_hand.attack_type in ("melee", "whip")
    can = table.able(fighter) and table.can_spend_action(fighter) and close
    if fighter.team == riser.team or not can or table.barred_by_charm(fighter, riser):
        return ["pass"]
    place = table.enemies(fighter).index(riser) + 1
    return ["pass"] + [f"opportunity {place} {stance}" for stance in ATTACKING_STANCES]


# -------------------------------------------------------------------------------------------------- engagement


def attack_choices(table: Table, fighter: Fighter) -> list[str]:
    """An attack or a maneuver in the fighter's stance."""
    names = ["pass"]
    for place, target in enumerate(table.enemies(fighter), 1):
        if not table.may_attack(fighter, target):
            continue
        names.append(f"attack {place}")
        if table.beats(fighter, target):
            if fighter.stance == "cunning" and table.settings.levels:
                names += [f"attack {place} {levels}" for levels in named_levels(table)]
            if table.settings.maneuvers:
                names += _maneuvers(table, fighter, target, place)
    return names


def named_levels(table: Table) -> list[str]:
    """Up to two levels of the cunning effect, all of one condition unless `cunning_split` (R-21)."""
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
        f"grapple {place}": not fighter.grappling and not held and fighter.free_hands >= 1,
        f"climb_on {place}": larger >= 2 and fighter.climbing is None,
    }
    for condition in OF_THE_CUNNING_EFFECT:
        when[f"dirty_strike {place} {condition}"] = True
    when[f"blind {place}"] = True
    when[f"trip {place}"] = larger <= 1 and "prone" not in target.conditions
    when[f"shove {place}"] = True
    when[f"disarm {place}"] = target.armed and not target.weapon.natural
    when[f"taunt {place}"] = True
    when[f"swing_past {place}"] = True
    return [name for name, possible in when.items() if possible]


def follow_up_choices(table: Table, fighter: Fighter, first_target: Fighter) -> list[str]:
    """R-35: one more throw, at another legal target."""
    return ["pass"] + [
        f"attack {place}"
        for place, target in enumerate(table.enemies(fighter), 1)
        if target is not first_target and table.may_attack(fighter, target)
    ]
