"""Attacks: range, the roll, a sundered weapon, a broken shield, damage, and on-hit effects."""

import numpy as np

from heartrush_env.games.heretics import events, terms, weapons
from heartrush_env.games.heretics.book import action, choice, rule
from heartrush_env.games.heretics.rules import conditions, dice, fighters, items, morale, space, spells, stunts
from heartrush_env.games.heretics.terms import MELEE, MISSILE, SPELL, THROWN
from heartrush_env.tabletop.choosing import NOBODY, Target
from heartrush_env.tabletop.grids import places
from heartrush_env.tabletop.grids.things import lay
from heartrush_env.tabletop.grids.visibility import CORNERS
from heartrush_env.tabletop.rng import roll_die, roll_sum
from heartrush_env.tabletop.rule import compiled

HEADING = "Attacks"
STUNT_ONLY, DICE_ONLY = 1, 2  # values of the setting advantage_use
STUNTS = len(terms.STUNTS)
MULTIPLY = 0  # a value of the setting doubling
PRONE_BIT = conditions.bits(terms.PRONE)


@rule("Space", "R-10")
def in_flight_range(fight, i, target, far):
    """Return whether fighter i can shoot or throw at the target with a range of `far` feet."""
    if space.is_crowded(fight, i, target) or not space.sees(fight, i, target):
        return False
    return space.distance(fight, i, target) * terms.FEET_A_SQUARE <= far


@compiled
def is_attack(deed):
    """Return whether a choice is an attack."""
    return deed == terms.ATTACK or deed == terms.UNARMED or deed == terms.THROW or deed == terms.LIGHTNING_BOLT


@compiled
def mode_of(fighter, deed):
    """Return how an attack is made: hand to hand, with a missile weapon, by throwing, or by a spell."""
    if deed == terms.THROW or deed == terms.LIGHTNING_BOLT:
        return THROWN if deed == terms.THROW else SPELL
    return MISSILE if deed == terms.ATTACK and fighters.holds_missile_weapon(fighter) else MELEE


@rule("Space", "R-9")
def reaches(fight, i, target, deed):
    """Return whether fighter i can make this kind of attack on the target and is in range.

    A throw or an unarmed attack needs a weapon in hand; without one, the plain attack is made unarmed.
    """
    if deed == terms.LIGHTNING_BOLT:
        return spells.may_be_target(fight, i, target, deed)
    fighter = fight.fighters[i]
    has_weapon, mode = fighter.held != weapons.NO_ITEM, mode_of(fighter, deed)
    if not fighters.is_able(fight, target) or (deed != terms.ATTACK and not has_weapon):
        return False
    if mode == MELEE:
        full = (deed == terms.ATTACK and has_weapon) or fight.rules.melee_range == 1
        near = space.distance(fight, i, target) <= (space.melee_squares(fight, i) if full else 1)
        return near and space.in_sight(fight, i, target)
    if mode == MISSILE:
        has_shot = not items.must_load(fighter) and (fighter.ammunition > 0 or fight.rules.ammunition == 0)
        return has_shot and in_flight_range(fight, i, target, np.int64(weapons.FAR[fighter.held]))
    far = np.int64(weapons.THROWN_FAR[fighter.held])
    return not weapons.SHOOTS[fighter.held] and in_flight_range(fight, i, target, far)


@rule(HEADING, "R-20")
def attack_bonus(fight, i, armed):
    """Return the bonus of an attack: a fixed bonus if there is one, else str, or dex if higher with a subtle weapon."""
    fighter = fight.fighters[i]
    if fighter.fixed_to_hit:
        return np.int64(fighter.to_hit)
    bonus = np.int64(fighter.ability[terms.STR])
    if armed and weapons.SUBTLE[fighter.held]:
        bonus = max(bonus, np.int64(fighter.ability[terms.DEX]))
    return bonus


@rule("Conditions", "R-10", "R-11", "R-29")
def gather_causes(fight, i, target, mode):
    """Collect the causes of advantage and of disadvantage for an attack.

    From afar, partial cover hinders it, and long range unless it is a spell.
    """
    exchange, fighter, other = fight.exchange, fight.fighters[i], fight.fighters[target]
    dice.begin_check(fight, fighter.afflicted & conditions.HINDER_ATTACKS)
    exchange.helps = other.afflicted & conditions.HELP_AGAINST | fighter.afflicted & conditions.HELP_ATTACKS
    if mode == MELEE:
        exchange.helps = exchange.helps | other.afflicted & PRONE_BIT
    else:
        exchange.hinders = exchange.hinders | other.afflicted & PRONE_BIT
        if mode != SPELL:
            near = weapons.NEAR[fighter.held] if mode == MISSILE else weapons.THROWN_NEAR[fighter.held]
            if space.distance(fight, i, target) * terms.FEET_A_SQUARE > near:
                exchange.hinders = exchange.hinders | 1 << terms.BY_RANGE
        if 0 < places.blocked_lines(fight, i, target) < CORNERS:
            exchange.hinders = exchange.hinders | 1 << terms.BY_COVER


@rule(HEADING, "R-35")
def defense_of(fight, i):
    """Return the armored defense that attacks must reach: 1 more than a fighter's own in a shield wall."""
    return fighters.armored_defense(fight.fighters[i]) + (1 if space.in_shield_wall(fight, i) else 0)


@rule(HEADING, "R-7", "R-20", "R-27")
def roll_to_hit(fight, log, i, deed, target, plain):
    """Roll an attack; return whether it hits. A `plain` attack forgoes its advantage for a stunt.

    Its bonus is int for a spell, and dex is possible against the surprised. A shot unloads a crossbow, and uses up
    ammunition if that is counted.
    """
    exchange, fighter, other = fight.exchange, fight.fighters[i], fight.fighters[target]
    mode = mode_of(fighter, deed)
    armed = deed != terms.UNARMED and mode != SPELL and fighter.held != weapons.NO_ITEM
    begin_exchange(fight, i, target, mode, armed)
    gather_causes(fight, i, target, mode)
    if plain or fight.rules.advantage_use == STUNT_ONLY:
        exchange.helps = 0
    bonus, number = attack_bonus(fight, i, armed), defense_of(fight, target)
    if mode == SPELL:
        number = fighters.magicked_defense(other)
        bonus = bonus if fighter.fixed_to_hit else np.int64(fighter.ability[terms.INT])
    elif not fighter.fixed_to_hit and (conditions.has(other, terms.SURPRISED) or conditions.has(other, terms.UNAWARE)):
        bonus = max(bonus, np.int64(fighter.ability[terms.DEX]))
    hit = roll_attack(fight, log, i, target, bonus, number)
    conditions.relieve(fight, log, target, terms.OPEN)
    note_opening(fight, log, i, np.int64(exchange.natural), fight.rules.fumble)
    if mode == MISSILE:
        fighter.loaded = fighter.loaded and not weapons.LOADS[fighter.held]
        fighter.ammunition -= 1 if fight.rules.ammunition == 1 else 0
    return hit


@compiled
def begin_exchange(fight, i, target, mode, armed):
    """Note how an attack is made, before its roll."""
    exchange = fight.exchange
    exchange.attacker = i
    exchange.target = target
    exchange.mode = mode
    exchange.armed = armed
    exchange.sundered = False
    exchange.stopped = False


@rule(HEADING, "R-26", "R-59")
def roll_attack(fight, log, i, target, bonus, number):
    """Roll an attack against a defense, with the causes gathered so far; return whether it hits.

    By a setting, a target that is a hero rolls in its place.
    """
    exchange = fight.exchange
    if fight.rules.roll_to_defend == 1 and fight.fighters[target].hero:
        hit = roll_to_defend(fight, log, i, target, bonus, number)
    else:
        hit = dice.check(fight, bonus, number, True)
    events.tell_attack(
        fight, log, i, target, exchange.mode, exchange.natural, exchange.total, hit, exchange.helps, exchange.hinders
    )
    return hit


@rule(HEADING, "R-26")
def roll_to_defend(fight, log, i, target, bonus, number):
    """Roll a hero's defense in place of the attack on it; return whether the attack hits.

    A natural 1 on this roll counts as a natural 20 of the attacker, and a natural 20 as a natural 1. What hinders all
    checks of the hero helps the attacker.
    """
    exchange = fight.exchange
    weak = fight.fighters[target].afflicted & conditions.HINDER_CHECKS
    exchange.helps, exchange.hinders = exchange.hinders, exchange.helps | weak
    defended = dice.check(fight, number - 10, 10 + bonus, True)
    events.tell_check(fight, log, target, i, terms.CHECK_DEFEND, exchange.natural, exchange.total, 10 + bonus, defended)
    exchange.helps, exchange.hinders = exchange.hinders, exchange.helps
    if exchange.natural == 1 or exchange.natural == 20:
        exchange.natural = 21 - exchange.natural
    return not defended


@rule(HEADING, "R-21", "R-52")
def note_opening(fight, log, i, natural, setting):
    """Make an attacker "open" after a natural 1, until the next attack on it or the end of the next round.

    The steady do not open. `setting` is that of `fumble` or, in beats, of `duel_fumble`.
    """
    if natural == 1 and setting == 0 and not fight.fighters[i].steady:
        conditions.afflict_until(fight, log, i, terms.OPEN, fight.round_number + 1)


@rule(HEADING, "R-5", "R-24", "R-40")
def count_dice(fight, i):
    """Return how many times the weapon's die is rolled; a natural 20, a sunder and an ambush raise the number."""
    exchange, fighter = fight.exchange, fight.fighters[i]
    doublings = int(exchange.natural == 20) + int(exchange.sundered)
    times, added = 1 << doublings, 1 + doublings
    other = fight.fighters[exchange.target]
    surprised = conditions.has(other, terms.SURPRISED)
    subtle = exchange.armed and weapons.SUBTLE[fighter.held] and (surprised or conditions.has(other, terms.UNAWARE))
    ambush = fight.rules.two_pools == 1 and surprised and not other.hero
    if ambush or (fight.rules.subtle_triples == 1 and subtle):
        times *= 3
        added += 2
    return times if fight.rules.doubling == MULTIPLY else added


@compiled
def die_of(fight, i):
    """Return the sides of the die of a hit; 0 for fists, which have no dice and are never doubled."""
    fighter = fight.fighters[i]
    return np.int64(weapons.DIE[fighter.held]) if fight.exchange.armed else np.int64(fighter.natural)


@rule(HEADING, "R-6")
def rolls_twice(fight, i):
    """Return whether each die of a hit is the better of two rolls: with a melee weapon in two hands."""
    return fight.exchange.armed and fight.exchange.mode == MELEE and fighters.in_two_hands(fight.fighters[i])


@rule(HEADING, "R-23", "R-24")
def mean_reaches(fight, i, target):
    """Return whether the mean damage of fighter i's hit is at least the target's hit points.

    The mean of a die of s sides is (s + 1) / 2, and that of the better of two is (s + 1)(4s - 1) / 6s.
    """
    sides, hp = die_of(fight, i), np.int64(fight.fighters[target].hp)
    if sides == 0:
        return np.int64(fight.fighters[i].ability[terms.STR]) >= hp
    each = 4 * sides - 1 if rolls_twice(fight, i) else 3 * sides
    return count_dice(fight, i) * (sides + 1) * each >= 6 * sides * hp


@rule(HEADING, "R-6", "R-24", "R-36")
def roll_damage(fight, i):
    """Roll and return the damage of a hit; for a melee weapon in two hands, each die is the better of two rolls."""
    if fight.exchange.mode == SPELL:  # the further dice of a natural 20 do not leave the pool
        further = np.int64(fight.fighters[i].dice) if fight.exchange.natural == 20 else 0
        return np.int64(fight.exchange.power) + roll_sum(fight, further, 6)
    sides, twice = die_of(fight, i), rolls_twice(fight, i)
    if sides == 0:
        return max(np.int64(0), np.int64(fight.fighters[i].ability[terms.STR]))
    amount = np.int64(0)
    for _ in range(count_dice(fight, i)):
        die = roll_die(fight, sides)
        if twice:
            die = max(die, roll_die(fight, sides))
        amount += die
    return amount


@rule(HEADING, "R-22", "R-44")
def land_hit(fight, log, i):
    """Roll and apply the damage of a hit, then its on-hit effect, unless a shield has stopped it.

    A sundered weapon is lost either way.
    """
    exchange = fight.exchange
    target = np.int64(exchange.target)
    if not exchange.stopped:
        fighters.harm(fight, log, target, roll_damage(fight, i))
        if exchange.mode == MELEE and not exchange.armed:
            save_from_hit(fight, log, i, target)
    if exchange.sundered:
        fight.fighters[i].held = weapons.NO_ITEM


@rule(HEADING, "R-44")
def save_from_hit(fight, log, i, target):
    """Let a target that is still able save against the on-hit effect of a natural weapon, if it has one.

    Failure gives it the condition.
    """
    fighter = fight.fighters[i]
    ability, number = np.int64(fighter.hit_ability), np.int64(fighter.hit_number)
    saves = number > 0 and fighters.is_able(fight, target)
    if saves and not conditions.check_ability(fight, log, target, i, terms.CHECK_SAVE, ability, number):
        conditions.afflict(fight, log, target, np.int64(fighter.hit_condition))


@rule(HEADING, "R-27")
def has_advantage(fight, i, target, deed):
    """Return whether an attack has a cause of advantage now."""
    gather_causes(fight, i, target, mode_of(fight.fighters[i], deed))
    found = fight.exchange.helps != 0
    dice.begin_check(fight, 0)
    return found


@rule(HEADING, "R-15", "R-27")
def may_make(fight, i, target, deed):
    """Return whether an attack can be declared, or carried out with the stunt that was picked for its advantage."""
    if not reaches(fight, i, target, deed) or conditions.has(fight.fighters[i], terms.CHARMED):
        return False
    use = np.int64(fight.fighters[i].picked[0])
    if use <= terms.DICE:
        return True
    return (use > STUNTS or stunts.may_stunt(fight, i, target, use - 1)) and has_advantage(fight, i, target, deed)


@rule(HEADING, "R-27")
def begin_strike(fight, log, i):
    """Begin an attack: try the stunt that precedes it, if any, then roll; return whether the attack hits."""
    fighter = fight.fighters[i]
    deed, target, use = np.int64(fighter.deed), np.int64(fighter.target), np.int64(fighter.picked[0])
    fight.exchange.armed = False
    if terms.DICE < use <= STUNTS:
        stunts.try_stunt(fight, log, i, target, use - 1)
        if not reaches(fight, i, target, deed):
            return False
    morale.note_attack(fight, log, i, target)
    if deed == terms.LIGHTNING_BOLT:
        spells.roll_mana(fight, log, i, target)
    return roll_to_hit(fight, log, i, deed, target, use > terms.DICE)


@rule(HEADING, "R-27", "R-39")
def end_strike(fight, log, i):
    """Lay a thrown weapon on the ground, and try the stunt that follows the attack, if any."""
    fighter = fight.fighters[i]
    target, use = np.int64(fighter.target), np.int64(fighter.picked[0])
    if fighter.deed == terms.THROW and fight.exchange.armed:
        lay(fight, target, fighter.held)
        fighter.held = weapons.NO_ITEM
    if use > STUNTS and stunts.may_stunt(fight, i, target, use - 1 - STUNTS):
        stunts.try_stunt(fight, log, i, target, use - 1 - STUNTS)


@rule(HEADING, "R-27")
def pick_use(fight, i):
    """Return the pick of a use if an attack still needs one for its advantage, else NOBODY."""
    fighter = fight.fighters[i]
    target = np.int64(fighter.target)
    if fighter.picked[0] != NOBODY or fight.rules.advantage_use == DICE_ONLY:
        return NOBODY
    for stunt in range(STUNTS):
        if stunts.may_stunt(fight, i, target, stunt):
            return terms.USE if has_advantage(fight, i, target, np.int64(fighter.deed)) else NOBODY
    return NOBODY


def add_attack(deed: int, words: str) -> None:
    """Put an attack on the shelf; the round carries it out, because an attack may ask both fighters."""

    @action(terms.CHOICES[deed], words=words, target=Target.ENEMY, heading=HEADING)
    class Attack:
        """Attack with the weapon in hand (or else a natural weapon or fists), unarmed, or by throwing the weapon."""

        def may(fight, i, target, detail):
            return may_make(fight, i, target, deed)

        next_pick = pick_use


add_attack(terms.ATTACK, "attack {target}")
add_attack(terms.UNARMED, "strike {target} unarmed")
add_attack(terms.THROW, "throw the weapon at {target}")


@action(
    "lightning_bolt", words="cast lightning bolt at {target}", target=Target.ENEMY,
    heading=spells.HEADING, rulings=("R-36",),
)  # fmt: skip
class LightningBolt:
    """Attack with a spell, by int against the magicked defense; the round carries it out."""

    def may(fight, i, target, detail):
        return spells.can_cast(fight, i, terms.LIGHTNING_BOLT) and may_make(fight, i, target, terms.LIGHTNING_BOLT)

    def next_pick(fight, i):
        pick = spells.pick_for_spell(fight, i)
        return pick_use(fight, i) if pick == NOBODY else pick


@choice("use", windows=(), words="use the advantage: {detail}", details=terms.USES, pick=True, heading=HEADING)
class Use:
    """The use of an advantage: its dice, or a stunt before or after the attack."""

    def may(fight, i, target, detail):
        possible = stunts.may_stunt(fight, i, np.int64(fight.fighters[i].target), (detail - 1) % STUNTS)
        return detail == terms.DICE or possible


@rule("The dueling beat", "R-53")
def has_hit(fight, side):
    """Return whether the blow of a side's duelist has hit in this beat."""
    return fight.blows[side] >> terms.HITS & 1 != 0


@choice(
    "sunder", windows=("sunder",), words="break the weapon for twice the dice", heading=HEADING,
    rulings=("R-22", "R-54"),
)  # fmt: skip
class Sunder:
    """Destroy the weapon that has hit in melee, to roll twice as many dice."""

    def may(fight, i, target, detail):
        fighter, exchange = fight.fighters[i], fight.exchange
        if fight.in_beats:
            return fight.rules.duel_sunder == 0 and has_hit(fight, fighter.team) and fighters.strikes_armed(fighter)
        return fight.one == i and exchange.mode == MELEE and exchange.armed and fighter.held != weapons.NO_ITEM

    def do(fight, log, i, target, detail):
        fight.exchange.sundered = True
        events.tell_sunder(fight, log, i, fight.exchange.target)


@choice(
    "break_shield", windows=("shield",), words="break the shield and take nothing", costs={"reaction": 1},
    heading=HEADING, rulings=("R-23", "R-44", "R-54"),
)  # fmt: skip
class BreakShield:
    """Destroy the shield to stop the blow, as a reaction of a fighter that can act."""

    def may(fight, i, target, detail):
        fighter = fight.fighters[i]
        if fight.in_beats:
            stops = has_hit(fight, 1 - fighter.team) and fight.rules.duel_shield == 0
        else:
            stops = fight.one == i and fight.exchange.mode != SPELL and fight.rules.shield_break == 0
        return fighter.shield and stops and not conditions.cannot_react(fighter)

    def do(fight, log, i, target, detail):
        fight.exchange.stopped = True
        fight.fighters[i].shield = False
        events.tell_shield(fight, log, i)
