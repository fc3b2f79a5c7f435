"""Expected results of a round between two fighters, from the exact probabilities of their dice.

Values are fractions of the hit points left; damage beyond them does not count. The odds leave out shrugging off,
conditions that other fighters inflict, and effects that outlast the next round.

The compiled kernel answers one question about many pairs; without machine code, its functions run as plain Python. All
pools of attacks come from the game's own rules, in `read_rolls`.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.tactics.chances import (
    LARGEST_TOTAL,
    Table,
    chance_to_exceed,
    harm,
    place_of,
    points_beyond,
)
from heartrush_agents.tactics.pairs import HINDRANCE, Fighter, Pairing, Pairs, records, seat
from heartrush_env.games.heart_rush.engine.pools import Duel
from heartrush_env.games.heart_rush.rules.attack_rolls import attack_pool, defense_pool, ignores_armor
from heartrush_env.games.heart_rush.rules.checks import check_pool
from heartrush_env.games.heart_rush.rules.conditions import IMPAIRS, gain, is_senseless, lose_levels, restraint
from heartrush_env.games.heart_rush.rules.dice import add_bonus_dice, dice_of
from heartrush_env.games.heart_rush.rules.maneuvers.hinder import DIRTY_STRIKE_DIE
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK, beats
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    ATTACKING_STANCES,
    CHECK,
    CLIMBED_ON,
    CREATURE_CLIMBER,
    CUNNING,
    DEFENSIVE,
    GRAPPLING,
    MIGHT,
    NO_STANCE,
    PRONE,
)
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.kernels import kernel
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rule import compiled

ROUNDS_UP = 2.3  # rounds that a climber is expected to stay on, shaken off or not
LEVELS = 2  # the levels of one condition that the cunning effect or a dirty strike inflicts
ALL_POINTS: Final = 2 * LARGEST_TOTAL  # more than any damage
NEVER: Final = -np.inf  # the value of an impossible deed
SLIGHT: Final = 1e-9  # smaller differences are ties, because sums are rounded

STANCES_TAKEN = NO_STANCE + 1  # the stances that a fighter can have, and none
MATRIX = ATTACKING_STANCES, STANCES_TAKEN
Matrix = NDArray[np.float64]  # (own attacking stance, other's stance); the last column means no stance

# The deeds of an attack window, in the order that settles ties: attack, the ways to hinder each die, trip.
DEEDS = (
    "attack",
    *(f"{deed} {how}" for name in HINDRANCE.values()
      for deed, how in (("attack", f"{name}+{name}"), ("dirty_strike", name))),
    "trip",
)  # fmt: skip
TRIP = len(DEEDS) - 1

# Questions about a pair, and the number of answers to each.
(
    ASKS_DAMAGE,  # the expected damage of the first to the other, a matrix
    ASKS_DEALT,  # the fraction of the other's hit points that this damage takes, a matrix
    ASKS_STAKES,  # `stakes`
    ASKS_OUTLOOK,  # `outlook`
    ASKS_GAINS,  # `gains`, of each hindrance and of lying prone
    ASKS_DEEDS,  # `deeds`
    ASKS_CLIMBING,  # `climbing`
    ASKS_ENDURANCE,  # `endurance`
    ASKS_STRIKES,  # `strike_outside`, by stance
) = range(9)
N_GAINS: Final = len(HINDRANCE) + 1
ANSWERS = (
    MATRIX[0] * MATRIX[1], MATRIX[0] * MATRIX[1], MATRIX[0] * MATRIX[1], 1, N_GAINS, len(DEEDS), 1, 1,
    ATTACKING_STANCES,
)  # fmt: skip

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
        ("hits", "f8", (2, *MATRIX)),  # the expected damage of each to the other
        ("later", "f8", (2, *MATRIX)),  # the expected damage in the next round without a new hindrance
        ("gained", "f8", (2, N_GAINS)),  # how much each would gain then if the other were hindered
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
    """Return whether a fighter can strike back."""
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
    """Compute the expected damage of both fighters' attacks in this stance, which depends only on its own rolls."""
    read_rolls(fight, round, stance, known, wanted)
    for i in range(2):
        able = is_able(fight, round, i)
        for against in range(round.columns):
            strikes = able and MAY_ATTACK[stance, against]
            round.hits[i, stance, against] = blow(fight, round, i, stance, against, known) if strikes else 0.0


@compiled
def blow(fight: Any, round: Any, i: Any, stance: Any, against: Any, known: Any) -> Any:
    """Return the expected damage of an attack, which in a shared stance is a contest if the other can fight back."""
    o = 1 - i
    other, beaten, most = fight.fighters[o], np.int64(beats(fight, stance, against)), round.left[o]
    attack, bonus = known[round.attack[i, beaten]], round.bonus[i, beaten]
    if stance == against and (fight.rules.contested_always or is_able(fight, round, o)):
        armor = other.armor + other.shield if fight.rules.armor_in_contest else 0
        return harm(attack, known[round.attack[o, 0]], bonus - round.bonus[o, 0] - armor, False, most)
    armor = 0 if ignores_armor(fight.fighters[i], beaten == 1, stance) else other.armor
    return harm(attack, known[round.defense[o]], bonus - round.guard[o] - armor, against == DEFENSIVE, most)


@compiled
def weigh_round(fight: Any, round: Any, known: Any, wanted: Any) -> None:
    """Compute the expected damage in all stances."""
    for stance in range(ATTACKING_STANCES):
        weigh_stance(fight, round, stance, known, wanted)


@compiled
def outlook(round: Any, i: Any) -> Any:
    """Return fighter i's fraction dealt minus taken, by its best stance against all three equally often."""
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
    """Compute fighter i's gain in the next round if the other has two levels of each hindrance.

    A hindrance of a die changes no rolls of other dice. `weigh_next_round` must run before.
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
    """Compute fighter 0's gain in the next round if the other lies prone; run it after the other gains."""
    plain = outlook(round, 0)
    take_seats(fight, round, pair)
    begin_next_round(fight)
    gain(fight.fighters[1], PRONE, 1)
    weigh_round(fight, round, known, wanted)
    round.gained[0, ATTACKING_STANCES] = outlook(round, 0) - plain


@compiled
def best_levels(round: Any, i: Any) -> Any:
    """Return the highest gain from two levels of one condition."""
    best = NEVER
    for stance in range(ATTACKING_STANCES):
        best = max(best, round.gained[i, stance])
    return best


# -- the answers -------------------------------------------------------------------------------------------------------


@compiled
def answer_stakes(fight: Any, round: Any, pair: Any, known: Any, wanted: Any, out: Any) -> None:
    """Write the balance by stances, including the levels of cunning where it beats the other's stance."""
    weigh_round(fight, round, known, wanted)
    for stance in range(ATTACKING_STANCES):
        for against in range(STANCES_TAKEN):
            worth = round.hits[0, stance, against] / round.left[1]
            if against < ATTACKING_STANCES:
                worth -= round.hits[1, against, stance] / round.left[0]
            out[stance * STANCES_TAKEN + against] = worth
    if not fight.rules.levels:
        return
    weigh_next_round(fight, round, pair, known, wanted)
    for i in range(2):
        weigh_gains(fight, round, pair, i, known, wanted)
    for against in range(STANCES_TAKEN):
        if beats(fight, CUNNING, against):
            out[CUNNING * STANCES_TAKEN + against] += best_levels(round, 0)
            if against < ATTACKING_STANCES:
                out[against * STANCES_TAKEN + CUNNING] -= best_levels(round, 1)


@compiled
def answer_deeds(fight: Any, round: Any, pair: Any, known: Any, wanted: Any, out: Any) -> None:
    """Write the values of attacks and maneuvers in the stances that the two have taken."""
    stance, against = np.int64(pair.stance), np.int64(pair.against)
    if stance >= ATTACKING_STANCES:
        return
    weigh_stance(fight, round, stance, known, wanted)
    hit = round.hits[0, stance, against] / round.left[1]
    out[0] = hit
    if stance == against:  # a contest, in which either may be hurt
        out[0] -= round.hits[1, stance, against] / round.left[0]
    elif beats(fight, stance, against):
        dirt = 0.0
        for face in range(1, DIRTY_STRIKE_DIE + 1):
            dirt += min(face, round.left[1]) / DIRTY_STRIKE_DIE / round.left[1]
        may_get_up = can_rise(fight.fighters[1])
        weigh_next_round(fight, round, pair, known, wanted)
        weigh_gains(fight, round, pair, 0, known, wanted)
        weigh_fall(fight, round, pair, known, wanted)
        for die in range(ATTACKING_STANCES):
            out[1 + 2 * die] = hit + round.gained[0, die]
            out[2 + 2 * die] = dirt + round.gained[0, die]
        out[TRIP] = 0.0 if may_get_up else round.gained[0, ATTACKING_STANCES]


@compiled
def can_rise(fighter: Any) -> Any:
    """Return whether a fighter can rise from prone before the next stances."""
    return restraint(fighter) == 0 and not has(fighter, GRAPPLING) and not is_senseless(fighter)


@compiled
def answer_climbing(fight: Any, round: Any, pair: Any, known: Any, wanted: Any) -> Any:
    """Return the value of a try to climb on the other: success probability, times rounds on it, times their value."""
    mine = struggle(fight, round, 0, known, wanted)
    its = struggle(fight, round, 1, known, wanted)
    chance = chance_to_exceed(known[mine], known[its])
    weigh_next_round(fight, round, pair, known, wanted)
    below = outlook(round, 0)
    gain(fight.fighters[0], CREATURE_CLIMBER, 1)
    gain(fight.fighters[1], CLIMBED_ON, 1)
    fight.fighters[0].climbing = 1
    weigh_round(fight, round, known, wanted)
    return ROUNDS_UP * chance * (outlook(round, 0) - below)


@compiled
def struggle(fight: Any, round: Any, i: Any, known: Any, wanted: Any) -> Any:
    """Return the table index of a check of might or agility, whichever has the higher mean."""
    by_might = check_of(fight, round, i, MIGHT, known, wanted)
    by_agility = check_of(fight, round, i, AGILITY, known, wanted)
    better = points_beyond(known[by_agility], 0) > points_beyond(known[by_might], 0) + SLIGHT
    return by_agility if better else by_might


@compiled
def check_of(fight: Any, round: Any, i: Any, ability: Any, known: Any, wanted: Any) -> Any:
    """Return the table index of a fighter's check against the other."""
    check_pool(fight, i, CHECK, ability, 1 - i, 0)
    return place_of(fight.pool, capped(round, fight.pool.net - round.wading[i]), known, wanted)


@compiled
def answer_endurance(fight: Any, round: Any, known: Any, wanted: Any) -> Any:
    """Return the damage that a fighter can expect to deal before its defeat, if both attack in random stances."""
    own_left = round.left[0]
    round.left[0] = round.left[1] = ALL_POINTS
    weigh_round(fight, round, known, wanted)
    deals = suffers = 0.0
    for stance in range(ATTACKING_STANCES):
        for against in range(ATTACKING_STANCES):
            deals += round.hits[0, stance, against]
            suffers += round.hits[1, against, stance]
    return own_left * deals / max(suffers, SLIGHT)


@compiled
def answer_matrix(fight: Any, round: Any, shares: Any, known: Any, wanted: Any, out: Any) -> None:
    """Write the expected damage to the other by stances, in uncapped points or as fractions of its hit points left."""
    left = round.left[1]
    if not shares:
        round.left[0] = round.left[1] = ALL_POINTS
    weigh_round(fight, round, known, wanted)
    for stance in range(ATTACKING_STANCES):
        for against in range(STANCES_TAKEN):
            points = round.hits[0, stance, against]
            out[stance * STANCES_TAKEN + against] = points / left if shares else points


@kernel
def answer(question: Any, fights: Any, rounds: Any, pairs: Any, known: Any, wanted: Any, answers: Any) -> None:
    """Answer a question about each pair; the answers are invalid while any pools are wanted."""
    fight, round = fights[0], rounds[0]
    for k in range(len(pairs)):
        pair, out = pairs[k], answers[k]
        take_seats(fight, round, pair)
        whole = question == ASKS_DAMAGE or question == ASKS_DEALT or question == ASKS_STAKES or question == ASKS_DEEDS
        round.columns = STANCES_TAKEN if whole else ATTACKING_STANCES
        if question == ASKS_DAMAGE or question == ASKS_DEALT:
            answer_matrix(fight, round, question == ASKS_DEALT, known, wanted, out)
        elif question == ASKS_STAKES:
            answer_stakes(fight, round, pair, known, wanted, out)
        elif question == ASKS_OUTLOOK:
            weigh_round(fight, round, known, wanted)
            out[0] = outlook(round, 0)
        elif question == ASKS_GAINS:
            weigh_next_round(fight, round, pair, known, wanted)
            weigh_gains(fight, round, pair, 0, known, wanted)
            weigh_fall(fight, round, pair, known, wanted)
            for hindrance in range(N_GAINS):
                out[hindrance] = round.gained[0, hindrance]
        elif question == ASKS_DEEDS:
            fill(out, NEVER)
            answer_deeds(fight, round, pair, known, wanted, out)
        elif question == ASKS_CLIMBING:
            out[0] = answer_climbing(fight, round, pair, known, wanted)
        elif question == ASKS_ENDURANCE:
            out[0] = answer_endurance(fight, round, known, wanted)
        elif question == ASKS_STRIKES:
            for stance in range(ATTACKING_STANCES):
                read_rolls(fight, round, stance, known, wanted)
                out[stance] = blow(fight, round, 0, stance, NO_STANCE, known) / round.left[1]


# -- questions ---------------------------------------------------------------------------------------------------------


class Odds:
    """Answers questions about pairs under some settings."""

    _table, _lock = Table(), Lock()  # of all pools, shared by all settings

    def __init__(self, settings: Settings) -> None:
        """Prepare a fight of two."""
        self._fights, self._rounds = Duel(settings).fights, np.zeros(1, ROUND)
        self._rounds["cap"] = settings.advantage_cap

    def ask(self, question: int, pairs: Pairs) -> NDArray[np.float64]:
        """Return the answers to a question about each pair, (n, answers)."""
        answers, pairs = np.zeros((len(pairs), ANSWERS[question])), np.ascontiguousarray(pairs)
        table, wanting = self._table, True
        with self._lock:
            while wanting:
                answer(question, self._fights, self._rounds, pairs, table.known, table.wanted, answers)
                wanting = table.fill()
        return answers

    def matrices(self, question: int, pairs: Pairs) -> NDArray[np.float64]:
        """Return the answers to a question by stances, (n, own attacking stances, the other's stances and none)."""
        return self.ask(question, pairs).reshape(-1, *MATRIX)


@lru_cache(maxsize=64)
def odds_of(settings: Settings) -> Odds:
    """Return the odds under some settings, shared by all players."""
    return Odds(settings)


@lru_cache(maxsize=2**14)
def _about(question: int, pair: Pairing, settings: Settings) -> NDArray[np.float64]:
    answers: NDArray[np.float64] = odds_of(settings).ask(question, records([pair]))[0]
    answers.setflags(write=False)
    return answers


def damage(pair: Pairing, settings: Settings) -> Matrix:
    """Return the expected damage of the fighter to the other, by stances."""
    return _about(ASKS_DAMAGE, pair, settings).reshape(MATRIX)


def dealt(pair: Pairing, settings: Settings) -> Matrix:
    """Return the fraction of the other's hit points that attacks are expected to take, by stances."""
    return _about(ASKS_DEALT, pair, settings).reshape(MATRIX)


def stakes(pair: Pairing, settings: Settings) -> Matrix:
    """Return the fractions dealt minus taken, by stances, including cunning's levels where it beats the other's."""
    return _about(ASKS_STAKES, pair, settings).reshape(MATRIX)


def gains(pair: Pairing, settings: Settings) -> dict[str, float]:
    """Return the gain in the next round if the other has two levels of each condition, or lies prone."""
    return dict(zip((*HINDRANCE.values(), "prone"), _about(ASKS_GAINS, pair, settings).tolist(), strict=True))


def strike_outside(pair: Pairing, settings: Settings) -> NDArray[np.float64]:
    """Return the hit point fraction that an opportunity attack is expected to take, by stance; it beats no stance."""
    return _about(ASKS_STRIKES, pair, settings)


def attack_sources(own: Fighter, other: Fighter, stance: int) -> list[tuple[str, int]]:
    """Return the source and the sides of each die of an attack roll, in rolling order."""
    return dice_of(pools(own, other).attack[stance, 0])


def pools(own: Fighter, other: Fighter) -> Duel:
    """Return the pools of these two fighters under the rules without a map."""
    duel, pair = Duel(), records([Pairing(own, other, 1, 1)])[0]
    seat(duel.fights[0], 0, pair.own, pair.other)
    seat(duel.fights[0], 1, pair.other, pair.own)
    duel.fill_pools()
    return duel
