"""All endings of a fight and their causes, determined in one function."""

from __future__ import annotations

from heartrush_env.games.heart_rush.engine.state import DRAW, GOES_ON, ROUND_CAP, VICTORY
from heartrush_env.games.heart_rush.rules.terms import NOBODY, STANDING
from heartrush_env.tabletop.rule import compiled, inlined, rule


@compiled
def teams_standing(match):
    """Return the number of teams with at least one fighter standing."""
    standing = 0
    for team in range(match.n_teams):
        standing += team_stands(match, team)
    return standing


@inlined
def team_stands(match, team):
    """Return whether any fighter of the team is standing."""
    for i in range(match.n):
        if match.fighters[i].team == team and match.fighters[i].status == STANDING:
            return True
    return False


@compiled
def team_hp(match, team):
    """Return the team's total hit points, counting values below 0 as 0."""
    total = 0
    for i in range(match.n):
        if match.fighters[i].team == team:
            total += max(0, match.fighters[i].hp)
    return total


@rule("Ending a Fight", "R-38", "R-39", unfolds=True)
def find_ending(match):
    """Set the ending and the winner: victory of the last team standing, a draw if none is, the round cap, or no end."""
    standing = teams_standing(match)
    match.winner = NOBODY
    if standing == 1:
        match.ending = VICTORY
        for team in range(match.n_teams):
            if team_stands(match, team):
                match.winner = team
    elif standing == 0:
        match.ending = DRAW
    elif match.round_number >= match.rules.max_rounds:
        match.ending = ROUND_CAP
        if match.rules.cap_by_hp:
            match.winner = team_with_most_hp(match)
    else:
        match.ending = GOES_ON


@compiled
def team_with_most_hp(match):
    """Return the team with the most hit points left; NOBODY if there is a tie."""
    best, most = NOBODY, -1
    for team in range(match.n_teams):
        hp = team_hp(match, team)
        if hp == most:
            best = NOBODY
        elif hp > most:
            best, most = team, hp
    return best
