"""An agent that plays the exact solution of its duel, computed when its first player is made.

No enemy gains against it, and it gains nothing from the habits of others either: against an equilibrium, everything
except hiding and bad shrugs has the same value.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, cast

import numpy as np
from numpy.typing import NDArray

from heartrush_agents.base import AgentError, Player, Probabilities
from heartrush_agents.heart_rush.bots.scripted import RandomPlayer
from heartrush_agents.heart_rush.tables import Features, layout, scenario_of
from heartrush_env.games.heart_rush.encoding.moment import MOST_ROUNDS
from heartrush_env.games.heart_rush.encoding.view import Columns, lasting
from heartrush_env.games.heart_rush.rules.cunning import CUNNING_LEVELS, IMPAIRING
from heartrush_env.games.heart_rush.rules.terms import CONDITIONS, CUNNING, STANCES
from heartrush_env.research.classic.turns import ALONE, ANSWER
from heartrush_env.tabletop.game import Event, Game, Observation

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush
    from heartrush_env.research.classic.solve import ClassicTable
    from heartrush_env.research.duel import Duel
    from heartrush_env.research.levels.table import LevelsTablebase
    from heartrush_env.research.tablebase import Tablebase, Whole

ERROR = 0.2  # fraction of random decisions in the equilibrium with an error


def why_unsupported(game: Game) -> str | None:
    """Return why a game cannot be solved, as a clause, or None if it can."""
    from heartrush_env.research import duel  # compiled code, loaded when it is needed
    from heartrush_env.research.classic import solve as classic

    if has_turns(game):
        return classic.why_unsupported(cast("HeartRush", game))
    return duel.why_unsupported(cast("HeartRush", game))


def has_turns(game: Game) -> bool:
    """Return whether sides take turns in a game, as in the classic edition."""
    return game.name == "heart_rush" and cast("HeartRush", game).edition.turns


def make(game: Game) -> Player:
    """Return a player of the game's solution, whether its sides take turns or not."""
    return ClassicEquilibriumPlayer(game) if has_turns(game) else EquilibriumPlayer(game)


@lru_cache(maxsize=8)
def solution(game: HeartRush) -> Tablebase:
    """Return the solution of a game, computed once."""
    from heartrush_env.research.solve import solve

    return solve(game)


@lru_cache(maxsize=8)
def classic_solution(game: HeartRush) -> ClassicTable:
    """Return the solution of a classic game, computed once."""
    from heartrush_env.research.classic.solve import solve_classic

    return solve_classic(game)


class SeatedView:
    """A view of a duel that finds the seat, the state and the rounds left in observations of either seat."""

    def __init__(self, game: Game, duel: Duel, rounds: int | None, who: str) -> None:
        """Store the columns of a game; `rounds` is the round cap if it counts, and `who` is named in errors."""
        if rounds is not None and game.options["memory"] == 0:
            raise AgentError(
                f"{who} cannot take a seat at {game.scenario_name!r}: the round cap of {rounds} matters, but memory=0 "
                "does not show the round."
            )
        self.layout, self.duel, self.rounds = layout(game.action_names, game.feature_names), duel, rounds
        feature, names = self.layout.feature, game.feature_names
        self._fields = Columns(names, ("self hp", "enemy 1 hp", "self heart", "enemy 1 heart"))
        self._stances = [[feature[f"{who} stance {stance}"] for stance in STANCES] for who in ("self", "enemy 1")]
        self._levels = [Columns(names, [f"{who} {CONDITIONS[k]}" for k in IMPAIRING]) for who in ("self", "enemy 1")]
        self._left = Columns(names, "rounds_left")
        self._lasting = lasting(names)
        batch = game.batch(1)
        batch.start([0], 0, [0])
        self._looks = batch.observations[0][:, self._lasting].copy()  # (seats, lasting)
        self._most = np.array([(sheet.hp_now, sheet.heart_now) for sheet in scenario_of(game).fighters])

    def stances(self, features: Features) -> tuple[Whole, Whole]:
        """Return the stances of the viewer and its opponent this round, (n,) each; they count only after the reveal."""
        own, other = (features[:, shown].argmax(axis=1) for shown in self._stances)
        return own, other

    def is_revealed(self, features: Features) -> NDArray[np.bool_]:
        """Return whether the stances of this round are revealed, (n,)."""
        return np.asarray(features[:, self._stances[0]].any(axis=1))

    def where(self, features: Features) -> tuple[Whole, Whole, Whole]:
        """Return the seats of these observations, their state indices in a table, and the table's layers.

        A layer is the number of rounds left, or 0 if they do not count. Starting values distinguish equal fighters as
        far as possible.
        """
        shown = self._fields.of(features)
        fits = np.zeros((2, len(features)), np.bool_)
        for seat in (0, 1):  # a seat fits if both fighters have at most their starting values
            (hp, heart), (other_hp, other_heart) = self._most[seat], self._most[1 - seat]
            fits[seat] = (shown <= [hp, other_hp, heart, other_heart]).all(axis=1)
        fits[0] |= ~fits.any(axis=0)
        unlike = np.abs(self._looks[:, None] - features[:, self._lasting]).sum(axis=2)
        seats = np.where(fits, unlike, np.inf).argmin(axis=0)
        both = [levels.of(features) for levels in self._levels]
        for pair in (shown[:, :2], shown[:, 2:]):
            pair[seats == 1] = pair[seats == 1, ::-1]
        levels = [np.where(seats[:, None] == 0, mine, theirs) for mine, theirs in (both, both[::-1])]
        return seats, self.duel.places(shown, *levels), self._layers(features)

    def _layers(self, features: Features) -> Whole:
        if self.rounds is None:
            return np.zeros(len(features), np.int64)
        later, begun = self._left.of(features), self.layout.round.of(features)
        later = np.where(later >= MOST_ROUNDS, self.rounds - begun, later)  # the feature is capped here
        layers: Whole = np.minimum(self.rounds, later + 1)
        return layers


class EquilibriumPlayer(Player):
    """A player of the tablebase's mixes of stances, choices of levels, and shrugs."""

    def __init__(self, game: Game) -> None:
        """Bind the player to a game and solve its duel."""
        super().__init__(game)
        self.table = self.solve(cast("HeartRush", game))
        self._view = SeatedView(game, self.table.duel, self.table.rounds, "The agent 'equilibrium'")
        self._layout = self._view.layout
        self._naming = np.array([self._layout.action[_attack(code)] for code in range(len(CUNNING_LEVELS))])
        self._named: dict[str, int] | None = None  # the levels of the last attack, if events show them

    def solve(self, game: HeartRush) -> Tablebase:
        """Return the table that the player uses."""
        return solution(game)

    def new_fight(self) -> None:
        """Forget the levels named in the last fight."""
        self._named = None

    def observe(self, events: Sequence[Event]) -> None:
        """Note the levels named with attacks, which observations do not show."""
        for event in events:
            if event["type"] == "attack":
                self._named = dict(event["levels"])

    def policy(self, observation: Observation) -> Probabilities:
        """Return the solution's policy for one observation."""
        answer = self._answer(observation["observation"][None], observation["action_mask"][None], self._named)
        row: Probabilities = answer[0]
        return row

    def policies(self, features: Features, masks: NDArray[np.int8]) -> Probabilities:
        """Return policies (n, actions) for features (n, features) and masks (n, actions), without named levels."""
        return self._answer(features, masks, None)

    def _answer(self, features: Features, masks: NDArray[np.int8], named: dict[str, int] | None) -> Probabilities:
        """Return the solution's policies for many observations, (n, actions).

        `named` are the levels of the last attack, or None if unknown.
        """
        layout, chances = self._layout, np.zeros(masks.shape)
        forced = masks.sum(axis=1) == 1
        chances[forced] = masks[forced] != 0
        seats, places, layers = self._view.where(features)
        own, other = self._view.stances(features)
        for seat in (0, 1):
            here = ~forced & (seats == seat)
            takes, answers = masks[:, layout.stances[0]] != 0, masks[:, layout.shrug] != 0
            rows = np.flatnonzero(here & takes)
            if len(rows):
                chances[rows[:, None], layout.stances] = self.table.mixes_at(seat, places[rows], layers[rows])
            rows = np.flatnonzero(here & answers)
            if len(rows):
                hits = layout.hit.of(features[rows])
                codes = self._codes(1 - seat, places[rows], layers[rows], other[rows], own[rows], named)
                shrugs = self.table.shrugs_at(seat, places[rows], layers[rows], hits, codes)
                chances[rows, np.where(shrugs, layout.shrug, layout.take)] = 1.0
            strikes = masks[:, layout.attacks[0]] != 0
            chances[here & ~takes & ~answers & ~strikes, layout.passes] = 1.0  # never yield: it loses the duel
            rows = np.flatnonzero(here & strikes)
            if len(rows):
                where = places[rows], layers[rows]
                attacks = self.table.attacks_at(seat, *where, own[rows], other[rows])
                chances[rows, self._naming[self._codes(seat, *where, own[rows], other[rows])]] = attacks
                chances[rows, layout.passes] = 1.0 - attacks
        return chances

    def _codes(
        self, seat: int, places: Whole, layers: Whole, own: Whole, other: Whole, named: dict[str, int] | None = None
    ) -> Whole:
        """Return the codes of the levels that a seat names with its attacks: observed, or from the solution."""
        codes = np.zeros(len(places), np.int64)
        if places.shape[1] > 4:  # a duel with levels
            if named is not None:
                wanted = np.array([named.get(CONDITIONS[k], 0) for k in IMPAIRING])
                codes[:] = np.flatnonzero((wanted == CUNNING_LEVELS).all(axis=1))[0]
            else:
                rows = np.flatnonzero(own == CUNNING)
                table = cast("LevelsTablebase", self.table)
                codes[rows] = table.names_at(seat, places[rows], layers[rows], other[rows])
        return codes


class ClassicEquilibriumPlayer(EquilibriumPlayer):
    """A player of classic duels: it engages or passes, and fights each engagement by the actions left."""

    def __init__(self, game: Game) -> None:
        """Bind the player to a game and solve its duel."""
        super().__init__(game)
        self._engage, self._actions = (
            self._layout.action["engage 1"],
            Columns(game.feature_names, ("self action", "enemy 1 action")),
        )

    def solve(self, game: HeartRush) -> Tablebase:
        """Return the table of an engagement after which no fighter has an action left."""
        self.classic = classic_solution(game)
        return self.classic.engagements[-1]

    def _answer(self, features: Features, masks: NDArray[np.int8], named: dict[str, int] | None) -> Probabilities:
        """Return the policies, (n, actions), from the engagement tables and the solution's choice to engage or pass."""
        seats, places, layers = self._view.where(features)
        own, other = self._actions.of(features).T
        left = np.where(own > 0, seats, np.where(other > 0, 1 - seats, len(self.classic.engagements) - 1))
        chances = np.zeros(masks.shape)
        for kind, table in enumerate(self.classic.engagements):  # the last table is the one from `solve`
            self.table = table
            rows = np.flatnonzero(left == kind)
            chances[rows] = super()._answer(features[rows], masks[rows], named)
        rows = np.flatnonzero(masks[:, self._engage] != 0)
        moments = np.where(other[rows] > 0, ANSWER, ALONE)  # opening a round is like answering a pass
        engages = self.classic.engages[(layers[rows], seats[rows], moments, *places[rows].T)]
        chances[rows] = 0.0
        chances[rows, np.where(engages, self._engage, self._layout.passes)] = 1.0
        return chances


class ErringPlayer(Player):
    """A player of the equilibrium that takes random legal actions in a fraction of its decisions."""

    def __init__(self, game: Game) -> None:
        """Bind the player to a game and solve its duel."""
        super().__init__(game)
        self._sure, self._astray = make(game), RandomPlayer(game)

    def policy(self, observation: Observation) -> Probabilities:
        """Return the mixture of the equilibrium and the random policy."""
        chances: Probabilities = (1 - ERROR) * self._sure.policy(observation) + ERROR * self._astray.policy(observation)
        return chances


def _attack(code: int) -> str:
    """Return the name of the action that attacks with these levels."""
    words = [CONDITIONS[IMPAIRING[k]] for k in range(3) for _ in range(CUNNING_LEVELS[code, k])]
    return " ".join(["attack 1", *(["+".join(words)] if words else [])])
