"""Snapshots that do not fit: one sentence names the place, and the fight continues as if nothing had happened."""

import json
import math
from collections.abc import Callable
from typing import Any

import pytest

from heartrush_env.tabletop.errors import SnapshotError
from tests.envs.test_bad_input import begun, everything, loses_nothing


def at(snapshot: Any, place: str) -> tuple[Any, Any]:
    """Return the container in a snapshot that a dotted path leads to, and the last step of the path."""
    *way, last = [int(step) if step.isdecimal() else step for step in place.split(".")]
    for step in way:
        snapshot = snapshot[step]
    return snapshot, last


def changed(place: str, value: Any) -> Callable[[dict[str, Any]], Any]:
    """Return a change of a snapshot that sets the value at a place, or applies it if it is a function."""

    def change(snapshot: dict[str, Any]) -> Any:
        inner, last = at(snapshot, place)
        inner[last] = value(inner[last]) if callable(value) else value
        return snapshot

    return change


def dropped(place: str) -> Callable[[dict[str, Any]], Any]:
    def change(snapshot: dict[str, Any]) -> Any:
        inner, last = at(snapshot, place)
        del inner[last]
        return snapshot

    return change


KNIGHT = "position.position.fighters.0"
FRAMES = "position.position.frames"
PASSES = {"deed": 0, "target": -1, "detail": 0}


def declared(spot: Any) -> list[dict[str, Any]]:
    """Return the frames of a fight in which the hits of a declaration are answered."""
    return [
        {"flow": "whole fight", "at": "action phase"},
        {"flow": "action phase", "at": "declarations"},
        {"flow": "declarations", "at": "declaration", "spot": spot, "spot_end": 2},
        {"flow": "declaration", "at": "hits"},
        {"flow": "hits", "at": "shrug"},
    ]


TRIPPED = [
    *declared(0)[:3],
    {"flow": "declaration", "at": "dash"},
    {"flow": "dash", "at": "trips"},
    {"flow": "trips", "at": "opportunity"},
]
SNAPSHOTS: dict[str, tuple[Callable[[dict[str, Any]], Any], list[str]]] = {
    "nothing": (lambda snapshot: None, ["snapshot", "dict"]),
    "a list": (lambda snapshot: [snapshot], ["snapshot", "dict"]),
    "text": (lambda snapshot: json.dumps(snapshot), ["snapshot", "dict"]),
    "empty": (lambda snapshot: {}, ["snapshot", "position"]),
    "without seed": (dropped("seed"), ["snapshot", "seed"]),
    "without position": (dropped("position"), ["snapshot", "position"]),
    "without a position in it": (dropped("position.position"), ["snapshot", "position"]),
    "a position of text": (changed("position.position", "here"), ["position", "str", "object"]),
    "of another game": (changed("game", "chess"), ["chess", "heart_rush"]),
    "of another scenario": (changed("scenario", "brawl"), ["'brawl'", "'duel'"]),
    "of a scenario in two lines": (changed("scenario", "brawl\nduel"), ["brawl", "'duel'"]),
    "of a game in two lines": (changed("game", "heart\nrush"), ["heart", "'duel'"]),
    "of another digest": (changed("position.digest", "0" * 32), ["snapshot", "scenario and options of this"]),
    "of an older version": (changed("position.version", 1), ["version: expected 3", "got 1"]),
    "of another format": (changed("position.format", "fen"), ["format", "heartrush-position"]),
    "a seed of text": (changed("seed", "seven"), ["seed", "'seven'", "whole number"]),
    "a seed below zero": (changed("seed", -1), ["seed", "-1"]),
    "a seed too large": (changed("seed", 2**70), ["seed", str(2**70)]),
    "a fight below zero": (changed("fight", -5), ["fight", "-5"]),
    "a field too few": (dropped("position.position.round_number"), ["position", "'round_number'"]),
    "a field too many": (changed("position.position.weather", "rain"), ["position", "'weather'"]),
    "a field that is a number": (lambda s: s["position"]["position"].update({7: 7}) or s, ["position", "7"]),
    "a fighter too few": (changed("position.position.fighters", lambda all_: all_[:-1]), ["fighters", "list of 2"]),
    "a fighter too many": (changed("position.position.fighters", lambda all_: 2 * all_), ["fighters", "list of 2"]),
    "a fighter's field too few": (dropped(f"{KNIGHT}.hp"), ["fighters[0]", "'hp'"]),
    "hit points of text": (changed(f"{KNIGHT}.hp", "many"), ["fighters[0].hp", "'many'", "whole number"]),
    "hit points of minus signs": (changed(f"{KNIGHT}.hp", "--5"), ["fighters[0].hp", "'--5'", "whole number"]),
    "half a hit point": (changed(f"{KNIGHT}.hp", 31.5), ["fighters[0].hp", "31.5", "whole number"]),
    "a truth for hit points": (changed(f"{KNIGHT}.hp", True), ["fighters[0].hp", "True", "whole number"]),
    "hit points beyond all numbers": (changed(f"{KNIGHT}.hp", 10**30), ["fighters[0].hp", "32767"]),
    "hit points above the maximum": (changed(f"{KNIGHT}.hp", 41), ["fighters[0].hp", "at most 40 (hp_max)", "got 41"]),
    "a dead man standing": (changed(f"{KNIGHT}.hp", -40), ["fighter 0", "hit points", "lives"]),
    "no truth": (changed(f"{KNIGHT}.action", 1), ["fighters[0].action", "1", "true or false"]),
    "no number": (changed("position.position.margin.0", math.nan), ["margin[0]", "nan", "number"]),
    "a number without end": (changed("position.position.margin.0", math.inf), ["margin[0]", "inf", "number"]),
    "a number too large for its field": (changed("position.position.margin.0", 1e300), ["margin[0]", "number"]),
    "a number of 400 digits": (changed("position.position.margin.0", 10**400), ["margin[0]", "number"]),
    "a lead of more than all": (changed("position.position.margin.0", 7.5), ["margin[0]", "at most 1.0", "got 7.5"]),
    "a heart die of seven": (changed(f"{KNIGHT}.heart", 7), ["fighters[0].heart", "4, 6, 8, 10, 12 or 20", "got 7"]),
    "a heart die too large": (changed(f"{KNIGHT}.heart", 20), ["fighters[0].heart", "at most 8 (heart_max)", "got 20"]),
    "another's dice": (changed(f"{KNIGHT}.ability.0", 12), ["fighters[0].ability[0]", "8, as at the start", "got 12"]),
    "another's team": (changed(f"{KNIGHT}.team", 1), ["fighters[0].team", "0, as at the start", "got 1"]),
    "more levels than there are": (changed(f"{KNIGHT}.levels.0", 6), ["fighters[0].levels[0]", "at most 5", "got 6"]),
    "levels that are not marked": (changed(f"{KNIGHT}.levels.0", 2), ["fighter 0", "dazed"]),
    "a mark without levels": (changed(f"{KNIGHT}.afflicted", 1), ["fighter 0", "dazed"]),
    "a grapple of one": (changed(f"{KNIGHT}.grappling", 1), ["fighter 0", "grappling"]),
    "a stance that there is not": (changed(f"{KNIGHT}.stance", 5), ["fighters[0].stance", "at most 4", "got 5"]),
    "a choice that there is not": (changed(f"{KNIGHT}.deed", 99), ["fighter 0", "choice"]),
    "a detail that there is not": (changed(f"{KNIGHT}.detail", 100), ["fighter 0", "choice"]),
    "a target that there is not": (changed(f"{KNIGHT}.target", 7), ["fighter 0", "choice"]),
    "a count below zero": (changed(f"{KNIGHT}.wounds", -1), ["fighters[0].wounds", "at least 0", "got -1"]),
    "a window that there is not": (changed("position.position.window", 30), ["window"]),
    "another window than the round's": (changed("position.position.window", 7), ["window"]),
    "another place than the window's": (changed(f"{FRAMES}.1.at", "start"), ["window"]),
    "a flow that there is not": (changed(f"{FRAMES}.1.flow", "dance"), ["'dance'", "engagement"]),
    "a place that there is not": (changed(f"{FRAMES}.1.at", "dance"), ["engagement", "'dance'", "stance"]),
    "a flow that nothing calls": (changed(f"{FRAMES}.0.at", "action phase"), ["'engagement'", "'action phase'"]),
    "a place without its flow": (changed(FRAMES, lambda frames: frames[:-1]), ["below 'engagement'"]),
    "no places": (changed(FRAMES, {}), ["position.frames", "{}", "list"]),
    "a place of text": (changed(f"{FRAMES}.1", "action"), ["position.frames", "str", "object"]),
    "a number that no place keeps": (changed(f"{FRAMES}.1.spot", 0), ["engagement", "'spot'"]),
    "places only maps have": (changed(FRAMES, TRIPPED), ["window"]),
    "a fighter's turn that is nobody's": (
        lambda s: changed("position.position.window", 7)(changed(FRAMES, declared(2))(s)),
        ["place of the round", "unknown fighter"],
    ),
    "a turn that is no number": (changed(FRAMES, declared("first")), ["spot: expected -32768 to", "got 'first'"]),
    "choices kept for no window": (changed("position.position.kept", [[PASSES, PASSES]]), ["kept"]),
    "choices kept for one of two": (changed("position.position.kept", [[PASSES]]), ["kept", "lists of 2 choices"]),
    "choices that are none": (changed("position.position.kept", [3]), ["kept", "lists of choices"]),
    "a choice kept without its target": (changed("position.position.kept", [[{}, PASSES]]), ["kept[0][0]", "'deed'"]),
    "an ending in the middle": (changed("position.position.ending", 1), ["ending"]),
    "a winner in the middle": (changed("position.position.winner", 0), ["winner"]),
    "a round beyond the cap": (changed("position.position.round_number", 201), ["200 (rules.max_rounds)", "got 201"]),
    "steps below zero": (changed("position.position.step_count", -1), ["step_count", "at least 0", "got -1"]),
    "a position's seed below zero": (changed("position.position.seed", -7), ["position.seed", "at least 0", "got -7"]),
    "an order of one": (changed("position.position.base_order", [0] * 2), ["order"]),
    "other settings": (changed("position.position.rules.levels", False), ["rules.levels", "True, as at the start"]),
    "other options": (changed("position.position.full_decisions", False), ["full_decisions", "as at the start"]),
    "more hits than there are": (changed("position.position.hit_count", 40), ["hit_count", "0 to 8", "got 40"]),
    "a given die of nothing": (changed("position.position.given_count", 1), ["given[0]", "at least 1", "got 0"]),
    "more dice used than given": (changed("position.position.given_used", 1), ["given_used", "0 (given_count)"]),
    "a die that was too large": (changed("position.position.bad_die", 9), ["bad_die", "at most 0", "got 9"]),
    "nobody asked": (
        lambda s: changed("position.position.fighters.1.pending", False)(changed(f"{KNIGHT}.pending", False)(s)),
        ["no fighter is asked"],
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", SNAPSHOTS)
def test_a_broken_snapshot_is_refused_and_loses_nothing(case: str) -> None:
    env = begun(steps=1)
    change, parts = SNAPSHOTS[case]
    other = begun()
    broken = change(other.snapshot())
    loses_nothing(env, SnapshotError, lambda: env.restore(broken), *parts)


@pytest.mark.parametrize(
    "settings",
    [
        {"scenario": "mirror_duel"},
        {"rules": {"talk": "open"}},
        {"decisions": "stance"},
        {"control": "team"},
        {"shape": "team"},
    ],
    ids=str,
)
def test_a_snapshot_of_another_table_is_refused(settings: dict[str, Any]) -> None:
    env = begun(steps=2)
    loses_nothing(env, SnapshotError, lambda: env.restore(begun(**settings).snapshot()), "snapshot")


def test_a_snapshot_that_is_whole_is_taken() -> None:
    env, other = begun(steps=3), begun()
    other.restore(json.loads(json.dumps(env.snapshot())))
    assert everything(other)[1] == everything(env)[1]
