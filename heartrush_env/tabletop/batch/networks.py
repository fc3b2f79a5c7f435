"""A kernel that draws actions from the policies of small networks: layers with tanh between them, and a softmax.

It uses no function of a mathematics library, so its results on all devices are equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from heartrush_env.tabletop.rng import GOLDEN, mix
from heartrush_env.tabletop.rule import compiled, inlined

PLACES = np.uint64(11)  # bits that a number of 53 bits leaves
TO_SHARE = 2.0**-53
SMALLEST = -60.0  # exponents below it give 0
HALVINGS = 8


class Networks(NamedTuple):
    """Networks as the kernel reads them.

    Attributes:
        layers: (networks, most sizes + 2): the place of a network's first number, then the sizes of its input and of
            its layers, then 0.
        weights: The weights (inputs, outputs) and the biases of each layer of each network, one after another.
        ease: (networks, 2): the rate of mistakes and the temperature.
        mistaken: (networks, actions): 1 for the actions that can be mistakes.
        room: (slots, 2, widest layer), for the kernel's own use.
    """

    layers: NDArray[np.int64]
    weights: NDArray[np.float32]
    ease: NDArray[np.float64]
    mistaken: NDArray[np.int8]
    room: NDArray[np.float32]


def packed(policies: Sequence[Any], slots: int) -> Networks:
    """Return these policies, each with layers, a difficulty and mistakes, as the kernel reads them."""
    sizes = [policy.layers.sizes for policy in policies]
    layers = np.zeros((len(policies), max(map(len, sizes)) + 2), np.int64)
    pieces: list[Any] = []
    for number, policy in enumerate(policies):
        layers[number, 0] = sum(map(np.size, pieces))
        layers[number, 1 : 1 + len(sizes[number])] = sizes[number]
        for weight, bias in zip(policy.layers.weights, policy.layers.biases, strict=True):
            pieces += [weight.ravel(), bias]
    ease = [(policy.difficulty.mistakes, policy.difficulty.temperature) for policy in policies]
    return Networks(
        layers,
        np.concatenate(pieces).astype(np.float32),
        np.array(ease, np.float64),
        np.array([policy.mistaken for policy in policies], np.int8),
        np.zeros((slots, 2, max(max(each[1:]) for each in sizes)), np.float32),
    )


def choose(slots, seen, masks, who, layers, weights, ease, mistaken, room, keys, actions):
    """Write the actions of the seats that networks play.

    Args:
        slots: The slots.
        seen: (slots, seats, features).
        masks: (slots, seats, actions).
        who: (seats,): the number of the network that plays a seat; -1 for none.
        layers: As `Networks` has them, like the next four.
        weights: See `Networks`.
        ease: See `Networks`.
        mistaken: See `Networks`.
        room: See `Networks`.
        keys: (slots,): the state of each slot's random numbers, which changes.
        actions: (slots, seats), written where a network plays and a choice is to be made.
    """
    for k in range(len(slots)):
        slot = slots[k]
        for seat in range(masks.shape[1]):
            legal = 0
            for action in range(masks.shape[2]):
                legal += masks[slot, seat, action] == 1
            number = who[seat]
            if number >= 0 and legal > (masks[slot, seat, 0] == 1):  # the first action is legal for no choice
                final = run_layers(slot, seat, seen, layers, number, weights, room)
                keys[slot] += GOLDEN
                erring = share_of(keys[slot]) < ease[number, 0]
                keys[slot] += GOLDEN
                place = share_of(keys[slot])
                made = -1
                if erring:
                    made = draw_mistake(slot, seat, masks, mistaken, number, place)
                if made < 0:
                    made = draw_softmax(slot, seat, masks, room, final, ease[number, 1], place)
                actions[slot, seat] = made


@inlined
def share_of(key):
    """Return the next random number of a key, from 0 to below 1."""
    return np.float64(mix(key) >> PLACES) * TO_SHARE


@compiled
def run_layers(slot, seat, seen, layers, number, weights, room):
    """Compute the outputs of a network's last layer; return which half of the slot's room they are in."""
    at, depth, half = layers[number, 0], 1, 0
    while layers[number, depth + 1] > 0:
        inputs, outputs, last = layers[number, depth], layers[number, depth + 1], layers[number, depth + 2] == 0
        for output in range(outputs):
            total = weights[at + inputs * outputs + output]
            for place in range(inputs):
                given = seen[slot, seat, place] if depth == 1 else room[slot, 1 - half, place]
                total += given * weights[at + place * outputs + output]
            room[slot, half, output] = total if last else tanh_of(np.float64(total))
        at += (inputs + 1) * outputs
        depth += 1
        half = 1 - half
    return 1 - half


@compiled
def draw_softmax(slot, seat, masks, room, half, temperature, place):
    """Return a legal action, drawn with probabilities that are the softmax of the logits."""
    most = np.float64(-np.inf)
    for action in range(masks.shape[2]):
        if masks[slot, seat, action] == 1:
            most = max(most, np.float64(room[slot, half, action]))
    total = 0.0
    for action in range(masks.shape[2]):
        if masks[slot, seat, action] == 1:
            total += exp_of((np.float64(room[slot, half, action]) - most) / temperature)
    left, made = place * total, -1
    for action in range(masks.shape[2]):
        if masks[slot, seat, action] == 1 and left >= 0.0:
            share = exp_of((np.float64(room[slot, half, action]) - most) / temperature)
            if share > 0.0:  # rounding may leave a rest after the last action, which is then the one drawn
                made = action
                left -= share
    return made


@compiled
def draw_mistake(slot, seat, masks, mistaken, number, place):
    """Return a legal action that can be a mistake, drawn uniformly; -1 if there is none."""
    count = 0
    for action in range(masks.shape[2]):
        count += masks[slot, seat, action] == 1 and mistaken[number, action] == 1
    left, made = np.int64(place * count), -1
    for action in range(masks.shape[2]):
        if masks[slot, seat, action] == 1 and mistaken[number, action] == 1:
            if left == 0:
                made = action
            left -= 1
    return made


@inlined
def exp_of(power):
    """Return e to a power of at most 0, accurate to 32 bits: the power series of a small power, squared again."""
    if power < SMALLEST:
        return 0.0
    part = power / (1 << HALVINGS)
    found = 1.0 + part * (1.0 + part / 2 * (1.0 + part / 3 * (1.0 + part / 4 * (1.0 + part / 5 * (1.0 + part / 6)))))
    for _ in range(HALVINGS):
        found *= found
    return found


@inlined
def tanh_of(number):
    """Return the hyperbolic tangent of a number."""
    fall = exp_of(-2.0 * abs(number))
    found = (1.0 - fall) / (1.0 + fall)
    return np.float32(found if number >= 0 else -found)
