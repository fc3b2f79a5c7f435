"""Abilities in the classic round: the engine against the reference, window by window.

The fighters of test_abilities_against_reference.py, with random loadouts of the abilities that both implement, meet in
rounds in which sides take turns.
"""

import random
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext

import numpy as np
import pytest

from heartrush_env.tabletop.kernels import noting
from tests.fights.test_abilities_against_reference import scenario_with_abilities
from tests.fights.test_classic_against_reference import classic
from tests.fights.test_maps_against_reference import choose, play_both

MOST_STEPS = 80


@pytest.fixture(autouse=True)
def plain_if_short(request: pytest.FixtureRequest) -> Iterator[None]:
    """Run kernels as plain Python, except in long tests, so that none is compiled for a few fights."""
    with nullcontext() if request.node.get_closest_marker("long") else noting(), np.errstate(over="ignore"):
        yield


SHORT, CHUNK, ON_MAPS = 4, 4, 1  # fights
FEW = """
    tactically_savvy stunning_strikes everywhere_at_once battletuned guardians_sacrifice call_to_action
    sand_serpent.quicksand rejuvenate battle_spirited phantom_knight.punish_aggression several_attacks rallying_cry
    """.split()
FURTHER = """
    everywhere_at_once battletuned everywhere several_attacks whirlwind_strike mighty double_shot cleave
    guardians_sacrifice rapid_shot warcaster sentinel
    """.split()
MANY = [pytest.param(range(first, first + 40), marks=pytest.mark.long) for first in range(SHORT, 412, 40)]
MANY_ON_MAPS = [pytest.param(range(first, first + 20), marks=pytest.mark.long) for first in range(ON_MAPS, 82, 20)]


def eager(rng: random.Random, options: list[str]) -> str:
    """Use abilities, engage and enter more often than not; prefer the stances and attacks of other classic fights."""
    for wanted in ("use", "engage", "enter", "attack"):
        found = [name for name in options if name.startswith(wanted)]
        if found and rng.random() < 0.5:
            return rng.choice(found)
    return choose(rng, options)


def play(seeds: range, on_map: bool = False) -> Counter[str]:
    """Play a random classic fight for each seed; return how often each window, choice and kind of event was seen."""
    seen: Counter[str] = Counter()
    for seed in seeds:
        scenario = classic(scenario_with_abilities(random.Random(seed), on_map=on_map))
        seen += play_both(scenario, seed, MOST_STEPS, eager, narrates=False)
    return seen


@pytest.mark.parametrize("seeds", [*(range(at, at + CHUNK) for at in range(0, SHORT, CHUNK)), *MANY], ids=str)
def test_engine_and_reference_play_abilities_by_turns_alike(seeds: range) -> None:
    seen = play(seeds)
    wanted = ("instant window", "use", "stance window", "enter window")
    assert [what for what in wanted if not seen[what]] == []


@pytest.mark.parametrize(("seed", "on_map"), [(212, False), (345, False), (99, True)])
def test_fights_that_once_differed_are_alike(seed: int, on_map: bool) -> None:
    """In the classic edition, a round has several engagements, and a trip costs the action.

    An ally outside the engagement takes the whole damage (R-231), a benefit counts in each engagement (R-228), and a
    trip costs the action at the step that an ability gives, too (R-92).
    """
    play(range(seed, seed + 1), on_map)


@pytest.mark.parametrize("seed", [81, 87, 120, 168])
def test_fights_of_few_abilities_that_once_differed_are_alike(seed: int) -> None:
    """Fallen owners, calls and attacks back are read alike.

    The quicksand of a fallen owner lets go (R-188), a call serves the next engagement that is fought (R-247), and who
    was attacked in any earlier window of the phase contests when it attacks back (R-9).
    """
    scenario = classic(scenario_with_abilities(random.Random(seed), known=FEW))
    play_both(scenario, seed, MOST_STEPS, eager, narrates=False)


@pytest.mark.parametrize("seed", [10, 40, 99, 328])
def test_fights_of_further_attacks_that_once_differed_are_alike(seed: int) -> None:
    """Replay fights about R-224 and R-264.

    A rapid shot in might ignores the armor of both targets. Cleave and Whirlwind Strike reach only creatures in the
    engagement. A guardian that is also struck for itself is beaten only if the creature that it protects is.
    """
    scenario = classic(scenario_with_abilities(random.Random(seed), known=FURTHER))
    play_both(scenario, seed, MOST_STEPS, eager, narrates=False)


@pytest.mark.parametrize("seeds", [range(ON_MAPS), *MANY_ON_MAPS], ids=str)
def test_engine_and_reference_play_abilities_by_turns_alike_on_maps(seeds: range) -> None:
    assert play(seeds, on_map=True)["use"]
