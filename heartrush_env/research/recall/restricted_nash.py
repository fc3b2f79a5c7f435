"""Restricted Nash responses: they exploit a model of the opponent without becoming exploitable themselves.

The opponent must play the model with probability p and is free otherwise; an equilibrium of that game is a restricted
Nash response (Johanson, Zinkevich and Bowling, "Computing Robust Counter-Strategies", NIPS 2007). In it, nature draws
once, in secret, for the whole game, so the responder's beliefs about the draw are part of its state. This module solves
a different game: the draw is independent at every decision of the opponent (each stance, attack and shrug), as in Data
Biased Responses (Johanson and Bowling, AISTATS 2009), with the same p everywhere. Beliefs then play no role, and the
game is solved exactly, state by state. p = 1 gives a best response to the model, and p = 0 an equilibrium. In between,
the response gains at least the value of the restricted game from any opponent that plays the model in a fraction p of
its decisions.

A model with memory is restricted mode by mode, on the product of states and modes.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass

from heartrush_env.research.best_response import AnyPlays, Response, best_response, head_to_head, respond
from heartrush_env.research.recall.policies import MEMORY
from heartrush_env.research.zero_sum import SolverError

SHARES = (0.0, 0.1, 0.25, 0.5, 0.75, 0.9, 1.0)  # default values of p for a frontier


@dataclass(frozen=True)
class Tradeoff:
    """A point on the frontier between exploitation and safety."""

    share: float  # p
    restricted_value: float  # value of the restricted game
    against_model: float  # the response's P(win) - P(loss) against the model itself
    exploitability: float  # gain over the duel's value of a best response to this response


def restricted_response(model: AnyPlays, share: float, rounds: int | None = None, *, memory: int = MEMORY) -> Response:
    """Compute the other seat's best response to an opponent that plays the model in a fraction of its decisions.

    Args:
        model: Tables, with or without memory, or a function from the rounds left to tables.
        share: p, from 0 (an equilibrium) to 1 (the best response to the model).
        rounds: The round cap, if it counts.
        memory: Limit in bytes; SolverError if more is needed.
    """
    if not 0 <= share <= 1:
        raise SolverError(f"share: expected a probability from 0 to 1, got {share:g}.")
    return respond(model, share, rounds, memory=memory)


def frontier(
    model: AnyPlays, value: float, shares: Sequence[float] = SHARES, rounds: int | None = None, *, memory: int = MEMORY
) -> list[Tradeoff]:
    """Return what restricted responses gain from the model, and their own exploitability.

    Args:
        model: Tables, with or without memory, or a function from the rounds left to tables.
        value: The duel's value for the responder's seat.
        shares: The values of p.
        rounds: The round cap, if it counts.
        memory: Limit in bytes for each response.
    """
    found = []
    for share in shares:
        answer = restricted_response(model, share, rounds, memory=memory)
        gained = head_to_head(answer.plays, model, rounds, memory=memory)
        lost = best_response(answer.plays, rounds, memory=memory, keep=False).value + value
        found.append(Tradeoff(share, answer.value, gained, lost))
    return found


def frontier_as_text(points: Sequence[Tradeoff]) -> str:
    """Format the frontier as a text table."""
    lines = [f"{'p':>6}{'restricted value':>18}{'against the model':>19}{'exploitability':>16}"]
    for point in points:
        share, *numbers = asdict(point).values()
        lines.append(f"{share:>6.2f}{numbers[0]:>+18.4f}{numbers[1]:>+19.4f}{max(0.0, numbers[2]):>16.4f}")
    return "\n".join(lines)
