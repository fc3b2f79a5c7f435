"""All endings of a fight and their causes, determined in one function."""

from __future__ import annotations

from heartrush_env.games.heart_rush.rules.terms import NOBODY, STANDING
from heartrush_env.games.heart_rush.state.record import DRAW, GOES_ON, ROUND_CAP, VICTORY
from heartrush_env.tabletop.rule import compiled, inlined, rule


@compiled
def teams_standing(fight):
    """Return the number of teams with at least one fighter standing."""
    standing = 0
    for team in range(fight.n_teams):
        standing += team_stands(fight, team)
    return standing


@inlined
def team_stands(fight, team):
    """Return whether any fighter of the team is standing."""
    for i in range(fight.n):
        if fight.fighters[i].team == team and fight.fighters[i].status == STANDING:
            return True
    return False


@compiled
def team_hp(fight, team):
    """Return the team's total hit points, counting values below 0 as 0."""
    total = 0
    for i in range(fight.n):
        if fight.fighters[i].team == team:
            total += max(0, fight.fighters[i].hp)
    return total


@rule("Ending a Fight", "R-38", "R-39", unfolds=True)
def find_ending(fight):
    """Set the ending and the winner: victory of the last team standing, a draw if none is, the round cap, or no end."""
    standing = teams_standing(fight)
    fight.winner = NOBODY
    if standing == 1:
        fight.ending = VICTORY
        for team in range(fight.n_teams):
            if team_stands(fight, team):
                fight.winner = team
    elif standing == 0:
        fight.ending = DRAW
    elif fight.round_number >= fight.rules.max_rounds:
        fight.ending = ROUND_CAP
        if fight.rules.cap_by_hp:
            fight.winner = team_with_most_hp(fight)
    else:
        fight.ending = GOES_ON


@compiled
def team_with_most_hp(fight):
    """Return the team with the most hit points left; NOBODY if there is a tie."""
    best, most = NOBODY, -1
    for team in range(fight.n_teams):
        hp = team_hp(fight, team)
        if hp == most:
            best = NOBODY
        elif hp > most:
            best, most = team, hp
    return best
