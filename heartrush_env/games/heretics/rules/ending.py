"""The end of a fight: by defeat, by an objective, or by the round cap."""

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import rule
from heartrush_env.games.heretics.rules.fighters import able_of
from heartrush_env.games.heretics.rules.morale import note_breaking_points
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.rule import compiled

HEADING = "End"


@compiled
def decide(fight, ending, winner):
    """Record how the fight ends and who wins, unless it has ended before."""
    if fight.ending == terms.GOES_ON:
        fight.ending = ending
        fight.winner = winner


@rule(HEADING, "R-41")
def judge(fight, log):
    """End the fight if it is decided after a declaration or a morale check; otherwise note breaking points.

    A duel in beats has no breaking points.
    """
    judge_escape(fight)
    first, second = able_of(fight, 0), able_of(fight, 1)
    if first == 0 and second == 0:
        decide(fight, terms.DRAW, NOBODY)
    elif first == 0 or second == 0:
        decide(fight, terms.VICTORY, 1 if first == 0 else 0)
    elif fight.ending == terms.GOES_ON and not fight.in_beats:
        note_breaking_points(fight, log)


@rule(HEADING, "R-48")
def judge_escape(fight):
    """End a fight whose objective is an escape, once enough fighters have left or too few can still leave."""
    team = np.int64(fight.objective_team)
    if fight.objective == terms.ESCAPE and fight.left_map[team] >= fight.objective_count:
        decide(fight, terms.BY_OBJECTIVE, team)
    elif fight.objective == terms.ESCAPE and fight.left_map[team] + able_of(fight, team) < fight.objective_count:
        decide(fight, terms.BY_OBJECTIVE, 1 - team)


@rule(HEADING, "R-37", "R-48")
def judge_round(fight):
    """End a fight whose objective is held long enough, or whose round cap is reached."""
    if fight.objective == terms.HOLD and fight.round_number >= fight.objective_count:
        decide(fight, terms.BY_OBJECTIVE, np.int64(fight.objective_team))
    elif fight.round_number >= fight.rules.round_cap:
        decide(fight, terms.ROUND_CAP, NOBODY)


@compiled
def end_fight(fight, log):
    """Close the last window, and write the event of the end."""
    fight.window = terms.OVER
    for i in range(fight.n):
        fight.fighters[i].pending = False
    events.tell_end(fight, log, fight.ending, fight.winner)
