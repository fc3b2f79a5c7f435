"""One seat in each of many fights, as a Gymnasium VectorEnv; agents play all other seats.

A step is one window in every fight. A window in which your seat has nothing to decide is a step with one legal action;
the single environment of `gymnasium.make` skips such windows.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from heartrush_env.core.errors import HeartRushError
from heartrush_env.core.game import Game
from heartrush_env.envs.single import Opponent, check_seats
from heartrush_env.envs.vector import VectorFights

if TYPE_CHECKING:
    from heartrush_agents.vector_player import VectorPlayer

# Gymnasium names the way of autoreset from version 1.1 on.
SAME_STEP = gymnasium.vector.AutoresetMode.SAME_STEP if hasattr(gymnasium.vector, "AutoresetMode") else "SameStep"


class VectorSeat(gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Your seat in many fights, with same-step autoreset."""

    metadata = {"render_modes": [], "autoreset_mode": SAME_STEP}  # noqa: RUF012  # typed in Gymnasium

    def __init__(
        self,
        fights: VectorFights,
        *,
        seat: str | None = None,
        opponent: Opponent = "uniform",
        allies: Opponent | None = None,
        flatten: bool = False,
    ) -> None:
        """Take the same seat in each fight.

        Args:
            fights: The fights, not started yet.
            seat: The seat that you decide for; by default the first.
            opponent: The players of the other teams: an agent, its id, a class of players, or a mapping from seats to
                these. A player instance is refused, because it cannot play many fights at once.
            allies: The players of your own team, likewise; by default the same as `opponent`.
            flatten: Observe the features alone, as a Box, instead of a Dict with the action mask.
        """
        self.fights = fights
        self.game: Game = fights.game
        self.num_envs = fights.num_envs
        self.seat = fights.agents[0] if seat is None else seat
        self.players = seat_players(fights, self.seat, opponent, opponent if allies is None else allies)
        self.flatten = bool(flatten)
        self._place = fights.agents.index(self.seat)
        whole = fights.single_observation_space
        self.single_observation_space = whole["observation"] if self.flatten else whole
        self.single_action_space = fights.single_action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)
        self._actions = np.zeros((self.num_envs, fights.num_agents), np.int64)

    def reset(self, *, seed: Any = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start fight s in slot s and a new match with the agents; without a seed, the next fight of each slot.

        Args:
            seed: From 0 to 2**63 - 1, one for all slots; the agents' random choices depend on it too.
            options: Ignored.

        Returns:
            observations: (num_envs, ...), as `single_observation_space` says of one.
            infos: "action_mask" (num_envs, actions) and "fight" (num_envs,), the numbers of the fights.
        """
        if seed is not None and np.ndim(seed):
            raise HeartRushError(f"seed: found {seed!r}, allowed: one whole number, from which all fights are made.")
        super().reset(seed=None if seed is None else int(seed))
        if seed is None and self._np_random is None:
            seed = int(self.np_random.integers(2**63 - 1))
        self.fights.reset(seed)
        for place, player in enumerate(self.players):
            if seed is not None:
                player.rng = np.random.default_rng([int(seed), place])
                player.new_match()
            player.new_fight()
        return self._view(), self._info()

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one window in each fight.

        Args:
            actions: Whole numbers (num_envs,).

        Returns:
            observations: As reset() returns them; where a fight ended, of the next one.
            rewards: (num_envs,), of your seat.
            terminations: (num_envs,).
            truncations: (num_envs,).
            infos: "action_mask" and "fight" as reset() returns them, "illegal" (num_envs,); where fights ended,
                "final_obs" and "final_info" with "_final_obs" and "_final_info", which say where, as Gymnasium has it.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,):
            raise HeartRushError(f"The actions must have the shape ({self.num_envs},), but have {given.shape}.")
        for player in self.players:
            player.act(self.fights.observations, self._actions)
        choices = self._actions.astype(given.dtype) if given.dtype.kind in "iu" else self._actions.astype(object)
        choices[:, self._place] = given
        _, rewards, terminations, truncations, told = self.fights.step(choices)
        place, ended = self._place, told["ended"]
        infos = self._info()
        infos["illegal"] = told["illegal"][:, place].astype(np.bool_)
        if ended.any():
            slots = np.flatnonzero(ended)
            for player in self.players:
                player.new_fight(slots)
            infos.update(self._final(ended, slots, told))
        return (
            self._view(),
            rewards[:, place].astype(np.float64),
            terminations[:, place].copy(),
            truncations[:, place].copy(),
            infos,
        )

    def _final(self, ended: NDArray[np.bool_], slots: NDArray[np.intp], told: Mapping[str, Any]) -> dict[str, Any]:
        """The last observations of fights that ended in this step."""
        last = np.full(self.num_envs, None, dtype=object)
        masks = told["final_action_mask"][:, self._place].copy()
        masks[~ended] = 0
        for slot in slots:
            features = told["final_observation"][slot, self._place].copy()
            last[slot] = features if self.flatten else {"observation": features, "action_mask": masks[slot].copy()}
        info = {"action_mask": masks, "_action_mask": ended.copy()}
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    # -- looking -------------------------------------------------------------------------------------------------------

    def _view(self) -> Any:
        features = self.fights.observations["observation"][:, self._place].copy()
        return features if self.flatten else {"observation": features, "action_mask": self._masks()}

    def _masks(self) -> NDArray[np.int8]:
        return self.fights.observations["action_mask"][:, self._place].copy()

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self._masks(), "fight": self.fights.infos["fight"].copy()}

    def action_masks(self) -> NDArray[np.bool_]:
        """Which actions are legal now, (num_envs, actions), under the name that sb3-contrib asks for."""
        return self._masks().astype(np.bool_)

    def get_action_meanings(self) -> list[str]:
        """A stable name for each action."""
        return self.fights.get_action_meanings()

    def get_feature_names(self) -> list[str]:
        """A stable name for each feature of an observation."""
        return self.fights.get_feature_names()

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the fights' threads."""
        self.fights.close()


def seat_players(fights: VectorFights, seat: str, opponent: Opponent, allies: Opponent) -> list[VectorPlayer]:
    """Seat agents everywhere except at one seat of each fight; equal agents decide in one batch.

    Args:
        fights: The fights.
        seat: The seat that is left free.
        opponent: The players of the other teams: an agent, its id, a class of players, or a mapping from seats to
            these.
        allies: The players of the seat's own team, likewise.

    Raises:
        HeartRushError: The seat does not exist, an agent is unknown or does not play this game, or a seat has no
            player.
    """
    from heartrush_agents import load  # the environments themselves know no agents
    from heartrush_agents.vector_player import VectorPlayer

    game = fights.game
    if seat not in game.agents:
        raise HeartRushError(f"There is no seat {seat!r}: the seats are {', '.join(game.agents)}.")
    own_team = game.teams[game.agents.index(seat)]
    places: dict[Any, list[int]] = {}
    for place, (agent, team) in enumerate(zip(game.agents, game.teams, strict=True)):
        if agent == seat:
            continue
        what, given = ("allies", allies) if team == own_team else ("opponent", opponent)
        if isinstance(given, Mapping):
            check_seats(game, seat, given)
            if agent not in given:
                raise HeartRushError(f"Nobody decides for {agent}: `{what}` names {', '.join(given) or 'nobody'}.")
            given = given[agent]
        if hasattr(given, "act") and not isinstance(given, type):
            allowed = "an agent, its id, or a class of players"
            raise HeartRushError(f"`{what}` is a player, which sits in one fight alone, allowed: {allowed}.")
        places.setdefault(given, []).append(place)
    return [
        VectorPlayer(
            load(given),
            game,
            [(slot, place) for slot in range(fights.num_envs) for place in seats],
            np.random.default_rng(number),
        )
        for number, (given, seats) in enumerate(places.items())
    ]
