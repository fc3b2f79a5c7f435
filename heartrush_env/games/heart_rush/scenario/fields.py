"""The keys of a scenario file (scenario, fighter, weapon and condition), with their ranges and defaults."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.terms import (
    ABILITY_DICE,
    DAMAGE_TYPES,
    DIE_LADDER,
    FASTEST,
    FEET,
    MAX_FIGHTERS,
    MOST_FIGHTERS,
    MOST_OBJECTS,
)
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.battlefield import square
from heartrush_env.games.heart_rush.scenario.catalog import Weapon
from heartrush_env.games.heart_rush.scenario.tiers import SCALABLE
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.validate import (
    Field,
    any_of,
    flag,
    is_whole,
    join_or,
    list_of,
    named,
    number_of,
    read_table,
    table,
    text,
    whole,
    word,
)

MIN_FIGHTERS: Final = 2
MOST_SPEED: Final = FASTEST * FEET  # per round on a map; larger speeds are reduced to this
MAX_HP: Final = 1_000
MOST_THROWN: Final = 20  # thrown weapons per fighter
MOST_RANGE: Final = 120  # feet
MOST_BONUS: Final = 30  # on attack and defense rolls
KINDS: Final = (*DAMAGE_TYPES, "physical", "magic")  # kinds of damage in stat blocks


class ScenarioTable(dict[str, Any]):
    """A scenario's table, with the name of its source for error messages."""

    where: str = "scenario dict"

    @classmethod
    def of(cls, table: Mapping[str, Any], **fields: Any) -> "ScenarioTable":
        """Return a copy of a table with some fields replaced; error messages keep naming its source."""
        copy = cls({**table, **fields})
        copy.where = getattr(table, "where", cls.where)
        return copy


@cache
def scenario_fields() -> dict[str, Field]:
    """Return the keys of a scenario."""
    return {
        "name": text().about("its display name", usually="the name of its file"),
        "victory": named(["first_down", "last_standing"]).about(
            "when a fighter is out of the fight: with `first_down` at 0 hp; with `last_standing` when it is dead, "
            "unconscious or has yielded, or is at 0 hp and may not fight on",
            "last_standing",
        ),
        "heroes": any_of(word(), list_of(word(), "a list of such words")).about(
            "the team or teams that win timing ties and may fight on at 0 hp", [], usually="no team"
        ),
        "max_rounds": whole(1, 10_000, "rounds").about("the round after which the fight ends", 200),
        "round_cap": named(["draw", "hp"]).about(
            "the result of a fight that ends by the round cap: a draw, or decided by hp left", "draw"
        ),
        "fighter": list_of(table(), "a list of tables, one per fighter").about(
            f"the fighters: {MIN_FIGHTERS} to {MAX_FIGHTERS}, or on a map up to {MOST_FIGHTERS}, in at least two teams",
            (),
            usually="required",
        ),
        "object": list_of(table(), "a list of tables, one per object").about(
            f"locks, pillars, chests and other objects on the map, {MOST_OBJECTS} at most", (), usually="none"
        ),
        "ability": list_of(table(), "a list of tables, one per ability").about(
            "homebrew abilities, which fighters name under `abilities`; see docs/homebrew.md", (), usually="none"
        ),
        "homebrew": Field(
            lambda value: False,
            "the path of a TOML file",
            refusal="only the file of a scenario names a file of abilities",
        ).about("in a file: a file of `[[ability]]` tables in the same folder", usually="none"),
        "rules": table().about("settings of the rules", {}, usually="the rulebook in full"),
        "battlefield": table().about("the map", usually="no map: all fighters are within reach of each other"),
    }


@cache
def fighter_fields() -> dict[str, Field]:
    """Return the keys of a scenario's fighter."""
    die, ability_die = number_of(DIE_LADDER), number_of(ABILITY_DICE)
    needed = "required, unless `from` is given"
    weapon = any_of(named(catalog.arms()), table())
    return {
        "id": word().about("its name for programs: the id `knight` gives the agent `knight_0`", usually=needed),
        "from": named([*catalog.fighters(), *catalog.monsters()]).about(
            "the fighter or monster whose figures it takes; in a file, also the path of a sheet in the same folder; "
            "other keys override these figures",
            usually="none",
        ),
        "template": named(SCALABLE).about(
            "the tier that a monster named by `from` is scaled to: hit points, wound threshold, attack_bonus",
            usually="none",
        ),
        "name": text().about("its display name", usually="its id, capitalised"),
        "team": word().about("its team", usually="required"),
        "might": ability_die.about("the sides of its might die", usually=needed),
        "agility": ability_die.about("the sides of its agility die", usually=needed),
        "cunning": ability_die.about("the sides of its cunning die", usually=needed),
        "presence": ability_die.about("the sides of its presence die", usually=needed),
        "heart": die.about("the sides of its full heart die", usually=needed),
        "heart_now": die.about("the sides of its heart die at the start, at most `heart`", usually="as `heart`"),
        "hp": whole(1, MAX_HP).about("maximum hit points", usually=needed),
        "hp_now": whole(1 - MAX_HP, MAX_HP).about(
            "hit points at the start; 0 or less only for a fighter that may fight on at 0 hp",
            usually="as `hp`, minus its wounds",
        ),
        "weapon": weapon.about(
            "its weapon: a name, or a table for a custom weapon",
            usually="unarmed; if it has an attack_bonus, no weapon",
        ),
        "armor": named(catalog.armors()).about("the suit of armor that it wears", "none"),
        "shield": named(catalog.shields()).about("the shield that it holds", "none"),
        "size": named(catalog.sizes()).about("its size category", "medium"),
        "speed": whole(0, 1_000, "feet a round").about(
            f"its speed, on a map at most {MOST_SPEED}, or less with the setting `top_speed`",
            usually=f"{catalog.BASE_SPEED}, minus the penalties of armor, shield and weapon",
        ),
        "attack_bonus": whole(0, MOST_BONUS).about("added to its attack rolls", 0),
        "defense_bonus": whole(0, MOST_BONUS).about("added to its defense rolls, in addition to armor and shield", 0),
        "defense_vs": Field(_are_bonuses, f"a table of whole numbers from 0 to {MOST_BONUS} by {join_or(KINDS)}").about(
            "in place of `defense_bonus` against attacks of a damage type; `physical` is all that are not named, and "
            "`magic` is in no fight yet",
            {},
            usually="none",
        ),
        "wound_threshold": whole(0, MAX_HP, "0 for never").about("the least damage of a hit that marks a wound", 10),
        "wounds": list_of(whole(1, MAX_HP), f"a list of ranks, whole numbers from 1 to {MAX_HP}").about(
            "existing wounds; their sum must be less than `hp`", (), usually="none"
        ),
        "surprised": flag().about("whether it is surprised and loses the first round", False),
        "conditions": table().about(
            "existing conditions: levels by name, or a table of levels and source", {}, usually="none"
        ),
        "talents": _ids().about("its talents", (), usually="none"),
        "destiny_talents": _ids().about("talents that it has in their destiny version", (), usually="none"),
        "abilities": _ids().about("its abilities: those of its combat legacy, or of a monster", (), usually="none"),
        "with_abilities": flag().about(
            "whether it also has the talents and abilities of its stat block; a warning names those that have no "
            "effect in fights yet",
            False,
        ),
        "parts": table().about(
            "its parts, by monster: how many stand at the start, and how many it may have in all, as in "
            "`{ hydra_head = [3, 6] }`",
            usually="none; with `with_abilities`, those of its stat block",
        ),
        "part_of": Field(text().fits, "the agent of one creature").about(
            "the agent of the creature that it is a part of, as in `hydra_0`", usually="none"
        ),
        "companion_of": Field(text().fits, "the agent of one fighter").about(
            "the agent of the fighter that it obeys by the talent Beast Companion, as in `archer_0`", usually="none"
        ),
        "to_grow": flag().about("whether it is a part that is out of the fight until it grows", False),
        "at": square().about(
            "the top-left square of its space, counted from 0",
            usually="required on a map; for a part, the square of its creature",
        ),
        "thrown": whole(1, MOST_THROWN, "thrown weapons").about(
            "the number of thrown weapons that it carries; a follow-up throw needs a second", 1
        ),
        "rush": whole(0, 20, "rush points of the first round").about("rush points to spend in round 1", 1),
        "spare_weapon": weapon.about("the weapon that it can swap to", usually="none"),
        "spare_shield": named(catalog.shields()).about("the shield held with the spare weapon", "none"),
        "spare_speed": whole(0, 1_000, "feet a round with the spare weapon in hand").about(
            "its speed with the spare weapon, on a map",
            usually="as `speed` if given, otherwise computed from the spare equipment",
        ),
    }


def _are_bonuses(value: object) -> bool:
    """Return whether a value is a table of defense bonuses by kind of damage."""
    if not isinstance(value, Mapping):
        return False
    return all(kind in KINDS and is_whole(bonus) and 0 <= bonus <= MOST_BONUS for kind, bonus in value.items())


def _ids() -> Field:
    return list_of(text(), "a list of ids from `heartrush list abilities`")


@cache
def weapon_fields() -> dict[str, Field]:
    """Return the keys of a custom weapon."""
    return {
        "size": named([*catalog.weapon_sizes(), "none"]).about(
            "determines the die and the hands; with `none` it has no die and is natural", usually="required"
        ),
        "attack_type": named(catalog.attack_types()).about(
            "determines the might bonus and the range", usually="required"
        ),
        "damage_type": named(catalog.damage_types()).about("determines the stance that it favors", "none"),
        "reach": flag().about("melee only: reaches one square farther", False),
        "natural": flag().about("part of the body, so it needs no hands and cannot be dropped", False),
        "range": whole(FEET, MOST_RANGE, "feet").about(
            "how far it attacks without disadvantage; for a melee weapon, how far it threatens", usually="as its type"
        ),
    }


def weapon_of(given: Any, place: str) -> Weapon:
    """Return a weapon given by name or as the table of a custom weapon."""
    if isinstance(given, Mapping):
        parts = read_table(given, weapon_fields(), place, ScenarioError)
        for key in ("size", "attack_type"):
            if key not in parts:
                raise ScenarioError(f"{place}: {key} is missing; expected {weapon_fields()[key].allowed}.")
        if parts.get("reach") and parts["attack_type"] != "melee":
            raise ScenarioError(f"{place}: reach: expected attack_type 'melee', got {parts['attack_type']!r}.")
        return catalog.combined_weapon(**parts)
    return catalog.weapon(given, place)


CONDITION_FIELDS: Final = {
    "levels": whole(1, 5).about("the number of levels, up to the condition's maximum", 1),
    "source": text().about("the agent that causes it", usually="required for conditions with a source"),
}
