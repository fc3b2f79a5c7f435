"""One against two, solved exactly: a bridge from the duel to team play, under the profile "plain", without a map.

The pair decides as one player: it may correlate all choices, as under control="team". The game is zero-sum between the
pair and the single fighter, the solo. A state is the hit points and heart dice of all three. A round has these steps:

- Help: in the action phase each of the pair may openly help the other. Attacks cost no action, so only the number of
  windows limits help.
- Stances: the solo's four against the pair's sixteen.
- Cunning, agility, might: in each phase the fighters in its stance choose simultaneously, each side jointly, whether
  and whom to attack. Then dice are rolled openly. Then all hurt fighters choose simultaneously whether to shrug off
  their hits. A fighter may be hurt by two at once. A fighter that is down at a phase's end takes no part in the next.

Every hit lowers hit points, so each state is solved once, in the order of hit points. Within a state, phases are
solved from the last to the first. A round in which no fighter is hurt leads back to its state; the state's value is the
v for which the round is worth v. The round cap is ignored, or counted exactly for each number of rounds left.

The order in which two hits of a phase reach the solo (R-26) does not matter here: their sizes are known, and only the
choice of hits to shrug off counts. Help is used up by the next roll, including a roll for timing (R-31, R-45).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.layers import Layers, check_memory, layers_of, solve_layers
from heartrush_env.research.teams.fight import TeamFight, read_team_fight
from heartrush_env.research.teams.kernel import PAIRS, TRIPLES, N, solve_states
from heartrush_env.research.zero_sum import Floats, SolverError

MEMORY = 2 * 2**30  # default memory limit for a solution in bytes

TeamState = tuple[int, int, int, int, int, int]  # hit points, then heart dice by their sides: solo, first, second


@dataclass(eq=False)
class TeamTable(Layers):
    """The solution of every state of one against two, for a pair that decides as one player."""

    fight: TeamFight
    rounds: int | None  # the cap, if it counts: layer t has t rounds left; otherwise one layer without a cap
    values: Floats  # (layers, hp x 3, hearts x 3): the solo's P(win) - P(loss)
    phases: Floats  # (layers, 2, hp x 3, hearts x 3, helped, stances of all): values before might and agility
    solo: Floats  # (layers, hp x 3, hearts x 3, helped, stances): the solo's mix
    pair: Floats  # (layers, ..., helped, 16): the pair's joint mix, 4 * first + second
    help: NDArray[np.int8]  # (layers, ...): which of the pair are helped: 1 the first, 2 the second, 3 both
    certificate: float = 0.0  # the most that a side could gain by other stances in any single round

    @classmethod
    def empty(cls, fight: TeamFight, rounds: int | None) -> TeamTable:
        """Return an empty solution."""
        layers, shape, helped = layers_of(rounds), fight.shape, fight.helped
        return cls(
            fight,
            rounds,
            np.zeros((layers, *shape)),
            np.zeros((layers, 2, *shape, helped, TRIPLES)),
            np.zeros((layers, *shape, helped, N)),
            np.zeros((layers, *shape, helped, PAIRS)),
            np.zeros((layers, *shape), np.int8),
        )

    @property
    def start(self) -> tuple[int, ...]:
        """The state at the start of the fight."""
        return self.fight.start

    def place(self, state: TeamState) -> tuple[int, ...]:
        """Return the index of a state in a layer; raise SolverError if the fight has no such state."""
        hearts = self.fight.hearts
        known = all(0 <= hp <= most for hp, most in zip(state[:3], self.fight.hp, strict=True))
        if not known or any(die not in ladder for die, ladder in zip(state[3:], hearts, strict=True)):
            raise SolverError(
                f"Expected a state with hit points from 0 to {self.fight.hp} and heart dice {hearts}, got {state}."
            )
        dice = [
            0 if hp == 0 else ladder.index(die) for hp, die, ladder in zip(state[:3], state[3:], hearts, strict=True)
        ]
        return (*state[:3], *dice)

    def helps(self, state: TeamState, rounds_left: int | None = None) -> tuple[bool, bool]:
        """Return whether the pair helps its first and its second fighter in the action phase."""
        chosen = int(self.help[self.layer(rounds_left)][self.place(state)])
        return bool(chosen & 1), bool(chosen & 2)

    def mixes(
        self, state: TeamState, helped: tuple[bool, bool] | None = None, rounds_left: int | None = None
    ) -> tuple[Floats, Floats]:
        """Return the solo's mix of stances, (4,), and the pair's joint mix, (first's stance, second's stance).

        The mixes apply after the help `helped`, by default the best help. A fighter that is down counts as defensive.
        """
        given = self.helps(state, rounds_left) if helped is None else helped
        at = (self.layer(rounds_left), *self.place(state), given[0] + 2 * given[1])
        solo, pair = self.solo[at], self.pair[at]
        return solo / solo.sum(), (pair / pair.sum()).reshape(N, N)

    # -- solving -------------------------------------------------------------------------------------------------------

    def arrays(self) -> dict[str, Any]:
        """Return all arrays by name."""
        return {name: getattr(self, name) for name in ("values", "phases", "solo", "pair", "help")}

    def solve_part(self, *key: int) -> float:
        """Solve all states of a layer and return the largest gap of any stance game."""
        layer = key[0]
        here, written = self.values[layer], (self.phases[layer], self.solo[layer], self.pair[layer], self.help[layer])
        return float(solve_states(here, self.after(layer), self.rounds is None, *written, self.fight.arrays))


def solve_team(
    game: HeartRush | Scenario | str, *, with_cap: bool = False, memory: int = MEMORY, progress: Any = None
) -> TeamTable:
    """Solve one against two without a map under the profile "plain", for a pair that decides as one player.

    Args:
        game: A game with full decisions, or a scenario, by name or loaded.
        with_cap: Whether to count the round cap exactly, which multiplies time and memory by the number of rounds.
        memory: Limit in bytes for the solution; SolverError if it needs more.
        progress: Called with the number of layers solved and the total.
    """
    fight = read_team_fight(game)
    rounds = fight.max_rounds if with_cap else None
    each = 8 + 1 + fight.helped * (8 * (N + PAIRS) + 8 * 2 * TRIPLES)  # bytes
    check_memory(fight, rounds, int(np.prod(fight.shape)) * layers_of(rounds) * each, memory)
    table = TeamTable.empty(fight, rounds)
    if rounds is not None:
        table.values[0] = fight.at_cap()
    return solve_layers(table, progress)
