"""The player of all characters: the tactician's odds, a safe answer to the enemy's habits, and a few dials.

In a stance window it weighs its stances against every enemy's stances by the exact odds of this round, tilted by its
aggression, and answers the stances that it expects of each enemy. A cautious character sometimes hides, and each
character indulges in its favourite stances now and then. In the other windows it is a tactician that favours its prey.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent, Player, Probabilities
from heartrush_agents.heart_rush.characters.dials import Character, Dials
from heartrush_agents.heart_rush.characters.levels import ten_levels
from heartrush_agents.heart_rush.characters.reader import EVENLY, Reader
from heartrush_agents.heart_rush.characters.safe_response import answer
from heartrush_agents.heart_rush.characters.temperament import CharacterPositioning, Manners
from heartrush_agents.heart_rush.tables import HEART_RUSH, Features, edge
from heartrush_agents.heart_rush.tactics.default_policy import MapLayout
from heartrush_agents.heart_rush.tactics.odds import ASKS_DEALT, ASKS_STAKES
from heartrush_agents.heart_rush.tactics.opponent_model import History
from heartrush_agents.heart_rush.tactics.pairs import turned
from heartrush_agents.heart_rush.tactics.positioning import Positioning
from heartrush_agents.heart_rush.tactics.tactician import ALL_DEEDS, OPEN, Mask, OddsPlayer
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE, NO_STANCE, STANCES
from heartrush_env.tabletop.game import Game, Observation

Shares = NDArray[np.float64]  # (stances,)
Games = NDArray[np.float64]  # (enemies, own attacking stances, the enemy's stances)

STAKE: Final = 0.3  # fraction of hit points that it risks in a match on its reading of the enemy
MOST_CREDIT: Final = 1.0  # the most that it risks, however much it has won
TILT: Final = 0.6  # change of balance between dealing and suffering damage, at full aggression
HIDING: Final = 0.5  # fraction of rounds in which the most cautious fighter hides when it is badly hurt


@dataclass
class Question:
    """A choice of stance, kept until the next reveal shows how good it was."""

    places: Sequence[int]  # the enemies faced
    games: Games
    mix: NDArray[np.float64]  # of attacking stances
    value: float  # of the games to the player
    expected: NDArray[np.float64]  # (enemies, stances)


class CharacterPlayer(OddsPlayer):
    """A player of one character that does not read its enemies' habits."""

    blunders = frozenset({"stance", "attack", "opportunity", "shrug", "take"})  # even a beginner strikes when it may

    def __init__(self, game: Game, character: Character, dials: Dials) -> None:
        """Bind the character to a game."""
        self._character, self._dials = character, dials
        super().__init__(game)
        self._manners = Manners(self._layout, character, dials)
        self._edges = edge(self._settings)[:, :ATTACKING_STANCES].astype(np.float64)
        self._thrift = 0.75 + 0.5 * dials.caution
        self._zest = np.where([deed.startswith("attack") for deed in ALL_DEEDS], 1.0, 1.5 - dials.aggression)
        self._taste = np.array([character.taste.get(stance, 0.0) for stance in STANCES])

    def _positioning(self, layout: MapLayout) -> Positioning:
        """Return the character's judgement of squares on a map."""
        manners = Manners(layout, self._character, self._dials)
        return CharacterPositioning(layout, self._matchups, self._settings, manners)

    def together(self, players: Sequence[CharacterPlayer], features: Features, masks: Mask) -> Probabilities:
        """Return the policies of several players of this character, (n, actions), one for each observation.

        Their odds are weighed at once; only their expectations of their enemies differ between players.
        """
        probabilities, chosen = np.zeros(masks.shape), np.full(len(masks), OPEN)
        asked = masks[:, self._layout.stances[0]] != 0
        if self._using is not None:
            using = np.flatnonzero(asked & masks[:, self._using.actions].any(axis=1))
            chosen[using] = self._use(features[using], masks[using])
        rest = np.flatnonzero(~asked)
        chosen[rest] = self.choices(features[rest], masks[rest])
        sure = np.flatnonzero(chosen != OPEN)
        probabilities[sure, chosen[sure]] = 1.0
        mixed = np.flatnonzero(chosen == OPEN).tolist()
        for row, (places, games) in zip(mixed, self.games(features[mixed]), strict=True):
            probabilities[row, self._layout.stances] = players[row].shares(features[row], places, games)
        return probabilities

    def policy(self, observation: Observation) -> Probabilities:
        """Return the character's mix in a stance window, and a single action otherwise."""
        features, masks = observation["observation"][None], observation["action_mask"][None]
        one: Probabilities = self.together([self], features, masks)[0]
        return one

    def reason(self, observation: Observation) -> str:
        """Return the expected enemy stance in a stance window, and the tactician's reason otherwise."""
        policy = self.policy(observation)
        return self._guess() if policy[self._layout.stances].any() else super().reason(observation)

    def _guess(self) -> str:
        """Return the player's expectation in words: "", because it does not read its enemies."""
        return ""

    def shares(self, features: Features, places: Sequence[int], games: Games) -> Shares:
        """Return the probability of each stance in these games against the enemies faced, (stances,)."""
        mix = self._mix(features, places, games) if len(places) else EVENLY[:ATTACKING_STANCES]
        hides = HIDING * float(self._manners.fear(features))
        shares: Shares = np.append((1 - self._taste.sum()) * mix, 0.0) + self._taste
        shares *= 1 - hides
        shares[DEFENSIVE] += hides
        return shares

    def games(self, features: Features) -> list[tuple[Sequence[int], Games]]:
        """Return, for each observation, the indices of the enemies faced and the matrix games against them."""
        faced = self._layout.faced(features)
        pairs = self._matchups.pairs(features)[faced]
        matrices = self._odds.matrices(ASKS_STAKES, pairs)
        games = matrices[:, :, : len(STANCES)].copy()
        tilt = TILT * (2 * self._dials.aggression - 1)
        if tilt:
            dealt, taken = (self._odds.matrices(ASKS_DEALT, way) for way in (pairs, turned(pairs)))
            games += tilt * dealt[:, :, : len(STANCES)]
            attacks = slice(ATTACKING_STANCES)
            games[:, :, attacks] += tilt * taken[:, :, attacks].transpose(0, 2, 1)
        senseless = (pairs["other"]["stunned"] != 0) | (pairs["other"]["incapacitated"] != 0)
        games[senseless] = matrices[senseless][:, :, [NO_STANCE]]
        ends = np.cumsum(faced.sum(axis=1)).tolist()
        return [(row.nonzero()[0].tolist(), games[end - row.sum() : end]) for row, end in zip(faced, ends, strict=True)]

    def _mix(self, features: Features, places: Sequence[int], games: Games) -> NDArray[np.float64]:
        """Return the probability of each attacking stance in the equilibrium of this round."""
        mix, _ = answer(games, np.zeros(games.shape[::2]), 0.0, 0.0)
        return mix

    def _deed_worth(self, features: Features, masks: Mask) -> NDArray[np.float64]:
        """Return the value of attacks and maneuvers.

        The value falls for enemies that are not the prey. The character's temper scales the value of maneuvers.
        """
        worth = super()._deed_worth(features, masks)
        regard = self._manners.regard(features)[:, :, None]
        tempered: NDArray[np.float64] = np.where(worth > 0, np.maximum(worth, 0) * regard * self._zest, worth)
        return tempered


class ReadingPlayer(CharacterPlayer):
    """A player of one character that reads each enemy's habits over a match."""

    memory: int | Literal["match"] = "match"

    def __init__(self, game: Game, character: Character, dials: Dials) -> None:
        """Bind the character to a game."""
        super().__init__(game, character, dials)
        self._history = History(self._layout)
        self.new_match()

    def new_match(self) -> None:
        """Forget the enemies."""
        self._history.new_match()
        self._readers = [Reader() for _ in self._layout.places]
        self._credit = STAKE
        self._asked: Question | None = None

    def new_fight(self) -> None:
        """Keep the knowledge of the enemies."""
        self._history.new_fight()
        self._asked = None
        for reader in self._readers:
            reader.new_fight()

    def _look(self, features: Features) -> None:
        """Learn from the latest reveal."""
        if self._history.look(features) != 1 or self._asked is None:
            return
        asked, self._asked = self._asked, None
        won = -asked.value
        for k, place in enumerate(asked.places):
            memory = self._history.memories[place]
            self._readers[place].learn(memory)
            seen = memory.rounds[-1].other
            won += float(asked.mix @ asked.games[k][:, seen]) if seen != NO_STANCE else asked.value / len(asked.places)
        self._credit = min(MOST_CREDIT, self._credit + won)

    def _mix(self, features: Features, places: Sequence[int], games: Games) -> NDArray[np.float64]:
        """Return the safe answer to the stances that the enemies are expected to take.

        An enemy that has shown no stance in this match is not read; against it, the player keeps to the equilibrium.
        """
        self._look(features)
        expected = np.stack(
            [
                self._readers[place].expected_stances(
                    self._history.memories[place], -games[k][:, :ATTACKING_STANCES].T, self._edges
                )
                for k, place in enumerate(places)
            ]
        )
        known = np.array([self._history.memories[place].counts[1].any() for place in places])
        mix, value = answer(games, expected, self._dials.guile * known, self._credit)
        self._asked = Question(places, games, mix, value, expected)
        return mix

    def _guess(self) -> str:
        """Return the enemy stance that the player expects most, with its probability, in words; "" before a choice."""
        if self._asked is None:
            return ""
        expected = self._asked.expected
        stance = int(expected.max(axis=0).argmax())
        return f"expects {STANCES[stance]} with {100 * expected[:, stance].max():.0f} %"


def make(game: Game, *, character: Character, **dials: float) -> Player:
    """Return a player of the character; it does not read enemies if its guile is 0 or the game shows no reveals."""
    tuned = character.dials._replace(**dials)
    reads = tuned.guile > 0 and game.options["memory"] != 0
    return (ReadingPlayer if reads else CharacterPlayer)(game, character, tuned)


def enemy(id: str, character: Character, make: Callable[..., Player] = make) -> Agent:
    """Return an enemy of the roster that plays a character."""
    about = f"{character.name}. {character.says}"
    play = partial(make, character=character)
    levels = ten_levels(id, character.dials)
    return Agent(id, about, play, arguments=character.arguments, levels=levels, games=HEART_RUSH)
