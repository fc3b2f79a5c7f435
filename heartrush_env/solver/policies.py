"""A way to play a duel as tables: the mix of stances, who attacks and who shrugs off, for every state.

`solved_policy` reads them from a solution. `read_policy` asks a player: it shows the observation of every state that
the seat may be in, through the game's own tables, and keeps what the player answers. The windows themselves come from
the engine, which plays a first round into each of them; only hit points, heart dice and the hit are then varied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from heartrush_env.core.game import Player
from heartrush_env.heart_rush.encoding.features import N_BLOCK
from heartrush_env.heart_rush.engine.snapshots import from_data
from heartrush_env.heart_rush.engine.state import MATCH
from heartrush_env.heart_rush.engine.windows import SHRUG_FROM
from heartrush_env.heart_rush.fights import show_slots
from heartrush_env.heart_rush.game import HeartRush
from heartrush_env.heart_rush.kernel import VIEW
from heartrush_env.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.heart_rush.rules.terms import ATTACKING_STANCES, MOST_FIGHTERS, STANCES
from heartrush_env.solver.matrix import Floats, SolverError
from heartrush_env.solver.outcomes import EXCHANGES, Duel
from heartrush_env.solver.tablebase import Tablebase

ROWS = 2048  # observations shown to a player at once
CERTAIN = 1_000  # a bonus on attack rolls with which nobody is missed


@dataclass(frozen=True, eq=False)
class Policy:
    """How one seat plays, by (own hp, other's hp, own heart, other's heart)."""

    duel: Duel  # from the side of this seat
    stances: Floats  # (..., stances)
    attacks: Any  # (..., own stance, other's stance): how often it attacks, where it may
    shrugs: Any  # (..., exchange, damage): how often it shrugs off; one exchange for all if they are alike


def solved_policy(table: Tablebase, seat: int, rounds_left: int | None = None) -> Policy:
    """What a solution plays, with so many rounds left."""
    layer, duel = table.layer(rounds_left), table.duel if seat == 0 else table.duel.turned()
    mixes = table.mixes[seat][layer].astype(np.float64)
    mixes /= np.maximum(mixes.sum(axis=-1, keepdims=True), 1e-300)
    attacks = np.ones((*duel.shape, len(STANCES), len(STANCES)), np.float32)
    for stance in range(table.backs[seat].shape[-1]):
        attacks[..., stance, stance] = table.backs[seat][layer][..., stance]
    after = table.values[layer if table.rounds is None else max(0, layer - 1)]
    return Policy(duel, mixes, attacks, shrugs_for(duel, own_side(after, seat)))


def own_side(values: Floats, seat: int) -> Floats:
    """Values of the first fighter as a seat sees them."""
    return values if seat == 0 else -values.transpose(1, 0, 3, 2)


def shrugs_for(duel: Duel, after: Floats) -> Any:
    """(..., 1, damage): 1 where it is better for the first fighter to shrug off, given what states are worth to it."""
    hp, damage = np.arange(duel.shape[0])[:, None], np.arange(len(duel.halves))
    shrugs = np.zeros((*duel.shape, 1, len(damage)), np.float32)
    if duel.free:
        taken = np.moveaxis(after[np.maximum(0, hp - damage)], 1, -1)[:, :, 1:]
        shrugged = np.moveaxis(after[np.maximum(0, hp - duel.halves)], 1, -1)[:, :, :-1]
        shrugs[:, :, 1:, :, 0] = shrugged > taken
    else:
        shrugs[:, :, 1:, :, 0] = ((damage >= SHRUG_FROM) | (damage >= hp))[:, None, None, None]
    return shrugs


# -- asking a player ---------------------------------------------------------------------------------------------------


def read_policy(player: Player, duel: Duel) -> Policy:
    """What a player answers in every state of a duel; `duel` speaks first of the seat that it plays."""
    if player.memory != 0:
        raise SolverError(
            f"{type(player).__name__} remembers ({player.memory!r}), and only players of memory 0 are read."
        )
    memory = getattr(getattr(player, "game", duel.game), "memory", 0)
    if memory != 0:
        shown = "all reveals" if memory is None else f"{memory} reveals"
        raise SolverError(f"{type(player).__name__} sits at a game that shows {shown}, needed: one with memory=0.")
    seat, game = duel.seats[0], duel.game
    names = {name: place for place, name in enumerate(game.action_names)}
    stances = np.zeros((*duel.shape, len(STANCES)))
    attacks = np.ones((*duel.shape, len(STANCES), len(STANCES)), np.float32)
    states = np.argwhere(np.ones(duel.shape, np.bool_))
    states = states[(states[:, 0] > 0) & (states[:, 1] > 0)]
    columns = [names[f"stance {stance}"] for stance in STANCES]
    for some, answer in _ask(player, duel, _window(game, seat, None), states, None):
        stances[tuple(some.T)] = answer[:, columns]
    stances /= np.maximum(stances.sum(axis=-1, keepdims=True), 1e-300)
    if not duel.free:
        return Policy(duel, stances, attacks, shrugs_for(duel, duel.new_values()))
    for i in range(ATTACKING_STANCES):
        for j in range(len(STANCES)):
            if MAY_ATTACK[i, j]:
                for some, answer in _ask(player, duel, _window(game, seat, (i, j)), states, None):
                    attacks[(*some.T, i, j)] = 1.0 - answer[:, names["pass"]] / answer.sum(axis=1)
    return Policy(duel, stances, attacks, _read_shrugs(player, duel, states, names))


def _read_shrugs(player: Player, duel: Duel, states: Any, names: dict[str, int]) -> Any:
    """Ask for every hit that the seat may take; windows that look alike are asked once."""
    if len(duel.hearts[0]) == 1:  # no heart die to lower
        return np.zeros((*duel.shape, 1, len(duel.halves)), np.float32)
    shrugs = np.zeros((*duel.shape, len(EXCHANGES), len(duel.halves)), np.float32)
    seen: dict[bytes, int] = {}
    for e, exchange in enumerate(EXCHANGES):
        possible = (duel.chances[:, :, e, 0] > 0).any(axis=(0, 1))
        if not possible.any():
            continue
        window = _window(duel.game, duel.seats[0], exchange)
        looks = _show(duel, window, states[:1], np.ones(1, np.int64))[0].tobytes()
        if looks in seen:
            shrugs[..., e, :] = shrugs[..., seen[looks], :]
            continue
        seen[looks] = e
        some, hits = _hits(duel, states)
        for part, answer in _ask(player, duel, window, some, hits):
            shrug, take = answer[:, names["shrug"]], answer[:, names["take"]]
            shrugs[(*part[:, :4].T, e, part[:, 4])] = shrug / (shrug + take)
    return shrugs


def _hits(duel: Duel, states: Any) -> tuple[Any, Any]:
    """Every state with every hit that leaves a choice: one that can come, and does not fell the fighter either way."""
    possible: Any = (duel.chances[:, :, :, 0] > 0).any(axis=2)  # (own heart, other's heart, damage)
    states = states[states[:, 2] > 0]
    legal = possible[states[:, 2], states[:, 3]] & (duel.halves[None] < states[:, :1])
    rows, hits = np.nonzero(legal)
    return states[rows], hits


def _window(game: HeartRush, seat: int, moment: tuple[int, ...] | None) -> Any:
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


def _ask(player: Player, duel: Duel, window: Any, states: Any, hits: Any) -> Iterator[tuple[Any, Any]]:
    """Show a window in many states, and yield them, with the hit where there is one, beside the player's answers."""
    many = getattr(player, "policies", None)
    for start in range(0, len(states), ROWS):
        some = states[start : start + ROWS]
        hit = None if hits is None else hits[start : start + ROWS]
        features, masks = _show(duel, window, some, hit)
        if many is not None:
            answer = np.asarray(many(features, masks), np.float64)
        else:
            rows = zip(features, masks, strict=True)
            answer = np.array([player.policy({"observation": seen, "action_mask": mask}) for seen, mask in rows])
        answer = np.where(masks != 0, answer, 0.0)
        if not (np.isfinite(answer).all() and (answer >= 0).all() and (answer.sum(axis=1) > 0).all()):
            raise SolverError(f"{type(player).__name__} gives no legal action a probability above 0.")
        yield (some if hit is None else np.column_stack([some, hit])), answer


def _show(duel: Duel, window: Any, states: Any, hits: Any) -> tuple[Any, Any]:
    """What the seat sees of a window in these states: observations and masks, written by the game's own kernel."""
    game, (seat, other) = duel.game, duel.seats
    n, seats = len(states), len(game.agents)
    matches = np.repeat(window, n)
    fighters = matches["fighters"]
    for place, side in ((seat, 0), (other, 1)):
        fighters["hp"][:, place] = states[:, side]
        hearts = np.array(duel.hearts[side])[states[:, 2 + side]]
        fighters["heart"][:, place] = fighters["phase_heart"][:, place] = hearts
    if hits is not None:
        matches["hits"]["amount"][:, 0] = hits
    observations = np.zeros((n, seats, len(game.feature_names)), np.float32)
    masks = np.zeros((n, seats, len(game.action_names)), np.int8)
    blocks, out = np.zeros(n * MOST_FIGHTERS * N_BLOCK, np.float32), np.zeros((n, seats), np.int8)
    show_slots[MATCH](
        matches, game.new_options(n), np.arange(n), np.zeros(n, VIEW), blocks, observations.reshape(-1),
        masks.reshape(-1), out,
    )  # fmt: skip
    return np.ascontiguousarray(observations[:, seat]), np.ascontiguousarray(masks[:, seat])
