"""The batch of a game that is made of choices, a machine and a layout: its kernels, and its Python side.

A game gives its rules as `Rules`. The kernels ask its fighters, take their actions, play its machine, write what each
seat sees, and pay rewards to its teams. A seat decides for one fighter or, under control by team, for all fighters of a
team, one after another.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

import numpy as np

from heartrush_env.tabletop.batch.faults import faults_of
from heartrush_env.tabletop.batch.player import STEP, player
from heartrush_env.tabletop.batch.rewards import REWARDS, payment, whole_stake
from heartrush_env.tabletop.batch.slots import Call, Slots
from heartrush_env.tabletop.choosing.deciding import Deciding
from heartrush_env.tabletop.choosing.units import NOBODY, chooser_fields, window_fields
from heartrush_env.tabletop.events import Events, new_log
from heartrush_env.tabletop.flow import Machine, stack
from heartrush_env.tabletop.game import FlagArray, FloatArray
from heartrush_env.tabletop.kernels import Kernel
from heartrush_env.tabletop.layout import Writers
from heartrush_env.tabletop.memory import copy_slot
from heartrush_env.tabletop.records import Field, record
from heartrush_env.tabletop.rng import CHANCE, NO_DICE, NO_NUMBERS
from heartrush_env.tabletop.rule import compiled
from heartrush_env.tabletop.sources import Sources

MOST_TEAMS: Final = 4
FIGHT: list[Field] = [  # fields of a fight's record, besides CHANCE and the fields of windows and flows
    ("step_count", "i4"),
    ("fight_number", "i8"),
    ("seed", "i8"),
    ("ending", "i1"),  # 0 while the fight goes on
    ("winner", "i1"),  # a team, or NOBODY
    ("n", "i1"),
    ("n_teams", "i1"),
    ("recording", "?"),
    ("team_control", "?"),
    ("margin", "f4", (MOST_TEAMS,)),  # of each team, after the last step
]


def fight_record(
    most: int, pools: Sequence[str], fighter: list[Field], fight: list[Field], *, frames: int, numbers: int, nested: int
) -> np.dtype[Any]:
    """Return the record type of a fight.

    Args:
        most: The largest number of fighters.
        pools: The names of the pools from which choices are paid.
        fighter: The game's own fields of a fighter.
        fight: The game's own fields of a fight.
        frames: The most flows inside one another.
        numbers: The most numbers that a flow keeps.
        nested: The most windows that wait for an inner one.
    """
    whole = record([*chooser_fields(most, pools), *fighter])
    own = [*FIGHT, *window_fields(most, nested), *stack(frames, numbers), *fight]
    return record([*CHANCE[:-1], *own, ("fighters", whole, (most,)), CHANCE[-1]])


SCREEN: Final = "table, observations, masks, asked, out"  # the parameters in which a batch shows its fights
OPTIONS = record(
    [
        ("seats", "i8"),
        ("features", "i8"),
        ("enemies", "i8"),
        ("allies", "i8"),
        ("max_cycles", "i4"),
        ("reward", "i1"),
        ("num_fights", "i8"),
    ]
)


@compiled
def prepare_nothing(fight, log):
    """Do nothing before the first flow of a fight."""


@compiled
def status_of(fight, i):
    """Return the status of a fighter; 0 means that it is still in the fight."""
    return fight.fighters[i].status


@compiled
def share_of_hit_points(fight, team):
    """Return the share of a team's hit points that its able fighters have left."""
    left, most = 0, 0
    for i in range(fight.n):
        fighter = fight.fighters[i]
        if fighter.team == team:
            most += np.int64(fighter.hp_max)
            if fighter.status == 0:
                left += np.int64(fighter.hp)
    return left / most


@dataclass(frozen=True)
class Rules:
    """The rules of a game, as its batches play them; all functions are compiled."""

    name: str
    sources: Sources
    machine: Machine
    deciding: Deciding
    writers: Writers
    events: Events
    prepare: Callable[..., Any] = prepare_nothing  # (fight, log): before the first flow of a fight
    out_cause: Callable[..., Any] = status_of  # (fight, i): why a fighter is out, an index into the game's out_causes
    # (fight, team): the share of its strength that a team has left
    share_left: Callable[..., Any] = share_of_hit_points
    stake: Callable[..., Any] = whole_stake  # (fight): what the victory in a fight that has ended pays the winner


class Kernels(NamedTuple):
    """The kernels of a game, which serve all shapes of one record type."""

    play: Kernel
    write_state: Kernel


def kernels_of(rules: Rules) -> Kernels:
    """Return the kernels that play the fights of a game, and that write their states."""
    out_cause = rules.out_cause
    write_mask, take, choose_fallback = rules.deciding.write_mask, rules.deciding.take, rules.deciding.choose_fallback
    write_own, write_others, write_whole = rules.writers

    @compiled
    def take_choices(fight, options, actions, illegal, slot, table, observations, masks, asked, out):
        """Take the action of each asked seat; return whether every choice is complete."""
        for seat in range(options.seats):
            i = decider(fight, seat)
            illegal[slot, seat] = False
            if fight.fighters[i].pending:
                action = actions[slot, seat]
                row = (slot * options.seats + seat) * len(table)
                legal = 0 <= action < len(table) and masks[np.uint64(row + action)] == 1
                illegal[slot, seat] = not legal
                if legal:
                    take(fight, i, table[action])
                else:
                    choose_fallback(fight, i)
        for i in range(fight.n):
            if fight.fighters[i].pending:
                return False
        return True

    @compiled
    def show_slot(fights, options, slot, table, observations, masks, asked, out):
        """Write what each seat of a slot sees."""
        fight, size, enemies, allies = fights[slot], options[0].features, options[0].enemies, options[0].allies
        start, changed = slot * options[0].seats * size, 0
        for seat in range(options[0].seats):
            i = decider(fight, seat)
            changed |= np.int64(write_own(fight, i, observations, start + seat * size, start)) << i
        for seat in range(options[0].seats):
            i, row = decider(fight, seat), slot * options[0].seats + seat
            write_others(fight, i, enemies, allies, observations, row * size, size, changed)
            write_mask(fight, i, table, masks, row * len(table))
            asked[slot, seat] = fight.fighters[i].pending
            out[slot, seat] = 0 if fight.team_control else out_cause(fight, i)

    @compiled
    def keep_last(options, slot, table, observations, masks, asked, out, final_observations, final_masks):
        """Copy a slot's last observations and masks to the final arrays, before the slot's next fight begins."""
        copy_slot(observations, final_observations, slot, options[0].seats * options[0].features)
        copy_slot(masks, final_masks, slot, options[0].seats * len(table))

    def write_state(fights, slot, state):
        """Write the state of a slot."""
        write_whole(fights[slot], state)

    write_state.__qualname__ = f"{rules.name}_write_state"  # distinguishes its machine code from that of other games
    play = player(
        rules.name, SCREEN, rules.sources, advance=rules.machine.advance, prepare=rules.prepare, begin_log=begin_log,
        clear_log=clear_log, take_choices=take_choices, show_slot=show_slot, keep_last=keep_last, forget=forget,
        **payment(rules.share_left, rules.stake)._asdict(),
    )  # fmt: skip
    return Kernels(play, Kernel(write_state, rules.sources))


@compiled
def decider(fight, seat):
    """Return the fighter for which a seat decides; for a team, the first that has yet to choose, else the first."""
    if not fight.team_control:
        return seat
    first = NOBODY
    for i in range(fight.n):
        if fight.fighters[i].team == seat:
            if fight.fighters[i].pending:
                return i
            if first == NOBODY:
                first = i
    return first


@compiled
def clear_log(fight, log):
    """Forget the events of the last step."""
    log.count = 0


@compiled
def begin_log(log):
    """Clear a slot's log for a new fight."""
    log.count = 0


@compiled
def forget(slot, table, observations, masks, asked, out):
    """Do nothing: these batches do not remember what they have shown."""


class Fights(Slots):
    """A batch of fights of a TableGame; implements tabletop.game.Batch."""

    shared = (*Slots.shared, "table")

    def __init__(self, game: Any, num_fights: int, record: bool) -> None:
        seats, features = len(game.agents), len(game.feature_names)
        options = np.zeros(1, OPTIONS)
        shape, cycles = game.shape, game.max_cycles or 0
        options[0] = (
            seats, features, shape.enemies, shape.allies, cycles, REWARDS.index(game.reward), num_fights
        )  # fmt: skip
        super().__init__(
            game, game.new_template(record), options, game.rules_of_play.machine,
            num_fights=num_fights, shape=(seats, features), record=record, logs=new_log(num_fights if record else 1),
        )  # fmt: skip
        self.asked: FlagArray = np.zeros((num_fights, seats), np.bool_)
        self._kernels, self._table = game.kernels, game.table.records

    def playing(
        self, slots: Any, doing: int = STEP, *, seed: int = 0, numbers: Any = NO_NUMBERS, dice: Any = NO_DICE,
        autoreset: bool = False, beginnings: Any = None,
    ) -> Call:  # fmt: skip
        """Return the call that steps, starts or shows these slots, as tabletop/batch/player.py names it."""
        template = self._template if beginnings is None else beginnings
        return Call(self._kernels.play, (
            self._fights, self._logs, self._options, template, slots, doing, seed, numbers, dice, self.actions,
            autoreset, self._table, *self._flat, self.asked, self.out, self.rewards, self.terminated, self.truncated,
            self.ended, self.numbers, self.illegal, *self._flat_finals,
        ))  # fmt: skip

    def faults_of(self, fight: Any) -> list[str]:
        """Return all inconsistencies of a position, one sentence each."""
        return faults_of(fight, self._template[0], self.game.limits, self._machine)

    def _begin_log(self, log: Any, fight: Any) -> None:
        """Clear the log of a slot into which a position was restored."""
        log.count = 0

    def state(self, slot: int) -> FloatArray:
        """Return everything revealed so far, as a new array."""
        state = np.zeros(len(self.game.state_low), np.float32)
        self._kernels.write_state(self._fights, slot, state)
        return state

    def describe(self, slot: int) -> dict[str, Any]:
        """Return the public facts of the fight."""
        return dict(self.game.describe(self._fights[slot]))
