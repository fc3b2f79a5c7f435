"""Which dice an event shows: whose roll it was, what for, and the name and sides of each die."""

from __future__ import annotations

from dataclasses import dataclass

from heartrush_env.cli.narration import Narrator
from heartrush_env.cli.rolls import Handful, attack_handful, check_handful
from heartrush_env.core.game import Event

SIDES = ("attack", "defense")  # of an event: who tries, and who resists


@dataclass(frozen=True)
class Roll:
    """The dice that one fighter rolled for one purpose."""

    side: str  # attack or defense, in the event
    fighter: str  # the agent
    purpose: str  # "Knight attacks Duelist in cunning"
    dice: Handful  # name and sides of each, in order; 0 sides where the event does not say
    results: tuple[int, ...]


def rolls_of(event: Event, narrator: Narrator) -> list[Roll]:
    """The rolls of an event that the narrator has just told."""
    return [_roll(event, side, narrator) for side in SIDES if f"{side}_dice" in event]


def _roll(event: Event, side: str, narrator: Narrator) -> Roll:
    results, causes = event[f"{side}_dice"], event[f"{side}_causes"]
    fighter, purpose, handful = _OF[event["type"]](event, side, narrator)
    sizes, extra = [sides for _, sides in handful], len(results) - len(handful)
    helped = sum(causes.values()) > 0
    more = 0 if 0 in sizes or not sizes else min(sizes) if helped else max(sizes)
    name = "advantage" if helped else "disadvantage"
    return Roll(side, fighter, purpose, [*handful, *[(name, more)] * extra], tuple(results))


def _of_attack(event: Event, side: str, narrator: Narrator) -> tuple[str, str, Handful]:
    attacker, target, stance = event["attacker"], event["target"], event["stance"]
    names = narrator.name(attacker), narrator.name(target)
    in_engagement = event["cause"] != "opportunity"
    if side == "attack":
        beats = in_engagement and not event["contested"] and narrator.beats(stance, narrator.known[target].stance)
        return (
            attacker,
            f"{names[0]} attacks {names[1]} in {stance}",
            attack_handful(narrator.known[attacker], stance, beats=beats),
        )
    if event["contested"]:
        handful = attack_handful(narrator.known[target], stance, beats=False)
        return target, f"{names[1]} strikes back at {names[0]} in {stance}", handful
    return target, f"{names[1]} defends against {names[0]} with {stance}", check_handful(narrator.known[target], stance)


def _of_check(event: Event, side: str, narrator: Narrator) -> tuple[str, str, Handful]:
    what = (event["maneuver"] if event["type"] == "maneuver" else event["purpose"]).replace("_", " ")
    fighter = event["fighter"]
    if side == "defense":
        against: str = event.get("against") or event["target"]
        handful = check_handful(narrator.known[against], event["opposing_ability"])
        return against, f"{narrator.name(against)} resists {narrator.name(fighter)} ({what})", handful
    if event.get("purpose") == "cut_free":
        handful = attack_handful(narrator.known[fighter], "agility", beats=False)
    else:
        handful = check_handful(narrator.known[fighter], event["ability"])
    return fighter, f"{narrator.name(fighter)} tries it ({what})", handful


_OF = {"attack": _of_attack, "maneuver": _of_check, "check": _of_check}
