"""The abilities of the Sand Serpent: Ambusher, Quicksand."""

from __future__ import annotations

from heartrush_env.games.heart_rush.abilities.unit import ability, figure, later, options, term
from heartrush_env.games.heart_rush.rules.abilities import ON_ACTION, Aim, note, notes, open_pick
from heartrush_env.games.heart_rush.rules.action_phase import is_able
from heartrush_env.games.heart_rush.rules.conditions import inflict, lose_levels, restraint
from heartrush_env.games.heart_rush.rules.costs import spend_action
from heartrush_env.games.heart_rush.rules.cover import is_within
from heartrush_env.games.heart_rush.rules.saves import roll_save
from heartrush_env.games.heart_rush.rules.sheet import has
from heartrush_env.games.heart_rush.rules.stances import has_action_left
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, PRONE, RESTRAINED
from heartrush_env.tabletop.rule import compiled

ADVANTAGE = figure("sand_serpent.ambusher", "advantage")
SAVE, AGAINST = term("sand_serpent.quicksand", "save", ABILITIES), figure("sand_serpent.quicksand", "against")
RANGE, HOLDS = (figure("sand_serpent.quicksand", name) for name in ("range_ft", "restrained"))


@ability("sand_serpent.ambusher", rulings=["R-53"])
class Ambusher:
    """The owner's attacks on restrained or prone targets have advantage; a hold or a net restrains, too."""

    def attack(fight, i, slot, target, stance):
        other = fight.fighters[target]
        return ADVANTAGE if restraint(fight, other) > 0 or has(other, PRONE) else 0


@ability(
    "sand_serpent.quicksand", on=[ON_ACTION], aim=Aim.ENEMY, rulings=["R-188"], per_round=(1, 1),
    picks=[later(options("get out of the sand"), optional=True)],
)  # fmt: skip
class Quicksand:
    """An enemy within range is restrained, unless it saves with agility, until it spends an action.

    It is asked at once and as each round starts whether it spends its action on getting out. The memo is the set of
    enemies in the sand.
    """

    def may(fight, i, slot, target):
        return not notes(fight, i, slot, target) and is_within(fight, i, target, RANGE)

    def do(fight, log, i, slot, target):
        if not roll_save(fight, log, target, i, SAVE, AGAINST) and inflict(fight, i, target, RESTRAINED, HOLDS) > 0:
            note(fight, i, slot, target, True)
            open_pick(fight, target, i, slot, 0)

    def round_starts(fight, i, slot, log):
        for j in range(fight.n):
            if notes(fight, i, slot, j):
                open_pick(fight, j, i, slot, 0)

    def may_pick(fight, i, slot, who, part, picked):
        return notes(fight, i, slot, who) and is_able(fight, who) and has_action_left(fight.fighters[who])

    def picked(fight, log, i, slot, who, part, picked):
        spend_action(fight.fighters[who])
        get_out(fight, i, slot, who)

    def revealed(fight, i, slot, log):
        for j in range(fight.n):
            if notes(fight, i, slot, j) and fight.fighters[j].acted:
                get_out(fight, i, slot, j)


@compiled
def get_out(fight, i, slot, who):
    """Free a fighter from the sand."""
    note(fight, i, slot, who, False)
    lose_levels(fight.fighters[who], RESTRAINED, HOLDS)
