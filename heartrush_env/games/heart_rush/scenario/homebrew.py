"""Homebrew abilities: tables in which game makers declare abilities of their own, checked and read as data.

A declaration combines words of a closed vocabulary (rules/homebrew.py, docs/homebrew.md): when the ability acts, what
must hold, what it does and what it costs. It holds no code. What the vocabulary cannot say is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from pathlib import Path
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.abilities import Aim, Frequency
from heartrush_env.games.heart_rush.rules.homebrew import DOINGS, EFFECTS, TRIGGERS, WHENS, WHOM
from heartrush_env.games.heart_rush.rules.hooks import HOOKS
from heartrush_env.games.heart_rush.rules.terms import CONDITIONS, DIE_LADDER, FEET, LEVEL_CAP, MAP_SIDE, STANCES
from heartrush_env.games.heart_rush.scenario.abilities import AbilityEntry, abilities
from heartrush_env.games.heart_rush.scenario.homebrew_fit import (
    CHANGES,
    CLEARED,
    CODE,
    USES,
    WITH_LEVELS,
    misfits,
    misfits_of_effect,
)
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.scenario.reading import parsed, text_of
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import (
    Faults,
    Field,
    flag,
    join_or,
    list_of,
    look_up,
    named,
    one_of,
    read_table,
    table,
    text,
    whole,
)

CHAPTER, KIND = "Homebrew", "homebrew"
ABILITY, FILE = "ability", "homebrew"  # keys of a scenario: a list of declarations, and a file of them
MOST: Final = 32  # homebrew abilities of a scenario
LONGEST_TEXT: Final = 400  # characters of an effect in words
MOST_DICE: Final = 4
MOST_EXTRA_DICE: Final = EFFECTS * MOST_DICE  # that the abilities of one fighter add to one roll
FREQUENCIES: Final = ("at_will", "once_a_round", "minor", "major")
AIMS: Final = {"own": Aim.NOBODY, "ally": Aim.ALLY, "enemy": Aim.ENEMY}
# Wishes that the vocabulary cannot say, beside the hooks that are no triggers.
BEYOND: Final = (
    "area", "attack_again", "choose", "copy", "extra_attack", "grapple", "move", "pull", "push", "reroll", "save",
    "script", "summon", "swap", "teleport",
)  # fmt: skip
_KEYS_OF_CODE: Final = ("area", "code", "formula", "picks", "python", "save", "script")  # in any table
_ID: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")
_DICE: Final = re.compile(r"([1-9]?)d([0-9]{1,2})")


@dataclass(frozen=True)
class Effect:
    """One effect of a homebrew ability."""

    does: str
    whom: str  # own or other
    amount: int  # a number, levels, or how many dice
    die: int = 0  # the sides of the dice; 0 for a number
    condition: str = ""


@dataclass(frozen=True)
class Homebrew:
    """A homebrew ability, as declared."""

    id: str
    name: str
    effect: str  # in words, for people
    trigger: str  # "" for an ability that acts only when it is used
    use: str  # "" for an ability that acts by itself
    aim: Aim
    range: int  # feet; 0 for any distance
    frequency: str
    rush: int  # the price of a use
    costs_action: bool
    when: tuple[tuple[str, Any], ...]
    effects: tuple[Effect, ...]

    @property
    def price_kind(self) -> Frequency:
        """The frequency by which the rules charge its uses."""
        if self.rush or self.frequency == "minor":
            return Frequency.MINOR
        return Frequency.MAJOR if self.frequency == "major" else Frequency.PASSIVE

    @property
    def entry(self) -> AbilityEntry:
        """Its facts, as of a shipped ability."""
        return AbilityEntry(
            self.id, self.name, CHAPTER, KIND, self.effect,
            frequency=self.price_kind.name.lower(),
            instant=bool(self.use) and self.use != "action",
            uses_action=self.costs_action,
        )  # fmt: skip

    @property
    def extra_dice(self) -> int:
        """The number of dice that the ability adds to a roll."""
        return sum(effect.amount for effect in self.effects if effect.does == "extra_dice")

    @property
    def how(self) -> str:
        """How it is used, in words: its price and its moment."""
        if not self.use:
            return "always on"
        price = {"minor": "its k-th use costs k rush points"}.get(self.frequency, "")
        price = f"costs {self.rush} rush point{'s' * (self.rush > 1)}" if self.rush else price
        moment = "in the action phase" if self.use == "action" else "at any moment that fits"
        rate = {"once_a_round": "once a round", "major": "once in a fight"}.get(self.frequency, "")
        parts = (rate, price, moment, "costs your action" * self.costs_action)
        return ", ".join(part for part in parts if part)


# The other fields of an ability whose declaration has faults.
_STAND_IN: Final = ("", "", TRIGGERS[1], "", Aim.NOBODY, 0, FREQUENCIES[0], 0, False, (), ())


def _text(most: int) -> Field:
    return Field(
        lambda value: isinstance(value, str) and value.isprintable() and value.strip() != "" and len(value) <= most,
        f"a line of text of at most {most} characters",
    )


@cache
def ability_fields() -> dict[str, Field]:
    """Return the keys of a homebrew ability."""
    return {
        "id": Field(
            lambda value: isinstance(value, str) and _ID.fullmatch(value) is not None,
            "at most 40 lower-case letters, digits and _, a letter first",
        ).about("its name for programs, under `abilities` of a fighter", usually="required"),
        "name": text().about("its display name", usually="required"),
        "effect": _text(LONGEST_TEXT).about("what it does, in words for people", usually="required"),
        "trigger": one_of(TRIGGERS[1:]).about("when it acts by itself", usually="none; needed without `use`"),
        "use": one_of(USES).about("when its owner may use it", usually="none; needed without `trigger`"),
        "aim": one_of(AIMS).about("whom a use aims at", "own"),
        "range": whole(0, MAP_SIDE * FEET, "feet").about("how far the aim may be, on a map; 0 for any distance", 0),
        "frequency": one_of(FREQUENCIES).about(
            "how often it may be used; the k-th use of a `minor` one costs k rush points, and a `major` one is used "
            "once in a fight",
            "once_a_round",
        ),
        "rush": whole(0, 5, "rush points").about("the price of each use", 0),
        "costs_action": flag().about("whether a use costs the action", usually='true for `use = "action"`'),
        "when": table().about(f"conditions that must all hold, at most {WHENS}", {}, usually="none"),
        "effects": list_of(table(), "a list of tables, one per effect").about(
            f"what it does, 1 to {EFFECTS} effects", usually="required"
        ),
    }


@cache
def when_fields() -> dict[str, Field]:
    """Return the conditions that an ability may have."""
    stance, condition = one_of(STANCES), named(CONDITIONS)
    feet, damage = whole(FEET, MAP_SIDE * FEET, "feet"), whole(1, 100)
    known = {
        "own_stance": stance.about("the owner's stance"),
        "other_stance": stance.about("the stance of the other fighter"),
        "own_condition": condition.about("a condition of the owner"),
        "other_condition": condition.about("a condition of the other fighter"),
        "own_below_half": flag().about("whether the owner has less than half of its hit points"),
        "other_below_half": flag().about("whether the other fighter has less than half of its hit points"),
        "own_wounded": flag().about("whether the owner has a wound"),
        "other_wounded": flag().about("whether the other fighter has a wound"),
        "own_full_heart": flag().about("whether the owner's heart die is at its full size"),
        "own_stance_beats": flag().about("whether the owner's stance beats that of the other fighter"),
        "first_round": flag().about("whether it is the first round"),
        "from_round": whole(1, 100).about("the first round in which it acts"),
        "ally_within": feet.about("an ally stands in sight at most this far away; without a map, any ally"),
        "enemy_within": feet.about("an enemy stands in sight at most this far away; without a map, any enemy"),
        "other_within": feet.about("the other fighter is in sight and at most this far away"),
        "roll_at_most": whole(1, 100).about("the owner's roll; only once it is rolled"),
        "damage_at_least": damage.about("the damage; only of triggers and uses about damage"),
        "damage_at_most": damage.about("the damage; only of triggers and uses about damage"),
    }
    return {key: replace(field, usually="not asked") for key, field in known.items()}


@cache
def effect_fields() -> dict[str, Field]:
    """Return the keys of an effect of an ability."""
    return {
        "do": one_of(DOINGS[1:]).about("what it does", usually="required"),
        "whom": one_of(WHOM).about(
            "the owner or the other fighter",
            usually="other for give and harm, and for heal and clear aimed at an ally; else own",
        ),
        "amount": whole(1, 100).about("a number, of some effects", usually="none"),
        "dice": Field(
            lambda value: isinstance(value, str) and _dice(value) is not None,
            f"1 to {MOST_DICE} dice such as '2d6', with {join_or(DIE_LADDER)} sides",
        ).about("dice in place of a number, of some effects", usually="none"),
        "levels": whole(1, LEVEL_CAP).about(
            "levels of a condition, of advantage or disadvantage", usually="1; all levels for clear and resist"
        ),
        "condition": named(CLEARED).about("the condition, of some effects", usually="any, for resist"),
    }


def _dice(given: str) -> tuple[int, int] | None:
    """Return the number and sides of dice such as "2d6", or None."""
    found = _DICE.fullmatch(given)
    if found is None:
        return None
    number, sides = int(found[1] or 1), int(found[2])
    return (number, sides) if number <= MOST_DICE and sides in DIE_LADDER else None


def read_homebrew(given: Sequence[Any], where: str, faults: Faults) -> dict[str, Homebrew]:
    """Return the abilities that these tables declare, by id, and record all faults.

    A declaration with faults has a stand-in, so that fighters that name it are not faulted, too.
    """
    found: dict[str, Homebrew] = {}
    with faults.caught():
        if len(given) > MOST:
            raise ScenarioError(f"{where}: {ABILITY}: expected at most {MOST} abilities, got {len(given)}.")
    for number, declared in enumerate(given[:MOST], 1):
        place = f"{where}, {ABILITY} {number}"
        if isinstance(declared, Mapping) and isinstance(declared.get("id"), str):
            place += f" ({show(declared['id'])[1:-1]})"
        made = _read(declared, place, faults)
        id = declared.get("id") if isinstance(declared, Mapping) else None
        with faults.caught():
            shipped = isinstance(id, str) and bool(id) and look_up(id, abilities()) is not None
            if isinstance(id, str) and (id in found or shipped):
                taken = "a shipped ability has it" if shipped else "an earlier one has it"
                raise ScenarioError(f"{place}: id: expected an id of its own, got {show(id)}; {taken}.")
        if isinstance(id, str):
            found.setdefault(id, made or Homebrew(id, *_STAND_IN))
    return found


def _read(declared: Any, place: str, faults: Faults) -> Homebrew | None:
    """Return a declaration, or None after recording its faults."""
    before = len(faults)
    fields = _table(declared, ability_fields(), place, "trigger", faults)
    for key in ("id", "name", "effect", "effects"):
        with faults.caught():
            if isinstance(declared, Mapping) and key not in declared:
                raise ScenarioError(f"{place}: {key} is missing; expected {ability_fields()[key].allowed}.")
    when = _table(fields.get("when", {}), when_fields(), f"{place}, when", "", faults)
    with faults.caught():
        if not isinstance(declared, Mapping) or not {"trigger", "use"} & declared.keys():
            raise ScenarioError(f"{place}: expected a trigger or a use, got neither.")
    listed = fields.get("effects", [])
    with faults.caught():
        if "effects" in fields and not 1 <= len(listed) <= EFFECTS:
            raise ScenarioError(f"{place}: effects: expected 1 to {EFFECTS} effects, got {len(listed)}.")
    effects = [_effect(one, fields, f"{place}, effect {k}", faults) for k, one in enumerate(listed[:EFFECTS], 1)]
    known_moment = isinstance(declared, Mapping) and all(key in fields for key in ("trigger", "use") if key in declared)
    for fault in misfits(fields, when, place) if known_moment else []:
        with faults.caught():
            raise ScenarioError(fault)
    if len(faults) > before:
        return None
    costs_action = fields.get("costs_action", fields.get("use") == "action")
    return Homebrew(
        id=fields["id"],
        name=fields["name"],
        effect=fields["effect"],
        trigger=fields.get("trigger", ""),
        use=fields.get("use", ""),
        aim=AIMS[fields.get("aim", "own")],
        range=fields.get("range", 0),
        frequency=fields.get("frequency", "once_a_round") if "use" in fields else "at_will",
        rush=fields.get("rush", 0),
        costs_action=costs_action,
        when=tuple(when.items()),
        effects=tuple(effect for effect in effects if effect is not None),
    )


def _table(given: Any, known: Mapping[str, Field], place: str, word: str, faults: Faults) -> dict[str, Any]:
    """Return the sound part of a table; refuse keys of code, and under the key `word` wishes that need code."""
    checked = dict(given) if isinstance(given, Mapping) else given
    for key in _KEYS_OF_CODE:
        with faults.caught():
            if isinstance(checked, dict) and checked.pop(key, None) is not None:
                raise ScenarioError(f"{place}: {key} {CODE}.")
    with faults.caught():
        if isinstance(checked, dict) and word in checked and _needs_code(checked[word]):
            wish = checked.pop(word)
            raise ScenarioError(f"{place}: {word}: {show(wish)} {CODE}.")
    return faults.attempt(lambda: read_table(checked, known, place, ScenarioError, faults=faults), {})


def _needs_code(wish: Any) -> bool:
    """Return whether a word names something that abilities do only in code."""
    return isinstance(wish, str) and wish in (*BEYOND, *HOOKS) and wish not in (*TRIGGERS, *DOINGS)


def _effect(given: Any, ability: Mapping[str, Any], place: str, faults: Faults) -> Effect | None:
    """Return an effect of an ability whose fields are given, or None after recording its faults."""
    before = len(faults)
    fields = _table(given, effect_fields(), place, "do", faults)
    with faults.caught():
        if "do" not in given:
            raise ScenarioError(f"{place}: do is missing; expected {effect_fields()['do'].allowed}.")
    if "do" not in fields:
        return None
    does = fields["do"]
    for fault in misfits_of_effect(does, fields, given, ability, place):
        with faults.caught():
            raise ScenarioError(fault)
    if len(faults) > before:
        return None
    number, die = _dice(fields["dice"]) or (0, 0) if "dice" in fields else (fields.get("amount", 0), 0)
    if does in WITH_LEVELS:
        usual = {"clear": 0, "resist": LEVEL_CAP}.get(does, 1)
        number = fields.get("levels", usual)
    for_ally = does in ("heal", "clear") and ability.get("aim") == "ally"
    usual_whom = "other" if does in ("give", "harm") or for_ally else "own"
    return Effect(does, fields.get("whom", usual_whom), number, die, fields.get("condition", ""))


def table_of(made: Homebrew) -> dict[str, Any]:
    """Return a homebrew ability in the form of a scenario file."""
    used = {
        "use": made.use,
        "aim": next(word for word, aim in AIMS.items() if aim == made.aim),
        "range": made.range,
        "frequency": made.frequency,
        "rush": made.rush,
        "costs_action": made.costs_action,
    }
    return {
        "id": made.id,
        "name": made.name,
        "effect": made.effect,
        **({"trigger": made.trigger} if made.trigger else {}),
        **(used if made.use else {}),
        **({"when": dict(made.when)} if made.when else {}),
        "effects": [_table_of_effect(effect) for effect in made.effects],
    }


def _table_of_effect(effect: Effect) -> dict[str, Any]:
    """Return an effect in the form of a scenario file."""
    told: dict[str, Any] = {"do": effect.does}
    if effect.does in CHANGES:
        told["whom"] = effect.whom
    if effect.die:
        told["dice"] = f"{effect.amount}d{effect.die}"
    elif effect.amount:
        told["levels" if effect.does in WITH_LEVELS else "amount"] = effect.amount
    if effect.condition:
        told["condition"] = effect.condition
    return told


def with_homebrew(scenario: Mapping[str, Any], folder: Path, where: str) -> dict[str, Any]:
    """Return a scenario file's table with the declarations of the file that its key `homebrew` names.

    Raises:
        ScenarioError: The file cannot be read, is outside the scenario's folder, or holds something else.
    """
    told = dict(scenario)
    name = told.pop(FILE, None)
    if name is None:
        return told
    file = folder / name if isinstance(name, str) else folder
    is_path = isinstance(name, str) and "\0" not in name
    inside = is_path and not Path(name).is_absolute() and file.resolve().is_relative_to(folder.resolve())
    if not inside or not file.name.endswith(".toml"):
        raise ScenarioError(f"{where}: {FILE}: expected a TOML file in the scenario's folder, got {show(name)}.")
    own, held = told.get(ABILITY, []), _tables_in(file)
    further = [one for one in own if one not in held] if isinstance(own, list) else []  # equal declarations are one
    return {**told, ABILITY: [*held, *further] if isinstance(own, list) else own}


def declarations_in(file: Path) -> dict[str, Homebrew]:
    """Return the homebrew abilities that a TOML file declares, by id.

    Raises:
        ScenarioError: The file cannot be read or holds something else, or declarations have faults; all are told.
    """
    faults = Faults()
    found = read_homebrew(_tables_in(file), str(file), faults)
    faults.settle(str(file))
    return found


def _tables_in(file: Path) -> list[Any]:
    """Return the tables of a file that holds only declarations."""
    held = parsed(text_of(file, "a TOML file of abilities"), str(file))
    if held.keys() != {ABILITY} or not isinstance(held[ABILITY], list):
        raise ScenarioError(f"{file}: expected only [[{ABILITY}]] tables, got {show(list(held))}.")
    return list(held[ABILITY])


def too_many_dice(owned: Iterable[Homebrew]) -> str:
    """Return how the dice that these abilities add to a roll are too many for one fighter, or an empty string."""
    made = [*owned]
    for trigger in ("attack", "defense"):
        dice = sum(one.extra_dice for one in made if one.trigger == trigger)
        if dice > MOST_EXTRA_DICE:
            return (
                f"expected homebrew abilities with trigger {trigger!r} that add at most {MOST_EXTRA_DICE} dice "
                f"together, got {dice}"
            )
    return ""
