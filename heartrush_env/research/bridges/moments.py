"""A duel as a game tree: the seats that decide at each moment, the possible rolls, and the result of each.

Plain Python over the solver's tables, for packages that walk game trees. Nothing here is compiled or fast.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import IntEnum
from functools import cached_property
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.duel import EXCHANGE, NOTHING, Duel, refuse_levels
from heartrush_env.research.solve import read_duel
from heartrush_env.research.zero_sum import Floats, SolverError

Pair = tuple[int, int]  # of the first and of the second fighter
NOBODY = 0  # outcome of a roll that hurts no fighter


class Action(IntEnum):
    """A fighter's possible choices; stances have the same numbers here as everywhere else."""

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
    """The public facts of a round, to which each moment of the round adds."""

    stances: Pair | None = None
    attacks: Pair | None = None  # 1 if the fighter attacks, otherwise 0
    hurt: int | None = None  # the seat that is hit
    damage: int = 0
    shrugged: bool = False

    def __str__(self) -> str:
        """Return the round in words, for information states."""
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
    """A position of a duel, with the rounds that led to it."""

    hp: Pair  # counted from the hit points at which each fighter is out
    hearts: Pair  # indices into the duel's heart dice, 0 for the smallest
    left: int  # rounds left, including the current one
    now: Round = Round()
    past: tuple[Round, ...] = ()

    def __deepcopy__(self, memo: object) -> Moment:
        """Return self, which is immutable. Packages that walk trees deep-copy states at every step."""
        return self


@dataclass(frozen=True)
class Tree:
    """The tree of a duel up to its round cap."""

    duel: Duel
    _outcomes: dict[Any, list[tuple[int, float]]] = field(default_factory=dict, repr=False)  # a cache

    @cached_property
    def _at_cap(self) -> Floats:
        return self.duel.at_cap()

    @property
    def start(self) -> Moment:
        """The position at the start of the duel."""
        *hp, first, second = self.duel.start
        return Moment((hp[0], hp[1]), (first, second), self.duel.max_rounds)

    @property
    def widest(self) -> int:
        """The largest damage that any hit can do."""
        return len(self.duel.halves) - 1

    def value(self, moment: Moment) -> float | None:
        """Return the first fighter's payoff if the duel is over, otherwise None."""
        if min(moment.hp) <= 0:
            return 1.0 if moment.hp[0] > 0 else -1.0
        if moment.left == 0:
            return float(self._at_cap[*moment.hp, *moment.hearts])
        return None

    def deciders(self, moment: Moment) -> tuple[int, ...]:
        """Return the seats that choose now, simultaneously; an empty tuple if dice are rolled."""
        now = moment.now
        if now.stances is None:
            return (0, 1)
        if now.attacks is None:
            return tuple(seat for seat, may in enumerate(attack_flags(now.stances)) if may)
        return () if now.hurt is None else (now.hurt,)

    def choices(self, moment: Moment) -> tuple[Action, ...]:
        """Return the legal choices of a fighter that chooses now."""
        if moment.now.stances is None:
            return (Action.MIGHT, Action.AGILITY, Action.CUNNING, Action.DEFENSIVE)
        return (Action.PASS, Action.ATTACK) if moment.now.attacks is None else (Action.TAKE, Action.SHRUG)

    def choose(self, moment: Moment, chosen: tuple[int, ...]) -> Moment:
        """Return the position after these choices, given in the order of `deciders`."""
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
        """Return a roll's outcomes with probabilities; all hits that surely defeat a fighter form one outcome."""
        place = (*moment.hearts, exchange(moment.now))
        known = self._outcomes.get((moment.hp, place))
        if known is None:
            known = self._outcomes[moment.hp, place] = self._count(moment, place)
        return known

    def _count(self, moment: Moment, place: tuple[int, int, int]) -> list[tuple[int, float]]:
        """Compute the outcomes of a roll with their probabilities, from the solver's table."""
        chances = self.duel.chances[place]
        found = {NOBODY: float(self.duel.idle[place])}
        for hurt, damage in np.argwhere(chances > 0).tolist():
            outcome = 1 + hurt * self.widest + min(damage, self.deadly(moment, hurt)) - 1
            found[outcome] = found.get(outcome, 0.0) + float(chances[hurt, damage])
        return [(outcome, chance) for outcome, chance in sorted(found.items()) if chance > 0]

    def deadly(self, moment: Moment, seat: int) -> int:
        """Return the least damage that defeats a fighter even if it shrugs off; larger damage is the same outcome."""
        left = self.duel.halves if moment.hearts[seat] else np.arange(self.widest + 1)
        return int(np.searchsorted(left, moment.hp[seat]))

    def hit(self, outcome: int) -> tuple[int, int]:
        """Return the seat that is hurt in an outcome other than NOBODY, and the damage."""
        hurt, damage = divmod(outcome - 1, self.widest)
        return hurt, damage + 1

    def roll(self, moment: Moment, outcome: int) -> Moment:
        """Return the position after an outcome of the roll."""
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
        """Reveal the stances; if fighters do not choose their attacks, every fighter that may attack does."""
        may = attack_flags(stances)
        shown = replace(moment, now=Round(stances))
        return shown if self.duel.free and any(may) else self._attack(shown, may)

    def _attack(self, moment: Moment, attacks: Pair) -> Moment:
        """Fix which fighters attack; if none does, end the round."""
        known = replace(moment, now=replace(moment.now, attacks=attacks))
        return self._end(known) if exchange(known.now) == NOTHING else known

    def _land(self, moment: Moment, shrugged: bool) -> Moment:
        """Apply the pending hit: its damage or, if it is shrugged off, half of it and a smaller heart die."""
        now, hp, hearts = replace(moment.now, shrugged=shrugged), list(moment.hp), list(moment.hearts)
        assert now.hurt is not None
        hp[now.hurt] -= int(self.duel.halves[now.damage]) if shrugged else now.damage
        hearts[now.hurt] -= shrugged
        return self._end(replace(moment, hp=(hp[0], hp[1]), hearts=(hearts[0], hearts[1]), now=now))

    def _end(self, moment: Moment) -> Moment:
        """End the round."""
        return replace(moment, left=moment.left - 1, now=Round(), past=(*moment.past, moment.now))


def read_plain(game: HeartRush | Scenario | str) -> Duel:
    """Return the duel of a game whose states consist of hit points and heart dice alone.

    Fighters that may stay in the fight below 0 hit points always do. They cannot yield, which would lose the duel.

    Raises:
        SolverError: The game is not such a duel, or fatigue may end it before the round cap.
    """
    named = game if isinstance(game, HeartRush) else HeartRush(game)
    refuse_levels(named, "exported")
    duel = read_duel(named)
    if duel.fatigue is not None:
        raise SolverError(
            f"{named.scenario_name!r}: expected fatigue_rounds above max_rounds ({duel.max_rounds}), because "
            f"fatigue cannot be exported, got {duel.fatigue}; give a lower max_rounds."
        )
    return duel


def attack_flags(stances: Pair) -> Pair:
    """Return whether each fighter may attack the other in these stances, as 0 or 1."""
    first, second = stances
    return int(MAY_ATTACK[first, second]), int(MAY_ATTACK[second, first])


def exchange(now: Round, seat: int = 0) -> int:
    """Return the index, among the solver's exchanges, of a round's stances and attacks as seen from a seat."""
    assert now.stances is not None and now.attacks is not None
    order = slice(None, None, 1 if seat == 0 else -1)
    return int(EXCHANGE[now.stances[order] + now.attacks[order]])
