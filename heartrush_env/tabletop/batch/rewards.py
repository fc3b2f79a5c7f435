"""The rewards that every game pays to its teams; the rewards of all teams sum to zero."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple

import numpy as np

from heartrush_env.tabletop.choosing.units import NOBODY
from heartrush_env.tabletop.rule import compiled

REWARDS: Final = ("win", "hp_margin", "hp_change")
WIN, HP_MARGIN, HP_CHANGE = range(len(REWARDS))


class Payment(NamedTuple):
    """The functions with which the kernel of a batch pays rewards; both are compiled."""

    open_books: Callable[..., Any]  # (fight): note the margins with which a fight begins
    pay: Callable[..., Any]  # (fight, options, rewards, slot, over): write the rewards of a step


@compiled
def whole_stake(fight):
    """Return what victory pays in most games."""
    return 1.0


def payment(share_left: Callable[..., Any], stake: Callable[..., Any] = whole_stake) -> Payment:
    """Return the functions that pay a game's rewards.

    `share_left` is the game's compiled function (fight, team) -> the fraction of its strength that a team has left, and
    `stake` its compiled function (fight) -> what the victory in a fight that has ended pays the winner, from 0 to 1.
    """

    @compiled
    def margin_of(fight, team):
        """Return the team's fraction of strength left, minus the mean of the other teams' fractions."""
        own, others = 0.0, 0.0
        for other in range(fight.n_teams):
            share = share_left(fight, other)
            if other == team:
                own = share
            else:
                others += share
        return own - others / (fight.n_teams - 1)

    @compiled
    def team_reward(fight, team, reward, over):
        """Return a team's reward for this step."""
        if reward == HP_CHANGE:
            return margin_of(fight, team) - fight.margin[team]
        if not over:
            return 0.0
        if reward == HP_MARGIN:
            return margin_of(fight, team)
        if fight.winner == NOBODY:
            return 0.0
        return stake(fight) if fight.winner == team else 0.0 - stake(fight) / (fight.n_teams - 1)

    @compiled
    def open_books(fight):
        """Record each team's margin, with which the next rewards are compared."""
        for team in range(fight.n_teams):
            fight.margin[team] = margin_of(fight, team)

    @compiled
    def pay(fight, options, rewards, slot, over):
        """Write each seat's reward for this step."""
        for seat in range(options.seats):
            team = seat if fight.team_control else np.int64(fight.fighters[seat].team)
            rewards[slot, seat] = team_reward(fight, team, options.reward, over)
        if options.reward == HP_CHANGE:
            open_books(fight)

    return Payment(open_books, pay)
