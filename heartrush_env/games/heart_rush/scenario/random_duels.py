"""Random duels between heroes made by the creation rules, for training that should generalise to unseen duels.

`random_duel(7)` returns a dict with the structure of a scenario file; `load_scenario("random_duel:7")` loads it. Both
fighters have the same number of experience points, and spend them at random on ability dice and hit points. Their
weapon, armor and shield are any combination in the catalog that two hands can hold, bare hands included. Some dice,
kinds of weapons and defenses are held out: no random duel has any of them, and both fighters of `unseen_duel:7` have
all three.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from typing import Any, Final

import numpy as np

from heartrush_env.games.heart_rush.rules.terms import ABILITIES, DIE_LADDER
from heartrush_env.games.heart_rush.scenario import catalog
from heartrush_env.tabletop.errors import ScenarioError

__all__ = ["held_out", "random_duel"]

ROUNDS: Final = 1000  # enough that the cap does not matter
BLOODMARKS: Final = 4  # the lowest bloodmarks, of 5 to 50 experience points
HEARTS: Final = (8, 8, 8, 6, 10, 12)  # a new hero's d8 in half of the draws, another die in the other half
HELD_OUT_DICE: Final = 5  # one of this many triples of might, agility and cunning is held out
HELD_OUT_WEAPONS: Final = frozenset(
    {("heavy", "melee", "piercing"), ("light", "melee", "slashing"), ("ultralight", "melee", "bludgeoning")}
)  # as size, attack type and damage type: one of each size
HELD_OUT_DEFENSES: Final = frozenset({2, 5})  # defense bonus of armor plus shield
Choice = tuple[str, str, str]  # weapon, armor and shield


def random_duel(seed: int, *, unseen: bool = False) -> dict[str, Any]:
    """Make a random duel as a dict for `load_scenario`.

    Args:
        seed: A whole number of at least 0; the same arguments give the same duel on every machine.
        unseen: Whether both fighters have held-out dice, weapons and defenses; otherwise neither has any of them.

    Raises:
        ScenarioError: The seed is below 0.
    """
    if seed < 0:
        raise ScenarioError(f"random duel: seed: expected 0 or more, got {seed}.")
    rng = np.random.Generator(np.random.PCG64([seed, int(unseen)]))
    experience = _pick(rng, [mark["xp"] for mark in catalog.data("creation.toml")["bloodmark"][:BLOODMARKS]])
    fighters = [_fighter(rng, experience, team, unseen) for team in ("blue", "red")]
    return {
        "name": f"{'unseen' if unseen else 'random'}_duel:{seed}",
        "victory": "first_down",
        "heroes": ["blue", "red"],
        "max_rounds": ROUNDS,
        "fighter": fighters,
    }


def held_out(dice: tuple[int, int, int], weapon: catalog.Weapon, defense: int) -> tuple[bool, bool, bool]:
    """Return whether a fighter's dice (might, agility, cunning), kind of weapon and defense are held out."""
    might, agility, cunning = (DIE_LADDER.index(die) for die in dice)
    return (
        (might + 2 * agility + 3 * cunning) % HELD_OUT_DICE == 0,
        (weapon.size, weapon.attack_type, weapon.damage_type) in HELD_OUT_WEAPONS,
        defense in HELD_OUT_DEFENSES,
    )


def _fighter(rng: np.random.Generator, experience: int, team: str, unseen: bool) -> dict[str, Any]:
    """Return a random fighter; redraw its purchases until its dice are held out if `unseen`, and otherwise not."""
    weapon, armor, shield = _pick(rng, _equipment(unseen))
    while True:
        figures = _spent(rng, experience)
        dice = (figures["might"], figures["agility"], figures["cunning"])
        if held_out(dice, catalog.weapon(weapon), 0)[0] == unseen:
            break
    kit = {"weapon": weapon, "armor": armor, "shield": shield}
    return {"id": team, "team": team, **figures, "heart": _pick(rng, HEARTS), **kit}


def _spent(rng: np.random.Generator, experience: int) -> dict[str, int]:
    """Return a new hero's ability dice and hit points after random purchases with all experience it can spend."""
    start, price = (catalog.data("creation.toml")[part] for part in ("start", "price"))
    dice = [int(die) for die in rng.permutation(start["dice"])]
    figures = {**dict(zip(ABILITIES, dice, strict=True)), "hp": start["hp"]}
    while offers := [(key, cost) for key, cost in _offers(figures, price) if cost <= experience]:
        key, cost = _pick(rng, offers)
        experience -= cost
        figures[key] += price["hp_step"] if key == "hp" else 2
    return figures


def _offers(figures: dict[str, int], price: dict[str, int]) -> Iterator[tuple[str, int]]:
    """Yield all purchases with their prices; presence is excluded, since no duel rolls it."""
    for ability in ABILITIES[:3]:
        if figures[ability] < price["largest_die"]:
            yield ability, figures[ability] + 2
    yield "hp", figures["hp"] // price["hp_step"] + 1


@cache
def _equipment(unseen: bool) -> list[Choice]:
    """Return all legal equipment whose weapon and defense are both held out if `unseen`, and neither otherwise."""
    found = []
    for weapon, armor, shield in product(catalog.weapons().values(), catalog.armors(), catalog.shields()):
        guard = catalog.armors()[armor].defense_bonus + catalog.shields()[shield].defense_bonus
        out = held_out((4, 4, 4), weapon, guard)[1:]
        held = weapon.hands + catalog.shields()[shield].hands <= 2
        if weapon.die > 0 and held and out == (unseen, unseen):
            found.append((weapon.id, armor, shield))
    return found


def _pick(rng: np.random.Generator, choices: Sequence[Any]) -> Any:
    """Return a random element of `choices`."""
    return choices[int(rng.integers(len(choices)))]
