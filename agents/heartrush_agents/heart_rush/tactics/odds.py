"""Expected results of a round between two fighters, from the exact probabilities of their dice.

Values are fractions of the hit points left; damage beyond them does not count. The values leave out shrugging off,
conditions that other fighters inflict, and effects that outlast the next round.

The compiled kernel answers one question about many pairs, from the rounds that rounds.py evaluates. Without machine
code, its functions run as plain Python.
"""

from __future__ import annotations

from functools import lru_cache
from threading import Lock
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tactics.chances import LARGEST_TOTAL, Table, chance_to_exceed, place_of, points_beyond
from heartrush_agents.heart_rush.tactics.pairs import HINDRANCE, Fighter, Pairing, Pairs, records, seat
from heartrush_agents.heart_rush.tactics.rounds import (
    MATRIX,
    N_GAINS,
    NEVER,
    ROUND,
    SLIGHT,
    STANCES_TAKEN,
    best_levels,
    blow,
    capped,
    is_able,
    outlook,
    read_rolls,
    take_seats,
    weigh_fall,
    weigh_gains,
    weigh_next_round,
    weigh_round,
    weigh_stance,
)
from heartrush_env.games.heart_rush.engine.pools import Duel
from heartrush_env.games.heart_rush.rules.checks import check_pool
from heartrush_env.games.heart_rush.rules.conditions import gain, is_senseless
from heartrush_env.games.heart_rush.rules.dice import dice_of
from heartrush_env.games.heart_rush.rules.maneuvers.hinder import DIRTY_STRIKE_DIE
from heartrush_env.games.heart_rush.rules.sheet import HELD, has
from heartrush_env.games.heart_rush.rules.stances import beats
from heartrush_env.games.heart_rush.rules.terms import (
    AGILITY,
    ATTACKING_STANCES,
    CHECK,
    CLIMBED_ON,
    CREATURE_CLIMBER,
    CUNNING,
    GRAPPLING,
    MELEE,
    MIGHT,
    NO_STANCE,
)
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.tabletop.arrays import fill
from heartrush_env.tabletop.kernels import kernel
from heartrush_env.tabletop.rule import compiled

ROUNDS_UP = 2.3  # rounds that a climber is expected to stay on, shaken off or not
ALL_POINTS: Final = 2 * LARGEST_TOTAL  # more than any damage
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
    ASKS_DAMAGE,  # the damage that the first is expected to deal to the other, a matrix
    ASKS_DEALT,  # the fraction of the other's hit points that this damage takes, a matrix
    ASKS_STAKES,  # `stakes`
    ASKS_OUTLOOK,  # `outlook`
    ASKS_GAINS,  # `gains`, of each hindrance and of lying prone
    ASKS_DEEDS,  # the value of each of DEEDS
    ASKS_CLIMBING,  # the value of trying to climb on the other
    ASKS_ENDURANCE,  # the damage that the first can expect to deal before its defeat
    ASKS_STRIKES,  # `strike_outside`, by stance
    ASKS_PROSPECTS,  # fractions of hit points: dealt, a matrix; then lost, by the other's attacking stances
    ASKS_EXCHANGES,  # two matrices: what the best deed of this round gains for the first, and for the other
) = range(11)
ANSWERS = (
    MATRIX[0] * MATRIX[1], MATRIX[0] * MATRIX[1], MATRIX[0] * MATRIX[1], 1, N_GAINS, len(DEEDS), 1, 1,
    ATTACKING_STANCES, MATRIX[0] * MATRIX[1] + ATTACKING_STANCES, 2 * MATRIX[0] * MATRIX[1],
)  # fmt: skip

# -- the answers -------------------------------------------------------------------------------------------------------


@compiled
def answer_stakes(fight: Any, round: Any, pair: Any, known: Any, wanted: Any, out: Any) -> None:
    """Write the fractions dealt minus taken for each pair of stances, with cunning's levels where cunning wins."""
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
    """Write the values of attacks and maneuvers in the stances that the two fighters have taken."""
    stance, against = np.int64(pair.stance), np.int64(pair.against)
    if stance >= ATTACKING_STANCES:
        return
    weigh_stance(fight, round, stance, known, wanted)
    hit = round.hits[0, stance, against] / round.left[1]
    out[0] = hit
    if stance == against:  # a contest, in which either may be hurt
        out[0] -= round.hits[1, stance, against] / round.left[0]
    elif beats(fight, stance, against):
        dirt = dirt_of(round, 1)
        may_get_up = can_rise(fight.fighters[1])
        weigh_next_round(fight, round, pair, known, wanted)
        weigh_gains(fight, round, pair, 0, known, wanted)
        weigh_fall(fight, round, pair, known, wanted)
        for die in range(ATTACKING_STANCES):
            out[1 + 2 * die] = hit + round.gained[0, die]
            out[2 + 2 * die] = dirt + round.gained[0, die]
        out[TRIP] = 0.0 if may_get_up else round.gained[0, ATTACKING_STANCES]


@compiled
def dirt_of(round: Any, i: Any) -> Any:
    """Return the expected fraction of fighter i's hit points that a dirty strike takes."""
    dirt = 0.0
    for face in range(1, DIRTY_STRIKE_DIE + 1):
        dirt += min(face, round.left[i]) / DIRTY_STRIKE_DIE / round.left[i]
    return dirt


@compiled
def answer_exchanges(fight: Any, round: Any, pair: Any, known: Any, wanted: Any, out: Any) -> None:
    """Write what each fighter gains in each pair of stances if the winner strikes, with levels if by cunning, or dirty.

    The first matrix is the first fighter's, the second the other's; both are by the first fighter's stance.
    """
    weigh_round(fight, round, known, wanted)
    half, strikes_dirty = ATTACKING_STANCES * STANCES_TAKEN, fight.rules.levels
    for stance in range(ATTACKING_STANCES):
        for against in range(STANCES_TAKEN):
            out[stance * STANCES_TAKEN + against] = round.hits[0, stance, against] / round.left[1]
            if against < ATTACKING_STANCES:
                out[half + stance * STANCES_TAKEN + against] = round.hits[1, against, stance] / round.left[0]
    if not strikes_dirty:
        return
    able = is_able(fight, round, 0), is_able(fight, round, 1)
    weigh_next_round(fight, round, pair, known, wanted)
    for i in range(2):
        weigh_gains(fight, round, pair, i, known, wanted)
        levels, dirt = best_levels(round, i), dirt_of(round, 1 - i)
        for stance in range(ATTACKING_STANCES):
            for against in range(STANCES_TAKEN):
                if able[i] and beats(fight, stance, against) and (i == 0 or against < ATTACKING_STANCES):
                    place = half + against * STANCES_TAKEN + stance if i else stance * STANCES_TAKEN + against
                    strike = out[place] + (levels if stance == CUNNING else 0.0)
                    out[place] = max(strike, dirt + levels) if fight.fighters[i].attack_type == MELEE else strike


@compiled
def can_rise(fighter: Any) -> Any:
    """Return whether a fighter can rise from prone before the next stances."""
    return fighter.afflicted & HELD == 0 and not has(fighter, GRAPPLING) and not is_senseless(fighter)


@compiled
def answer_climbing(fight: Any, round: Any, pair: Any, known: Any, wanted: Any) -> Any:
    """Return the value of trying to climb on the other: the chance of success times the value of the rounds on it."""
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
    """Return the table index of fighter i's check of might or agility, whichever has the higher mean."""
    by_might = check_of(fight, round, i, MIGHT, known, wanted)
    by_agility = check_of(fight, round, i, AGILITY, known, wanted)
    better = points_beyond(known[by_agility], 0) > points_beyond(known[by_might], 0) + SLIGHT
    return by_agility if better else by_might


@compiled
def check_of(fight: Any, round: Any, i: Any, ability: Any, known: Any, wanted: Any) -> Any:
    """Return the table index of fighter i's check against the other fighter."""
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
    """Write the expected damage to the other by stances: in uncapped points, or if `shares`, as hit point fractions."""
    left = round.left[1]
    if not shares:
        round.left[0] = round.left[1] = ALL_POINTS
    weigh_round(fight, round, known, wanted)
    for stance in range(ATTACKING_STANCES):
        for against in range(STANCES_TAKEN):
            points = round.hits[0, stance, against]
            out[stance * STANCES_TAKEN + against] = points / left if shares else points


@compiled
def answer_prospects(fight: Any, round: Any, known: Any, wanted: Any, out: Any) -> None:
    """Write the fractions dealt for each pair of stances, and those lost to each stance of the other on average."""
    weigh_round(fight, round, known, wanted)
    for stance in range(ATTACKING_STANCES):
        for against in range(STANCES_TAKEN):
            out[stance * STANCES_TAKEN + against] = round.hits[0, stance, against] / round.left[1]
        lost = 0.0
        for own in range(ATTACKING_STANCES):
            lost += round.hits[1, stance, own] / round.left[0]
        out[ATTACKING_STANCES * STANCES_TAKEN + stance] = lost / ATTACKING_STANCES


@kernel
def answer(question: Any, fights: Any, rounds: Any, pairs: Any, known: Any, wanted: Any, answers: Any) -> None:
    """Answer a question about each pair; the answers are invalid while any pools are wanted."""
    fight, round = fights[0], rounds[0]
    for k in range(len(pairs)):
        pair, out = pairs[k], answers[k]
        take_seats(fight, round, pair)
        whole = question == ASKS_DAMAGE or question == ASKS_DEALT or question == ASKS_STAKES or question == ASKS_DEEDS
        whole = whole or question == ASKS_PROSPECTS or question == ASKS_EXCHANGES
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
        elif question == ASKS_EXCHANGES:
            answer_exchanges(fight, round, pair, known, wanted, out)
        elif question == ASKS_PROSPECTS:
            answer_prospects(fight, round, known, wanted, out)


# -- questions ---------------------------------------------------------------------------------------------------------


class Odds:
    """The answers to questions about pairs of fighters under some settings, such as ASKS_DAMAGE."""

    _table, _lock = Table(), Lock()  # of all pools, shared by all settings

    def __init__(self, settings: Settings) -> None:
        """Prepare the records of a fight between two fighters."""
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
    """Return the `Odds` object for these settings, which all players share."""
    return Odds(settings)


@lru_cache(maxsize=2**14)
def _about(question: int, pair: Pairing, settings: Settings) -> NDArray[np.float64]:
    answers: NDArray[np.float64] = odds_of(settings).ask(question, records([pair]))[0]
    answers.setflags(write=False)
    return answers


def damage(pair: Pairing, settings: Settings) -> Matrix:
    """Return the damage that the fighter is expected to deal to the other, for each pair of stances."""
    return _about(ASKS_DAMAGE, pair, settings).reshape(MATRIX)


def dealt(pair: Pairing, settings: Settings) -> Matrix:
    """Return the fraction of the other's hit points that an attack is expected to take, for each pair of stances."""
    return _about(ASKS_DEALT, pair, settings).reshape(MATRIX)


def stakes(pair: Pairing, settings: Settings) -> Matrix:
    """Return the fractions dealt minus taken for each pair of stances, with cunning's levels where cunning wins."""
    return _about(ASKS_STAKES, pair, settings).reshape(MATRIX)


def gains(pair: Pairing, settings: Settings) -> dict[str, float]:
    """Return the fighter's gain in the next round, by condition, if the other has two levels of it or lies prone."""
    return dict(zip((*HINDRANCE.values(), "prone"), _about(ASKS_GAINS, pair, settings).tolist(), strict=True))


def strike_outside(pair: Pairing, settings: Settings) -> NDArray[np.float64]:
    """Return the expected fraction of hit points that an opportunity attack takes, by stance.

    An opportunity attack beats no stance.
    """
    return _about(ASKS_STRIKES, pair, settings)


def attack_sources(own: Fighter, other: Fighter, stance: int) -> list[tuple[str, int]]:
    """Return the source and the sides of each die of an attack roll in a stance, in rolling order."""
    return dice_of(pools(own, other).attack[stance, 0])


def pools(own: Fighter, other: Fighter) -> Duel:
    """Return the pools of these two fighters under the rules without a map."""
    duel, pair = Duel(), records([Pairing(own, other, 1, 1)])[0]
    seat(duel.fights[0], 0, pair.own, pair.other)
    seat(duel.fights[0], 1, pair.other, pair.own)
    duel.fill_pools()
    return duel
