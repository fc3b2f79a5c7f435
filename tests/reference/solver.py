"""The equilibrium value of a duel under the rules profile "plain", slowly and in plain Python.

Written from RULES.md, apart from the package's solver: every outcome of the dice is gone through; who attacks in a
shared stance is a game of its own; matrix games are solved by trying all supports; a round in which nobody is hurt is
settled by halving an interval, or counted down if a round cap counts.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, product
from typing import Any

import numpy as np

from .dice import distribution, one_size_down

BEATS = {"might": "cunning", "cunning": "agility", "agility": "might"}
MATCHES = {"bludgeoning": "might", "slashing": "agility", "piercing": "cunning"}
STANCES = (*BEATS, "defensive")


@dataclass(frozen=True)
class Duelist:
    """What a fighter of a duel is."""

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


@dataclass(frozen=True)
class Table:
    """The settings that a duel under "plain" plays by."""

    mutual: bool = False
    armor_in_contest: bool = False
    defensive_is_beaten: bool = False
    by_hp: bool = False


def half(number: int) -> int:
    """Halved, rounded up (R-10)."""
    return (number + 1) // 2


def value_of(first: Duelist, second: Duelist, table: Table = Table(), rounds: int | None = None) -> float:
    """What the first fighter expects, 1 for a win and -1 for a loss; without a cap unless rounds are given."""
    fighters = (first, second)

    def beats(stance: str, other: str) -> bool:
        return BEATS[stance] == other or (other == "defensive" and table.defensive_is_beaten)

    @cache
    def attack_totals(who: int, heart: int, stance: str, beaten: bool) -> dict[int, Any]:
        fighter = fighters[who]
        dice = [heart, getattr(fighter, stance), fighter.weapon]
        if MATCHES.get(fighter.damage_type) == stance:
            dice.append(fighter.weapon)
        if fighter.attack_type == "whip" and stance == "might" and beaten:
            dice.append(fighter.weapon)
        return distribution(dice, 0)

    @cache
    def defense_totals(who: int, heart: int, stance: str, bare: bool) -> dict[int, Any]:
        fighter = fighters[who]
        bonus = fighter.shield + (0 if bare else fighter.armor)
        return {t + bonus: p for t, p in distribution([heart, getattr(fighter, stance)], 0).items()}

    @cache
    def hits(hearts: tuple[int, int], plans: tuple[Any, Any]) -> dict[tuple[int, int], float]:
        """The chances of (who is hurt, damage); (0, 0) for nobody."""
        (stance, goes), (other, goes_back) = plans
        found: dict[tuple[int, int], float] = {}

        def add(who: int, damage: int, chance: Any) -> None:
            key = (who, damage) if damage > 0 else (0, 0)
            found[key] = found.get(key, 0.0) + float(chance)

        def strike(who: int, own: str, against: str) -> None:
            beaten = beats(own, against)
            bare = beaten and own == "might" and fighters[who].attack_type == "ranged"
            attack = attack_totals(who, hearts[who], own, beaten)
            for (a, p), (d, q) in product(attack.items(), defense_totals(1 - who, hearts[1 - who], own, bare).items()):
                damage = max(0, a - d)
                add(1 - who, half(damage) if against == "defensive" else damage, p * q)

        if stance == other == "defensive":
            add(0, 0, 1)
        elif stance == other:
            if not goes and not goes_back:
                add(0, 0, 1)
            elif (goes and goes_back) or not table.mutual:
                totals = [attack_totals(who, hearts[who], stance, False) for who in (0, 1)]
                for (a, p), (b, q) in product(totals[0].items(), totals[1].items()):
                    loser = 1 if a > b else 0
                    less = fighters[loser].armor + fighters[loser].shield if table.armor_in_contest else 0
                    add(loser, max(0, abs(a - b) - less), p * q)
            else:
                strike(0 if goes else 1, stance, stance)
        elif other == "defensive" or (stance != "defensive" and BEATS[stance] == other):
            strike(0, stance, other)
        else:
            strike(1, other, stance)
        return found

    @cache
    def value(hp: tuple[int, int], hearts: tuple[int, int], left: int | None) -> float:
        if min(hp) <= 0:
            return 1.0 if hp[0] > 0 else -1.0
        if left == 0:
            return float(np.sign(hp[0] - hp[1])) if table.by_hp else 0.0
        after = None if left is None else left - 1
        if left is not None:
            return stance_game(hp, hearts, after, value(hp, hearts, after))
        low, high = -1.0, 1.0
        for _ in range(42):
            middle = (low + high) / 2
            if stance_game(hp, hearts, after, middle) > middle:
                low = middle
            else:
                high = middle
        return (low + high) / 2

    def stance_game(hp: tuple[int, int], hearts: tuple[int, int], after: int | None, unhurt: float) -> float:
        """What the round is worth if a round in which nobody is hurt is worth that much."""
        game = np.zeros((len(STANCES), len(STANCES)))
        for (i, own), (j, other) in product(enumerate(STANCES), repeat=2):
            who_goes = product((True, False), repeat=2) if own == other else [(True, True)]
            choices = [expected(hp, hearts, after, unhurt, own, other, goes) for goes in who_goes]
            game[i, j] = matrix_value(np.array(choices).reshape(2, 2)) if own == other else choices[0]
        return matrix_value(game)

    def expected(
        hp: tuple[int, int], hearts: tuple[int, int], after: int | None, unhurt: float, own: str, other: str, goes: Any
    ) -> float:
        chances = hits(hearts, ((own, goes[0]), (other, goes[1])))
        return sum(
            chance * (struck_before(hp, hearts, after, who, damage) if damage else unhurt)
            for (who, damage), chance in chances.items()
        )

    @cache
    def struck_before(hp: tuple[int, int], hearts: tuple[int, int], after: int | None, who: int, damage: int) -> float:
        return struck(hp, hearts, after, who, damage)

    def struck(hp: tuple[int, int], hearts: tuple[int, int], after: int | None, who: int, damage: int) -> float:
        """The hurt fighter takes the hit or shrugs it off, whichever it likes better."""
        sign = 1 if who == 0 else -1

        def then(loses: int, heart: int) -> float:
            left = (hp[0] - loses, hp[1]) if who == 0 else (hp[0], hp[1] - loses)
            return sign * value(left, (heart, hearts[1]) if who == 0 else (hearts[0], heart), after)

        choices = [then(damage, hearts[who])]
        if hearts[who] > 4:
            choices.append(then(half(damage), one_size_down(hearts[who])))
        return sign * max(choices)

    return value((first.hp, second.hp), (first.heart, second.heart), rounds)


def matrix_value(game: Any) -> float:
    """The value of a matrix game: what the best pair of equalizing mixes of any two equally large supports secures."""
    secured, conceded = game.min(axis=1).max(), game.max(axis=0).min()
    if conceded - secured < 1e-13:
        return float(secured)
    for size in range(2, min(game.shape) + 1):
        for rows, columns in product(combinations(range(len(game)), size), combinations(range(game.shape[1]), size)):
            block = np.block(
                [[game[np.ix_(rows, columns)], -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]]
            )
            if abs(np.linalg.det(block)) < 1e-13:
                continue
            goal = np.append(np.zeros(size), 1.0)
            column = np.linalg.solve(block, goal)[:size]
            turned = np.block(
                [[game[np.ix_(rows, columns)].T, -np.ones((size, 1))], [np.ones((1, size)), np.zeros((1, 1))]]
            )
            row = np.linalg.solve(turned, goal)[:size]
            if min(row.min(), column.min()) >= -1e-12:
                secured = max(secured, (row @ game[list(rows)]).min())
                conceded = min(conceded, (game[:, list(columns)] @ column).max())
                if conceded - secured < 1e-11:
                    return float(secured + conceded) / 2
    return float(secured + conceded) / 2
