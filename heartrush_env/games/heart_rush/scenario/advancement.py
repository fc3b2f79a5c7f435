"""Advancement: what a character may take next, what it costs, and random characters made by these rules.

`purchases(sheet, 30)` lists all that a character of 30 experience points may take next. `random_character(7, 30)` buys
at random until nothing is affordable. `random_party(7)` returns a fight of such characters as a dict with the structure
of a scenario file; `load_scenario("random_party:7")` loads it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Any, Final, NamedTuple

import numpy as np

from heartrush_env.games.heart_rush.rules.abilities import SLOTS
from heartrush_env.games.heart_rush.rules.terms import ABILITIES, ABILITY_DICE
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.games.heart_rush.scenario.abilities import LEGACY, LISTS, TALENTS, abilities, clashes, unmet_needs
from heartrush_env.games.heart_rush.scenario.creation import bloodmark_of, heart_of, legacy_of, xp_of, xp_spent
from heartrush_env.games.heart_rush.scenario.homebrew import ABILITY, Homebrew, table_of, too_many_dice
from heartrush_env.games.heart_rush.scenario.loadouts import played_ids
from heartrush_env.games.heart_rush.scenario.stat_blocks import completed
from heartrush_env.tabletop.errors import ScenarioError

__all__ = ["Purchase", "purchases", "random_character", "random_party"]

DIE, HP, TALENT, DESTINY = "die", "hit points", "talent", "destiny level"
PARTY: Final = (1, 3)  # of a random party: the fewest and the most
BLOODMARKS: Final = (0, 7)  # of a random party: the lowest and the highest
ROUNDS: Final = 100
_Offer = tuple[str, str, dict[str, Any]]  # kind, name, and the fields that change
_NONE: Final[Mapping[str, Homebrew]] = MappingProxyType({})


class Purchase(NamedTuple):
    """Something that a character may take next."""

    kind: str  # DIE, HP, TALENT, DESTINY, or a kind of the combat legacy, such as "signature"
    name: str  # such as "might d8", "50 hit points" or the id of an ability
    cost: int  # experience points; 0 for the combat legacy, which bloodmarks bring
    fields: dict[str, Any]  # the character's fields with it


def purchases(fields: Mapping[str, Any], xp: int) -> list[Purchase]:
    """Return all that a character may take next, including what costs more than the experience that it has left.

    Args:
        fields: The fields of a scenario's fighter or of a sheet, with all defaults filled in.
        xp: The character's experience points in all, which determine its bloodmark.
    """
    found = [_priced(fields, offer, bloodmark_of(xp)) for offer in _offers(fields, bloodmark_of(xp))]
    return [purchase for purchase in found if purchase is not None]


def _priced(fields: Mapping[str, Any], offer: _Offer, bloodmark: int) -> Purchase | None:
    """Return an offer with its price, or None if the character does not meet the requirements."""
    kind, name, changes = offer
    after = {**fields, **changes}
    if clashes(after, "") or unmet_needs(after, "", bloodmark):
        return None
    return Purchase(kind, name, max(0, xp_spent(after) - xp_spent(fields)), after)  # discounts pay nothing back


def _offers(fields: Mapping[str, Any], bloodmark: int) -> Iterator[_Offer]:
    """Yield the dice and hit points that experience buys, and the abilities, whether or not requirements are met."""
    price = catalog.data("creation.toml")["price"]
    for ability in ABILITIES:
        if fields[ability] < price["largest_die"]:
            larger = ABILITY_DICE[ABILITY_DICE.index(fields[ability]) + 1]
            yield DIE, f"{ability} d{larger}", {ability: larger}
    hp = fields["hp"] + price["hp_step"]
    yield HP, f"{hp} hit points", {"hp": hp, "hp_now": fields.get("hp_now", fields["hp"]) + price["hp_step"]}
    owned = {id for key in LISTS for id in fields[key]}
    counts = Counter(abilities()[id].kind for id in fields["abilities"])
    for id, entry in abilities().items():
        if id in fields["talents"] and entry.destiny:
            left = [other for other in fields["talents"] if other != id]
            yield DESTINY, id, {"talents": left, "destiny_talents": [*fields["destiny_talents"], id]}
        elif id in owned and not entry.repeatable:
            continue
        elif entry.chapter == TALENTS:
            yield TALENT, id, {"talents": [*fields["talents"], id]}
        elif entry.chapter == LEGACY and counts[entry.kind] < legacy_of(bloodmark).get(entry.kind, 0):
            yield entry.kind, id, {"abilities": [*fields["abilities"], id]}


def random_character(seed: int | Sequence[int], xp: int, homebrew: Mapping[str, Homebrew] = _NONE) -> dict[str, Any]:
    """Return a random legal character as the fields of a scenario's fighter.

    Its starting dice and equipment are random. Each purchase is a random one of a random kind.
    It owns only abilities that fights play, and no more than a fighter has room for.

    Args:
        seed: One or several whole numbers; the same arguments give the same character on every machine.
        xp: The experience points that it may spend, at least 0.
        homebrew: Homebrew abilities by id. It owns some of them as well; they have no price.

    Raises:
        ScenarioError: The seed or the experience is below 0.
    """
    seeds = [seed] if isinstance(seed, int) else [*seed]
    for name, value in (*(("seed", value) for value in seeds), ("xp", xp)):
        if value < 0:
            raise ScenarioError(f"random character: {name}: expected 0 or more, got {value}.")
    rng = np.random.Generator(np.random.PCG64([*seeds, xp]))
    start = catalog.data("creation.toml")["start"]
    dice = dict(zip(ABILITIES, map(int, rng.permutation(start["dice"])), strict=True))
    fields = completed({"id": "character", **dice, "heart": heart_of(xp), "hp": start["hp"], **_equipment(rng)})
    while (bought := _random_purchase(rng, fields, xp)) is not None:
        fields = bought.fields
    fields["abilities"] = [*fields["abilities"], *_random_homebrew(rng, fields, homebrew)]
    kept = ("id", *ABILITIES, "heart", "hp", "weapon", "armor", "shield", *LISTS)
    return {key: fields[key] for key in kept}


def _random_purchase(rng: np.random.Generator, fields: Mapping[str, Any], xp: int) -> Purchase | None:
    """Return a random affordable purchase, or None if there is none."""
    left, room = xp - xp_spent(fields), sum(len(fields[key]) for key in LISTS) < SLOTS
    offers: dict[str, list[_Offer]] = {}
    for offer in _offers(fields, bloodmark_of(xp)):
        kind, name, _ = offer
        if kind in (DIE, HP, DESTINY) or (room and name in played_ids()):
            offers.setdefault(kind, []).append(offer)
    while offers:
        kind = _pick(rng, list(offers))
        offer = offers[kind].pop(int(rng.integers(len(offers[kind]))))
        purchase = _priced(fields, offer, bloodmark_of(xp))
        if purchase is not None and purchase.cost <= left:
            return purchase
        if not offers[kind]:
            del offers[kind]
    return None


def _random_homebrew(
    rng: np.random.Generator, fields: Mapping[str, Any], homebrew: Mapping[str, Homebrew]
) -> list[str]:
    """Return the ids of random homebrew abilities for which a character still has room."""
    room = min(SLOTS - sum(len(fields[key]) for key in LISTS), len(homebrew))
    count = int(rng.integers(room, endpoint=True)) if room > 0 else 0
    owned: list[str] = []
    for id in rng.permutation([*homebrew])[:count] if count else ():
        if not too_many_dice(homebrew[other] for other in (*owned, str(id))):
            owned.append(str(id))
    return owned


def _equipment(rng: np.random.Generator) -> dict[str, str]:
    """Return a random weapon, armor and shield that two hands can hold."""
    weapons = [weapon for weapon in catalog.weapons().values() if weapon.die > 0]
    held = [
        (weapon.id, shield)
        for weapon, shield in product(weapons, catalog.shields())
        if weapon.hands + catalog.shields()[shield].hands <= 2
    ]
    weapon, shield = _pick(rng, held)
    return {"weapon": weapon, "armor": _pick(rng, list(catalog.armors())), "shield": shield}


def random_party(seed: int, homebrew: Mapping[str, Homebrew] = _NONE) -> dict[str, Any]:
    """Return a fight between two parties of random characters of equal experience, as a dict for `load_scenario`.

    Args:
        seed: A whole number of at least 0; the same arguments give the same fight on every machine.
        homebrew: Homebrew abilities by id, some of which characters own.

    Raises:
        ScenarioError: The seed is below 0.
    """
    if seed < 0:
        raise ScenarioError(f"random party: seed: expected 0 or more, got {seed}.")
    rng = np.random.Generator(np.random.PCG64(seed))
    xp, count = xp_of(int(rng.integers(*BLOODMARKS, endpoint=True))), int(rng.integers(*PARTY, endpoint=True))
    return {
        "name": f"random_party:{seed}",
        "victory": "last_standing",
        "heroes": ["blue", "red"],
        "max_rounds": ROUNDS,
        "fighter": [
            {**random_character([seed, side, member], xp, homebrew), "id": team, "team": team}
            for side, team in enumerate(("blue", "red"))
            for member in range(count)
        ],
        **({ABILITY: [table_of(made) for made in homebrew.values()]} if homebrew else {}),
    }


def _pick(rng: np.random.Generator, choices: Sequence[Any]) -> Any:
    """Return a random element of `choices`."""
    return choices[int(rng.integers(len(choices)))]
