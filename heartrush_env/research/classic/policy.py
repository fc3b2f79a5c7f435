"""A policy of a classic duel as tables: whether it engages, and how it fights each kind of engagement.

`solved_policy` takes the tables from a solution. `read_policy` asks a player for its policy in windows of a first round
that the engine plays. If a window follows an engagement, no fighter was hurt in that engagement.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.research.classic.solve import ClassicTable
from heartrush_env.research.classic.turns import ALONE, ANSWER, MOMENTS, OPENING
from heartrush_env.research.duel import Duel
from heartrush_env.research.plain import policy as plain
from heartrush_env.research.plain.policy import Policy
from heartrush_env.research.query import ask, begin, engage, play_idle_engagement, record_of, refuse_memory, step
from heartrush_env.research.zero_sum import Floats, SolverError
from heartrush_env.tabletop.game import Player

Kind = tuple[bool, bool]  # whether the policy's seat began the engagement, and whether the other may still begin one
KINDS: tuple[Kind, ...] = ((True, True), (False, True), (True, False), (False, False))


@dataclass(frozen=True, eq=False)
class ClassicPolicy:
    """The policy of one seat, by (own hp, other's hp, own heart, other's heart)."""

    duel: Duel  # from the side of this seat
    engages: Floats  # (moments, ...): the probability of engaging where it may engage
    fights: Mapping[Kind, Policy]


def solved_policy(table: ClassicTable, seat: int, rounds_left: int | None = None) -> ClassicPolicy:
    """Return a solution's policy with this number of rounds left."""
    engages = table.engages[table.layer(rounds_left), seat].astype(np.float64)
    fights = {
        (own, goes_on): plain.solved_policy(table.engagement(seat if own else 1 - seat, goes_on), seat, rounds_left)
        for own, goes_on in KINDS
    }
    return ClassicPolicy(
        table.duel if seat == 0 else table.duel.turned(),
        engages if seat == 0 else engages.transpose(0, 2, 1, 4, 3),
        fights,
    )


def read_policy(player: Player, duel: Duel) -> ClassicPolicy:
    """Read a player's policy in every state of a classic duel in which the player controls the first fighter."""
    game, (seat, other) = duel.game, duel.seats
    refuse_memory(player, game)
    refuse_fighting_on(duel)
    courses: dict[Kind, tuple[int, ...]] = {
        (True, True): (seat,), (False, True): (other,), (True, False): (other, seat), (False, False): (seat, other),
    }  # fmt: skip
    engages = np.ones((len(MOMENTS), *duel.shape))
    if duel.free:
        engage_1 = game.action_names.index("engage 1")
        for moment in MOMENTS:
            for some, answer in ask(player, duel, _turn(game, seat, moment), duel.standing, None):
                engages[(moment, *some.T)] = answer[:, engage_1] / answer.sum(axis=1)
    fights = {kind: plain.read_policy(player, duel, course) for kind, course in courses.items()}
    return ClassicPolicy(duel, engages, fights)


def refuse_fighting_on(duel: Duel) -> None:
    """Raise SolverError if fighters may fight on below 0 hit points.

    In such duels, a player's policy cannot be read.
    """
    if any(duel.below):
        raise SolverError(
            f"{duel.game.scenario_name!r} is a classic duel in which fighters may fight on below 0 hit points; a "
            "player's policy can be computed only where they may not."
        )


def _turn(game: Any, seat: int, moment: int) -> Any:
    """Return the engine's record at the window of the first round in which this seat has a turn at this moment."""
    first = seat if moment == OPENING else 1 - seat
    batch = begin(game, list(game.scenario.fighters), first)
    if moment == ANSWER:
        step(batch, game, [0, 1], ["pass", "pass"])
    if moment == ALONE:
        engage(batch, game, first)
        play_idle_engagement(batch, game)
    return record_of(batch, game)
