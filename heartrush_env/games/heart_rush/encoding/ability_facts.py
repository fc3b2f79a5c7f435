"""Facts about abilities, for policies that read loadouts: one row per ability version, the same in all fights.

A loadout identifies its abilities by their codes. The facts of an ability are its frequency, occasions, aim and cost,
the rule hooks that it answers, and its figures. They let a policy compare an ability that it has never met with
abilities that it knows.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import CODES, FIRST_MADE_CODE, PLAYED
from heartrush_env.games.heart_rush.abilities.homebrew import KINDS, Kind
from heartrush_env.games.heart_rush.abilities.unit import Ability
from heartrush_env.games.heart_rush.encoding.loadouts import CODE_BITS, LOADOUT
from heartrush_env.games.heart_rush.rules.abilities import LETTERS, OCCASIONS, Aim, Frequency
from heartrush_env.games.heart_rush.rules.hooks import HOOKS
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.tabletop.game import FloatArray

VERSIONS = 2  # base and destiny
IN_WORDS = ("frequency", "uses_action")  # figures that are facts of other names
OF_SLOT = ("has", *(f"code {k}" for k in range(CODE_BITS)), "destiny", "uses", "memo")  # features that each slot has
_NAMES = [feature.name for feature in LOADOUT.features]
AT = [_NAMES.index(f"{name} {LETTERS[0]}") for name in OF_SLOT]
OF_FIGHTER = AT[0]  # number of leading block features that belong to no slot


@cache
def _rows() -> dict[tuple[int, int], dict[str, float]]:
    """Return the nonzero facts of each version of each ability, by name, before scaling."""
    shipped = {
        (version, int(CODES[number])): _row(ability, version)
        for number, ability in enumerate(PLAYED)
        for version in range(VERSIONS)
    }
    kinds = {
        (version, FIRST_MADE_CODE + k): _row_of_kind(kind)
        for k, kind in enumerate(KINDS)
        for version in range(VERSIONS)
    }
    return shipped | kinds


def _row_of_kind(kind: Kind) -> dict[str, float]:
    """Return the facts of a kind of homebrew ability, which has no figures."""
    words = [f"frequency {kind.frequency.name.lower()}", *(f"on {OCCASIONS[occasion]}" for occasion in kind.on)]
    words += [f"aims at {kind.aim.name.lower()}"] if kind.aim != Aim.NOBODY else []
    words += ["costs the action"] if kind.costs_action else []
    words += [f"answers {kind.hook}"] if kind.hook else []
    return dict.fromkeys(words, 1.0)


def _row(ability: Ability, version: int) -> dict[str, float]:
    occasions = ability.destined_on if version else ability.on
    words = [f"frequency {Frequency(ability.frequencies[version]).name.lower()}"]
    words += [f"on {OCCASIONS[occasion]}" for occasion in occasions]
    words += [f"aims at {ability.aim.name.lower()}"] if ability.aim != Aim.NOBODY else []
    words += ["costs the action"] if ability.costs_action[version] else []
    words += [f"answers {hook}" for hook in HOOKS if hook in ability.functions]
    given = {**ability.entry.params, **(ability.entry.destiny_params if version else {})}
    told = dict(_figure(key, value) for key, value in given.items() if key not in IN_WORDS)
    return dict.fromkeys(words, 1.0) | told


def _figure(key: str, value: Any) -> tuple[str, float]:
    """Return the name and value of a figure's fact: dice count as their mean; other text joins the name."""
    if not isinstance(value, str):
        return key, float(value)
    number, is_dice, sides = value.partition("d")
    if is_dice and number.isdigit() and sides.isdigit():
        return key, int(number) * (int(sides) + 1) / 2
    return f"{key} {value}", 1.0


def ability_fact_names() -> tuple[str, ...]:
    """Return the name of every ability fact, in the order of the data; new facts are added at its end."""
    return tuple(_scales())


def _scales() -> Mapping[str, float]:
    """Return the number by which each fact is divided, by name."""
    scales: Mapping[str, float] = catalog.data("ability_facts.toml")["scale"]
    return scales


@cache
def ability_facts() -> FloatArray:
    """Return ability facts by version and code, (2, codes, facts), each divided by its scale."""
    places = {name: place for place, name in enumerate(ability_fact_names())}
    facts = np.zeros((VERSIONS, 1 << CODE_BITS, len(places)), np.float32)
    for (version, code), row in _rows().items():
        for name in places.keys() & row.keys():
            facts[version, code, places[name]] = row[name] / _scales()[name]
    facts.flags.writeable = False
    return facts


@cache
def loadout_fact_names() -> tuple[str, ...]:
    """Return the name of every fact of a loadout slot, in order."""
    return (*OF_SLOT, *ability_fact_names())


def loadout_facts(blocks: Any) -> FloatArray:
    """Return the facts of loadouts as they are seen, slot by slot.

    Args:
        blocks: (..., features): the features of fighters' abilities, as observations contain them.

    Returns:
        (..., slots, facts): 0 for slots in which nothing is seen.
    """
    places = np.array(AT) + np.arange(len(LETTERS))[:, None]
    slots = np.asarray(blocks)[..., places].astype(np.float32)  # (..., slots, lines)
    bits = slots[..., 1 : 1 + CODE_BITS] > 0
    code, version = bits @ (1 << np.arange(CODE_BITS)), (slots[..., OF_SLOT.index("destiny")] > 0).astype(np.intp)
    known = ability_facts()[version, code] * slots[..., :1]
    return np.concatenate([slots, known], axis=-1)
