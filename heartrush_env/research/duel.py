"""The exact outcomes of a round of a duel: the probability of each damage for all stances, choices and heart dice.

The dice are the engine's dice: the engine's own functions fill the pools, decide which stance beats which and who may
attack whom, reduce hits by armor and the defensive stance, and halve hits that are shrugged off. In a duel without
conditions at most one fighter is hurt per round.

The states of a plain duel are both fighters' hit points and heart dice; levels/duel.py adds the levels of the cunning
effect. Hit points are counted from the value at which a fighter is out: from 0, or from the negative of its maximum if
it may fight on below 0. Yielding loses the duel, the worst possible result, so solutions never yield. The number of
rounds after which such a fighter falls unconscious is not part of a state; bounds.py bounds its effect.

Everything else is refused with an error that names it: more than two fighters, maneuvers, other conditions, wounds,
surprise and talk.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import product
from typing import Any, ClassVar, NamedTuple, Self, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.attack_rolls import (
    after_defensive,
    armor_against,
    attack_pool,
    contest_damage,
    damage_dealt,
    defense_pool,
    ignores_armor,
)
from heartrush_env.games.heart_rush.rules.conditions import IMPAIRS, gain, lose
from heartrush_env.games.heart_rush.rules.dice import distribution, new_pool
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK, beats
from heartrush_env.games.heart_rush.rules.taking_damage import may_shrug, shrug_off, status_after_damage
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DIE_LADDER, STANCES, STANDING
from heartrush_env.games.heart_rush.scenario.settings import PROFILES
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.kernels import entry_point
from heartrush_env.tabletop.rule import compiled

N = len(STANCES)
SOLVED_ROUND = "june2025"  # the page of the round that solvers support
MARGINS = 512  # larger than any margin between two rolls
PASSES, ATTACKS = range(2)
NOTHING = -1


def _exchanges() -> tuple[list[tuple[int, int, int, int]], NDArray[np.int64]]:
    """Return all exchanges with an attack, as stances and attackers, and their indices (NOTHING without an attack)."""
    found: list[tuple[int, int, int, int]] = []
    places = np.full((N, N, 2, 2), NOTHING, np.int64)
    for i, j in product(range(N), repeat=2):
        for one, other in product((PASSES, ATTACKS), repeat=2):
            if (one and MAY_ATTACK[i, j]) or (other and MAY_ATTACK[j, i]):
                alike = (i, j, int(one and MAY_ATTACK[i, j]), int(other and MAY_ATTACK[j, i]))
                if alike not in found:
                    found.append(alike)
                places[i, j, one, other] = found.index(alike)
    return found, places


EXCHANGES, EXCHANGE = _exchanges()
TURNED = np.array([EXCHANGES.index((j, i, other, one)) for i, j, one, other in EXCHANGES])  # from the other side


class DuelArrays(NamedTuple):
    """The arrays of a duel without levels, for compiled code."""

    chances: Any  # (own heart, other's heart, exchange, who is hurt, damage)
    most: Any  # (own heart, other's heart, exchange, who is hurt): the largest possible damage
    idle: Any  # (own heart, other's heart, exchange): the probability that no fighter is hurt
    halves: Any  # (damage,)
    exchange: Any  # (stance, other's stance, whether own attacks, whether other attacks): exchange index
    turned: Any  # (exchange,): its index from the other side
    at_cap: Any  # (own hp, other's hp, own heart, other's heart)
    below: Any  # (side,): how far below 0 a fighter's hit points must drop until it is out
    free: bool
    mutual: bool


@dataclass(frozen=True, eq=False)
class Duel:
    """A duel as numeric tables, from the side of its first fighter."""

    game: HeartRush  # without memory in its observations
    seats: tuple[int, int]  # the seat whose point of view the arrays have, then the other seat
    hp: tuple[int, int]  # at the start, counted from the value at which each fighter is out
    below: tuple[int, int]  # how far below 0 each fighter's hit points must drop until it is out
    hearts: tuple[tuple[int, ...], tuple[int, ...]]  # the sides of each fighter's heart dice, smallest first
    chances: Floats  # (own heart, other's heart, exchange, who is hurt, damage)
    idle: Floats  # (own heart, other's heart, exchange): the probability that no fighter is hurt
    most: NDArray[np.int64]  # (own heart, other's heart, exchange, who is hurt): the largest possible damage
    halves: NDArray[np.int64]  # (damage,): the damage left after shrugging off
    mutual: bool  # whether a single attack in a shared stance is not a contest
    free: bool  # whether fighters choose to attack and to shrug off; otherwise the default policy chooses

    # What is given for this side's fighter, then for the other.
    by_fighter: ClassVar[tuple[str, ...]] = ("seats", "hp", "below", "hearts")

    @cached_property
    def arrays(self) -> DuelArrays:
        """The arrays for compiled code, if the duel has no levels."""
        tables = self.chances, self.most, self.idle, self.halves, EXCHANGE, TURNED
        return DuelArrays(*tables, self.at_cap(), np.array(self.below), self.free, self.mutual)

    @property
    def max_rounds(self) -> int:
        """The round cap."""
        return self.game.scenario.max_rounds

    @property
    def shape(self) -> tuple[int, ...]:
        """The numbers of own and other hit points (including being out) and of own and other heart dice."""
        return self.hp[0] + 1, self.hp[1] + 1, len(self.hearts[0]), len(self.hearts[1])

    @property
    def states(self) -> int:
        """The number of states in which both fighters are standing."""
        return int(np.prod(self.hp)) * len(self.hearts[0]) * len(self.hearts[1])

    @property
    def start(self) -> tuple[int, ...]:
        """The state at the start of the duel."""
        return *self.hp, len(self.hearts[0]) - 1, len(self.hearts[1]) - 1

    @property
    def state(self) -> tuple[int, int, int, int]:
        """The hit points of both fighters, then the sides of their heart dice, at the start."""
        own, other = (hp - low for hp, low in zip(self.hp, self.below, strict=True))
        return own, other, self.hearts[0][-1], self.hearts[1][-1]

    @property
    def fatigue(self) -> int | None:
        """The number of rounds at 0 hit points or less after which a fighter falls; None if that cannot happen."""
        rounds = self.game.scenario.settings.fatigue_rounds
        return rounds if any(self.below) and rounds <= self.max_rounds else None

    def turned(self) -> Self:
        """Return this duel from the side of the other fighter."""
        axes = *(axis ^ 1 for axis in range(self.idle.ndim - 1)), self.idle.ndim - 1  # pairs of axes, then exchanges
        side, damage = len(axes), len(axes) + 1
        tables = {
            "chances": self.chances.transpose(*axes, side, damage)[..., TURNED, ::-1, :],
            "idle": self.idle.transpose(axes)[..., TURNED],
            "most": self.most.transpose(*axes, side)[..., TURNED, ::-1],
        }
        changes: dict[str, Any] = {name: np.ascontiguousarray(table) for name, table in tables.items()}
        return replace(self, **changes, **{name: getattr(self, name)[::-1] for name in self.by_fighter})

    def places(self, numbers: NDArray[np.int64], *levels: NDArray[np.int64]) -> NDArray[np.int64]:
        """Return the indices of many states, (n, axes), unchecked.

        Args:
            numbers: (n, 4), hit points and heart dice, by their sides, of the first and the other fighter.
            levels: The levels of each fighter, (n, 3), if the duel has levels.
        """
        hearts = [np.searchsorted(self.hearts[side], numbers[:, 2 + side]) for side in (0, 1)]
        return np.column_stack([numbers[:, :2] + self.below, *hearts])

    @property
    def standing(self) -> NDArray[np.int64]:
        """The indices of all states in which both fighters are standing, (n, axes)."""
        states: NDArray[np.int64] = np.argwhere(np.ones(self.shape, np.bool_))
        return states[(states[:, :2] > 0).all(axis=1)]

    def new_values(self) -> Floats:
        """Return values with the endings filled in: 1 where the other fighter is down, -1 where the first is."""
        values = np.zeros(self.shape)
        values[:, 0] = 1.0
        values[0] = -1.0
        return values

    def at_cap(self) -> Floats:
        """Return the value of each state at the round cap, or if no fighter ever acts again."""
        values = self.new_values()
        worths = self.worths[1:, 1:]
        values[1:, 1:] = worths.reshape(*worths.shape, *(1 for _ in self.shape[2:]))
        return values

    @cached_property
    def worths(self) -> Floats:
        """The values at the round cap by hit points, (own, other's).

        The round cap counts hit points below 0 as 0. Fatigue, if it occurs first, defeats a fighter at 0 or less. If
        both fighters are at 0 or less, the order is unknown and the result counts as a draw.
        """
        own, other = np.ogrid[: self.shape[0], : self.shape[1]]
        own, other = np.maximum(0, own - self.below[0]), np.maximum(0, other - self.below[1])
        worths = np.zeros(self.shape[:2])
        if self.game.scenario.round_cap == "hp":
            worths = np.sign(own - other).astype(np.float64)
        if self.fatigue is not None:
            down = np.sign(own).astype(np.float64) - np.sign(other)
            worths = np.where(np.minimum(own, other) == 0, down, worths)
        return worths


def why_another_round(game: Game) -> str | None:
    """Return why solvers do not support the rounds of a game, as a clause, or None if they do."""
    if not isinstance(game, HeartRush):
        return "only Heart Rush is solved"
    if game.scenario.has_abilities:
        return "its fighters have talents or other abilities, and only fights without them are solved"
    if game.edition.page == SOLVED_ROUND:
        return None
    edition = game.scenario.settings.edition
    return f"its edition {edition!r} has a round of its own, and only that of June 2025 is solved"


def why_unsupported(game: Game) -> str | None:
    """Return why a game is not a duel that can be solved, as a clause, or None if it is."""
    return why_another_round(game) or why_no_duel(cast("HeartRush", game), ("plain", "levels"))


def why_no_duel(game: HeartRush, profiles: tuple[str, ...]) -> str | None:
    """Return why a game is not a duel under these profiles, whatever its kind of round, as a clause; None if it is."""
    scenario, settings = game.scenario, game.scenario.settings
    if scenario.battlefield is not None:
        return "it has a map, and only fights without one are solved"
    if len(scenario.fighters) != 2:
        return f"it has {len(scenario.fighters)} fighters, and only duels of two are solved"
    for setting in PROFILES["full"]:
        if getattr(settings, setting) and not any(PROFILES[profile][setting] for profile in profiles):
            allowed = " and ".join(map(repr, profiles))
            kinds = f"profiles {allowed} are" if len(profiles) > 1 else f"profile {allowed} is"
            return f"the setting {setting} is on, and only the {kinds} solved"
    return why_options(game) or why_fighters(game)


OPTIONS: Mapping[str, Any] = {"control": "fighter", "reward": "win", "max_cycles": None}  # of a duel that is solved


def why_options(game: HeartRush, solved: Mapping[str, Any] = OPTIONS) -> str | None:
    """Return, as a clause, why a game cannot be solved because of its options or its talk, or None if it can."""
    if game.scenario.settings.talk != "none":
        return f"the setting talk is {game.scenario.settings.talk!r}, and only 'none' is solved"
    for option, value in solved.items():
        if game.options[option] != value:
            return f"{option} is {game.options[option]!r}, and only {value!r} is solved"
    return None


def why_fighters(game: HeartRush) -> str | None:
    """Return, as a clause, why a game cannot be solved because of surprise or spare weapons, or None if it can."""
    for sheet in game.scenario.fighters:
        if sheet.surprised:
            return f"{sheet.agent} is surprised, and a first round unlike the others is not solved"
        if sheet.spare is not None and game.decisions == "full":
            return f"{sheet.agent} has a spare weapon, and only fighters with one weapon each are solved"
    return None


def supported(
    game: HeartRush | Scenario | str | Mapping[str, Any], why: Callable[[HeartRush], str | None], by: str = ""
) -> HeartRush:
    """Return a game, or the game of a scenario; raise SolverError if `why` names a reason against solving it."""
    found = game if isinstance(game, HeartRush) else HeartRush(game)
    reason = why(found)
    if reason is not None:
        raise SolverError(f"{found.scenario_name!r} cannot be solved{by}: {reason}.")
    return found


def without_memory(game: HeartRush) -> HeartRush:
    """Return a game whose observations show no past reveals."""
    return HeartRush(game.scenario, decisions=game.decisions, shape=game.shape.name, memory=0)


def refuse_levels(game: HeartRush, done: str) -> None:
    """Raise SolverError if a duel's states hold more than hit points and heart dice.

    `done` completes the message that the duel "cannot be ...", as in "analysed with memory".
    """
    if game.scenario.settings.levels:
        raise SolverError(
            f"{game.scenario_name!r} cannot be {done}: the setting levels is on, "
            "but only the profile 'plain' is supported."
        )


def read_plain(game: HeartRush) -> Duel:
    """Return the duel of a game without levels and without memory; `solve.read_duel` reads any duel."""
    rules = rules_of(game, levels=1)
    chances, idle, most = rules.tables()
    return Duel(
        **common_fields(game, rules),
        chances=np.ascontiguousarray(chances[:, :, 0, 0, :, :, : int(most.max()) + 1]),
        idle=np.ascontiguousarray(idle[:, :, 0, 0]),
        most=np.ascontiguousarray(most[:, :, 0, 0]),
        halves=rules.halves[: int(most.max()) + 1],
    )


def common_fields(game: HeartRush, rules: Rules) -> dict[str, Any]:
    """Return the fields that duels with and without levels have in common."""
    return {
        "game": game,
        "seats": (0, 1),
        "hp": (game.scenario.fighters[0].hp_now + rules.below[0], game.scenario.fighters[1].hp_now + rules.below[1]),
        "below": rules.below,
        "hearts": rules.hearts,
        "mutual": rules.mutual,
        "free": game.decisions == "full",
    }


# -- tables from the engine's rules ------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Rules:
    """The results of the rule functions for some fighters; the axis `side` has one entry for each of them.

    A fighter's level is the level of the condition that impairs its ability die, or 1 if an ally helps it.
    """

    hearts: tuple[tuple[int, ...], ...]
    attack: Any  # (side, heart, level, attacking stance, whether it beats): pools
    defense: Any  # (side, heart, level, the attacker's stance, whether armor is ignored): pools
    beaten: NDArray[np.bool_]  # (stance, other's stance)
    pierces: NDArray[np.bool_]  # (side, attacking stance, whether it beats)
    hurts: NDArray[np.int64]  # (stance of the target, margin): damage of an attack
    costs: NDArray[np.int64]  # (side, difference): damage to the loser of a contest
    halves: NDArray[np.int64]  # (damage,)
    below: tuple[int, ...]  # how far below 0 its hit points must drop until it is out
    mutual: bool

    def tables(self) -> tuple[Floats, Floats, NDArray[np.int64]]:
        """Return the probabilities of all exchanges.

        Their axes are (own heart, other's heart, own level, other's level, exchange, hurt, damage). The second array,
        without the last two axes, is the probability that no fighter is hurt. The third, without the last axis, is the
        largest possible damage.
        """
        levels = self.attack.shape[2]
        shape = (len(self.hearts[0]), len(self.hearts[1]), levels, levels, len(EXCHANGES))
        chances, idle = np.zeros((*shape, 2, MARGINS)), np.zeros(shape)
        for k, m, a, b, e in np.ndindex(shape):
            idle[k, m, a, b, e] = self.fill(EXCHANGES[e], ((k, a), (m, b)), chances[k, m, a, b, e])
        return chances, idle, largest_damage(chances)

    def fill(
        self,
        exchange: tuple[int, int, int, int],
        dice: tuple[Any, Any],
        chances: Floats,
        sides: tuple[int, int] = (0, 1),
    ) -> float:
        """Write an exchange's probabilities, (who is hurt, damage), and return the probability that no fighter is hurt.

        `dice` holds the heart and the level of each of the two `sides`.
        """
        stances, attackers = exchange[:2], exchange[2:]
        if stances[0] == stances[1] and (all(attackers) or not self.mutual):
            pools = [self.attack[(sides[k], *dice[k], stances[k], 0)] for k in (0, 1)]
            margins, shares = _margins(*map(_totals, pools))
            loser = (margins > 0).astype(np.int64)
            np.add.at(chances, (loser, self.costs[np.array(sides)[loser], abs(margins)]), shares)
        else:
            k = attackers.index(ATTACKS)
            side, stance, against = sides[k], stances[k], stances[1 - k]
            beats = int(self.beaten[stance, against])
            attack = self.attack[(side, *dice[k], stance, beats)]
            defense = self.defense[(sides[1 - k], *dice[1 - k], stance, int(self.pierces[side, stance, beats]))]
            margins, shares = _margins(_totals(attack), _totals(defense))
            np.add.at(chances[1 - k], self.hurts[against, np.maximum(0, margins)], shares)
        no_hit = float(chances[:, 0].sum())
        chances[:, 0] = 0.0
        return no_hit


def largest_damage(chances: Floats) -> NDArray[np.int64]:
    """Return the largest possible damage, given the probabilities of each damage in the last axis."""
    most: NDArray[np.int64] = ((chances > 0) * np.arange(MARGINS)).max(axis=-1)
    return most


def rules_of(game: HeartRush, levels: int, seats: tuple[int, ...] = (0, 1), *, helped: bool = False) -> Rules:
    """Call the rule functions for all cases.

    Args:
        game: The game.
        levels: The number of levels, counting level 0.
        seats: The fighters. The first fights against the second; all others fight against the first.
        helped: Whether level 1 means that an ally helps.
    """
    fights, n = game.new_template(False), len(seats)
    hearts = np.zeros((n, len(DIE_LADDER)), np.int64)
    attack = np.zeros((n, len(DIE_LADDER), levels, ATTACKING_STANCES, 2), fights.dtype["pool"])
    defense = np.zeros_like(attack)
    beaten, pierces = np.zeros((N, N), np.bool_), np.zeros((n, ATTACKING_STANCES, 2), np.bool_)
    hurts, costs, halves = (np.zeros(shape, np.int64) for shape in ((N, MARGINS), (n, MARGINS), (MARGINS,)))
    below, order = np.zeros(n, np.int64), np.array(seats)
    ask_rules(fights, order, helped, hearts, attack, defense, beaten, pierces, hurts, costs, halves, below)
    ladders = tuple(tuple(int(sides) for sides in row[row > 0][::-1]) for row in hearts)
    for pools in (attack, defense):
        for side, ladder in enumerate(ladders):
            pools[side, : len(ladder)] = pools[side, : len(ladder)][::-1].copy()
    return Rules(
        hearts=ladders,
        attack=attack,
        defense=defense,
        beaten=beaten,
        pierces=pierces,
        hurts=hurts,
        costs=costs,
        halves=halves,
        below=tuple(below.tolist()),
        mutual=game.scenario.settings.contested == "mutual",
    )


@entry_point
def ask_rules(
    fights: Any, seats: Any, helped: Any, hearts: Any, attack: Any, defense: Any, beaten: Any, pierces: Any,
    hurts: Any, costs: Any, halves: Any, below: Any,
) -> None:  # fmt: skip
    """Fill the tables of Rules; heart dice are ordered from the largest down, as shrugging off lowers them."""
    fight = fights[0]
    for i in range(N):
        for j in range(N):
            beaten[i, j] = beats(fight, i, j)
        for margin in range(MARGINS):
            hurts[i, margin] = after_defensive(damage_dealt(margin, 0), i)
    for side in range(len(seats)):
        i, o = seats[side], seats[0] if side > 0 else seats[1]
        fighter = fight.fighters[i]
        for margin in range(MARGINS):
            costs[side, margin] = contest_damage(fight, margin, i, o)
        heart = fighter.heart
        place = 0
        lasts = True
        while lasts:
            hearts[side, place] = fighter.heart
            fighter.phase_heart = fighter.heart
            for level in range(attack.shape[2]):
                if helped:
                    fighter.helped = level
                ask_rolls(
                    fight, i, o, 0 if helped else level, attack[side, place, level], defense[side, place, level],
                    pierces[side],
                )  # fmt: skip
            lasts = may_shrug(fight, fighter)
            if lasts:
                shrug_off(fighter, 1)
                fighter.shrugs = 0
                place += 1
        for damage in range(MARGINS):
            fighter.heart = heart
            halves[damage] = shrug_off(fighter, damage)
        fighter.heart = heart
        fighter.shrugs = 0
        hp = fighter.hp
        fighter.hp = 0
        while status_after_damage(fight, fighter) == STANDING:
            below[side] += 1
            fighter.hp -= 1
        fighter.hp = hp


@compiled
def ask_rolls(fight: Any, i: Any, o: Any, level: Any, attack: Any, defense: Any, pierces: Any) -> None:
    """Write a fighter's pools, (stance, flag), with its current heart die and a level of the impairing condition."""
    fighter = fight.fighters[i]
    for stance in range(ATTACKING_STANCES):
        lose(fighter, IMPAIRS[stance])
        if level > 0:
            gain(fighter, IMPAIRS[stance], level)
        for flag in range(2):
            attack_pool(fight, i, o, stance, flag == 1)
            attack[stance, flag] = fight.pool
            pierces[stance, flag] = ignores_armor(fight, i, o, flag == 1, stance)
            defense_pool(fight, i, o, stance, 0 if flag == 1 else armor_against(fighter, fight.fighters[o]))
            defense[stance, flag] = fight.pool
        lose(fighter, IMPAIRS[stance])


def _totals(pool: Any) -> tuple[int, Floats]:
    """Return the lowest total of a pool, and the probabilities of all totals from the lowest up."""
    return _distribution(tuple(map(int, pool.sides[: pool.count])), int(pool.net), int(pool.flat_bonus))


@lru_cache(maxsize=2**12)
def _distribution(sides: tuple[int, ...], net: int, flat_bonus: int) -> tuple[int, Floats]:
    exact = distribution(new_pool(*sides, net=net, flat_bonus=flat_bonus))
    least = min(exact)
    return least, np.array([float(exact.get(total, 0)) for total in range(least, max(exact) + 1)])


def _margins(first: tuple[int, Floats], second: tuple[int, Floats]) -> tuple[NDArray[np.int64], Floats]:
    """Return the possible margins of one total over another, with the probability of each."""
    chances = np.convolve(first[1], second[1][::-1])
    lowest = first[0] - (second[0] + len(second[1]) - 1)
    return lowest + np.arange(len(chances)), chances
