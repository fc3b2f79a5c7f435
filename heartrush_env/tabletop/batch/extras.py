"""Kernels that devices run beside those of the games: who is asked, how fights ended, and actions that are drawn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.batch.networks import choose
from heartrush_env.tabletop.kernels import Kernel, Kind
from heartrush_env.tabletop.rng import GOLDEN, fight_key, mix
from heartrush_env.tabletop.sources import Sources

HALF = np.uint64(32)  # bits
DRAWN, CHOSEN = np.uint64(0x5D588B656C078965), np.uint64(0x9FB21C651E98DF25)  # which keys: of draws, of networks


class Extra(NamedTuple):
    """A kernel with the sources of one game, and the kinds of its arguments."""

    kernel: Kernel
    kinds: list[Kind]


class Extras(NamedTuple):
    """The kernels."""

    spread_ends: Extra
    find_asked: Extra
    draw_actions: Extra
    choose: Extra


def extras_of(sources: Sources) -> Extras:
    """Return the kernels with the sources of a game."""
    slots, flags, masks = (np.dtype(np.int64), 1), (np.dtype(np.bool_), 2), (np.dtype(np.int8), 3)
    ends: list[Kind] = [(np.dtype(np.bool_), 1)] * 2
    actions, keys, numbers = (np.dtype(np.int64), 2), (np.dtype(np.uint64), 1), np.dtype(np.float32)
    networks: list[Kind] = [actions, (numbers, 1), (np.dtype(np.float64), 2), (np.dtype(np.int8), 2), (numbers, 3)]
    return Extras(
        Extra(Kernel(spread_ends, sources), [slots, *ends, flags, flags]),
        Extra(Kernel(find_asked, sources), [slots, masks, slots, flags]),
        Extra(Kernel(draw_actions, sources), [slots, masks, actions, keys]),
        Extra(Kernel(choose, sources), [slots, (numbers, 3), masks, slots, *networks, keys, actions]),
    )


def keys_of_draws(seed: int, number: int, which: np.uint64 = DRAWN) -> NDArray[np.uint64]:
    """Return the key of each of `number` slots with which a sequence of draws begins, unlike those of fights' dice."""
    with np.errstate(over="ignore"):
        keys: NDArray[np.uint64] = fight_key(mix(np.uint64(seed) ^ which), np.arange(number, dtype=np.uint64))
    return keys


def spread_ends(slots, terminated, truncated, terminations, truncations):
    """Write how the fight of each slot ended for each seat."""
    for k in range(len(slots)):
        slot = slots[k]
        for seat in range(terminations.shape[1]):
            terminations[slot, seat] = terminated[slot]
            truncations[slot, seat] = truncated[slot]


def find_asked(slots, masks, who, asked):
    """Write which seats that no network plays have a legal action besides the first, which is legal for no choice."""
    for k in range(len(slots)):
        slot = slots[k]
        for seat in range(masks.shape[1]):
            asked[slot, seat] = False
            for action in range(1, masks.shape[2]):
                if masks[slot, seat, action] == 1 and who[seat] < 0:
                    asked[slot, seat] = True


def draw_actions(slots, masks, actions, keys):
    """Write a legal action for each seat, drawn uniformly; `keys` has a key for each slot, and changes."""
    for k in range(len(slots)):
        slot = slots[k]
        for seat in range(masks.shape[1]):
            legal = 0
            for action in range(masks.shape[2]):
                legal += masks[slot, seat, action] == 1
            keys[slot] += GOLDEN
            left = np.int64(((mix(keys[slot]) >> HALF) * np.uint64(legal)) >> HALF)
            for action in range(masks.shape[2]):
                if masks[slot, seat, action] == 1:
                    if left == 0:
                        actions[slot, seat] = action
                    left -= 1
