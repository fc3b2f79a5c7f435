"""A race on the framework's batch: each round both runners rest or run; the first to reach twelve squares wins."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from heartrush_env.tabletop.batch.player import GOES_ON, STEP, player
from heartrush_env.tabletop.batch.slots import Call, Slots
from heartrush_env.tabletop.flow import Machine, flow, stack
from heartrush_env.tabletop.limits import ADDED
from heartrush_env.tabletop.records import record
from heartrush_env.tabletop.rng import CHANCE, NO_DICE, NO_NUMBERS, roll_die
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.sources import Sources

RUNNERS, DIE, GOAL = 2, 6, 12
REST, RUN = range(2)
SHOE = record([("sole", "i1"), ("laces", "i2", (2,), ADDED)])
FIGHT = record(
    [
        ("step_count", "i4"), ("fight_number", "i8"), ("seed", "i8"), ("ending", "i1"), ("winner", "i1"), ("n", "i1"),
        ("recording", "?"), ("asks", "?"), ("choices", "i1", (RUNNERS,)), ("squares", "i2", (RUNNERS,)),
        ("kept_count", "i1"), ("kept", "i2", (1,)), ("wind", "i2", ADDED), ("shoe", SHOE), *CHANCE, *stack(2, 1),
    ]
)  # fmt: skip
LOG = record([("count", "i2"), ("ran", "i1", (RUNNERS,))])
OPTIONS = record([("seats", "i8"), ("max_cycles", "i4"), ("num_fights", "i8")])
SOURCES = Sources(__file__, "the race")


@compiled
def ask(fight):
    """Return whether the race waits for choices."""
    return fight.asks


@flow
def race(fight, log):
    while fight.ending == GOES_ON:
        yield ask(fight)
        run(fight, log)


@compiled
def run(fight, log):
    """Move the runners, the first one first; the race ends when one has reached the goal."""
    for i in range(RUNNERS):
        if fight.choices[i] == RUN:
            rolled = roll_die(fight, DIE)
            fight.squares[i] += rolled
            log.ran[i] = rolled
            log.count += 1
    for i in range(RUNNERS):
        if fight.ending == GOES_ON and fight.squares[i] >= GOAL:
            fight.ending, fight.winner = 1, i


MACHINE = Machine(race, frames=2, numbers=1)


@compiled
def clear_log(fight, log):
    log.count = 0
    for i in range(RUNNERS):
        log.ran[i] = 0


@compiled
def take_choices(fight, options, actions, illegal, slot, observations, masks, out):
    for i in range(RUNNERS):
        illegal[slot, i] = actions[slot, i] != REST and actions[slot, i] != RUN
        fight.choices[i] = REST if illegal[slot, i] else actions[slot, i]
    return True


@compiled
def pay(fight, options, rewards, slot, over):
    for i in range(RUNNERS):
        rewards[slot, i] = 0.0
        if over and fight.ending != GOES_ON:
            rewards[slot, i] = 1.0 if fight.winner == i else -1.0


@compiled
def show_slot(fights, options, slot, observations, masks, out):
    for i in range(RUNNERS):
        for k in range(RUNNERS):
            observations[(slot * RUNNERS + i) * RUNNERS + k] = fights[slot].squares[(i + k) % RUNNERS]
            masks[(slot * RUNNERS + i) * RUNNERS + k] = 1


@compiled
def keep_last(options, slot, observations, masks, out, final_observations, final_masks):
    for k in range(RUNNERS * RUNNERS):
        final_observations[slot * RUNNERS * RUNNERS + k] = observations[slot * RUNNERS * RUNNERS + k]
        final_masks[slot * RUNNERS * RUNNERS + k] = masks[slot * RUNNERS * RUNNERS + k]


@compiled
def nothing(fight):
    """Do nothing."""


@compiled
def nothing_to_log(log):
    """Do nothing."""


@compiled
def nothing_shown(slot, observations, masks, out):
    """Do nothing."""


@compiled
def set_up(fight, log):
    """Do nothing, because the template is a race that has not begun."""


PLAY = player(
    "race", "observations, masks, out", SOURCES, advance=MACHINE.advance, prepare=set_up, open_books=nothing,
    begin_log=nothing_to_log, clear_log=clear_log, take_choices=take_choices, pay=pay, show_slot=show_slot,
    keep_last=keep_last, forget=nothing_shown,
)  # fmt: skip


class Races(Slots):
    """A batch of races."""

    position_format = "race"

    def __init__(self, num_fights: int, *, max_cycles: int = 0, record: bool = True) -> None:
        game = SimpleNamespace(agents=("hare", "tortoise"), action_names=("rest", "run"), digest="race")
        template, options = np.zeros(1, FIGHT), np.zeros(1, OPTIONS)
        template[0]["n"], template[0]["asks"], template[0]["recording"] = RUNNERS, True, record
        template[0]["winner"] = -1
        MACHINE.begin(template[0])
        options[0] = RUNNERS, max_cycles, num_fights
        super().__init__(
            game, template, options, MACHINE, num_fights=num_fights,
            shape=(RUNNERS, RUNNERS), record=record, logs=np.zeros(num_fights if record else 1, LOG),
        )  # fmt: skip

    def playing(
        self, slots: Any, doing: int = STEP, *, seed: int = 0, numbers: Any = NO_NUMBERS, dice: Any = NO_DICE,
        autoreset: bool = False, beginnings: Any = None,
    ) -> Call:  # fmt: skip
        return Call(PLAY, (
            self._fights, self._logs, self._options, self._template if beginnings is None else beginnings, slots, doing,
            seed, numbers, dice, self.actions, autoreset, *self._flat, self.out, self.rewards, self.terminated,
            self.truncated, self.ended, self.numbers, self.illegal, *self._flat_finals,
        ))  # fmt: skip

    def faults_of(self, fight: Any) -> list[str]:
        """Return what is wrong with the squares."""
        return [] if fight["squares"].max() < GOAL + DIE else ["a runner is beyond the goal"]
