"""The kinds of fights, and the record of each kind."""

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from heartrush_env.games.heart_rush.editions import edition_of
from heartrush_env.games.heart_rush.fights import MANY, Fights
from heartrush_env.games.heart_rush.game import OBSERVATIONS, HeartRush
from heartrush_env.games.heart_rush.scenario.load import load_scenario, with_an_ability
from heartrush_env.games.heart_rush.scenario.settings import Settings
from heartrush_env.games.heart_rush.state import record as kinds
from heartrush_env.tabletop.errors import SnapshotError
from tests.notation import line_of
from tests.random_play import legal_actions, seen

KINDS = {
    "duel": kinds.DUEL,
    "plain": kinds.BARE_FIGHT,
    "map": kinds.MAP_FIGHT,
    "turns": kinds.TURN_FIGHT,
    "turns on a map": kinds.TURN_MAP_FIGHT,
    "abilities": kinds.ABLE_FIGHT,
    "abilities on a map": kinds.ABLE_MAP_FIGHT,
    "turns with abilities": kinds.ABLE_TURN_FIGHT,
    "turns with abilities on a map": kinds.ABLE_TURN_MAP_FIGHT,
}
CLASSIC = {"edition": "classic"}
ON_A_MAP = {"battlefield": {"map": [".....", "....."]}}


def duel_on_a_map() -> Any:
    fighters = [{"id": id, "from": "knight", "team": team, "at": [0, k]} for k, (id, team) in enumerate(["ax", "by"])]
    return {"name": "t", "fighter": fighters, **ON_A_MAP}


FIGHTS: dict[str, tuple[Any, dict[str, Any], str]] = {
    "two": ("duel", {}, "duel"),
    "two that choose stances only": ("duel", {"decisions": "stance"}, "duel"),
    "two teams of one": ("duel", {"control": "team"}, "duel"),
    "two in the shape of teams": ("duel", {"shape": "team"}, "duel"),
    "three sides of one": ("free_for_all", {}, "plain"),
    "teams": ("melee", {}, "plain"),
    "two on a map": (duel_on_a_map(), {}, "map"),
    "teams on a map": ("skirmish", {}, "map"),
    "two by turns": ("duel", {"rules": CLASSIC}, "turns"),
    "teams by turns": ("melee", {"rules": CLASSIC}, "turns"),
    "teams by turns on a map": ("skirmish", {"rules": CLASSIC}, "turns on a map"),
    "two with abilities": (with_an_ability(load_scenario("duel")), {}, "abilities"),
    "teams with abilities on a map": (with_an_ability(load_scenario("skirmish")), {}, "abilities on a map"),
    "two with abilities by turns": (with_an_ability(load_scenario("duel", CLASSIC)), {}, "turns with abilities"),
    "teams with abilities by turns on a map": (
        with_an_ability(load_scenario("skirmish", CLASSIC)),
        {},
        "turns with abilities on a map",
    ),
}


@pytest.mark.parametrize("observations", OBSERVATIONS)
@pytest.mark.parametrize("fight", FIGHTS)
def test_the_kind_of_a_fight_is_the_smallest_that_it_fits(fight: str, observations: str) -> None:
    scenario, options, kind = FIGHTS[fight]
    game = HeartRush(scenario, **options)
    for record in (False, True):
        for number in (1, MANY):
            fights = game.batch(number, record=record, observations=observations)
            assert fights.records.dtype is KINDS[kind] and fights._played[0].dtype == KINDS[kind]
            assert fights._views.dtype is fights.view_record(KINDS[kind])


@pytest.mark.parametrize("observations", OBSERVATIONS)
@pytest.mark.parametrize("scenario", ["duel", "melee", "skirmish"])
def test_the_memory_of_a_fight_is_that_of_its_arrays(scenario: str, observations: str) -> None:
    game = HeartRush(scenario)
    fights = game.batch(3, observations=observations)
    arrays = [
        fights._fights, fights._views, fights.masks, fights.final_masks, fights.rewards, fights.illegal, fights.out,
        fights.terminated, fights.truncated, fights.ended,
    ]  # fmt: skip
    shown = sum(array.nbytes for seen in (fights.seen, fights.final_seen) for array in seen.values())
    assert 3 * game.bytes_per_fight(observations) == sum(array.nbytes for array in arrays) + shown


# -- two fighters, in a record with room for two and in one with room for eight ----------------------------------------


def as_if_of_more(patch: pytest.MonkeyPatch) -> None:
    """Give duels the record of fights of more than two."""

    def edition(settings: Settings) -> Any:
        found = edition_of(settings)
        return replace(found, kinds=(kinds.BARE_FIGHT, *found.kinds[1:]))

    patch.setattr("heartrush_env.games.heart_rush.engine.setup.edition_of", edition)


def both(game: HeartRush, number: int, observations: str = "vector") -> tuple[Fights, Fights]:
    """Return two batches of a duel, with room for two fighters and for eight."""
    small = game.batch(number, record=True, observations=observations)
    with pytest.MonkeyPatch.context() as patch:
        as_if_of_more(patch)
        large = game.batch(number, record=True, observations=observations)
    assert (kinds.room_of(small.records.dtype), kinds.room_of(large.records.dtype)) == (2, 8)
    return small, large


OPTIONS: list[dict[str, Any]] = [
    {}, {"decisions": "stance"}, {"control": "team"}, {"shape": "team"}, {"rules": {"talk": "open"}},
]  # fmt: skip


def play_both(game: HeartRush, number: int, windows: int, observations: str = "vector") -> None:
    """Play the same random fights in both batches, and compare all that they show."""
    fights = both(game, number, observations)
    rng = np.random.default_rng(7)
    for batch in fights:
        batch.start(range(number), 11, range(number))
    for _ in range(windows):
        actions = legal_actions(fights[0], rng)
        for batch in fights:
            batch.step(actions, autoreset=True)
        small, large = fights
        for name in (
            "observations", "masks", "rewards", "out", "ended", "numbers", "final_observations", "final_masks",
        ):  # fmt: skip
            assert np.array_equal(getattr(small, name), getattr(large, name)), name
        for part in small.seen:
            assert np.array_equal(small.seen[part], large.seen[part]), part
        for slot in range(number):
            assert small.events(slot) == large.events(slot) and line_of(small, slot) == line_of(large, slot)
            assert np.array_equal(small.state(slot), large.state(slot)) and small.faults(slot) == []


@pytest.mark.parametrize(
    "options", [OPTIONS[0], *(pytest.param(options, marks=pytest.mark.long) for options in OPTIONS[1:])]
)
def test_a_duel_is_the_same_fight_in_a_record_with_more_room(options: dict[str, Any]) -> None:
    play_both(HeartRush("duel", **options), number=8, windows=120)


@pytest.mark.usefixtures("plainly")
def test_it_is_also_the_same_fight_in_observations_as_entities() -> None:
    play_both(HeartRush("duel"), number=1, windows=8, observations="entities")


# -- snapshots ---------------------------------------------------------------------------------------------------------


def test_a_snapshot_with_room_for_more_is_restored_and_played_on() -> None:
    """Snapshots of duels were like this when all records had room for eight."""
    small, large = both(HeartRush("duel"), 1)
    large.start([0], 5, [3])
    rng = np.random.default_rng(2)
    for _ in range(40):
        large.step(legal_actions(large, rng), autoreset=True)
        snapshot = json.loads(json.dumps(large.snapshot(0)))
        assert len(snapshot["position"]["fighters"]) == 8
        small.restore(0, snapshot)
        shown = [array.tobytes() for array in (small.observations, small.masks, small.out, small.terminated)]
        assert shown == [array.tobytes() for array in (large.observations, large.masks, large.out, large.terminated)]
        assert small.faults(0) == [] and len(small.snapshot(0)["position"]["fighters"]) == 2
    actions = legal_actions(large, rng)
    for fights in (small, large):
        fights.step(actions)
    assert seen(small)[:2] == seen(large)[:2], "it has the same dice to come"


@pytest.mark.parametrize(
    ("field", "rest"),
    [("order", [1]), ("margin", [0.0, 0.5]), ("enemies", [-1, 1]), ("hits", [{}]), ("fighters", ["nobody"])],
)
def test_what_a_record_has_no_room_for_is_not_dropped_from_a_snapshot(field: str, rest: list[Any]) -> None:
    fights = HeartRush("duel").batch(1)
    fights.start([0], 5, [3])
    snapshot: Any = fights.snapshot(0)
    place = snapshot["position"]["fighters"][0] if field == "enemies" else snapshot["position"]
    place[field] += rest
    with pytest.raises(SnapshotError, match=field):
        fights.restore(0, snapshot)


@pytest.mark.parametrize(
    ("scenario", "rules"),
    [("duel", {}), ("brawl", {"talk": "team"}), pytest.param("skirmish", {}, marks=pytest.mark.long)],
)
def test_a_snapshot_of_an_earlier_version_is_restored_and_played_on(scenario: str, rules: dict[str, Any]) -> None:
    """The snapshot lacks the settings that came later and the words that all sides have heard."""
    game = HeartRush(scenario, rules)
    first, second = game.batch(1), game.batch(1)
    first.start([0], 5, [3])
    rng = np.random.default_rng(2)
    for _ in range(6):
        first.step(legal_actions(first, rng))
    snapshot = json.loads(json.dumps(first.snapshot(0)))
    for name in ("opportunity_first", "options_on_rolls", "help_stays", "contested_always"):
        del snapshot["position"]["rules"][name]
    for fighter in snapshot["position"]["fighters"]:
        del fighter["heard"]
    second.restore(0, snapshot)
    assert second.faults(0) == []
    for _ in range(6):
        assert seen(first)[:2] == seen(second)[:2]
        actions = legal_actions(first, rng)
        for fights in (first, second):
            fights.step(actions)
