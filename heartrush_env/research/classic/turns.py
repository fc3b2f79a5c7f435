"""The turns of a classic duel's round: values of engaging and passing, computed backward from the end of the round.

Each fighter has one action, and can spend it only on engaging. A round therefore has at most two engagements. Priority
moves to the other fighter after an engagement and after a pass, and two passes in a row end the round. So a fighter
decides at one of three moments: it opens the round, it answers a pass, or it alone has its action left.
"""

from __future__ import annotations

from collections.abc import Callable

from heartrush_env.research.zero_sum import Floats

OPENING, ANSWER, ALONE = MOMENTS = range(3)

# The value of an engagement, given the side that engages, whether the other has its action left, and the values of
# the states after it.
Fight = Callable[[int, bool, Floats], Floats]
# The value of a turn, given the side whose turn it is, the moment, and the values of engaging and of passing.
Choose = Callable[[int, int, Floats, Floats], Floats]


def turns_back(after: Floats, fight: Fight, choose: Choose) -> tuple[Floats, Floats]:
    """Return the values of states when a round begins: first if the first fighter has priority, then if the other has.

    Args:
        after: The values of states after this round.
        fight: Returns the value of an engagement.
        choose: Returns the value of a turn.
    """
    alone = [choose(side, ALONE, fight(side, False, after), after) for side in (0, 1)]
    engaged = [fight(side, True, alone[1 - side]) for side in (0, 1)]
    answered = [choose(side, ANSWER, engaged[side], after) for side in (0, 1)]
    first, second = (choose(side, OPENING, engaged[side], answered[1 - side]) for side in (0, 1))
    return first, second


def on_even_chances(opened: tuple[Floats, Floats]) -> Floats:
    """Return a round's value before the priority roll, which gives each side priority with probability 1/2."""
    even: Floats = 0.5 * (opened[0] + opened[1])
    return even
