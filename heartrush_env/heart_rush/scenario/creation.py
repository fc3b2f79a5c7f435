"""The creation rules: what a character's experience buys, the ranges of a monster's tier, and a report on a fighter.

Figures beyond the rules are reported and still play. Not here: figures that no fight can hold, which loading refuses.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from heartrush_env.core.validate import join_or
from heartrush_env.heart_rush.rules.terms import ABILITIES, DIE_LADDER
from heartrush_env.heart_rush.scenario import catalog
from heartrush_env.heart_rush.scenario.abilities import LEGACY, MONSTERS, abilities, check_abilities
from heartrush_env.heart_rush.scenario.fields import weapon_of

POINTS: Final = "experience points"
_D20: Final = {
    "might": "titanic_strength", "agility": "divine_dexterity", "cunning": "ingenious_cunning",
    "presence": "draconic_presence",
}  # fmt: skip  # the paragons that make a d12 a d20


@dataclass(frozen=True)
class Finding:
    """One figure of a fighter."""

    beyond: bool  # whether it is beyond the rules
    text: str  # the figure, what it costs or what is allowed


@dataclass(frozen=True)
class Report:
    """A fighter held against the creation rules."""

    kind: str  # character or monster
    findings: tuple[Finding, ...]
    summary: str  # in a sentence

    @property
    def legal(self) -> bool:
        """Whether nothing is beyond the rules."""
        return not any(finding.beyond for finding in self.findings)


def is_monster(fields: Mapping[str, Any]) -> bool:
    """Whether flat bonuses stand in place of a weapon, or an ability is a monster's."""
    flat = fields.get("attack_bonus", 0) or fields.get("defense_bonus", 0)
    known = abilities()
    owns = any(known[id].chapter == MONSTERS for id in fields.get("abilities", ()))
    return bool(owns or (flat and fields.get("weapon", "none") == "none"))


# ----------------------------------------------------------------------------------------------------- characters


def character_report(fields: Mapping[str, Any], xp: int | None = None) -> Report:
    """Hold a character's fields against the creation rules.

    Args:
        fields: Those of a scenario's fighter or a sheet, with every default in place.
        xp: The experience points that it may have spent; by default those of the lowest bloodmark that holds it.
    """
    findings = [*_figures(fields)]
    spent = 0
    for cost, text in _purchases(fields):
        spent += cost
        findings.append(Finding(False, f"{text}: {cost} {POINTS}"))
    counts = Counter(abilities()[id].kind for id in fields["abilities"] if abilities()[id].chapter == LEGACY)
    least = max(spent, _xp_of_heart(fields["heart"]))
    bloodmark = _lowest_bloodmark(least, counts, _needed_bloodmark(fields)) if xp is None else _bloodmark_of(xp)
    budget = _budget(bloodmark) if xp is None else xp
    brought = _legacy(bloodmark)
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
    findings += [
        Finding(True, str(error).removeprefix("sheet: ").removesuffix("."))
        for error in check_abilities(
            fields["talents"],
            fields["destiny_talents"],
            fields["abilities"],
            "sheet",
            dice={ability: fields[ability] for ability in ABILITIES},
            shield=fields["shield"] != "none",
            bloodmark=bloodmark,
        )
    ]
    if spent > budget:
        findings.append(Finding(True, f"{spent} {POINTS} spent, {spent - budget} beyond the {budget} there are"))
    return Report("character", tuple(findings), f"{spent} of {budget} {POINTS} spent, bloodmark {bloodmark}.")


def _figures(fields: Mapping[str, Any]) -> Iterator[Finding]:
    """The figures that experience does not buy."""
    start, price = (catalog.data("creation.toml")[part] for part in ("start", "price"))
    threshold = start["wound_threshold"] + sum(
        abilities()[id].params["threshold"] for id in fields["abilities"] if id == "tough_as_nails"
    )
    most = {"attack_bonus": 0, "defense_bonus": 0, "rush": start["rush"], "wound_threshold": threshold}
    for key, allowed in most.items():
        value = fields[key]
        if key == "wound_threshold" and value == 0:
            yield Finding(True, f"wound_threshold 0 (never), allowed: {allowed}")
        elif value > allowed:
            yield Finding(True, f"{key} {value}, {value - allowed} beyond {allowed}")
    for ability in ABILITIES:
        if _bought(fields, ability) > price["largest_die"]:
            largest = f"d{price['largest_die']}, or the paragon {_D20[ability]!r}"
            yield Finding(True, f"{ability} d{fields[ability]}, allowed: {largest}")
    if fields["hp"] > start["hp"] and (more := (fields["hp"] - start["hp"]) % price["hp_step"]):
        yield Finding(True, f"{fields['hp']} hit points, {more} beyond the {fields['hp'] - more} of whole purchases")
    if "speed" in fields:
        left = _speed_left(fields)
        if fields["speed"] > left:
            more = fields["speed"] - left
            yield Finding(True, f"speed {fields['speed']}, {more} feet beyond the {left} that its equipment leaves")
    for id in fields["abilities"]:
        if abilities()[id].chapter == MONSTERS:
            yield Finding(True, f"{id!r} is a monster's ability, allowed: those of the combat legacy")


def _speed_left(fields: Mapping[str, Any]) -> int:
    """Feet a round with its equipment and talents."""
    quick = abilities()["quick"]
    faster = quick.params["speed_ft"] if "quick" in fields["talents"] else 0
    faster = quick.destiny_params["speed_ft"] if "quick" in fields["destiny_talents"] else faster
    if "juggernaut" in (*fields["talents"], *fields["destiny_talents"]):
        return catalog.BASE_SPEED + faster
    weapon = weapon_of(fields["weapon"], "sheet")
    return catalog.speed_left(catalog.armor(fields["armor"]), catalog.shield(fields["shield"]), weapon) + faster


def _purchases(fields: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    """The purchases of its experience, each with its price."""
    yield _dice_cost(fields), "dice " + "/".join(str(fields[ability]) for ability in ABILITIES)
    yield _hp_cost(fields), f"{fields['hp']} hit points"
    talents, destiny = _talent_costs(fields)
    if fields["talents"] or fields["destiny_talents"]:
        yield talents, join_or([*fields["talents"], *fields["destiny_talents"]], "and")
    if fields["destiny_talents"]:
        yield destiny, f"{_number(len(fields['destiny_talents']), 'destiny level')}"


def _dice_cost(fields: Mapping[str, Any]) -> int:
    """The least price of its ability dice: the start's larger dice stand where they save most."""
    start = sorted(catalog.data("creation.toml")["start"]["dice"])
    dice = sorted(_bought(fields, ability) for ability in ABILITIES)
    return sum(step for first, die in zip(start, dice, strict=True) for step in DIE_LADDER if first < step <= die)


def _bought(fields: Mapping[str, Any], ability: str) -> int:
    """The die that experience has bought, where a paragon makes a d12 a d20."""
    largest: int = catalog.data("creation.toml")["price"]["largest_die"]
    die: int = fields[ability]
    return largest if die > largest and _D20[ability] in fields["abilities"] else die


def _hp_cost(fields: Mapping[str, Any]) -> int:
    """The price of its hit points: each step costs the maximum before it, divided by the step, plus one."""
    start, step = catalog.data("creation.toml")["start"]["hp"], catalog.data("creation.toml")["price"]["hp_step"]
    cheaper = abilities()["hulking"].destiny_params["hp_xp_discount"] if "hulking" in fields["destiny_talents"] else 0
    return sum(hp // step + 1 - cheaper for hp in range(start, fields["hp"] - step + 1, step))


def _talent_costs(fields: Mapping[str, Any]) -> tuple[int, int]:
    """The prices of all talents and of all destiny levels; each one bought makes the next one dearer."""
    price, known = catalog.data("creation.toml")["price"], abilities()
    destined, every = fields["destiny_talents"], (*fields["talents"], *fields["destiny_talents"])
    free = known["martial_master"].params["picks"] * Counter(fields["abilities"])["martial_master"]
    free_levels = min(free, _martial(destined))  # the dearer of the two
    levels = len(destined) - free_levels
    talents = len(every) - min(free - free_levels, _martial(every))
    less = known["versatile_training"].params if "versatile_training" in fields["abilities"] else {}
    return (
        sum(price["talent"] + owned - less.get("talent_discount", 0) for owned in range(talents)),
        sum(price["destiny"] + owned - less.get("destiny_discount", 0) for owned in range(levels)),
    )


def _martial(ids: Iterable[str]) -> int:
    """The number of martial talents among them."""
    return sum(abilities()[id].kind == "martial" for id in ids)


def _xp_of_heart(die: int) -> int:
    """The experience points with which a character's heart die has this size; smaller dice need none."""
    steps: list[dict[str, int]] = catalog.data("creation.toml")["heart"]
    return min(step["xp"] for step in steps if step["die"] >= die)


def _needed_bloodmark(fields: Mapping[str, Any]) -> int:
    """The lowest bloodmark that all its abilities allow."""
    return max((abilities()[id].requires.get("bloodmark", 0) for id in fields["abilities"]), default=0)


def _budget(bloodmark: int) -> int:
    """The experience points that a character of a bloodmark starts with."""
    listed, more = catalog.data("creation.toml")["bloodmark"], catalog.data("creation.toml")["further"]
    return int(listed[min(bloodmark, len(listed) - 1)]["xp"] + max(0, bloodmark - len(listed) + 1) * more["xp"])


def _legacy(bloodmark: int) -> dict[str, int]:
    """The legacy abilities of each kind that a character of a bloodmark has."""
    listed, more = catalog.data("creation.toml")["bloodmark"], catalog.data("creation.toml")["further"]
    legacy = dict(listed[min(bloodmark, len(listed) - 1)]["legacy"])
    legacy["paragon"] += max(0, bloodmark - len(listed) + 1) * more["paragon"]
    return legacy


def _bloodmark_of(xp: int) -> int:
    """The bloodmark of a character with this much experience."""
    listed: list[dict[str, int]] = catalog.data("creation.toml")["bloodmark"]
    further = max(0, xp - listed[-1]["xp"]) // catalog.data("creation.toml")["further"]["xp"]
    return max(0, sum(entry["xp"] <= xp for entry in listed) - 1) + int(further)


def _lowest_bloodmark(xp: int, counts: Mapping[str, int], needed: int) -> int:
    """The lowest bloodmark that has the experience and the legacy abilities, or as many of them as any has."""
    bloodmark, most = needed, _legacy(_LAST_LISTED)
    wanted = {kind: count if kind == "paragon" else min(count, most.get(kind, 0)) for kind, count in counts.items()}
    while _budget(bloodmark) < xp or any(_legacy(bloodmark).get(kind, 0) < count for kind, count in wanted.items()):
        bloodmark += 1
    return bloodmark


_LAST_LISTED: Final = 5


def _number(count: int, what: str) -> str:
    plural = f"{what.removesuffix('y')}ies" if what.endswith("y") else f"{what}s"
    return f"{count} {what if count == 1 else plural}"


# ------------------------------------------------------------------------------------------------------- monsters


def monster_report(fields: Mapping[str, Any], tier: str = "") -> Report:
    """Hold a monster's fields against the ranges of its tier, by default of the one nearest to its hit points."""
    name = tier or _nearest_tier(fields["hp"])
    ranges = catalog.tiers()[name]
    findings = [
        _within("hit points", fields["hp"], ranges["hp"]),
        _within("wound threshold", fields["wound_threshold"], ranges["wound_threshold"]),
        _within("abilities", len(fields["abilities"]), ranges["abilities"]),
    ]
    if len(fields["abilities"]) < ranges["abilities"][0]:
        findings[-1] = Finding(False, findings[-1].text)  # fewer take nothing from anybody
    if not fields["wound_threshold"]:
        unwoundable = ranges.get("may_be_unwoundable", False)
        findings[1] = Finding(not unwoundable, f"never wounded, {'as' if unwoundable else 'which only'} minions may be")
    said = f"Tier {name}" + ("." if tier else ", by its hit points.")
    return Report("monster", tuple(findings), said)


def _nearest_tier(hp: int) -> str:
    """The first tier whose range of hit points is nearest."""
    return min(catalog.tiers(), key=lambda name: abs(_off(hp, catalog.tiers()[name]["hp"])))


def _off(value: int, ends: Sequence[int]) -> int:
    """The distance of a value above a range, below it as a negative number; an end of 0 is open."""
    low, high = ends
    return value - low if value < low else max(0, value - high) if high else 0


def _within(what: str, value: int, ends: Sequence[int]) -> Finding:
    low, high = ends
    allowed = f"{low} or more" if not high else str(low) if low == high else f"{low} to {high}"
    off = _off(value, ends)
    if not off:
        return Finding(False, f"{what} {value}, within {allowed}")
    return Finding(True, f"{what} {value}, {abs(off)} {'above' if off > 0 else 'below'} {allowed}")
