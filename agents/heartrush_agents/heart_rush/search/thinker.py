"""A player that searches with the engine: it plays positions forward and compares the results.

In a stance window it plays each pair of its own and its main enemy's stances forward, and solves the matrix of the
results as a zero-sum game. In other windows it compares a short list of actions. It knows only what its seat sees
(positions.py). Its policy is a function of the observation, because a digest of the observation seeds its random
generator. With a budget of roll-outs in place of milliseconds, its play is reproducible.

It may search with another agent, its base. It then thinks only about its stances, expects all other fighters to mix
their stances as that agent would in their positions, and leaves all other windows to that agent. Without a base it
expects mixes that are calculated from the dice of one round.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, Final, cast

import numpy as np

from heartrush_agents.any_game import thinking
from heartrush_agents.any_game.thinking import USUAL_MS, Clock, generator
from heartrush_agents.base import Agent, Argument, Player, Probabilities
from heartrush_agents.heart_rush.search.plans import Plans
from heartrush_agents.heart_rush.search.positions import Positions, why_unsupported
from heartrush_agents.heart_rush.search.rollouts import Actions, Floats, Rollouts, drawn
from heartrush_agents.heart_rush.search.stances import IN_ADVANCE, OF_A_BASE, Mixes, estimated
from heartrush_agents.heart_rush.tables import HEART_RUSH
from heartrush_agents.heart_rush.tactics.default_policy import layout_of
from heartrush_agents.heart_rush.tactics.tactician import TacticalPlayer
from heartrush_agents.vector_player import BatchPolicy
from heartrush_env.games.heart_rush.rules.terms import STANCES
from heartrush_env.research.zero_sum import solve_matrix
from heartrush_env.tabletop.game import ByteArray, FloatArray, Game, Observation, policies_of, policy_of
from heartrush_env.tabletop.registry import open_game

if TYPE_CHECKING:
    from heartrush_env.games.heart_rush.game import HeartRush

TRUST: Final = 0.7  # trust in the stances that the enemy has shown
DOUBT: Final = 2.5  # standard errors by which a plan must be better than the tactician's
HOPELESS: Final = 3.0  # standard errors by which a plan must be worse than another to be dropped
N_STANCES: Final = len(STANCES)
PAIRS: Final = N_STANCES * N_STANCES

PREFIX = "thinker:"
ARGUMENTS: Mapping[str, Argument] = {
    **thinking.ARGUMENTS,
    "trust": Argument(0, 1, TRUST, "Share of its enemy's stances that it expects to resemble the earlier ones."),
}


def thinker_with(base: Agent) -> Agent:
    """Return a thinker that searches with the agent `base`."""
    return Agent(
        f"{PREFIX}{base.id}",
        f"Plays the fight on in its mind before it decides, and expects stances like those of {base.id}.",
        partial(ThinkingPlayer, base=base),
        why_unsupported=partial(why_not_with, base),
        arguments=ARGUMENTS,
        games=HEART_RUSH,
    )


def read(text: str, load: Callable[[str], Agent]) -> Agent | None:
    """Return the thinker with the agent whose id follows the prefix; None if there is an @, for the thinker's words."""
    return None if "@" in text else thinker_with(load(text))


def why_not_with(base: Agent, game: Game) -> str | None:
    """Return why the thinker cannot search with an agent in a game, as a clause, or None if it can."""
    found = why_unsupported(game) or base.plays(game)
    if found is None and base.seat(game).memory == "match":
        found = f"it can search only with agents that decide by what they see, and {base.id} remembers its fights"
    return found


class ThinkingPlayer(Player):
    """A player that thinks about each decision within a budget; without a budget, it plays as in its roll-outs."""

    def __init__(
        self,
        game: Game,
        think_ms: float = USUAL_MS,
        rollouts: float = 0.0,
        trust: float = TRUST,
        base: Agent | None = None,
    ) -> None:
        """Bind the player to a game.

        Args:
            game: The game.
            think_ms: Milliseconds of thinking per decision; 0 for no thinking.
            rollouts: Roll-outs per decision, in place of the milliseconds; 0 for none.
            trust: The fraction of the enemy's choices that it expects to follow past ones, from 0 to 1.
            base: The agent to search with, which must decide by its observation alone.
        """
        super().__init__(game)
        self._base = None if base is None else base.seat(game)
        self._budget, self.trust = (think_ms, int(rollouts)), trust
        self.rollouts = 0  # roll-outs played for the last decision
        self._layout, self._tactician = layout_of(game), TacticalPlayer(game)
        self._mixes, self._plans = Mixes(game), Plans(game)
        self._mind: tuple[Positions, Rollouts] | None = None

    def policy(self, observation: Observation) -> Probabilities:
        """Return a mix of stances in a stance window; in other windows, a single action or the base's policy."""
        features, mask = observation["observation"], observation["action_mask"]
        self.rollouts = 0
        stances = mask[self._layout.stances[0]]
        if self._base is not None and not (stances and any(self._budget)):
            return policy_of(self._base, observation)
        probabilities: Probabilities = np.zeros(len(mask))
        if stances:
            probabilities[self._layout.stances] = self._mix(observation)
        else:
            first = int(self._tactician.choices(features[None], mask[None])[0])
            probabilities[self._choice(observation, first)] = 1.0
        return probabilities

    def policies(self, features: FloatArray, masks: ByteArray) -> Probabilities:
        """Return the policies for many observations, computed one by one, (n, actions)."""
        rows = [
            self.policy({"observation": seen, "action_mask": mask}) for seen, mask in zip(features, masks, strict=True)
        ]
        return np.array(rows).reshape(masks.shape)

    # -- stances -------------------------------------------------------------------------------------------------------

    def _mix(self, observation: Observation) -> Floats:
        """Return the probability of each stance."""
        features = observation["observation"]
        clock, rng = Clock(*self._budget), generator(observation)
        fights = self._rebuilt(features, rng)
        if fights is None:
            mixes = self._expected_mixes(features[None], observation["action_mask"][None])
            return cast(Floats, mixes[0])
        positions, rollouts = self._search_tools()
        seat, place = positions.seat_of(features), self._layout.weakest_enemy(features)
        enemy = int(fights[0].fighters[seat].enemies[place])
        mixes = self._expected_mixes(*positions.shown)
        own, other = np.divmod(np.arange(PAIRS), N_STANCES)
        found = []
        while clock.goes_on():
            each = rollouts.spread(fights, rng, PAIRS)
            stances = np.resize(drawn(mixes, each, rng), (rollouts.slots, len(mixes)))
            stances[: PAIRS * each, seat] = np.repeat(own, each)
            stances[: PAIRS * each, enemy] = np.repeat(other, each)
            found.append(rollouts.play(self._layout.stances[stances], mixes, seat, rng, PAIRS, each))
            clock.rollouts += PAIRS * each
        self.rollouts = clock.rollouts
        worth = np.concatenate(found, axis=1)
        error = float(np.sqrt(worth.var(axis=1).mean() / worth.shape[1]))
        means = worth.mean(axis=1).reshape(N_STANCES, N_STANCES)
        in_advance, enemies = IN_ADVANCE if self._base is None else OF_A_BASE, fights[0].fighters[seat].enemies
        expects = {
            other: self._mixes.expected(features, other, mixes[enemies[other]], in_advance)
            for other in self._layout.faced(features).nonzero()[0].tolist()
        }
        worths = estimated(means, error, self._stakes(features, place, expects))
        return response(worths, expects[place], self.trust)

    def _stakes(self, features: FloatArray, place: int, expects: Mapping[int, Floats]) -> Floats:
        """Return the worth of each pair of own and main-enemy stances in the next round, (own stances, its stances).

        Each own stance also gets its expected worth against every other enemy faced; `expects` has their mixes by
        index.
        """
        stakes = self._mixes.stakes(features, place)
        for other in expects:
            if other != place:
                stakes += (self._mixes.stakes(features, other) @ expects[other])[:, None]
        return stakes

    def _expected_mixes(self, seen: FloatArray, masks: ByteArray) -> Floats:
        """Return the expected stance mixes of all seats, (seats, stances): the base's where a stance is chosen now."""
        mixes = self._mixes.of(seen)
        asked = masks[:, self._layout.stances].any(axis=1)
        if self._base is not None and asked.any():
            mixes[asked] = self._of_base(self._base, seen[asked], masks[asked])[:, self._layout.stances]
            mixes[asked] /= mixes[asked].sum(axis=1, keepdims=True)
        return mixes

    @staticmethod
    def _of_base(base: Player, seen: FloatArray, masks: ByteArray) -> Probabilities:
        """Return the policies of the agent to search with, in one call if it decides for many observations at once."""
        if isinstance(base, BatchPolicy):
            return policies_of(base, seen, masks)
        views = zip(seen, masks, strict=True)
        return np.array([policy_of(base, {"observation": one, "action_mask": mask}) for one, mask in views])

    # -- other windows -------------------------------------------------------------------------------------------------

    def _choice(self, observation: Observation, first: int) -> int:
        """Return the best of a few plans: the first, which is the tactician's, unless another is clearly better."""
        plans = self._plans.of(observation, first)
        if len(plans) < 2:
            return first
        features, clock, rng = observation["observation"], Clock(*self._budget), generator(observation)
        fights = self._rebuilt(features, rng)
        if fights is None:
            return first
        positions, rollouts = self._search_tools()
        seat, (seen, masks) = positions.seat_of(features), positions.shown
        if not masks[seat, plans].all():
            return first
        mixes, expected = self._mixes.of(seen), self._expected(seen, masks, seat)
        gains: list[list[Floats]] = [[] for _ in plans]  # gains over the first plan
        lives = list(range(len(plans)))
        while len(lives) > 1 and clock.goes_on():
            each = rollouts.spread(fights, rng, len(lives))
            actions = np.tile(expected, (rollouts.slots, 1))
            actions[: len(lives) * each, seat] = np.repeat(np.array(plans)[lives], each)
            worth = rollouts.play(actions, mixes, seat, rng, len(lives), each)
            for row, plan in enumerate(lives):
                gains[plan].append(worth[row] - worth[0])
            clock.rollouts += len(lives) * each
            lives = promising(lives, gains)
        self.rollouts = clock.rollouts
        sure = {plan: mean - DOUBT * error for plan in lives[1:] for mean, error in [mean_and_error(gains[plan])]}
        best = max(sure, key=lambda plan: sure[plan], default=0)
        return plans[best] if sure.get(best, 0.0) > 0 else first

    def _expected(self, seen: FloatArray, masks: ByteArray, seat: int) -> Actions:
        """Return the expected choices of all seats, (seats,): the tactician's attacks and shrugs, else the defaults."""
        chosen: Actions = masks.argmax(axis=1).astype(np.int64)
        asked = np.flatnonzero((masks.sum(axis=1) > 1) & (np.arange(len(masks)) != seat))
        if len(asked):
            strikes = bool(masks[asked][:, [*self._layout.attacks, self._layout.shrug]].any())
            choices = self._tactician.choices if strikes else self._layout.defaults
            chosen[asked] = choices(seen[asked], masks[asked])
        return chosen

    # -- caching -------------------------------------------------------------------------------------------------------

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the search's objects, which hold nothing between two decisions."""
        return {**self.__dict__, "_mind": None}

    def _search_tools(self) -> tuple[Positions, Rollouts]:
        """Return the search's positions and roll-outs, created when the player first thinks."""
        if self._mind is None:
            game = cast("HeartRush", self.game)
            options = {"shape": game.shape.name, "memory": game.memory}
            same = cast("HeartRush", open_game({"scenario": game.scenario, **options}))
            self._mind = Positions(same), Rollouts(same)
        return self._mind

    def _rebuilt(self, features: FloatArray, rng: np.random.Generator) -> Any:
        """Return the rebuilt position, or None if it cannot be rebuilt or there is no budget."""
        return self._search_tools()[0].rebuilt(features, rng) if any(self._budget) else None


def response(worths: Floats, expects: Floats, trust: float) -> Floats:
    """Return the best mix against a player that plays as expected with probability `trust`, and freely otherwise.

    Args:
        worths: The worth of each pair of stances, (own stances, the other's).
        expects: The expected probabilities of the other's stances.
        trust: From 0, for an equilibrium, to 1, for the best reply to the expected stances.
    """
    mix: Floats = solve_matrix((1 - trust) * worths + trust * (worths @ expects)[:, None]).row
    mix /= mix.sum()
    return mix


def promising(lives: Sequence[int], gains: Sequence[Sequence[Floats]]) -> list[int]:
    """Return the plans that may still be the best; the first always stays, because all are compared with it."""
    found = {plan: mean_and_error(gains[plan]) for plan in lives}
    best = max(mean - HOPELESS * error for mean, error in found.values())
    return [plan for plan, (mean, error) in found.items() if plan == 0 or mean + HOPELESS * error >= best]


def mean_and_error(gains: Sequence[Floats]) -> tuple[float, float]:
    """Return the mean of all gains and its standard error."""
    every = np.concatenate(gains)
    return float(every.mean()), float(every.std() / np.sqrt(max(1, len(every) - 1)))
