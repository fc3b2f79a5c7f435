"""One round between two fighters: the expected damage of their attacks by stances, and what hindrances change.

The functions are part of the compiled kernel in odds.py. All pools of attacks come from the game's own rules, in
`read_rolls`.
"""

from __future__ import annotations

from typing import Any, Final

import numpy as np

from heartrush_agents.heart_rush.tactics.chances import harm, place_of
from heartrush_agents.heart_rush.tactics.pairs import HINDRANCE, seat
from heartrush_env.games.heart_rush.rules.attack_rolls import attack_pool, defense_pool, ignores_armor
from heartrush_env.games.heart_rush.rules.conditions import IMPAIRS, gain, is_senseless, lose_levels
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK, beats
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE, NO_STANCE, PRONE
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled

LEVELS = 2  # the levels of one condition that the cunning effect or a dirty strike inflicts
NEVER: Final = -np.inf  # the value of an impossible deed
SLIGHT: Final = 1e-9  # smaller differences are ties, because sums are rounded

STANCES_TAKEN = NO_STANCE + 1  # the stances that a fighter can have, and none
MATRIX = ATTACKING_STANCES, STANCES_TAKEN
N_GAINS: Final = len(HINDRANCE) + 1

# A round of fighters 0 and 1, whose components are in a fight's record.
ROUND = record(
    [
        ("cap", "i8"),  # levels of advantage that count
        ("columns", "i8"),  # how many of the other's stances are evaluated: only attacking ones, or all
        ("left", "i8", (2,)),  # the damage that defeats each
        ("far", "i1", (2,)),  # it cannot attack the other
        ("uphill", "i8", (2,)),  # levels that height gives its attack alone, minus those for cover and distance
        ("wading", "i8", (2,)),  # levels that water takes from all its rolls
        ("unlit", "i8", (2,)),  # levels that the light takes from attack and defense
        ("more", "i8", (2, 2)),  # dice that an ability adds to its attack: number, size
        # For the stance evaluated: each fighter's rolls, as indices into the table, and the flat bonuses on them:
        ("attack", "i8", (2, 2)),  # by whether it beats the other's stance
        ("bonus", "i8", (2, 2)),
        ("defense", "i8", (2,)),
        ("guard", "i8", (2,)),  # without armor, which some attacks ignore
        ("hits", "f8", (2, *MATRIX)),  # the expected damage that each deals to the other
        ("later", "f8", (2, *MATRIX)),  # the expected damage in the next round without a new hindrance
        ("gained", "f8", (2, N_GAINS)),  # how much each would gain in the next round if the other were hindered
    ]
)


# -- a round -----------------------------------------------------------------------------------------------------------


@compiled
def take_seats(fight: Any, round: Any, pair: Any) -> None:
    """Write both fighters of a pair into the records, as they are now."""
    seat(fight, 0, pair.own, pair.other)
    seat(fight, 1, pair.other, pair.own)
    round.left[0], round.left[1] = pair.own_left, pair.other_left
    take_place(round, 0, pair.own, pair.other)
    take_place(round, 1, pair.other, pair.own)


@compiled
def take_place(round: Any, i: Any, sheet: Any, foe: Any) -> None:
    """Record how water, light, height, cover, distance and abilities change a fighter's rolls."""
    round.far[i] = sheet.far > 0
    round.wading[i] = sheet.water
    round.unlit[i] = 0 if foe.obscured > 0 or foe.hidden > 0 else sheet.gloom
    round.uphill[i] = max(0, sheet.higher - max(0, sheet.highground - foe.highground)) - sheet.aim
    round.more[i, 0], round.more[i, 1] = sheet.more_dice, sheet.more_sides


@compiled
def capped(round: Any, net: Any) -> Any:
    """Return the levels of advantage, limited by the cap."""
    return max(-round.cap, min(round.cap, net))


@compiled
def is_able(fight: Any, round: Any, i: Any) -> Any:
    """Return whether fighter i can attack the other."""
    fighter = fight.fighters[i]
    if is_senseless(fighter) or round.far[i]:
        return False
    return fighter.action or not fight.rules.attack_costs_action


@compiled
def read_rolls(fight: Any, round: Any, stance: Any, known: Any, wanted: Any) -> None:
    """Look up the rules' pools of both fighters in attacks of this stance."""
    for i in range(2):
        place = round.wading[i] + round.unlit[i]
        for beaten in range(2):
            attack_pool(fight, i, 1 - i, stance, beaten == 1)
            add_bonus_dice(fight.pool, round.more[i, 0], round.more[i, 1])
            net = capped(round, fight.pool.net + round.uphill[i] - place)
            round.attack[i, beaten] = place_of(fight.pool, net, known, wanted)
            round.bonus[i, beaten] = fight.pool.flat_bonus
        defense_pool(fight, i, 1 - i, stance, 0)
        round.defense[i] = place_of(fight.pool, capped(round, fight.pool.net - place), known, wanted)
        round.guard[i] = fight.pool.flat_bonus


@compiled
def weigh_stance(fight: Any, round: Any, stance: Any, known: Any, wanted: Any) -> None:
    """Compute the expected damage of each fighter's attack in this stance, against each stance of the other."""
    read_rolls(fight, round, stance, known, wanted)
    for i in range(2):
        able = is_able(fight, round, i)
        for against in range(round.columns):
            strikes = able and MAY_ATTACK[stance, against]
            round.hits[i, stance, against] = blow(fight, round, i, stance, against, known) if strikes else 0.0


@compiled
def blow(fight: Any, round: Any, i: Any, stance: Any, against: Any, known: Any) -> Any:
    """Return the expected damage of fighter i's attack: a contest if stances are equal and the other can fight back."""
    o = 1 - i
    other, beaten, most = fight.fighters[o], np.int64(beats(fight, stance, against)), round.left[o]
    attack, bonus = known[round.attack[i, beaten]], round.bonus[i, beaten]
    if stance == against and (fight.rules.contested_always or is_able(fight, round, o)):
        armor = other.armor + other.shield if fight.rules.armor_in_contest else 0
        return harm(attack, known[round.attack[o, 0]], bonus - round.bonus[o, 0] - armor, False, most)
    armor = 0 if ignores_armor(fight, i, o, beaten == 1, stance) else other.armor
    return harm(attack, known[round.defense[o]], bonus - round.guard[o] - armor, against == DEFENSIVE, most)


@compiled
def weigh_round(fight: Any, round: Any, known: Any, wanted: Any) -> None:
    """Compute the expected damage in all stances."""
    for stance in range(ATTACKING_STANCES):
        weigh_stance(fight, round, stance, known, wanted)


@compiled
def outlook(round: Any, i: Any) -> Any:
    """Return the fractions that fighter i deals minus takes in its best stance against all three equally often."""
    o, best = 1 - i, NEVER
    for stance in range(ATTACKING_STANCES):
        total = 0.0
        for against in range(ATTACKING_STANCES):
            total += round.hits[i, stance, against] / round.left[o] - round.hits[o, against, stance] / round.left[i]
        best = max(best, total / ATTACKING_STANCES)
    return best


# -- the next round ----------------------------------------------------------------------------------------------------


@compiled
def begin_next_round(fight: Any) -> None:
    """Restore both actions, end help, and lower the three conditions that hinder dice by one level."""
    for i in range(2):
        fighter = fight.fighters[i]
        fighter.action, fighter.helped = True, 0
        for stance in range(ATTACKING_STANCES):
            lose_levels(fighter, IMPAIRS[stance], 1)


@compiled
def weigh_next_round(fight: Any, round: Any, pair: Any, known: Any, wanted: Any) -> None:
    """Compute the expected damage in the next round without a new hindrance."""
    take_seats(fight, round, pair)
    begin_next_round(fight)
    round.columns = ATTACKING_STANCES
    weigh_round(fight, round, known, wanted)
    for i in range(2):
        for stance in range(ATTACKING_STANCES):
            for against in range(ATTACKING_STANCES):
                round.later[i, stance, against] = round.hits[i, stance, against]


@compiled
def weigh_gains(fight: Any, round: Any, pair: Any, i: Any, known: Any, wanted: Any) -> None:
    """Compute, for each die, fighter i's gain in the next round if the other has two levels of that die's hindrance.

    A hindrance of a die changes no rolls of other dice. `weigh_next_round` must run first.
    """
    o, plain = 1 - i, outlook(round, i)
    for stance in range(ATTACKING_STANCES):
        take_seats(fight, round, pair)
        gain(fight.fighters[o], IMPAIRS[stance], LEVELS)
        begin_next_round(fight)
        weigh_stance(fight, round, stance, known, wanted)
        round.gained[i, stance] = outlook(round, i) - plain
        for k in range(2):
            for against in range(ATTACKING_STANCES):
                round.hits[k, stance, against] = round.later[k, stance, against]


@compiled
def weigh_fall(fight: Any, round: Any, pair: Any, known: Any, wanted: Any) -> None:
    """Compute fighter 0's gain in the next round if the other lies prone; run it after `weigh_gains`."""
    plain = outlook(round, 0)
    take_seats(fight, round, pair)
    begin_next_round(fight)
    gain(fight.fighters[1], PRONE, 1)
    weigh_round(fight, round, known, wanted)
    round.gained[0, ATTACKING_STANCES] = outlook(round, 0) - plain


@compiled
def best_levels(round: Any, i: Any) -> Any:
    """Return fighter i's highest gain from two levels of one condition of the other."""
    best = NEVER
    for stance in range(ATTACKING_STANCES):
        best = max(best, round.gained[i, stance])
    return best
