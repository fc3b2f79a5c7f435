"""Checks for poor benchmarks: reasons, with numbers, why a duel hardly separates good play from bad."""

from __future__ import annotations

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, DEFENSIVE, STANCES
from heartrush_env.research.analysis.round_values import Visits, check_plain, rounds_of, side_of, solved, turned, visits
from heartrush_env.research.best_response import Plays, at, exploitability
from heartrush_env.research.plain.policy import Policy
from heartrush_env.research.tablebase import Tablebase

EVEN_LOSES = 0.05  # if the even mix has a lower NashConv, there is hardly anything to learn about stances
DEFENSIVE_SHARE = 0.1  # a larger fraction of a seat's rounds causes a warning
CAP_SHARE = 0.05  # a larger fraction of duels that end at the round cap causes a warning
LOPSIDED = 0.9  # a larger absolute value leaves little to play for


def warnings_of(table: Tablebase) -> list[str]:
    """Return the reasons why a solved duel is a poor benchmark, one sentence each; empty if there are none."""
    check_plain(table)
    names, said = table.duel.game.agents, []
    loses = even_nash_conv(table)
    if loses < EVEN_LOSES:
        said.append(
            "Stances hardly matter: the even mix of might, agility and cunning, with the solution's other choices, "
            f"loses {max(0.0, loses):.4f} to best answers, both seats together, so scores tell nothing of learners."
        )
    met = visits(table, solved(table, 0), solved(table, 1))
    for seat, share in enumerate(defensive_shares(table, met)):
        if share > DEFENSIVE_SHARE:
            word = "dominates" if share > 0.5 else "weighs heavily"
            said.append(
                f"Defensive {word}: the solution takes it in {100 * share:.1f} % of the rounds of {names[seat]}."
            )
    capped = float(met.at_cap.sum() + met.held.sum())
    cap = table.duel.max_rounds
    if capped > CAP_SHARE:
        said.append(f"The round cap decides: {100 * capped:.1f} % of the solution's duels end at its {cap} rounds.")
    elif table.cap_bound > CAP_SHARE:
        what = "The round cap" if table.duel.fatigue is None else "The round cap or fatigue"
        said.append(
            f"{what} may decide: its {cap} rounds are left out of the solution, "
            f"and could change the value by up to {table.cap_bound:.2g}."
        )
    if abs(table.value) > LOPSIDED:
        winner = names[0 if table.value > 0 else 1]
        said.append(
            f"The duel is nearly decided: {winner} wins by a value of {abs(table.value):.4f}, whoever plays well."
        )
    return said


def even_nash_conv(table: Tablebase) -> float:
    """Return the NashConv of playing might, agility and cunning equally often, with the solution's other choices."""
    check_plain(table)
    return exploitability(table, (_even(table, 0), _even(table, 1))).nash_conv


def _even(table: Tablebase, seat: int) -> Plays:
    mix = np.zeros((*side_of(table, seat).shape, len(STANCES)))
    mix[..., :ATTACKING_STANCES] = 1.0 / ATTACKING_STANCES
    plays = solved(table, seat)

    def even(left: int | None) -> Policy:
        policy = at(plays, left)
        return Policy(policy.duel, mix, policy.attacks, policy.shrugs)

    return even(None) if table.rounds is None else even


def defensive_shares(table: Tablebase, met: Visits | None = None) -> tuple[float, float]:
    """Return the fraction of rounds that each seat spends in the defensive stance if both seats play the solution.

    `met` holds how often such duels visit each state, from the first fighter's side; it is computed if not given.
    """
    met = met or visits(table, solved(table, 0), solved(table, 1))
    taken = [0.0, 0.0]
    for here, left in zip(met.rounds, rounds_of(table), strict=True):
        taken[0] += float((here * table.mixes[0][table.layer(left)][..., DEFENSIVE]).sum())
        taken[1] += float((turned(here) * table.mixes[1][table.layer(left)][..., DEFENSIVE]).sum())
    return taken[0] / float(met.rounds.sum()), taken[1] / float(met.rounds.sum())
