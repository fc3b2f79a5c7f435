"""Scenarios of Heretics: their reader, which reports all faults at once, and the record of their first position."""

from collections.abc import Mapping
from typing import Any, Final

from heartrush_env.games.heretics import terms
from heartrush_env.games.heretics.settings import PLAIN_DUEL, SETTINGS
from heartrush_env.games.heretics.weapons import HANDS, LIBRARY, NO_ITEM, WEAPON_NAMES
from heartrush_env.tabletop.choosing import NOBODY
from heartrush_env.tabletop.errors import ScenarioError
from heartrush_env.tabletop.grids.squares import HEIGHT, WIDTH, fill_map
from heartrush_env.tabletop.scenario.maps import exits_of
from heartrush_env.tabletop.scenario.reader import SQUARE, WORD, Ground, Reader, TableScenario, whole_table
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import (
    Faults,
    Field,
    flag,
    join_or,
    list_of,
    named,
    number_of,
    one_of,
    read_table,
    table,
    whole,
)  # fmt: skip

BITS: Final = {"walls": "#", "water": "~", "small_hazards": "^", "fires": "*"}  # glyphs by the record's fields
GROUND: Final = Ground(
    WIDTH,
    HEIGHT,
    {".": "open", "#": "wall", "~": "water", "^": "small things", "*": "fire"},
    blocked="#~",
    fields={
        "exits": list_of(SQUARE, "a list of squares as [x, y]"),
        **dict.fromkeys(("small_dice", "fire_dice"), whole(1, 10)),
    },
)
BODIES: Final = {"none": 0, "cloth": 1, "brigandine": 2, "mail": 3}  # added to 10 and dex
PLATES: Final = {"half_plate": 15, "full_plate": 16}  # in place of that sum
USUAL_SPEED: Final = 40  # feet
HERO_HP: Final = 9
FLESH: Final = 5  # of a hero: 9 less the grit, a d8, whose mean rounds down to 4
MOST_TAGS: Final = 8  # different tags of what fighters fear
SURPRISES: Final = {"roll": 2, "none": NOBODY}  # in place of a surprised side
_DICE: Final = (4, 6, 8, 10, 12)
_GIVEN: Final = tuple(it for it in terms.CONDITIONS if it not in ("grappled", "open", "surprised", "aided"))
_BY_HIT: Final = tuple(it for it in _GIVEN if it != "unaware")
_EMPTY: Final = "none"  # an empty slot of the inventory
_SLOT: Final = (*WEAPON_NAMES, _EMPTY)
_FIGHTER: Final[Mapping[str, tuple[Field, Any]]] = {  # the keys of a fighter, each with its default
    "role": (one_of(("hero", "npc", "retainer")), "npc"),
    **dict.fromkeys(terms.ABILITIES, (whole(-10, 10), 0)),
    "body": (named((*BODIES, *PLATES)), "none"),
    "held": (named(WEAPON_NAMES), None),
    "inventory": (list_of(named(_SLOT), f"a list of weapons: {join_or(_SLOT)}"), []),
    "to_hit": (whole(-20, 40), None),
    "hd": (whole(1, 20), 1),
    "natural": (number_of(_DICE), 0),
    "on_hit": (table(), None),
    **dict.fromkeys(("shield", "helmet", "fearless", "steady", "opportunist"), (flag(), False)),
    **dict.fromkeys(("fearsome", "commander"), (WORD, None)),
    "fears": (list_of(WORD, "a list of words"), []),
    "conditions": (list_of(one_of(_GIVEN), f"a list of conditions: {join_or(_GIVEN)}"), []),
    "ammunition": (whole(0, 1000), 20),
    "ward": (whole(0, 10), 0),
    "spells": (list_of(named(terms.SPELLS), f"a list of spells: {join_or(terms.SPELLS)}"), []),
}
_FOLLOWING: Final = {  # keys of a fighter whose defaults follow from other keys
    **dict.fromkeys(("hp", "hp_now", "flesh"), whole(1, terms.MOST_HP)),
    "speed": whole(0, terms.MOST_SQUARES * terms.FEET_A_SQUARE, "feet"),
    "mana": whole(0, terms.MOST_MANA, "dice"),
}
_ON_HIT: Final = {"save": one_of(terms.ABILITIES), "number": whole(1, 40), "condition": one_of(_BY_HIT)}
_OBJECTIVE: Final = {"kind": one_of(terms.OBJECTIVES), "team": WORD, "count": whole(1, 1000)}
_SCENARIO: Final = {
    "mode": one_of(("rounds", "beats")),
    "heroes": WORD,
    "surprise": WORD,
    "objective": table(),
    "round_cap": whole(1, 1000),
}


def _complete(found: dict[str, Any], where: str) -> dict[str, Any]:
    """Return a fighter completed with the figures that follow from others; check its items and hit points."""
    faults = Faults()
    with faults.caught():
        if found["on_hit"] is not None:
            found["on_hit"] = whole_table(found["on_hit"], _ON_HIT, f"{where}, on_hit")
    claws = found["on_hit"] is None or found["natural"] > 0
    faults.unless(claws, f"{where}: on_hit: expected a natural weapon beside it, got a fighter without one.")
    usual_hp = HERO_HP if found["role"] == "hero" else 9 * found["hd"] // 2
    usual_speed = USUAL_SPEED - terms.FEET_A_SQUARE * max(0, -found["dex"])
    usual_mana = max(0, 1 + found["int"]) if found["spells"] else 0
    found = {"hp": usual_hp, "speed": usual_speed, "mana": usual_mana, **found}
    found = {"flesh": min(FLESH, found["hp"]), **found}
    slots, items = min(terms.INVENTORY, 10 + found["str"]), len(found["inventory"])
    faults.unless(items <= slots, f"{where}: inventory: expected at most {slots} items, got {items}.")
    fits = not (found["held"] and found["shield"] and HANDS[WEAPON_NAMES.index(found["held"])] == 2)
    faults.unless(fits, f"{where}: expected a weapon for one hand beside a shield, got {found['held']!r} for two.")
    for part in ("hp_now", "flesh"):
        points = found.get(part, 1)
        faults.unless(points <= found["hp"], f"{where}: {part}: expected at most {found['hp']}, got {points}.")
    faults.settle(where)
    return found


def _commander(scenario: TableScenario, fighter: Mapping[str, Any], where: str = "") -> int:
    """Return the index of the fighter that commands a retainer; NOBODY for other fighters."""
    named = fighter["commander"], fighter["team"]
    mates = [i for i, it in enumerate(scenario.fighters) if (it["id"], it["team"]) == named]
    if (fighter["role"] == "retainer") != (fighter["commander"] is not None):
        raise ScenarioError(f"{where}: {fighter['agent']}: expected a commander for a retainer, and for no other role.")
    if fighter["commander"] is None:
        return NOBODY
    if len(mates) != 1 or scenario.fighters[mates[0]]["role"] == "retainer":
        wanted = "the id of a fighter of its team that is not a retainer"
        found = show(fighter["commander"])
        raise ScenarioError(f"{where}: {fighter['agent']}: commander: expected {wanted}, got {found}.")
    return mates[0]


def _tags(scenario: TableScenario) -> list[str]:
    """Return the tags of fear in a scenario, in alphabetical order; the index of a tag is its bit."""
    return sorted({tag for it in scenario.fighters for tag in (*it["fears"], it["fearsome"]) if tag})


def _exits(scenario: TableScenario) -> list[tuple[int, int]]:
    """Return the squares from which fighters leave; none without a map."""
    return exits_of(scenario.map or (), scenario.table.get("battlefield", {}).get("exits"), GROUND.blocked)


def _check(scenario: TableScenario, where: str, faults: Faults) -> None:
    """Collect the faults of tags, commanders, exits, heroes, surprise, objective and mode."""
    rows, tags, heroes = scenario.map or (), len(_tags(scenario)), scenario.table.get("heroes")
    faults.unless(tags <= MOST_TAGS, f"{where}: expected at most {MOST_TAGS} tags of fear, got {tags}.")
    for fighter in scenario.fighters:
        with faults.caught():
            _commander(scenario, fighter, where)
    for x, y in scenario.table.get("battlefield", {}).get("exits", ()):
        fits = not rows or (0 <= y < len(rows) and 0 <= x < len(rows[0]))
        faults.unless(fits, f"{where}, battlefield: exits: expected squares on the map, got [{x}, {y}].")
    surprise, surprises = scenario.table.get("surprise", "roll"), (*SURPRISES, *scenario.sides)
    faults.unless(surprise in surprises, f"{where}: surprise: expected {join_or(surprises)}, got {show(surprise)}.")
    fits = heroes in (None, *scenario.sides)
    faults.unless(fits, f"{where}: heroes: expected {join_or(scenario.sides)}, got {show(heroes)}.")
    with faults.caught():
        _check_objective(scenario, f"{where}, objective")
    first, second, *others = (fighter["at"] or (0, 0) for fighter in scenario.fighters)
    found = f"{2 + len(others)} fighters" if others else "two that are not adjacent"
    fits = not _is_duel(scenario) or (not others and max(abs(first[0] - second[0]), abs(first[1] - second[1])) <= 1)
    faults.unless(fits, f"{where}: mode: expected two fighters in adjacent squares for beats, got {found}.")


def _is_duel(scenario: TableScenario) -> bool:
    """Return whether a scenario is a duel in beats from the start."""
    return bool(scenario.table.get("mode", "rounds") == "beats")


def _check_objective(scenario: TableScenario, where: str) -> None:
    """Check that the team of an objective can reach it."""
    given = scenario.table.get("objective", {})
    if read_table(given, _OBJECTIVE, where, ScenarioError).get("kind", "defeat") == "defeat":
        return
    if _is_duel(scenario):
        raise ScenarioError(f"{where}: expected none beside the mode beats, got {given['kind']}.")
    found = whole_table(given, _OBJECTIVE, where)
    size = sum(it["team"] == found["team"] for it in scenario.fighters)
    if size == 0:
        raise ScenarioError(f"{where}: team: expected a team of the scenario, got {show(found['team'])}.")
    if found["kind"] == "escape" and (scenario.map is None or found["count"] > size):
        found_count = found["count"] if scenario.map is not None else "no map"
        raise ScenarioError(f"{where}: expected a map and a count of at most {size} for an escape, got {found_count}.")


_FIELDS: Final = {name: field for name, (field, _) in _FIGHTER.items()} | _FOLLOWING
_USUAL: Final = {name: usual for name, (_, usual) in _FIGHTER.items()}
READER: Final = Reader(
    LIBRARY, SETTINGS, _SCENARIO, _FIELDS, _USUAL, terms.MAX_FIGHTERS, 2, GROUND, complete=_complete, check=_check
)


def fill(fight: Any, scenario: TableScenario) -> None:
    """Write a scenario into the record of a new fight."""
    plain = PLAIN_DUEL if scenario.rules["duel_profile"] == "plain" else {}
    SETTINGS.fill(fight.rules, {**scenario.rules, **plain})
    fight.in_beats = _is_duel(scenario)
    sides, heroes = scenario.sides, scenario.table.get("heroes")
    surprise = scenario.table.get("surprise", "roll")
    fight.free_side = fight.free_again = NOBODY
    fight.heroes = 0 if heroes is None else sides.index(heroes)
    fight.surprise = SURPRISES[surprise] if surprise in SURPRISES else sides.index(surprise)
    objective = scenario.table.get("objective", {})
    if objective.get("kind", "defeat") != "defeat":
        fight.objective = terms.OBJECTIVES.index(objective["kind"])
        fight.objective_team, fight.objective_count = sides.index(objective["team"]), objective["count"]
    for i, fighter in enumerate(scenario.fighters):
        _fill_fighter(fight.fighters[i], fighter, scenario)
    by_dex = sorted(range(len(scenario.fighters)), key=lambda i: -scenario.fighters[i]["dex"])
    fight.order[: len(by_dex)] = by_dex  # the order in which declarations are carried out
    for side in range(len(sides)):
        members = [fighter for fighter in fight.fighters[: len(scenario.fighters)] if fighter.team == side]
        fight.at_start[side] = len(members)
        max(members, key=lambda fighter: (fighter.hd, fighter.hp)).leader = True
    if scenario.map is not None:
        fill_map(fight, scenario.map, BITS)
        fight.mover = NOBODY
        for name in ("small_dice", "fire_dice"):
            fight[name] = scenario.table.get("battlefield", {}).get(name, 1)
        for x, y in _exits(scenario):
            fight.exits[y] |= 1 << x


def _fill_fighter(fighter: Any, table: Mapping[str, Any], scenario: TableScenario) -> None:
    """Write a fighter into its record."""
    for name in ("hd", "natural", "shield", "steady", "fearless", "ward", "mana", "ammunition", "opportunist"):
        fighter[name] = table[name]
    fighter.hp, fighter.hp_max = table.get("hp_now", table["hp"]), table["hp"]
    fighter.flesh = min(table["flesh"], fighter.hp)
    fighter.ability[:] = [table[ability] for ability in terms.ABILITIES]
    body = table["body"]
    fighter.armor = table["helmet"] + (PLATES[body] if body in PLATES else 10 + table["dex"] + BODIES[body])
    fighter.speed = table["speed"] // terms.FEET_A_SQUARE
    fighter.to_hit, fighter.fixed_to_hit = table["to_hit"] or 0, table["to_hit"] is not None
    fighter.held = NO_ITEM if table["held"] is None else WEAPON_NAMES.index(table["held"])
    fighter.loaded = True
    fighter.inventory[:] = NO_ITEM
    for slot, item in enumerate(table["inventory"]):
        fighter.inventory[slot] = NO_ITEM if item == _EMPTY else WEAPON_NAMES.index(item)
    fighter.afflicted = sum(1 << terms.CONDITIONS.index(word) for word in set(table["conditions"]))
    fighter.spells = sum(1 << terms.SPELLS.index(spell) for spell in set(table["spells"]))
    fighter.grappler, fighter.turn = NOBODY, NOBODY
    fighter.commander = _commander(scenario, table)
    fighter.order = fighter.order_target = NOBODY
    fighter.hero = table["role"] == "hero" and table["team"] == scenario.table.get("heroes")
    fighter.fears = sum(1 << _tags(scenario).index(tag) for tag in set(table["fears"]))
    fighter.fearsome = 0 if table["fearsome"] is None else 1 << _tags(scenario).index(table["fearsome"])
    if table["on_hit"] is not None:
        fighter.hit_ability = terms.ABILITIES.index(table["on_hit"]["save"])
        fighter.hit_number = table["on_hit"]["number"]
        fighter.hit_condition = terms.CONDITIONS.index(table["on_hit"]["condition"])
    if table["at"] is not None:
        fighter.x, fighter.y = table["at"]
