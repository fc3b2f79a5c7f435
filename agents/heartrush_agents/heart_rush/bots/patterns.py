"""Bots with patterns for others to find: preferences, cycles, delayed copies, fixed reactions, bad shrugs.

They have no memory and react only to the observation, so that one player serves a batch. Most leave every window
except the choice of stance to the default policy. The bad shruggers also decide about hits, and the ladder of quantal
responses uses the tactician's odds in the other windows. If no reveal is available yet, and after a defensive stance,
the reacting bots take the attacking stances equally often.
"""

from __future__ import annotations

from abc import abstractmethod
from functools import partial

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import Agent, Probabilities
from heartrush_agents.heart_rush.bots.scripted import FixedPlayer, Shares, StancePlayer, uniform
from heartrush_agents.heart_rush.tables import HEART_RUSH, Features, edge, scenario_of
from heartrush_agents.heart_rush.tactics.opponent_model import why_unsupported
from heartrush_agents.heart_rush.tactics.tactician import OddsPlayer
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, STANCES
from heartrush_env.tabletop.game import Game, Observation

ManyShares = NDArray[np.float64]  # (n, stances), each row sums to 1
Turns = NDArray[np.float64]  # (stances, stances): maps one stance to another; defensive maps to nothing


def one_higher(game: Game) -> Turns:
    """Return a matrix that maps each attacking stance to the stance that beats it, (stances, stances)."""
    turns = np.zeros((len(STANCES), len(STANCES)))
    turns[:ATTACKING_STANCES, :ATTACKING_STANCES] = edge(scenario_of(game).settings)[:, :ATTACKING_STANCES].T > 0
    return turns


class PatternPlayer(StancePlayer):
    """Chooses stances from observations alone, for many seats at once."""

    @abstractmethod
    def many(self, features: Features) -> ManyShares:
        """Return the probability of each stance for each observation; (n, features) to (n, stances)."""

    def shares(self, features: Features) -> Shares:
        """Return the probability of each stance for one observation."""
        one: Shares = self.many(features[None])[0]
        return one

    def policies(self, features: Features, masks: NDArray[np.int8]) -> Probabilities:
        """Return the policies for many observations, (n, actions)."""
        probabilities = np.zeros(masks.shape)
        asked = masks[:, self._layout.stances[0]] != 0
        probabilities[np.ix_(asked, self._layout.stances)] = self.many(features[asked])
        rest = np.flatnonzero(~asked)
        probabilities[rest, self._layout.defaults(features[rest], masks[rest])] = 1.0
        return probabilities


class CyclingPlayer(PatternPlayer):
    """Takes stances in a fixed order, starting over in every fight."""

    def __init__(self, game: Game, cycle: str) -> None:
        """Bind the player to a game; `cycle` lists stances by their first letters."""
        super().__init__(game)
        letters = [stance[0] for stance in STANCES]
        self.period = len(cycle)  # in rounds; needed to compute the policy exactly
        self._cycle = np.eye(len(STANCES))[[letters.index(letter) for letter in cycle]]

    def many(self, features: Features) -> ManyShares:
        """Return the stance of the current round in the cycle, for each observation."""
        rounds = self._layout.round.of(features)
        shares: ManyShares = self._cycle[(rounds - 1) % len(self._cycle)]
        return shares


class ReactingPlayer(PatternPlayer):
    """Takes the stance that is `higher` steps up the circle from the stance revealed `delay` rounds ago."""

    def __init__(self, game: Game, *, own: bool = False, delay: int = 1, higher: int = 0) -> None:
        """Bind the player to a game.

        Args:
            game: The game.
            own: Whether the player reacts to its own stance instead of the enemy's.
            delay: The number of rounds ago; 1 is the last round.
            higher: 0 to copy the stance, 1 for the stance that beats it, 2 for the stance that beats that one.
        """
        super().__init__(game)
        self._own, self._delay = own, delay
        self._turns = np.linalg.matrix_power(one_higher(game), higher)
        self._turns[ATTACKING_STANCES:] = 0.0
        self.memory = delay

    def many(self, features: Features) -> ManyShares:
        """Return the stance that answers the revealed one, for each observation."""
        return or_evenly(self._shown(features) @ self._turns)

    def _shown(self, features: Features) -> Features:
        """Return the stances that the player reacts to, one-hot, (n, stances)."""
        ago = self._delay - 1
        if self._own:
            shown: Features = features[:, self._layout.own_reveals[ago]]
            return shown
        hp = np.where(features[:, self._layout.enemy_standing] > 0, features[:, self._layout.enemy_hp], np.inf)
        places = self._layout.enemy_reveals[hp.argmin(axis=1), ago]  # (n, stances)
        return np.take_along_axis(features, places, axis=1)


class ShiftingPlayer(ReactingPlayer):
    """Keeps or changes its last stance, depending on whether that beat the enemy's."""

    memory = 1

    def __init__(self, game: Game, *, after_win: int, else_: int) -> None:
        """Bind the player to a game; the arguments are steps up the circle after a win, and after a loss or tie."""
        super().__init__(game)
        higher = one_higher(game)
        self._beaten_by = higher
        self._after = [np.linalg.matrix_power(higher, places) for places in (after_win, else_)]
        for turns in self._after:
            turns[ATTACKING_STANCES:] = 0.0

    def many(self, features: Features) -> ManyShares:
        """Return the last stance, kept or changed, for each observation."""
        own, other = features[:, self._layout.own_reveals[0]], self._shown(features)
        has_won = ((other @ self._beaten_by) * own).sum(axis=1, keepdims=True) > 0
        return or_evenly(np.where(has_won, own @ self._after[0], own @ self._after[1]))


def or_evenly(shares: ManyShares) -> ManyShares:
    """Return the rows, with empty rows replaced by equal probabilities of the three attacking stances."""
    return np.where(shares.any(axis=1, keepdims=True), shares, uniform())


class BadShrugger(FixedPlayer):
    """Takes the attacking stances equally often, and shrugs off every hit or no hit."""

    def __init__(self, game: Game, *, shrugs: bool) -> None:
        """Bind the player to a game; it shrugs off every hit if `shrugs`, otherwise none."""
        super().__init__(game, **dict.fromkeys(STANCES[:ATTACKING_STANCES], 1 / ATTACKING_STANCES))
        self._answer = self._layout.shrug if shrugs else self._layout.take

    def policy(self, observation: Observation) -> Probabilities:
        """Return the policy for one observation, with a fixed answer to hits."""
        one: Probabilities = self.policies(observation["observation"][None], observation["action_mask"][None])[0]
        return one

    def policies(self, features: Features, masks: NDArray[np.int8]) -> Probabilities:
        """Return the policies for many observations, with a fixed answer to hits, (n, actions)."""
        probabilities = super().policies(features, masks)
        hit = masks[:, self._layout.shrug] != 0
        probabilities[hit] = 0.0
        probabilities[hit, self._answer] = 1.0
        return probabilities


class QuantalPlayer(OddsPlayer):
    """Takes each stance with the logit probability of its stakes against an enemy that mixes its attacks equally."""

    def __init__(self, game: Game, precision: float) -> None:
        """Bind the player to a game; precision 0 is uniform, and a large precision approaches the tactician."""
        super().__init__(game)
        self._precision = precision

    def policy(self, observation: Observation) -> Probabilities:
        """Return the logit probabilities of the stances in a stance window, and the tactician's policy otherwise."""
        if not observation["action_mask"][self._layout.stances[0]]:
            return super().policy(observation)
        worth = self._stance_worth(observation["observation"][None])[0]
        weights = np.exp(self._precision * (worth - worth.max()))
        probabilities = np.zeros(len(observation["action_mask"]))
        probabilities[self._layout.stances[:ATTACKING_STANCES]] = weights / weights.sum()
        return probabilities


def _cycler(id: str, cycle: str, description: str) -> Agent:
    return Agent(
        id, description, partial(CyclingPlayer, cycle=cycle), why_unsupported=why_unsupported, games=HEART_RUSH
    )


def why_unsupported_by(delay: int, game: Game) -> str | None:
    """Return why an agent that needs the reveal of `delay` rounds ago cannot play a game, or None if it can."""
    memory = game.options["memory"]
    if memory is None or memory >= delay:
        return None
    return why_unsupported(game) or f"it needs the reveal of {delay} rounds ago, but memory={memory} does not show it"


def _reacting(id: str, description: str, *, own: bool = False, delay: int = 1, higher: int = 0) -> Agent:
    make = partial(ReactingPlayer, own=own, delay=delay, higher=higher)
    return Agent(id, description, make, why_unsupported=partial(why_unsupported_by, delay), games=HEART_RUSH)


def _shifting(id: str, description: str, after_win: int, else_: int) -> Agent:
    return Agent(
        id,
        description,
        partial(ShiftingPlayer, after_win=after_win, else_=else_),
        why_unsupported=why_unsupported,
        games=HEART_RUSH,
    )


def _leaning(stance: str) -> Agent:
    shares = {each: 0.6 if each == stance else 0.2 for each in STANCES[:ATTACKING_STANCES]}
    says = f"The {stance} stance three times in five, the other two attacking stances once each."
    return Agent(f"mostly_{stance}", says, partial(FixedPlayer, **shares), games=HEART_RUSH)  # type: ignore[arg-type]  # names of stances


AGENTS = (
    *(_leaning(stance) for stance in STANCES[:ATTACKING_STANCES]),
    Agent(
        "never_cunning",
        "Might and agility equally often and never cunning.",
        partial(FixedPlayer, might=0.5, agility=0.5),
        games=HEART_RUSH,
    ),
    Agent(
        "half_defensive",
        "The defensive stance half of the time, at random, otherwise the attacking stances equally often.",
        partial(FixedPlayer, defensive=1 / 2, might=1 / 6, agility=1 / 6, cunning=1 / 6),
        games=HEART_RUSH,
    ),
    _cycler("cycle_up", "mac", "Might, agility, cunning, and again: each beats the one before."),
    _cycler("cycle_down", "mca", "Might, cunning, agility, and again: each is beaten by the one before."),
    _cycler("cycle_twice", "mmaacc", "Might, agility, cunning, and again, each of them twice."),
    _cycler(
        "cycle_all_pairs",
        "mmaccaamc",
        "Nine rounds in which each attacking stance follows once on each, so that the last alone tells nothing.",
    ),
    _cycler("in_and_out", "dmdadc", "Defensive in every other round, between them might, agility, cunning in turn."),
    _reacting("copycat", "The stance that the enemy took last.", delay=1),
    _reacting("copycat_2", "The stance that the enemy took two rounds ago.", delay=2),
    _reacting("copycat_4", "The stance that the enemy took four rounds ago.", delay=4),
    _reacting("counter_2", "The stance that beats what the enemy took two rounds ago.", delay=2, higher=1),
    _reacting("anti_copycat", "The stance that beats its own last, as if the enemy copied it.", own=True, higher=1),
    _reacting(
        "anti_counter",
        "The stance that beats what beats its own last, as if the enemy answered that.",
        own=True,
        higher=2,
    ),
    _shifting(
        "win_stay_lose_back",
        "Keeps a stance that beat the enemy's, else takes the one that its own beats.",
        after_win=0,
        else_=2,
    ),
    _shifting(
        "win_shift_lose_stay",
        "Keeps a stance that did not beat the enemy's, else takes the one that beats it.",
        after_win=1,
        else_=0,
    ),
    Agent(
        "shrugs_never",
        "The attacking stances equally often; takes every hit.",
        partial(BadShrugger, shrugs=False),
        games=HEART_RUSH,
    ),
    Agent(
        "shrugs_always",
        "The attacking stances equally often; shrugs off every hit.",
        partial(BadShrugger, shrugs=True),
        games=HEART_RUSH,
    ),
    *(
        Agent(
            f"quantal_{precision}",
            f"A logit response to all stances alike, precision {precision} on the stakes; all else by exact odds.",
            partial(QuantalPlayer, precision=float(precision)),
            games=HEART_RUSH,
        )
        for precision in (5, 15, 50)
    ),
)
