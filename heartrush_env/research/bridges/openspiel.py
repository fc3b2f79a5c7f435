"""Duels as games of OpenSpiel, so that its algorithms run on them.

Importing this module registers two games: `python_heartrush`, in which both fighters choose at once, and
`python_heartrush_sequential`, in which the second fighter chooses after the first without seeing its choice. Both are
the same duel, without a map, under rules that the solver supports, cut off at a round cap. Dice are chance nodes with
exact probabilities for each amount of damage; all hits that surely defeat a fighter form one outcome.

Both take these parameters, in OpenSpiel's syntax (text may be percent-encoded; commas and brackets must be):

- `scenario`: a shipped name, the path of a TOML file, or a scenario in JSON;
- `rules`: settings in JSON, by default `{"profile": "plain"}`;
- `decisions`: "full", or "stance", in which the default policy attacks and shrugs off;
- `max_rounds`: the round cap, at which the scenario decides the winner; 0 for the scenario's own.

Information states have perfect recall: they hold everything revealed and rolled so far. Observations hold only the
current position. Needs open_spiel: pip install 'heartrush-env[openspiel]'.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from os import PathLike
from typing import Any, Final
from urllib.parse import quote, unquote

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.games.heart_rush.tables import scenario_table
from heartrush_env.research.best_response import Plays
from heartrush_env.research.bridges.moments import NOBODY, Action, Moment, Tree, exchange, read_plain
from heartrush_env.research.plain.policy import Policy
from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.errors import HeartRushError

try:
    import pyspiel
    from open_spiel.python.policy import Policy as OpenSpielPolicy
except ImportError:
    raise HeartRushError(
        "The bridge to OpenSpiel needs open_spiel, which is not installed: pip install 'heartrush-env[openspiel]'."
    ) from None

SIMULTANEOUS, SEQUENTIAL = "python_heartrush", "python_heartrush_sequential"
DEFAULTS: Final[dict[str, Any]] = {
    "scenario": "duel",
    "rules": quote('{"profile": "plain"}'),
    "decisions": "full",
    "max_rounds": 0,
}
MOST_ROUNDS = 10_000
WINDOWS: Final = ("stances", "attacks", "shrug")
ROUND_WIDTH = 2 * len(STANCES) + 2 + 2 + 1  # stances, attacks, damage to each, whether it was shrugged off


def load_game(
    game: HeartRush | Scenario | str | PathLike[str] | Mapping[str, Any] = "duel",
    max_rounds: int = 0,
    *,
    sequential: bool = False,
) -> Any:
    """Load a duel as a pyspiel.Game.

    Args:
        game: A game with its rules and decisions, or a scenario in any form, played under the profile "plain".
        max_rounds: The round cap; 0 for the scenario's own cap, whose tree is too large for any algorithm.
        sequential: Whether the fighters choose one after the other, for algorithms that need it.

    Raises:
        HeartRushError: The game is not a duel that the solver supports.
    """
    loaded = game if isinstance(game, HeartRush) else HeartRush(game, {"profile": "plain"})
    if not 0 <= max_rounds <= MOST_ROUNDS:
        raise SolverError(f"max_rounds: expected 0 to {MOST_ROUNDS}, got {max_rounds}.")
    read_plain(_capped(loaded, max_rounds))  # raises errors here, before they would pass through C++
    scenario = quote(json.dumps(scenario_table(loaded.scenario)))
    params = {"scenario": scenario, "rules": quote("{}"), "decisions": loaded.decisions, "max_rounds": max_rounds}
    return pyspiel.load_game(SEQUENTIAL if sequential else SIMULTANEOUS, params)


def _capped(game: HeartRush, max_rounds: int) -> HeartRush:
    """Return the game with the round cap `max_rounds`, or with its own cap if that is 0."""
    capped = replace(game.scenario, max_rounds=max_rounds or game.scenario.max_rounds)
    return HeartRush(capped, decisions=game.decisions, memory=0)


def game_type(name: str, sequential: bool) -> Any:
    """Return OpenSpiel's description of a game type, needed before the game is created."""
    kinds = pyspiel.GameType
    return kinds(
        short_name=name,
        long_name="Heart Rush duel" + ", one choice at a time" * sequential,
        dynamics=kinds.Dynamics.SEQUENTIAL if sequential else kinds.Dynamics.SIMULTANEOUS,
        chance_mode=kinds.ChanceMode.EXPLICIT_STOCHASTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if sequential else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=True,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=dict(DEFAULTS),
    )


class DuelGame(pyspiel.Game):  # type: ignore[misc]  # pyspiel has no type information
    """A duel in which both fighters choose simultaneously."""

    type = game_type(SIMULTANEOUS, sequential=False)
    longest_round = 3  # windows with a choice

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        """Load the duel that the parameters describe."""
        given = DEFAULTS | dict(params or {})
        scenario, rules = unquote(given["scenario"]), json.loads(unquote(given["rules"]))
        named = HeartRush(json.loads(scenario) if scenario.startswith("{") else scenario, rules, given["decisions"])
        self.heart_rush = _capped(named, given["max_rounds"])
        self.tree = Tree(read_plain(self.heart_rush))
        info = pyspiel.GameInfo(
            num_distinct_actions=len(Action),
            max_chance_outcomes=1 + 2 * self.tree.widest,
            num_players=2,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.tree.duel.max_rounds * self.longest_round,
        )
        super().__init__(self.type, info, given)

    def new_initial_state(self) -> DuelState:
        """Return the start of the duel."""
        return DuelState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> DuelObserver:
        """Return an observer that writes observations and information states."""
        return DuelObserver(self.tree, iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False), params)


class SequentialDuelGame(DuelGame):
    """A duel in which the second fighter chooses after the first without seeing its choice."""

    type = game_type(SEQUENTIAL, sequential=True)
    longest_round = 5


class DuelState(pyspiel.State):  # type: ignore[misc]  # pyspiel has no type information
    """A moment of a duel and the choices made in it so far, with OpenSpiel's interface."""

    def __init__(self, game: DuelGame) -> None:
        """Start at the beginning of the duel."""
        super().__init__(game)
        self.moment = game.tree.start
        self.chosen: tuple[int, ...] = ()

    @property
    def tree(self) -> Tree:
        """The game's tree."""
        tree: Tree = self.get_game().tree
        return tree

    def chosen_by(self, seat: int) -> int | None:
        """Return a fighter's choice that is not revealed yet, or None."""
        own = dict(zip(self.tree.deciders(self.moment), self.chosen, strict=False)) if self.chosen else {}
        return own.get(seat)

    def current_player(self) -> Any:
        """Return the player whose turn it is, or OpenSpiel's marker for chance, simultaneous or terminal nodes."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        deciders = self.tree.deciders(self.moment)
        if not deciders:
            return pyspiel.PlayerId.CHANCE
        together = len(deciders) > 1 and not isinstance(self.get_game(), SequentialDuelGame)
        return pyspiel.PlayerId.SIMULTANEOUS if together else deciders[len(self.chosen)]

    def is_terminal(self) -> bool:
        """Return whether the duel is over."""
        return self.tree.value(self.moment) is not None

    def returns(self) -> list[float]:
        """Return the payoffs of both players: 1 for a win, -1 for a loss, 0 before the end."""
        value = self.tree.value(self.moment) or 0.0
        return [value, 0.0 - value]

    def _legal_actions(self, player: int) -> list[int]:
        legal = player in self.tree.deciders(self.moment)
        return [int(action) for action in self.tree.choices(self.moment)] if legal else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the outcomes of a roll, as numbers, with their probabilities."""
        return self.tree.outcomes(self.moment)

    def _apply_action(self, action: int) -> None:
        if self.is_chance_node():
            self.moment = self.tree.roll(self.moment, action)
            return
        self.chosen = (*self.chosen, action)
        if len(self.chosen) == len(self.tree.deciders(self.moment)):
            self._apply_actions(self.chosen)

    def _apply_actions(self, actions: Any) -> None:
        self.moment, self.chosen = self.tree.choose(self.moment, tuple(actions)), ()

    def _action_to_string(self, player: Any, action: int) -> str:
        if player != pyspiel.PlayerId.CHANCE:
            return Action(action).name.lower()
        if action == NOBODY:
            return "no fighter is hurt"
        hurt, damage = self.tree.hit(action)
        return f"{damage} damage to {hurt}"

    def __str__(self) -> str:
        """Return the position in words; as algorithms on states expect, the words do not depend on the history."""
        chosen = "".join(f" {Action(action).name.lower()}" for action in self.chosen)
        return f"{describe(self.tree, self.moment)}{chosen}"


class DuelObserver:
    """A fighter's observations as tensors and as text, with the interface of open_spiel.python.observation."""

    def __init__(self, tree: Tree, kind: Any, params: Any) -> None:
        """Allocate the tensor of one observation."""
        if params:
            raise ValueError(f"Observation parameters: expected none, got {params}.")
        self._tree, self._kind = tree, kind
        hearts = max(len(ladder) for ladder in tree.duel.hearts)
        pieces: dict[str, tuple[int, ...]] = {"player": (2,)}
        if kind.public_info and kind.perfect_recall:
            pieces |= {"window": (len(WINDOWS),), "rounds": (tree.duel.max_rounds, ROUND_WIDTH)}
        elif kind.public_info:
            pieces |= {
                "window": (len(WINDOWS),),
                "hp": (2,),
                "hearts": (2, hearts),
                "left": (1,),
                "now": (ROUND_WIDTH,),
            }
        if kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER:
            pieces["chosen"] = (len(Action),)
        sizes = [int(np.prod(shape)) for shape in pieces.values()]
        self.tensor = np.zeros(sum(sizes), np.float32)
        parts = np.split(self.tensor, np.cumsum(sizes)[:-1])
        self.dict = {name: part.reshape(shape) for (name, shape), part in zip(pieces.items(), parts, strict=True)}

    def set_from(self, state: DuelState, player: int) -> None:
        """Write a player's observation of a state into the tensor."""
        self.tensor.fill(0)
        moment, shown = state.moment, self.dict
        shown["player"][player] = 1
        if "window" in shown and self._tree.value(moment) is None:
            shown["window"][window(moment)] = 1
        if "rounds" in shown:
            for row, played in zip(shown["rounds"], (*moment.past, moment.now), strict=False):
                self._write(row, played)
        if "now" in shown:
            self._write(shown["now"], moment.now)
            shown["left"][0] = moment.left / self._tree.duel.max_rounds
            for seat in (0, 1):
                shown["hp"][seat] = moment.hp[seat] / self._tree.duel.hp[seat]
                shown["hearts"][seat, moment.hearts[seat]] = 1
        chosen = state.chosen_by(player)
        if "chosen" in shown and chosen is not None:
            shown["chosen"][chosen] = 1

    def _write(self, row: Any, played: Any) -> None:
        """Write a round into its row of the tensor."""
        n = len(STANCES)
        if played.stances is not None:
            row[played.stances[0]] = row[n + played.stances[1]] = 1
        if played.attacks is not None:
            row[2 * n : 2 * n + 2] = played.attacks
        if played.hurt is not None:
            row[2 * n + 2 + played.hurt] = played.damage / self._tree.widest
            row[-1] = played.shrugged

    def string_from(self, state: DuelState, player: int) -> str:
        """Return a player's observation of a state as text."""
        words = [str(player)]
        if self._kind.public_info and self._kind.perfect_recall:
            words.append("; ".join(str(played) for played in (*state.moment.past, state.moment.now)))
        elif self._kind.public_info:
            words.append(describe(self._tree, state.moment))
        chosen = state.chosen_by(player)
        if self._kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER and chosen is not None:
            words.append(f"chose {Action(chosen).name.lower()}")
        return " | ".join(words)


def window(moment: Moment) -> int:
    """Return the index of a moment's window in WINDOWS."""
    return 2 if moment.now.hurt is not None else int(moment.now.stances is not None)


def describe(tree: Tree, moment: Moment) -> str:
    """Describe the position of a duel in words, without the rounds before the current one."""
    hp = [moment.hp[seat] - tree.duel.below[seat] for seat in (0, 1)]
    sides = [f"{hp[seat]} hp d{tree.duel.hearts[seat][moment.hearts[seat]]}" for seat in (0, 1)]
    return f"{sides[0]}, {sides[1]}, {moment.left} left, {moment.now}"


class DuelPolicy(OpenSpielPolicy):  # type: ignore[misc]  # open_spiel has no type information
    """A joint policy of both seats, made from the solver's tables, for OpenSpiel to play or to evaluate.

    Args:
        game: The game from `load_game`.
        plays: A policy for each seat of this duel, from `solved_policies` or `read_policies`.
    """

    def __init__(self, game: Any, plays: tuple[Plays, Plays]) -> None:
        """Store the policies of both seats."""
        super().__init__(game, [0, 1])
        self._plays = plays
        self._tables: dict[tuple[int, int], Policy] = {}

    def action_probabilities(self, state: DuelState, player_id: int | None = None) -> dict[int, float]:
        """Return the probability of each legal action of a player, by default the player to move."""
        seat = state.current_player() if player_id is None else player_id
        moment, now = state.moment, state.moment.now
        order = slice(None, None, 1 if seat == 0 else -1)
        place, table = moment.hp[order] + moment.hearts[order], self._table(seat, moment.left)
        if now.stances is None:
            return {action: float(table.stances[place][action]) for action in range(len(STANCES))}
        if now.attacks is None:
            often = float(table.attacks[place][now.stances[order]])
            return {int(Action.PASS): 1.0 - often, int(Action.ATTACK): often}
        hits = table.shrugs[place]
        often = float(hits[exchange(now, seat) if len(hits) > 1 else 0, now.damage])
        return {int(Action.TAKE): 1.0 - often, int(Action.SHRUG): often}

    def _table(self, seat: int, left: int) -> Policy:
        """Return a seat's policy tables with this number of rounds left, created on first use."""
        if (seat, left) not in self._tables:
            plays = self._plays[seat]
            self._tables[seat, left] = plays if isinstance(plays, Policy) else plays(left)
        return self._tables[seat, left]


for _game in (DuelGame, SequentialDuelGame):
    pyspiel.register_game(_game.type, _game)
