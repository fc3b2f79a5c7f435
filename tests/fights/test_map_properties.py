"""Properties of every fight on a map, whatever its fighters choose."""

import random
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from hypothesis import given

from heartrush_env.games.heart_rush.fights import Fights
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.games.heart_rush.rules.space import OPEN_DOOR
from heartrush_env.games.heart_rush.rules.terms import MAP_SIDE
from tests.map_scenarios import random_map_scenario
from tests.notation import line_of, read_line
from tests.random_play import FEW_FIGHTS, FIGHTS, SEEDS, begin, check_rows, play, positions, put, seen, window
from tests.stale_cover import stale_cover

VOLUNTARY = ("dash", "sidestep", "follow", "swing")


def game(seed: int, **options: Any) -> HeartRush:
    return HeartRush(random_map_scenario(random.Random(seed)), **options)


@given(SEEDS)
@FIGHTS
def test_no_fight_comes_to_a_faulty_state(seed: int) -> None:
    for fights in positions(game(seed), seed):
        assert fights.faults(0) == stale_cover(fights._fights[0]) == []


@given(SEEDS)
@FEW_FIGHTS
def test_what_stands_in_the_rows_is_what_a_whole_writing_shows(seed: int) -> None:
    check_rows(game(seed), seed)


@given(SEEDS)
@FIGHTS
def test_every_ending_has_a_name(seed: int) -> None:
    described = [fights.describe(0) for fights in positions(game(seed, decisions="stance"), seed)][-1]
    assert (described["cause"] in ("victory", "draw", "round_cap")) == (described["window"] == "over")


def told_places(fights: Fights) -> Iterator[tuple[str, dict[str, Any]]]:
    for event in fights.events(0):
        if event["type"] in ("move", "push"):
            yield event["type"], event


@given(SEEDS)
@FIGHTS
def test_events_lead_from_square_to_square_to_where_everyone_is(seed: int) -> None:
    """Each path in an event begins next to its fighter's square and goes square by square to where the fighter is."""
    at: dict[str, list[int]] = {}
    for fights in positions(game(seed), seed):
        for kind, event in told_places(fights):
            name = event["fighter"]
            for square in event["path"]:
                apart = max(abs(square[0] - at[name][0]), abs(square[1] - at[name][1]))
                how = event.get("how", kind)
                assert how in ("off", "climb", "swing", "dash") or apart == 1, event
                assert how != "swing" or apart == 2, event
                at[name] = square
        places = {name: fighter["at"] for name, fighter in fights.describe(0)["fighters"].items()}
        assert at in ({}, places)
        at = places


@given(SEEDS)
@FIGHTS
def test_nobody_moves_further_than_its_speed_in_one_dash(seed: int) -> None:
    for fights, actions in play(game(seed), seed):
        named = fights.game.action_names
        match = fights._fights[0]
        if window(fights) == "action":
            for i, name in enumerate(fights.game.fighters):
                words = named[int(actions[0, i])].split()
                if words[0] == "dash":
                    dx, dy = map(int, words[1].split(","))
                    fastest = int(match.fighters[i].sets[0].speed)
                    assert max(abs(dx), abs(dy)) <= max(1, fastest), name


@given(SEEDS)
@FEW_FIGHTS
def test_a_snapshot_taken_back_is_the_same_fight(seed: int) -> None:
    same = game(seed)
    other = begin(same, seed + 1)
    for fights, actions in play(same, seed):
        other.restore(0, fights.snapshot(0))
        twin = begin(same, seed)
        put(twin, fights)
        twin.step(actions)
        other.step(actions)
        assert (seen(twin)[0], twin.snapshot(0)["position"]) == (seen(other)[0], other.snapshot(0)["position"])


@given(SEEDS)
@FEW_FIGHTS
def test_a_line_at_a_stance_window_reads_back_to_the_same_fight(seed: int) -> None:
    same = game(seed)
    copy = same.batch(1, record=True)
    copy.start([0], seed, [0])
    for fights, _ in play(same, seed):
        if window(fights) != "stance":
            continue
        line = line_of(fights)
        copy._fights[0] = read_line(line, same.new_template(True)[0], same.scenario)[0]
        copy.step(np.zeros((1, len(same.agents)), np.int64))  # no seat is asked: on to the window of the line
        assert (line_of(copy), copy.describe(0)) == (line, fights.describe(0))
        assert (copy.masks == fights.masks).all()


def first(**values: Any) -> Callable[[Any], None]:
    """Return a change that makes a position invalid by setting values of the first fighter."""

    def spoil(match: Any) -> None:
        for name, value in values.items():
            setattr(match.fighters[0], name, value)

    return spoil


def entry(array: str, index: int, value: int) -> Callable[[Any], None]:
    """Return a change that makes a position invalid by setting one entry of an array."""
    return lambda match: getattr(match, array).__setitem__(index, value)


def _forge(match: Any) -> None:
    match.fighters[0].sets[0].weapon_die = 20


def _fly(match: Any) -> None:
    first(climbing=1, afflicted=1 << 22)(match)
    match.fighters[0].levels[22] = 1


@pytest.mark.parametrize(
    ("spoil", "fault"),
    [
        (first(x=4), "stand in each other's space"),
        (first(x=-1), "outside the map"),
        (entry("cells", 0, 1), "the map has changed"),
        (entry("cells", 2 * MAP_SIDE + 4, OPEN_DOOR), "the map has changed, but nothing was used"),
        (entry("walls", 1, 1 << 2), "rows of bits belong to another map"),
        (first(rush=-1), "fighters[0].rush: expected at least 0, got -1"),
        (first(squares_moved=200), "further than a round allows"),
        (_forge, "carries an item that it never had"),
        (_fly, "off the creature that it rides"),
        (first(grappling=1), "out of its reach"),
    ],
)
def test_each_fault_of_a_map_is_seen(spoil: Callable[[Any], None], fault: str) -> None:
    blade = {"size": "light", "attack_type": "melee", "damage_type": "none"}
    plain = {"might": 6, "agility": 6, "cunning": 6, "presence": 6, "heart": 8, "hp": 40, "weapon": blade}
    sheets = [{**plain, "id": "a", "team": "blue", "at": [0, 0]}, {**plain, "id": "b", "team": "red", "at": [4, 0]}]
    fights = begin(HeartRush({"fighter": sheets, "battlefield": {"map": [".....", ".....", "....+"]}}), 1)
    assert fights.faults(0) == []
    spoil(fights._fights[0])
    assert any(fault in found for found in fights.faults(0)), fights.faults(0)


def test_a_stored_cover_that_is_out_of_date_is_seen() -> None:
    fights = begin(HeartRush("bridge"), 1)
    assert stale_cover(fights._fights[0]) == []
    fights._fights[0].cover[1] = 3
    assert stale_cover(fights._fights[0]) == [(0, 1)]


@given(SEEDS)
@FEW_FIGHTS
def test_every_unmasked_action_can_be_played_and_observations_stay_in_range(seed: int) -> None:
    same = game(seed)
    for fights, _ in play(same, seed):
        assert (fights.masks.sum(axis=2) > 0).all()
        assert (fights.observations >= same.observation_low - 1e-6).all()
        assert (fights.observations <= same.observation_high + 1e-6).all()
        state = fights.state(0)
        assert (state >= same.state_low - 1e-6).all() and (state <= same.state_high + 1e-6).all()


@pytest.mark.parametrize("decisions", ["full", "stance"])
def test_the_same_key_and_actions_give_the_same_fight_alone_and_in_a_batch(decisions: str) -> None:
    same = game(5, decisions=decisions)
    batch = same.batch(3)
    batch.start([0, 1, 2], 5, [0, 1, 2])
    alone = same.batch(1)
    alone.start([0], 5, [1])
    rng = np.random.default_rng(1)
    for _ in range(20):
        actions = np.where(batch.masks, rng.random(batch.masks.shape), -1.0).argmax(axis=2)
        batch.step(actions)
        alone.step(actions[1:2])
        assert batch.observations[1].tobytes() == alone.observations[0].tobytes()
        if batch.terminated[1]:
            break
