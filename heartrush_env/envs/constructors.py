"""The functions that make the environments of one game, built from the one function that makes the game.

Each of these functions takes the game's own options and the options of its kind of environment. This
module does not define what an environment does.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, Literal, NamedTuple

from pettingzoo import AECEnv

from heartrush_env.envs.aec import AECFights, wrapped
from heartrush_env.envs.arguments import Illegal
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.envs.rewards import RewardFunction
from heartrush_env.envs.seats import SeatVectorEnv
from heartrush_env.envs.single import Opponent, SingleAgentEnv
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.game import Game

Observations = Literal["vector", "entities"]
Own = RewardFunction | None  # the user's reward function, or None for the game's rewards
KEYWORD = inspect.Parameter.KEYWORD_ONLY


class Constructors(NamedTuple):
    """The six functions that make an environment of a game."""

    parallel_env: Callable[..., ParallelFights]
    raw_env: Callable[..., AECFights]
    env: Callable[..., AECEnv[str, Any, Any]]
    make_vec: Callable[..., BatchEnv]
    single_env: Callable[..., SingleAgentEnv]
    vector_env: Callable[..., SeatVectorEnv]


def make_envs(name: str, make_game: Callable[..., Game]) -> Constructors:
    """Make the functions that construct a game's environments.

    Args:
        name: The name of the environments, such as "heart_rush_v0".
        make_game: Makes the game from `scenario`, its one positional parameter, and keyword options, which include
            `reward`. A reward function stays with the environment; the game is then made without a reward.
    """
    return Constructors(
        *(_door(build, name, make_game) for build in (parallel_env, raw_env, env, make_vec, single_env, vector_env))
    )


def parallel_env(
    game: Game,
    name: str,
    own: Own,
    *,
    render_mode: str | None = None,
    illegal: Illegal = "fallback",
    observations: Observations = "vector",
    flatten: bool = False,
) -> ParallelFights:
    """Return a PettingZoo ParallelEnv: all agents choose at the same time.

    With `flatten=True`, observations are the features alone, as wrappers such as SuperSuit's expect, and the mask is in
    the infos.
    """
    return ParallelFights(
        game,
        render_mode=render_mode,
        illegal=illegal,
        name=name,
        reward=own,
        observations=observations,
        flatten=flatten,
    )


def raw_env(
    game: Game,
    name: str,
    own: Own,
    *,
    render_mode: str | None = None,
    illegal: Illegal = "fallback",
    observations: Observations = "vector",
    flatten: bool = False,
) -> AECFights:
    """Return a PettingZoo AECEnv without wrappers: agents choose in turn, and nothing shows before all have chosen."""
    return AECFights(
        parallel_env(
            game, name, own, render_mode=render_mode, illegal=illegal, observations=observations, flatten=flatten
        )
    )


def env(
    game: Game,
    name: str,
    own: Own,
    *,
    render_mode: str | None = None,
    illegal: Illegal = "fallback",
    observations: Observations = "vector",
    flatten: bool = False,
) -> AECEnv[str, Any, Any]:
    """Return a PettingZoo AECEnv in PettingZoo's standard wrappers, which check actions and the order of calls."""
    return wrapped(
        raw_env(game, name, own, render_mode=render_mode, illegal=illegal, observations=observations, flatten=flatten)
    )


def make_vec(
    num_envs: int,
    game: Game,
    name: str,
    own: Own,
    *,
    seed: int | None = None,
    num_threads: int = 1,
    illegal: Illegal = "fallback",
    observations: Observations = "vector",
) -> BatchEnv:
    """Return many fights that step at once over arrays (num_envs, num_agents, ...), with same-step autoreset.

    Slot s plays the fights s, s + num_envs, s + 2 num_envs, ... of the seed.
    """
    return BatchEnv(
        game,
        num_envs,
        seed=seed,
        num_threads=num_threads,
        illegal=illegal,
        name=name,
        reward=own,
        observations=observations,
    )


def single_env(
    game: Game,
    name: str,
    own: Own,
    *,
    seat: str | None = None,
    opponent: Opponent = "uniform",
    allies: Opponent | None = None,
    flatten: bool = False,
    render_mode: str | None = None,
    illegal: Illegal = "fallback",
    observations: Observations = "vector",
) -> SingleAgentEnv:
    """Return a Gymnasium Env: you decide for one seat, `opponent` and `allies` decide for the others.

    `gymnasium.make` calls this function. A step is a window in which the seat has a choice; `max_cycles` counts all
    windows. With `flatten=True`, observations are the features alone, and `action_masks()` returns the mask.
    """
    return SingleAgentEnv(
        game,
        seat=seat,
        opponent=opponent,
        allies=allies,
        flatten=flatten,
        illegal=illegal,
        render_mode=render_mode,
        name=name,
        reward=own,
        observations=observations,
    )


def vector_env(
    num_envs: int,
    game: Game,
    name: str,
    own: Own,
    *,
    seat: str | None = None,
    opponent: Opponent = "uniform",
    allies: Opponent | None = None,
    flatten: bool = False,
    num_threads: int = 1,
    illegal: Illegal = "fallback",
    observations: Observations = "vector",
) -> SeatVectorEnv:
    """Return a Gymnasium VectorEnv: one seat in each of many fights, against `opponent` and together with `allies`.

    `gymnasium.make_vec(..., vectorization_mode="vector_entry_point")` calls this function. A step is one window in each
    fight; where the seat has nothing to decide, one action is legal.
    """
    fights = make_vec(num_envs, game, name, own, num_threads=num_threads, illegal=illegal, observations=observations)
    return SeatVectorEnv(fights, seat=seat, opponent=opponent, allies=allies, flatten=flatten)


def _door(build: Callable[..., Any], name: str, make_game: Callable[..., Game]) -> Callable[..., Any]:
    """Return a door with the user's signature: the builder's leading parameters, the scenario, all options."""
    of_game = inspect.signature(make_game).parameters
    of_door = {key: value for key, value in inspect.signature(build).parameters.items() if key not in _GIVEN}
    leading = [parameter for parameter in of_door.values() if parameter.kind is not KEYWORD]
    options = [parameter for parameter in (*of_door.values(), *of_game.values()) if parameter.kind is KEYWORD]
    scenario = [parameter for parameter in of_game.values() if parameter.kind is not KEYWORD]
    signature = inspect.Signature(
        [*leading, *scenario, *options], return_annotation=inspect.signature(build).return_annotation
    )

    def door(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs).arguments
        except TypeError as error:
            raise TypeError(f"{build.__name__}() {error}") from None
        own = _own(bound.get("reward"))
        chosen = {key: value for key, value in bound.items() if key in of_game and not (own and key == "reward")}
        return build(
            game=make_game(**chosen),
            name=name,
            own=own,
            **{key: value for key, value in bound.items() if key in of_door},
        )

    door.__name__ = door.__qualname__ = build.__name__  # importable under its own name, so that it can be pickled
    door.__module__ = make_game.__module__
    door.__doc__ = build.__doc__
    door.__signature__ = signature  # type: ignore[attr-defined]
    return door


def _own(reward: Any) -> Own:
    """Return the reward if it is a function, or None for the game's rewards."""
    return reward if callable(reward) else None


_GIVEN = ("game", "name", "own")
