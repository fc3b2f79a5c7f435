"""A duel in beats: two fighters choose in secret, reveal together, and both attack."""

import numpy as np

from heartrush_env.games.heretics import events, terms, weapons
from heartrush_env.games.heretics.book import choice, rule
from heartrush_env.games.heretics.rules import attacks, conditions, ending, fighters, items
from heartrush_env.games.heretics.rules.space import distance
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.scenario.settings import PARTS

HEADING = "The dueling beat"
BONUS = 3  # of each choice
LAST_TWO = 1  # a value of the setting duel_entry
CHOOSER = 1  # a value of the setting duel_bonus
ROUNDS = 1  # a value of the setting after_beats
LAST_BEATS = 2**terms.REMEMBERED - 1  # a bit for each beat that is remembered


def add_beat_choice(name: str, words: str, **more: bool) -> None:
    """Put a choice of a beat on the shelf; the beat itself carries it out."""

    @choice(name, windows=("beat",), words=words, heading=HEADING, rulings=("R-56",), **more)
    class BeatChoice:
        """Choose in secret what the blow of this beat is good at."""

        def may(fight, i, target, detail):
            return not conditions.cannot_act(fight.fighters[i])


add_beat_choice("parry", "parry: +3 armored defense, beats a push", fallback=True)
add_beat_choice("push", "push: +3 damage, beats a feint")
add_beat_choice("feint", "feint: +3 to hit, beats a parry")


@choice("yield", windows=("beat",), words="yield", heading=HEADING, rulings=("R-58",))
class Yield:
    """Surrender in place of a choice; no attack is made in this beat."""

    def may(fight, i, target, detail):
        return fight.rules.duel_yield == 0 and not conditions.cannot_act(fight.fighters[i])


@rule(HEADING, "R-57")
def last_two_meet(fight):
    """Return whether the last two fighters are asked for a duel: one of each side, adjacent, before any beat."""
    if fight.rules.duel_entry != LAST_TWO or fight.beat > 0 or fight.in_beats:
        return False
    if fighters.able_of(fight, 0) != 1 or fighters.able_of(fight, 1) != 1:
        return False
    first, second = duelists(fight)
    return fighters.decides(fight, first) and fighters.decides(fight, second) and distance(fight, first, second) <= 1


@rule(HEADING, "R-57")
def begin_duel(fight, log):
    """Let beats replace the rounds if both of the last two have agreed."""
    first, second = duelists(fight)
    fight.in_beats = True
    for i in (first, second):
        agrees = fight.fighters[i].deed == terms.AGREE
        events.tell_duel(fight, log, i, agrees)
        fight.in_beats = fight.in_beats and agrees


@rule(HEADING, "R-53")
def duelists(fight):
    """Return the two able fighters in the order of their rolls: a hero first, else the lower index."""
    first, second = np.int64(NOBODY), np.int64(NOBODY)
    for i in range(fight.n):
        if fighters.is_able(fight, i):
            first = np.int64(i) if first == NOBODY else first
            second = np.int64(i)
    if fight.fighters[second].hero and not fight.fighters[first].hero:
        return second, first
    return first, second


@rule(HEADING, "R-45", "R-56")
def begin_beat(fight, log):
    """Begin a beat, which is a phase of each side; both duelists have a reaction."""
    fight.beat += 1
    events.tell_beat(fight, log, fight.beat)
    for side in range(2):
        fight.blows[side] = 0
    for i in range(fight.n):
        fighter = fight.fighters[i]
        fighter.acting = fighters.is_able(fight, i)
        if fighter.acting:
            fighter.phases += 1
            fighter.left[terms.REACTION] = 1


@rule(HEADING, "R-58", "R-60")
def reveal(fight, log):
    """Reveal both choices; return whether blows follow, because neither duelist yields."""
    first, second = duelists(fight)
    for i in (first, second):
        fighter = fight.fighters[i]
        chosen = np.int64(NOBODY) if conditions.cannot_act(fighter) else np.int64(fighter.deed) - terms.PARRY
        events.tell_reveal(fight, log, i, chosen)
        for kind in range(terms.KINDS):
            k = terms.KINDS * np.int64(fighter.team) + kind
            fight.reveals[k] = (2 * np.int64(fight.reveals[k]) + (1 if kind == chosen else 0)) & LAST_BEATS
        if chosen == terms.KINDS:
            fighter.status = terms.GIVEN_UP
            conditions.release(fight, log, i)
    return fighters.is_able(fight, first) and fighters.is_able(fight, second)


@rule(HEADING, "R-58")
def stake(fight):
    """Return what the victory in a fight pays: 1 or, if the loser has yielded, what the setting `yield_value` says."""
    for i in range(fight.n):
        if fight.fighters[i].status == terms.GIVEN_UP and fight.fighters[i].deed == terms.YIELD:
            return abs(np.int64(fight.rules.yield_value)) / PARTS
    return 1.0


@compiled
def revealed(fight, side):
    """Return what the duelist of a side has chosen in this beat: parry, push, feint, or NOBODY for no choice."""
    for kind in range(terms.KINDS):
        if fight.reveals[terms.KINDS * side + kind] & 1 != 0:
            return np.int64(kind)
    return np.int64(NOBODY)


@rule(HEADING, "R-49", "R-51", "R-56")
def bonus_of(fight, side, kind):
    """Return the bonus that a side has from this kind of choice: 3 if it chose it and beats or equals the other's."""
    own, other = revealed(fight, side), revealed(fight, 1 - side)
    counts = other == own or other == (own + 1) % terms.KINDS or fight.rules.duel_bonus == CHOOSER
    return BONUS if own == kind and counts else 0


@rule(HEADING, "R-52", "R-53")
def roll_blows(fight, log):
    """Roll both attacks. Openings of the beat before are over then, and a natural 1 makes a new one."""
    first, second = duelists(fight)
    naturals = (roll_blow(fight, log, first, second), roll_blow(fight, log, second, first))
    conditions.relieve(fight, log, first, terms.OPEN)
    conditions.relieve(fight, log, second, terms.OPEN)
    attacks.note_opening(fight, log, first, naturals[0], fight.rules.duel_fumble)
    attacks.note_opening(fight, log, second, naturals[1], fight.rules.duel_fumble)


@rule(HEADING, "R-50", "R-51", "R-59")
def roll_blow(fight, log, i, target):
    """Roll a duelist's attack, and keep how it hits; return the natural value, or 0 if it cannot attack."""
    if conditions.cannot_act(fight.fighters[i]):
        return np.int64(0)
    side, armed = np.int64(fight.fighters[i].team), fighters.strikes_armed(fight.fighters[i])
    conditions.end_concentration(fight, log, i)
    conditions.end_concentration(fight, log, target)
    conditions.provoke(fight, log, i, target)
    attacks.begin_exchange(fight, i, target, terms.MELEE, armed)
    attacks.gather_causes(fight, i, target, terms.MELEE)
    bonus = attacks.attack_bonus(fight, i, armed) + bonus_of(fight, side, terms.BY_FEINT)
    number = fighters.armored_defense(fight.fighters[target]) + bonus_of(fight, 1 - side, terms.BY_PARRY)
    hit = attacks.roll_attack(fight, log, i, target, bonus, number)
    natural = np.int64(fight.exchange.natural)
    if hit:
        fight.blows[side] = 1 << terms.HITS | (1 << terms.TWENTY if natural == 20 else 0)
    return natural


@rule(HEADING, "R-53", "R-54")
def note_answers(fight, log):
    """Note who breaks its weapon or, as a reaction, its shield to stop the other's blow, once both have answered."""
    first, second = duelists(fight)
    for i, other in ((first, second), (second, first)):
        fighter, side = fight.fighters[i], np.int64(fight.fighters[i].team)
        if fighter.deed == terms.SUNDER_WEAPON:
            fight.blows[side] = fight.blows[side] | 1 << terms.SUNDERS
            events.tell_sunder(fight, log, i, other)
        elif fighter.deed == terms.BREAK_SHIELD:
            fighter.left[terms.REACTION] -= 1
            fight.blows[1 - side] = fight.blows[1 - side] | 1 << terms.STOPPED
            events.tell_shield(fight, log, i)


@rule(HEADING, "R-53", "R-54")
def land_blows(fight, log):
    """Roll both damages and let them land together; then come effects of hits, and what was broken is gone."""
    first, second = duelists(fight)
    dealt = roll_blow_damage(fight, first, second)
    blows = ((first, second, dealt), (second, first, roll_blow_damage(fight, second, first)))
    for _, target, amount in blows:
        if amount != NOBODY:
            fighters.harm(fight, log, target, amount)
    for i, target, amount in blows:
        if amount != NOBODY and not fighters.strikes_armed(fight.fighters[i]):
            attacks.save_from_hit(fight, log, i, target)
    lose_broken(fight, log, first)
    lose_broken(fight, log, second)


@rule(HEADING, "R-51", "R-52", "R-55")
def roll_blow_damage(fight, i, target):
    """Roll and return the damage of a duelist's hit; NOBODY if it has missed or a shield has stopped it."""
    side, exchange = np.int64(fight.fighters[i].team), fight.exchange
    blow = np.int64(fight.blows[side])
    if not attacks.has_hit(fight, side) or blow >> terms.STOPPED & 1 != 0:
        return np.int64(NOBODY)
    attacks.begin_exchange(fight, i, target, terms.MELEE, fighters.strikes_armed(fight.fighters[i]))
    exchange.natural = 20 if blow >> terms.TWENTY & 1 != 0 else 0
    exchange.sundered = blow >> terms.SUNDERS & 1 != 0
    return attacks.roll_damage(fight, i) + bonus_of(fight, side, terms.BY_PUSH)


@rule(HEADING, "R-54")
def lose_broken(fight, log, i):
    """Take away a duelist's broken shield and weapon; by a setting, it takes its next melee weapon at once."""
    fighter, side = fight.fighters[i], np.int64(fight.fighters[i].team)
    if fight.blows[1 - side] >> terms.STOPPED & 1 != 0:
        fighter.shield = False
    if fight.blows[side] >> terms.SUNDERS & 1 != 0:
        fighter.held = weapons.NO_ITEM
        for slot in range(terms.INVENTORY if fight.rules.duel_rearm == 1 and fighters.is_able(fight, i) else 0):
            item = np.int64(fighter.inventory[slot])
            if fighter.held == weapons.NO_ITEM and 0 <= item < weapons.A_SHIELD and not weapons.SHOOTS[item]:
                fighter.inventory[slot] = weapons.NO_ITEM
                items.take_in_hand(fight, log, i, item)


@rule(HEADING, "R-56", "R-58")
def end_beat(fight, log):
    """End a beat, with the conditions that run out; after the last one, a larger conflict breaks in."""
    conditions.end_conditions(fight, log)
    ending.judge(fight, log)
    if fight.ending == terms.GOES_ON and fight.beat >= fight.rules.beat_cap:
        events.tell_conflict(fight, log, fight.beat)
        fight.in_beats = False
        if fight.rules.after_beats != ROUNDS:
            ending.decide(fight, terms.LARGER_CONFLICT, NOBODY)
