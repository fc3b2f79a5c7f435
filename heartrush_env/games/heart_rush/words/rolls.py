"""Rolls in words: the source of each die, dice that do not count, modifiers, and causes of advantage.

Events name the dice by their sources. A weapon's die is called by the weapon's name. This module contains no rules.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from heartrush_env.games.heart_rush.words.words import CAUSE_WORDS, condition_name
from heartrush_env.tabletop.game import Event

SIDES = ("attack", "defense")  # of an event: the fighter that acts, and the one that resists
EXTRA = ("advantage", "disadvantage")


class Die(NamedTuple):
    """One die of a roll."""

    name: str
    sides: int
    face: int  # the face that it shows


@dataclass(frozen=True)
class Roll:
    """The dice that one fighter rolled for one purpose."""

    side: str  # attack or defense, in the event
    fighter: str  # the agent
    purpose: str  # "Knight attacks Duelist in cunning"
    dice: tuple[Die, ...]


def dice_of(event: Event, side: str, weapon: str) -> tuple[Die, ...]:
    """Return the dice of one of the two rolls of an event, in the order in which they were rolled."""
    return tuple(Die(name_of(source, weapon), sides, face) for source, sides, face in event[f"{side}_pool"])


def name_of(source: str, weapon: str) -> str:
    """Return the name of a die from this source."""
    return {"weapon": weapon, "unarmed": "bare hands"}.get(source, source)


def written(event: Event, side: str, weapon: str) -> str:
    """Return one roll of an event in words: each die, the modifiers, the total, and the causes of advantage."""
    dice, flat, total = dice_of(event, side, weapon), event[f"{side}_flat"], event[f"{side}_roll"]
    out = uncounted(dice)
    parts = [_die(die, dropped=k in out) for k, die in enumerate(dice)]
    parts += [f"{name} {value}" for name, value in flat.items()]
    missing = sum(die.face for k, die in enumerate(dice) if k not in out) + sum(flat.values()) - total
    halved = f" - one-handed {missing}" if missing > 0 else ""  # a grapple with one free hand counts half
    if missing and (missing < 0 or event.get("type") in ("attack", "roll")):
        halved = f" {'-' if missing > 0 else '+'} by an ability {abs(missing)}"
    return f"{' + '.join(parts)}{halved} = {total}{_reasons(event[f'{side}_causes'], _extra(dice))}"


def uncounted(dice: Sequence[Die]) -> set[int]:
    """Return the indices of the dice that do not count: one lowest or highest die for each die added."""
    lowest = any(die.name == "advantage" for die in dice)
    handful = [k for k, die in enumerate(dice) if die.name != "bonus"]
    order = sorted(handful, key=lambda k: (dice[k].face if lowest else -dice[k].face, k))
    return set(order[: _extra(dice)])


def _extra(dice: Sequence[Die]) -> int:
    """Return how many dice advantage or disadvantage has added."""
    return sum(die.name in EXTRA for die in dice)


def _die(die: Die, *, dropped: bool) -> str:
    words = f"{'extra' if die.name in EXTRA else die.name} d{die.sides}: {die.face}"
    return f"[{words}]" if dropped else words


def _reasons(causes: Mapping[str, int], extra: int) -> str:
    if not causes:
        return ""
    net = sum(causes.values())
    kind = "even" if not net else f"{'advantage' if net > 0 else 'disadvantage'} {extra}"
    words = ", ".join(
        f"{CAUSE_WORDS.get(cause) or condition_name(cause)} {levels:+d}" for cause, levels in causes.items()
    )
    return f" ({kind}: {words})"
