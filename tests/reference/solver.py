"""The value of a small duel, computed slowly, throw by throw and round by round, from the rules alone.

RULES.md 1 to 6, 8 and 14 without a map, under profile "plain" or "levels". A fighter at zero hit points has lost, or,
where it may fight on, dies at the negative of its maximum (R-12), may yield as it drops and in any later action phase
(R-23, R-32), and falls unconscious after some rounds (R-11), which only `value_with_fatigue` counts. Nothing here
comes from the package, and the package's solver uses nothing from here.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from tests.reference.dice import DIE_SIZES, distribution, half, one_size_down

MIGHT, AGILITY, CUNNING, DEFENSIVE = STANCES = range(4)
ABILITIES = ("might", "agility", "cunning")
TARGETS = {
    MIGHT: (CUNNING, DEFENSIVE, MIGHT),
    AGILITY: (MIGHT, DEFENSIVE, AGILITY),
    CUNNING: (AGILITY, DEFENSIVE, CUNNING),
}
BEATS = {MIGHT: CUNNING, AGILITY: MIGHT, CUNNING: AGILITY}
SHARPENED_BY = {MIGHT: "bludgeoning", AGILITY: "slashing", CUNNING: "piercing"}

LEVELS_CAP = 5
LEVELS_OF_CUNNING = 2
SETTLED = 1e-14  # one more round changes no value by more: a duel without a cap has converged

Levels = tuple[int, int, int]  # weakened, off-balanced, dazed: the conditions of might, agility, cunning
State = tuple[int, int, int, int, Levels, Levels]  # hit points, hearts, and levels when stances are chosen
Block = tuple[int, int, int, int]  # hit points and hearts
Pool = tuple[tuple[int, ...], int]  # dice, and levels of disadvantage

UNHARMED: Levels = (0, 0, 0)


@dataclass(frozen=True)
class Duelist:
    """The numbers and gear of one fighter of a duel."""

    might: int = 4
    agility: int = 4
    cunning: int = 4
    heart: int = 4
    hp: int = 1
    weapon: int = 4
    attack_type: str = "melee"
    damage_type: str = "none"
    armor: int = 0
    shield: int = 0
    fights_on: bool = False  # whether it may choose to fight on at zero hit points and below


@dataclass(frozen=True)
class Table:
    """The settings of a duel; with `levels` its profile is "levels", otherwise "plain"."""

    mutual: bool = False
    armor_in_contest: bool = False
    defensive_is_beaten: bool = False
    by_hp: bool = False
    levels: bool = False
    cunning_split: bool = True


def value_of(first: Duelist, second: Duelist, table: Table = Table(), rounds: int | None = None) -> float:
    """Return the first fighter's value, 1 for a win and -1 for a loss, without a cap unless rounds are given."""
    values = values_of(first, second, table, rounds)
    return values[first.hp, second.hp, first.heart, second.heart, UNHARMED, UNHARMED]


def values_of(first: Duelist, second: Duelist, table: Table = Table(), rounds: int | None = None) -> dict[State, float]:
    """Return the first fighter's value from every possible state, with that many rounds left."""
    duel = Duel(first, second, table)
    values = duel.after_all_rounds() if rounds is None else duel.after(rounds)
    return {
        (*block, own, other): float(value)
        for block, grid in values.items()
        for (own, other), value in zip(duel.vectors, grid, strict=True)
    }


def value_with_fatigue(first: Duelist, second: Duelist, table: Table, rounds: int, fatigue: int) -> float:
    """Return the first fighter's value if `fatigue` rounds ended at zero or below make a fighter unconscious."""
    duel = Duel(first, second, table)
    return Clocked(duel, fatigue).value((first.hp, second.hp, first.heart, second.heart), (0, 0), rounds)


# -- levels ------------------------------------------------------------------------------------------------------------


def named_levels(table: Table) -> list[Levels]:
    """Return what cunning may name when it beats a stance: up to two levels, split or of one condition (R-21)."""
    each = range(LEVELS_OF_CUNNING + 1)
    splits = [split for split in product(each, each, each) if sum(split) <= LEVELS_OF_CUNNING]
    return [split for split in splits if table.cunning_split or sum(level > 0 for level in split) <= 1]


def next_round(levels: Levels, more: Levels = UNHARMED) -> Levels:
    """Add levels, up to five of each condition (R-54), then take one off each as a round starts."""
    weakened, off_balanced, dazed = (max(min(a + b, LEVELS_CAP) - 1, 0) for a, b in zip(levels, more, strict=True))
    return weakened, off_balanced, dazed


def reachable_levels(table: Table) -> list[Levels]:
    """Return all combinations of levels that a fighter may have when it chooses its stance."""
    found = [UNHARMED]
    if not table.levels:
        return found
    for levels in found:  # grows during the loop
        for more in named_levels(table):
            coming = next_round(levels, more)
            if coming not in found:
                found.append(coming)
    return found


# -- rolls -------------------------------------------------------------------------------------------------------------


@cache
def roll(dice: tuple[int, ...], levels: int) -> dict[int, float]:
    """Return the chance of each total, by enumerating all throws."""
    return {total: float(chance) for total, chance in distribution(dice, -levels).items()}


def attack_dice(fighter: Duelist, heart: int, stance: int, beating: bool) -> tuple[int, ...]:
    """Return heart, ability and weapon dice: one more weapon die for the damage type, and one for a whip that beats."""
    sharpened = fighter.damage_type == SHARPENED_BY[stance]
    whipping = fighter.attack_type == "whip" and stance == MIGHT and beating
    return (heart, getattr(fighter, ABILITIES[stance])) + (fighter.weapon,) * (1 + sharpened + whipping)


@cache
def margins(one: Pool, other: Pool, off: int) -> dict[int, float]:
    """Return the chance of each damage of 1 or more: how far one total exceeds the other, less `off`."""
    found: dict[int, float] = {}
    for (total, chance), (against, its_chance) in product(roll(*one).items(), roll(*other).items()):
        damage = total - against - off
        if damage > 0:
            found[damage] = found.get(damage, 0.0) + chance * its_chance
    return found


@dataclass(frozen=True)
class Duel:
    """Two fighters and the settings of their duel."""

    first: Duelist
    second: Duelist
    table: Table

    @property
    def vectors(self) -> list[tuple[Levels, Levels]]:
        """The levels that both may have when stances are chosen, in the same order for all blocks."""
        reachable = reachable_levels(self.table)
        return list(product(reachable, reachable))

    # -- one exchange --------------------------------------------------------------------------------------------------

    def beats(self, stance: int, other: int) -> bool:
        """Return whether one stance beats the other; the defensive stance is beaten only if a setting says so."""
        return BEATS[stance] == other or (other == DEFENSIVE and self.table.defensive_is_beaten)

    def strike(
        self, who: int, stance: int, other: int, hearts: tuple[int, int], levels: tuple[int, int]
    ) -> dict[int, float]:
        """Return the chances of an attack's damage against a defence with the attacker's ability and its levels."""
        attacker, target = (self.first, self.second) if who == 0 else (self.second, self.first)
        beating = self.beats(stance, other)
        ignored = attacker.attack_type == "ranged" and stance == MIGHT and beating
        attack = attack_dice(attacker, hearts[who], stance, beating), levels[who]
        defense = (hearts[1 - who], getattr(target, ABILITIES[stance])), levels[1 - who]
        found: dict[int, float] = {}
        for damage, chance in margins(attack, defense, target.shield + (0 if ignored else target.armor)).items():
            taken = half(damage) if other == DEFENSIVE else damage
            found[taken] = found.get(taken, 0.0) + chance
        return found

    def contest(self, stance: int, hearts: tuple[int, int], levels: tuple[int, int]) -> list[dict[int, float]]:
        """Return the damage of first and second if both roll attacks in one stance: the loser takes the difference."""
        fighters = (self.first, self.second)
        rolls = [(attack_dice(fighters[who], hearts[who], stance, False), levels[who]) for who in (0, 1)]
        off = [(fighter.armor + fighter.shield) * self.table.armor_in_contest for fighter in fighters]
        return [margins(rolls[1], rolls[0], off[0]), margins(rolls[0], rolls[1], off[1])]

    def hurt(
        self,
        stances: tuple[int, int],
        attacking: tuple[bool, bool],
        hearts: tuple[int, int],
        levels: tuple[Levels, Levels],
    ) -> list[dict[int, float]]:
        """Return the damage of first and second, given who attacks; the rest of the chance is no damage."""
        taken: list[dict[int, float]] = [{}, {}]
        shared = stances[0] == stances[1]
        if shared and (all(attacking) if self.table.mutual else any(attacking)):
            stance = stances[0]
            return self.contest(stance, hearts, (levels[0][stance], levels[1][stance]))
        for who in (0, 1):
            if attacking[who]:
                stance = stances[who]
                its = levels[0][stance], levels[1][stance]
                taken[1 - who] = self.strike(who, stance, stances[1 - who], hearts, its)
        return taken

    def choices(self, who: int, stances: tuple[int, int]) -> list[Levels | None]:
        """Return what a fighter may do in its phase: hold back (None), or attack and name these levels."""
        stance, other = stances[who], stances[1 - who]
        if stance == DEFENSIVE or other not in TARGETS[stance]:
            return [None]
        naming = self.table.levels and stance == CUNNING and self.beats(stance, other)
        return [None, *(named_levels(self.table) if naming else [UNHARMED])]

    # -- one round -----------------------------------------------------------------------------------------------------

    def worth(self, values: dict[Block, Any] | Later, block: Block, who: int, damage: int, after: int) -> float:
        """Return the first fighter's value after `who`, who may shrug, takes the damage; `after` indexes the levels."""
        worths = []
        for shrugs in (False, True):
            hp, hearts = list(block[:2]), list(block[2:])
            if shrugs and hearts[who] == DIE_SIZES[0]:
                continue
            hp[who] -= half(damage) if shrugs else damage
            hearts[who] = one_size_down(hearts[who]) if shrugs else hearts[who]
            down = values.down(who) if isinstance(values, Later) else (-1.0, 1.0)[who]
            if hp[who] <= self.out_at(who):
                worths.append(down)
                continue
            worths.append(float(values[hp[0], hp[1], hearts[0], hearts[1]][after]))
            if hp[who] <= 0 < block[who]:
                worths.append(down)  # it yields as it drops
        return max(worths) if who == 0 else min(worths)

    def phase_games(self, values: dict[Block, Any] | Later, block: Block) -> list[tuple[Any, Any, Any]]:
        """Return, for each pair of stances, the game of attacking or not, for all levels at once.

        A game is three arrays (levels, choices of the first, choices of the second): the value that damage brings, the
        chance of no damage, and the index of the levels that follow.
        """
        vectors = self.vectors
        places = {pair: place for place, pair in enumerate(vectors)}
        games = []
        for stances in product(STANCES, STANCES):
            options = [self.choices(who, stances) for who in (0, 1)]
            shape = len(vectors), len(options[0]), len(options[1])
            brought, idle, coming = np.zeros(shape), np.ones(shape), np.zeros(shape, np.int64)
            numbered = product(enumerate(vectors), enumerate(options[0]), enumerate(options[1]))
            for (at, levels), (i, one), (j, other) in numbered:
                after = places[next_round(levels[0], other or UNHARMED), next_round(levels[1], one or UNHARMED)]
                taken = self.hurt(stances, (one is not None, other is not None), block[2:], levels)
                for who in (0, 1):
                    for damage, chance in taken[who].items():
                        brought[at, i, j] += chance * self.worth(values, block, who, damage, after)
                        idle[at, i, j] -= chance
                coming[at, i, j] = after
            games.append((brought, idle, coming))
        return games

    def round_values(self, games: list[tuple[Any, Any, Any]], now: Any, block: Block) -> Any:
        """Return the values of a block's states with one more round, if `now` values those where no damage is done."""
        cells = [matrix_values(brought + idle * now[coming]) for brought, idle, coming in games]
        fought = matrix_values(np.stack(cells, axis=1).reshape(-1, 4, 4))
        action_phase = np.zeros((len(fought), 2, 2))  # go on or yield
        action_phase[:, 0, 0], action_phase[:, 0, 1], action_phase[:, 1, 0] = fought, 1.0, -1.0
        return matrix_values(action_phase[:, : 1 + (block[0] <= 0), : 1 + (block[1] <= 0)])

    def out_at(self, who: int) -> int:
        """Return the hit points at which a fighter is out, whatever it chooses."""
        fighter = (self.first, self.second)[who]
        return -fighter.hp if fighter.fights_on else 0

    # -- all rounds ----------------------------------------------------------------------------------------------------

    def blocks(self) -> Iterator[Block]:
        """Yield possible hit points and hearts; a block comes after all blocks that damage leads to from it."""
        hearts = [[die for die in DIE_SIZES if die <= fighter.heart] for fighter in (self.first, self.second)]
        hp = [range(self.out_at(who) + 1, fighter.hp + 1) for who, fighter in enumerate((self.first, self.second))]
        yield from product(*hp, *hearts)

    def at_the_cap(self, block: Block) -> float:
        """Return the first fighter's value at the cap: a draw, or the most hit points win (R-39)."""
        return float(np.sign(max(0, block[0]) - max(0, block[1]))) if self.table.by_hp else 0.0

    def after(self, rounds: int) -> dict[Block, Any]:
        """Return the values with that many rounds left, computed backwards from the cap."""
        values = {block: np.full(len(self.vectors), self.at_the_cap(block)) for block in self.blocks()}
        for _ in range(rounds):
            values = {
                block: self.round_values(self.phase_games(values, block), values[block], block)
                for block in self.blocks()
            }
        return values

    def after_all_rounds(self) -> dict[Block, Any]:
        """Return the values without a cap: add rounds until nothing changes; an endless fight is a draw."""
        values: dict[Block, Any] = {}
        for block in self.blocks():
            games = self.phase_games(values, block)
            values[block] = np.zeros(len(self.vectors))
            change = 1.0
            while change > SETTLED:
                before = values[block]
                values[block] = self.round_values(games, before, block)
                change = np.abs(values[block] - before).max()
        return values


class Clocked:
    """A plain duel, solved backwards from the cap, whose fighters tire at zero hit points and below."""

    def __init__(self, duel: Duel, fatigue: int) -> None:
        self.duel, self.fatigue = duel, fatigue
        self.known: dict[tuple[Block, tuple[int, int], int], float] = {}

    def value(self, block: Block, ended: tuple[int, int], left: int) -> float:
        """Return the first fighter's value; `ended` counts the rounds that each has ended at zero or below."""
        if left == 0:
            return self.duel.at_the_cap(block)
        key = (block, ended, left)
        if key not in self.known:
            later = Later(self, block, ended, left - 1)
            games = self.duel.phase_games(later, block)
            self.known[key] = float(self.duel.round_values(games, later[block], block)[0])
        return self.known[key]


class Later:
    """The values of blocks after a round that began in a given block."""

    def __init__(self, duel: Clocked, begun: Block, ended: tuple[int, int], left: int) -> None:
        self.duel, self.begun, self.ended, self.left = duel, begun, ended, left

    def __getitem__(self, block: Block) -> Any:
        ended = [self._ended(who, block) for who in (0, 1)]
        falls = [rounds >= self.duel.fatigue for rounds in ended]
        if any(falls):
            return np.array([float(falls[1]) - float(falls[0])])
        return np.array([self.duel.value(block, (ended[0], ended[1]), self.left)])

    def down(self, who: int) -> float:
        """Return the value of being out now: a loss, or a draw if the other falls as the round ends."""
        other = 1 - who
        return 0.0 if self._ended(other, self.begun) >= self.duel.fatigue else (-1.0, 1.0)[who]

    def _ended(self, who: int, block: Block) -> int:
        """Return the rounds ended at zero or below, including this one; a fighter that just dropped starts again."""
        if block[who] > 0:
            return 0
        return 1 + (0 if self.begun[who] > 0 else self.ended[who])


# -- matrix games ------------------------------------------------------------------------------------------------------

GAP = 1e-12


def matrix_values(games: Any) -> Any:
    """Return the values of matrix games (n, rows, columns) with payoffs in [-1, 1].

    Shapley and Snow (1950): a game of positive value has optimal mixes that an invertible square part of it equalizes.
    All parts are tried, the widest first; what one side's best mix secures must equal what the other's concedes.
    """
    games = np.asarray(games, float) + 2.0
    _, rows, columns = games.shape
    if rows == 1 or columns == 1:
        return games.max(axis=1).min(axis=1) - 2.0
    secured, conceded = games.min(axis=2).max(axis=1), games.max(axis=1).min(axis=1)
    for size in range(min(rows, columns), 1, -1):
        for mine, yours in product(combinations(range(rows), size), combinations(range(columns), size)):
            open_games = np.flatnonzero(conceded - secured > GAP / 10)
            if not len(open_games):
                break
            part = games[open_games][:, mine][:, :, yours]
            usable = np.abs(np.linalg.det(part)) > 1e-13
            left, inverse = open_games[usable], np.linalg.inv(part[usable])
            row, column = inverse.sum(axis=1), inverse.sum(axis=2)
            total = row.sum(axis=1, keepdims=True)
            mixed = (row.min(axis=1) >= 0) & (total[:, 0] > 0)
            row, column, left, total = row[mixed], column[mixed], left[mixed], total[mixed]
            held = np.einsum("ni,nij->nj", row / total, games[left][:, mine]).min(axis=1)
            secured[left] = np.maximum(secured[left], held)
            even = column.min(axis=1) >= 0
            given = np.einsum("nij,nj->ni", games[left[even]][:, :, yours], column[even] / total[even]).max(axis=1)
            conceded[left[even]] = np.minimum(conceded[left[even]], given)
    if (conceded - secured > GAP).any():
        raise ArithmeticError(f"a matrix game is open by {(conceded - secured).max():.1e}")
    return (secured + conceded) / 2 - 2.0
