"""Seats of many fights as rows of arrays, and as a Gymnasium VectorEnv; agents play all other seats.

A step is one window in every fight. A window in which a seat has nothing to decide is a step with one legal action;
the single environment of `gymnasium.make` skips such windows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from heartrush_env.envs.base import GameEnv
from heartrush_env.envs.opponents import Opponent, assign_players
from heartrush_env.envs.spaces import flattens
from heartrush_env.envs.vector import SAME_STEP, BatchEnv, numbers
from heartrush_env.tabletop.errors import HeartRushError
from heartrush_env.tabletop.game import Game

if TYPE_CHECKING:
    from heartrush_agents.vector_player import VectorPlayer

ALL = "all"  # instead of a seat: a row for each seat of each fight


class Rows:
    """The seats of many fights that no player takes, with one row for each seat, fight by fight."""

    def __init__(self, fights: BatchEnv, players: Sequence[VectorPlayer] = ()) -> None:
        """Make the rows. A player may later change its agent, but not its seats."""
        free = np.ones((fights.num_envs, fights.num_agents), np.bool_)
        for player in players:
            free[player.slots, player.seats] = False
        self.fights, self.players = fights, list(players)
        self.slots, self.seats = free.nonzero()
        self._actions = np.zeros(free.shape, np.int64)

    def __len__(self) -> int:
        return len(self.slots)

    def of(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return a copy of these rows of an array (fights, agents, ...), which the fights rewrite in place."""
        rows: NDArray[Any] = array[self.slots, self.seats]
        return rows

    def seen(self, arrays: Mapping[str, NDArray[Any]], prefix: str = "") -> dict[str, NDArray[Any]]:
        """Return copies of the rows of all observation arrays but the mask; their names in `arrays` have the prefix."""
        return {
            name: (self.of_fights if bounds.of_fight else self.of)(arrays[f"{prefix}{name}"])
            for name, bounds in self.fights.game.observed(self.fights.observation_kind).items()
        }

    def of_fights(self, array: NDArray[Any]) -> NDArray[Any]:
        """Return a copy of an array (fights, ...) with one entry per row: the entry of the row's fight."""
        rows: NDArray[Any] = array[self.slots]
        return rows

    def step(self, actions: Any) -> tuple[Any, Any, Any, Any, dict[str, NDArray[Any]]]:
        """Let the players choose, play one window in each fight, and notify the players whose fights ended.

        Returns:
            The result of `BatchEnv.step`: the fights' own arrays.
        """
        given = numbers(actions, self.slots.shape)
        read = {"observation": self.fights.vectors, "action_mask": self.fights.observations["action_mask"]}
        for player in self.players:
            player.act(read, self._actions)
        self._actions[self.slots, self.seats] = given
        played = self.fights.step(self._actions)
        ended = played[-1]["ended"]
        if ended.any():
            for player in self.players:
                player.new_fight(np.flatnonzero(ended))
        return played


class SeatVectorEnv(GameEnv, gymnasium.vector.VectorEnv[Any, Any, Any]):
    """Your seat in many fights, or every seat of them, with same-step autoreset."""

    metadata = {"render_modes": [], "autoreset_mode": SAME_STEP}  # noqa: RUF012  # typed in Gymnasium
    autoreset_mode = SAME_STEP

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        opponent: Opponent,
        seat: str | None = None,
        allies: Opponent | None = None,
        flatten: bool = False,
        **options: Any,
    ) -> None:
        """Take the same seat in each fight, or all seats.

        Args:
            game: The game to play.
            num_envs: The number of fights, one in each slot. Slot s plays the fights s, s + num_envs, ... of the seed.
            seat: The seat that you decide for; by default the first. "all" means every seat, for self-play: there is
                a row for each seat of each fight, fight by fight, and the attribute `num_envs` counts these rows.
            opponent: The players of the other teams: an agent, its id, a class of players, or a mapping from seats to
                these. A player instance is refused, because it cannot play many fights at once.
            allies: The players of your own team, in the forms that `opponent` takes; `opponent` by default.
            flatten: Observe the features alone, as a Box, instead of a Dict with the action mask.
            options: The other options of `BatchEnv`.
        """
        self.game = game
        self.fights = fights = BatchEnv(game, num_envs, **options)
        self.players = seat_players(fights, seat, opponent, allies)
        self.rows = Rows(fights, self.players)
        self.num_envs = len(self.rows)
        self.flatten = flattens(flatten, fights.observation_kind, game)
        whole = fights.single_observation_space
        self.single_observation_space = whole["observation"] if self.flatten else whole
        self.single_action_space = fights.single_action_space
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = batch_space(self.single_action_space, self.num_envs)

    def reset(self, *, seed: Any = None, options: Mapping[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Start fight s in each slot s, and a new match with the agents; without a seed, start each slot's next fight.

        Args:
            seed: From 0 to 2**63 - 1, one for all slots; the agents' random choices depend on it too.
            options: Ignored.

        Returns:
            observations: (num_envs, ...), with one element of `single_observation_space` in each row.
            infos: "action_mask" (num_envs, actions) and "fight" (num_envs,), the numbers of the fights; and Gymnasium's
                flags "_action_mask" and "_fight", which are True for every row.
        """
        if seed is not None and np.ndim(seed):
            raise HeartRushError(f"seed: expected one whole number, from which all fights are seeded, got {seed!r}.")
        super().reset(seed=None if seed is None else int(seed))
        if seed is None and self._np_random is None:
            seed = int(self.np_random.integers(2**63 - 1))
        self.fights.reset(seed)
        for place, player in enumerate(self.players):
            if seed is not None:
                player.rng = np.random.default_rng([int(seed), place])
                player.new_match()
            player.new_fight()
        return self._view(), self._infos()

    def step(
        self, actions: Any
    ) -> tuple[Any, NDArray[np.float64], NDArray[np.bool_], NDArray[np.bool_], dict[str, Any]]:
        """Play one window in each fight.

        Args:
            actions: Whole numbers (num_envs,).

        Returns:
            observations: As reset() returns them; where a fight ended, those of the next fight.
            rewards: (num_envs,), the reward of each row's seat.
            terminations: (num_envs,).
            truncations: (num_envs,).
            infos: "action_mask" and "fight" as reset() returns them, "illegal" (num_envs,); where fights ended,
                "final_obs" and "final_info", with the flags "_final_obs" and "_final_info" for these rows.
        """
        rows = self.rows
        _, rewards, terminations, truncations, told = rows.step(actions)
        infos = self._infos(illegal=rows.of(told["illegal"]).astype(np.bool_))
        ended = rows.of_fights(told["ended"])
        if ended.any():
            infos |= self._final(ended, told)
        return (
            self._view(),
            rows.of(rewards).astype(np.float64),
            rows.of(terminations),
            rows.of(truncations),
            infos,
        )

    def _final(self, ended: NDArray[np.bool_], told: Mapping[str, Any]) -> dict[str, Any]:
        """Return the infos that hold the last observations of the fights that ended in this step."""
        last = np.full(self.num_envs, None, dtype=object)
        seen, masks = self.rows.seen(told, "final_"), self.rows.of(told["final_action_mask"])
        masks[~ended] = 0
        for row in np.flatnonzero(ended):
            shown = {name: array[row, ...] for name, array in seen.items()}
            last[row] = shown["observation"] if self.flatten else {**shown, "action_mask": masks[row].copy()}
        info = {"action_mask": masks, "_action_mask": ended.copy()}
        return {"final_obs": last, "_final_obs": ended.copy(), "final_info": info, "_final_info": ended.copy()}

    # -- looking -------------------------------------------------------------------------------------------------------

    def _view(self) -> Any:
        seen = self.rows.seen(self.fights.observations)
        return seen["observation"] if self.flatten else {**seen, "action_mask": self._masks()}

    def _masks(self) -> NDArray[np.int8]:
        return self.rows.of(self.fights.observations["action_mask"])

    def _infos(self, **more: NDArray[Any]) -> dict[str, Any]:
        """Return the infos that every row has, with flags that are True for every row."""
        infos = {"action_mask": self._masks(), "fight": self.rows.of_fights(self.fights.infos["fight"]), **more}
        return infos | {f"_{name}": np.ones(self.num_envs, np.bool_) for name in infos}

    @property
    def asked(self) -> NDArray[np.bool_]:
        """The flags of the rows that decide in the next step, (num_envs,)."""
        return self.rows.of(self.fights.asked)

    def action_masks(self) -> NDArray[np.bool_]:
        """Return which actions are legal now, (num_envs, actions), under the name that sb3-contrib expects."""
        return self._masks().astype(np.bool_)

    def close_extras(self, **kwargs: Any) -> None:
        """Stop the fights' threads."""
        self.fights.close()


def seat_players(fights: BatchEnv, seat: str | None, opponent: Opponent, allies: Opponent | None) -> list[VectorPlayer]:
    """Return agents that take all seats of each fight but one; seats with equal agents decide in one batch.

    Args:
        fights: The fights.
        seat: The seat that is left free; by default the first, and with "all" every seat.
        opponent: The players of the other teams, as `SeatVectorEnv` takes them.
        allies: The players of the seat's own team; `opponent` by default.

    Raises:
        HeartRushError: The seat does not exist, an agent is unknown or does not play this game, or a seat has no
            player.
    """
    from heartrush_agents import load  # imported here because environments do not depend on agents
    from heartrush_agents.vector_player import VectorPlayer

    if seat == ALL:
        return []
    game = fights.game
    places: dict[Any, list[int]] = {}
    for agent, given in assign_players(game, game.agents[0] if seat is None else seat, opponent, allies).items():
        if hasattr(given, "act") and not isinstance(given, type):
            allowed = "an agent, its id, or a class of players"
            raise HeartRushError(f"{agent}: expected {allowed} for many fights, got a player, which plays only one.")
        places.setdefault(given, []).append(game.agents.index(agent))
    return [
        VectorPlayer(
            load(given),
            game,
            [(slot, place) for slot in range(fights.num_envs) for place in seats],
            np.random.default_rng(number),
        )
        for number, (given, seats) in enumerate(places.items())
    ]
