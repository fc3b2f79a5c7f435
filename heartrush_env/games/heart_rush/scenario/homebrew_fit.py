"""The parts of a homebrew ability that go together: which effects fit a trigger or a use, and which keys an effect."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from heartrush_env.games.heart_rush.rules.abilities import OCCASIONS
from heartrush_env.games.heart_rush.rules.homebrew import WHENS
from heartrush_env.games.heart_rush.rules.terms import (
    AGGRAVATED,
    BLINDED,
    BURNING,
    CHARMED,
    CONDITIONS,
    CONFUSED,
    CRIPPLED,
    DAZED,
    DEAFENED,
    ENRAGED,
    FRIGHTENED,
    MUTE,
    OFF_BALANCED,
    POISONED,
    PRONE,
    RESTRAINED,
    SHAKEN,
    SLOWED,
    SOURCED,
    STUNNED,
    VULNERABILITY,
    WEAKENED,
    WET,
)
from heartrush_env.tabletop.text import show
from heartrush_env.tabletop.validate import join_or

CODE: Final = "needs code: see docs/homebrew.md"
ANY: Final = "any_moment"
USES: Final = (*(occasion.replace(" ", "_") for occasion in OCCASIONS), ANY)
GIVEN: Final = tuple(
    CONDITIONS[code]
    for code in (
        DAZED, OFF_BALANCED, WEAKENED, SHAKEN, RESTRAINED, POISONED, BLINDED, SLOWED, CONFUSED, BURNING, DEAFENED,
        FRIGHTENED, ENRAGED, CHARMED, AGGRAVATED, PRONE, STUNNED, MUTE,
    )
)  # fmt: skip
CLEARED: Final = (*GIVEN, *(CONDITIONS[code] for code in (VULNERABILITY, CRIPPLED, WET)))

# The effects that each trigger and each use allows.
_ROLLING: Final = ("extra_dice", "bonus", "advantage", "disadvantage")
CHANGES: Final = ("heal", "give", "clear", "rush")  # effects on fighters, which may be on the owner or the other
BY_TRIGGER: Final[Mapping[str, tuple[str, ...]]] = {
    "attack": _ROLLING,
    "defense": _ROLLING,
    "attacked": ("advantage", "disadvantage"),
    "attack_rolled": ("bonus",),
    "defense_rolled": ("bonus",),
    "harms": ("more_damage",),
    "harmed": ("reduce_damage", "halve_damage"),
    "hurt": CHANGES,
    "after_attack": (*CHANGES, "harm"),
    "struck": (*CHANGES, "harm"),
    "round_starts": CHANGES,
    "stances_shown": CHANGES,
    "suffers": ("resist",),
}
BY_USE: Final[Mapping[str, tuple[str, ...]]] = {
    **dict.fromkeys(USES, CHANGES),
    **dict.fromkeys(("action", "engagement", "phase"), (*CHANGES, "harm")),
    "second_roll": (*CHANGES, "bonus"),
    "damage": (*CHANGES, "reduce_damage", "halve_damage"),
}
ALONE: Final = ("round_starts", "stances_shown")  # triggers without another fighter
# What effects are about: the keys of their tables, the first of them needed unless it is one of two.
_AMOUNTS: Final = {"bonus": 10, "more_damage": 20, "reduce_damage": 30, "heal": 100, "harm": 30, "rush": 5}
_WITH_DICE: Final = ("extra_dice", "more_damage", "reduce_damage", "heal", "harm")
WITH_LEVELS: Final = ("advantage", "disadvantage", "give", "clear", "resist")
_WITH_CONDITION: Final = ("give", "clear", "resist")
_ROLLS: Final = ("attack_rolled", "defense_rolled", "second_roll")
_DAMAGES: Final = ("harms", "harmed", "hurt", "damage")
_OF_DAMAGE: Final = ("damage_at_least", "damage_at_most")
_OF_USES: Final = ("aim", "range", "frequency", "rush", "costs_action")


def _aims(ability: Mapping[str, Any]) -> bool:
    """Return whether a use of the ability aims at another fighter."""
    return bool(ability.get("aim", "own") != "own")


def _moment(ability: Mapping[str, Any]) -> str:
    """Return the trigger of the ability, or else its use; "" if neither is known."""
    return str(ability.get("trigger") or ability.get("use") or "")


def _has_other(ability: Mapping[str, Any]) -> bool:
    """Return whether the ability acts against another fighter."""
    trigger = ability.get("trigger")
    return trigger not in ALONE if trigger else _aims(ability)


def misfits_of_effect(
    does: str, fields: Mapping[str, Any], given: Mapping[str, Any], ability: Mapping[str, Any], place: str
) -> list[str]:
    """Return the reasons, one sentence each, why an effect has other keys than it needs or does not fit its moment."""
    found, moment = [], _moment(ability)
    allowed = BY_TRIGGER.get(moment) if "trigger" in ability else BY_USE.get(moment)
    if does == "rush" and ability.get("frequency") == "at_will":
        found.append(f"{place}: do: expected no 'rush' with frequency 'at_will', whose uses would never end.")
    if allowed is not None and does not in allowed:
        key = "trigger" if "trigger" in ability else "use"
        found.append(f"{place}: do: expected {join_or(allowed)} with {key} {moment!r}, got {does!r}.")
    wanted = {
        "amount": does in _AMOUNTS,
        "dice": does in _WITH_DICE,
        "levels": does in WITH_LEVELS,
        "condition": does in _WITH_CONDITION,
        "whom": does in CHANGES,
    }
    found += [
        f"{place}: {key}: expected no {key} with do {does!r}, got {show(given[key])}."
        for key, fits in wanted.items()
        if key in given and not fits
    ]
    numbers = [key for key in ("amount", "dice") if wanted[key]]
    if numbers and sum(key in given for key in numbers) != 1:
        found.append(f"{place}: expected {join_or(numbers)} with do {does!r}, got {_listed(numbers, given)}.")
    if does in _AMOUNTS and fields.get("amount", 0) > _AMOUNTS[does]:
        found.append(f"{place}: amount: expected at most {_AMOUNTS[does]} with do {does!r}, got {fields['amount']}.")
    if does in ("give", "clear") and "condition" not in given:
        found.append(f"{place}: condition is missing; expected {join_or(GIVEN if does == 'give' else CLEARED)}.")
    if does == "give" and fields.get("condition", GIVEN[0]) not in GIVEN:
        found.append(f"{place}: condition: {fields['condition']!r} {CODE}; it can only be cleared.")
    whom = fields.get("whom", "other" if does in ("give", "harm") else "own")
    if does == "harm" and moment and not _has_other(ability):
        found.append(f"{place}: do: expected another fighter at {moment!r} for 'harm', and there is none.")
    elif whom == "other" and moment and not _has_other(ability):
        found.append(f"{place}: whom: expected 'own', since there is no other fighter at {moment!r}, got 'other'.")
    elif does == "give" and whom == "own" and CONDITIONS.index(fields.get("condition", GIVEN[0])) in SOURCED:
        found.append(f"{place}: whom: expected 'other', since {fields['condition']} comes from a fighter, got 'own'.")
    return found


def _listed(keys: Sequence[str], given: Mapping[str, Any]) -> str:
    """Return which of these keys a table has, in words."""
    return join_or((key for key in keys if key in given), "and") if any(key in given for key in keys) else "neither"


def misfits(fields: Mapping[str, Any], when: Mapping[str, Any], place: str) -> list[str]:
    """Return the reasons, one sentence each, why the parts of a declaration do not go together."""
    found, moment = [], _moment(fields)
    if len(when) > WHENS:
        found.append(f"{place}: when: expected at most {WHENS} conditions, got {len(when)}.")
    if moment and not _has_other(fields):
        about_other = [key for key in when if key.startswith("other_") or key == "own_stance_beats"]
        found += [
            f"{place}: when: {key}: expected a trigger or an aim with another fighter, got {moment!r}."
            for key in about_other
        ]
    for keys, moments, what in ((("roll_at_most",), _ROLLS, "a roll"), (_OF_DAMAGE, _DAMAGES, "damage")):
        found += [
            f"{place}: when: {key}: expected {join_or(moments)}, which are about {what}, got {moment!r}."
            for key in keys
            if key in when and moment and moment not in moments
        ]
    if "use" not in fields:
        given = [key for key in _OF_USES if key in fields]
        return found + [f"{place}: {key} needs a use, which is missing." for key in given if "trigger" in fields]
    if "trigger" in fields and _aims(fields):
        found.append(f"{place}: aim: expected 'own' for a use that prepares a trigger, got {fields['aim']!r}.")
    frequency, rush = fields.get("frequency", "once_a_round"), fields.get("rush", 0)
    if frequency == "minor" and rush:
        found.append(f"{place}: rush: expected none with frequency 'minor', which has a price of its own, got {rush}.")
    if fields.get("costs_action") and fields["use"] != "action":
        found.append(f"{place}: costs_action: expected false with use {fields['use']!r}, got true.")
    is_free = not rush and not fields.get("costs_action", fields["use"] == "action")
    if frequency == "at_will" and is_free:
        found.append(f"{place}: frequency: expected a price in rush points or the action for 'at_will', got neither.")
    return found
