"""The kernel that starts, steps and shows fights: one source text, compiled with the functions of each game.

They share one kernel, because a second one would compile all rules, or all writers of observations, a second time. A
fight starts from the template, or from its own template if there are several.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from heartrush_env.tabletop.kernels import Kernel
from heartrush_env.tabletop.memory import fetcher
from heartrush_env.tabletop.rng import fight_key
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.sources import Sources
from heartrush_env.tabletop.units import written

GOES_ON = 0  # the `ending` of a fight that has not ended
STEP, START, SHOW = range(3)  # what the kernel does with the slots; SHOW is for fights put in from outside
FETCHED = 1024  # bytes of the next fight to load into the processor's cache while one is played
PARAMETERS = (
    "fights, logs, options, template, slots, doing, seed, numbers, dice, actions, autoreset, {screen}, "
    "rewards, terminated, truncated, ended, shown, illegal, final_observations, final_masks"
)
BODY = """
for k in range(len(slots)):
    slot = slots[k]
    if k + 1 < len(slots):
        fetch(fights[slots[k + 1]])
    fight = fights[slot]
    log = logs[slot if template[0].recording else 0]
    begins, number = doing == START, np.int64(0)
    if begins:
        number = numbers[k]
        terminated[slot] = truncated[slot] = ended[slot] = False
        clear_results(options[0].seats, slot, rewards, illegal)
    if template[0].recording and doing != SHOW:
        if begins:
            begin_log(log)
        clear_log(fight, log)
    if doing == STEP:
        if take_choices(fight, options[0], actions, illegal, slot, {screen}):
            advance(fight, log)
        fight.step_count += 1
        terminated[slot] = fight.ending != GOES_ON
        truncated[slot] = not terminated[slot] and 0 < options[0].max_cycles <= fight.step_count
        over = ended[slot] = terminated[slot] or truncated[slot]
        pay(fight, options[0], rewards, slot, over)
        if autoreset and over:
            show_slot(fights, options, slot, {screen})
            keep_last(options, slot, {screen}, final_observations, final_masks)
            begins, number, seed = True, fight.fight_number + options[0].num_fights, fight.seed
    if begins:
        fights[slot] = template[k if len(template) > 1 else 0]
        shown[slot] = number
        name_fight(fight, seed, number, dice)
        open_books(fight)
        prepare(fight, log)
        advance(fight, log)
    if doing != STEP:
        forget(slot, {screen})
    show_slot(fights, options, slot, {screen})
"""


def player(name: str, screen: str, sources: Sources, **parts: Callable[..., Any]) -> Kernel:
    """Return the kernel that starts, steps or only shows fights, and then writes all outputs.

    Args:
        name: The name that distinguishes it from the kernels of other games.
        screen: The parameters into which the game writes what its seats see; a part takes all of them or none.
        sources: The game's sources, on which its machine code depends.
        parts: The game's compiled functions. `advance` plays a fight until it waits. `prepare` sets a new fight up, and
            `open_books` notes what later rewards are compared with. `begin_log` clears a slot's log for a new
            fight, and `clear_log` the events of the last step. `take_choices` takes the actions and returns whether
            the fight can go on. `pay` writes rewards, `show_slot` observations and masks, and `keep_last` those of
            a fight that has ended. `forget` marks all that a slot shows as stale.
    """
    body = [line for line in BODY.format(screen=screen).splitlines() if line]
    constants = {"GOES_ON": GOES_ON, "STEP": STEP, "START": START, "SHOW": SHOW}
    names = {
        "np": np,
        **constants,
        "clear_results": clear_results,
        "name_fight": name_fight,
        "fetch": fetcher(FETCHED),
        **parts,
    }
    summary = "Start a fight in each slot, play one window of it, or do neither; then write all outputs."
    package = sources.place.replace("/", ".")  # a game may make its kernel only when a fight of it begins
    made = written(f"play_slots_{name}", PARAMETERS.format(screen=screen), body, names, summary, package=package)
    return Kernel(made, sources)


@compiled
def name_fight(fight, seed, number, dice):
    """Give a fight its seed, number and key, and the given results of its first rolls."""
    fight.seed = seed
    fight.fight_number = number
    fight.key = fight_key(seed, number)
    fight.given_count = len(dice)
    for k in range(len(dice)):
        fight.given[k] = dice[k]


@compiled
def clear_results(seats, slot, rewards, illegal):
    """Clear the rewards and the illegal flags."""
    for seat in range(seats):
        rewards[slot, seat] = 0.0
        illegal[slot, seat] = False
