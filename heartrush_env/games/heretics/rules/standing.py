"""Standing orders: with each action, a fighter declares when it will sunder, break its shield, and strike."""

import numpy as np

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.book import ACTS, choice, rule
from heartrush_env.games.heretics.rules.attacks import HEADING, mean_reaches
from heartrush_env.games.heretics.rules.fighters import decides, strikes_armed
from heartrush_env.tabletop.choosing import NOBODY, Choice, with_first_pick
from heartrush_env.tabletop.grids.journeys import mover_of
from heartrush_env.tabletop.rule import compiled

ASK = 0  # a value of the setting interrupts
# The moments to sunder, to break the shield and to strike, by lines of standing orders.
_BY_LINE = [[terms.MOMENTS.index(moment) for moment in line.split()[1::2]] for line in terms.STANDING]
SUNDERS, SHIELDS, STRIKES = np.array(_BY_LINE).T.copy()


@compiled
def has_answered(fight, i):
    """Return whether the standing orders of a fighter answer for it in the open window; in beats they do not."""
    answers = fight.window == terms.SUNDER or fight.window == terms.SHIELD or fight.window == terms.STRIKE
    return answers and not fight.in_beats and fight.rules.interrupts != ASK and decides(fight, i)


@rule(HEADING, "R-22", "R-23", "R-24")
def answer(fight, i):
    """Let the standing orders of a fighter choose for it in the open window, if they are in use.

    By the means, a sunder is chosen if the mean of the doubled dice would put the target out and the plain mean would
    not, and a shield breaks if the mean would put its owner out.
    """
    if not has_answered(fight, i):
        return
    fighter, exchange = fight.fighters[i], fight.exchange
    line, target = np.int64(fighter.standing), np.int64(exchange.target)
    if fight.window == terms.STRIKE:
        moment, by_means, deed, target = STRIKES[line], False, terms.STRIKE_AT, mover_of(fight)
    elif fight.window == terms.SUNDER:
        plain = mean_reaches(fight, i, target)
        exchange.sundered = True
        moment, by_means, deed = SUNDERS[line], not plain and mean_reaches(fight, i, target), terms.SUNDER_WEAPON
        exchange.sundered = False
    else:
        by_means = mean_reaches(fight, np.int64(exchange.attacker), i)
        moment, deed = SHIELDS[line], terms.BREAK_SHIELD
    if moment == terms.ALWAYS or (moment == terms.BY_MEANS and by_means):
        fighter.deed = deed
        fighter.target = target


@compiled
def may_stand(fight, i, line):
    """Return whether fighter i can give these standing orders: it has the weapon, the shield, the trait for them.

    A sunder by the means would tell hit points that are not public.
    """
    fighter = fight.fighters[i]
    if SUNDERS[line] != terms.NEVER and not strikes_armed(fighter):
        return False
    if SUNDERS[line] == terms.BY_MEANS and fight.rules.public_hp != 0:
        return False
    if SHIELDS[line] != terms.NEVER and not (fighter.shield and fight.rules.shield_break == 0):
        return False
    return STRIKES[line] == terms.NEVER or fighter.opportunist


@choice("answers", windows=(), words="standing orders: {detail}", details=terms.STANDING, pick=True)
class Answers:
    """The standing orders that a fighter gives with its action."""

    def may(fight, i, target, detail):
        return may_stand(fight, i, detail)


@compiled
def needs_orders(fight, i):
    """Return whether an action still lacks standing orders; keep those that have just been given."""
    fighter = fight.fighters[i]
    if fighter.picking == terms.ANSWERS + 1:
        fighter.standing = fighter.picked[0]
        fighter.picked[0] = NOBODY
    if fight.rules.interrupts == ASK or fighter.picking != 0:
        return False
    for line in range(1, len(terms.STANDING)):
        if may_stand(fight, i, line):
            return True
    return False


def with_standing_orders(unit: Choice) -> Choice:
    """Return a choice that, if it is an action, also picks standing orders."""
    is_action = unit.windows == ACTS and unit.costs
    return with_first_pick(unit, terms.ANSWERS, needs_orders) if is_action else unit
