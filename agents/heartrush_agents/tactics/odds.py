"""The expected results of a round between two fighters, from the exact distributions of their dice.

Values are shares of the hit points left; damage beyond them does not count. Not here: shrugging off, conditions that
other fighters inflict, and effects that outlast the next round.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.tables import HINDRANCE
from heartrush_env.heart_rush.engine.pools import Duel
from heartrush_env.heart_rush.rules.dice import dice_of, distribution, new_pool
from heartrush_env.heart_rush.rules.maneuvers.hinder import DIRTY_STRIKE_DIE
from heartrush_env.heart_rush.rules.stances import MAY_ATTACK, who_beats_whom
from heartrush_env.heart_rush.rules.terms import (
    AGGRAVATED,
    ATTACKING_STANCES,
    BLINDED,
    CLIMBED_ON,
    CONFUSED,
    CREATURE_CLIMBER,
    CUNNING,
    DAZED,
    DEFENSIVE,
    ENRAGED,
    ENTANGLED,
    FRIGHTENED,
    GRAPPLED,
    GRAPPLING,
    HIDDEN,
    HIGHGROUND,
    LEVEL_CAP,
    MELEE,
    MIGHT,
    NO_DAMAGE_TYPE,
    NO_STANCE,
    NOBODY,
    OBSCURED,
    OFF_BALANCED,
    POISONED,
    PRONE,
    RANGED,
    RESTRAINED,
    THROWN,
    WEAKENED,
    WHIP,
)  # fmt: skip
from heartrush_env.heart_rush.scenario.settings import Settings

# The conditions that a fighter shows, by the names of its fields.
SHOWN = {
    "weakened": WEAKENED, "off_balanced": OFF_BALANCED, "dazed": DAZED, "poisoned": POISONED, "blinded": BLINDED,
    "confused": CONFUSED, "frightened": FRIGHTENED, "enraged": ENRAGED, "aggravated": AGGRAVATED,
    "restrained": RESTRAINED, "grappled": GRAPPLED, "entangled": ENTANGLED, "grappling": GRAPPLING, "prone": PRONE,
    "highground": HIGHGROUND, "obscured": OBSCURED, "hidden": HIDDEN,
}  # fmt: skip
NOWHERE = dict.fromkeys(("action", "far", "higher", "aim", "water", "gloom"), 0)  # pools do not depend on these
ROUNDS_UP = 2.3  # rounds that a climber is expected to stay on, shaken off or not
LEVELS = 2  # the levels of one condition that the cunning effect or a dirty strike inflicts

Dice = tuple[int, ...]  # by their sides, in order
Roll = tuple[Dice, int]  # dice, and net levels of advantage
Matrix = NDArray[np.float64]  # (own attacking stance, other's stance); the last column means no stance


class Fighter(NamedTuple):
    """The components of a fighter's rolls, apart from hit points; its fields are features by name."""

    heart: int
    might: int
    agility: int
    cunning: int
    weapon_die: int
    armor: int
    shield: int
    attack_bonus: int
    armed: int
    weapon_ranged: int
    weapon_thrown: int
    weapon_whip: int
    weapon_bludgeoning: int
    weapon_slashing: int
    weapon_piercing: int
    action: int
    helped: int
    weakened: int
    off_balanced: int
    dazed: int
    poisoned: int
    blinded: int
    confused: int
    frightened: int
    enraged: int  # at others than the one it faces
    aggravated: int  # likewise
    restrained: int
    grappled: int
    entangled: int
    grappling: int
    prone: int
    highground: int
    obscured: int
    hidden: int
    stunned: int
    incapacitated: int
    climbs: int = 0  # on the one it faces
    # Where the two stand, on a map:
    far: int = 0  # it cannot attack the one it faces
    higher: int = 0  # than the one it faces
    aim: int = 0  # levels that cover and distance take from its attack
    water: int = 0  # levels that standing in water takes from attack and defense
    gloom: int = 0  # levels that the light takes from both

    @property
    def is_senseless(self) -> bool:
        """Whether it takes no stance and does not attack."""
        return bool(self.stunned or self.incapacitated)

    @property
    def may_get_up(self) -> bool:
        """Whether it can rise from prone before the next stances."""
        return not (self.restrained or self.grappled or self.entangled or self.grappling or self.is_senseless)


class Pairing(NamedTuple):
    """Two opponents, and the damage that defeats each."""

    own: Fighter
    other: Fighter
    own_left: int
    other_left: int

    def turned(self) -> Pairing:
        """The same pairing from the other side."""
        return Pairing(self.other, self.own, self.other_left, self.own_left)


# -- rolls -------------------------------------------------------------------------------------------------------------


class Rolls(NamedTuple):
    """The dice of a fighter's rolls against another, with their levels of advantage before the ground and the cap."""

    attack: tuple[tuple[Roll, Roll], ...]  # by stance, without and with it beating the other's
    defense: tuple[Roll, ...]  # by the attacker's stance
    check: tuple[Roll, ...]  # of might and of agility


def rolls(own: Fighter, other: Fighter) -> Rolls:
    """The dice of these two fighters, from the game's own rules."""
    return _rolls(own._replace(**NOWHERE), other._replace(**NOWHERE))


@lru_cache(maxsize=2**14)
def _rolls(own: Fighter, other: Fighter) -> Rolls:
    duel = _asked(own, other)
    return Rolls(
        attack=tuple((_roll(plain), _roll(better)) for plain, better in duel.attack),
        defense=tuple(map(_roll, duel.defense)),
        check=tuple(map(_roll, duel.check)),
    )


def attack_sources(own: Fighter, other: Fighter, stance: int) -> list[tuple[str, int]]:
    """The source and the sides of each die of an attack roll, in rolling order."""
    return dice_of(_asked(own, other).attack[stance, 0])


def _asked(own: Fighter, other: Fighter) -> Duel:
    """The pools of these two."""
    duel = _duel()
    _seat(duel.fighters[0], own, 1, other)
    _seat(duel.fighters[1], other, 0, own)
    duel.fill_pools()
    return duel


@cache
def _duel() -> Duel:
    return Duel()


def _seat(fighter: Any, sheet: Fighter, foe: int, other: Fighter) -> None:
    """Write a fighter's components into the engine's record; `foe` is the index of its opponent."""
    fighter.phase_heart = sheet.heart
    fighter.ability[:ATTACKING_STANCES] = sheet.might, sheet.agility, sheet.cunning
    for name in ("weapon_die", "armor", "shield", "attack_bonus", "armed", "helped"):
        setattr(fighter, name, getattr(sheet, name))
    kinds = (MELEE, sheet.weapon_ranged, sheet.weapon_thrown, sheet.weapon_whip)
    fighter.attack_type = next((kind for kind in (RANGED, THROWN, WHIP) if kinds[kind]), MELEE)
    types = (sheet.weapon_bludgeoning, sheet.weapon_slashing, sheet.weapon_piercing)
    fighter.damage_type = types.index(1) if 1 in types else NO_DAMAGE_TYPE
    fighter.levels[:] = 0
    fighter.levels[CREATURE_CLIMBER], fighter.levels[CLIMBED_ON] = sheet.climbs, other.climbs
    for name, condition in SHOWN.items():
        fighter.levels[condition] = getattr(sheet, name)
    fighter.climbing = foe if sheet.climbs else NOBODY
    fighter.source[:] = NOBODY
    fighter.source[FRIGHTENED] = foe  # a frightened fighter is assumed to see the source
    fighter.afflicted = sum(1 << int(condition) for condition in fighter.levels.nonzero()[0])


def _roll(pool: Any) -> Roll:
    return tuple(sorted(map(int, pool.sides[: pool.count]))), int(pool.net)


def net_advantage(own: Fighter, other: Fighter, stance: int, *, attacks: bool, cap: int) -> int:
    """Levels of advantage minus those of disadvantage on an attack or defense roll; help is counted on both."""
    known = rolls(own, other)
    _, net = known.attack[stance][0] if attacks else known.defense[stance]
    return max(-cap, min(cap, net + _by_place(own, other, attacks=attacks)))


def _by_place(own: Fighter, other: Fighter, *, attacks: bool) -> int:
    """Levels that water, light, height, cover and distance give an attack or a defense."""
    net = -own.water - (0 if other.obscured or other.hidden else own.gloom)
    if attacks:
        net += max(0, own.higher - max(0, own.highground - other.highground)) - own.aim
    return net


def attack_dice(own: Fighter, other: Fighter, stance: int, *, beats: bool) -> Dice:
    """The dice of an attack roll."""
    return rolls(own, other).attack[stance][beats][0]


def defense_dice(own: Fighter, other: Fighter, stance: int) -> Dice:
    """The dice of a defense roll."""
    return rolls(own, other).defense[stance][0]


@lru_cache(maxsize=2**14)
def totals(dice: Dice, net: int) -> NDArray[np.float64]:
    """The probability of each total, starting at 0."""
    chances = distribution(new_pool(*dice, net=net))
    return np.array([float(chances.get(total, 0)) for total in range(max(chances) + 1)])


@lru_cache(maxsize=2**16)
def harm(
    attack: Dice, attack_net: int, defense: Dice, defense_net: int, bonus: int, halved: bool
) -> NDArray[np.float64]:
    """The expected damage of an attack roll plus `bonus` over a defense roll, with at most 0, 1, ... points counted."""
    margins = np.convolve(totals(attack, attack_net), totals(defense, defense_net)[::-1])
    lowest = bonus - len(totals(defense, defense_net)) + 1
    damage = np.maximum(np.arange(lowest, lowest + len(margins)), 0)
    chances = np.bincount((damage + 1) // 2 if halved else damage, margins)
    return np.concatenate([[0.0], np.cumsum(1 - np.cumsum(chances)[:-1])])  # P(damage >= 1) + P(damage >= 2) + ...


# -- a round -----------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=2**14)
def exchange(own: Fighter, other: Fighter, settings: Settings) -> NDArray[np.float64]:
    """The expected damage of one to the other, by stances, with at most 0, 1, ... points counted."""
    curves = {
        (stance, against): _blow(own, other, stance, against, settings)
        for stance in range(ATTACKING_STANCES)
        for against in range(NO_STANCE + 1)
        if MAY_ATTACK[stance, against]
    }
    most = max(len(curve) for curve in curves.values())
    expected = np.zeros((ATTACKING_STANCES, NO_STANCE + 1, most))
    if _is_able(own, settings):
        for stances, curve in curves.items():
            expected[stances] = curve[-1]
            expected[stances][: len(curve)] = curve
    return expected


def _blow(own: Fighter, other: Fighter, stance: int, against: int, settings: Settings) -> NDArray[np.float64]:
    """The expected damage of an attack, which in a shared stance is a contest if the other can fight back."""
    cap, beats = settings.advantage_cap, bool(who_beats_whom(settings)[stance, against])
    attack = attack_dice(own, other, stance, beats=beats), net_advantage(own, other, stance, attacks=True, cap=cap)
    if stance == against and _is_able(other, settings):
        armor = other.armor + other.shield if settings.armor_in_contest else 0
        answer = attack_dice(other, own, stance, beats=False), net_advantage(other, own, stance, attacks=True, cap=cap)
        return harm(*attack, *answer, own.attack_bonus - other.attack_bonus - armor, False)
    pierces = own.armed and own.weapon_ranged and beats and stance == MIGHT
    armor = other.shield + (0 if pierces else other.armor)
    defense = defense_dice(other, own, stance), net_advantage(other, own, stance, attacks=False, cap=cap)
    return harm(*attack, *defense, own.attack_bonus - armor, against == DEFENSIVE)


def _is_able(own: Fighter, settings: Settings) -> bool:
    return not own.is_senseless and not own.far and bool(own.action or not settings.attack_costs_action)


def strike_outside(pair: Pairing, stance: int, settings: Settings) -> float:
    """The share of the other's hit points that an opportunity attack is expected to take; it beats no stance."""
    curve = _blow(pair.own, pair.other, stance, NO_STANCE, settings)
    return float(curve[min(pair.other_left, len(curve) - 1)]) / pair.other_left


@lru_cache(maxsize=2**14)
def by_stance(own: Fighter, other: Fighter, settings: Settings) -> NDArray[np.float64]:
    """The expected damage, (own stance, points), averaged over the other's three attacking stances."""
    curves: NDArray[np.float64] = exchange(own, other, settings)[:, :ATTACKING_STANCES].mean(1)
    return curves


def upto(curves: NDArray[np.float64], left: int) -> NDArray[np.float64]:
    """The share of the hit points left that each expected damage takes."""
    shares: NDArray[np.float64] = curves[..., min(left, curves.shape[-1] - 1)] / left
    return shares


def dealt(pair: Pairing, settings: Settings) -> Matrix:
    """The share of the other's hit points that attacks are expected to take, by stances."""
    return upto(exchange(pair.own, pair.other, settings), pair.other_left)


def balance(pair: Pairing, settings: Settings) -> Matrix:
    """The expected shares dealt minus those taken, by stances."""
    matrix, both = dealt(pair, settings), slice(ATTACKING_STANCES)
    matrix[:, both] -= dealt(pair.turned(), settings)[:, both].T
    return matrix


def outlook(pair: Pairing, settings: Settings) -> float:
    """The balance of the best own stance against an enemy that attacks in all three equally often."""
    return float(balance(pair, settings)[:, :ATTACKING_STANCES].mean(1).max())


def next_round(own: Fighter, **gained: int) -> Fighter:
    """The fighter at the start of the next round, with its new levels; the three conditions have faded by one."""
    changed = {"action": 1, "helped": 0, **gained}
    for condition in HINDRANCE.values():
        levels = getattr(own, condition) + gained.get(condition, 0)
        changed[condition] = max(0, min(LEVEL_CAP, levels) - 1)
    return own._replace(**changed)


@lru_cache(maxsize=2**13)
def gains(pair: Pairing, settings: Settings) -> dict[str, float]:
    """How much better the next round is for the fighter if the other has two levels of a condition, or lies prone."""
    own, other = next_round(pair.own), pair.other
    plain = outlook(pair._replace(own=own, other=next_round(other)), settings)
    laid = {**dict.fromkeys(HINDRANCE.values(), LEVELS), "prone": 1}
    return {
        condition: outlook(pair._replace(own=own, other=next_round(other, **{condition: levels})), settings) - plain
        for condition, levels in laid.items()
    }


@lru_cache(maxsize=2**12)
def climbing(pair: Pairing, settings: Settings) -> float:
    """The value of trying to climb on the other: chance of success, times rounds up there, times their value."""
    own, other = next_round(pair.own), next_round(pair.other)
    below = outlook(pair._replace(own=own, other=other), settings)
    above = outlook(pair._replace(own=own._replace(climbs=1), other=other), settings)
    return ROUNDS_UP * _chance_to_climb(pair.own, pair.other, settings) * (above - below)


def _chance_to_climb(own: Fighter, other: Fighter, settings: Settings) -> float:
    """The chance that one's might or agility check exceeds the other's."""
    mine, its = (_struggle(*pair, settings.advantage_cap) for pair in ((own, other), (other, own)))
    most = min(len(mine), len(its) + 1)
    return float(mine[1:most] @ np.cumsum(its)[: most - 1] + mine[most:].sum())


def _struggle(own: Fighter, other: Fighter, cap: int) -> NDArray[np.float64]:
    """The totals of a check of might or agility, whichever has the higher mean."""
    both = [totals(dice, max(-cap, min(cap, net - own.water))) for dice, net in rolls(own, other).check]
    return max(both, key=lambda chances: float(chances @ np.arange(len(chances))))


@lru_cache(maxsize=2**14)
def stakes(pair: Pairing, settings: Settings) -> Matrix:
    """The balance, including the levels of the cunning effect where cunning beats the other's stance."""
    matrix = balance(pair, settings)
    if settings.levels:
        beaten = who_beats_whom(settings)[CUNNING]
        matrix[CUNNING, beaten] += _best_levels(pair, settings)
        matrix[beaten[:ATTACKING_STANCES], CUNNING] -= _best_levels(pair.turned(), settings)
    return matrix


def _best_levels(pair: Pairing, settings: Settings) -> float:
    gained = gains(pair, settings)
    return max(gained[condition] for condition in HINDRANCE.values())


@lru_cache(maxsize=2**14)
def deeds(pair: Pairing, stance: int, against: int, settings: Settings) -> dict[str, float]:
    """The values of attacks, with and without levels, and of maneuvers, given the stances; some may not be legal."""
    hit = float(dealt(pair, settings)[stance, against])
    if stance == against:  # a contest, in which either may be hurt
        return {"attack": hit - float(dealt(pair.turned(), settings)[stance, against])}
    worth = {"attack": hit}
    if who_beats_whom(settings)[stance, against]:
        dirt = sum(min(face, pair.other_left) for face in range(1, DIRTY_STRIKE_DIE + 1)) / DIRTY_STRIKE_DIE
        gained = gains(pair, settings)
        for condition in HINDRANCE.values():
            worth[f"attack {condition}+{condition}"] = hit + gained[condition]
            worth[f"dirty_strike {condition}"] = dirt / pair.other_left + gained[condition]
        worth["trip"] = 0.0 if pair.other.may_get_up else gained["prone"]
    return worth


@lru_cache(maxsize=2**14)
def endurance(pair: Pairing, settings: Settings) -> float:
    """The damage that the fighter can expect to deal before it is defeated, if both attack in random stances."""
    deals = exchange(pair.own, pair.other, settings)[:, :ATTACKING_STANCES, -1].mean()
    suffers = exchange(pair.other, pair.own, settings)[:, :ATTACKING_STANCES, -1].mean()
    return float(pair.own_left * deals / max(suffers, 1e-9))
