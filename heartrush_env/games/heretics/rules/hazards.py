"""Hazards: the ground that harms, and the fire and acid that stay on a fighter until they are doused."""

import numpy as np

from heartrush_env.games.heretics import events, terms
from heartrush_env.games.heretics.book import action, rule
from heartrush_env.games.heretics.rules.conditions import UNTIL_DOUSED, afflict, check_ability, has, relieve
from heartrush_env.games.heretics.rules.ending import judge
from heartrush_env.games.heretics.rules.fighters import harm, is_able
from heartrush_env.games.heretics.rules.space import distance
from heartrush_env.games.heretics.rules.stunts import HEADING
from heartrush_env.tabletop.choosing import Target
from heartrush_env.tabletop.grids.places import column_of, on_map, row_of
from heartrush_env.tabletop.rng import roll_die, roll_sum

LIGHT_DIE, FIRE_DIE = 4, 6  # of small things, and of fire and acid
DOUSE_NUMBER = 10  # the check to put fire out must reach this


@on_map(None)
@rule("Attacks", "R-25", "R-28")
def meet_ground(fight, log, i):
    """Let a hazard harm a fighter that ends its move in it, without an attack roll; fire stays on the fighter."""
    x, y = column_of(fight, i), row_of(fight, i)
    if fight.small_hazards[y] >> x & 1 != 0:
        harm(fight, log, i, roll_sum(fight, np.int64(fight.small_dice), LIGHT_DIE))
    elif fight.fires[y] >> x & 1 != 0:
        harm(fight, log, i, roll_sum(fight, np.int64(fight.fire_dice), FIRE_DIE))
        afflict(fight, log, i, terms.BURNING)


@rule("Attacks", "R-28", "R-41")
def burn(fight, log):
    """Let fire and acid harm the fighters whose phase ends, unless they have caught it only in this phase."""
    for i in range(fight.n):
        fighter = fight.fighters[i]
        for condition in UNTIL_DOUSED:
            stays = has(fighter, condition) and fighter.until[condition] <= fighter.phases
            if stays and fighter.acting and is_able(fight, i) and fight.ending == terms.GOES_ON:
                events.tell_burning(fight, log, i, condition)
                harm(fight, log, i, roll_die(fight, FIRE_DIE))
    judge(fight, log)


@action("douse", words="douse {target}", target=Target.MEMBER, heading=HEADING, rulings=("R-28",))
class Douse:
    """Put out the fire on oneself or an adjacent ally, or wash the acid off: a dex check against 10."""

    def may(fight, i, target, detail):
        other = fight.fighters[target]
        near = is_able(fight, target) and (i == target or distance(fight, i, target) == 1)
        return near and (has(other, terms.BURNING) or has(other, terms.CORRODING))

    def do(fight, log, i, target, detail):
        if check_ability(fight, log, i, target, terms.CHECK_DOUSE, terms.DEX, DOUSE_NUMBER):
            relieve(fight, log, target, terms.BURNING)
            relieve(fight, log, target, terms.CORRODING)
