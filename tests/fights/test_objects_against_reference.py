"""Fights around objects: the engine against the reference, with the same dice and the same choices."""

import random
from collections import Counter

from tests.fights.test_maps_against_reference import FIGHTS, choose, play_both, play_the_default
from tests.reference.map_scenarios import brawl_scenario, tight_scenario


def use_objects(rng: random.Random, options: list[str]) -> str:
    """Choose to use an object, take its item or draw it more often than not, where possible."""
    wanted = [name for name in options if name.split()[0] in ("object", "swap")]
    return rng.choice(wanted) if wanted and rng.random() < 0.7 else choose(rng, options)


def test_fights_around_objects() -> None:
    seen: Counter[str] = Counter()
    for seed in range(max(12, FIGHTS // 4)):
        rng = random.Random(5000 + seed)
        scenario = (tight_scenario if seed % 4 < 2 else brawl_scenario)(rng)
        seen += play_both(scenario, seed, most_steps=40, chooser=use_objects)
    assert {"object", "ground", "damage collapse"} <= set(seen), seen


def test_who_is_not_asked_leaves_locked_doors_alone() -> None:
    for seed in range(max(1, FIGHTS // 20)):
        play_the_default(tight_scenario(random.Random(7000 + seed)), seed)
