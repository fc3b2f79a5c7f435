"""Rolls in words: which die stands for what, which do not count, what gave advantage.

Events hold bare results; the order in which dice are read (heart, ability, weapon, damage type, might bonus, then those
of advantage or disadvantage) and the fighters' sheets name them. Not here: any rule; totals come from the events.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from heartrush_agents.tables import who_beats_whom

from heartrush_env.heart_rush.rules.terms import NO_STANCE, STANCES
from heartrush_env.heart_rush.scenario import catalog
from heartrush_env.heart_rush.scenario.load import FighterSheet
from heartrush_env.heart_rush.scenario.settings import Settings

Beats = Callable[[str | None, str | None], bool]  # whether a stance beats another, by name; None is no stance
Handful = list[tuple[str, int]]  # the name of each die, and its sides; 0 where the events do not say

UNARMED_DIE = 4
FAVORED_BY = {stance: kind for kind, stance in catalog.damage_types().items() if stance}
CAUSE_WORDS = {
    "help": "helped",
    "size": "larger",
    "unseen": "cannot see the opponent",
    "charm": "the opponent is charmed",
    "highground": "high ground",
    "creature_climber": "clings to the opponent",
    "climbed_on": "the opponent clings on",
    "grappling": "holds somebody",
    "cover": "cover",
    "long_range": "long range",
    "water": "stands in water",
    "dim_light": "dim light",
}


@dataclass
class Known:
    """What a reader of the events knows of a fighter."""

    sheet: FighterSheet
    hp: int
    heart: int  # sides, now
    rolled_heart: int  # sides, in the rolls of this phase
    armed: bool = True
    stance: str | None = None
    status: str = "standing"
    wounds: int = 0  # sum of ranks
    conditions: dict[str, int] = field(default_factory=dict)

    @classmethod
    def at_start(cls, sheet: FighterSheet) -> Known:
        """As the scenario describes it."""
        conditions = {condition.name: condition.levels for condition in sheet.conditions}
        wounds = sum(sheet.wounds)
        return cls(sheet, sheet.hp_now, sheet.heart_now, sheet.heart_now, wounds=wounds, conditions=conditions)


def stance_code(stance: str | None) -> int:
    """The number of a stance in the tables of the rules; None is no stance."""
    return NO_STANCE if stance is None else STANCES.index(stance)


def beats_by(settings: Settings) -> Beats:
    """The rule of who beats whom under these settings."""
    table = who_beats_whom(settings)
    return lambda own, other: bool(table[stance_code(own), stance_code(other)])


def condition_name(condition: str) -> str:
    """What people call a condition."""
    return catalog.conditions()[condition].name.lower()


def attack_handful(fighter: Known, stance: str, *, beats: bool) -> Handful:
    """The dice of an attack roll, in the order in which they are read."""
    handful = check_handful(fighter, stance)
    weapon = fighter.sheet.weapon
    name, die = (weapon.name.lower(), weapon.die) if fighter.armed else ("bare hands", UNARMED_DIE)
    kind = weapon.damage_type if fighter.armed else "bludgeoning"
    if die:
        handful.append((name, die))
        if FAVORED_BY.get(stance) == kind:
            handful.append((kind, die))
        if beats and stance == "might" and fighter.armed and weapon.attack_type == "whip":
            handful.append(("whip", die))
    return handful


def check_handful(fighter: Known, ability: str) -> Handful:
    """The dice of a check, a save or a defence roll."""
    return [("heart", fighter.rolled_heart), (ability, getattr(fighter.sheet, ability))]


def written(handful: Handful, results: Sequence[int], causes: Mapping[str, int], total: int, flat: Handful) -> str:
    """A roll in words: each die by name, what is added, the total, and what gave advantage.

    Args:
        handful: The dice without those of advantage or disadvantage.
        results: What all dice show, in the order in which they are read.
        causes: Levels of advantage (below zero: of disadvantage) by cause.
        total: What the roll counts.
        flat: What may have been added, by name; shown as far as it makes up the total.
    """
    extra = len(results) - len(handful)
    helped = sum(causes.values()) > 0
    names = handful + [("extra", _extra_sides(handful, advantage=helped))] * extra
    out = uncounted(results, extra, lowest=helped)
    parts = [
        _die(name, sides, face, k in out) for k, ((name, sides), face) in enumerate(zip(names, results, strict=True))
    ]
    counted = sum(face for k, face in enumerate(results) if k not in out)
    parts += [f"{name} {value}" for name, value in added(total - counted, flat)]
    return f"{' + '.join(parts)} = {total}{_reasons(causes, extra)}"


def uncounted(results: Sequence[int], extra: int, *, lowest: bool) -> set[int]:
    """The places of the dice that are dropped: as many of the lowest, or highest, as dice were added."""
    order = sorted(range(len(results)), key=lambda k: (results[k] if lowest else -results[k], k))
    return set(order[:extra])


def added(amount: int, flat: Handful) -> Handful:
    """Those of the flat bonuses that make up the amount; all or the last ones, or the amount by itself."""
    for start in range(len(flat) + 1):
        if sum(value for _, value in flat[start:]) == amount:
            return [(name, value) for name, value in flat[start:] if value]
    return [("other", amount)]


def _extra_sides(handful: Handful, *, advantage: bool) -> int:
    """Advantage adds dice of the smallest size, disadvantage of the largest; 0 if a size is not known."""
    sizes = [sides for _, sides in handful]
    return 0 if 0 in sizes else min(sizes) if advantage else max(sizes)


def _die(name: str, sides: int, face: int, dropped: bool) -> str:
    words = f"{name} d{sides}: {face}" if sides else f"{name}: {face}"
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
