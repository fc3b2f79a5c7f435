"""The events of a step as dicts, with names in place of numbers: TELLING says what the dict of each event contains."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from heartrush_env.games.heart_rush.abilities.all import FIRST_MADE, PLAYED
from heartrush_env.games.heart_rush.abilities.unit import Ability
from heartrush_env.games.heart_rush.rules.abilities import SLOTS, Kind
from heartrush_env.games.heart_rush.rules.cunning import CUNNING_LEVELS, IMPAIRING
from heartrush_env.games.heart_rush.rules.dice import dice_in, flat_in
from heartrush_env.games.heart_rush.rules.movement import COMPASS
from heartrush_env.games.heart_rush.rules.terms import (
    ABILITIES,
    ATTACK_TYPES,
    CAUSES,
    CONDITIONS,
    DAMAGE_TYPES,
    DEEDS,
    DOOR,
    HIT_CAUSES,
    N_CAUSES,
    STANCES,
    STATUSES,
    USE,
    USE_AT,
    USE_FOR,
    USE_OBJECT,
)
from heartrush_env.games.heart_rush.scenario.catalog import terrain
from heartrush_env.games.heart_rush.state.events import (
    BY_DIE,
    EFFECTS,
    EVENTS,
    PUSHED_ON,
    STOPPED_BY_FIGHTER,
    STOPPED_BY_WALL,
    WAYS,
    WHYS,
)
from heartrush_env.games.heart_rush.state.record import ENDINGS
from heartrush_env.tabletop import entries
from heartrush_env.tabletop.entries import (
    Reader,
    Telling,
    among,
    at_least,
    by,
    constant,
    each,
    flag,
    latest,
    listed,
    magnitude,
    mirrored,
    name,
    name_in,
    number,
    one_of,
    one_or_none,
    rows,
    table,
    when,
    with_items,
    word,
)

TERRAINS = tuple(kind.id for kind in terrain().values())


def _if_deed(deeds: Iterable[int], reader: Reader) -> Reader:
    """Return a reader of a field that an event has if its detail is one of these choices."""
    return when(among("detail", deeds), reader)


def _roll(side: str) -> dict[str, Reader]:
    """Return the fields of a roll, for events that have it; `side` is attack or defense."""
    pool, results = f"{side}_pool", f"{side}_results"
    levels = f"{side}_causes.k"
    cause = when(at_least(magnitude(levels), 1), word("k", CAUSES), constant(None))
    fields: dict[str, Reader] = {
        "roll": number(f"{side}_total"),
        "dice": rows(f"{side}_count", number(f"{results}.k")),
        "pool": with_items(dice_in(f"{pool}."), results),  # the source, the sides and the result of each die
        "flat": flat_in(f"{pool}."),
        "causes": table(N_CAUSES, cause, levels),
    }
    return {f"{side}_{field}": when(at_least(f"{side}_count", 1), reader) for field, reader in fields.items()}


def _answers(ability: Ability) -> Reader:
    """Return a reader of the answer to a part of an ability's use: a direction, an option or a fighter."""
    options = [COMPASS if pick.kind == Kind.DIRECTION else pick.words for pick in ability.picks]
    return one_of("detail", [word("amount", words) if words else name("amount", "fighters") for words in options])


def _ability(column: str) -> Reader:
    """Return a reader of an ability's id; the complement of its number means that it may not be lent now."""
    own = name_in("loadouts", "fighter", mirrored(column), FIRST_MADE, SLOTS)
    return word(mirrored(column), [ability.name for ability in PLAYED], own)


# The levels of conditions that an attack has named.
_LEVELS = [
    {CONDITIONS[condition]: level for condition, level in zip(IMPAIRING, row, strict=True) if level}
    for row in CUNNING_LEVELS.tolist()
]
# Why a declared use of a door or an object was in vain, if its state was the reason.
_VAIN = when(
    at_least("amount", 1),
    when(
        among("detail", [DOOR]),
        word("flag", ("already closed", "already open")),
        _if_deed([USE_OBJECT], word("flag", ("already used", "already taken"))),
    ),
)
_FIGHTER, _OTHER = name("fighter", "fighters"), name("other", "fighters")
_OTHER_IF_ANY = when(at_least("other", 0), _OTHER)
_AMOUNT, _BEFORE, _AFTER, _FLAG = number("amount"), number("before"), number("after"), flag("flag")
_ROLLS = {**_roll("attack"), **_roll("defense")}
_CHECKED = {
    "ability": when(at_least("ability", 0), word("ability", ABILITIES)),
    "opposing_ability": when(at_least("opposing_ability", 0), word("opposing_ability", ABILITIES)),
}
_AT = listed("x", "y")
_DECLARATION: dict[str, Reader] = {
    "fighter": _FIGHTER,
    "action": word("detail", DEEDS),
    "ability": _if_deed((USE, USE_AT, USE_FOR), _ability("amount")),
    "target": _OTHER_IF_ANY,
    "object": _if_deed((USE_OBJECT,), _BEFORE),
    "at": _if_deed((DOOR, USE_OBJECT), _AT),
    "open": _if_deed((DOOR,), _FLAG),
    "takes": _if_deed((USE_OBJECT,), _FLAG),
}
_ATTACK: dict[str, Reader] = {
    "attacker": _FIGHTER,
    "target": _OTHER,
    "stance": word("stance", STANCES),
    "cause": word("detail", HIT_CAUSES),
    "contested": _FLAG,
    "mutual": flag("mutual"),
    "levels": word("before", _LEVELS),
    **_ROLLS,
}
# The fields of each kind of event, in order, except for events that several entries of the log make together.
_FIELDS: dict[str, dict[str, Reader]] = {
    "round": {"round": _AMOUNT},
    "talk": {"fighter": _FIGHTER, "stance": word("detail", STANCES)},
    "declare": _DECLARATION,
    "fizzle": {**_DECLARATION, "cause": _VAIN},
    "timing": {"fighter": _FIGHTER, "roll": _AMOUNT},
    "check": {
        "fighter": _FIGHTER,
        "against": _OTHER,
        "purpose": word("detail", DEEDS, constant("save")),
        "success": _FLAG,
        **_CHECKED,
        **_ROLLS,
    },
    "attack": {**_ATTACK, "damage": _AMOUNT, "hurt": name("hurt", "fighters")},
    "roll": _ATTACK,  # an attack as far as it has been rolled
    "maneuver": {
        "fighter": _FIGHTER,
        "target": _OTHER,
        "maneuver": word("detail", DEEDS),
        "success": _FLAG,
        **_CHECKED,
        **_ROLLS,
    },
    "shrug": {"fighter": _FIGHTER, "heart_from": _BEFORE, "heart_to": _AFTER},
    "damage": {
        "fighter": _FIGHTER, "by": _OTHER, "cause": word("detail", HIT_CAUSES), "amount": _AMOUNT, "hp": _AFTER,
    },
    "wound": {"fighter": _FIGHTER, "rank": _AMOUNT},
    "condition": {"fighter": _FIGHTER, "condition": word("detail", CONDITIONS), "before": _BEFORE, "levels": _AFTER},
    "stand": {"fighter": _FIGHTER},
    "down": {"fighter": _FIGHTER, "status": word("detail", STATUSES)},
    "death": {"fighter": _FIGHTER},
    "yield": {"fighter": _FIGHTER},
    "fall": {"fighter": _FIGHTER, "feet": _AMOUNT, "saved": _FLAG, **_ROLLS},
    "door": {"fighter": _FIGHTER, "at": _AT, "open": flag("detail")},
    "object": {"fighter": _FIGHTER, "object": _AMOUNT, "at": _AT, "effect": word("detail", EFFECTS)},
    "ground": {"at": _AT, "terrain": word("detail", TERRAINS)},
    "swap": {
        "fighter": _FIGHTER,
        "weapon_die": _AMOUNT,
        "attack_type": word("before", ATTACK_TYPES),
        "damage_type": word("after", DAMAGE_TYPES),
        "shield": number("detail"),
    },
    "rush": {"fighter": _FIGHTER, "left": _AMOUNT, "spent": when(at_least("detail", 2), number("detail"))},
    "use": {"fighter": _FIGHTER, "ability": _ability("amount"), "target": _OTHER_IF_ANY},
    "pick": {
        "fighter": _FIGHTER,
        "ability": _ability("before"),
        "part": number("detail"),
        "answer": one_of("before", list(map(_answers, PLAYED))),
        "by": _OTHER_IF_ANY,
    },
    "heal": {"fighter": _FIGHTER, "by": _OTHER, "amount": _AMOUNT, "hp": _AFTER},
    "grow": {"fighter": _FIGHTER, "body": _OTHER, "hp": _AMOUNT},
    "priority": {
        "team": name("other", "teams"),
        "cause": word("detail", WHYS),
        "die": when(among("detail", [BY_DIE]), _AMOUNT),
    },
    "end": {
        "cause": word("detail", ENDINGS),
        "winners": one_or_none(name("other", "teams")),
    },
}  # fmt: skip
_BLOCKED = when(
    among("detail", [STOPPED_BY_WALL]),
    constant("wall"),
    when(among("detail", [STOPPED_BY_FIGHTER]), name("hurt", "fighters")),
)
_JOINED: dict[str, entries.Kind] = {
    "reveal": entries.Kind({"stances": by(_FIGHTER, word("detail", STANCES))}, "reveal"),
    "engagement": entries.Kind({"engaged": name("other", "teams"), "fighters": each(_FIGHTER)}, "engagement"),
    # One event for all squares of a path; the paths of several fighters may alternate.
    "move": entries.Kind(
        {"fighter": _FIGHTER, "how": word("detail", WAYS), "path": each(_AT)}, "path", ("fighter", "other", "detail")
    ),
    "push": entries.Kind(
        {
            "fighter": _FIGHTER,
            "by": _OTHER,
            "path": each(when(among("detail", [PUSHED_ON]), _AT)),
            "blocked": latest(_BLOCKED),
        },
        "path",
        ("fighter", "other"),
    ),
}
TELLING: Final = Telling(
    when(at_least("pending", 1), constant("roll"), word("kind", EVENTS)),
    {kind: entries.Kind(fields) for kind, fields in _FIELDS.items()} | _JOINED,
)
