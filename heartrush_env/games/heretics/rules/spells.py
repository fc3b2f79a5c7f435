"""Spells: mana dice, ranges, targets, and the effects of all spells but lightning bolt, which is an attack."""

from typing import Any

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import action, choice, rule
from heartrush_env.games.heretics.rules import conditions, dice, fighters, morale, space
from heartrush_env.games.heretics.rules.conditions import afflict_until, has
from heartrush_env.games.heretics.terms import AID, BINDING_CHAINS, FIREBALL, MAGIC_MISSILE
from heartrush_env.tabletop.choosing import NOBODY, Target
from heartrush_env.tabletop.grids import places
from heartrush_env.tabletop.grids.squares import HEIGHT, WIDTH
from heartrush_env.tabletop.rng import roll_die
from heartrush_env.tabletop.rule import compiled

HEADING = "Spells"
RANGES = np.array([120, 60, 120, 20, 30]) // terms.FEET_A_SQUARE  # in squares, in the order of the spells
RADIUS = 20 // terms.FEET_A_SQUARE  # of a fireball
SPENT_FROM = 4  # a mana die that shows at least this leaves the pool


@rule(HEADING, "R-36")
def can_cast(fight, i, spell):
    """Return whether a fighter knows a spell and has mana for it; the charmed cast only spells that help allies."""
    fighter = fight.fighters[i]
    knows = fighter.spells >> (spell - MAGIC_MISSILE) & 1 != 0
    return knows and fighter.mana > 0 and fight.rules.magic == 0 and (spell == AID or not has(fighter, terms.CHARMED))


@compiled
def range_of(fighter, spell):
    """Return the range of a fighter's spell in squares."""
    squares = np.int64(RANGES[spell - MAGIC_MISSILE])
    return min(squares, space.BLIND_SQUARES) if has(fighter, terms.BLIND) else squares


@rule(HEADING, "R-36")
def may_be_target(fight, i, target, spell):
    """Return whether a spell can be aimed at a fighter in range and sight: allies for aid, enemies for all others."""
    other, friendly = fight.fighters[target], fight.fighters[i].team == fight.fighters[target].team
    if i == target or friendly != (spell == AID) or (spell == BINDING_CHAINS and has(other, terms.GRAPPLED)):
        return False
    near = space.distance(fight, i, target) <= range_of(fight.fighters[i], spell)
    return near and fighters.is_able(fight, target) and space.in_sight(fight, i, target)


@rule(HEADING, "R-36")
def pick_for_spell(fight, i):
    """Take the last pick of a spell; return the pick that it still needs, or NOBODY.

    A spell needs the number of its mana dice, then a square or further targets.
    """
    fighter = fight.fighters[i]
    if fighter.picking == 0 or fighter.picking == terms.ANSWERS + 1:  # the spell has just been chosen
        fighter.dice = 0
        fighter.aims = 0 if fighter.target == NOBODY else 1 << np.int64(fighter.target)
        if fighter.mana > 1:
            return terms.MANA
        fighter.dice = 1
    elif fighter.picking == terms.MANA + 1:
        fighter.dice = fighter.picked[0] + 1
        fighter.picked[0] = NOBODY
    elif fighter.picking == terms.AIM + 1:
        fighter.aims = fighter.aims | 1 << at_place(fight, i, np.int64(fighter.picked[0]))
        fighter.picked[0] = NOBODY
    if fighter.deed == FIREBALL and places.has_map(fight):
        return terms.COLUMN if fighter.picked[0] == NOBODY else terms.ROW if fighter.picked[1] == NOBODY else NOBODY
    return pick_target(fight, i) if fighter.deed == BINDING_CHAINS or fighter.deed == AID else NOBODY


@rule(HEADING, "R-36")
def pick_target(fight, i):
    """Return the pick of a further target if there is a choice, else NOBODY: a spell has a target for each mana die."""
    fighter = fight.fighters[i]
    missing, found, others = np.int64(fighter.dice), 0, 0
    for j in range(fight.n):
        if fighter.aims >> j & 1 != 0:
            missing -= 1
        elif may_be_target(fight, i, j, np.int64(fighter.deed)):
            found += 1
            others |= 1 << j
    if missing > 0 and found > missing:
        return terms.AIM
    if missing > 0:
        fighter.aims = fighter.aims | others
    return NOBODY


@compiled
def at_place(fight, i, place):
    """Return the fighter at a place of fighter i's view: among its allies for aid, or else among its enemies."""
    fighter = fight.fighters[i]
    place = min(place, terms.MAX_FIGHTERS - 2)  # a position from outside may have any line
    return np.int64(fighter.allies[place] if fighter.deed == AID else fighter.enemies[place])


@choice("mana", windows=(), words="roll {detail} mana dice", details=terms.MANA_DICE, pick=True, heading=HEADING)
class Mana:
    """The number of mana dice for a spell."""

    def may(fight, i, target, detail):
        return detail < fight.fighters[i].mana


@choice("aim", windows=(), words="aim at {detail} as well", details=terms.PLACES, pick=True, heading=HEADING)
class Aim:
    """A further target of a spell, by its place in the caster's view."""

    def may(fight, i, target, detail):
        fighter = fight.fighters[i]
        if detail >= (fighter.ally_count if fighter.deed == AID else fighter.enemy_count):
            return False
        j = at_place(fight, i, detail)
        return fighter.aims >> j & 1 == 0 and may_be_target(fight, i, j, np.int64(fighter.deed))


def add_center(name: str, words: str, details: tuple[str, ...], is_row: bool) -> None:
    """Put the pick of the column or of the row of an area's center on the shelf."""

    @choice(name, windows=(), words=words, details=details, pick=True, needs=places.MAP)
    class Center:
        """The column or the row of the square at the center of an area, in range and sight and not a wall."""

        def write(fight, i, masks, start):
            fighter = fight.fighters[i]
            column = np.int64(fighter.picked[0]) if is_row else np.int64(-1)
            places.write_center(fight, i, range_of(fighter, FIREBALL), column, masks, start)


add_center("column", "center it on column {detail}", tuple(map(str, range(WIDTH))), False)
add_center("row", "center it on row {detail}", tuple(map(str, range(HEIGHT))), True)


@rule(HEADING, "R-36")
def roll_mana(fight, log, i, target):
    """Roll the mana dice of a spell; return their sum, which is kept too. High dice leave the pool for the fight."""
    fighter = fight.fighters[i]
    total = np.int64(0)
    for _ in range(np.int64(fighter.dice)):
        die = roll_die(fight, 6)
        total += die
        if die >= SPENT_FROM:
            fighter.mana -= 1
    fight.exchange.power = total
    events.tell_cast(fight, log, i, fighter.deed - MAGIC_MISSILE, target, fighter.dice, total, fighter.mana)
    return total


@rule(HEADING, "R-36")
def save(fight, log, i, caster, ability):
    """Roll a save against a spell, a wil save with the ward; return whether it succeeds."""
    fighter = fight.fighters[i]
    bonus = np.int64(fighter.ability[ability]) + (np.int64(fighter.ward) if ability == terms.WIL else 0)
    number = dice.defense(fight.fighters[caster], terms.INT)
    return conditions.check_with(fight, log, i, caster, terms.CHECK_SAVE, bonus, number)


def add_spell(spell: int, words: str, target: Target, cast: Any) -> None:
    """Put a spell on the shelf that is aimed at a fighter."""

    @action(terms.CHOICES[spell], words=words, target=target, heading=HEADING, rulings=("R-36",))
    class Spell:
        """Cast a spell at a fighter that it can be aimed at."""

        def may(fight, i, target, detail):
            return can_cast(fight, i, spell) and may_be_target(fight, i, target, spell)

        def do(fight, log, i, target, detail):
            cast(fight, log, i, target)

        next_pick = pick_for_spell


@rule(HEADING, "R-36")
def cast_missile(fight, log, i, target):
    """Take from the target the sum of the mana dice and 1 for each die, without a roll to hit."""
    morale.note_attack(fight, log, i, target)
    fighters.harm(fight, log, target, roll_mana(fight, log, i, target) + np.int64(fight.fighters[i].dice))


@rule(HEADING, "R-36", "R-47")
def cast_chains(fight, log, i, target):
    """Let each target save by wil; the chains hold those that fail, as long as the caster concentrates."""
    roll_mana(fight, log, i, target)
    for j in range(fight.n):
        if fight.fighters[i].aims >> j & 1 != 0 and may_be_target(fight, i, j, BINDING_CHAINS):
            morale.note_attack(fight, log, i, j)
            if not save(fight, log, j, i, terms.WIL):
                fight.fighters[j].grappler = i
                fight.fighters[j].chained = True
                afflict_until(fight, log, j, terms.GRAPPLED, 0)


@rule(HEADING, "R-36")
def cast_aid(fight, log, i, target):
    """Give the targets advantage on attacks for as many rounds after this one as the mana dice show."""
    last = np.int64(fight.round_number) + roll_mana(fight, log, i, target)
    for j in range(fight.n):
        fighter = fight.fighters[j]
        if fight.fighters[i].aims >> j & 1 != 0 and may_be_target(fight, i, j, AID):
            now = np.int64(fighter.until[terms.AIDED]) if has(fighter, terms.AIDED) else np.int64(0)
            afflict_until(fight, log, j, terms.AIDED, max(now, last))


add_spell(MAGIC_MISSILE, "cast magic missile at {target}", Target.ENEMY, cast_missile)
add_spell(BINDING_CHAINS, "cast binding chains at {target}", Target.ENEMY, cast_chains)
add_spell(AID, "cast aid on {target}", Target.ALLY, cast_aid)


@rule(HEADING, "R-47")
def burst(fight, log, i):
    """Let all able fighters in a fireball's area save by dex, friends and the caster too; a success halves the damage.

    Their concentration ends first. They save in the order of their indices, and all damage lands together.
    """
    x, y = np.int64(fight.fighters[i].picked[0]), np.int64(fight.fighters[i].picked[1])
    total = roll_mana(fight, log, i, NOBODY)
    caught, saved = 0, 0
    for j in range(fight.n):
        near = places.is_near(fight, x, y, places.column_of(fight, j), places.row_of(fight, j), RADIUS)
        if near and fighters.is_able(fight, j):
            morale.note_attack(fight, log, i, j)
            caught |= 1 << j
    for j in range(fight.n):
        if caught >> j & 1 != 0 and save(fight, log, j, i, terms.DEX):
            saved |= 1 << j
    for j in range(fight.n):
        if caught >> j & 1 != 0:
            fighters.harm(fight, log, j, total // 2 if saved >> j & 1 != 0 else total)


@action("fireball", words="cast fireball", heading=HEADING, rulings=("R-36", "R-47"))
class Fireball:
    """Cast a fireball; on a map, at the square that is picked."""

    def may(fight, i, target, detail):
        return can_cast(fight, i, FIREBALL)

    def do(fight, log, i, target, detail):
        burst(fight, log, i)

    next_pick = pick_for_spell
