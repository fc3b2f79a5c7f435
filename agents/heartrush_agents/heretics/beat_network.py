"""A network for duels in beats: its policy in every state, for exact solvers, and the agent that plays it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache, partial
from typing import Any, NamedTuple

import numpy as np

from heartrush_agents.base import Agent, Level
from heartrush_agents.heretics.beat_view import CHOOSE, COLUMNS, OUTPUTS, SHIELD, SUNDER, BeatView, Whole
from heartrush_agents.heretics.equilibrium import BeatPlayer, why_not_solved
from heartrush_agents.learned.fitting import why_other_rules
from heartrush_agents.learned.network import Layers, Network
from heartrush_env.research.beats.figures import CHOICES, HIT, BeatDuel
from heartrush_env.research.beats.solve import TWO, BeatGame, Plays, Policy, game_of
from heartrush_env.research.zero_sum import Floats
from heartrush_env.tabletop.game import Game
from heartrush_env.tabletop.text import escaped

GAMES = ("heretics",)
PART = 65_536  # views that a network reads at once
FREE = ("duel_profile", "duel_sunder", "duel_shield", "duel_fumble", "duel_yield")  # settings that views show


class BeatNetwork:
    """The mixes of a policy network in a duel."""

    def __init__(self, duel: BeatDuel, policy: Layers) -> None:
        """Prepare the views of both duelists."""
        self.duel, self._policy, self.game = duel, policy, game_of(duel)
        self._views = BeatView(self.game, 0), BeatView(self.game, 1)

    def mixes(self, seat: int, kind: int, states: Whole) -> Floats:
        """Return a duelist's chances of its choices or, in other nodes, of keeping and of answering, (n, 3 or 2)."""
        outputs = slice(0, len(CHOICES)) if kind == CHOOSE else slice(len(CHOICES), len(OUTPUTS))
        parts = [states[start : start + PART] for start in range(0, len(states), PART)]
        view = self._views[seat]
        logits = np.concatenate([self._policy(view.rows(kind, part))[:, outputs] for part in parts]).astype(np.float64)
        shares: Floats = np.exp(logits - logits.max(axis=1, keepdims=True))
        shares /= shares.sum(axis=1, keepdims=True)
        return shares

    def policy(self, seat: int) -> Policy:
        """Return the policy of a duelist."""
        return partial(self._plays, seat)

    def _plays(self, seat: int, left: int) -> Plays:
        """Return how a duelist plays with this number of beats left, in all states."""
        game = self.game
        choosing = nodes_of(game, seat, CHOOSE)
        beat = self.mixes(seat, CHOOSE, choosing.with_left(left)).reshape(*choosing.shape, len(CHOICES))
        answers = []
        for kind in (SUNDER, SHIELD):
            nodes = nodes_of(game, seat, kind)
            chances = np.zeros(nodes.shape)
            if len(nodes.states):
                chances[nodes.places] = self.mixes(seat, kind, nodes.with_left(left))[:, 1]
            answers.append(chances)
        return Plays(beat, *answers)


class Nodes(NamedTuple):
    """Where a duelist is asked, in the solver's array of one kind of node, and the states there without beats left."""

    shape: tuple[int, ...]
    places: tuple[Whole, ...]  # an index for each axis
    states: Whole

    def with_left(self, left: int) -> Whole:
        """Return the states with this number of beats left."""
        return np.column_stack([self.states, np.full(len(self.states), left)])


@lru_cache(maxsize=16)
def nodes_of(game: BeatGame, seat: int, kind: int) -> Nodes:
    """Return where a duelist is asked in one kind of node; where it chooses, that is everywhere."""
    if kind == CHOOSE:
        shape: tuple[int, ...] = (*game.flags, *game.hp)
        places: Any = tuple(np.indices(shape).reshape(len(shape), -1))
        open1, broken1, arm1, open2, broken2, arm2, hp1, hp2 = places
        return Nodes(shape, places, _joined((open1, broken1, arm1, hp1 + 1), (open2, broken2, arm2, hp2 + 1), seat))
    shape, asked = _asked(game, seat, kind)
    places = np.nonzero(asked)
    broken1, arm1, broken2, arm2, roll1, roll2, push1, push2, *sunders, hp1, hp2 = places
    first = (broken1, arm1, hp1 + 1, roll1, push1, *sunders[:1])
    second = (broken2, arm2, hp2 + 1, roll2, push2, *sunders[1:])
    return Nodes(shape, places, _joined(first, second, seat))


def _joined(first: Sequence[Any], second: Sequence[Any], seat: int) -> Whole:
    """Return states made of the numbers of both duelists; those of the duelist in this seat are first."""
    return np.column_stack([*first, *second] if seat == 0 else [*second, *first])


def _asked(game: BeatGame, seat: int, kind: int) -> tuple[tuple[int, ...], Any]:
    """Return the shape of the solver's array of answers, and where in it a duelist is asked."""
    first, second = game.sides
    rolls = len(first.outcome)
    more = (1 + game.duel.sunders,) * 2 if kind == SHIELD else ()
    shape = (*game.gear, rolls, rolls, TWO, TWO, *more, *game.hp)
    broken1, arm1, broken2, arm2, roll1, roll2, _, _, *sunders, _, _ = np.indices(shape, sparse=True)
    mine, broken, arm, own, other = (
        (first, broken1, arm1, roll1, roll2) if seat == 0 else (second, broken2, arm2, roll2, roll1)
    )
    if kind == SUNDER:
        asked = mine.sunders[arm] & (own >= HIT)
    else:
        asked = mine.may_break[broken] & (other >= HIT)
        for side, chosen, roll, weapon in zip(game.sides, sunders, (roll1, roll2), (arm1, arm2), strict=True):
            asked = asked & ((chosen == 0) | (side.sunders[weapon] & (roll >= HIT)))
    return shape, np.broadcast_to(asked, shape)


class NetworkPlayer(BeatPlayer):
    """A player of a network's mixes in a duel in beats."""

    def __init__(self, game: Game, network: Network) -> None:
        """Bind the player to a game, and read the chances of its blows from the rules."""
        self.network = network
        super().__init__(game)

    @cached_property
    def _played(self) -> BeatNetwork:
        return BeatNetwork(self.duel, self.network.policy)

    def solve(self) -> None:
        """Solve nothing: the network plays."""

    def mix_of(self, seat: int, left: int, flags: list[int], hp: list[int]) -> Any:
        """Return the network's chances of the choices."""
        return self._ask(seat, CHOOSE, left, [(*flags[:3], hp[0] + 1), (*flags[3:], hp[1] + 1)])

    def chance_of(self, seat: int, left: int, answer: str, place: tuple[int, ...], hp: list[int]) -> float:
        """Return the network's chance of an answer to a hit."""
        gear, (roll1, roll2, push1, push2), sunders = place[:4], place[4:8], place[8:] or (0, 0)
        kind = SUNDER if answer == "sunder" else SHIELD
        numbers = 5 if kind == SUNDER else 6
        first = (*gear[:2], hp[0] + 1, roll1, push1, sunders[0])
        second = (*gear[2:], hp[1] + 1, roll2, push2, sunders[1])
        return float(self._ask(seat, kind, left, [first[:numbers], second[:numbers]])[1])

    def _ask(self, seat: int, kind: int, left: int, sides: list[tuple[int, ...]]) -> Any:
        state = np.array([[*sides[seat], *sides[1 - seat], left]])
        return self._played.mixes(seat, kind, state)[0]

    def beat_policy(self, seat: int) -> Policy:
        """Return the policy of a duelist in every state, for exact solvers."""
        return self._played.policy(seat)


def why_not(fits: Mapping[str, Any], game: Game) -> str | None:
    """Return why a network of a card cannot play a game, as a clause, or None if it can."""
    return why_not_solved(game) or why_other_rules(fits["rules"], game.rules, ignored=(*FREE, "beat_cap"))


def caution(home: frozenset[str], game: Game) -> str | None:
    """Return a warning about a duel that the network was not trained on, as a clause, or None."""
    if game.scenario_digest in home:
        return None
    return "it was trained on other duels, so how well it plays here is not known"


def read_beats(card: Mapping[str, Any], network: Network, levels: Mapping[str, Level]) -> Agent:
    """Return the agent of a card with weights for duels in beats; raise ValueError if its network has other sizes."""
    sizes = network.policy.sizes
    if (sizes[0], sizes[-1]) != (COLUMNS, len(OUTPUTS)):
        raise ValueError(f"its network reads {sizes[0]} numbers and gives {sizes[-1]}")
    duels = card["training"].get("duels") if isinstance(card.get("training"), dict) else None
    if not isinstance(duels, list) or not all(isinstance(digest, str) for digest in duels):
        raise ValueError("the digests of its duels are missing")
    return Agent(
        card["id"],
        escaped(card["description"]),
        partial(NetworkPlayer, network=network),
        why_unsupported=partial(why_not, card["fits"]),
        caution=partial(caution, frozenset(duels)),
        levels=levels,
        games=GAMES,
    )
