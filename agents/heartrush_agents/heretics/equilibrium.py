"""An agent that plays the exact solution of a duel in beats, computed when its first player is made."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import numpy as np

from heartrush_agents.base import Player, Probabilities
from heartrush_env.research.beats.figures import (
    CHOICES,
    HIT,
    MISS,
    NATURAL_1,
    NATURAL_20,
    PUSH,
    read_duel,
    why_unsupported,
)
from heartrush_env.research.beats.solve import Policy, game_of, solve
from heartrush_env.tabletop.game import Game, Observation
from heartrush_env.tabletop.table_game import TableGame

SHOWN_BEATS = 50  # that observations count


def why_not_solved(game: Game) -> str | None:
    """Return why a game is not a duel in beats that the agent plays, as a clause, or None if it is one."""
    why = why_unsupported(game)
    if why is not None:
        return why
    duel = read_duel(game)
    if duel.beats > SHOWN_BEATS:
        return f"beat_cap: expected at most {SHOWN_BEATS}, because observations count no further"
    for duelist in duel.duelists if duel.sunders else ():
        if len(duelist.arms) > len({arm.name for arm in duelist.arms}):
            return f"{duelist.name}: expected weapons of different names, because observations show no more of them"
    return None


class BeatPlayer(Player):
    """A player of the solution's mixes of choices, and of its answers to hits."""

    def __init__(self, game: Game) -> None:
        """Bind the player to a game and solve its duel."""
        super().__init__(game)
        self.duel = read_duel(game)
        self.solve()

    def solve(self) -> None:
        """Solve the duel."""
        self.table = solve(self.duel)
        self._answers: tuple[int, Any] = (0, None)  # a number of beats left, and the solution's answers to hits there

    def policy(self, observation: Observation) -> Probabilities:
        """Return the solution's policy for one observation."""
        names, mask = self.game.action_names, observation["action_mask"]
        chances: Probabilities = np.zeros(len(names))
        legal = np.flatnonzero(mask)
        if len(legal) == 1:
            chances[legal[0]] = 1.0
            return chances
        view = cast(TableGame, self.game).layout.read(observation["observation"].tolist())
        moment, seat = view["moment"], 0 if view["self"]["side"] == "first" else 1
        both = (view["self"], view["enemy 1"]) if seat == 0 else (view["enemy 1"], view["self"])
        left, hp = self.duel.beats + 1 - round(moment["beat"]), [round(it["hp"]) - 1 for it in both]
        gear = [self._gear(number, it) for number, it in enumerate(both)]
        if mask[names.index(CHOICES[0])]:
            flags = [place for number, worn in enumerate(gear) for place in (self._opened(number, both), *worn)]
            chances[[names.index(choice) for choice in CHOICES]] = self.mix_of(seat, left, flags, hp)
            return chances
        blows = [moment["first blow"], moment["second blow"]]
        rolls = [self._roll(number, blows, both) for number in (0, 1)]
        place: tuple[int, ...] = (*gear[0], *gear[1], *rolls, *self._pushes(moment))
        answer = "sunder"
        if mask[names.index("break_shield")]:
            answer, place = "break_shield", (*place, *(int("sunders" in blow) for blow in blows))
        chance = self.chance_of(seat, left, answer, place, hp)
        chances[names.index(answer)], chances[names.index("keep")] = chance, 1.0 - chance
        return chances

    def mix_of(self, seat: int, left: int, flags: list[int], hp: list[int]) -> Any:
        """Return a duelist's chances of its choices, by the solver's axes of states without the beats left."""
        return self.table.mixes[seat][(left, *flags, *hp)]

    def chance_of(self, seat: int, left: int, answer: str, place: tuple[int, ...], hp: list[int]) -> float:
        """Return a duelist's chance to sunder or to break its shield, by the solver's axes of answers."""
        if self._answers[0] != left:
            self._answers = left, game_of(self.duel).play(self.table.values[left - 1])[1:]
        plays = self._answers[1][seat]
        return float((plays.sunder if answer == "sunder" else plays.shield)[(*place, *hp)])

    def beat_policy(self, seat: int) -> Policy:
        """Return the policy of a duelist in every state, for exact solvers."""
        return self.table.policy(seat)

    def _gear(self, number: int, seen: Mapping[str, Any]) -> tuple[int, int]:
        """Return whether a duelist's shield is broken, and which of its arms it attacks with."""
        duel = self.duel
        duelist = duel.duelists[number]
        broken = int(duel.breaks and duelist.shield and not seen["shield"])
        held = [place for place, arm in enumerate(duelist.arms) if arm.name == seen["held"]]
        return broken, held[0] if duel.sunders and held else (len(duelist.arms) - 1 if duel.sunders else 0)

    def _opened(self, number: int, both: tuple[Mapping[str, Any], ...]) -> int:
        """Return whether a duelist is open."""
        return int("open" in both[number]["conditions"])

    def _roll(self, number: int, blows: list[Mapping[str, Any]], both: tuple[Mapping[str, Any], ...]) -> int:
        """Return the place of a duelist's attack roll among the ROLLS of the solution."""
        if "hits" in blows[number]:
            return NATURAL_20 if "natural 20" in blows[number] else HIT
        return NATURAL_1 if self._opened(number, both) else MISS

    def _pushes(self, moment: Mapping[str, Any]) -> tuple[int, int]:
        """Return whether the push of each duelist counts in this beat."""
        lines = ("parries", "pushes", "feints")
        first, second = (
            next(k for k, line in enumerate(lines) if "1" in moment[f"{side} {line}"]) for side in ("first", "second")
        )
        counts = self.duel.counts
        return int(first == PUSH and counts(first, second)), int(second == PUSH and counts(second, first))
