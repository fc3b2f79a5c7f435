"""The abilities of the Phantom Knight: Ghostly, Punish Aggression, Spectral Chains, Fade."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, dice, figure, term
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, memo, remember
from heartrush_env.games.heart_rush.rules.hits import add_late_hit
from heartrush_env.games.heart_rush.rules.maneuvers.grapple import may_be_seized, take_hold
from heartrush_env.games.heart_rush.rules.pulls import pull
from heartrush_env.games.heart_rush.rules.saves import roll_save
from heartrush_env.games.heart_rush.rules.stances import beats_target
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, FROM_ABILITY, MIGHT, STANDING
from heartrush_env.tabletop.rng import roll_sum

DAMAGE = dice("phantom_knight.punish_aggression", "damage")[0]
SAVE = term("phantom_knight.spectral_chains", "save", ABILITIES)
AGAINST, PULL = (figure("phantom_knight.spectral_chains", name) for name in ("against", "pull_ft"))


@ability("phantom_knight.ghostly", needs="cells", left_out="the way through walls, pillars and closed doors")
class Ghostly:
    """The owner moves through creatures, and neither they nor difficult ground slow it."""

    def passes(fight, i, slot, other):
        return True

    def glides(fight, i, slot):
        return True


@ability("phantom_knight.punish_aggression")
class PunishAggression:
    """A creature that attacked the owner in might stance takes damage at the end of the phase."""

    def struck(fight, i, slot, log, striker):
        attacker = fight.fighters[striker]
        if fight.engaged and attacker.stance == MIGHT and attacker.status == STANDING:
            add_late_hit(fight, striker, i, FROM_ABILITY, roll_sum(fight, DAMAGE[0], DAMAGE[1]))


@ability("phantom_knight.spectral_chains", rulings=["R-240", "R-241"])
class SpectralChains:
    """A target whose stance the owner beats is pulled toward it and grappled unless it saves with might."""

    def effect(fight, i, slot, log, target):
        if beats_target(fight, i, target) and not roll_save(fight, log, target, i, SAVE, AGAINST):
            pull(fight, log, i, target, PULL)
            if may_be_seized(fight, i, target):
                take_hold(fight, i, target)


@ability("phantom_knight.fade", on=[ON_ACTION])
class Fade:
    """Until the next round, the owner neither attacks nor can be attacked; the memo is the round of its only use."""

    def may(fight, i, slot, target):
        return memo(fight, i, slot) == 0

    def do(fight, log, i, slot, target):
        remember(fight, i, slot, fight.round_number)

    def away(fight, i, slot):
        return memo(fight, i, slot) == fight.round_number
