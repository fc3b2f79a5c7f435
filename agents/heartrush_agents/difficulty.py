"""Weaker enemies: any agent with mistakes and a temperature, and the measured levels of some agents.

    load("duelist", mistakes=0.2)   load("duelist@easy")   load("duelist", level="easy")

Temperature raises the probabilities of a policy to the power of 1/temperature: 1 leaves them unchanged, higher values
flatten them, 0 keeps only the likeliest action. A mistake is a uniformly random choice among the legal stances,
attacks, maneuvers, opportunity attacks and answers to a hit, as a beginner might make. A mistake never passes or gives
anything up, and the player still decides how its fighters move on a map. A player may limit its mistakes to some kinds
of choices, its `blunders`. A weakened player sees nothing beyond its seat's view. Its policy is the mixture that it
really plays, so code that asks for its policy gets the weakened one.

A level is a rate of mistakes and a temperature, and may set arguments of the agent, such as how closely it reads its
enemy. `heartrush agent calibrate` finds levels by measurement and writes them, with the measured win rates, to a
learned agent's card, or to levels.json for the other agents of the package.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any, Final, cast

import numpy as np

from heartrush_agents.base import Agent, Difficulty, Flags, Level, Player, Probabilities
from heartrush_env.tabletop.game import ByteArray, FloatArray, Game, Observation, blunders, policies_of, policy_of
from heartrush_env.tabletop.text import escaped, show

EASY, NORMAL, HARD = LEVELS = ("easy", "normal", "hard")
TEN_LEVELS: Final = tuple(str(number) for number in range(1, 11))  # 1 is the easiest, 10 full strength
IN_WORDS: Final = {EASY: "3", NORMAL: "6", HARD: "10"}  # which of the ten levels each word means


class WeakenedPlayer(Player):
    """A player with mistakes and a temperature. It has no `value`, which would hold only at full strength."""

    def __init__(self, player: Player, difficulty: Difficulty) -> None:
        """Weaken `player`, which decides at full strength."""
        super().__init__(player.game)
        self.player, self.difficulty, self.memory = player, difficulty, player.memory
        self.mistaken = mistaken_actions(player.game, getattr(player, "blunders", None))
        if hasattr(player, "period"):
            self.period = player.period  # present if the player decides by the round number

    def new_match(self) -> None:
        """Forget everything."""
        self.player.new_match()

    def new_fight(self) -> None:
        """Prepare for a new fight."""
        self.player.new_fight()

    def observe(self, events: Any) -> None:
        """Receive the public events."""
        self.player.observe(events)

    def policy(self, observation: Observation) -> Probabilities:
        """Return the exact mixture of the player's policy and mistakes."""
        full, mask = policy_of(self.player, observation), observation["action_mask"]
        one: Probabilities = self.difficulty.applied(full[None], mask[None], self.mistaken)[0]
        return one


class WeakenedForMany(WeakenedPlayer):
    """A weakened player that decides for many seats at once."""

    def policies(self, features: FloatArray, masks: ByteArray) -> Probabilities:
        """Return the probabilities (n, actions) for features (n, features) and masks (n, actions)."""
        return self.difficulty.applied(policies_of(self.player, features, masks), masks, self.mistaken)


class WeakenedTogether(WeakenedPlayer):
    """A weakened player that decides together with other players of its agent."""

    def together(self, players: Sequence[WeakenedPlayer], features: FloatArray, masks: ByteArray) -> Probabilities:
        """Return the probabilities (n, actions), one row for each of `players`, given its row of features."""
        policies = cast("Any", self.player).together([each.player for each in players], features, masks)
        return self.difficulty.applied(policies, masks, self.mistaken)


@dataclass(frozen=True)
class Weakened:
    """A factory of a weakened agent's players."""

    agent: Agent
    difficulty: Difficulty

    def __call__(self, game: Game) -> Player:
        """Make a player for one seat of the game."""
        player = self.agent.seat(game)
        for way, kind in (("policies", WeakenedForMany), ("together", WeakenedTogether)):
            if hasattr(player, way):
                return kind(player, self.difficulty)
        return WeakenedPlayer(player, self.difficulty)


def mistaken_actions(game: Game, words: frozenset[str] | None = None) -> Flags:
    """Return a mask of the actions that can be mistakes, (actions,).

    Args:
        game: A game; if it does not state which of its actions can be mistakes, all can.
        words: First words of the names of such actions, used instead of those that the game states.
    """
    own = blunders(game)
    return _mistaken(game.action_names, own if own is None or words is None else words)


@lru_cache(maxsize=16)
def _mistaken(names: tuple[str, ...], words: frozenset[str] | None) -> Flags:
    return np.array([words is None or name.split()[0] in words for name in names], np.bool_)


def weakened(agent: Agent, difficulty: Difficulty, id: str | None = None) -> Agent:
    """Return the agent at this difficulty, by default with an id such as "duelist@mistakes=0.2"."""
    name = f"{agent.id}@{difficulty.words}" if id is None else id
    return Agent(
        name,
        f"{agent.description} {_in_words(difficulty)}",
        Weakened(agent, difficulty) if difficulty.words else agent.seat,
        games=agent.games,
        why_unsupported=agent.why_unsupported,
    )


def _in_words(difficulty: Difficulty) -> str:
    parts = []
    if difficulty.mistakes:
        parts.append(f"{100 * difficulty.mistakes:.4g} % of its decisions are mistakes")
    if difficulty.temperature != 1:
        parts.append(f"its probabilities are taken at temperature {difficulty.temperature:g}")
    words = " and ".join(parts) or "at full strength"
    return f"{words[:1].upper()}{words[1:]}."


# -- measurements ------------------------------------------------------------------------------------------------------


def measured_file(room: str = "") -> Path:
    """Return the path of a levels.json: the levels of agents without a card, and the strengths of all agents.

    Args:
        room: The folder of the agents of a game, if it has a file of its own.
    """
    return Path(str(files("heartrush_agents") / room / "levels.json"))


@cache
def measured(room: str = "") -> dict[str, Any]:
    """Return the measured levels and strengths; empty if nothing has been measured."""
    path = measured_file(room)
    return dict(json.loads(path.read_text(encoding="utf-8"))) if path.is_file() else {}


def shipped_levels(id: str, room: str = "") -> dict[str, Level]:
    """Return the levels of an agent of the package that has no card."""
    return read_levels(measured(room).get("agents", {}).get(id))


def read_levels(found: Any) -> dict[str, Level]:
    """Read levels by name from a card or levels.json; raise ValueError if they are malformed."""
    if found is None:
        return {}
    if not isinstance(found, dict) or not isinstance(found.get("levels"), dict):
        raise ValueError("levels is not a table of levels")
    return {name: _read_level(name, level) for name, level in found["levels"].items()}


def _read_level(name: str, level: Any) -> Level:
    if not isinstance(level, dict) or name not in (*LEVELS, *TEN_LEVELS):
        raise ValueError(f"levels: expected tables named {', '.join(LEVELS)}, or 1 to 10, got {show(name)}")
    against, arguments = level.get("against", {}), level.get("arguments", {})
    if not isinstance(arguments, dict) or not all(map(_is_number, arguments.values())):
        raise ValueError(f"levels.{name}.arguments is not a table of numbers")
    sound = isinstance(against, dict) and all(
        isinstance(each, list) and len(each) == 3 and all(map(_is_number, each)) for each in against.values()
    )
    if not sound:
        raise ValueError(f"levels.{name}.against is not a table of shares with their intervals")
    difficulty = Difficulty(level.get("mistakes", 0.0), level.get("temperature", 1.0))
    scores = {escaped(id): (each[0], each[1], each[2]) for id, each in against.items()}
    return Level(difficulty, arguments, scores)


def _is_number(found: Any) -> bool:
    return isinstance(found, int | float) and not isinstance(found, bool)
