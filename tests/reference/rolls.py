"""Rolls: the dice of a handful, advantage and disadvantage, and timing order."""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from .conditions import ON_EVERY_ROLL, SLOWS_DICE_OF
from .dice import expected, whole_handful
from .moments import Asked, Roll
from .sheet import Fighter
from .table import Table
from .treading import tread


def modifiers(
    table: Table,
    fighter: Fighter,
    kind: str,
    ability: str,
    opponent: Fighter | None,
    ignoring_grapple: bool = False,
    answers: bool = False,
) -> dict[str, int]:
    """Return levels of advantage (above zero) and disadvantage (below), by cause.

    `kind` is attack, defence, check or save; `opponent` is None for a roll against no fighter. `answers` says that an
    attack roll only answers an opponent's attack in a contest.
    """
    conditions = fighter.conditions
    levels: dict[str, int] = {}

    for name, die in SLOWS_DICE_OF.items():
        if die == ability:
            levels[name] = -conditions.of(name)
    for name in ON_EVERY_ROLL:
        levels[name] = -conditions.of(name)
    if "frightened" in conditions:
        source = table[conditions.sources["frightened"]]
        if source.standing and table.in_sight(fighter, source):
            levels["frightened"] = -conditions.of("frightened")
    for name in ("enraged", "aggravated"):
        if name in conditions and opponent is not None and opponent.agent != conditions.sources[name]:
            levels[name] = -conditions.of(name)

    asks_for_motion = kind in ("attack", "defence") or (kind == "check" and ability in ("might", "agility"))
    if asks_for_motion:
        levels["restrained"] = -table.restrained(fighter, ignoring_grapple)
        levels["grappling"] = -1 if fighter.grappling else 0

    if "prone" in conditions and kind == "attack":
        levels["prone"] = -1
    if "prone" in conditions and kind == "defence" and opponent is not None:
        from_range = table.weapon_of(opponent, fighter).attack_type in ("ranged", "thrown")
        levels["prone"] = 1 if from_range else -1

    unseen = opponent is not None and ("obscured" in opponent.conditions or "hidden" in opponent.conditions)
    if unseen and kind in ("attack", "defence"):
        levels["unseen opponent"] = -5
    if opponent is not None and kind == "attack":
        if "highground" in conditions and "highground" not in opponent.conditions:
            levels["highground"] = 1
        if fighter.climbing == opponent.agent:
            levels["creature_climber"] = 3
        if opponent.climbing == fighter.agent:
            levels["climbed_on"] = -3

    if table.board is not None:
        if kind in ("attack", "defence") and not unseen:
            levels["light"] = LIGHT[table.board.light]
        if asks_for_motion:
            levels["water"] = WATER[table.board.water_of(fighter.space)]
        if kind == "attack" and opponent is not None:
            _add_from_afar(table, fighter, opponent, levels)

    levels["help"] = fighter.helped
    asked = Asked(fighter, kind, ability, opponent, answers=answers)
    if kind != "attack" or opponent is not None:
        levels["ability"] = sum(owned.levels(table, asked) for owned in table.abilities)
    return levels


LIGHT = {"bright": 0, "dim": -1, "dark": -5}
WATER = (0, -1, -5)
"""The levels for dry ground, shallow water and deep water."""


def _add_from_afar(table: Table, fighter: Fighter, target: Fighter, levels: dict[str, int]) -> None:
    """Add the levels by position: cover and distance for ranged and thrown attacks, high ground for all."""
    assert table.board is not None
    attack_type = table.weapon_of(fighter, target).attack_type
    beyond = table.squares_beyond_range(fighter, target)
    if attack_type in ("ranged", "thrown"):
        cover = max(table.board.cover(fighter.space, target.space), _cover_from_friends(table, fighter, target))
        levels["cover"] = 0 if any(owned.ignores_cover(table, target) for owned in fighter.abilities) else -cover
        levels["long_range"] = -((beyond + 1) // 2) if attack_type == "ranged" else -beyond
    if table.board.height_of(fighter.space) > table.board.height_of(target.space):
        levels["highground"] = 1


def _cover_from_friends(table: Table, attacker: Fighter, target: Fighter) -> int:
    """Return a level of cover for a target in the space of a friend at least two sizes larger (R-85)."""
    return int(
        any(
            friend is not attacker
            and friend.standing
            and table.sides_to(target, friend) >= 2
            and friend.space.overlaps(target.space)
            for friend in table.allies(target)
        )
    )


def net_levels(
    table: Table,
    fighter: Fighter,
    kind: str,
    ability: str,
    opponent: Fighter | None,
    also: int = 0,
    ignoring_grapple: bool = False,
) -> int:
    """Return the sum of all levels, limited by the cap."""
    return capped(table, sum(modifiers(table, fighter, kind, ability, opponent, ignoring_grapple).values()) + also)


def capped(table: Table, net: int) -> int:
    """Return how many of these levels count (R-28)."""
    cap = table.settings.advantage_cap
    return max(-cap, min(cap, net))


def ability_die(fighter: Fighter, ability: str) -> int:
    """Return the fighter's ability die for a roll, with what its abilities make of it."""
    die = fighter.dice[ability]
    for owned in fighter.abilities:
        die = owned.rolls_die(ability, die)
    return die


def roll(
    table: Table,
    fighter: Fighter,
    kind: str,
    ability: str,
    opponent: Fighter | None,
    more_dice: tuple[int, ...] = (),
    flat: int = 0,
    also: int = 0,
    ignoring_grapple: bool = False,
    wins: bool = False,
    answers: bool = False,
) -> Roll:
    """Roll heart, ability and further dice, then those of advantage or disadvantage. Help is used up (R-45).

    Abilities add dice (R-22), then react to the roll and may take dice off it, in the order of the sheet, except in an
    attack against no fighter (R-141). `wins` says that the attacker's stance beats the defender's, `answers` that the
    roll only answers an opponent's attack in a contest.
    """
    if kind in ("attack", "defence") and opponent is not None:
        tread(table, fighter)
    speaking = [] if kind == "attack" and opponent is None else fighter.abilities
    heart = table.heart_die(fighter)
    for owned in speaking:
        heart = owned.heart(kind, heart)
    asked = Asked(fighter, kind, ability, opponent, wins, heart, answers)
    net = sum(modifiers(table, fighter, kind, ability, opponent, ignoring_grapple, answers).values()) + also
    for second in [owned.second(table, asked) for owned in speaking]:
        if second is not None:
            net += min(0, _without_abilities(table, asked, second) - _without_abilities(table, asked))
    points = 0
    for owned in speaking:
        net += owned.further_levels(table, asked, net)
        given_up = owned.gives_up(table, asked, net)
        points += given_up
        net -= given_up
        net -= owned.spends(table, asked, net)
    levels = capped(table, net)
    fighter.helped = 0
    die = ability_die(fighter, ability) if speaking else fighter.dice[ability]
    dice = whole_handful((heart, die, *more_dice), levels)
    made = Roll(
        fighter, kind, [(table.roll_die(sides), sides) for sides in dice], levels, opponent, flat + points, ability
    )
    for owned in speaking:
        made.flat += owned.flat(table, asked)
        made.added += [(table.roll_die(die), die) for die in owned.adds(table, asked)]
    for owned in table.abilities:
        made.flat += owned.flat_of_all(table, asked) if kind != "attack" or opponent is not None else 0
        made.added += [(table.roll_die(die), die) for die in owned.lends(table, asked)]
    for owned in speaking:
        owned.after_roll(table, made)
    if kind in ("attack", "defence") and opponent is not None:
        for owned in table.abilities:
            owned.after_any_roll(table, asked, made)
    return made


def _without_abilities(table: Table, asked: Asked, opponent: Fighter | None = None) -> int:
    """Return the levels of an attack that no ability gives, against its opponent or another."""
    levels = modifiers(table, asked.fighter, asked.kind, asked.ability, opponent or asked.opponent)
    return sum(levels.values()) - levels["ability"]


def weapon_dice(table: Table, fighter: Fighter, ability: str, opponent: Fighter | None) -> tuple[int, ...]:
    """Return the weapon's die, if it has one, twice in the stance that its damage type favors."""
    weapon = table.weapon_of(fighter, opponent)
    if not weapon.die:
        return ()
    fits = weapon.matching_stance == ability or any(owned.fits(ability) for owned in fighter.abilities)
    return (weapon.die,) * (2 if fits else 1)


def roll_attack(
    table: Table,
    fighter: Fighter,
    ability: str,
    opponent: Fighter | None,
    extra_weapon_dice: int = 0,
    wins: bool = False,
    answers: bool = False,
) -> Roll:
    """Roll heart + ability + weapon, the weapon's die again if its damage type matches, and the whip's bonus dice."""
    weapon = table.weapon_of(fighter, opponent)
    dice = weapon_dice(table, fighter, ability, opponent)
    dice += (weapon.die,) * (extra_weapon_dice if weapon.die else 0)
    for owned in fighter.abilities if opponent is not None else []:
        dice += owned.more_weapon_dice(weapon, opponent)
    return roll(table, fighter, "attack", ability, opponent, dice, fighter.attack_bonus, wins=wins, answers=answers)


def roll_defence(table: Table, fighter: Fighter, ability: str, opponent: Fighter, armor_counts: bool = True) -> Roll:
    """Roll heart + the attacker's ability die + armor + shield; the shield counts even where armor does not (R-8)."""
    flat = fighter.shield + (table.armor_of(fighter, opponent) if armor_counts else 0)
    return roll(table, fighter, "defence", ability, opponent, flat=flat)


def roll_check(
    table: Table,
    fighter: Fighter,
    ability: str,
    opponent: Fighter | None,
    kind: str = "check",
    also: int = 0,
    ignoring_grapple: bool = False,
) -> int:
    """Roll a check or save; "might or agility" is the die with the higher mean, or might if they are equal (R-57)."""
    if ability == "might or agility":
        worth = {}
        for name in ("might", "agility"):
            levels = net_levels(table, fighter, kind, name, opponent, also, ignoring_grapple)
            worth[name] = expected((table.heart_die(fighter), ability_die(fighter, name)), levels)
        ability = "agility" if worth["agility"] > worth["might"] else "might"
    return roll(table, fighter, kind, ability, opponent, also=also, ignoring_grapple=ignoring_grapple).total


# ------------------------------------------------------------------------------------------------ timing order


def base_order(table: Table) -> list[Fighter]:
    """Return fighters by larger agility die, heroes before others, then agent order (RULES, "Timing order")."""
    return sorted(table.fighters, key=lambda fighter: (-timing_die(table, fighter), not fighter.hero))


def timing_die(table: Table, fighter: Fighter) -> int:
    """Return the fighter's agility die as far as the order of fighters is concerned."""
    die = fighter.dice["agility"]
    for owned in fighter.abilities:
        die = owned.timing_die(table, die)
    return die


def _roll_for_timing(table: Table, fighter: Fighter) -> int:
    """Return the fighter's agility check for the order, rolled with the die that it has for the order."""
    own, fighter.dice["agility"] = fighter.dice["agility"], timing_die(table, fighter)
    total = roll_check(table, fighter, "agility", None)
    fighter.dice["agility"] = own
    return total


def timing_order(table: Table, going_for: Mapping[str, Hashable]) -> list[Fighter]:
    """Return all fighters, quickest first, after the rolls that settle ties (R-3, R-31).

    `going_for` maps each agent that takes part to its goal; fighters that tie and have the same goal roll for the
    places that they hold between them.
    """
    order = base_order(table)
    sets: dict[Hashable, list[Fighter]] = {}
    for fighter in order:
        if fighter.agent in going_for:
            key = (timing_die(table, fighter), fighter.hero, going_for[fighter.agent])
            sets.setdefault(key, []).append(fighter)
    for members in sets.values():
        if len(members) > 1:
            places = [order.index(member) for member in members]
            for place, member in zip(places, _settle(table, members), strict=True):
                order[place] = member
    return order


def _settle(table: Table, members: list[Fighter]) -> list[Fighter]:
    """Order the fighters by contested agility checks, in agent order; those who tie roll again."""
    totals = [(_roll_for_timing(table, member), member) for member in members]
    settled: list[Fighter] = []
    for total in sorted({total for total, _ in totals}, reverse=True):
        equals = [member for reached, member in totals if reached == total]
        settled += equals if len(equals) == 1 else _settle(table, equals)
    return settled
