"""A PettingZoo ParallelEnv for any Game: the agents that are asked choose, then the window is played.

A key, (seed, fight number), identifies a fight: the same key and actions give the same fight.
This module does not define what an action does or how a fight looks.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NoReturn, cast

import gymnasium.logger
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import ParallelEnv

from heartrush_env.envs.base import GameEnv
from heartrush_env.envs.rewards import RewardFunction, payments
from heartrush_env.envs.snapshots import pack_snapshot, unpack_snapshot
from heartrush_env.envs.spaces import action_space, flattens, observation_space
from heartrush_env.tabletop.arguments import (
    Illegal,
    check_choice,
    random_seed,
    read_options,
    read_seed,
    refusal,
    unknown_agents,
    whole_number,
)
from heartrush_env.tabletop.errors import HeartRushError, IllegalAction
from heartrush_env.tabletop.game import (
    MISSING,
    Batch,
    Board,
    Event,
    FloatArray,
    Game,
    Observation,
    Picture,
    Snapshot,
    asked_reader,
    room_for_actions,
)

if TYPE_CHECKING:
    from heartrush_env.tabletop.render.window import Window

Infos = dict[str, dict[str, Any]]

RENDER_MODES = ("human", "ansi", "rgb_array")
RENDER_FPS = 4
ABSENT = object()


class ParallelFights(GameEnv, ParallelEnv[str, Any, Any]):  # type: ignore[misc]  # PettingZoo has no type information
    """An environment that plays one fight after another; the agents that are asked choose at the same time."""

    def __init__(
        self,
        game: Game,
        *,
        render_mode: str | None = None,
        illegal: Illegal = "fallback",
        name: str | None = None,
        reward: RewardFunction | None = None,
        observations: str = "vector",
        flatten: bool = False,
    ) -> None:
        """Make an environment for a game.

        Args:
            game: The game to play.
            render_mode: "rgb_array" returns an RGB array, "ansi" a string; "human" shows the picture in a window, or
                prints the text where no window can be opened; None renders nothing.
            illegal: How a masked or missing action is handled: "fallback" plays the game's fallback, "raise" raises.
            name: The environment's name; by default the game's name with its version.
            reward: A function that replaces the game's rewards, called with the events of each step.
            observations: The kind of observations: "vector", or another of the game's `observation_kinds`.
            flatten: Observe the features alone, as a Box; the action mask is in the infos.
        """
        self.game = game
        self.observation_kind = check_choice("observations", observations, game.observation_kinds)
        self.flatten = flattens(flatten, observations, game)
        self._reward = reward
        self.render_mode = check_choice("render_mode", render_mode, (*RENDER_MODES, None))
        self.illegal = check_choice("illegal", illegal, ("fallback", "raise"))
        self.metadata = {
            "name": name or f"{game.name}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": True,
            "render_fps": RENDER_FPS,
        }
        self.possible_agents = list(game.agents)
        self.agents: list[str] = []
        self.state_space = spaces.Box(game.state_low, game.state_high, dtype=np.float32)
        self._action_spaces = {agent: action_space(game) for agent in game.agents}
        whole = {agent: observation_space(game, observations) for agent in game.agents}
        self._observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: space["observation"] if self.flatten else space for agent, space in whole.items()
        }
        self._all_false = dict.fromkeys(game.agents, False)
        self._all_true = dict.fromkeys(game.agents, True)
        self._num_actions = len(game.action_names)
        self._window = open_window() if render_mode == "human" else None
        self._seed: int | None = None
        self._fight = -1
        self._random: np.random.Generator | None = None
        self._open_batch()

    def _open_batch(self) -> None:
        """Allocate a batch of one fight and keep its rows, which are written in place."""
        self._batch: Batch = self.game.batch(1, record=True, observations=self.observation_kind)
        self._board: Board | None = None  # made for the first picture of a fight
        seen, bounds = self._batch.seen, self.game.observed(self.observation_kind)
        self._copies = []
        for seat, (agent, mask) in enumerate(zip(self.possible_agents, self._batch.masks[0], strict=True)):
            rows = {name: seen[name][0] if bounds[name].of_fight else seen[name][0, seat, ...] for name in bounds}
            copy_rows = rows["observation"].copy if self.flatten else _copier({**rows, "action_mask": mask})
            self._copies.append((agent, copy_rows, mask.copy, asked_reader(self._batch, 0, seat)))
        self._is_asked = [is_asked for *_, is_asked in self._copies]
        self._mask_rows = self._batch.masks[0]
        self._reward_row = self._batch.rewards[0]
        self._illegal_row = self._batch.illegal[0]
        self._out_row = self._batch.out[0]
        self._picks = room_for_actions(self._batch)
        self._pick_row = self._picks[0]

    # -- spaces and names ----------------------------------------------------------------------------------------

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the agent's observation space, the same object on every call."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the agent's action space, the same object on every call."""
        return self._action_spaces[agent]

    # -- playing ---------------------------------------------------------------------------------------------------

    @property
    def key(self) -> tuple[int, int] | None:
        """The fight's key, (seed, fight number); None before the first reset."""
        return None if self._seed is None else (self._seed, self._fight)

    @property
    def np_random(self) -> np.random.Generator:
        """The random generator for wrappers, such as SuperSuit's frame skips; the dice of fights do not use it."""
        if self._random is None:
            self._random = np.random.default_rng(self._seed)
        return self._random

    def reset(
        self, seed: int | None = None, options: Mapping[str, Any] | None = None
    ) -> tuple[dict[str, Observation], Infos]:
        """Start a fight: fight 0 of the given seed or, if none is given, the next fight of the current seed.

        Args:
            seed: From 0 to 2**63 - 1; if none was ever given, a random one is drawn.
            options: "dice" lists the results of the first rolls, "fight" is the fight's number; others are ignored.
        """
        number, dice = read_options(options)
        key = read_seed(seed)
        if key is None and self._seed is None:
            key = random_seed()
        if key is None:
            key, following = self._seed, self._fight + 1
        else:
            following, self._random = 0, None
        assert key is not None
        number = following if number is None else number
        self._batch.start([0], key, [number], dice)
        self._board = None
        self._seed, self._fight = key, number
        self.agents = self.possible_agents[:]
        return self._show()

    def step(
        self, actions: Mapping[str, Any]
    ) -> tuple[dict[str, Observation], dict[str, float], dict[str, bool], dict[str, bool], Infos]:
        """Play one window with the actions of the agents that are asked; those of all other agents are ignored.

        All agents stay until the fight ends, and leave together. After the end, a step without actions returns empty
        results.
        """
        if not self.agents:
            if actions or self._seed is None:
                self.refuse_step()
            return {}, {}, {}, {}, {}
        self._read(actions)
        batch = self._batch
        batch.step(self._picks)
        if self._board is not None:
            self._board.record_step(batch.events(0), batch.moment(0))
        observations, infos = self._show()
        illegal = self._illegal_row.tolist()
        if True in illegal:
            for agent, was_illegal in zip(self.possible_agents, illegal, strict=True):
                if was_illegal:
                    infos[agent]["illegal"] = True
        paid = (
            self._reward_row.tolist()
            if self._reward is None
            else payments(self._reward, batch.events(0), self.possible_agents)
        )
        rewards = dict(zip(self.possible_agents, paid, strict=True))
        terminated, truncated = batch.terminated[0], batch.truncated[0]
        if terminated or truncated:
            self.agents = []
        terminations = (self._all_true if terminated else self._all_false).copy()
        truncations = (self._all_true if truncated else self._all_false).copy()
        return observations, rewards, terminations, truncations, infos

    def _show(self) -> tuple[dict[str, Observation], Infos]:
        """Return fresh copies of every agent's observation and info."""
        observations: dict[str, Any] = {}
        infos: Infos = {}
        for agent, copy_rows, copy_mask, is_asked in self._copies:
            observations[agent] = copy_rows()
            infos[agent] = {"action_mask": copy_mask(), "asked": is_asked()}
        outs = self._out_row.tolist()
        if any(outs):
            for agent, cause in zip(self.possible_agents, outs, strict=True):
                if cause:
                    infos[agent]["out"] = self.game.out_causes[cause]
        return observations, infos

    def vector(self, agent: str) -> Observation:
        """Return the agent's observation as a vector, as players read it, even if the environment gives other kinds."""
        seat = self.possible_agents.index(agent)
        return {"observation": self._batch.vectors[0, seat].copy(), "action_mask": self._mask_rows[seat].copy()}

    def _read(self, actions: Mapping[str, Any]) -> None:
        """Check the actions and order them by seat; actions of agents that are not asked are ignored."""
        absent = 0
        is_asked, row, num_actions = self._is_asked, self._pick_row, self._num_actions
        for seat, agent in enumerate(self.possible_agents):
            action = actions.get(agent, ABSENT)
            if action is ABSENT:
                absent += 1
                row[seat] = MISSING
            elif type(action) is int and 0 <= action < num_actions:
                row[seat] = action
            else:
                row[seat] = self._checked(agent, action) if is_asked[seat]() else MISSING
        if len(actions) + absent > len(row):
            raise IllegalAction(unknown_agents(actions, self.possible_agents))
        if self.illegal == "raise":
            for seat in range(len(row)):
                self._refuse_illegal(seat, int(row[seat]))

    def _checked(self, agent: str, action: Any) -> int:
        """Return an action as a number inside the space, or MISSING for None."""
        if action is None:
            return MISSING
        number = whole_number(f"The action of {agent}", action, IllegalAction)
        if not 0 <= number < self._num_actions:
            raise IllegalAction(f"{agent}: expected an action from 0 to {self._num_actions - 1}, got {number}.")
        return number

    def _refuse_illegal(self, seat: int, pick: int) -> None:
        """Raise IllegalAction if the action is masked or missing and the agent is asked."""
        if self._is_asked[seat]() and (pick == MISSING or not self._mask_rows[seat, pick]):
            raise IllegalAction(refusal(self.game, self.possible_agents[seat], pick, self._mask_rows[seat]))

    def check_action(self, agent: str, action: Any) -> None:
        """Raise IllegalAction for an action that step() would refuse."""
        seat = self.possible_agents.index(agent)
        if not self._is_asked[seat]():
            return
        pick = self._checked(agent, action)
        if self.illegal == "raise":
            self._refuse_illegal(seat, pick)

    def refuse_step(self) -> NoReturn:
        """Raise an error that explains why there is no window to play."""
        if self._seed is None:
            raise HeartRushError("step() was called before reset().")
        raise HeartRushError("step() was called after the fight had ended: call reset() to begin the next one.")

    # -- looking -------------------------------------------------------------------------------------------------------

    @property
    def asked(self) -> list[str]:
        """The agents that decide in this step; step() needs no action of any other agent."""
        return [agent for agent, is_asked in zip(self.agents, self._is_asked, strict=False) if is_asked()]

    @property
    def events(self) -> list[Event]:
        """The public events of the last step, in order; after a reset, the events of the fight's start."""
        return [] if self._seed is None else self._batch.events(0)

    @property
    def public(self) -> dict[str, Any]:
        """The facts that all agents see: the round, the window, the fighters, the ground; JSON-able."""
        self._need_fight("public")
        return self._batch.describe(0)

    def state(self) -> FloatArray:
        """Return everything revealed so far, from no agent's point of view, for a central critic."""
        self._need_fight("state()")
        return np.array(self._batch.state(0), dtype=np.float32)

    def render(self) -> str | Picture | None:
        """Render the fight: text for "ansi", an RGB array for "rgb_array", a window for "human"."""
        if self.render_mode is None:
            gymnasium.logger.warn('render() needs a render_mode, such as "ansi", given when the environment is made.')
            return None
        self._need_fight("render()")
        if self.render_mode == "ansi":
            return self._text()
        if self.render_mode == "rgb_array":
            return self._frame()
        self._show_in_window()
        return None

    def frames(self) -> list[Picture]:
        """Return the film frames from the last call up to this moment; the last frame is the picture of this moment.

        Each is an RGB array (height, width, 3) from 0 to 255. Needs the extra `render`, but no `render_mode`.
        """
        self._need_fight("frames()")
        batch = self._batch
        between = self._drawing().glide(batch.describe(0), batch.events(0), batch.moment(0))
        return [*between, self._frame()]

    def _drawing(self) -> Board:
        """Return the board of this fight; once it exists, every step updates it."""
        self._board = self._board or self.game.new_board()
        return self._board

    def _frame(self) -> Picture:
        """Return the current picture."""
        return self._drawing().draw(self._batch.describe(0), self._batch.events(0), self._batch.moment(0))

    def _text(self) -> str:
        """Return the current moment as lines of text."""
        return self.game.text_picture(self._batch.describe(0))

    def _show_in_window(self) -> None:
        """Show the picture in a window, or print it as text if no window can be opened."""
        if self._window is not None:
            try:
                self._window.show(self._frame(), RENDER_FPS)
                return
            except HeartRushError:
                self._window = None
        print(self._text(), flush=True)

    def close(self) -> None:
        """Close the window, if one is open."""
        if self._window is not None:
            self._window.close()

    # -- snapshots and pickles -----------------------------------------------------------------------------------------

    def snapshot(self) -> Snapshot:
        """Return the whole fight as JSON-able data, including its future dice: for referees, never for agents."""
        self._need_fight("snapshot()")
        assert self._seed is not None
        return pack_snapshot(self.game, self._batch, 0, self._seed, self._fight)

    def restore(self, snapshot: Mapping[str, Any]) -> tuple[dict[str, Observation], Infos]:
        """Restore a snapshot of the same scenario exactly, and return what reset() would."""
        self._seed, self._fight = unpack_snapshot(self.game, self._batch, 0, snapshot)
        self._board = None
        over = self._batch.terminated[0] or self._batch.truncated[0]
        self.agents = [] if over else self.possible_agents[:]
        return self._show()

    def __getstate__(self) -> dict[str, Any]:
        """Pickle everything except the batch, whose fight is kept as a snapshot."""
        state = {key: value for key, value in self.__dict__.items() if key not in BATCH_FIELDS}
        state["fight_in_play"] = None if self._seed is None else self.snapshot()
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Make a new batch and continue the fight."""
        state = dict(state)
        fight = state.pop("fight_in_play")
        self.__dict__.update(state)
        self._open_batch()
        if fight is not None:
            self.restore(fight)

    def _need_fight(self, what: str) -> None:
        if self._seed is None:
            raise HeartRushError(f"{what} was called before reset().")


# fmt: off
BATCH_FIELDS = frozenset({"_batch", "_board", "_copies", "_mask_rows", "_reward_row", "_illegal_row",
                          "_out_row", "_picks", "_pick_row", "_is_asked"})
# fmt: on


def copied(seen: Observation) -> Observation:
    """Return a copy of an observation and its arrays."""
    arrays = {name: array.copy() for name, array in cast("dict[str, NDArray[Any]]", seen).items()}
    return cast("Observation", arrays)


def _copier(rows: Mapping[str, NDArray[Any]]) -> Callable[[], dict[str, NDArray[Any]]]:
    """Return a function that copies these arrays.

    If the arrays are only a row of features and its mask, the function has no loop: a loop takes about 33 % longer.
    """
    copies = [(name, row.copy) for name, row in rows.items()]
    if list(rows) == ["observation", "action_mask"]:
        (_, copy_features), (_, copy_mask) = copies
        return lambda: {"observation": copy_features(), "action_mask": copy_mask()}
    return lambda: {name: copy() for name, copy in copies}


def open_window() -> Window | None:
    """Open a window for pictures, or return None without the extra `render`."""
    from heartrush_env.tabletop.render import new_window

    try:
        return new_window()
    except HeartRushError:
        return None
