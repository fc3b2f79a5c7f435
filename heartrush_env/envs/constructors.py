"""The functions that make a game's environments, such as `heart_rush_v0.parallel_env`.

The options of a game are the parameters of the function that makes it, and the options of an environment are the
parameters of its class. Only these state the default and the description of an option; the constructors collect them.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Mapping
from importlib import import_module
from os import PathLike
from types import MappingProxyType
from typing import Any, NamedTuple

from pettingzoo import AECEnv

from heartrush_env.envs.aec import AECFights, wrapped
from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.envs.seats import SeatVectorEnv
from heartrush_env.envs.single import SingleAgentEnv
from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.device.device import CPU
from heartrush_env.tabletop.game import Game


class Constructors(NamedTuple):
    """The six functions that make an environment of a game."""

    parallel_env: Callable[..., ParallelFights]
    raw_env: Callable[..., AECFights]
    env: Callable[..., AECEnv[str, Any, Any]]
    make_vec: Callable[..., BatchEnv]
    single_env: Callable[..., SingleAgentEnv]
    vector_env: Callable[..., SeatVectorEnv]


class Kind(NamedTuple):
    """A kind of environment: the function's name and summary, and the classes that it uses."""

    name: str
    summary: str
    classes: tuple[type, ...]  # the function makes the first, which passes options on to the second
    finish: Callable[[Any], Any] = lambda env: env
    fixed: tuple[str, ...] = ()  # options of the classes that the function does not have


KINDS = (
    Kind(
        "parallel_env",
        "Return a PettingZoo ParallelEnv: the agents that are asked choose at the same time.",
        (ParallelFights,),
    ),
    Kind(
        "raw_env",
        "Return a PettingZoo AECEnv without wrappers: the agents that are asked choose in turn, unseen by one another.",
        (ParallelFights,),
        AECFights,
    ),
    Kind(
        "env",
        "Return a PettingZoo AECEnv in PettingZoo's standard wrappers, which check actions and the order of calls.",
        (ParallelFights,),
        lambda fights: wrapped(AECFights(fights)),
    ),
    Kind(
        "make_vec",
        "Return many fights that step at once over arrays (num_envs, num_agents, ...), with same-step autoreset.",
        (BatchEnv,),
    ),
    Kind(
        "single_env",
        "Return a Gymnasium Env, as `gymnasium.make` does: you decide for one seat, and players for the others.\n\n"
        "A step is a window in which the seat has a choice; `max_cycles` counts all windows.",
        (SingleAgentEnv, ParallelFights),
    ),
    Kind(
        "vector_env",
        'Return a Gymnasium VectorEnv, as `gymnasium.make_vec(..., vectorization_mode="vector_entry_point")` does.\n\n'
        "A step is one window in each fight; where a seat has nothing to decide, one action is legal.",
        (SeatVectorEnv, BatchEnv),
        fixed=("seed", "device", "opponents"),
    ),
)
GIVEN = ("game", "name", "reward")  # parameters of the classes that a constructor fills in itself


def make_envs(name: str, make_game: Callable[..., Game], opponent: str = "random") -> Constructors:
    """Make the functions that construct a game's environments.

    Args:
        name: The name of the environments, such as "heart_rush_v0".
        make_game: Makes the game from `scenario`, its one positional parameter, and keyword options, which include
            `reward`. If that is a function, the environment keeps it, and the game is made with its default reward.
        opponent: The id of the agent that plays against the user by default; "random" plays any game.
    """
    return Constructors(*(_constructor(kind, name, make_game, opponent) for kind in KINDS))


def make_table_envs(name: str, module: str, game: str, opponent: str = "random") -> Constructors:
    """Make the functions that construct the environments of a TableGame.

    Args:
        name: The name of the environments, which is that of the module that defines them.
        module: The game's module; only a call of the functions imports it, and with it compiled code.
        game: The name of the game's class.
        opponent: The id of the agent that plays against the user by default; "random" plays any game.
    """

    def new_game(
        scenario: str | PathLike[str] | Mapping[str, Any] = "duel",
        *,
        rules: Mapping[str, Any] = MappingProxyType({}),
        control: str = "fighter",
        shape: str | None = None,
        reward: str = "win",
        max_cycles: int | None = None,
    ) -> Game:
        """Make the game behind an environment.

        Args:
            scenario: The name of a shipped scenario, the path of a TOML file, or a dict with the keys of such a file.
            rules: Settings that override those of the scenario.
            control: "fighter" for one agent per fighter, "team" for one agent per side.
            shape: A larger shape than the scenario needs.
            reward: "win", "hp_margin", "hp_change", or a function from the events of a step to each agent's reward.
            max_cycles: The number of steps after which a fight is truncated; None for never.
        """
        made: Game = getattr(import_module(module), game)(scenario, rules, control, shape, reward, max_cycles)
        return made

    new_game.__module__ = f"heartrush_env.{name}"
    return make_envs(name, new_game, opponent)


def _constructor(kind: Kind, name: str, make_game: Callable[..., Game], opponent: str) -> Callable[..., Any]:
    """Return the function that makes one kind of environment; it takes the options of game and environment."""
    of_game = dict(inspect.signature(make_game).parameters)
    of_env = {
        key: parameter
        for one in reversed(kind.classes)
        for key, parameter in inspect.signature(one).parameters.items()
        if key not in (*GIVEN, *kind.fixed) and parameter.kind is not inspect.Parameter.VAR_KEYWORD
    }
    if "opponent" in of_env:
        of_env["opponent"] = of_env["opponent"].replace(default=opponent)
    parameters = sorted([*of_env.values(), *of_game.values()], key=lambda parameter: parameter.kind)
    signature = inspect.Signature(parameters)

    def construct(*args: Any, **kwargs: Any) -> Any:
        try:
            bound = signature.bind(*args, **kwargs)
        except TypeError as error:
            raise TypeError(f"{kind.name}() {error}") from None
        bound.apply_defaults()
        given = bound.arguments
        reward = given.pop("reward") if callable(given["reward"]) else None
        game = make_game(**{key: given.pop(key) for key in of_game if key in given})
        made = kind.classes[0] if given.get("device", CPU) == CPU else _on_device()
        return kind.finish(made(game=game, name=name, reward=reward, **given))

    construct.__name__ = construct.__qualname__ = kind.name  # importable under this name, so that it can be pickled
    construct.__module__ = make_game.__module__
    construct.__signature__ = signature  # type: ignore[attr-defined]
    sources = *(one.__init__ for one in reversed(kind.classes)), inspect.unwrap(make_game)  # type: ignore[misc]
    described = {key: text for source in sources for key, text in _arguments(source).items()}
    arguments = "\n".join(described.get(parameter.name, "") for parameter in parameters)
    construct.__doc__ = f"{kind.summary}\n\nArgs:\n{arguments}"
    return construct


def _on_device() -> Callable[..., BatchEnv]:
    """Return the class of batches on a device, whose modules environments on the processor do not import."""
    from heartrush_env.envs.device import DeviceBatchEnv

    return DeviceBatchEnv


def _arguments(function: Any) -> dict[str, str]:
    """Return the lines of a function's docstring that describe each argument, by the argument's name."""
    section = (inspect.getdoc(function) or "").partition("\nArgs:\n")[2].partition("\n\n")[0]
    found = re.finditer(r"^ {4}(\w+): .*(?:\n {8}.*)*", section, re.MULTILINE)
    return {entry[1]: entry[0] for entry in found}
