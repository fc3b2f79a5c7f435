"""An agent that plays the exact solution of its duel, which it works out when it sits down.

Nobody gains against it, and it gains nothing from the habits of others either: against an equilibrium all but hiding
and bad shrugging is worth the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent, AgentError, Player, Probabilities
from heartrush_agents.layout import Features, layout, scenario_of
from heartrush_env.core.game import Event, Game, Observation
from heartrush_env.heart_rush.encoding.features import DIE_SCALE, HP_SCALE, LEVEL_SCALE, ROUNDS_SCALE
from heartrush_env.heart_rush.rules.maneuvers import CUNNING_LEVELS, IMPAIRING
from heartrush_env.heart_rush.rules.terms import CONDITIONS, STANCES

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
    """Mixes as the tablebase says, names the levels that it says, and shrugs off where it says so."""

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
        self._levels = [[feature[f"{who} {CONDITIONS[k]}"] for k in IMPAIRING] for who in ("self", "enemy 1")]
        self._round, self._left = feature["round"], feature["rounds_left"]
        self._lasting = [
            place
            for name, place in feature.items()
            if name.startswith("self ") and feature.get(f"enemy 1 {name[5:]}") is not None and _lasts(name)
        ]
        batch = game.batch(1)
        batch.start([0], 0, [0])
        self._looks = batch.observations[0][:, self._lasting].copy()  # (seats, lasting)
        self._most = np.array([(sheet.hp_now, sheet.heart_now) for sheet in scenario_of(game).fighters])
        self._naming = np.array([self._layout.action[_attack(code)] for code in range(len(CUNNING_LEVELS))])
        self._named: dict[str, int] | None = None  # the levels of the last attack, where events tell of it

    def new_fight(self) -> None:
        """Nothing has been named yet."""
        self._named = None

    def observe(self, events: Sequence[Event]) -> None:
        """Levels are named aloud with the attack, which observations do not show."""
        for event in events:
            if event["type"] == "attack":
                self._named = dict(event["levels"])

    def policy(self, observation: Observation) -> Probabilities:
        """What the solution gives for one observation."""
        answer = self._answer(observation["observation"][None], observation["action_mask"][None], self._named)
        row: Probabilities = answer[0]
        return row

    def policies(self, features: Features, masks: NDArray[np.int8]) -> Probabilities:
        """The same for many, (n, features) and (n, actions) to (n, actions); no events tell what was named."""
        return self._answer(features, masks, None)

    def _answer(self, features: Features, masks: NDArray[np.int8], named: dict[str, int] | None) -> Probabilities:
        places, chances = self._layout, np.zeros(masks.shape)
        seats, states, left = self._where(features)
        for row, mask in enumerate(masks):
            seat, state, rounds = int(seats[row]), states[row], left[row]
            if mask.sum() == 1:
                chances[row, mask.argmax()] = 1.0
            elif mask[places.stances[0]]:
                chances[row, places.stances] = self.table.mix(seat, state, rounds)
            else:
                own, other = (int(features[row, shown].argmax()) for shown in self._shown)
                if mask[places.shrug]:
                    hit = round(float(features[row, places.hit]) * HP_SCALE)
                    shrugs = self._shrugs(seat, state, hit, rounds, own, other, named)
                    chances[row, places.shrug if shrugs else places.take] = 1.0
                else:
                    attacks = self.table.attacks(seat, state, own, other, rounds)
                    chances[row, self._naming[self._code(seat, state, own, other, rounds)]] = attacks
                    chances[row, places.passes] = 1.0 - attacks
        return chances

    def _code(self, seat: int, state: State, own: int, other: int, rounds: int | None) -> int:
        """The levels that the solution names with an attack, by their code; 0 for none."""
        if len(state) == 4 or STANCES[own] != "cunning":
            return 0
        return int(cast(Any, self.table).names(seat, state, other, rounds))

    def _shrugs(
        self, seat: int, state: State, hit: int, rounds: int | None, own: int, other: int, named: dict[str, int] | None
    ) -> bool:
        """Whether the solution shrugs off; where nothing tells what was named, what it would name itself."""
        if len(state) == 4:
            return self.table.shrugs(seat, state, hit, rounds)
        code = self._code(1 - seat, state, other, own, rounds)
        if named is not None:
            wanted = [named.get(CONDITIONS[k], 0) for k in IMPAIRING]
            code = int(np.flatnonzero((np.array(wanted) == CUNNING_LEVELS).all(axis=1))[0])
        return bool(cast(Any, self.table).shrugs(seat, state, hit, rounds, code))

    def _where(self, features: Features) -> tuple[NDArray[np.int64], list[State], list[int | None]]:
        """The seats that see these, the states, and the rounds left where they count."""
        scales = (HP_SCALE, HP_SCALE, DIE_SCALE, DIE_SCALE)
        shown = np.rint(features[:, self._fields].astype(np.float64) * scales).astype(np.int64)
        # what each seat would be, if it were the viewer: the same or less than what it started with
        fits = np.array(
            [
                (shown <= [most[0], other[0], most[1], other[1]]).all(axis=1)
                for most, other in (self._most, self._most[::-1])
            ]
        )
        fits[0] |= ~fits.any(axis=0)
        unlike = np.abs(self._looks[:, None] - features[:, self._lasting]).sum(axis=2)
        seats = np.where(fits, unlike, np.inf).argmin(axis=0)
        own, turned = shown.tolist(), shown[:, [1, 0, 3, 2]].tolist()
        states = [tuple((turned if seat else own)[row]) for row, seat in enumerate(seats)]
        if scenario_of(self.game).settings.levels:
            both = [
                [tuple(vector) for vector in np.rint(features[:, place] * LEVEL_SCALE).astype(np.int64).tolist()]
                for place in self._levels
            ]
            pairs = zip(*both, strict=True)
            states = [(*s, *(p if seat == 0 else p[::-1])) for s, p, seat in zip(states, pairs, seats, strict=True)]
        return seats, cast("list[State]", states), [self._rounds_left(row) for row in features]

    def _rounds_left(self, features: Features) -> int | None:
        if self.table.rounds is None:
            return None
        later = round(float(features[self._left]) * ROUNDS_SCALE)
        if later >= ROUNDS_SCALE:  # shown no further
            later = self.table.rounds - round(float(features[self._round]) * ROUNDS_SCALE)
        return min(self.table.rounds, later + 1)


def _attack(code: int) -> str:
    """The name of the action that attacks and names these levels."""
    words = [CONDITIONS[IMPAIRING[k]] for k in range(3) for _ in range(CUNNING_LEVELS[code, k])]
    return " ".join(["attack 1", *(["+".join(words)] if words else [])])


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
