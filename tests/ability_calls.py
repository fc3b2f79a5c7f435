"""Play random fights in plain Python, and count how often each ability of a fighter does something.

    NUMBA_DISABLE_JIT=1 python -m tests.ability_calls 30

gives each ability in turn to every fighter of small random fights, along with other abilities, until the ability has
done something. For each ability it plays at most 30 fights without a map, and then at most 30 on maps. It prints the
counts as JSON.

An ability does something if it is used, or if its answer to a hook changes the state or the value asked about.
"""

import json
import random
import sys
import warnings
from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.abilities.all import PLAYED
from heartrush_env.games.heart_rush.abilities.unit import Ability
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.hooks import HOOKS, Hook
from heartrush_env.games.heart_rush.scenario.abilities import abilities, key_of
from heartrush_env.tabletop.errors import ScenarioWarning
from tests.editions_of_abilities import of_one_edition
from tests.random_play import begin, legal_actions, over
from tests.reference.map_scenarios import brawl_scenario
from tests.reference.scenarios import random_scenario, with_cantrips

WRITTEN = "heartrush_env.written."
MOST_FIGHTERS, MOST_ROUNDS = 3, 5
USE = "fight, log, i, slot, target"
OTHERS = 3  # other abilities that each fighter owns

did: Counter[str] = Counter()


def watch() -> None:
    """Start counting how often each ability does something."""
    for name, module in list(sys.modules.items()):
        called = name.rpartition(".")[2].removesuffix("_with_cells")
        hook = HOOKS.get(called.removeprefix("answer_"))
        if name.startswith(WRITTEN) and (called == "be_used" or (called.startswith("answer_") and hook is not None)):
            for case, function in list(vars(module).items()):
                if case.startswith("case_") and not function.__name__.endswith("_with_cells"):
                    setattr(module, case, watched(function, hook))


def watched(function: Callable[..., Any], hook: Hook | None) -> Callable[..., Any]:
    """Wrap an ability's function, for a hook or for its use, so that each call that does something is counted."""
    names = (hook.parameters if hook is not None else USE).split(", ")
    owner, place = names.index("i"), names.index("slot")
    given = names.index(hook.changed) if hook is not None and hook.changed else None

    def call(*arguments: Any) -> Any:
        fight = arguments[0]
        before, number = fight.tobytes(), fight.fighters[arguments[owner]].loadout[arguments[place]]
        answer = function(*arguments)
        asked = arguments[given] if given is not None else 0
        changes = hook is not None and hook.answers != "nothing" and answer != asked
        did[PLAYED[number].name] += bool(hook is None or changes or fight.tobytes() != before)
        return answer

    return call


def small_fight(rng: random.Random, *, on_map: bool) -> dict[str, Any]:
    """Return a random scenario with few fighters and rounds."""
    while True:
        scenario = brawl_scenario(rng) if on_map else random_scenario(rng)
        if len(scenario["fighter"]) <= MOST_FIGHTERS:
            return {**scenario, "max_rounds": min(MOST_ROUNDS, scenario.get("max_rounds", MOST_ROUNDS))}


def dealt(ability: Ability, rng: random.Random, *, on_map: bool) -> dict[str, Any]:
    """Return a small fight in which every fighter owns the ability and a few others."""
    scenario = small_fight(rng, on_map=on_map)
    others = [other for other in PLAYED if other is not ability and (on_map or other.needs is None)]
    for fighter in scenario["fighter"]:
        for name in of_one_edition(owned.name for owned in (ability, *rng.sample(others, OTHERS))):
            key = key_of(abilities()[name])
            key = rng.choice((key, "destiny_talents")) if key == "talents" else key
            fighter.setdefault(key, []).append(name)
    return with_cantrips(scenario)


def play(scenario: dict[str, Any], seed: int) -> None:
    """Play a fight of random legal actions to its end."""
    fights, rng = begin(HeartRush(scenario), seed), np.random.default_rng(seed)
    while not over(fights):
        fights.step(legal_actions(fights, rng))


def search(ability: Ability, fights: int) -> None:
    """Play fights until the ability has done something."""
    for on_map in (False, True):
        for seed in range(fights if on_map or ability.needs is None else 0):
            if did[ability.name]:
                return
            play(dealt(ability, random.Random(seed), on_map=on_map), seed)


def main(fights: int) -> dict[str, int]:
    """Return how often each ability has done something."""
    warnings.simplefilter("ignore", ScenarioWarning)
    watch()
    for ability in PLAYED:
        search(ability, fights)
    return {ability.name: did[ability.name] for ability in PLAYED}


if __name__ == "__main__":
    print(json.dumps(main(int(sys.argv[1])), indent=1))
