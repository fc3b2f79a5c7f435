"""An agent that searches in any game of tables, without knowing its rules.

It rebuilds the position from its observation (positions.py), plays it forward with each of its choices (rollouts.py),
and drops those that do worse. Where an enemy chooses at the same time, it plays each pair of choices forward and solves
the matrix of the results, so that its choice is mixed. Its policy is a function of the observation, because a digest
of the observation seeds its random generator. With a number of roll-outs in place of milliseconds, it is reproducible.
"""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any, Final, cast

import numpy as np

from heartrush_agents.any_game.policy import Floats
from heartrush_agents.any_game.positions import ALIKE, repeated, why_unsupported
from heartrush_agents.any_game.rollouts import SLOTS, STEPS, Rehearsal, Rollouts
from heartrush_agents.any_game.thinking import ARGUMENTS, USUAL_MS, Clock, generator
from heartrush_agents.base import Agent, Player, Probabilities
from heartrush_env.research.zero_sum import solve_matrix
from heartrush_env.tabletop.game import Game, Observation
from heartrush_env.tabletop.table_game import TableGame

CHOICES_TRIED: Final = 24  # in one decision, drawn as the policy of roll-outs draws them
PICKS_TRIED: Final = 12  # for each choice that a pick completes; the pick itself is then a decision of its own
LEAST_LIKED: Final = 1e-12  # for an action that is legal in the observation, but not in the rebuilt position
MOST_CELLS: Final = 64  # of a matrix of choices; a larger one is not solved
Plan = tuple[int, ...]  # a choice, and the pick that completes it


class Searcher(Player):
    """A player that thinks about each decision within a budget; without a budget, it plays as in its roll-outs."""

    slots, rehearsed = SLOTS, STEPS  # the fights that it plays side by side, and the steps of its rehearsal

    def __init__(self, game: Game, think_ms: float = USUAL_MS, rollouts: float = 0.0) -> None:
        """Bind the player to a game.

        Args:
            game: The game.
            think_ms: Milliseconds of thinking per decision; 0 for no thinking.
            rollouts: Roll-outs per decision, in place of the milliseconds; 0 for none. Whole batches are played.
        """
        super().__init__(game)
        self._budget = think_ms, int(rollouts)
        self.rollouts = 0  # played for the last decision
        self._mind: Mind | None = None

    def __getstate__(self) -> dict[str, Any]:
        """Return the state without the rehearsal, which can be played again."""
        return {**self.__dict__, "_mind": None}

    def policy(self, observation: Observation) -> Probabilities:
        """Return the probability of each action."""
        if self._mind is None:
            self._mind = Mind(cast("TableGame", self.game), self.slots, self.rehearsed)
        self.rollouts = 0
        rng, found = generator(observation), None
        if any(self._budget):
            found = self._mind.roots(observation, rng)
        if found is None:
            return self._mind.rehearsal.policy.usual(observation["action_mask"])
        clock = Clock(*self._budget)
        probabilities = self._mind.search(*found, np.flatnonzero(observation["action_mask"]), clock, rng)
        self.rollouts = clock.rollouts
        return probabilities


class Mind:
    """The search in one game, with all that it needs: the rehearsal, and room for roll-outs."""

    def __init__(self, game: TableGame, slots: int, rehearsed: int) -> None:
        """Play the rehearsal."""
        self.rehearsal = Rehearsal(game, slots, rehearsed)
        self.game, self._choices = self.rehearsal.game, self.rehearsal.game.table.choices
        self._rollouts = Rollouts(self.game, self.rehearsal.policy, slots)

    # -- positions and plans -------------------------------------------------------------------------------------------

    def roots(self, observation: Observation, rng: np.random.Generator) -> tuple[Any, int] | None:
        """Return positions that fit the observation, and the seat that made it; None if none was found."""
        now, mask = observation["observation"], observation["action_mask"]
        picks = self._choices[int(np.flatnonzero(mask)[-1])].pick
        found = self.rehearsal.library.rebuilt(now, picks, mask)
        if found is None or not picks:
            return found
        fights, seat = found  # before the choice that the pick completes
        rollouts, batch = self._rollouts, self._rollouts.batch
        rollouts.put(repeated(fights, rollouts.slots), rng)
        rollouts.try_out(fights, seat, np.resize(np.repeat(batch.legal(0, seat), len(fights)), rollouts.slots), rng)
        same = batch.asked[:, seat] & (batch.masks[:, seat] == mask).all(axis=1)
        if not same.any():
            return None
        wrong = np.abs(batch.observations[:, seat] - now).sum(axis=1)
        return batch.records[same & (wrong < wrong[same].min() + ALIKE)].copy(), seat

    def _plans(self, fights: Any, seat: int, legal: Any, rng: np.random.Generator) -> tuple[list[Plan], Floats]:
        """Return some of the seat's plans, and the probability of each in a roll-out."""
        plans: list[Plan] = []
        shares: list[float] = []
        batch = self._rollouts.batch
        self._rollouts.put(repeated(fights[:1], self._rollouts.slots), rng)
        legal, liked = self._likely(0, seat, legal, min(CHOICES_TRIED, self._rollouts.slots), rng)
        self._rollouts.try_out(fights[:1], seat, legal, rng)
        for slot, (action, share) in enumerate(zip(legal.tolist(), liked.tolist(), strict=True)):
            picks = batch.legal(slot, seat) if batch.asked[slot, seat] and not self._choices[action].pick else []
            picks = [pick for pick in picks if self._choices[pick].pick]
            if not picks:
                plans.append((action,))
                shares.append(share)
                continue
            tried, of_it = self._likely(slot, seat, np.array(picks, np.intp), PICKS_TRIED, rng)
            plans += [(action, pick) for pick in tried.tolist()]
            shares += (share * of_it).tolist()
        return plans, np.array(shares)

    def _likely(self, slot: int, seat: int, actions: Any, most: int, rng: np.random.Generator) -> tuple[Any, Floats]:
        """Draw at most this many of a seat's legal actions, and return them with their probabilities in a roll-out."""
        likes = np.maximum(self._rollouts.policy.likes(self._rollouts.batch, slot, seat)[actions], LEAST_LIKED)
        shares = likes / likes.sum()
        kept = rng.choice(len(actions), most, replace=False, p=shares) if len(actions) > most else slice(None)
        return actions[kept], shares[kept]

    def _answers(self, fights: Any, seat: int, plans: int, rng: np.random.Generator) -> list[dict[int, int]]:
        """Return the enemies' joint choices in this window; one empty choice if there are none or too many."""
        self._rollouts.put(repeated(fights, self._rollouts.slots), rng)
        batch, team_of = self._rollouts.batch, self.game.team_of
        enemies = [other for other in np.flatnonzero(batch.asked[0]).tolist() if team_of[other] != team_of[seat]]
        legal = [batch.legal(0, enemy) for enemy in enemies]
        if not enemies or plans * prod(map(len, legal)) > MOST_CELLS:
            return [{}]
        return [dict(zip(enemies, joint, strict=True)) for joint in product(*legal)]

    # -- the search ----------------------------------------------------------------------------------------------------

    def search(self, fights: Any, seat: int, legal: Any, clock: Clock, rng: np.random.Generator) -> Probabilities:
        """Return the policy that does best in roll-outs.

        Args:
            fights: The positions that the seat may be in.
            seat: The seat.
            legal: Its legal actions.
            clock: The clock of the decision.
            rng: For everything that is drawn.
        """
        plans, shares = self._plans(fights, seat, legal, rng)
        answers = self._answers(fights, seat, len(plans), rng)
        results = np.zeros((3, len(plans), len(answers)))  # counts, sums, and sums of squares
        lives = np.arange(len(plans))
        while len(plans) > 1 and (clock.share < 1 or clock.rollouts == 0):
            self._play_some(fights, seat, plans, answers, lives, results, rng)
            clock.rollouts += self._rollouts.slots
            if len(answers) == 1:  # drop plans that do worse, in equal steps down to the last one
                kept = max(1, int(np.ceil(len(plans) ** (1 - clock.share))))
                lives = lives[np.argsort(-grades(results[:, :, 0], shares)[lives], kind="stable")[:kept]]
        probabilities: Probabilities = np.zeros(len(self.game.action_names))
        if len(answers) == 1:
            probabilities[plans[lives[0]][0]] = 1.0
        else:
            mix = solve_matrix(results[1] / np.maximum(results[0], 1)).row
            np.add.at(probabilities, [plan[0] for plan in plans], mix)
        return probabilities

    def _play_some(
        self, fights: Any, seat: int, plans: list[Plan], answers: list[dict[int, int]], lives: Any,
        results: Floats, rng: np.random.Generator,
    ) -> None:  # fmt: skip
        """Play one batch of roll-outs, spread over pairs of remaining plans and answers, and add them to `results`."""
        slots = self._rollouts.slots
        cells = rng.permutation(np.array(list(product(lives.tolist(), range(len(answers))))))[:slots]
        scripts = self._rollouts.free_scripts(max(map(len, plans)))
        rows, columns = cells[np.arange(slots) % len(cells)].T
        for slot, (row, column) in enumerate(zip(rows.tolist(), columns.tolist(), strict=True)):
            scripts[slot, seat, : len(plans[row])] = plans[row]
            for other, action in answers[column].items():
                scripts[slot, other, 0] = action
        roots = np.repeat(rng.integers(len(fights), size=slots), len(cells))[:slots]
        worth = self._rollouts.play(fights[roots], scripts, seat, rng, len(cells))
        for power in range(3):
            np.add.at(results[power], (rows, columns), worth**power)


def grades(results: Floats, shares: Floats) -> Floats:
    """Return the grades of plans: their results in standard errors, plus the logarithms of their shares.

    With few roll-outs the shares decide; the more roll-outs, the more the results count.

    Args:
        results: The counts, sums and sums of squares of each plan's results, (3, plans).
        shares: The probability of each plan in a roll-out.
    """
    counts, sums, squares = results
    number = max(counts.sum(), 1)
    mean = sums.sum() / number
    spread = np.sqrt(max(squares.sum() / number - mean**2, 1e-12))
    found: Floats = (sums - counts * mean) / np.sqrt(np.maximum(counts, 1)) / spread + np.log(shares)
    return found


SEARCHER = Agent(
    "searcher",
    "Plays the fight on by its rules, in many roll-outs from what it sees, before it decides.",
    Searcher,
    why_unsupported=why_unsupported,
    arguments=ARGUMENTS,
)
