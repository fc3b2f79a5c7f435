"""A duel as a tree: who decides what at each moment, what the dice may do there, and where that leads.

Plain Python over the tables of the solver, for packages that walk game trees. Nothing here is compiled or fast.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from heartrush_env.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.heart_rush.rules.terms import STANCES
from heartrush_env.heart_rush.scenario.load import Scenario
from heartrush_env.heart_rush.solver.duel import EXCHANGE, NOTHING, Duel, refuse_levels
from heartrush_env.heart_rush.solver.kinds import read_duel
from heartrush_env.solver.zero_sum import Floats, SolverError

Pair = tuple[int, int]  # of the first and of the second fighter
NOBODY = 0  # the outcome of a roll in which nobody is hurt


class Action(IntEnum):
    """What a fighter may choose; the stances have the numbers that they have everywhere."""

    MIGHT = 0
    AGILITY = 1
    CUNNING = 2
    DEFENSIVE = 3
    PASS = 4
    ATTACK = 5
    TAKE = 6
    SHRUG = 7


@dataclass(frozen=True)
class Round:
    """What is public of a round: it grows as the round goes on."""

    stances: Pair | None = None
    attacks: Pair | None = None  # 1 for who attacks
    hurt: int | None = None  # who
    damage: int = 0
    shrugged: bool = False

    def __str__(self) -> str:
        """In words, for information states."""
        if self.stances is None:
            return ""
        words = ["/".join(STANCES[stance] for stance in self.stances)]
        if self.attacks is not None:
            words.append("".join("pa"[attacks] for attacks in self.attacks))
        if self.hurt is not None:
            words.append(f"{self.hurt}:-{self.damage}" + " shrugged" * self.shrugged)
        return " ".join(words)


@dataclass(frozen=True)
class Moment:
    """Where a duel stands."""

    hp: Pair  # counted from where each is out
    hearts: Pair  # places in the duel's heart dice, 0 for the smallest
    left: int  # rounds, the present one included
    now: Round = Round()
    past: tuple[Round, ...] = ()

    def __deepcopy__(self, memo: object) -> Moment:
        """Itself, since it never changes: packages that walk trees copy states at every step."""
        return self


@dataclass(frozen=True)
class Tree:
    """The tree of a duel up to its round cap."""

    duel: Duel
    _outcomes: dict[Any, list[tuple[int, float]]] = field(default_factory=dict, repr=False)  # those met so far

    @cached_property
    def _at_cap(self) -> Floats:
        return self.duel.at_cap()

    @property
    def start(self) -> Moment:
        """Where the duel begins."""
        *hp, first, second = self.duel.start
        return Moment((hp[0], hp[1]), (first, second), self.duel.max_rounds)

    @property
    def widest(self) -> int:
        """The most damage that any hit can do."""
        return len(self.duel.halves) - 1

    def value(self, moment: Moment) -> float | None:
        """What the first fighter gets where a duel is over, else None."""
        if min(moment.hp) <= 0:
            return 1.0 if moment.hp[0] > 0 else -1.0
        if moment.left == 0:
            return float(self._at_cap[*moment.hp, *moment.hearts])
        return None

    def deciders(self, moment: Moment) -> tuple[int, ...]:
        """Who chooses now, at the same time; nobody where dice are rolled."""
        now = moment.now
        if now.stances is None:
            return (0, 1)
        if now.attacks is None:
            return tuple(seat for seat, may in enumerate(may_attack(now.stances)) if may)
        return () if now.hurt is None else (now.hurt,)

    def choices(self, moment: Moment) -> tuple[Action, ...]:
        """What a fighter who chooses now may choose."""
        if moment.now.stances is None:
            return (Action.MIGHT, Action.AGILITY, Action.CUNNING, Action.DEFENSIVE)
        return (Action.PASS, Action.ATTACK) if moment.now.attacks is None else (Action.TAKE, Action.SHRUG)

    def choose(self, moment: Moment, chosen: tuple[int, ...]) -> Moment:
        """What follows when those who choose now have chosen, in their order."""
        now = moment.now
        if now.stances is None:
            return self._reveal(moment, (chosen[0], chosen[1]))
        if now.attacks is None:
            attacks = [0, 0]
            for seat, action in zip(self.deciders(moment), chosen, strict=True):
                attacks[seat] = int(action == Action.ATTACK)
            return self._attack(moment, (attacks[0], attacks[1]))
        return self._land(moment, chosen[0] == Action.SHRUG)

    def outcomes(self, moment: Moment) -> list[tuple[int, float]]:
        """What the roll of a moment may do, with the chance of each; hits that fell a fighter anyhow are one."""
        place = (*moment.hearts, exchange(moment.now))
        known = self._outcomes.get((moment.hp, place))
        if known is None:
            known = self._outcomes[moment.hp, place] = self._count(moment, place)
        return known

    def _count(self, moment: Moment, place: tuple[int, int, int]) -> list[tuple[int, float]]:
        """The outcomes of a roll, from the solver's table."""
        chances = self.duel.chances[place]
        found = {NOBODY: float(self.duel.idle[place])}
        for hurt, damage in np.argwhere(chances > 0).tolist():
            outcome = 1 + hurt * self.widest + min(damage, self.deadly(moment, hurt)) - 1
            found[outcome] = found.get(outcome, 0.0) + float(chances[hurt, damage])
        return [(outcome, chance) for outcome, chance in sorted(found.items()) if chance > 0]

    def deadly(self, moment: Moment, seat: int) -> int:
        """The least damage that fells a fighter even if it shrugs off; none larger is told apart."""
        left = self.duel.halves if moment.hearts[seat] else np.arange(self.widest + 1)
        return int(np.searchsorted(left, moment.hp[seat]))

    def hit(self, outcome: int) -> tuple[int, int]:
        """Who is hurt in an outcome other than NOBODY, and how much."""
        hurt, damage = divmod(outcome - 1, self.widest)
        return hurt, damage + 1

    def roll(self, moment: Moment, outcome: int) -> Moment:
        """What follows an outcome."""
        if outcome == NOBODY:
            return self._end(moment)
        hurt, damage = self.hit(outcome)
        struck = replace(moment, now=replace(moment.now, hurt=hurt, damage=damage))
        may_shrug = moment.hearts[hurt] > 0
        if self.duel.free and may_shrug and self.duel.halves[damage] < moment.hp[hurt]:
            return struck
        default = not self.duel.free and (damage >= SHRUG_FROM or damage >= moment.hp[hurt] - self.duel.below[hurt])
        return self._land(struck, may_shrug and default)

    def _reveal(self, moment: Moment, stances: Pair) -> Moment:
        """Stances are shown; where fighters have no choice, whoever may attack does."""
        may = may_attack(stances)
        shown = replace(moment, now=Round(stances))
        return shown if self.duel.free and any(may) else self._attack(shown, may)

    def _attack(self, moment: Moment, attacks: Pair) -> Moment:
        """Those who attack are known; without any the round is over."""
        known = replace(moment, now=replace(moment.now, attacks=attacks))
        return self._end(known) if exchange(known.now) == NOTHING else known

    def _land(self, moment: Moment, shrugged: bool) -> Moment:
        """The hit that is due does its damage, or half of it for a heart die one size smaller."""
        now, hp, hearts = replace(moment.now, shrugged=shrugged), list(moment.hp), list(moment.hearts)
        assert now.hurt is not None
        hp[now.hurt] -= int(self.duel.halves[now.damage]) if shrugged else now.damage
        hearts[now.hurt] -= shrugged
        return self._end(replace(moment, hp=(hp[0], hp[1]), hearts=(hearts[0], hearts[1]), now=now))

    def _end(self, moment: Moment) -> Moment:
        """The round is over."""
        return replace(moment, left=moment.left - 1, now=Round(), past=(*moment.past, moment.now))


def read_plain(game: HeartRush | Scenario | str) -> Duel:
    """The duel of a game, if its states are hit points and heart dice alone; SolverError says why it is not that.

    Where fighters may go on below 0 hit points, they do: to yield, which loses the duel, is left out of their choices.
    """
    named = game if isinstance(game, HeartRush) else HeartRush(game)
    refuse_levels(named, "taken elsewhere")
    duel = read_duel(named)
    if duel.fatigue is not None:
        raise SolverError(
            f"{named.scenario_name!r} cannot be taken elsewhere: its fatigue_rounds of {duel.fatigue} may end a fight "
            f"within its {duel.max_rounds} rounds, allowed: a max_rounds below fatigue_rounds."
        )
    return duel


def may_attack(stances: Pair) -> Pair:
    """1 for who may attack the other in these stances."""
    first, second = stances
    return int(MAY_ATTACK[first, second]), int(MAY_ATTACK[second, first])


def exchange(now: Round, seat: int = 0) -> int:
    """The place of a round's stances and attacks among the solver's exchanges, seen from a seat."""
    assert now.stances is not None and now.attacks is not None
    order = slice(None, None, 1 if seat == 0 else -1)
    return int(EXCHANGE[now.stances[order] + now.attacks[order]])
