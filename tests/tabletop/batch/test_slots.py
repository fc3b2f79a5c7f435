"""A game's batch: starting, autoreset, given dice, positions and snapshots, with a race of two runners."""

import copy
import json
from typing import Any

import numpy as np
import pytest

from heartrush_env.tabletop.errors import DiceError, HeartRushError, SnapshotError
from tests.tabletop.batch.race import REST, RUN, Races

pytestmark = pytest.mark.usefixtures("plainly")


def started(number: int = 1, dice: list[int] | None = None, **options: Any) -> Races:
    races = Races(number, **options)
    races.start(range(number), 7, range(number), dice)
    return races


def squares(races: Races, slot: int = 0) -> list[int]:
    return races.records[slot]["squares"].tolist()


def step(races: Races, *choices: tuple[int, int], autoreset: bool = False) -> None:
    races.step(np.array(choices), autoreset=autoreset)


def test_given_dice_are_rolled_in_order_and_the_winner_is_paid() -> None:
    races = started(dice=[6, 1, 6])
    step(races, (RUN, RUN))
    assert squares(races) == [6, 1] and races.observations[0].tolist() == [[6, 1], [1, 6]]
    assert not races.ended[0] and races.rewards[0].tolist() == [0, 0]
    step(races, (RUN, REST))
    assert squares(races) == [12, 1] and races.terminated[0] and races.rewards[0].tolist() == [1, -1]


def test_after_given_dice_the_race_rolls_its_own() -> None:
    given, own = started(dice=[2]), started()
    step(given, (RUN, RUN))
    step(own, (RUN, RUN))
    assert squares(given) == [2, squares(own)[0]]


def test_an_action_out_of_range_is_illegal_and_rests() -> None:
    races = started(dice=[3])
    step(races, (5, RUN))
    assert races.illegal[0].tolist() == [True, False] and squares(races) == [0, 3]


def test_a_die_that_is_too_large_is_refused_and_nothing_has_happened() -> None:
    races = started(dice=[4, 9])
    before = json.dumps(races.snapshot(0))
    with pytest.raises(DiceError, match="given dice, number 2: expected 1 to 6 for a d6, got 9"):
        step(races, (RUN, RUN))
    assert json.dumps(races.snapshot(0)) == before and races.observations[0].tolist() == [[0, 0], [0, 0]]


def test_a_race_is_truncated_after_its_steps() -> None:
    races = started(max_cycles=2)
    step(races, (REST, REST))
    assert not races.truncated[0]
    step(races, (REST, REST))
    assert races.truncated[0] and not races.terminated[0] and races.rewards[0].tolist() == [0, 0]


def test_the_next_race_of_a_slot_is_the_one_that_is_played_alone() -> None:
    """Of two slots, slot s plays the races s, s + 2, ...; the last observation of an ended race is kept."""
    races = started(2)
    while not races.ended[1]:
        step(races, (REST, REST), (REST, RUN), autoreset=True)
    assert races.numbers.tolist() == [0, 3] and races.final_observations[1][0][1] >= 12
    assert squares(races, 1) == [0, 0] and races.rewards[1].tolist() == [-1, 1]
    alone = Races(1)
    alone.start([0], 7, [3])
    step(races, (REST, REST), (RUN, RUN))
    step(alone, (RUN, RUN))
    assert squares(races, 1) == squares(alone) != [0, 0]


def test_a_snapshot_is_restored_into_another_slot_with_the_same_dice_to_come() -> None:
    races = started(2, dice=[5, 4, 3, 2, 1, 6])
    step(races, (RUN, RUN), (REST, REST))
    races.restore(1, json.loads(json.dumps(races.snapshot(0))))
    assert races.observations[1].tolist() == [[5, 4], [4, 5]] and races.numbers.tolist() == [0, 0]
    step(races, (RUN, RUN), (RUN, RUN))
    assert squares(races, 0) == squares(races, 1) == [8, 6]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"format": "chess"}, "expected format 'race'"),
        ({"version": 2}, "version: expected 1, got 2"),
        ({"digest": "other"}, "expected the scenario and options of this environment"),
    ],
)
def test_snapshots_of_other_games_are_refused(change: dict[str, Any], said: str) -> None:
    races = started()
    with pytest.raises(SnapshotError, match=said):
        races.restore(0, {**races.snapshot(0), **change})


def test_fields_that_earlier_versions_lack_read_as_zero_and_all_others_are_needed() -> None:
    races = started()
    races.records[0].wind, races.records[0].shoe.laces[:] = 7, 3
    whole = races.snapshot(0)
    older = json.loads(json.dumps(whole))
    del older["position"]["wind"], older["position"]["shoe"]["laces"]
    races.restore(0, older)
    assert (races.records[0].wind, races.records[0].shoe.laces.tolist()) == (0, [0, 0])
    races.restore(0, whole)
    assert (races.records[0].wind, races.records[0].shoe.laces.tolist()) == (7, [3, 3])
    for place, name in ((whole["position"], "squares"), (whole["position"]["shoe"], "sole")):
        left = place.pop(name)
        with pytest.raises(SnapshotError, match=f"'{name}' is missing"):
            races.restore(0, whole)
        place[name] = left


def test_a_position_that_cannot_be_is_refused() -> None:
    races = started()
    snapshot = races.snapshot(0)
    snapshot["position"]["squares"] = [90, 0]
    with pytest.raises(SnapshotError, match="not a valid position of this game \\(a runner is beyond the goal\\)"):
        races.restore(0, snapshot)
    assert squares(races) == [0, 0]


def test_positions_are_copied_and_put() -> None:
    races = started(dice=[5, 4])
    step(races, (RUN, RUN))
    kept = races.copy_of(0)
    step(races, (RUN, RUN))
    races.put(kept)
    assert squares(races) == [5, 4] and races.observations[0].tolist() == [[5, 4], [4, 5]]


def test_races_start_from_changed_beginnings() -> None:
    races = Races(2)
    beginnings = races.beginnings(2)
    beginnings["squares"][1] = [3, 11]
    races.start([0, 1], 7, [0, 1], beginnings=beginnings)
    assert squares(races, 0) == [0, 0] and squares(races, 1) == [3, 11]


def test_a_batch_refuses_to_be_copied() -> None:
    with pytest.raises(HeartRushError, match="cannot be copied or pickled"):
        copy.deepcopy(started())
