"""Measures of personality: how far apart characters mix their stances, and what their fights on a map look like.

Mixes are compared in the same situations: the stance windows of duels in which both sides mix evenly. Their distance
is the total variation, half the sum of the differences: 0 for equal mixes, 1 for mixes that share no stance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent
from heartrush_agents.heart_rush.tables import Features
from heartrush_agents.heart_rush.tactics.default_policy import layout_of
from heartrush_agents.vector_player import VectorPlayer
from heartrush_env.games.heart_rush.encoding.view import Columns
from heartrush_env.games.heart_rush.rules.terms import DEFENSIVE, STANCES
from heartrush_env.tabletop.game import MISSING, ByteArray, Game, Observation

FLEEING: Final = 2  # squares gained from the nearest enemy since the round before

Mixes = NDArray[np.float64]  # (situations, stances)


def situations(game: Game, evenly: Agent, duels: int, seed: int) -> list[list[Observation]]:
    """Return the first seat's stance windows in duels of the agent `evenly` against itself, one list per duel."""
    names, chance = game.action_names, np.random.default_rng(seed)
    batch, player = game.batch(1), evenly.seat(game)
    stance, met = names.index(f"stance {STANCES[0]}"), []
    for duel in range(duels):
        batch.start([0], seed, [duel])
        seen: list[Observation] = []
        while not batch.ended[0]:
            moments: list[Observation] = [
                {"observation": batch.observations[0, k].copy(), "action_mask": batch.masks[0, k].copy()}
                for k in range(len(game.agents))
            ]
            seen += [moments[0]] if moments[0]["action_mask"][stance] else []
            batch.step(np.array([[player.act(each, chance) for each in moments]], np.int64), autoreset=False)
        met.append(seen)
    return met


def mixes(agent: Agent, game: Game, met: Sequence[Sequence[Observation]]) -> Mixes:
    """Return the agent's probability of each stance in each situation; the agent remembers earlier situations."""
    stances = [game.action_names.index(f"stance {name}") for name in STANCES]
    player, found = agent.seat(game), []
    player.new_match()
    for duel in met:
        player.new_fight()
        found += [player.policy(moment)[stances] for moment in duel]
    return np.array(found)


def distance(first: Mixes, second: Mixes) -> float:
    """Return the total variation between two agents' mixes, averaged over situations."""
    return float(abs(first - second).sum(axis=1).mean() / 2)


class Watch:
    """Notes on what the fighters of one team do, round by round."""

    def __init__(self, game: Game) -> None:
        """Watch the fights of a game on a map."""
        layout = layout_of(game)
        enemies = [f"enemy {place}" for place in layout.places]
        self._layout = layout
        self._distance = Columns(game.feature_names, [f"{enemy} distance" for enemy in enemies])
        self._hp = Columns(game.feature_names, [[f"{enemy} hp", f"{enemy} hp_max"] for enemy in enemies])
        self._nearest: dict[tuple[int, int], int] = {}  # by fight and seat, from the round before
        self.noted: dict[str, list[float]] = {word: [] for word in ("distance", "focus", "retreats", "hides")}

    def note(self, who: tuple[int, int], features: Features, mask: ByteArray, action: int) -> None:
        """Note a fighter's choice in a stance window, with its nearest enemy and the damage to its enemies."""
        stances = self._layout.stances
        standing = features[self._layout.enemy_standing] > 0
        if not mask[stances[0]] or not standing.any():
            return
        nearest = int(self._distance.of(features)[standing].min())
        hp, most = self._hp.of(features).T
        lost = np.maximum(0, most - hp)
        self.noted["distance"].append(nearest)
        self.noted["hides"].append(float(action == stances[DEFENSIVE]))
        if lost.any():
            self.noted["focus"].append(float(lost.max() / lost.sum()))
        if who in self._nearest:
            self.noted["retreats"].append(float(nearest - self._nearest[who] >= FLEEING))
        self._nearest[who] = nearest

    def forget(self, fight: int) -> None:
        """Forget a fight that has ended."""
        self._nearest = {who: near for who, near in self._nearest.items() if who[0] != fight}


def looks(agent: Agent, against: Agent, game: Game, fights: int, seed: int) -> dict[str, float]:
    """Return statistics of fights in which the agent commands the second team of a map.

    Returns:
        distance: Squares to the nearest enemy at the start of a round, on average.
        focus: The most damaged enemy's fraction of all damage, averaged over rounds.
        retreats: The fraction of rounds after which a fighter is at least two squares farther from the nearest enemy.
        hides: The fraction of defensive stances.
        wins: The fraction of fights won.
    """
    teams = list(dict.fromkeys(game.teams))
    seats = [[k for k, team in enumerate(game.teams) if team == side] for side in teams[:2]]
    players = [
        VectorPlayer(who, game, [(f, seat) for f in range(fights) for seat in own], np.random.default_rng([seed, k]))
        for k, (who, own) in enumerate(zip((against, agent), seats, strict=True))
    ]
    batch, watch = game.batch(fights), Watch(game)
    batch.start(range(fights), seed, range(fights))
    actions = np.full(batch.out.shape, MISSING, np.int64)
    going, won = np.ones(fights, np.bool_), np.zeros(fights)
    while going.any():
        for player in players:
            player.act({"observation": batch.observations, "action_mask": batch.masks}, actions, asked=going)
        for fight in np.flatnonzero(going).tolist():
            for seat in seats[1]:
                watch.note((fight, seat), *(of[fight, seat] for of in (batch.observations, batch.masks, actions)))
        batch.step(actions, autoreset=True)
        for fight in np.flatnonzero(batch.ended & going).tolist():
            won[fight] = batch.rewards[fight, seats[1][0]] > 0
            watch.forget(fight)
        going &= ~batch.ended
    means = {word: float(np.mean(numbers)) if numbers else 0.0 for word, numbers in watch.noted.items()}
    return {**means, "wins": float(won.mean())}
