"""The fighters of a scenario: each is checked on its own, then resolved and checked against the others."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import ABILITIES, DAMAGE_TYPES, DIE_LADDER, FEET
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import abilities
from heartrush_env.games.heart_rush.scenario.catalog import Weapon
from heartrush_env.games.heart_rush.scenario.companions import check_companion, check_companions_of
from heartrush_env.games.heart_rush.scenario.creation import speed_left
from heartrush_env.games.heart_rush.scenario.fields import MAX_HP, fighter_fields, weapon_of
from heartrush_env.games.heart_rush.scenario.homebrew import Homebrew
from heartrush_env.games.heart_rush.scenario.loadouts import loadout
from heartrush_env.games.heart_rush.scenario.parts import check_most, check_part, parts_of
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.scenario.sheets import FighterSheet, Owned, Spare
from heartrush_env.games.heart_rush.scenario.start_conditions import (
    check_conditions,
    check_one_end_each,
    start_conditions,
)
from heartrush_env.games.heart_rush.scenario.tiers import scaled
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import Faults, Field, check_value, join_or, number_of, read_table, whole

_NEEDED: Final = ("id", "team", *ABILITIES, "heart", "hp")
_SPARE: Final = ("spare_weapon", "spare_shield", "spare_speed")
_ONLY_ON_MAPS: Final = ("at", "spare_speed")
_AS_GIVEN: Final = (
    "id", "team", *ABILITIES, "heart", "hp", "size", "attack_bonus", "wound_threshold", "rush", "thrown", "surprised",
    "to_grow",
)  # fmt: skip  # keys whose values are copied to the sheet unchanged
# Stand-ins for broken keys while the rest of a file is checked.
_STAND_INS: Final = {**dict.fromkeys(ABILITIES, 6), "heart": DIE_LADDER[-1], "hp": MAX_HP}
_DEPENDENTS: Final = {"hp": ("hp_now", "wounds"), "heart": ("heart_now",)}  # by key, the keys whose checks depend on it


@dataclass(frozen=True)
class Draft:
    """A fighter's fields, checked one by one but not yet against each other."""

    agent: str
    fields: dict[str, Any]  # including its stat line, and stand-ins for broken values
    named: bool  # its display name is given explicitly
    where: str  # source, for error messages
    broken: frozenset[str]  # keys whose values are missing or invalid; checks that depend on them are skipped


@dataclass(frozen=True)
class FighterReader:
    """A reader of the fighters of one scenario, which collects all their faults."""

    where: str  # the source, for error messages
    on_map: bool
    victory: str
    settings: Settings
    faults: Faults
    homebrew: Mapping[str, Homebrew]  # the scenario's own abilities, by id

    def drafts(self, given: Sequence[Mapping[str, Any]]) -> list[Draft]:
        """Check the fields of each fighter one by one; the parts of creatures follow all other fighters."""
        found: list[Draft] = []
        for fighter in given:
            found.append(self._draft(fighter, found))
        for body in tuple(found):
            with self.faults.caught():
                for part in parts_of(body.agent, body.fields, body.where):
                    found.append(self._draft(part, found))
        return found

    def _draft(self, given: Mapping[str, Any], earlier: Sequence[Draft]) -> Draft:
        """Check a fighter's fields, and assign its agent name: `<id>_<index among fighters with that id>`."""
        number = len(earlier) + 1
        place = f"{self.where}, fighter {number}"
        if isinstance(given.get("id"), str):
            place += f" ({show(given['id'])[1:-1]})"
        own = read_table(given, fighter_fields(), place, ScenarioError, faults=self.faults)
        broken = {key for key in fighter_fields() if key in given and key not in own}
        with self.faults.caught():
            _check_map_fields(own, given, place, self.on_map)
        figures: dict[str, Any] = self.faults.attempt(lambda: scaled(own, place), {})
        fields = with_stat_line(own, figures)
        missing = [] if "from" in broken else [key for key in _NEEDED if key not in fields and key not in broken]
        with self.faults.caught():
            if missing:
                rest = "" if "from" in own or missing == ["team"] else ", or from = a fighter or monster"
                raise ScenarioError(f"{place}: {missing[0]} is missing; expected {join_or(missing, 'and')}{rest}.")
        broken |= {key for key in _NEEDED if key not in fields}
        for key in [key for part in broken for key in _DEPENDENTS.get(part, ())]:
            fields.pop(key, None)
        fields = {"id": f"?{number}", "team": f"?{number}", **_STAND_INS, **fields}
        count = sum(draft.fields["id"] == fields["id"] for draft in earlier)
        return Draft(f"{fields['id']}_{count}", fields, "name" in own, place, frozenset(broken))

    def sheets(self, drafts: Sequence[Draft], heroes: Sequence[str] | None) -> tuple[FighterSheet, ...]:
        """Resolve the fighters and check them against one another; `heroes` is None if a fault leaves it unknown."""
        names = self._display_names(drafts)
        found = []
        for draft, name in zip(drafts, names, strict=True):
            found.append(self._sheet(draft, name, heroes))
        if not any("id" in draft.broken for draft in drafts):  # all names are known
            self._compare(drafts, found)
        return tuple(found)

    def _display_names(self, drafts: Sequence[Draft]) -> list[str]:
        """Return a display name for each fighter; equal names that were not given explicitly are numbered."""
        wanted = [draft.fields.get("name", draft.fields["id"].capitalize()) for draft in drafts]
        shared = Counter(wanted)
        numbers: Counter[str] = Counter()
        names: list[str] = []
        for draft, name in zip(drafts, wanted, strict=True):
            if not draft.named and shared[name] > 1:
                numbers[name] += 1
                name = f"{name} {numbers[name]}"
            with self.faults.caught():
                if name in names:
                    message = f"{draft.where}: name: expected a name that no earlier fighter has, got {show(name)}."
                    raise ScenarioError(message)
            names.append(name)
        return names

    def _sheet(self, draft: Draft, name: str, heroes: Sequence[str] | None) -> FighterSheet:
        """Resolve a fighter's fields; its square on a map is set later, once all fighters are known."""
        where, attempt = draft.where, self.faults.attempt
        fields = {key: field.usual for key, field in fighter_fields().items() if field.usual is not None} | draft.fields
        owned = loadout(fields, where, self.faults, self.homebrew)
        for destined, key in enumerate(("talents", "destiny_talents")):
            fields[key] = [each.name for each in owned if each.destined == bool(destined)]
        hero = (heroes is None or fields["team"] in heroes) and "part_of" not in fields
        weapon, shield = attempt(lambda: _in_hand(fields, where), (catalog.NO_WEAPON, catalog.shields()["none"]))
        top = self.settings.top_speed * FEET if self.on_map else None
        spare = attempt(lambda: _spare(fields, where, top), None) if "spare_weapon" in fields else None
        with self.faults.caught():
            _check_attunement([weapon] if spare is None else [weapon, spare.weapon], owned, where)
        unhurt: tuple[int, ...] = ()
        wounds = attempt(lambda: _wounds(fields, self.settings, where), unhurt)
        hp_now = 0 if fields["to_grow"] else fields.get("hp_now", fields["hp"] - sum(wounds))
        heart_now = fields.get("heart_now", fields["heart"])
        with self.faults.caught():
            if not fields["to_grow"]:
                allowed = _hp_range(fields["hp"], sum(wounds), hero, self.victory, self.settings)
                check_value(hp_now, allowed, f"{where}: hp_now", ScenarioError)
        with self.faults.caught():
            allowed = number_of(die for die in DIE_LADDER if die <= fields["heart"])
            check_value(heart_now, allowed, f"{where}: heart_now", ScenarioError)
        rank = catalog.sizes()[fields["size"]]
        return FighterSheet(
            agent=draft.agent,
            name=name,
            hero=hero,
            heart_now=heart_now,
            hp_now=hp_now,
            weapon=weapon,
            armor=catalog.armors()[fields["armor"]].defense_bonus + fields["defense_bonus"],
            armor_vs=tuple(_versus(fields, kind) - fields["defense_bonus"] for kind in DAMAGE_TYPES),
            shield=shield.defense_bonus,
            shield_hands=shield.hands,
            size_rank=rank,
            side=max(1, rank),
            speed=_speed(fields, weapon, shield, top),
            wounds=wounds,
            abilities=owned,
            at=None,
            spare=spare,
            conditions=start_conditions(fields["conditions"], where, self.faults),
            part_of=fields.get("part_of"),
            companion_of=fields.get("companion_of"),
            **{key: fields[key] for key in _AS_GIVEN},
        )

    def _compare(self, drafts: Sequence[Draft], sheets: Sequence[FighterSheet]) -> None:
        """Check conditions, parts and companions against the other fighters."""
        places, tables = [draft.where for draft in drafts], [draft.fields for draft in drafts]
        for place, fields, sheet in zip(places, tables, sheets, strict=True):
            check_conditions(place, sheet, sheets, self.settings, self.faults)
            with self.faults.caught():
                check_part(place, fields, sheet, sheets, self.settings)
            with self.faults.caught():
                check_companion(place, sheet, sheets)
        with self.faults.caught():
            check_one_end_each(places, sheets)
        with self.faults.caught():
            check_most(places, tables)
        for place, sheet in zip(places, sheets, strict=True):
            with self.faults.caught():
                check_companions_of(place, sheet, sheets)


def _check_map_fields(own: Mapping[str, Any], all: Mapping[str, Any], place: str, on_map: bool) -> None:
    """Check that map keys are given only with a map, and spare equipment only with a spare weapon."""
    given = [key for key in _ONLY_ON_MAPS if key in own]
    if given and not on_map:
        raise ScenarioError(
            f"{place}: {given[0]} is {show(own[given[0]])}, but there is no [battlefield] to use it on."
        )
    beside = [key for key in _SPARE if key in own]
    if beside and "spare_weapon" not in all:
        raise ScenarioError(f"{place}: {beside[0]} needs spare_weapon, which is missing.")


def with_stat_line(own: dict[str, Any], figures: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fighter's fields merged over the stat line named by `from` and the figures of its template."""
    if "from" not in own:
        return dict(own)
    letters = own["from"].replace("_", "")  # ids contain only letters
    return {"id": letters, **catalog.stat_line(own["from"]), **figures, **own}


def _in_hand(fields: Mapping[str, Any], where: str) -> tuple[Weapon, catalog.Shield]:
    """Return the weapon and shield in hand; the default weapon is "unarmed", or "none" with a flat attack bonus."""
    usual = "none" if fields["attack_bonus"] else "unarmed"
    return _carried(fields.get("weapon", usual), fields["shield"], fields, where)


def _versus(fields: Mapping[str, Any], kind: str) -> int:
    """Return what replaces the defense bonus against attacks of this damage type."""
    versus = fields["defense_vs"]
    bonus: int = versus.get(kind, versus.get("physical", fields["defense_bonus"]))
    return bonus


def _spare(fields: Mapping[str, Any], where: str, top: int | None) -> Spare:
    """Return the weapon and shield that a fighter can swap to; without a map, the swap does not change its speed."""
    weapon, shield = _carried(fields["spare_weapon"], fields["spare_shield"], fields, where, "spare_")
    told = {**fields, "speed": fields["spare_speed"]} if "spare_speed" in fields else fields
    speed = _speed(told, weapon, shield, top) if top else _speed(fields, *_in_hand(fields, where), top)
    return Spare(weapon, shield.defense_bonus, shield.hands, speed)


def _carried(
    weapon: object, shield: str, fields: Mapping[str, Any], where: str, kind: str = ""
) -> tuple[Weapon, catalog.Shield]:
    """Return a weapon and a shield after checking that a fighter can hold both; `kind` is the prefix of their keys."""
    held = weapon_of(weapon, f"{where}: {kind}weapon")
    larger = _sizes_larger(fields)
    rank = catalog.sizes()[fields["size"]] + larger
    _check_weapon_size(held, rank, fields["size"], f"{where}: {kind}weapon")
    beside = catalog.shields()[shield]
    in_one_hand = larger and rank >= catalog.sizes()["large"] and (held.size, held.attack_type) == ("heavy", "melee")
    _check_hands(held, min(held.hands, 1) if in_one_hand else held.hands, beside, where, kind)
    return held, beside


def _sizes_larger(fields: Mapping[str, Any]) -> int:
    """Return how many sizes larger than it is a fighter counts by its talents."""
    has_it = "hulking" in (*fields["talents"], *fields["destiny_talents"])
    return int(abilities()["hulking"].params["size_steps"]) if has_it else 0


def _check_weapon_size(weapon: Weapon, rank: int, size: str, place: str) -> None:
    """Raise ScenarioError if the weapon is too big for a fighter that counts as this size rank."""
    ranks = catalog.sizes()
    fitting = [id for id, weapon_size in catalog.weapon_sizes().items() if ranks[weapon_size.smallest_wielder] <= rank]
    if weapon.die and not weapon.element and weapon.size not in fitting:
        raise ScenarioError(
            f"{place}: expected {join_or(fitting)} for a fighter of size {size!r}, got {weapon.id!r}, which is "
            f"{weapon.size}."
        )


def _check_hands(weapon: Weapon, hands: int, shield: catalog.Shield, where: str, kind: str) -> None:
    """Raise ScenarioError if a weapon in this many hands and a shield need more than two hands."""
    if hands + shield.hands > 2:
        raise ScenarioError(
            f"{where}: {kind}shield: expected 'none' with {kind}weapon {weapon.id!r}, which needs two hands, "
            f"got {shield.id!r}."
        )


def _check_attunement(weapons: Sequence[Weapon], owned: Sequence[Owned], where: str) -> None:
    """Raise ScenarioError if a fighter has cantrips without an attunement, or cantrips of two elements."""
    cantrips = [weapon for weapon in weapons if weapon.element]
    if cantrips and not any(each.name == "warcaster" for each in owned):
        raise ScenarioError(
            f"{where}: abilities: expected 'warcaster' for the cantrip {cantrips[0].id!r}, got abilities without it."
        )
    if len({cantrip.element for cantrip in cantrips}) > 1:
        raise ScenarioError(
            f"{where}: spare_weapon: expected no cantrip but those of {cantrips[0].element}, as {cantrips[0].id!r} is, "
            f"got {cantrips[1].id!r}."
        )


def _wounds(fields: Mapping[str, Any], settings: Settings, where: str) -> tuple[int, ...]:
    """Return the ranks of a fighter's starting wounds; their sum must be less than its maximum hit points."""
    wounds = tuple(fields["wounds"])
    if wounds and not settings.wounds:
        raise ScenarioError(
            f"{where}: wounds: expected none, because the setting 'wounds' is off, got {show(list(wounds))}."
        )
    if sum(wounds) >= fields["hp"]:
        raise ScenarioError(f"{where}: wounds: expected a sum below the {fields['hp']} hp, got {sum(wounds)}.")
    return wounds


def _hp_range(hp: int, wounds: int, hero: bool, victory: str, settings: Settings) -> Field:
    """Return the allowed starting hit points: at most what wounds leave; above 0 unless the fighter may fight on."""
    fights_on = victory == "last_standing" and settings.may_choose_at_zero(hero)
    lasts = hp - wounds if settings.death_at == "reduced_maximum" else hp
    return whole(1 - lasts if fights_on else 1, hp - wounds, "the most that wounds leave" if wounds else "")


def _speed(fields: Mapping[str, Any], weapon: Weapon, shield: catalog.Shield, top: int | None) -> int:
    """Return the speed in feet per round: the scenario's, or what equipment and talents leave; on a map at most `top`.

    Without a map, `top` is None.
    """
    speed: int = fields.get("speed", speed_left(fields, weapon, shield))
    return speed if top is None else min(speed, top)
