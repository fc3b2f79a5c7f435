"""The views of the decisions in a duel in beats for a network: the chances of both blows, from the rules.

A decision is made in one of three nodes of a beat: the choice, the answer to an own hit (sunder), or the answer to a
hit of the other duelist (break the shield). Its state is a row of whole numbers, the duelist's own numbers first, with
the columns of NODES. A view holds what the rules make of a state: how likely each blow ends the duel, and which part of
the hit points it takes, for every pair of choices or for every answer. It also holds the solution of a small game: one
beat in which each lost part of the hit points has the same value. So one network plays duels of different fighters.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from heartrush_env.research.beats.figures import CHOICES, HIT, NATURAL_1, NATURAL_20, PUSH
from heartrush_env.research.beats.solve import TWO, BeatGame, choose

Floats = NDArray[np.float32]
Whole = NDArray[np.int64]

CHOOSE, SUNDER, SHIELD = KINDS = range(3)
PAIRS: Final = len(CHOICES) ** 2
# The columns of a state: these numbers of the network's duelist, these numbers of its opponent, and the beats left.
GEAR: Final = ("open", "broken", "arm", "hp")
BLOW: Final = ("roll", "push", "sunders")  # of answers
NODES: Final[Mapping[int, tuple[str, ...]]] = {CHOOSE: GEAR, SUNDER: (*GEAR[1:], *BLOW[:2]), SHIELD: (*GEAR[1:], *BLOW)}
STATE: Final = 19  # numbers of the state as a whole
ROUND: Final = 2 * len(CHOICES) + 1  # both mixes and the value of the small game
PER_PAIR: Final = 6  # numbers for each pair of choices
ANSWER: Final = 18  # numbers of answers
COLUMNS: Final = len(KINDS) + STATE + PER_PAIR * PAIRS + ROUND + ANSWER
OUTPUTS: Final = (*CHOICES, "keep", "answer")  # of the policy: in the first node the choices, elsewhere the answers
HP_SCALE, BEATS_SCALE = 10.0, 50.0


class BeatView:
    """The views of one duelist."""

    def __init__(self, game: BeatGame, seat: int) -> None:
        """Compute the chances of the blows of both duelists, by gear, roll and hit points."""
        self.sides = own, other = game.sides[seat], game.sides[1 - seat]
        self._hp = game.hp[seat], game.hp[1 - seat]
        self._counted = game.counted if seat == 0 else game.counted.transpose(1, 0, 2)[:, :, ::-1]
        self._blows = tuple(_blows(side) for side in self.sides)
        shape = (own.opens, own.shields, own.arms, other.opens, other.shields, other.arms, *self._hp)
        states = np.indices(shape).reshape(len(shape), -1)
        states[6:] += 1
        self._pairs = self._of_pairs(*states).reshape(*shape, -1)

    def rows(self, kind: int, states: Whole) -> Floats:
        """Return the views (n, COLUMNS) of states (n, 2 * len(NODES[kind]) + 1) of one kind of node."""
        names, n = NODES[kind], len(states)
        own = dict(zip(names, states.T[: len(names)], strict=True))
        other = dict(zip(names, states.T[len(names) : -1], strict=True))
        found = np.zeros((n, COLUMNS), np.float32)
        found[:, kind] = 1.0
        place = len(KINDS) + STATE
        found[:, len(KINDS) : place] = self._state(own, other, states[:, -1])
        if kind == CHOOSE:
            gear = [numbers[name] for numbers in (own, other) for name in GEAR[:-1]]
            pairs = self._pairs[(*gear, own["hp"] - 1, other["hp"] - 1)]
            found[:, place : place + pairs.shape[1]] = pairs
        else:
            found[:, -ANSWER:] = self._answers(kind, own, other)
        return found

    def _state(self, own: Mapping[str, Any], other: Mapping[str, Any], left: Any) -> Any:
        """Return the numbers of a state as a whole, (n, STATE)."""
        numbers = [1.0 / left, np.exp(-(left - 1) / 4.0), left / BEATS_SCALE, np.log(own["hp"] / other["hp"])]
        for side, it in zip(self.sides, (own, other), strict=True):
            numbers += [
                it["hp"] / HP_SCALE, np.log(it["hp"]), 1.0 / it["hp"], it.get("open", 0 * left),
                side.may_break[it["broken"]], side.sunders[it["arm"]], 0 * left + (side.opens > 1),
            ]  # fmt: skip
        numbers.append(0 * left + self.sides[0].sunders.any())
        return np.column_stack(numbers)

    def _of_pairs(self, *states: Whole) -> Floats:
        """Return the numbers of all pairs of choices in states, and the solution of the small game."""
        open1, broken1, arm1, open2, broken2, arm2, hp1, hp2 = states
        n, size = len(hp1), len(CHOICES)
        found, games = np.zeros((n, size, size, PER_PAIR)), np.zeros((n, size, size))
        first, second = self.sides
        for i, j in np.ndindex(size, size):
            push1, push2 = self._counted[i, j] & (i == PUSH, j == PUSH)
            rolls1 = first.rolls[open2, broken2, arm1, i, j]  # (n, rolls)
            rolls2 = second.rolls[open1, broken1, arm2, j, i]
            for place, (rolls, blows, broken, arm, push, hp) in enumerate((
                (rolls1, self._blows[0], broken1, arm1, push1, hp2),
                (rolls2, self._blows[1], broken2, arm2, push2, hp1),
            )):  # fmt: skip
                each = blows[broken, arm, :, int(push), :, hp]  # (n, rolls, sunders, 2)
                found[:, i, j, 3 * place : 3 * place + 2] = np.einsum("nr,nrk->nk", rolls, each[:, :, 0])
                found[:, i, j, 3 * place + 2] = np.einsum("nr,nr->n", rolls, each[:, :, 1, 0])
            games[:, i, j] = found[:, i, j, 1] - found[:, i, j, 4]
        values, mix1, mix2 = choose(games, None, None)
        numbers = [found.reshape(n, -1), mix1, mix2, values[:, None]]
        return np.concatenate(numbers, axis=1).astype(np.float32)

    def _answers(self, kind: int, own: Mapping[str, Any], other: Mapping[str, Any]) -> Any:
        """Return the numbers of answers, (n, ANSWER)."""
        numbers: list[Any] = []
        for blows, it, target in ((self._blows[0], own, other), (self._blows[1], other, own)):
            each = blows[it["broken"], it["arm"], it["roll"], it["push"]]  # (n, sunders, hp, 2)
            each = each[np.arange(len(each)), :, target["hp"]]  # (n, sunders, 2)
            if kind == SHIELD:
                decided = each[np.arange(len(each)), it["sunders"]]
                each = np.stack([decided, decided], axis=1)
            numbers += [each[:, 0, 0], each[:, 0, 1], each[:, 1, 0], each[:, 1, 1]]
            numbers += [it["roll"] >= HIT, it["roll"] == NATURAL_20, it["roll"] == NATURAL_1, it["push"]]
            numbers.append(it.get("sunders", 0 * it["roll"]))
        return np.column_stack(numbers)


def _blows(side: Any) -> Any:
    """Return how a duelist's blow harms: the chance that it ends the duel, and the part of the hit points it takes.

    Returns:
        (broken shield, arm, roll, push, sunder, the other's hit points, 2)
    """
    landing, rolls = side.landing, len(side.outcome)
    most = landing.shape[-1] - 1
    hp = np.arange(most + 1)
    ends = landing[..., 0]
    takes = 1.0 - (landing * hp).sum(axis=-1) / np.maximum(hp, 1)
    both = np.stack([ends, takes], axis=-1)  # (broken, arm, outcome, hp, 2)
    found = np.zeros((*landing.shape[:2], rolls, TWO, TWO, most + 1, 2))
    for broken, arm, roll, push, sunder in np.ndindex(found.shape[:5]):
        sunders = sunder and side.sunders[arm]
        found[broken, arm, roll, push, sunder] = both[broken, arm, side.outcome[roll, push, int(sunders), 0]]
    return found
