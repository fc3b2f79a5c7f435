"""Queries of a player's policy in any state of a duel; the player is shown observations from the game's own tables.

The windows come from the engine, which plays a first round up to each of them. Then only hit points, heart dice, levels
and the hit are varied.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import Any

import numpy as np

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.cunning import IMPAIRING
from heartrush_env.games.heart_rush.rules.stances import MAY_ATTACK
from heartrush_env.games.heart_rush.rules.terms import ATTACKING_STANCES, CUNNING, DEFENSIVE, NOBODY, STANCES
from heartrush_env.games.heart_rush.scenario.fields import MAX_HP
from heartrush_env.research.duel import EXCHANGES, Duel
from heartrush_env.research.levels.duel import NAMES, LevelsDuel
from heartrush_env.research.zero_sum import SolverError
from heartrush_env.tabletop.game import Player, policies_of, policy_of

ROWS = 2048  # observations shown to a player at once
CERTAIN = 1_000  # an attack bonus that never misses
FELLING = MAX_HP // 2  # an attack bonus that fells a fighter at 1 hit point without killing it if its maximum is MAX_HP


def refuse_memory(player: Player, game: HeartRush) -> None:
    """Raise SolverError if a player has memory, or plays a game that shows past reveals."""
    if player.memory != 0:
        raise SolverError(
            f"{type(player).__name__}: expected a player with memory 0, got one with memory {player.memory!r}."
        )
    memory = getattr(getattr(player, "game", game), "memory", 0)
    if memory != 0:
        shown = "all reveals" if memory is None else f"{memory} reveals"
        raise SolverError(f"{type(player).__name__}: expected a game with memory=0, got one that shows {shown}.")


class Reader:
    """A reader of a player's choices in states of a duel; the player controls the duel's first fighter.

    If sides take turns, `course` lists the seats that engage, in order; choices are read in the last engagement.
    """

    def __init__(self, player: Player, duel: Duel, course: tuple[int, ...] = ()) -> None:
        """Store the player; raise SolverError if it has memory."""
        refuse_memory(player, duel.game)
        self.player, self.duel, self.course = player, duel, course
        self.columns = {name: place for place, name in enumerate(duel.game.action_names)}

    @cached_property
    def shrug_windows(self) -> list[tuple[Any, list[int]]]:
        """The windows in which the fighter responds to hits, each with the exchanges that look identical in it."""
        found: dict[bytes, tuple[Any, list[int]]] = {}
        state = np.array([[*self.duel.hp, len(self.duel.hearts[0]) - 1, *(0 for _ in self.duel.shape[3:])]])
        for e in np.flatnonzero(self._possible.any(axis=(0, 1, 3))).tolist():
            window = self._window(EXCHANGES[e])
            looks = show(self.duel, window, state, np.ones(1, np.int64))[0].tobytes()
            found.setdefault(looks, (window, []))[1].append(e)
        return list(found.values())

    @cached_property
    def _possible(self) -> Any:
        """Whether each hit on the fighter is possible, (own heart, other's heart, exchange, damage)."""
        possible: Any = self.duel.chances[..., 0, :] > 0
        return possible.any(axis=tuple(range(2, possible.ndim - 2)))

    def _window(self, moment: tuple[int, ...] | None) -> Any:
        return window_of(self.duel.game, self.duel.seats[0], moment, self.course)

    def _ask(self, moment: Any, states: Any, hits: Any = None) -> Iterator[tuple[Any, Any]]:
        return ask(self.player, self.duel, moment, states, hits)

    def read(self, states: Any, axes: slice, stances: Any, attacks: Any, names: Any, shrugs: Any) -> None:
        """Write the player's probabilities in these states.

        Args:
            states: (n, state): hit points as the duel counts them, hearts and, if it has levels, vectors; own first.
            axes: The part of a state that is the index of an entry in the tables.
            stances: (index..., stance).
            attacks: (index..., own stance, other's).
            names: (index..., slot of the beaten stance, code), if the duel has levels.
            shrugs: (index..., exchange, damage).
        """
        duel, columns = self.duel, self.columns
        self._refuse_yielding(states)
        for some, answer in self._ask(self._window(None), states):
            found = answer[:, [columns[f"stance {stance}"] for stance in STANCES]]
            stances[tuple(some[:, axes].T)] = found / found.sum(axis=1, keepdims=True)
        if not duel.free:
            return
        for i, j in np.argwhere(MAY_ATTACK[:ATTACKING_STANCES, : len(STANCES)]).tolist():
            for some, answer in self._ask(self._window((i, j)), states):
                where = tuple(some[:, axes].T)
                attacks[(*where, i, j)] = 1.0 - answer[:, columns["pass"]] / answer.sum(axis=1)
                if isinstance(duel, LevelsDuel) and i == CUNNING and j in duel.beaten:
                    named = answer[:, [columns[f"attack 1 {NAMES[code]}".strip()] for code in duel.codes[0]]]
                    total = named.sum(axis=1, keepdims=True)
                    shares = np.where(total > 0, named / np.maximum(total, 1e-300), 1.0 / named.shape[1])
                    names[(*where, duel.beaten.index(j), slice(0, named.shape[1]))] = shares
        if (states[:, 2] > 0).any():
            self._read_shrugs(states[states[:, 2] > 0], axes, shrugs)

    def _read_shrugs(self, states: Any, axes: slice, shrugs: Any) -> None:
        """Write the answers to every possible hit that the fighter survives if it shrugs off the hit."""
        legal = self._possible.any(axis=2)[states[:, 2], states[:, 3]] & (self.duel.halves[None] < states[:, :1])
        rows, hits = np.nonzero(legal)
        for window, exchanges in self.shrug_windows:
            for some, answer in self._ask(window, states[rows], hits):
                shrug, take = answer[:, self.columns["shrug"]], answer[:, self.columns["take"]]
                for e in exchanges:
                    shrugs[(*some[:, axes].T, e, some[:, -1])] = shrug / (shrug + take)

    @cached_property
    def _yielding_windows(self) -> list[Any]:
        """The engine's records of windows in which the fighter may yield, without duplicates.

        It may yield in the action phase while it is at 0 hit points or less, and when a hit has brought it there.
        """
        duel, game, (seat, other) = self.duel, self.duel.game, self.duel.seats
        if duel.below[0] == 0 or not duel.free:
            return []
        down = [
            replace(sheet, hp_now=0 if place == seat else sheet.hp)
            for place, sheet in enumerate(game.scenario.fighters)
        ]
        found = [record_of(begin(game, down), game)]
        looks = set()
        hit = list(game.scenario.fighters)
        hit[seat] = replace(hit[seat], hp=MAX_HP, hp_now=1)
        hit[other] = replace(hit[other], hp_now=hit[other].hp, attack_bonus=FELLING)
        state = np.array([[duel.below[0], *(size - 1 for size in duel.shape[1:4]), *(0 for _ in duel.shape[4:])]])
        for e, exchange in enumerate(EXCHANGES):
            if not (duel.chances[..., e, 0, :] > 0).any():
                continue
            batch = begin(game, hit)
            _play_to(batch, game, seat, exchange)
            if batch.masks[0, seat, self.columns["take"]]:
                step(batch, game, [seat, other], ["take", "pass"])
            record = record_of(batch, game)
            seen = show(duel, record, state, None)[0].tobytes()
            if seen not in looks:
                looks.add(seen)
                found.append(record)
        return found

    def _refuse_yielding(self, states: Any) -> None:
        """Raise SolverError if the player ever yields in these states, (n, ...)."""
        states = states[states[:, 0] <= self.duel.below[0]]
        for window in self._yielding_windows:
            for some, answer in self._ask(window, states):
                rows = answer[:, self.columns["yield"]] > 0
                if rows.any():
                    hp = int(some[rows][0, 0]) - self.duel.below[0]
                    raise SolverError(
                        f"{type(self.player).__name__}: expected a player that never yields, since fighters may fight "
                        f"on, got one that yields at {hp} hp in some states."
                    )


@lru_cache(maxsize=256)  # a player's policy is read in the same windows many times
def window_of(game: HeartRush, seat: int, moment: tuple[int, ...] | None, course: tuple[int, ...] = ()) -> Any:
    """Return the engine's record of a window of the first round in which the seat decides.

    `moment` is None for the stance window and two stances for the attack window. For the shrug window it is an
    exchange: both stances and who attacks, the seat's own first. The other fighter then strikes with an overwhelming
    bonus, which is undone afterwards. If sides take turns, `course` lists the seats that engage, in order; the window
    belongs to the last engagement.
    """
    sheets = [replace(sheet, hp_now=sheet.hp) for sheet in game.scenario.fighters]
    if moment is not None and len(moment) == 4:
        sheets[1 - seat] = replace(sheets[1 - seat], attack_bonus=CERTAIN)
    batch = begin(game, sheets, *course[:1])
    for engager in course[:-1]:
        engage(batch, game, engager)
        play_idle_engagement(batch, game)
    for engager in course[-1:]:
        engage(batch, game, engager)
    _play_to(batch, game, seat, moment)
    record = record_of(batch, game)
    record.flags.writeable = False
    return record


def begin(game: HeartRush, sheets: list[Any], first: int | None = None) -> Fights:
    """Start a fight of these fighters; if `first` is a seat, use a fight number that gives it the first turn."""
    scenario = replace(game.scenario, fighters=tuple(sheets))
    batch = HeartRush(scenario, decisions=game.decisions, shape=game.shape.name, memory=0).batch(1)
    number = 0
    batch.start([0], 0, [number])
    while first is not None and _turn_of(batch) != first:
        number += 1
        batch.start([0], 0, [number])
    return batch


def _turn_of(batch: Fights) -> int:
    """Return the seat of a duel whose turn it is, or whose turn started the engagement."""
    position = batch.snapshot(0)["position"]
    priority, engaged = int(position["priority"]), int(position["engaged_side"])
    return priority if priority != NOBODY else 1 - engaged


def engage(batch: Fights, game: HeartRush, engager: int) -> None:
    """Make this seat use its turn to engage, if the game has that choice."""
    if game.decisions == "full":
        step(batch, game, [engager, 1 - engager], ["engage 1", "pass"])


def play_idle_engagement(batch: Fights, game: HeartRush) -> None:
    """Play an engagement in which no fighter attacks."""
    step(batch, game, [0, 1], 2 * [f"stance {STANCES[DEFENSIVE]}"])


def _play_to(batch: Fights, game: HeartRush, seat: int, moment: tuple[int, ...] | None) -> None:
    """Play on until a moment, as defined in `window_of`."""
    if moment is not None:
        step(batch, game, [seat, 1 - seat], [f"stance {STANCES[stance]}" for stance in moment[:2]])
    if moment is not None and len(moment) == 4:
        step(batch, game, [seat, 1 - seat], ["attack 1" if attacks else "pass" for attacks in moment[2:]])


def record_of(batch: Fights, game: HeartRush) -> Any:
    """Return the engine's record of a fight, with the temporary changes to its fighters undone."""
    record = batch.copy_of(0)
    for field in ("attack_bonus", "hp_max"):
        record["fighters"][field] = game.new_template(False)["fighters"][field]
    return record


def step(batch: Fights, game: HeartRush, order: list[int], actions: list[str]) -> None:
    """Step the fight with these actions, given for the seats of a duel in this order."""
    chosen = np.zeros((1, 2), np.int64)
    chosen[0, order] = [game.action_names.index(action) for action in actions]
    batch.step(chosen)


def ask(player: Player, duel: Duel, window: Any, states: Any, hits: Any) -> Iterator[tuple[Any, Any]]:
    """Show a window in many states; yield each batch of states, with the hits if any, and the player's policies.

    Args:
        player: The player to query.
        duel: The duel from the side of the queried seat.
        window: The engine's record of the window.
        states: (n, hit points as the duel counts them, hearts and, if it has levels, vectors), the seat's own first.
        hits: (n,), the pending damage, if there is any.
    """
    for start in range(0, len(states), ROWS):
        some = states[start : start + ROWS]
        hit = None if hits is None else hits[start : start + ROWS]
        features, masks = show(duel, window, some, hit)
        answer = np.where(masks != 0, answers(player, features, masks), 0.0)
        if not (np.isfinite(answer).all() and (answer >= 0).all() and (answer.sum(axis=1) > 0).all()):
            raise SolverError(f"{type(player).__name__} gives no legal action a probability above 0.")
        yield (some if hit is None else np.column_stack([some, hit])), answer


def answers(player: Player, features: Any, masks: Any) -> Any:
    """Return a player's policies for many observations, (n, actions), asked at once if the player can do that."""
    if getattr(player, "policies", None) is not None:
        return np.asarray(policies_of(player, features, masks), np.float64)
    rows = zip(features, masks, strict=True)
    return np.array([policy_of(player, {"observation": seen, "action_mask": mask}) for seen, mask in rows])


def show(duel: Duel, window: Any, states: Any, hits: Any) -> tuple[Any, Any]:
    """Return the observations and masks of a seat's window in these states, written by the game's own kernel."""
    game, (seat, other) = duel.game, duel.seats
    records = np.repeat(window, len(states))
    fighters = records["fighters"]
    for place, side in ((seat, 0), (other, 1)):
        fighters["hp"][:, place] = states[:, side] - duel.below[side]
        hearts = np.array(duel.hearts[side])[states[:, 2 + side]]
        fighters["heart"][:, place] = fighters["phase_heart"][:, place] = hearts
        if isinstance(duel, LevelsDuel):
            _give_levels(fighters, place, duel.vectors[side][states[:, 4 + side]])
    if hits is not None:
        records["hits"]["amount"][:, 0] = hits
    fights = Fights(game, len(records), record=False)
    fights.put(records)
    return np.ascontiguousarray(fights.observations[:, seat]), np.ascontiguousarray(fights.masks[:, seat])


def _give_levels(fighters: Any, place: int, levels: Any) -> None:
    """Set one fighter's levels of each impairing condition in each fight; `levels` is (n, conditions)."""
    for k, condition in enumerate(IMPAIRING):
        bit = np.uint32(1 << int(condition))
        fighters["levels"][:, place, condition] = levels[:, k]
        fighters["afflicted"][:, place] &= ~bit
        fighters["afflicted"][:, place] |= np.where(levels[:, k] > 0, bit, np.uint32(0))
