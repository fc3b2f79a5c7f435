"""The creation rules: prices in experience, ranges of each monster tier, and a report on a fighter.

Figures beyond the rules are reported, but can still be played. Loading a scenario refuses figures that fights cannot
represent.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import ABILITIES, DIE_LADDER
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LEGACY, MONSTERS, abilities, clashes, unmet_needs
from heartrush_env.games.heart_rush.scenario.catalog import Weapon
from heartrush_env.games.heart_rush.scenario.fields import weapon_of
from heartrush_env.tabletop.validate import join_or

POINTS: Final = "experience points"
CHARACTER, MONSTER = "character", "monster"
_D20: Final = {
    "might": "titanic_strength", "agility": "divine_dexterity", "cunning": "ingenious_cunning",
    "presence": "draconic_presence",
}  # fmt: skip  # the paragons that make a d12 a d20


@dataclass(frozen=True)
class Finding:
    """One figure of a fighter."""

    beyond: bool  # whether it is beyond the rules
    text: str  # the figure, and its cost or the allowed range


@dataclass(frozen=True)
class Report:
    """A fighter checked against the creation rules."""

    kind: str  # CHARACTER or MONSTER
    findings: tuple[Finding, ...]
    summary: str  # in a sentence
    spent: int = 0  # experience points of a character
    xp: int = 0  # experience points that the character has, spent ones included

    @property
    def legal(self) -> bool:
        """Whether every figure is within the rules."""
        return not any(finding.beyond for finding in self.findings)


def is_monster(fields: Mapping[str, Any]) -> bool:
    """Return whether the fighter has flat bonuses instead of a weapon, or a monster's ability."""
    flat = fields.get("attack_bonus", 0) or fields.get("defense_bonus", 0)
    known = abilities()
    owns = any(known[id].chapter == MONSTERS for id in fields.get("abilities", ()))
    return bool(owns or (flat and weapon_of(fields.get("weapon", "none"), "sheet").size == "none"))


# ----------------------------------------------------------------------------------------------------- characters


def character_report(fields: Mapping[str, Any], xp: int | None = None) -> Report:
    """Check a character's fields against the creation rules.

    Args:
        fields: The fields of a scenario's fighter or of a sheet, with all defaults filled in.
        xp: The experience points that it may have spent; by default, those of the lowest bloodmark that allows it.
    """
    findings = [*_figures(fields)]
    spent = 0
    for cost, text in _purchases(fields):
        spent += cost
        findings.append(Finding(False, f"{text}: {cost} {POINTS}"))
    counts = Counter(abilities()[id].kind for id in fields["abilities"] if abilities()[id].chapter == LEGACY)
    least = max(spent, _xp_of_heart(fields["heart"]))
    bloodmark = _lowest_bloodmark(least, counts, _needed_bloodmark(fields)) if xp is None else bloodmark_of(xp)
    budget = xp_of(bloodmark) if xp is None else xp
    brought = legacy_of(bloodmark)
    for kind, count in counts.items():
        over = count - brought.get(kind, 0)
        bound = f"the {brought.get(kind, 0)} that bloodmark {bloodmark} brings"
        text = (
            f"{_number(count, kind)}, {over} beyond {bound}" if over > 0 else f"{_number(count, kind)}, within {bound}"
        )
        findings.append(Finding(over > 0, text))
    if _xp_of_heart(fields["heart"]) > budget:
        short = _xp_of_heart(fields["heart"]) - budget
        findings.append(Finding(True, f"heart d{fields['heart']}, {short} {POINTS} too early"))
    impossible = [*clashes(fields, "sheet"), *unmet_needs(fields, "sheet", bloodmark)]
    findings += [Finding(True, why.removeprefix("sheet: ").removesuffix(".")) for why in impossible]
    if spent > budget:
        findings.append(Finding(True, f"{spent} {POINTS} spent, {spent - budget} beyond the {budget} there are"))
    summary = f"{spent} of {budget} {POINTS} spent, bloodmark {bloodmark}."
    return Report(CHARACTER, tuple(findings), summary, spent, budget)


def _figures(fields: Mapping[str, Any]) -> Iterator[Finding]:
    """Yield findings on the figures that experience cannot buy."""
    start, price = (catalog.data("creation.toml")[part] for part in ("start", "price"))
    threshold = start["wound_threshold"] + sum(
        abilities()[id].params["threshold"] for id in fields["abilities"] if id == "tough_as_nails"
    )
    most = {"attack_bonus": 0, "defense_bonus": 0, "rush": start["rush"], "wound_threshold": threshold}
    for key, allowed in most.items():
        value = fields[key]
        if key == "wound_threshold" and value == 0:
            yield Finding(True, f"wound_threshold 0 (never), beyond {allowed}")
        elif value > allowed:
            yield Finding(True, f"{key} {value}, {value - allowed} beyond {allowed}")
    for ability in ABILITIES:
        if _bought(fields, ability) > price["largest_die"]:
            largest = f"d{price['largest_die']}, or the paragon {_D20[ability]!r}"
            yield Finding(True, f"{ability} d{fields[ability]}, beyond {largest}")
    if fields["hp"] > start["hp"] and (more := (fields["hp"] - start["hp"]) % price["hp_step"]):
        yield Finding(True, f"{fields['hp']} hit points, {more} beyond the {fields['hp'] - more} of whole purchases")
    if "speed" in fields:
        weapon = weapon_of(fields["weapon"], "sheet")
        left = speed_left(fields, weapon, catalog.shields()[fields["shield"]])
        if fields["speed"] > left:
            more = fields["speed"] - left
            yield Finding(True, f"speed {fields['speed']}, {more} feet beyond the {left} that its equipment leaves")
    for id in fields["abilities"]:
        if abilities()[id].chapter == MONSTERS:
            yield Finding(True, f"{id!r}, a monster's ability instead of one of the combat legacy")


def speed_left(fields: Mapping[str, Any], weapon: Weapon, shield: catalog.Shield) -> int:
    """Return the speed in feet per round that armor, this equipment and talents leave a fighter."""
    quick = abilities()["quick"]
    faster = int(quick.params["speed_ft"]) if "quick" in fields["talents"] else 0
    faster = int(quick.destiny_params["speed_ft"]) if "quick" in fields["destiny_talents"] else faster
    if "juggernaut" in (*fields["talents"], *fields["destiny_talents"]):
        return catalog.BASE_SPEED + faster
    return catalog.speed_left(catalog.armors()[fields["armor"]], shield, weapon) + faster


def _purchases(fields: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """Yield a character's purchases as (price, text)."""
    yield _dice_cost(fields), "dice " + "/".join(str(fields[ability]) for ability in ABILITIES)
    yield _hp_cost(fields), f"{fields['hp']} hit points"
    talents, destiny = _talent_costs(fields)
    if fields["talents"] or fields["destiny_talents"]:
        yield talents, join_or([*fields["talents"], *fields["destiny_talents"]], "and")
    if fields["destiny_talents"]:
        yield destiny, f"{_number(len(fields['destiny_talents']), 'destiny level')}"


def xp_spent(fields: Mapping[str, Any]) -> int:
    """Return the experience points that a character has spent."""
    return sum(cost for cost, _ in _purchases(fields))


def _dice_cost(fields: Mapping[str, Any]) -> int:
    """Return the lowest price of the ability dice: larger starting dice go to the abilities where they save most."""
    start = sorted(catalog.data("creation.toml")["start"]["dice"])
    dice = sorted(_bought(fields, ability) for ability in ABILITIES)
    return sum(step for first, die in zip(start, dice, strict=True) for step in DIE_LADDER if first < step <= die)


def _bought(fields: Mapping[str, Any], ability: str) -> int:
    """Return an ability's die without the effect of a paragon, which raises a d12 to a d20."""
    largest: int = catalog.data("creation.toml")["price"]["largest_die"]
    die: int = fields[ability]
    return largest if die > largest and _D20[ability] in fields["abilities"] else die


def _hp_cost(fields: Mapping[str, Any]) -> int:
    """Return the price of the hit points: each step costs the maximum before it divided by the step size, plus 1."""
    start, step = catalog.data("creation.toml")["start"]["hp"], catalog.data("creation.toml")["price"]["hp_step"]
    cheaper = abilities()["hulking"].destiny_params["hp_xp_discount"] if "hulking" in fields["destiny_talents"] else 0
    return sum(hp // step + 1 - cheaper for hp in range(start, fields["hp"] - step + 1, step))


def _talent_costs(fields: Mapping[str, Any]) -> tuple[int, int]:
    """Return the prices of all talents and of all destiny levels; each purchase raises the price of the next one."""
    price, known = catalog.data("creation.toml")["price"], abilities()
    destined, every = fields["destiny_talents"], (*fields["talents"], *fields["destiny_talents"])
    free = known["martial_master"].params["picks"] * Counter(fields["abilities"])["martial_master"]
    free_levels = min(free, _martial(destined))  # destiny levels cost more than talents
    levels = len(destined) - free_levels
    talents = len(every) - min(free - free_levels, _martial(every))
    less = known["versatile_training"].params if "versatile_training" in fields["abilities"] else {}
    return (
        sum(price["talent"] + owned - less.get("talent_discount", 0) for owned in range(talents)),
        sum(price["destiny"] + owned - less.get("destiny_discount", 0) for owned in range(levels)),
    )


def _martial(ids: Iterable[str]) -> int:
    """Return the number of martial talents in `ids`."""
    return sum(abilities()[id].kind == "martial" for id in ids)


def _xp_of_heart(die: int) -> int:
    """Return the experience points at which a character's heart die reaches this size."""
    steps: list[dict[str, int]] = catalog.data("creation.toml")["heart"]
    return min(step["xp"] for step in steps if step["die"] >= die)


def heart_of(xp: int) -> int:
    """Return the heart die of a character with this much experience."""
    return max(int(step["die"]) for step in catalog.data("creation.toml")["heart"] if step["xp"] <= xp)


def _needed_bloodmark(fields: Mapping[str, Any]) -> int:
    """Return the lowest bloodmark that meets the requirements of all abilities."""
    return max((abilities()[id].requires.get("bloodmark", 0) for id in fields["abilities"]), default=0)


def xp_of(bloodmark: int) -> int:
    """Return the experience points that a character of this bloodmark starts with."""
    listed, more = catalog.data("creation.toml")["bloodmark"], catalog.data("creation.toml")["further"]
    return int(listed[min(bloodmark, len(listed) - 1)]["xp"] + max(0, bloodmark - len(listed) + 1) * more["xp"])


def legacy_of(bloodmark: int) -> dict[str, int]:
    """Return the number of legacy abilities of each kind that a character of this bloodmark has."""
    listed, more = catalog.data("creation.toml")["bloodmark"], catalog.data("creation.toml")["further"]
    legacy = dict(listed[min(bloodmark, len(listed) - 1)]["legacy"])
    legacy["paragon"] += max(0, bloodmark - len(listed) + 1) * more["paragon"]
    return legacy


def bloodmark_of(xp: int) -> int:
    """Return the bloodmark of a character with this much experience."""
    listed: list[dict[str, int]] = catalog.data("creation.toml")["bloodmark"]
    further = max(0, xp - listed[-1]["xp"]) // catalog.data("creation.toml")["further"]["xp"]
    return max(0, sum(entry["xp"] <= xp for entry in listed) - 1) + int(further)


def _lowest_bloodmark(xp: int, counts: Mapping[str, int], needed: int) -> int:
    """Return the lowest bloodmark, at least `needed`, that provides this experience and these legacy abilities.

    Counts of all kinds except paragons are capped at the counts of the last listed bloodmark.
    """
    bloodmark, most = needed, legacy_of(_LAST_LISTED)
    wanted = {kind: count if kind == "paragon" else min(count, most.get(kind, 0)) for kind, count in counts.items()}
    while xp_of(bloodmark) < xp or any(legacy_of(bloodmark).get(kind, 0) < count for kind, count in wanted.items()):
        bloodmark += 1
    return bloodmark


_LAST_LISTED: Final = 5


def _number(count: int, what: str) -> str:
    plural = f"{what.removesuffix('y')}ies" if what.endswith("y") else f"{what}s"
    return f"{count} {what if count == 1 else plural}"


# ------------------------------------------------------------------------------------------------------- monsters


def monster_report(fields: Mapping[str, Any], tier: str = "") -> Report:
    """Check a monster's fields against the ranges of a tier; by default, the tier nearest to its hit points."""
    name = tier or _nearest_tier(fields["hp"])
    ranges = catalog.tiers()[name]
    findings = [
        _within("hit points", fields["hp"], ranges["hp"]),
        _within("wound threshold", fields["wound_threshold"], ranges["wound_threshold"]),
        _within("abilities", len(fields["abilities"]), ranges["abilities"]),
    ]
    if len(fields["abilities"]) < ranges["abilities"][0]:
        findings[-1] = Finding(False, findings[-1].text)  # having fewer abilities is no advantage
    if not fields["wound_threshold"]:
        unwoundable = ranges.get("may_be_unwoundable", False)
        findings[1] = Finding(not unwoundable, f"never wounded, {'as' if unwoundable else 'which only'} minions may be")
    said = f"Tier {name}" + ("." if tier else ", by its hit points.")
    return Report(MONSTER, tuple(findings), said)


def _nearest_tier(hp: int) -> str:
    """Return the first tier whose range of hit points is nearest."""
    return min(catalog.tiers(), key=lambda name: abs(_off(hp, catalog.tiers()[name]["hp"])))


def _off(value: int, ends: Sequence[int]) -> int:
    """Return how far a value is above a range, or below it as a negative number; an upper end of 0 means no limit."""
    low, high = ends
    return value - low if value < low else max(0, value - high) if high else 0


def _within(what: str, value: int, ends: Sequence[int]) -> Finding:
    low, high = ends
    allowed = f"{low} or more" if not high else str(low) if low == high else f"{low} to {high}"
    off = _off(value, ends)
    if not off:
        return Finding(False, f"{what} {value}, within {allowed}")
    return Finding(True, f"{what} {value}, {abs(off)} {'above' if off > 0 else 'below'} {allowed}")
