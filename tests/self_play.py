"""Self-play until every fight has ended, with the state checked along the way.

    python -m tests.self_play 1000 --seed 7 --agents random tactician

plays 1000 fights with each agent on every shipped map and on generated maps, and prints a line for each map: how the
fights ended, and every fault that was found. After an interruption, continue with another --seed.
"""

import argparse
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numba
import numpy as np
from heartrush_agents import load

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.state.record import ENDINGS, has_map
from tests.stale_cover import stale_cover

MAPS = ("skirmish", "bridge", "ambush", "tower", "dragon", "warband")
GENERATED = 14  # maps of the generator, at most
AT_ONCE = 32
LOOKED_AT = 64  # steps of a batch between checks of its states


@numba.njit(nogil=True)
def draw(masks: Any, chances: Any, actions: Any) -> None:
    """Write a legal action for each seat, all of its legal actions being equally likely."""
    for slot in range(masks.shape[0]):
        for seat in range(masks.shape[1]):
            left = int(masks[slot, seat].sum() * chances[slot, seat])
            for action in range(masks.shape[2]):
                if masks[slot, seat, action]:
                    actions[slot, seat] = action
                    if left == 0:
                        break
                    left -= 1


class AtRandom:
    """A player that chooses at random for all seats of a batch at once."""

    def __init__(self, fights: Fights, seed: int) -> None:
        self.fights, self.rng = fights, np.random.default_rng(seed)
        self.actions = np.zeros(fights.masks.shape[:2], np.int64)

    def choose(self) -> Any:
        draw(self.fights.masks, self.rng.random(self.actions.shape), self.actions)
        return self.actions


class OfAgent:
    """An agent in every seat, asked wherever the seat has a choice."""

    def __init__(self, fights: Fights, seed: int, agent: str) -> None:
        self.fights, self.rng = fights, np.random.default_rng(seed)
        slots, seats = fights.masks.shape[:2]
        self.players = [[load(agent).seat(fights.game) for _ in range(seats)] for _ in range(slots)]

    def choose(self) -> Any:
        actions = self.fights.masks.argmax(axis=2)
        for slot, seat in np.argwhere(self.fights.masks.sum(axis=2) > 1):
            seen = {"observation": self.fights.observations[slot, seat], "action_mask": self.fights.masks[slot, seat]}
            actions[slot, seat] = self.players[slot][seat].act(seen, self.rng)
        return actions


def self_play(scenario: str, agent: str, fights: int, seed: int) -> tuple[Counter[str], list[str]]:
    """Play fights of a scenario; count them by how they ended, and list the faults of their states."""
    game = HeartRush(scenario)
    slots = min(AT_ONCE, fights)
    batch = Fights(game, slots, record=False)
    players = AtRandom(batch, seed) if agent == "random" else OfAgent(batch, seed, agent)
    begun, ended, faults, steps = slots, Counter[str](), [], 0
    batch.start(range(slots), seed, range(slots))
    playing = np.ones(slots, np.bool_)
    while playing.any():
        batch.step(players.choose())
        steps += 1
        over = np.flatnonzero(playing & batch.terminated)
        looked_at = {*over.tolist(), *([steps // LOOKED_AT % slots] if steps % LOOKED_AT == 0 else [])}
        faults += [
            f"{scenario}, seed {seed}: {fault}" for slot in sorted(looked_at) for fault in faults_of(batch, slot)
        ]
        for slot in over.tolist():
            ended[ENDINGS[batch._fights[slot].ending]] += 1
            playing[slot] = begun < fights
            if playing[slot]:
                batch.start([slot], seed, [begun])
                begun += 1
    return ended, faults


def faults_of(batch: Fights, slot: int) -> list[str]:
    """Return the faults of a state, including a stored cover that is out of date."""
    fight = batch._fights[slot]
    pairs = stale_cover(fight) if has_map(fight) else []
    return batch.faults(slot) + [f"the stored cover of fighter {i} against fighter {j} is stale" for i, j in pairs]


def scenarios() -> Iterator[str]:
    """Yield every shipped map, and some generated ones."""
    yield from MAPS
    yield from (f"random:{number}" for number in range(1, GENERATED + 1))


def main() -> None:
    """Play the fights, and print the results."""
    words = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    words.add_argument("fights", type=int)
    words.add_argument("--seed", type=int, default=7)
    words.add_argument("--agents", nargs="+", default=["random", "tactician"])
    chosen = words.parse_args()
    for agent in chosen.agents:
        for scenario in scenarios():
            ended, faults = self_play(scenario, agent, chosen.fights, chosen.seed)
            told = f"{agent} {scenario} seed {chosen.seed}: {dict(ended)}, {len(faults)} faults"
            print(told, *faults[:5], flush=True)


if __name__ == "__main__":
    main()
