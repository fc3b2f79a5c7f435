"""A batch of fights as a VecEnv of Stable-Baselines3, with one row per seat.

The learner plays every seat that no other player takes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from heartrush_agents.vector_player import VectorPlayer
from numpy.typing import NDArray
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvObs, VecEnvStepReturn

from heartrush_env.envs.base import CopiedWhole
from heartrush_env.envs.seats import Rows
from heartrush_env.envs.vector import BatchEnv


class SeatVecEnv(CopiedWhole, VecEnv):
    """Seats of many fights, one row each, with `action_masks` for MaskablePPO.

    When a fight ends, the next one starts in the same step, and `infos[row]["terminal_observation"]` holds the last
    observation of the old one. Observations have no masks: they are rows of one array, or a dict of arrays if the
    fights use a kind of observation with several arrays.
    """

    def __init__(self, fights: BatchEnv, players: Sequence[VectorPlayer] = ()) -> None:
        """Create a row for each seat that no player takes. Players may change their agent, but not their seats."""
        self.fights = fights
        self.rows = Rows(fights, players)
        self.players, self.slots, self.seats = self.rows.players, self.rows.slots, self.rows.seats
        self.render_mode = None
        self._chosen: NDArray[Any] = np.zeros(len(self.rows), np.int64)
        self._no_infos: list[dict[str, Any]] = [{} for _ in range(len(self.rows))]
        self._scores: defaultdict[str, list[float]] = defaultdict(list)
        self._shown = fights.game.observed(fights.observation_kind)
        self._alone = list(self._shown) == ["observation"]
        shown = {name: fights.single_observation_space[name] for name in self._shown}
        space = shown["observation"] if self._alone else spaces.Dict(shown)
        super().__init__(len(self.rows), space, fights.single_action_space)

    def action_masks(self) -> NDArray[np.int8]:
        """Return a mask of the legal actions of each row, int8 (rows, actions)."""
        return self.rows.of(self.fights.observations["action_mask"])

    def reset(self) -> VecEnvObs:
        """Start all fights from the seed last passed to seed(); if none was passed, start the next ones."""
        self.fights.reset(self._seeds[0])
        for player in self.players:
            player.new_match()
            player.new_fight()
        self._reset_seeds()
        return self._observed()

    def _observed(self) -> VecEnvObs:
        """Return the rows of the fights' current observations."""
        seen: dict[str, NDArray[Any]] = self.rows.seen(self.fights.observations)
        return seen["observation"] if self._alone else seen

    def _last(self, told: Mapping[str, NDArray[Any]], slot: int, seat: int) -> Any:
        """Return the last observation of a seat in a fight that has ended."""
        seen = {
            name: told[f"final_{name}"][slot if bounds.of_fight else (slot, seat)].copy()
            for name, bounds in self._shown.items()
        }
        return seen["observation"] if self._alone else seen

    def step_async(self, actions: NDArray[Any]) -> None:
        """Store the actions of all rows for `step_wait`."""
        self._chosen = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Let the other players choose, play one window in each fight, and return the rows' results."""
        rows = self.rows
        _, rewards, _, truncations, told = rows.step(self._chosen)
        dones = rows.of_fights(told["ended"])
        infos = self._no_infos.copy()
        if told["ended"].any():
            self._score(told["ended"], rewards)
            for row in np.flatnonzero(dones):
                place = self.slots[row], self.seats[row]
                infos[row] = {
                    "terminal_observation": self._last(told, *place),
                    "TimeLimit.truncated": bool(truncations[place]),
                }
        return self._observed(), rows.of(rewards), dones, infos

    def _score(self, ended: NDArray[np.bool_], rewards: NDArray[np.float32]) -> None:
        """Record the learner's scores against the players whose fights ended."""
        for player in self.players:
            places = ended[player.slots]
            self._scores[player.agent.id].extend((1.0 - rewards[player.slots, player.seats][places]) / 2.0)

    def take_scores(self) -> dict[str, float]:
        """Return the learner's mean score (win 1, draw 1/2, loss 0) against each agent since the last call."""
        scores = {id: float(np.mean(each)) for id, each in self._scores.items() if each}
        self._scores.clear()
        return scores

    def close(self) -> None:
        """Stop the threads of the fights."""
        self.fights.close()

    # -- the rest of the VecEnv interface ------------------------------------------------------------------------------

    def _indices(self, indices: int | Iterable[int] | None) -> list[int]:
        return list(self._get_indices(indices))

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> list[Any]:
        """Return the result of a method for each row; the only method is `action_masks`."""
        if method_name != "action_masks":
            raise AttributeError(f"Rows: expected the method 'action_masks', got {method_name!r}.")
        masks = self.action_masks()
        return list(masks) if indices is None else [masks[row] for row in self._indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Return whether rows have an attribute: `action_masks`, or any attribute of this object."""
        return hasattr(self, attr_name)

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """Return an attribute of this object, repeated for each row."""
        return [getattr(self, attr_name) for _ in self._indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Raise AttributeError, because rows share one batch of fights."""
        raise AttributeError(f"Rows cannot be given {attr_name!r}: they share one batch of fights.")

    def env_is_wrapped(self, wrapper_class: Any, indices: Any = None) -> list[bool]:
        """Return False for each row."""
        return [False for _ in self._indices(indices)]
