"""Counters at the end of their range: wounds, numbers of fights, and the fights that memory has room for."""

from typing import Any

import pytest

from heartrush_env import heart_rush_v0
from heartrush_env.envs import vector
from heartrush_env.games.heart_rush.game import HeartRush
from heartrush_env.tabletop.errors import HeartRushError, SnapshotError
from tests.games.heart_rush.rules.table import Table

LAST = 2**61  # the largest number that a fight may be given


def test_the_128th_wound_is_counted_and_its_fight_is_taken_back() -> None:
    """The rogue starts with 127 wounds of rank 1; 5 + 4 + 3 against 1 + 1 is 10 damage, which is one more wound."""
    rogue = {"hp": 1000, "wounds": [1] * 127}
    table = Table({"knight": {}, "rogue": rogue}, [(5, 4, 3), (1, 1)])
    table.engage(knight="might", rogue="cunning")
    table.pass_to("attack", "might")
    table.play(knight="attack 1")
    table.play(rogue="take")
    fights = table._fights
    assert (table.fighter("rogue")["wounds"], fights._fights[0].fighters[1].wound_count) == (137, 128)
    assert fights.faults(0) == []
    fights.restore(0, fights.snapshot(0))
    assert fights._fights[0].fighters[1].wound_count == 128


@pytest.mark.parametrize("count", [128, 999])
def test_as_many_wounds_as_a_scenario_may_give_start_a_fight(count: int) -> None:
    fighter = {"from": "knight", "team": "blue", "hp": 1000, "wounds": [1] * count}
    fights = HeartRush({"fighter": [fighter, {"from": "rogue", "team": "red"}]}).batch(1)
    fights.start([0], 1, [0])
    assert fights._fights[0].fighters[0].wound_count == count
    fights.restore(0, fights.snapshot(0))
    assert fights.faults(0) == []


def test_numbers_of_fights_end_where_the_next_ones_still_fit() -> None:
    env = heart_rush_v0.parallel_env("duel")
    env.reset(seed=1, options={"fight": LAST})
    env.reset()
    snapshot = env.snapshot()
    assert snapshot["fight"] == LAST + 1
    env.restore(snapshot)
    with pytest.raises(HeartRushError, match=r'"fight": expected 0 to 2\*\*61'):
        env.reset(seed=1, options={"fight": LAST + 1})
    with pytest.raises(SnapshotError, match=r"fight of the snapshot: expected 0 to 2\*\*62"):
        env.restore({**snapshot, "fight": 2 * LAST + 1})
    forged: dict[str, Any] = {**snapshot, "position": {**snapshot["position"]}}
    forged["position"]["position"] = {**snapshot["position"]["position"], "fight_number": str(2 * LAST + 1)}
    with pytest.raises(SnapshotError, match=f"fight_number: expected at most {2 * LAST}, got {2 * LAST + 1}"):
        env.restore(forged)


@pytest.mark.parametrize("count", [2**31, 2**62])
def test_more_fights_than_there_is_memory_for_are_refused_with_the_bytes(count: int) -> None:
    needed = count * HeartRush("duel").bytes_per_fight()
    with pytest.raises(HeartRushError, match=f"got {count}, which takes {needed:,}"):
        heart_rush_v0.make_vec(count, "duel")


def test_a_machine_that_does_not_say_what_memory_it_has_tries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(vector.os, "sysconf")
    assert vector.machine_memory() is None
    assert heart_rush_v0.make_vec(2, "duel").num_envs == 2
