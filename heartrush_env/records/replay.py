"""The replay of a record: its choices and dice are played again, and each event is compared with the recorded one."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from heartrush_env.envs.parallel import ParallelFights
from heartrush_env.records.record import CUT_OFF, Record, RecordError, Step
from heartrush_env.tabletop.arguments import refusal
from heartrush_env.tabletop.errors import DiceError, IllegalAction
from heartrush_env.tabletop.game import Event, Observation
from heartrush_env.tabletop.text import show


@dataclass(frozen=True)
class Moment:
    """A window, or the start of the fight, that was replayed and found to match the record."""

    step: Step
    observations: Mapping[str, Observation]  # of each seat when it chose; empty at the start
    actions: Mapping[str, int]  # of each seat, except those for which the fallback was played
    events: Sequence[Event]
    rewards: Mapping[str, float]


def check(record: Record) -> None:
    """Replay the record to its end.

    Raises:
        RecordError: The fight differs from the record; the message names the line.
    """
    for _ in replay(record):
        pass


def replay(record: Record, watch: Callable[[ParallelFights], None] | None = None) -> Iterator[Moment]:
    """Replay the record window by window; yield each window once all its events have been compared.

    Args:
        record: The record to replay.
        watch: Called with the environment at the start and after each window, for example to film it.

    Raises:
        RecordError: The fight differs from the record; the message names the line.
    """
    env = ParallelFights(record.game)
    observations: Mapping[str, Observation] = {}
    paid = dict.fromkeys(record.game.agents, 0.0)
    rewards: Mapping[str, float] = paid.copy()
    for step in record.steps:
        where = f"{record.path}, line {step.line}"
        seen, actions = observations, {}
        try:
            if step.number < 0:
                options = None if record.dice is None else {"dice": record.dice}
                observations, _ = env.reset(seed=record.seed, options={"fight": record.fight, **(options or {})})
            elif not env.agents:
                raise RecordError(
                    f"{where}: expected the end of the record, because the fight is over, got a further window."
                )
            else:
                actions = _actions(record, step, observations, where)
                observations, rewards, *_ = env.step(actions)
        except (DiceError, IllegalAction) as error:
            raise RecordError(f"{where}: {error}") from None
        events = env.events
        _compare(step.events, events, where)
        for agent, reward in rewards.items():
            paid[agent] += reward
        if watch is not None:
            watch(env)
        yield Moment(step, seen, actions, events, rewards)
    _compare_ends(record, env, paid)


def _actions(record: Record, step: Step, observations: Mapping[str, Observation], where: str) -> dict[str, int]:
    """Return the seats' actions in a window, except for seats at which the environment plays the fallback."""
    actions: dict[str, int] = {}
    for agent in record.game.agents:
        if agent in step.fallback:
            continue
        mask = observations[agent]["action_mask"]
        legal = np.flatnonzero(mask)
        if agent in step.actions:
            pick = record.game.action_names.index(step.actions[agent])
            if not mask[pick]:
                raise RecordError(f"{where}: {refusal(record.game, agent, pick, mask)}")
        elif len(legal) == 1:
            pick = int(legal[0])
        else:
            raise RecordError(
                f"{where}: {agent}: expected the action that it chose, since it had {len(legal)} legal ones, got none."
            )
        actions[agent] = pick
    return actions


def _compare(recorded: Sequence[Event], played: Sequence[Event], where: str) -> None:
    """Compare the recorded events of a window with the replayed ones, byte for byte."""
    if len(recorded) != len(played):
        raise RecordError(f"{where}: expected {len(played)} events by the rules, got {len(recorded)}.")
    for place, (old, new) in enumerate(zip(recorded, played, strict=True), 1):
        if _bytes(old) != _bytes(new):
            key = next((key for key in (*new, *old) if _bytes(old.get(key)) != _bytes(new.get(key))), None)
            fault = "expected its fields in the order of the rules"
            if key is not None:
                fault = f"expected {key} {show(new.get(key))} by the rules, got {show(old.get(key))}"
            raise RecordError(f"{where}: event {place}: {fault}.")


def _bytes(value: Any) -> str:
    return json.dumps(value, separators=(",", ":"))


def _compare_ends(record: Record, env: ParallelFights, paid: Mapping[str, float]) -> None:
    """Compare the recorded ending with the ending of the replayed fight."""
    where = f"{record.path}, line {record.lines}"
    if env.agents:
        raise RecordError(f"{where}: the record ends, but the fight continues.")
    last = env.events[-1] if env.events else {}
    cause, winners = (last["cause"], last["winners"]) if last.get("type") == "end" else (CUT_OFF, [])
    if (record.cause, list(record.winners)) != (cause, winners):
        found = f"{show(record.cause)} and winners {show(list(record.winners))}"
        raise RecordError(f"{where}: the end: expected cause {cause!r} and {winners} by the rules, got {found}.")
    for agent, reward in paid.items():
        if record.rewards[agent] != reward:
            raise RecordError(
                f"{where}: the reward of {agent}: expected {reward} by the rules, got {record.rewards[agent]}."
            )
