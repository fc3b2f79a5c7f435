"""Opponents: the agents and past selves that play against a learner, and the fights in which they do.

Every recipe that plays fights chooses its opponents here, from its options:

    ppo_self_play    past selves in `past_self_share` of the fights, the agents of `sparring` in `sparring_share`, and
                     the learner itself in the rest
    exploiter        the agent `opponent` in every fight; it may act at random at first
    imitate, league, improve
                     `opponents` in turn: agents by id, past selves, or the learner itself
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from heartrush_agents import load
from heartrush_agents.base import Agent
from heartrush_agents.difficulty import WeakenedPlayer
from heartrush_agents.heart_rush.learned.entity_agent import EntityPlayer
from heartrush_agents.heart_rush.learned.entity_network import EntityNetwork
from heartrush_agents.learned.agent import LearnedPlayer
from heartrush_agents.learned.network import Layers, Network
from heartrush_agents.vector_player import VectorPlayer
from numpy.typing import NDArray

from heartrush_env.envs.vector import BatchEnv
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.validate import join_or
from heartrush_train.config import ExploiterConfig, SelfPlayConfig, TrainingError

ITSELF = "itself"  # as an opponent: the learner plays both sides
PAST = "past"  # as an opponent: an earlier policy, whose actions the recipe chooses
PAST_SELVES_AT_ONCE = 4  # number of different past selves that play in one update of self-play
NOT_YET = np.random.default_rng(0)  # a placeholder: each run gives the players their own generators
Seats = list[tuple[int, int]]  # pairs (slot, seat)


def other_sides(game: Game, slots: Iterable[int]) -> Seats:
    """Return, for each slot, the seats of all teams except one; which team is omitted changes from slot to slot."""
    teams = list(dict.fromkeys(game.teams))
    return [
        (int(slot), seat)
        for turn, slot in enumerate(slots)
        for seat, team in enumerate(game.teams)
        if team != teams[turn % len(teams)]
    ]


def priorities(won: Sequence[float]) -> NDArray[Any]:
    """Return the chance of meeting each past self, proportional to (1 - the learner's score against it) squared."""
    weights = np.square(1 - np.array(won)) + 1e-3
    probabilities: NDArray[Any] = weights / weights.sum()
    return probabilities


# -- self-play ---------------------------------------------------------------------------------------------------------


class PastSelf(VectorPlayer):
    """A past self that plays one team in some fights, and changes with each update."""

    def __init__(self, fights: BatchEnv, slots: Any) -> None:
        """Seat the past self opposite the learner in these slots; `become` must set a network before any choice."""
        self.player = LearnedPlayer(fights.game, Network(Layers((), ()), Layers((), ())), 0)
        agent = Agent("past selves", "An earlier policy.", lambda game: self.player)
        super().__init__(agent, fights.game, other_sides(fights.game, slots), NOT_YET)

    def become(self, network: Network) -> None:
        """Play another network from now on."""
        self.player.network = network


def self_play(config: SelfPlayConfig, fights: BatchEnv) -> tuple[list[PastSelf], list[VectorPlayer]]:
    """Return the past selves and the sparring partners, seated in the last fights of the batch."""
    slots = np.arange(config.n_envs)[::-1]
    past = round(config.n_envs * config.past_self_share)
    sparring = slots[past : past + round(config.n_envs * config.sparring_share)]
    partners = sparring_partners(config, fights.game, sparring)
    return [PastSelf(fights, part) for part in np.array_split(slots[:past], PAST_SELVES_AT_ONCE)], partners


def sparring_partners(config: SelfPlayConfig, game: Game, slots: Any) -> list[VectorPlayer]:
    """Return the sparring partners, seated in these slots in turn."""
    return [
        VectorPlayer(load(id), game, other_sides(game, slots[place :: len(config.sparring)]), NOT_YET)
        for place, id in enumerate(config.sparring)
    ]


# -- one agent ---------------------------------------------------------------------------------------------------------


class FixedOpponent(VectorPlayer):
    """An agent to exploit. It forgets the learner after every match, and may act at random."""

    def __init__(self, config: ExploiterConfig, game: Game) -> None:
        """Seat the agent opposite the learner in every fight."""
        slots = range(config.n_envs)
        super().__init__(load(config.opponent), game, other_sides(game, slots), NOT_YET)
        self.match = config.match
        self.fights = np.zeros(len(slots), np.int64)  # finished fights of the current match in each slot
        self.mistakes = np.zeros(len(slots))  # the fraction of random choices in each slot

    @property
    def network(self) -> Network | EntityNetwork | None:
        """The network that the agent plays, at any level; None if it does not play a network."""
        player: Any = self._for_all
        player = player.player if isinstance(player, WeakenedPlayer) else player
        reads = isinstance(player, LearnedPlayer) or type(player) is EntityPlayer  # its subclass decides only stances
        return player.network if reads else None

    def weaken(self, most: float) -> None:
        """Set each slot's rate of random actions: 0 in the first, `most` in the last, linear in between."""
        self.mistakes = np.linspace(0.0, most, len(self.mistakes))

    def act(self, observations: Any, actions: Any, asked: Any = None) -> None:
        """Write the agent's choices, or random legal actions at each slot's rate."""
        super().act(observations, actions, asked)
        rows = np.flatnonzero(self.rng.random(len(self.slots)) < self.mistakes[self.slots])
        places = self.slots[rows], self.seats[rows]
        legal = observations["action_mask"][places]
        actions[places] = (legal * (1.0 - self.rng.random(legal.shape))).argmax(axis=1)

    def new_match(self, slots: Any = None) -> None:
        """Start a new match in these slots, by default in all."""
        self.fights[slice(None) if slots is None else slots] = 0
        super().new_match(slots)

    def new_fight(self, slots: Any = None) -> None:
        """Start a new fight in these slots, by default in all, and a new match in slots whose match is over."""
        if slots is not None:
            self.fights[slots] += 1
            over = np.asarray(slots)[self.fights[slots] == self.match]
            if len(over):
                self.new_match(over)
        super().new_fight(slots)


# -- in turn -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class InTurn:
    """The opponent in each fight of one scenario, and the seats of the learner and of past selves."""

    opponents: list[str]  # one for each slot
    learns: NDArray[np.bool_]  # (slots, seats)
    past: NDArray[np.bool_]  # (slots, seats)
    players: list[VectorPlayer]  # of all other seats


def in_turn(game: Game, slots: int, given: Sequence[str], side: str = "") -> InTurn:
    """Seat opponents in turn, slot by slot.

    The learner has the first team in the first slot, the second team in the second slot, and so on in turn. Opponents
    have the other teams. If the learner trains for one side, it has that team in every slot.

    Args:
        game: The game.
        slots: The number of fights that are played at once.
        given: Agents by id, `ITSELF` or `PAST`; agents that cannot play the game are left out.
        side: The learner's team in every slot; by default it has all teams in turn.

    Raises:
        TrainingError: The game has no such team.
    """
    teams = list(dict.fromkeys(game.teams))
    if side and side not in teams:
        raise TrainingError(f"side: expected a team of {game.scenario_name!r} ({join_or(teams)}), got {side!r}.")
    plays = [id for id in given if id in (ITSELF, PAST) or load(id).plays(game) is None] or [ITSELF]
    turn = np.arange(slots)
    row = 1 if side else len(teams)  # slots in a row that differ only in the learner's team
    opponents = [plays[slot // row % len(plays)] for slot in turn]
    own = np.full(slots, teams.index(side)) if side else turn % len(teams)
    learns = np.array([teams.index(team) for team in game.teams]) == own[:, None]
    learns[[id == ITSELF for id in opponents]] = True
    theirs = {id: ~learns & np.array([[who == id] for who in opponents]) for id in (*plays, PAST)}
    players = [
        VectorPlayer(load(id), game, [(int(slot), int(seat)) for slot, seat in np.argwhere(theirs[id])], NOT_YET)
        for id in plays
        if id not in (ITSELF, PAST)
    ]
    return InTurn(opponents, learns, theirs[PAST], players)
