"""Asking a player what it does in any state of a duel: observations are shown through the game's own tables.

The windows themselves come from the engine, which plays a first round into each of them; only hit points, heart dice,
levels and the hit are then varied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import numpy as np

from heartrush_env.core.game import Player
from heartrush_env.heart_rush.engine.snapshots import from_data
from heartrush_env.heart_rush.fights import Fights
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.rules.maneuvers import IMPAIRING
from heartrush_env.heart_rush.rules.terms import STANCES
from heartrush_env.solver.levels import LevelsDuel
from heartrush_env.solver.matrix import SolverError
from heartrush_env.solver.outcomes import Duel

ROWS = 2048  # observations shown to a player at once
CERTAIN = 1_000  # a bonus on attack rolls with which nobody is missed


def refuse_memory(player: Player, game: HeartRush) -> None:
    """Raise a SolverError if a player remembers, or sits where more than the present is shown."""
    if player.memory != 0:
        raise SolverError(
            f"{type(player).__name__} remembers ({player.memory!r}), and only players of memory 0 are read."
        )
    memory = getattr(getattr(player, "game", game), "memory", 0)
    if memory != 0:
        shown = "all reveals" if memory is None else f"{memory} reveals"
        raise SolverError(f"{type(player).__name__} sits at a game that shows {shown}, needed: one with memory=0.")


def window_of(game: HeartRush, seat: int, moment: tuple[int, ...] | None) -> Any:
    """The engine's record of a window of the first round, in which the seat decides.

    `moment` is None for the stance window, two stances for the attack window, and an exchange for the shrug window:
    both stances and who attacks, the seat's own first. For that the other fighter strikes with an overwhelming bonus,
    which is then taken back.
    """
    scenario = game.scenario
    if moment is not None and len(moment) == 4:
        sheets = list(scenario.fighters)
        sheets[1 - seat] = replace(sheets[1 - seat], attack_bonus=CERTAIN)
        scenario = replace(scenario, fighters=tuple(sheets))
    twin = HeartRush(scenario, decisions=game.decisions, shape=game.shape.name, memory=0)
    batch = twin.batch(1)
    batch.start([0], 0, [0])
    names = {name: place for place, name in enumerate(game.action_names)}
    order = [seat, 1 - seat]
    if moment is not None:
        _step(batch, order, [names[f"stance {STANCES[stance]}"] for stance in moment[:2]])
    if moment is not None and len(moment) == 4:
        _step(batch, order, [names["attack 1" if attacks else "pass"] for attacks in moment[2:]])
    record = from_data(batch.snapshot(0)["position"])
    record["fighters"]["attack_bonus"] = game.new_template(False)["fighters"]["attack_bonus"]
    return record


def _step(batch: Any, order: list[int], actions: list[int]) -> None:
    chosen = np.zeros((1, 2), np.int64)
    chosen[0, order] = actions
    batch.step(chosen)


def ask(player: Player | None, duel: Duel, window: Any, states: Any, hits: Any) -> Iterator[tuple[Any, Any]]:
    """Show a window in many states, and yield them, with the hit where there is one, beside the player's answers.

    Args:
        player: Who is asked, or nobody, to be given the observations themselves.
        duel: From the side of the seat that is asked.
        window: The engine's record of it.
        states: (n, hit points, hearts and, where the duel has levels, vectors), the seat's own first.
        hits: (n,), the damage that is to be answered, if there is any.
    """
    many = getattr(player, "policies", None)
    for start in range(0, len(states), ROWS):
        some = states[start : start + ROWS]
        hit = None if hits is None else hits[start : start + ROWS]
        features, masks = show(duel, window, some, hit)
        if player is None:
            yield some, features
            continue
        if many is not None:
            answer = np.asarray(many(features, masks), np.float64)
        else:
            rows = zip(features, masks, strict=True)
            answer = np.array([player.policy({"observation": seen, "action_mask": mask}) for seen, mask in rows])
        answer = np.where(masks != 0, answer, 0.0)
        if not (np.isfinite(answer).all() and (answer >= 0).all() and (answer.sum(axis=1) > 0).all()):
            raise SolverError(f"{type(player).__name__} gives no legal action a probability above 0.")
        yield (some if hit is None else np.column_stack([some, hit])), answer


def show(duel: Duel, window: Any, states: Any, hits: Any) -> tuple[Any, Any]:
    """What the seat sees of a window in these states: observations and masks, written by the game's own kernel."""
    game, (seat, other) = duel.game, duel.seats
    matches = np.repeat(window, len(states))
    fighters = matches["fighters"]
    for place, side in ((seat, 0), (other, 1)):
        fighters["hp"][:, place] = states[:, side]
        hearts = np.array(duel.hearts[side])[states[:, 2 + side]]
        fighters["heart"][:, place] = fighters["phase_heart"][:, place] = hearts
        if isinstance(duel, LevelsDuel):
            _give_levels(fighters, place, duel.vectors[side][states[:, 4 + side]])
    if hits is not None:
        matches["hits"]["amount"][:, 0] = hits
    fights = Fights(game, len(matches), record=False)
    fights.put(matches)
    return np.ascontiguousarray(fights.observations[:, seat]), np.ascontiguousarray(fights.masks[:, seat])


def _give_levels(fighters: Any, place: int, levels: Any) -> None:
    """Give one fighter of each fight its levels, (n, conditions)."""
    for k, condition in enumerate(IMPAIRING):
        bit = np.uint32(1 << int(condition))
        fighters["levels"][:, place, condition] = levels[:, k]
        fighters["afflicted"][:, place] &= ~bit
        fighters["afflicted"][:, place] |= np.where(levels[:, k] > 0, bit, np.uint32(0))
