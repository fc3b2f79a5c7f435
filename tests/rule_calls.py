"""Play random fights in the engine and the reference, in plain Python, and count the calls of each rule function.

    NUMBA_DISABLE_JIT=1 python -m tests.rule_calls 300 without
    NUMBA_DISABLE_JIT=1 python -m tests.rule_calls 300 with

plays fights without a map, or with one, until every claimed rule function for these fights has run, but at most this
number of fights. Without a map, fighters own abilities in every second fight. The number of calls of each function is
printed as JSON; functions of abilities themselves are left to ability_calls.py.
"""

import gc
import importlib
import json
import random
import sys
from collections import Counter
from types import FrameType, FunctionType
from typing import Any

from heartrush_env.games.heart_rush.headings import BOOK
from heartrush_env.tabletop.flow import Flow
from tests.fights import test_abilities_against_reference, test_against_reference, test_maps_against_reference
from tests.reference.map_scenarios import brawl_scenario, crush_scenario, tight_scenario

MAPS = {
    "space", "boards", "cover", "speed", "weapons", "environment", "movement", "paths", "default_movement",
    "forced_movement", "rush_points", "might_push", "trip", "agility", "dash", "sidestep", "Swap", "Door",
    "scenario_objects",
}  # fmt: skip
ON_MAPS = {
    "may_squeeze", "pull_along", "spend_half_dash", "push_by_shove", "swing", "swing_past", "leaves_reach",
    "note_move_within_reach", "find_openings_at_riser", "find_openings_at_step", "may_strike_mover", "threat_reach",
    "step_onto", "get_onto", "shake_climbers", "may_come_off", "may_hop_off", "set_down", "nearest_place_beside",
    "may_use_door", "push_by_hinder",
}  # fmt: skip  # in modules that hold other rules, too
# Flows are compiled into the machine of their page, with what they call; test_june2025.py compares them.
OF_PAGES = {"recall_others"}
# Functions called only in classic fights (test_engaging.py), between fights (test_resting.py) and by a few abilities.
ELSEWHERE = {"engaging", "engage", "puts_instants_first", "resting", "pull", "wins_grapple"}


def is_of_maps(name: str) -> bool:
    """Return whether only fights on maps run a rule function, or most of it."""
    parts = name.split(".")
    return not MAPS.isdisjoint(parts) or parts[-1] in ON_MAPS


def count_calls() -> Counter[str]:
    """Start counting the calls of every claimed rule function; a flow is called when one of its steps is."""
    calls: Counter[str] = Counter()
    claimed: dict[Any, str] = {}
    for claim in BOOK.claims():
        if ".editions." in claim.module or ".abilities." in claim.module or claim.function in OF_PAGES:
            continue
        name = f"{claim.module}.{claim.function}"
        calls[name], claimed[claim.module, claim.function] = 0, name
        if isinstance(flow := vars(importlib.import_module(claim.module)).get(claim.function), Flow):
            claimed[f"The flow `{flow.name}` of {claim.module}."] = name  # the docstring of each step
    functions = [each for each in gc.get_objects() if isinstance(each, FunctionType)]
    keys = {each.__code__: (each.__doc__, (each.__module__, each.__qualname__)) for each in functions}
    names = {code: claimed[key] for code, found in keys.items() for key in found if key in claimed}

    def count(frame: FrameType, event: str, _: Any) -> None:
        if event == "call" and frame.f_code in names:
            calls[names[frame.f_code]] += 1

    sys.setprofile(count)
    return calls


def play_without(seed: int) -> None:
    """Play a fight without a map; in every second one fighters own abilities, in every eighth some are parts."""
    if seed % 2 == 0:
        test_against_reference.play_both(seed)
    elif seed % 8 == 7:
        test_abilities_against_reference.play_parts(range(seed, seed + 1))
    else:
        test_abilities_against_reference.play(range(seed, seed + 1))


def play_with(seed: int) -> None:
    """Play a fight on a map; in every sixth, the default policy makes all choices but the stances."""
    make = (tight_scenario, brawl_scenario, crush_scenario)[seed % 3]
    play = test_maps_against_reference.play_the_default if seed % 6 == 3 else test_maps_against_reference.play_both
    play(make(random.Random(seed)), seed)


def main(fights: int, maps: bool) -> dict[str, int]:
    """Return the calls of each of these rule functions in at most `fights` fights, fewer if all have run before."""
    calls = count_calls()
    wanted = [name for name in calls if is_of_maps(name) == maps and ELSEWHERE.isdisjoint(name.split("."))]
    for seed in range(fights):
        (play_with if maps else play_without)(seed)
        if all(calls[name] > 0 for name in wanted):
            break
    return {name: calls[name] for name in wanted}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1]), sys.argv[2] == "with")))
