"""Predator: appearing next to a creature that bleeds."""

import pytest

from tests.games.heart_rush.rules.map_table import at, on_map, told_ways
from tests.games.heart_rush.rules.table import Table

pytestmark = pytest.mark.heading("Predator")
HIT = [(4, 3, 5), (1, 1)]
GROUND = "PR......\n........\n.......F"


def hunter(key: str = "talents", ground: str = GROUND, **rogue: object) -> Table:
    """Return a table at which the owner has damaged the rogue, in round 2."""
    table = on_map(ground, {"panther": {key: ["predator"]}, "rogue": rogue, "fox": {}}, HIT)
    assert not [name for name in table.legal("panther") if name.startswith("use")]
    table.engage(panther="agility: attack 1", rogue="might", fox="might")
    return table.finish_round()


def test_it_appears_beside_a_creature_that_it_has_damaged() -> None:
    table = hunter().play(rogue="dash 6,0")
    table.pass_to("action") if table.window != "action" else None
    assert "use_at 2 a" not in table.legal("panther"), "the fox is unhurt"
    table.play(panther="use_at 1 a")
    assert "sidestep n" not in table.legal("panther") and "sidestep w" in table.legal("panther")
    table.play(panther="sidestep sw")
    assert (at(table, "panther"), table.fighter("panther")["action"]) == ((6, 1), False)
    assert told_ways(table, "teleport") == [("panther", [[6, 1]])]
    assert not [name for name in table.finish_round().legal("panther") if name.startswith("use")]


@pytest.mark.parametrize(("key", "may"), [("talents", [True, False]), ("destiny_talents", [True, True])])
def test_a_minute_later_only_destiny_smells_it(key: str, may: list[bool]) -> None:
    table, found = hunter(key, "PR\n.F"), []
    for last in (10, 11):
        while table.round < last:
            table.finish_round()
        found.append("use_at 1 a" in table.legal("panther"))
    assert found == may


def test_a_large_creature_is_touched_at_its_sides_and_corners() -> None:
    ground = "PRR.....\n.RR.....\n........\n.......F"
    table = on_map(ground, {"panther": {"talents": ["predator"]}, "rogue": {"size": "L2"}, "fox": {}}, HIT)
    table.engage(panther="agility: attack 1", rogue="might", fox="might").finish_round()
    table.play(panther="use_at 1 a").play(panther="sidestep se")
    assert at(table, "panther") == (3, 2)


def test_it_is_no_step_for_dodge_and_weave() -> None:
    table = on_map(
        GROUND,
        {"panther": {"talents": ["predator", "dodge_and_weave"]}, "rogue": {}, "fox": {}},
        [*HIT, (1, 1, 1), (1, 1)],
    )
    table.engage(panther="agility: attack 1", rogue="might", fox="might").finish_round()
    use = next(name for name in table.legal("panther") if name.startswith("use_at 1"))
    table.play(panther=use).play(panther="sidestep s").engage(panther="might", rogue="agility: attack 1", fox="might")
    assert table.rolls() == (3, 2)
