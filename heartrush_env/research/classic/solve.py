"""Solution of a classic duel: engagements are the stance games of plain duels, and turns are open choices.

Acting first has no value. Let A be the value of an engagement that the first fighter begins, B the value of one that
the other begins, and R the value at the end of the round. After A the other fighter has an action left, and after B the
first, so A is at most B. The fighter that opens the round gets max(A, min(B, R)) or min(B, max(A, R)), and these are
equal. For the same reason, a fighter opens with an engagement if it would answer a pass with an engagement: if the
engagement is worth more to this fighter than the end of the round.

Without a cap, passing gains nothing either. If another engagement is worth more to a fighter than the state, the
fighter engages, and the other cannot refuse. So a state is worth as much as one engagement after another, without
passes, and that is the solution of the duel in the edition June 2025. A fighter that plays this solution engages as
long as it may. Each round then has at least one engagement, and the probability of reaching the cap is bounded as in
that edition.

Where that bound is too large, the duel is solved exactly for each number of rounds left. Excluded: everything that the
profile 'plain' excludes, settings by which one engagement of a round limits the next, and fatigue that may occur before
the duel is over.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.scenario.sheets import Scenario
from heartrush_env.research.bounds import rounds_bound
from heartrush_env.research.classic.turns import MOMENTS, on_even_chances, turns_back
from heartrush_env.research.duel import Duel, read_plain, supported, why_no_duel, without_memory
from heartrush_env.research.layers import Layers, check_memory, layers_of, solve_layers
from heartrush_env.research.plain.kernel import solve_layer
from heartrush_env.research.solve import CAP_BOUND, MEMORY, refuse_fatigue, solve_parts
from heartrush_env.research.tablebase import Flags, Tablebase, bytes_needed
from heartrush_env.research.zero_sum import Floats

PAGE = "classic"  # the page of the round that is solved here
SPENT = 2  # no seat has its action left


@dataclass(eq=False)
class ClassicTable(Layers):
    """The solution of every state of a classic duel; the value of a state applies before the roll for priority."""

    duel: Duel
    rounds: int | None  # the cap, if it matters
    values: Floats  # (layers, state): the values of rounds, before the die for priority
    engagements: tuple[Tablebase, Tablebase, Tablebase]  # by the seat that has its action left; SPENT if neither has
    opened: Floats  # (layers, seat that has priority first, state): the values of rounds
    engages: Flags  # (layers, seat, moment, state): whether it engages where it may
    certificate: float = 0.0  # the most that a side could gain by another choice in a single window
    cap_bound: float = 0.0  # maximum error of the value at the start from leaving out the cap and fatigue

    @classmethod
    def empty(cls, duel: Duel, rounds: int | None) -> ClassicTable:
        """Return an empty solution."""
        first, second, spent = (Tablebase.empty(duel, rounds) for _ in range(3))
        layers = layers_of(rounds)
        return cls(
            duel,
            rounds,
            np.zeros((layers, *duel.shape)),
            (first, second, spent),
            opened=np.zeros((layers, 2, *duel.shape)),
            engages=np.zeros((layers, 2, len(MOMENTS), *duel.shape), np.bool_),
        )

    @property
    def start(self) -> tuple[int, ...]:
        """The state at the start of the duel."""
        return self.duel.start

    @property
    def acting_first(self) -> float:
        """How much more the first fighter expects with priority in the first round than without: 0 in theory."""
        first, second = self.opened[-1]
        return float(first[self.duel.start] - second[self.duel.start])

    def engagement(self, engager: int, goes_on: bool) -> Tablebase:
        """Return the solution of an engagement that `engager` began; `goes_on`: whether the other may still engage."""
        return self.engagements[1 - engager if goes_on else SPENT]

    def arrays(self) -> dict[str, Any]:
        """Return all arrays by name, except those of engagements."""
        return {"values": self.values, "opened": self.opened, "engages": self.engages}

    def solve_part(self, *key: int) -> float:
        """Solve all turns and engagements of the round with this number of rounds left; return the largest gap."""
        (left,), duel, known, gaps = key, self.duel, dict[int, Floats](), [0.0]

        def fight(side: int, goes_on: bool, after: Floats) -> Floats:
            solution = self.engagement(side, goes_on)
            if id(solution) not in known:  # with both actions spent, it does not matter who began the engagement
                solution.values[left - 1] = after
                here = known[id(solution)] = duel.new_values()
                written = (side[left] for sides in (solution.mixes, solution.backs) for side in sides)
                gaps.append(float(solve_layer(here, after, False, duel.arrays, *written)))
            return known[id(solution)]

        def choose(side: int, moment: int, engaged: Floats, passed: Floats) -> Floats:
            better = engaged >= passed if side == 0 else engaged <= passed
            self.engages[left, side, moment] = engages = better if duel.free else np.ones_like(better)
            worth: Floats = np.where(engages, engaged, passed)
            return worth

        self.opened[left] = opened = turns_back(self.after(left), fight, choose)
        self.values[left] = on_even_chances(opened)
        return max(gaps)


def why_unsupported(game: HeartRush) -> str | None:
    """Return why a game is not a classic duel that can be solved, as a clause, or None if it is."""
    if not isinstance(game, HeartRush):
        return "only Heart Rush is solved"
    settings = game.scenario.settings
    if game.edition.page != PAGE:
        return f"sides take no turns in its edition {settings.edition!r}"
    if settings.shrug_per_round != "unlimited":
        return (
            f"the setting shrug_per_round is {settings.shrug_per_round!r}, and only 'unlimited' is solved in a round "
            "of two engagements"
        )
    return why_no_duel(game, ("plain",))


def read_classic(game: HeartRush | Scenario | str) -> Duel:
    """Return the duel of a game or scenario; raise SolverError if it is not a classic duel that can be solved."""
    return read_plain(without_memory(supported(game, why_unsupported)))


def solve_classic(
    game: HeartRush | Scenario | str, *, memory: int = MEMORY, cap_bound: float = CAP_BOUND
) -> ClassicTable:
    """Solve a classic duel without a map under the rules profile "plain".

    Args:
        game: A game with "full" or "stance" decisions, or a scenario, by name or loaded, with full decisions.
        memory: Limit in bytes for the solution.
        cap_bound: The largest allowed effect of cap and fatigue if they are left out; 0 solves every cap by rounds
            left.

    Raises:
        SolverError: The game is not supported, or needs more memory.
    """
    duel = read_classic(game)
    if cap_bound > 0 or duel.fatigue is not None:
        table = _without_cap(duel, memory, cap_bound)
        if table.cap_bound <= cap_bound:
            return table
        refuse_fatigue(duel, table.cap_bound, cap_bound)
    check_memory(duel, duel.max_rounds, 3 * bytes_needed(duel, duel.max_rounds), memory)
    table = ClassicTable.empty(duel, duel.max_rounds)
    table.values[0] = table.opened[0] = duel.at_cap()
    return solve_layers(table)


def _without_cap(duel: Duel, memory: int, enough: float) -> ClassicTable:
    """Return the solution of June 2025's edition for all engagements, with a bound on the effect of cap and fatigue."""
    table = solve_parts(duel, None, memory)
    stake = 1.0 if duel.game.scenario.round_cap == "draw" else 2.0
    bound = rounds_bound(table, enough / 2, duel.max_rounds, stake)
    if duel.fatigue is not None:
        bound += rounds_bound(table, enough / 2, duel.fatigue - 1, 2.0)  # fatigue cannot occur in a shorter duel
    return ClassicTable(
        duel,
        None,
        table.values,
        (table, table, table),
        opened=np.stack([table.values, table.values], axis=1),
        engages=np.ones((1, 2, len(MOMENTS), *duel.shape), np.bool_),
        certificate=table.certificate,
        cap_bound=min(2.0, bound),
    )
