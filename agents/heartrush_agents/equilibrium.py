"""An agent that plays the exact solution of its duel, which it works out when it sits down.

Nobody gains against it, and it gains nothing from the habits of others either: against an equilibrium all but hiding
and bad shrugging is worth the same.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np

from heartrush_agents.base import Agent, AgentError, Player, Probabilities
from heartrush_agents.layout import Features, layout, scenario_of
from heartrush_env.core.game import Game, Observation
from heartrush_env.heart_rush.encoding.features import DIE_SCALE, HP_SCALE, ROUNDS_SCALE
from heartrush_env.heart_rush.rules.terms import STANCES

if TYPE_CHECKING:
    from heartrush_env.heart_rush.game import HeartRush
    from heartrush_env.solver.tablebase import State, Tablebase


def refuses(game: Game) -> str | None:
    """Why a game is not solved, as the end of a sentence, or None if it is."""
    from heartrush_env.solver.outcomes import objection  # the solver is loaded when it is asked for

    return objection(cast("HeartRush", game))


@lru_cache(maxsize=8)
def solution(game: HeartRush) -> Tablebase:
    """The solution of a game, worked out once."""
    from heartrush_env.solver.solve import solve

    return solve(game)


class EquilibriumPlayer(Player):
    """Mixes as the tablebase says, and shrugs off where it says so."""

    def __init__(self, game: Game) -> None:
        """Sit down and solve the duel."""
        super().__init__(game)
        self.table = solution(cast("HeartRush", game))
        self._layout = layout(game.action_names, game.feature_names)
        if self.table.rounds is not None and getattr(game, "memory", None) == 0:
            raise AgentError(
                f"The agent 'equilibrium' cannot take a seat at {game.scenario_name!r}: the round cap of "
                f"{self.table.rounds} counts, and memory=0 does not show the round."
            )
        feature = self._layout.feature
        self._fields = [feature[name] for name in ("self hp", "enemy 1 hp", "self heart", "enemy 1 heart")]
        self._shown = [[feature[f"{who} stance {stance}"] for stance in STANCES] for who in ("self", "enemy 1")]
        self._round, self._left = feature["round"], feature["rounds_left"]
        self._lasting = [
            place
            for name, place in feature.items()
            if name.startswith("self ") and feature.get(f"enemy 1 {name[5:]}") is not None and _lasts(name)
        ]
        batch = game.batch(1)
        batch.start([0], 0, [0])
        self._looks = batch.observations[0][:, self._lasting].copy()  # (seats, lasting)
        self._most = [(sheet.hp_now, sheet.heart_now) for sheet in scenario_of(game).fighters]

    def policy(self, observation: Observation) -> Probabilities:
        """What the solution gives for one observation."""
        mask, features = observation["action_mask"], observation["observation"]
        places, chances = self._layout, np.zeros(len(mask))
        if mask.sum() == 1:
            chances[mask.argmax()] = 1.0
            return chances
        seat, state, left = self._where(features)
        if mask[places.stances[0]]:
            chances[places.stances] = self.table.mix(seat, state, left)
        elif mask[places.shrug]:
            shrugs = self.table.shrugs(seat, state, round(float(features[places.hit]) * HP_SCALE), left)
            chances[places.shrug if shrugs else places.take] = 1.0
        else:
            own, other = (int(features[shown].argmax()) for shown in self._shown)
            attacks = self.table.attacks(seat, state, own, other, left)
            chances[places.attacks[0]], chances[places.passes] = attacks, 1.0 - attacks
        return chances

    def _where(self, features: Features) -> tuple[int, State, int | None]:
        """The seat that sees this, the state, and the rounds left where they count."""
        hp = [round(float(features[place]) * HP_SCALE) for place in self._fields[:2]]
        hearts = [round(float(features[place]) * DIE_SCALE) for place in self._fields[2:]]
        fits = [
            seat
            for seat in (0, 1)
            if hp[0] <= self._most[seat][0]
            and hp[1] <= self._most[1 - seat][0]
            and hearts[0] <= self._most[seat][1]
            and hearts[1] <= self._most[1 - seat][1]
        ] or [0]
        looks = features[self._lasting]
        seat = min(fits, key=lambda seat: float(np.abs(self._looks[seat] - looks).sum()))
        own, other = (0, 1) if seat == 0 else (1, 0)
        return seat, (hp[own], hp[other], hearts[own], hearts[other]), self._rounds_left(features)

    def _rounds_left(self, features: Features) -> int | None:
        if self.table.rounds is None:
            return None
        later = round(float(features[self._left]) * ROUNDS_SCALE)
        if later >= ROUNDS_SCALE:  # shown no further
            later = self.table.rounds - round(float(features[self._round]) * ROUNDS_SCALE)
        return min(self.table.rounds, later + 1)


def _lasts(name: str) -> bool:
    """Whether a feature of a fighter is one that never changes in a duel, hit points and heart dice aside."""
    words = name.removeprefix("self ")
    lasting = ("hero", "hp_max", "heart_max", "might", "agility", "cunning", "armor", "shield", "attack_bonus", "size")
    return words in lasting or words.startswith("weapon")


AGENTS = (
    Agent(
        "equilibrium",
        "Plays the exact solution of its duel, which nobody can beat in the long run; works it out as it sits down.",
        EquilibriumPlayer,
        objection=refuses,
    ),
)
