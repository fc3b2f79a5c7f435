"""Indices into a game's action and feature tables, and its stance rule; computed once per game."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.heart_rush.tactics.pairs import HINDRANCE
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.games.heart_rush.rules.stances import table_of_beats
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE, NO_STANCE, STANCES
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.tabletop.game import Game, Observation

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush
    from heartrush_env.games.heart_rush.scenario.sheets import Scenario


HEART_RUSH: Final = ("heart_rush",)  # the `games` of agents that play only Heart Rush
PATIENCE: Final = 20  # rounds until a fighter's own losses count for nothing, so that fights end
Features = NDArray[np.floating[Any]]
Places = NDArray[np.intp]
Flags = NDArray[np.bool_]
Shares = NDArray[np.float64]  # (..., stances and none)
EVENLY: Final[Shares] = (np.arange(NO_STANCE + 1) < ATTACKING_STANCES) / ATTACKING_STANCES


def numbers(table: Mapping[str, int], pattern: str, *words: Iterable[object]) -> Places:
    """Return the indices of the names that a pattern makes of words; the array has an axis for each list of words."""
    lists = [list(each) for each in words]
    found = [table[pattern.format(*names)] for names in product(*lists)]
    return np.array(found, np.intp).reshape([len(each) for each in lists])


class Layout:
    """Indices into a game's action and feature tables; computed once per game."""

    def __init__(self, action_names: tuple[str, ...], feature_names: tuple[str, ...]) -> None:
        self.action = action = {name: number for number, name in enumerate(action_names)}
        self.feature = feature = {name: number for number, name in enumerate(feature_names)}
        enemies = sum(name.startswith("attack ") and name.count(" ") == 1 for name in action)
        self.places = places = range(1, enemies + 1)
        self.passes, self.shrug, self.take = action["pass"], action["shrug"], action["take"]
        self.stances = numbers(action, "stance {}", STANCES)
        self.attacks = numbers(action, "attack {}", places)
        self.hindering = numbers(action, "attack {0} {1}+{1}", places, HINDRANCE.values())
        # If sides take turns: actions to engage and to enter, and features for engaged enemies and unspent actions.
        self.enters = [action["enter"]] if "enter" in action else []
        self.engages = numbers(action, "engage {}", places if self.enters else ())
        self.enemy_joined = numbers(feature, "enemy {} joined", places if self.enters else ())
        self.actions_left: Places = np.array(
            [number for name, number in feature.items() if name.endswith(" action") and name != "window action"]
        )
        self.round, self.hp, self.hit = (Columns(feature_names, name) for name in ("round", "self hp", "self hit"))
        self.dice = numbers(feature, "self {}", HINDRANCE)
        self.own_last = numbers(feature, "self reveal 1 {}", STANCES)
        self.enemy_hp = numbers(feature, "enemy {} hp", places)
        self.enemy_dice = numbers(feature, "enemy {} {}", places, HINDRANCE)
        self.enemy_standing = numbers(feature, "enemy {} standing", places)
        reveals = range(1, 1 + sum(name.startswith("self reveal ") for name in feature) // len(STANCES))
        self.own_reveals = numbers(feature, "self reveal {} {}", reveals, STANCES)  # the latest first
        self.enemy_reveals = numbers(feature, "enemy {} reveal {} {}", places, reveals, STANCES)

    def default(self, observation: Observation) -> int:
        """Return the default action of the window."""
        return int(self.defaults(observation["observation"][None], observation["action_mask"][None])[0])

    def without_engaging(self, masks: NDArray[np.int8]) -> NDArray[np.int8]:
        """Return a copy of the masks, (..., actions), without the actions that begin or enter an engagement."""
        peaceful = masks.copy()
        peaceful[..., [*self.engages, *self.enters]] = 0
        return peaceful

    def defaults(self, features: Features, masks: NDArray[np.int8]) -> Places:
        """Return the default actions for many observations, (n, features) and (n, actions) to (n,)."""
        rows = np.arange(len(masks))
        chosen: Places = masks.argmax(axis=1)
        for choice in (int(self.stances[DEFENSIVE]), self.take, self.passes, *self.enters):
            np.copyto(chosen, choice, where=masks[:, choice] != 0)
        if len(self.engages):
            legal = masks[:, self.engages] != 0
            target = np.where(legal, features[:, self.enemy_hp], np.inf).argmin(axis=1)
            chosen = np.where(legal.any(axis=1), self.engages[target], chosen)
        reachable = masks[:, self.attacks] != 0
        if reachable.any():
            target = np.where(reachable, features[:, self.enemy_hp], np.inf).argmin(axis=1)
            hindering = self.hindering[target, features[rows[:, None], self.enemy_dice[target]].argmax(axis=1)]
            attack = np.where(masks[rows, hindering], hindering, self.attacks[target])
            chosen = np.where(reachable.any(axis=1), attack, chosen)
        if masks[:, self.shrug].any():
            damage, hp = self.hit.of(features), self.hp.of(features)
            shrugs = np.where((damage >= SHRUG_FROM) | (damage >= hp), self.shrug, self.take)
            chosen = np.where(masks[:, self.shrug], shrugs, chosen)
        return chosen

    def expects(self, features: Features) -> Shares:
        """Return the stances that enemies are expected to take, (n, enemies, stances and none): attacks, evenly."""
        return np.broadcast_to(EVENLY, (len(features), len(self.places), len(EVENLY)))

    def patience(self, features: Features) -> Any:
        """Return how much a fighter's own losses still count, (...,): from 1 down to 0 after PATIENCE rounds."""
        return np.maximum(0.0, 1 - self.round.of(features) / PATIENCE)

    def faced(self, features: Features) -> NDArray[np.bool_]:
        """Return which enemies are faced, (..., enemies): standing ones in the engagement, or if none, all standing."""
        standing: NDArray[np.bool_] = features[..., self.enemy_standing] > 0
        joined = standing & (features[..., self.enemy_joined] > 0) if self.enters else standing
        return np.where(joined.any(axis=-1, keepdims=True), joined, standing)

    def weakest(self, features: Features) -> Places:
        """Return the index, from 0, of the faced enemy with the fewest hit points, for many observations."""
        places: Places = np.where(self.faced(features), features[..., self.enemy_hp], np.inf).argmin(axis=-1)
        return places

    def weakest_enemy(self, features: Features) -> int:
        """Return the index of the faced enemy with the fewest hit points, which the default policy attacks."""
        return int(self.weakest(features))


@lru_cache(maxsize=16)
def layout(action_names: tuple[str, ...], feature_names: tuple[str, ...]) -> Layout:
    """Return the layout of a game's tables, cached for all games with these tables."""
    return Layout(action_names, feature_names)


def likely(shown: Shares) -> Shares:
    """Return the probabilities of stances that were shown this often, with one added for each attacking stance."""
    counts = shown + (EVENLY > 0)
    shares: Shares = counts / counts.sum(axis=-1, keepdims=True)
    return shares


def scenario_of(game: Game) -> Scenario:
    """Return the scenario of a Heart Rush game."""
    return cast("HeartRush", game).scenario


def edge(settings: Settings) -> NDArray[np.int64]:
    """Return 1 where an attacking stance beats a stance, -1 where it loses, else 0, (attacking stances, stances)."""
    table = table_of_beats(settings).astype(np.int64)
    return (table - table.T)[:ATTACKING_STANCES, : len(STANCES)]
