"""The actions of one fighter, and what they cost (RULES, "The round")."""

from __future__ import annotations

from typing import TYPE_CHECKING

from .board import STEPS
from .dice import half
from .rolls import roll_attack, roll_check
from .sheet import Gear

if TYPE_CHECKING:
    from .fight import Fight
    from .sheet import Fighter


def pay(fight: Fight, fighter: Fighter, verb: str, with_rush: bool) -> None:
    """Take the price of an action: the action, free dash, free interaction, a rush point, or nothing."""
    if verb in ("yield", "let_go"):
        return
    if with_rush:
        fighter.rush -= 1
        fighter.moved = fighter.moved or verb == "rise"
    elif verb == "dash":
        if fight.table.can_spend_dash(fighter):
            fighter.dash = False
        else:
            fighter.spend_action()
        fighter.dashed = fighter.moved = True
    elif verb == "stand" and fight.table.board is not None:
        fighter.stood = fighter.moved = True
    elif verb in ("stand", "hop_off"):
        fighter.dash, fighter.moved = False, True
    elif verb in ("pick_up", "swap", "door"):
        fight.table.pay_interaction(fighter)
    elif verb in ("sidestep", "rise") and fight.table.use_freedom(fighter, moves=True):
        fighter.moved = True
    elif verb != "help" or not fight.table.use_freedom(fighter, helps=True):
        fighter.spend_action()


def by_oneself(fight: Fight, fighter: Fighter, verb: str) -> None:
    """Carry out an action of a fighter on itself, without its price."""
    conditions = fighter.conditions
    match verb:
        case "yield":
            fighter.status = "unconscious"
        case "pick_up":
            fighter.armed = True
        case "rise":
            conditions.end("prone")
        case "let_go":
            fighter.grappling = None
        case "engage" | "enter":
            assert fight.table.engaged is not None
            fight.table.engaged.add(fighter.agent)
        case "hop_off":
            fight.fall_off(fighter)
        case "swap":
            _swap(fight, fighter)
        case "put_out_fire":
            conditions.lose("burning", half(conditions.of("burning")))
        case "break_free":
            _break_free(fight, fighter)
        case "shake_off":
            _shake_off(fight, fighter)
        case "wriggle_free" | "tear_free" | "cut_free":
            _out_of_the_net(fight, fighter, verb)
        case _:
            raise AssertionError(verb)


def _swap(fight: Fight, fighter: Fighter) -> None:
    """Swap the weapon and shield in hand for the spare ones; a dropped weapon stays on the floor."""
    assert fighter.spare is not None
    spare = fighter.spare
    fighter.spare = Gear(fighter.weapon, fighter.shield, fighter.speed) if fighter.armed else None
    fighter.swaps += 1
    fighter.weapon, fighter.shield, fighter.speed, fighter.armed = spare.weapon, spare.shield, spare.speed, True


def use_door(fight: Fight, fighter: Fighter, direction: int, opens: bool) -> None:
    """Open or close the door next to the fighter in this direction."""
    assert fight.table.board is not None
    fight.table.board.set_door(fighter.space.moved(*STEPS[direction]).place, "/" if opens else "+")


def for_an_ally(fight: Fight, fighter: Fighter, verb: str, ally: Fighter) -> None:
    """Carry out an action that helps an adjacent ally."""
    match verb:
        case "help":
            ally.helped += 1
            if "mute" not in fighter.conditions:
                ally.conditions.end("confused")
        case "douse":
            ally.conditions.lose("burning", half(ally.conditions.of("burning")))
        case "cut_loose":
            ally.conditions.end("entangled")


def _break_free(fight: Fight, fighter: Fighter) -> None:
    """Contest might or agility, the larger fighter with advantage; ignore the grapple's own restraint."""
    table = fight.table
    holder = table.grappler_of(fighter)
    assert holder is not None
    larger = table.sides_to(fighter, holder)
    more = table.in_contest(fighter, holder, "break_free", tries=True)
    own = roll_check(table, fighter, "might or agility", holder, also=max(0, -larger) + more, ignoring_grapple=True)
    more = table.in_contest(holder, fighter, "break_free", tries=False)
    against = roll_check(table, holder, "might or agility", fighter, also=max(0, larger) + more)
    if own > against:
        holder.grappling = None


def _shake_off(fight: Fight, fighter: Fighter) -> None:
    """Roll one check, contested by each rider in turn; riders that roll lower fall off."""
    table = fight.table
    riders = table.climbers_on(fighter)
    own = roll_check(table, fighter, "might or agility", riders[0])
    for rider in riders:
        more = table.in_contest(rider, fighter, "shake_off", tries=False)
        if roll_check(table, rider, "might or agility", fighter, also=more) < own:
            fight.fall_off(rider)


def _out_of_the_net(fight: Fight, fighter: Fighter, verb: str) -> None:
    """Try to get out of a net (R-59); the thrower's numbers count (R-58)."""
    table = fight.table
    thrower = table[fighter.conditions.sources["entangled"]]
    more = sum(owned.net_number() for owned in thrower.abilities)
    if verb == "cut_free":
        free = roll_attack(table, fighter, "agility", None).total >= 10 + more
    elif verb == "tear_free":
        free = roll_check(table, fighter, "might", thrower) >= thrower.dice["might"] + 4 + more
    else:
        free = roll_check(table, fighter, "agility", thrower) >= thrower.dice["cunning"] + more
    if free:
        fighter.conditions.end("entangled")


def overcome(fight: Fight, fighter: Fighter, condition: str) -> None:
    """End a condition by a cunning save against the presence number of its source (R-58)."""
    source = fight.table[fighter.conditions.sources[condition]]
    also = sum(owned.hampers(fighter, condition) for owned in fight.table.abilities)
    if roll_check(fight.table, fighter, "cunning", source, kind="save", also=also) >= source.dice["presence"]:
        fighter.conditions.end(condition)
